// Owns the system of an object component: one pass over the values that exist, with a method called on each. The world is not locked
// meanwhile: what a call changes is changed at once.

import type { Entity } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import type { World } from '../world/world'
import { type SystemObject, type SystemOptions, refusePromise } from './system'

/** An object component whose values have a method to call. */
export interface UpdatableComponent<T> {
  (value: T): unknown
  readonly componentName: string
  readonly kind: 'object'
}

/** A value with the method that schedule.addObjects calls: `tick(dt, entity, world)`, dt in seconds. */
export type Updatable<M extends string> = {
  readonly [K in M]: (dt: number, entity: Entity, world: World) => void
}

/** Options of schedule.addObjects: those of a system, and these. */
export interface AddObjectsOptions<M extends string = string> extends SystemOptions {
  /**
   * Place among the object components of a phase: lower numbers run first, equal ones in the order of adding. Default
   * 0.
   */
  readonly order?: number | undefined
  /** The method to call. Default 'tick'. */
  readonly method?: M | undefined
}

/** How the system reaches the values of one object component in one world. */
export interface UpdatedValues {
  /** Calls back for every entity that has a value. */
  each(callback: (entity: Entity, value: unknown) => void): void
  /** The entity's value now, or undefined. */
  valueOf(entity: Entity): unknown
}

/** The values of an object component in a world. */
export function valuesIn(world: World, component: UpdatableComponent<never>): UpdatedValues {
  const query = world.query(component as never) as unknown as {
    each: UpdatedValues['each']
  }
  return {
    each: (callback) => query.each(callback),
    valueOf: (entity) => world.get(entity, component as never),
  }
}

type UpdateMethod = (dt: number, entity: Entity, world: World) => unknown

/** A system that calls `method` of each value. Values that come while it does so wait for the next run. */
export class ObjectSystem implements SystemObject {
  private readonly entities: Entity[] = []
  private readonly values: unknown[] = []
  private count = 0

  constructor(
    readonly name: string,
    private readonly updated: UpdatedValues,
    private readonly method: string,
  ) {}

  run(world: World, dt: number): void {
    this.count = 0
    this.updated.each(this.keep)
    try {
      for (let i = 0; i < this.count; i++) this.call(this.entities[i] as Entity, this.values[i], world, dt)
    } finally {
      // The lists keep their length, so that the next pass allocates nothing; the values are released.
      this.values.fill(undefined, 0, this.count)
    }
  }

  private readonly keep = (entity: Entity, value: unknown): void => {
    this.entities[this.count] = entity
    this.values[this.count++] = value
  }

  private call(entity: Entity, value: unknown, world: World, dt: number): void {
    // It may have been removed or replaced by one that was called before it.
    if (this.updated.valueOf(entity) !== value) return
    const call = (value as Record<string, unknown> | null)?.[this.method]
    if (typeof call !== 'function') {
      throw new StrataTypeError(
        'INVALID_SYSTEM',
        `${this.name}: the value of entity ${entity} has no method '${this.method}'. Give every value one, or remove it from the schedule.`,
      )
    }
    const result = (call as UpdateMethod).call(value, dt, entity, world)
    if (result !== undefined) refusePromise(this.name, result)
  }
}
