// Owns what the inspection notes of something that it measures: how often it ran, and how long. It must never ask a clock.

/** What something cost while it was measured: see `measure`. All are 0 unless it was. */
export interface MeasuredCost {
  /** How often it ran to its end. */
  readonly runs: number
  /** Milliseconds of the last run. */
  readonly lastMs: number
  /** Milliseconds of all runs. */
  readonly totalMs: number
  /** Milliseconds per run on average. */
  readonly meanMs: number
}

export class Cost implements MeasuredCost {
  runs = 0
  lastMs = 0
  totalMs = 0

  get meanMs(): number {
    return this.runs === 0 ? 0 : this.totalMs / this.runs
  }

  note(ms: number): void {
    this.runs++
    this.lastMs = ms
    this.totalMs += ms
  }
}

const NOTHING = /* @__PURE__ */ new Cost()

/** A copy for whoever asks. */
export function copyOf({ runs, lastMs, totalMs, meanMs }: MeasuredCost = NOTHING): MeasuredCost {
  return { runs, lastMs, totalMs, meanMs }
}
