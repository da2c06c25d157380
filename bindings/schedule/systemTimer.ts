// Owns the timers of systems that do not run every time: every so many seconds, or every n-th time. Time is what a schedule was
// told to run for, not that of a clock.

import { StepClock } from './fixedStep'
import type { SystemReference } from './system'

/** Something that counts how often it was due, for those that follow it. */
export interface Beat {
  readonly fired: number
}

/** What a timer follows when the system it named was removed. */
const SILENCE: Beat = { fired: 0 }

/** Due once `interval` seconds of its phase have passed; once in a run, however many are over. */
export class IntervalTimer {
  /** Seconds since it was due last; while it is due, those until now. */
  elapsed = 0
  private readonly clock: StepClock
  private wasDue = false

  constructor(interval: number) {
    this.clock = new StepClock(interval)
  }

  /** A turn of the system: whether it is due. A number is no result here, for one with a fraction is garbage. */
  advance(dt: number): boolean {
    this.elapsed = this.wasDue ? dt : this.elapsed + dt
    this.clock.add(dt)
    const due = this.clock.due
    this.wasDue = due > 0
    if (this.wasDue) this.clock.take(due)
    return this.wasDue
  }

  /** Writes three numbers, from which `load` takes it back to where it is now. */
  save(numbers: Float64Array, at: number): void {
    numbers[at] = this.elapsed
    numbers[at + 1] = Number(this.wasDue)
    numbers[at + 2] = this.clock.carried
  }

  load(numbers: Float64Array, at: number): void {
    this.elapsed = numbers[at] as number
    this.wasDue = numbers[at + 1] !== 0
    this.clock.carried = numbers[at + 2] as number
  }
}

/** Due every n-th time: of its own turns, or of the times that another system was due. */
export class RateTimer {
  /** Seconds since it was due last; while it is due, those until now. */
  elapsed = 0
  private count = 0
  private wasDue = false
  private source: Beat | undefined
  private seen = 0

  constructor(
    private readonly every: number,
    /** The system whose timer is followed. */
    readonly of: SystemReference | undefined,
  ) {}

  /** Listens to another beat from now on; without one it falls silent. */
  follow(beat: Beat = SILENCE): void {
    if (beat === this.source) return
    this.source = beat
    this.seen = beat.fired
  }

  /** A turn of the system: whether it is due. */
  advance(dt: number): boolean {
    this.elapsed = this.wasDue ? dt : this.elapsed + dt
    if (this.source === undefined) this.count++
    else {
      this.count += this.source.fired - this.seen
      this.seen = this.source.fired
    }
    this.wasDue = this.count >= this.every
    if (this.wasDue) this.count %= this.every
    return this.wasDue
  }

  /** Writes four numbers, from which `load` takes it back to where it is now. */
  save(numbers: Float64Array, at: number): void {
    numbers[at] = this.elapsed
    numbers[at + 1] = Number(this.wasDue)
    numbers[at + 2] = this.count
    numbers[at + 3] = this.seen
  }

  load(numbers: Float64Array, at: number): void {
    this.elapsed = numbers[at] as number
    this.wasDue = numbers[at + 1] !== 0
    this.count = numbers[at + 2] as number
    this.seen = numbers[at + 3] as number
  }
}

export type SystemTimer = IntervalTimer | RateTimer
