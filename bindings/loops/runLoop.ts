// Owns the walk of a query's loop over runs of rows, where rows are told apart. Whole chunks are walked by chunkLoop.ts.
// It must never allocate once made: iterators are reused by their query.

import {
  CHUNK_CHANGED_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_TICKS_ADDED_WORD,
  CHUNK_TICKS_CHANGED_WORD,
  LIST_COUNT,
  LIST_ITEMS,
  ORDER_LIST_STALE,
  POOL_ORDER,
  ROW_BITS,
} from '../../build/layout'
import type { ChunkList } from '../matching/chunkList'
import { Filters, type Look } from '../matching/filters'
import type { Plan } from '../matching/plan'
import { INDEX_MASK } from '../memory/entity'
import { ROW_MASK } from '../memory/heap'
import type { Registration } from '../rows/registration'
import type { WorldState } from '../rows/worldState'
import { ChunkView, type EntityArrays } from './chunk'
import { Loop } from './loop'
import { MASK_ROWS, RowMask } from './rowMask'
import type { RowVisitor } from './rowVisitor'
import { Window } from './window'

/** What a query with changed or added has seen. */
interface Seen {
  readonly remembers: boolean
  /** The change tick up to which everything was seen; undefined before the first look. */
  readonly seen: number | undefined
  /** What was changed until now counts as seen. */
  markSeen(): void
}

/** A pool this many times smaller than the archetypes' rows is walked in their place. */
const POOL_ADVANTAGE = 4

const NO_ORDER = /* @__PURE__ */ new Uint32Array(0)

/** No row at all. */
const WALK_NOTHING = 0
/** Runs of rows: some rows or chunks are left out. */
const WALK_RUNS = 1
/** Rows of a pool, standing on the rows that the same entities have in archetypes. */
const WALK_POOL_ROWS = 2
/** Entities in the order of a tag, or of a list, standing on the rows that they have in archetypes. */
const WALK_ORDER = 3

export class QueryIterator extends Loop<ChunkView> implements IterableIterator<ChunkView> {
  private readonly filters: Filters
  private source: Seen | undefined
  private consumes = false
  private mode = WALK_NOTHING
  /** The chunks to walk, and which of them is next. */
  private list: ChunkList
  private place = 0
  /** Rows of the chunk that were not looked at yet. */
  private row = 0
  private rowsEnd = 0
  private pool: Registration | undefined
  /** Address of the pool's chunk whose rows are walked, while `chunk` stands on an archetype's. */
  private poolData = 0
  /** In the order of a tag, or of a list: where its first entity lies, in what, how many there are, which is next, and the first now. */
  private orderItems = 0
  private order: Uint32Array = NO_ORDER
  private orderCount = 0
  private orderNext = 0
  private orderFirst = 0
  /** Whether rows are chosen by a mask, and the mask of the chunk, one bit a row. */
  private masked = false
  private readonly mask = new RowMask()
  /** The tick up to which changes were seen; undefined when changes do not matter, or at the first look. */
  private since: number | undefined
  /** Whether a chunk in which nothing changed can be passed over: some change asked for would lie in it. */
  private passesUnchanged = false
  private readonly window = new Window()

  constructor(state: WorldState, plan: Plan, entityArrays: EntityArrays) {
    super(state, plan, new ChunkView(state, entityArrays, plan))
    this.list = plan.chunksOf(undefined)
    this.filters = new Filters(state)
  }

  /** @internal Begins a loop. */
  begin(plan: Plan, source: Seen, look: Look): void {
    const since = source.remembers ? source.seen : undefined
    // Before anything is noted: finding the entities may be a loop by this very iterator.
    const list = look.related?.list()
    if (this.plan !== plan) {
      this.plan = plan
      this.chunk.reach(plan)
    }
    this.since = since
    this.filters.gather(plan, look.conditions, this.since)
    this.source = source
    this.consumes = look.consumes && source.remembers
    this.window.begin(look)
    this.place = 0
    this.row = 0
    this.rowsEnd = 0
    this.chooseWalk(plan, look, list)
    this.enter()
  }

  private chooseWalk(plan: Plan, look: Look, list: Uint32Array | undefined): void {
    this.pool = undefined
    this.mode = WALK_RUNS
    this.masked = plan.filtersRows || look.conditions.length > 0
    if (plan.impossible || this.filters.impossible || look.limit <= 0) {
      this.mode = WALK_NOTHING
      return
    }
    if (list !== undefined || plan.order !== undefined) {
      if (list !== undefined) this.enterList(plan, list)
      else this.enterOrder(plan.order as Registration)
      this.orderNext = 0
      this.mode = WALK_ORDER
      this.masked ||= this.since !== undefined
      return
    }
    if (plan.walksPool) this.pool = plan.smallestPool()
    else if (plan.requiredPools.length > 0) {
      const smallest = plan.smallestPool()
      if (plan.rowsOf(smallest) * POOL_ADVANTAGE < plan.archetypeRows()) {
        this.pool = smallest
        this.mode = WALK_POOL_ROWS
      }
    }
    this.list = plan.chunksOf(this.pool)
    this.list.refresh()
    if (this.since !== undefined) this.noteChanges(plan)
  }

