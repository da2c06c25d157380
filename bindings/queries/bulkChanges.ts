// Owns the calls that change many entities at once: all that match a query, or those of a list.

import type { Component, ComponentLike } from '../components/component'
import type { Ingredient, Shared } from '../components/componentValues'
import type { Schema, Storage } from '../components/schema'
import type { ValueLists } from '../components/valueLists'
import { addListed, destroyListed, removeListed, setListed, switchListed } from '../changes/listChanges'
import { stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { Query } from './query'
import { addToAll, destroyMatching, removeFromAll, switchAll } from './queryChanges'
import type { AnyQuery } from './queryRows'

const QUERY_OR_LIST = 'a query, or a world and a list'

/**
 * Adds components to every entity that matches a query, or to those of a list, in one call. An entity that has a component
 * already keeps its values, except for fields that are given values. Adding tags to what matches a query copies no row. Stale
 * handles of a list and repeats are skipped. Inside a loop this waits until the loop ends: a query applies to what matches at
 * that time.
 *
 * @param entities an array or typed array of handles
 * @param ingredients one or more components, tags and components with values; no object components
 * @returns how many entities matched, or how many of the list are alive; inside a loop, how many do now
 * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; LimitError. Nothing changes then,
 *   except with relations, and for listed entities that have no components yet: entities before the one that failed have changed.
 * @example addMany(enemies, Frozen)
 * @example addMany(world, selected, Frozen, Health({ hp: 9 }))
 */
export function addMany<const I extends readonly Ingredient[]>(
  query: AnyQuery,
  ...ingredients: Shared<I>
): number
export function addMany<const I extends readonly Ingredient[]>(
  world: World,
  entities: ArrayLike<number>,
  ...ingredients: Shared<I>
): number
export function addMany(on: unknown, ...rest: unknown[]): number {
  if (on instanceof Query) return addToAll(on as AnyQuery, rest as Ingredient[])
  const [entities, ...ingredients] = rest
  return addListed(
    stateOf(on, 'addMany', QUERY_OR_LIST),
    entities as ArrayLike<number>,
    ingredients as Ingredient[],
  )
}

/**
 * Removes components from every entity that matches a query, or from those of a list, in one call. Stale handles of a list and
 * repeats are skipped. Inside a loop this waits until the loop ends: a query applies to what matches at that time.
 *
 * @param entities an array or typed array of handles
 * @param components one or more components or tags
 * @returns how many entities matched, or how many of the list are alive; inside a loop, how many do now
 * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT; LimitError. Nothing changes then, except for
 *   listed entities that have no components yet: entities before the one that failed have changed.
 * @example removeMany(enemies, Shield)
 * @example removeMany(world, selected, Frozen)
 */
export function removeMany(query: AnyQuery, ...components: ComponentLike[]): number
export function removeMany(world: World, entities: ArrayLike<number>, ...components: ComponentLike[]): number
export function removeMany(on: unknown, ...rest: unknown[]): number {
  if (on instanceof Query) return removeFromAll(on as AnyQuery, rest as ComponentLike[])
  const [entities, ...components] = rest
  return removeListed(
    stateOf(on, 'removeMany', QUERY_OR_LIST),
    entities as ArrayLike<number>,
    components as ComponentLike[],
  )
}

/**
 * Destroys every entity that matches a query, or those of a list, in one call. Stale handles of a list and repeats are skipped.
 * Inside a loop this waits until the loop ends: a query applies to what matches at that time. Cost of a list: one call into the
 * core for every 16,384 handles.
 *
 * @param entities an array or typed array of handles
 * @returns how many entities matched, or how many of the list were alive; inside a loop, how many do now
 * @throws StrataTypeError INVALID_OPTION for what is neither a query nor a world with a list
 * @example destroyMany(world.query(Dead))
 * @example destroyMany(world, bullets)
 */
export function destroyMany(query: AnyQuery): number
export function destroyMany(world: World, entities: ArrayLike<number>): number
export function destroyMany(on: unknown, entities?: ArrayLike<number>): number {
  if (on instanceof Query) return destroyMatching(on as AnyQuery)
  return destroyListed(stateOf(on, 'destroyMany', QUERY_OR_LIST), entities as ArrayLike<number>)
}

/**
 * Writes values of one component to every entity that matches a query, or to those of a list, as `set` does it for each: an
 * entity that does not have the component gets it. Stale handles are skipped, together with their values. All values are
 * checked before the first is written. For `changed` and `added` this does not count as a look.
 *
 * @param entities an array or typed array of handles
 * @param lists for each field to write a list of values: the first one for the first handle, or for the first entity that a loop
 *   over the query would visit, and so on
 * @returns how many entities matched, or how many of the list are alive
 * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_VALUE, also for a list that is too
 *   short: nothing changes then. LimitError where the component must be added: those before have changed.
 * @example setMany(world, ships, Position, { x: new Float32Array(ships.length), y: heights })
 */
export function setMany<S extends Schema>(
  query: AnyQuery,
  component: Component<S, Storage>,
  lists: ValueLists<S>,
): number
export function setMany<S extends Schema>(
  world: World,
  entities: ArrayLike<number>,
  component: Component<S, Storage>,
  lists: ValueLists<S>,
): number
export function setMany(on: unknown, ...rest: unknown[]): number {
  const isQuery = on instanceof Query
  const [entities, component, lists] = isQuery ? [on.list(), ...rest] : rest
  const state = isQuery ? on.source.state : stateOf(on, 'setMany', QUERY_OR_LIST)
  return setListed(state, entities as ArrayLike<number>, component as never, lists as never)
}

/**
 * Switches a component on for every entity that matches a query, or for those of a list, in one call that moves no rows; those
 * that do not have it are skipped. A term of the query on that component asks only whether it is there, so
 * `enableMany(world.query(Burning), Burning)` reaches all entities with Burning; but not in a slice, nor beside a target or an
 * order: write present(Burning) there. Inside a loop this waits until the loop ends.
 *
 * @param entities an array or typed array of handles
 * @returns how many of them have the component; inside a loop, how many match or are alive now
 * @throws StrataTypeError INVALID_OPTION, NOT_A_TOGGLE, NOT_A_COMPONENT
 * @example enableMany(world, selected, Burning)
 */
export function enableMany(query: AnyQuery, component: ComponentLike): number
export function enableMany(world: World, entities: ArrayLike<number>, component: ComponentLike): number
export function enableMany(on: unknown, ...rest: unknown[]): number {
  return switchMany(on, rest, false, 'enableMany')
}

/**
 * Switches a component off for every entity that matches a query, or for those of a list, in one call that moves no rows; those
 * that do not have it are skipped. A term of the query on that component asks only whether it is there. Inside a loop this waits
 * until the loop ends.
 *
 * @param entities an array or typed array of handles
 * @returns how many of them have the component; inside a loop, how many match or are alive now
 * @throws StrataTypeError INVALID_OPTION, NOT_A_TOGGLE, NOT_A_COMPONENT
 * @example disableMany(world.query(Burning), Burning)
 */
export function disableMany(query: AnyQuery, component: ComponentLike): number
export function disableMany(world: World, entities: ArrayLike<number>, component: ComponentLike): number
export function disableMany(on: unknown, ...rest: unknown[]): number {
  return switchMany(on, rest, true, 'disableMany')
}

function switchMany(on: unknown, rest: readonly unknown[], off: boolean, operation: string): number {
  if (on instanceof Query) return switchAll(on as AnyQuery, rest[0], off, operation)
  return switchListed(
    stateOf(on, operation, QUERY_OR_LIST),
    rest[0] as ArrayLike<number>,
    rest[1],
    off,
    operation,
  )
}
