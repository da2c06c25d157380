// Owns what each declaration of a component, tag or object component stands for. One declaration serves any number of worlds: it
// must never hold anything of a world, nor may anything here keep a declaration alive.

import { FLAG_EXCLUDED, FLAG_TOGGLE, STORAGE_RESOURCE } from '../../build/layout'
import { checkOptions } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { INSPECT } from '../memory/consoleText'
import type { Component, Migrations, TagOrder } from './component'
import { type Field, isField } from './fields'
import { ComponentValue, giveFloats, giveValues } from './componentValues'
import { showDefinition } from './declarationText'
import type { Schema, Storage } from './schema'
import { FEW } from './copiedValues'

/** What the bindings know of a declaration. Every component and tag is such a function, all of one shape. */
export interface Definition {
  (values?: unknown, more?: unknown): ComponentValue
  readonly componentName: string
  /** Number of this declaration in this process: an index for caches. See FAR_SERIALS. */
  readonly serial: number
  readonly kind: 'component' | 'tag' | 'object' | 'relation'
  readonly storage: Storage
  readonly schema: Schema
  readonly storageCode: number
  /** What else it can do, as the core has it: FLAG_TOGGLE, FLAG_EXCLUDED, FLAG_FRAME, FLAG_UPKEEP, ORDER_INSERTION. */
  readonly flags: number
  /** Of an ordered tag. */
  readonly order: TagOrder | undefined
  readonly details: Details
  readonly fieldNames: readonly string[]
  readonly fields: readonly Field[]
  /** Whether one of the fields is a text: its strings are interned before anything changes. */
  readonly hasTexts: boolean
}

/** What is looked at seldom. In an object of its own: V8 keeps a function with more than 15 properties as a dictionary. */
class Details {
  /** The declaration itself: a function that was given its properties is known by this. */
  declare readonly definition: Definition
  /** Of its fields, for saves. */
  declare readonly version: number
  declare readonly migrate: Migrations | undefined
  /** Whether each row remembers when it changed and when it was added. */
  declare readonly tracksRows: boolean
  /** Whether it is a component of one to four fields, each a single f32: set needs no list of its values. */
  declare readonly hasFewFloats: boolean
  /** Which of USUAL_NAMES its fields have, INHERITED, or -1. */
  declare readonly usualNames: number
  /** The fields, and after them the columns that no user sees: a relation keeps its links in them. */
  declare readonly columns: readonly Field[]
  /** What keeps the links of a relation in order, brought by relation(); undefined for all others. See state/relationHooks.ts. */
  declare readonly relating: object | undefined
  /** What makes the upkeep of a world, brought by object() and relation(); undefined for all others. See state/upkeep.ts. */
  declare readonly upkeep: unknown
  /** Makes the value of an object component that is named without one; undefined where it must be given. */
  declare readonly make: (() => unknown) | undefined

  constructor(said: Omit<Details, 'strataCopy'>) {
    Object.assign(this, said)
  }

  /** @internal */
  get strataCopy(): unknown {
    return StrataTypeError
  }
}

/** Caches by serial are arrays below this only: a world pays for the components that it uses, however many were declared before them. */
export const FAR_SERIALS = 1024

/** Names that many components have, as JSON: copies of their rows are literals, which take a third of the time of stores by name. */
const USUAL_NAMES = ['["value"]', '["x","y"]', '["x","y","z"]']
export const VALUE = 0
export const XY = 1
export const XYZ = 2
/** One of the names is that of a property of all objects, such as `constructor`: where that is frozen, a store by this name fails. */
export const INHERITED = -2

/** How many declarations there have been. */
let declared = 0

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
  readonly hidden?: readonly Field[]
  readonly relating?: object
  readonly upkeep?: unknown
  readonly make?: (() => unknown) | undefined
  /** Under the name of the declaration: what calling it does, where that is more than taking values. */
  readonly called?: Readonly<Record<string, (first: unknown, second?: unknown) => ComponentValue>>
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
  hidden = [],
  relating,
  make,
  upkeep,
  called,
}: Declaration): Definition {
  const fields = Object.values(schema)
  const fieldNames = Object.keys(schema)
  const floats = areFloats(fields)
  // A function has the name of the property it is written for. Defining its name later on would turn it into a
  // dictionary, in which every call would search for each of the properties below.
  const give = (called ?? {
    [name]: (values?: unknown): ComponentValue => {
      if (values === undefined && kind !== 'object')
        return new ComponentValue(definition as unknown as Component, undefined)
      return (floats ? giveFloats(definition, values) : undefined) ?? giveValues(definition, values)
    },
  })[name] as (values?: unknown) => ComponentValue
  const definition: Definition = Object.assign(give, {
    componentName: name,
    serial: declared++,
    kind,
    storage,
    schema,
    storageCode,
    flags,
    order,
    details: new Details({
      definition: give as Definition,
      version,
      migrate,
      tracksRows,
      hasFewFloats: kind === 'component' && floats,
      usualNames: fieldNames.some((name) => name in Object.prototype)
        ? INHERITED
        : USUAL_NAMES.indexOf(JSON.stringify(fieldNames)),
      columns: [...fields, ...hidden],
      relating,
      make,
      upkeep,
    }),
    fieldNames,
    fields,
    hasTexts: fields.some(({ kind }) => kind === 'text'),
    [INSPECT]: showDefinition,
  })
  // An assignment would fail where Function.prototype is frozen: it has that name.
  return Object.defineProperty(definition, 'toString', { value: showDefinition, writable: true })
}