  /** Begins to walk a list of entities. */
  private enterList(plan: Plan, list: Uint32Array): void {
    // The columns of a query over one pool are those of its rows.
    if (plan.walksPool && plan.requiredPools.length === 1) this.pool = plan.requiredPools[0]
    this.order = list
    this.orderItems = 0
    this.orderCount = list.length
  }

  /** Begins to walk the list of an ordered tag, rid of what has lost the tag. */
  private enterOrder(tag: Registration): void {
    const { heap, core } = this.state
    const list = heap.word(tag.pool + POOL_ORDER)
    if (heap.word(list + ORDER_LIST_STALE) !== 0) core.orderSqueeze(tag.id)
    this.order = heap.u32
    this.orderItems = heap.word(list + LIST_ITEMS) >> 2
    this.orderCount = heap.word(list + LIST_COUNT)
  }

  /** Goes to the next places of the order, as many as a mask tells about; false behind the last one. */
  private nextPlaces(): boolean {
    const first = this.orderNext
    if (first >= this.orderCount) return false
    const count = this.masked ? Math.min(MASK_ROWS, this.orderCount - first) : this.orderCount
    this.orderFirst = this.orderItems + first
    this.orderNext = first + count
    this.row = 0
    this.rowsEnd = count
    if (!this.masked) return true
    if (this.plan.maskOrder(this.order, this.orderFirst, count, this.filters.write()) === 0) this.row = count
    else this.mask.read(this.state.heap, count)
    return true
  }

  /** Stands on the rows of the next entities that are meant, as long as they follow each other in one chunk. */
  private enterOrdered(): boolean {
    const { chunk, rowsEnd, order, orderFirst } = this
    let place = this.masked ? this.mask.nextSet(this.row, this.rowsEnd) : this.row
    if (place >= rowsEnd) {
      this.row = rowsEnd
      return false
    }
    const end = this.masked ? this.mask.nextClear(place + 1, this.rowsEnd) : rowsEnd
    const location = this.locationOf(order[orderFirst + place] as number)
    // Behind the last row of a chunk begins the number of the next one.
    const last = Math.min(end - place - 1, ROW_MASK - (location & ROW_MASK))
    let rows = 1
    place++
    while (rows <= last && this.locationOf(order[orderFirst + place] as number) === location + rows) {
      rows++
      place++
    }
    this.row = place
    chunk.enter(location >>> ROW_BITS)
    chunk.start = location & ROW_MASK
    chunk.end = chunk.start + rows
    return true
  }

  /** Where the row of an entity of the list lies that the loop stands on. */
  private locationOf(entity: number): number {
    const index = entity & INDEX_MASK
    return this.pool === undefined ? this.state.heap.locationAt(index) : this.pool.findRow(index)
  }

  /** Finds out where the changes that are asked for are told: in the chunks walked, in their rows, or elsewhere. */
  private noteChanges(plan: Plan): void {
    this.passesUnchanged = false
    for (let i = 0; i < plan.changes.length; i++) {
      const { registration } = plan.changes[i] as Plan['changes'][number]
      const here = this.pool === undefined ? !registration.pooled : registration === this.pool
      if (here) this.passesUnchanged = true
      if (!here || registration.definition.details.tracksRows) this.masked = true
    }
  }

  next(): IteratorResult<ChunkView> {
    if (this.loop !== this.state.loop) return this.finish(false)
    let found: boolean | undefined
    try {
      found = this.nextRun()
    } finally {
      // The language does not call `return` for a step that failed.
      if (found === undefined) this.finish(false)
    }
    return found ? (this.result as IteratorResult<ChunkView>) : this.finish(true)
  }

  /** Stands on the next run of rows; false behind the last one. */
  private nextRun(): boolean {
    const { window } = this
    while (window.toGive > 0) {
      while (this.row < this.rowsEnd) {
        if (this.enterNext() && (!window.isNarrow || window.cut(this.chunk))) return true
      }
      if (this.mode === WALK_ORDER) {
        if (this.nextPlaces()) continue
        return false
      }
      if (!this.hasNextChunk()) return false
      if (this.since !== undefined && !this.skipUnchanged(this.since)) continue
      this.enterChunk()
    }
    return false
  }

  /** Ends the loop. One that was left early has not seen everything: the next one begins where this one began. */
  private finish(complete: boolean): IteratorResult<ChunkView> {
    if (complete && this.open && this.consumes) this.source?.markSeen()
    // A program that keeps the query must not keep the memory of its world.
    this.order = NO_ORDER
    return this.return()
  }

  /** Whether a chunk is left, at `place` of the list. */
  private hasNextChunk(): boolean {
    return this.mode !== WALK_NOTHING && (this.place < this.list.count || this.list.extend())
  }

  /** Stands on all of the next chunk; how many of its rows are meant. Masks are in the core's memory then, until it is called. */
  private standOnNext(): number {
    const { chunk } = this
    // WALK_POOL_ROWS may have left the chunk standing elsewhere.
    chunk.follow(this.list)
    chunk.step(this.list.places[this.place] as number, this.place)
    this.place++
    if (!this.masked) return chunk.end
    return this.plan.mask(chunk.id, this.pool !== undefined, this.filters.write())
  }

