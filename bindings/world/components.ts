// Owns the calls on a world that give components to one entity, take them, read and write them.
// It must never look at more than one entity.

import { CHANGE_ADD, CHANGE_REMOVE, STATUS_DEAD, STATUS_MOVED } from '../../build/layout'
import { addComponents, exchangeComponents, removeComponents, changeError } from '../changes/one'
import { queueOf } from '../changes/queue'
import type {
  AnyComponent,
  AnyObject,
  AnyRelation,
  Component,
  ComponentLike,
  ObjectComponent,
  Relation,
} from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { refuseUntargeted } from '../components/untargeted'
import {
  type Complete,
  type CompleteIngredient,
  ComponentValue,
  type Ingredient,
  hold,
  type Given,
  listFew,
  listMany,
} from '../components/ingredients'
import { notAComponent, withoutFields } from '../components/notAComponent'
import type { Pair } from '../components/pair'
import type { Input, Schema, Storage, Value } from '../components/schema'
import { type Taken, listedIn, takeFew, takeValues } from '../components/taking'
import { requireValues } from '../events/observed'
import { observersOf } from '../events/observersOf'
import { checkSwitch, isSwitchedOn, switchOne } from '../events/switching'
import { takeArray } from '../memory/arguments'
import { type Entity, isHandle } from '../memory/entity'
import { limitError } from '../memory/errors'
import { type AccessorOf, ComponentAccessor } from '../rows/accessor'
import type { BundleNode } from '../rows/bundle'
import type { ObjectStore } from '../rows/objects'
import type { Registration } from '../rows/registration'
import { relatingOfPair } from '../rows/relating'
import { equalsRow, readRow, writeFloats, writeGiven, writeNamed, writeRow } from '../rows/values'
import { WorldEntities } from './entities'

