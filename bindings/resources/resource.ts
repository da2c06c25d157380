// Owns resource(). It is in this room, not in components/, because it gives each declaration `resourcesOf`: a program that never
// calls it does not carry resources.ts. One declaration serves any number of worlds.

import { STORAGE_RESOURCE } from '../../build/layout'
import { checkFields, checkName, define } from '../components/definition'
import {
  type Resource,
  ResourceDeclaration,
  type ResourceOptions,
  type ValueResource,
} from '../components/resourceDeclaration'
import type { Schema } from '../components/schema'
import { checkOptions } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { resourcesOf } from './resources'

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
 * @param options without a schema: `save` and `load`, by which snapshots copy the value. Without them a restore leaves
 *   the value as it is, and a fork does not have it
 * @throws StrataTypeError INVALID_SCHEMA, INVALID_OPTION
 * @example const Time = resource('Time', { dt: f32, elapsed: f64 })
 * @example const Ground = resource('Ground', { cells: vec(f32, 128 * 128) })
 * @example const Settings = resource<{ difficulty: string }>('Settings')
 * @example const Rng = resource<Random>('Rng', { save: (rng) => rng.state, load: (state) => new Random(state) })
 */
export function resource<const S extends Schema>(name: string, schema: S): Resource<S>
export function resource<T = unknown>(name: string, options?: ResourceOptions<T>): ValueResource<T>
export function resource(name: string, schema?: Schema | ResourceOptions<unknown>): unknown {
  checkName(name, 'resource')
  if (schema === undefined) return new ResourceDeclaration(name, undefined, undefined, resourcesOf)
  if (typeof schema !== 'object' || schema === null) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `resource '${name}': the schema must be an object of fields, not ${describe(schema)}; for a JavaScript value leave it out.`,
    )
  }
  if (isOptions(schema)) {
    checkSaving(name, schema)
    return new ResourceDeclaration(name, undefined, undefined, resourcesOf, schema)
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
  return new ResourceDeclaration(name, schema, define(layout), resourcesOf)
}

/** Fields are objects: what has a function is no schema. */
function isOptions(given: Schema | ResourceOptions<unknown>): given is ResourceOptions<unknown> {
  const { save, load } = given as Partial<Record<'save' | 'load', unknown>>
  return typeof save === 'function' || typeof load === 'function'
}

function checkSaving(name: string, options: ResourceOptions<unknown>): void {
  checkOptions(`resource '${name}'`, options, ['save', 'load'])
  for (const key of ['save', 'load'] as const) {
    if (typeof options[key] === 'function') continue
    throw new StrataTypeError(
      'INVALID_OPTION',
      `resource '${name}': save and load belong together, and ${key} must be a function, not ${describe(options[key])}.`,
    )
  }
}
