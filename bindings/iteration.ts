// Owns the walk of a query's loop, run of rows by run of rows, and the lock that holds while it is open.
// It must never allocate once made: iterators are reused by their query.

import {
  CHUNK_OWNER,
  LIST_COUNT,
  LIST_ITEMS,
  ORDER_LIST_STALE,
  ORDER_LIST_UNSORTED,
  POOL_ORDER,
  ROW_BITS,
  TABLE_CHUNKS,
} from '../build/layout'
import { ChunkView, type EntityArrays } from './chunk'
import { NULL_ENTITY } from './entity'
import type { Plan } from './plan'
import { CHUNK_WORDS_SHIFT, INDEX_MASK, ROW_MASK, type Registration } from './registration'
import type { WorldState } from './worldState'

/** A pool this many times smaller than the archetypes' rows is walked in their place. */
const POOL_ADVANTAGE = 4

const WALK_CHUNKS = 0
const WALK_RUNS = 1
const WALK_POOL_ROWS = 2
const WALK_ORDER = 3

export class QueryIterator implements IterableIterator<ChunkView> {
  readonly chunk: ChunkView
  /** @internal Whether a loop is using this iterator now. */
  open = false
  private readonly result: { done: boolean; value: ChunkView }
  private mode = WALK_CHUNKS
  /** Archetypes (or one pool): which one, of how many. */
  private table = 0
  private tableCount = 0
  /** Chunks of the table: index in u32 of the next id, and of the end of the list. */
  private position = 0
  private chunksEnd = 0
  /** Rows of the chunk that were not looked at yet. */
  private row = 0
  private rowsEnd = 0
  private pool: Registration | undefined
  /** Address of the pool's chunk whose rows are walked, while `chunk` stands on an archetype's. */
  private poolData = 0

  constructor(
    private readonly state: WorldState,
    private plan: Plan,
    entityArrays: EntityArrays,
  ) {
    this.chunk = new ChunkView(state, entityArrays, plan)
    this.result = { done: false, value: this.chunk }
  }

  /** @internal Begins a loop. */
  begin(plan: Plan): void {
    if (this.plan !== plan) {
      this.plan = plan
      this.chunk.reach(plan)
    }
    this.open = true
    this.result.done = false
    this.state.lock()
    this.table = 0
    this.position = 0
    this.chunksEnd = 0
    this.row = 0
    this.rowsEnd = 0
    this.chooseWalk(plan)
  }

  private chooseWalk(plan: Plan): void {
    this.pool = undefined
    if (plan.impossible) this.tableCount = 0
    else if (plan.order !== undefined) {
      this.enterOrder(plan.order)
      return
    } else if (plan.walksPool) {
      this.pool = plan.smallestPool()
      this.tableCount = 1
    } else {
      this.tableCount = plan.archetypeCount()
      if (plan.requiredPools.length > 0) {
        const smallest = plan.smallestPool()
        if (plan.rowsOf(smallest) * POOL_ADVANTAGE < plan.archetypeRows()) {
          this.pool = smallest
          this.tableCount = 1
          this.mode = WALK_POOL_ROWS
          return
        }
      }
    }
    this.mode = plan.filtersRows ? WALK_RUNS : WALK_CHUNKS
  }

  next(): IteratorResult<ChunkView> {
    if (this.mode !== WALK_CHUNKS) return this.nextRun()
    if (this.position === this.chunksEnd && !this.nextTable()) return this.finish()
    this.chunk.enter(this.state.heap.u32[this.position++] as number)
    return this.result as IteratorResult<ChunkView>
  }

  /** Called by the language when a loop is left early. */
  return(): IteratorResult<ChunkView> {
    return this.finish()
  }

  [Symbol.iterator](): this {
    return this
  }

  /** Ends the loop: what it queued is applied when it was the outermost one. */
  private finish(): IteratorResult<ChunkView> {
    if (this.open) {
      this.open = false
      this.result.done = true
      this.state.unlock()
    }
    return this.result as IteratorResult<ChunkView>
  }

  /** Goes to the next table that has chunks; false behind the last one. */
  private nextTable(): boolean {
    const u32 = this.state.heap.u32
    while (this.table < this.tableCount) {
      const address = this.pool !== undefined ? this.pool.pool : this.plan.archetypeAt(this.table)
      this.table++
      const list = u32[(address + TABLE_CHUNKS) >> 2] as number
      const count = u32[(list + LIST_COUNT) >> 2] as number
      if (count === 0) continue
      this.position = (u32[(list + LIST_ITEMS) >> 2] as number) >> 2
      this.chunksEnd = this.position + count
      return true
    }
    return false
  }

