// Owns the calls on a world: it checks their arguments, and hands them to the core.
// It must never hold simulation state: that is in linear memory; what is here can be rebuilt from it.

import {
  BLOCKS_END,
  BLOCKS_USED,
  CHUNKS_COUNT,
  ENTITIES_ALIVE,
  ENTITIES_FREE_COUNT,
  ENTITIES_RETIRED_COUNT,
  ARCHETYPES_ALL,
  COMPONENTS_COUNT,
  LIST_COUNT,
  MAX_ENTITIES,
  SCRATCH_ADDRESS,
  SCRATCH_BYTES,
  STATUS_DEAD,
  STATUS_OUT_OF_ENTITIES,
  TEXTS_COUNT,
  WORLD_STATUS,
} from '../../build/layout'
import { ComponentAccessor } from '../rows/accessor'
import {
  MAKING,
  checkCallback,
  checkFunction,
  checkOptions,
  refuseByHand,
  refusePromise,
  takeArray,
  takeElements,
} from '../memory/arguments'
import type { BundleNode } from '../rows/bundle'
import {
  addComponents,
  destroyEntity,
  exchangeComponents,
  removeComponents,
  spawnEntity,
  changeError,
} from '../changes/one'
import { EntityArrays } from '../loops/chunk'
import { Commands } from '../changes/buffer'
import { CommandQueue, queueOf } from '../changes/queue'
import {
  type AnyComponent,
  type AnyObject,
  type Component,
  type ComponentLike,
  type Complete,
  type CompleteIngredient,
  ComponentValue,
  type Definition,
  type Ingredient,
  type Input,
  type ObjectComponent,
  type OrderedTag,
  type Schema,
  type Shared,
  type Storage,
  type Value,
  definitionOf,
  hold,
} from '../components/component'
import { cloneEntity, cloneMany } from '../changes/clones'
import { instantiateCore } from '../memory/core'
import { describe } from '../memory/describe'
import { type Entity, type EntityArray, NULL_ENTITY } from '../memory/entity'
import { StrataTypeError, limitError } from '../memory/errors'
import { groupComponents } from '../matching/groups'
import { Discarded, FrameEnd } from './frame'
import { TICK } from '../memory/heap'
import { type Given, listFew, listMany } from '../components/ingredients'
import { INSPECT } from '../memory/inspection'
import { showWorld } from './inspection'
import type { AnyKernel, KernelFunction } from '../kernels/kernel'
import { type BoundKernel, checkBound } from '../kernels/binding'
import { Kernels } from '../kernels/instances'
import type {
  BoundSources,
  ColumnBindings,
  HasRows,
  ResultOf,
  ScalarArguments,
  ScalarsOf,
} from '../kernels/types'
import { type CallArgument, callModule } from './moduleCalls'
import { notAComponent, refuseComponent, withoutFields } from '../components/notAComponent'
import { type ObjectStore, notAnObject, refuseShared, walkObjects } from '../rows/objects'
import { requireValues } from '../events/observed'
import { observedDestroyAll, observedEnd } from '../events/observedMany'
import { observersOf } from '../events/observersOf'
import { Observers } from '../events/observers'
import { Query } from '../queries/query'
import { QuerySource } from '../queries/source'
import { watchable } from '../events/queryWatch'
import type { Registration } from '../rows/registration'
import { sortRows, sortRowsAs, sortTag } from '../queries/sorting'
import type { AnyResource, Resource, ValueResource } from '../components/resource'
import { Resources } from '../rows/resources'
import { destroyMany, spawnRows } from '../changes/many'
import { SEVERAL } from '../events/subscribers'
import { checkSwitch, isSwitchedOn, switchOne } from '../events/switching'
import { type Taken, takeValues } from '../components/taking'
import { type ParsedTerm, type Term, keyOf, parseTerms } from '../components/terms'
import type { Chunk, Cursor, NotAsync, PooledComponent, SortableFields } from '../components/types'
import { equalsLocated, readLocated, writeGiven, writeLocated } from '../rows/values'
import type { Handler } from '../events/watches'
import { type WorldOptions, PAGE_BYTES, readOptions } from './options'
import { WorldState } from '../rows/worldState'

/** Counts and memory use of a world, at the time of the call. Returned by world.stats(). */
export interface WorldStats {
  /** Entities alive. */
  readonly entities: number
  /** Archetypes: one for each set of table components and tags. */
  readonly archetypes: number
  /** Chunks of rows. */
  readonly chunks: number
  /** Components, tags and object components that the world has met. */
  readonly components: number
  /** Bytes of linear memory in use, including the first three pages, which are fixed. */
  readonly bytesUsed: number
  /** Bytes of linear memory. */
  readonly bytesReserved: number
  /** Entity indices that are waiting to be reused. */
  readonly freeIds: number
  /** Entity indices whose 8-bit generations are used up. */
  readonly retiredIds: number
  /** Different strings stored for text fields, without the empty one. */
  readonly texts: number
}

