// Owns the executor of many machines: runs go to workers through a queue of BullMQ, their results come back, are written
// down, and only then leave the queue. It must never trust Redis to remember: what it forgot is handed out again.

import { Rows, allKinds, recordBatchOf, schemaOf } from './columns.js'
import { digestOf } from './disk.js'
import { EnsembleError } from './errors.js'
import { everyHundredth } from './verification.js'
import { PartReader, PartWriter, isPartName, readBatches } from './part.js'
import { PREFIX, connectRedis, jobIdOf, keysOf, queueName } from './redis.js'

/** Jobs in Redis at once. A larger ensemble is handed out bit by bit, so that Redis needs no more memory for it. */
const MOST_JOBS = 50_000
const JOBS_OF_A_CALL = 1000
const RESULTS_OF_A_CALL = 500

const IDLE_MS = 200
const CLOSING_MS = 2000
const CLAIM_MS = 10_000
const RENEWAL_MS = 3000
const PATIENCE_SECONDS = 30
/** After so long without a worker, that is said. */
const LONELY_MS = 5000

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * @typedef {object} QueueOptions
 * @property {string | { url: string, patienceSeconds?: number }} queue
 * @property {import('./source.js').Source} source
 * @property {import('./folder.js').Description} description
 * @property {{ parts: string }} paths
 * @property {string} writer
 * @property {number} limitSeconds
 * @property {number} retries
 * @property {boolean} strict
 * @property {number} verify of a hundred runs, how many are done twice
 * @property {(sentence: string) => void} [onNotice]
 */

/** @param {QueueOptions} options @returns {Promise<import('./local.js').Executor>} */
export async function queueExecutor(options) {
  const { source, description, writer, retries } = options
  const { url, patienceSeconds = PATIENCE_SECONDS } =
    typeof options.queue === 'string' ? { url: options.queue, patienceSeconds: undefined } : options.queue
  const connection = await connectRedis(url, patienceSeconds)
  const redis = connection.connect()
  const keys = keysOf(source)
  const queue = new connection.bullmq.Queue(queueName(source), { connection: redis, prefix: PREFIX })
  queue.on('error', () => {})
  const inbox = createInbox(options)
  const verifies = everyHundredth(options.verify)
  let renewal
  let active = 0
  let isFinishing = false
  let isStopped = false
  const interrupted = createSwitch()
  redis.on('close', () => isFinishing && interrupted.turn())

  /** Only one call may collect results: another would wait for those that this one has taken. */
  async function claim() {
    const until = performance.now() + 1.5 * CLAIM_MS
    while (!(await redis.set(keys.collector, writer, 'PX', CLAIM_MS, 'NX'))) {
      if (performance.now() > until) {
        const other = await redis.get(keys.collector)
        throw new EnsembleError(
          'OTHER_COLLECTOR',
          `Another command collects the results of ${source.name} from this queue (${other}): wait until it has ended.`,
        )
      }
      await delay(RENEWAL_MS / 10)
    }
    renewal = setInterval(() => renew().catch(() => {}), RENEWAL_MS)
    const before = await redis.getset(keys.ensemble, description.id)
    // Jobs of another folder: its own call hands them out again.
    if (before !== null && before !== description.id) await queue.obliterate({ force: true })
    else await queue.clean(0, Number.MAX_SAFE_INTEGER, 'failed')
    await renew()
  }

  /** Says that this call collects, and of which text it hands out runs. */
  async function renew() {
    await redis.set(keys.collector, writer, 'PX', CLAIM_MS)
    const [now] = await redis.time()
    await redis.zadd(keys.texts, now, source.hash)
  }

  async function handOut(runs) {
    for (let i = 0; i < runs.length; i += JOBS_OF_A_CALL) {
      await queue.addBulk(
        runs.slice(i, i + JOBS_OF_A_CALL).map((run) => ({
          name: 'run',
          data: {
            run,
            limitSeconds: options.limitSeconds,
            strict: options.strict,
            verifies: verifies(),
            verifiesLong: options.verify === 100,
          },
          opts: { jobId: jobIdOf(run.key), attempts: retries + 1 },
        })),
      )
    }
  }

  async function execute(runs, hooks) {
    try {
      await Promise.race([connection.lost, interrupted.turned, collectAll(runs, hooks)])
    } catch (error) {
      throw connection.told(error)
    } finally {
      // What still waits for Redis goes no further.
      isStopped = true
    }
  }

  async function collectAll(runs, { report, settle }) {
    await claim()
    let lastSign = performance.now()
    const hasWorkers = async () => (await queue.getWorkers()).length > 0
    const next = runs[Symbol.iterator]()
    let waiting = runs.length
    const open = new Map()
    let connections = connection.reconnections()
    while (!isStopped) {
      if (!isFinishing && open.size < MOST_JOBS / 2 && waiting > 0) {
        const count = Math.min(waiting, MOST_JOBS - open.size)
        waiting -= count
        const some = Array.from({ length: count }, () => next.next().value)
        for (const run of some) open.set(jobIdOf(run.key), run)
        await handOut(some)
      }
      const jobs = await queue.getJobs(['completed', 'failed'], 0, RESULTS_OF_A_CALL - 1)
      if (jobs.length > 0) {
        await take(jobs.filter(Boolean), open, { report, settle })
        lastSign = performance.now()
        continue
      }
      if (open.size === 0) return
      const counts = await queue.getJobCounts()
      active = counts.active
      const inRedis = Object.values(counts).reduce((sum, count) => sum + count, 0)
      if (isFinishing) {
        await queue.drain(true)
        const isOver = counts.active + counts.completed + counts.failed === 0
        // Runs that are under way in workers that died would be waited for without an end.
        if (isOver || (counts.completed + counts.failed === 0 && !(await hasWorkers()))) return
      } else if (inRedis < open.size || connections !== connection.reconnections()) {
        connections = connection.reconnections()
        // Jobs that are there already stay as they are.
        await handOut([...open.values()])
      }
      if (active > 0) lastSign = performance.now()
      if (performance.now() - lastSign > LONELY_MS) {
        lastSign = Infinity
        if (!(await hasWorkers())) options.onNotice?.(lonely(source))
      }
      await delay(IDLE_MS)
    }
  }

  async function take(jobs, open, { report, settle }) {
    const known = jobs.filter((job) => open.has(job.id))
    report(inbox.entriesOf(known, open))
    // Redis forgets them now.
    await settle()
    const checkpoints = known.map((job) => keys.checkpoint(open.get(job.id).key))
    if (checkpoints.length > 0) await redis.del(...checkpoints)
    for (const job of known) open.delete(job.id)
    await Promise.all(jobs.map((job) => job.remove()))
  }

  async function giveBack() {
    if ((await redis.get(keys.collector)) === writer) await redis.del(keys.collector)
    await redis.zrem(keys.texts, source.hash)
  }

  return {
    execute,
    progress: () => new Array(active).fill(0),
    finish() {
      isFinishing = true
      // Nothing can be taken back from a Redis that is not there.
      if (redis.status !== 'ready') interrupted.turn()
    },
    stop() {
      isStopped = true
      interrupted.turn()
    },
    async close() {
      clearInterval(renewal)
      inbox.close()
      // Where Redis refuses, the claim ends by itself.
      if (redis.status === 'ready') await giveBack().catch(() => {})
      await Promise.race([queue.close().catch(() => {}), delay(CLOSING_MS)])
      connection.close()
    },
  }
}

