// Owns the chunks that loops over one plan have visited, in order, with the columns they used: a cache of match lists and tables,
// so that the next loop takes one step along a list for each chunk. It must never be used by a loop that began before a chunk
// came or went: every loop begins with `refresh`.

import {
  CHUNKS_VERSION_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  LIST_COUNT,
  LIST_ITEMS,
  NO_MATCH,
  TABLE_CHUNKS,
} from '../../build/layout'
import { CHUNK_WORDS_SHIFT, type Heap } from '../memory/heap'
import type { ChunkColumns } from '../cursors/placement'
import type { Registration } from '../state/registration'
import { ChunkCursorBases } from './chunkCursorBases'
import type { Plan } from './plan'

/** Chunks that are listed at once, at least. */
const FEWEST = 4
/** The place before the first archetype. */
const NOT_BEGUN = -1

/** The columns of chunks by component and by place. */
export type ListedColumns = (ChunkColumns | undefined)[][]

/** Forgets all typed arrays: they are looked up again when they are asked for. */
export function forgetColumns(columns: ListedColumns): void {
  for (const ofComponent of columns) ofComponent.fill(undefined)
}

export class ChunkList {
  /** Where the descriptor of each chunk lies, in u32 behind Heap.chunks. Longer than needed: `count` says how many hold. */
  readonly chunkOffsets: number[] = []
  /** For each component of the plan its columns in these chunks; undefined until they are first asked for. */
  readonly columns: ListedColumns
  /** Where cursors stand in these chunks; undefined where a chunk may lack a component, or rows are marked one by one. */
  readonly standing: ChunkCursorBases | undefined
  /** How many chunks were found so far. */
  count = 0
  /** The chunk that comes next: the place of its archetype, the table's address or 0, and the chunk's number in the table. */
  private table = NOT_BEGUN
  private address = 0
  private index = 0
  private version = -1

  constructor(
    private readonly heap: Heap,
    private readonly plan: Plan,
    /** The pool whose chunks are listed in place of those of archetypes. */
    readonly pool: Registration | undefined,
  ) {
    this.columns = plan.definitions.map(() => [])
    const isKnown = plan.definitions.every((one) => !one.details.tracksRows && plan.requiredColumn(one) >= 0)
    this.standing = isKnown ? new ChunkCursorBases(heap, this, plan) : undefined
  }

  /** Forgets everything when chunks came or went since. Cost then: the number of chunks. */
  refresh(): void {
    const version = (this.heap.u32[CHUNKS_VERSION_WORD] as number) + this.heap.chunksBefore
    if (version === this.version) return
    this.version = version
    for (const ofComponent of this.columns) ofComponent.fill(undefined, 0, this.count)
    this.standing?.forget()
    this.count = 0
    this.table = NOT_BEGUN
    this.address = 0
    this.index = 0
  }

  /** Finds some chunks more, about as many as there are, so that it is asked seldom; false when there are none. */
  extend(): boolean {
    const { count } = this
    const most = count + Math.max(count, FEWEST)
    while (this.count < most && (this.address !== 0 || this.enterTable())) this.takeNext()
    return this.count > count
  }

  private takeNext(): void {
    const { u32 } = this.heap
    const list = u32[(this.address + TABLE_CHUNKS) >> 2] as number
    if (this.index >= (u32[(list + LIST_COUNT) >> 2] as number)) {
      this.address = 0
      return
    }
    const id = u32[((u32[(list + LIST_ITEMS) >> 2] as number) >> 2) + this.index++] as number
    this.append(id << CHUNK_WORDS_SHIFT)
  }

  /** Finds the columns of component `k` in chunk `place`, and at once in all that are listed behind it. */
  findColumns(k: number, place: number, registration: Registration): ChunkColumns {
    const { u32, chunks } = this.heap
    const known = this.columns[k] as (ChunkColumns | undefined)[]
    for (let i = place; i < this.count; i++) {
      const behind = this.chunkOffsets[i] as number
      const data = u32[chunks + behind + CHUNK_DATA_WORD] as number
      const layoutKey = u32[chunks + behind + CHUNK_LAYOUT_KEY_WORD] as number
      known[i] = registration.columnsOf(behind >> CHUNK_WORDS_SHIFT, data, layoutKey)
    }
    return known[place] as ChunkColumns
  }

  private enterTable(): boolean {
    const { plan, pool } = this
    if (this.table === NO_MATCH) return false
    this.index = 0
    if (pool !== undefined) {
      this.table = NO_MATCH
      this.address = pool.pool
      return true
    }
    this.table = this.table === NOT_BEGUN ? plan.firstPlace() : plan.placeAfter(this.table)
    if (this.table === NO_MATCH) return false
    this.address = plan.archetypeAt(this.table)
    return true
  }

  private append(chunkOffset: number): void {
    const { chunkOffsets, columns, count } = this
    this.count = count + 1
    if (count < chunkOffsets.length) {
      chunkOffsets[count] = chunkOffset
      return
    }
    chunkOffsets.push(chunkOffset)
    for (let k = 0; k < columns.length; k++) columns[k]?.push(undefined)
  }
}
