// Owns how values are read from columns.

import type { Emitter } from './emitter'
import type { GraphValue } from './graph'
import { type Form, LANES, type Layout, type NumberForm, hasSign, loadOf } from './layout'
import * as op from './opcodes'
import { loadTransposed } from './transpose'

/** @param form that of what the column holds */
export function load(emitter: Emitter, value: GraphValue, form: Form, half: number): void {
  const column = value.data as number
  const { rowBytes, itemBytes, kind } = emitter.columns[column] as Layout
  const { code } = emitter
  const one = (lane: number): void => {
    emitter.address(column)
    code.memory(loadOf(kind), value.element * itemBytes + lane * rowBytes)
  }
  if (!emitter.lanes) {
    one(0)
    // A byte is true unless it is 0.
    if (form === 'm') code.byte(op.I32_EQZ, op.I32_EQZ)
  } else if (!isDense(emitter, value)) {
    if (loadTransposed(emitter, value, form)) return
    const first = (LANES / 2) * half
    emitter.laneByLane(form as NumberForm, (lane) => one(first + lane))
  } else {
    emitter.address(column)
    if (itemBytes >= 4) code.simdMemory(op.V128_LOAD, 16 * half)
    else if (itemBytes === 2) code.simdMemory(hasSign(kind) ? op.V128_LOAD16X4_S : op.V128_LOAD16X4_U, 0)
    else {
      code
        .simdMemory(op.V128_LOAD32_ZERO, 0)
        .simd(hasSign(kind) ? op.I16X8_EXTEND_LOW_I8X16_S : op.I16X8_EXTEND_LOW_I8X16_U)
        .simd(hasSign(kind) ? op.I32X4_EXTEND_LOW_I16X8_S : op.I32X4_EXTEND_LOW_I16X8_U)
      if (form === 'm') emitter.notZero()
    }
  }
}

/** Whether the values of four rows lie side by side. */
export function isDense({ columns }: Emitter, { data }: GraphValue): boolean {
  const { rowBytes, itemBytes } = columns[data as number] as Layout
  return rowBytes === itemBytes
}
