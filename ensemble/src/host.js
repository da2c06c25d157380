// Owns the process in which runs are done, as it is seen from outside: tasks go to its threads, and when a run ends the
// process, which run did it is found out and the others are done in a new one. It must never be brought down by a run.

import { fork } from 'node:child_process'
import { EnsembleError } from './errors.js'

/** Room for what lives shortly, in MB for each thread: without, V8 takes 48. */
const YOUNG = ['--max-semi-space-size=4']

const PROGRAM = new URL('./hostProcess.js', import.meta.url)

/** A run that was there when so many processes ended is done with no other beside it. */
const LOSSES_BEFORE_ALONE = 2

/**
 * @typedef {object} How
 * @property {number} limitSeconds after which a run is ended
 * @property {boolean} strict
 * @property {boolean[]} [verifies] which of the runs are done twice, and compared
 * @property {boolean} [verifiesLong] also those that take long
 * @property {Uint8Array} [resume] a checkpoint, where no folder has them
 * @property {(key: string, bytes: Uint8Array) => void} [keep] keeps one, where no folder does
 */

/** Does what `Threads` does, in a process of its own. */
export class Host {
  #child
  #next = 0
  /** @type {Map<number, { runs: import('./plan.js').Run[], keep: How['keep'], resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #open = new Map()
  /** How many processes ended while a run was under way. */
  #losses = new Map()
  /** Tasks that are under way, or about to be. */
  #entered = 0
  /** Whether a run that is suspected is under way, with no other. */
  #isAlone = false
  #waitingAlone = 0
  #change = createChange()
  #wish = ''
  #isDestroyed = false

  /** @param {import('./threads.js').ThreadOptions} options */
  constructor(options) {
    this.options = options
    /** How far the runs that are under way have come, from 0 to 1 each. */
    this.progress = []
    this.#start()
  }

  #start() {
    const child = fork(PROGRAM, {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...YOUNG, ...process.execArgv],
    })
    this.#child = child
    child.on('message', (message) => this.#hear(/** @type {any} */ (message)))
    child.on('error', () => {})
    child.on('exit', (code, signal) => {
      if (this.#child === child) this.#lost(signal ?? `exit code ${code}`)
    })
    this.#tell({ what: 'open', options: this.options })
  }

  #tell(message) {
    // That it is gone is told by its exit.
    if (this.#child?.connected) this.#child.send(message, () => {})
  }

  /**
   * Does runs in one thread, one after the other. As many calls may be open as there are threads.
   *
   * @param {import('./plan.js').Run[]} runs
   * @param {How} how
   * @returns {Promise<import('./threads.js').TaskOutcome>}
   * @throws {EnsembleError} what a thread refused: DISK_FULL, NO_MODULE, …
   */
  async execute(runs, { keep, ...how }) {
    const isAlone = runs.length === 1 && this.#lossesOf(runs[0]) >= LOSSES_BEFORE_ALONE
    await this.#enter(isAlone)
    try {
      if (this.#wish === 'stopNow') return { outcomes: [], undone: runs }
      if (!this.#child) this.#start()
      const id = this.#next++
      const result = await new Promise((resolve, reject) => {
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

  #lossesOf = ({ key }) => this.#losses.get(key) ?? 0

  /** A run that is suspected waits until no other is under way, and others until it has ended. */
  async #enter(isAlone) {
    if (isAlone) this.#waitingAlone++
    const mustWait = () => this.#isAlone || (this.#entered > 0 && (isAlone || this.#waitingAlone > 0))
    while (mustWait() && this.#wish !== 'stopNow') await this.#change.next()
    if (isAlone) this.#waitingAlone--
    this.#isAlone = isAlone
    this.#entered++
  }

  #hear({ what, id, ...message }) {
    const task = this.#open.get(id)
    if (what === 'progress') this.progress = message.progress
    else if (what === 'keep') task?.keep?.(message.key, message.bytes)
    else if (what === 'result') this.#close(id, () => task?.resolve(message.result))
    else if (what === 'refused') {
      this.#close(id, () => task?.reject(new EnsembleError(message.code, message.message)))
    }
  }

  #close(id, settle) {
    this.#open.delete(id)
    settle()
  }

  /** The process has ended, and nobody asked it to. */
  #lost(how) {
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
      else task.resolve({ outcomes: [{ key: runs[0].key, ms: 0, failed: lossOf(how) }], undone: [] })
    }
  }

  /** Runs that keep checkpoints stop at the next one; others go on to their end. */
  stopAtCheckpoints() {
    this.#wish = 'stopAtCheckpoints'
    this.#tell({ what: this.#wish })
  }

  /** Ends all runs that are under way, wherever they are. */
  stopNow() {
    this.#wish = 'stopNow'
    this.#child?.kill('SIGKILL')
    this.#change.now()
  }

  async destroy() {
    this.#isDestroyed = true
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }
}

function lossOf(how) {
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
function createChange() {
  let change
  const renew = () => {
    let resolve = () => {}
    const promise = new Promise((done) => (resolve = () => done(undefined)))
    change = { promise, resolve }
  }
  renew()
  return {
    next: () => change.promise,
    now() {
      change.resolve()
      renew()
    },
  }
}
