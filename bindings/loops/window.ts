// Owns the window of page() and partition(): how many matching rows a loop skips first, and how many it gives then.
// It must never look at rows: it only counts them.

import type { Look } from '../matching/filters'

/** A run of rows that a loop stands on. */
interface Run {
  start: number
  end: number
}

export class Window {
  /** Rows still to be left out, and rows still to be given. */
  toSkip = 0
  toGive = Infinity
  /** Whether rows are left out by number, at the beginning or at the end. */
  isNarrow = false

  begin({ offset, limit }: Look): void {
    this.toSkip = offset
    this.toGive = limit
    this.isNarrow = limit !== Infinity
  }

  /** Keeps of a run what is asked for; false when nothing is. */
  cut(run: Run): boolean {
    const rows = run.end - run.start
    if (this.toSkip >= rows) {
      this.toSkip -= rows
      return false
    }
    run.start += this.toSkip
    this.toSkip = 0
    run.end = Math.min(run.end, run.start + this.toGive)
    this.toGive -= run.end - run.start
    return true
  }
}
