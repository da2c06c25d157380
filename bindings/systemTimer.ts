// Owns when a system that does not run every time is due: every so many seconds, or every n-th time.
// It must never ask a clock: time is what a schedule was told to run for.

import { StepClock } from './fixedStep'

/** What advance() returns when the system is not due. */
export const NOT_DUE = -1

/** Something that counts how often it was due, for those that follow it. */
export interface Beat {
  readonly fired: number
}

/** What a timer follows when the system it named was removed. */
const SILENCE: Beat = { fired: 0 }

/** Due once `interval` seconds of its phase have passed; once in a run, however many are over. */
export class IntervalTimer {
  private readonly clock: StepClock
  private waited = 0

  constructor(interval: number) {
    this.clock = new StepClock(interval)
  }

  /** A turn of the system: the seconds since it was due last, or NOT_DUE. */
  advance(dt: number): number {
    this.waited += dt
    this.clock.add(dt)
    const due = this.clock.due
    if (due === 0) return NOT_DUE
    this.clock.take(due)
    const waited = this.waited
    this.waited = 0
    return waited
  }
}

/** Due every n-th time: of its own turns, or of the times that another system was due. */
export class RateTimer {
  private count = 0
  private waited = 0
  private source: Beat | undefined
  private seen = 0

  constructor(
    private readonly every: number,
    /** The system whose timer is followed. */
    readonly of: string | undefined,
  ) {}

  /** Listens to another beat from now on; without one it falls silent. */
  follow(beat: Beat = SILENCE): void {
    if (beat === this.source) return
    this.source = beat
    this.seen = beat.fired
  }

  /** A turn of the system: the seconds since it was due last, or NOT_DUE. */
  advance(dt: number): number {
    this.waited += dt
    if (this.source === undefined) this.count++
    else {
      this.count += this.source.fired - this.seen
      this.seen = this.source.fired
    }
    if (this.count < this.every) return NOT_DUE
    this.count %= this.every
    const waited = this.waited
    this.waited = 0
    return waited
  }
}

export type SystemTimer = IntervalTimer | RateTimer
