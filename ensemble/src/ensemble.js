// Owns one call of an ensemble: what is missing is planned, handed to an executor, written down, and what became of it is
// said. It must never run anything that is done.

import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { checkpointPath, checkpointsIn } from './checkpoint.js'
import { allKinds } from './columns.js'
import { settleSoon } from './disk.js'
import { EnsembleError } from './errors.js'
import { openFolder, readState, remarksOn, writerName } from './folder.js'
import { Journal, shortened } from './journal.js'
import { localExecutor } from './local.js'
import { PartReader } from './part.js'
import { planOf, range } from './plan.js'
import { MOST_FAILURES, bySeed } from './results.js'
import { openSource } from './source.js'

const LIMIT_SECONDS = 3600
const RETRIES = 1
/** Of a hundred runs, how many are done twice. */
const VERIFY = 1

/** After so long, what was written outlasts a loss of power. */
const SETTLE_MS = 1000

/**
 * @typedef {object} Options
 * @property {string} out the folder of the ensemble
 * @property {Iterable<number>} [seeds] which seeds, by their indices; 0 to 99 without
 * @property {Record<string, unknown[]>} [grid] values of parameters; the others have their defaults
 * @property {number} [threads]
 * @property {number} [retries] how often a run that failed is tried again
 * @property {number} [limitSeconds] after which a run is ended, and counts as failed
 * @property {boolean} [strict] Math.random and the clock are errors
 * @property {number} [verify] of a hundred runs, how many are done twice and compared; 1 without
 * @property {(sentence: string) => void} [onNotice] called with what people should know meanwhile
 * @property {AbortSignal} [finish] begin no further run, let those under way end or stop at their next checkpoint
 * @property {AbortSignal} [stop] end those under way, too
 * @property {(progress: Progress) => void} [onProgress] called after each task
 * @property {string | { url: string, patienceSeconds?: number, name?: string }} [queue] where the queue is
 *
 * @typedef {object} Progress
 * @property {number} total
 * @property {number} done with those of earlier calls
 * @property {number} failed
 * @property {number} running
 * @property {number} underWay how much of those that run is done, in runs
 * @property {number} began how many were done before this call
 *
 * @typedef {object} Outcome
 * @property {number} total
 * @property {number} done
 * @property {number} alreadyDone
 * @property {number} missing neither done nor failed: the call was stopped
 * @property {number} failedCount
 * @property {import('./journal.js').Entry[]} failed by index; of more than a thousand, a thousand
 * @property {number} elsewhere runs that are done, but whose rows are not in the folder: workers wrote them to another
 * @property {Differing | undefined} differing of the runs that were done twice, those that differed
 * @property {string[]} remarks sentences about the folder
 *
 * @typedef {{ count: number, first: import('./journal.js').Entry, how: string }} Differing
 */

/**
 * Runs what is missing of an ensemble.
 *
 * @param {string | URL} module
 * @param {Options} options
 * @returns {Promise<Outcome>}
 */
export async function runEnsemble(module, options) {
  checkOptions(options)
  return runSource(await openSource(module, { signal: options.stop }), options)
}

/**
 * Runs what is missing of an ensemble whose module was opened.
 *
 * @param {import('./source.js').Source} source
 * @param {Options} options
 * @returns {Promise<Outcome>}
 */
export async function runSource(source, options) {
  checkOptions(options)
  const runs = planOf(source, options.seeds ?? range(100), options.grid ?? {})
  const { paths, description } = openFolder(options.out, source)
  const ledger = readState(options.out, description)
  removeCheckpointsOfDone(paths.checkpoints, ledger)
  const missing = runs.without((name, index) => ledger.isDone(name, index))
  const remarks = remarksOn(ledger)
  const alreadyDone = runs.length - missing.length
  /** @type {import('./journal.js').Entry[]} */
  const failed = []
  let failedCount = 0
  let finished = 0
  /** @type {Differing | undefined} */
  let differing
  const away = new Away(paths, description)
  const outcome = () => ({
    total: runs.length,
    done: alreadyDone + finished,
    alreadyDone,
    missing: missing.length - finished - failedCount,
    failedCount,
    failed: failed.sort(bySeed),
    elsewhere: away.count,
    differing,
    remarks,
  })
  if (missing.length === 0 || options.finish?.aborted) return outcome()

  const writer = writerName()
  const executor = await executorFor({ options, source, description, paths, writer })
  const written = new Written(paths, new Journal(paths.journals, writer, source.hash))
  const tell = () => {
    const running = executor.progress()
    options.onProgress?.({
      total: runs.length,
      done: alreadyDone + finished,
      failed: failedCount,
      running: running.length,
      underWay: running.reduce((sum, fraction) => sum + fraction, 0),
      began: alreadyDone,
    })
  }
  const report = (entries) => {
    if (entries.length === 0) return
    written.append(entries)
    for (const entry of entries) {
      if (entry.differs) {
        differing ??= { count: 0, first: entry, how: entry.differs }
        differing.count++
      }
      if (!entry.failed) {
        if (entry.isElsewhere) away.add(entry)
        else finished++
      } else if (failedCount++ < MOST_FAILURES) failed.push({ ...entry, failed: shortened(entry.failed) })
    }
    tell()
  }
  const finish = () => executor.finish()
  const stop = () => executor.stop()
  options.finish?.addEventListener('abort', finish)
  options.stop?.addEventListener('abort', stop)
  const ticking = setInterval(tell, 500)
  try {
    await executor.execute(missing, { report, settle: () => written.settle() })
  } finally {
    clearInterval(ticking)
    options.finish?.removeEventListener('abort', finish)
    options.stop?.removeEventListener('abort', stop)
    await executor.close()
    await written.close()
  }
  finished += away.arrived()
  tell()
  return outcome()
}