/** The part of a world for components: see world.ts. */
export abstract class WorldComponents extends WorldEntities {
  /** @internal */
  protected readonly accessors = new Map<Definition, ComponentAccessor>()

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
    if (count === 1 && isHandle(entity) && (state.locks | state.watching) === 0) {
      const address = node.recentAddress(a)
      if (address !== 0) {
        const status = state.core.entityChange(entity, CHANGE_ADD, address)
        return status === STATUS_MOVED || this.afterAdd(status, entity, node.follow(a, 'add'))
      }
    }
    if (count > 0) node = node.follow(a, 'add')
    if (count > 1) node = node.follow(b, 'add')
    if (count > 2) node = node.follow(c, 'add')
    for (let i = 0; i < more.length; i++) node = node.follow(more[i], 'add')
    // The core knows the dead; what is no 32-bit number must not reach it and turn into another handle.
    if (!isHandle(entity)) throw this.state.dead(entity, 'add')
    if ((state.locks | state.watching) !== 0 || node.directAddress === 0) {
      if (count > 3) return this.addSlowly(entity, node, listMany(a, b, c, more))
      return this.addSlowly(entity, node, listFew(count, a, b, c))
    }
    const status = state.core.entityChange(entity, CHANGE_ADD, node.directAddress)
    const added = this.afterAdd(status, entity, node)
    if (typeof a === 'object' || typeof b === 'object' || typeof c === 'object')
      writeNamed(node, entity, status === STATUS_MOVED, true, a, b, c)
    for (let i = 0; i < more.length; i++) writeGiven(node, i + 3, entity, more[i])
    return added
  }

  /** What the core did: throws if it could not. */
  private afterAdd(status: number, entity: number, node: BundleNode): boolean {
    const { state } = this
    state.heap.check()
    if (status < 0) throw changeError(state, status, node, entity, 'add')
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
    if (node.holdsObjects || node.relates) this.requireValuesLater(entity, node, given, 'add')
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
  remove(entity: Entity | number, ...components: (ComponentLike | Pair)[]): boolean
  remove(entity: number, a?: ComponentLike | Pair, ...more: (ComponentLike | Pair)[]): boolean {
    const { state } = this
    let node = state.bundles
    // As in add.
    if (arguments.length === 2 && isHandle(entity) && (state.locks | state.watching) === 0) {
      const address = node.recentAddress(a)
      if (address !== 0) {
        const status = state.core.entityChange(entity, CHANGE_REMOVE, address)
        return status === STATUS_MOVED || this.afterRemove(status, node.with(a as never, 'remove'))
      }
    }
    const pair = typeof a === 'object' ? a : more.find((one) => typeof one === 'object')
    if (pair !== undefined)
      return relatingOfPair(pair, 'remove').removePairs(state, this, entity, [a, ...more])
    if (arguments.length > 1) node = node.with(a as never, 'remove')
    // Not by withAll: an array that never leaves the function is never made.
    for (let i = 0; i < more.length; i++) node = node.with(more[i] as never, 'remove')
    if (!isHandle(entity)) return this.refuse(entity, 'remove')
    if ((state.locks | state.watching) !== 0 || node.address === 0) return this.removeSlowly(entity, node)
    return this.afterRemove(state.core.entityChange(entity, CHANGE_REMOVE, node.address), node)
  }

  private removeSlowly(entity: number, node: BundleNode): boolean {
    const { state } = this
    if (state.locks !== 0) return this.removeLater(entity, node)
    return this.afterRemove(removeComponents(state, entity, node), node)
  }

  /** What the core did: throws if it could not. */
  private afterRemove(status: number, node: BundleNode): boolean {
    this.state.heap.check()
    if (status < 0 && status !== STATUS_DEAD) throw limitError(status, node.describeRows())
    return status > 0
  }

  private removeLater(entity: number, node: BundleNode): boolean {
    if (!this.state.isAlive(entity)) return this.refuse(entity, 'remove')
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
    const without = state.bundles.withAll(losses, 'exchange: the first list')
    const node = state.bundles.followAll(gains, 'exchange')
    if (!isHandle(entity)) throw this.state.dead(entity, 'exchange')
    if (state.locks !== 0) {
      if (!state.isAlive(entity)) throw this.state.dead(entity, 'exchange')
      if (node.holdsObjects || node.relates) this.requireValuesLater(entity, node, gains, 'exchange')
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
  has(entity: Entity | number, ...components: (ComponentLike | Pair)[]): boolean {
    const state = this.state
    if (!state.isAlive(entity)) return this.refuse(entity, 'has')
    for (let i = 0; i < components.length; i++) {
      const component = components[i] as unknown as Definition
      const registration = state.known(component)
      if (registration === undefined || registration.definition !== component)
        return this.hasUnknown(entity, components)
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
  get<S extends Schema>(entity: Entity | number, relation: Relation<S>): Value<S> | undefined
  get<S extends Schema>(entity: Entity | number, pair: Pair<S, Schema>): Value<S> | undefined
  get(entity: Entity | number, component: AnyComponent | AnyObject | AnyRelation | ComponentValue): unknown {
    const state = this.state
    if (typeof component === 'object')
      return relatingOfPair(component, 'get').getOfPair(state, this, entity, component)
    const definition = component as unknown as Definition
    const registration = this.registrationOf(definition, 'get')
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
    this.refuse(entity, 'get')
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
    if (typeof component === 'object')
      return void this.add(
        entity,
        relatingOfPair(component, 'set').pairWith(component, given) as CompleteIngredient,
      )
    const definition = component as unknown as Definition
    this.registrationOf(definition, 'set')
    if (definition.kind === 'object') this.setObject(entity, definition, given)
    else if (definition.details.hasFewFloats && typeof given === 'object' && given !== null)
      this.setFloats(entity, definition, given as Record<string, unknown>)
    else this.setTaken(entity, definition, takeValues(definition, given))
  }

  /** setTaken for a component of one to four f32: where the row is there and nothing waits, no list is made of them. */
  private setFloats(entity: number, definition: Definition, given: Readonly<Record<string, unknown>>): void {
    const { state } = this
    const { fieldNames: names } = definition
    const { length } = names
    const a = given[names[0] as string]
    const b = length > 1 ? given[names[1] as string] : undefined
    const c = length > 2 ? given[names[2] as string] : undefined
    const d = length > 3 ? given[names[3] as string] : undefined
    const listed = listedIn(definition, given)
    const numbers =
      (typeof a === 'number' ? 1 : 0) |
      (typeof b === 'number' ? 2 : 0) |
      (typeof c === 'number' ? 4 : 0) |
      (typeof d === 'number' ? 8 : 0)
    // Whatever is listed and no number is an error, or was not given after all.
    const mayWrite = (listed & ~numbers) === 0 && (state.locks === 0 || queueOf(state).count === 0)
    const ref = mayWrite ? state.known(definition)?.locateHandle(entity) : undefined
    if (ref === undefined) {
      this.setTaken(entity, definition, takeFew(definition, listed, a, b, c, d))
      return
    }
    writeFloats(ref, listed, a as number, b as number, c as number, d as number)
    if (state.watching !== 0) observersOf(state).reportSet(definition, entity)
  }

  /** @internal */
  protected setTaken(entity: number, definition: Definition, values: Taken): void {
    const { state } = this
    if (!state.isAlive(entity)) throw this.state.dead(entity, 'set')
    const commands = queueOf(state)
    const registration = state.known(definition)
    if (state.locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)) {
      const value = new ComponentValue(definition as never, values)
      commands.add(entity, state.bundles.with(definition, 'set'), [value])
      return
    }
    const ref = registration?.isTag === false ? registration.locate(entity) : undefined
    if (ref === undefined) {
      this.add(entity, new ComponentValue(definition as never, values))
      return
    }
    if (definition.hasTexts) {
      state.texts.prepare(definition, values)
      // A new text may let memory grow, and tables move with it: the reference must stand on the row anew.
      registration?.locate(entity)
    }
    writeRow(ref, values)
    if (state.watching !== 0) observersOf(state).reportSet(definition, entity)
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
      registration.noteGiven(entity)
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
    const ref = waits || registration?.isTag === true ? undefined : registration?.locateHandle(entity)
    if (ref !== undefined && equalsRow(ref, taken)) return false
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
      return known.switchHandle(entity, off) || this.refuse(entity, operation)
    }
    const definition = checkSwitch(component, operation)
    if (known === undefined) state.claim(definition)
    if (state.locks !== 0 && queueOf(state).count > 0 && queueOf(state).concerns(entity, definition)) {
      if (!state.isAlive(entity)) return false
      state.commands.later(() => void switchOne(state, entity, definition, off))
      return true
    }
    return switchOne(state, entity, definition, off) || this.refuse(entity, operation)
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
      return known.locateHandle(entity)?.isOff === false || this.refuse(entity, 'isEnabled')
    }
    const definition = definitionOf(component)
    if (definition === undefined) throw notAComponent(component, 'isEnabled')
    if (known === undefined) this.state.claim(definition)
    return (
      (this.state.isAlive(entity) && isSwitchedOn(this.state, entity, definition)) ||
      this.refuse(entity, 'isEnabled')
    )
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

  /** Whether an entity has components some of which the world has not met, or that come with a target. */
  private hasUnknown(entity: number, components: readonly unknown[]): boolean {
    const { state } = this
    let all = true
    for (const component of components) {
      const definition = definitionOf(component)
      if (definition !== undefined) state.claim(definition)
      all =
        (definition === undefined
          ? relatingOfPair(component, 'has').holds(state, entity, component)
          : state.known(definition)?.isOn(entity) === true) && all
    }
    return all
  }
}
