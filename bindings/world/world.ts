// Owns the World that createWorld returns: the declarations and documentation of its calls. Only spawn, add, remove, get and set,
// which every frame makes by the thousand, are written out here; the others are functions of the room that owns the subject,
// which take the state of the world first.
//
// It holds no simulation state: that is in linear memory; what is here can be rebuilt from it.

import { CHANGE_ADD, CHANGE_REMOVE, STATUS_MOVED, WORLD_TICK_WORD } from '../../build/layout'
import { isDirect, isDirectSpawn, isIgnored, isRecentQuiet } from '../changes/applyChange'
import { batch } from '../state/session'
import { setAll, setFloats, setSome, setIfDifferent, setObject, setTaken } from '../changes/setValues'
import {
  addOne,
  addSlowly,
  afterAdd,
  afterRemove,
  destroy,
  exchange,
  removeSlowly,
} from '../changes/entityChanges'
import { notSpawned, spawnSlowly } from '../changes/spawn'
import { switchComponent } from '../changes/toggleChanges'
import type {
  AnyComponent,
  AnyExclusiveRelation,
  AnyObject,
  AnyRelation,
  Component,
  ComponentLike,
  ManyRelation,
  ObjectComponent,
  ObjectValue,
  Relation,
} from '../components/component'
import type { Definition } from '../components/definition'
import {
  type Complete,
  type CompleteIngredient,
  ComponentValue,
  type Ingredient,
  listFew,
  listMany,
} from '../components/componentValues'
import type { Pair } from '../components/pair'
import type { AnyResource, Resource, ValueResource } from '../components/resourceDeclaration'
import type { Input, Schema, Storage, Value } from '../components/schema'
import { listsFew, takeValues } from '../components/copiedValues'
import type { ValueLists } from '../components/valueLists'
import { type Term, relatedIn } from '../components/terms'
import { refuseUntargeted } from '../components/needsTarget'
import { EntityArrays } from '../iteration/chunkView'
import { MAKING, refuseByHand, refuseOther } from '../memory/arguments'
import { type Entity, type EntityArray, isHandle, NULL_ENTITY } from '../memory/entity'
import { Shown } from '../memory/consoleText'
import type { Query } from '../queries/query'
import { queryOf, type WorldQueries } from '../queries/queryCache'
import {
  componentByName,
  componentsIn,
  componentsOf,
  hasUnknown,
  registrationOf,
} from '../state/entityComponents'
import { copyFloats, isOnHandle } from '../values/handleAccess'
import { countSources, placeSource, setTargets, sourcesOf, targetOf, targetsOf } from '../state/linkCalls'
import { relatingOfPair } from '../state/relationHooks'
import { removeResource, resourcesFor, setResource } from '../resources/resources'
import { isEnabled } from '../values/toggles'
import { readRow, writeGiven, writeNamed } from '../values/rowValues'
import type { WorldState } from '../state/worldState'
import { type WorldStats, showWorld, statsOf } from './worldStats'
import { beginState, dispose } from './lifecycle'
import type { SlimOptions } from './worldOptions'

/**
 * Creates a world with a linear memory of its own, over a core that the program has compiled: in a page by
 * `await WebAssembly.compileStreaming(fetch(url))`, where `url` is that of the file `strata-ecs/core.wasm`. Synchronous.
 *
 * @param options the core, memory and limits: see WorldOptions
 * @throws StrataTypeError INVALID_OPTION, also without a core; LimitError MEMORY_LIMIT if the host has no memory left
 * @example const world = createWorld({ core })
 */
export function createWorld(options: SlimOptions): World {
  return World.make(options)
}