/** A program that is killed right after a run is done leaves its checkpoint behind. */
function removeCheckpointsOfDone(folder, ledger) {
  const keys = new Set(checkpointsIn(folder))
  if (keys.size === 0) return
  for (const row of ledger.sorted()) {
    const { key } = ledger.entry(row)
    if (keys.has(key)) rmSync(checkpointPath(folder, key), { force: true })
  }
}

/** Batches of rows that workers wrote, and that were not in the folder when they said so. */
class Away {
  count = 0
  #batches = new Map()

  constructor(paths, { parameters, columns }) {
    this.reader = new PartReader(paths.parts, allKinds(parameters, columns))
  }

  add(entry) {
    const { part, from } = entry
    const name = `${part} ${from}`
    if (!this.#batches.has(name)) this.#batches.set(name, { entry, runs: 0 })
    this.#batches.get(name).runs++
    this.count++
  }

  /** How many runs have arrived since: a network file system may show files late. */
  arrived() {
    let runs = 0
    for (const batch of this.#batches.values()) if (this.reader.bytesOf(batch.entry)) runs += batch.runs
    this.reader.close()
    this.count -= runs
    return runs
  }
}

/** What a call has written, and how much of it outlasts a loss of power. */
class Written {
  #parts = new Set()
  #settling = Promise.resolve()

  constructor(paths, journal) {
    this.paths = paths
    this.journal = journal
    this.timer = setInterval(() => this.settle().catch(() => {}), SETTLE_MS)
  }

  append(entries) {
    this.journal.append(entries)
    for (const { part } of entries) if (part !== undefined) this.#parts.add(part)
  }

  /** Rows first: a line without its rows is dropped, rows without a line are not found. */
  settle() {
    this.#settling = this.#settling.then(async () => {
      const parts = [...this.#parts]
      this.#parts.clear()
      for (const part of parts) await settleSoon(join(this.paths.parts, part))
      await this.journal.settle()
    })
    return this.#settling
  }

  async close() {
    clearInterval(this.timer)
    try {
      await this.settle()
    } finally {
      this.journal.close()
    }
  }
}

async function executorFor({ options, source, description, paths, writer }) {
  const { limitSeconds = LIMIT_SECONDS, retries = RETRIES, strict = false, verify = VERIFY } = options
  if (options.queue !== undefined) {
    const { queueExecutor } = await import('./queue.js')
    return queueExecutor({
      queue: options.queue,
      source,
      description,
      paths,
      writer,
      limitSeconds,
      retries,
      strict,
      verify,
      onNotice: options.onNotice,
    })
  }
  const threads = options.threads ?? availableParallelism()
  return localExecutor({
    href: source.href,
    threads,
    limitSeconds,
    strict,
    verify,
    retries,
    writer,
    parts: paths.parts,
    checkpoints: paths.checkpoints,
  })
}

function checkOptions({ out, threads = 1, retries = 0, limitSeconds = 1, verify = 0 }) {
  const bad = (sentence) => new EnsembleError('BAD_OPTION', sentence)
  if (typeof out !== 'string' || out === '') throw bad('out must name a folder for the results.')
  if (!Number.isInteger(threads) || threads < 1)
    throw bad(`threads must be a whole number from 1 on, not ${threads}.`)
  if (!Number.isInteger(retries) || retries < 0)
    throw bad(`retries must be a whole number from 0 on, not ${retries}.`)
  if (!(verify >= 0 && verify <= 100)) throw bad(`verify must be a number from 0 to 100, not ${verify}.`)
  if (!(limitSeconds > 0)) throw bad(`limitSeconds must be a number of seconds above 0, not ${limitSeconds}.`)
}
