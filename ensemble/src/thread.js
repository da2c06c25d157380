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
import { captureConsole, strictly } from './surroundings.js'

/**
 * @typedef {object} Task
 * @property {string} href of the module
 * @property {SharedArrayBuffer} memory of the slot
 * @property {import('./plan.js').Run[]} runs
 * @property {boolean} strict
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
 * @property {boolean} [keptSome] whether there is a checkpoint to throw away
 * @property {{ code?: string, message: string, stack: string, log: string }} [failed]
 *
 * @typedef {object} TaskResult
 * @property {Outcome[]} outcomes those of runs that were stopped are left out
 * @property {Uint8Array[]} [batch] the rows, a stream's head and a record batch, where there is no folder
 */

let definition
let schema
let kinds
/** @type {PartWriter | undefined} */
let part
/** @type {Slot} */
let slot

/** @param {Task} task @returns {Promise<TaskResult | { refused: { code: string, message: string } }>} */
export default async function work(task) {
  slot = new Slot(task.memory)
  slot.begin(LOADING)
  try {
    await load(task.href)
    return await doRuns(task)
  } catch (error) {
    // Errors lose their codes on the way between threads.
    if (error instanceof EnsembleError) return { refused: { code: error.code, message: error.message } }
    throw error
  } finally {
    task.port?.close()
  }
}

async function load(href) {
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
    const result = await doRun(task, run)
    if ('stopped' in result) break
    if ('error' in result) {
      outcomes.push({ key: run.key, ms: result.ms, failed: describe(result.error) })
      continue
    }
    const { key, index, seed, parameters } = run
    const count = result.rows.length
    outcomes.push({ key, ms: result.ms, rows: count, at: rows.length, keptSome: result.keptSome })
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
  const resumed = decodeCheckpoint(bytes, run.key, definition.columns)
  const once = () => runOnce(definition, run, { slot, resumed, keep })
  return task.strict ? strictly(once) : once()
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
