// Owns the reference to one component's row of one entity, for reading, writing, marking and cursors. It holds as long as the row
// stays where it is: nothing in it moves when tables grow. That of a registration is reused: its next call of locate puts it on
// another row.

import { CHUNK_CHANGED_WORD, CHUNK_ROWS_WORD, WORLD_TICK_WORD } from '../../build/layout'
import type { Definition } from '../components/definition'
import type { Heap } from '../memory/heap'
import { ABSENT, type Placement } from './placement'

export class RowRef {
  /** Words from Heap.chunks to the chunk's descriptor. */
  chunkOffset = 0
  /** Address of the chunk. */
  data = 0
  row = 0
  /** Where the columns lie in the chunk. */
  placement: Placement = ABSENT

  constructor(
    readonly heap: Heap,
    readonly definition: Definition,
  ) {}

  /** Marks the component changed, in its chunk and, where rows are tracked, in its row. */
  mark(): void {
    const { data, placement } = this
    const { u32, chunks } = this.heap
    const now = u32[WORLD_TICK_WORD] as number
    u32[(data + placement.tickOffset) >> 2] = now
    u32[chunks + this.chunkOffset + CHUNK_CHANGED_WORD] = now
    if (placement.rowTickOffset !== 0) u32[((data + placement.rowTickOffset) >> 2) + this.row] = now
  }

  /** mark for this row and those after it, `count` in all. */
  markRows(count: number): void {
    this.mark()
    const { data, placement, row } = this
    const { u32 } = this.heap
    const first = ((data + placement.rowTickOffset) >> 2) + row
    if (placement.rowTickOffset !== 0) u32.fill(u32[WORLD_TICK_WORD] as number, first, first + count)
  }

  /** Whether the component is switched off. */
  get isOff(): boolean {
    const offset = this.placement.toggleOffset
    if (offset === 0) return false
    return (((this.heap.u8[this.data + offset + (this.row >> 3)] as number) >> (this.row & 7)) & 1) !== 0
  }
}

/**
 * How many entities of a list have rows that follow one another from this one on, which is that of the entity at `first`. A row
 * names its entity, so all that are counted are alive.
 */
export function runLength(ref: RowRef, entities: ArrayLike<unknown>, first: number): number {
  const { u32, chunks } = ref.heap
  const rows = (u32[chunks + ref.chunkOffset + CHUNK_ROWS_WORD] as number) - ref.row
  const most = Math.min(entities.length - first, rows)
  const handles = (ref.data >> 2) + ref.row
  let count = 1
  while (count < most && u32[handles + count] === entities[first + count]) count++
  return count
}
