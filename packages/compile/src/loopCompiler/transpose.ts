// Owns how four values of a vec that lie side by side are read and written for four rows: as a square, whose rows become columns.
// That takes four loads or stores and eight shuffles in place of sixteen loads or stores of one lane.

import type { Emitter } from './emitter'
import type { GraphValue } from './graph'
import {
  type Form,
  HIGH_HALVES,
  HIGH_WORDS,
  LANES,
  LOW_HALVES,
  LOW_WORDS,
  type Layout,
  formOf,
} from './layout'
import * as op from './opcodes'
import type { TracedStore } from './traced'

/** With fewer values of a square than that, loading them one by one is as fast. */
const LEAST_WANTED = 3

/** Leaves a value of four rows on the stack, and others of its square in locals; false where it has no square, or few want it. */
export function loadTransposed(emitter: Emitter, value: GraphValue, form: Form): boolean {
  const column = value.data as number
  const layout = emitter.columns[column] as Layout
  const place = value.element % LANES
  const first = value.element - place
  if (!hasSquare(layout, first)) return false
  const wanted = emitter.wantedOf(value, first, form)
  if (wanted.length < LEAST_WANTED) return false
  const { code } = emitter
  const rows = localsFor(emitter)
  rows.forEach((local, lane) => {
    emitter.address(column)
    code.simdMemory(op.V128_LOAD, 4 * first + lane * layout.rowBytes).set(local)
  })
  const transposed = transpose(emitter, rows)
  for (const other of wanted) {
    if (other === value) continue
    const local = emitter.local(op.V128)
    transposed(other.element - first)
    code.set(local)
    emitter.keep(other, form, local)
  }
  transposed(place)
  return true
}

/** Writes four values of a vec of four rows; false where these are no square. */
export function storeTransposed(emitter: Emitter, stores: readonly TracedStore[]): boolean {
  const [{ column, element: first }] = stores as [TracedStore]
  const layout = emitter.columns[column] as Layout
  const isSquare = stores.every((each, k) => each.column === column && each.element === first + k)
  if (stores.length < LANES || !isSquare || first % LANES !== 0 || !hasSquare(layout, first)) return false
  const { code } = emitter
  const columns = localsFor(emitter)
  columns.forEach((local, k) => {
    emitter.use((stores[k] as TracedStore).value, formOf(layout.kind))
    code.set(local)
  })
  const transposed = transpose(emitter, columns)
  for (let lane = 0; lane < LANES; lane++) {
    emitter.address(column)
    transposed(lane)
    code.simdMemory(op.V128_STORE, 4 * first + lane * layout.rowBytes)
  }
  return true
}

function hasSquare({ rowBytes, itemBytes }: Layout, first: number): boolean {
  return itemBytes === 4 && rowBytes >= 4 * (first + LANES)
}

const localsFor = (emitter: Emitter): number[] => Array.from({ length: LANES }, () => emitter.local(op.V128))

/** Returns what leaves a vector of the transposed square on the stack. The locals of the square are used up. */
function transpose(emitter: Emitter, square: readonly number[]): (k: number) => void {
  const { code } = emitter
  const [a, b, c, d] = square as [number, number, number, number]
  const [low, high] = [emitter.local(op.V128), emitter.local(op.V128)]
  const mix = (one: number, other: number, shuffle: readonly number[], to: number): void => {
    code.get(one).get(other)
    emitter.shuffle(shuffle)
    code.set(to)
  }
  mix(a, b, LOW_WORDS, low)
  mix(c, d, LOW_WORDS, high)
  mix(a, b, HIGH_WORDS, a)
  mix(c, d, HIGH_WORDS, c)
  return (k) => {
    code.get(k < 2 ? low : a).get(k < 2 ? high : c)
    emitter.shuffle(k % 2 === 0 ? LOW_HALVES : HIGH_HALVES)
  }
}
