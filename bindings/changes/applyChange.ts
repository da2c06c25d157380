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

import { CHANGE_ADD, CHANGE_REMOVE, STATUS_DEAD, STATUS_NOTHING, STATUS_UPKEEP } from '../../build/layout'
import type { ValuesByComponent } from '../components/componentValues'
import { NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { Bundle, BundleNode } from '../state/bundle'
import type { LinkUpkeep } from '../state/relationHooks'
import type { Notes, Reporting } from '../state/changeObserver'
import { requireValues } from '../state/requiredValues'
import { rowOf } from '../state/rowLimits'
import { writeIngredients } from '../values/rowValues'
import type { Upkeep } from '../state/upkeep'
import type { WorldState } from '../state/worldState'
import { ADD, EXCHANGE, REMOVE, SPAWN } from './commandLog'
import type { QueuedNumbers } from './queuedNumbers'

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
  const hasTexts = given !== undefined && gains?.hasTexts === true
  if (!hasTexts && isQuiet(state, gains, losses)) return make(state, kind, entity, gains, losses, given)
  state.changing++
  try {
    return hasTexts
      ? performWithTexts(state, kind, entity, gains, losses, given)
      : performReady(state, kind, entity, gains, losses, given)
  } finally {
    state.changing--
    state.settle()
  }
}

/** Interns the texts before anything changes, and releases them if the change is not made. */
function performWithTexts(
  state: WorldState,
  kind: number,
  entity: number,
  gains: Bundle,
  losses: Bundle | undefined,
  given: NonNullable<ValuesByComponent>,
): number {
  const texts = state.texts.prepareGiven(gains, given)
  let result = STATUS_DEAD
  try {
    result = performReady(state, kind, entity, gains, losses, given)
  } finally {
    if (!isMade(result)) state.texts.takeBack(texts)
  }
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
    return performReady(state, kind, entity, gains, losses, numbers.given(gains, start))
  const result = make(state, kind, entity, gains, losses, undefined)
  if (isMade(result)) numbers.write(gains, entity, start)
  return result
}

/** Makes a change whose texts are interned; objects that make their own values get them before it. */
function performReady(
  state: WorldState,
  kind: number,
  entity: number,
  gains: Bundle | undefined,
  losses: Bundle | undefined,
  given: ValuesByComponent,
): number {
  if (gains?.holdsObjects !== true || !(isNew(kind, entity) || state.isAlive(entity)))
    return performWhole(state, kind, entity, gains, losses, given)
  // Components with objects are known to the core by now, so there is what keeps them.
  return (state.upkeep as Upkeep).withMakers(
    operationOf(kind, entity, losses),
    entity,
    gains,
    losses,
    given,
    isMade,
    (whole) => performWhole(state, kind, entity, gains, losses, whole),
  )
}

/** What a change is called in errors. */
export function operationOf(kind: number, entity: number, losses: Bundle | undefined): string {
  if (isNew(kind, entity)) return 'spawn'
  return losses === undefined ? 'add' : 'exchange'
}

const isNew = (kind: number, entity: number): boolean => kind === SPAWN && entity === NULL_ENTITY

/** Makes a change of which all is given, by the shortest way. */
function performWhole(
  state: WorldState,
  kind: number,
  entity: number,
  gains: Bundle | undefined,
  losses: Bundle | undefined,
  given: ValuesByComponent,
): number {
  // A relation is known to the core by now, so there is what keeps links in order.
  if (gains?.relates === true)
    return (state.relations as LinkUpkeep).make(kind, entity, gains, losses, given, attend)
  return isQuiet(state, gains, losses)
    ? make(state, kind, entity, gains, losses, given)
    : attend(state, kind, entity, gains, losses, given)
}

/** Whether nothing stands around a change. */
function isQuiet(state: WorldState, gains: Bundle | undefined, losses: Bundle | undefined): boolean {
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
  const result = call(state, kind, entity, addressOf(state, gains), addressOf(state, losses))
  if (given !== undefined && isMade(result))
    writeIngredients(gains as Bundle, entity === NULL_ENTITY ? result : entity, given)
  return result
}

