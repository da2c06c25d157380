// The frame loop: real time becomes whole steps of the simulation, then everything is drawn; what each part took is kept. A slow
// machine makes fewer steps, not other ones.

import type { Schedule } from 'strata-ecs'
import { FrameTimes } from './frameTimes.ts'
import { STEP } from './simulation/settings.ts'

/** Steps of a frame at most: enough for four times the speed at 32 frames a second. */
export const MOST_STEPS = 8
/** Milliseconds after which a frame begins no other step, so that the page answers whatever a step costs. */
export const MOST_MS = 25
/** Seconds that a frame makes up for at most: behind a longer pause, the world goes on from where it was. */
export const LONGEST = 0.25

/** What is moved on: a swarm is one. */
export interface Simulation {
  /** Moves everything on by STEP seconds, by one run of the schedule. */
  step(): void
  readonly schedule: Pick<Schedule, 'stats'>
}

export class Frames {
  paused = false
  /** Seconds of the world in a second. */
  speed = 1
  /** What each system took, what drawing took, and what is left of the frame. */
  readonly times: FrameTimes
  /** Called before the steps of each frame: for what must not happen more often than once a frame. */
  begin: () => void = () => {}
  /** Called behind each frame with the time, in milliseconds; it is not measured. */
  end: (time: number) => void = () => {}

  private readonly parts: Float64Array
  private readonly totals: Float64Array
  /** Time of the frame before. */
  private before: number | undefined
  /** Seconds that no step has been made for yet. */
  private rest = 0
  /** Steps that were asked for one by one and are not made yet. */
  private asked = 0
  private request = 0

  /**
   * @param draw shows everything, so many seconds after the last step, 0 up to STEP
   * @param now milliseconds; what measures
   */
  constructor(
    private readonly simulation: Simulation,
    private readonly draw: (ahead: number) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    const names = simulation.schedule.stats().systems.map(({ name }) => name)
    this.times = new FrameTimes([...names, 'drawing', 'other'])
    this.totals = new Float64Array(names.length)
    this.parts = new Float64Array(names.length + 2)
    this.readSystems()
  }

  /** Begins to ask the page for frames, as long as the page can be seen. */
  start(): void {
    document.addEventListener('visibilitychange', this.followVisibility)
    this.followVisibility()
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.followVisibility)
    cancelAnimationFrame(this.request)
  }

  /** Pauses, and makes one step in the next frame; a frame without time for all that were asked for leaves them to the next. */
  stepOnce(): void {
    this.paused = true
    this.asked++
  }

  /** Makes a frame. `time` is milliseconds, of the clock of requestAnimationFrame. */
  advance(time: number): void {
    const began = this.now()
    const interval = this.before === undefined ? 0 : Math.max(0, time - this.before)
    this.before = time
    this.begin()
    const wanted = this.paused ? this.asked : this.takeDue(interval / 1000)
    const made = this.makeSteps(wanted, began)
    // What real time wants and does not get is dropped; what was asked for waits for the next frame.
    const due = this.paused ? made : wanted
    this.asked = this.paused ? wanted - made : 0
    this.readSystems()
    const drawing = this.now()
    this.draw(this.rest)
    const ended = this.now()
    this.record(made, due, interval, ended - drawing, ended - began)
    this.end(time)
  }

  /** How many steps are due now. They are no longer due afterwards, whether they are made or not. */
  private takeDue(seconds: number): number {
    this.rest += Math.min(seconds, LONGEST) * this.speed
    const due = Math.floor(this.rest / STEP)
    this.rest -= due * STEP
    return due
  }

  private makeSteps(due: number, began: number): number {
    const most = Math.min(due, MOST_STEPS)
    let made = 0
    while (made < most && (made === 0 || this.now() - began < MOST_MS)) {
      this.simulation.step()
      made++
    }
    return made
  }

  /** What each system took since this was asked last. The only garbage of a frame: some objects of the schedule's. */
  private readSystems(): void {
    const { systems } = this.simulation.schedule.stats()
    for (let k = 0; k < this.totals.length; k++) {
      const total = systems[k]?.totalMs ?? 0
      this.parts[k] = total - this.totals[k]
      this.totals[k] = total
    }
  }

  private record(made: number, due: number, interval: number, drawing: number, work: number): void {
    const { parts, totals } = this
    let known = drawing
    for (let k = 0; k < totals.length; k++) known += parts[k]
    parts[totals.length] = drawing
    parts[totals.length + 1] = Math.max(0, work - known)
    this.times.record(parts, work, interval, made, due)
  }

  private readonly frame = (time: number): void => {
    this.advance(time)
    // Not before: a step that throws ends the loop, and is told once.
    this.request = requestAnimationFrame(this.frame)
  }

  private readonly followVisibility = (): void => {
    cancelAnimationFrame(this.request)
    if (document.hidden) return
    this.before = undefined
    this.request = requestAnimationFrame(this.frame)
  }
}
