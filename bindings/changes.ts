// Owns the application of one change to one entity: the call into the core, then the values that were given.
// It must never be called while a loop is open, nor decide what a failure means: it returns the core's status.

import type { BundleNode } from './bundle'
import type { Ingredient } from './component'
import { NULL_ENTITY } from './entity'
import { writeIngredients } from './values'
import type { WorldState } from './worldState'

/** What was named in a call, in the order of its bundle; undefined where nobody gave a value. */
export type Given = readonly (Ingredient | undefined)[] | undefined

/** A new entity with the bundle's components; NULL_ENTITY, with the world's status set, when it cannot be made. */
export function spawnEntity(state: WorldState, bundle: BundleNode, given: Given): number {
  const entity = state.core.entitySpawn(bundle.addressIn(state)) >>> 0
  state.heap.check()
  if (given !== undefined && entity !== NULL_ENTITY) writeIngredients(bundle, entity, given)
  return entity
}

/** Gives a reserved entity its row and components; adds them where it has a row by now. A status of the core. */
export function placeEntity(state: WorldState, entity: number, bundle: BundleNode, given: Given): number {
  const status = state.core.entityPlace(entity, bundle.addressIn(state))
  state.heap.check()
  if (given !== undefined && status >= 0) writeIngredients(bundle, entity, given)
  return status
}

/** A status of the core; above 0 when a component was added. A reserved entity gets its row. */
export function addComponents(state: WorldState, entity: number, bundle: BundleNode, given: Given): number {
  const status = state.core.entityAdd(entity, bundle.addressIn(state))
  state.heap.check()
  if (given !== undefined && status >= 0) writeIngredients(bundle, entity, given)
  return status
}

/** A status of the core; above 0 when a component was removed. */
export function removeComponents(state: WorldState, entity: number, bundle: BundleNode): number {
  const status = state.core.entityRemove(entity, bundle.addressIn(state))
  state.heap.check()
  return status
}

/** Removes and adds in one move; what is in both starts over. A status of the core, above 0 for any change. */
export function exchangeComponents(
  state: WorldState,
  entity: number,
  removed: BundleNode,
  added: BundleNode,
  given: Given,
): number {
  // The second bundle may be new, and its address is asked for before anything changes.
  const status = state.core.entityExchange(entity, removed.addressIn(state), added.addressIn(state))
  state.heap.check()
  if (given !== undefined && status >= 0) writeIngredients(added, entity, given)
  return status
}

/** Whether it was alive. */
export function destroyEntity(state: WorldState, entity: number): boolean {
  return state.core.entityDestroy(entity) > 0
}
