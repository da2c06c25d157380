// Owns the window of page() and partition(): how a loop skips so many matching rows first, and gives so many then.
// It must never look at rows: it only counts them.

import type { Cut } from '../queryPlan/filters'

/** Trims the loop's current run to its window; returns false if nothing of it is left. */
export const cutToWindow: Cut = (loop) => {
  const { chunk } = loop
  const rows = chunk.end - chunk.start
  if (loop.toSkip >= rows) {
    loop.toSkip -= rows
    return false
  }
  chunk.start += loop.toSkip
  loop.toSkip = 0
  chunk.end = Math.min(chunk.end, chunk.start + loop.toGive)
  loop.toGive -= chunk.end - chunk.start
  return true
}
