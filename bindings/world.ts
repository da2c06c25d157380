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
} from '../build/layout'
import { ComponentAccessor } from './accessor'
import {
  MAKING,
  checkCallback,
  checkFunction,
  checkOptions,
  refuseByHand,
  refusePromise,
  takeArray,
  takeElements,
} from './arguments'
import type { BundleNode } from './bundle'
import {
  type Given,
  addComponents,
  destroyEntity,
  exchangeComponents,
  removeComponents,
  spawnEntity,
} from './changes'
import { EntityArrays } from './chunk'
import { Commands } from './commandBuffer'
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
  type Storage,
  type Value,
  definitionOf,
  hold,
  notAComponent,
} from './component'
import { cloneEntity, cloneMany } from './clones'
import { instantiateCore } from './core'
import { type Entity, type EntityArray, NULL_ENTITY } from './entity'
import { DeadEntityError, StrataTypeError, limitError } from './errors'
import { describe } from './fields'
import { groupComponents } from './groups'
import { Discarded, FrameEnd } from './frame'
import { TICK } from './heap'
import { listFew, listMany } from './ingredients'
import { INSPECT, showWorld } from './inspection'
import type { AnyKernel, KernelFunction } from './kernel'
import { type BoundKernel, checkBound } from './kernelBinding'
import { Kernels } from './kernels'
import type {
  BoundSources,
  ColumnBindings,
  HasRows,
  ResultOf,
  ScalarArguments,
  ScalarsOf,
} from './kernelTypes'
import { type CallArgument, callModule } from './moduleCalls'
import { type ObjectStore, notAnObject, refuseShared, walkObjects } from './objects'
import { requireValues } from './observed'
import { livingOf, observedDestroyAll, observedEnd } from './observedMany'
import { Observers } from './observers'
import { Query } from './query'
import { QuerySource } from './querySource'
import { watchable } from './queryWatch'
import type { Registration } from './registration'
import { sortRows, sortRowsAs, sortTag } from './sorting'
import type { AnyResource, Resource, ValueResource } from './resource'
import { Resources } from './resources'
import { rowOf } from './rowLimits'
import { spawnRows } from './spawnMany'
import { SEVERAL } from './subscribers'
import { checkSwitch, isSwitchedOn, switchOne } from './switching'
import { type Taken, takeValues } from './taking'
import { type ParsedTerm, type Term, keyOf, parseTerms } from './terms'
import type { Chunk, Cursor, NotAsync, PooledComponent, SortableFields } from './types'
import { equalsLocated, readLocated, writeGiven, writeLocated } from './values'
import type { Handler } from './watches'
import { type WorldOptions, PAGE_BYTES, readOptions } from './worldOptions'
import { WorldState } from './worldState'

/** What world.stats() tells. */
export interface WorldStats {
  readonly entities: number
  readonly archetypes: number
  readonly chunks: number
  readonly components: number
  /** Bytes in use, the fixed first three pages included. */
  readonly bytesUsed: number
  /** Bytes of linear memory. */
  readonly bytesReserved: number
  /** Indices that wait for reuse. */
  readonly freeIds: number
  /** Indices whose generations are used up. */
  readonly retiredIds: number
  /** Different strings kept for text fields, besides the empty one. */
  readonly texts: number
}

/** An option of onAdd and onEnter. */
export interface ExistingOption {
  /** Also call the handler at once, for every entity for which it holds already. */
  readonly existing?: boolean
}

/** Random access to one component; one reused cursor. */
export interface Accessor<C> {
  /**
   * The entity's values, to read and write; valid until the next call.
   *
   * @throws DeadEntityError; StrataError MISSING_COMPONENT
   */
  of(entity: Entity | number): Cursor<C>
}

/**
 * Random access to a component in stable storage, by handle and by row. A row is a number that other components may
 * keep in a u32 field; 0 is never one. It names the entity's row for as long as the entity has the component. Then
 * another entity may get the same row, oldest first: who keeps a row of an entity that may go keeps its handle too,
 * and compares it with entityAt.
 */
