// Owns the loop over whole chunks, where no row is told from another: one step along a list for each chunk. A step must never do
// more than it has to, nor allocate.

import type { ChunkList } from '../queryPlan/chunkList'
import type { Plan } from '../queryPlan/plan'
import { ChunkView } from './chunkView'
import { Loop, type LoopSource, type RowConsumer } from './loop'

export class WholeChunks extends Loop<ChunkView> implements IterableIterator<ChunkView> {
  private readonly list: ChunkList
  /** Which chunk is next, and how many are listed as far as this loop knows. */
  private place = 0
  private listed = 0

  constructor(source: LoopSource, plan: Plan) {
    super(source, plan, new ChunkView(source.state, source.entityArrays, plan))
    this.list = plan.chunksOf(plan.walksPool ? plan.smallestPool() : undefined)
    this.chunk.follow(this.list)
  }

  /** @internal Begins a loop. */
  begin(): void {
    const { list } = this
    list.refresh()
    this.place = 0
    this.listed = list.count
    this.enter()
  }

  /** Short, so that the compiler puts it into the user's loop: what is done once a loop is done in `turn`. */
  next(): IteratorResult<ChunkView> {
    const { place } = this
    if (place >= this.listed || this.loop !== this.state.loop) return this.turn()
    this.place = place + 1
    this.chunk.step(this.list.chunkOffsets[place] as number, place)
    return this.result as IteratorResult<ChunkView>
  }

  /** Goes on after the chunks that are listed; ends the loop when there are none. */
  private turn(): IteratorResult<ChunkView> {
    let found = false
    try {
      found = this.loop === this.state.loop && this.nextChunk()
      this.listed = this.list.count
    } finally {
      // The language does not call `return` for a step that failed.
      if (!found) this.return()
    }
    return this.result as IteratorResult<ChunkView>
  }

  /** Stands on the next chunk; false after the last one. */
  private nextChunk(): boolean {
    const { list, place } = this
    if (place >= list.count && !list.extend()) return false
    this.place = place + 1
    this.chunk.step(list.chunkOffsets[place] as number, place)
    return true
  }

  /** @internal Calls a kernel with the rows of a loop that has just begun, and ends it. */
  callKernel(run: RowConsumer): void {
    const { chunk } = this
    if (!run.repeat()) while (this.nextChunk()) run.takeWhole(chunk)
    run.end()
    this.return()
  }
}
