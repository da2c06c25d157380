// Owns the walk of a loop over whole chunks, where no row is told from another: one step along a list for each chunk.
// It must never do more in a step than it has to, nor allocate once made: iterators are used again.

import { ChunkView, type EntityArrays } from './chunk'
import type { ChunkList } from '../matching/chunkList'
import type { RowVisitor } from './rowVisitor'
import type { Plan } from '../matching/plan'
import type { WorldState } from '../rows/worldState'

export class ChunkIterator implements IterableIterator<ChunkView> {
  readonly chunk: ChunkView
  /** @internal Whether a loop is using this iterator now. */
  open = false
  /** The outermost loop this one belongs to; 0 behind its end. A loop of another number was abandoned. */
  private loop = 0
  private readonly result: { done: boolean; value: ChunkView }
  private readonly list: ChunkList
  /** Which chunk is next, and how many are listed as far as this loop knows. */
  private place = 0
  private listed = 0

  constructor(
    private readonly state: WorldState,
    /** @internal */
    readonly plan: Plan,
    entityArrays: EntityArrays,
  ) {
    this.list = plan.chunksOf(plan.walksPool ? plan.smallestPool() : undefined)
    this.chunk = new ChunkView(state, entityArrays, plan)
    this.chunk.follow(this.list)
    this.result = { done: false, value: this.chunk }
    // Does nothing yet: see WorldState.warmUp.
    this.return()
  }

  /** @internal Begins a loop. */
  begin(): void {
    const { list, state } = this
    list.refresh()
    this.place = 0
    this.listed = list.count
    this.result.done = false
    // The last call: where one before it fails, the stack at its end included, no loop was begun.
    state.open(this.plan)
    this.open = true
    this.loop = state.loop
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

  /** Ends the loop; what it queued is applied when it was the outermost one. Called by the language when it is left early. */
  return(): IteratorResult<ChunkView> {
    if (this.open) {
      const abandoned = this.loop !== this.state.loop
      this.open = false
      this.loop = 0
      this.result.done = true
      if (!abandoned) this.state.close(this.plan)
    }
    return this.result as IteratorResult<ChunkView>
  }

  [Symbol.iterator](): this {
    return this
  }

  /** @internal Calls a kernel with the rows of a loop that has just begun, and ends it. */
  callKernel(run: RowVisitor): void {
    const { chunk } = this
    if (!run.repeat()) while (this.nextChunk()) run.takeWhole(chunk)
    run.end()
    this.return()
  }
}
