// Owns the buffer of changes that a user records anywhere and applies later: what it recorded goes into the world's queue, in one
// piece.

import type {
  AnyComponent,
  AnyObject,
  AnyRelation,
  Component,
  ComponentLike,
  ObjectComponent,
  Relation,
} from '../components/component'
import { definitionOf } from '../components/definition'
import {
  type Complete,
  type CompleteIngredient,
  ComponentValue,
  type Ingredient,
  type Shared,
  giveValues,
} from '../components/componentValues'
import { notAComponent } from '../components/notAComponent'
import type { Input, Schema, Storage } from '../components/schema'
import type { Pair } from '../components/pair'
import { refuseDeadTargets, requireValues } from '../state/requiredValues'
import { checkWhole, refuseOther } from '../memory/arguments'
import { type Entity, type EntityArray, NULL_ENTITY, entityArray } from '../memory/entity'
import { StrataError } from '../memory/errors'
import { takeArray } from '../memory/givenLists'
import { Shown } from '../memory/consoleText'
import { refuseShared } from '../components/objectOptions'
import { type RemovingWorld, relatingOfPair } from '../state/relationHooks'
import { type WorldState, stateOf } from '../state/worldState'
import { CommandLog, SPAWN } from './commandLog'
import { reserveNamed } from './spawnAtHandles'
import { queueOf } from './commandQueue'
import type { World } from '../world/world'

/**
 * A buffer that records structural changes now and makes them all when apply() is called. Made by createCommands(world).
 * Values are checked and copied when they are recorded. Commands for an entity that is dead by the time they are
 * applied are skipped. A reset of the world empties the buffer. After a restore of the world, a buffer with commands from
 * before it is stale: every call but `size` and `clear` throws StrataError STALE_COMMANDS.
 */
export class Commands extends Shown {
  private readonly log = new CommandLog()
  /** How often the world had been reset, and reset or restored, when it was last empty. */
  private resets: number
  private timeline: number

  /** @internal Use createCommands(world). */
  constructor(private readonly state: WorldState) {
    super()
    this.resets = state.resets
    this.timeline = state.timeline
  }

  /**
   * Reserves an entity and records its components. The handle is alive at once and can be used in any buffer and any
   * `entity` field, but the entity has no components and matches no query until the buffer is applied, or a change
   * made directly in the world gives it some.
   *
   * @returns the handle of the entity
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; LimitError. Nothing is recorded
   *   then.
   */
  spawn(...ingredients: CompleteIngredient[]): Entity
  spawn<const T extends readonly Ingredient[]>(...ingredients: Complete<T>): Entity
  spawn(...ingredients: Ingredient[]): Entity {
    const log = this.current()
    const bundle = this.state.bundles.followAll(ingredients, 'commands.spawn')
    requireValues(this.state, bundle, ingredients, NULL_ENTITY, 'commands.spawn')
    const entity = this.state.reserve()
    log.spawn(entity, bundle, valued(ingredients))
    return entity
  }

  /**
   * Makes this very handle alive at once, as spawnAt does it, and records its components.
   *
   * @returns the handle
   * @throws StrataError HANDLE_TAKEN; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT,
   *   INVALID_VALUE; LimitError. Nothing is recorded then.
   */
  spawnAt(entity: Entity | number, ...ingredients: CompleteIngredient[]): Entity
  spawnAt<const T extends readonly Ingredient[]>(entity: Entity | number, ...ingredients: Complete<T>): Entity
  spawnAt(entity: number, ...ingredients: Ingredient[]): Entity {
    const log = this.current()
    const bundle = this.state.bundles.followAll(ingredients, 'commands.spawnAt')
    requireValues(this.state, bundle, ingredients, NULL_ENTITY, 'commands.spawnAt')
    reserveNamed(this.state, [entity], 'commands.spawnAt')
    log.spawn(entity, bundle, valued(ingredients))
    return entity as Entity
  }

