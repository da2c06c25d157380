// Owns a worker of a queue: it takes jobs, does their runs in threads of its own, so that the locks of jobs are renewed
// meanwhile, and sends the rows back or writes them to a folder that all machines share.

import { availableParallelism } from 'node:os'
import { EnsembleError } from './errors.js'
import { openFolder, writerName } from './folder.js'
import { PREFIX, connectRedis, keysOf, queueName } from './redis.js'
import { openSource } from './source.js'
import { Threads } from './threads.js'

/** After so long without a sign of life, a run of this worker is given to another. */
const LOCK_SECONDS = 30
/** A run may lose so many workers before it counts as failed. */
const MOST_LOST_WORKERS = 10

const CHECKPOINT_DAYS = 7

/** More than this does not go through Redis. */
const MOST_ROW_BYTES = 8 * 2 ** 20

/**
 * @typedef {object} WorkOptions
 * @property {string} url of Redis
 * @property {number} [threads]
 * @property {string} [out] a folder that all machines share
 * @property {number} patienceSeconds
 * @property {number} [lockSeconds]
 * @property {boolean} untilEmpty
 * @property {AbortSignal} finish
 * @property {AbortSignal} stop
 * @property {(sentence: string) => void} say
 */

/**
 * Works until it is told to finish, or, if it is asked to, until the queue is empty.
 *
 * @param {string | URL} module
 * @param {WorkOptions} options
 * @returns {Promise<{ done: number, failed: number }>}
 * @throws {EnsembleError} OTHER_TEXT, REDIS_LOST, NO_QUEUE_LIBRARY; and what threads refuse
 */
export async function workOnQueue(module, options) {
  const source = await openSource(module)
  const { out, threads: threadCount = availableParallelism(), lockSeconds = LOCK_SECONDS } = options
  const shared = out === undefined ? undefined : openFolder(out, source).paths
  const connection = await connectRedis(options.url, options.patienceSeconds)
  const redis = connection.connect()
  const { Worker } = connection.bullmq
  const threads = new Threads({
    href: source.href,
    threads: threadCount,
    parts: shared?.parts,
    checkpoints: shared?.checkpoints,
    writer: writerName(),
  })
  const counts = { done: 0, failed: 0 }
  let broken
  const ended = createSwitch()

  try {
    await Promise.race([connection.lost, checkText(redis, source)])
    const work = createProcessor({
      source,
      connection,
      redis,
      threads,
      isShared: shared !== undefined,
      breakOff,
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
      threads.stopAtCheckpoints()
      options.say('Finishing what is under way; Ctrl-C again ends it.')
      ended.turn()
    })
    options.stop.addEventListener('abort', () => threads.stopNow())
    options.say(`Working on ${source.name}, text ${source.hash.slice(0, 12)}, from ${connection.host}.`)
    try {
      await Promise.race([connection.lost, ended.turned])
      await Promise.race([connection.lost, worker.close()])
    } catch (error) {
      threads.stopNow()
      // It would wait for a Redis that is gone.
      worker.close(true).catch(() => {})
      throw error
    }
  } finally {
    await threads.destroy()
    connection.close()
  }
  if (broken) throw broken
  return counts

  /** What would fail all other runs, too, ends the worker: a full disk is no fault of a run. */
  function breakOff(error) {
    broken ??= error
    ended.turn()
  }
}

function createSwitch() {
  let turn = () => {}
  const turned = new Promise((resolve) => {
    turn = () => resolve(undefined)
  })
  return { turn, turned }
}

/** Refuses to wait for ever for runs of a text that nobody hands out. */
async function checkText(redis, source) {
  const texts = await redis.smembers(keysOf(source).texts)
  if (texts.length === 0 || texts.includes(source.hash)) return
  throw new EnsembleError(
    'OTHER_TEXT',
    `The queue has runs of another text of ${source.name}, or of other versions of the packages: ` +
      `bring this machine the same files. Here it is ${source.hash.slice(0, 12)}.`,
  )
}

function createProcessor({ source, connection, redis, threads, isShared, breakOff }) {
  const { UnrecoverableError, WaitingError } = connection.bullmq
  const keys = keysOf(source)

  return async function work(job, token) {
    const { run, limitSeconds, strict } = job.data
    const checkpoint = keys.checkpoint(run.key)
    const resume = isShared ? undefined : ((await redis.getBuffer(checkpoint)) ?? undefined)
    let kept = Promise.resolve()
    const keep = (_, bytes) => {
      kept = redis.set(checkpoint, Buffer.from(bytes), 'EX', CHECKPOINT_DAYS * 86400).catch(() => {})
    }
    let result
    try {
      result = await threads.execute([run], {
        limitSeconds,
        strict,
        resume,
        keep: isShared ? undefined : keep,
      })
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
    return { ...outcome, sentRows: bytes?.toString('base64') }
  }
}
