// Owns the table of field types: what the library knows of i8, f32, text and all others, one line each. What only one place needs
// is kept there in a record of all kinds or families, so that TypeScript names every place that lacks a new one.

import { MAX_TEXT_LENGTH } from '../../build/layout'
import { type Entity, type EntityArray, NULL_ENTITY } from '../memory/entity'

/** A value of a field and the typed array of a column, by kind. */
interface Types {
  i8: { value: number; column: Int8Array }
  u8: { value: number; column: Uint8Array }
  i16: { value: number; column: Int16Array }
  u16: { value: number; column: Uint16Array }
  i32: { value: number; column: Int32Array }
  u32: { value: number; column: Uint32Array }
  f32: { value: number; column: Float32Array }
  f64: { value: number; column: Float64Array }
  bool: { value: boolean; column: Uint8Array }
  entity: { value: Entity; column: EntityArray }
  text: { value: string; column: Uint32Array }
}

/** The kinds of values that a field can hold. */
export type Kind = keyof Types
/** A value, by kind. */
export type KindValue<K extends Kind> = Types[K]['value']
/** The typed array of a column, by kind. */
export type ColumnOf<K extends Kind> = Types[K]['column']

/** What a kind says of itself. */
interface KindInfo<K extends Kind> {
  /** Base-2 logarithm of the bytes of one value. */
  readonly shift: 0 | 1 | 2 | 3
  /** Makes a column of its own. */
  readonly Column: new (length: number) => ColumnOf<K>
  /** The value that a field gets when a program gives none. */
  readonly usual: KindValue<K>
  /** The least and the greatest value, where values are whole numbers. */
  readonly range?: readonly [least: number, most: number]
}

type HandleColumn = new (length: number) => EntityArray

/** What every program carries: keep it short. */
export const KINDS = {
  i8: { shift: 0, Column: Int8Array, usual: 0, range: [-0x80, 0x7f] },
  u8: { shift: 0, Column: Uint8Array, usual: 0, range: [0, 0xff] },
  i16: { shift: 1, Column: Int16Array, usual: 0, range: [-0x8000, 0x7fff] },
  u16: { shift: 1, Column: Uint16Array, usual: 0, range: [0, 0xffff] },
  i32: { shift: 2, Column: Int32Array, usual: 0, range: [-0x80000000, 0x7fffffff] },
  u32: { shift: 2, Column: Uint32Array, usual: 0, range: [0, 0xffffffff] },
  f32: { shift: 2, Column: Float32Array, usual: 0 },
  f64: { shift: 3, Column: Float64Array, usual: 0 },
  bool: { shift: 0, Column: Uint8Array, usual: false },
  entity: {
    shift: 2,
    Column: Uint32Array as unknown as HandleColumn,
    usual: NULL_ENTITY,
    range: [0, 0xffffffff],
  },
  text: { shift: 2, Column: Uint32Array, usual: '' },
} as const satisfies { readonly [K in Kind]: KindInfo<K> }

/** What the values of a kind are. Places that treat kinds of one family alike have a case for each family. */
export const FAMILIES = {
  i8: 'integer',
  u8: 'integer',
  i16: 'integer',
  u16: 'integer',
  i32: 'integer',
  u32: 'integer',
  f32: 'float',
  f64: 'float',
  bool: 'bool',
  entity: 'entity',
  text: 'text',
} as const satisfies Record<Kind, string>

export type Family = (typeof FAMILIES)[Kind]
/** The kinds of a family, or of several. */
export type KindIn<F extends Family> = { [K in Kind]: (typeof FAMILIES)[K] extends F ? K : never }[Kind]

/** Whether there is a field type of this name. */
export function isKind(name: unknown): name is Kind {
  return Object.hasOwn(KINDS, name as Kind)
}

/** Whether values are any numbers. */
export function isFloat(kind: Kind): kind is KindIn<'float'> {
  if (kind === 'f32' || kind === 'f64') return true
  kind satisfies Exclude<Kind, KindIn<'float'>>
  return false
}

/** Rounds a value of kind f32 to single precision; returns all others unchanged. */
export function rounded(kind: Kind, value: unknown): unknown {
  if (kind === 'f32') return Math.fround(value as number)
  kind satisfies Exclude<Kind, KindIn<'float'>> | 'f64'
  return value
}

/** Whether a field of one value can hold `value`. */
export function acceptsScalar(kind: Kind, value: unknown): boolean {
  if (isFloat(kind)) return typeof value === 'number'
  if (kind === 'bool') return typeof value === 'boolean'
  if (kind === 'text') return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
  const { range } = KINDS[kind]
  // By index: taking a list apart makes an object where the code is not compiled yet.
  return typeof value === 'number' && Number.isInteger(value) && value >= range[0] && value <= range[1]
}
