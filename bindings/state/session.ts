// Owns when a change may be made: whether a loop is open, what waits for its end, the first error of what waited, and
// world.batch. A lock is opened only where the stack has room to close it.

import { checkCallback, refuseOther, refusePromise } from '../memory/arguments'
import type { Entity } from '../memory/entity'
import { DeadEntityError, StrataError } from '../memory/errors'
import { Handles } from '../memory/handles'
import type { Reporting } from './changeObserver'
import { type DescribedQuery, OpenLoops } from './openLoops'
import type { WorldState } from './worldState'

/** Bits of Session.watching: there are listeners for single entities, or subscribers to the result of a query. */
export const LISTENERS = 1
export const SUBSCRIBERS = 2

/** Changes that wait for the end of a loop: see changes/commandQueue.ts. */
export interface WaitingChanges {
  readonly count: number
  /** Whether what has waited is being applied. */
  readonly flushing: boolean
  /** Waits with anything that concerns many entities. */
  later(action: () => void): void
  /** Applies all that waits. */
  flush(): void
  /** Drops all that waits. */
  forget(): void
}

export abstract class Session extends Handles {
  /**
   * How many loops, kernel runs, callbacks of spawnMany, batches and listeners are open. Structural changes wait while
   * it is not 0. Only this file changes it.
   */
  locks = 0
  /** Number of the outermost loop that is, or was last, open. */
  loop = 0
  /** Which of these are loops over queries. */
  readonly loops = new OpenLoops()
  disposed = false
  /** Code of the program runs in the middle of a snapshot, a save or a merge: see seal. */
  isSealed = false
  /**
   * 0 while there are no listeners and no subscribers: the one test that every change makes.
   * Bits: LISTENERS, SUBSCRIBERS.
   */
  watching = 0
  /** Grows whenever something else is listened for. */
  listening = 0
  /** How many changes are being made, one inside the other: nothing settles until the outermost one is over. */
  changing = 0
  /**
   * Entities are being made in several steps. Nothing of these is told: tellMade tells what they come to, as one change.
   */
  completing = false
  /** Set by the world. */
  commands!: WaitingChanges
  /** The first error of handlers and queued changes, thrown when all are done. */
  failure: { readonly error: unknown } | undefined

  /**
   * Whether a listener, or a function of a declaration, is running. Structural changes and reports of sets wait until the report
   * under way is over.
   */
  emitting = false
  /** The observers, made by the first call that listens: see events/observers.ts. */
  reporting: Reporting | undefined = undefined

  /**
   * A handle that is alive at once and has no row. Inside a loop this never grows memory; outside, there is room
   * for `count` handles, this one and those asked for next, when this one is given.
   */
  reserve(count = 1): Entity {
    if (this.locks === 0) return this.reserveNow(count)
    this.refuseSealed()
    return this.promise()
  }

  /** Takes a lock, or, where the stack has no room to give it back, throws and takes none. */
  lock(): void {
    if (withStackRoom(this.locks) === 0) this.loop++
    this.locks++
  }

  /** Throws while the world is sealed. Everything that is queued passes here. */
  refuseSealed(): void {
    if (this.isSealed) {
      throw new StrataError(
        'WORLD_LOCKED',
        'A world cannot change while migrate, or save or load, runs: change it after.',
      )
    }
  }

  /**
   * Runs once what closes a loop. A function is compiled at its first call, which takes far more of the stack than the
   * call: a loop that the end of the stack ends must find it compiled, or the world would stay locked.
   */
  warmUp(): void {
    const nothing = { describe: () => '' }
    this.open(nothing)
    this.lock()
    this.release()
    this.close(nothing)
    this.endCalls(this.beginCalls())
    this.commands.flush()
  }

  /** Gives a lock back; what waits for the end is left to whoever settles. */
  release(): void {
    this.locks--
  }

  /** Closes a loop; the outermost one applies what was queued, and makes room for handles and texts only promised. */
  unlock(): void {
    this.locks--
    this.settle()
  }

  /**
   * Call where a block ends by an error, with the locks and the number of open loops from before the block. Blocks inside
   * it that met the end of the stack may have had no room to unlock: only loops can still be open.
   */
  relock(locks: number, loopCount: number): void {
    this.locks = locks + 1 + this.loops.count - loopCount
  }

  /** Opens a loop over a query: all at once, or, where the stack ends, not at all. */
  open(query: DescribedQuery): void {
    const locks = withStackRoom(this.locks)
    this.loops.open(query)
    if (locks === 0) this.loop++
    this.locks++
  }

