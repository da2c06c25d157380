// Owns checkpoints: what a long run keeps of itself so that another thread or another machine can go on from there.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { Rows, encodeBatch, recordBatchOf, schemaOf } from './columns.js'
import type { Kinds } from './definition.js'
import { writeWhole } from './disk.js'
import { EnsembleError, asError } from './errors.js'
import { readBatches } from './part.js'
import { isKey } from './plan.js'

const DIGEST_BYTES = 32
const LENGTH_BYTES = 4

/** What is kept of a run that is under way. */
export interface Checkpoint {
  /** Of the run. */
  key: string
  /** Those that the run had yielded. */
  rows: Rows
  /** What the run says of itself. */
  state: unknown
  /** The save file of a world. */
  save: Uint8Array | undefined
}

/** What stands before the rows of a checkpoint. */
interface Head {
  key: string
  state: unknown
  rowBytes: number
  hasSave: boolean
}

/** @throws EnsembleError BAD_CHECKPOINT when the state cannot be kept as it is */
export function encodeCheckpoint({ key, rows, state, save }: Checkpoint): Uint8Array {
  const batch = encodeBatch(recordBatchOf(schemaOf(rows.kinds), rows))
  const rowBytes = Buffer.concat([batch.head, batch.body])
  const head = serialize({
    key,
    state: checked(state),
    rowBytes: rowBytes.length,
    hasSave: save !== undefined,
  } satisfies Head)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(head.length)
  const body = Buffer.concat([length, head, rowBytes, save ?? new Uint8Array()])
  return Buffer.concat([createHash('sha256').update(body).digest(), body])
}

/**
 * @param key of the run that wants to go on
 * @param kinds of its columns
 * @returns undefined when it is damaged or another run's: then that run begins at its beginning
 */
export function decodeCheckpoint(
  bytes: Uint8Array | undefined,
  key: string,
  kinds: Kinds,
): Checkpoint | undefined {
  if (bytes === undefined || bytes.length < DIGEST_BYTES + LENGTH_BYTES) return undefined
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const body = all.subarray(DIGEST_BYTES)
  if (!createHash('sha256').update(body).digest().equals(all.subarray(0, DIGEST_BYTES))) return undefined
  const rowsAt = LENGTH_BYTES + body.readUInt32LE()
  const head = headOf(body.subarray(LENGTH_BYTES, rowsAt))
  if (head?.key !== key) return undefined
  const saveAt = rowsAt + head.rowBytes
  const rows = new Rows(kinds)
  // A copy, so that arrays of eight bytes a value lie where they may.
  for (const batch of readBatches(new Uint8Array(body.subarray(rowsAt, saveAt)))) {
    for (const row of batch) rows.add(row.toJSON())
  }
  const save = head.hasSave ? new Uint8Array(body.subarray(saveAt)) : undefined
  return { key, rows, state: head.state, save }
}

/** The state, of which nothing is lost on the way: a run that goes on from a part of it would have other results. */
function checked(state: unknown): unknown {
  let back: unknown
  try {
    back = deserialize(serialize(state))
  } catch (cause) {
    const { message } = asError(cause)
    throw new EnsembleError('BAD_CHECKPOINT', `The state of a checkpoint cannot be kept: ${message}`, {
      cause,
    })
  }
  if (isDeepStrictEqual(back, state)) return state
  throw new EnsembleError(
    'BAD_CHECKPOINT',
    'The state of a checkpoint cannot be kept as it is: it may hold numbers, texts, lists, plain objects, maps, sets, dates ' +
      'and typed arrays, and no objects of classes.',
  )
}

/** What an earlier version of Node cannot read is none. */
function headOf(bytes: Uint8Array): Head | undefined {
  try {
    return deserialize(bytes) as Head
  } catch {
    return undefined
  }
}

function pathOf(folder: string, key: string): string {
  // It may come from a queue, and must not lead out of the folder.
  if (!isKey(key)) throw new EnsembleError('BAD_CHECKPOINT', `'${key}' is no key of a run.`)
  return join(folder, `${key}.checkpoint`)
}

/** @throws EnsembleError DISK_FULL, CANNOT_WRITE; the one before is left */
export function writeCheckpoint(folder: string, key: string, bytes: Uint8Array): void {
  writeWhole(pathOf(folder, key), bytes)
}

export function readCheckpoint(folder: string, key: string): Uint8Array | undefined {
  const path = pathOf(folder, key)
  return existsSync(path) ? readFileSync(path) : undefined
}

/** The keys of the runs of which there are checkpoints. */
export function checkpointsIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.map((name) => name.replace(/\.checkpoint$/, '')).filter(isKey)
}

export { pathOf as checkpointPath }
