// Owns the walks over all chunks of one table, and over all archetypes with rows, for what looks at every row: digests, saves,
// objects after a restore.
// It must never be used in a loop of the user's: that has a list of its chunks.

import {
  ARCHETYPES_ALL,
  ARCHETYPE_SIGNATURE,
  ARCHETYPE_SIGNATURE_COUNT,
  CHUNKS_FRESH,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_OWNER_WORD,
  CHUNK_ROWS_WORD,
  CHUNK_TABLE_WORD,
  LIST_COUNT,
  LIST_ITEMS,
  TABLE_CHUNKS,
} from '../../build/layout'
import { CHUNK_WORDS_SHIFT, type Heap } from '../memory/heap'

/** Is given the chunk's address, its layout and size, and how many rows it has. */
export type ChunkVisitor = (data: number, layoutKey: number, rows: number) => void

/**
 * Visits the archetypes that have rows, in the order of their ids, with the ids of their components. It looks at chunks for
 * them: an archetype without rows costs nothing.
 */
export function eachArchetype(heap: Heap, visit: (table: number, components: Uint32Array) => void): void {
  const all = heap.word(ARCHETYPES_ALL)
  const tables = heap.word(all + LIST_ITEMS)
  const owners = new Set<number>()
  const fresh = heap.word(CHUNKS_FRESH)
  for (let id = 1; id < fresh; id++) {
    const { u32 } = heap
    const descriptor = heap.chunks + (id << CHUNK_WORDS_SHIFT)
    if (u32[descriptor + CHUNK_ROWS_WORD] === 0) continue
    const owner = u32[descriptor + CHUNK_OWNER_WORD] as number
    // The owner of a pool's chunk is no archetype.
    const isArchetype = owner < heap.word(all + LIST_COUNT)
    if (isArchetype && heap.word(tables + owner * 4) === u32[descriptor + CHUNK_TABLE_WORD]) owners.add(owner)
  }
  for (const owner of Uint32Array.from(owners).sort()) {
    const table = heap.word(tables + owner * 4)
    const first = heap.word(table + ARCHETYPE_SIGNATURE) >> 2
    visit(table, heap.u32.subarray(first, first + heap.word(table + ARCHETYPE_SIGNATURE_COUNT)))
  }
}

/** Visits the chunks of an archetype, or of a pool, in their order. */
export function eachChunk(heap: Heap, table: number, visit: ChunkVisitor): void {
  const list = heap.word(table + TABLE_CHUNKS)
  const count = heap.word(list + LIST_COUNT)
  for (let i = 0; i < count; i++) {
    const { u32 } = heap
    const id = heap.word(heap.word(list + LIST_ITEMS) + i * 4)
    const descriptor = heap.chunks + (id << CHUNK_WORDS_SHIFT)
    visit(
      u32[descriptor + CHUNK_DATA_WORD] as number,
      u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number,
      u32[descriptor + CHUNK_ROWS_WORD] as number,
    )
  }
}
