// Owns the walk over what one entity has: the components of its archetype, then the pooled ones. What it costs grows
// with what the entity has, not with the components of the world. It must never be called for a handle that is not alive.

import {
  ARCHETYPES_ALL_WORD,
  ARCHETYPE_SIGNATURE,
  ARCHETYPE_SIGNATURE_COUNT,
  ARCHETYPE_UPKEEP,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_OWNER_WORD,
  COLUMN_SMALL_OFFSET,
  COMPONENTS_RECORDS,
  COMPONENT_BYTES,
  COMPONENT_POOL,
  ENTITIES_SPARSE_HEADS_WORD,
  LAYOUTS_ALL,
  LAYOUT_COLUMNS,
  LIST_ITEMS,
  PAGE_LOCATIONS_WORD,
  PAGE_RECORD_BYTES,
  PAGE_SHIFT,
  POOL_PAGES,
  SIZE_BITS,
  SIZE_MASK,
} from '../../build/layout'
import { INDEX_MASK } from '../memory/entity'
import { type Heap, ROW_MASK } from '../memory/heap'

const PAGE_MASK = (1 << PAGE_SHIFT) - 1

/** The archetype in which an entity has its row; that without components where it has no row yet. */
export function archetypeOf(heap: Heap, entity: number): number {
  const index = entity & INDEX_MASK
  const location = index < heap.entityCapacity ? heap.locationAt(index) : 0
  return location === 0 ? 0 : (heap.u32[heap.descriptorAt(location) + CHUNK_OWNER_WORD] as number)
}

/** The ids of the components of an archetype, ascending: a view that holds until memory is allocated. */
export function signatureOf(heap: Heap, archetype: number): Uint32Array {
  const address = addressOf(heap, archetype)
  const first = heap.word(address + ARCHETYPE_SIGNATURE) >> 2
  return heap.u32.subarray(first, first + heap.word(address + ARCHETYPE_SIGNATURE_COUNT))
}

/** Whether rows of an archetype have values that are more than a row. */
export function hasUpkeep(heap: Heap, archetype: number): boolean {
  return heap.word(addressOf(heap, archetype) + ARCHETYPE_UPKEEP) !== 0
}

function addressOf(heap: Heap, archetype: number): number {
  return heap.word(heap.word((heap.u32[ARCHETYPES_ALL_WORD] as number) + LIST_ITEMS) + archetype * 4)
}

/** The id of the first pooled component of an entity; -1 when it has none. */
export function firstPooled(heap: Heap, entity: number): number {
  const heads = heap.u32[ENTITIES_SPARSE_HEADS_WORD] as number
  const index = entity & INDEX_MASK
  return heads === 0 || index >= heap.entityCapacity ? -1 : (heap.u16[(heads >> 1) + index] as number) - 1
}

/** The id of the pooled component after one that an entity has; -1 after the last one. */
export function nextPooled(heap: Heap, id: number, entity: number): number {
  const { u32 } = heap
  const index = entity & INDEX_MASK
  const pool = heap.word(heap.word(COMPONENTS_RECORDS) + id * COMPONENT_BYTES + COMPONENT_POOL)
  const page = heap.word(pool + POOL_PAGES) + (index >>> PAGE_SHIFT) * PAGE_RECORD_BYTES
  const locations = u32[(page >> 2) + PAGE_LOCATIONS_WORD] as number
  const location = u32[(locations >> 2) + (index & PAGE_MASK)] as number
  const descriptor = heap.descriptorAt(location)
  const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
  const layout = heap.word(heap.word(heap.word(LAYOUTS_ALL) + LIST_ITEMS) + (layoutKey >> SIZE_BITS) * 4)
  // The first column of every pool leads to the next pool, by its id plus one.
  const column = heap.word(layout + LAYOUT_COLUMNS) + COLUMN_SMALL_OFFSET + (layoutKey & SIZE_MASK) * 4
  const first = (u32[descriptor + CHUNK_DATA_WORD] as number) + heap.word(column)
  return (u32[(first >> 2) + (location & ROW_MASK)] as number) - 1
}
