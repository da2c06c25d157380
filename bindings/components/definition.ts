// Owns what stands behind each declaration of a component, tag or object component, and the list of all of them.
// It must never know a world: one declaration serves any number of them.

import { FLAG_TOGGLE } from '../../build/layout'
import { StrataTypeError } from '../memory/errors'
import { INSPECT } from '../memory/inspection'
import type { Component, Migrations, TagOrder } from './component'
import { type Field, SHIFT_OF, isField } from './fields'
import { ComponentValue, giveFloats, giveValues } from './ingredients'
import { showDefinition } from './inspection'
import type { Schema, Storage } from './schema'

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
  /** Of its fields, for saves. In one property: V8 keeps a function with any more as a dictionary. */
  readonly versions: Versions
  readonly fieldNames: readonly string[]
  readonly fields: readonly Field[]
  /** Whether one of the fields is a text: its strings are interned before anything changes. */
  readonly hasTexts: boolean
}

interface Versions {
  readonly version: number
  readonly migrate: Migrations | undefined
}

const definitions: Definition[] = []

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
  readonly version?: number | undefined
  readonly migrate?: Migrations | undefined
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
  version = 1,
  migrate,
}: Declaration): Definition {
  const floats = areFloats(Object.values(schema))
  // A function has the name of the property it is written for. Defining its name later on would turn it into a
  // dictionary, in which every call would search for each of the properties below.
  const give = {
    [name]: (values?: unknown): ComponentValue => {
      if (values === undefined && kind !== 'object')
        return new ComponentValue(definition as unknown as Component, undefined)
      return (floats ? giveFloats(definition, values) : undefined) ?? giveValues(definition, values)
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
    versions: { version, migrate },
    fieldNames: Object.keys(schema),
    fields: Object.values(schema),
    hasTexts: Object.values(schema).some(({ kind }) => kind === 'text'),
    toString: showDefinition,
    [INSPECT]: showDefinition,
  }
  const definition: Definition = Object.assign(give, properties)
  definitions.push(definition)
  return definition
}

/** One to four fields, each a single f32: what most programs make most entities of. */
function areFloats(fields: readonly Field[]): boolean {
  return (
    fields.length > 0 &&
    fields.length <= 4 &&
    fields.every(({ kind, isNumber }) => kind === 'f32' && isNumber)
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

export function checkName(name: unknown, what: string): void {
  if (typeof name !== 'string' || name === '') {
    throw new StrataTypeError('INVALID_SCHEMA', `${what}: the first argument must be a name.`)
  }
}
