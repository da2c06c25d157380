// Owns the walks over all chunks of one table, and over all archetypes with rows, for what looks at every row: digests, saves,
// objects after a restore.
// It must never be used in a loop of the user's: that has a list of its chunks.

import {
  ARCHETYPE_SIGNATURE,
  ARCHETYPE_SIGNATURE_COUNT,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_ROWS_WORD,
  LIST_COUNT,
  LIST_ITEMS,
  TABLE_CHUNKS,
} from '../../build/layout'
import { CHUNK_WORDS_SHIFT, type Heap } from './heap'
import { archetypesWithRows } from './coreTables'

/** Is given the chunk's address, its layout and size, and how many rows it has. */
export type ChunkVisitor = (data: number, layoutKey: number, rows: number) => void

/** Visits the archetypes that have rows, in the order in which they got their first rows, with the ids of their components. */
export function eachArchetype(heap: Heap, visit: (table: number, components: Uint32Array) => void): void {
  for (const table of archetypesWithRows(heap)) {
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
