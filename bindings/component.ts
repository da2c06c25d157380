// Owns the declaration of components and tags, and the values a user gives them.
// It must never know a world: one declaration serves any number of them.

import { STORAGE_SPARSE, STORAGE_STABLE, STORAGE_TABLE, STORAGE_TAG } from '../build/layout'
import { StrataTypeError } from './errors'
import { type Field, SHIFT_OF, accepts, describe, invalidValue, isField } from './fields'

/** The fields of a component by name. */
export type Schema = Readonly<Record<string, Field>>

/** Where a component's rows are kept. */
export type Storage = 'table' | 'sparse' | 'stable'

type InputOf<F> = F extends { readonly defaultValue: infer In } ? In : never
type OutputOf<F> = F extends { readonly out?: infer Out } ? Exclude<Out, undefined> : never
type ArrayOf<F> = F extends { readonly column?: infer Column } ? Exclude<Column, undefined> : never

/** What may be written: any of the fields. */
export type Input<S extends Schema> = { readonly [K in keyof S]?: InputOf<S[K]> }
/** A copy of one entity's values. */
export type Value<S extends Schema> = { -readonly [K in keyof S]: OutputOf<S[K]> }
/** The arrays of one chunk, one for each field. Index i is row i; of a vec, rows are `length` apart. */
export type Columns<S extends Schema> = { readonly [K in keyof S]: ArrayOf<S[K]> }
/** The same for looking only. */
export type ReadonlyColumns<S extends Schema> = { readonly [K in keyof S]: ReadonlyArrayOf<ArrayOf<S[K]>> }

/** A typed array of which the types allow no writing. */
export type ReadonlyArrayOf<A> = A extends { readonly [index: number]: number; readonly length: number }
  ? Omit<A, 'set' | 'fill' | 'copyWithin' | 'reverse' | 'sort' | number> & {
      readonly [index: number]: number
    }
  : never

/**
 * A component type: call it to give values, `Position({ x: 1 })`; name it alone to mean its defaults.
 * Values that are left out get the field's default.
 */
export interface Component<S extends Schema = Schema, Where extends Storage = Storage> {
  (values?: Input<S>): ComponentValue<S, Where>
  readonly componentName: string
  readonly schema: S
  readonly storage: Where
  readonly kind: 'component'
}

/** A component without data: it is there or it is not. */
export interface Tag {
  readonly componentName: string
  readonly kind: 'tag'
}

/** In which order the entities of an ordered tag are visited. */
export type TagOrder = 'entity' | 'insertion'

/** A tag that keeps its entities in an order: queries that require it visit them in that order. */
export interface OrderedTag extends Tag {
  readonly order: TagOrder
}

/** A component with values for one entity. Made by calling the component. */
export class ComponentValue<S extends Schema = Schema, Where extends Storage = Storage> {
  constructor(
    readonly component: Component<S, Where>,
    readonly values: Input<S> | undefined,
  ) {}
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, whatever its schema
export type AnyComponent = Component<any, any>

/** Anything that can be on an entity. */
export type ComponentLike = AnyComponent | Tag
/** What spawn and add take: a component, a tag, or a component with values. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- values of any component
export type Ingredient = ComponentLike | ComponentValue<any, any>

/** What the bindings know of a declaration. Every component and tag is such a function, all of one shape. */
export interface Definition {
  (values?: Record<string, unknown>): ComponentValue
  readonly componentName: string
  /** Number of this declaration in this process: an index for caches. */
  readonly serial: number
  readonly kind: 'component' | 'tag'
  readonly storage: Storage
  readonly schema: Schema
  readonly storageCode: number
  /** Of an ordered tag. */
  readonly order: TagOrder | undefined
  readonly fieldNames: readonly string[]
  /** Place of each field in fieldNames, by name. */
  readonly fieldNumbers: ReadonlyMap<string, number>
  readonly fields: readonly Field[]
}

const STORAGE_CODES: Record<Storage, number> = {
  table: STORAGE_TABLE,
  sparse: STORAGE_SPARSE,
  stable: STORAGE_STABLE,
}

const definitions: Definition[] = []

/**
 * Declares a component. Each field becomes a column of its own in linear memory.
 *
 * @param name shown in errors
 * @param schema fields by name, at least none, such as `{ x: f32, y: f32 }`
 * @param options storage: 'table' (default; rows lie with the entity's other components, fastest to iterate),
 *   'sparse' (rows in a pool of its own, fastest to add and remove) or 'stable' (a pool whose rows never move)
 * @throws StrataTypeError INVALID_SCHEMA
 * @example const Position = component('Position', { x: f32, y: f32 })
 */
export function component<const S extends Schema, const Where extends Storage = 'table'>(
  name: string,
  schema: S,
  options: { readonly storage?: Where } = {},
): Component<S, Where> {
  checkName(name, 'component')
  if (typeof schema !== 'object' || schema === null) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `component '${name}': the schema must be an object of fields; for no data use tag('${name}').`,
    )
  }
  for (const [field, definition] of Object.entries(schema)) {
    if (field === '__proto__') {
      throw new StrataTypeError('INVALID_SCHEMA', `component '${name}': a field cannot be called __proto__.`)
    }
    if (!isField(definition)) {
      throw new StrataTypeError(
        'INVALID_SCHEMA',
        `component '${name}': field '${field}' must be a field such as f32, u8 or vec(f32, 3).`,
      )
    }
  }
  const storage: Storage = options?.storage ?? 'table'
  const code = Object.hasOwn(STORAGE_CODES, storage) ? STORAGE_CODES[storage] : undefined
  if (code === undefined) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `component '${name}': storage must be 'table', 'sparse' or 'stable', not '${String(storage)}'.`,
    )
  }
  // Without fields there is nothing to lay out: in archetypes such a component is kept like a tag.
  const kept = storage === 'table' && Object.keys(schema).length === 0 ? STORAGE_TAG : code
  return define(name, 'component', storage, schema, kept) as unknown as Component<S, Where>
}

