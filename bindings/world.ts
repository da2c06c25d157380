// Owns the face of a world: every call a user makes on it, checked, then handed to the core.
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
  WORLD_STATUS,
} from '../build/layout'
import { ComponentAccessor } from './accessor'
import type { BundleNode } from './bundle'
import { EntityArrays } from './chunk'
import {
  type AnyComponent,
  type Component,
  type ComponentLike,
  ComponentValue,
  type Definition,
  type Ingredient,
  type Input,
  type Schema,
  type Storage,
  type Value,
  checkValues,
  definitionOf,
  notAComponent,
} from './component'
import { instantiateCore } from './core'
import { type Entity, NULL_ENTITY } from './entity'
import { DeadEntityError, StrataTypeError, limitError } from './errors'
import { TICK } from './heap'
import { Query } from './query'
import { QuerySource } from './querySource'
import type { Registration } from './registration'
import { spawnRows } from './spawnMany'
import { checkSwitch, isSwitchedOn, switchOne } from './switching'
import { type Term, parseTerms } from './terms'
import type { Chunk, Cursor } from './types'
import { equalsLocated, readLocated, writeIngredients, writeLocated } from './values'
import { WorldState } from './worldState'

export interface WorldOptions {
  /**
   * Bytes of linear memory, 1 MiB to 2 GiB. `initial` (default 32 MiB) is address space: what is not used
   * takes no physical memory. Make it large enough for the whole run, for V8 runs all typed-array loops of a
   * process slower once a memory has grown. `maximum` (default 2 GiB) is never exceeded.
   */
  readonly memory?: { readonly initial?: number; readonly maximum?: number }
  /** How many entities may be alive at once, 1 to 16,777,214. */
  readonly maxEntities?: number
  /** 'strict': an index whose generations are used up never comes back; LimitError when none is left. */
  readonly ids?: 'recycle' | 'strict'
  /** A core to use in place of the release core in this package, such as checkedCore. */
  readonly module?: WebAssembly.Module
}

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

const MEMORY_CEILING = 0x80000000
const PAGE_BYTES = 0x10000
const MIN_MEMORY = 16 * PAGE_BYTES
/** Untouched pages cost nothing but address space, while growing later costs speed: see core.ts. */
const DEFAULT_MEMORY = 32 * 2 ** 20

type Values = Record<string, unknown> | undefined

/**
 * Starts a world with a linear memory of its own. Synchronous.
 *
 * @throws StrataTypeError INVALID_OPTION
 * @example const world = createWorld({ memory: { maximum: 64 * 2 ** 20 } })
 */
export function createWorld(options: WorldOptions = {}): World {
  return new World(options)
}

export class World {
  private readonly state: WorldState
  private readonly entityArrays: EntityArrays
  private readonly accessors = new Map<Definition, ComponentAccessor>()
  private queries = new Map<string, Query>()

  /** @internal Use createWorld. */
  constructor(options: WorldOptions) {
    const { initial, maximum, maxEntities, strict } = checkOptions(options)
    const core = instantiateCore(Math.ceil(initial / PAGE_BYTES), maximum / PAGE_BYTES, options.module)
    const status = core.worldInit(maximum, maxEntities, strict)
    if (status < 0) throw limitError(status, '')
    this.state = new WorldState(core)
    this.entityArrays = new EntityArrays(this.state)
  }

  // ── entities ───────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Makes an entity with the given components; those named without values get their defaults.
   * Inside a loop the handle is alive at once, its components come when the loop ends.
   *
   * @throws StrataTypeError for a wrong argument; LimitError when memory or ids end. Nothing changes then.
   * @example const ship = world.spawn(Position({ x: 1 }), Velocity, Frozen)
   */
  spawn(...ingredients: Ingredient[]): Entity {
    const state = this.state
    let node = state.bundles
    let valued = false
    for (let i = 0; i < ingredients.length; i++) {
      const ingredient: unknown = ingredients[i]
      // Components are functions: asking for that first keeps the common case free of a prototype walk.
      if (typeof ingredient !== 'function' && ingredient instanceof ComponentValue) {
        valued = true
        node = node.with(ingredient.component as unknown as Definition, 'spawn')
      } else node = node.with(ingredient as Definition, 'spawn')
    }
    if (state.locks !== 0) return this.spawnLater(node, valued ? ingredients : undefined)
    const entity = state.core.entitySpawn(node.addressIn(state)) >>> 0
    state.heap.check()
    if (entity === NULL_ENTITY) throw limitError(state.heap.word(WORLD_STATUS) | 0, node.describeRows())
    if (valued) writeIngredients(node, entity, ingredients)
    return entity as Entity
  }

