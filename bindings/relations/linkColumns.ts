// Owns the straight way to the words of a row of a pool: one look-up for all its hidden columns.
// It must never be kept over a change of rows: what it says holds until then.

import { CHUNK_DATA_WORD, CHUNK_LAYOUT_KEY_WORD, ROW_BITS, SIZE_MASK } from '../../build/layout'
import { INDEX_MASK } from '../memory/entity'
import { CHUNK_WORDS_SHIFT, type Heap, ROW_MASK } from '../memory/heap'
import type { Registration } from '../state/registration'

export class LinkColumns {
  /** Words from the first of three columns to the second, and to the third, in the chunk of the row found last. */
  second = 0
  third = 0
  /** By the size of a chunk: from its start to the first, and the two above. 0 where no such chunk was seen. */
  private readonly firsts = new Int32Array(SIZE_MASK + 1)
  private readonly seconds = new Int32Array(SIZE_MASK + 1)
  private readonly thirds = new Int32Array(SIZE_MASK + 1)

  constructor(
    private readonly heap: Heap,
    private readonly registration: Registration,
    /** The place of the first one among the component's columns. */
    private readonly place: number,
  ) {}

  /** Index in the heap's u32 of the first column of the row that a living entity has; 0 when it has none. */
  at(entity: number): number {
    const location = this.registration.findRow(entity & INDEX_MASK)
    if (location === 0) return 0
    const { u32, chunks } = this.heap
    const descriptor = chunks + ((location >>> ROW_BITS) << CHUNK_WORDS_SHIFT)
    const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
    const size = layoutKey & SIZE_MASK
    // Columns never begin at 0: the entities do.
    if (this.firsts[size] === 0) this.enter(layoutKey)
    this.second = this.seconds[size] as number
    this.third = this.thirds[size] as number
    const data = (u32[descriptor + CHUNK_DATA_WORD] as number) >> 2
    return data + (this.firsts[size] as number) + (location & ROW_MASK)
  }

  /** The same for any handle. A stale one has no row, even if another entity with its index has one. */
  atHandle(entity: number): number {
    const { heap } = this
    const index = entity & INDEX_MASK
    return index < heap.entityCapacity && heap.handleAt(index) === entity ? this.at(entity) : 0
  }

  private enter(layoutKey: number): void {
    const { offsets } = this.registration.placement(layoutKey)
    const size = layoutKey & SIZE_MASK
    const first = (offsets[this.place] as number) >> 2
    this.firsts[size] = first
    this.seconds[size] = ((offsets[this.place + 1] as number) >> 2) - first
    this.thirds[size] = ((offsets[this.place + 2] as number) >> 2) - first
  }
}
