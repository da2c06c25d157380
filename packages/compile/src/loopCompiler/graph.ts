// Owns the graph of a body: what each value is computed from, and what is proven of it: whether it is a whole number and of
// which range, whether it is exact as f32, whether it is the same for all rows. Constants are folded by computing them.
//
// What is proven decides how a value may be computed, so that the bits are those of JavaScript:
//
// - Of two exact f32, + - * / and sqrt computed in f64 and then rounded to f32 are the operation of f32: 53 bits are at
//   least 2 * 24 + 2. S. A. Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30 (3), 1995; with
//   underflow P. Roux, "Innocuous double rounding of basic arithmetic operations", Journal of Formalized Reasoning 7 (1),
//   2014.
// - A whole number below 2^53 is computed without rounding, so that its lowest 32 bits are those of the sum, difference or
//   product of the lowest 32 bits.

import { KINDS } from '../../../../bindings/components/fieldKinds'
import {
  BOOLEAN,
  type Known,
  eitherFrom,
  foldOf,
  knownOf,
  nearestF32,
  rangeOf,
  wholeFrom,
  wholeResult,
} from './known'
import type { NumberKind } from './shapes'
import { TooLarge, Work } from './work'

export type Op =
  | 'const'
  | 'scalar'
  | 'held'
  | 'load'
  | ArithmeticOp
  | UnaryOp
  | 'min'
  | 'max'
  | 'copysign'
  | 'fround'
  | 'whole'
  | 'wrap'
  | BitsOp
  | 'clz'
  | 'asBits'
  | 'asFloat'
  | CompareOp
  | 'truth'
  | 'land'
  | 'lor'
  | 'lnot'
  | 'lxor'
  | 'number'
  | 'select'
export type ArithmeticOp = 'add' | 'sub' | 'mul' | 'div'
type UnaryOp = 'neg' | 'abs' | 'sqrt' | 'floor' | 'ceil' | 'trunc'
export type BitsOp = 'and' | 'or' | 'xor' | 'shl' | 'shr' | 'ushr' | 'imul'
export type BinaryOp = ArithmeticOp | BitsOp | CompareOp
export type CompareOp = 'lt' | 'le' | 'eq' | 'ne'

export interface GraphValue {
  readonly id: number
  readonly op: Op
  readonly inputs: readonly GraphValue[]
  /** Of a constant its value, of a load the column, of a scalar or a resource its place. */
  readonly data: number | boolean
  /** Of a load, a scalar, a resource and a wrap: what the memory holds, or what it is wrapped to. */
  readonly kind: NumberKind | undefined
  /** Of a vec: which of its values. */
  readonly element: number
  readonly isBoolean: boolean
  /** Whether it is a whole number from `least` to `most`, both below 2^53: never NaN, nor infinite. */
  readonly whole: boolean
  readonly least: number
  readonly most: number
  /** Whether it may be -0, when it is whole. */
  readonly negativeZero: boolean
  /** Whether Math.fround gives it back. */
  readonly exact: boolean
  /** Whether it is the same for all rows. */
  readonly uniform: boolean
}

const LEAST_I32 = -0x80000000
const MOST_I32 = 0x7fffffff
const MOST_U32 = 0xffffffff
/** Up to here every whole number is exact as f32. */
const LIMIT_F32 = 0x100_0000
/** Up to here a quotient of whole numbers that is not whole is never rounded to one. */
const LIMIT_DIVIDED = 2 ** 52
/** Values of one graph: more than that is thousands of instructions for each row. */
const MOST_VALUES = 20_000

/** What identifies a value in addition to its operation and inputs. */
interface Of {
  readonly data?: number | boolean
  readonly kind?: NumberKind
  readonly element?: number
}

/** Whether it is a whole number of 32 bits with a sign; it may be -0. */
export const isSigned = (v: GraphValue): boolean => v.whole && v.least >= LEAST_I32 && v.most <= MOST_I32
/** Whether it is a whole number of 32 bits without a sign; it may be -0. */
export const isUnsigned = (v: GraphValue): boolean => v.whole && v.least >= 0 && v.most <= MOST_U32
export const isI32 = (v: GraphValue): boolean => isSigned(v) && !v.negativeZero
export const isU32 = (v: GraphValue): boolean => isUnsigned(v) && !v.negativeZero
export const isConst = (v: GraphValue): boolean => v.op === 'const'