  /** Closes the loop over a query. */
  close(query: DescribedQuery): void {
    this.loops.close(query)
    this.unlock()
  }

  /**
   * Once no loop is open and no change is being made: applies what was queued, makes records for what was only promised, throws
   * the first error. So what is thrown inside of a change is its refusal, never the error of a listener.
   */
  settle(): void {
    if (this.owed && this.locks === 0 && this.changing === 0) this.commands.flush()
  }

  /** Locks the world before functions of the program run; pass what it returns to endCalls. For callers that make no closure. */
  beginCalls(): boolean {
    this.lock()
    const nested = this.emitting
    this.emitting = true
    return nested
  }

  endCalls(nested: boolean): void {
    this.emitting = nested
    this.release()
  }

  /** Whether there are listeners for single entities: bulk changes must then report each entity. */
  get reports(): boolean {
    return (this.watching & LISTENERS) !== 0
  }

  /** Makes several changes outside of any loop as one: what listeners queue or throw, and the subscribers of queries, wait for the end. */
  together<R>(changes: () => R): R {
    this.changing++
    try {
      return changes()
    } finally {
      this.changing--
      this.settle()
    }
  }

  /** Keeps the first error until all is done. */
  fail(error: unknown): void {
    this.failure ??= { error }
    this.owed = true
  }

  takeFailure(): { readonly error: unknown } | undefined {
    const { failure } = this
    this.failure = undefined
    return failure
  }

  /** Refuses what cannot wait for the end of a loop. */
  refuseWhileLocked(operation: string): void {
    if (this.locks > 0) throw this.loops.refusal(operation)
  }

  /** The error for a call that needs a living entity. */
  dead(entity: number, operation: string): Error {
    this.refuseDisposed()
    refuseOther(entity, operation)
    return new DeadEntityError(entity, operation)
  }

  /** For what is not alive: there is nothing to do, unless the world is disposed or it cannot be an entity. */
  refuse(entity: unknown, operation: string): false {
    this.refuseDisposed()
    return refuseOther(entity, operation)
  }

  /** Throws when the world is gone. */
  refuseDisposed(): void {
    if (this.disposed) {
      throw new StrataError('WORLD_DISPOSED', 'This world was disposed: create a new one with createWorld().')
    }
  }
}

/**
 * Closes the loops that were left open: iterators taken by hand and never returned. They end at their next
 * step, and what they queued is applied now.
 */
export function abandonLoops(session: Session): void {
  if (session.locks === 0) return
  session.locks = 0
  session.loops.abandon()
  // An iterator of another loop than this one is over.
  session.loop++
  session.settle()
}

/** Locks the world for code of the program that must not change it: nothing waits, because nothing may be queued. */
export function seal(session: Session): void {
  session.isSealed = true
  session.lock()
}

export function unseal(session: Session): void {
  session.isSealed = false
  session.unlock()
}

/** Calls listeners, or functions of a declaration, with the world locked. What they queue waits for settle. */
export function calling(session: Session, functions: () => void): void {
  const nested = session.beginCalls()
  try {
    functions()
  } finally {
    session.endCalls(nested)
  }
}

/** Makes steps of a change that tellMade tells as a whole: meanwhile the world has no listeners. */
export function inSteps(session: Session, steps: () => void): void {
  const { watching } = session
  session.completing = true
  session.changing++
  session.watching = 0
  try {
    steps()
  } finally {
    session.completing = false
    session.changing--
    // Code that ran meanwhile may have begun to listen.
    session.watching |= watching
  }
}

/** world.batch */
export function batch<R>(state: WorldState, action: () => R): R {
  state.refuseDisposed()
  checkCallback('batch', action)
  const { locks, loops } = state
  const { count } = loops
  state.lock()
  try {
    const result = action()
    refusePromise('batch', result)
    return result
  } catch (error) {
    state.relock(locks, count)
    throw error
  } finally {
    state.unlock()
  }
}

/**
 * Passes a number on, or throws the engine's RangeError where the stack has less than 2 KB left.
 *
 * What opens a lock must close it again, and at the end of the stack there may be no room for that: opening is often compiled
 * into the caller, where it needs little, while closing is a few calls deep. So the room is asked for before anything is
 * opened. An engine does that by itself when it enters a function, for all the places that the function has for values; this one
 * has 256 for the arguments of a call that is never made. It is too long for a compiler to put into its callers, which would do
 * away with them, and the arguments are no constants, which a bundler would do away with.
 *
 * @param n not negative
 */
function withStackRoom(n: number): number {
  // prettier-ignore
  return n >= 0 ? n : Math.max(
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
  )
}
