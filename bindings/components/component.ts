// Owns the declaration of components and tags.
// It must never know a world: one declaration serves any number of them.

import {
  FLAG_FRAME,
  FLAG_TOGGLE,
  ORDER_ENTITY,
  ORDER_INSERTION,
  STORAGE_SPARSE,
  STORAGE_STABLE,
  STORAGE_TABLE,
  STORAGE_TAG,
} from '../../build/layout'
import { checkOptions } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { checkFields, checkName, define } from './definition'
import { MAX_COMPONENT_VEC } from './fields'
import { type ComponentValue } from './ingredients'
import type { Input, Schema, Storage } from './schema'

/**
 * A component type. Call it to give values, `Position({ x: 1 })`, or use it alone for the defaults; fields that you
 * leave out get their default. The values are read once and checked at the call: StrataTypeError INVALID_VALUE,
 * UNKNOWN_FIELD. Its name is part of its type, so two components with the same fields are different types.
 */
export interface Component<
  S extends Schema = Schema,
  Where extends Storage = Storage,
  Name extends string = string,
> {
  (values?: Input<S>): ComponentValue<S, Where>
  /** The name that the component was declared with. */
  readonly componentName: Name
  /** The fields by name. */
  readonly schema: S
  /** Where its rows are stored. */
  readonly storage: Where
  readonly kind: 'component'
}

/** A component without data: an entity has it or not. Made by tag(). */
export interface Tag {
  /** The name that the tag was declared with. */
  readonly componentName: string
  readonly kind: 'tag'
}

/**
 * A component that holds one JavaScript value per entity. Made by object(); call it to give the value,
 * `Sprite(picture)`.
 */
export interface ObjectComponent<T> {
  (value: T): ObjectValue<T>
  /** The name that the component was declared with. */
  readonly componentName: string
  readonly kind: 'object'
}

/** An object component together with the value for one entity. Made by calling the component. */
export interface ObjectValue<T> {
  /** The component that was called. */
  readonly component: ObjectComponent<T>
  readonly values: { readonly value: T }
}

/** The order in which the entities of an ordered tag are visited: by their indices, or as they got the tag. */
export type TagOrder = 'entity' | 'insertion'

/** A tag that keeps its entities in an order. Queries that require it visit entities in that order. */
export interface OrderedTag extends Tag {
  /** 'entity' or 'insertion', as it was declared. */
  readonly order: TagOrder
}

/** A component with fields, whatever its schema and storage. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, whatever its schema
export type AnyComponent = Component<any, any>

/** An object component, whatever it holds. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any object component, whatever it holds
export type AnyObject = ObjectComponent<any>

/** Anything that an entity can have: a component, a tag or an object component. */
export type ComponentLike = AnyComponent | Tag | AnyObject
const STORAGE_CODES: Record<Storage, number> = {
  table: STORAGE_TABLE,
  sparse: STORAGE_SPARSE,
  stable: STORAGE_STABLE,
}

const ORDER_FLAGS: Record<TagOrder, number> = { entity: ORDER_ENTITY, insertion: ORDER_INSERTION }

/** Options of component(). */
export interface ComponentOptions<Where extends Storage = Storage> {
  /**
   * Where the rows are stored: 'table' (default) with the entity's other components, fastest to loop over; 'sparse'
   * in a pool of its own, fastest to add and remove; 'stable' in a pool whose rows never move. It decides the type, so
   * it must be known when the program is compiled: no undefined here.
   */
  readonly storage?: Where
  /**
   * Whether the component can be switched off and on for an entity without moving it. Default false; costs one bit
   * per row.
   */
  readonly toggle?: boolean | undefined
  /** 'row': `changed` and `added` tell single rows apart, at 8 bytes per row. By default they tell chunks apart. */
  readonly track?: 'row' | undefined
  /** 'frame': world.endFrame() removes the component from every entity. By default it stays until it is removed. */
  readonly lifetime?: 'frame' | undefined
  /**
   * The version of the fields, which saves note: a whole number from 1, default 1. Raise it when fields change in a way
   * that names and wider numbers do not tell: docs/saving.md.
   */
  readonly version?: number | undefined
  /** How the values of earlier versions become those of the next one, for saves. */
  readonly migrate?: Migrations | undefined
}

/**
 * By version, the function that makes the values of the next version from those of that one. It is called for each row of
 * a save, before anything is built. A handle in an `entity` field is the one that the entity had when it was saved.
 *
 * @example { 1: (old) => ({ hp: old.points, max: 100 }) }
 */
export type Migrations = {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- values of a version that is declared no longer
  readonly [version: number]: (old: any) => object
}

const COMPONENT_OPTIONS = ['storage', 'toggle', 'track', 'lifetime', 'version', 'migrate']
const TAG_OPTIONS = ['toggle', 'lifetime', 'order']

/** Options of tag(). */
export interface TagOptions {
  /**
   * Makes an ordered tag, which is stored in a pool of its own. Queries that require it visit its entities by their
   * indices ('entity'), or in the order in which they got the tag ('insertion') until world.sort changes that order.
   */
  readonly order?: TagOrder | undefined
  /**
   * Whether the tag can be switched off and on for an entity without moving it. Default false; costs one bit per row.
   */
  readonly toggle?: boolean | undefined
  /** 'frame': world.endFrame() removes the tag from every entity. By default it stays until it is removed. */
  readonly lifetime?: 'frame' | undefined
}

