// Owns what all loops over a query share: the lock that holds while one is open, its end, the object that each step returns, and
// the form of what takes the rows in place of a user's code. It must never allocate once made: iterators are used again.

import type { Plan } from '../queryPlan/plan'
import type { WorldState } from '../state/worldState'
import type { ChunkView, EntityArrays } from './chunkView'
import type { Callback } from './eachLoop'
import type { GroupView } from './groupView'

/** What loops need of the query that is looped over, and of all that share its plans. */
export interface LoopSource {
  readonly state: WorldState
  readonly entityArrays: EntityArrays
  /** Whether it asks for what has changed. */
  readonly remembers: boolean
  /** The change tick up to which everything was seen; undefined before the first look. */
  readonly seen: number | undefined
  /** What was changed until now counts as seen. */
  markSeen(): void
  /** Calls back for each row of a loop that has just begun. */
  each(loop: Loop<ChunkView>, callback: Callback): void
  /** A loop was made: the arrays of the plan, and of the view, must be dropped when memory moves. */
  keepArrays(view?: { forgetArrays(): void }): void
}

/**
 * A loop: WholeChunks, or MaskedLoop over runs of rows. Their `next` is a method of their own, short where it must be, so that
 * the compiler puts it into the user's loop.
 */
export interface RowConsumer {
  /** Does again what the last loop over the same chunks did; false when the chunks must be handed over. */
  repeat(): boolean
  /** Takes all entities of a list, in its order; false, or no such function, when their rows must be handed over. */
  takeList?(entities: Uint32Array): boolean
  /** Takes all rows of a chunk. */
  takeWhole(chunk: ChunkView): void
  /** Takes the rows on which the chunk stands; `masked`: only those of its mask. */
  takeChunk(chunk: ChunkView, masked: boolean): void
  /** Takes the rows on which a group's view stands. */
  takeGroup(view: GroupView): void
  /** Called after the last row. */
  end(): void
}

export abstract class Loop<View> {
  /** @internal Whether a loop is using this iterator now. */
  open = false
  /** The outermost loop this one belongs to; 0 after its end. A loop of another number was abandoned. */
  protected loop = 0
  protected readonly state: WorldState
  protected readonly result: { done: boolean; value: View }

  constructor(
    protected readonly source: LoopSource,
    /** @internal */
    readonly plan: Plan,
    /** What each step shows: one object for the whole loop. */
    readonly chunk: View,
  ) {
    this.state = source.state
    this.result = { done: false, value: chunk }
    source.keepArrays()
    // Does nothing yet: see Session.warmUp.
    this.return()
  }

  abstract next(): IteratorResult<View>

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

  /** @internal Calls back for each row of a loop that has just begun. */
  each(callback: Callback): void {
    this.source.each(this as never, callback)
  }

  [Symbol.iterator](): this {
    return this
  }
}
