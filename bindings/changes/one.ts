// Owns one change of one entity: the call into the core, then the given values.
// It must never be called while a loop is open, nor decide what a failure means: it returns the core's status.
//
// Where something listens, or a component needs upkeep, attended.ts does it.

import { CHANGE_ADD, CHANGE_REMOVE, STATUS_DEAD, STATUS_UPKEEP } from '../../build/layout'
import type { Given } from '../components/ingredients'
import {
  attendedAdd,
  attendedDestroy,
  attendedExchange,
  attendedPlace,
  attendedRemove,
  attendedSpawn,
} from './attended'
import { NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { Bundle } from '../rows/bundle'
import { rowOf } from '../rows/rowLimits'
import { writeIngredients } from '../rows/values'
import type { WorldState } from '../rows/worldState'

const NO_TEXTS: readonly number[] = []

/** Most bundles are known to the core: reading that is cheaper than a call. */
function addressOf(state: WorldState, bundle: Bundle): number {
  return bundle.address !== 0 ? bundle.address : bundle.addressIn(state)
}

/** Interns the texts among the values before anything changes; the ids that are new. */
function prepareTexts(state: WorldState, bundle: Bundle, given: Given): readonly number[] {
  return given !== undefined && bundle.hasTexts ? state.texts.prepareIngredients(given) : NO_TEXTS
}

/** Writes the values after a change that was made, takes back their texts after one that was not. */
function finish(
  state: WorldState,
  entity: number,
  bundle: Bundle,
  given: Given,
  texts: readonly number[],
  done: boolean,
): void {
  state.heap.check()
  if (!done) state.texts.takeBack(texts)
  else if (given !== undefined) writeIngredients(bundle, entity, given)
}

/** Takes the texts back of a change that was told of and not made. Returns its result. */
function keepTexts(state: WorldState, texts: readonly number[], result: number): number {
  if (result < 0 || result === NULL_ENTITY) state.texts.takeBack(texts)
  return result
}

/** A new entity with the bundle's components; NULL_ENTITY, with the world's status set, when it cannot be made. */
export function spawnEntity(state: WorldState, bundle: Bundle, given: Given): number {
  const address = addressOf(state, bundle)
  const texts = prepareTexts(state, bundle, given)
  if (state.watching !== 0 || bundle.needsUpkeep)
    return keepTexts(state, texts, attendedSpawn(state, bundle, given))
  const entity = state.core.entitySpawn(address) >>> 0
  finish(state, entity, bundle, given, texts, entity !== NULL_ENTITY)
  return entity
}

/** Gives a reserved entity its row and components; adds them where it has a row by now. A status of the core. */
export function placeEntity(state: WorldState, entity: number, bundle: Bundle, given: Given): number {
  const address = addressOf(state, bundle)
  const texts = prepareTexts(state, bundle, given)
  if (state.watching !== 0 || bundle.needsUpkeep)
    return keepTexts(state, texts, attendedPlace(state, entity, bundle, given))
  const status = state.core.entityPlace(entity, address)
  finish(state, entity, bundle, given, texts, status >= 0)
  return status
}

/** A status of the core; above 0 when a component was added. A reserved entity gets its row. */
export function addComponents(state: WorldState, entity: number, bundle: Bundle, given: Given): number {
  const address = addressOf(state, bundle)
  const texts = prepareTexts(state, bundle, given)
  if (state.watching !== 0 || bundle.needsUpkeep)
    return keepTexts(state, texts, attendedAdd(state, entity, bundle, given))
  const status = state.core.entityChange(entity, CHANGE_ADD, address)
  finish(state, entity, bundle, given, texts, status >= 0)
  return status
}

/** A status of the core; above 0 when a component was removed. */
export function removeComponents(state: WorldState, entity: number, bundle: Bundle): number {
  const address = addressOf(state, bundle)
  if (state.watching !== 0 || bundle.needsUpkeep) return attendedRemove(state, entity, bundle)
  const status = state.core.entityChange(entity, CHANGE_REMOVE, address)
  state.heap.check()
  return status
}

/** Removes and adds in one move; what is in both starts over. A status of the core, above 0 for any change. */
export function exchangeComponents(
  state: WorldState,
  entity: number,
  removed: Bundle,
  added: Bundle,
  given: Given,
): number {
  const from = addressOf(state, removed)
  const to = addressOf(state, added)
  const texts = prepareTexts(state, added, given)
  if (state.watching !== 0 || added.needsUpkeep || removed.needsUpkeep)
    return keepTexts(state, texts, attendedExchange(state, entity, removed, added, given))
  const status = state.core.entityExchange(entity, from, to)
  finish(state, entity, added, given, texts, status >= 0)
  return status
}

/** Whether it was alive. */
export function destroyEntity(state: WorldState, entity: number): boolean {
  if (state.watching === 0) {
    const status = state.core.entityDestroy(entity, 1)
    if (status !== STATUS_UPKEEP) return status > 0
  }
  return attendedDestroy(state, entity)
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
