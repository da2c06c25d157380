// Owns the division of time into whole steps: how many are due, what is carried over, how far it is behind. It must never ask a
// clock, and never lose time except what `maxCatchUp` tells it to.

/** Bounds of a fixed step in seconds: what is outside is moved to the nearer one. */
export const MIN_STEP = 1e-4
export const MAX_STEP = 10
export const DEFAULT_MAX_STEPS = 10
/** In seconds. A page that was hidden goes on where it stopped. */
export const DEFAULT_CATCH_UP = 0.25

/** The part of a step that may be missing: sixty times 1/60 is one second, whatever the rounding. */
const FORGIVEN = 1e-6

/**
 * Time that is taken in whole steps. Only the remainder is kept, never a growing sum, so that the rounding of an
 * addition is that of a number as small as a step: after a million additions it is still far below FORGIVEN.
 */
export class StepClock {
  /** Seconds that no step has taken yet; less than nothing by a rounding at most. */
  carried = 0

  constructor(public step: number) {}

  add(dt: number): void {
    this.carried += dt
  }

  /** How many whole steps are carried. */
  get due(): number {
    return this.wholeSteps(this.carried)
  }

  /** How many whole steps a time has. Times are compared as these counts: in seconds, 3 * 0.1 is more than 0.3. */
  wholeSteps(time: number): number {
    return Math.floor(time / this.step + FORGIVEN)
  }

  take(steps: number): void {
    this.carried -= steps * this.step
  }
}

/** How a phase of fixed steps goes. */
export interface FixedStepSettings {
  readonly step: number
  /** Steps in one run at most; what is due beyond is spread over later runs. */
  readonly maxSteps: number
  /** Seconds of whole steps that may wait for later runs; what is beyond is dropped. */
  readonly maxCatchUp: number
}

/** The steps of one phase. */
export class FixedStep {
  /** Steps made since the start. */
  steps = 0
  private readonly clock: StepClock
  private maxSteps: number
  private maxCatchUp: number
  private started = false
  /** The step at time 0: made in the first run although no time has passed. */
  private free = 0
  /** What was carried when this run began, and the steps it has made since. */
  private carriedBefore = 0
  private taken = 0

  constructor(settings: FixedStepSettings) {
    this.clock = new StepClock(settings.step)
    this.maxSteps = settings.maxSteps
    this.maxCatchUp = settings.maxCatchUp
  }

  /** Changes the settings between two runs; time that is carried stays. */
  configure(settings: FixedStepSettings): void {
    this.clock.step = settings.step
    this.maxSteps = settings.maxSteps
    this.maxCatchUp = settings.maxCatchUp
  }

  get step(): number {
    return this.clock.step
  }

  /** Seconds that one run can take. A schedule that is given more each time never catches up. */
  get longest(): number {
    return this.clock.step * this.maxSteps
  }

  /** How far time has gone into the step that comes next: 0 to 1. */
  get alpha(): number {
    return Math.min(Math.max(this.clock.carried / this.clock.step, 0), 1)
  }

  /** Seconds of whole steps that wait for later runs. */
  get behind(): number {
    return Math.max(this.clock.due, 0) * this.clock.step
  }

  add(dt: number): void {
    this.clock.add(dt)
  }

  /** Begins a run: how many steps it shall make, each of them announced by takeStep. */
  begin(): number {
    const clock = this.clock
    const due = clock.due
    const now = Math.min(due, this.maxSteps)
    const late = due - now
    const mostLate = clock.wholeSteps(this.maxCatchUp)
    if (late > mostLate) clock.take(late - mostLate)
    this.carriedBefore = clock.carried
    this.taken = 0
    this.free = !this.started && now === 0 ? 1 : 0
    this.started = true
    return now + this.free
  }

  /** Writes three numbers, from which `load` takes it back to where it is now. */
  save(numbers: Float64Array, at: number): void {
    numbers[at] = this.steps
    numbers[at + 1] = this.clock.carried
    numbers[at + 2] = Number(this.started)
  }

  load(numbers: Float64Array, at: number): void {
    this.steps = numbers[at] as number
    this.clock.carried = numbers[at + 1] as number
    this.started = numbers[at + 2] !== 0
  }

  /** A step begins: it counts also when it fails. */
  takeStep(): void {
    this.steps++
    if (this.free > 0) this.free--
    // Multiplied again, so that many steps round once.
    else this.clock.carried = this.carriedBefore - ++this.taken * this.clock.step
  }
}