export interface StableAccessor<C> extends Accessor<C> {
  /** The row of the entity, 0 when it is dead or lacks the component. Inside a loop, queued changes are not seen. */
  rowOf(entity: Entity | number): number
  /**
   * The values in a row, to read and write; valid until the next call.
   *
   * @throws StrataError MISSING_ROW when no entity is in that row, whatever the number
   */
  at(row: number): Cursor<C>
  /** The entity in a row; NULL_ENTITY when there is none, whatever the number. */
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
 * Starts a world with a linear memory of its own. Synchronous.
 *
 * @throws StrataTypeError INVALID_OPTION
 * @example const world = createWorld({ memory: { maximum: 64 * 2 ** 20 } })
 */
export function createWorld(options: WorldOptions = {}): World {
  return new World(options, MAKING)
}

export class World {
  private readonly state: WorldState
  private readonly entityArrays: EntityArrays
  private readonly accessors = new Map<Definition, ComponentAccessor>()
  private queries = new Map<string, Query>()
  private readonly resources: Resources
  private readonly frameEnd: FrameEnd
  private readonly kernels: Kernels

  /** @internal Use createWorld. */
  constructor(options: WorldOptions, key: symbol) {
    refuseByHand(key, 'World')
    const { initial, maximum, maxEntities, strict } = readOptions(options)
    const core = instantiateCore(Math.ceil(initial / PAGE_BYTES), maximum / PAGE_BYTES, options?.module)
    const status = core.worldInit(maximum, maxEntities, strict)
    if (status < 0) throw limitError(status, '')
    this.state = new WorldState(core)
    this.state.observers = new Observers(this.state, this)
    this.state.warmUp()
    this.entityArrays = new EntityArrays(this.state)
    this.resources = new Resources(this.state)
    this.frameEnd = new FrameEnd(this.state, this)
    this.kernels = new Kernels(this.state, this.resources, options?.module)
  }

  // ── entities ───────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Makes an entity with the given components; those named without values get their defaults.
   * Inside a loop the handle is alive at once, its components come when the loop ends.
   *
   * @throws StrataTypeError for a wrong argument; LimitError when memory or ids end. Nothing changes then.
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
    this.state.commands.spawn(entity, node, given)
    return entity
  }