const isArithmetic = (op: BinaryOp): op is ArithmeticOp => /^(?:add|sub|mul|div)$/.test(op)
const isComparison = (op: BinaryOp): op is CompareOp => /^(?:lt|le|eq|ne)$/.test(op)
const isDividend = (v: GraphValue): boolean => v.whole && v.least >= -LIMIT_DIVIDED && v.most <= LIMIT_DIVIDED

/** What it takes to find whether a value is there already. */
const STEPS_OF_VALUE = 5

export class Graph {
  /** Equal values are one. */
  private readonly values = new Map<string, GraphValue>()

  constructor(readonly work = new Work()) {}

  private make(
    op: Op,
    inputs: readonly GraphValue[],
    known: Known,
    { data = 0, kind, element = 0 }: Of = {},
  ): GraphValue {
    this.work.spend(STEPS_OF_VALUE)
    const fold = inputs.length > 0 && inputs.every(isConst) ? foldOf(op) : undefined
    if (fold !== undefined) return this.constant(fold(...(inputs.map((v) => v.data) as [number, number])))
    const held = Object.is(data, -0) ? '-0' : String(data)
    const key = `${op} ${inputs.map(({ id }) => id).join()} ${held} ${kind} ${element}`
    const same = this.values.get(key)
    if (same !== undefined) return same
    if (this.values.size >= MOST_VALUES) throw new TooLarge()
    const { whole = false, least = -Infinity, most = Infinity } = known
    const made: GraphValue = {
      id: this.values.size,
      op,
      inputs,
      data,
      kind,
      element,
      isBoolean: known.isBoolean ?? false,
      whole,
      least,
      most,
      negativeZero: known.negativeZero ?? true,
      exact: known.exact ?? (whole && least >= -LIMIT_F32 && most <= LIMIT_F32),
      uniform: inputs.length > 0 ? inputs.every(({ uniform }) => uniform) : op !== 'load',
    }
    this.values.set(key, made)
    return made
  }

  // ── where values come from ──

  constant(data: number | boolean): GraphValue {
    if (typeof data === 'boolean') return this.make('const', [], BOOLEAN, { data })
    const exact = Object.is(Math.fround(data), data)
    return this.make('const', [], { ...wholeFrom(data, data, Object.is(data, -0)), exact }, { data })
  }

  /** What comes with each run: the scalar at a place. */
  scalar(data: number, kind: NumberKind): GraphValue {
    return this.make('scalar', [], knownOf(kind), { data, kind })
  }

  /** A field of a resource, which no run changes. */
  held(data: number, kind: NumberKind, element: number): GraphValue {
    return this.make('held', [], knownOf(kind), { data, kind, element })
  }

  /** What a column holds in the row at hand. */
  load(data: number, kind: NumberKind, element: number): GraphValue {
    return this.make('load', [], knownOf(kind), { data, kind, element })
  }

  // ── what typed arrays do ──

  /** What a typed array of this kind gives back after it was given the value. */
  stored(kind: NumberKind, value: GraphValue): GraphValue {
    if (kind === 'f64' || kind === 'bool') return value
    if (kind === 'f32') return this.fround(value)
    return this.wrap(kind, value)
  }

  private wrap(kind: NumberKind, a: GraphValue): GraphValue {
    const [least, most] = rangeOf(kind) as readonly [number, number]
    if (isConst(a)) {
      const { Column } = KINDS[kind]
      const array = new Column(1)
      array[0] = a.data as number
      return this.constant(array[0])
    }
    if (a.whole && !a.negativeZero && a.least >= least && a.most <= most) return a
    return this.make('wrap', [a], wholeFrom(least, most), { kind: kind === 'entity' ? 'u32' : kind })
  }

  fround(a: GraphValue): GraphValue {
    if (a.exact) return a
    // A whole number stays one when it is rounded to f32.
    const known = a.whole ? wholeFrom(Math.fround(a.least), Math.fround(a.most), a.negativeZero) : {}
    return this.make('fround', [a], { ...known, exact: true })
  }

  // ── arithmetic ──

  arithmetic(op: ArithmeticOp, a: GraphValue, b: GraphValue): GraphValue {
    const known = a.whole && b.whole && op !== 'div' ? wholeResult(op, a, b) : {}
    return this.make(op, [a, b], known)
  }

  neg(a: GraphValue): GraphValue {
    const known = a.whole ? wholeFrom(-a.most, -a.least, a.least <= 0 && a.most >= 0) : {}
    return this.make('neg', [a], { ...known, exact: a.exact })
  }

