// Owns how floats are computed: as f32 where the result is proven to be that of JavaScript, see graph.ts, and as f64 elsewhere.

import type { Emitter } from './emitter'
import { LANES, LOW_HALVES, type Layout } from './layout'
import { type CompareOp, type Value, isI32, isU32 } from './graph'
import * as op from './opcodes'
import { loadTransposed } from './transpose'
import { hasBits } from './wholeForm'

type FloatOp =
  | 'abs'
  | 'neg'
  | 'ceil'
  | 'floor'
  | 'trunc'
  | 'sqrt'
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'min'
  | 'max'
  | CompareOp

/** Instructions for f32, f64, f32x4 and f64x2. */
const FLOAT: Readonly<Record<FloatOp, readonly [number, number, number, number]>> = {
  abs: [op.F32_ABS, op.F64_ABS, op.F32X4_ABS, op.F64X2_ABS],
  neg: [op.F32_NEG, op.F64_NEG, op.F32X4_NEG, op.F64X2_NEG],
  ceil: [op.F32_CEIL, op.F64_CEIL, op.F32X4_CEIL, op.F64X2_CEIL],
  floor: [op.F32_FLOOR, op.F64_FLOOR, op.F32X4_FLOOR, op.F64X2_FLOOR],
  trunc: [op.F32_TRUNC, op.F64_TRUNC, op.F32X4_TRUNC, op.F64X2_TRUNC],
  sqrt: [op.F32_SQRT, op.F64_SQRT, op.F32X4_SQRT, op.F64X2_SQRT],
  add: [op.F32_ADD, op.F64_ADD, op.F32X4_ADD, op.F64X2_ADD],
  sub: [op.F32_SUB, op.F64_SUB, op.F32X4_SUB, op.F64X2_SUB],
  mul: [op.F32_MUL, op.F64_MUL, op.F32X4_MUL, op.F64X2_MUL],
  div: [op.F32_DIV, op.F64_DIV, op.F32X4_DIV, op.F64X2_DIV],
  min: [op.F32_MIN, op.F64_MIN, op.F32X4_MIN, op.F64X2_MIN],
  max: [op.F32_MAX, op.F64_MAX, op.F32X4_MAX, op.F64X2_MAX],
  eq: [op.F32_EQ, op.F64_EQ, op.F32X4_EQ, op.F64X2_EQ],
  ne: [op.F32_NE, op.F64_NE, op.F32X4_NE, op.F64X2_NE],
  lt: [op.F32_LT, op.F64_LT, op.F32X4_LT, op.F64X2_LT],
  le: [op.F32_LE, op.F64_LE, op.F32X4_LE, op.F64X2_LE],
}

export function float({ code, lanes }: Emitter, operation: FloatOp, wide: boolean): void {
  const [f32, f64, f32x4, f64x2] = FLOAT[operation]
  if (lanes) code.simd(wide ? f64x2 : f32x4)
  else code.byte(wide ? f64 : f32)
}

/** The value rounded to f32. */
export function computeF32(emitter: Emitter, value: Value): void {
  const { op: operation, inputs, data, kind } = value
  const [a, b] = inputs as [Value, Value]
  const { code } = emitter
  switch (operation) {
    case 'const':
      return void code.f32(data as number)
    case 'scalar':
      if (kind !== 'f32') break
      return emitter.scalar(value)
    case 'held':
      if (kind !== 'f32') break
      return emitter.held(value)
    case 'load':
      if (kind !== 'f32') break
      return loadF32(emitter, value)
    case 'fround':
      return emitter.use(a, 'f')
    case 'neg':
    case 'abs':
      // Rounding does not depend on the sign.
      emitter.use(a, 'f')
      return float(emitter, operation, false)
    case 'min':
    case 'max':
      // Rounding keeps the order.
      emitter.use(a, 'f')
      emitter.use(b, 'f')
      return float(emitter, operation, false)
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
      if (!a.exact || !b.exact) break
      emitter.use(a, 'f')
      emitter.use(b, 'f')
      return float(emitter, operation, false)
    case 'sqrt':
    case 'floor':
    case 'ceil':
    case 'trunc':
      if (!a.exact) break
      emitter.use(a, 'f')
      return float(emitter, operation, false)
    case 'copysign':
      if (!b.exact) break
      return withSign(emitter, a, b, 'f', 0)
    case 'asFloat':
      emitter.use(a, 'i')
      if (!emitter.lanes) code.byte(op.F32_REINTERPRET_I32)
      return
    case 'number':
      emitter.use(a, 'm')
      if (emitter.lanes) code.f32(1).simd(op.F32X4_SPLAT).simd(op.V128_AND)
      else code.byte(op.F32_CONVERT_I32_S)
      return
    case 'select':
      return emitter.chosen(value, 'f', 0)
  }
  if ((isI32(value) || isU32(value)) && hasBits(value)) return converted(emitter, value)
  demoted(emitter, value)
}

function converted(emitter: Emitter, value: Value): void {
  emitter.use(value, 'i')
  if (emitter.lanes) emitter.code.simd(isI32(value) ? op.F32X4_CONVERT_I32X4_S : op.F32X4_CONVERT_I32X4_U)
  else emitter.code.byte(isI32(value) ? op.F32_CONVERT_I32_S : op.F32_CONVERT_I32_U)
}

