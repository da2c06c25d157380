// Owns how whole numbers are computed: the lowest 32 bits of a value, as ToInt32 gives them.

import type { Emitter } from './emitter'
import { float } from './floatOps'
import { hasSign } from './layout'
import { type GraphValue, isSigned, isUnsigned } from './graph'
import * as op from './opcodes'
import type { NumberKind } from './shapes'

const MOST_I32 = 0x7fffffff

type FormPair = readonly [one: number, four: number]

/** Instructions for one row and for four. */
const WHOLE: Readonly<Record<string, FormPair>> = {
  add: [op.I32_ADD, op.I32X4_ADD],
  sub: [op.I32_SUB, op.I32X4_SUB],
  mul: [op.I32_MUL, op.I32X4_MUL],
  imul: [op.I32_MUL, op.I32X4_MUL],
  and: [op.I32_AND, op.V128_AND],
  or: [op.I32_OR, op.V128_OR],
  xor: [op.I32_XOR, op.V128_XOR],
  shl: [op.I32_SHL, op.I32X4_SHL],
  shr: [op.I32_SHR_S, op.I32X4_SHR_S],
  ushr: [op.I32_SHR_U, op.I32X4_SHR_U],
}

/** With a sign, and without. For one row the instruction compares, and what it finds chooses. */
const EXTREME: Readonly<Record<'min' | 'max', readonly [FormPair, FormPair]>> = {
  min: [
    [op.I32_LT_S, op.I32X4_MIN_S],
    [op.I32_LT_U, op.I32X4_MIN_U],
  ],
  max: [
    [op.I32_GT_S, op.I32X4_MAX_S],
    [op.I32_GT_U, op.I32X4_MAX_U],
  ],
}

/** Whether the lowest 32 bits are computed without computing the value as f64. */
export function hasBits({ op: operation, inputs, whole, kind }: GraphValue): boolean {
  const [a, b] = inputs as [GraphValue, GraphValue]
  switch (operation) {
    case 'scalar':
    case 'held':
    case 'load':
      return kind !== 'f32' && kind !== 'f64'
    case 'abs':
      return isSigned(a)
    case 'neg':
      return a.whole
    case 'add':
    case 'sub':
    case 'mul':
      return whole && a.whole && b.whole
    case 'min':
    case 'max':
      return (isSigned(a) && isSigned(b)) || (isUnsigned(a) && isUnsigned(b))
    default:
      return !/^(?:fround|floor|ceil|trunc|whole|div|sqrt|copysign|asFloat)$/.test(operation)
  }
}

export function computeWhole(emitter: Emitter, value: GraphValue): void {
  const { op: operation, inputs, kind, most } = value
  const [a, b] = inputs as [GraphValue, GraphValue]
  const { code, lanes } = emitter
  if (operation === 'whole') return within32(emitter, a, most <= MOST_I32)
  if (!hasBits(value)) return toInt32(emitter, value)
  switch (operation) {
    case 'wrap':
      return wrap(emitter, kind as NumberKind, a)
    case 'shl':
    case 'shr':
    case 'ushr':
      return shift(emitter, WHOLE[operation] as FormPair, a, b)
    case 'clz':
      // There is an instruction for one row alone.
      if (lanes)
        return emitter.laneByLane('i', (lane) => {
          emitter.useLane(a, 'i', lane)
          code.byte(op.I32_CLZ)
        })
      emitter.use(a, 'i')
      return void code.byte(op.I32_CLZ)
    case 'asBits':
      emitter.use(a, 'f')
      if (!lanes) code.byte(op.I32_REINTERPRET_F32)
      return
    case 'neg':
      if (!lanes) code.i32(0)
      emitter.use(a, 'i')
      return emitter.op(op.I32_SUB, op.I32X4_NEG)
    case 'abs':
      return absolute(emitter, a)
    case 'min':
    case 'max':
      return extreme(emitter, EXTREME[operation][isSigned(a) && isSigned(b) ? 0 : 1], a, b)
    case 'number':
      emitter.use(a, 'm')
      if (lanes) emitter.lowestBit()
      return
    case 'select':
      return emitter.chosen(value, 'i', 0)
  }
  emitter.use(a, 'i')
  emitter.use(b, 'i')
  emitter.op(...(WHOLE[operation] as FormPair))
}

