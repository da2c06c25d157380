// Owns fields: those of one value, such as f32, and vec(); what values they take, and the sentences for those that they refuse.

import { MAX_TEXT_LENGTH } from '../../build/layout'
import { describe } from '../memory/describe'
import type { Entity } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { isList, isTypedArray } from '../memory/givenLists'
import { Shown } from '../memory/consoleText'
import { lengthOf } from '../memory/realms'
import { showField } from './declarationText'
import { type ColumnOf, KINDS, type Kind, type KindValue, acceptsScalar, isFloat } from './fieldKinds'

/**
 * A field of a component or resource. Made by f32, u8, vec(f32, 3) and so on, never by hand. `In` is what you write,
 * `Out` what you read, `Column` the typed array of a chunk.
 */
export interface Field<In = unknown, Out = unknown, Column = unknown> {
  readonly kind: Kind
  /** Values per row: 1, or the length of a vec. */
  readonly length: number
  /** The value that a field gets when you give none. */
  readonly defaultValue: In
  /** Base-2 logarithm of the bytes of one value: 0 to 3. */
  readonly shift: number
  /** Whether it takes any number and nothing else: true for f32 and f64. */
  readonly isNumber: boolean
  /**
   * A field of the same kind with another default value.
   *
   * @param value a value that the field can hold; for a vec a list of its length
   * @throws StrataTypeError INVALID_VALUE
   * @example component('Scale', { value: f32.default(1) })
   */
  default(value: In): Field<In, Out, Column>
  /** For type inference only: no such property exists at run time. */
  readonly out?: Out
  /** For type inference only: no such property exists at run time. */
  readonly column?: Column
}

/** A field that holds one value per row. */
export type ScalarField<K extends Kind = Kind> = Field<KindValue<K>, KindValue<K>, ColumnOf<K>>

/** A field that holds several values of one kind per row, in one column. */
export type VecField<F extends Field> =
  F extends Field<infer In, infer _, infer Column> ? Field<ArrayLike<ItemOf<In>>, Column, Column> : never

/** What a list for a vec holds: handles, or any numbers. */
type ItemOf<In> = In extends Entity ? Entity : number

/** Values in a vec of a component. */
export const MAX_COMPONENT_VEC = 4095
/** In any: a square of 4,096 a side. Of the widest kind it takes 128 MiB, so that one alone always fits into a block. */
export const MAX_VEC = 2 ** 24

/** From how many values on a list is copied by the engine: before, the call costs more than the loop. */
export const LONG_LIST = 64

/** What stands behind every field. */
export class FieldDefinition extends Shown implements Field {
  readonly shift: number
  readonly isNumber: boolean

  constructor(
    readonly kind: Kind,
    readonly length: number,
    /** The default; of a vec one value for all, or a list of them. */
    readonly given: unknown,
    /** What a world needs for it, which programs without such a field do not carry: of texts see texts/texts.ts. */
    readonly brings: unknown = undefined,
  ) {
    super()
    this.shift = KINDS[kind].shift
    this.isNumber = isFloat(kind) && !this.isVec
  }

  /** Whether a row of this field is a list, also when its length is 1. Not asked by the class, which only vec() brings. */
  get isVec(): boolean {
    return false
  }

  get defaultValue(): unknown {
    return this.given
  }

  /** @internal */
  line(): string {
    return showField(this)
  }

  default(value: unknown): FieldDefinition {
    if (!accepts(this, value)) throw invalidValue(this, value, 'default')
    return new FieldDefinition(this.kind, this.length, value, this.brings)
  }
}

class VecDefinition extends FieldDefinition {
  override get isVec(): boolean {
    return true
  }

  /** Made at each read: nothing here needs it, and it may be long. */
  override get defaultValue(): unknown {
    return isList(this.given) ? this.given : new Array<unknown>(this.length).fill(this.given)
  }

  override default(value: unknown): VecDefinition {
    return new VecDefinition(this.kind, this.length, Array.from(takeList(this, value, 'vec', 'default')))
  }
}

