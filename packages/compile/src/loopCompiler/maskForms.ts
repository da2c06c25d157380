// Owns how booleans are computed: of four rows as masks, which choose between vectors.

import type { Emitter } from './emitter'
import { EVEN_WORDS } from './layout'
import { float } from './floatOps'
import { type CompareOp, type GraphValue, isSigned, isUnsigned } from './graph'
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
  lnot: [op.I32_EQZ, op.V128_NOT],
} as const

export function computeMask(emitter: Emitter, value: GraphValue, form: 'm' | 'w', half: number): void {
  const { op: operation, inputs } = value
  const { code, lanes } = emitter
  if (form === 'w' && !isWide(value)) {
    emitter.use(value, 'm')
    code.simd(half === 0 ? op.I64X2_EXTEND_LOW_I32X4_S : op.I64X2_EXTEND_HIGH_I32X4_S)
  } else if (form === 'm' && lanes && isWide(value)) {
    emitter.use(value, 'w', 0)
    emitter.use(value, 'w', 1)
    emitter.shuffle(EVEN_WORDS)
  } else if (operation === 'select') emitter.chosen(value, form, half)
  else if (operation === 'truth') truth(emitter, inputs[0] as GraphValue, half)
  else if (Object.hasOwn(COMBINE, operation)) {
    for (const input of inputs) emitter.use(input, form, half)
    const [one, four] = COMBINE[operation as keyof typeof COMBINE]
    emitter.op(one, four)
  } else compare(emitter, value, operation as CompareOp, half)
}

/** In which form two numbers compare: the narrowest in which they compare alike. -0 equals 0. */
function comparedAs(a: GraphValue, b: GraphValue): 'signed' | 'unsigned' | 'f' | 'd' {
  if (isSigned(a) && isSigned(b)) return 'signed'
  if (isUnsigned(a) && isUnsigned(b)) return 'unsigned'
  return a.exact && b.exact ? 'f' : 'd'
}

/** Whether its mask is computed in halves. */
function isWide({ op: operation, inputs }: GraphValue): boolean {
  const [a, b = a] = inputs as [GraphValue, GraphValue?]
  return (operation === 'truth' || Object.hasOwn(COMPARE, operation)) && comparedAs(a, b) === 'd'
}

/** Whether a number is neither 0 nor NaN. */
function truth(emitter: Emitter, a: GraphValue, half: number): void {
  const as = comparedAs(a, a)
  if (as === 'f' || as === 'd') {
    // 0 < |a| holds neither for 0 nor for NaN.
    emitter.number(0, as)
    emitter.use(a, as, half)
    float(emitter, 'abs', as)
    return float(emitter, 'lt', as)
  }
  emitter.use(a, 'i')
  if (emitter.lanes) emitter.notZero()
  else emitter.code.byte(op.I32_EQZ, op.I32_EQZ)
}

function compare(emitter: Emitter, { inputs }: GraphValue, operation: CompareOp, half: number): void {
  const [a, b] = inputs as [GraphValue, GraphValue]
  const as = comparedAs(a, b)
  const form = as === 'f' || as === 'd' ? as : 'i'
  emitter.use(a, form, half)
  emitter.use(b, form, half)
  const [one, four, oneUnsigned, fourUnsigned] = COMPARE[operation]
  if (form !== 'i') float(emitter, operation, form)
  else if (as === 'signed') emitter.op(one, four)
  else emitter.op(oneUnsigned, fourUnsigned)
}
