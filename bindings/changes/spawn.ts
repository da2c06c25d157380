// Owns the creation of entities beyond the short way of world.spawn: after the open loop, with listeners or upkeep, many in one
// call, with handles that are given, and with the components of another entity.

import { MAX_ENTITIES, STATUS_OUT_OF_ENTITIES, WORLD_STATUS } from '../../build/layout'
import type {
  Complete,
  CompleteIngredient,
  ComponentsOf,
  ValuesByComponent,
  Ingredient,
  Shared,
} from '../components/componentValues'
import type { Chunk, NotAsync } from '../components/queryTypes'
import type { EntityArrays } from '../iteration/chunkView'
import { checkCallback, checkWhole, notAHandle } from '../memory/arguments'
import { type Entity, type EntityArray, NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import { takeArray, takeHandles } from '../memory/givenLists'
import type { BundleNode } from '../state/bundle'
import type { ChangeCalls } from '../state/changeHooks'
import { refuseShared } from '../components/objectOptions'
import { requireValues } from '../state/requiredValues'
import { type WorldState, stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { perform } from './applyChange'
import { copyEntity, copyMany } from './clones'
import { SPAWN } from './commandLog'
import { spawnRows } from './manyEntities'
import { freeIndexOf, reserveNamed, takeNamed } from './spawnAtHandles'
import { queueOf } from './commandQueue'
import { type Override, takeOverrides } from './cloneOverrides'

/** world.spawn where one call into the core does not suffice. */
export function spawnSlowly(state: WorldState, node: BundleNode, given: ValuesByComponent): Entity {
  node = node.joined(state.bundles, given, 'spawn')
  if (state.locks !== 0) return spawnLater(state, node, given)
  const entity = perform(state, SPAWN, NULL_ENTITY, node, undefined, given)
  if (entity === NULL_ENTITY) throw notSpawned(state, node)
  return entity as Entity
}

function spawnLater(state: WorldState, node: BundleNode, given: ValuesByComponent): Entity {
  requireValues(state, node, given, NULL_ENTITY, 'spawn')
  const entity = state.reserve()
  queueOf(state).spawn(entity, node, given)
  return entity
}

/** The error for a spawn that the core could not make. */
export function notSpawned(state: WorldState, node: BundleNode): Error {
  return limitError(state.heap.word(WORLD_STATUS) | 0, node.describeRows())
}

/**
 * Creates `count` entities with the same components in one call, many times faster than `count` spawns. Inside a
 * loop the handles are alive at once; the components are added, and `fill` is called, when the loop ends.
 *
 * @param count how many, from 0 to the number of free ids
 * @param ingredients components, tags and components with values; no object components
 * @param fill called for each run of new rows, to write their columns from `chunk.start` to `chunk.end`; not async
 * @returns the handles, in the order of the rows
 * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, INVALID_VALUE, ASYNC_CALLBACK; LimitError. Nothing
 *   changes then, except by a `fill` that returns a promise: the entities stay.
 * @example spawnMany(world, 10_000, [Position], (chunk) => { const { x } = chunk.write(Position) … })
 */
export function spawnMany<const T extends readonly Ingredient[], R = void>(
  world: World,
  count: number,
  ingredients: T & Shared<T>,
  fill?: (chunk: Chunk<ComponentsOf<T>>) => R & NotAsync<R>,
): EntityArray<ArrayBuffer> {
  const state = stateOf(world, 'spawnMany')
  state.refuseDisposed()
  checkCount(count, 'spawnMany')
  return spawnList(state, world['entityArrays'], 'spawnMany', count, ingredients, fill)
}

/**
 * Makes all handles of a list alive, with the same components, in one call: what spawnAt is to spawn, this is to
 * spawnMany. Inside a loop the handles are alive at once; the components are added, and `fill` is called, when the loop
 * ends.
 *
 * @param entities an array or typed array of handles whose indices are all different, and not alive here
 * @param ingredients components, tags and components with values; no object components
 * @param fill called for each run of new rows, to write their columns from `chunk.start` to `chunk.end`; not async.
 *   The rows are in the order of the list
 * @returns the handles, in that order
 * @throws StrataError HANDLE_TAKEN if an index is alive, or named twice; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT,
 *   INVALID_VALUE, ASYNC_CALLBACK; LimitError. Nothing changes then, except by a `fill` that returns a promise: the
 *   entities stay.
 * @example spawnManyAt(world, message.handles, [Position], (chunk) => { chunk.write(Position).x.set(message.x, chunk.start) })
 */
export function spawnManyAt<const T extends readonly Ingredient[], R = void>(
  world: World,
  entities: ArrayLike<number>,
  ingredients: T & Shared<T>,
  fill?: (chunk: Chunk<ComponentsOf<T>>) => R & NotAsync<R>,
): EntityArray<ArrayBuffer> {
  const state = stateOf(world, 'spawnManyAt')
  state.refuseDisposed()
  const handles = takeHandles('spawnManyAt', entities, refuseNoHandle)
  const take = () => takeNamed(state, handles, 'spawnManyAt')
  return spawnList(state, world['entityArrays'], 'spawnManyAt', handles.length, ingredients, fill, take)
}

/** What is to come alive must be a handle. */
function refuseNoHandle(value: unknown, operation: string): never {
  throw notAHandle(value, operation)
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

/**
 * Makes this very handle alive, with the given components: for worlds that follow another one, and for tools that undo a
 * destroy. Its generation may be an old one; once the entity is destroyed again, the index goes on after the highest
 * generation that it ever had, so no other stale handle comes alive. Indices that are passed over are free for `spawn`.
 * Links to it that a relation with `onTargetDestroy: 'keep'` kept hold again. Inside a loop the handle is alive at once; its
 * components are added when the loop ends.
 *
 * @param entity a handle of this world or of another one, whose index is not alive here
 * @returns the handle
 * @throws StrataError HANDLE_TAKEN if its index is alive, under whatever generation; StrataTypeError INVALID_OPTION for
 *   what is no handle, NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; LimitError, also for an index beyond
 *   maxEntities. Nothing changes then. Costs about 0.3 µs, and 13 bytes for each
 *   index that is passed over; for many, spawnManyAt costs a twentieth.
 * @example spawnAt(world, message.handle, Position({ x: 1 }), Velocity)
 */
export function spawnAt(world: World, entity: Entity | number, ...ingredients: CompleteIngredient[]): Entity
export function spawnAt<const T extends readonly Ingredient[]>(
  world: World,
  entity: Entity | number,
  ...ingredients: Complete<T>
): Entity
export function spawnAt(world: World, entity: number, ...ingredients: Ingredient[]): Entity {
  const state = stateOf(world, 'spawnAt')
  const node = state.bundles.followAll(ingredients, 'spawnAt')
  requireValues(state, node, ingredients, NULL_ENTITY, 'spawnAt')
  if (state.locks === 0) {
    if (node.holdsObjects) spawnHolding(world, state, entity, node, ingredients)
    else spawnNamed(world, state, entity, node, ingredients)
  } else {
    reserveNamed(state, [entity], 'spawnAt', () => queueOf(state).spawn(entity, node, ingredients))
  }
  return entity as Entity
}

/** spawnNamed after makers have made their values, which they do only for a handle that can come alive. */
function spawnHolding(
  world: World,
  state: WorldState,
  entity: number,
  node: BundleNode,
  given: readonly Ingredient[],
): void {
  // Makes objects known, and what keeps them with them.
  node.addressIn(state)
  freeIndexOf(state, entity as Entity, 'spawnAt')
  ;(state.changes as ChangeCalls).withMakers(state, node, given, (whole) =>
    spawnNamed(world, state, entity, node, whole as readonly Ingredient[]),
  )
}

/** Gives a handle its row, where no loop is open. */
function spawnNamed(
  world: World,
  state: WorldState,
  entity: number,
  node: BundleNode,
  given: readonly Ingredient[],
): void {
  const named = takeNamed(state, [entity], 'spawnAt')
  spawnRows(state, world['entityArrays'], 1, node, given, undefined, named)
}

/**
 * Creates an entity with the components and values of another one. Handles in `entity` fields are copied as they
 * are. An object component is copied only if it has a `clone` function. Tags declared with `{ excludeFromQueries: true }` are not
 * copied: the copy of a prefab is no prefab.
 * Inside a loop the handle is alive at once. The copy is made when the loop ends, from what the source has then; if
 * the source is dead by then, the copy is dead, too, and so it is where a link of the call leads to a target that has died and
 * takes its sources along. To listeners a copy with its overrides is one change: `onAdd` for all that
 * it has, `onSet` for the overrides with values.
 *
 * @param overrides what the copy gets in addition, or in place of the source's values, as by add; and `omit(…)`, for what it
 *   does not get
 * @returns the handle of the copy
 * @throws DeadEntityError DEAD_ENTITY; StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; LimitError. Nothing
 *   changes then.
 * @example const second = cloneEntity(world, ship, Position({ x: 5 }), omit(Damaged))
 */
export function cloneEntity<const T extends readonly Override[]>(
  world: World,
  source: Entity | number,
  ...overrides: Complete<T>
): Entity {
  const state = stateOf(world, 'cloneEntity')
  const taken = takeOverrides(state, overrides, 'cloneEntity')
  if (!state.isAlive(source)) throw state.dead(source, 'cloneEntity')
  return copyEntity(state, source as Entity, taken)
}

/**
 * Creates `count` entities with the components and values of another one, in one call. Handles, object components, excluded tags
 * and loops are treated as by cloneEntity.
 *
 * @param count how many, from 0 to the number of free ids
 * @param overrides what the copies get in addition, or in place of the source's values, no object components; and `omit(…)`,
 *   for what they do not get
 * @returns the handles, in the order of the rows
 * @throws DeadEntityError DEAD_ENTITY; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT,
 *   INVALID_VALUE; LimitError. Nothing changes then.
 * @example const fleet = cloneMany(world, ship, 100, Position({ x: 5 }))
 */
export function cloneMany<const T extends readonly Override[]>(
  world: World,
  source: Entity | number,
  count: number,
  ...overrides: Shared<T>
): EntityArray<ArrayBuffer> {
  const state = stateOf(world, 'cloneMany')
  state.refuseDisposed()
  checkCount(count, 'cloneMany')
  const taken = takeOverrides(state, overrides, 'cloneMany')
  refuseShared(taken.bundle.definitions, 'cloneMany')
  if (!state.isAlive(source)) throw state.dead(source, 'cloneMany')
  return copyMany(state, source as Entity, count, taken)
}

/** Throws unless so many entities could be made in an empty world. */
export function checkCount(count: number, operation: string): void {
  checkWhole(operation, 'the count', count)
  if (count > MAX_ENTITIES) throw limitError(STATUS_OUT_OF_ENTITIES, '')
}