/**
 * Holds entities, their components and resources in one linear memory. Made by createWorld. After dispose, every call
 * except isAlive and dispose throws StrataError WORLD_DISPOSED.
 *
 * Its methods are about one entity, a resource or a link. Functions that take the world first do the rest: spawnMany, addMany,
 * removeMany, setMany, destroyMany, enableMany, disableMany for lists; cloneEntity, cloneMany, cloneTree, spawnAt, spawnManyAt for
 * copies and given handles; createAccessor, createSpawner, createCommands, createGroup, createKernel, createSchedule; onAdd,
 * onRemove, onSet, onResource, onRestore, createRemovalReader to listen; snapshotWorld, restoreWorld, forkWorld, digestWorld,
 * createHistory for its past; saveWorld, saveToJSON, loadInto, mergeWorld for files; clearWorld, resetWorld, trimWorld for its life;
 * sortRows, sortRowsAs, queueDestroy, endFrame, objectsOf, ancestors, descendants, depthOf.
 */
export class World extends Shown {
  /** @internal */
  private readonly state: WorldState
  /** @internal */
  private readonly entityArrays: EntityArrays
  /** @internal */
  private readonly queries: WorldQueries
  /** @internal */
  readonly core: WebAssembly.Module

  /** @internal Use createWorld. */
  static make(this: void, options: SlimOptions): World {
    return new World(options, MAKING)
  }

  private constructor(options: SlimOptions, key: symbol) {
    super()
    refuseByHand(key, 'World', 'createWorld(…)')
    const state = beginState(this, options)
    this.state = state
    this.entityArrays = new EntityArrays(state.heap)
    this.queries = { state, world: this, arrays: this.entityArrays, shared: new Map() }
    this.core = options?.core
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
    const { state } = this
    for (let i = 0; i < components.length; i++) {
      const component = components[i] as unknown as Definition
      const registration = state.known(component)
      const isOn =
        registration !== undefined && registration.definition === component
          ? isOnHandle(registration, entity)
          : undefined
      if (isOn === undefined) return hasUnknown(state, entity, components)
      if (!isOn) return false
    }
    return components.length > 0 || hasUnknown(state, entity, components)
  }