function absolute(emitter: Emitter, a: GraphValue): void {
  const { code, lanes } = emitter
  emitter.use(a, 'i')
  if (lanes) return void code.simd(op.I32X4_ABS)
  // (a ^ sign) - sign, where the sign is 0 or -1.
  emitter.use(a, 'i')
  code.i32(31).byte(op.I32_SHR_S, op.I32_XOR)
  emitter.use(a, 'i')
  code.i32(31).byte(op.I32_SHR_S, op.I32_SUB)
}

function extreme(emitter: Emitter, [one, four]: FormPair, a: GraphValue, b: GraphValue): void {
  const { code, lanes } = emitter
  emitter.use(a, 'i')
  emitter.use(b, 'i')
  if (lanes) return void code.simd(four)
  emitter.use(a, 'i')
  emitter.use(b, 'i')
  code.byte(one, op.SELECT)
}

/** What an integer of this kind keeps of the lowest 32 bits. */
function wrap(emitter: Emitter, kind: NumberKind, a: GraphValue): void {
  const { code, lanes } = emitter
  emitter.use(a, 'i')
  const dropped = kind.endsWith('8') ? 24 : kind.endsWith('16') ? 16 : 0
  if (dropped === 0) return
  const signed = hasSign(kind)
  if (lanes)
    code
      .i32(dropped)
      .simd(op.I32X4_SHL)
      .i32(dropped)
      .simd(signed ? op.I32X4_SHR_S : op.I32X4_SHR_U)
  else if (signed) code.byte(dropped === 24 ? op.I32_EXTEND8_S : op.I32_EXTEND16_S)
  else code.i32(dropped === 24 ? 0xff : 0xffff).byte(op.I32_AND)
}

function shift(emitter: Emitter, [one, four]: FormPair, a: GraphValue, b: GraphValue): void {
  const { code, lanes } = emitter
  if (lanes && !b.uniform)
    // Each row by a number of its own.
    return emitter.laneByLane('i', (lane) => {
      emitter.useLane(a, 'i', lane)
      emitter.useLane(b, 'i', lane)
      code.byte(one)
    })
  emitter.use(a, 'i')
  if (lanes) emitter.useOne(b, 'i')
  else emitter.use(b, 'i')
  emitter.op(one, four)
}

/** A whole number that was computed as f64, and lies within 32 bits. */
function within32(emitter: Emitter, a: GraphValue, signed: boolean): void {
  if (emitter.lanes)
    return emitter.joinHalves(a, signed ? op.I32X4_TRUNC_SAT_F64X2_S_ZERO : op.I32X4_TRUNC_SAT_F64X2_U_ZERO)
  emitter.use(a, 'd')
  emitter.code.byte(op.SATURATING, signed ? op.I32_TRUNC_SAT_F64_S : op.I32_TRUNC_SAT_F64_U)
}

/** ToInt32 of what is not whole, or too large to be computed as a whole number. */
function toInt32(emitter: Emitter, value: GraphValue): void {
  const { code } = emitter
  emitter.usesToInt32 = true
  if (!emitter.lanes) {
    emitter.use(value, 'd')
    return void code.byte(op.CALL, TO_INT32)
  }
  // Where all rows lie within 32 bits, without NaN, they are truncated together; else lane by lane.
  const form = value.exact ? 'f' : 'd'
  for (let half = 0; half < (form === 'd' ? 2 : 1); half++) {
    emitter.useTwice(value, form, half)
    float(emitter, 'abs', form)
    emitter.number(2 ** 31, form)
    float(emitter, 'lt', form)
  }
  if (form === 'd') code.simd(op.V128_AND)
  code.simd(op.I32X4_ALL_TRUE).byte(op.IF, op.V128)
  if (form === 'd') emitter.joinHalves(value, op.I32X4_TRUNC_SAT_F64X2_S_ZERO)
  else {
    emitter.use(value, 'f')
    code.simd(op.I32X4_TRUNC_SAT_F32X4_S)
  }
  code.byte(op.ELSE)
  emitter.laneByLane('i', (lane) => {
    emitter.useLane(value, form, lane)
    if (form === 'f') code.byte(op.F64_PROMOTE_F32)
    code.byte(op.CALL, TO_INT32)
  })
  code.byte(op.END)
}

/** Number of the function for ToInt32 in a module: see module.ts. */
export const TO_INT32 = 3
