// Owns changes of one entity as a world is asked for them: at once or after the open loop, with their checks and errors. The
// short ways of world.add and world.remove are in the world itself.

import { STATUS_DEAD } from '../../build/layout'
import type { ComponentLike } from '../components/component'
import type { ValuesByComponent, Ingredient } from '../components/componentValues'
import { isHandle } from '../memory/entity'
import { limitError } from '../memory/errors'
import { takeArray } from '../memory/givenLists'
import type { BundleNode } from '../state/bundle'
import { hasAll, hasSome } from '../state/entityComponents'
import { writeIngredients } from '../values/rowValues'
import type { WorldState } from '../state/worldState'
import { changeError, destroyEntity, perform } from './applyChange'
import { ADD, EXCHANGE, REMOVE } from './commandLog'
import { queueOf, requireValuesLater } from './commandQueue'

/** What the core did: throws if it could not. */
export function afterAdd(state: WorldState, status: number, entity: number, node: BundleNode): boolean {
  state.heap.check()
  if (status < 0) throw changeError(state, status, node, entity, 'add')
  return status > 0
}

/** world.add where one call into the core does not suffice. */
export function addSlowly(
  state: WorldState,
  entity: number,
  node: BundleNode,
  given: ValuesByComponent,
): boolean {
  node = node.joined(state.bundles, given, 'add')
  if (state.locks !== 0) return addLater(state, entity, node, given)
  const status = perform(state, ADD, entity, node, undefined, given)
  if (status < 0) throw changeError(state, status, node, entity, 'add')
  return status > 0
}

function addLater(state: WorldState, entity: number, node: BundleNode, given: ValuesByComponent): boolean {
  if (!state.isAlive(entity)) throw state.dead(entity, 'add')
  requireValuesLater(state, entity, node, given, 'add')
  queueOf(state).add(entity, node, given)
  return !hasAll(state, entity, node)
}

/** Adds one component with values. */
export function addOne(state: WorldState, entity: number, ingredient: Ingredient): boolean {
  const node = state.bundles.follow(ingredient, 'add')
  if (!isHandle(entity)) throw state.dead(entity, 'add')
  return addSlowly(state, entity, node, [ingredient])
}

/** What the core did: throws if it could not. */
export function afterRemove(state: WorldState, status: number, node: BundleNode): boolean {
  state.heap.check()
  if (status < 0 && status !== STATUS_DEAD) throw limitError(status, node.describeRows())
  return status > 0
}

/** world.remove where one call into the core does not suffice. */
export function removeSlowly(state: WorldState, entity: number, node: BundleNode): boolean {
  if (state.locks !== 0) return removeLater(state, entity, node)
  return afterRemove(state, perform(state, REMOVE, entity, undefined, node, undefined), node)
}

function removeLater(state: WorldState, entity: number, node: BundleNode): boolean {
  if (!state.isAlive(entity)) return state.refuse(entity, 'remove')
  queueOf(state).remove(entity, node)
  return hasSome(state, entity, node)
}

/** world.exchange */
export function exchange(
  state: WorldState,
  entity: number,
  removed: readonly ComponentLike[],
  added: readonly Ingredient[],
): boolean {
  const losses = takeArray('exchange', 'components to remove', removed)
  const gains = takeArray('exchange', 'components to add', added)
  const without = state.bundles.withAll(losses, 'exchange: the first list')
  const node = state.bundles.followAll(gains, 'exchange')
  if (!isHandle(entity)) throw state.dead(entity, 'exchange')
  // For the bundle of nothing a full world may have no memory.
  if (gains.length === 0 && state.isAlive(entity)) return removeSlowly(state, entity, without)
  if (state.locks !== 0) return exchangeLater(state, entity, without, node, gains)
  let status: number
  if (without.directAddress !== 0 && node.directAddress !== 0 && state.watching === 0) {
    status = state.core.entityExchange(entity, without.directAddress, node.directAddress)
    state.heap.check()
    if (status >= 0) writeIngredients(node, entity, gains)
  } else status = perform(state, EXCHANGE, entity, node, without, gains)
  if (status < 0) throw changeError(state, status, node, entity, 'exchange', without)
  return status > 0
}

function exchangeLater(
  state: WorldState,
  entity: number,
  without: BundleNode,
  node: BundleNode,
  gains: readonly Ingredient[],
): boolean {
  if (!state.isAlive(entity)) throw state.dead(entity, 'exchange')
  requireValuesLater(state, entity, node, gains, 'exchange')
  queueOf(state).exchange(entity, without, node, gains)
  return hasSome(state, entity, without) || !hasAll(state, entity, node)
}

/** world.destroy */
export function destroy(state: WorldState, entity: number): boolean {
  if (!isHandle(entity)) return state.refuse(entity, 'destroy')
  if (state.locks === 0) return destroyEntity(state, entity)
  if (!state.isAlive(entity)) return false
  queueOf(state).destroy(entity)
  return true
}
