// Owns the executor of many machines: runs go to workers through a queue of BullMQ, their results come back, are written
// down, and only then leave the queue. It must never trust Redis to remember: what it forgot is handed out again.

import type { RecordBatch } from 'apache-arrow'
import type { Job } from 'bullmq'
import { Rows, allKinds, recordBatchOf, schemaOf } from './columns.js'
import type { ParameterValue } from './definition.js'
import { digestOf } from './disk.js'
import { EnsembleError, type Failure } from './errors.js'
import type { Description } from './folder.js'
import type { Entry } from './journal.js'
import type { Executor, Hooks, Runs } from './local.js'
import { PartReader, PartWriter, type Place, isPartName, readBatches } from './part.js'
import type { Run } from './plan.js'
import { PREFIX, connectRedis, jobIdOf, keysOf, queueName } from './redis.js'
import type { Source } from './source.js'
import { createSwitch } from './switch.js'
import { everyHundredth } from './verification.js'
import type { JobData } from './work.js'

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

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What is to be known of a call. */
export interface QueueOptions {
  queue: string | { url: string; patienceSeconds?: number | undefined }
  source: Source
  description: Description
  paths: { parts: string }
  writer: string
  limitSeconds: number
  retries: number
  strict: boolean
  /** Of a hundred runs, how many are done twice. */
  verify: number
  onNotice?: ((sentence: string) => void) | undefined
}

/** How many jobs there are of each state. */
type Counts = Record<'active' | 'completed' | 'failed', number>

/** A job, whatever came back with it. */
type QueueJob = Job<JobData, unknown>

/** Runs that were handed out, by the ids of their jobs. */
type OpenRuns = Map<string, Run>

/** What a worker says of a run, with the rows, where it sends them. */
interface Said {
  key: unknown
  ms: number
  rows: unknown
  differs: unknown
  sha: unknown
  sentRows: unknown
  part: unknown
  from: unknown
  bytes: unknown
  at: unknown
}

/** What is believed of it. */
type SentOutcome = Pick<Entry, 'ms' | 'rows' | 'differs' | 'part' | 'from' | 'bytes' | 'sha' | 'at'> & {
  batch?: RecordBatch
}

