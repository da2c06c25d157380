// Owns the process in which runs are done, as it is seen from outside: tasks go to its threads, and when a run ends the process,
// which run did it is found out and the others are done in a new one.

import { type ChildProcess, fork } from 'node:child_process'
import { EnsembleError, type Failure } from './errors.js'
import type { Run } from './plan.js'
import { programOf } from './programs.js'
import { createSwitch } from './switch.js'
import type { How, TaskOutcome, ThreadOptions } from './threads.js'

/** Room for what lives shortly, in MB for each thread: without, V8 takes 48. */
const YOUNG = ['--max-semi-space-size=4']

const PROGRAM = programOf('hostProcess')

/** A run that was there when so many processes ended is done with no other beside it. */
const LOSSES_BEFORE_ALONE = 2

/** What the process is told. */
export type Order =
  | { what: 'open'; options: ThreadOptions }
  | { what: 'execute'; id: number; runs: Run[]; how: Omit<How, 'keep'> & { keeps: boolean } }
  | { what: 'stopAtCheckpoints' }

/** What the process says. */
export type Report =
  | { what: 'progress'; progress: number[] }
  | { what: 'keep'; id: number; key: string; bytes: Uint8Array }
  | { what: 'result'; id: number; result: TaskOutcome }
  | { what: 'refused'; id: number; code: string; message: string }

/** A task that is under way in the process. */
interface OpenTask {
  runs: Run[]
  keep: How['keep']
  resolve: (result: TaskOutcome) => void
  reject: (error: Error) => void
}

/** Does what `Threads` does, in a process of its own. */
export class Host {
  /** How far the runs that are under way have come, from 0 to 1 each. */
  progress: number[] = []
  private readonly options: ThreadOptions
  #child: ChildProcess | undefined
  #next = 0
  #open = new Map<number, OpenTask>()
  /** How many processes ended while a run was under way. */
  #losses = new Map<string, number>()
  /** Tasks that are under way, or about to be. */
  #entered = 0
  /** Whether a run that is suspected is under way, with no other. */
  #isAlone = false
  #waitingAlone = 0
  #change = createChange()
  #wish: '' | 'stopAtCheckpoints' | 'stopNow' = ''
  #isDestroyed = false

  constructor(options: ThreadOptions) {
    this.options = options
    this.#start()
  }

  #start(): void {
    const child = fork(PROGRAM, {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...YOUNG, ...process.execArgv],
    })
    this.#child = child
    child.on('message', (message) => this.#hear(message as Report))
    child.on('error', () => {})
    child.on('exit', (code, signal) => {
      if (this.#child === child) this.#lost(signal ?? `exit code ${code}`)
    })
    this.#tell({ what: 'open', options: this.options })
  }

  #tell(message: Order): void {
    // That it is gone is told by its exit.
    if (this.#child?.connected) this.#child.send(message, () => {})
  }

  /**
   * Does runs in one thread, one after the other. As many calls may be open as there are threads.
   *
   * @throws EnsembleError what a thread refused: DISK_FULL, NO_MODULE, …
   */
  async execute(runs: Run[], { keep, ...how }: How): Promise<TaskOutcome> {
    const isAlone = runs.length === 1 && this.#lossesOf(runs[0]!) >= LOSSES_BEFORE_ALONE
    await this.#enter(isAlone)
    try {
      if (this.#wish === 'stopNow') return { outcomes: [], undone: runs }
      if (!this.#child) this.#start()
      const id = this.#next++
      const result = await new Promise<TaskOutcome>((resolve, reject) => {
        this.#open.set(id, { runs, keep, resolve, reject })
        this.#tell({ what: 'execute', id, runs, how: { ...how, keeps: keep !== undefined } })
      })
      // One that ended its process is suspected again when it is tried again.
      for (const { key, failed } of result.outcomes) {
        if (failed?.code !== 'PROCESS_LOST') this.#losses.delete(key)
      }
      return result
    } finally {
      this.#entered--
      if (isAlone) this.#isAlone = false
      this.#change.now()
    }
  }

  #lossesOf = ({ key }: Run) => this.#losses.get(key) ?? 0

  /** A run that is suspected waits until no other is under way, and others until it has ended. */
  async #enter(isAlone: boolean): Promise<void> {
    if (isAlone) this.#waitingAlone++
    const mustWait = () => this.#isAlone || (this.#entered > 0 && (isAlone || this.#waitingAlone > 0))
    while (mustWait() && this.#wish !== 'stopNow') await this.#change.next()
    if (isAlone) this.#waitingAlone--
    this.#isAlone = isAlone
    this.#entered++
  }

  #hear(report: Report): void {
    if (report.what === 'progress') {
      this.progress = report.progress
      return
    }
    const task = this.#open.get(report.id)
    if (report.what === 'keep') {
      task?.keep?.(report.key, report.bytes)
      return
    }
    this.#open.delete(report.id)
    if (report.what === 'result') task?.resolve(report.result)
    else task?.reject(new EnsembleError(report.code, report.message))
  }

  /** The process has ended, and nobody asked it to. */
  #lost(how: string): void {
    this.#child = undefined
    this.progress = []
    if (this.#isDestroyed) return
    const tasks = [...this.#open.values()]
    this.#open.clear()
    const runs = tasks.flatMap((task) => task.runs)
    // What is to be stopped is no suspect.
    if (this.#wish !== 'stopNow') for (const run of runs) this.#losses.set(run.key, this.#lossesOf(run) + 1)
    for (const task of tasks) {
      if (runs.length > 1 || this.#wish === 'stopNow') task.resolve({ outcomes: [], undone: task.runs })
      else task.resolve({ outcomes: [{ key: runs[0]!.key, ms: 0, failed: lossOf(how) }], undone: [] })
    }
  }

  /** Runs that keep checkpoints stop at the next one; others go on to their end. */
  stopAtCheckpoints(): void {
    this.#wish = 'stopAtCheckpoints'
    this.#tell({ what: 'stopAtCheckpoints' })
  }

  /** Ends all runs that are under way, wherever they are. */
  stopNow(): void {
    this.#wish = 'stopNow'
    this.#child?.kill('SIGKILL')
    this.#change.now()
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }
}

function lossOf(how: string): Failure {
  return {
    code: 'PROCESS_LOST',
    message:
      `It ended its process (${how}), with no other run under way: ` +
      'a crash in native code, memory that the system took back, or a signal.',
    stack: '',
    log: '',
  }
}

/** A promise of the next change, again and again. */
function createChange(): { next: () => Promise<void>; now: () => void } {
  let change = createSwitch()
  return {
    next: () => change.turned,
    now() {
      change.turn()
      change = createSwitch()
    },
  }
}
