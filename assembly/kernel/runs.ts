// Owns the walk over a row mask: one bit a row, from the chunk's row 0, in words of 64 bits.

import { packRows } from './rows'

@inline
function wordAt(mask: usize, index: u32): u64 {
  return load<u64>(mask + (<usize>index << 3))
}

/**
 * The next run of set bits at or behind row `from` and before row `end`, as the word of `Rows`; 0 when there is none (a
 * run ends at row 1 or later, so none is 0). A word without a change costs one step, however long the run or gap.
 */
export function nextRun(mask: usize, from: u32, end: u32): u32 {
  const start = nextSet(mask, from, end, 0)
  if (start == end) return 0
  return packRows(start, nextSet(mask, start, end, ~0))
}

/** The first row at or behind `from` whose bit, after `flip`, is set; `end` when there is none before it. */
@inline
function nextSet(mask: usize, from: u32, end: u32, flip: u64): u32 {
  let row = from
  while (row < end) {
    const left = (wordAt(mask, row >> 6) ^ flip) >> (row & 63)
    if (left != 0) return min(row + <u32>ctz(left), end)
    row = (row | 63) + 1
  }
  return end
}
