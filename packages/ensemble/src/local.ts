// Owns the executor of one machine: runs are handed to threads in tasks of about equal time, and failed ones once more.

import { rmSync } from 'node:fs'
import { checkpointPath } from './checkpoint.js'
import { Host } from './host.js'
import type { Entry } from './journal.js'
import type { Run } from './plan.js'
import type { How, TaskOutcome, ThreadOptions } from './threads.js'
import { everyHundredth } from './verification.js'

/** Long enough that messages between threads do not count, short enough that little is lost when one is ended. */
const TASK_MS = 25
const MOST_RUNS_OF_A_TASK = 256

/** What an executor is given. */
export interface Hooks {
  /** Runs that are done or have failed for good. */
  report: (entries: Entry[]) => void
  /** Resolves when what was reported outlasts a loss of power. */
  settle: () => Promise<void>
}

/** Made as they are asked for. */
export type Runs = { length: number } & Iterable<Run>

/** What does runs, wherever. */
export interface Executor {
  execute: (runs: Runs, hooks: Hooks) => Promise<void>
  /** How far the runs that are under way have come, from 0 to 1. */
  progress: () => number[]
  /** Begins no further run. */
  finish: () => void
  /** Ends those that are under way, too. */
  stop: () => void
  close: () => Promise<void>
}

/** What is to be known beside what threads are told. */
export interface LocalOptions {
  retries: number
  limitSeconds: number
  strict: boolean
  /** Of a hundred runs, how many are done twice. */
  verify?: number
  checkpoints: string
}

export function localExecutor({
  retries,
  limitSeconds,
  strict,
  verify = 0,
  ...options
}: ThreadOptions & LocalOptions): Executor {
  const isVerified = everyHundredth(verify)
  const host = new Host(options)
  let isFinishing = false

  async function execute(runs: Runs, { report }: Hooks): Promise<void> {
    /** Of those only that failed and are to be tried again. */
    const attempts = new Map<string, number>()
    const next = runs[Symbol.iterator]()
    let waiting = runs.length
    /** Those that were in a task with one that broke it, and those to be tried again: each in a task of its own. */
    const alone: Run[] = []
    let msOfRun = TASK_MS
    let open = 0
    let broken: Error | undefined

    async function work(): Promise<void> {
      while (!isFinishing && broken === undefined) {
        const task = nextTask()
        if (task.length === 0) {
          // A task that is open may give runs back.
          if (open === 0) return
          await new Promise((resolve) => setTimeout(resolve, 5))
          continue
        }
        open++
        try {
          take(task, await host.execute(task, how(task)))
        } catch (error) {
          broken ??= error as Error
          host.stopNow()
        } finally {
          open--
        }
      }
    }

    const how = (task: readonly Run[]): How => ({
      limitSeconds,
      strict,
      verifies: task.map(isVerified),
      verifiesLong: verify === 100,
    })

    function nextTask(): Run[] {
      if (waiting === 0) return alone.splice(-1)
      const share = Math.ceil(waiting / (2 * options.threads))
      const count = Math.min(share, MOST_RUNS_OF_A_TASK, Math.max(1, Math.round(TASK_MS / msOfRun)))
      waiting -= count
      return Array.from({ length: count }, () => next.next().value as Run)
    }

    function take(task: readonly Run[], { outcomes, undone }: TaskOutcome): void {
      alone.push(...undone)
      const byKey = new Map(task.map((run) => [run.key, run]))
      const entries: Entry[] = []
      const finished: string[] = []
      for (const { keptSome, ...outcome } of outcomes) {
        const run = byKey.get(outcome.key)!
        const attempt = (attempts.get(run.key) ?? 0) + 1
        msOfRun = Math.max(0.01, 0.8 * msOfRun + 0.2 * outcome.ms)
        if (outcome.failed && attempt <= retries) {
          attempts.set(run.key, attempt)
          alone.push(run)
          continue
        }
        attempts.delete(run.key)
        entries.push({ ...run, ...outcome, attempts: attempt })
        if (keptSome) finished.push(run.key)
      }
      report(entries)
      // Not before it is written down that the run is done.
      for (const key of finished) rmSync(checkpointPath(options.checkpoints, key), { force: true })
    }

    await Promise.all(Array.from({ length: options.threads }, work))
    if (broken !== undefined) throw broken
  }

  return {
    execute,
    progress: () => host.progress,
    finish() {
      isFinishing = true
      host.stopAtCheckpoints()
    },
    stop() {
      isFinishing = true
      host.stopNow()
    },
    close: () => host.destroy(),
  }
}