  /**
   * Switches a component or tag that was declared with `{ toggle }` on again. Takes effect at once and moves
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
   * Switches a component or tag that was declared with `{ toggle }` off. The entity keeps it and its values,
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
   * A copy of the values that an entity has for a component: write with `set`. For an object component the value itself, not a copy.
   * Inside a loop, queued changes are not seen. Allocates an object at each call: use an accessor or a cursor in hot
   * code.
   *
   * @returns undefined if the entity is dead or does not have the component
   * @throws StrataTypeError NOT_A_COMPONENT
   */
  get<T>(entity: Entity | number, component: ObjectComponent<T>): T | undefined
  get<S extends Schema>(
    entity: Entity | number,
    component: Component<S, Storage>,
  ): Readonly<Value<S>> | undefined
  get<S extends Schema>(entity: Entity | number, relation: Relation<S>): Readonly<Value<S>> | undefined
  get<S extends Schema>(entity: Entity | number, pair: Pair<S, Schema>): Readonly<Value<S>> | undefined
  get(entity: Entity | number, component: AnyComponent | AnyObject | AnyRelation | ComponentValue): unknown {
    const { state } = this
    if (typeof component === 'object')
      return relatingOfPair(component, 'get').getOfPair(state, this, entity, component)
    const definition = component as unknown as Definition
    const registration = registrationOf(state, definition, 'get')
    if (registration !== undefined && registration.usualFloats >= 0) {
      const copy = copyFloats(registration, entity)
      if (copy !== undefined) return copy
    }
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
   * Several components, each with its values as spawn takes them, are written by one call; missing ones are added
   * in one move.
   *
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError NOT_A_COMPONENT, INVALID_VALUE, UNKNOWN_FIELD; LimitError.
   *   Nothing changes then.
   * @example world.set(ship, Position, { x: 3 })
   * @example world.set(ship, Position({ x: 3 }), Health({ hp: 9 }))
   */
  set<T>(entity: Entity | number, component: ObjectComponent<T>, value: T): void
  set<S extends Schema>(entity: Entity | number, relation: Relation<S>, values: Input<S>): void
  set<S extends Schema>(entity: Entity | number, pair: Pair<S, Schema>, values: Input<S>): void
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- values of any component
  set(entity: Entity | number, ...values: (ComponentValue<any, any> | ObjectValue<any>)[]): void
  // The last one is the one that the compiler complains about.
  set<S extends Schema>(entity: Entity | number, component: Component<S, Storage>, values: Input<S>): void
  set(
    entity: Entity | number,
    component: AnyComponent | AnyObject | AnyRelation | Ingredient,
    given?: unknown,
    ...more: unknown[]
  ): void {
    const { state } = this
    if (typeof component === 'object') {
      // Values apart are those of a link.
      const isLink = relatedIn(component) !== undefined && typeof given !== 'function'
      if (arguments.length === 2 || !isLink || given instanceof ComponentValue) {
        setAll(state, entity, arguments.length === 2 ? [component] : [component, given, ...more])
        return
      }
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

  // ── components that the world has met ───────────────────────────────────────────────────────────────────

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
   * @example const component = world.componentByName('Position')
   */
  componentByName(name: string): ComponentLike | undefined {
    return componentByName(this.state, name)
  }

  // ── queries ─────────────────────────────────────────────────────────────────────────────────────────────

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
   * @param options `{ into: array }` writes them to the beginning of a Uint32Array of yours, and allocates nothing
   * @returns a new array, empty if the entity is dead or has none; with `into`, how many there are
   * @throws StrataTypeError NOT_A_RELATION; INVALID_OPTION for an array that is too short: nothing is written then
   * @example const count = world.targets(boid, NeighborOf, { into: neighbors })
   */
  targets(entity: Entity | number, relation: AnyRelation): EntityArray<ArrayBuffer>
  targets(entity: Entity | number, relation: AnyRelation, options: { readonly into: Uint32Array }): number
  targets(entity: number, relation: AnyRelation, options?: unknown): unknown {
    return targetsOf(this.state, entity, relation, options)
  }

  /**
   * Makes the links of an entity in a relation those of a list, in its order: links to others end, and links that are there
   * already keep their values and their places among the sources of their targets. An empty list removes all. Listeners and
   * queries are told what world.add and world.remove would tell them. Inside a loop this waits until the loop ends; targets
   * that have died by then are left out, or take the entity with them where the relation says 'destroy'.
   *
   * @param targets an array or typed array of living entities, each named once; at most one where the relation is exclusive
   * @param options `{ values: { weight: array } }` writes fields of all these links, a list for each field in the order of
   *   the targets; other fields of new links get their defaults
   * @throws DeadEntityError DEAD_ENTITY, also for a target; StrataTypeError NOT_A_RELATION, INVALID_OPTION, INVALID_VALUE,
   *   UNKNOWN_FIELD, DUPLICATE_COMPONENT for a target that is named twice; StrataError RELATION_CYCLE; LimitError. Nothing
   *   changes then.
   * @example world.setTargets(boid, NeighborOf, nearest, { values: { distance } })
   */
  setTargets<S extends Schema>(
    entity: Entity | number,
    relation: Relation<S> | ManyRelation<S>,
    targets: ArrayLike<number>,
    options?: { readonly values?: ValueLists<S> | undefined },
  ): void {
    setTargets(this.state, entity, relation, targets, options)
  }

  /**
   * The entities that point at a target, in the order in which they were linked, or as world.reorder has put them. Inside
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
   * @example world.reorder(wheel, ChildOf, { before: door })
   */
  reorder(
    entity: Entity | number,
    relation: AnyExclusiveRelation | Pair,
    place: { readonly before: Entity | number } | { readonly after: Entity | number },
  ): void {
    placeSource(this.state, entity, relation, place)
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
  getResource<S extends Schema>(resource: Resource<S>): Readonly<Value<S>> | undefined
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
  batch<R>(action: () => R): R {
    return batch(this.state, action)
  }

  // ── ticks ───────────────────────────────────────────────────────────────────────────────────────────────

  /** The change tick, from 0 to 2^32 - 1. Each column stores the tick at which it was last written. */
  get tick(): number {
    this.state.refuseDisposed()
    return this.state.heap.u32[WORLD_TICK_WORD] as number
  }

  /** Increments the change tick, which wraps around after 2^32. Call it once per frame. */
  advanceTick(): void {
    this.state.refuseDisposed()
    this.state.advance()
  }

  // ── the life of the world ───────────────────────────────────────────────────────────────────────────────

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
    dispose(this.state, () => this.queries.shared.clear())
  }

  // ── names that programs bring from elsewhere: declared, so that an editor says where it is, and nothing at run time ──

  /** @deprecated It is a function: `onAdd(world, C, listener)`. */
  declare readonly onAdd: never
  /** @deprecated It is a function: `onRemove(world, C, listener)`. */
  declare readonly onRemove: never
  /** @deprecated It is a function: `onSet(world, C, listener)`. */
  declare readonly onSet: never
  /** @deprecated It is a function: `onEnter(query, listener)`. */
  declare readonly onEnter: never
  /** @deprecated It is a function: `onExit(query, listener)`. */
  declare readonly onExit: never
  /** @deprecated It is a function: `onChange(query, listener)`. */
  declare readonly onChange: never
  /** @deprecated It is a function: `spawnMany(world, count, [C])`. */
  declare readonly spawnMany: never
  /** @deprecated It is a function: `addMany(world, handles, C)`. */
  declare readonly addMany: never
  /** @deprecated It is a function: `removeMany(world, handles, C)`. */
  declare readonly removeMany: never
  /** @deprecated It is a function: `destroyMany(world, handles)`. */
  declare readonly destroyMany: never
  /** @deprecated It is a function: `cloneEntity(world, model)`. */
  declare readonly clone: never
  /** @deprecated It is a function: `createAccessor(world, C)`. */
  declare readonly accessor: never
  /** @deprecated It is a function: `createKernel(world, kernel, columns)`. */
  declare readonly kernel: never
  /** @deprecated It is a function: `snapshotWorld(world)`. */
  declare readonly snapshot: never
  /** @deprecated It is a function: `restoreWorld(world, snapshot)`. */
  declare readonly restore: never
  /** @deprecated It is a function: `forkWorld(world)`. */
  declare readonly fork: never
  /** @deprecated It is a function: `digestWorld(world)`. */
  declare readonly digest: never
  /** @deprecated It is a function: `saveWorld(world)`. */
  declare readonly save: never
  /** @deprecated It is a function: `loadInto(world, save, { components })`. */
  declare readonly load: never
  /** @deprecated It is a function: `clearWorld(world)`. */
  declare readonly clear: never
  /** @deprecated It is a function: `resetWorld(world)`. */
  declare readonly reset: never
  /** @deprecated It is a function: `trimWorld(world)`. */
  declare readonly trim: never
  /** @deprecated It is a function: `sortRows(world, C, field)`. */
  declare readonly sort: never
  /** @deprecated It is a function: `createGroup(world, A, B)`. */
  declare readonly group: never
  /** @deprecated It is `world.batch`. */
  declare readonly defer: never
  /** @deprecated It is `world.spawn`. */
  declare readonly addEntity: never
  /** @deprecated It is `world.spawn`. */
  declare readonly createEntity: never
  /** @deprecated It is `world.destroy`. */
  declare readonly removeEntity: never
  /** @deprecated It is `world.add`. */
  declare readonly addComponent: never
  /** @deprecated It is `world.remove`. */
  declare readonly removeComponent: never
  /** @deprecated It is `world.has`. */
  declare readonly hasComponent: never
  /** @deprecated It is `world.get`. */
  declare readonly getComponent: never

  /** @internal */
  line(): string {
    return showWorld(this.state, () => this.stats())
  }
}
