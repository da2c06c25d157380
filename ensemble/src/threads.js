// Owns the threads of a process: gives each a task at a time, looks after those that hang, and says what became of the runs.
// It must never retry: whoever asked decides.

import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { Tinypool } from 'tinypool'
import { EnsembleError } from './errors.js'
import { LOADING, STOP, Slot } from './slot.js'

const WATCH_MS = 100

/** Loading modules may take its time, even where runs are short. */
const LOADING_SECONDS = 120

/**
 * @typedef {object} ThreadOptions
 * @property {string} href of the module
 * @property {number} threads
 * @property {string} [parts]
 * @property {string} [writer]
 * @property {string} [checkpoints]
 *
 * @typedef {object} TaskOutcome
 * @property {import('./thread.js').Outcome[]} outcomes
 * @property {Uint8Array[]} [batch]
 * @property {import('./plan.js').Run[]} undone runs that nothing can be said of: they were in a task with one that broke it
 */

/** What a thread sent last may still be on its way when its result is there. */
function takeRest(port, keep) {
  for (let rest; (rest = receiveMessageOnPort(port));) keep(rest.message.key, rest.message.bytes)
  port.close()
}

export class Threads {
  /** @param {ThreadOptions} options */
  constructor({ threads, ...common }) {
    this.common = common
    this.pool = new Tinypool({
      filename: new URL('./thread.js', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: 1,
      isolateWorkers: false,
      terminateTimeout: 10_000,
    })
    // A thread that breaks between two tasks is replaced; there is nobody to tell.
    this.pool.on('error', () => {})
    /** @type {Set<{ slot: Slot, controller: AbortController, limitMs: number, overdue: boolean }>} */
    this.busy = new Set()
    this.idle = Array.from({ length: threads }, () => new Slot())
    this.watch = setInterval(() => this.#endOverdue(), WATCH_MS)
  }

  /**
   * Does runs in one thread, one after the other. As many calls may be open as there are threads.
   *
   * @param {import('./plan.js').Run[]} runs
   * @param {object} how
   * @param {number} how.limitSeconds after which a run is ended
   * @param {boolean} how.strict
   * @param {boolean[]} [how.verifies] which of the runs are done twice, and compared
   * @param {boolean} [how.verifiesLong] also those that take long
   * @param {Uint8Array} [how.resume] a checkpoint, where no folder has them
   * @param {(key: string, bytes: Uint8Array) => void} [how.keep] keeps one, where no folder does
   * @returns {Promise<TaskOutcome>}
   * @throws {EnsembleError} what a thread refused: DISK_FULL, NO_MODULE, …
   */
  async execute(runs, { limitSeconds, strict, verifies, verifiesLong, resume, keep }) {
    const slot = this.idle.pop() ?? new Slot()
    const task = { slot, controller: new AbortController(), limitMs: limitSeconds * 1000, overdue: false }
    slot.stop = this.wish ?? STOP.none
    slot.begin(LOADING)
    this.busy.add(task)
    const channel = keep ? new MessageChannel() : undefined
    channel?.port1.on('message', ({ key, bytes }) => keep?.(key, bytes))
    try {
      const result = await this.pool.run(
        {
          ...this.common,
          runs,
          strict,
          verifies,
          verifiesLong,
          memory: slot.memory,
          resume,
          port: channel?.port2,
        },
        { signal: task.controller.signal, transferList: /** @type {any} */ (channel ? [channel.port2] : []) },
      )
      if (result.refused) throw new EnsembleError(result.refused.code, result.refused.message)
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

  #broken(runs, { slot, limitMs, overdue }, error) {
    if (this.wish === STOP.now && !overdue) return { outcomes: [], undone: runs }
    const position = slot.current
    if (position === LOADING && !overdue) {
      throw new EnsembleError(
        'NO_MODULE',
        `The module ended its thread while it was loaded: ${error.message}`,
      )
    }
    const culprit = runs[Math.max(0, position)]
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

  #endOverdue() {
    for (const task of this.busy) {
      const limit =
        task.slot.current === LOADING ? Math.max(task.limitMs, LOADING_SECONDS * 1000) : task.limitMs
      if (task.slot.elapsed <= limit) continue
      task.overdue = true
      task.controller.abort()
    }
  }

  /** How far the runs that are under way have come, from 0 to 1 each. */
  get progress() {
    return [...this.busy].map(({ slot }) => slot.progress)
  }

  /** Runs that keep checkpoints stop at the next one; others go on to their end. */
  stopAtCheckpoints() {
    this.#ask(STOP.atCheckpoint)
  }

  /** Ends all runs that are under way, wherever they are. */
  stopNow() {
    this.#ask(STOP.now)
    for (const { controller } of this.busy) controller.abort()
  }

  #ask(wish) {
    this.wish = wish
    for (const { slot } of this.busy) slot.stop = wish
  }

  async destroy() {
    clearInterval(this.watch)
    await this.pool.destroy()
  }
}