/** An option of world.onAdd and world.onEnter. */
export interface ExistingOption {
  /**
   * Whether to call the listener at once for every entity that has the component, or matches, already. Default false.
   */
  readonly existing?: boolean | undefined
}

/**
 * Reads and writes one component of any entity through one reused cursor, without allocation. Made by world.accessor.
 */
export interface Accessor<C> {
  /**
   * Moves the cursor to an entity. Its properties read and write the entity's values at once, also inside a loop; the
   * cursor is valid until the next call.
   *
   * @returns the cursor, the same object at every call
   * @throws DeadEntityError DEAD_ENTITY; StrataError MISSING_COMPONENT
   * @example world.accessor(Position).of(ship).x += 1
   */
  of(entity: Entity | number): Cursor<C>
}

/**
 * Reads and writes a component in stable storage, by handle or by row number. A row number fits a u32 field and is
 * never 0. It belongs to the entity for as long as the entity has the component; after that another entity may get
 * the row, the longest free row first. Where the entity may go away, keep its handle beside the row and compare it
 * with entityAt(row).
 */
export interface StableAccessor<C> extends Accessor<C> {
  /**
   * The row of an entity, or 0 if the entity is dead or does not have the component. Inside a loop, queued changes
   * are not seen.
   */
  rowOf(entity: Entity | number): number
  /**
   * Moves the cursor to a row, whose values it reads and writes until the next call.
   *
   * @param row any number
   * @throws StrataError MISSING_ROW if there is no entity in that row
   */
  at(row: number): Cursor<C>
  /** The entity in a row, or NULL_ENTITY if there is none. Any number is allowed. */
  entityAt(row: number): Entity
}

type AccessorOf<C> =
  C extends Component<infer _, infer Where>
    ? [Where] extends ['stable']
      ? StableAccessor<C>
      : Accessor<C>
    : never

