// Owns the list of archetypes, and of the chunks of one, as the inspection shows them.

import {
  ARCHETYPES_ALL,
  CHUNK_CAPACITY_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_ROWS_WORD,
  LIST_COUNT,
  LIST_ITEMS,
  SIZE_MASK,
  TABLE_CHUNKS,
  TABLE_ROWS,
} from '../../../../build/layout'
import { StrataTypeError } from '../../../../bindings/index'
import { CHUNK_SIZES } from '../../../../bindings/memory/coreTables'
import { describe } from '../../../../bindings/memory/describe'
import { CHUNK_WORDS_SHIFT, type Heap } from '../../../../bindings/memory/heap'
import type { WorldState } from '../../../../bindings/state/worldState'
import { archetypeAt, signatureAt } from './source'

/** All entities with the same table components and tags. */
export interface ArchetypeInfo {
  /** Its number in the world: 0 is that of entities without table components and tags. */
  readonly id: number
  /** The names of its table components, tags and object components, in the order in which the world met them. */
  readonly components: readonly string[]
  readonly entities: number
  readonly chunks: number
  /** Entities that its chunks have room for. */
  readonly capacity: number
  /** Bytes of its chunks. */
  readonly bytes: number
  /** Which part of the capacity is used, from 0 to 1; 0 without chunks. */
  readonly fill: number
}

/** One chunk of an archetype. */
export interface ChunkInfo {
  readonly entities: number
  /** Entities that it has room for. */
  readonly capacity: number
  readonly bytes: number
  /** Which part of the capacity is used, from 0 to 1. */
  readonly fill: number
}

export function archetypesIn(state: WorldState): ArchetypeInfo[] {
  const { heap } = state
  const names = state.definitionsById().map(({ componentName }) => componentName)
  const count = heap.word(heap.word(ARCHETYPES_ALL) + LIST_COUNT)
  return Array.from({ length: count }, (_, id) => {
    const address = archetypeAt(state, id)
    const components = Array.from(signatureAt(state, address), (component) => names[component] as string)
    return { id, components, ...sizeOf(heap, address) }
  })
}

/** @throws StrataTypeError INVALID_OPTION when there is no such archetype */
export function chunksIn(state: WorldState, id: unknown): ChunkInfo[] {
  const { heap } = state
  const count = heap.word(heap.word(ARCHETYPES_ALL) + LIST_COUNT)
  if (!(Number.isInteger(id) && (id as number) >= 0 && (id as number) < count)) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `chunks takes the id of an archetype, from 0 to ${count - 1}, not ${describe(id)}: archetypes() has them.`,
    )
  }
  const chunks: ChunkInfo[] = []
  eachDescriptor(heap, archetypeAt(state, id as number), (entities, capacity, bytes) =>
    chunks.push({ entities, capacity, bytes, fill: entities / capacity }),
  )
  return chunks
}

/** What the chunks of a table come to. */
export interface TableSize {
  readonly entities: number
  readonly chunks: number
  readonly capacity: number
  readonly bytes: number
  readonly fill: number
}

export function sizeOf(heap: Heap, table: number): TableSize {
  const entities = heap.word(table + TABLE_ROWS)
  let chunks = 0
  let capacity = 0
  let bytes = 0
  eachDescriptor(heap, table, (_, room, size) => {
    chunks++
    capacity += room
    bytes += size
  })
  return { entities, chunks, capacity, bytes, fill: capacity === 0 ? 0 : entities / capacity }
}

function eachDescriptor(
  heap: Heap,
  table: number,
  visit: (rows: number, capacity: number, bytes: number) => void,
): void {
  const list = heap.word(table + TABLE_CHUNKS)
  const items = heap.word(list + LIST_ITEMS) >> 2
  const count = heap.word(list + LIST_COUNT)
  const { u32, chunks } = heap
  for (let i = 0; i < count; i++) {
    const descriptor = chunks + ((u32[items + i] as number) << CHUNK_WORDS_SHIFT)
    const size = (u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number) & SIZE_MASK
    visit(
      u32[descriptor + CHUNK_ROWS_WORD] as number,
      u32[descriptor + CHUNK_CAPACITY_WORD] as number,
      CHUNK_SIZES[size] as number,
    )
  }
}
