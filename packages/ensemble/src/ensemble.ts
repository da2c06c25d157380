// Owns one call of an ensemble: what is missing is planned, handed to an executor, written down, and reported. Runs that are done
// are not run again.

import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { checkpointPath, checkpointsIn } from './checkpoint.js'
import { allKinds } from './columns.js'
import type { ParameterValue } from './definition.js'
import { settleSoon } from './disk.js'
import { EnsembleError } from './errors.js'
import { type Description, type Paths, openFolder, readState, remarksOn, writerName } from './folder.js'
import { type Entry, type FailedEntry, Journal, type RunEntry, shortened } from './journal.js'
import type { Ledger } from './ledger.js'
import { type Executor, localExecutor } from './local.js'
import { PartReader, type Place } from './part.js'
import { planOf, range } from './plan.js'
import { MOST_FAILURES, bySeed } from './results.js'
import { type Source, openSource } from './source.js'

const LIMIT_SECONDS = 3600
const RETRIES = 1
/** Of a hundred runs, how many are done twice. */
const VERIFY = 1

/** After so long, what was written outlasts a loss of power. */
const SETTLE_MS = 1000

/** What is asked of a call. */
export interface EnsembleOptions {
  /** The folder of the results. */
  out: string
  /** Which seeds, by their indices; 0 to 99 without. */
  seeds?: Iterable<number> | undefined
  /** Values of parameters; those that are not named have their defaults. */
  grid?: Record<string, readonly ParameterValue[]> | undefined
  /** How many threads; without, as many as there are processor cores. */
  threads?: number | undefined
  /** How often a run that failed is tried again; 1 without. */
  retries?: number | undefined
  /** After so many seconds a run is ended, and counts as failed; 3600 without. */
  limitSeconds?: number | undefined
  /** Makes `Math.random`, `crypto` and clocks errors in runs. */
  strict?: boolean | undefined
  /** Of a hundred runs, how many are done twice and compared; 1 without. Those that take over 10 s only with 100. */
  verify?: number | undefined
  /** Hands the runs to workers by a Redis, which needs the packages bullmq and ioredis. */
  queue?: string | { url: string; patienceSeconds?: number | undefined } | undefined
  /** When it is aborted, no further run begins; those under way end, or stop at their next checkpoint. */
  finish?: AbortSignal | undefined
  /** When it is aborted, those under way are ended. */
  stop?: AbortSignal | undefined
  onProgress?: ((progress: EnsembleProgress) => void) | undefined
  /** Called with sentences that people should read meanwhile, such as that no worker is connected. */
  onNotice?: ((sentence: string) => void) | undefined
}

/** How far a call has come. */
export interface EnsembleProgress {
  total: number
  /** Those of earlier calls included. */
  done: number
  failed: number
  running: number
  /** How much of those that run is done, in runs. */
  underWay: number
  /** How many were done before this call. */
  began: number
}

/** What became of a call. */
export interface EnsembleOutcome {
  total: number
  done: number
  alreadyDone: number
  /** Neither done nor failed: the call was stopped. */
  missing: number
  failedCount: number
  /** By index, with all that is known of them; of more than a thousand, a thousand. */
  failed: FailedEntry[]
  /** Done by workers that write to another folder, so `missing` here until their parts are copied into this one. */
  elsewhere: number
  /** Of the runs that were done twice, those that gave other results: the model is not deterministic. */
  differing?: Differing | undefined
  /** Sentences about the folder, such as that it holds runs of another text, which are left out. */
  remarks: string[]
}

/** Runs that were done twice and gave other results. */
export interface Differing {
  count: number
  first: RunEntry
  how: string
}

/**
 * Runs what is missing of an ensemble. What is done is written down as it ends: a call that is interrupted in any way is
 * gone on with by the same call.
 *
 * @param module a path or a file URL; its default export is the definition
 * @throws EnsembleError BAD_OPTION, NO_MODULE, BAD_DEFINITION, OTHER_ENSEMBLE, DISK_FULL, CANNOT_WRITE, REDIS_LOST,
 * REDIS_FULL, REDIS_REFUSED, OTHER_COLLECTOR, NO_QUEUE_LIBRARY, STOPPED
 * @example await runEnsemble(new URL('epidemic.run.js', import.meta.url), { seeds: range(1000), out: 'runs' })
 */
