// Owns the constants of the language that a body may use.

import type { Global } from './paths'

const NUMBER = /^(?:EPSILON|MAX_VALUE|MIN_VALUE|NaN|M(?:AX|IN)_SAFE_INTEGER|(?:POSI|NEGA)TIVE_INFINITY)$/
const MATH = /^(?:PI|E|LN2|LN10|LOG2E|LOG10E|SQRT2|SQRT1_2)$/

/** The value of a constant, such as Math.PI; undefined for any other name. */
export function constantOf(of: Global, name: string): number | undefined {
  if (of === 'Math') return MATH.test(name) ? Math[name as 'PI'] : undefined
  return NUMBER.test(name) ? Number[name as 'EPSILON'] : undefined
}