  private enterNext(): boolean {
    if (this.mode === WALK_ORDER) return this.enterOrdered()
    return this.mode === WALK_POOL_ROWS ? this.enterPoolRow() : this.enterRun()
  }

  /** Stands on all of the next chunk and finds out which of its rows are meant. */
  private enterChunk(): void {
    const rows = this.standOnNext()
    this.row = 0
    this.rowsEnd = this.chunk.end
    this.poolData = this.chunk.data
    const { window } = this
    if (rows <= window.toSkip) {
      window.toSkip -= rows
      this.row = this.rowsEnd
      return
    }
    if (this.masked) this.mask.read(this.state.heap, this.rowsEnd)
  }

  /** @internal Counts the rows of a loop that has just begun, and ends it; whole chunks at a time, but in a window. */
  countRows(): number {
    let count = 0
    if (this.window.isNarrow || this.mode === WALK_ORDER) {
      while (!this.next().done) count += this.chunk.end - this.chunk.start
      return count
    }
    try {
      while (this.hasNextChunk()) {
        if (this.since !== undefined && !this.skipUnchanged(this.since)) continue
        count += this.standOnNext()
      }
      this.finish(true)
    } finally {
      this.finish(false)
    }
    return count
  }

  /** Whether every entity of a list is meant. */
  private get takesList(): boolean {
    return this.mode === WALK_ORDER && !this.masked && !this.window.isNarrow && this.plan.order === undefined
  }

  /**
   * @internal Calls a kernel with the rows of a loop that has just begun, and ends it: chunk by chunk, the mask of the
   * core as it is, or by runs of rows where places are counted or rows are found one by one.
   */
  callKernel(run: RowVisitor): void {
    const { chunk } = this
    if (this.window.isNarrow || this.mode === WALK_ORDER || this.mode === WALK_POOL_ROWS) {
      if (!this.takesList || run.takeList?.(this.order) !== true)
        while (this.nextRun()) run.takeChunk(chunk, false)
    } else {
      while (this.hasNextChunk()) {
        if (this.since !== undefined && !this.skipUnchanged(this.since)) continue
        const rows = this.standOnNext()
        if (rows > 0) run.takeChunk(chunk, rows < chunk.end)
      }
    }
    run.end()
    this.finish(true)
  }

  /** Goes to the next listed chunk in which all that is asked for is newer than `since`; false when none is left. */
  private skipUnchanged(since: number): boolean {
    const { u32, chunks } = this.state.heap
    const { places, count } = this.list
    for (; this.place < count; this.place++) {
      const descriptor = chunks + (places[this.place] as number)
      // The descriptors lie side by side; what is inside the chunk is looked at only when one says so.
      const summary = u32[descriptor + CHUNK_CHANGED_WORD] as number
      if (this.passesUnchanged && ((summary - since) | 0) <= 0) continue
      if (this.isChanged(descriptor, since)) return true
    }
    return false
  }

  /** Whether every change that is asked for and lies in the chunk is newer than `since`. */
  private isChanged(descriptor: number, since: number): boolean {
    const { u32 } = this.state.heap
    const data = u32[descriptor + CHUNK_DATA_WORD] as number
    const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
    const { changes } = this.plan
    for (let i = 0; i < changes.length; i++) {
      const { registration, changed, added } = changes[i] as Plan['changes'][number]
      const placement = registration.placement(layoutKey)
      if (!placement.present) continue
      const ticks = (data + placement.tickOffset) >> 2
      if (changed && (((u32[ticks + CHUNK_TICKS_CHANGED_WORD] as number) - since) | 0) <= 0) return false
      if (added && (((u32[ticks + CHUNK_TICKS_ADDED_WORD] as number) - since) | 0) <= 0) return false
    }
    return true
  }

  /** Finds the next run of rows that are meant in the chunk; false at its end. */
  private enterRun(): boolean {
    const { chunk, rowsEnd } = this
    if (!this.masked) {
      chunk.start = this.row
      chunk.end = rowsEnd
      this.row = rowsEnd
      return true
    }
    const start = this.mask.nextSet(this.row, this.rowsEnd)
    if (start >= rowsEnd) {
      this.row = rowsEnd
      return false
    }
    chunk.start = start
    chunk.end = this.mask.nextClear(start + 1, this.rowsEnd)
    // The row behind the run is known not to be meant.
    this.row = chunk.end + 1
    return true
  }

  /** Stands on the archetype's row of the pool's next matching entity; false at the end of the pool's chunk. */
  private enterPoolRow(): boolean {
    const row = this.masked ? this.mask.nextSet(this.row, this.rowsEnd) : this.row
    this.row = row + 1
    if (row >= this.rowsEnd) return false
    const { heap } = this.state
    const entity = heap.u32[(this.poolData >> 2) + row] as number
    const location = heap.locationAt(entity & INDEX_MASK)
    this.chunk.enter(location >>> ROW_BITS)
    this.chunk.start = location & ROW_MASK
    this.chunk.end = this.chunk.start + 1
    return true
  }
}