  private spawnLater(node: BundleNode, ingredients: readonly Ingredient[] | undefined): Entity {
    const entity = this.state.reserve()
    this.state.commands.spawn(entity, node, ingredients && valuesOf(ingredients))
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
  spawnMany<const T extends readonly Ingredient[]>(
    count: number,
    ingredients: T,
    fill?: (chunk: Chunk<ComponentsOf<T>>) => void,
  ): Uint32Array {
    const state = this.state
    state.refuseDisposed()
    if (!Number.isInteger(count) || count < 0) {
      throw new StrataTypeError(
        'INVALID_OPTION',
        `spawnMany: the count must be a whole number from 0, not ${count}.`,
      )
    }
    if (count > MAX_ENTITIES) throw limitError(STATUS_OUT_OF_ENTITIES, '')
    let node = state.bundles
    for (const ingredient of ingredients) node = node.with(componentOf(ingredient), 'spawnMany')
    return spawnRows(
      state,
      this.entityArrays,
      count,
      node,
      valuesOf(ingredients),
      fill as ((chunk: unknown) => void) | undefined,
    )
  }

  /** Whether the handle names a living entity. False for anything else, whatever it is. */
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
    if (state.locks === 0) return state.core.entityDestroy(entity) > 0
    if (!state.isAlive(entity)) return false
    state.commands.destroy(entity as Entity)
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
    if (state.locks !== 0) return this.destroyManyLater(entities)
    const { heap, core } = state
    const first = SCRATCH_ADDRESS >> 2
    const most = SCRATCH_BYTES >> 2
    let destroyed = 0
    for (let done = 0; done < entities.length; done += most) {
      const count = Math.min(most, entities.length - done)
      // Rounding would turn a wrong number into another entity's handle.
      for (let i = 0; i < count; i++) {
        const entity = entities[done + i] as number
        heap.u32[first + i] = state.isAlive(entity) ? entity : NULL_ENTITY
      }
      destroyed += core.entitiesDestroy(count)
    }
    return destroyed
  }

  private destroyManyLater(entities: ArrayLike<number>): number {
    const kept = new Set<number>()
    for (let i = 0; i < entities.length; i++) {
      const entity = entities[i] as number
      if (this.state.isAlive(entity)) kept.add(entity)
    }
    for (const entity of kept) this.state.commands.destroy(entity as Entity)
    return kept.size
  }

  // ── components ─────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Adds components in one move. A component that is there already keeps its values, except for the fields
   * that are named with a value.
   *
   * @returns true when a component was added that was not there before; inside a loop, whether one will be
   * @throws DeadEntityError, StrataTypeError, LimitError. Nothing changes then.
   */
  add(entity: Entity | number, ...ingredients: Ingredient[]): boolean {
    const state = this.state
    let node = state.bundles
    let valued = false
    for (let i = 0; i < ingredients.length; i++) {
      const ingredient: unknown = ingredients[i]
      if (typeof ingredient !== 'function' && ingredient instanceof ComponentValue) {
        valued = true
        node = node.with(ingredient.component as unknown as Definition, 'add')
      } else node = node.with(ingredient as Definition, 'add')
    }
    // The core knows the dead; what is no 32-bit number must not reach it and turn into another handle.
    if (typeof entity !== 'number' || entity >>> 0 !== entity) throw this.dead(entity, 'add')
    if (state.locks !== 0) return this.addLater(entity, node, valued ? ingredients : undefined)
    const status = state.core.entityAdd(entity, node.addressIn(state))
    state.heap.check()
    if (status < 0) throw this.failed(status, node, entity, 'add')
    if (valued) writeIngredients(node, entity, ingredients)
    return status > 0
  }

