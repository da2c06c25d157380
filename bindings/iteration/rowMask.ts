// Owns the mask of the rows that a loop means: one bit a row, a copy of what the core found.
// It must never be asked about a row beyond the end that its reader names.

import { MASK_ADDRESS_WORD, MASK_BYTES } from '../../build/layout'
import type { Heap } from '../memory/heap'

/** Rows that one mask can tell about. */
export const MASK_ROWS = MASK_BYTES * 8

export class RowMask {
  private readonly words = new Uint32Array(MASK_BYTES / 4)

  /** Copies the bits of the first rows: loops inside this one have masks of their own. */
  read({ u32 }: Heap, rows: number): void {
    const { words } = this
    const count = (rows + 31) >> 5
    for (let i = 0; i < count; i++) words[i] = u32[MASK_ADDRESS_WORD + i] as number
  }

  /** The first row from `row` on whose bit is set; `end` when there is none below it. */
  nextSet(row: number, end: number): number {
    const { words } = this
    while (row < end) {
      const bits = (words[row >> 5] as number) >>> (row & 31)
      if (bits !== 0) return Math.min(row + 31 - Math.clz32(bits & -bits), end)
      row = (row | 31) + 1
    }
    return end
  }

  /** The first row from `row` on whose bit is clear; `end` when there is none below it. */
  nextClear(row: number, end: number): number {
    const { words } = this
    while (row < end) {
      const bits = ~(words[row >> 5] as number) >>> (row & 31)
      if (bits !== 0) return Math.min(row + 31 - Math.clz32(bits & -bits), end)
      row = (row | 31) + 1
    }
    return end
  }
}
