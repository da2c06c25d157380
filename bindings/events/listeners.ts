// Owns the functions by which a program listens to a world: docs/events.md. Those about queries and about existing entities are
// in queries/queryListeners.ts.

import type { Component, ComponentLike, ObjectComponent } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { ComponentValue } from '../components/componentValues'
import { notAComponent, withoutFields } from '../components/notAComponent'
import { type AnyResource, ResourceDeclaration, notAResource } from '../components/resourceDeclaration'
import type { Pair } from '../components/pair'
import type { Schema, Storage, Value } from '../components/schema'
import { parseTerms } from '../components/terms'
import { checkFunction, checkOptions } from '../memory/arguments'
import type { Entity, EntityArray } from '../memory/entity'
import { type LinkToWatch, relatingOfPair } from '../state/relationHooks'
import { type WorldState, stateOf } from '../state/worldState'
import type { RestoreReport } from '../state/worldParticipants'
import { readRow } from '../values/rowValues'
import type { World } from '../world/world'
import { observersOf } from './observers'
import type { Handler } from './watches'

/** An option of onAdd and onEnter. */
export interface ExistingOption {
  /**
   * Whether to call the listener at once for every entity that has the component, or matches, already. In a listener of a
   * removal, it is called when the change is made: what leaves is no longer there, and what comes is. Default false.
   */
  readonly existing?: boolean | undefined
}

/** What ExistingOption has. */
export const LISTEN_OPTIONS: readonly string[] = ['existing']

/** The existing entities for which a new listener is called, if it asks for that. */
export interface Existing {
  list(): EntityArray
}

/**
 * Calls a listener before an entity loses the component, or a link to the target of a pair, or is destroyed; its values can
 * still be read. While
 * listeners run, the world is locked: changes that a listener makes are applied after the change that it was called
 * for.
 *
 * @param component a component, a relation for its last link, or a relation with a target, `Likes(bob)`
 * @param handler called with the entity and the world
 * @returns a function that unsubscribes; after that the listener is no longer called
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_OPTION
 */
export function onRemove(world: World, component: ComponentLike | Pair, handler: Handler): () => void {
  return listenTo(stateOf(world, 'onRemove'), component, 'removed', handler, 'onRemove')
}

/** A listener of onSet that asks for the values before: a copy, of an object component the value itself. */
export type BeforeHandler<V> = (entity: Entity, before: V | undefined, world: World) => void

/**
 * Calls a listener whenever spawn, add or set gives values to the component, after they are written. Writes through
 * columns, cursors, accessors and kernels do not call it: use changed() for those.
 *
 * @param handler called with the entity and the world; with `{ before: true }` with the entity, a copy of the values that it
 *   had before, undefined if it did not have the component, and the world
 * @param options `{ before: true }` costs a copy of the values for each write
 * @returns a function that unsubscribes; after that the listener is no longer called
 * @throws StrataTypeError NOT_A_COMPONENT, also for `before` of a tag or a relation, INVALID_OPTION
 * @example onSet(world, Position, (entity, before) => grid.move(entity, before, world.get(entity, Position)), { before: true })
 */
export function onSet(world: World, component: ComponentLike, handler: Handler): () => void
export function onSet<T>(
  world: World,
  component: ObjectComponent<T>,
  handler: BeforeHandler<T>,
  options: { readonly before: true },
): () => void
export function onSet<S extends Schema>(
  world: World,
  component: Component<S, Storage>,
  handler: BeforeHandler<Value<S>>,
  options: { readonly before: true },
): () => void
export function onSet(
  world: World,
  component: ComponentLike,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- values of any component
  handler: Handler | BeforeHandler<any>,
  options?: { readonly before?: boolean },
): () => void {
  const state = stateOf(world, 'onSet')
  const definition = listened(state, component, handler as Handler, 'onSet')
  checkOptions('onSet', options, ['before'])
  const observers = observersOf(state)
  if (options?.before !== true) return observers.listen(definition, 'set', handler as Handler)
  if (definition.kind !== 'component' && definition.kind !== 'object')
    throw withoutFields(component, 'onSet with { before: true }')
  const call: Handler = (entity, told) => (handler as BeforeHandler<unknown>)(entity, observers.before, told)
  return observers.listenBefore(definition, call, readRow)
}

