// Owns the types of resources, the object behind each declaration, and the condition that changed() makes of declarations.
// resource() itself is in resources/resource.ts. One declaration serves any number of worlds.

import { CHUNK_BYTES, STORAGE_RESOURCE } from '../../build/layout'
import { INSPECT, Shown } from '../memory/consoleText'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { showSchema } from './declarationText'
import { type Definition, rowBytes } from './definition'
import type { Schema } from './schema'

/** A resource with fields, stored in linear memory. Made by resource() with a schema. */
export interface Resource<S extends Schema = Schema> {
  /** The name that the resource was declared with. */
  readonly resourceName: string
  readonly kind: 'resource'
  /** The fields by name. */
  readonly schema: S
}

/** A resource that is any JavaScript value, stored outside of linear memory. Made by resource() without a schema. */
export interface ValueResource<T = unknown> {
  /** The name that the resource was declared with. */
  readonly resourceName: string
  readonly kind: 'resource'
  readonly schema?: undefined
  /** For type inference only: no such property exists at run time. */
  readonly holds?: (value: T) => T
}

/** Options of resource() without a schema: how snapshots copy its value. Either both functions, or none. */
export interface ResourceOptions<T> {
  /** Returns a copy of what the value holds, which later changes of the value leave alone. Called by snapshot. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what `save` returns, `load` is given
  readonly save: (value: T) => any
  /** Returns the value for what `save` returned, any number of times. Called by restore and fork. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what `save` returned
  readonly load: (state: any) => T
}

/** A resource of either kind, whatever it holds. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any resource, whatever it holds
export type AnyResource = Resource<any> | ValueResource<any>

let declared = 0

/** Whether it is a resource with more in its row than a chunk has room for. */
export function isWide(definition: Definition): boolean {
  return definition.storageCode === STORAGE_RESOURCE && rowBytes(definition) > CHUNK_BYTES
}

/** What stands behind both kinds. */
export class ResourceDeclaration extends Shown {
  readonly kind = 'resource'
  /** Number of this declaration in this process: an index for caches. */
  readonly number = declared++

  constructor(
    readonly resourceName: string,
    readonly schema: Schema | undefined,
    /** How its row is laid out; undefined when the value lives in JavaScript. Users never see it. */
    readonly definition: Definition | undefined,
    /** @internal The function that makes what holds a world's resources: `resourcesOf` of resources/resources.ts. */
    readonly resourcesOf: (state: never) => unknown,
    /** @internal How snapshots copy a value; undefined where they do not. */
    readonly options?: ResourceOptions<unknown>,
  ) {
    super()
  }

  /** @internal */
  line(): string {
    return `resource ${this.resourceName}${this.schema === undefined ? '' : ` ${showSchema(this.schema)}`}`
  }
}

/** The error for what is no resource. */
export function notAResource(given: unknown, operation: string): StrataTypeError {
  return new StrataTypeError(
    'NOT_A_RESOURCE',
    `${operation} takes a resource, such as one made by resource('Time', { dt: f32 }); got ${describe(given)}.`,
  )
}

/**
 * The condition made by changed() of resources: each of them was written, or made, since the system was last asked. For
 * `runIf` of a system.
 */
export class ResourceChange {
  readonly operator = 'changed'
  constructor(
    readonly resources: readonly AnyResource[],
    /** @internal What keeps what was seen: see queryPlan/changeTermHooks.ts. */
    readonly changing: object,
  ) {}

  /** @internal */
  [INSPECT](): string {
    return `changed(${this.resources.map(({ resourceName }) => resourceName).join(', ')})`
  }
}

/**
 * The condition for a list of resources; undefined for a list of anything else.
 *
 * @param changing what changed() brings
 */
export function resourceChangeOf(list: readonly unknown[], changing: object): ResourceChange | undefined {
  if (!(list[0] instanceof ResourceDeclaration)) return undefined
  for (const each of list) {
    if (each instanceof ResourceDeclaration && each.definition !== undefined) continue
    throw new StrataTypeError(
      'INVALID_QUERY',
      each instanceof ResourceDeclaration
        ? `changed(${each.resourceName}): its value lives in JavaScript, where writes leave no trace. Declare it with fields, or ask it itself in runIf.`
        : 'changed takes components, or resources, but not both: give runIf a condition for each.',
    )
  }
  return new ResourceChange(list as readonly AnyResource[], changing)
}