/** @internal Declares memory that the library keeps in a world: a table with one row, of which users know nothing. */
export function defineHidden(name: string, hidden: readonly Field[]): Definition {
  return define({
    name,
    kind: 'component',
    storage: 'table',
    schema: {},
    storageCode: STORAGE_RESOURCE,
    flags: 0,
    tracksRows: false,
    hidden,
  })
}

/** One to four fields, each a single f32: what most programs make most entities of. */
function areFloats(fields: readonly Field[]): boolean {
  return (
    fields.length > 0 &&
    fields.length <= FEW &&
    fields.every(({ kind, isNumber }) => kind === 'f32' && isNumber)
  )
}

/** The declaration behind a public component or tag, or undefined when the value is none. */
export function definitionOf(value: unknown): Definition | undefined {
  if (typeof value !== 'function') return undefined
  const { details } = value as Partial<Definition>
  return details instanceof Details && details.definition === value ? (value as Definition) : undefined
}

/** Whether no user has declared it: a part of the memory of something else. Relations have hidden columns, too, and do not count. */
export function isHidden({ details: { columns, relating }, fields }: Definition): boolean {
  return relating === undefined && columns.length > fields.length
}

/** Bytes of a row's two change ticks, where rows are tracked. */
const ROW_TICK_BYTES = 8

/** Bytes of the component's columns in one row. */
export function rowBytes(definition: Definition): number {
  const { tracksRows, columns } = definition.details
  const ticks = tracksRows ? ROW_TICK_BYTES : 0
  return columns.reduce((sum, field) => sum + (field.length << field.shift), ticks)
}

/** Whether it can be switched off and on. */
export function canToggle(definition: Definition): boolean {
  return (definition.flags & FLAG_TOGGLE) !== 0
}

/** Whether its entities are only in queries that name it. */
export function isHiding(definition: Definition): boolean {
  return (definition.flags & FLAG_EXCLUDED) !== 0
}

/**
 * Whether what an entity has of it is more than a row: a value in JavaScript, or a link. The core knows these by FLAG_UPKEEP,
 * which targets of links have by a component of their own.
 */
export function needsUpkeep({ details }: Definition): boolean {
  return details.upkeep !== undefined
}

/** Throws unless every entry of a schema is a field. */
export function checkFields(what: string, schema: Schema): void {
  for (const [field, definition] of Object.entries(schema)) {
    if (field === '__proto__' || field.startsWith('\0')) {
      throw new StrataTypeError(
        'INVALID_SCHEMA',
        `${what}: a field cannot be called __proto__, nor begin with a zero character.`,
      )
    }
    if (!isField(definition)) {
      throw new StrataTypeError(
        'INVALID_SCHEMA',
        `${what}: field '${field}' must be a field such as f32, u8 or vec(f32, 3), not ${describe(definition)}${typeof definition === 'number' ? '; for a default write f32.default(0)' : ''}.`,
      )
    }
  }
}

/** Throws unless these can be the version of a declaration, and its migrations. */
export function checkVersions(what: string, version: unknown, migrate: unknown): void {
  if (
    version !== undefined &&
    !(Number.isInteger(version) && (version as number) > 0 && (version as number) <= 0x7fffffff)
  ) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `${what}: version must be a whole number from 1, not ${describe(version)}.`,
    )
  }
  checkOptions(`${what}: migrate`, migrate)
}

/** Whether options ask for change ticks of each row; throws if they say something else than one of `choices`. */
export function checkTrack(
  what: string,
  options: { readonly trackChanges?: unknown },
  choices: readonly string[],
): boolean {
  const track = options?.trackChanges
  if (track === undefined || choices.includes(track as string)) return track === 'row'
  const wanted = choices.map((choice) => `'${choice}'`).join(', ')
  throw new StrataTypeError(
    'INVALID_SCHEMA',
    `${what}: trackChanges must be ${wanted} or left out, not ${describe(track)}.`,
  )
}

export function checkName(name: unknown, what: string): void {
  if (typeof name !== 'string' || name === '') {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `${what}: the first argument must be a name, such as ${what}('Position', …).`,
    )
  }
}