  /**
   * Makes `count` entities in one call. `fill` is called for each run of new rows, to write their columns.
   * Inside a loop the handles are alive at once; components, and the call of `fill`, come when the loop ends.
   *
   * @param count 0 to the number of free ids
   * @returns the handles, in the order of the rows
   * @throws StrataTypeError, LimitError. Nothing changes then.
   */
  spawnMany<const T extends readonly Ingredient[], R = void>(
    count: number,
    ingredients: T,
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
   * Makes an entity with the components and values of another one. What its `entity` fields name is named by the copy
   * too. Inside a loop the handle is alive at once; it gets what the source has when its turn comes at the end, and
   * is dead then if the source is.
   *
   * @throws DeadEntityError, LimitError. Nothing changes then.
   * @example const second = world.clone(ship)
   */
  clone(source: Entity | number): Entity {
    if (!this.state.isAlive(source)) throw this.dead(source, 'clone')
    return cloneEntity(this.state, source as Entity)
  }

  /**
   * Makes `count` entities with the components and values of another one, in one call.
   *
   * @param count 0 to the number of free ids
   * @returns the handles, in the order of the rows
   * @throws DeadEntityError, StrataTypeError, LimitError. Nothing changes then.
   */
  spawnFrom(source: Entity | number, count: number): EntityArray<ArrayBuffer> {
    this.state.refuseDisposed()
    checkCount(count, 'spawnFrom')
    if (!this.state.isAlive(source)) throw this.dead(source, 'spawnFrom')
    return cloneMany(this.state, source as Entity, count)
  }

  /** Whether the handle names a living entity. False for anything else, whatever it is. */
  isAlive(entity: Entity): boolean
  isAlive(entity: number): entity is Entity
  isAlive(entity: Entity | number): boolean {
    return this.state.isAlive(entity)
  }

  /**
   * Removes the entity with all its components.
   *
   * @returns false when it was not alive
   */
  destroy(entity: Entity | number): boolean {
    const state = this.state
    if (typeof entity !== 'number' || entity >>> 0 !== entity) return this.refuse()
    if (state.locks === 0) return destroyEntity(state, entity)
    if (!state.isAlive(entity)) return false
    state.commands.destroy(entity)
    return true
  }

  /**
   * Destroys all entities of a list in one call for every 16,384; dead handles and repeats are passed over.
   *
   * @returns how many were alive
   */
  destroyMany(entities: ArrayLike<number>): number {
    const state = this.state
    state.refuseDisposed()
    const handles = takeElements('destroyMany', 'entities', entities)
    state.refuseDisposed()
    if (state.locks !== 0) return this.destroyManyLater(handles)
    if (state.reports) return observedDestroyAll(state, livingOf(state, handles))
    state.observers.subscribers.dying(SEVERAL)
    const { heap, core } = state
    const first = SCRATCH_ADDRESS >> 2
    const most = SCRATCH_BYTES >> 2
    let destroyed = 0
    for (let done = 0; done < handles.length; done += most) {
      const count = Math.min(most, handles.length - done)
      // Rounding would turn a wrong number into another entity's handle.
      for (let i = 0; i < count; i++) {
        const entity = handles[done + i] as number
        heap.u32[first + i] = state.isAlive(entity) ? entity : NULL_ENTITY
      }
      destroyed += core.entitiesDestroy(count)
    }
    state.settle()
    return destroyed
  }

  private destroyManyLater(entities: ArrayLike<unknown>): number {
    const kept = livingOf(this.state, entities)
    for (const entity of kept) this.state.commands.destroy(entity)
    return kept.length
  }

  // ── components ─────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Adds components in one move. A component that is there already keeps its values, except for the fields
   * that are named with a value.
   *
   * @returns true when a component was added that was not there before; inside a loop, whether one will be
   * @throws DeadEntityError, StrataTypeError, LimitError. Nothing changes then.
   */
  add(entity: Entity | number, ...ingredients: Ingredient[]): boolean
  add(entity: number, a?: Ingredient, b?: Ingredient, c?: Ingredient, ...more: Ingredient[]): boolean {
    const { state } = this
    const count = arguments.length - 1
    let node = state.bundles
    if (count > 0) node = node.follow(a, 'add')
    if (count > 1) node = node.follow(b, 'add')
    if (count > 2) node = node.follow(c, 'add')
    for (let i = 0; i < more.length; i++) node = node.follow(more[i], 'add')
    // The core knows the dead; what is no 32-bit number must not reach it and turn into another handle.
    if (typeof entity !== 'number' || entity >>> 0 !== entity) throw this.dead(entity, 'add')
    if ((state.locks | state.watching) !== 0 || !node.direct) {
      if (count > 3) return this.addSlowly(entity, node, listMany(a, b, c, more))
      return this.addSlowly(entity, node, listFew(count, a, b, c))
    }
    const status = state.core.entityAdd(entity, node.address)
    state.heap.check()
    if (status < 0) throw this.failed(status, node, entity, 'add')
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
    if (status < 0) throw this.failed(status, node, entity, 'add')
    return status > 0
  }

  private addLater(entity: number, node: BundleNode, given: Given): boolean {
    if (!this.state.isAlive(entity)) throw this.dead(entity, 'add')
    if (node.holdsObjects) this.requireValuesLater(entity, node, given, 'add')
    this.state.commands.add(entity, node, given)
    return !this.hasAll(entity, node)
  }

  /** An object component needs its value now, unless what waits already may have brought one by then. */
  private requireValuesLater(entity: number, node: BundleNode, given: Given, operation: string): void {
    const { commands } = this.state
    const waits = node.definitions.some((definition) => commands.concerns(entity, definition))
    if (!waits) requireValues(this.state, node, given, entity, operation)
  }

  /**
   * Removes components in one move.
   *
   * @returns true when anything was (inside a loop: will be) removed; false also for a dead entity
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
    this.state.commands.remove(entity, node)
    return this.hasSome(entity, node)
  }

  /**
   * Removes components and adds others in one move. A component in both lists starts over, with its defaults and the
   * values given: listeners are told that it goes and comes, and a tag of the order of insertion is last. Its row stays.
   *
   * @returns true when anything was removed or added; inside a loop, whether anything will be
   * @throws DeadEntityError, StrataTypeError, LimitError. Nothing changes then.
   * @example world.exchange(ship, [Flying], [Landed, Fuel({ left: 3 })])
   */
  exchange(
    entity: Entity | number,
    removed: readonly ComponentLike[],
    added: readonly Ingredient[],
  ): boolean {
    const state = this.state
    const losses = takeArray('exchange', 'components to remove', removed)
    const gains = takeArray('exchange', 'components to add', added)
    let without = state.bundles
    for (const component of losses) without = without.with(component as unknown as Definition, 'exchange')
    let node = state.bundles
    for (const ingredient of gains) node = node.follow(ingredient, 'exchange')
    if (typeof entity !== 'number' || entity >>> 0 !== entity) throw this.dead(entity, 'exchange')
    if (state.locks !== 0) {
      if (!state.isAlive(entity)) throw this.dead(entity, 'exchange')
      if (node.holdsObjects) this.requireValuesLater(entity, node, gains, 'exchange')
      state.commands.exchange(entity, without, node, gains)
      return this.hasSome(entity, without) || !this.hasAll(entity, node)
    }
    const status = exchangeComponents(state, entity, without, node, gains)
    if (status < 0) throw this.failed(status, node, entity, 'exchange', without)
    return status > 0
  }

  /** Whether a living entity has all of the components. */
  has(entity: Entity | number, ...components: ComponentLike[]): boolean {
    const state = this.state
    if (!state.isAlive(entity)) return this.refuse()
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
   * A copy of the entity's values, or undefined when it is dead or lacks the component. Of an object component it
   * is the value itself.
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
   * Writes the named fields; adds the component, the other fields at their defaults, when the entity lacks it.
   * A write to a component that is there takes effect at once, also inside a loop. Of an object component the
   * value is replaced: the old one is disposed of, the new one initialised; nothing of that for the same value.
   *
   * @throws DeadEntityError, StrataTypeError, LimitError. Nothing changes then.
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
    if (!state.isAlive(entity)) throw this.dead(entity, 'set')
    const { commands } = state
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
      if (state.watching !== 0) state.observers.reportSet(definition, entity)
    } else this.add(entity, new ComponentValue(definition as never, values))
  }