  private addLater(
    entity: number,
    node: BundleNode,
    ingredients: readonly Ingredient[] | undefined,
  ): boolean {
    if (!this.state.isAlive(entity)) throw this.dead(entity, 'add')
    this.state.commands.add(entity as Entity, node, ingredients && valuesOf(ingredients))
    return !this.hasAll(entity, node)
  }

  /**
   * Removes components in one move.
   *
   * @returns true when anything was (inside a loop: will be) removed; false also for a dead entity
   */
  remove(entity: Entity | number, ...components: ComponentLike[]): boolean {
    const state = this.state
    let node = state.bundles
    for (let i = 0; i < components.length; i++)
      node = node.with(components[i] as unknown as Definition, 'remove')
    if (typeof entity !== 'number' || entity >>> 0 !== entity) return this.refuse()
    if (state.locks !== 0) return this.removeLater(entity, node)
    const status = state.core.entityRemove(entity, node.addressIn(state))
    state.heap.check()
    if (status === STATUS_DEAD) return false
    if (status < 0) throw limitError(status, node.describeRows())
    return status > 0
  }

  private removeLater(entity: number, node: BundleNode): boolean {
    if (!this.state.isAlive(entity)) return this.refuse()
    this.state.commands.remove(entity as Entity, node)
    return this.hasSome(entity, node)
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

  /** A copy of the entity's values, or undefined when it is dead or lacks the component. */
  get<S extends Schema>(entity: Entity | number, component: Component<S, Storage>): Value<S> | undefined
  get(entity: Entity | number, component: AnyComponent): Record<string, unknown> | undefined {
    const state = this.state
    const definition = component as unknown as Definition
    const registration = this.registrationOf(definition, 'get')
    if (registration === undefined || definition.kind === 'tag' || !state.isAlive(entity)) {
      state.refuseDisposed()
      return undefined
    }
    // A component without fields is kept like a tag: being there is all it can tell.
    if (registration.isTag) return registration.isOn(entity) ? {} : undefined
    return registration.locate(entity) ? readLocated(registration, state.heap, definition) : undefined
  }

  /**
   * Writes the named fields; adds the component, the other fields at their defaults, when the entity lacks it.
   * A write to a component that is there takes effect at once, also inside a loop.
   *
   * @throws DeadEntityError, StrataTypeError, LimitError. Nothing changes then.
   */
  set<S extends Schema>(entity: Entity | number, component: Component<S, Storage>, values: Input<S>): void
  set(entity: Entity | number, component: AnyComponent, values: Record<string, unknown>): void {
    const state = this.state
    const definition = component as unknown as Definition
    const registration = this.registrationOf(definition, 'set')
    checkValues(definition, values)
    if (!state.isAlive(entity)) throw this.dead(entity, 'set')
    const commands = state.commands
    if (state.locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)) {
      commands.add(entity as Entity, state.bundles.with(definition, 'set'), [values])
    } else if (registration !== undefined && !registration.isTag && registration.locate(entity)) {
      writeLocated(registration, values)
    } else this.add(entity, new ComponentValue(component, values as Input<Schema>))
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
    const registration = this.registrationOf(definition, 'setIfDifferent')
    checkValues(definition, values)
    const { locks, commands } = this.state
    // What is queued for the entity comes before this value, so what is there now says nothing.
    const waits = locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)
    const there = registration !== undefined && !registration.isTag && registration.locateHandle(entity)
    if (there && !waits && equalsLocated(registration, values)) return false
    this.set(entity, component, values)
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
    if (known !== undefined && known.definition === component && known.canToggle && state.locks === 0) {
      return known.switchHandle(entity, off) || this.refuse()
    }
    const definition = checkSwitch(component, operation)
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
    return (this.state.isAlive(entity) && isSwitchedOn(this.state, entity, definition)) || this.refuse()
  }

  /** Random access without allocation: `accessor(Position).of(ship).x += 1`. Keep it and use it again. */
  accessor<C extends AnyComponent>(component: C): Accessor<C> {
    const definition = definitionOf(component)
    if (definition === undefined || definition.kind === 'tag') throw notAComponent(component, 'accessor')
    let accessor = this.accessors.get(definition)
    if (accessor === undefined) {
      accessor = new ComponentAccessor(this.state, definition)
      this.accessors.set(definition, accessor)
    }
    return accessor as unknown as Accessor<C>
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
    const key = parsed.map(({ definition, role, group }) => `${definition.serial}${role}${group}`).join()
    let query = this.queries.get(key)
    if (query === undefined) {
      query = make()
      this.queries.set(key, query)
    }
    return query as unknown as Query<T>
  }

  /**
   * Queues every structural change made inside `action` and applies them, in order, at its end, also when it
   * throws. Blocks nest; the outermost one applies.
   *
   * @returns what `action` returns
   */
  defer<R>(action: () => R): R {
    this.state.refuseDisposed()
    this.state.lock()
    try {
      return action()
    } finally {
      this.state.unlock()
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

  /** Destroys all entities. Handles stay dead for ever: generations go on counting. Inside a loop it waits. */
  clear(): void {
    this.state.refuseDisposed()
    if (this.state.locks !== 0) this.clearLater()
    else this.state.core.worldClear()
  }

  /** What is spawned later in the loop is not meant: the entities to destroy are those of this moment. */
  private clearLater(): void {
    const doomed = [...this.query().entities(), ...this.state.commands.queuedSpawns()]
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
    const status = this.state.core.worldReset()
    this.state.restart()
    if (status < 0) throw limitError(status, '')
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
    this.state.dispose()
    this.queries = new Map()
    this.accessors.clear()
  }

  // ── what stays inside ──────────────────────────────────────────────────────────────────────────────────

  /** The registration of a component of this world; undefined when the world has not met it. */
  private registrationOf(component: Definition, operation: string): Registration | undefined {
    const registration = this.state.known(component)
    if (registration !== undefined && registration.definition === component) return registration
    if (definitionOf(component) === undefined) throw notAComponent(component, operation)
    return undefined
  }

  private hasAll(entity: number, node: BundleNode): boolean {
    return node.definitions.every((definition) => this.state.known(definition)?.isOn(entity) === true)
  }

  private hasSome(entity: number, node: BundleNode): boolean {
    return node.definitions.some((definition) => this.state.known(definition)?.isOn(entity) === true)
  }

  /** A handle that is not alive: nothing to do, unless the whole world is gone. */
  private refuse(): false {
    this.state.refuseDisposed()
    return false
  }

  private refuseUnknown(components: readonly unknown[]): false {
    for (const component of components) {
      if (definitionOf(component) === undefined) throw notAComponent(component, 'has')
    }
    return false
  }

  /** The error for a negative status of a change to one entity. */
  private failed(status: number, node: BundleNode, entity: number, operation: string): Error {
    return status === STATUS_DEAD ? this.dead(entity, operation) : limitError(status, node.describeRows())
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

function componentOf(ingredient: unknown): Definition {
  return (ingredient instanceof ComponentValue ? ingredient.component : ingredient) as Definition
}

function valuesOf(ingredients: readonly Ingredient[]): Values[] {
  return ingredients.map((ingredient) =>
    ingredient instanceof ComponentValue ? (ingredient.values as Values) : undefined,
  )
}

function checkOptions(options: WorldOptions) {
  const maximum = options.memory?.maximum ?? MEMORY_CEILING
  const initial = options.memory?.initial ?? Math.min(DEFAULT_MEMORY, maximum)
  const maxEntities = options.maxEntities ?? MAX_ENTITIES
  const ids = options.ids ?? 'recycle'
  checkNumber('memory.maximum', maximum, MIN_MEMORY, MEMORY_CEILING)
  checkNumber('memory.initial', initial, MIN_MEMORY, maximum)
  checkNumber('maxEntities', maxEntities, 1, MAX_ENTITIES)
  if (ids !== 'recycle' && ids !== 'strict') {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `createWorld: ids must be 'recycle' or 'strict', not '${String(ids)}'.`,
    )
  }
  // 2 GiB is no 32-bit integer for JavaScript's bit operators, so whole pages are counted by division.
  const pages = Math.floor(maximum / PAGE_BYTES)
  return {
    initial: Math.min(initial, pages * PAGE_BYTES),
    maximum: pages * PAGE_BYTES,
    maxEntities,
    strict: ids === 'strict' ? 1 : 0,
  }
}

function checkNumber(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `createWorld: ${name} must be a whole number from ${least} to ${most}, not ${value}.`,
    )
  }
}