/**
 * Declares a tag: a component without data. Adding a tag to all entities of a query copies no row.
 *
 * @param options order: 'entity' or 'insertion' makes an ordered tag, which lies in a pool of its own. Queries that
 *   require it visit its entities in the order of their indices, or in the order in which the tag was added, until
 *   world.sort gives another.
 * @throws StrataTypeError INVALID_SCHEMA
 * @example const Frozen = tag('Frozen')
 * @example const Selected = tag('Selected', { order: 'insertion' })
 */
export function tag(name: string, options: { readonly order: TagOrder }): OrderedTag
export function tag(name: string, options?: { readonly order?: undefined }): Tag
export function tag(name: string, options: { readonly order?: TagOrder | undefined } = {}): Tag {
  checkName(name, 'tag')
  const { order } = options
  if (order === undefined) return define(name, 'tag', 'table', {}, STORAGE_TAG) as unknown as Tag
  if (order !== 'entity' && order !== 'insertion') {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `${name}: order must be 'entity' or 'insertion', not ${describe(order)}.`,
    )
  }
  return define(name, 'tag', 'sparse', {}, STORAGE_SPARSE, order) as unknown as OrderedTag
}

function checkName(name: unknown, what: string): void {
  if (typeof name !== 'string' || name === '') {
    throw new StrataTypeError('INVALID_SCHEMA', `${what}: the first argument must be a name.`)
  }
}

function define(
  name: string,
  kind: 'component' | 'tag',
  storage: Storage,
  schema: Schema,
  storageCode: number,
  order?: TagOrder,
): Definition {
  const give = (values?: Record<string, unknown>): ComponentValue => {
    if (values !== undefined) checkValues(definition, values)
    return new ComponentValue(definition as unknown as Component, values)
  }
  Object.defineProperty(give, 'name', { value: name })
  const properties = {
    componentName: name,
    serial: definitions.length,
    kind,
    storage,
    schema,
    storageCode,
    order,
    fieldNames: Object.keys(schema),
    fieldNumbers: new Map(Object.keys(schema).map((field, k) => [field, k])),
    fields: Object.values(schema),
  }
  const definition: Definition = Object.assign(give, properties)
  definitions.push(definition)
  return definition
}

/** The declaration behind a public component or tag, or undefined when the value is none. */
export function definitionOf(value: unknown): Definition | undefined {
  if (typeof value !== 'function') return undefined
  const serial = (value as Partial<Definition>).serial
  return serial !== undefined && definitions[serial] === value ? (value as Definition) : undefined
}

/** Throws unless every key is a field and every value fits it. */
export function checkValues(
  definition: Definition,
  values: unknown,
): asserts values is Record<string, unknown> {
  if (typeof values !== 'object' || values === null) {
    throw new StrataTypeError(
      'INVALID_VALUE',
      `${definition.componentName} takes an object of values by field name, not ${describe(values)}.`,
    )
  }
  const { fieldNames, fields } = definition
  for (const key in values) {
    const k = fieldNames.indexOf(key)
    if (k < 0) {
      const known = fieldNames.length > 0 ? `its fields are ${fieldNames.join(', ')}` : 'it has no fields'
      throw new StrataTypeError(
        'UNKNOWN_FIELD',
        `${definition.componentName} has no field '${key}': ${known}.`,
      )
    }
    const value = (values as Record<string, unknown>)[key]
    if (value !== undefined && !accepts(fields[k] as Field, value)) {
      throw invalidValue(fields[k] as Field, value, `${definition.componentName}.${key}`)
    }
  }
}

/** A copy that later changes of the user's object do not reach. */
export function copyValues(values: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (values === undefined) return undefined
  const copy: Record<string, unknown> = {}
  for (const key in values) {
    const value = values[key]
    copy[key] = typeof value === 'object' && value !== null ? Array.from(value as ArrayLike<number>) : value
  }
  return copy
}

/** The same for what spawn and add are told. */
export function copyIngredient(ingredient: Ingredient): Ingredient {
  if (!(ingredient instanceof ComponentValue)) return ingredient
  return new ComponentValue(ingredient.component, copyValues(ingredient.values) as never)
}

function describeComponent(value: unknown): string {
  const definition = definitionOf(value)
  return definition === undefined ? describe(value) : `the ${definition.kind} ${definition.componentName}`
}

export function notAComponent(value: unknown, operation: string): StrataTypeError {
  return new StrataTypeError(
    'NOT_A_COMPONENT',
    `${operation} takes components, tags or components with values, such as Position({ x: 1 }); got ${describeComponent(value)}.`,
  )
}

/** Bytes of the component's columns in one row. */
export function rowBytes(definition: Definition): number {
  return definition.fields.reduce((sum, field) => sum + (field.length << SHIFT_OF[field.kind]), 0)
}