export async function runEnsemble(module: string | URL, options: EnsembleOptions): Promise<EnsembleOutcome> {
  checkOptions(options)
  return runSource(await openSource(module, { signal: options.stop }), options)
}

/**
 * Runs what is missing of an ensemble whose module was opened.
 *
 * @internal
 */
export async function runSource(source: Source, options: EnsembleOptions): Promise<EnsembleOutcome> {
  checkOptions(options)
  const runs = planOf(source, options.seeds ?? range(100), options.grid ?? {})
  const { paths, description } = openFolder(options.out, source)
  const ledger = readState(options.out, description)
  removeCheckpointsOfDone(paths.checkpoints, ledger)
  const missing = runs.without((name, index) => ledger.isDone(name, index))
  const remarks = remarksOn(ledger)
  const alreadyDone = runs.length - missing.length
  const failed: FailedEntry[] = []
  let failedCount = 0
  let finished = 0
  let differing: Differing | undefined
  const away = new Away(paths, description)
  const outcome = (): EnsembleOutcome => ({
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
  const report = (entries: readonly Entry[]) => {
    if (entries.length === 0) return
    written.append(entries)
    for (const entry of entries) {
      if (entry.differs) {
        differing ??= { count: 0, first: entry, how: entry.differs }
        differing.count++
      }
      if (!entry.failed) {
        if (entry.isElsewhere) away.add(entry as Place & Entry)
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
function removeCheckpointsOfDone(folder: string, ledger: Ledger): void {
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
  #batches = new Map<string, { entry: Place; runs: number }>()
  private readonly reader: PartReader

  constructor(paths: Paths, { parameters, columns }: Description) {
    this.reader = new PartReader(paths.parts, allKinds(parameters, columns))
  }

  add(entry: Place): void {
    const { part, from } = entry
    const name = `${part} ${from}`
    const { runs } = this.#batches.get(name) ?? { runs: 0 }
    this.#batches.set(name, { entry, runs: runs + 1 })
    this.count++
  }

  /** How many runs have arrived since: a network file system may show files late. */
  arrived(): number {
    let runs = 0
    for (const batch of this.#batches.values()) if (this.reader.bytesOf(batch.entry)) runs += batch.runs
    this.reader.close()
    this.count -= runs
    return runs
  }
}

/** What a call has written, and how much of it outlasts a loss of power. */
class Written {
  #parts = new Set<string>()
  #settling = Promise.resolve()

  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly paths: Paths,
    private readonly journal: Journal,
  ) {
    this.timer = setInterval(() => void this.settle().catch(() => {}), SETTLE_MS)
  }

  append(entries: readonly Entry[]): void {
    this.journal.append(entries)
    for (const { part } of entries) if (part !== undefined) this.#parts.add(part)
  }

  /** Rows first: a line without its rows is dropped, rows without a line are not found. */
  settle(): Promise<void> {
    this.#settling = this.#settling.then(async () => {
      const parts = [...this.#parts]
      this.#parts.clear()
      for (const part of parts) await settleSoon(join(this.paths.parts, part))
      await this.journal.settle()
    })
    return this.#settling
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    try {
      await this.settle()
    } finally {
      this.journal.close()
    }
  }
}

/** What an executor is made of. */
interface Call {
  options: EnsembleOptions
  source: Source
  description: Description
  paths: Paths
  writer: string
}

async function executorFor({ options, source, description, paths, writer }: Call): Promise<Executor> {
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

function checkOptions({
  out,
  threads = 1,
  retries = 0,
  limitSeconds = 1,
  verify = 0,
}: EnsembleOptions): void {
  const bad = (sentence: string) => new EnsembleError('BAD_OPTION', sentence)
  if (typeof out !== 'string' || out === '') throw bad('out must name a folder for the results.')
  if (!Number.isInteger(threads) || threads < 1)
    throw bad(`threads must be a whole number from 1 on, not ${threads}.`)
  if (!Number.isInteger(retries) || retries < 0)
    throw bad(`retries must be a whole number from 0 on, not ${retries}.`)
  if (!(verify >= 0 && verify <= 100)) throw bad(`verify must be a number from 0 to 100, not ${verify}.`)
  if (!(limitSeconds > 0)) throw bad(`limitSeconds must be a number of seconds above 0, not ${limitSeconds}.`)
}
