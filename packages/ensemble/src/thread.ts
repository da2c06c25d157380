// Owns what happens inside a thread of the pool: it does the runs of a task one after the other, writes their rows to a part
// of its own or sends them back, and reports each. It must never report a run as done whose rows are not written.

import { type MessagePort, threadId } from 'node:worker_threads'
import type { Schema } from 'apache-arrow'
import {
  type Checkpoint,
  decodeCheckpoint,
  encodeCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from './checkpoint.js'
import { Rows, allKinds, encodeBatch, recordBatchOf, schemaOf } from './columns.js'
import type { Definition } from './define.js'
import type { Kinds } from './definition.js'
import { EnsembleError, type Failure, asError } from './errors.js'
import { PartWriter } from './part.js'
import type { Run } from './plan.js'
import { type Ending, type Surroundings, runOnce } from './runner.js'
import { LOADING, Slot } from './slot.js'
import { loadDefinition } from './source.js'
import { captureConsole, forbidChance, strictly } from './surroundings.js'
import { differenceOf } from './verification.js'

/** What a thread is asked. */
export interface Task {
  /** Of the module. */
  href: string
  /** Of the slot. */
  memory: SharedArrayBuffer
  runs: Run[]
  strict: boolean
  /** Which of the runs are done twice, and compared. */
  verifies?: boolean[] | undefined
  /** Also those that take long. */
  verifiesLong?: boolean | undefined
  /** The folder for rows, without which they are sent back. */
  parts?: string | undefined
  /** The name of the process, which the names of its parts begin with. */
  writer?: string | undefined
  /** The folder for checkpoints, without which `port` takes them. */
  checkpoints?: string | undefined
  port?: MessagePort | undefined
  /** The checkpoint of the first run, where there is no folder. */
  resume?: Uint8Array | undefined
}

/** What became of a run. */
export interface Outcome {
  key: string
  ms: number
  rows?: number
  part?: string
  from?: number
  bytes?: number
  sha?: string
  at?: number
  /** How a second time differed from the first. */
  differs?: string | undefined
  /** Whether there is a checkpoint to throw away. */
  keptSome?: boolean
  failed?: Failure
}

/** What a thread answers. */
export type TaskResult = Done | { refused: { code: string; message: string } }

/** What became of the runs of a task. */
interface Done {
  /** Those of runs that were stopped are left out. */
  outcomes: Outcome[]
  /** The rows, a stream's head and a record batch, where there is no folder. */
  batch?: Uint8Array[]
}

/** What takes longer is done twice only where all runs are. */
const MOST_VERIFIED_MS = 10_000

let definition: Definition | undefined
let isForbidden = false
let schema: Schema
let kinds: Kinds
let part: PartWriter | undefined
let slot: Slot
/** Whether a run is to be verified: where the one that was chosen fails or takes long, the next one is. */
let isOwed = false

export default async function work(task: Task): Promise<TaskResult> {
  slot = new Slot(task.memory)
  slot.begin(LOADING)
  try {
    await load(task)
    return await doRuns(task)
  } catch (error) {
    // Errors lose their codes on the way between threads.
    if (error instanceof EnsembleError) return { refused: { code: error.code, message: error.message } }
    throw error
  } finally {
    task.port?.close()
  }
}

async function load({ href, strict }: Task): Promise<void> {
  // A worker may do strict runs after others: of these, what the module kept at its top is not found.
  if (strict && !isForbidden) forbidChance()
  isForbidden ||= strict
  if (definition) return
  captureConsole((line) => slot.write(line))
  const loaded = await loadDefinition(href)
  kinds = allKinds(loaded.parameters, loaded.columns)
  schema = schemaOf(kinds)
  definition = loaded
}

async function doRuns(task: Task): Promise<Done> {
  const outcomes: Outcome[] = []
  const rows = new Rows(kinds)
  for (const [position, run] of task.runs.entries()) {
    slot.begin(position)
    isOwed ||= task.verifies?.[position] === true
    const result = await doRun(task, run)
    if ('stopped' in result) break
    if ('error' in result) {
      outcomes.push({ key: run.key, ms: result.ms, failed: describe(result.error) })
      continue
    }
    const { key, index, seed, parameters } = run
    const count = result.rows.length
    const differs = await lookAgain(task, run, position, result)
    outcomes.push({ key, ms: result.ms, rows: count, at: rows.length, keptSome: result.keptSome, differs })
    rows.append({ key, index, seed, ...parameters }, result.rows)
  }
  return store(task, outcomes, rows)
}

function doRun(task: Task, run: Run): Promise<Ending> {
  const keep = (checkpoint: Checkpoint) => {
    const bytes = encodeCheckpoint(checkpoint)
    if (task.checkpoints) writeCheckpoint(task.checkpoints, run.key, bytes)
    else task.port?.postMessage({ key: run.key, bytes })
  }
  const bytes = task.checkpoints ? readCheckpoint(task.checkpoints, run.key) : task.resume
  return once(task, run, { resumed: decodeCheckpoint(bytes, run.key, definition!.columns), keep })
}

function once(task: Task, run: Run, { resumed, keep }: Omit<Surroundings, 'slot'>): Promise<Ending> {
  const body = () => runOnce(definition!, run, { slot, resumed, keep })
  return task.strict ? strictly(body) : body()
}

/** Does a run a second time where one is to be verified. @returns how the two times differ */
async function lookAgain(
  task: Task,
  run: Run,
  position: number,
  { rows, ms }: { rows: Rows; ms: number },
): Promise<string | undefined> {
  if (!isOwed || (ms > MOST_VERIFIED_MS && !task.verifiesLong)) return undefined
  isOwed = false
  slot.begin(position)
  const second = await once(task, run, { resumed: undefined, keep() {} })
  if ('stopped' in second) return undefined
  return 'error' in second
    ? `it failed the second time: ${asError(second.error).message}`
    : differenceOf(rows, second.rows)
}

const describe = (error: unknown): Failure => ({ ...asError(error), log: slot.readLog() })

function store(task: Task, outcomes: Outcome[], rows: Rows): Done {
  if (rows.length === 0) return { outcomes }
  const batch = recordBatchOf(schema, rows)
  if (!task.parts) {
    const { head, body } = encodeBatch(batch)
    return { outcomes, batch: [head, body] }
  }
  part ??= new PartWriter(task.parts, `${task.writer}-${process.pid}-${threadId}.arrow`)
  const where = part.append(batch)
  for (const outcome of outcomes) if (outcome.rows) Object.assign(outcome, where)
  return { outcomes }
}
