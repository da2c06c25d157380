// Owns the calls of a world by which listeners subscribe: docs/events.md. Those that listen to queries are in
// queries/listening.ts.

import { type Definition, definitionOf } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import { ResourceDeclaration, notAResource } from '../components/resource'
import { checkFunction, checkOptions } from '../memory/arguments'
import type { EntityArray } from '../memory/entity'
import type { WorldState } from '../rows/worldState'
import { observersOf } from './observersOf'
import type { Handler } from './watches'

/** An option of world.onAdd and world.onEnter. */
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

/** world.onAdd */
export function onAdd(
  state: WorldState,
  component: unknown,
  handler: Handler,
  options: ExistingOption,
  holders: () => Existing,
): () => void {
  const definition = listened(state, component, handler, 'onAdd')
  checkOptions('onAdd', options, LISTEN_OPTIONS)
  const stop = observersOf(state).listen(definition, 'added', handler)
  return options?.existing === true ? tellExisting(state, holders(), handler, stop) : stop
}

/** world.onRemove */
export function onRemove(state: WorldState, component: unknown, handler: Handler): () => void {
  return observersOf(state).listen(listened(state, component, handler, 'onRemove'), 'removed', handler)
}

/** world.onSet */
export function onSet(state: WorldState, component: unknown, handler: Handler): () => void {
  return observersOf(state).listen(listened(state, component, handler, 'onSet'), 'set', handler)
}

/** world.onResource */
export function onResource(state: WorldState, resource: unknown, listener: () => void): () => void {
  state.refuseDisposed()
  if (!(resource instanceof ResourceDeclaration)) throw notAResource(resource, 'onResource')
  checkFunction('onResource', listener)
  return observersOf(state).subscribers.subscribeToResource(resource, listener)
}

/** world.onRestore */
export function onRestore(state: WorldState, listener: (world: never, report: never) => void): () => void {
  state.refuseDisposed()
  checkFunction('onRestore', listener)
  return observersOf(state).listenToRestore(listener as never)
}

function listened(state: WorldState, component: unknown, handler: Handler, operation: string): Definition {
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
