// Owns the constants of the language that a body may use.

import { type GraphValue, isConst } from './graph'
import type { Global } from './paths'

/** The value of a constant, such as Math.PI; undefined for any other name. Constants alone can never be defined again. */
export function constantOf(of: Global, name: string): number | undefined {
  const found = Object.getOwnPropertyDescriptor(of === 'Math' ? Math : Number, name)
  const value: unknown = found?.value
  return found?.configurable === false && typeof value === 'number' ? value : undefined
}

/** A power of two, which is exact in every engine: minifiers write Number.EPSILON as 2 ** -52. */
export function powerOf(base: GraphValue | undefined, exponent: GraphValue | undefined): number | undefined {
  if (!base || !exponent || !isConst(base) || !isConst(exponent)) return undefined
  return base.data === 2 && Number.isInteger(exponent.data) ? 2 ** (exponent.data as number) : undefined
}