function scalar<K extends Kind>(kind: K): ScalarField<K> {
  return new FieldDefinition(kind, 1, KINDS[kind].usual) as unknown as ScalarField<K>
}

/** A signed integer of 8 bits, -128 to 127. Default 0. */
export const i8 = /* @__PURE__ */ scalar('i8')
/** An unsigned integer of 8 bits, 0 to 255. Default 0. */
export const u8 = /* @__PURE__ */ scalar('u8')
/** A signed integer of 16 bits, -32,768 to 32,767. Default 0. */
export const i16 = /* @__PURE__ */ scalar('i16')
/** An unsigned integer of 16 bits, 0 to 65,535. Default 0. */
export const u16 = /* @__PURE__ */ scalar('u16')
/** A signed integer of 32 bits, -2,147,483,648 to 2,147,483,647. Default 0. */
export const i32 = /* @__PURE__ */ scalar('i32')
/** An unsigned integer of 32 bits, 0 to 4,294,967,295. Default 0. */
export const u32 = /* @__PURE__ */ scalar('u32')
/** A 32-bit float: any number, rounded to about 7 digits. Default 0. */
export const f32 = /* @__PURE__ */ scalar('f32')
/** A 64-bit float: any number, stored exactly. Default 0. */
export const f64 = /* @__PURE__ */ scalar('f64')
/** true or false, stored in one byte; its column is a Uint8Array of 0 and 1. Default false. */
export const bool = /* @__PURE__ */ scalar('bool')
/**
 * A handle of another entity. Default NULL_ENTITY. When that entity dies, the stale handle keeps its value: ask
 * world.isAlive before you follow it, or replace all stale handles with NULL_ENTITY by sweepReferences.
 */
export const entity = /* @__PURE__ */ scalar('entity')

/**
 * A field of several values of one kind per row: `vec(f32, 16)` holds a matrix. In a chunk it is one column, in which
 * value k of row i is at index `i * length + k`. Every read through a cursor or a resource creates a new typed array
 * over linear memory, valid until the memory grows. Every value has the field's default, unless `.default(list)`
 * gives a list of defaults.
 *
 * @param field a field that holds one value, such as f32, except text
 * @param length how many values: 1 to 4,095 in a component, 1 to 16,777,216 in a resource
 * @throws StrataTypeError INVALID_SCHEMA
 * @example component('Bones', { matrix: vec(f32, 16) })
 */
export function vec<F extends ScalarField<Exclude<Kind, 'text'>>>(field: F, length: number): VecField<F> {
  if (!(field instanceof FieldDefinition) || field.length !== 1 || field.isVec) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `vec: the first argument must be a field of one value, such as f32, not ${describe(field)}.`,
    )
  }
  if (field.kind === 'text') {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      'vec: a list of texts cannot be a field; use several text fields.',
    )
  }
  if (!Number.isInteger(length) || length < 1 || length > MAX_VEC) {
    throw new StrataTypeError(
      'INVALID_SCHEMA',
      `vec: the length must be a whole number from 1 to 4,095, in a resource to 16,777,216, not ${String(length)}.`,
    )
  }
  return new VecDefinition(field.kind, length, field.given) as unknown as VecField<F>
}

export function isField(value: unknown): value is Field {
  return value instanceof FieldDefinition
}

/** Whether a row of this field is a list, also when its length is 1. */
export function isVec(field: Field): boolean {
  return (field as FieldDefinition).isVec
}

/** Whether `value` can be stored in the field, which is no vec. */
export function accepts({ kind }: Field, value: unknown): boolean {
  return acceptsScalar(kind, value)
}

/** A column of bool holds 0 and 1, and what get gives for a vec must be good enough for set. */
function acceptsItem(kind: Kind, value: unknown): boolean {
  return acceptsScalar(kind, value) || (kind === 'bool' && (value === 0 || value === 1))
}

/** The values of a vec: a copy, of the length of its field. */
export type List = { [index: number]: number; readonly length: number }