/**
 * Declares a component. Each field is stored as a column of its own in linear memory. One declaration serves any
 * number of worlds; declare it once, at the top of a module.
 *
 * @param name shown in errors; in one world it must stand for one declaration
 * @param schema fields by name, such as `{ x: f32, y: f32 }`; it may be empty
 * @param options storage, toggle, track, lifetime, version and migrate: see ComponentOptions
 * @throws StrataTypeError INVALID_SCHEMA, INVALID_OPTION
 * @example const Position = component('Position', { x: f32, y: f32 })
 */
export function component<
  const S extends Schema,
  const Where extends Storage = 'table',
  const Name extends string = string,
>(name: Name, schema: S, options: ComponentOptions<Where> = {}): Component<S, Where, Name> {
  checkName(name, 'component')
  if (typeof schema !== 'object' || schema === null) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `component '${name}': the schema must be an object of fields; for no data use tag('${name}').`,
    )
  }
  checkFields(`component '${name}'`, schema)
  checkLengths(`component '${name}'`, schema)
  const storage: Storage = options?.storage ?? 'table'
  const code = Object.hasOwn(STORAGE_CODES, storage) ? STORAGE_CODES[storage] : undefined
  if (code === undefined) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `component '${name}': storage must be 'table', 'sparse' or 'stable', not ${describe(storage)}.`,
    )
  }
  checkOptions(`component '${name}'`, options, COMPONENT_OPTIONS)
  const toggle = toggleFlag(`component '${name}'`, options)
  const track: unknown = options?.track
  if (track !== undefined && track !== 'row') {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `component '${name}': track must be 'row' or left out, not ${describe(track)}.`,
    )
  }
  const { version, migrate } = options ?? {}
  if (version !== undefined && !(Number.isInteger(version) && version > 0 && version <= 0x7fffffff)) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `component '${name}': version must be a whole number from 1, not ${describe(version)}.`,
    )
  }
  checkOptions(`component '${name}': migrate`, migrate)
  // With nothing to lay out in its rows a component of archetypes is kept like a tag.
  const bare = Object.keys(schema).length === 0 && toggle === 0 && track === undefined
  return define({
    name,
    kind: 'component',
    storage,
    schema,
    storageCode: storage === 'table' && bare ? STORAGE_TAG : code,
    flags: toggle | lifetimeFlags(`component '${name}'`, options),
    tracksRows: track === 'row',
    version,
    migrate,
  }) as unknown as Component<S, Where, Name>
}

/**
 * Declares a tag: a component without data. Adding a tag to all entities of a query copies no row.
 *
 * @param name shown in errors; in one world it must stand for one declaration
 * @param options toggle, lifetime and order: see TagOptions
 * @throws StrataTypeError INVALID_SCHEMA, INVALID_OPTION
 * @example const Frozen = tag('Frozen')
 * @example const Selected = tag('Selected', { order: 'insertion' })
 */
export function tag(name: string, options: TagOptions & { readonly order: TagOrder }): OrderedTag
export function tag(name: string, options?: TagOptions & { readonly order?: undefined }): Tag
export function tag(name: string, options: TagOptions = {}): Tag {
  checkName(name, 'tag')
  checkOptions(`tag '${name}'`, options, TAG_OPTIONS)
  const toggle = toggleFlag(`tag '${name}'`, options)
  const order = checkOrder(name, options?.order)
  return define({
    name,
    kind: 'tag',
    storage: order === undefined ? 'table' : 'sparse',
    schema: {},
    storageCode: order !== undefined ? STORAGE_SPARSE : toggle === 0 ? STORAGE_TAG : STORAGE_TABLE,
    flags: toggle | lifetimeFlags(`tag '${name}'`, options) | (order === undefined ? 0 : ORDER_FLAGS[order]),
    tracksRows: false,
    order,
  }) as unknown as Tag
}

function checkOrder(name: string, order: unknown): TagOrder | undefined {
  if (order === undefined || order === 'entity' || order === 'insertion') return order
  throw new StrataTypeError(
    'INVALID_SCHEMA',
    `tag '${name}': order must be 'entity' or 'insertion', not ${describe(order)}.`,
  )
}

function toggleFlag(what: string, options: { readonly toggle?: unknown }): number {
  const toggle = options?.toggle ?? false
  if (typeof toggle === 'boolean') return toggle ? FLAG_TOGGLE : 0
  throw new StrataTypeError(
    'INVALID_SCHEMA',
    `${what}: toggle must be true or false, not ${describe(toggle)}.`,
  )
}

function lifetimeFlags(what: string, options: { readonly lifetime?: unknown }): number {
  const lifetime = options?.lifetime
  if (lifetime === undefined) return 0
  if (lifetime === 'frame') return FLAG_FRAME
  throw new StrataTypeError(
    'INVALID_SCHEMA',
    `${what}: lifetime must be 'frame' or left out, not ${describe(lifetime)}.`,
  )
}

function checkLengths(what: string, schema: Schema): void {
  for (const [field, { length }] of Object.entries(schema)) {
    if (length <= MAX_COMPONENT_VEC) continue
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `${what}: field '${field}' has ${length} values, and a vec of a component at most 4,095: only a resource can hold a longer one.`,
    )
  }
}
