// Owns where the block of a chunk begins and how long it is: change ticks come first, then the rows, to which the descriptor
// points. It must never read what is in it.

import {
  CHUNK_BYTES,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_TICKS_BYTES,
  COLUMN_ALIGNMENT,
  LARGE_CHUNK_BYTES,
  LAYOUTS_ALL,
  LAYOUT_COMPONENT_COUNT,
  LIST_ITEMS,
  SIZE_BITS,
  SMALL_CHUNK_BYTES,
} from '../../build/layout'
import type { Heap } from './heap'

/** Bytes of a chunk by its size, with which a layout key ends. Wide ones are as long as their layout says. */
export const CHUNK_SIZES: readonly number[] = [SMALL_CHUNK_BYTES, CHUNK_BYTES, LARGE_CHUNK_BYTES]

/** Address of the first byte of a chunk, by the index of its descriptor. */
export function blockOf(heap: Heap, descriptor: number): number {
  const layoutKey = heap.u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
  const layout = heap.word(heap.word(heap.word(LAYOUTS_ALL) + LIST_ITEMS) + (layoutKey >> SIZE_BITS) * 4)
  const ticks = heap.word(layout + LAYOUT_COMPONENT_COUNT) * CHUNK_TICKS_BYTES
  const head = Math.ceil(ticks / COLUMN_ALIGNMENT) * COLUMN_ALIGNMENT
  return (heap.u32[descriptor + CHUNK_DATA_WORD] as number) - head
}
