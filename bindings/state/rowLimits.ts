// Owns how much a row takes in a chunk and a description in scratch, for the sentences about what does not fit. The core decides
// what fits. How rows are laid out is in assembly/tables/layouts.ts.

import {
  CHUNK_BYTES,
  CHUNK_TICKS_BYTES,
  COLUMN_ALIGNMENT,
  SCRATCH_BYTES,
  STORAGE_RESOURCE,
  STORAGE_TABLE,
  STORAGE_TAG,
} from '../../build/layout'
import { type Definition, canToggle, rowBytes } from '../components/definition'
import { LimitError, resourceTooLarge } from '../memory/errors'
import type { WorldState } from './worldState'

/** How many of the largest components a sentence names. */
const NAMED = 5
/** Names of declarations have no limit of their own; a sentence has. */
const LONGEST_NAME = 60
/** Where rows are tracked: the tick of the last change, then the tick of the adding. */
const TICK_COLUMNS = 2

/** Bytes of a component in a chunk with one row: its columns, its bits when it can be switched off, its change ticks. */
function bytesInChunk(definition: Definition): number {
  if (definition.storageCode === STORAGE_TAG) return 0
  const columns = definition.fields.map((field) => field.length << field.shift)
  if (definition.details.tracksRows) for (let k = 0; k < TICK_COLUMNS; k++) columns.push(4)
  if (canToggle(definition)) columns.push(1)
  return columns.reduce((sum, bytes) => sum + aligned(bytes), CHUNK_TICKS_BYTES)
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / COLUMN_ALIGNMENT) * COLUMN_ALIGNMENT
}

/**
 * The sizes of components that shall lie in one row, largest first, for the error of a row that does not fit.
 *
 * @param added those of the call
 * @param present those that the entity has already
 */
export function describeRow(added: readonly Definition[], present: readonly Definition[] = []): string {
  const inRows = [...new Set([...added, ...present])].filter(
    ({ storageCode }) => storageCode === STORAGE_TABLE,
  )
  const sizes = inRows.map((definition) => ({ name: nameOf(definition), bytes: bytesInChunk(definition) }))
  sizes.sort((a, b) => b.bytes - a.bytes)
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, aligned(4))
  const largest = sizes.slice(0, NAMED).map(({ name, bytes }) => `${name} takes ${bytes} bytes`)
  if (sizes.length > NAMED) largest.push(`${sizes.length - NAMED} more take no more than that each`)
  const sum =
    total > CHUNK_BYTES ? `it takes ${total} bytes` : 'with what entities have already it takes more'
  return `${sum}. Of that, ${largest.join(', ')}`
}

/** The components that lie in the row of an entity. Looks at all that the world knows: for errors alone. */
export function rowOf(state: WorldState, entity: number): Definition[] {
  return state
    .allKnown()
    .filter((known) => known.definition.storageCode === STORAGE_TABLE && known.isOn(entity))
    .map(({ definition }) => definition)
}

/** The error for a component of which not even one row fits into what holds it. */
export function componentTooLarge(definition: Definition): LimitError {
  if (definition.storageCode === STORAGE_RESOURCE)
    return resourceTooLarge(definition.componentName, rowBytes(definition), definition.fields.length)
  // A pool keeps a link with each row, and of a tag in the order of insertion its place.
  const hidden = definition.order === 'insertion' ? 2 : 1
  const inPool = definition.storageCode !== STORAGE_TABLE
  const total = (inPool ? 1 + hidden : 1) * COLUMN_ALIGNMENT + bytesInChunk(definition)
  return new LimitError(
    'ROW_LIMIT',
    `${nameOf(definition)} takes ${total} bytes a row, in ${definition.fields.length} fields, each rounded up to ${COLUMN_ALIGNMENT} bytes, and a row must fit into a chunk of ${CHUNK_BYTES} bytes (16 KiB). Join fields of one type in a vec, or divide the component in two.`,
  )
}

/** The error for a declaration whose description finds no room in scratch. */
export function descriptionTooLarge(definition: Definition, bytes: number): LimitError {
  const single = definition.storageCode === STORAGE_RESOURCE ? 0 : bytesInChunk(definition) + COLUMN_ALIGNMENT
  if (single > CHUNK_BYTES) return componentTooLarge(definition)
  return new LimitError(
    'ROW_LIMIT',
    `The description of ${nameOf(definition)} takes ${bytes} bytes, for ${definition.fields.length} fields; at most ${SCRATCH_BYTES} fit: shorten the names, join fields in a vec, or declare two.`,
  )
}

function nameOf({ componentName }: Definition): string {
  return componentName.length <= LONGEST_NAME ? componentName : `${componentName.slice(0, LONGEST_NAME)}…`
}