  private setObject(entity: number, definition: Definition, value: unknown): void {
    const { state } = this
    const { commands } = state
    const held = hold(definition.componentName, value)
    if (!state.isAlive(entity)) throw this.dead(entity, 'set')
    const registration = state.known(definition)
    const ingredient = new ComponentValue(definition as never, held)
    const waits = state.locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)
    if (waits) commands.add(entity, state.bundles.with(definition, 'set'), [ingredient])
    else if (registration?.isOn(entity) === true) {
      state.observers.replaceObject(definition, registration.objects as ObjectStore, entity, held)
    } else this.add(entity, ingredient)
  }

  /**
   * Writes the named fields like set, but only where one differs from what is there: an equal value marks nothing
   * changed.
   *
   * @returns whether anything was written, or the component added; inside a loop also when it waits
   * @throws like set
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
    const { locks, commands } = this.state
    // What is queued for the entity comes before this value, so what is there now says nothing.
    const waits = locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)
    const there = registration !== undefined && !registration.isTag && registration.locateHandle(entity)
    if (there && !waits && equalsLocated(registration, taken)) return false
    this.setTaken(entity, definition, taken)
    return true
  }

  /**
   * Switches a component on again that was declared with `{ toggle: true }`. Moves nothing, takes effect at once.
   *
   * @returns true when it was off; false when it is on already, when the entity lacks it or is dead. True as well
   * inside a loop when it waits behind what is queued for the entity.
   * @throws StrataTypeError NOT_A_TOGGLE
   */
  enable(entity: Entity | number, component: ComponentLike): boolean {
    return this.switch(entity, component, false, 'enable')
  }

  /**
   * Switches a component off: the entity keeps it and its values, `has` stays true, but queries that want it pass
   * over the entity, and `not(component)` finds it. Removing and adding the component switches it on. Inside a loop
   * the chunk that is being looked at does not see it any more, later ones do.
   *
   * @returns true when it was on; false when it is off already, when the entity lacks it or is dead. True as well
   * inside a loop when it waits behind what is queued for the entity.
   * @throws StrataTypeError NOT_A_TOGGLE
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
    if (state.locks !== 0 && state.commands.count > 0 && state.commands.concerns(entity, definition)) {
      if (!state.isAlive(entity)) return false
      state.commands.later(() => void switchOne(state, entity, definition, off))
      return true
    }
    return switchOne(state, entity, definition, off) || this.refuse()
  }

  /** Whether a living entity has the component and it is not switched off. */
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
   * Random access without allocation: `accessor(Position).of(ship).x += 1`. Keep it and use it again. Of a component
   * in stable storage it can go by row, too.
   */
  accessor<C extends AnyComponent>(component: C): AccessorOf<C> {
    const definition = definitionOf(component)
    if (definition?.kind !== 'component') throw notAComponent(component, 'accessor')
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
   * The query with these terms; the same terms give the same object, but with changed() or added() among them each
   * call gives one with its own memory of what it has seen. Without terms: all entities.
   *
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
   * @example const moving = world.query(Position, Velocity, not(Frozen), optional(Scale))
   */
  query<const T extends readonly Term[]>(...terms: T): Query<T> {
    this.state.refuseDisposed()
    const parsed = parseTerms(terms)
    const make = () => new Query(new QuerySource(this.state, parsed, this.entityArrays), this)
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
   * Orders the rows of a component with storage 'sparse' by one of its fields, ascending: queries that walk its
   * pool visit them in that order until rows come and go. NaN comes last; equal values are in the order in which
   * the entities were made. Of a component in a group the group's entities are sorted in all its pools, the others
   * behind them. Inside a loop it waits for the loop's end. Cost: a radix sort, and one exchange a row.
   *
   * @param field any field with one number
   * @throws StrataTypeError INVALID_ORDER for tables and stable storage; LimitError. Nothing changes then.
   */
  sort<C extends PooledComponent<'sparse'>>(component: C, field: SortableFields<C>): void
  /**
   * Orders an ordered tag by a field of any component, ascending. Entities without the component come last;
   * equal ones, and those, stay in the order they were in. The tag must have the order 'insertion': whoever gets
   * it later comes at the end. Inside a loop it waits for the loop's end.
   *
   * @throws StrataTypeError INVALID_ORDER for the order 'entity'; LimitError. Nothing changes then.
   */
  sort<C extends AnyComponent>(tag: OrderedTag, component: C, field: SortableFields<C>): void
  sort(subject: unknown, second: unknown, third?: unknown): void {
    this.state.refuseDisposed()
    const tag = definitionOf(subject)
    if (tag?.order !== undefined) sortTag(this.state, tag, second, third)
    else sortRows(this.state, subject, second)
  }

  /**
   * Keeps the entities that have all of the components packed in front of each pool, in the same order, from now
   * on: a loop over them reads the pools side by side, all components in columns, as fast as over an archetype.
   * `query` with the same components and no other term does the same. A group stays: through `clear`, and the
   * query given back makes it again after a `reset`. Adding and removing its components exchanges a row in each
   * pool. Inside a loop only a group that is there already can be had.
   *
   * @param components two or more with storage 'sparse', in no other group
   * @returns the query over exactly these components
   * @throws StrataTypeError INVALID_GROUP; LimitError; StrataError WORLD_LOCKED. Nothing changes then.
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
   * Orders the rows of `component` like those of `like`: entities that have both come first, in the order of
   * `like`, the others behind them in no particular order. Inside a loop it waits for the loop's end.
   * Cost: one look-up for each row of `like`, and one exchange a row.
   *
   * @param component storage 'sparse', in no group
   * @param like storage 'sparse' or 'stable', or an ordered tag
   * @throws StrataTypeError INVALID_ORDER. Nothing changes then.
   */
  sortAs(component: PooledComponent<'sparse'>, like: PooledComponent | OrderedTag): void {
    this.state.refuseDisposed()
    sortRowsAs(this.state, component, like)
  }

  /**
   * Binds a compiled kernel to columns and resources of this world; query.run runs it, or `run` when it has no rows.
   * All is checked here, once, and resources that are missing are made. Keep what it gives and use it again: it works
   * for every query that has the columns, and goes on working after a reset, once its resources are there again.
   *
   * @param kernel what is imported from a `.kernel.ts` file, compiled
   * @param columns for each parameter that is a column or a resource that component or resource, and the name of a
   *   field of the same kind
   * @throws StrataTypeError INVALID_KERNEL for what is no kernel or may not share the memory, INVALID_BINDING for a
   *   parameter without a fitting field; StrataError WORLD_LOCKED inside a loop; LimitError. Nothing changes then.
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
   * Calls a kernel without rows, once. Resources that it may write count as changed. Allowed in a loop. Cost: one call
   * into its module, about 100 ns, beside what it does.
   *
   * @param kernel what `kernel` gave, for a function whose parameters are resources and scalars alone
   * @param scalars a value for each scalar parameter, left out when there is none
   * @returns what the kernel returns as Sum, Min, Max or Count; else undefined
   * @throws StrataTypeError INVALID_BINDING, StrataError MISSING_RESOURCE, before it runs; StrataError KERNEL_FAILED when
   *   it traps or grows the memory: what it wrote until then stays written
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
   * Queues every structural change made inside `action` and applies them, in order, at its end, also when it
   * throws. Blocks nest; the outermost one applies.
   *
   * @returns what `action` returns
   * @throws StrataTypeError ASYNC_CALLBACK when that is a promise: the block ends where `action` first awaits
   */
  defer<R>(action: () => R): R {
    this.state.refuseDisposed()
    checkCallback('defer', action)
    this.state.lock()
    try {
      const result = action()
      refusePromise('defer', result)
      return result
    } finally {
      this.state.unlock()
    }
  }

  /**
   * Calls a function of the module that this world was created with. Components are passed as their ids, and
   * registered when they are new; a number comes back as the function returns it, signed when it is an integer:
   * `world.call('spawnOne') >>> 0` is a handle. Cost: one call into wasm, and a look at all object components.
   *
   * @returns 0 when the function returns nothing
   * @throws StrataTypeError INVALID_OPTION for a name or a number of arguments that the module does not have,
   *   NOT_A_COMPONENT; StrataError WORLD_LOCKED inside a loop, WORLD_OBSERVED while somebody listens to changes. Nothing
   *   was called then. StrataError KERNEL_FAILED when the function traps; LimitError when a change that waited inside
   *   wasm found no memory: the others were made.
   * @example world.call('start', Position, Velocity)
   */
  call(name: string, ...args: CallArgument[]): number {
    this.state.refuseDisposed()
    return callModule(this.state, name, args)
  }

  /** A buffer for changes to be made later, all at once: see Commands. */
  commands(): Commands {
    this.state.refuseDisposed()
    return new Commands(this.state)
  }

  // ── texts and references ───────────────────────────────────────────────────────────────────────────────

  /**
   * The id under which columns of `text` fields hold a string. Compare it in loops over chunks:
   * `if (name.value[i] === id)`. Until a sweep frees the string its id stays the same. Allowed in a loop.
   *
   * @returns undefined when the world does not have the string: then no row holds it
   * @throws StrataTypeError INVALID_VALUE when it is no string
   */
  textId(string: string): number | undefined {
    this.state.refuseDisposed()
    this.state.texts.checkString(string, 'textId')
    return this.state.texts.idOf(string)
  }

  /** The string of an id found in a column of a `text` field; undefined when the id names none. Allowed in a loop. */
  textOf(id: number): string | undefined {
    this.state.refuseDisposed()
    return this.state.texts.find(id)
  }

  /**
   * The id of a string, which is kept from now on: for writing it to many rows of a column. An id that is
   * stored in no row is freed by the next sweepTexts. Allowed in a loop.
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
   * Frees every text that neither a row nor a default value holds. Their ids are used again, lowest first:
   * forget ids kept outside of columns. A number in a text column that names no text becomes 0, the empty string.
   * Visits every row with a text field.
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
   * Turns every handle in an `entity` field that is not alive into NULL_ENTITY, in all storages, and marks the
   * columns changed in which it found one. Visits every row with such a field. Allowed in a loop: it is a write like
   * any other, no row moves.
   *
   * @returns how many handles were dead
   */
  sweepReferences(): number {
    this.state.refuseDisposed()
    return this.state.core.referencesSweep(this.state.promised)
  }

  // ── resources ──────────────────────────────────────────────────────────────────────────────────────────

  /**
   * The resource itself. One with fields: a cursor whose properties read and write linear memory, the same object
   * at each call; made with its defaults when it is missing. Ask again after removeResource or reset: until then a
   * kept cursor leads nowhere. A `vec` of it is a typed array over linear memory, made at each read, valid until the
   * memory grows or the resource goes. Any other: its value, or undefined. A few nanoseconds, also inside a loop.
   *
   * @throws StrataTypeError NOT_A_RESOURCE; StrataError WORLD_LOCKED when one with fields is missing inside a loop;
   *   LimitError
   * @example world.resource(Time).dt = 1 / 60
   */
  resource<S extends Schema>(resource: Resource<S>): Value<S>
  resource<T>(resource: ValueResource<T>): T | undefined
  resource(resource: unknown): unknown {
    return this.resources.content(resource)
  }

  /**
   * Writes the named fields, or replaces the value; makes the resource when it is missing. At once, also inside a
   * loop.
   *
   * @throws StrataTypeError, StrataError WORLD_LOCKED as above, LimitError. Nothing changes then.
   */
  setResource<S extends Schema>(resource: Resource<S>, values: Input<S>): void
  setResource<T>(resource: ValueResource<T>, value: NoInfer<T>): void
  setResource(resource: unknown, value: unknown): void {
    this.resources.set(resource, value)
  }

  /** A copy of the fields, or the value; undefined when the resource is missing. Makes nothing. */
  getResource<S extends Schema>(resource: Resource<S>): Value<S> | undefined
  getResource<T>(resource: ValueResource<T>): T | undefined
  getResource(resource: unknown): unknown {
    return this.resources.get(resource)
  }

  /** Whether the resource is there. clear() keeps resources; reset() and dispose() do not. */
  hasResource(resource: AnyResource): boolean {
    return this.resources.has(resource)
  }

  /**
   * Takes the resource away; the memory of its fields is given back. At once, also inside a loop.
   *
   * @returns false when it was missing
   */
  removeResource(resource: AnyResource): boolean {
    return this.resources.remove(resource)
  }

  // ── events: docs/events.md ─────────────────────────────────────────────────────────────────────────────

  /**
   * Calls back whenever an entity gets the component, when the change is done and its values are written. In a
   * handler the world is locked: what it changes waits until the change it hears of is complete.
   *
   * @param options existing: call it at once for all that have the component
   * @returns the unsubscription; the handler is not called any more
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_OPTION
   * @example const stop = world.onAdd(Health, (entity) => index.add(entity))
   */
  onAdd(component: ComponentLike, handler: Handler, options: ExistingOption = {}): () => void {
    const definition = this.listened(component, handler, 'onAdd')
    checkOptions('onAdd', options, LISTEN_OPTIONS)
    const stop = this.state.observers.listen(definition, 'added', handler)
    return options?.existing === true ? this.tellExisting(this.query(component), handler, stop) : stop
  }

  /** The same before an entity loses the component or is destroyed: its values can still be read. */
  onRemove(component: ComponentLike, handler: Handler): () => void {
    return this.state.observers.listen(this.listened(component, handler, 'onRemove'), 'removed', handler)
  }

  /** The same when spawn, add or set gave it values. Writing through columns, cursors and accessors is not heard. */
  onSet(component: ComponentLike, handler: Handler): () => void {
    return this.state.observers.listen(this.listened(component, handler, 'onSet'), 'set', handler)
  }

  /**
   * Calls back whenever an entity begins to match a query, when the change is done.
   *
   * @param options existing: call it at once for all that match
   * @returns the unsubscription
   * @throws StrataTypeError INVALID_QUERY when more than having and not having components decides, INVALID_OPTION
   */
  onEnter(query: Query, handler: Handler, options: ExistingOption = {}): () => void {
    const terms = this.watchableTerms(query, handler, 'onEnter')
    checkOptions('onEnter', options, LISTEN_OPTIONS)
    const stop = this.state.observers.listenToQuery(query.source, terms, 'enter', handler)
    return options?.existing === true ? this.tellExisting(query, handler, stop) : stop
  }

  /** The same before an entity ends to match: its values can still be read. */
  onExit(query: Query, handler: Handler): () => void {
    const terms = this.watchableTerms(query, handler, 'onExit')
    return this.state.observers.listenToQuery(query.source, terms, 'exit', handler)
  }

  /**
   * The entities that lost the component, or were destroyed with it, since the first call for it and since the
   * last endFrame. The same array each time; one entry for each removal.
   */
  removed(component: ComponentLike): readonly Entity[] {
    this.state.refuseDisposed()
    const definition = definitionOf(component)
    if (definition === undefined) throw notAComponent(component, 'removed')
    return this.state.observers.removalsOf(definition)
  }

  /**
   * The entities that have an object component, with its values. What comes while they are walked is not visited,
   * what has gone is passed over. The pair is one reused array.
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
      this.state.observers.tellExisting(handler, query.entities())
      return stop
    } catch (error) {
      // Nobody gets hold of the unsubscription then.
      stop()
      throw error
    }
  }

  // ── the world ──────────────────────────────────────────────────────────────────────────────────────────

  /** The change tick: columns remember in which one they were last written. */
  get tick(): number {
    this.state.refuseDisposed()
    return this.state.heap.u32[TICK] as number
  }

  /** Moves the change tick on; call it once a frame. Wraps around after 2^32. */
  advance(): void {
    this.state.refuseDisposed()
    this.state.advance()
  }

  /**
   * Marks an entity with the tag Discarded: it stays as it is, and matches queries unless they say not(Discarded),
   * until endFrame destroys it. Inside a loop the mark comes when the loop ends.
   *
   * @returns false when it was not alive or has the mark already
   * @throws LimitError. Nothing changes then.
   */
  discard(entity: Entity | number): boolean {
    return this.state.isAlive(entity) ? this.add(entity, Discarded) : this.refuse()
  }

  /**
   * Ends a frame: destroys what was discarded, then takes every component declared with `{ lifetime: 'frame' }`
   * from all entities, each in one call. Costs what there is to destroy and to take. Inside a loop it waits for its
   * end. It does not move the change tick: see advance.
   *
   * @throws StrataError WORLD_LOCKED at the second call inside one query loop: an earlier frame left it open, most
   *   likely by an `await` in it
   * @throws LimitError when the entities that keep other components find no memory to move to; the component that
   *   met it is on all entities as before, the others are gone
   */
  endFrame(): void {
    const { state } = this
    state.refuseDisposed()
    if (state.locks === 0) return state.together(() => this.frameEnd.run())
    state.loops.awaitEnd(state.loop)
    state.commands.later(() => this.endFrame())
  }

  /** Destroys all entities. Handles stay dead for ever: generations go on counting. Inside a loop it waits. */
  clear(): void {
    this.state.refuseDisposed()
    const { state } = this
    if (state.locks !== 0) this.clearLater()
    else if (state.reports) {
      observedDestroyAll(state, state.livingHandles(), () => state.core.worldClear())
    } else {
      state.observers.subscribers.dying(SEVERAL)
      state.core.worldClear()
      state.settle()
    }
  }

  /** What is spawned later in the loop is not meant: the entities to destroy are those of this moment. */
  private clearLater(): void {
    const doomed = this.state.livingHandles()
    this.state.commands.later(() => void this.destroyMany(doomed))
  }

  /**
   * Starts the world over: as new, with the memory it has. Handles from before may name new entities; queries
   * and accessors go on working.
   *
   * @throws StrataError WORLD_LOCKED inside a loop
   */
  reset(): void {
    this.state.refuseDisposed()
    this.state.refuseWhileLocked('reset')
    if (this.state.reports) observedEnd(this.state)
    this.state.observers.subscribers.ending()
    this.state.keepVersions()
    const status = this.state.core.worldReset()
    this.state.restart()
    if (status < 0) throw limitError(status, '')
    this.state.settle()
  }

  /** Counts of what is there and of memory. */
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
   * Lets the memory go. Nothing is alive then, and every later call but isAlive and dispose throws WORLD_DISPOSED.
   *
   * @throws StrataError WORLD_LOCKED inside a loop
   */
  dispose(): void {
    if (this.state.disposed) return
    this.state.refuseWhileLocked('dispose')
    this.state.observers.subscribers.forget()
    if (this.state.reports) observedEnd(this.state)
    this.kernels.dispose()
    this.state.dispose()
    this.entityArrays.release()
    this.queries = new Map()
    this.accessors.clear()
    const failure = this.state.takeFailure()
    if (failure !== undefined) throw failure.error
  }

  /** @internal */
  [INSPECT](): string {
    return showWorld(this.state, () => this.stats())
  }

  // ── what stays inside ──────────────────────────────────────────────────────────────────────────────────

  /** The registration of a component of this world; undefined when the world has not met it. */
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

  /** A handle that is not alive: nothing to do, unless the whole world is gone. */
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

  /** The error for a negative status of a change to one entity. */
  private failed(
    status: number,
    node: BundleNode,
    entity: number,
    operation: string,
    removed?: BundleNode,
  ): Error {
    if (status === STATUS_DEAD) return this.dead(entity, operation)
    const kept = rowOf(this.state, entity).filter((definition) => removed?.contains(definition) !== true)
    return limitError(status, node.describeRows(kept))
  }

  private dead(entity: number, operation: string): Error {
    this.state.refuseDisposed()
    return new DeadEntityError(entity, operation)
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
