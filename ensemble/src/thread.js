// Owns what happens inside a thread of the pool: it does the runs of a task one after the other, writes their rows to a part
// of its own or sends them back, and reports each. It must never report a run as done whose rows are not written.

import { threadId } from 'node:worker_threads'
import { decodeCheckpoint, encodeCheckpoint, readCheckpoint, writeCheckpoint } from './checkpoint.js'
import { Rows, allKinds, encodeBatch, recordBatchOf, schemaOf } from './columns.js'
import { EnsembleError, asError } from './errors.js'
import { PartWriter } from './part.js'
import { runOnce } from './runner.js'
import { LOADING, Slot } from './slot.js'
import { loadDefinition } from './source.js'
import { captureConsole, forbidChance, strictly } from './surroundings.js'
import { differenceOf } from './verification.js'

/**
 * @typedef {object} Task
 * @property {string} href of the module
 * @property {SharedArrayBuffer} memory of the slot
 * @property {import('./plan.js').Run[]} runs
 * @property {boolean} strict
 * @property {boolean[]} [verifies] which of the runs are done twice, and compared
 * @property {boolean} [verifiesLong] also those that take long
 * @property {string} [parts] the folder for rows, without which they are sent back
 * @property {string} [writer] the name of the process, which the names of its parts begin with
 * @property {string} [checkpoints] the folder for checkpoints, without which `port` takes them
 * @property {import('node:worker_threads').MessagePort} [port]
 * @property {Uint8Array} [resume] the checkpoint of the first run, where there is no folder
 *
 * @typedef {object} Outcome of one run
 * @property {string} key
 * @property {number} ms
 * @property {number} [rows]
 * @property {string} [part]
 * @property {number} [batch]
 * @property {number} [at]
 * @property {string} [differs] how a second time differed from the first
 * @property {boolean} [keptSome] whether there is a checkpoint to throw away
 * @property {{ code?: string, message: string, stack: string, log: string }} [failed]
 *
 * @typedef {object} TaskResult
 * @property {Outcome[]} outcomes those of runs that were stopped are left out
 * @property {Uint8Array[]} [batch] the rows, a stream's head and a record batch, where there is no folder
 */

/** What takes longer is done twice only where all runs are. */
const MOST_VERIFIED_MS = 10_000

let definition
let isForbidden = false
let schema
let kinds
/** @type {PartWriter | undefined} */
let part
/** @type {Slot} */
let slot
/** Whether a run is to be verified: where the one that was chosen fails or takes long, the next one is. */
let isOwed = false

/** @param {Task} task @returns {Promise<TaskResult | { refused: { code: string, message: string } }>} */
export default async function work(task) {
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

async function load({ href, strict }) {
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

/** @param {Task} task */
async function doRuns(task) {
  const outcomes = []
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

function doRun(task, run) {
  const keep = (checkpoint) => {
    const bytes = encodeCheckpoint(checkpoint)
    if (task.checkpoints) writeCheckpoint(task.checkpoints, run.key, bytes)
    else task.port?.postMessage({ key: run.key, bytes })
  }
  const bytes = task.checkpoints ? readCheckpoint(task.checkpoints, run.key) : task.resume
  return once(task, run, { resumed: decodeCheckpoint(bytes, run.key, definition.columns), keep })
}

function once(task, run, { resumed, keep }) {
  const body = () => runOnce(definition, run, { slot, resumed, keep })
  return task.strict ? strictly(body) : body()
}

/** Does a run a second time where one is to be verified. @returns how the two times differ */
async function lookAgain(task, run, position, { rows, ms }) {
  if (!isOwed || (ms > MOST_VERIFIED_MS && !task.verifiesLong)) return undefined
  isOwed = false
  slot.begin(position)
  const second = await once(task, run, { resumed: undefined, keep() {} })
  if ('stopped' in second) return undefined
  return 'error' in second
    ? `it failed the second time: ${asError(second.error).message}`
    : differenceOf(rows, second.rows)
}

const describe = (error) => ({ ...asError(error), log: slot.readLog() })

function store(task, outcomes, rows) {
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
