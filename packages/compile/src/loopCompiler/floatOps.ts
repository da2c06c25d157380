// Owns the operations of floats for which there are instructions.

import type { Emitter } from './emitter'
import type { CompareOp, Op } from './graph'
import type { NumberForm } from './layout'
import * as op from './opcodes'

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

/** Instructions for f32, f32x4 and f64x2. Those for f64 come as long after those for f32 as the first of them. */
const FLOAT: Readonly<Record<FloatOp, readonly [number, number, number]>> = {
  abs: [op.F32_ABS, op.F32X4_ABS, op.F64X2_ABS],
  neg: [op.F32_NEG, op.F32X4_NEG, op.F64X2_NEG],
  ceil: [op.F32_CEIL, op.F32X4_CEIL, op.F64X2_CEIL],
  floor: [op.F32_FLOOR, op.F32X4_FLOOR, op.F64X2_FLOOR],
  trunc: [op.F32_TRUNC, op.F32X4_TRUNC, op.F64X2_TRUNC],
  sqrt: [op.F32_SQRT, op.F32X4_SQRT, op.F64X2_SQRT],
  add: [op.F32_ADD, op.F32X4_ADD, op.F64X2_ADD],
  sub: [op.F32_SUB, op.F32X4_SUB, op.F64X2_SUB],
  mul: [op.F32_MUL, op.F32X4_MUL, op.F64X2_MUL],
  div: [op.F32_DIV, op.F32X4_DIV, op.F64X2_DIV],
  min: [op.F32_MIN, op.F32X4_MIN, op.F64X2_MIN],
  max: [op.F32_MAX, op.F32X4_MAX, op.F64X2_MAX],
  eq: [op.F32_EQ, op.F32X4_EQ, op.F64X2_EQ],
  ne: [op.F32_NE, op.F32X4_NE, op.F64X2_NE],
  lt: [op.F32_LT, op.F32X4_LT, op.F64X2_LT],
  le: [op.F32_LE, op.F32X4_LE, op.F64X2_LE],
}

export const isFloatOp = (operation: Op): operation is FloatOp & Op => Object.hasOwn(FLOAT, operation)

/** What an operation of f32 or f64 makes of what is on the stack. */
export function float(emitter: Emitter, operation: FloatOp, form: NumberForm): void {
  const [f32, f32x4, f64x2] = FLOAT[operation]
  const distance = f32 < op.F32_ABS ? op.F64_EQ - op.F32_EQ : op.F64_ABS - op.F32_ABS
  if (form === 'd') emitter.op(f32 + distance, f64x2)
  else emitter.op(f32, f32x4)
}
