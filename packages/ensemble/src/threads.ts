// Owns the threads of a process: it gives each one task at a time, watches for those that hang, and reports what became of the
// runs. The caller decides whether to retry.

import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { Tinypool } from 'tinypool'
import { EnsembleError } from './errors.js'
import type { Run } from './plan.js'
import { programOf } from './programs.js'
import { LOADING, STOP, Slot } from './slot.js'
import type { Outcome, Task, TaskResult } from './thread.js'

const WATCH_MS = 100

/** Loading modules may take its time, even where runs are short. */
const LOADING_SECONDS = 120

/** What threads are told once. */
export interface ThreadOptions {
  /** Of the module. */
  href: string
  threads: number
  parts?: string | undefined
  writer?: string | undefined
  checkpoints?: string | undefined
}

/** How runs are done. */
export interface How {
  /** After so long a run is ended. */
  limitSeconds: number
  strict: boolean
  /** Which of the runs are done twice, and compared. */
  verifies?: boolean[] | undefined
  /** Also those that take long. */
  verifiesLong?: boolean | undefined
  /** A checkpoint, where no folder has them. */
  resume?: Uint8Array | undefined
  /** Keeps one, where no folder does. */
  keep?: Keep | undefined
}

type Keep = (key: string, bytes: Uint8Array) => void

/** What goes to a thread and is no longer here. */
type Handover = NonNullable<NonNullable<Parameters<Tinypool['run']>[1]>['transferList']>

/** A task that is under way. */
interface Busy {
  slot: Slot
  controller: AbortController
  limitMs: number
  overdue: boolean
}

/** What became of a task. */
export interface TaskOutcome {
  outcomes: Outcome[]
  batch?: Uint8Array[]
  /** Runs that nothing can be said of: they were in a task with one that broke it. */
  undone: Run[]
}

/** A checkpoint on its way. */
interface Kept {
  key: string
  bytes: Uint8Array
}

/** What a thread sent last may still be on its way when its result is there. */
function takeRest(port: MessagePort, keep: Keep): void {
  for (let rest; (rest = receiveMessageOnPort(port) as { message: Kept } | undefined);) {
    keep(rest.message.key, rest.message.bytes)
  }
  port.close()
}

export class Threads {
  private readonly common: Omit<ThreadOptions, 'threads'>
  private readonly pool: Tinypool
  private readonly busy = new Set<Busy>()
  private readonly idle: Slot[]
  private readonly watch: NodeJS.Timeout
  private wish: number | undefined

  constructor({ threads, ...common }: ThreadOptions) {
    this.common = common
    this.pool = new Tinypool({
      filename: programOf('thread').href,
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: 1,
      isolateWorkers: false,
      terminateTimeout: 10_000,
    })
    // A thread that breaks between two tasks is replaced; there is nobody to tell.
    this.pool.on('error', () => {})
    this.idle = Array.from({ length: threads }, () => new Slot())
    this.watch = setInterval(() => this.#endOverdue(), WATCH_MS)
  }

  /**
   * Does runs in one thread, one after the other. As many calls may be open as there are threads.
   *
   * @throws EnsembleError what a thread refused: DISK_FULL, NO_MODULE, …
   */
  async execute(
    runs: Run[],
    { limitSeconds, strict, verifies, verifiesLong, resume, keep }: How,
  ): Promise<TaskOutcome> {
    const slot = this.idle.pop() ?? new Slot()
    const task = { slot, controller: new AbortController(), limitMs: limitSeconds * 1000, overdue: false }
    slot.stop = this.wish ?? STOP.none
    slot.begin(LOADING)
    this.busy.add(task)
    const channel = keep ? new MessageChannel() : undefined
    channel?.port1.on('message', ({ key, bytes }: Kept) => keep?.(key, bytes))
    try {
      const asked: Task = {
        ...this.common,
        runs,
        strict,
        verifies,
        verifiesLong,
        memory: slot.memory,
        resume,
        port: channel?.port2,
      }
      const result = (await this.pool.run(asked, {
        signal: task.controller.signal,
        // Its types mean another form of postMessage.
        transferList: (channel ? [channel.port2] : []) as unknown as Handover,
      })) as TaskResult
      if ('refused' in result) throw new EnsembleError(result.refused.code, result.refused.message)
      return { ...result, undone: runs.slice(result.outcomes.length) }
    } catch (error) {
      if (error instanceof EnsembleError) throw error
      return this.#broken(runs, task, error)
    } finally {
      if (channel && keep) takeRest(channel.port1, keep)
      this.busy.delete(task)
      // The thread that was ended may still write to the memory of its slot.
      if (!task.controller.signal.aborted) this.idle.push(slot)
    }
  }

  #broken(runs: Run[], { slot, limitMs, overdue }: Busy, thrown: unknown): TaskOutcome {
    const error = thrown as Error
    if (this.wish === STOP.now && !overdue) return { outcomes: [], undone: runs }
    const position = slot.current
    if (position === LOADING && !overdue) {
      throw new EnsembleError(
        'NO_MODULE',
        `The module ended its thread while it was loaded: ${error.message}`,
      )
    }
    const culprit = runs[Math.max(0, position)]!
    const failed = {
      code: overdue ? 'TIME_LIMIT' : 'THREAD_LOST',
      message: overdue
        ? `It was ended after ${limitMs / 1000} s, at ${Math.round(slot.progress * 100)} %.`
        : `It broke its thread: ${error.message}`,
      stack: overdue ? '' : (error.stack ?? ''),
      log: slot.readLog(),
    }
    return {
      outcomes: [{ key: culprit.key, ms: slot.elapsed, failed }],
      undone: runs.filter((run) => run !== culprit),
    }
  }

  #endOverdue(): void {
    for (const task of this.busy) {
      const limit =
        task.slot.current === LOADING ? Math.max(task.limitMs, LOADING_SECONDS * 1000) : task.limitMs
      if (task.slot.elapsed <= limit) continue
      task.overdue = true
      task.controller.abort()
    }
  }

  /** How far the runs that are under way have come, from 0 to 1 each. */
  get progress(): number[] {
    return [...this.busy].map(({ slot }) => slot.progress)
  }

  /** Runs that keep checkpoints stop at the next one; others go on to their end. */
  stopAtCheckpoints(): void {
    this.#ask(STOP.atCheckpoint)
  }

  /** Ends all runs that are under way, wherever they are. */
  stopNow(): void {
    this.#ask(STOP.now)
    for (const { controller } of this.busy) controller.abort()
  }

  #ask(wish: number): void {
    this.wish = wish
    for (const { slot } of this.busy) slot.stop = wish
  }

  async destroy(): Promise<void> {
    clearInterval(this.watch)
    await this.pool.destroy()
  }
}