const LISTEN_OPTIONS = ['existing']

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
  private readonly state: WorldState
  private readonly entityArrays: EntityArrays
  private readonly accessors = new Map<Definition, ComponentAccessor>()
  private queries = new Map<string, Query>()
  private readonly resources: Resources
  private readonly frameEnd: FrameEnd
  private readonly kernels: Kernels

  /** @internal Use createWorld. */
  static make(options: WorldOptions): World {
    return new World(options, MAKING)
  }

  private constructor(options: WorldOptions, key: symbol) {
    refuseByHand(key, 'World', 'createWorld(…)')
    const { initial, maximum, maxEntities, strict } = readOptions(options)
    const core = instantiateCore(Math.ceil(initial / PAGE_BYTES), maximum / PAGE_BYTES, options?.module)
    const status = core.worldInit(maximum, maxEntities, strict)
    if (status < 0) throw limitError(status, '')
    this.state = new WorldState(core)
    this.state.commands = new CommandQueue(this.state)
    this.state.listeners = new Observers(this.state, this)
    this.state.warmUp()
    this.entityArrays = new EntityArrays(this.state.heap)
    this.resources = new Resources(this.state)
    this.frameEnd = new FrameEnd(this.state, this)
    this.kernels = new Kernels(this.state, this.resources, options?.module)
  }

  // ── entities ───────────────────────────────────────────────────────────────────────────────────────────

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
    if ((state.locks | state.watching) !== 0 || !node.direct) {
      if (count > 3) return this.spawnSlowly(node, listMany(a, b, c, more))
      return this.spawnSlowly(node, listFew(count, a, b, c))
    }
    const entity = state.core.entitySpawn(node.address) >>> 0
    state.heap.check()
    if (entity === NULL_ENTITY) throw this.notSpawned(node)
    writeGiven(node, 0, entity, a)
    writeGiven(node, 1, entity, b)
    writeGiven(node, 2, entity, c)
    for (let i = 0; i < more.length; i++) writeGiven(node, i + 3, entity, more[i])
    return entity as Entity
  }

  private spawnSlowly(node: BundleNode, given: Given): Entity {
    const { state } = this
    if (state.locks !== 0) return this.spawnLater(node, given)
    const entity = spawnEntity(state, node, given)
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
    const state = this.state
    state.refuseDisposed()
    checkCount(count, 'spawnMany')
    const named = takeArray('spawnMany', 'components', ingredients)
    if (fill !== undefined) checkCallback('spawnMany', fill)
    let node = state.bundles
    for (const ingredient of named) node = node.follow(ingredient, 'spawnMany')
    if (node.holdsObjects) refuseShared(node.definitions, 'spawnMany')
    return spawnRows(
      state,
      this.entityArrays,
      count,
      node,
      named.some((ingredient) => typeof ingredient === 'object') ? named : undefined,
      fill as ((chunk: unknown) => unknown) | undefined,
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
   * and loops are treated as by clone.
   *
   * @param count how many, from 0 to the number of free ids
   * @returns the handles, in the order of the rows
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError INVALID_OPTION; LimitError. Nothing changes then.
   * @example const fleet = world.spawnFrom(ship, 100)
   */
  spawnFrom(source: Entity | number, count: number): EntityArray<ArrayBuffer> {
    this.state.refuseDisposed()
    checkCount(count, 'spawnFrom')
    if (!this.state.isAlive(source)) throw this.state.dead(source, 'spawnFrom')
    return cloneMany(this.state, source as Entity, count)
  }

  /**
   * Whether a handle names a living entity. Any value is allowed; false for whatever is not a handle of this world,
   * and after dispose. It also makes a number an Entity for the compiler.
   */
  isAlive(entity: Entity): boolean
  isAlive(entity: number): entity is Entity
  isAlive(entity: Entity | number): boolean {
    return this.state.isAlive(entity)
  }

  /**
   * Destroys an entity with all its components. Inside a loop this waits until the loop ends; until then the entity
   * is alive.
   *
   * @returns false if it was not alive
   */
  destroy(entity: Entity | number): boolean {
    const state = this.state
    if (typeof entity !== 'number' || entity >>> 0 !== entity) return this.refuse()
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

  // ── components ─────────────────────────────────────────────────────────────────────────────────────────

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
    if (count > 0) node = node.follow(a, 'add')
    if (count > 1) node = node.follow(b, 'add')
    if (count > 2) node = node.follow(c, 'add')
    for (let i = 0; i < more.length; i++) node = node.follow(more[i], 'add')
    // The core knows the dead; what is no 32-bit number must not reach it and turn into another handle.
    if (typeof entity !== 'number' || entity >>> 0 !== entity) throw this.state.dead(entity, 'add')
    if ((state.locks | state.watching) !== 0 || !node.direct) {
      if (count > 3) return this.addSlowly(entity, node, listMany(a, b, c, more))
      return this.addSlowly(entity, node, listFew(count, a, b, c))
    }
    const status = state.core.entityAdd(entity, node.address)
    state.heap.check()
    if (status < 0) throw changeError(state, status, node, entity, 'add')
    writeGiven(node, 0, entity, a)
    writeGiven(node, 1, entity, b)
    writeGiven(node, 2, entity, c)
    for (let i = 0; i < more.length; i++) writeGiven(node, i + 3, entity, more[i])
    return status > 0
  }

  private addSlowly(entity: number, node: BundleNode, given: Given): boolean {
    const { state } = this
    if (state.locks !== 0) return this.addLater(entity, node, given)
    const status = addComponents(state, entity, node, given)
    if (status < 0) throw changeError(state, status, node, entity, 'add')
    return status > 0
  }

  private addLater(entity: number, node: BundleNode, given: Given): boolean {
    if (!this.state.isAlive(entity)) throw this.state.dead(entity, 'add')
    if (node.holdsObjects) this.requireValuesLater(entity, node, given, 'add')
    queueOf(this.state).add(entity, node, given)
    return !this.hasAll(entity, node)
  }

  /** An object component needs its value now, unless a queued change may have given it one by then. */
  private requireValuesLater(entity: number, node: BundleNode, given: Given, operation: string): void {
    const commands = queueOf(this.state)
    const waits = node.definitions.some((definition) => commands.concerns(entity, definition))
    if (!waits) requireValues(this.state, node, given, entity, operation)
  }

  /**
   * Removes components from an entity in one move; those that it does not have are skipped. Inside a loop this waits
   * until the loop ends.
   *
   * @returns true if anything was removed; inside a loop, whether anything will be; false if the entity is dead
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT; LimitError. Nothing changes then.
   */
  remove(entity: Entity | number, ...components: ComponentLike[]): boolean {
    const { state } = this
    let node = state.bundles
    for (let i = 0; i < components.length; i++) node = node.with(components[i] as never, 'remove')
    if (typeof entity !== 'number' || entity >>> 0 !== entity) return this.refuse()
    if (state.locks !== 0) return this.removeLater(entity, node)
    const status = removeComponents(state, entity, node)
    if (status === STATUS_DEAD) return false
    if (status < 0) throw limitError(status, node.describeRows())
    return status > 0
  }

  private removeLater(entity: number, node: BundleNode): boolean {
    if (!this.state.isAlive(entity)) return this.refuse()
    queueOf(this.state).remove(entity, node)
    return this.hasSome(entity, node)
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
    const state = this.state
    const losses = takeArray('exchange', 'components to remove', removed)
    const gains = takeArray('exchange', 'components to add', added)
    let without = state.bundles
    for (const component of losses)
      without = without.with(component as unknown as Definition, 'exchange: the first list')
    let node = state.bundles
    for (const ingredient of gains) node = node.follow(ingredient, 'exchange')
    if (typeof entity !== 'number' || entity >>> 0 !== entity) throw this.state.dead(entity, 'exchange')
    if (state.locks !== 0) {
      if (!state.isAlive(entity)) throw this.state.dead(entity, 'exchange')
      if (node.holdsObjects) this.requireValuesLater(entity, node, gains, 'exchange')
      queueOf(state).exchange(entity, without, node, gains)
      return this.hasSome(entity, without) || !this.hasAll(entity, node)
    }
    const status = exchangeComponents(state, entity, without, node, gains)
    if (status < 0) throw changeError(state, status, node, entity, 'exchange', without)
    return status > 0
  }

  /**
   * Whether an entity is alive and has all of the components, switched off or on. Inside a loop, queued changes are
   * not seen.
   *
   * @throws StrataTypeError NOT_A_COMPONENT
   */
  has(entity: Entity | number, ...components: ComponentLike[]): boolean {
    const state = this.state
    if (!state.isAlive(entity)) {
      refuseComponent(entity, 'has')
      return this.refuse()
    }
    for (let i = 0; i < components.length; i++) {
      const component = components[i] as unknown as Definition
      const registration = state.known(component)
      if (registration === undefined || registration.definition !== component)
        return this.refuseUnknown(components)
      if (!registration.isOn(entity)) return false
    }
    return true
  }

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
  get(entity: Entity | number, component: AnyComponent | AnyObject): unknown {
    const state = this.state
    const definition = component as unknown as Definition
    const registration = this.registrationOf(definition, 'get')
    if (registration === undefined || definition.kind === 'tag' || !state.isAlive(entity)) {
      state.refuseDisposed()
      return undefined
    }
    if (registration.objects !== undefined) return registration.objects.get(entity)
    // A component without fields is kept like a tag: being there is all it can tell.
    if (registration.isTag) return registration.isOn(entity) ? {} : undefined
    return registration.locate(entity) ? readLocated(registration, state.heap, definition) : undefined
  }

  /**
   * Writes the named fields of a component; if the entity does not have it, adds it with defaults for the other
   * fields. Values are read once, at the call. Inside a loop, a write to a component that is there takes effect at
   * once, unless a queued change concerns the same component; adding waits.
   * For an object component, replaces the value: the old one is disposed of and the new one initialised. Setting the
   * very same value does nothing.
   *
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError NOT_A_COMPONENT, INVALID_VALUE, UNKNOWN_FIELD; LimitError.
   *   Nothing changes then.
   * @example world.set(ship, Position, { x: 3 })
   */
  set<T>(entity: Entity | number, component: ObjectComponent<T>, value: T): void
  set<S extends Schema>(entity: Entity | number, component: Component<S, Storage>, values: Input<S>): void
  set(entity: Entity | number, component: AnyComponent | AnyObject, given: unknown): void {
    const definition = component as unknown as Definition
    this.registrationOf(definition, 'set')
    if (definition.kind === 'object') this.setObject(entity, definition, given)
    else this.setTaken(entity, definition, takeValues(definition, given))
  }

  private setTaken(entity: number, definition: Definition, values: Taken): void {
    const { state } = this
    if (!state.isAlive(entity)) throw this.state.dead(entity, 'set')
    const commands = queueOf(state)
    const registration = state.known(definition)
    if (state.locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)) {
      const value = new ComponentValue(definition as never, values)
      commands.add(entity, state.bundles.with(definition, 'set'), [value])
    } else if (registration !== undefined && !registration.isTag && registration.locate(entity)) {
      if (definition.hasTexts) {
        state.texts.prepare(definition, values)
        // A new text may let memory grow, and tables move with it.
        registration.locate(entity)
      }
      writeLocated(registration, values)
      if (state.watching !== 0) observersOf(state).reportSet(definition, entity)
    } else this.add(entity, new ComponentValue(definition as never, values))
  }

  private setObject(entity: number, definition: Definition, value: unknown): void {
    const { state } = this
    const commands = queueOf(state)
    const held = hold(definition.componentName, value)
    if (!state.isAlive(entity)) throw this.state.dead(entity, 'set')
    const registration = state.known(definition)
    const ingredient = new ComponentValue(definition as never, held)
    const waits = state.locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)
    if (waits) commands.add(entity, state.bundles.with(definition, 'set'), [ingredient])
    else if (registration?.isOn(entity) === true) {
      observersOf(state).replaceObject(definition, registration.objects as ObjectStore, entity, held)
    } else this.add(entity, ingredient)
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
    const definition = component as unknown as Definition
    this.registrationOf(definition, 'setIfDifferent')
    const taken = takeValues(definition, values)
    const registration = this.state.known(definition)
    const { locks } = this.state
    const commands = queueOf(this.state)
    // What is queued for the entity comes before this value, so what is there now says nothing.
    const waits = locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)
    const there = registration !== undefined && !registration.isTag && registration.locateHandle(entity)
    if (there && !waits && equalsLocated(registration, taken)) return false
    this.setTaken(entity, definition, taken)
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
    return this.switch(entity, component, false, 'enable')
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
    return this.switch(entity, component, true, 'disable')
  }

  private switch(entity: number, component: ComponentLike, off: boolean, operation: string): boolean {
    const { state } = this
    const known = state.known(component as unknown as Definition)
    // What this world knows under its own name needs no other check.
    if (
      known !== undefined &&
      known.definition === component &&
      known.canToggle &&
      (state.locks | state.watching) === 0
    ) {
      return known.switchHandle(entity, off) || this.refuse()
    }
    const definition = checkSwitch(component, operation)
    if (known === undefined) state.claim(definition)
    if (state.locks !== 0 && queueOf(state).count > 0 && queueOf(state).concerns(entity, definition)) {
      if (!state.isAlive(entity)) return false
      state.commands.later(() => void switchOne(state, entity, definition, off))
      return true
    }
    return switchOne(state, entity, definition, off) || this.refuse()
  }

  /**
   * Whether an entity is alive, has the component, and has it switched on. True for every component that cannot be
   * switched.
   *
   * @throws StrataTypeError NOT_A_COMPONENT
   */
  isEnabled(entity: Entity | number, component: ComponentLike): boolean {
    const known = this.state.known(component as unknown as Definition)
    if (known !== undefined && known.definition === component && known.canToggle) {
      return (known.locateHandle(entity) && !known.isLocatedOff()) || this.refuse()
    }
    const definition = definitionOf(component)
    if (definition === undefined) throw notAComponent(component, 'isEnabled')
    if (known === undefined) this.state.claim(definition)
    return (this.state.isAlive(entity) && isSwitchedOn(this.state, entity, definition)) || this.refuse()
  }

  /**
   * An accessor, which reads and writes one component of any entity without allocation. Keep it and reuse it; every
   * call returns the same one. For a component in stable storage it also works by row number.
   *
   * @throws StrataTypeError NOT_A_COMPONENT for what is not a component with fields
   * @example const positions = world.accessor(Position); positions.of(ship).x += 1
   */
  accessor<C extends AnyComponent>(component: C): AccessorOf<C> {
    const definition = definitionOf(component)
    if (definition?.kind !== 'component') throw withoutFields(component, 'accessor')
    let accessor = this.accessors.get(definition)
    if (accessor === undefined) {
      this.state.claim(definition)
      accessor = new ComponentAccessor(this.state, definition)
      this.accessors.set(definition, accessor)
    }
    return accessor as unknown as AccessorOf<C>
  }

  // ── queries ────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * The query with these terms; without terms, it matches all entities. Equal terms give the same query object. Only
   * with changed() or added() among them, every call makes a query with a memory of its own: keep and reuse those.
   *
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
   * @example const moving = world.query(Position, Velocity, not(Frozen), optional(Scale))
   */
  query<const T extends readonly Term[]>(...terms: T): Query<T> {
    this.state.refuseDisposed()
    const parsed = parseTerms(terms)
    const make = () => Query.make(new QuerySource(this.state, parsed, this.entityArrays))
    if (parsed.some(({ changed, added }) => changed || added)) return make() as unknown as Query<T>
    const key = keyOf(parsed)
    let query = this.queries.get(key)
    if (query === undefined) {
      query = make()
      this.queries.set(key, query)
    }
    return query as unknown as Query<T>
  }

  /**
   * Sorts the rows of a component with storage 'sparse' by one of its fields, ascending. Queries that walk its pool
   * visit entities in that order until rows are added or removed. NaN comes last; equal values keep the order in
   * which their entities were created. If the component is in a group, the group's entities are sorted in all of its
   * pools, and the other rows follow after them. Inside a loop this waits until the loop ends.
   * Cost: a radix sort, linear in the number of rows, and one exchange per row.
   *
   * @param field any field that holds one number
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER for tables and stable storage; LimitError.
   *   Nothing changes then.
   */
  sort<C extends PooledComponent<'sparse'>>(component: C, field: SortableFields<C>): void
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
  sort<C extends AnyComponent>(tag: OrderedTag, component: C, field: SortableFields<C>): void
  sort(subject: unknown, second: unknown, third?: unknown): void {
    this.state.refuseDisposed()
    const tag = definitionOf(subject)
    if (tag?.order !== undefined) sortTag(this.state, tag, second, third)
    else sortRows(this.state, subject, second)
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
    this.state.refuseDisposed()
    groupComponents(components)
    const query = this.query<T>(...components)
    query.source.keepGroup()
    return query
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
    this.state.refuseDisposed()
    sortRowsAs(this.state, component, like)
  }

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
    this.state.refuseDisposed()
    this.state.refuseWhileLocked('world.kernel')
    return this.kernels.bind(kernel, columns)
  }

  /**
   * Calls a kernel that takes no rows, once. Allowed inside a loop. Cost: one call into its module, about 100 ns, in
   * addition to its own work.
   *
   * @param kernel returned by world.kernel, for a function whose parameters are only resources and scalars
   * @param scalars a value for each scalar parameter; leave it out if there are none
   * @returns what a kernel with a Sum, Min, Max or Count returns; otherwise undefined
   * @throws StrataTypeError INVALID_BINDING or StrataError MISSING_RESOURCE before it runs; StrataError KERNEL_FAILED
   *   if it traps or grows the memory: what it has written until then stays written
   * @example world.run(blur, { decay: 0.9 })
   */
  run<S, R>(kernel: BoundKernel<S, R, false>, ...scalars: ScalarArguments<S>): R
  run(kernel: BoundKernel<unknown, unknown, boolean>, scalars?: unknown): unknown {
    const { state } = this
    state.refuseDisposed()
    checkBound(kernel, state, 'world.run')
    kernel.scalars.check(scalars)
    kernel.resources.check()
    state.lock()
    try {
      return kernel.once(scalars)
    } finally {
      state.unlock()
    }
  }

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
    this.state.refuseDisposed()
    checkCallback('defer', action)
    const { state } = this
    const { locks, loops } = state
    const { count } = loops
    state.lock()
    try {
      const result = action()
      refusePromise('defer', result)
      return result
    } catch (error) {
      state.relock(locks, count)
      throw error
    } finally {
      state.unlock()
    }
  }

  /**
   * Calls a function that is exported by the module this world was created with. Cost: one call into WebAssembly, and
   * a look at every object component.
   *
   * @param name the name of the export
   * @param args numbers, booleans, and components, which are registered if they are new and passed as their ids
   * @returns the number that the function returns, or 0 if it returns nothing; integers are signed, so
   *   `world.call('spawnOne') >>> 0` is a handle
   * @throws StrataTypeError INVALID_OPTION for a name or number of arguments that the module does not have,
   *   NOT_A_COMPONENT; StrataError WORLD_LOCKED inside a loop, WORLD_OBSERVED while there are listeners for changes:
   *   the function was not called. StrataError KERNEL_FAILED if the function traps; LimitError if a change queued
   *   inside WebAssembly found no memory: the others were made.
   * @example world.call('start', Position, Velocity)
   */
  call(name: string, ...args: CallArgument[]): number {
    this.state.refuseDisposed()
    return callModule(this.state, name, args)
  }

  /** A command buffer: it records changes now and makes them all when you call its apply(). See Commands. */
  commands(): Commands {
    this.state.refuseDisposed()
    return new Commands(this.state)
  }

  // ── texts and references ───────────────────────────────────────────────────────────────────────────────

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
   * which it found one as changed. Allowed inside a loop. Cost: a visit to every row with an entity field.
   *
   * @returns how many stale handles it found
   */
  sweepReferences(): number {
    this.state.refuseDisposed()
    return this.state.core.referencesSweep(this.state.promised)
  }

  // ── resources ──────────────────────────────────────────────────────────────────────────────────────────

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
    return this.resources.content(resource)
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
    this.resources.set(resource, value)
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
    return this.resources.get(resource)
  }

  /**
   * Whether the resource exists. clear() keeps resources; reset() and dispose() remove them.
   *
   * @throws StrataTypeError NOT_A_RESOURCE
   */
  hasResource(resource: AnyResource): boolean {
    return this.resources.has(resource)
  }

  /**
   * Removes a resource and frees the memory of its fields. Takes effect at once, also inside a loop.
   *
   * @returns false if it was missing
   * @throws StrataTypeError NOT_A_RESOURCE
   */
  removeResource(resource: AnyResource): boolean {
    return this.resources.remove(resource)
  }

  // ── events: docs/events.md ─────────────────────────────────────────────────────────────────────────────

  /**
   * Calls a listener whenever an entity gets the component, after the change is made and its values are written.
   * While listeners run, the world is locked: changes that a listener makes are applied after the change that it was
   * called for.
   *
   * @param handler called with the entity and the world
   * @param options existing: also call it at once for every entity that has the component
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_OPTION
   * @example const stop = world.onAdd(Health, (entity) => index.add(entity))
   */
  onAdd(component: ComponentLike, handler: Handler, options: ExistingOption = {}): () => void {
    const definition = this.listened(component, handler, 'onAdd')
    checkOptions('onAdd', options, LISTEN_OPTIONS)
    const stop = observersOf(this.state).listen(definition, 'added', handler)
    return options?.existing === true ? this.tellExisting(this.query(component), handler, stop) : stop
  }

  /**
   * Calls a listener before an entity loses the component or is destroyed; its values can still be read. While
   * listeners run, the world is locked: changes that a listener makes are applied after the change that it was called
   * for.
   *
   * @param handler called with the entity and the world
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_OPTION
   */
  onRemove(component: ComponentLike, handler: Handler): () => void {
    return observersOf(this.state).listen(this.listened(component, handler, 'onRemove'), 'removed', handler)
  }

  /**
   * Calls a listener whenever spawn, add or set gives values to the component, after they are written. Writes through
   * columns, cursors, accessors and kernels do not call it: use changed() for those.
   *
   * @param handler called with the entity and the world
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_OPTION
   */
  onSet(component: ComponentLike, handler: Handler): () => void {
    return observersOf(this.state).listen(this.listened(component, handler, 'onSet'), 'set', handler)
  }

  /**
   * Calls a listener whenever an entity begins to match a query, after the change is made.
   *
   * @param query a query of this world whose terms ask only which components an entity has and whether they are
   *   switched on
   * @param handler called with the entity and the world
   * @param options existing: also call it at once for every entity that matches
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError INVALID_QUERY for queries with changed, added, where, page or partition; INVALID_OPTION
   */
  onEnter(query: Query, handler: Handler, options: ExistingOption = {}): () => void {
    const terms = this.watchableTerms(query, handler, 'onEnter')
    checkOptions('onEnter', options, LISTEN_OPTIONS)
    const stop = observersOf(this.state).listenToQuery(query.source, terms, 'enter', handler)
    return options?.existing === true ? this.tellExisting(query, handler, stop) : stop
  }

  /**
   * Calls a listener before an entity ceases to match a query; its values can still be read.
   *
   * @param query a query of this world whose terms ask only which components an entity has and whether they are
   *   switched on
   * @param handler called with the entity and the world
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError INVALID_QUERY for queries with changed, added, where, page or partition; INVALID_OPTION
   */
  onExit(query: Query, handler: Handler): () => void {
    const terms = this.watchableTerms(query, handler, 'onExit')
    return observersOf(this.state).listenToQuery(query.source, terms, 'exit', handler)
  }

  /**
   * The entities that have lost the component, or were destroyed with it, since the last endFrame; recording begins
   * with the first call for the component.
   *
   * @returns the same array at every call, with one entry per removal
   * @throws StrataTypeError NOT_A_COMPONENT
   */
  removed(component: ComponentLike): readonly Entity[] {
    this.state.refuseDisposed()
    const definition = definitionOf(component)
    if (definition === undefined) throw notAComponent(component, 'removed')
    return observersOf(this.state).removalsOf(definition)
  }

  /**
   * Iterates over the entities that have an object component, with their values. Entities that get the component
   * meanwhile are not visited, and those that have lost it are skipped. The pair is one reused array: destructure it.
   *
   * @throws StrataTypeError NOT_A_COMPONENT
   * @example for (const [entity, sprite] of world.objectsOf(Sprite)) sprite.draw()
   */
  objectsOf<T>(component: ObjectComponent<T>): IterableIterator<readonly [entity: Entity, value: T]> {
    this.state.refuseDisposed()
    const definition = definitionOf(component)
    if (definition?.kind !== 'object') throw notAnObject(component, 'objectsOf')
    return walkObjects<T>(this.state, definition, this.query(component).entities())
  }

  private listened(component: ComponentLike, handler: Handler, operation: string): Definition {
    this.state.refuseDisposed()
    const definition = definitionOf(component)
    if (definition === undefined) throw notAComponent(component, operation)
    checkFunction(operation, handler)
    return definition
  }

  private watchableTerms(query: Query, handler: Handler, operation: string): readonly ParsedTerm[] {
    this.state.refuseDisposed()
    checkFunction(operation, handler)
    if (query instanceof Query && query.source.state === this.state) {
      query.refuseNarrowed(operation)
      return watchable(query.source.terms, operation)
    }
    throw new StrataTypeError('INVALID_QUERY', `${operation} takes a query of this world, world.query(…).`)
  }

  private tellExisting(query: Query, handler: Handler, stop: () => void): () => void {
    try {
      observersOf(this.state).tellExisting(handler, query.entities())
      return stop
    } catch (error) {
      // The program never gets the function that unsubscribes.
      stop()
      throw error
    }
  }

  // ── the world ──────────────────────────────────────────────────────────────────────────────────────────

  /** The change tick, from 0 to 2^32 - 1. Each column stores the tick at which it was last written. */
  get tick(): number {
    this.state.refuseDisposed()
    return this.state.heap.u32[TICK] as number
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
    return this.state.isAlive(entity) ? this.add(entity, Discarded) : this.refuse()
  }

  /**
   * Ends a frame: destroys the discarded entities, then removes every component declared with `{ lifetime: 'frame' }`
   * from all entities, each in one call. Empties the lists of `removed` first. Does not advance the change tick: see
   * advance. Inside a loop this waits until the loop ends. Cost: proportional to what there is to destroy and remove.
   *
   * @throws StrataError WORLD_LOCKED at the second call inside one loop: an earlier frame left that loop open, most
   *   likely because of an `await` in it
   * @throws LimitError, the first one: a component whose entities cannot be moved stays on all of them; everything
   *   else is done
   */
  endFrame(): void {
    const { state } = this
    state.refuseDisposed()
    if (state.locks === 0) return state.together(() => this.frameEnd.run())
    state.loops.awaitEnd(state.loop)
    state.commands.later(() => this.endFrame())
  }

  /**
   * Destroys all entities. Resources stay, and stale handles never become alive again. Inside a loop this waits until
   * the loop ends, and then destroys the entities that were alive at the call.
   */
  clear(): void {
    this.state.refuseDisposed()
    const { state } = this
    if (state.locks !== 0) this.clearLater()
    else if (state.reports) {
      observedDestroyAll(state, state.livingHandles(), () => state.core.worldClear())
    } else {
      observersOf(state).subscribers.dying(SEVERAL)
      state.core.worldClear()
      state.settle()
    }
  }

  /** Only entities that are alive now are destroyed: those spawned later in the loop stay. */
  private clearLater(): void {
    const doomed = this.state.livingHandles()
    this.state.commands.later(() => void this.destroyMany(doomed))
  }

  /**
   * Starts the world over: empty as when it was created, with the memory that it has. Old handles may name new
   * entities afterwards. Resources are removed and names are freed; queries, accessors and subscriptions keep
   * working.
   *
   * @throws StrataError WORLD_LOCKED inside a loop
   */
  reset(): void {
    this.state.refuseDisposed()
    this.state.refuseWhileLocked('reset')
    if (this.state.reports) observedEnd(this.state)
    observersOf(this.state).subscribers.ending()
    this.state.keepVersions()
    const status = this.state.core.worldReset()
    this.state.restart()
    if (status < 0) throw limitError(status, '')
    this.state.settle()
  }

  /**
   * Counts of entities, archetypes, chunks, components, ids and texts, and memory use in bytes. Allocates one object.
   */
  stats(): WorldStats {
    this.state.refuseDisposed()
    const { heap } = this.state
    return {
      entities: heap.word(ENTITIES_ALIVE) + this.state.promised,
      archetypes: heap.word(heap.word(ARCHETYPES_ALL) + LIST_COUNT),
      chunks: heap.word(CHUNKS_COUNT),
      components: heap.word(COMPONENTS_COUNT),
      bytesUsed: heap.word(BLOCKS_USED) + SCRATCH_ADDRESS + SCRATCH_BYTES,
      bytesReserved: heap.word(BLOCKS_END),
      freeIds: heap.word(ENTITIES_FREE_COUNT),
      retiredIds: heap.word(ENTITIES_RETIRED_COUNT),
      texts: heap.word(TEXTS_COUNT) + this.state.texts.promisedCount,
    }
  }

  /**
   * Frees the memory of the world. No entity is alive afterwards, and every later call except isAlive and dispose
   * throws WORLD_DISPOSED. A second call does nothing.
   *
   * @throws StrataError WORLD_LOCKED inside a loop; after disposing, the first error thrown by a listener
   */
  dispose(): void {
    if (this.state.disposed) return
    this.state.refuseWhileLocked('dispose')
    observersOf(this.state).subscribers.forget()
    if (this.state.reports) observedEnd(this.state)
    this.kernels.dispose()
    this.state.dispose()
    this.queries = new Map()
    this.accessors.clear()
    const failure = this.state.takeFailure()
    if (failure !== undefined) throw failure.error
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

  // ── internals ──────────────────────────────────────────────────────────────────────────────────────────

  /** The registration of a component in this world; undefined if the world has not met it. */
  private registrationOf(component: Definition, operation: string): Registration | undefined {
    const registration = this.state.known(component)
    if (registration !== undefined && registration.definition === component) return registration
    if (definitionOf(component) === undefined) throw notAComponent(component, operation)
    this.state.claim(component)
    return undefined
  }

  private hasAll(entity: number, node: BundleNode): boolean {
    const known = node.knownIn(this.state)
    for (let i = 0; i < known.length; i++) if (known[i]?.isOn(entity) !== true) return false
    return true
  }

  private hasSome(entity: number, node: BundleNode): boolean {
    const known = node.knownIn(this.state)
    for (let i = 0; i < known.length; i++) if (known[i]?.isOn(entity) === true) return true
    return false
  }

  /** For a handle that is not alive: there is nothing to do, unless the world is disposed. */
  private refuse(): false {
    this.state.refuseDisposed()
    return false
  }

  private refuseUnknown(components: readonly unknown[]): false {
    for (const component of components) {
      const definition = definitionOf(component)
      if (definition === undefined) throw notAComponent(component, 'has')
      this.state.claim(definition)
    }
    return false
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
  if (!Number.isInteger(count) || count < 0) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `${operation}: the count must be a whole number from 0, not ${describe(count)}.`,
    )
  }
  if (count > MAX_ENTITIES) throw limitError(STATUS_OUT_OF_ENTITIES, '')
}
