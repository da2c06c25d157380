// Owns the creation of entities beyond the direct way of world.spawn: after the open loop, with listeners or upkeep, many in one
// call, with handles that are given, and with the components of another entity.

import { MAX_ENTITIES, STATUS_OUT_OF_ENTITIES, WORLD_STATUS } from '../../build/layout'
import type { Given, Ingredient } from '../components/ingredients'
import type { EntityArrays } from '../loops/chunk'
import { checkCallback, checkWhole, takeArray, takeElements } from '../memory/arguments'
import { type Entity, type EntityArray, NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { BundleNode } from '../rows/bundle'
import { refuseShared } from '../rows/objects'
import { requireValues } from '../rows/requiring'
import type { WorldState } from '../rows/worldState'
import { perform } from './change'
import { cloneEntity, cloneMany } from './clones'
import { copyWith } from './lists'
import { SPAWN } from './log'
import { spawnRows } from './many'
import { reserveNamed, takeNamed } from './namedHandles'
import { queueOf } from './queue'

/** world.spawn where one call into the core does not suffice. */
export function spawnSlowly(state: WorldState, node: BundleNode, given: Given): Entity {
  if (state.locks !== 0) return spawnLater(state, node, given)
  const entity = perform(state, SPAWN, NULL_ENTITY, node, undefined, given)
  if (entity === NULL_ENTITY) throw notSpawned(state, node)
  return entity as Entity
}

function spawnLater(state: WorldState, node: BundleNode, given: Given): Entity {
  requireValues(state, node, given, NULL_ENTITY, 'spawn')
  const entity = state.reserve()
  queueOf(state).spawn(entity, node, given)
  return entity
}

/** The error for a spawn that the core could not make. */
export function notSpawned(state: WorldState, node: BundleNode): Error {
  return limitError(state.heap.word(WORLD_STATUS) | 0, node.describeRows())
}

/** world.spawnMany */
export function spawnMany(
  state: WorldState,
  arrays: EntityArrays,
  count: number,
  ingredients: readonly Ingredient[],
  fill: unknown,
): EntityArray<ArrayBuffer> {
  state.refuseDisposed()
  checkCount(count, 'spawnMany')
  return spawnList(state, arrays, 'spawnMany', count, ingredients, fill)
}

/** world.spawnManyAt */
export function spawnManyAt(
  state: WorldState,
  arrays: EntityArrays,
  entities: ArrayLike<number>,
  ingredients: readonly Ingredient[],
  fill: unknown,
): EntityArray<ArrayBuffer> {
  state.refuseDisposed()
  const handles = takeElements('spawnManyAt', 'handles', entities)
  const take = () => takeNamed(state, handles, 'spawnManyAt')
  return spawnList(state, arrays, 'spawnManyAt', handles.length, ingredients, fill, take)
}

function spawnList(
  state: WorldState,
  arrays: EntityArrays,
  operation: string,
  count: number,
  ingredients: readonly Ingredient[],
  fill: unknown,
  handles?: () => EntityArray<ArrayBuffer>,
): EntityArray<ArrayBuffer> {
  const named = takeArray(operation, 'components', ingredients)
  if (fill !== undefined) checkCallback(operation, fill)
  const node = state.bundles.followAll(named, operation)
  if (node.holdsObjects) refuseShared(node.definitions, operation)
  return spawnRows(
    state,
    arrays,
    count,
    node,
    named.some((ingredient) => typeof ingredient === 'object') ? named : undefined,
    fill as ((chunk: unknown) => unknown) | undefined,
    handles?.(),
  )
}

/** world.spawnAt */
export function spawnAt(
  state: WorldState,
  arrays: EntityArrays,
  entity: number,
  ingredients: readonly Ingredient[],
): Entity {
  const node = state.bundles.followAll(ingredients, 'spawnAt')
  requireValues(state, node, ingredients, NULL_ENTITY, 'spawnAt')
  if (state.locks === 0) {
    const named = takeNamed(state, [entity], 'spawnAt')
    spawnRows(state, arrays, 1, node, ingredients, undefined, named)
  } else {
    reserveNamed(state, [entity], 'spawnAt', () => queueOf(state).spawn(entity, node, ingredients))
  }
  return entity as Entity
}

/** world.clone */
export function clone(state: WorldState, source: number): Entity {
  if (!state.isAlive(source)) throw state.dead(source, 'clone')
  return cloneEntity(state, source as Entity)
}

/** world.spawnFrom */
export function spawnFrom(
  state: WorldState,
  source: number,
  count: number,
  overrides: readonly Ingredient[],
): EntityArray<ArrayBuffer> {
  state.refuseDisposed()
  checkCount(count, 'spawnFrom')
  const bundle = state.bundles.followAll(overrides, 'spawnFrom')
  refuseShared(bundle.definitions, 'spawnFrom')
  if (!state.isAlive(source)) throw state.dead(source, 'spawnFrom')
  return copyWith(state, () => cloneMany(state, source as Entity, count), bundle, overrides)
}

/** Throws unless so many entities could be made in an empty world. */
function checkCount(count: number, operation: string): void {
  checkWhole(operation, 'the count', count)
  if (count > MAX_ENTITIES) throw limitError(STATUS_OUT_OF_ENTITIES, '')
}
