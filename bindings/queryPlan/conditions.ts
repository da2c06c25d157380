// Owns conditions on values, as `where` takes them: checked, and turned into bounds that the core compares rows with.

import {
  FILTER_BYTES,
  FILTER_COLUMN_WORD,
  FILTER_COMPONENT_WORD,
  FILTER_HIGH,
  FILTER_HIGH_WORD,
  FILTER_LANE_WORD,
  FILTER_LOW,
  FILTER_LOW_WORD,
  FILTER_NEGATED_WORD,
  LANE_F32,
  LANE_F64,
  LANE_I16,
  LANE_I32,
  LANE_I8,
  LANE_U16,
  LANE_U32,
  LANE_U8,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { type Field, isVec } from '../components/fields'
import { KINDS, type Kind, type KindIn } from '../components/fieldKinds'
import type { Comparison } from '../components/queryTypes'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import type { TextSource } from '../state/textSource'

const COMPARISONS: readonly unknown[] = ['<', '<=', '>', '>=', '==', '!=']

const LANES: Record<Kind, number> = {
  i8: LANE_I8,
  u8: LANE_U8,
  bool: LANE_U8,
  i16: LANE_I16,
  u16: LANE_U16,
  i32: LANE_I32,
  u32: LANE_U32,
  entity: LANE_U32,
  text: LANE_U32,
  f32: LANE_F32,
  f64: LANE_F64,
}

export const FILTER_WORDS = FILTER_BYTES / 4

/** Rows whose value lies from low to high, both included; or, negated, all others. */
interface Bounds {
  readonly low: number
  readonly high: number
  readonly negated: boolean
}

const NOTHING: Bounds = { low: 1, high: 0, negated: false }
const EVERYTHING: Bounds = { low: 1, high: 0, negated: true }

/** A condition on one field of one component. */
export class ValueCondition {
  /** The filter as the core reads it, but for the id of the component in a world. */
  readonly words = new Uint32Array(FILTER_WORDS)

  constructor(
    readonly definition: Definition,
    fieldNumber: number,
    bounds: Bounds,
    /** The string that a text is compared with; its id differs from world to world. */
    private readonly string?: string,
  ) {
    const field = definition.fields[fieldNumber] as Field
    const view = new DataView(this.words.buffer)
    writeBound(view, FILTER_LOW, field.kind, bounds.low)
    writeBound(view, FILTER_HIGH, field.kind, bounds.high)
    this.words[FILTER_COLUMN_WORD] = fieldNumber
    this.words[FILTER_LANE_WORD] = LANES[field.kind]
    this.words[FILTER_NEGATED_WORD] = bounds.negated ? 1 : 0
  }

  /** Copies the filter, for a world in which the component has this id. */
  writeTo(target: Uint32Array, index: number, component: number, texts: TextSource): void {
    const at = index * FILTER_WORDS
    target.set(this.words, at)
    target[at + FILTER_COMPONENT_WORD] = component
    if (this.string === undefined) return
    const id = texts.idOf(this.string)
    target[at + FILTER_LOW_WORD] = id ?? NOTHING.low
    target[at + FILTER_HIGH_WORD] = id ?? NOTHING.high
  }
}

/**
 * The condition that a component's field compares in this way with a value. Comparing is exact: a column of f32
 * is compared as JavaScript would compare its values, not with the value rounded to 32 bits.
 *
 * @throws StrataTypeError UNKNOWN_FIELD, INVALID_VALUE, INVALID_QUERY
 */
export function parseCondition(
  definition: Definition,
  fieldName: string,
  comparison: Comparison,
  value: unknown,
): ValueCondition {
  const name = definition.componentName
  const number = definition.fieldNames.indexOf(fieldName)
  if (number < 0) {
    throw new StrataTypeError(
      'UNKNOWN_FIELD',
      `where: ${name} has no field ${describe(fieldName)}: its fields are ${definition.fieldNames.join(', ')}.`,
    )
  }
  const field = definition.fields[number] as Field
  if (isVec(field)) {
    throw new StrataTypeError(
      'INVALID_QUERY',
      `where: ${name}.${String(fieldName)} has ${field.length} values a row; only a field of one value can be compared.`,
    )
  }
  if (!COMPARISONS.includes(comparison)) {
    throw new StrataTypeError(
      'INVALID_QUERY',
      `where: compare with one of ${COMPARISONS.join(' ')}, not ${describe(comparison)}.`,
    )
  }
  if (field.kind === 'text') return textCondition(definition, number, comparison, value)
  if (typeof value !== (field.kind === 'bool' ? 'boolean' : 'number')) {
    const wanted = field.kind === 'bool' ? 'true or false' : 'a number'
    throw new StrataTypeError(
      'INVALID_VALUE',
      `where: ${name}.${String(fieldName)} is compared with ${wanted}, not ${describe(value)}.`,
    )
  }
  return new ValueCondition(definition, number, boundsOf(field.kind, comparison, Number(value)))
}

/** Ids of texts have no order that says anything about the strings. */
function textCondition(
  definition: Definition,
  number: number,
  comparison: Comparison,
  value: unknown,
): ValueCondition {
  const where = `${definition.componentName}.${definition.fieldNames[number]}`
  if (typeof value !== 'string') {
    throw new StrataTypeError(
      'INVALID_VALUE',
      `where: ${where} is compared with a string, not ${describe(value)}.`,
    )
  }
  if (comparison !== '==' && comparison !== '!=') {
    throw new StrataTypeError(
      'INVALID_QUERY',
      `where: texts can be compared with == and != only, not ${comparison}.`,
    )
  }
  return new ValueCondition(definition, number, { ...NOTHING, negated: comparison === '!=' }, value)
}

function boundsOf(kind: Exclude<Kind, KindIn<'text'>>, comparison: Comparison, value: number): Bounds {
  if (Number.isNaN(value)) return comparison === '!=' ? EVERYTHING : NOTHING
  if (kind === 'f32') return floatBounds(comparison, value, F32)
  if (kind === 'f64') return floatBounds(comparison, value, F64)
  const [least, most] = kind === 'bool' ? [0, 1] : KINDS[kind].range
  return integerBounds(comparison, value, least, most)
}

function integerBounds(comparison: Comparison, value: number, least: number, most: number): Bounds {
  const within = (low: number, high: number, negated: boolean): Bounds => {
    const from = Math.max(low, least)
    const to = Math.min(high, most)
    if (from > to) return negated ? EVERYTHING : NOTHING
    return { low: from, high: to, negated }
  }
  switch (comparison) {
    case '>':
      return within(Math.floor(value) + 1, most, false)
    case '>=':
      return within(Math.ceil(value), most, false)
    case '<':
      return within(least, Math.ceil(value) - 1, false)
    case '<=':
      return within(least, Math.floor(value), false)
    default:
      // A fraction lies between two integers: no row has it.
      return within(Math.ceil(value), Math.floor(value), comparison === '!=')
  }
}

/** Neighbours among the numbers that a kind of float can hold. */
interface Floats {
  /** The least of them that is not below the value. */
  atLeast(value: number): number
  /** The one that follows a number of this kind. */
  above(value: number): number
}

function floatBounds(comparison: Comparison, value: number, floats: Floats): Bounds {
  const low = floats.atLeast(value)
  const exact = low === value
  const high = -floats.atLeast(-value)
  switch (comparison) {
    case '>':
      if (value === Infinity) return NOTHING
      return { low: exact ? floats.above(low) : low, high: Infinity, negated: false }
    case '>=':
      return { low, high: Infinity, negated: false }
    case '<':
      if (value === -Infinity) return NOTHING
      return { low: -Infinity, high: exact ? -floats.above(-high) : high, negated: false }
    case '<=':
      return { low: -Infinity, high, negated: false }
    default:
      if (!exact) return comparison === '!=' ? EVERYTHING : NOTHING
      return { low, high: low, negated: comparison === '!=' }
  }
}

const bytes = /* @__PURE__ */ new ArrayBuffer(8)
const floatOf = /* @__PURE__ */ new Float32Array(bytes)
const bitsOfFloat = /* @__PURE__ */ new Uint32Array(bytes)
const doubleOf = /* @__PURE__ */ new Float64Array(bytes)
const bitsOfDouble = /* @__PURE__ */ new BigUint64Array(bytes)

// The bits of positive floats count up with their values, those of negative ones down.
const F32: Floats = {
  atLeast(value) {
    const near = Math.fround(value)
    return near >= value ? near : this.above(near)
  },
  above(value) {
    if (value === 0) return 2 ** -149
    floatOf[0] = value
    bitsOfFloat[0] = (bitsOfFloat[0] as number) + (value > 0 ? 1 : -1)
    return floatOf[0]
  },
}
const F64: Floats = {
  atLeast: (value) => value,
  above(value) {
    if (value === 0) return Number.MIN_VALUE
    doubleOf[0] = value
    bitsOfDouble[0] = (bitsOfDouble[0] as bigint) + (value > 0 ? 1n : -1n)
    return doubleOf[0]
  },
}

function writeBound(view: DataView, offset: number, kind: Kind, value: number): void {
  switch (kind) {
    case 'f64':
      return view.setFloat64(offset, value, true)
    case 'f32':
      return view.setFloat32(offset, value, true)
    case 'u32':
    case 'entity':
    case 'text':
      return view.setUint32(offset, value, true)
    default:
      kind satisfies 'i8' | 'u8' | 'bool' | 'i16' | 'u16' | 'i32'
      // Smaller ones are read from the lowest bytes.
      return view.setInt32(offset, value, true)
  }
}
