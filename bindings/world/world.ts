// Owns the World that createWorld returns: the declarations and documentation of its calls. Only spawn, add, remove, get, set and has,
// which every frame makes by the thousand, are written out here; the others are functions of the room that owns the subject, which
// take the state of the world first.
//
// It holds no simulation state: that is in linear memory; what is here can be rebuilt from it.

import { CHANGE_ADD, CHANGE_REMOVE, STATUS_MOVED, WORLD_TICK_WORD } from '../../build/layout'
import { Commands } from '../changes/buffer'
import { isDirect, isDirectSpawn, isIgnored, isRecentQuiet } from '../changes/change'
import { defer } from '../changes/deferring'
import { addMany, destroyListed, removeMany, setMany, type ValueLists } from '../changes/lists'
import { setFloats, setSome, setIfDifferent, setObject, setTaken } from '../changes/setting'
import { addOne, addSlowly, afterAdd, afterRemove, destroy, exchange, removeSlowly } from '../changes/single'
import {
  clone,
  notSpawned,
  spawnAt,
  spawnFrom,
  spawnMany,
  spawnManyAt,
  spawnSlowly,
} from '../changes/spawning'
import { switchComponent } from '../changes/switching'
import type {
  AnyComponent,
  AnyExclusiveRelation,
  AnyObject,
  AnyRelation,
  Component,
  ComponentLike,
  ObjectComponent,
  OrderedTag,
  Relation,
} from '../components/component'
import type { Definition } from '../components/definition'
import {
  type Complete,
  type CompleteIngredient,
  type ComponentValue,
  type Ingredient,
  listFew,
  listMany,
  type Shared,
} from '../components/ingredients'
import type { Pair } from '../components/pair'
import type { AnyResource, Resource, ValueResource } from '../components/resource'
import type { Input, Schema, Storage, Value } from '../components/schema'
import { listsFew, takeValues } from '../components/taking'
import type { Term } from '../components/terms'
import { refuseUntargeted } from '../components/untargeted'
import type { Chunk, Cursor, NotAsync, PooledComponent, SortableFields } from '../components/types'
import type { BoundKernel } from '../kernels/binding'
import type { AnyKernel, KernelFunction } from '../kernels/kernel'
import { kernelsOf, runOnce, type WorldKernels } from '../kernels/runtime'
import type {
  BoundSources,
  ColumnBindings,
  HasRows,
  ResultOf,
  ScalarArguments,
  ScalarsOf,
} from '../kernels/types'
import { EntityArrays } from '../loops/chunk'
import { MAKING, refuseByHand } from '../memory/arguments'
import { type Entity, type EntityArray, isHandle, NULL_ENTITY } from '../memory/entity'
import { refuseOther } from '../memory/errors'
import { INSPECT } from '../memory/inspection'
import type { Query } from '../queries/query'
import { groupOf, objectsOf, queryOf, type WorldQueries } from '../queries/shared'
import { sort, sortAs, type SortOptions } from '../queries/sorting'
import { type AccessorOf, accessorOf, type ComponentAccessor } from '../rows/accessor'
import { componentNamed, componentsIn, componentsOf } from '../rows/componentLists'
import { registrationOf } from '../rows/named'
import { hasUnknown } from '../rows/having'
import { countSources, placeSource, sourcesOf, targetOf, targetsOf } from '../rows/linkReads'
import { relatingOfPair } from '../rows/relating'
import { removeResource, resourcesFor, setResource } from '../rows/resourceCalls'
import { isEnabled } from '../rows/toggling'
import { readRow, writeGiven, writeNamed } from '../rows/values'
import type { WorldState } from '../rows/worldState'
import { requireSaves, type Saves } from '../saves/declaration'
import type { Merged, MergeOptions } from '../saves/loading'
import type { SaveOptions } from '../saves/selection'
import { digest } from '../snapshots/digest'
import type { Snapshot } from '../snapshots/snapshot'
import { restoreTo, snapshotOf, type SnapshotOptions } from '../snapshots/taking'
import { Discarded, FrameEnd } from './frame'
import { showWorld } from './inspection'
import { beginState, clear, dispose, fork, reset, trim } from './life'
import type { WorldOptions } from './options'
import { statsOf, type WorldStats } from './stats'

/**
 * Creates a world with a linear memory of its own. Synchronous.
 *
 * @param options memory, limits and the core to use: see WorldOptions
 * @throws StrataTypeError INVALID_OPTION; LimitError MEMORY_LIMIT if the host has no memory left; StrataError
 *   WASM_REFUSED if the host does not compile WebAssembly
 * @example const world = createWorld({ memory: { maximum: 64 * 2 ** 20 } })
 */
export function createWorld(options: WorldOptions = {}): World {
  return World.make(options)
}

/**
 * Holds entities, their components and resources in one linear memory. Made by createWorld. After dispose, every call
 * except isAlive and dispose throws StrataError WORLD_DISPOSED.
 */
export class World {
  /** @internal */
  private readonly state: WorldState
  /** @internal */
  private readonly entityArrays: EntityArrays
  /** @internal */
  private readonly queries: WorldQueries
  /** @internal */
  private readonly accessors: Map<Definition, ComponentAccessor>
  private readonly frameEnd: FrameEnd
  /** @internal The module that the world was given. */
  private readonly module: WebAssembly.Module | undefined
  private readonly saves: Saves | undefined
  /** Begun with the first kernel. */
  private kernels: WorldKernels | undefined

  /** @internal Use createWorld. */
  static make(this: void, options: WorldOptions): World {
    return new World(options, MAKING)
  }

  private constructor(options: WorldOptions, key: symbol) {
    refuseByHand(key, 'World', 'createWorld(…)')
    const state = beginState(this, options)
    this.state = state
    this.entityArrays = new EntityArrays(state.heap)
    this.queries = { state, world: this, arrays: this.entityArrays, shared: new Map() }
    this.accessors = new Map()
    this.frameEnd = new FrameEnd(state, this.queries)
    this.module = options?.module
    this.saves = options?.saves
    this.kernels = undefined
  }