/** Most bundles are known to the core: reading that is cheaper than a call. */
function addressOf(state: WorldState, bundle: Bundle | undefined): number {
  if (bundle === undefined) return 0
  return bundle.address !== 0 ? bundle.address : bundle.addressIn(state)
}

/** The one place that knows how the core is asked for each kind of change. */
function call(state: WorldState, kind: number, entity: number, to: number, from: number): number {
  const { core } = state
  let result: number
  if (kind === ADD) result = core.entityChange(entity, CHANGE_ADD, to)
  else if (kind === REMOVE) result = core.entityChange(entity, CHANGE_REMOVE, from)
  else if (kind === EXCHANGE) result = core.entityExchange(entity, from, to)
  else if (entity === NULL_ENTITY) result = core.entitySpawn(to) >>> 0
  else result = core.entityPlace(entity, to)
  state.heap.check()
  return result
}

const isMade = (result: number): boolean => result >= 0 && result !== NULL_ENTITY

// ── with what stands around it ───────────────────────────────────────────────────────────────────────────

/** Makes a change whose links are ready, if it has any. */
function attend(
  state: WorldState,
  kind: number,
  entity: number,
  gains: Bundle | undefined,
  losses: Bundle | undefined,
  given: ValuesByComponent,
): number {
  if (kind === SPAWN && entity === NULL_ENTITY) {
    if (gains?.needsUpkeep === true) requireValues(state, gains, given, entity, 'spawn')
    return attendFirst(state, kind, entity, gains, given)
  }
  if (!state.isAlive(entity)) return STATUS_DEAD
  const hasRow = state.hasRow(entity)
  // Of one that was reserved, values were required when that was asked for; but it may have a row by now.
  if (gains?.needsUpkeep === true && (hasRow || kind !== SPAWN))
    requireValues(state, gains, given, entity, operationOf(kind, entity, losses), losses)
  // An addition that replaces links loses them.
  if (gains !== undefined && losses !== undefined) kind = EXCHANGE
  if (!hasRow) return attendFirst(state, kind, entity, gains, given)
  const { around } = state
  const attended = around.changing(around.one(entity), gains, losses, given)
  if (attended) around.before()
  // What is left of a bundle without a dead target may be new.
  const from = addressOf(state, losses)
  const to = addressOf(state, gains)
  if (state.reporting !== undefined) note(state.reporting.subscribers, entity, gains, losses)
  const status = call(state, kind, entity, to, from)
  if (given !== undefined && status >= 0) writeIngredients(gains as Bundle, entity, given)
  if (!attended) state.settle()
  else if (status < 0) around.failed()
  else around.after()
  return status
}

/** Makes the change by which an entity gets its first row. */
function attendFirst(
  state: WorldState,
  kind: number,
  entity: number,
  gains: Bundle | undefined,
  given: ValuesByComponent,
): number {
  // There is nothing yet that it could lose.
  if (gains === undefined) return STATUS_NOTHING
  const to = addressOf(state, gains)
  state.reporting?.subscribers.spawning(gains)
  const result = call(state, kind === EXCHANGE ? ADD : kind, entity, to, 0)
  if (isMade(result)) {
    const born = entity === NULL_ENTITY ? result : entity
    if (given !== undefined) writeIngredients(gains, born, given)
    if (state.hasRow(born)) state.reporting?.subscribers.made()
    state.around.spawned(state.around.one(born), gains, given)
  }
  state.settle()
  return result
}

/** Notes the change for the subscribers of queries, directly before it is made. */
function note(
  subscribers: Notes,
  entity: number,
  gains: Bundle | undefined,
  losses: Bundle | undefined,
): void {
  if (gains !== undefined && losses !== undefined) subscribers.exchanging(losses, gains, entity)
  else subscribers.naming((gains ?? losses) as Bundle, [entity])
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
  const { around } = state
  around.destroying(around.one(entity))
  around.before()
  state.reporting?.subscribers.dying(around.one(entity))
  state.core.entityDestroy(entity, 0)
  around.after()
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
