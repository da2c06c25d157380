// Owns the declaration of components and tags, and the values a user gives them.
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
import { type Field, MAX_COMPONENT_VEC, SHIFT_OF, isField } from './fields'
import { showDefinition, showValues } from './inspection'
import { INSPECT } from '../memory/inspection'
import { type Taken, takeValues } from './taking'

/** The fields of a component or resource by name. */
export type Schema = Readonly<Record<string, Field>>

/**
 * Where the rows of a component are stored: with the entity's other components ('table'), in a pool of its own
 * ('sparse'), or in a pool whose rows never move ('stable').
 */
export type Storage = 'table' | 'sparse' | 'stable'

type InputOf<F> = F extends { readonly defaultValue: infer In } ? In : never
type OutputOf<F> = F extends { readonly out?: infer Out } ? Exclude<Out, undefined> : never
type ArrayOf<F> = F extends { readonly column?: infer Column } ? Exclude<Column, undefined> : never

/** Values to write: any of the fields by name. */
export type Input<S extends Schema> = { readonly [K in keyof S]?: InputOf<S[K]> }
/** A copy of one entity's values, by field. */
export type Value<S extends Schema> = { -readonly [K in keyof S]: OutputOf<S[K]> }
/**
 * What world.get returns for a component, or world.getResource for a resource: its values by field, or the value of
 * an object component.
 *
 * @example type Row = ValueOf<typeof Position>
 */
export type ValueOf<C> = C extends { readonly schema: infer S extends Schema }
  ? Value<S>
  : C extends ObjectComponent<infer T>
    ? T
    : C extends { readonly kind: 'resource'; readonly holds?: (value: infer T) => unknown }
      ? T
      : never
/**
 * The columns of one chunk, one typed array per field. Index i is row i; for a vec of length n, row i begins at index
 * i * n.
 */
export type Columns<S extends Schema> = { readonly [K in keyof S]: ArrayOf<S[K]> }
/**
 * The columns of one chunk for reading only, one typed array per field. Index i is row i; for a vec of length n, row
 * i begins at index i * n.
 */
export type ReadonlyColumns<S extends Schema> = { readonly [K in keyof S]: ReadonlyArrayOf<ArrayOf<S[K]>> }

/** A typed array without its writing methods. */
export type ReadonlyArrayOf<A> = A extends {
  readonly [index: number]: infer Item extends number
  readonly length: number
}
  ? Omit<A, 'set' | 'fill' | 'copyWithin' | 'reverse' | 'sort' | number> & {
      readonly [index: number]: Item
    }
  : never

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

/** A JavaScript value on its way to an entity. It is never copied: what is given is what is kept. */
export class Held<T = unknown> {
  constructor(readonly value: T) {}
}

/** The order in which the entities of an ordered tag are visited: by their indices, or as they got the tag. */
export type TagOrder = 'entity' | 'insertion'

/** A tag that keeps its entities in an order. Queries that require it visit entities in that order. */
export interface OrderedTag extends Tag {
  /** 'entity' or 'insertion', as it was declared. */
  readonly order: TagOrder
}

/**
 * A component together with values. Made by calling the component. It holds a copy of the values, taken at that call,
 * and can be given to any number of entities.
 */
export class ComponentValue<S extends Schema = Schema, Where extends Storage = Storage> {
  /** @internal Made by calling the component. */
  constructor(
    readonly component: Component<S, Where>,
    /** @internal What was taken, of an object component what it holds; undefined for a call without values. */
    readonly values: Taken | Held | undefined,
  ) {}

  /** @internal */
  [INSPECT](): string {
    return showValues(this.component as unknown as Definition, this.values)
  }

  /** @internal */
  toString(): string {
    return this[INSPECT]()
  }
}

/** A component with fields, whatever its schema and storage. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, whatever its schema
export type AnyComponent = Component<any, any>

/** An object component, whatever it holds. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any object component, whatever it holds
export type AnyObject = ObjectComponent<any>

/** Anything that an entity can have: a component, a tag or an object component. */
export type ComponentLike = AnyComponent | Tag | AnyObject
/** What spawn and add take: a component, a tag, or a component with values. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- values of any component
export type Ingredient = ComponentLike | ComponentValue<any, any> | ObjectValue<any>

/** What a new entity can be made of. An object component has no default, so it must come with its value. */
export type CompleteIngredient = Exclude<Ingredient, AnyObject>
/** A list of ingredients in which every object component has a value; otherwise the compiler prints what to do. */
export type Complete<T extends readonly Ingredient[]> = {
  [K in keyof T]: T[K] &
    ([T[K]] extends [AnyObject]
      ? 'an object component has no default: give it a value, as in Sprite(mySprite)'
      : unknown)
}

/** A list of ingredients that any number of entities can share; otherwise the compiler prints what to do. */
export type Shared<T extends readonly Ingredient[]> = {
  [K in keyof T]: T[K] &
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any object component, whatever it holds
    ([T[K]] extends [AnyObject | ObjectValue<any>]
      ? 'entities cannot share the value of an object component: add it to each, as in world.add(entity, Sprite(mySprite))'
      : unknown)
}

