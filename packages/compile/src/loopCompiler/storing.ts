// Owns how values are written to columns.

import type { Emitter } from './emitter'
import { LANES, type Layout, formOf } from './layout'
import * as op from './opcodes'
import type { TracedStore } from './traced'

/** By the bytes of a value: its store, and that of one lane. */
const STORES: Readonly<Record<number, readonly [one: number, lane: number]>> = {
  1: [op.I32_STORE8, op.V128_STORE8_LANE],
  2: [op.I32_STORE16, op.V128_STORE16_LANE],
  4: [op.I32_STORE, op.V128_STORE32_LANE],
  8: [op.F64_STORE, op.V128_STORE64_LANE],
}

export function store(emitter: Emitter, { column, element, value }: TracedStore): void {
  const { rowBytes, itemBytes, kind } = emitter.columns[column] as Layout
  const { code, lanes } = emitter
  const form = formOf(kind)
  const [one, ofLane] = STORES[itemBytes] as readonly [number, number]
  if (!lanes) {
    emitter.address(column)
    emitter.use(value, form)
    code.memory(kind === 'f32' ? op.F32_STORE : one, element * itemBytes)
  } else if (rowBytes !== itemBytes) {
    // Of a vec each lane goes to a row of its own.
    for (let lane = 0; lane < LANES; lane++) {
      emitter.address(column)
      emitter.use(value, form, form === 'd' ? lane >> 1 : 0)
      code.simdMemory(ofLane, element * itemBytes + lane * rowBytes)
      // The place of the value within its vector.
      code.byte(form === 'd' ? lane & 1 : lane * (4 / itemBytes))
    }
  } else {
    for (let half = 0; half < Math.max(1, itemBytes / 4); half++) {
      emitter.address(column)
      emitter.use(value, form, half)
      if (itemBytes >= 4) code.simdMemory(op.V128_STORE, 16 * half)
      else storeNarrow(emitter, form === 'm', itemBytes)
    }
  }
}

/** Four values of one or two bytes: the lowest bytes of each word, side by side. */
function storeNarrow(emitter: Emitter, isMask: boolean, itemBytes: number): void {
  const { code } = emitter
  if (isMask) emitter.lowestBit()
  const local = emitter.scratch()
  code.tee(local).get(local)
  const lowest = Array.from({ length: 16 }, (_, k) =>
    k < LANES * itemBytes ? Math.floor(k / itemBytes) * 4 + (k % itemBytes) : 0,
  )
  code.simd(op.I8X16_SHUFFLE).byte(...lowest)
  code.simdMemory(itemBytes === 2 ? op.V128_STORE64_LANE : op.V128_STORE32_LANE, 0).byte(0)
}
