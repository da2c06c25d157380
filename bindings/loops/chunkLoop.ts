// Owns the walk of a loop over whole chunks, where no row is told from another: one step along a list for each chunk.
// It must never do more in a step than it has to, nor allocate once made: iterators are used again.

import type { ChunkList } from '../matching/chunkList'
import type { Plan } from '../matching/plan'
import type { WorldState } from '../rows/worldState'
import { ChunkView, type EntityArrays } from './chunk'
import { Loop } from './loop'
import type { RowVisitor } from './rowVisitor'

export class ChunkIterator extends Loop<ChunkView> implements IterableIterator<ChunkView> {
  private readonly list: ChunkList
  /** Which chunk is next, and how many are listed as far as this loop knows. */
  private place = 0
  private listed = 0

  constructor(state: WorldState, plan: Plan, entityArrays: EntityArrays) {
    super(state, plan, new ChunkView(state, entityArrays, plan))
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
    this.chunk.step(this.list.places[place] as number, place)
    return this.result as IteratorResult<ChunkView>
  }

  /** Goes on behind the chunks that are listed; ends the loop when there are none. */
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

  /** Stands on the next chunk; false behind the last one. */
  private nextChunk(): boolean {
    const { list, place } = this
    if (place >= list.count && !list.extend()) return false
    this.place = place + 1
    this.chunk.step(list.places[place] as number, place)
    return true
  }

  /** @internal Calls a kernel with the rows of a loop that has just begun, and ends it. */
  callKernel(run: RowVisitor): void {
    const { chunk } = this
    if (!run.repeat()) while (this.nextChunk()) run.takeWhole(chunk)
    run.end()
    this.return()
  }
}
