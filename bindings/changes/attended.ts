// Owns changes of single entities that are more than a call into the core: those of changes/one.ts in a world where something
// listens, or of components that need upkeep. Each notes the change for the subscribers of queries, directly before it is made.
// It must never be on the way of any other change: changes/one.ts asks first.

import { CHANGE_ADD, CHANGE_REMOVE, STATUS_DEAD } from '../../build/layout'
import type { Given } from '../components/ingredients'
import { NULL_ENTITY } from '../memory/entity'
import type { Bundle } from '../rows/bundle'
import type { LinkUpkeep } from '../rows/relating'
import { requireValues } from '../rows/requiring'
import { writeIngredients } from '../rows/values'
import type { WorldState } from '../rows/worldState'

/** spawnEntity with what stands around it. Returns the handle, NULL_ENTITY when there is none left. */
export function attendedSpawn(state: WorldState, bundle: Bundle, given: Given): number {
  return bundle.relates
    ? linksOf(state).makeNew(bundle, given, spawnNow)
    : spawnNow(state, NULL_ENTITY, bundle, given)
}

function spawnNow(state: WorldState, _: number, bundle: Bundle, given: Given): number {
  requireValues(state, bundle, given, NULL_ENTITY, 'spawn')
  const address = bundle.addressIn(state)
  state.reporting?.subscribers.spawning(bundle)
  const entity = state.core.entitySpawn(address) >>> 0
  state.heap.check()
  if (entity !== NULL_ENTITY) begun(state, entity, bundle, given)
  state.settle()
  return entity
}

/** placeEntity with what stands around it. Returns the core's status. */
export function attendedPlace(state: WorldState, entity: number, bundle: Bundle, given: Given): number {
  if (state.isAlive(entity) && state.hasRow(entity)) return attendedAdd(state, entity, bundle, given)
  return bundle.relates
    ? linksOf(state).make(entity, bundle, given, undefined, placeNow)
    : placeNow(state, entity, bundle, given)
}

function placeNow(state: WorldState, entity: number, bundle: Bundle, given: Given): number {
  const address = bundle.addressIn(state)
  state.reporting?.subscribers.spawning(bundle)
  const status = state.core.entityPlace(entity, address)
  state.heap.check()
  if (status >= 0) begun(state, entity, bundle, given)
  return status
}

/** addComponents with what stands around it. Returns the core's status. */
export function attendedAdd(state: WorldState, entity: number, bundle: Bundle, given: Given): number {
  return bundle.relates
    ? linksOf(state).make(entity, bundle, given, undefined, addNow)
    : addNow(state, entity, bundle, given)
}

/** With losses, of links that are replaced, it is an exchange. */
function addNow(state: WorldState, entity: number, bundle: Bundle, given: Given, losses?: Bundle): number {
  if (losses !== undefined) return exchangeNow(state, entity, bundle, given, losses)
  if (!state.isAlive(entity)) return STATUS_DEAD
  requireValues(state, bundle, given, entity, 'add')
  const { around } = state
  const placed = state.hasRow(entity)
  const attended = placed && around.adding(around.one(entity), bundle, given)
  if (attended) around.before()
  const address = bundle.addressIn(state)
  if (placed) state.reporting?.subscribers.naming(bundle, entity)
  else state.reporting?.subscribers.spawning(bundle)
  const status = state.core.entityChange(entity, CHANGE_ADD, address)
  state.heap.check()
  if (status >= 0 && !placed) begun(state, entity, bundle, given)
  else if (status >= 0) {
    if (given !== undefined) writeIngredients(bundle, entity, given)
    if (attended) around.after()
  } else if (attended) around.failed()
  state.settle()
  return status
}

/** removeComponents with what stands around it. Returns the core's status. */
export function attendedRemove(state: WorldState, entity: number, bundle: Bundle): number {
  if (!state.isAlive(entity)) return STATUS_DEAD
  const { around } = state
  const attended = around.removing(around.one(entity), bundle)
  if (attended) around.before()
  const address = bundle.addressIn(state)
  state.reporting?.subscribers.naming(bundle, entity)
  const status = state.core.entityChange(entity, CHANGE_REMOVE, address)
  state.heap.check()
  if (attended) conclude(state, status)
  state.settle()
  return status
}

/** exchangeComponents with what stands around it. Returns the core's status. */
export function attendedExchange(
  state: WorldState,
  entity: number,
  removed: Bundle,
  added: Bundle,
  given: Given,
): number {
  return added.relates
    ? linksOf(state).make(entity, added, given, removed, exchangeNow)
    : exchangeNow(state, entity, added, given, removed)
}

function exchangeNow(
  state: WorldState,
  entity: number,
  added: Bundle,
  given: Given,
  losses?: Bundle,
): number {
  const removed = losses as Bundle
  if (!state.isAlive(entity)) return STATUS_DEAD
  requireValues(state, added, given, entity, 'exchange', removed)
  const { around } = state
  const placed = state.hasRow(entity)
  const attended = placed && around.exchanging(around.one(entity), removed, added, given)
  if (attended) around.before()
  const from = removed.addressIn(state)
  const to = added.addressIn(state)
  if (placed) state.reporting?.subscribers.exchanging(removed, added, entity)
  else state.reporting?.subscribers.spawning(added)
  const status = state.core.entityExchange(entity, from, to)
  state.heap.check()
  if (status >= 0 && !placed) {
    begun(state, entity, added, given)
    state.settle()
    return status
  }
  if (status >= 0 && given !== undefined) writeIngredients(added, entity, given)
  if (attended) conclude(state, status)
  state.settle()
  return status
}

/** destroyEntity with what stands around it. Returns whether the entity was alive. */
export function attendedDestroy(state: WorldState, entity: number): boolean {
  if (!state.isAlive(entity)) return false
  const { relations } = state
  if (relations?.isTarget(entity) === true) return relations.destroy([entity]) > 0
  const { around } = state
  around.destroying(around.one(entity))
  around.before()
  state.reporting?.subscribers.dying(entity)
  state.core.entityDestroy(entity, 0)
  around.after()
  return true
}

/** A bundle with a relation is known to the core by now, so there is what keeps links in order. */
function linksOf(state: WorldState): LinkUpkeep {
  return state.relations as LinkUpkeep
}

/** An entity has just got its first row: writes the values and tells. */
function begun(state: WorldState, entity: number, bundle: Bundle, given: Given): void {
  if (given !== undefined) writeIngredients(bundle, entity, given)
  state.around.spawned(state.around.one(entity), bundle, given)
}

/** Says how a change ended. */
function conclude(state: WorldState, status: number): void {
  if (status < 0) state.around.failed()
  else state.around.after()
}
