// The frame loop: real time becomes whole steps of the simulation, then everything is drawn. A slow machine makes fewer steps, not
// other ones.

import { STEP } from './simulation/settings.ts'

/** Steps of a frame at most: enough for four times the speed at 32 frames a second. */
export const MOST_STEPS = 8
/** Milliseconds after which a frame begins no other step, so that the page answers whatever a step costs. */
export const MOST_MS = 25
/** Seconds that a frame makes up for at most: after a longer pause, the world goes on from where it was. */
export const LONGEST = 0.25
/** Milliseconds that the means of `pace` are over, about. */
const RECENT = 1000

export class Frames {
  paused = false
  /** Seconds of the world in a second. */
  speed = 1
  count = 0
  /** Milliseconds from frame to frame and in a frame, and the share of the due steps that were made: means of the last second. */
  readonly pace = { interval: 0, work: 0, kept: 1 }
  /** Called before the steps of each frame: for what must not happen more often than once a frame. */
  begin: () => void = () => {}
  /** Called after each frame with the time, in milliseconds; it is not measured. */
  end: (time: number) => void = () => {}

  /** Time of the frame before. */
  private before: number | undefined
  /** Seconds that no step has been made for yet. */
  private rest = 0
  /** Steps that were asked for one by one and are not made yet. */
  private asked = 0
  private request = 0

  /**
   * @param step moves everything on by STEP seconds
   * @param draw shows everything, so many seconds after the last step, 0 up to STEP
   * @param now milliseconds; what measures
   */
  constructor(
    private readonly step: () => void,
    private readonly draw: (ahead: number) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

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
    this.asked = this.paused ? wanted - made : 0
    this.draw(this.rest)
    this.count++
    const { pace } = this
    const share = Math.min(1, interval / RECENT)
    pace.interval += (interval - pace.interval) * (pace.interval === 0 ? 1 : share)
    pace.work += (this.now() - began - pace.work) * (pace.work === 0 ? 1 : share)
    if (!this.paused && wanted > 0) pace.kept += (made / wanted - pace.kept) * share
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
      this.step()
      made++
    }
    return made
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
