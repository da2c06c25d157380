// Owns changes of many entities at once, with what happens around them: each entity is reported exactly once. Memory is promised
// first, so that one call of the core makes the change whenever it can.

import { SCRATCH_WORDS } from '../../build/layout'
import type { ValuesByComponent } from '../components/componentValues'
import type { EntityArray } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { Bundle } from '../state/bundle'
import type { Ending } from '../state/relationHooks'
import { writeShared } from '../values/bulkValues'
import type { WorldState } from '../state/worldState'
import { ADD } from './commandLog'

/** What a bulk change needs of its query. */
export interface Matching {
  /** A new list of the handles of all that match. */
  readonly list: () => EntityArray
  /** Changes all that match by one call of the core; undefined where only a part of them is meant. */
  readonly inOneCall: (() => number) | undefined
}

/**
 * Gives a bundle to all that match a query, or takes it. Returns how many match.
 *
 * @param kind ADD or REMOVE
 */
export function changeAll(
  state: WorldState,
  kind: number,
  query: Matching,
  bundle: Bundle,
  given: ValuesByComponent,
): number {
  const address = bundle.addressIn(state)
  const { around } = state
  const texts = state.texts.prepareGiven(bundle, given)
  const matching = query.list()
  if (kind === ADD) around.changing(matching, bundle, undefined, given)
  else around.changing(matching, undefined, bundle, undefined)
  const oneCall = sameAfter(state, around.before(), query, matching) ? query.inOneCall : undefined
  const unchanged = new Set<number>()
  state.reporting?.subscribers.naming(bundle, matching)
  const status =
    oneCall?.() ??
    forEachOf(state, matching, unchanged, (entity) => state.core.entityChange(entity, kind, address))
  state.heap.check()
  if (status < 0 && (oneCall !== undefined || unchanged.size === matching.length)) {
    state.texts.takeBack(texts)
    // Listeners learn that what was announced did not happen.
    around.failed()
    throw limitError(status, bundle.describeRows())
  }
  writeShared(
    bundle,
    unchanged.size === 0 ? matching : matching.filter((entity) => !unchanged.has(entity)),
    given,
  )
  around.after()
  if (status < 0) throw limitError(status, bundle.describeRows())
  return matching.length
}

/**
 * Destroys living entities, each named once: those of a query in the same way whether anybody is told or not, so that other rows and
 * handles come to lie where they would. Returns how many were destroyed.
 */
export function destroyAll(state: WorldState, entities: ArrayLike<number>, query?: Ending): number {
  const { relations } = state
  return relations === undefined
    ? destroyIndependent(state, entities, query)
    : relations.destroy(entities, query)
}

/** destroyAll for entities on which no others depend. */
export function destroyIndependent(state: WorldState, entities: ArrayLike<number>, query?: Ending): number {
  const { around } = state
  around.destroying(entities)
  const told = around.before()
  const oneCall = query !== undefined && sameAfter(state, told, query, entities) ? query.inOneCall : undefined
  state.reporting?.subscribers.dying(entities)
  if (oneCall === undefined) destroyListed(state, entities)
  else oneCall()
  state.heap.check()
  around.after()
  return entities.length
}

/** Reports the end of every entity before a reset or dispose, and drops what listeners queue. */
export function endAll(state: WorldState): void {
  if (!state.reports && state.upkeep === undefined) return
  const { around } = state
  around.destroying(state.livingHandles())
  around.before()
  around.endOfWorld()
  state.commands.forget()
  state.reporting?.forgetPending()
}

/** Destroys those of a list that are alive, with nothing around it. */
export function destroyListed(state: WorldState, entities: ArrayLike<unknown>): void {
  let held = 0
  for (let done = 0; done < entities.length; done += SCRATCH_WORDS) {
    const count = state.listPart(entities, done)
    held = state.core.entitiesDestroy(count, false, held, done + count === entities.length)
  }
}

/** Whether the query still finds what was told: a handler may have written a value that it filters by. */
function sameAfter(state: WorldState, told: boolean, query: Ending, matching: ArrayLike<number>): boolean {
  if (!told) return true
  state.lock()
  try {
    const now = query.list()
    return now.length === matching.length && now.every((entity, i) => entity === matching[i])
  } finally {
    // Not unlock: what the handlers queued must wait until the change is made.
    state.release()
  }
}

/**
 * Makes a change one by one; returns the first negative status, or 0. Entities that could not be changed are collected in
 * `unchanged` and reported as unchanged; the rest of the report covers the others.
 */
function forEachOf(
  state: WorldState,
  entities: EntityArray,
  unchanged: Set<number>,
  change: (entity: number) => number,
): number {
  let first = 0
  for (const entity of entities) {
    const status = change(entity)
    if (status >= 0) continue
    unchanged.add(entity)
    if (first === 0) first = status
  }
  if (unchanged.size > 0) state.around.without(unchanged)
  return first
}
