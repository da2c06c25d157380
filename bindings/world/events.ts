// Owns the calls on a world by which listeners subscribe to what happens to entities: docs/events.md.
// It must never call a listener by itself.

import type { ComponentLike, ObjectComponent } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import type { ParsedTerm } from '../components/terms'
import { observersOf } from '../events/observersOf'
import { watchable } from '../events/queryWatch'
import { type RemovalReader, readRemovals } from '../events/removalReader'
import type { Handler } from '../events/watches'
import { checkFunction, checkOptions } from '../memory/arguments'
import type { Entity } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { Query } from '../queries/query'
import { notAnObject, walkObjects } from '../rows/objects'
import { WorldResources } from './resources'

/** An option of world.onAdd and world.onEnter. */
export interface ExistingOption {
  /**
   * Whether to call the listener at once for every entity that has the component, or matches, already. In a listener of a
   * removal, it is called when the change is made: what leaves is no longer there, and what comes is. Default false.
   */
  readonly existing?: boolean | undefined
}

const LISTEN_OPTIONS = ['existing']

/** The part of a world for listeners: see world.ts. */
export abstract class WorldEvents extends WorldResources {
  /**
   * Calls a listener whenever an entity gets the component, after the change is made and its values are written.
   * While listeners run, the world is locked: changes that a listener makes are applied after the change that it was
   * called for.
   *
   * @param handler called with the entity and the world
   * @param options existing: also call it at once for every entity that has the component
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_OPTION
   * @example const stop = world.onAdd(Health, (entity) => index.add(entity))
   */
  onAdd(component: ComponentLike, handler: Handler, options: ExistingOption = {}): () => void {
    const definition = this.listened(component, handler, 'onAdd')
    checkOptions('onAdd', options, LISTEN_OPTIONS)
    const stop = observersOf(this.state).listen(definition, 'added', handler)
    return options?.existing === true ? this.tellExisting(this.holdersOf(component), handler, stop) : stop
  }

  /**
   * Calls a listener before an entity loses the component or is destroyed; its values can still be read. While
   * listeners run, the world is locked: changes that a listener makes are applied after the change that it was called
   * for.
   *
   * @param handler called with the entity and the world
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_OPTION
   */
  onRemove(component: ComponentLike, handler: Handler): () => void {
    return observersOf(this.state).listen(this.listened(component, handler, 'onRemove'), 'removed', handler)
  }

  /**
   * Calls a listener whenever spawn, add or set gives values to the component, after they are written. Writes through
   * columns, cursors, accessors and kernels do not call it: use changed() for those.
   *
   * @param handler called with the entity and the world
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_OPTION
   */
  onSet(component: ComponentLike, handler: Handler): () => void {
    return observersOf(this.state).listen(this.listened(component, handler, 'onSet'), 'set', handler)
  }

  /**
   * Calls a listener whenever an entity begins to match a query, after the change is made.
   *
   * @param query a query of this world whose terms ask only which components an entity has and whether they are
   *   switched on
   * @param handler called with the entity and the world
   * @param options existing: also call it at once for every entity that matches
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError INVALID_QUERY for queries with changed, added, where, page or partition; INVALID_OPTION
   */
  onEnter(query: Query, handler: Handler, options: ExistingOption = {}): () => void {
    const terms = this.watchableTerms(query, handler, 'onEnter')
    checkOptions('onEnter', options, LISTEN_OPTIONS)
    const stop = observersOf(this.state).listenToQuery(
      query.related ?? query.source,
      terms,
      'enter',
      handler,
      query.related,
    )
    return options?.existing === true ? this.tellExisting(query, handler, stop) : stop
  }

  /**
   * Calls a listener before an entity ceases to match a query; its values can still be read.
   *
   * @param query a query of this world whose terms ask only which components an entity has and whether they are
   *   switched on
   * @param handler called with the entity and the world
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError INVALID_QUERY for queries with changed, added, where, page or partition; INVALID_OPTION
   */
  onExit(query: Query, handler: Handler): () => void {
    const terms = this.watchableTerms(query, handler, 'onExit')
    return observersOf(this.state).listenToQuery(
      query.related ?? query.source,
      terms,
      'exit',
      handler,
      query.related,
    )
  }

  /**
   * A reader that tells which entities have lost the component, or were destroyed with it, from now on: each removal once,
   * whenever you take them, with a memory of its own. That memory belongs to the world: snapshots have it, and after a restore
   * the reader tells again what it would have told then. A reader of the same component in a fork, made in the same order,
   * goes on with what the one here has not taken. Costs nothing while there is no reader; with one, changes of the component
   * are made as with a listener. Dispose of it when it is no longer needed: removals that nobody takes are kept, up to 8 MiB.
   *
   * @throws StrataTypeError NOT_A_COMPONENT
   * @example const lost = world.removals(Health); for (const { entity, died } of lost.take()) …
   */
  removals(component: ComponentLike): RemovalReader {
    this.state.refuseDisposed()
    const definition = definitionOf(component)
    if (definition === undefined) throw notAComponent(component, 'removals')
    return readRemovals(this.state, definition)
  }

  /**
   * Iterates over the entities that have an object component, with their values. Entities that get the component
   * meanwhile are not visited, and those that have lost it are skipped. The pair is one reused array: destructure it.
   *
   * @throws StrataTypeError NOT_A_COMPONENT
   * @example for (const [entity, sprite] of world.objectsOf(Sprite)) sprite.draw()
   */
  objectsOf<T>(component: ObjectComponent<T>): IterableIterator<readonly [entity: Entity, value: T]> {
    this.state.refuseDisposed()
    const definition = definitionOf(component)
    if (definition?.kind !== 'object') throw notAnObject(component, 'objectsOf')
    const holders = this.state.hiding.length > 0 ? this.holdersOf(component) : this.query(component)
    return walkObjects<T>(this.state, definition, holders.list())
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
      query.related?.refuseListeners(operation)
      return watchable(query.source.terms, operation)
    }
    throw new StrataTypeError('INVALID_QUERY', `${operation} takes a query of this world, world.query(…).`)
  }

  private tellExisting(query: Query, handler: Handler, stop: () => void): () => void {
    const observers = observersOf(this.state)
    const existing = {
      since: -1,
      listener() {
        try {
          observers.tellExisting(handler, query.list())
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
}