  /** Begins to walk an ordered tag's list, rid of what has lost the tag. */
  private enterOrder(tag: Registration): void {
    const { heap, core } = this.state
    const list = heap.word(tag.pool + POOL_ORDER)
    if (heap.word(list + ORDER_LIST_STALE) !== 0 || heap.word(list + ORDER_LIST_UNSORTED) !== 0)
      core.orderSqueeze(tag.id)
    this.position = heap.word(list + LIST_ITEMS) >> 2
    this.chunksEnd = this.position + heap.word(list + LIST_COUNT)
    this.tableCount = 0
    this.mode = WALK_ORDER
  }

  /** The next entities of the list that match and whose rows follow each other in one chunk. */
  private nextOrdered(): IteratorResult<ChunkView> {
    const { u32, records } = this.state.heap
    const chunk = this.chunk
    while (this.position < this.chunksEnd) {
      const record = records + ((u32[this.position++] as number) << 1)
      if (!this.poolRowMatches(u32[record] as number)) continue
      const location = u32[record + 1] as number
      const id = location >>> ROW_BITS
      chunk.enter(id)
      let next = location + 1
      while (this.position < this.chunksEnd) {
        const following = records + ((u32[this.position] as number) << 1)
        if (u32[following + 1] !== next || next >>> ROW_BITS !== id) break
        if (!this.poolRowMatches(u32[following] as number)) break
        this.position++
        next++
      }
      chunk.start = location & ROW_MASK
      chunk.end = chunk.start + next - location
      return this.result as IteratorResult<ChunkView>
    }
    return this.finish()
  }

  private nextRun(): IteratorResult<ChunkView> {
    if (this.mode === WALK_ORDER) return this.nextOrdered()
    while (true) {
      while (this.row < this.rowsEnd) {
        const found = this.mode === WALK_POOL_ROWS ? this.enterPoolRow() : this.enterRun()
        if (found) return this.result as IteratorResult<ChunkView>
      }
      if (this.position === this.chunksEnd && !this.nextTable()) return this.finish()
      this.chunk.enter(this.state.heap.u32[this.position++] as number)
      this.row = 0
      this.rowsEnd = this.chunk.end
      this.poolData = this.chunk.data
    }
  }

  /** Finds the next run of rows that match in the chunk; false at its end. */
  private enterRun(): boolean {
    const chunk = this.chunk
    const end = this.rowsEnd
    let row = this.row
    while (row < end && !this.rowMatches(row)) row++
    if (row === end) {
      this.row = end
      return false
    }
    chunk.start = row
    do row++
    while (row < end && this.rowMatches(row))
    chunk.end = row
    // The row behind the run is known not to match.
    this.row = row < end ? row + 1 : row
    return true
  }

  private rowMatches(row: number): boolean {
    const entity = this.state.heap.u32[(this.chunk.data >> 2) + row] as number
    if (this.pool === undefined) return this.plan.passes(entity, this.chunk.owner)
    return this.poolRowMatches(entity)
  }

  private poolRowMatches(entity: number): boolean {
    if (entity === NULL_ENTITY) return false
    const archetype = this.archetypeOf(entity)
    return archetype >= 0 && this.plan.accepts(archetype) && this.plan.passes(entity, archetype)
  }

  /** Stands on the archetype's row of the pool's next matching entity; false at the end of the pool's chunk. */
  private enterPoolRow(): boolean {
    const u32 = this.state.heap.u32
    while (this.row < this.rowsEnd) {
      const entity = u32[(this.poolData >> 2) + this.row++] as number
      if (!this.poolRowMatches(entity)) continue
      const location = u32[this.state.heap.records + ((entity & INDEX_MASK) << 1) + 1] as number
      this.chunk.enter(location >>> ROW_BITS)
      this.chunk.start = location & ROW_MASK
      this.chunk.end = this.chunk.start + 1
      return true
    }
    return false
  }

  /** The id of the archetype of a living entity. */
  private archetypeOf(entity: number): number {
    const heap = this.state.heap
    const location = heap.u32[heap.records + ((entity & INDEX_MASK) << 1) + 1] as number
    const descriptor = heap.chunks + ((location >>> ROW_BITS) << CHUNK_WORDS_SHIFT)
    return heap.u32[descriptor + (CHUNK_OWNER >> 2)] as number
  }
}
