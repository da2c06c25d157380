// Owns the walks over chunks of which some rows, or some chunks, are left out: over the runs of rows that a mask of each chunk
// leaves, and along the rows of a pool that is much smaller than the archetypes, standing on the rows that the same entities have
// there.

import { POOL_ADVANTAGE, ROW_BITS } from '../../build/layout'
import { INDEX_MASK } from '../memory/entity'
import { ROW_MASK } from '../memory/heap'
import type { ChunkSearch } from '../queryPlan/changeTermHooks'
import type { ChunkList } from '../queryPlan/chunkList'
import type { Plan } from '../queryPlan/plan'
import type { Registration } from '../state/registration'
import { ChunkView } from './chunkView'
import type { LoopSource, RowConsumer } from './loop'
import { MaskedLoop } from './maskedLoop'

export class MaskedRuns extends MaskedLoop {
  /** The chunks to walk, and which of them is next. */
  private list: ChunkList
  private place = 0
  private pool: Registration | undefined
  /** Where changes are asked for. */
  private readonly changed: ChunkSearch | undefined

  constructor(source: LoopSource, plan: Plan) {
    super(source, plan, new ChunkView(source.state, source.entityArrays, plan))
    this.list = plan.chunksOf(undefined)
    this.changed = plan.changing?.search(source.state.heap, plan.changes)
  }

  protected start(): void {
    const { plan } = this
    this.walk(plan.walksPool ? plan.smallestPool() : undefined)
  }

  /** Begins with the chunks of a pool, or of all archetypes that match. */
  protected walk(pool: Registration | undefined): void {
    this.pool = pool
    this.place = 0
    this.list = this.plan.chunksOf(pool)
    this.list.refresh()
    if (this.since !== undefined && this.changed?.begin(pool) === true) this.masked = true
  }

  /** Equal to that of MaskedLoop, for the compiler: what one function calls for many kinds of loops, it calls slowly for all. */
  override next(): IteratorResult<ChunkView> {
    if (this.loop !== this.state.loop) return this.return()
    let found: boolean | undefined
    try {
      found = this.step()
    } finally {
      // The language does not call `return` for a step that failed.
      if (found === undefined) this.return()
    }
    return found ? (this.result as IteratorResult<ChunkView>) : this.finish()
  }

  protected override step(): boolean {
    if (this.since !== undefined) this.state.cursorPools.settle()
    while (this.toGive > 0 && this.nextRun()) if (this.cut === undefined || this.cut(this)) return true
    return false
  }

  protected nextRun(): boolean {
    for (;;) {
      while (this.row < this.rowsEnd) if (this.enterRun()) return true
      if (!this.hasNextChunk()) return false
      this.enterChunk()
    }
  }

  /** Whether a chunk is left in which something may have changed that is asked for: at `place` of the list. */
  private hasNextChunk(): boolean {
    const { list, since, changed } = this
    while (this.place < list.count || list.extend()) {
      if (since === undefined || changed === undefined) return true
      this.place = changed.find(list, this.place, since)
      if (this.place < list.count) return true
    }
    return false
  }

  /** Stands on all of the next chunk; how many of its rows are meant. Masks are in the core's memory then, until it is called. */
  private standOnNext(): number {
    const { chunk, list, place } = this
    // A walk along the rows of a pool has left the chunk standing elsewhere.
    chunk.follow(list)
    chunk.step(list.chunkOffsets[place] as number, place)
    this.place = place + 1
    if (!this.masked) return chunk.end
    return this.plan.mask(chunk.id, this.pool !== undefined, this.filters.write())
  }

  /** Stands on all of the next chunk and finds out which of its rows are meant. */
  protected enterChunk(): void {
    const rows = this.standOnNext()
    const { end } = this.chunk
    this.row = 0
    this.rowsEnd = end
    if (rows <= this.toSkip) {
      this.toSkip -= rows
      this.row = end
    } else if (this.masked) this.mask.read(this.state.heap, end)
  }

  /** Finds the next run of rows that are meant in the chunk; false at its end. */
  protected enterRun(): boolean {
    const { chunk, rowsEnd } = this
    if (!this.masked) {
      chunk.start = this.row
      chunk.end = rowsEnd
      this.row = rowsEnd
      return true
    }
    const start = this.mask.nextSet(this.row, rowsEnd)
    if (start >= rowsEnd) {
      this.row = rowsEnd
      return false
    }
    chunk.start = start
    chunk.end = this.mask.nextClear(start + 1, rowsEnd)
    // The row after the run is known not to be meant.
    this.row = chunk.end + 1
    return true
  }

  /** Whole chunks at a time, but in a window. */
  protected override countRows(): number {
    let count = 0
    if (this.cut !== undefined) return super.countRows()
    while (this.toGive > 0 && this.hasNextChunk()) count += this.standOnNext()
    return count
  }

  protected take(run: RowConsumer): void {
    run.takeChunk(this.chunk, false)
  }

  /** Chunk by chunk, the mask of the core as it is, but in a window. */
  protected override takeAll(run: RowConsumer): void {
    if (this.cut !== undefined) return super.takeAll(run)
    while (this.toGive > 0 && this.hasNextChunk()) {
      const rows = this.standOnNext()
      if (rows > 0) run.takeChunk(this.chunk, rows < this.chunk.end)
    }
  }
}

export class PoolRows extends MaskedRuns {
  private byPool = false
  /** Address of the pool's chunk whose rows are walked, while `chunk` stands on an archetype's. */
  private data = 0

  protected override start(): void {
    const { plan } = this
    const pool = plan.smallestPool()
    this.byPool = plan.rowsOf(pool) * POOL_ADVANTAGE < plan.archetypeRows()
    this.walk(this.byPool ? pool : undefined)
  }

  protected override enterChunk(): void {
    super.enterChunk()
    this.data = this.chunk.data
  }

  protected override enterRun(): boolean {
    return this.byPool ? this.enterPoolRow() : super.enterRun()
  }

  /** Stands on the archetype's row of the pool's next matching entity; false at the end of the pool's chunk. */
  private enterPoolRow(): boolean {
    const { chunk, rowsEnd } = this
    const row = this.masked ? this.mask.nextSet(this.row, rowsEnd) : this.row
    this.row = row + 1
    if (row >= rowsEnd) return false
    const { heap } = this.state
    const location = heap.locationAt((heap.u32[(this.data >> 2) + row] as number) & INDEX_MASK)
    chunk.enter(location >>> ROW_BITS)
    chunk.start = location & ROW_MASK
    chunk.end = chunk.start + 1
    return true
  }

  protected override takeAll(run: RowConsumer): void {
    if (this.byPool) while (this.step()) this.take(run)
    else super.takeAll(run)
  }
}
