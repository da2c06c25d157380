// Owns what is proven of values by what they are: of what memory holds, of sums and products, of bits.

import { KINDS, type Kind } from '../../../../bindings/components/fieldKinds'
import type { Op, GraphValue } from './graph'
import type { NumberKind } from './shapes'

/** What is proven of a value; what is left out is not. */
export interface Known {
  readonly isBoolean?: boolean
  readonly whole?: boolean
  readonly least?: number
  readonly most?: number
  readonly negativeZero?: boolean
  readonly exact?: boolean
}

export const BOOLEAN: Known = { isBoolean: true }

/**
 * What is known of a whole number from `least` to `most`: nothing, unless both are below 2^53. From there on an end may stand for
 * the number after it, because the ends of results are computed in f64. The one place that says `whole`.
 */
export function wholeFrom(least: number, most: number, negativeZero = false): Known {
  if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most)) return {}
  return { whole: true, least, most, negativeZero }
}

/** What is known of one of two numbers, which lies within a range where both are whole. */
export function eitherFrom(a: GraphValue, b: GraphValue, least: number, most: number): Known {
  const whole = a.whole && b.whole ? wholeFrom(least, most, a.negativeZero || b.negativeZero) : {}
  return { ...whole, exact: a.exact && b.exact }
}

/** The least and the greatest value of a kind of whole numbers. */
export function rangeOf(kind: NumberKind): readonly [number, number] | undefined {
  return (KINDS[kind] as { readonly range?: readonly [number, number] }).range
}

/** What is known of everything that a memory of this kind can hold. */
export function knownOf(kind: Kind): Known {
  if (kind === 'bool') return BOOLEAN
  const range = rangeOf(kind as NumberKind)
  return range === undefined ? { exact: kind === 'f32' } : wholeFrom(range[0], range[1])
}

/** What is known of a sum, a difference or a product of whole numbers; nothing where it may be rounded. */
export function wholeResult(op: 'add' | 'sub' | 'mul', a: GraphValue, b: GraphValue): Known {
  let ends: number[]
  let negativeZero: boolean
  if (op === 'add') {
    ends = [a.least + b.least, a.most + b.most]
    negativeZero = a.negativeZero && b.negativeZero
  } else if (op === 'sub') {
    ends = [a.least - b.most, a.most - b.least]
    negativeZero = a.negativeZero
  } else {
    ends = [a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most]
    // 0 times a negative number.
    negativeZero = a.negativeZero || b.negativeZero || a.least < 0 || b.least < 0
  }
  return wholeFrom(Math.min(...ends), Math.max(...ends), negativeZero)
}

/** Takes a boolean as 1 or 0, too. */
type Fold = (x: number, y: number) => number | boolean

/** What operations make of constants; those of Math have their names there. */
const FOLDS: Readonly<Partial<Record<Op, Fold>>> = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
  neg: (x) => -x,
  and: (x, y) => x & y,
  or: (x, y) => x | y,
  xor: (x, y) => x ^ y,
  shl: (x, y) => x << y,
  shr: (x, y) => x >> y,
  ushr: (x, y) => x >>> y,
  clz: Math.clz32,
  eq: (x, y) => x === y,
  ne: (x, y) => x !== y,
  lt: (x, y) => x < y,
  le: (x, y) => x <= y,
  truth: Boolean,
  number: Number,
  land: (x, y) => x && y,
  lor: (x, y) => x || y,
  lxor: (x, y) => x !== y,
  lnot: (x) => !x,
}

/** What an operation makes of constants; undefined where it is not folded. */
export function foldOf(op: Op): Fold | undefined {
  return FOLDS[op] ?? (Math as unknown as typeof FOLDS)[op]
}

/** The nearest f32 that is not less, or not greater. */
export function nearestF32(limit: number, up: boolean): number {
  const floats = new Float32Array([limit])
  const near = floats[0] as number
  if (up ? near >= limit : near <= limit) return near
  // Away from zero the bits of a number count up.
  if (near === 0) return up ? 2 ** -149 : -(2 ** -149)
  const words = new Int32Array(floats.buffer)
  words[0] = (words[0] as number) + (near > 0 === up ? 1 : -1)
  return floats[0] as number
}