export async function queueExecutor(options: QueueOptions): Promise<Executor> {
  const { source, description, writer, retries } = options
  const { url, patienceSeconds = PATIENCE_SECONDS } =
    typeof options.queue === 'string' ? { url: options.queue, patienceSeconds: undefined } : options.queue
  const connection = await connectRedis(url, patienceSeconds)
  const redis = connection.connect()
  const keys = keysOf(source)
  const queue = new connection.bullmq.Queue<JobData>(queueName(source), { connection: redis, prefix: PREFIX })
  queue.on('error', () => {})
  const inbox = createInbox(options)
  const verifies = everyHundredth(options.verify)
  let renewal: NodeJS.Timeout | undefined
  let active = 0
  let isFinishing = false
  let isStopped = false
  const interrupted = createSwitch()
  redis.on('close', () => isFinishing && interrupted.turn())

  /** Only one call may collect results: another would wait for those that this one has taken. */
  async function claim(): Promise<void> {
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
    renewal = setInterval(() => void renew().catch(() => {}), RENEWAL_MS)
    const before = await redis.getset(keys.ensemble, description.id)
    // Jobs of another folder: its own call hands them out again.
    if (before !== null && before !== description.id) await queue.obliterate({ force: true })
    else await queue.clean(0, Number.MAX_SAFE_INTEGER, 'failed')
    await renew()
  }

  /** Says that this call collects, and of which text it hands out runs. */
  async function renew(): Promise<void> {
    await redis.set(keys.collector, writer, 'PX', CLAIM_MS)
    const [now = 0] = await redis.time()
    await redis.zadd(keys.texts, now, source.hash)
  }

  async function handOut(runs: readonly Run[]): Promise<void> {
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

  async function execute(runs: Runs, hooks: Hooks): Promise<void> {
    try {
      await Promise.race([connection.lost, interrupted.turned, collectAll(runs, hooks)])
    } catch (error) {
      throw connection.told(error)
    } finally {
      // What still waits for Redis goes no further.
      isStopped = true
    }
  }

  async function collectAll(runs: Runs, { report, settle }: Hooks): Promise<void> {
    await claim()
    let lastSign = performance.now()
    const hasWorkers = async () => (await queue.getWorkers()).length > 0
    const next = runs[Symbol.iterator]()
    let waiting = runs.length
    const open: OpenRuns = new Map()
    let connections = connection.reconnections()
    while (!isStopped) {
      if (!isFinishing && open.size < MOST_JOBS / 2 && waiting > 0) {
        const count = Math.min(waiting, MOST_JOBS - open.size)
        waiting -= count
        const some = Array.from({ length: count }, () => next.next().value as Run)
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
      const counts = (await queue.getJobCounts()) as Counts
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

  async function take(jobs: readonly QueueJob[], open: OpenRuns, { report, settle }: Hooks): Promise<void> {
    const known = jobs.filter((job) => open.has(job.id!))
    report(inbox.entriesOf(known, open))
    // Redis forgets them now.
    await settle()
    const checkpoints = known.map((job) => keys.checkpoint(open.get(job.id!)!.key))
    if (checkpoints.length > 0) await redis.del(...checkpoints)
    for (const job of known) open.delete(job.id!)
    await Promise.all(jobs.map((job) => job.remove()))
  }

  async function giveBack(): Promise<void> {
    if ((await redis.get(keys.collector)) === writer) await redis.del(keys.collector)
    await redis.zrem(keys.texts, source.hash)
  }

  return {
    execute,
    progress: () => new Array<number>(active).fill(0),
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

const lonely = ({ name, hash }: Source) =>
  `No worker of ${name}, text ${hash.slice(0, 12)}, is connected: start some with strata-ensemble work, on machines with the same files.`

/** Writes the rows that workers send, and says what became of their runs. */
function createInbox({ description, paths, writer }: QueueOptions) {
  const kinds = allKinds(description.parameters, description.columns)
  const schema = schemaOf(kinds)
  const part = new PartWriter(paths.parts, `${writer}-queue.arrow`)

  function entriesOf(jobs: readonly QueueJob[], open: OpenRuns): Entry[] {
    const rows = new Rows(kinds)
    const sent: Entry[] = []
    const reader = new PartReader(paths.parts, kinds)
    const entries = jobs.map((job): Entry => {
      const run = open.get(job.id!)!
      const attempts = Math.max(1, job.attemptsMade)
      const isDone = job.finishedOn !== undefined && !job.failedReason
      const outcome = isDone ? outcomeOf(job.returnvalue, run) : undefined
      if (outcome === undefined)
        return { ...run, ms: Number(job.data.ms) || 0, attempts, failed: failureOf(job, isDone) }
      const { batch, ...known } = outcome
      const entry: Entry = { ...run, ...known, attempts }
      if (batch) {
        entry.at = rows.length
        sent.push(entry)
        addRows(rows, batch)
      } else if (entry.rows! > 0) entry.isElsewhere = !reader.bytesOf(entry as Place)
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

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** What a worker says of a run, as far as it is known what that means; undefined when it is not what a worker says. */
function outcomeOf(said: unknown, run: Run): SentOutcome | undefined {
  const { key, ms = NaN, rows, differs, ...where } = (said ?? {}) as Partial<Said>
  if (key !== run.key || !(ms >= 0 && ms < Infinity) || !isCount(rows) || rows > 0xffffffff) return undefined
  const outcome = { ms, rows, ...(typeof differs === 'string' && { differs }) }
  if (rows === 0) return outcome
  const { sha, sentRows, part, from, bytes, at } = where
  if (typeof sha !== 'string' || !/^[0-9a-f]{32}$/.test(sha)) return undefined
  if (sentRows === undefined) {
    const isPlace = isPartName(part) && isCount(from) && isCount(bytes) && isCount(at) && bytes <= 0xffffffff
    return isPlace ? { ...outcome, part, from, bytes, sha, at } : undefined
  }
  const stream = new Uint8Array(Buffer.from(String(sentRows as string), 'base64'))
  // Arrow would believe what it is given.
  if (digestOf(stream) !== sha) return undefined
  const [batch] = readBatches(stream)
  if (batch?.numRows !== rows) return undefined
  const keys = [...(batch.getChild('key') ?? [])] as unknown[]
  return keys.every((of) => of === key) ? { ...outcome, batch } : undefined
}

function failureOf(job: QueueJob, isDone: boolean): Failure {
  if (isDone) {
    return {
      code: 'BAD_RESULT',
      message: 'What came back from Redis is nothing that a worker of this version sends.',
      stack: '',
      log: '',
    }
  }
  const { failure } = job.data
  // Of what it holds, texts are made where it is written down.
  if (typeof failure === 'object' && failure !== null) return failure as Failure
  return { message: job.failedReason, stack: (job.stacktrace ?? []).join('\n'), log: '' }
}

function addRows(rows: Rows, batch: RecordBatch): void {
  const values = Object.fromEntries(
    rows.names.map((name) => [name, Array.from(batch.getChild(name) ?? []) as ParameterValue[]]),
  )
  rows.append({}, { values, length: batch.numRows })
}
