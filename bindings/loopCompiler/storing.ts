// Owns how values are written to columns.

import type { Emitter, Form } from './emitter'
import { LANES, type Layout } from './layout'
import type { NumberKind } from './shapes'
import * as op from './opcodes'
import type { Store } from './traced'

/** The form in which a kind is stored. */
export function formOf(kind: NumberKind): Form {
  return kind === 'f32' ? 'f' : kind === 'f64' ? 'd' : kind === 'bool' ? 'm' : 'i'
}

export function store(emitter: Emitter, { column, element, value }: Store): void {
  const layout = emitter.columns[column] as Layout
  const { rowBytes, itemBytes, kind } = layout
  const { code, lanes } = emitter
  const form = formOf(kind)
  if (!lanes) {
    emitter.address(column)
    emitter.use(value, form)
    code.memory(storeOf(kind, itemBytes), element * itemBytes)
  } else if (rowBytes !== itemBytes) {
    // Of a vec each lane goes to a row of its own.
    for (let lane = 0; lane < LANES; lane++) {
      emitter.address(column)
      emitter.use(value, form, kind === 'f64' ? lane >> 1 : 0)
      code.simdMemory(LANE_STORES[itemBytes] as number, element * itemBytes + lane * rowBytes)
      // The place of the value within its vector.
      code.byte(kind === 'f64' ? lane & 1 : lane * (4 / itemBytes))
    }
  } else if (kind === 'f64') {
    for (const half of [0, 1]) {
      emitter.address(column)
      emitter.use(value, form, half)
      code.simdMemory(op.V128_STORE, 16 * half)
    }
  } else {
    emitter.address(column)
    emitter.use(value, form)
    if (itemBytes === 4) code.simdMemory(op.V128_STORE, 0)
    else storeNarrow(emitter, kind, itemBytes)
  }
}

const LANE_STORES: Readonly<Record<number, number>> = {
  1: op.V128_STORE8_LANE,
  2: op.V128_STORE16_LANE,
  4: op.V128_STORE32_LANE,
  8: op.V128_STORE64_LANE,
}

function storeOf(kind: NumberKind, itemBytes: number): number {
  if (kind === 'f32') return op.F32_STORE
  if (kind === 'f64') return op.F64_STORE
  return itemBytes === 4 ? op.I32_STORE : itemBytes === 2 ? op.I32_STORE16 : op.I32_STORE8
}

/** Four values of one or two bytes: the lowest bytes of each word, side by side. */
function storeNarrow(emitter: Emitter, kind: NumberKind, itemBytes: number): void {
  const { code } = emitter
  if (kind === 'bool') code.i32(1).simd(op.I32X4_SPLAT).simd(op.V128_AND)
  const local = emitter.scratch()
  code.tee(local).get(local)
  const lowest = Array.from(
    { length: LANES * itemBytes },
    (_, k) => Math.floor(k / itemBytes) * 4 + (k % itemBytes),
  )
  emitter.shuffle([...lowest, ...new Array<number>(16 - lowest.length).fill(0)])
  code.simdMemory(itemBytes === 2 ? op.V128_STORE64_LANE : op.V128_STORE32_LANE, 0).byte(0)
}