/** Computed as f64, and rounded. */
function demoted(emitter: Emitter, value: Value): void {
  const { code } = emitter
  if (!emitter.lanes) {
    emitter.use(value, 'd')
    return void code.byte(op.F32_DEMOTE_F64)
  }
  for (const half of [0, 1]) {
    emitter.use(value, 'd', half)
    code.simd(op.F32X4_DEMOTE_F64X2_ZERO)
  }
  emitter.shuffle(LOW_HALVES)
}

/** The value itself. */
export function computeF64(emitter: Emitter, value: Value, half: number): void {
  const { op: operation, inputs, data, kind } = value
  const [a, b] = inputs as [Value, Value]
  const { code } = emitter
  if (operation === 'const') return void code.f64(data as number)
  if (kind === 'f64' && operation === 'scalar') return emitter.scalar(value)
  if (kind === 'f64' && operation === 'held') return emitter.held(value)
  if (kind === 'f64' && operation === 'load') return loadF64(emitter, value, half)
  if (kind === 'f32' && operation === 'load' && emitter.lanes && isDense(emitter, value)) {
    emitter.address(data as number)
    return void code.simdMemory(op.V128_LOAD64_ZERO, 8 * half).simd(op.F64X2_PROMOTE_LOW_F32X4)
  }
  if (operation === 'whole') return emitter.use(a, 'd', half)
  if ((isI32(value) || isU32(value)) && hasBits(value)) return widened(emitter, value, half)
  const isWholeSum = value.whole && (operation === 'add' || operation === 'sub' || operation === 'mul')
  if (value.exact && !isWholeSum) return promoted(emitter, value, half)
  switch (operation) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'min':
    case 'max':
      emitter.use(a, 'd', half)
      emitter.use(b, 'd', half)
      return float(emitter, operation, true)
    case 'neg':
    case 'abs':
    case 'sqrt':
    case 'floor':
    case 'ceil':
    case 'trunc':
      emitter.use(a, 'd', half)
      return float(emitter, operation, true)
    case 'copysign':
      return withSign(emitter, a, b, 'd', half)
    case 'select':
      return emitter.chosen(value, 'd', half)
    default:
      // Of a whole number that is too large for 32 bits.
      return promoted(emitter, value, half)
  }
}

/** Computed as f32, and widened. */
function promoted(emitter: Emitter, value: Value, half: number): void {
  emitter.use(value, 'f')
  if (!emitter.lanes) return void emitter.code.byte(op.F64_PROMOTE_F32)
  if (half === 1) emitter.highHalf()
  emitter.code.simd(op.F64X2_PROMOTE_LOW_F32X4)
}

/** Computed as a whole number, and widened. */
function widened(emitter: Emitter, value: Value, half: number): void {
  emitter.use(value, 'i')
  if (!emitter.lanes)
    return void emitter.code.byte(isI32(value) ? op.F64_CONVERT_I32_S : op.F64_CONVERT_I32_U)
  if (half === 1) emitter.highHalf()
  emitter.code.simd(isI32(value) ? op.F64X2_CONVERT_LOW_I32X4_S : op.F64X2_CONVERT_LOW_I32X4_U)
}

/** The first with the sign of the second. */
function withSign(emitter: Emitter, a: Value, b: Value, form: 'f' | 'd', half: number): void {
  const { code } = emitter
  const wide = form === 'd'
  emitter.use(a, form, half)
  if (!emitter.lanes) {
    emitter.use(b, form)
    return void code.byte(wide ? op.F64_COPYSIGN : op.F32_COPYSIGN)
  }
  code.simd(wide ? op.F64X2_ABS : op.F32X4_ABS)
  emitter.use(b, form, half)
  if (wide) code.f64(-0).simd(op.F64X2_SPLAT)
  else code.f32(-0).simd(op.F32X4_SPLAT)
  code.simd(op.V128_AND).simd(op.V128_OR)
}

/** Whether the values of four rows lie side by side. */
function isDense({ columns }: Emitter, { data }: Value): boolean {
  const { rowBytes, itemBytes } = columns[data as number] as Layout
  return rowBytes === itemBytes
}

function loadF32(emitter: Emitter, value: Value): void {
  const column = value.data as number
  const { rowBytes } = emitter.columns[column] as Layout
  const { code } = emitter
  const load = (lane: number): void => {
    emitter.address(column)
    code.memory(op.F32_LOAD, 4 * value.element + lane * rowBytes)
  }
  if (!emitter.lanes) return load(0)
  if (!isDense(emitter, value)) {
    if (!loadTransposed(emitter, value, 'f')) emitter.laneByLane(op.F32X4_SPLAT, op.F32X4_REPLACE_LANE, load)
    return
  }
  emitter.address(column)
  code.simdMemory(op.V128_LOAD, 0)
}

function loadF64(emitter: Emitter, value: Value, half: number): void {
  const column = value.data as number
  const { rowBytes } = emitter.columns[column] as Layout
  const { code } = emitter
  const perHalf = LANES / 2
  const load = (lane: number): void => {
    emitter.address(column)
    code.memory(op.F64_LOAD, 8 * value.element + (perHalf * half + lane) * rowBytes)
  }
  if (!emitter.lanes) return load(0)
  if (!isDense(emitter, value))
    return emitter.laneByLane(op.F64X2_SPLAT, op.F64X2_REPLACE_LANE, load, perHalf)
  emitter.address(column)
  code.simdMemory(op.V128_LOAD, 16 * half)
}
