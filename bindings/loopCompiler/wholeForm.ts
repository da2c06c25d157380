// Owns how whole numbers are computed: the lowest 32 bits of a value, as ToInt32 gives them.

import type { Emitter } from './emitter'
import { LOW_HALVES, type Layout, loadOf } from './layout'
import { type BitsOp, type Value, isSigned, isUnsigned } from './graph'
import * as op from './opcodes'
import { loadTransposed } from './transpose'

const MOST_I32 = 0x7fffffff

/** Instructions for one row and for four. */
export const WHOLE: Readonly<Record<'add' | 'sub' | 'mul' | BitsOp, readonly [one: number, four: number]>> = {
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

/** Whether the lowest 32 bits are computed without computing the value as f64. */
export function hasBits({ op: operation, inputs, whole }: Value): boolean {
  const [a, b] = inputs as [Value, Value]
  switch (operation) {
    case 'fround':
    case 'floor':
    case 'ceil':
    case 'trunc':
    case 'whole':
      return false
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
      return true
  }
}

export function computeWhole(emitter: Emitter, value: Value): void {
  const { op: operation, inputs, data } = value
  const [a, b] = inputs as [Value, Value]
  const { code, lanes } = emitter
  switch (operation) {
    case 'const':
      return void code.i32((data as number) | 0)
    case 'scalar':
      if (isFloat(value)) break
      return emitter.scalar(value)
    case 'held':
      if (isFloat(value)) break
      return emitter.held(value)
    case 'load':
      if (isFloat(value)) break
      return loadWhole(emitter, value)
    case 'wrap':
      return wrap(emitter, value.kind as string, a)
    case 'whole':
      return within32(emitter, value, a)
    case 'add':
    case 'sub':
    case 'mul':
      if (!hasBits(value)) break
      return both(emitter, a, b, WHOLE[operation])
    case 'and':
    case 'or':
    case 'xor':
    case 'imul':
      return both(emitter, a, b, WHOLE[operation])
    case 'shl':
    case 'shr':
    case 'ushr':
      return shift(emitter, operation, a, b)
    case 'clz':
      if (lanes) return perLane(emitter, op.I32_CLZ, a)
      emitter.use(a, 'i')
      return void code.byte(op.I32_CLZ)
    case 'asBits':
      emitter.use(a, 'f')
      if (!lanes) code.byte(op.I32_REINTERPRET_F32)
      return
    case 'neg':
      if (!a.whole) break
      return negate(emitter, a)
    case 'abs':
      if (!isSigned(a)) break
      return absolute(emitter, a)
    case 'min':
    case 'max':
      if (!hasBits(value)) break
      return extreme(emitter, operation, a, b)
    case 'number':
      emitter.use(a, 'm')
      if (lanes) code.i32(1).simd(op.I32X4_SPLAT).simd(op.V128_AND)
      return
    case 'select':
      return emitter.chosen(value, 'i', 0)
  }
  toInt32(emitter, value)
}

const isFloat = ({ kind }: Value): boolean => kind === 'f32' || kind === 'f64'

function both(emitter: Emitter, a: Value, b: Value, [one, four]: readonly [number, number]): void {
  emitter.use(a, 'i')
  emitter.use(b, 'i')
  if (emitter.lanes) emitter.code.simd(four)
  else emitter.code.byte(one)
}

/** An instruction that there is for one row alone. */
function perLane(emitter: Emitter, opcode: number, a: Value): void {
  const { code } = emitter
  emitter.laneByLane(op.I32X4_SPLAT, op.I32X4_REPLACE_LANE, (lane) => {
    emitter.use(a, 'i')
    code.simd(op.I32X4_EXTRACT_LANE).byte(lane).byte(opcode)
  })
}

function negate(emitter: Emitter, a: Value): void {
  const { code, lanes } = emitter
  if (!lanes) code.i32(0)
  emitter.use(a, 'i')
  if (lanes) code.simd(op.I32X4_NEG)
  else code.byte(op.I32_SUB)
}

function absolute(emitter: Emitter, a: Value): void {
  const { code, lanes } = emitter
  emitter.use(a, 'i')
  if (lanes) return void code.simd(op.I32X4_ABS)
  // (a ^ sign) - sign, where the sign is 0 or -1.
  emitter.use(a, 'i')
  code.i32(31).byte(op.I32_SHR_S, op.I32_XOR)
  emitter.use(a, 'i')
  code.i32(31).byte(op.I32_SHR_S, op.I32_SUB)
}

function extreme(emitter: Emitter, operation: 'min' | 'max', a: Value, b: Value): void {
  const { code, lanes } = emitter
  const signed = isSigned(a) && isSigned(b)
  const least = operation === 'min'
  emitter.use(a, 'i')
  emitter.use(b, 'i')
  if (lanes) {
    const [withSign, without] = least ? [op.I32X4_MIN_S, op.I32X4_MIN_U] : [op.I32X4_MAX_S, op.I32X4_MAX_U]
    return void code.simd(signed ? withSign : without)
  }
  emitter.use(a, 'i')
  emitter.use(b, 'i')
  const [withSign, without] = least ? [op.I32_LT_S, op.I32_LT_U] : [op.I32_GT_S, op.I32_GT_U]
  code.byte(signed ? withSign : without, op.SELECT)
}

function loadWhole(emitter: Emitter, value: Value): void {
  const { data, element } = value
  const column = data as number
  const { rowBytes, itemBytes, kind } = emitter.columns[column] as Layout
  const offset = element * itemBytes
  const { code } = emitter
  const signed = kind.startsWith('i')
  if (!emitter.lanes) {
    emitter.address(column)
    return void code.memory(loadOf(kind), offset)
  }
  if (rowBytes !== itemBytes) {
    if (loadTransposed(emitter, value, 'i')) return
    return emitter.laneByLane(op.I32X4_SPLAT, op.I32X4_REPLACE_LANE, (lane) => {
      emitter.address(column)
      code.memory(loadOf(kind), offset + lane * rowBytes)
    })
  }
  emitter.address(column)
  if (itemBytes === 4) code.simdMemory(op.V128_LOAD, offset)
  else if (itemBytes === 2) code.simdMemory(signed ? op.V128_LOAD16X4_S : op.V128_LOAD16X4_U, offset)
  else {
    code
      .simdMemory(op.V128_LOAD32_ZERO, offset)
      .simd(signed ? op.I16X8_EXTEND_LOW_I8X16_S : op.I16X8_EXTEND_LOW_I8X16_U)
      .simd(signed ? op.I32X4_EXTEND_LOW_I16X8_S : op.I32X4_EXTEND_LOW_I16X8_U)
  }
}

/** What an integer of this kind keeps of the lowest 32 bits. */
function wrap(emitter: Emitter, kind: string, a: Value): void {
  const { code, lanes } = emitter
  emitter.use(a, 'i')
  const dropped = kind.endsWith('8') ? 24 : kind.endsWith('16') ? 16 : 0
  if (dropped === 0) return
  const signed = kind.startsWith('i')
  if (lanes)
    code
      .i32(dropped)
      .simd(op.I32X4_SHL)
      .i32(dropped)
      .simd(signed ? op.I32X4_SHR_S : op.I32X4_SHR_U)
  else if (signed) code.byte(dropped === 24 ? op.I32_EXTEND8_S : op.I32_EXTEND16_S)
  else code.i32(dropped === 24 ? 0xff : 0xffff).byte(op.I32_AND)
}

function shift(emitter: Emitter, operation: 'shl' | 'shr' | 'ushr', a: Value, b: Value): void {
  const { code, lanes } = emitter
  const [one, four] = WHOLE[operation]
  if (!lanes || b.uniform) {
    emitter.use(a, 'i')
    if (lanes) emitter.useOne(b, 'i')
    else emitter.use(b, 'i')
    return void (lanes ? code.simd(four) : code.byte(one))
  }
  // Each row by a number of its own.
  emitter.laneByLane(op.I32X4_SPLAT, op.I32X4_REPLACE_LANE, (lane) => {
    for (const value of [a, b]) {
      emitter.use(value, 'i')
      code.simd(op.I32X4_EXTRACT_LANE).byte(lane)
    }
    code.byte(one)
  })
}

/** A whole number that was computed as f64, and lies within 32 bits. */
function within32(emitter: Emitter, { most }: Value, a: Value): void {
  const { code } = emitter
  const signed = most <= MOST_I32
  if (!emitter.lanes) {
    emitter.use(a, 'd')
    return void code.byte(op.SATURATING, signed ? op.I32_TRUNC_SAT_F64_S : op.I32_TRUNC_SAT_F64_U)
  }
  for (const half of [0, 1]) {
    emitter.use(a, 'd', half)
    code.simd(signed ? op.I32X4_TRUNC_SAT_F64X2_S_ZERO : op.I32X4_TRUNC_SAT_F64X2_U_ZERO)
  }
  emitter.shuffle(LOW_HALVES)
}

/** ToInt32 of what is not whole, or too large to be computed as a whole number. */
function toInt32(emitter: Emitter, value: Value): void {
  const { code } = emitter
  emitter.usesToInt32 = true
  if (!emitter.lanes) {
    emitter.use(value, 'd')
    return void code.byte(op.CALL, TO_INT32)
  }
  // Where all rows lie within 32 bits, without NaN, they are truncated together; else lane by lane.
  if (value.exact) {
    emitter.useTwice(value, 'f')
    code
      .simd(op.F32X4_ABS)
      .f32(2 ** 31)
      .simd(op.F32X4_SPLAT)
      .simd(op.F32X4_LT)
    code.simd(op.I32X4_ALL_TRUE).byte(op.IF, op.V128)
    emitter.use(value, 'f')
    code.simd(op.I32X4_TRUNC_SAT_F32X4_S).byte(op.ELSE)
    emitter.laneByLane(op.I32X4_SPLAT, op.I32X4_REPLACE_LANE, (lane) => {
      emitter.use(value, 'f')
      code.simd(op.F32X4_EXTRACT_LANE).byte(lane).byte(op.F64_PROMOTE_F32, op.CALL, TO_INT32)
    })
    return void code.byte(op.END)
  }
  for (const half of [0, 1]) {
    emitter.useTwice(value, 'd', half)
    code
      .simd(op.F64X2_ABS)
      .f64(2 ** 31)
      .simd(op.F64X2_SPLAT)
      .simd(op.F64X2_LT)
  }
  code.simd(op.V128_AND).simd(op.I32X4_ALL_TRUE).byte(op.IF, op.V128)
  for (const half of [0, 1]) {
    emitter.use(value, 'd', half)
    code.simd(op.I32X4_TRUNC_SAT_F64X2_S_ZERO)
  }
  emitter.shuffle(LOW_HALVES)
  code.byte(op.ELSE)
  emitter.laneByLane(op.I32X4_SPLAT, op.I32X4_REPLACE_LANE, (lane) => {
    emitter.use(value, 'd', lane >> 1)
    code
      .simd(op.F64X2_EXTRACT_LANE)
      .byte(lane & 1)
      .byte(op.CALL, TO_INT32)
  })
  code.byte(op.END)
}

/** Number of the function for ToInt32 in a module: see module.ts. */
export const TO_INT32 = 3
