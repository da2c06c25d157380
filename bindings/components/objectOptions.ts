// Owns what an object component's declaration says, and the errors for declarations that cannot work.

import type { Definition } from './definition'
import { describe } from '../memory/describe'
import type { Entity } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import type { World } from '../world/world'

/**
 * Options of object(): functions that are called over the life of a value. Like listeners, `init` and `dispose` run
 * with the world locked; what they change is applied afterwards.
 */
export interface ObjectOptions<T> {
  /** Called when the entity has the value, before onAdd and onSet listeners. */
  readonly init?: ((value: T, entity: Entity, world: World) => void) | undefined
  /**
   * Called exactly once for each value that an entity had: after it was removed or replaced, its entity was
   * destroyed, or the world was cleared, reset or disposed. Runs after the onRemove listeners, when the change is
   * made. It is also called, without init, once for a queued value that never takes effect, because it is removed or
   * replaced in the same block or its entity is dead by then.
   */
  readonly dispose?: ((value: T, entity: Entity) => void) | undefined
  /** Returns the value for a copy of the entity. Without it, copies do not get the component. */
  readonly clone?: ((value: T, entity: Entity) => T) | undefined
  /**
   * Returns the value for an entity that has the component again after a restore, although its value was disposed of
   * since, or that has it in a new world (fork) or after loading a save without its value. `init` is called for it. Without it,
   * such an entity loses the component: see onRestore.
   */
  readonly revive?: ((entity: Entity, world: World) => T) | undefined
  /**
   * Returns what a value holds as a file holds it: plain objects, arrays, typed arrays, strings, numbers, bigints, booleans and
   * null. Called for each saved entity by saveWorld and saveToJSON, and by fork, with the world locked. Together with `load`.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what `save` returns, `load` is given
  readonly save?: ((value: T) => any) | undefined
  /**
   * Returns the value for what `save` returned, any number of times: a new one at each call. Called by loadWorld, loadFromJSON,
   * loadInto and mergeWorld before anything is built, and by fork and restore; `init` is called for it when its entity has it. If
   * it throws, nothing is loaded, and values that it has made are disposed of, with NULL_ENTITY. Together with `save`.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what `save` returned
  readonly load?: ((state: any) => T) | undefined
  /**
   * true: snapshots and histories keep the values, too, by `save` and `load`. A snapshot then calls `save`, and a restore
   * `load`, for every entity that has the component. By default a restore leaves values as they are.
   */
  readonly snapshots?: boolean | undefined
  /**
   * 'row': `changed` and `added` take the component, and find exactly the entities that were given a value, or got the
   * component. What happens inside of a value leaves no trace. Costs 8 bytes per entity that has it. By default nothing
   * tells when a value was given.
   */
  readonly trackChanges?: 'row' | undefined
}

/** What a declaration says, and what object() brings: a program without such components does not carry that. */
export type AnyOptions = ObjectOptions<unknown> & {
  /** The class that holds the values of a world. */
  readonly store?: new (definition: Definition, options: AnyOptions) => unknown
  /** Puts values in order after a restore: ReviveObjects of upkeep.ts. */
  readonly reviveObjects?: unknown
  /** What keeps values for snapshots and forks: ObjectStatesClass of upkeep.ts; of a declaration without `save` undefined. */
  readonly states?: unknown
}

const optionsOf = /* @__PURE__ */ new WeakMap<Definition, AnyOptions>()

/** Keeps what a declaration says of its values. */
export function keepOptions(definition: Definition, options: AnyOptions): void {
  optionsOf.set(definition, options)
}

/** What a declaration says of its values; undefined for what is no object component. */
export function objectOptionsOf(definition: Definition): AnyOptions | undefined {
  return optionsOf.get(definition)
}

/** A store for the values that a world will have of an object component; undefined for any other component. */
export function makeStore(definition: Definition): unknown {
  const options = optionsOf.get(definition)
  return options?.store && new options.store(definition, options)
}

/** Disposes of a value that no store has. */
export function disposeValue(definition: Definition, value: unknown, entity: number): void {
  optionsOf.get(definition)?.dispose?.(value, entity as Entity)
}

/** The error where only an object component will do. */
export function notAnObject(value: unknown, operation: string): StrataTypeError {
  const name = (value as Partial<Definition> | undefined)?.componentName ?? describe(value)
  return new StrataTypeError(
    'NOT_A_COMPONENT',
    `${operation} takes an object component, made by object('Name'); ${name} is none.`,
  )
}

/** The error for an object component that is named without a value where there is none yet. */
export function valueMissing(definition: Definition, operation: string): StrataTypeError {
  const name = definition.componentName
  return new StrataTypeError(
    'INVALID_VALUE',
    `${operation}: ${name} has no default, so it needs a value: give one, ${name}(value).`,
  )
}

/** Refuses object components where many entities would get the same value, to be disposed of many times. */
export function refuseShared(definitions: readonly Definition[], operation: string): void {
  for (const { kind, componentName: name } of definitions) {
    if (kind !== 'object') continue
    throw new StrataTypeError(
      'INVALID_VALUE',
      `${operation} cannot give ${name}: every entity needs a value of its own. Call world.add(entity, ${name}(value)) for each.`,
    )
  }
}
