// Owns how columns lie in memory, and the instructions and shuffles that follow from it.

import { KINDS } from '../components/kinds'
import * as op from './opcodes'
import { type NumberKind, heldKind } from './shapes'
import type { ColumnUse } from './traced'

/** Rows that are computed together. */
export const LANES = 4

/** How a column lies in memory. */
export interface Layout {
  /** Bytes from a row to the next one, and of one value. */
  readonly rowBytes: number
  readonly itemBytes: number
  readonly kind: NumberKind
}

/**
 * Shuffles of two vectors: their lower halves, and their upper ones; twice the upper half of the first; every second word of
 * both; the words of their lower halves, interleaved, and of their upper ones.
 */
export const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]
export const HIGH_HALVES = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31]
export const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]
export const EVEN_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
export const LOW_WORDS = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23]
export const HIGH_WORDS = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31]

export function layoutOf({ field }: ColumnUse): Layout {
  return field === undefined ? layoutOfKind('entity', 1) : layoutOfKind(heldKind(field), field.vec || 1)
}

export function layoutOfKind(kind: NumberKind, length: number): Layout {
  const itemBytes = 1 << KINDS[kind].shift
  return { rowBytes: itemBytes * length, itemBytes, kind }
}

/** The load of one value. */
export function loadOf(kind: NumberKind): number {
  switch (kind) {
    case 'f32':
      return op.F32_LOAD
    case 'f64':
      return op.F64_LOAD
    case 'i8':
      return op.I32_LOAD8_S
    case 'u8':
    case 'bool':
      return op.I32_LOAD8_U
    case 'i16':
      return op.I32_LOAD16_S
    case 'u16':
      return op.I32_LOAD16_U
    default:
      return op.I32_LOAD
  }
}
