// Owns how values lie in memory and in vectors: the forms in which they are computed, and the instructions and shuffles that
// follow from them.

import { KINDS } from '../../../../bindings/components/fieldKinds'
import * as op from './opcodes'
import { type NumberKind, heldKind } from './shapes'
import type { ColumnUse } from './traced'

/** Rows that are computed together. */
export const LANES = 4

/** See emitter.ts. */
export type Form = NumberForm | 'm' | 'w'
export type NumberForm = 'i' | 'f' | 'd'

/** How a column lies in memory. */
export interface Layout {
  /** Bytes from a row to the next one, and of one value. */
  readonly rowBytes: number
  readonly itemBytes: number
  readonly kind: NumberKind
}

/**
 * Shuffles of two vectors, by the words of both: their lower halves, and their upper ones; twice the upper half of the first;
 * every second word; the words of their lower halves, interleaved, and of their upper ones.
 */
export const LOW_HALVES = [0, 1, 4, 5]
export const HIGH_HALVES = [2, 3, 6, 7]
export const HIGH_HALF = [2, 3, 2, 3]
export const EVEN_WORDS = [0, 2, 4, 6]
export const LOW_WORDS = [0, 4, 1, 5]
export const HIGH_WORDS = [2, 6, 3, 7]

export function layoutOf({ field }: ColumnUse): Layout {
  return field === undefined ? layoutOfKind('entity', 1) : layoutOfKind(heldKind(field), field.vec || 1)
}

export function layoutOfKind(kind: NumberKind, length: number): Layout {
  const itemBytes = 1 << KINDS[kind].shift
  return { rowBytes: itemBytes * length, itemBytes, kind }
}

/** The form of what memory of a kind holds. */
export function formOf(kind: NumberKind): NumberForm | 'm' {
  return kind === 'f32' ? 'f' : kind === 'f64' ? 'd' : kind === 'bool' ? 'm' : 'i'
}

/** Whether whole numbers of a kind have a sign. */
export function hasSign(kind: NumberKind): boolean {
  return kind.startsWith('i')
}

/** The load of one value. */
export function loadOf(kind: NumberKind): number {
  return LOADS[kind] ?? op.I32_LOAD
}

const LOADS: Readonly<Partial<Record<NumberKind, number>>> = {
  f32: op.F32_LOAD,
  f64: op.F64_LOAD,
  i8: op.I32_LOAD8_S,
  u8: op.I32_LOAD8_U,
  bool: op.I32_LOAD8_U,
  i16: op.I32_LOAD16_S,
  u16: op.I32_LOAD16_U,
}