/**
 * Calls a listener after the resource was given values by setResource, or was removed; and after every reset and restore.
 * Inside a loop, a batch or a listener it is called once, when the outermost one has ended. While listeners run,
 * the world is locked. Writes through the cursor that `resource` returns do not call it: for those use changed() in `runIf`.
 * Subscriptions survive a reset. Costs nothing without listeners.
 *
 * @param listener called without arguments
 * @returns a function that unsubscribes; after that the listener is no longer called
 * @throws StrataTypeError NOT_A_RESOURCE, INVALID_OPTION
 * @example const stop = onResource(world, Settings, () => redraw(world.resource(Settings)))
 */
export function onResource(world: World, resource: AnyResource, listener: () => void): () => void {
  const state = stateOf(world, 'onResource')
  state.refuseDisposed()
  if (!(resource instanceof ResourceDeclaration)) throw notAResource(resource, 'onResource')
  checkFunction('onResource', listener)
  return observersOf(state).subscribers.subscribeToResource(resource, listener)
}

/**
 * Calls a listener after every restore, when everything else is done: for presentation, which is not notified of single
 * changes then. The world is locked meanwhile; what the listener changes is changed afterwards.
 *
 * @param listener called with the world, and with which entities lost an object that could not be revived
 * @returns a function that unsubscribes
 * @throws StrataTypeError INVALID_OPTION if it is not a function
 * @example onRestore(world, () => renderer.rebuild())
 */
export function onRestore(world: World, listener: (world: World, report: RestoreReport) => void): () => void {
  const state = stateOf(world, 'onRestore')
  state.refuseDisposed()
  checkFunction('onRestore', listener)
  return observersOf(state).listenToRestore(listener as never)
}

/** Subscribes to entities that get or lose a component, or a link. */
export function listenTo(
  state: WorldState,
  asked: ComponentLike | Pair,
  event: 'added' | 'removed',
  handler: Handler,
  operation: string,
): () => void {
  if (!isPair(asked))
    return observersOf(state).listen(listened(state, asked, handler, operation), event, handler)
  const link = linkIn(state, asked, operation)
  checkFunction(operation, handler)
  const { component } = asked
  // The relation itself is required: so most entities are never asked for their links.
  const terms = parseTerms([component])
  const key = `${(component as unknown as Definition).serial} to ${link.target}`
  return observersOf(state).listenToQuery(key, terms, event === 'added' ? 'enter' : 'exit', handler, link)
}

/** Components are functions: anything else that is not a pair is refused by its relation. */
export function isPair(asked: ComponentLike | Pair): asked is Pair {
  return typeof asked === 'object'
}

/** The link that a pair names. */
function linkIn(state: WorldState, pair: Pair, operation: string): LinkToWatch {
  state.refuseDisposed()
  const relating = relatingOfPair(pair, operation)
  // An order by a relation is related to it, too.
  const link = pair instanceof ComponentValue ? relating.watched(state, pair) : undefined
  if (link === undefined) throw notAComponent(pair, operation)
  state.claim(pair.component as never)
  return link
}

/** The component that a listener asks for. */
export function listened(
  state: WorldState,
  component: unknown,
  handler: Handler,
  operation: string,
): Definition {
  state.refuseDisposed()
  const definition = definitionOf(component)
  if (definition === undefined) throw notAComponent(component, operation)
  checkFunction(operation, handler)
  return definition
}

/** Calls a new listener for what exists. Returns the function that unsubscribes it. */
export function tellExisting(
  state: WorldState,
  found: Existing,
  handler: Handler,
  stop: () => void,
): () => void {
  const observers = observersOf(state)
  const existing = {
    since: -1,
    listener() {
      try {
        observers.tellExisting(handler, found.list())
      } catch (error) {
        // At once, the program never gets the function that unsubscribes.
        stop()
        throw error
      }
    },
  }
  observers.report.whenMade(existing)
  return () => {
    // It is never called if it still waits.
    existing.since = Infinity
    stop()
  }
}
