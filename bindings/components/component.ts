// Owns the declaration of components and tags. One declaration serves any number of worlds.

import {
  FLAG_EXCLUDED,
  FLAG_FRAME,
  FLAG_TOGGLE,
  ORDER_INSERTION,
  STORAGE_SPARSE,
  STORAGE_TABLE,
  STORAGE_TAG,
} from '../../build/layout'
import { type HasEach, checkOptions } from '../memory/arguments'
import { describe } from '../memory/describe'
import type { Entity } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { checkFields, checkName, checkTrack, checkVersions, define } from './definition'
import { MAX_COMPONENT_VEC } from './fields'
import { type ComponentValue } from './componentValues'
import type { Pair } from './pair'
import type { Input, Schema, Storage } from './schema'
import { StorageKind, Toggle, table } from './storages'

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

/** An object component that makes its value where none is given. Made by object() with a maker. */
export interface MadeObject<T> extends ObjectComponent<T> {
  readonly makes: true
}

/** An object component together with the value for one entity. Made by calling the component. */
export interface ObjectValue<T> {
  /** The component that was called. */
  readonly component: ObjectComponent<T>
  readonly values: { readonly value: T }
}

/** The order in which the entities of an ordered tag are visited: as they got the tag. */
export type TagOrder = 'insertion'

/** A tag that keeps its entities in an order. Queries that require it visit entities in that order. */
export interface OrderedTag extends Tag {
  /** As it was declared. */
  readonly order: TagOrder
}

/** What becomes of the entities that point at an entity when it is destroyed: see relation(). */
export type OnTargetDestroy = 'remove' | 'destroy' | 'keep'

/**
 * A relation: what links an entity to another one, its target. Made by relation(); call it with the target,
 * `ChildOf(car)`, and with values where it has fields, `DockedAt(port, { berth: 3 })`. By itself it stands for a link to
 * any target: in queries, `has`, `remove` and for listeners.
 */
export interface Relation<S extends Schema = Schema, Name extends string = string> {
  (target: Entity | number, values?: Input<S>): Pair<S>
  /** A term of a query: entities whose target has the component. */
  (target: ComponentLike): Pair<S>
  /** The name that the relation was declared with. */
  readonly componentName: Name
  /** The fields of a link by name. */
  readonly schema: S
  readonly storage: 'sparse'
  readonly kind: 'relation'
  /** What becomes of its sources when a target is destroyed. */
  readonly onTargetDestroy: OnTargetDestroy
}

/**
 * A relation with any number of targets, made by `relation()`. Each link has fields of its own. Call it with a target, and
 * with values where it has fields: `Likes(bob, { weight: 2 })`. By itself it stands for links to any targets.
 */
export interface ManyRelation<S extends Schema = Schema, Name extends string = string> {
  (target: Entity | number, values?: Input<S>): Pair<S, Readonly<Record<never, never>>>
  /** A term of a query: entities one of whose targets has the component. */
  (target: ComponentLike): Pair<S, Readonly<Record<never, never>>>
  /** The name that the relation was declared with. */
  readonly componentName: Name
  /** The fields of a link by name. */
  readonly schema: S
  readonly kind: 'relation'
  /** What becomes of its sources when a target is destroyed. */
  readonly onTargetDestroy: OnTargetDestroy
}

/** An exclusive relation, whatever its fields. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any relation, whatever its schema
export type AnyExclusiveRelation = Relation<any>

/** A relation of either kind, whatever its fields. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any relation, whatever its schema
export type AnyRelation = AnyExclusiveRelation | ManyRelation<any>

/** A component with fields, whatever its schema and storage. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, whatever its schema
export type AnyComponent = Component<any, any>

/** An object component, whatever it holds. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any object component, whatever it holds
export type AnyObject = ObjectComponent<any>

/** Anything that an entity can have: a component, a tag, an object component or a relation. */
export type ComponentLike = AnyComponent | Tag | AnyObject | AnyRelation