const lonely = ({ name, hash }) =>
  `No worker of ${name}, text ${hash.slice(0, 12)}, is connected: start some with strata-ensemble work, on machines with the same files.`

/** Writes the rows that workers send, and says what became of their runs. */
function createInbox({ description, paths, writer }) {
  const kinds = allKinds(description.parameters, description.columns)
  const schema = schemaOf(kinds)
  const part = new PartWriter(paths.parts, `${writer}-queue.arrow`)

  function entriesOf(jobs, open) {
    const rows = new Rows(kinds)
    const sent = []
    const reader = new PartReader(paths.parts, kinds)
    const entries = jobs.map((job) => {
      const run = open.get(job.id)
      const attempts = Math.max(1, job.attemptsMade)
      const isDone = job.finishedOn !== undefined && !job.failedReason
      const outcome = isDone ? outcomeOf(job.returnvalue, run) : undefined
      if (outcome === undefined)
        return { ...run, ms: Number(job.data.ms) || 0, attempts, failed: failureOf(job, isDone) }
      const { batch, ...known } = outcome
      const entry = { ...run, ...known, attempts }
      if (batch) {
        entry.at = rows.length
        sent.push(entry)
        addRows(rows, batch)
      } else if (entry.rows > 0) entry.isElsewhere = !reader.bytesOf(entry)
      return entry
    })
    reader.close()
    if (rows.length > 0) {
      const where = part.append(recordBatchOf(schema, rows))
      for (const entry of sent) Object.assign(entry, where)
    }
    return entries
  }

  return { entriesOf, close: () => part.close() }
}

const isCount = (value) => Number.isSafeInteger(value) && value >= 0

/**
 * What a worker says of a run, as far as it is known what that means; undefined when it is not what a worker says.
 *
 * @param {any} said
 * @param {import('./plan.js').Run} run
 * @returns {any}
 */
function outcomeOf(said, run) {
  const { key, ms, rows, differs } = said ?? {}
  if (key !== run.key || !(ms >= 0 && ms < Infinity) || !isCount(rows) || rows > 0xffffffff) return undefined
  const outcome = { ms, rows, ...(typeof differs === 'string' && { differs }) }
  if (rows === 0) return outcome
  const { sha, sentRows, part, from, bytes, at } = said
  if (typeof sha !== 'string' || !/^[0-9a-f]{32}$/.test(sha)) return undefined
  if (sentRows === undefined) {
    const isPlace = isPartName(part) && [from, bytes, at].every(isCount) && bytes <= 0xffffffff
    return isPlace ? { ...outcome, part, from, bytes, sha, at } : undefined
  }
  const stream = new Uint8Array(Buffer.from(String(sentRows), 'base64'))
  // Arrow would believe what it is given.
  if (digestOf(stream) !== sha) return undefined
  const [batch] = readBatches(stream)
  const isOfRun = batch?.numRows === rows && [...(batch.getChild('key') ?? [])].every((of) => of === key)
  return isOfRun ? { ...outcome, batch } : undefined
}

function failureOf(job, isDone) {
  if (isDone) {
    return {
      code: 'BAD_RESULT',
      message: 'What came back from Redis is nothing that a worker of this version sends.',
      stack: '',
      log: '',
    }
  }
  if (typeof job.data.failure === 'object' && job.data.failure !== null) return job.data.failure
  return { message: job.failedReason, stack: (job.stacktrace ?? []).join('\n'), log: '' }
}

/** @param {Rows} rows @param {import('apache-arrow').RecordBatch} batch */
function addRows(rows, batch) {
  const values = Object.fromEntries(rows.names.map((name) => [name, Array.from(batch.getChild(name) ?? [])]))
  rows.append({}, { values, length: batch.numRows })
}

function createSwitch() {
  let turn = () => {}
  const turned = new Promise((resolve) => {
    turn = () => resolve(undefined)
  })
  return { turn, turned }
}
