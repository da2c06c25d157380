// Owns the readers of removals of one world, and the log that each has in linear memory, so that snapshots, forks and replicas
// have what was not taken yet. It must never let a removal fail: an entry for which memory has run out is counted instead.
//
// A log is kept in segments. Each is a hidden resource, a table with one row, and nothing special to the core. They are made
// when they are first needed, and none ever moves.
//
//   segment 0  ┌───────┬────────┐┌────────┬──────┐┌────────┬──────┐
//              │ count │ missed ││ entity │ died ││ entity │ died │ …      and so on in segment 1, 2, …
//              └───────┴────────┘└────────┴──────┘└────────┴──────┘

import { TABLE_ROWS } from '../../build/layout'
import type { ComponentLike } from '../components/component'
import { type Definition, defineHidden, definitionOf } from '../components/definition'
import { u32, vec } from '../components/fields'
import { notAComponent } from '../components/notAComponent'
import { rareOf } from '../memory/coreParts'
import type { Entity } from '../memory/entity'
import { LimitError } from '../memory/errors'
import type { HandleList } from '../memory/handleList'
import { type Registration, onlyRowOf } from '../state/registration'
import type { RowRef } from '../cursors/rowRef'
import { type WorldState, stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { observersOf } from './observers'

/** A removal, as a reader tells it. */
export interface Removal {
  /** The entity that lost the component. Its handle may be dead, and alive again. */
  readonly entity: Entity
  /** Whether it lost the component by being destroyed. */
  readonly died: boolean
}

/** What createRemovalReader returns: it tells which entities have lost a component, each removal once. */
export interface RemovalReader {
  /**
   * The removals since the last call, in the order in which they were made: an entity that got the component again is
   * among them, and one that lost it twice is there twice. Allowed everywhere; inside a loop, removals that wait for its end
   * are not there yet. Allocates an object for each removal, and nothing when there is none.
   *
   * @returns a list that does not change any more; empty after dispose
   * @throws StrataError WORLD_DISPOSED
   */
  read(): readonly Removal[]
  /**
   * How many removals the last read could not tell, because 1,048,575 were waiting already or memory had run out: those
   * after the ones that it returned. 0 otherwise.
   */
  readonly missed: number
  /** Ends the reader and frees what it keeps in memory. A second call does nothing. */
  dispose(): void
}

/** Where the removals of a component are noted: one for each reader. */
export interface RemovalLog {
  /** Which of the logs of its component it is, from 0. */
  readonly ordinal: number
  /** Entities have just lost the component. */
  note(entities: HandleList, died: boolean): void
}

/** log2 of where each segment begins and ends, in entries. The first entry of all counts the others. */
const STARTS = [0, 6, 10, 14, 17, 20]
const startOf = (segment: number): number => (segment === 0 ? 0 : 1 << (STARTS[segment] as number))
const MOST_SEGMENTS = STARTS.length - 1
/** So many segments are kept when all has been taken: 8 KiB. */
const KEPT_SEGMENTS = 2
const WORDS = 2
const COUNT = 0
const MISSED = 1

const NOTHING: readonly Removal[] = /* @__PURE__ */ Object.freeze([])

/** The declarations of the segments of all logs of a component: by the ordinal of the log, then by segment. */
const declared = /* @__PURE__ */ new WeakMap<Definition, Definition[]>()

function segmentOf(component: Definition, ordinal: number, segment: number): Definition {
  const known = declared.get(component) ?? []
  declared.set(component, known)
  return (known[ordinal * MOST_SEGMENTS + segment] ??= defineHidden(
    `removals ${ordinal}.${segment} of ${component.componentName}`,
    [vec(u32, (startOf(segment + 1) - startOf(segment)) * WORDS)],
  ))
}

class ComponentRemovals implements RemovalReader, RemovalLog {
  missed = 0
  /** Removals for which there was not even memory to count them. */
  private unnoted = 0
  private active = true

  constructor(
    private readonly state: WorldState,
    private readonly component: Definition,
    readonly ordinal: number,
  ) {
    // Where it may be: what becomes known later makes restores to snapshots from before it slower.
    if (state.locks === 0) this.obtain(0)
  }

  note(entities: HandleList, died: boolean): void {
    const { heap } = this.state
    const counts = this.obtain(0)
    if (counts < 0) {
      this.unnoted += entities.count
      return
    }
    let count = heap.u32[counts + COUNT] as number
    let noted = 0
    for (let segment = 0; segment < MOST_SEGMENTS && noted < entities.count; segment++) {
      const end = startOf(segment + 1)
      // The first entry counts the others.
      if (count + 1 >= end) continue
      const found = this.obtain(segment)
      if (found < 0) break
      const first = found - startOf(segment) * WORDS
      for (; count + 1 < end && noted < entities.count; noted++) {
        const record = first + ++count * WORDS
        heap.u32[record] = entities.items[noted] as number
        heap.u32[record + 1] = died ? 1 : 0
      }
    }
    heap.u32[counts + COUNT] = count
    heap.u32[counts + MISSED] = (heap.u32[counts + MISSED] as number) + entities.count - noted
  }

  read(): readonly Removal[] {
    const { heap, locks } = this.state
    this.state.refuseDisposed()
    this.missed = this.unnoted
    this.unnoted = 0
    const counts = this.find(0)
    if (!this.active || counts < 0) return NOTHING
    const count = heap.u32[counts + COUNT] as number
    this.missed += heap.u32[counts + MISSED] as number
    heap.u32[counts + COUNT] = 0
    heap.u32[counts + MISSED] = 0
    if (count === 0) return NOTHING
    const removals = this.list(count)
    if (locks === 0) this.release(KEPT_SEGMENTS)
    return removals
  }

  private list(count: number): readonly Removal[] {
    const { u32 } = this.state.heap
    const removals: Removal[] = []
    for (let segment = 0, number = 1; number <= count; segment++) {
      const first = this.find(segment) - startOf(segment) * WORDS
      for (; number <= count && number < startOf(segment + 1); number++) {
        const record = first + number * WORDS
        removals.push({ entity: u32[record] as Entity, died: u32[record + 1] === 1 })
      }
    }
    return removals
  }

  dispose(): void {
    if (!this.active) return
    this.active = false
    observersOf(this.state).changeLogs(this.component, (logs) => logs.filter((log) => log !== this))
    if (!this.state.disposed) this.release(0)
  }

  /** Gives back the segments from this one on. */
  private release(least: number): void {
    const { state } = this
    for (let segment = least; segment < MOST_SEGMENTS && this.find(segment) >= 0; segment++)
      rareOf(state).resourceRemove((this.known(segment) as Registration).id)
    state.heap.check()
  }

  private known(segment: number): Registration | undefined {
    return this.state.known(segmentOf(this.component, this.ordinal, segment))
  }

  /** Index in Heap.u32 of the first word of a segment; -1 where there is none, also since a restore or a reset. */
  private find(segment: number): number {
    const registration = this.known(segment)
    if (registration === undefined || this.state.heap.word(registration.pool + TABLE_ROWS) === 0) return -1
    const { data, placement } = onlyRowOf(registration) as RowRef
    return (data + (placement.offsets[0] as number)) >> 2
  }

  /** Where a segment is, made if need be; -1 when there is no memory for it. */
  private obtain(segment: number): number {
    const found = this.find(segment)
    if (found >= 0) return found
    const { state } = this
    try {
      const { id } = state.register(segmentOf(this.component, this.ordinal, segment))
      rareOf(state).resourceMake(id)
      state.heap.check()
    } catch (error) {
      if (!(error instanceof LimitError)) throw error
    }
    return this.find(segment)
  }
}

/**
 * A reader that tells which entities have lost the component, or were destroyed with it, from now on: each removal once,
 * whenever you take them, with a memory of its own. That memory belongs to the world: snapshots have it, and after a restore
 * the reader tells again what it would have told then. A reader of the same component in a fork, made in the same order,
 * goes on with what the one here has not taken. Costs nothing while there is no reader; with one, changes of the component
 * are made as with a listener. Dispose of it when it is no longer needed: removals that are not taken are kept, up to 8 MiB.
 *
 * @throws StrataTypeError NOT_A_COMPONENT
 * @example const lost = createRemovalReader(world, Health); for (const { entity, died } of lost.read()) …
 */
export function createRemovalReader(world: World, component: ComponentLike): RemovalReader {
  const state = stateOf(world, 'createRemovalReader')
  state.refuseDisposed()
  const definition = definitionOf(component)
  if (definition === undefined) throw notAComponent(component, 'createRemovalReader')
  let reader: ComponentRemovals | undefined
  observersOf(state).changeLogs(definition, (logs) => {
    let ordinal = 0
    while (logs.some((log) => log.ordinal === ordinal)) ordinal++
    reader = new ComponentRemovals(state, definition, ordinal)
    return [...logs, reader]
  })
  return reader as unknown as RemovalReader
}