/** Options of component(). */
export interface ComponentOptions<Where extends Storage = Storage> {
  /**
   * Where the rows are stored: by default in a table with the entity's other components, fastest to loop over; `sparse`, in a
   * pool of its own, fastest to add and remove; `stable`, in a pool whose rows never move. Both are imported from strata-ecs.
   * It decides the type, so it must be known when the program is compiled: no undefined here.
   */
  readonly storage?: StorageKind<Where>
  /**
   * `toggle`, imported from strata-ecs, lets the component be switched off and on for an entity without moving it; costs one
   * bit per row. By default it cannot be switched.
   */
  readonly toggle?: Toggle | undefined
  /**
   * What `changed` and `added` tell apart: 'chunk' (default) chunks, 'row' single rows, at 8 bytes per row.
   */
  readonly trackChanges?: 'row' | 'chunk' | undefined
  /** 'frame': endFrame(world) removes the component from every entity. By default it stays until it is removed. */
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

const COMPONENT_OPTIONS = ['storage', 'toggle', 'trackChanges', 'lifetime', 'version', 'migrate'] as const
true satisfies HasEach<ComponentOptions, typeof COMPONENT_OPTIONS>

/** Options of tag(). */
export interface TagOptions {
  /**
   * 'insertion' makes an ordered tag, which is stored in a pool of its own. Queries that require it visit its entities in the
   * order in which they got the tag, until sort changes that order.
   */
  readonly order?: TagOrder | undefined
  /**
   * `toggle`, imported from strata-ecs, lets the tag be switched off and on for an entity without moving it; costs one bit per
   * row. By default it cannot be switched.
   */
  readonly toggle?: Toggle | undefined
  /** 'frame': endFrame(world) removes the tag from every entity. By default it stays until it is removed. */
  readonly lifetime?: 'frame' | undefined
  /**
   * 'row': `changed` and `added` take the tag, and find exactly the entities that got it. Costs 8 bytes per entity that
   * has it, and adding it to all entities of a query copies their rows. By default the tag takes no room, and nothing tells
   * when an entity got it.
   */
  readonly trackChanges?: 'row' | undefined
  /**
   * Whether entities with the tag stay out of every query that does not name it, in any term. Default false. Not
   * together with toggle or order. Costs nothing per row; where such a tag is used, a loop over one sparse pool asks each
   * row.
   */
  readonly excludeFromQueries?: boolean | undefined
}

const TAG_OPTIONS = ['toggle', 'lifetime', 'order', 'excludeFromQueries', 'trackChanges'] as const
true satisfies HasEach<TagOptions, typeof TAG_OPTIONS>

/**
 * Declares a component. Each field is stored as a column of its own in linear memory. One declaration serves any
 * number of worlds; declare it once, at the top of a module.
 *
 * @param name shown in errors; in one world it must stand for one declaration
 * @param schema fields by name, such as `{ x: f32, y: f32 }`; it may be empty
 * @param options storage, toggle, trackChanges, lifetime, version and migrate: see ComponentOptions
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
  const storage: StorageKind = options?.storage ?? table
  if (!(storage instanceof StorageKind)) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `component '${name}': storage must be sparse or stable, imported from strata-ecs, or left out, not ${describe(storage)}.`,
    )
  }
  checkOptions(`component '${name}'`, options, COMPONENT_OPTIONS)
  const toggle = toggleFlag(`component '${name}'`, options)
  const tracksRows = checkTrack(`component '${name}'`, options, ['row', 'chunk'])
  const { version, migrate } = options ?? {}
  checkVersions(`component '${name}'`, version, migrate)
  // With nothing to lay out in its rows a component of archetypes is kept like a tag.
  const bare = Object.keys(schema).length === 0 && toggle === 0 && !tracksRows
  return define({
    name,
    kind: 'component',
    storage: storage.storage,
    schema,
    storageCode: storage === table && bare ? STORAGE_TAG : storage.code,
    flags: toggle | lifetimeFlags(`component '${name}'`, options),
    tracksRows,
    version,
    migrate,
  }) as unknown as Component<S, Where, Name>
}

/**
 * Declares a tag: a component without data. Adding a tag to all entities of a query copies no row, unless it has a toggle or is
 * tracked.
 *
 * @param name shown in errors; in one world it must stand for one declaration
 * @param options toggle, lifetime, order, trackChanges and excludeFromQueries: see TagOptions
 * @throws StrataTypeError INVALID_SCHEMA, INVALID_OPTION
 * @example const Frozen = tag('Frozen')
 * @example const Selected = tag('Selected', { order: 'insertion' })
 * @example const Prefab = tag('Prefab', { excludeFromQueries: true })
 */
export function tag(
  name: string,
  options: TagOptions & { readonly order: TagOrder; readonly excludeFromQueries?: false | undefined },
): OrderedTag
export function tag(name: string, options?: TagOptions & { readonly order?: undefined }): Tag
export function tag(name: string, options: TagOptions = {}): Tag {
  checkName(name, 'tag')
  checkOptions(`tag '${name}'`, options, TAG_OPTIONS)
  const toggle = toggleFlag(`tag '${name}'`, options)
  const order = checkOrder(name, options?.order)
  const excluded = excludedFlag(name, options)
  const tracksRows = checkTrack(`tag '${name}'`, options, ['row'])
  const bare = toggle === 0 && !tracksRows
  return define({
    name,
    kind: 'tag',
    storage: order === undefined ? 'table' : 'sparse',
    schema: {},
    storageCode: order !== undefined ? STORAGE_SPARSE : bare ? STORAGE_TAG : STORAGE_TABLE,
    flags:
      toggle |
      excluded |
      lifetimeFlags(`tag '${name}'`, options) |
      (order === undefined ? 0 : ORDER_INSERTION),
    tracksRows,
    order,
  }) as unknown as Tag
}

function checkOrder(name: string, order: unknown): TagOrder | undefined {
  if (order === undefined || order === 'insertion') return order
  throw new StrataTypeError(
    'INVALID_SCHEMA',
    `tag '${name}': order must be 'insertion' or left out, not ${describe(order)}. For the order of creation, write inCreationOrder() in a query.`,
  )
}

function excludedFlag(name: string, { excludeFromQueries, toggle, order }: TagOptions): number {
  if (excludeFromQueries === undefined || excludeFromQueries === false) return 0
  if ((excludeFromQueries as unknown) === true && toggle === undefined && order === undefined)
    return FLAG_EXCLUDED
  throw new StrataTypeError(
    'INVALID_SCHEMA',
    `tag '${name}': excludeFromQueries must be true or false, and left out beside toggle or order.`,
  )
}

function toggleFlag(what: string, options: { readonly toggle?: unknown }): number {
  const toggle = options?.toggle
  if (toggle === undefined) return 0
  if (toggle instanceof Toggle) return FLAG_TOGGLE
  throw new StrataTypeError(
    'INVALID_SCHEMA',
    `${what}: toggle must be what is imported from strata-ecs, { toggle }, or left out, not ${describe(toggle)}.`,
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