  // ── entities ────────────────────────────────────────────────────────────────────────────────────────────

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
    if (((state.locks | state.watching) !== 0 || node.directAddress === 0) && !isDirectSpawn(state, node)) {
      if (count > 3) return spawnSlowly(state, node, listMany(a, b, c, more))
      return spawnSlowly(state, node, listFew(count, a, b, c))
    }
    const entity = state.core.entitySpawn(node.directAddress) >>> 0
    state.heap.check()
    if (entity === NULL_ENTITY) throw notSpawned(state, node)
    if (typeof a === 'object' || typeof b === 'object' || typeof c === 'object')
      writeNamed(node, entity, true, false, a, b, c)
    for (let i = 0; i < more.length; i++) writeGiven(node, i + 3, entity, more[i])
    return entity as Entity
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
    return spawnMany(this.state, this.entityArrays, count, ingredients, fill)
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
    return spawnAt(this.state, this.entityArrays, entity, ingredients)
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
    return spawnManyAt(this.state, this.entityArrays, entities, ingredients, fill)
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
    return clone(this.state, source)
  }

  /**
   * Creates `count` entities with the components and values of another one, in one call. Handles, object components
   * and loops are treated as by clone. Overrides are added to the copies as by addMany: a value that
   * replaces another one is reported by onSet, after onAdd.
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
    return spawnFrom(this.state, source, count, overrides)
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
    return destroy(this.state, entity)
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
    return destroyListed(this.state, entities)
  }

  // ── components of an entity ─────────────────────────────────────────────────────────────────────────────

  /**
   * Adds components to an entity in one move. A component that the entity already has keeps its values, except for
   * the fields that are given values. Inside a loop this waits until the loop ends; the values are copied at the
   * call.
   *
   * @returns true if a component was added that was not there before; inside a loop, whether one will be
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE;
   *   LimitError. Nothing changes then.
   * @example world.add(ship, Health({ hp: 9 }), Frozen)
   */
  add(entity: Entity | number, ...ingredients: CompleteIngredient[]): boolean
  add<const T extends readonly Ingredient[]>(entity: Entity | number, ...ingredients: Complete<T>): boolean
  add(entity: number, a?: Ingredient, b?: Ingredient, c?: Ingredient, ...more: Ingredient[]): boolean {
    const { state } = this
    const count = arguments.length - 1
    let node = state.bundles
    // The component of the call before, without values: nothing else need be looked at.
    if (count === 1 && isHandle(entity) && ((state.locks | state.watching) === 0 || isRecentQuiet(state))) {
      const address = node.recentAddress(a)
      if (address !== 0) {
        const status = state.core.entityChange(entity, CHANGE_ADD, address)
        return status === STATUS_MOVED || afterAdd(state, status, entity, node.follow(a, 'add'))
      }
    }
    if (count > 0) node = node.follow(a, 'add')
    if (count > 1) node = node.follow(b, 'add')
    if (count > 2) node = node.follow(c, 'add')
    for (let i = 0; i < more.length; i++) node = node.follow(more[i], 'add')
    // The core knows the dead; what is no 32-bit number must not reach it and turn into another handle.
    if (!isHandle(entity)) throw this.state.dead(entity, 'add')
    if (((state.locks | state.watching) !== 0 || node.directAddress === 0) && !isDirect(state, node)) {
      if (count > 3) return addSlowly(state, entity, node, listMany(a, b, c, more))
      return addSlowly(state, entity, node, listFew(count, a, b, c))
    }
    const status = state.core.entityChange(entity, CHANGE_ADD, node.directAddress)
    const added = afterAdd(state, status, entity, node)
    if (typeof a === 'object' || typeof b === 'object' || typeof c === 'object')
      writeNamed(node, entity, status === STATUS_MOVED, true, a, b, c)
    for (let i = 0; i < more.length; i++) writeGiven(node, i + 3, entity, more[i])
    return added
  }

  /**
   * Removes components from an entity in one move; those that it does not have are skipped. Inside a loop this waits
   * until the loop ends.
   *
   * @returns true if anything was removed; inside a loop, whether anything will be; false if the entity is dead
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT; LimitError. Nothing changes then.
   */
  remove(entity: Entity | number, ...components: (ComponentLike | Pair)[]): boolean
  remove(entity: number, a?: ComponentLike | Pair, ...more: (ComponentLike | Pair)[]): boolean {
    const { state } = this
    let node = state.bundles
    // As in add.
    if (
      arguments.length === 2 &&
      isHandle(entity) &&
      ((state.locks | state.watching) === 0 || isRecentQuiet(state))
    ) {
      const address = node.recentAddress(a)
      if (address !== 0) {
        const status = state.core.entityChange(entity, CHANGE_REMOVE, address)
        return status === STATUS_MOVED || afterRemove(state, status, node.with(a as never, 'remove'))
      }
    }
    const pair = typeof a === 'object' ? a : more.find((one) => typeof one === 'object')
    if (pair !== undefined)
      return relatingOfPair(pair, 'remove').removePairs(state, this, entity, [a, ...more])
    if (arguments.length > 1) node = node.with(a as never, 'remove')
    // Not by withAll: an array that never leaves the function is never made.
    for (let i = 0; i < more.length; i++) node = node.with(more[i] as never, 'remove')
    if (!isHandle(entity)) return state.refuse(entity, 'remove')
    if (state.locks !== 0 || node.address === 0 || node.needsUpkeep || !isIgnored(state, node))
      return removeSlowly(state, entity, node)
    return afterRemove(state, state.core.entityChange(entity, CHANGE_REMOVE, node.address), node)
  }

  /**
   * Removes components and adds others in one move. A component in both lists starts over with its defaults and the
   * values given: onRemove and onAdd are called for it, an ordered tag puts the entity at the end of its order, and
   * its row stays where it is. Inside a loop this waits until the loop ends.
   *
   * @param removed components and tags to remove; those that the entity does not have are skipped
   * @param added what add takes, as an array
   * @returns true if anything was removed or added; inside a loop, whether anything will be
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT,
   *   INVALID_VALUE; LimitError. Nothing changes then.
   * @example world.exchange(ship, [Flying], [Landed, Fuel({ left: 3 })])
   */
  exchange<const T extends readonly Ingredient[]>(
    entity: Entity | number,
    removed: readonly ComponentLike[],
    added: Complete<T>,
  ): boolean {
    return exchange(this.state, entity, removed, added)
  }

  /**
   * Whether an entity is alive and has all of the components, switched off or on. Inside a loop, queued changes are
   * not seen.
   *
   * @throws StrataTypeError NOT_A_COMPONENT
   */
  has(entity: Entity | number, ...components: (ComponentLike | Pair)[]): boolean {
    const state = this.state
    if (!state.isAlive(entity)) return state.refuse(entity, 'has')
    for (let i = 0; i < components.length; i++) {
      const component = components[i] as unknown as Definition
      const registration = state.known(component)
      if (registration === undefined || registration.definition !== component)
        return hasUnknown(state, entity, components)
      if (!registration.isOn(entity)) return false
    }
    return true
  }

  /**
   * Switches a component or tag that was declared with `{ toggle: true }` on again. Takes effect at once and moves
   * nothing; inside a loop it waits if a queued change concerns the same component.
   *
   * @returns true if it was off, or if the change is queued; false if it was on already, or if the entity is dead or
   *   does not have it
   * @throws StrataTypeError NOT_A_TOGGLE, NOT_A_COMPONENT
   */
  enable(entity: Entity | number, component: ComponentLike): boolean {
    return switchComponent(this.state, entity, component, false, 'enable')
  }

  /**
   * Switches a component or tag that was declared with `{ toggle: true }` off. The entity keeps it and its values,
   * and `has` stays true, but queries that require it skip the entity, and `not(component)` matches it. Removing and
   * adding it again switches it on.
   * Takes effect at once and moves nothing; the chunk that a loop is visiting is not affected, later chunks are.
   * Inside a loop it waits if a queued change concerns the same component.
   *
   * @returns true if it was on, or if the change is queued; false if it was off already, or if the entity is dead or
   *   does not have it
   * @throws StrataTypeError NOT_A_TOGGLE, NOT_A_COMPONENT
   */
  disable(entity: Entity | number, component: ComponentLike): boolean {
    return switchComponent(this.state, entity, component, true, 'disable')
  }

  /**
   * Whether an entity is alive, has the component, and has it switched on. True for every component that cannot be
   * switched.
   *
   * @throws StrataTypeError NOT_A_COMPONENT
   */
  isEnabled(entity: Entity | number, component: ComponentLike): boolean {
    return isEnabled(this.state, entity, component)
  }

  // ── values ──────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * A copy of the values that an entity has for a component; for an object component the value itself, not a copy.
   * Inside a loop, queued changes are not seen. Allocates an object at each call: use an accessor or a cursor in hot
   * code.
   *
   * @returns undefined if the entity is dead or does not have the component
   * @throws StrataTypeError NOT_A_COMPONENT
   */
  get<T>(entity: Entity | number, component: ObjectComponent<T>): T | undefined
  get<S extends Schema>(entity: Entity | number, component: Component<S, Storage>): Value<S> | undefined
  get<S extends Schema>(entity: Entity | number, relation: Relation<S>): Value<S> | undefined
  get<S extends Schema>(entity: Entity | number, pair: Pair<S, Schema>): Value<S> | undefined
  get(entity: Entity | number, component: AnyComponent | AnyObject | AnyRelation | ComponentValue): unknown {
    const { state } = this
    if (typeof component === 'object')
      return relatingOfPair(component, 'get').getOfPair(state, this, entity, component)
    const definition = component as unknown as Definition
    const registration = registrationOf(state, definition, 'get')
    if (registration?.gives === true) {
      if (!registration.isTag) {
        const ref = registration.locateHandle(entity)
        if (ref !== undefined) return readRow(ref)
      } else if (state.isAlive(entity)) {
        if (registration.objects !== undefined) return registration.objects.get(entity)
        // A component without fields is kept like a tag: being there is all it can tell.
        if (registration.isOn(entity)) return {}
      }
    }
    state.refuse(entity, 'get')
    refuseUntargeted(definition)
    return undefined
  }

  /**
   * Writes the named fields of a component; if the entity does not have it, adds it with defaults for the other
   * fields. Values are read once, at the call. Inside a loop, a write to a component that is there takes effect at
   * once, unless a queued change concerns the same component; adding waits.
   * For an object component, replaces the value: the old one is disposed of and the new one initialised. Setting the
   * very same value does nothing. For a relation with its target it does what add does with these values.
   *
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError NOT_A_COMPONENT, INVALID_VALUE, UNKNOWN_FIELD; LimitError.
   *   Nothing changes then.
   * @example world.set(ship, Position, { x: 3 })
   */
  set<T>(entity: Entity | number, component: ObjectComponent<T>, value: T): void
  set<S extends Schema>(entity: Entity | number, relation: Relation<S>, values: Input<S>): void
  set<S extends Schema>(entity: Entity | number, pair: Pair<S, Schema>, values: Input<S>): void
  // The last one is the one that the compiler complains about.
  set<S extends Schema>(entity: Entity | number, component: Component<S, Storage>, values: Input<S>): void
  set(
    entity: Entity | number,
    component: AnyComponent | AnyObject | AnyRelation | ComponentValue,
    given: unknown,
  ): void {
    const { state } = this
    if (typeof component === 'object') {
      addOne(state, entity, relatingOfPair(component, 'set').pairWith(component, given) as Ingredient)
      return
    }
    const definition = component as unknown as Definition
    registrationOf(state, definition, 'set')
    if (definition.kind === 'object') setObject(state, entity, definition, given)
    else if (definition.details.hasFewFloats && typeof given === 'object' && given !== null)
      setFloats(state, entity, definition, given as Record<string, unknown>)
    else if (listsFew(definition, given)) setSome(state, entity, definition, given)
    else setTaken(state, entity, definition, takeValues(definition, given))
  }

  /**
   * Writes the named fields of a component if at least one of them differs from what is stored. Equal values are not
   * written, call no listener, and do not mark the component as changed. If the entity does not have the component,
   * adds it.
   *
   * @returns whether anything was written or added; inside a loop, also true if the write is queued
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError NOT_A_COMPONENT, INVALID_VALUE, UNKNOWN_FIELD; LimitError.
   *   Nothing changes then.
   */
  setIfDifferent<S extends Schema>(
    entity: Entity | number,
    component: Component<S, Storage>,
    values: Input<S>,
  ): boolean {
    return setIfDifferent(this.state, entity, component, values)
  }

  /**
   * An accessor, which reads and writes one component of any entity without allocation. Keep it and reuse it; every
   * call returns the same one. For a component in stable storage it also works by row number.
   *
   * @throws StrataTypeError NOT_A_COMPONENT for what is not a component with fields
   * @example const positions = world.accessor(Position); positions.of(ship).x += 1
   */
  accessor<C extends AnyComponent>(component: C): AccessorOf<C> {
    return accessorOf(this.state, this.accessors, component) as unknown as AccessorOf<C>
  }

  // ── lists ───────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * The components, tags, object components and relations that an entity has, in the order in which the world met them;
   * also those that are switched off. Inside a loop, queued changes are not seen. Makes a list: for tools, not for hot
   * code.
   *
   * @returns a new list, empty if the entity is dead or has none
   * @example for (const component of world.componentsOf(ship)) console.log(component.componentName)
   */
  componentsOf(entity: Entity | number): ComponentLike[] {
    return componentsOf(this.state, entity)
  }

  /**
   * The components, tags, object components and relations that this world has met, by a spawn, an add or a query, in that
   * order. A reset forgets them.
   *
   * @returns a new list
   */
  components(): ComponentLike[] {
    return componentsIn(this.state)
  }

  /**
   * The component, tag, object component or relation with a name, if this world has met it. In one world a name stands for
   * one declaration.
   *
   * @example const component = world.componentNamed('Position')
   */
  componentNamed(name: string): ComponentLike | undefined {
    return componentNamed(this.state, name)
  }

  /**
   * Adds components to all entities of a list, in one call. What entities have already keeps its values, except for fields
   * that are given values. Stale handles and repeats are skipped. Inside a loop this waits until the loop ends.
   *
   * @param entities an array or typed array of handles
   * @param ingredients components, tags and components with values; no object components
   * @returns how many entities of the list are alive
   * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; LimitError. Nothing
   *   changes then, except with relations, and for entities that have no components yet: those before the one that
   *   failed have changed.
   * @example world.addMany(selected, Frozen, Health({ hp: 9 }))
   */
  addMany<const T extends readonly Ingredient[]>(
    entities: ArrayLike<number>,
    ...ingredients: Shared<T>
  ): number {
    return addMany(this.state, entities, ingredients)
  }

  /**
   * Removes components from all entities of a list, in one call. Stale handles and repeats are skipped. Inside a loop this
   * waits until the loop ends.
   *
   * @param entities an array or typed array of handles
   * @returns how many entities of the list are alive
   * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT; LimitError. Nothing changes then,
   *   except for entities that have no components yet: those before the one that failed have changed.
   */
  removeMany(entities: ArrayLike<number>, ...components: ComponentLike[]): number {
    return removeMany(this.state, entities, components)
  }

  /**
   * Writes values of one component to all entities of a list, as `set` does it for each: an entity that does not have the
   * component gets it. Stale handles are skipped, together with their values. All values are checked before the first is
   * written.
   *
   * @param entities an array or typed array of handles
   * @param lists for each field to write a list of values, the first one for the first handle, and so on
   * @returns how many entities of the list are alive
   * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_VALUE, also for a list that is too
   *   short: nothing changes then. LimitError where the component must be added: those before have changed.
   * @example world.setMany(ships, Position, { x: new Float32Array(ships.length), y: heights })
   */
  setMany<S extends Schema>(
    entities: ArrayLike<number>,
    component: Component<S, Storage>,
    lists: ValueLists<S>,
  ): number {
    return setMany(this.state, entities, component, lists)
  }

  // ── queries and order ───────────────────────────────────────────────────────────────────────────────────

  /**
   * The query with these terms; without terms, it matches all entities. Equal terms give the same query object. Only
   * with changed() or added() among them, every call makes a query with a memory of its own: keep and reuse those.
   *
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
   * @example const moving = world.query(Position, Velocity, not(Frozen), optional(Scale))
   */
  query<const T extends readonly Term[]>(...terms: T): Query<T> {
    return queryOf(this.queries, terms) as unknown as Query<T>
  }

  /**
   * Groups sparse components: from now on, the entities that have all of them are kept at the front of each pool, in
   * the same order. A loop over the returned query then has all components as columns, as fast as an archetype.
   * `world.query` with exactly these components returns the same query.
   * Adding or removing one of the components exchanges one row per pool. The group survives clear; after a reset the
   * query rebuilds it. Inside a loop, only a group that exists already can be used.
   *
   * @param components two or more with storage 'sparse', each in no other group
   * @returns the query over exactly these components
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_GROUP; LimitError; StrataError
   *   WORLD_LOCKED. Nothing changes then.
   * @example for (const chunk of world.group(Position, Velocity)) { const p = chunk.write(Position) … }
   */
  group<
    const T extends readonly [
      PooledComponent<'sparse'>,
      PooledComponent<'sparse'>,
      ...PooledComponent<'sparse'>[],
    ],
  >(...components: T): Query<T, true> {
    return groupOf(this.queries, components) as unknown as Query<T, true>
  }

  /**
   * Sorts the rows of a component with storage 'sparse' by one of its fields. Queries that walk its pool
   * visit entities in that order until rows are added or removed. NaN comes last; equal values keep the order in
   * which their entities were created. If the component is in a group, the group's entities are sorted in all of its
   * pools, and the other rows follow after them. Inside a loop this waits until the loop ends.
   * Cost: a radix sort, linear in the number of rows, and one exchange per row.
   *
   * @param field any field that holds one number
   * @param options order and limit: see SortOptions
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER for tables and stable storage,
   *   INVALID_OPTION; LimitError. Nothing changes then.
   * @example world.sort(Depth, 'z', { limit: 100 }) // the first 100 are the least, in order
   */
  sort<C extends PooledComponent<'sparse'>>(
    component: C,
    field: SortableFields<C>,
    options?: SortOptions,
  ): void
  /**
   * Sorts the rows of a component with storage 'sparse' by a function of two cursors. Equal ones keep the order in which
   * their entities were created. Structural changes that the function makes wait until the rows are sorted. Cost: n log n
   * calls of the function, from JavaScript: several times slower than by a field.
   *
   * @param compare returns a number below 0 where the first row comes first, above 0 where the second one does
   * @param options limit: see SortOptions
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_ORDER for tables and stable storage, INVALID_OPTION; what the
   *   function throws. Nothing changes then.
   * @example world.sort(Health, (a, b) => a.hp / a.max - b.hp / b.max)
   */
  sort<C extends PooledComponent<'sparse'>>(
    component: C,
    compare: (a: Cursor<C>, b: Cursor<C>) => number,
    options?: SortOptions & { readonly order?: undefined },
  ): void
  /**
   * Sorts the entities of an ordered tag by a field of any component, ascending. Entities without the component come
   * last. Those and entities with equal values keep their present order. An entity that gets the tag later goes to
   * the end. Inside a loop this waits until the loop ends.
   *
   * @param tag declared with the order 'insertion'
   * @param field any field that holds one number
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER for the order 'entity'; LimitError. Nothing
   *   changes then.
   */
  sort<C extends AnyComponent>(
    tag: OrderedTag,
    component: C,
    field: SortableFields<C>,
    options?: SortOptions,
  ): void
  sort(subject: unknown, second: unknown, third?: unknown, fourth?: unknown): void {
    sort(this.state, subject, second, third, fourth)
  }

  /**
   * Puts the rows of `component` in the order of the rows of `like`: entities that have both come first, in the order
   * of `like`; the others follow in no particular order. Inside a loop this waits until the loop ends.
   * Cost: one lookup per row of `like`, and one exchange per row.
   *
   * @param component with storage 'sparse', in no group
   * @param like with storage 'sparse' or 'stable', or an ordered tag
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_ORDER. Nothing changes then.
   */
  sortAs(component: PooledComponent<'sparse'>, like: PooledComponent | OrderedTag): void {
    sortAs(this.state, component, like)
  }

  // ── relations ───────────────────────────────────────────────────────────────────────────────────────────

  /**
   * The target of an entity in a relation, of several the one that it was linked to first. Inside a loop, queued changes
   * are not seen. Allocates nothing.
   *
   * @returns NULL_ENTITY if the entity is dead or has no target; a stale handle where a relation with
   *   `onTargetDestroy: 'keep'` led to an entity that was destroyed
   * @throws StrataTypeError NOT_A_RELATION
   * @example const car = world.target(wheel, ChildOf)
   */
  target(entity: Entity | number, relation: AnyRelation): Entity {
    return targetOf(this.state, entity, relation)
  }

  /**
   * The targets of an entity in a relation, in the order in which it was linked to them: one or none where the relation
   * is exclusive. Inside a loop, queued changes are not seen. Cost: proportional to how many there are.
   *
   * @returns a new array, empty if the entity is dead or has none
   * @throws StrataTypeError NOT_A_RELATION
   */
  targets(entity: Entity | number, relation: AnyRelation): EntityArray<ArrayBuffer> {
    return targetsOf(this.state, entity, relation)
  }

  /**
   * The entities that point at a target, in the order in which they were linked, or as world.place has put them. Inside
   * a loop, queued changes are not seen. Cost: proportional to how many there are.
   *
   * @returns a new array, empty if the target is dead or has none
   * @throws StrataTypeError NOT_A_RELATION
   * @example for (const wheel of world.sources(car, ChildOf)) world.add(wheel, Spinning)
   */
  sources(target: Entity | number, relation: AnyRelation): EntityArray<ArrayBuffer> {
    return sourcesOf(this.state, target, relation)
  }

  /**
   * How many entities point at a target. Takes constant time.
   *
   * @throws StrataTypeError NOT_A_RELATION
   */
  sourceCount(target: Entity | number, relation: AnyRelation): number {
    return countSources(this.state, target, relation)
  }

  /**
   * Puts an entity directly before or after another one that has the same target. Takes constant time. Inside a loop this
   * waits until the loop ends.
   *
   * @param relation an exclusive relation; of any other one the pair with the target, Likes(bob), among whose sources it is
   * @param place the sibling: `{ before: door }` or `{ after: door }`
   * @throws StrataTypeError NOT_A_RELATION, INVALID_OPTION, INVALID_VALUE; DeadEntityError DEAD_ENTITY; StrataError MISSING_COMPONENT
   *   if the two do not have the same target. Nothing changes then.
   * @example world.place(wheel, ChildOf, { before: door })
   */
  place(
    entity: Entity | number,
    relation: AnyExclusiveRelation | Pair,
    place: { readonly before: Entity | number } | { readonly after: Entity | number },
  ): void {
    placeSource(this.state, entity, relation, place)
  }

  /**
   * Copies an entity with everything below it: all that would be destroyed with it, by relations declared with
   * `onTargetDestroy: 'destroy'`. Links and `entity` fields that lead to something inside lead inside of the copy; all
   * others stay as they are, so a copy has the same target as the model. Inside a loop the copies are made when it ends; the
   * handles are alive at once.
   *
   * @param model a living entity
   * @param count how many copies, from 0
   * @param overrides what the copies of `model` itself get in addition, or in place of its values; no object components
   * @returns the handles of the copies of `model`
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE;
   *   LimitError. Nothing changes then.
   * @example const [first] = world.spawnTree(tank, 10, Position({ x: 5 }))
   */
  spawnTree<const T extends readonly Ingredient[]>(
    model: Entity | number,
    count: number,
    ...overrides: Shared<T>
  ): EntityArray<ArrayBuffer> {
    const { state } = this
    return state.relations?.spawnTree(model, count, overrides) ?? spawnFrom(state, model, count, overrides)
  }

  // ── resources ───────────────────────────────────────────────────────────────────────────────────────────

  /**
   * The resource itself. For a resource with fields: a cursor whose properties read and write linear memory, the same
   * object at every call; the resource is created with its defaults if it is missing. For a resource without a
   * schema: its value, or undefined.
   * After removeResource or reset, call this again: a cursor that you kept refers to nothing until then. Every read
   * of a `vec` field creates a new typed array over linear memory, valid until the memory grows or the resource is
   * removed. Takes a few nanoseconds, and is allowed inside a loop.
   *
   * @throws StrataTypeError NOT_A_RESOURCE; StrataError WORLD_LOCKED if a resource with fields is missing inside a
   *   loop; LimitError
   * @example world.resource(Time).dt = 1 / 60
   */
  resource<S extends Schema>(resource: Resource<S>): Value<S>
  resource<T>(resource: ValueResource<T>): T | undefined
  resource(resource: unknown): unknown {
    return resourcesFor(this.state, resource, 'resource').content(resource)
  }

  /**
   * Writes the named fields of a resource, or replaces the value of one without a schema; creates the resource if it
   * is missing. Takes effect at once, also inside a loop.
   *
   * @throws StrataTypeError NOT_A_RESOURCE, INVALID_VALUE, UNKNOWN_FIELD; StrataError WORLD_LOCKED if a resource with
   *   fields is missing inside a loop; LimitError. Nothing changes then.
   */
  setResource<S extends Schema>(resource: Resource<S>, values: Input<S>): void
  setResource<T>(resource: ValueResource<T>, value: NoInfer<T>): void
  setResource(resource: unknown, value: unknown): void {
    setResource(this.state, resource, value)
  }

  /**
   * A copy of the fields of a resource, or the value of one without a schema; undefined if the resource is missing.
   * Creates nothing.
   *
   * @throws StrataTypeError NOT_A_RESOURCE
   */
  getResource<S extends Schema>(resource: Resource<S>): Value<S> | undefined
  getResource<T>(resource: ValueResource<T>): T | undefined
  getResource(resource: unknown): unknown {
    return resourcesFor(this.state, resource, 'getResource').get(resource)
  }

  /**
   * Whether the resource exists. clear() keeps resources; reset() and dispose() remove them.
   *
   * @throws StrataTypeError NOT_A_RESOURCE
   */
  hasResource(resource: AnyResource): boolean {
    return resourcesFor(this.state, resource, 'hasResource').has(resource)
  }

  /**
   * Removes a resource and frees the memory of its fields. Takes effect at once, also inside a loop.
   *
   * @returns false if it was missing
   * @throws StrataTypeError NOT_A_RESOURCE
   */
  removeResource(resource: AnyResource): boolean {
    return removeResource(this.state, resource)
  }

  // ── texts, and sweeps ───────────────────────────────────────────────────────────────────────────────────

  /**
   * The id under which columns of `text` fields store a string. Compare ids in loops over chunks:
   * `if (name.value[i] === id)`. The id stays the same until a sweep frees the string. Allowed inside a loop.
   *
   * @returns undefined if the world does not store the string; then no row has it
   * @throws StrataTypeError INVALID_VALUE if it is not a string
   */
  textId(string: string): number | undefined {
    this.state.refuseDisposed()
    this.state.texts.checkString(string, 'textId')
    return this.state.texts.idOf(string)
  }

  /**
   * The string of an id that was read from a column of a `text` field, or undefined if no string has that id. Allowed
   * inside a loop.
   */
  textOf(id: number): string | undefined {
    this.state.refuseDisposed()
    return this.state.texts.find(id)
  }

  /**
   * The id of a string, which is stored if it is new: for writing it to many rows of a column. An id that is in no
   * row is freed by the next sweepTexts. Allowed inside a loop.
   *
   * @param string at most 32,767 UTF-16 units
   * @throws StrataTypeError INVALID_VALUE; LimitError MEMORY_LIMIT. Nothing changes then.
   */
  internText(string: string): number {
    this.state.refuseDisposed()
    this.state.texts.check(string, 'internText')
    return this.state.texts.intern(string)
  }

  /**
   * Frees every text that is neither in a row nor a default value. Freed ids are reused, lowest first, so drop the
   * ids that you keep outside of columns. An id in a column that names no text becomes 0, the empty string. Cost: a
   * visit to every row with a text field.
   *
   * @returns how many texts were freed
   * @throws StrataError WORLD_LOCKED inside a loop
   */
  sweepTexts(): number {
    this.state.refuseDisposed()
    this.state.refuseWhileLocked('sweepTexts')
    return this.state.texts.sweep()
  }

  /**
   * Replaces every stale handle in an `entity` field with NULL_ENTITY, in all storages, and marks the columns in
   * which it found one as changed. Links of relations stay as they are. Allowed inside a loop. Cost: a visit to every row with an entity field.
   *
   * @returns how many stale handles it found
   */
  sweepReferences(): number {
    this.state.refuseDisposed()
    return this.state.core.referencesSweep(this.state.promised)
  }

  /**
   * Iterates over the entities that have an object component, with their values. Entities that get the component
   * meanwhile are not visited, and those that have lost it are skipped. The pair is one reused array: destructure it.
   *
   * @throws StrataTypeError NOT_A_COMPONENT
   * @example for (const [entity, sprite] of world.objectsOf(Sprite)) sprite.draw()
   */
  objectsOf<T>(component: ObjectComponent<T>): IterableIterator<readonly [entity: Entity, value: T]> {
    return objectsOf(this.queries, component)
  }

  // ── kernels, and modules ────────────────────────────────────────────────────────────────────────────────

  /**
   * Binds a compiled kernel to components and resources of this world. Run the result with query.run, or with
   * world.run if the kernel takes no rows. Everything is checked here, once, and missing resources are created. Keep
   * the result and reuse it: it works for every query that has the columns, and also after a reset, once its
   * resources exist again.
   *
   * @param kernel what you import from a compiled `.kernel.ts` file
   * @param columns for each parameter that is a column or a resource: the component or resource, and the name of a
   *   field of the same kind
   * @throws StrataTypeError INVALID_KERNEL for what is not a kernel or must not share the memory, INVALID_BINDING for
   *   a parameter without a fitting field; StrataError WORLD_LOCKED inside a loop; LimitError. Nothing changes then.
   * @example const step = world.kernel(move, { px: [Position, 'x'], vx: [Velocity, 'x'] })
   */
  kernel<K extends AnyKernel | KernelFunction, C extends BoundSources<K>>(
    kernel: K,
    columns: ColumnBindings<K, C>,
  ): BoundKernel<ScalarsOf<K>, ResultOf<K>, HasRows<K>>
  kernel(kernel: unknown, columns: unknown): unknown {
    this.kernels = kernelsOf(this.state, this.module, kernel, this.kernels)
    return this.kernels.bind(kernel, columns)
  }

  /**
   * Calls a kernel that takes no rows, once. Allowed inside a loop. Cost: one call into its module, about 100 ns, in
   * addition to its own work.
   *
   * @param kernel returned by world.kernel, for a function whose parameters are only resources and scalars
   * @param scalars a value for each scalar parameter; leave it out for a kernel without any
   * @returns what a kernel with a Sum, Min, Max or Count returns; otherwise undefined
   * @throws StrataTypeError INVALID_BINDING or StrataError MISSING_RESOURCE before it runs; StrataError KERNEL_FAILED
   *   if it traps or grows the memory: what it has written until then stays written
   * @example world.run(blur, { decay: 0.9 })
   */
  run<S, R>(kernel: BoundKernel<S, R, false>, ...scalars: ScalarArguments<S>): R
  run(kernel: BoundKernel<unknown, unknown, boolean>, scalars?: unknown): unknown {
    return runOnce(this.state, kernel, scalars)
  }

  // ── changes that wait ───────────────────────────────────────────────────────────────────────────────────

  /**
   * Calls `action` and queues the structural changes that it makes. They are applied when it ends, also when it
   * throws: the changes of each entity become one net change. Blocks nest; the changes are applied when the outermost
   * one ends.
   *
   * @param action a function that is not async
   * @returns what `action` returns
   * @throws StrataTypeError INVALID_OPTION, ASYNC_CALLBACK if `action` is async or returns a promise; LimitError, the
   *   first one, after all queued changes have been tried
   */
  defer<R>(action: () => R): R {
    return defer(this.state, action)
  }

  /** A command buffer: it records changes now and makes them all when you call its apply(). See Commands. */
  commands(): Commands {
    this.state.refuseDisposed()
    return new Commands(this.state)
  }

  // ── ticks and frames ────────────────────────────────────────────────────────────────────────────────────

  /** The change tick, from 0 to 2^32 - 1. Each column stores the tick at which it was last written. */
  get tick(): number {
    this.state.refuseDisposed()
    return this.state.heap.u32[WORLD_TICK_WORD] as number
  }

  /** Increments the change tick, which wraps around after 2^32. Call it once per frame. */
  advance(): void {
    this.state.refuseDisposed()
    this.state.advance()
  }

  /**
   * Marks an entity for destruction at the end of the frame, by adding the tag Discarded. Until endFrame destroys it,
   * the entity stays as it is and still matches queries without not(Discarded). Inside a loop the mark is added when
   * the loop ends.
   *
   * @returns false if it was not alive or was marked already
   * @throws LimitError. Nothing changes then.
   */
  discard(entity: Entity | number): boolean {
    return this.state.isAlive(entity) ? this.add(entity, Discarded) : this.state.refuse(entity, 'discard')
  }

  /**
   * Ends a frame: destroys the discarded entities, then removes every component declared with `{ lifetime: 'frame' }`
   * from all entities, each in one call. Does not advance the change tick: see
   * advance. Inside a loop this waits until the loop ends. Cost: proportional to what there is to destroy and remove.
   *
   * @throws StrataError WORLD_LOCKED at the second call inside one loop: an earlier frame left that loop open, most
   *   likely because of an `await` in it
   * @throws LimitError, the first one: a component whose entities cannot be moved stays on all of them; everything
   *   else is done
   */
  endFrame(): void {
    this.frameEnd.end()
  }

  // ── snapshots, saves, digests ───────────────────────────────────────────────────────────────────────────

  /**
   * Copies the whole state of the world: entities with their components, resources, change ticks, what queries with
   * `changed` and `added` have seen, what readers of removals have not taken, and the time and timers of its schedules. Objects and resources
   * that are JavaScript values are not copied, except by their `revive`, `save` and `load`. Outlives changes, reset and
   * dispose of the world.
   * Cost: a copy of the memory in use, about 0.1 ms per MB. With `into`, nothing is allocated unless the world has grown.
   *
   * @param options `into`: a snapshot whose memory is used again
   * @returns a new snapshot, or the one to write into
   * @throws StrataError WORLD_LOCKED inside a loop; StrataTypeError INVALID_SNAPSHOT if `into` is none; LimitError
   *   MEMORY_LIMIT; what the `save` of a resource throws
   * @example const before = world.snapshot()
   */
  snapshot(options: SnapshotOptions = {}): Snapshot {
    return snapshotOf(this.state, this.module, options)
  }

  /**
   * Takes the world back to a snapshot. Every handle names what it named then: entities that died since are alive, those
   * that were made since are not. Queries, accessors, kernels, schedules and subscriptions keep working. No events are
   * reported: listeners of onRestore and subscribers of queries are called once, at the end.
   * Commands that were recorded before are stale: see Commands. A schedule that is running keeps its time.
   * Cost: a copy of the memory that was in use; if components or archetypes were met since, everything that queries and
   * accessors have resolved is resolved again when they are used next.
   *
   * @param snapshot of this world, or of another one with the same options and core
   * @throws StrataError WORLD_LOCKED inside a loop; StrataTypeError INVALID_SNAPSHOT; LimitError MEMORY_LIMIT. Nothing
   *   changes then. After restoring, the first error thrown by a listener, `revive`, `load` or `dispose`
   */
  restore(snapshot: Snapshot): void {
    restoreTo(this.state, this.module, snapshot)
  }

  /**
   * Creates a world of its own in the same state, with the same options and handles. Objects are made by `revive`,
   * resources that are JavaScript values by `save` and `load`; those without are missing in the new world, until
   * setResource gives it one. Listeners, kernels and schedules stay behind, and a query made in the new world has seen no
   * changes yet. Dispose of worlds that are no longer needed: a page can have about 120.
   *
   * @throws as snapshot and restore do
   * @example const twin = world.fork()
   */
  fork(): World {
    return fork(this, World.make)
  }

  /**
   * The entities with their components, and the resources, as a file of this package's own format, which a later version
   * of the program can load: docs/saving.md. Equal worlds give equal bytes. Resources that are
   * JavaScript values are saved if they have `save` and `load`, by what `save` returns; of object components it is saved
   * who has them. Changes that are recorded in command buffers, listeners, and what queries have seen are not saved.
   * Cost: about 1 ms per MB, and 10 ns per entity.
   *
   * @param options `only`, `entities`: what is saved
   * @returns a new array with the bytes of the file
   * @throws StrataError MISSING_SAVES unless the world was made by createWorld({ saves }), WORLD_LOCKED inside a loop;
   *   StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, INVALID_VALUE for a resource that no file can hold; what the
   *   `save` of a resource throws
   * @example const bytes = world.save({ only: [Position, Health], entities: world.query(Player) })
   */
  save(options: SaveOptions = {}): Uint8Array<ArrayBuffer> {
    return requireSaves(this.state, this.saves, 'save').save(this.state, options)
  }

  /**
   * Adds what world.save returned, here or elsewhere, to this world. Entities get new handles; `entity` fields that point
   * at entities of the save follow them. Rows count as added at the tick of this world, and they are reported to
   * listeners as copies are: onAdd and onEnter, once everything is there. Resources that this world has already stay as they are.
   * Cost: about 0.3 ms per MB and 30 ns per entity.
   *
   * @param bytes a whole file; it is read at once
   * @param options `components`: what names stand for that this world does not know yet
   * @returns the new handles by the old ones, the names that are unknown, and the entities without their objects
   * @throws StrataError SAVE_REFUSED for bytes that are damaged or no save, MISSING_MIGRATION, MISSING_SAVES, WORLD_LOCKED
   *   inside a loop; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_NAME; LimitError; what migrations and
   *   `load` throw. Nothing changes then. After merging, the first error thrown by `revive` or a listener
   * @example const { handles } = world.merge(bytes, { components: [Position] })
   */
  merge(bytes: Uint8Array, options: MergeOptions = {}): Merged {
    return requireSaves(this.state, this.saves, 'merge').merge(this.state, bytes, options)
  }

  /**
   * A number from 0 to 2^32 - 1 for what entities have: handles, names of components, values, and what is switched off;
   * for object components only who has them. Order of rows, change ticks and memory have no influence, so worlds that
   * went the same way have equal digests, also in different browsers.
   * Cost: a visit to every value, about 10 ns each. Allocates little. Allowed inside a loop.
   *
   * @param of components, or resources with fields; without any, all entities, components and resources
   * @throws StrataTypeError NOT_A_COMPONENT
   * @example if (world.digest(Position, Health) !== message.digest) resynchronise()
   */
  digest(...of: (ComponentLike | AnyComponent | Resource)[]): number {
    return digest(this.state, of)
  }

  // ── the life of the world ───────────────────────────────────────────────────────────────────────────────

  /**
   * Destroys all entities. Resources stay, and stale handles never become alive again. Inside a loop this waits until
   * the loop ends, and then destroys the entities that were alive at the call.
   */
  clear(): void {
    clear(this.state)
  }

  /**
   * Starts the world over: empty as when it was created, with the memory that it has. Old handles may name new
   * entities afterwards. Resources are removed and names are freed; queries, accessors and subscriptions keep
   * working.
   *
   * @throws StrataError WORLD_LOCKED inside a loop
   */
  reset(): void {
    reset(this.state)
  }

  /**
   * Gives back what the world keeps for archetypes without rows: each set of tables and tags that an entity has ever had
   * stays an archetype, of some 600 bytes, until this drops it. Then it costs snapshots, new queries and `stats()` nothing.
   * The memory serves other things; it does not shrink. Nothing that a program sees changes but those numbers: handles,
   * queries, accessors, buffers and snapshots go on as before, and loops keep their order.
   *
   * `stats().emptyArchetypes` tells whether it is worth it. Call it between frames, now and then, where entities have many
   * tags that come and go in any combination. Costs a look at each archetype and query, and at what goes: about a microsecond
   * for each archetype dropped. `clear()` does it by itself where there are more than a thousand.
   *
   * @returns how many archetypes were dropped
   * @throws StrataError WORLD_LOCKED inside a loop or a listener
   * @example if (world.stats().emptyArchetypes > 10_000) world.trim()
   */
  trim(): number {
    return trim(this.state)
  }

  /**
   * Counts of entities, archetypes, chunks, components, ids and texts, and memory use in bytes. Allocates one object.
   */
  stats(): WorldStats {
    return statsOf(this.state)
  }

  /**
   * Frees the memory of the world. No entity is alive afterwards, and every later call except isAlive and dispose
   * throws WORLD_DISPOSED. A second call does nothing.
   *
   * @throws StrataError WORLD_LOCKED inside a loop; after disposing, the first error thrown by a listener
   */
  dispose(): void {
    dispose(this.state, () => {
      this.queries.shared.clear()
      this.accessors.clear()
    })
  }

  /** @internal */
  [INSPECT](): string {
    return showWorld(this.state, () => this.stats())
  }

  /** @internal */
  toString(): string {
    return this[INSPECT]()
  }

  /** @internal */
  toJSON(): string {
    return this[INSPECT]()
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
