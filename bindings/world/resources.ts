// Owns the calls on a world about what belongs to no entity: resources, and the strings of text fields.
// It must never look at rows of components, but for sweeps.

import {
  type AnyResource,
  type Resource,
  ResourceDeclaration,
  type ValueResource,
  notAResource,
} from '../components/resource'
import type { Input, Schema, Value } from '../components/schema'
import { observersOf } from '../events/observersOf'
import { checkFunction } from '../memory/arguments'
import type { Resources, resourcesOf } from '../rows/resources'
import { WorldRelations } from './relations'

/** The part of a world for resources and texts: see world.ts. */
export abstract class WorldResources extends WorldRelations {
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
    return (this.state.resources ?? this.begin(resource, 'resource')).content(resource)
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
    ;(this.state.resources ?? this.begin(resource, 'setResource')).set(resource, value)
    this.wrote(resource)
  }

  /**
   * A copy of the fields of a resource, or the value of one without a schema; undefined if the resource is missing.
   * Creates nothing.
   *
   * @throws StrataTypeError NOT_A_RESOURCE
   */
  getResource<S extends Schema>(resource: Resource<S>): Value<S> | undefined
  getResource<T>(resource: ValueResource<T>): T | undefined
  getResource(resource: unknown): unknown {
    return (this.state.resources ?? this.begin(resource, 'getResource')).get(resource)
  }

  /**
   * Whether the resource exists. clear() keeps resources; reset() and dispose() remove them.
   *
   * @throws StrataTypeError NOT_A_RESOURCE
   */
  hasResource(resource: AnyResource): boolean {
    return (this.state.resources ?? this.begin(resource, 'hasResource')).has(resource)
  }

  /**
   * Removes a resource and frees the memory of its fields. Takes effect at once, also inside a loop.
   *
   * @returns false if it was missing
   * @throws StrataTypeError NOT_A_RESOURCE
   */
  removeResource(resource: AnyResource): boolean {
    const removed = (this.state.resources ?? this.begin(resource, 'removeResource')).remove(resource)
    if (removed) this.wrote(resource)
    return removed
  }

  /**
   * Calls a listener after the resource was given values by setResource, or was removed; and after every reset and restore.
   * Inside a loop, a `defer` block or a listener it is called once, when the outermost one has ended. While listeners run,
   * the world is locked. Writes through the cursor that `resource` returns do not call it: for those use changed() in `runIf`.
   * Subscriptions survive a reset. Costs nothing without listeners.
   *
   * @param listener called without arguments
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError NOT_A_RESOURCE, INVALID_OPTION
   * @example const stop = world.onResource(Settings, () => redraw(world.resource(Settings)))
   */
  onResource(resource: AnyResource, listener: () => void): () => void {
    this.state.refuseDisposed()
    if (!(resource instanceof ResourceDeclaration)) throw notAResource(resource, 'onResource')
    checkFunction('onResource', listener)
    return observersOf(this.state).subscribers.subscribeToResource(resource, listener)
  }

  private wrote(resource: unknown): void {
    if (this.state.reporting?.subscribers.wrote(resource as ResourceDeclaration) === true) this.state.settle()
  }

  /**
   * The id under which columns of `text` fields store a string. Compare ids in loops over chunks:
   * `if (name.value[i] === id)`. The id stays the same until a sweep frees the string. Allowed inside a loop.
   *
   * @returns undefined if the world does not store the string; then no row has it
   * @throws StrataTypeError INVALID_VALUE if it is not a string
   */
  textId(string: string): number | undefined {
    this.state.refuseDisposed()
    this.state.texts.checkString(string, 'textId')
    return this.state.texts.idOf(string)
  }

  /**
   * The string of an id that was read from a column of a `text` field, or undefined if no string has that id. Allowed
   * inside a loop.
   */
  textOf(id: number): string | undefined {
    this.state.refuseDisposed()
    return this.state.texts.find(id)
  }

  /**
   * The id of a string, which is stored if it is new: for writing it to many rows of a column. An id that is in no
   * row is freed by the next sweepTexts. Allowed inside a loop.
   *
   * @param string at most 32,767 UTF-16 units
   * @throws StrataTypeError INVALID_VALUE; LimitError MEMORY_LIMIT. Nothing changes then.
   */
  internText(string: string): number {
    this.state.refuseDisposed()
    this.state.texts.check(string, 'internText')
    return this.state.texts.intern(string)
  }

  /**
   * Frees every text that is neither in a row nor a default value. Freed ids are reused, lowest first, so drop the
   * ids that you keep outside of columns. An id in a column that names no text becomes 0, the empty string. Cost: a
   * visit to every row with a text field.
   *
   * @returns how many texts were freed
   * @throws StrataError WORLD_LOCKED inside a loop
   */
  sweepTexts(): number {
    this.state.refuseDisposed()
    this.state.refuseWhileLocked('sweepTexts')
    return this.state.texts.sweep()
  }

  /**
   * Replaces every stale handle in an `entity` field with NULL_ENTITY, in all storages, and marks the columns in
   * which it found one as changed. Links of relations stay as they are. Allowed inside a loop. Cost: a visit to every row with an entity field.
   *
   * @returns how many stale handles it found
   */
  sweepReferences(): number {
    this.state.refuseDisposed()
    return this.state.core.referencesSweep(this.state.promised)
  }

  /** What holds the resources of this world, which the first one brings along. */
  private begin(resource: unknown, operation: string): Resources {
    this.state.refuseDisposed()
    if (!(resource instanceof ResourceDeclaration)) throw notAResource(resource, operation)
    return (resource.resourcesOf as typeof resourcesOf)(this.state)
  }
}
