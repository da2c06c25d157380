// Owns which SIMD instructions an operation on four lanes takes, by type. Values of the lanes are as assembly/kernel/lanes.ts
// says: integers narrower than 32 bits are widened and always within their range, a bool is a mask. Types of 64 bits have no
// lanes.

import { bitsOf, isNarrow, isSigned, type ValueType } from './valueTypes'

const ARITHMETIC: Readonly<Record<string, string>> = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div' }
const BITWISE: Readonly<Record<string, string>> = { '&': 'and', '|': 'or', '^': 'xor' }
const COMPARISONS: Readonly<Record<string, string>> = {
  '==': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
}

/** Cuts the result of an operation to the width of its type. */
function cut(type: ValueType, text: string): string {
  return isNarrow(type) ? `__library.cutLanes<${type}>(${text})` : text
}

/** Arithmetic and bitwise operations but shifts; undefined where lanes have none. */
export function laneBinary(operator: string, type: ValueType, a: string, b: string): string | undefined {
  const bitwise = BITWISE[operator]
  if (bitwise !== undefined) return type === 'f32' ? undefined : `v128.${bitwise}(${a}, ${b})`
  const arithmetic = ARITHMETIC[operator]
  if (arithmetic === undefined || type === 'bool') return undefined
  if (type === 'f32') return `f32x4.${arithmetic}(${a}, ${b})`
  return operator === '/' ? undefined : cut(type, `i32x4.${arithmetic}(${a}, ${b})`)
}

/** A shift of all lanes by one amount, an i32 expression. */
export function laneShift(operator: string, type: ValueType, a: string, amount: string): string {
  const right = operator === '>>' && isSigned(type) ? 'shr_s' : 'shr_u'
  return cut(type, `i32x4.${operator === '<<' ? 'shl' : right}(${a}, ${amount})`)
}

/** A shift of each lane by an amount of its own, which is taken modulo the width of the type. */
export function laneShiftEach(operator: string, type: ValueType, a: string, amounts: string): string {
  const right = operator === '>>' && isSigned(type) ? 'shrSigned' : 'shrUnsigned'
  const within = isNarrow(type) ? `v128.and(${amounts}, i32x4.splat(${bitsOf(type) - 1}))` : amounts
  return cut(type, `__library.${operator === '<<' ? 'shl' : right}Lanes(${a}, ${within})`)
}

/** A comparison, which gives a mask; undefined where lanes have none. */
export function laneComparison(operator: string, type: ValueType, a: string, b: string): string | undefined {
  const name = COMPARISONS[operator]
  if (name === undefined) return undefined
  const equality = name === 'eq' || name === 'ne'
  if (type === 'f32') return `f32x4.${name}(${a}, ${b})`
  if (type === 'bool' && !equality) return undefined
  if (equality) return `i32x4.${name}(${a}, ${b})`
  return `i32x4.${name}_${isSigned(type) ? 's' : 'u'}(${a}, ${b})`
}

/** `min` or `max`; undefined where lanes have none. */
export function laneExtreme(name: 'min' | 'max', type: ValueType, a: string, b: string): string | undefined {
  if (type === 'bool') return undefined
  if (type === 'f32') return `f32x4.${name}(${a}, ${b})`
  return `i32x4.${name}_${isSigned(type) ? 's' : 'u'}(${a}, ${b})`
}

export function laneNegation(type: ValueType, a: string): string | undefined {
  if (type === 'bool') return undefined
  return type === 'f32' ? `f32x4.neg(${a})` : cut(type, `i32x4.neg(${a})`)
}

export function laneComplement(type: ValueType, a: string): string | undefined {
  return type === 'f32' || type === 'bool' ? undefined : cut(type, `v128.not(${a})`)
}

/** What `<To>x` gives for an x of type From. */
export function laneConversion(from: ValueType, to: ValueType, a: string): string {
  const sameLanes = !isNarrow(to) && to !== 'bool' && from !== 'bool' && (from === 'f32') === (to === 'f32')
  return from === to || sameLanes ? a : `__library.convertLanes<${from}, ${to}>(${a})`
}
