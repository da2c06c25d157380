// Owns the calls on a world that give components to one entity, take them, and switch them on and off.
// It must never look at more than one entity, or read a value.

import { CHANGE_ADD, CHANGE_REMOVE, STATUS_DEAD, STATUS_MOVED } from '../../build/layout'
import { changeError, perform } from '../changes/change'
import { ADD, EXCHANGE, REMOVE } from '../changes/log'
import { queueOf, requireValuesLater } from '../changes/queue'
import { switchOne } from '../changes/switching'
import type { ComponentLike } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import {
  type Complete,
  type CompleteIngredient,
  type Ingredient,
  type Given,
  listFew,
  listMany,
} from '../components/ingredients'
import { notAComponent } from '../components/notAComponent'
import type { Pair } from '../components/pair'
import { takeArray } from '../memory/arguments'
import { type Entity, isHandle } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { BundleNode } from '../rows/bundle'
import { relatingOfPair } from '../rows/relating'
import { checkSwitch, isSwitchedOn } from '../rows/toggling'
import { writeGiven, writeIngredients, writeNamed } from '../rows/values'
import type { WorldState } from '../rows/worldState'
import { WorldEntities } from './entities'

/** The part of a world for components: see world.ts. */
export abstract class WorldComponents extends WorldEntities {
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
        return status === STATUS_MOVED || afterAdd(state, status, entity, node.follow(a, 'add'))
      }
    }
    if (count > 0) node = node.follow(a, 'add')
    if (count > 1) node = node.follow(b, 'add')
    if (count > 2) node = node.follow(c, 'add')
    for (let i = 0; i < more.length; i++) node = node.follow(more[i], 'add')
    // The core knows the dead; what is no 32-bit number must not reach it and turn into another handle.
    if (!isHandle(entity)) throw this.state.dead(entity, 'add')
    if ((state.locks | state.watching) !== 0 || node.directAddress === 0) {
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
    if (arguments.length === 2 && isHandle(entity) && (state.locks | state.watching) === 0) {
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
    if (!isHandle(entity)) return this.refuse(entity, 'remove')
    if ((state.locks | state.watching) !== 0 || node.address === 0 || node.needsUpkeep)
      return this.removeSlowly(entity, node)
    return afterRemove(state, state.core.entityChange(entity, CHANGE_REMOVE, node.address), node)
  }

  private removeSlowly(entity: number, node: BundleNode): boolean {
    const { state } = this
    if (state.locks !== 0) return this.removeLater(entity, node)
    return afterRemove(state, perform(state, REMOVE, entity, undefined, node, undefined), node)
  }

  private removeLater(entity: number, node: BundleNode): boolean {
    if (!this.state.isAlive(entity)) return this.refuse(entity, 'remove')
    queueOf(this.state).remove(entity, node)
    return hasSome(this.state, entity, node)
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
      requireValuesLater(state, entity, node, gains, 'exchange')
      queueOf(state).exchange(entity, without, node, gains)
      return hasSome(state, entity, without) || !hasAll(state, entity, node)
    }
    let status: number
    if (without.directAddress !== 0 && node.directAddress !== 0 && state.watching === 0) {
      status = state.core.entityExchange(entity, without.directAddress, node.directAddress)
      state.heap.check()
      if (status >= 0) writeIngredients(node, entity, gains)
    } else status = perform(state, EXCHANGE, entity, node, without, gains)
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
}

/** What the core did: throws if it could not. */
function afterAdd(state: WorldState, status: number, entity: number, node: BundleNode): boolean {
  state.heap.check()
  if (status < 0) throw changeError(state, status, node, entity, 'add')
  return status > 0
}

function addSlowly(state: WorldState, entity: number, node: BundleNode, given: Given): boolean {
  if (state.locks !== 0) return addLater(state, entity, node, given)
  const status = perform(state, ADD, entity, node, undefined, given)
  if (status < 0) throw changeError(state, status, node, entity, 'add')
  return status > 0
}

function addLater(state: WorldState, entity: number, node: BundleNode, given: Given): boolean {
  if (!state.isAlive(entity)) throw state.dead(entity, 'add')
  requireValuesLater(state, entity, node, given, 'add')
  queueOf(state).add(entity, node, given)
  return !hasAll(state, entity, node)
}

/** What the core did: throws if it could not. */
function afterRemove(state: WorldState, status: number, node: BundleNode): boolean {
  state.heap.check()
  if (status < 0 && status !== STATUS_DEAD) throw limitError(status, node.describeRows())
  return status > 0
}

function hasAll(state: WorldState, entity: number, node: BundleNode): boolean {
  const known = node.knownIn(state)
  for (let i = 0; i < known.length; i++) if (known[i]?.isOn(entity) !== true) return false
  return true
}

function hasSome(state: WorldState, entity: number, node: BundleNode): boolean {
  const known = node.knownIn(state)
  for (let i = 0; i < known.length; i++) if (known[i]?.isOn(entity) === true) return true
  return false
}

/** Whether an entity has components some of which the world has not met, or that come with a target. */
function hasUnknown(state: WorldState, entity: number, components: readonly unknown[]): boolean {
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