/**
 * A copy of a user's list. Each item is read once, for reading it may run any code.
 *
 * @throws StrataTypeError INVALID_VALUE that names the component and the field
 */
export function takeList(field: Field, value: unknown, component: string, name: string): List {
  // Long ones are copied on by the engine, which is fastest between arrays of one kind.
  const own: List =
    field.length < LONG_LIST ? new Array<number>(field.length) : new KINDS[field.kind].Column(field.length)
  fillList(own, field, value, component, name)
  return own
}

/** Where short arrays are copied that are written at once: cursors must leave no garbage. */
const passing = /* @__PURE__ */ new Float64Array(LONG_LIST)
let passingIsFree = true

/**
 * A user's list that is stored before any other code runs: a copy, except for a typed array, which is only memory and
 * is taken as it is.
 *
 * @throws StrataTypeError INVALID_VALUE that names the component and the field
 */
export function takePassingList(field: Field, value: unknown, component: string, name: string): List {
  const { kind, length } = field
  if (isTypedArray(value)) {
    if (lengthOf(value) !== length) throw notAList(field, value, component, name)
    for (let k = 0; k < length; k++)
      if (!acceptsItem(kind, value[k])) throw invalidScalar(kind, value[k], `${component}.${name}[${k}]`)
    return value
  }
  // Reading an item may run code that takes another list.
  if (length >= LONG_LIST || !passingIsFree) return takeList(field, value, component, name)
  passingIsFree = false
  try {
    fillList(passing, field, value, component, name)
  } finally {
    passingIsFree = true
  }
  return passing
}

function fillList(own: List, field: Field, value: unknown, component: string, name: string): void {
  const { kind, length } = field
  if (!isList(value) || value.length !== length) throw notAList(field, value, component, name)
  const anyNumber = isFloat(kind)
  for (let k = 0; k < length; k++) {
    const item = value[k]
    if (!(anyNumber && typeof item === 'number') && !acceptsItem(kind, item))
      throw invalidScalar(kind, item, `${component}.${name}[${k}]`)
    own[k] = kind === 'bool' ? Number(item) : (item as number)
  }
}

/**
 * A value of a list that is written to a column: one that the field takes, one after the other of a vec. Any number of a bool.
 *
 * @throws StrataTypeError INVALID_VALUE that names the place in the list
 */
export function takeItem(field: Field, value: unknown, where: string, place: number): number | string {
  const { kind, length } = field
  if (typeof value === 'number') {
    if (field.isNumber) return value
    if (kind === 'bool' && !isVec(field)) return value === 1 ? 1 : 0
  }
  if (isVec(field) ? acceptsItem(kind, value) : accepts(field, value))
    return typeof value === 'string' ? value : Number(value)
  throw invalidScalar(kind, value, `${where}[${isVec(field) ? place % length : place}]`)
}

function notAList({ length }: Field, value: unknown, component: string, name: string): StrataTypeError {
  const given = isList(value) ? `one of ${value.length}` : describe(value)
  return new StrataTypeError(
    'INVALID_VALUE',
    `${component}.${name} takes a list of ${length} values, not ${given}.`,
  )
}

/** The error for a value that a field, which is no vec, does not accept. `where` names the component and the field. */
export function invalidValue({ kind }: Field, value: unknown, where: string): StrataTypeError {
  return invalidScalar(kind, value, where)
}

function invalidScalar(kind: Kind, value: unknown, where: string): StrataTypeError {
  const given = kind === 'text' && typeof value === 'string' ? `one of ${value.length}` : describe(value)
  return new StrataTypeError('INVALID_VALUE', `${where} takes ${wanted(kind)}, not ${given}.`)
}

function wanted(kind: Kind): string {
  if (kind === 'bool') return 'true or false'
  if (kind === 'text') return `a string of at most ${MAX_TEXT_LENGTH} UTF-16 units`
  if (isFloat(kind)) return 'a number'
  const [least, most] = KINDS[kind].range
  return `${kind === 'entity' ? 'an entity handle' : 'a number'}, whole and from ${least} to ${most} (${kind})`
}
