// Owns how floats are computed: as f32 where the result is proven to be that of JavaScript, see graph.ts, and as f64 elsewhere.

import type { Emitter } from './emitter'
import { float, isFloatOp } from './floatOps'
import { type GraphValue, isI32, isU32 } from './graph'
import type { NumberForm } from './layout'
import { isDense } from './loading'
import * as op from './opcodes'
import { hasBits } from './wholeForm'

/** Rounding to f32 neither depends on the sign nor changes the order: it may come before these. */
const ROUNDS_BEFORE = /^(?:abs|neg|min|max)$/

/** The value rounded to f32. */
export function computeF32(emitter: Emitter, value: GraphValue): void {
  const { op: operation, inputs } = value
  const [a, b] = inputs as [GraphValue, GraphValue]
  const isExact = inputs.every(({ exact }) => exact)
  if (isFloatOp(operation) && (ROUNDS_BEFORE.test(operation) || isExact)) {
    for (const input of inputs) emitter.use(input, 'f')
    return float(emitter, operation, 'f')
  }
  switch (operation) {
    case 'fround':
      return emitter.use(a, 'f')
    case 'copysign':
      if (b.exact) return withSign(emitter, a, b, 'f', 0)
      break
    case 'asFloat':
      emitter.use(a, 'i')
      if (!emitter.lanes) emitter.code.byte(op.F32_REINTERPRET_I32)
      return
    case 'number':
      emitter.use(a, 'm')
      if (emitter.lanes) emitter.number(1, 'f')
      return emitter.op(op.F32_CONVERT_I32_S, op.V128_AND)
    case 'select':
      return emitter.chosen(value, 'f', 0)
  }
  if (isConvertible(value)) {
    emitter.use(value, 'i')
    if (isI32(value)) emitter.op(op.F32_CONVERT_I32_S, op.F32X4_CONVERT_I32X4_S)
    else emitter.op(op.F32_CONVERT_I32_U, op.F32X4_CONVERT_I32X4_U)
  } else if (emitter.lanes) emitter.joinHalves(value, op.F32X4_DEMOTE_F64X2_ZERO)
  else {
    emitter.use(value, 'd')
    emitter.code.byte(op.F32_DEMOTE_F64)
  }
}

/** Whether it is a whole number of 32 bits, not -0, that is computed as one. */
const isConvertible = (value: GraphValue): boolean => (isI32(value) || isU32(value)) && hasBits(value)

/** The value itself. */
export function computeF64(emitter: Emitter, value: GraphValue, half: number): void {
  const { op: operation, inputs, data, kind } = value
  const [a, b] = inputs as [GraphValue, GraphValue]
  if (operation === 'load' && kind === 'f32' && emitter.lanes && isDense(emitter, value)) {
    emitter.address(data as number)
    emitter.code.simdMemory(op.V128_LOAD64_ZERO, 8 * half).simd(op.F64X2_PROMOTE_LOW_F32X4)
  } else if (operation === 'whole') emitter.use(a, 'd', half)
  else if (isConvertible(value)) {
    if (isI32(value)) widened(emitter, value, 'i', half, op.F64_CONVERT_I32_S, op.F64X2_CONVERT_LOW_I32X4_S)
    else widened(emitter, value, 'i', half, op.F64_CONVERT_I32_U, op.F64X2_CONVERT_LOW_I32X4_U)
  } else if (isFloatOp(operation) && (!value.exact || isWholeSum(value))) {
    for (const input of inputs) emitter.use(input, 'd', half)
    float(emitter, operation, 'd')
  } else if (operation === 'copysign' && !value.exact) withSign(emitter, a, b, 'd', half)
  else if (operation === 'select' && !value.exact) emitter.chosen(value, 'd', half)
  // An exact f32, or a whole number that is too large for 32 bits.
  else widened(emitter, value, 'f', half, op.F64_PROMOTE_F32, op.F64X2_PROMOTE_LOW_F32X4)
}

const isWholeSum = ({ op: operation, whole }: GraphValue): boolean =>
  whole && (operation === 'add' || operation === 'sub' || operation === 'mul')

/** Computed in a narrower form, and widened. */
function widened(
  emitter: Emitter,
  value: GraphValue,
  form: NumberForm,
  half: number,
  one: number,
  four: number,
): void {
  emitter.use(value, form)
  if (half === 1) emitter.highHalf()
  emitter.op(one, four)
}

/** The first with the sign of the second. */
function withSign(emitter: Emitter, a: GraphValue, b: GraphValue, form: 'f' | 'd', half: number): void {
  const { code, lanes } = emitter
  const wide = form === 'd'
  emitter.use(a, form, half)
  if (lanes) float(emitter, 'abs', form)
  emitter.use(b, form, half)
  if (!lanes) return void code.byte(wide ? op.F64_COPYSIGN : op.F32_COPYSIGN)
  emitter.number(-0, form)
  code.simd(op.V128_AND).simd(op.V128_OR)
}