  /**
   * Reserves `count` entities and records the same components for each of them.
   *
   * @param count how many, from 0 to the number of free ids
   * @param ingredients components, tags and components with values; no object components
   * @returns the handles, which are alive at once
   * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; LimitError. Nothing
   *   is recorded then.
   */
  spawnMany<const T extends readonly Ingredient[]>(
    count: number,
    ingredients: Shared<T>,
  ): EntityArray<ArrayBuffer> {
    const { state } = this
    this.current()
    checkWhole('commands.spawnMany', 'the count', count)
    const named = takeArray('commands.spawnMany', 'components', ingredients)
    const bundle = this.state.bundles.followAll(named, 'commands.spawnMany')
    if (bundle.holdsObjects) refuseShared(bundle.definitions, 'commands.spawnMany')
    state.requireIds(count)
    const log = this.current()
    const handles = entityArray(count)
    for (let i = 0; i < count; i++) handles[i] = state.reserve(count - i)
    const given = valued(named)
    for (let i = 0; i < count; i++) log.spawn(handles[i] as number, bundle, given)
    return handles
  }

  /**
   * Records that components are added to an entity, as world.add does it.
   *
   * @throws DeadEntityError DEAD_ENTITY, also for the target of a link; StrataTypeError NOT_A_COMPONENT,
   *   DUPLICATE_COMPONENT. Nothing is recorded then.
   */
  add(entity: Entity | number, ...ingredients: CompleteIngredient[]): void
  add<const T extends readonly Ingredient[]>(entity: Entity | number, ...ingredients: Complete<T>): void
  add(entity: Entity | number, ...ingredients: Ingredient[]): void {
    const log = this.current()
    const bundle = this.state.bundles.followAll(ingredients, 'commands.add')
    this.refuseDead(entity, 'commands.add')
    refuseDeadTargets(this.state, bundle, ingredients, 'commands.add')
    log.add(entity, bundle, valued(ingredients))
  }

  /**
   * Records that components are removed from an entity, as world.remove does it. Records nothing if the entity is
   * dead. A pair, ChildOf(car), removes the link if it leads to that target by the time the buffer is applied.
   *
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT
   */
  remove(entity: Entity | number, ...components: (ComponentLike | Pair)[]): void
  remove(entity: Entity | number, ...components: ComponentLike[]): void {
    const log = this.current()
    if (components.some((one) => typeof one === 'object')) return this.removePairs(log, entity, components)
    const bundle = this.state.bundles.withAll(components, 'commands.remove')
    if (this.state.isAlive(entity)) log.remove(entity, bundle)
    else refuseOther(entity, 'commands.remove')
  }

  /** Records a removal that includes pairs; which links it ends is decided when the buffer is applied. */
  private removePairs(log: CommandLog, entity: number, components: readonly unknown[]): void {
    const { state } = this
    const pairs = components.filter((one) => typeof one === 'object')
    const relatings = pairs.map((pair) => relatingOfPair(pair, 'commands.remove'))
    state.bundles.withAll(
      components.filter((one) => typeof one !== 'object'),
      'commands.remove',
    )
    if (!state.isAlive(entity)) return
    const world = state.world as unknown as RemovingWorld
    log.later(() => void relatings[0]?.removePairs(state, world, entity, components))
  }

  /**
   * Records that components are removed and others added in one move, as world.exchange does it.
   *
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT.
   *   Nothing is recorded then.
   */
  exchange<const T extends readonly Ingredient[]>(
    entity: Entity | number,
    removed: readonly ComponentLike[],
    added: Complete<T>,
  ): void {
    this.state.refuseDisposed()
    const losses = takeArray('commands.exchange', 'components to remove', removed)
    const gains = takeArray('commands.exchange', 'components to add', added)
    const log = this.current()
    const without = this.state.bundles.withAll(losses, 'commands.exchange: the first list')
    const bundle = this.state.bundles.followAll(gains, 'commands.exchange')
    this.refuseDead(entity, 'commands.exchange')
    refuseDeadTargets(this.state, bundle, gains, 'commands.exchange')
    log.exchange(entity, without, bundle, valued(gains))
  }

