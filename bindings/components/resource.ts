// Owns the declaration of resources: one value for a whole world, with fields or any JavaScript value.
// It must never know a world: one declaration serves any number of them.

import { CHUNK_BYTES, STORAGE_RESOURCE } from '../../build/layout'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { INSPECT } from '../memory/inspection'
import { type Definition, checkFields, checkName, define, rowBytes } from './definition'
import { showSchema } from './inspection'
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

/** A resource of either kind, whatever it holds. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any resource, whatever it holds
export type AnyResource = Resource<any> | ValueResource<any>

let declared = 0

/** Whether it is a resource with more in its row than a chunk has room for. */
export function isWide(definition: Definition): boolean {
  return definition.storageCode === STORAGE_RESOURCE && rowBytes(definition) > CHUNK_BYTES
}

/** What stands behind both kinds. */
export class ResourceDeclaration {
  readonly kind = 'resource'
  /** Number of this declaration in this process: an index for caches. */
  readonly number = declared++

  constructor(
    readonly resourceName: string,
    readonly schema: Schema | undefined,
    /** How its row is laid out; undefined when the value lives in JavaScript. Nothing else ever refers to it. */
    readonly definition: Definition | undefined,
  ) {}

  /** @internal */
  [INSPECT](): string {
    return `resource ${this.resourceName}${this.schema === undefined ? '' : ` ${showSchema(this.schema)}`}`
  }

  /** @internal */
  toString(): string {
    return this[INSPECT]()
  }

  /** @internal */
  toJSON(): string {
    return this[INSPECT]()
  }
}

/**
 * Declares a resource: one value for a whole world, such as the time, the gravity or a grid of cells. It belongs to
 * no entity. With fields it takes 1 KiB of linear memory, 16 KiB if it needs more, or what it needs if that is more
 * still.
 *
 * @param name shown in errors; in one world it must stand for one resource
 * @param schema fields by name, such as `{ dt: f32, elapsed: f64 }`, at most 1 GiB less 1 KiB in total. A `vec` may
 *   have up to 16,777,216 values; every read, such as `world.resource(Ground).cells`, creates a new typed array over
 *   it, valid until the memory grows or the resource is removed. Without a schema the resource is one JavaScript
 *   value of type T
 * @throws StrataTypeError INVALID_SCHEMA
 * @example const Time = resource('Time', { dt: f32, elapsed: f64 })
 * @example const Ground = resource('Ground', { cells: vec(f32, 128 * 128) })
 * @example const Settings = resource<{ difficulty: string }>('Settings')
 */
export function resource<const S extends Schema>(name: string, schema: S): Resource<S>
export function resource<T = unknown>(name: string): ValueResource<T>
export function resource(name: string, schema?: Schema): unknown {
  checkName(name, 'resource')
  if (schema === undefined) return new ResourceDeclaration(name, undefined, undefined)
  if (typeof schema !== 'object' || schema === null) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `resource '${name}': the schema must be an object of fields, not ${describe(schema)}; for a JavaScript value leave it out.`,
    )
  }
  checkFields(`resource '${name}'`, schema)
  const layout = {
    name,
    kind: 'component',
    storage: 'table',
    schema,
    storageCode: STORAGE_RESOURCE,
    flags: 0,
    tracksRows: false,
  } as const
  return new ResourceDeclaration(name, schema, define(layout))
}
