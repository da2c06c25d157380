// Owns the calls on a world that make and destroy entities, and the start of a world.
// It must never know what an entity has beyond what it is given at birth.

import { MAX_ENTITIES, STATUS_OUT_OF_ENTITIES, WORLD_STATUS } from '../../build/layout'
import { cloneEntity, cloneMany } from '../changes/clones'
import { copyWith } from '../changes/lists'
import { destroyMany, spawnRows } from '../changes/many'
import { destroyEntity, perform } from '../changes/change'
import { SPAWN } from '../changes/log'
import { reserveNamed, takeNamed } from '../changes/namedHandles'
import { CommandQueue, queueOf } from '../changes/queue'
import type { Component } from '../components/component'
import {
  type Complete,
  type CompleteIngredient,
  type ComponentValue,
  type Ingredient,
  type Shared,
  type Given,
  listFew,
  listMany,
} from '../components/ingredients'
import type { Term } from '../components/terms'
import type { Chunk, NotAsync } from '../components/types'
import { requireValues } from '../rows/requiring'
import { EntityArrays } from '../loops/chunk'
import { checkCallback, checkWhole, takeArray, takeElements } from '../memory/arguments'
import { PAGE_BYTES, instantiateCore, checksOf } from '../memory/core'
import { type Entity, type EntityArray, NULL_ENTITY, isHandle } from '../memory/entity'
import { limitError, refuseOther } from '../memory/errors'
import type { BundleNode } from '../rows/bundle'
import { refuseShared } from '../rows/objects'
import { writeGiven, writeNamed } from '../rows/values'
import { WorldState } from '../rows/worldState'
import { type WorldOptions, readOptions } from './options'

/** The part of a world for entities: see world.ts. */
export abstract class WorldEntities {
  /** @internal */
  protected readonly state: WorldState
  /** @internal */
  protected readonly entityArrays: EntityArrays

  /** @internal */
  protected constructor(options: WorldOptions) {
    const { initial, maximum, maxEntities, strict } = readOptions(options)
    const core = instantiateCore(Math.ceil(initial / PAGE_BYTES), maximum / PAGE_BYTES, options?.module)
    const status = core.worldInit(maximum, maxEntities, strict)
    if (status < 0) throw limitError(status, '')
    this.state = new WorldState(core)
    this.state.heap.cursorChecks = checksOf(options?.module)
    this.state.commands = new CommandQueue(this.state)
    this.state.world = this
    this.state.warmUp()
    this.entityArrays = new EntityArrays(this.state.heap)
  }

  /**
   * Creates an entity with the given components. Components and fields without values get their defaults.
   * Inside a loop the handle is alive at once; its components are added when the loop ends.
   *
   * @returns the handle of the entity
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE, DUPLICATE_NAME; LimitError. Nothing
   *   changes then.
   * @example const ship = world.spawn(Position({ x: 1 }), Velocity, Frozen)
   */
  spawn(...ingredients: CompleteIngredient[]): Entity
  spawn<const T extends readonly Ingredient[]>(...ingredients: Complete<T>): Entity
  spawn(a?: Ingredient, b?: Ingredient, c?: Ingredient, ...more: Ingredient[]): Entity {
    // Three by name, the others looked at in here alone: an array that never leaves the function is never made.
    const { state } = this
    const count = arguments.length
    let node = state.bundles
    if (count > 0) node = node.follow(a, 'spawn')
    if (count > 1) node = node.follow(b, 'spawn')
    if (count > 2) node = node.follow(c, 'spawn')
    for (let i = 0; i < more.length; i++) node = node.follow(more[i], 'spawn')
    if ((state.locks | state.watching) !== 0 || node.directAddress === 0) {
      if (count > 3) return this.spawnSlowly(node, listMany(a, b, c, more))
      return this.spawnSlowly(node, listFew(count, a, b, c))
    }
    const entity = state.core.entitySpawn(node.directAddress) >>> 0
    state.heap.check()
    if (entity === NULL_ENTITY) throw this.notSpawned(node)
    if (typeof a === 'object' || typeof b === 'object' || typeof c === 'object')
      writeNamed(node, entity, true, false, a, b, c)
    for (let i = 0; i < more.length; i++) writeGiven(node, i + 3, entity, more[i])
    return entity as Entity
  }