  /**
   * Records that the named fields of a component are written. If the entity does not have the component when the
   * buffer is applied, it is added with defaults for the other fields. For an object component, records its new
   * value.
   *
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError NOT_A_COMPONENT, INVALID_VALUE, UNKNOWN_FIELD. Nothing is
   *   recorded then.
   */
  set<T>(entity: Entity | number, component: ObjectComponent<T>, value: T): void
  set<S extends Schema>(entity: Entity | number, component: Component<S, Storage>, values: Input<S>): void
  set<S extends Schema>(entity: Entity | number, relation: Relation<S>, values: Input<S>): void
  set(entity: Entity | number, component: AnyComponent | AnyObject | AnyRelation, values: unknown): void {
    this.state.refuseDisposed()
    const definition = definitionOf(component)
    if (definition === undefined) throw notAComponent(component, 'commands.set')
    const value = giveValues(definition, values)
    const log = this.current()
    this.refuseDead(entity, 'commands.set')
    log.add(entity, this.state.bundles.with(definition, 'commands.set'), [value])
  }

  /** Records that an entity is destroyed. Records nothing if it is dead. */
  destroy(entity: Entity | number): void {
    const log = this.current()
    if (this.state.isAlive(entity)) log.destroy(entity)
    else refuseOther(entity, 'commands.destroy')
  }

  /** How many commands are waiting. */
  get size(): number {
    const { state, log } = this
    state.refuseDisposed()
    return this.resets === state.resets ? log.count : 0
  }

  /**
   * Makes all recorded changes and empties the buffer, which can then be filled again. The changes of each entity are
   * made as one net change; the result is the same as applying them one at a time, in the order in which they were
   * recorded. Inside a loop the changes are queued after those that are waiting already, and made when the loop ends.
   *
   * @throws StrataError STALE_COMMANDS if commands were recorded before a restore of the world: nothing changes then;
   *   LimitError, the first one, after all commands have been tried
   */
  apply(): void {
    const log = this.current()
    if (log.count === 0) return
    const { state } = this
    state.lock()
    try {
      queueOf(state).append(log)
      log.empty()
    } finally {
      state.unlock()
    }
  }

  /**
   * Drops all recorded commands. Entities that spawn and spawnMany reserved die, unless a change made directly in the
   * world has given them components; inside a loop they die when the loop ends. After a restore of the world the
   * commands are only dropped.
   */
  clear(): void {
    const { state } = this
    state.refuseDisposed()
    // After a restore the handles may be others': they are left alone.
    if (this.timeline !== state.timeline) return this.empty()
    const { log } = this
    for (let i = 0; i < log.count; i++) {
      const entity = log.entities[i] as number
      if (log.kinds[i] !== SPAWN || !state.isAlive(entity) || state.hasRow(entity)) continue
      if (state.locks !== 0) queueOf(state).destroy(entity)
      else state.core.entityDestroy(entity, 0)
    }
    log.empty()
    // A change made directly may have given a row to one to which kept links lead.
    state.relations?.returnLater()
  }

  /** @internal */
  line(): string {
    const { state } = this
    if (state.disposed) return 'Commands(of a disposed world)'
    return `Commands(${this.resets === state.resets ? this.log.count : 0} waiting)`
  }

  /**
   * The log, emptied if the world was reset since: its handles and bundles mean nothing any longer.
   *
   * @throws StrataError STALE_COMMANDS when it was recorded before a restore: handles that it reserved may be others' now
   */
  private current(): CommandLog {
    const { log, state } = this
    state.refuseDisposed()
    if (this.timeline !== state.timeline) {
      if (this.resets === state.resets && log.count > 0) throw staleCommands()
      this.empty()
    }
    return log
  }

  private empty(): void {
    this.resets = this.state.resets
    this.timeline = this.state.timeline
    this.log.empty()
  }

  private refuseDead(entity: number, operation: string): void {
    if (!this.state.isAlive(entity)) throw this.state.dead(entity, operation)
  }
}

function staleCommands(): StrataError {
  return new StrataError(
    'STALE_COMMANDS',
    `commands: the world was restored after these commands were recorded: call clear(), and record them again.`,
  )
}

/** The ingredients, when one of them has values. */
function valued(ingredients: readonly Ingredient[]): readonly Ingredient[] | undefined {
  for (let i = 0; i < ingredients.length; i++) {
    if (ingredients[i] instanceof ComponentValue) return ingredients
  }
  return undefined
}

/** A command buffer: it records changes now and makes them all when you call its apply(). See Commands. */
export function createCommands(world: World): Commands {
  const state = stateOf(world, 'createCommands')
  state.refuseDisposed()
  return new Commands(state)
}
