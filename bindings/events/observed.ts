// Owns changes of single entities in a world with listeners: those of changes/one.ts with a report around.
// Each notes the change for the subscribers of queries, directly before it is made.
// It must never be on the way of a change in a world without listeners: changes/one.ts asks state.watching first.

import { CHANGE_ADD, CHANGE_REMOVE, STATUS_DEAD } from '../../build/layout'
import type { Given } from '../components/ingredients'
import { NULL_ENTITY } from '../memory/entity'
import type { Bundle } from '../rows/bundle'
import type { Upkeep } from '../rows/relating'
import { requireValues } from '../rows/requiring'
import { writeIngredients } from '../rows/values'
import type { WorldState } from '../rows/worldState'
import { observersOf } from './observersOf'

/** spawnEntity with its report. Returns the handle, NULL_ENTITY when there is none left. */
export function observedSpawn(state: WorldState, bundle: Bundle, given: Given): number {
  return bundle.relates
    ? upkeepOf(state).makeNew(bundle, given, reportSpawn)
    : reportSpawn(state, NULL_ENTITY, bundle, given)
}

function reportSpawn(state: WorldState, _: number, bundle: Bundle, given: Given): number {
  requireValues(state, bundle, given, NULL_ENTITY, 'spawn')
  const address = bundle.addressIn(state)
  observersOf(state).subscribers.spawning(bundle)
  const entity = state.core.entitySpawn(address) >>> 0
  state.heap.check()
  if (entity !== NULL_ENTITY) begun(state, entity, bundle, given)
  state.settle()
  return entity
}

/** placeEntity with its report. Returns the core's status. */
export function observedPlace(state: WorldState, entity: number, bundle: Bundle, given: Given): number {
  if (state.isAlive(entity) && state.hasRow(entity)) return observedAdd(state, entity, bundle, given)
  return bundle.relates
    ? upkeepOf(state).make(entity, bundle, given, undefined, reportPlace)
    : reportPlace(state, entity, bundle, given)
}

function reportPlace(state: WorldState, entity: number, bundle: Bundle, given: Given): number {
  const address = bundle.addressIn(state)
  observersOf(state).subscribers.spawning(bundle)
  const status = state.core.entityPlace(entity, address)
  state.heap.check()
  if (status >= 0) begun(state, entity, bundle, given)
  return status
}

/** addComponents with its report. Returns the core's status. */
export function observedAdd(state: WorldState, entity: number, bundle: Bundle, given: Given): number {
  return bundle.relates
    ? upkeepOf(state).make(entity, bundle, given, undefined, reportAdd)
    : reportAdd(state, entity, bundle, given)
}

/** With losses, of links that are replaced, it is an exchange. */
function reportAdd(state: WorldState, entity: number, bundle: Bundle, given: Given, losses?: Bundle): number {
  if (losses !== undefined) return reportExchange(state, entity, bundle, given, losses)
  const observers = observersOf(state)
  if (!state.isAlive(entity)) return STATUS_DEAD
  requireValues(state, bundle, given, entity, 'add')
  const { report } = observers
  const placed = state.hasRow(entity)
  const told = placed && observers.watchOfBundle(bundle).concerns
  if (told) {
    report.adding(report.one(entity), bundle, given)
    report.before()
  }
  const address = bundle.addressIn(state)
  if (placed) observers.subscribers.naming(bundle, entity)
  else observers.subscribers.spawning(bundle)
  const status = state.core.entityChange(entity, CHANGE_ADD, address)
  state.heap.check()
  if (status >= 0 && !placed) begun(state, entity, bundle, given)
  else if (status >= 0) {
    if (given !== undefined) writeIngredients(bundle, entity, given)
    if (told) report.after()
  } else if (told) report.failed()
  state.settle()
  return status
}

/** removeComponents with its report. Returns the core's status. */
export function observedRemove(state: WorldState, entity: number, bundle: Bundle): number {
  const observers = observersOf(state)
  const { report } = observers
  if (!state.isAlive(entity)) return STATUS_DEAD
  const told = observers.watchOfBundle(bundle).concerns
  if (told) {
    report.removing(report.one(entity), bundle)
    report.before()
  }
  const address = bundle.addressIn(state)
  observers.subscribers.naming(bundle, entity)
  const status = state.core.entityChange(entity, CHANGE_REMOVE, address)
  state.heap.check()
  if (told) conclude(state, status)
  state.settle()
  return status
}

/** exchangeComponents with its report. Returns the core's status. */
export function observedExchange(
  state: WorldState,
  entity: number,
  removed: Bundle,
  added: Bundle,
  given: Given,
): number {
  return added.relates
    ? upkeepOf(state).make(entity, added, given, removed, reportExchange)
    : reportExchange(state, entity, added, given, removed)
}

function reportExchange(
  state: WorldState,
  entity: number,
  added: Bundle,
  given: Given,
  losses?: Bundle,
): number {
  const removed = losses as Bundle
  const observers = observersOf(state)
  const { report } = observers
  if (!state.isAlive(entity)) return STATUS_DEAD
  requireValues(state, added, given, entity, 'exchange', removed)
  const placed = state.hasRow(entity)
  if (placed) {
    report.exchanging(report.one(entity), removed, added, given)
    report.before()
  }
  const from = removed.addressIn(state)
  const to = added.addressIn(state)
  if (placed) observers.subscribers.exchanging(removed, added, entity)
  else observers.subscribers.spawning(added)
  const status = state.core.entityExchange(entity, from, to)
  state.heap.check()
  if (status >= 0 && !placed) {
    begun(state, entity, added, given)
    state.settle()
    return status
  }
  if (status >= 0 && given !== undefined) writeIngredients(added, entity, given)
  if (placed) conclude(state, status)
  state.settle()
  return status
}

/** destroyEntity with its report. Returns whether the entity was alive. */
export function observedDestroy(state: WorldState, entity: number): boolean {
  if (!state.isAlive(entity)) return false
  const { relations } = state
  if (relations?.isTarget(entity) === true) return relations.destroy([entity]) > 0
  const { report, subscribers } = observersOf(state)
  report.destroying(report.one(entity))
  report.before()
  subscribers.dying(entity)
  state.core.entityDestroy(entity, 0)
  report.after()
  return true
}

/** A bundle with a relation is known to the core by now, so there is what keeps links in order. */
function upkeepOf(state: WorldState): Upkeep {
  return state.relations as Upkeep
}

/** An entity has just got its first row: writes the values and tells. */
function begun(state: WorldState, entity: number, bundle: Bundle, given: Given): void {
  if (given !== undefined) writeIngredients(bundle, entity, given)
  const observers = observersOf(state)
  if (!observers.watchOfBundle(bundle).concerns) return
  observers.report.spawned(observers.report.one(entity), bundle, given)
  observers.report.after()
}

/** Tells how a change ended that was told of. */
function conclude(state: WorldState, status: number): void {
  if (status < 0) observersOf(state).report.failed()
  else observersOf(state).report.after()
}