  abs(a: GraphValue): GraphValue {
    if (a.whole && a.least >= 0 && !a.negativeZero) return a
    const most = Math.max(Math.abs(a.least), Math.abs(a.most))
    return this.make('abs', [a], { ...(a.whole ? wholeFrom(0, most) : {}), exact: a.exact })
  }

  sqrt(a: GraphValue): GraphValue {
    return this.make('sqrt', [a], {})
  }

  rounded(op: 'floor' | 'ceil' | 'trunc', a: GraphValue): GraphValue {
    if (a.whole) return a
    return this.make(op, [a], { exact: a.exact })
  }

  /** Math.round: halves go up, -0 stays, and what becomes 0 keeps its sign. */
  round(a: GraphValue): GraphValue {
    if (isConst(a)) return this.constant(Math.round(a.data as number))
    if (a.whole) return a
    const floor = this.rounded('floor', a)
    // Of an exact f32 the distance to its floor is one, and floor + 1 is one or is not chosen.
    const kept = (v: GraphValue): GraphValue => (a.exact ? this.fround(v) : v)
    const rest = kept(this.arithmetic('sub', a, floor))
    const next = kept(this.arithmetic('add', floor, this.constant(1)))
    return this.copysign(this.select(this.compare('le', this.constant(0.5), rest), next, floor), a)
  }

  /** The first with the sign of the second. */
  private copysign(a: GraphValue, b: GraphValue): GraphValue {
    // JavaScriptCore makes 0 of copysign(0, -1), where the sign is a constant.
    if (isConst(b)) {
      const positive = this.abs(a)
      return 1 / (b.data as number) < 0 ? this.neg(positive) : positive
    }
    return this.make('copysign', [a, b], { exact: a.exact && b.exact })
  }

  sign(a: GraphValue): GraphValue {
    const zero = this.constant(0)
    const below = this.select(this.compare('lt', a, zero), this.constant(-1), a)
    return this.select(this.compare('lt', zero, a), this.constant(1), below)
  }

  extreme(op: 'min' | 'max', a: GraphValue, b: GraphValue): GraphValue {
    if (a === b) return a
    return this.make(op, [a, b], eitherFrom(a, b, Math[op](a.least, b.least), Math[op](a.most, b.most)))
  }

  /** a % b for whole numbers up to 2^52; undefined for others. */
  remainder(a: GraphValue, b: GraphValue): GraphValue | undefined {
    if (isConst(a) && isConst(b)) return this.constant((a.data as number) % (b.data as number))
    if (!isDividend(a) || !isDividend(b)) return undefined
    // The quotient of such numbers is never rounded up to the next whole one, and the product is exact.
    const quotient = this.rounded('trunc', this.arithmetic('div', a, b))
    const rest = this.copysign(this.arithmetic('sub', a, this.arithmetic('mul', quotient, b)), a)
    if (b.least <= 0 && b.most >= 0) return rest
    // It is less than b, and not more than a.
    const limit = Math.max(Math.abs(b.least), Math.abs(b.most)) - 1
    const least = Math.min(0, Math.max(a.least, -limit))
    const most = Math.max(0, Math.min(a.most, limit))
    if (least < LEAST_I32 || most > (least < 0 ? MOST_I32 : MOST_U32)) return rest
    return this.make('whole', [rest], wholeFrom(least, most, a.least < 0 || a.negativeZero))
  }

  // ── bits ──

  bits(op: BitsOp, a: GraphValue, b: GraphValue): GraphValue {
    if (op === 'or' && isConst(b) && b.data === 0 && isI32(a)) return a
    const shift = isConst(b) ? (b.data as number) & 31 : undefined
    if (op === 'ushr') {
      if (shift === 0 && isU32(a)) return a
      return this.make(op, [a, b], wholeFrom(0, MOST_U32 >>> (shift ?? 0)))
    }
    if (op === 'shr' && shift !== undefined) {
      const [least, most] = isI32(a) ? [a.least, a.most] : [LEAST_I32, MOST_I32]
      return this.make(op, [a, b], wholeFrom(least >> shift, most >> shift))
    }
    // A mask that is not negative bounds the result.
    const masks = op === 'and' ? [a, b].filter((v) => isI32(v) && v.least >= 0) : []
    if (masks.length > 0)
      return this.make(op, [a, b], wholeFrom(0, Math.min(...masks.map(({ most }) => most))))
    return this.make(op, [a, b], wholeFrom(LEAST_I32, MOST_I32))
  }

