// Owns the numbers that a kernel writes out: their types, which depend on their sign and on what is wanted.

import type { LiteralExpression } from 'assemblyscript'
import { LiteralKind } from '../syntax'
import type { Conversions, Value } from './conversions'
import { integerLiteralType, type Wanted } from './valueTypes'

/** The value of a number that the source writes, where a type is wanted. */
export function literalValue(
  values: Conversions,
  node: LiteralExpression,
  wanted: Wanted,
  negative: boolean,
): Value {
  const sign = negative ? '-' : ''
  if (node.literalKind === LiteralKind.Float) {
    const type = wanted === 'f32' ? 'f32' : 'f64'
    return {
      type,
      uniform: true,
      text: `<${type}>(${sign}${values.written(node)})`,
    }
  }
  if (node.literalKind !== LiteralKind.Integer)
    return values.refuse(node, 'A kernel computes with numbers alone.')
  const { value } = node as unknown as { value: { toString(): string } }
  const type = integerLiteralType(BigInt.asUintN(64, BigInt(value.toString())), negative, wanted)
  const written = values.written(node)
  return { type, uniform: true, text: `<${type}>(${sign}${written})` }
}
