// Owns making many entities in one call: the rows, the handles, and the callback that fills them.
// It must never call the user while a change is half done.

import { CHUNK_ROWS, LIST_COUNT, LIST_ITEMS, TABLE_CHUNKS, TABLE_ROWS } from '../build/layout'
import type { BundleNode } from './bundle'
import { type Access, ChunkView, type EntityArrays } from './chunk'
import { limitError } from './errors'
import { CHUNK_WORDS_SHIFT, type Registration } from './registration'
import type { Entity } from './entity'
import { writeValues } from './values'
import type { WorldState } from './worldState'

type Values = Record<string, unknown> | undefined
type Fill = ((chunk: unknown) => void) | undefined

/** Spawns now, or after the loop that is open. Returns the handles in the order of the rows. */
export function spawnRows(
  state: WorldState,
  arrays: EntityArrays,
  count: number,
  bundle: BundleNode,
  values: readonly Values[],
  fill: Fill,
): Uint32Array {
  if (count === 0) return new Uint32Array(0)
  if (state.locks !== 0) return reserveRows(state, arrays, count, bundle, values, fill)
  const id = bundle.idIn(state)
  const status = state.core.entitiesSpawn(id, count)
  state.heap.check()
  if (status < 0) throw limitError(status, bundle.describeRows())
  const archetype = state.core.bundleArchetype(id)
  const handles = new Uint32Array(count)
  let filled = 0
  visitLastRows(state, arrays, archetype, count, bundle, (chunk) => {
    handles.set(chunk.entities.subarray(chunk.start, chunk.end), filled)
    filled += chunk.end - chunk.start
  })
  finish(state, arrays, archetype, handles, bundle, values, fill)
  return handles
}

/** Reserves the handles; each becomes an entity of its own when the loop ends, then all are filled. */
function reserveRows(
  state: WorldState,
  arrays: EntityArrays,
  count: number,
  bundle: BundleNode,
  values: readonly Values[],
  fill: Fill,
): Uint32Array {
  const handles = new Uint32Array(count)
  for (let i = 0; i < count; i++) handles[i] = state.reserve()
  for (let i = 0; i < count; i++) state.commands.spawn(handles[i] as Entity, bundle, undefined)
  const kept = handles.slice()
  state.commands.later(() => {
    const archetype = state.core.bundleArchetype(bundle.idIn(state))
    finish(state, arrays, archetype, kept, bundle, values, fill)
  })
  return handles
}

function finish(
  state: WorldState,
  arrays: EntityArrays,
  archetype: number,
  handles: Uint32Array,
  bundle: BundleNode,
  values: readonly Values[],
  fill: Fill,
): void {
  if (values.some((value) => value !== undefined)) {
    for (let i = 0; i < handles.length; i++) writeValues(bundle, handles[i] as number, values)
  }
  if (fill === undefined) return
  // The callback is a loop like any other: what it changes in structure waits for its end.
  state.lock()
  try {
    visitLastRows(state, arrays, archetype, handles.length, bundle, fill)
  } finally {
    state.unlock()
  }
}

/** Calls back for each run of the last `count` rows of an archetype. */
function visitLastRows(
  state: WorldState,
  arrays: EntityArrays,
  archetype: number,
  count: number,
  bundle: BundleNode,
  visit: (chunk: ChunkView) => void,
): void {
  const { heap } = state
  const chunk = new ChunkView(state, arrays, accessOf(bundle))
  const list = heap.word(archetype + TABLE_CHUNKS)
  const ids = heap.word(list + LIST_ITEMS)
  const chunkCount = heap.word(list + LIST_COUNT)
  let skip = heap.word(archetype + TABLE_ROWS) - count
  for (let i = 0; i < chunkCount; i++) {
    const id = heap.word(ids + i * 4)
    const rows = heap.u32[heap.chunks + (id << CHUNK_WORDS_SHIFT) + (CHUNK_ROWS >> 2)] as number
    if (skip < rows) {
      chunk.enter(id)
      chunk.start = skip
      visit(chunk)
    }
    skip = Math.max(0, skip - rows)
  }
}

/** The rows are an archetype's, so its table components are columns and sparse ones are cursors. */
function accessOf(bundle: BundleNode): Access {
  const data = bundle.registrations.filter((registration) => (registration as Registration).definition.fields.length > 0)
  return {
    definitions: data.map((registration) => (registration as Registration).definition),
    registrations: data,
    isColumn: data.map((registration) => !(registration as Registration).pooled),
    describe: () => 'what spawnMany makes',
  }
}