  clz32(a: GraphValue): GraphValue {
    return this.make('clz', [a], wholeFrom(0, 32))
  }

  /** The bits of an exact f32 as an i32. */
  asBits(a: GraphValue): GraphValue {
    return this.make('asBits', [this.fround(a)], wholeFrom(LEAST_I32, MOST_I32))
  }

  /** The f32 of these bits. */
  asFloat(a: GraphValue): GraphValue {
    return this.make('asFloat', [a], { exact: true })
  }

  /** An operation of two numbers. */
  binary(op: BinaryOp, a: GraphValue, b: GraphValue): GraphValue {
    if (isArithmetic(op)) return this.arithmetic(op, a, b)
    return isComparison(op) ? this.compare(op, a, b) : this.bits(op, a, b)
  }

  // ── booleans ──

  compare(op: CompareOp, a: GraphValue, b: GraphValue): GraphValue {
    // An f32 compared with a constant between two of them: the next one gives the same answer.
    const [variable, constant] = isConst(a) ? [b, a] : [a, b]
    const limit = constant.data as number
    if (isConst(constant) && !constant.exact && variable.exact && !variable.whole && !Number.isNaN(limit)) {
      if (op === 'eq' || op === 'ne') return this.constant(op === 'ne')
      // v < c and v >= c ask for the least f32 above; v <= c and v > c for the greatest below.
      const near = this.constant(nearestF32(limit, (op === 'lt') === (variable === a)))
      return this.make(op, variable === a ? [a, near] : [near, b], BOOLEAN)
    }
    return this.make(op, [a, b], BOOLEAN)
  }

  truth(a: GraphValue): GraphValue {
    if (a.isBoolean) return a
    return this.make('truth', [a], BOOLEAN)
  }

  not(a: GraphValue): GraphValue {
    if (a.op === 'lnot') return a.inputs[0] as GraphValue
    return this.make('lnot', [a], BOOLEAN)
  }

  both(a: GraphValue, b: GraphValue): GraphValue {
    if (isConst(a)) return a.data === true ? b : a
    if (isConst(b)) return b.data === true ? a : b
    if (areOpposite(a, b)) return this.constant(false)
    return a === b ? a : this.make('land', [a, b], BOOLEAN)
  }

  either(a: GraphValue, b: GraphValue): GraphValue {
    if (isConst(a)) return a.data === true ? a : b
    if (isConst(b)) return b.data === true ? b : a
    if (areOpposite(a, b)) return this.constant(true)
    return a === b ? a : this.make('lor', [a, b], BOOLEAN)
  }

  /** Whether two booleans differ. */
  differ(a: GraphValue, b: GraphValue): GraphValue {
    if (isConst(a)) return a.data === true ? this.not(b) : b
    if (isConst(b)) return b.data === true ? this.not(a) : a
    return this.make('lxor', [a, b], BOOLEAN)
  }

  /** 1 for true, 0 for false; a number itself. */
  number(a: GraphValue): GraphValue {
    if (!a.isBoolean) return a
    return this.make('number', [a], wholeFrom(0, 1))
  }

  /** Two booleans, or two numbers. */
  select(condition: GraphValue, a: GraphValue, b: GraphValue): GraphValue {
    if (a === b) return a
    if (isConst(condition)) return condition.data === true ? a : b
    if (condition.op === 'lnot') return this.select(condition.inputs[0] as GraphValue, b, a)
    if (a.isBoolean) return this.selectBoolean(condition, a, b)
    const known = eitherFrom(a, b, Math.min(a.least, b.least), Math.max(a.most, b.most))
    return this.make('select', [condition, a, b], known)
  }

  private selectBoolean(condition: GraphValue, a: GraphValue, b: GraphValue): GraphValue {
    if (a === condition || a.data === true) return this.either(condition, b)
    if (b === condition || b.data === false) return this.both(condition, a)
    if (isConst(a)) return this.both(this.not(condition), b)
    if (isConst(b)) return this.either(this.not(condition), a)
    return this.make('select', [condition, a, b], BOOLEAN)
  }
}

/** Whether one is the negation of the other. */
function areOpposite(a: GraphValue, b: GraphValue): boolean {
  return (a.op === 'lnot' && a.inputs[0] === b) || (b.op === 'lnot' && b.inputs[0] === a)
}
