// Owns how booleans are computed: of four rows as masks, which choose between vectors.

import type { Emitter, Form } from './emitter'
import { EVEN_WORDS } from './layout'
import { float } from './floatForms'
import { type CompareOp, type Value, isSigned, isUnsigned } from './graph'
import * as op from './opcodes'

/** Comparisons of whole numbers: of one row and of four with a sign, then without. */
const COMPARE: Readonly<Record<CompareOp, readonly [number, number, number, number]>> = {
  eq: [op.I32_EQ, op.I32X4_EQ, op.I32_EQ, op.I32X4_EQ],
  ne: [op.I32_NE, op.I32X4_NE, op.I32_NE, op.I32X4_NE],
  lt: [op.I32_LT_S, op.I32X4_LT_S, op.I32_LT_U, op.I32X4_LT_U],
  le: [op.I32_LE_S, op.I32X4_LE_S, op.I32_LE_U, op.I32X4_LE_U],
}

/** Of booleans: for one row and for four. */
const COMBINE = {
  land: [op.I32_AND, op.V128_AND],
  lor: [op.I32_OR, op.V128_OR],
  lxor: [op.I32_XOR, op.V128_XOR],
} as const

export function computeMask(emitter: Emitter, value: Value, form: 'm' | 'w', half: number): void {
  const { op: operation, inputs, data } = value
  const [a, b] = inputs as [Value, Value]
  const { code, lanes } = emitter
  if (form === 'w' && !isWide(value)) {
    emitter.use(value, 'm')
    return void code.simd(half === 0 ? op.I64X2_EXTEND_LOW_I32X4_S : op.I64X2_EXTEND_HIGH_I32X4_S)
  }
  switch (operation) {
    case 'const':
      return void code.i32(data === true ? 1 : 0)
    case 'scalar':
      return emitter.scalar(value)
    case 'held':
      return emitter.held(value)
    case 'load':
      return loadMask(emitter, data as number)
    case 'lnot':
      emitter.use(a, form, half)
      return void (lanes ? code.simd(op.V128_NOT) : code.byte(op.I32_EQZ))
    case 'land':
    case 'lor':
    case 'lxor': {
      emitter.use(a, form, half)
      emitter.use(b, form, half)
      const [one, four] = COMBINE[operation]
      return void (lanes ? code.simd(four) : code.byte(one))
    }
    case 'select':
      return emitter.chosen(value, form, half)
    case 'truth':
      return truth(emitter, value, a, form, half)
    default:
      return compare(emitter, value, operation as CompareOp, form, half)
  }
}

/** A byte is true unless it is 0. */
function loadMask(emitter: Emitter, column: number): void {
  const { code } = emitter
  emitter.address(column)
  if (!emitter.lanes) return void code.memory(op.I32_LOAD8_U, 0).byte(op.I32_EQZ, op.I32_EQZ)
  code.simdMemory(op.V128_LOAD32_ZERO, 0).simd(op.I16X8_EXTEND_LOW_I8X16_U).simd(op.I32X4_EXTEND_LOW_I16X8_U)
  code.i32(0).simd(op.I32X4_SPLAT).simd(op.I32X4_NE)
}

/** In which form two numbers compare: the narrowest in which they compare alike. -0 equals 0. */
function comparedAs(a: Value, b: Value): 'signed' | 'unsigned' | 'f' | 'd' {
  if (isSigned(a) && isSigned(b)) return 'signed'
  if (isUnsigned(a) && isUnsigned(b)) return 'unsigned'
  return a.exact && b.exact ? 'f' : 'd'
}

/** In which form a number is asked whether it is neither 0 nor NaN. */
function askedAs(a: Value): 'i' | 'f' | 'd' {
  if (isSigned(a) || isUnsigned(a)) return 'i'
  return a.exact ? 'f' : 'd'
}

/** Whether its mask is computed in halves. */
function isWide({ op: operation, inputs }: Value): boolean {
  const [a, b] = inputs as [Value, Value]
  if (operation === 'truth') return askedAs(a) === 'd'
  if (operation !== 'lt' && operation !== 'le' && operation !== 'eq' && operation !== 'ne') return false
  return comparedAs(a, b) === 'd'
}

/** Two halves as one mask. */
function narrowed(emitter: Emitter, value: Value): void {
  emitter.use(value, 'w', 0)
  emitter.use(value, 'w', 1)
  emitter.shuffle(EVEN_WORDS)
}

function truth(emitter: Emitter, value: Value, a: Value, form: 'm' | 'w', half: number): void {
  const { code, lanes } = emitter
  const as = askedAs(a)
  if (as === 'i') {
    emitter.use(a, 'i')
    if (lanes) code.i32(0).simd(op.I32X4_SPLAT).simd(op.I32X4_NE)
    else code.byte(op.I32_EQZ, op.I32_EQZ)
    return
  }
  const wide = as === 'd'
  if (wide && lanes && form === 'm') return narrowed(emitter, value)
  // 0 < |a| holds neither for 0 nor for NaN.
  if (wide) code.f64(0)
  else code.f32(0)
  if (lanes) code.simd(wide ? op.F64X2_SPLAT : op.F32X4_SPLAT)
  emitter.use(a, as, half)
  float(emitter, 'abs', wide)
  float(emitter, 'lt', wide)
}

function compare(emitter: Emitter, value: Value, operation: CompareOp, form: Form, half: number): void {
  const { code, lanes } = emitter
  const [a, b] = value.inputs as [Value, Value]
  const as = comparedAs(a, b)
  if (as === 'd' && lanes && form === 'm') return narrowed(emitter, value)
  if (as === 'f' || as === 'd') {
    emitter.use(a, as, half)
    emitter.use(b, as, half)
    return float(emitter, operation, as === 'd')
  }
  emitter.use(a, 'i')
  emitter.use(b, 'i')
  const [one, four, oneUnsigned, fourUnsigned] = COMPARE[operation]
  if (lanes) code.simd(as === 'signed' ? four : fourUnsigned)
  else code.byte(as === 'signed' ? one : oneUnsigned)
}
