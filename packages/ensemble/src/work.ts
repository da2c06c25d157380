// Owns a worker of a queue: it takes jobs, does their runs in threads of its own, so that the locks of jobs are renewed
// meanwhile, and sends the rows back or writes them to a folder that all machines share.

import { availableParallelism } from 'node:os'
import type { Job } from 'bullmq'
import type { Redis } from 'ioredis'
import type { ParameterValues } from './definition.js'
import { digestOf } from './disk.js'
import { EnsembleError } from './errors.js'
import { openFolder, writerName } from './folder.js'
import { Host } from './host.js'
import { type Run, keysOf as runKeysOf, nameOf, seedOf } from './plan.js'
import { type Connection, PREFIX, connectRedis, keysOf, queueName } from './redis.js'
import { type Source, openSource } from './source.js'
import { createSwitch } from './switch.js'
import type { How, TaskOutcome } from './threads.js'

/** After so long without a sign of life, a run of this worker is given to another. */
const LOCK_SECONDS = 30
/** A run may lose so many workers before it counts as failed. */
const MOST_LOST_WORKERS = 10

const CHECKPOINT_DAYS = 7

/** How often a worker looks whether runs of its text are handed out. */
const LOOK_MS = 5000
/** A text is handed out when that was said so lately. */
const HANDED_OUT_SECONDS = 15

/** More than this does not go through Redis. */
const MOST_ROW_BYTES = 8 * 2 ** 20

/** What a worker is told. */
export interface WorkOptions {
  /** That of Redis. */
  url: string
  threads?: number | undefined
  /** A folder that all machines share. */
  out?: string | undefined
  patienceSeconds: number
  lockSeconds?: number | undefined
  untilEmpty: boolean
  finish: AbortSignal
  stop: AbortSignal
  say: (sentence: string) => void
}

/**
 * Works until it is told to finish, or, if it is asked to, until the queue is empty.
 *
 * @throws EnsembleError OTHER_TEXT, REDIS_LOST, NO_QUEUE_LIBRARY; and what threads refuse
 */
export async function workOnQueue(
  module: string | URL,
  options: WorkOptions,
): Promise<{ done: number; failed: number }> {
  const source = await openSource(module, { signal: options.finish })
  const { out, threads: threadCount = availableParallelism(), lockSeconds = LOCK_SECONDS } = options
  const shared = out === undefined ? undefined : openFolder(out, source).paths
  const connection = await connectRedis(options.url, options.patienceSeconds)
  const redis = connection.connect()
  const { Worker } = connection.bullmq
  const host = new Host({
    href: source.href,
    threads: threadCount,
    parts: shared?.parts,
    checkpoints: shared?.checkpoints,
    writer: writerName(),
  })
  const counts = { done: 0, failed: 0 }
  let broken: Error | undefined
  let looking: NodeJS.Timeout | undefined
  let said = ''
  const ended = createSwitch()

  try {
    const stopped = new Promise((resolve) => options.finish.addEventListener('abort', resolve))
    await Promise.race([connection.lost, stopped, checkText(redis, source)])
    if (options.finish.aborted) return counts
    const work = createProcessor({
      source,
      connection,
      redis,
      host,
      isShared: shared !== undefined,
      breakOff,
      isEnding: () => options.finish.aborted || broken !== undefined,
    })
    const worker = new Worker(queueName(source), work, {
      connection: connection.connect(),
      prefix: PREFIX,
      concurrency: threadCount,
      lockDuration: lockSeconds * 1000,
      stalledInterval: lockSeconds * 1000,
      maxStalledCount: MOST_LOST_WORKERS,
      drainDelay: 1,
    })
    worker.on('error', () => {})
    worker.on('completed', () => counts.done++)
    worker.on('failed', () => counts.failed++)
    if (options.untilEmpty) worker.on('drained', () => ended.turn())
    options.finish.addEventListener('abort', () => {
      host.stopAtCheckpoints()
      options.say('Finishing what is under way; Ctrl-C again ends it.')
      ended.turn()
    })
    options.stop.addEventListener('abort', () => host.stopNow())
    looking = setInterval(() => void look().catch(() => {}), LOOK_MS)
    options.say(`Working on ${source.name}, text ${source.hash.slice(0, 12)}, from ${connection.host}.`)
    try {
      await Promise.race([connection.lost, ended.turned])
      await Promise.race([connection.lost, worker.close()])
    } catch (error) {
      host.stopNow()
      // It would wait for a Redis that is gone.
      worker.close(true).catch(() => {})
      throw error
    }
  } catch (error) {
    throw connection.told(error)
  } finally {
    clearInterval(looking)
    await host.destroy()
    connection.close()
  }
  if (broken) throw broken
  return counts

  /** Says once when runs of other texts are handed out, and none of this one. */
  async function look(): Promise<void> {
    const others = await textsOf(redis, source)
    const sentence = others.length === 0 || others.includes(source.hash) ? '' : otherText(source)
    if (sentence !== '' && sentence !== said) options.say(sentence)
    said = sentence
  }

  /** What would fail all other runs, too, ends the worker: a full disk is no fault of a run. */
  function breakOff(error: unknown): void {
    broken ??= error as Error
    ended.turn()
  }
}

