// Owns how what rows return becomes the result of a run: one after the other, since a sum of floats depends on the order.

import type { Emitter } from './emitter'
import { LANES } from './layout'
import type { GraphValue } from './graph'
import * as op from './opcodes'
import type { Reduction } from '../../../../bindings/kernels/kernel'

const JOIN = { sum: op.F64_ADD, min: op.F64_MIN, max: op.F64_MAX } as const

/** Adds the rows at hand to the result so far. */
export function addToTotal(emitter: Emitter, value: GraphValue, how: Exclude<Reduction, 'none'>): void {
  const { code, lanes, total } = emitter
  code.get(total)
  if (how === 'count') {
    emitter.use(value, 'm')
    if (lanes) code.simd(op.I32X4_BITMASK).byte(op.I32_POPCNT)
    code.byte(op.F64_CONVERT_I32_U, op.F64_ADD)
  } else
    for (let lane = 0; lane < (lanes ? LANES : 1); lane++) {
      emitter.useLane(value, 'd', lane)
      code.byte(JOIN[how])
    }
  code.set(total)
}
