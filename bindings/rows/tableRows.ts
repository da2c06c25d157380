// Owns the walk over all chunks of one table, for what looks at every row: digests, objects after a restore.
// It must never be used in a loop of the user's: that has a list of its chunks.

import {
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_ROWS_WORD,
  LIST_COUNT,
  LIST_ITEMS,
  TABLE_CHUNKS,
} from '../../build/layout'
import { CHUNK_WORDS_SHIFT, type Heap } from '../memory/heap'

/** Is given the chunk's address, its layout and size, and how many rows it has. */
export type ChunkVisitor = (data: number, layoutKey: number, rows: number) => void

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
