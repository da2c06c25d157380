// Owns what the three loops over a query share: the lock that holds while one is open, its end, and the object that each
// step returns. It must never know what a step stands on, nor allocate once made: iterators are used again.

import type { Plan } from '../matching/plan'
import type { WorldState } from '../rows/worldState'

/**
 * A loop: ChunkIterator over whole chunks, QueryIterator over runs of rows, GroupIterator over a group. Their `next` is a
 * method of their own, short where it must be, so that the compiler puts it into the user's loop.
 */
export abstract class Loop<View> {
  /** @internal Whether a loop is using this iterator now. */
  open = false
  /** The outermost loop this one belongs to; 0 behind its end. A loop of another number was abandoned. */
  protected loop = 0
  protected readonly result: { done: boolean; value: View }

  constructor(
    protected readonly state: WorldState,
    /** @internal */
    public plan: Plan,
    /** What each step shows: one object for the whole loop. */
    readonly chunk: View,
  ) {
    this.result = { done: false, value: chunk }
    // Does nothing yet: see Session.warmUp.
    this.return()
  }

  /** Takes the lock. The last call of a `begin`: where one before it fails, the stack at its end included, no loop was begun. */
  protected enter(): void {
    this.result.done = false
    this.state.open(this.plan)
    this.open = true
    this.loop = this.state.loop
  }

  /** Ends the loop: what it queued is applied when it was the outermost one. The language calls this when it is left early. */
  return(): IteratorResult<View> {
    if (this.open) {
      const abandoned = this.loop !== this.state.loop
      this.open = false
      this.loop = 0
      this.result.done = true
      if (!abandoned) this.state.close(this.plan)
    }
    return this.result as IteratorResult<View>
  }

  [Symbol.iterator](): this {
    return this
  }
}
