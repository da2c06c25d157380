// Owns the executor of many machines: runs go to workers through a queue of BullMQ, their results come back, are written
// down, and only then leave the queue. It must never trust Redis to remember: what it forgot is handed out again.

import { Rows, allKinds, recordBatchOf, schemaOf } from './columns.js'
import { EnsembleError } from './errors.js'
import { PartWriter, readBatches } from './part.js'
import { PREFIX, connectRedis, jobIdOf, keysOf, queueName } from './redis.js'

/** Jobs in Redis at once. A larger ensemble is handed out bit by bit, so that Redis needs no more memory for it. */
const MOST_JOBS = 50_000
const JOBS_OF_A_CALL = 1000
const RESULTS_OF_A_CALL = 500

const IDLE_MS = 200
const CLAIM_MS = 10_000
const RENEWAL_MS = 3000
const TEXTS_DAYS = 30
const PATIENCE_SECONDS = 30

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
  let renewal
  let active = 0
  let isFinishing = false
  let isStopped = false

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
    renewal = setInterval(() => redis.set(keys.collector, writer, 'PX', CLAIM_MS).catch(() => {}), RENEWAL_MS)
    const before = await redis.getset(keys.ensemble, description.id)
    // Jobs of another folder: its own call hands them out again.
    if (before !== null && before !== description.id) await queue.obliterate({ force: true })
    else await queue.clean(0, Number.MAX_SAFE_INTEGER, 'failed')
    await redis.sadd(keys.texts, source.hash)
    await redis.expire(keys.texts, TEXTS_DAYS * 86400)
  }

  async function handOut(runs) {
    for (let i = 0; i < runs.length; i += JOBS_OF_A_CALL) {
      await queue.addBulk(
        runs.slice(i, i + JOBS_OF_A_CALL).map((run) => ({
          name: 'run',
          data: { run, limitSeconds: options.limitSeconds, strict: options.strict },
          opts: { jobId: jobIdOf(run.key), attempts: retries + 1 },
        })),
      )
    }
  }

  async function execute(runs, { report }) {
    await Promise.race([connection.lost, collectAll(runs, report)])
  }

  async function collectAll(runs, report) {
    await claim()
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
        await take(jobs.filter(Boolean), open, report)
        continue
      }
      if (open.size === 0) return
      const counts = await queue.getJobCounts()
      active = counts.active
      const inRedis = Object.values(counts).reduce((sum, count) => sum + count, 0)
      if (isFinishing) {
        await queue.drain(true)
        if (counts.active + counts.completed + counts.failed === 0) return
      } else if (inRedis < open.size || connections !== connection.reconnections()) {
        connections = connection.reconnections()
        // Jobs that are there already stay as they are.
        await handOut([...open.values()])
      }
      await delay(IDLE_MS)
    }
  }

  async function take(jobs, open, report) {
    const known = jobs.filter((job) => open.has(job.id))
    report(inbox.entriesOf(known, open))
    const checkpoints = known.map((job) => keys.checkpoint(open.get(job.id).key))
    if (checkpoints.length > 0) await redis.del(...checkpoints)
    for (const job of known) open.delete(job.id)
    await Promise.all(jobs.map((job) => job.remove()))
  }

  return {
    execute,
    progress: () => new Array(active).fill(0),
    finish() {
      isFinishing = true
    },
    stop() {
      isStopped = true
    },
    async close() {
      clearInterval(renewal)
      inbox.close()
      if (redis.status === 'ready') {
        if ((await redis.get(keys.collector)) === writer) await redis.del(keys.collector)
      }
      await queue.close().catch(() => {})
      connection.close()
    },
  }
}

/** Writes the rows that workers send, and says what became of their runs. */
function createInbox({ description, paths, writer }) {
  const kinds = allKinds(description.parameters, description.columns)
  const schema = schemaOf(kinds)
  const part = new PartWriter(paths.parts, `${writer}-queue.arrow`)

  function entriesOf(jobs, open) {
    const rows = new Rows(kinds)
    const sent = []
    const entries = jobs.map((job) => {
      const run = open.get(job.id)
      const attempts = Math.max(1, job.attemptsMade)
      if (job.finishedOn !== undefined && job.returnvalue?.key === run.key) {
        const { sentRows, keptSome: _, ...outcome } = job.returnvalue
        const entry = { ...run, ...outcome, attempts }
        if (sentRows) {
          entry.at = rows.length
          sent.push(entry)
          addRows(rows, sentRows)
        }
        return entry
      }
      const failed = job.data.failure ?? {
        message: job.failedReason,
        stack: job.stacktrace.join('\n'),
        log: '',
      }
      return { ...run, ms: job.data.ms ?? 0, attempts, failed }
    })
    if (rows.length > 0) {
      const where = part.append(recordBatchOf(schema, rows))
      for (const entry of sent) Object.assign(entry, where)
    }
    return entries
  }

  return { entriesOf, close: () => part.close() }
}

/** @param {Rows} rows @param {string} text the bytes of a stream, in base 64 */
function addRows(rows, text) {
  for (const batch of readBatches(new Uint8Array(Buffer.from(text, 'base64')))) {
    const values = Object.fromEntries(
      rows.names.map((name) => [name, Array.from(batch.getChild(name) ?? [])]),
    )
    rows.append({}, { values, length: batch.numRows })
  }
}
