// Owns the warning for a schedule whose runs are given milliseconds: a program that looks right runs a thousand times too fast.
// It must never ask a clock, and never warn a program that has merely chosen another unit.

import type { Phase } from './phase'

/** So many runs in a row are needed: fewer may be a page that was hidden. */
const RUNS = 60
/** What frames take at 240 and at 10 a second, in milliseconds. No page has 60 frames in a row of so many seconds. */
const LEAST = 4
const MOST = 100

export class SecondsWarning {
  /** Runs in a row that were given LEAST or more. */
  private runs = 0
  /** The shortest and the longest of them. */
  private shortest = 0
  private longest = 0
  private warned = false

  /** Notes what a run is given. Costs a comparison unless it is very long. */
  note(dt: number, phases: readonly Phase[]): void {
    if (dt < LEAST) this.runs = 0
    else if (!this.warned) this.noteLong(dt, phases)
  }

  private noteLong(dt: number, phases: readonly Phase[]): void {
    this.shortest = this.runs === 0 ? dt : Math.min(this.shortest, dt)
    this.longest = this.runs === 0 ? dt : Math.max(this.longest, dt)
    if (++this.runs < RUNS) return
    if (this.isMeasured() || phases.some(({ fixed }) => fixed !== undefined && fixed.longest < this.shortest))
      this.warn(dt)
    this.runs = 0
  }

  /** Whether the runs were as long as frames, and not all alike: a unit of the program's own is a round number. */
  private isMeasured(): boolean {
    return this.longest <= MOST && this.shortest < this.longest
  }

  private warn(dt: number): void {
    this.warned = true
    console.warn(
      `schedule.run takes seconds, and each of the last ${RUNS} runs was given ${LEAST} or more, the last one ${Number(dt.toPrecision(4))}: if these are milliseconds, write schedule.run(dt / 1000).`,
    )
  }
}