/** What the bindings know of a declaration. Every component and tag is such a function, all of one shape. */
export interface Definition {
  (values?: unknown): ComponentValue
  readonly componentName: string
  /** Number of this declaration in this process: an index for caches. */
  readonly serial: number
  readonly kind: 'component' | 'tag' | 'object'
  readonly storage: Storage
  readonly schema: Schema
  readonly storageCode: number
  /** What else it can do, as the core has it: FLAG_TOGGLE, FLAG_FRAME, ORDER_ENTITY, ORDER_INSERTION. */
  readonly flags: number
  /** Of an ordered tag. */
  readonly order: TagOrder | undefined
  /** Whether each row remembers when it changed and when it was added. */
  readonly tracksRows: boolean
  readonly fieldNames: readonly string[]
  /** Place of each field in fieldNames, by name. */
  readonly fieldNumbers: ReadonlyMap<string, number>
  readonly fields: readonly Field[]
  /** Whether one of the fields is a text: its strings are interned before anything changes. */
  readonly hasTexts: boolean
}

const STORAGE_CODES: Record<Storage, number> = {
  table: STORAGE_TABLE,
  sparse: STORAGE_SPARSE,
  stable: STORAGE_STABLE,
}

const ORDER_FLAGS: Record<TagOrder, number> = { entity: ORDER_ENTITY, insertion: ORDER_INSERTION }

const definitions: Definition[] = []

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
}

const COMPONENT_OPTIONS = ['storage', 'toggle', 'track', 'lifetime']
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
 * @param options storage, toggle, track and lifetime: see ComponentOptions
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

/** Throws unless every entry of a schema is a field. */
export function checkFields(what: string, schema: Schema): void {
  for (const [field, definition] of Object.entries(schema)) {
    if (field === '__proto__') {
      throw new StrataTypeError('INVALID_SCHEMA', `${what}: a field cannot be called __proto__.`)
    }
    if (!isField(definition)) {
      throw new StrataTypeError(
        'INVALID_SCHEMA',
        `${what}: field '${field}' must be a field such as f32, u8 or vec(f32, 3).`,
      )
    }
  }
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

export function checkName(name: unknown, what: string): void {
  if (typeof name !== 'string' || name === '') {
    throw new StrataTypeError('INVALID_SCHEMA', `${what}: the first argument must be a name.`)
  }
}

/** What component, tag and object declare. */
interface Declaration {
  readonly name: string
  readonly kind: Definition['kind']
  readonly storage: Storage
  readonly schema: Schema
  readonly storageCode: number
  readonly flags: number
  readonly tracksRows: boolean
  readonly order?: TagOrder | undefined
}

/** @internal Makes a declaration of any kind. */
export function define({
  name,
  kind,
  storage,
  schema,
  storageCode,
  flags,
  tracksRows,
  order,
}: Declaration): Definition {
  // A function has the name of the property it is written for. Defining its name later on would turn it into a
  // dictionary, in which every call would search for each of the properties below.
  const give = {
    [name]: (values?: unknown): ComponentValue => {
      if (values === undefined && kind !== 'object')
        return new ComponentValue(definition as unknown as Component, undefined)
      return giveValues(definition, values)
    },
  }[name] as (values?: unknown) => ComponentValue
  const properties = {
    componentName: name,
    serial: definitions.length,
    kind,
    storage,
    schema,
    storageCode,
    flags,
    order,
    tracksRows,
    fieldNames: Object.keys(schema),
    fieldNumbers: new Map(Object.keys(schema).map((field, k) => [field, k])),
    fields: Object.values(schema),
    hasTexts: Object.values(schema).some(({ kind }) => kind === 'text'),
    toString: showDefinition,
    [INSPECT]: showDefinition,
  }
  const definition: Definition = Object.assign(give, properties)
  definitions.push(definition)
  return definition
}

/** A component with what a user gives for it; of an object component that is one value. */
export function giveValues(definition: Definition, given: unknown): ComponentValue {
  const values =
    definition.kind === 'object' ? hold(definition.componentName, given) : takeValues(definition, given)
  return new ComponentValue(definition as unknown as Component, values)
}

/** The values in an entry of a call's list; undefined where none were given. */
export function valuesIn(entry: unknown): Taken | Held | undefined {
  return typeof entry === 'object' && entry instanceof ComponentValue ? entry.values : undefined
}

/** Wraps what an object component is given. Undefined is what get() says of an entity without the component. */
export function hold(name: string, value: unknown): Held {
  if (value !== undefined) return new Held(value)
  throw new StrataTypeError(
    'INVALID_VALUE',
    `${name} holds any value but undefined: give one, ${name}(value), or null for none.`,
  )
}

/** The declaration behind a public component or tag, or undefined when the value is none. */
export function definitionOf(value: unknown): Definition | undefined {
  if (typeof value !== 'function') return undefined
  const serial = (value as Partial<Definition>).serial
  return serial !== undefined && definitions[serial] === value ? (value as Definition) : undefined
}

/** Bytes of a row's two change ticks, where rows are tracked. */
const ROW_TICK_BYTES = 8

/** Bytes of the component's columns in one row. */
export function rowBytes(definition: Definition): number {
  const ticks = definition.tracksRows ? ROW_TICK_BYTES : 0
  return definition.fields.reduce((sum, field) => sum + (field.length << SHIFT_OF[field.kind]), ticks)
}

/** Whether it can be switched off and on. */
export function canToggle(definition: Definition): boolean {
  return (definition.flags & FLAG_TOGGLE) !== 0
}
