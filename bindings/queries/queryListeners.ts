// Owns the functions by which a program listens to a query, its entities or its result, or to a component including the entities
// that exist already: docs/events.md.

import type { ComponentLike } from '../components/component'
import type { Pair } from '../components/pair'
import type { ParsedTerm } from '../components/terms'
import { type ExistingOption, LISTEN_OPTIONS, isPair, listenTo, tellExisting } from '../events/listeners'
import { observersOf } from '../events/observers'
import { watchable } from '../events/queryWatch'
import type { Handler } from '../events/watches'
import { checkFunction, checkOptions } from '../memory/arguments'
import type { Entity } from '../memory/entity'
import { sourcesOf } from '../state/linkCalls'
import { stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { refuseNarrowed } from './narrowedQueries'
import { type Query, queryGiven } from './query'
import { holdersOf } from './queryCache'

/**
 * Calls a listener whenever an entity gets the component, or a link to the target of a pair, after the change is made and
 * its values are written.
 * While listeners run, the world is locked: changes that a listener makes are applied after the change that it was
 * called for.
 *
 * @param component a component, a relation for its first link, or a relation with a target, `Likes(bob)`
 * @param handler called with the entity and the world
 * @param options existing: also call it at once for every entity that has the component or the link
 * @returns a function that unsubscribes; after that the listener is no longer called
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_OPTION
 * @example const stop = onAdd(world, Health, (entity) => index.add(entity))
 */
export function onAdd(
  world: World,
  component: ComponentLike | Pair,
  handler: Handler,
  options: ExistingOption = {},
): () => void {
  const state = stateOf(world, 'onAdd')
  checkOptions('onAdd', options, LISTEN_OPTIONS)
  const stop = listenTo(state, component, 'added', handler, 'onAdd')
  if (options?.existing !== true) return stop
  const existing = isPair(component)
    ? { list: () => sourcesOf(state, component.target as Entity, component.component) }
    : holdersOf(world['queries'], component)
  return tellExisting(state, existing, handler, stop)
}

/**
 * Calls a listener whenever an entity begins to match a query, after the change is made.
 *
 * @param query a query whose terms ask only which components an entity has and whether they are
 *   switched on
 * @param handler called with the entity and the world
 * @param options existing: also call it at once for every entity that matches
 * @returns a function that unsubscribes; after that the listener is no longer called
 * @throws StrataTypeError INVALID_QUERY for queries with changed, added, where, page or partition; INVALID_OPTION
 */
export function onEnter(query: Query, handler: Handler, options: ExistingOption = {}): () => void {
  const terms = watchableTerms(query, handler, 'onEnter')
  checkOptions('onEnter', options, LISTEN_OPTIONS)
  const { related, source } = query
  const { state } = source
  const stop = observersOf(state).listenToQuery(related ?? source, terms, 'enter', handler, related)
  return options?.existing === true ? tellExisting(state, query, handler, stop) : stop
}

/**
 * Calls a listener before an entity ceases to match a query; its values can still be read.
 *
 * @param query a query whose terms ask only which components an entity has and whether they are
 *   switched on
 * @param handler called with the entity and the world
 * @returns a function that unsubscribes; after that the listener is no longer called
 * @throws StrataTypeError INVALID_QUERY for queries with changed, added, where, page or partition; INVALID_OPTION
 */
export function onExit(query: Query, handler: Handler): () => void {
  const terms = watchableTerms(query, handler, 'onExit')
  const { related, source } = query
  return observersOf(source.state).listenToQuery(related ?? source, terms, 'exit', handler, related)
}

function watchableTerms(query: Query, handler: Handler, operation: string): readonly ParsedTerm[] {
  const { source } = queryGiven(query, operation)
  source.state.refuseDisposed()
  checkFunction(operation, handler)
  refuseNarrowed(query, operation)
  query.related?.refuseListeners(operation)
  return watchable(source.terms, operation)
}

/**
 * Calls a listener when a different set of entities matches than before, or the program gave the set another order
 * (docs/queries.md): once after each outermost change, that is when a loop, a batch, a command buffer or a listener that
 * changes the world has ended, and once for a bulk change. The listener sees the world after the change. While listeners run, the world is locked; the changes
 * that they make are applied afterwards and reported in turn. Writing values, and changes of components that the
 * query does not name, do not call it.
 * Cost: nothing without subscriptions. With them, every outermost change that names a component of the query,
 * spawns a match or destroys an entity compares the number of matching archetypes. Unsubscribing takes constant
 * time.
 *
 * @param listener called without arguments
 * @returns a function that unsubscribes; after that the listener is no longer called
 * @throws StrataTypeError INVALID_QUERY for queries with where, page, partition, changed or added; INVALID_OPTION
 * @example const stop = onChange(ships, () => label.textContent = `${ships.count} ships`)
 */
export function onChange(query: Query, listener: () => void): () => void {
  const { state } = queryGiven(query, 'onChange').source
  state.refuseDisposed()
  checkFunction('onChange', listener)
  refuseNarrowed(query, 'onChange')
  return observersOf(state).subscribers.subscribe(query, listener)
}
