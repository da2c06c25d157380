// Owns one change of one entity: the call into the core, the values that it brings, and, where something listens or a component
// needs upkeep, what happens around it. It must never be called while a loop is open. What a failure means is for the caller: it
// gets the core's status.
//
// A change is five values, passed separately: an object for each change would be an allocation. The log of queued changes
// (commandLog.ts) keeps them in parallel arrays.
//
//   kind       SPAWN    ADD      REMOVE   EXCHANGE    DESTROY: see destroyEntity
//   entity     or       its      its      its
//              NULL     handle   handle   handle
//   gains      all      bundle   -        bundle      a component that the entity has stays as it is, unless it is given values
//   losses     -        -        bundle   bundle      what is in both bundles starts over
//   given      values   values   -        values      in the order of `gains`
//
// SPAWN makes a new entity for NULL_ENTITY; for a handle that was reserved it gives that one its row.

import { STATUS_DEAD, STATUS_UPKEEP } from '../../build/layout'
import type { ValuesByComponent } from '../components/componentValues'
import { NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { Bundle, BundleNode } from '../state/bundle'
import type { ChangeCalls } from '../state/changeHooks'
import type { Reporting } from '../state/changeObserver'
import { rowOf } from '../state/rowLimits'
import { NO_IDS } from '../state/textSource'
import { writeIngredients } from '../values/rowValues'
import type { WorldState } from '../state/worldState'
import type { QueuedNumbers } from './queuedNumbers'
import { addressOf, changeRow, isMade } from './entityRows'

/**
 * Makes a change. Returns a status of the core, above 0 when a component came or went; for a new entity its handle,
 * NULL_ENTITY, with the world's status set, if it cannot be made.
 */
export function perform(
  state: WorldState,
  kind: number,
  entity: number,
  gains: Bundle | undefined,
  losses: Bundle | undefined,
  given: ValuesByComponent,
): number {
  // Makes components known to the world, relations among them.
  addressOf(state, losses)
  addressOf(state, gains)
  if (!isQuiet(state, gains, losses))
    return (state.changes as ChangeCalls).applyOne(state, kind, entity, gains, losses, given)
  // Before anything changes.
  const texts =
    given !== undefined && gains?.hasTexts === true ? state.texts.prepareGiven(gains, given) : NO_IDS
  const result = make(state, kind, entity, gains, losses, given)
  if (texts.length > 0 && !isMade(result)) state.texts.takeBack(texts)
  return result
}

/**
 * perform for a queued change of an entity, whose values are numbers.
 *
 * @param start where they begin
 */
export function performNumbers(
  state: WorldState,
  kind: number,
  entity: number,
  gains: Bundle,
  losses: Bundle | undefined,
  numbers: QueuedNumbers,
  start: number,
): number {
  addressOf(state, losses)
  addressOf(state, gains)
  if (!isQuiet(state, gains, losses))
    return (state.changes as ChangeCalls).applyOne(
      state,
      kind,
      entity,
      gains,
      losses,
      numbers.given(gains, start),
    )
  const result = make(state, kind, entity, gains, losses, undefined)
  if (isMade(result)) numbers.write(gains, entity, start)
  return result
}

/** Whether nothing stands around a change. */
export function isQuiet(state: WorldState, gains: Bundle | undefined, losses: Bundle | undefined): boolean {
  return (
    gains?.needsUpkeep !== true &&
    losses?.needsUpkeep !== true &&
    isIgnored(state, gains) &&
    isIgnored(state, losses)
  )
}

/** Whether nothing that is listened for has to do with a bundle. */
export function isIgnored(state: WorldState, bundle: Bundle | undefined): boolean {
  return (
    state.watching === 0 ||
    bundle === undefined ||
    bundle.ignoredAt === state.listening ||
    (state.reporting as Reporting).ignores(bundle)
  )
}

/** Whether a listener may listen for a change of these components: then each entity is reported. */
export function isHeard(state: WorldState, bundle: Bundle): boolean {
  return state.reports && state.reporting?.hears(bundle) === true
}

/** Whether the next change with a bundle is one call into the core, and the values that it brings. */
export function isDirect(state: WorldState, bundle: BundleNode): boolean {
  return state.locks === 0 && bundle.directAddress !== 0 && isIgnored(state, bundle)
}

/** Whether the spawn of an entity with a bundle is one call into the core, and the values that it brings. */
export function isDirectSpawn(state: WorldState, bundle: BundleNode): boolean {
  return (
    state.locks === 0 &&
    bundle.directAddress !== 0 &&
    (state.watching === 0 || !(state.reporting as Reporting).hearsSpawn(bundle))
  )
}

/** Whether a change with the component that calls named last is known to be direct, if it is that at all. */
export function isRecentQuiet({ locks, bundles, listening }: WorldState): boolean {
  return locks === 0 && bundles.recentChild.ignoredAt === listening
}

/** Makes a change around which nothing stands. */
function make(
  state: WorldState,
  kind: number,
  entity: number,
  gains: Bundle | undefined,
  losses: Bundle | undefined,
  given: ValuesByComponent,
): number {
  const result = changeRow(state, kind, entity, addressOf(state, gains), addressOf(state, losses))
  if (given !== undefined && isMade(result))
    writeIngredients(gains as Bundle, entity === NULL_ENTITY ? result : entity, given)
  return result
}

// ── the end of an entity ─────────────────────────────────────────────────────────────────────────────────

/** Destroys an entity. Returns whether it was alive. */
export function destroyEntity(state: WorldState, entity: number): boolean {
  if (state.watching === 0 || state.reporting?.ignoresEntity(entity) === true) {
    const status = state.core.entityDestroy(entity, 1)
    if (status !== STATUS_UPKEEP) return status > 0
  }
  return attendEnd(state, entity)
}

function attendEnd(state: WorldState, entity: number): boolean {
  if (!state.isAlive(entity)) return false
  const { relations } = state
  if (relations?.isTarget(entity) === true) return relations.destroy([entity]) > 0
  ;(state.changes as ChangeCalls).end(state, [entity])
  return true
}

/** The error for a negative status of a change to one entity. */
export function changeError(
  state: WorldState,
  status: number,
  bundle: Bundle,
  entity: number,
  operation: string,
  removed?: Bundle,
): Error {
  if (status === STATUS_DEAD) return state.dead(entity, operation)
  const kept = rowOf(state, entity).filter((definition) => removed?.contains(definition) !== true)
  return limitError(status, bundle.describeRows(kept))
}