  private spawnSlowly(node: BundleNode, given: Given): Entity {
    const { state } = this
    if (state.locks !== 0) return this.spawnLater(node, given)
    const entity = perform(state, SPAWN, NULL_ENTITY, node, undefined, given)
    if (entity === NULL_ENTITY) throw this.notSpawned(node)
    return entity as Entity
  }

  private notSpawned(node: BundleNode): Error {
    return limitError(this.state.heap.word(WORLD_STATUS) | 0, node.describeRows())
  }

  private spawnLater(node: BundleNode, given: Given): Entity {
    requireValues(this.state, node, given, NULL_ENTITY, 'spawn')
    const entity = this.state.reserve()
    queueOf(this.state).spawn(entity, node, given)
    return entity
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
   */
  spawnMany<const T extends readonly Ingredient[], R = void>(
    count: number,
    ingredients: T & Shared<T>,
    fill?: (chunk: Chunk<ComponentsOf<T>>) => R & NotAsync<R>,
  ): EntityArray<ArrayBuffer> {
    this.state.refuseDisposed()
    checkCount(count, 'spawnMany')
    return this.spawnList('spawnMany', count, ingredients, fill)
  }

  private spawnList(
    operation: string,
    count: number,
    ingredients: readonly Ingredient[],
    fill: unknown,
    handles?: () => EntityArray<ArrayBuffer>,
  ): EntityArray<ArrayBuffer> {
    const { state } = this
    const named = takeArray(operation, 'components', ingredients)
    if (fill !== undefined) checkCallback(operation, fill)
    const node = state.bundles.followAll(named, operation)
    if (node.holdsObjects) refuseShared(node.definitions, operation)
    return spawnRows(
      state,
      this.entityArrays,
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
   * @example world.spawnAt(message.handle, Position({ x: 1 }), Velocity)
   */
  spawnAt(entity: Entity | number, ...ingredients: CompleteIngredient[]): Entity
  spawnAt<const T extends readonly Ingredient[]>(entity: Entity | number, ...ingredients: Complete<T>): Entity
  spawnAt(entity: number, ...ingredients: Ingredient[]): Entity {
    const { state } = this
    const node = state.bundles.followAll(ingredients, 'spawnAt')
    requireValues(state, node, ingredients, NULL_ENTITY, 'spawnAt')
    if (state.locks === 0) {
      const named = takeNamed(state, [entity], 'spawnAt')
      spawnRows(state, this.entityArrays, 1, node, ingredients, undefined, named)
    } else {
      reserveNamed(state, [entity], 'spawnAt', () => queueOf(state).spawn(entity, node, ingredients))
    }
    return entity as Entity
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
   * @example world.spawnManyAt(message.handles, [Position], (chunk) => { chunk.write(Position).x.set(message.x, chunk.start) })
   */
  spawnManyAt<const T extends readonly Ingredient[], R = void>(
    entities: ArrayLike<number>,
    ingredients: T & Shared<T>,
    fill?: (chunk: Chunk<ComponentsOf<T>>) => R & NotAsync<R>,
  ): EntityArray<ArrayBuffer> {
    this.state.refuseDisposed()
    const handles = takeElements('spawnManyAt', 'handles', entities)
    return this.spawnList('spawnManyAt', handles.length, ingredients, fill, () =>
      takeNamed(this.state, handles, 'spawnManyAt'),
    )
  }

  /**
   * Creates an entity with the components and values of another one. Handles in `entity` fields are copied as they
   * are. An object component is copied only if it has a `clone` function.
   * Inside a loop the handle is alive at once. The copy is made when the loop ends, from what the source has then; if
   * the source is dead by then, the copy is dead, too.
   *
   * @returns the handle of the copy
   * @throws DeadEntityError DEAD_ENTITY; LimitError. Nothing changes then.
   * @example const second = world.clone(ship)
   */
  clone(source: Entity | number): Entity {
    if (!this.state.isAlive(source)) throw this.state.dead(source, 'clone')
    return cloneEntity(this.state, source as Entity)
  }

  /**
   * Creates `count` entities with the components and values of another one, in one call. Handles, object components
   * and loops are treated as by clone. Overrides are added to the copies as by addMany: listeners hear of a value that
   * replaces another one by onSet, after onAdd.
   *
   * @param count how many, from 0 to the number of free ids
   * @param overrides what the copies get in addition, or in place of the source's values; no object components
   * @returns the handles, in the order of the rows
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT,
   *   INVALID_VALUE; LimitError. Nothing changes then.
   * @example const fleet = world.spawnFrom(ship, 100, Position({ x: 5 }))
   */
  spawnFrom<const T extends readonly Ingredient[]>(
    source: Entity | number,
    count: number,
    ...overrides: Shared<T>
  ): EntityArray<ArrayBuffer> {
    const { state } = this
    state.refuseDisposed()
    checkCount(count, 'spawnFrom')
    const bundle = state.bundles.followAll(overrides, 'spawnFrom')
    refuseShared(bundle.definitions, 'spawnFrom')
    if (!state.isAlive(source)) throw state.dead(source, 'spawnFrom')
    return copyWith(state, () => cloneMany(state, source as Entity, count), bundle, overrides)
  }

  /**
   * Whether a handle names a living entity. Any number is allowed; false for whatever is not a handle of this world,
   * and after dispose. It also makes a number an Entity for the compiler.
   *
   * @throws StrataTypeError NOT_AN_ENTITY for what is not a number
   */
  isAlive(entity: Entity): boolean
  isAlive(entity: number): entity is Entity
  isAlive(entity: Entity | number): boolean {
    return this.state.isAlive(entity) || refuseOther(entity, 'isAlive')
  }

  /**
   * Destroys an entity with all its components. Inside a loop this waits until the loop ends; until then the entity
   * is alive.
   *
   * @returns false if it was not alive
   * @throws StrataTypeError NOT_AN_ENTITY for what is not a number, such as a chunk
   */
  destroy(entity: Entity | number): boolean {
    const state = this.state
    if (!isHandle(entity)) return this.refuse(entity, 'destroy')
    if (state.locks === 0) return destroyEntity(state, entity)
    if (!state.isAlive(entity)) return false
    queueOf(state).destroy(entity)
    return true
  }

  /**
   * Destroys all entities of a list. Stale handles and repeats are skipped. Costs one call into the core for every
   * 16,384 handles. Inside a loop this waits until the loop ends.
   *
   * @param entities an array or typed array of handles
   * @returns how many of them were alive
   * @throws StrataTypeError INVALID_OPTION for what is not a list
   */
  destroyMany(entities: ArrayLike<number>): number {
    const state = this.state
    state.refuseDisposed()
    const handles = takeElements('destroyMany', 'entities', entities)
    state.refuseDisposed()
    return destroyMany(state, handles)
  }

  /**
   * For what is not alive: there is nothing to do, unless the world is disposed or it cannot be an entity.
   *
   * @internal
   */
  protected refuse(entity: unknown, operation: string): false {
    this.state.refuseDisposed()
    return refuseOther(entity, operation)
  }
}

/** The components of a list of ingredients, as query terms. */
type ComponentsOf<T extends readonly Ingredient[]> = {
  [K in keyof T]: T[K] extends ComponentValue<infer S, infer Where>
    ? Component<S, Where>
    : T[K] extends Term
      ? T[K]
      : never
}

/** Throws unless so many entities could be made in an empty world. */
function checkCount(count: number, operation: string): void {
  checkWhole(operation, 'the count', count)
  if (count > MAX_ENTITIES) throw limitError(STATUS_OUT_OF_ENTITIES, '')
}