/** The hashes of the texts that runs are handed out of now. */
async function textsOf(redis: Redis, source: Source): Promise<string[]> {
  const [now] = await redis.time()
  return redis.zrangebyscore(keysOf(source).texts, Number(now) - HANDED_OUT_SECONDS, '+inf')
}

const otherText = ({ name, hash }: Source) =>
  `The queue has runs of another text of ${name}, or of other versions of the packages: ` +
  `bring this machine the same files. Here it is ${hash.slice(0, 12)}.`

/** Refuses to wait for ever for runs of a text that nobody hands out. */
async function checkText(redis: Redis, source: Source): Promise<void> {
  const texts = await textsOf(redis, source)
  if (texts.length > 0 && !texts.includes(source.hash))
    throw new EnsembleError('OTHER_TEXT', otherText(source))
}

/** The run that a job asks for, made here out of its parameters and its index; undefined when it is none of this module. */
function runOf(source: Source, asked: unknown): Run | undefined {
  const { key: askedKey, index, parameters } = Object(asked) as Partial<Run>
  const given = Object(parameters) as ParameterValues
  const defaults = Object.entries(source.definition.parameters)
  if (!Number.isInteger(index) || index! < 0 || index! > 0xffffffff) return undefined
  if (defaults.some(([name, value]) => typeof given[name] !== typeof value)) return undefined
  const own = Object.fromEntries(defaults.map(([name]) => [name, given[name]!]))
  const key = runKeysOf(source.hash, nameOf(own))(index!)
  return key === askedKey ? { key, index: index!, seed: seedOf(index!), parameters: own } : undefined
}

/** What a job holds, as far as it can be believed; `failure` and `ms` are what the run before said. */
export interface JobData {
  run?: unknown
  limitSeconds?: number
  strict?: unknown
  verifies?: unknown
  verifiesLong?: unknown
  failure?: unknown
  ms?: unknown
}

interface Processing {
  source: Source
  connection: Connection
  redis: Redis
  host: Host
  isShared: boolean
  breakOff: (error: unknown) => void
  isEnding: () => boolean
}

function createProcessor({ source, connection, redis, host, isShared, breakOff, isEnding }: Processing) {
  const { UnrecoverableError, WaitingError } = connection.bullmq
  const keys = keysOf(source)

  return async function work(job: Job<JobData>, token?: string) {
    const { limitSeconds = 0, strict, verifies, verifiesLong } = Object(job.data) as JobData
    const run = runOf(source, (job.data as JobData | undefined)?.run)
    if (run === undefined) throw new UnrecoverableError('The job asks for no run of this module.')
    const checkpoint = keys.checkpoint(run.key)
    const resume = isShared ? undefined : ((await redis.getBuffer(checkpoint)) ?? undefined)
    let kept: Promise<unknown> = Promise.resolve()
    const keep = (_: string, bytes: Uint8Array) => {
      kept = redis.set(checkpoint, Buffer.from(bytes), 'EX', CHECKPOINT_DAYS * 86400).catch(() => {})
    }
    let result: TaskOutcome
    const how: How = {
      limitSeconds: limitSeconds > 0 ? limitSeconds : Infinity,
      strict: strict === true,
      verifies: [verifies === true],
      verifiesLong: verifiesLong === true,
      resume,
      keep: isShared ? undefined : keep,
    }
    try {
      // Another run may have ended the process in which this one was under way.
      do result = await host.execute([run], how)
      while (result.outcomes.length === 0 && !isEnding())
    } catch (error) {
      breakOff(error)
      await job.moveToWait(token)
      throw new WaitingError()
    }
    const [outcome] = result.outcomes
    await kept
    if (outcome === undefined) {
      await job.moveToWait(token)
      throw new WaitingError()
    }
    if (outcome.failed) {
      await job.updateData({ ...job.data, failure: outcome.failed, ms: outcome.ms })
      throw Object.assign(new Error(outcome.failed.message), { stack: outcome.failed.stack })
    }
    const bytes = result.batch && Buffer.concat(result.batch)
    if (bytes && bytes.length > MOST_ROW_BYTES) {
      const message = `The run has ${bytes.length} bytes of rows, too many for Redis: give all workers --out, a folder that they share.`
      await job.updateData({ ...job.data, failure: { message, stack: '', log: '' }, ms: outcome.ms })
      throw new UnrecoverableError(message)
    }
    return bytes ? { ...outcome, sha: digestOf(bytes), sentRows: bytes.toString('base64') } : outcome
  }
}
