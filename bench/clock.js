// The clock that says how fast the machine runs: a short piece of fixed work, timed on both sides of every sample, and which
// samples count by it. It knows neither what is measured nor whether it is in Node or in a browser.

/** About 50 microseconds: with a sample of less than a millisecond it lies in one slice of the system's scheduler. */
const TURNS = 60_000
const WARM_UP_RUNS = 200
/** A piece of fixed work shorter than so many steps of a coarse clock says little. */
const LEAST_STEPS = 50
/** How much slower than at its fastest a machine may be that runs at full speed: steps of its frequency, no shared core. */
const FREQUENCIES = 1.3
/** How far the calibrations on both sides of a sample may lie apart. */
const LEVEL = 1.1
export const LEAST_SAMPLES = 5

/** Sums that do not wait for one another: a neighbour on the core slows them down as it does ordinary loops, and no chain. */
function fixedWork(turns) {
  let a = 1
  let b = 2
  let c = 3
  let d = 4
  for (let i = 0; i < turns; i++) {
    a = (a + i) | 0
    b = (b ^ i) | 0
    c = (c + (i << 1)) | 0
    d = (d ^ (i >> 1)) | 0
  }
  return (a + b + c + d) | 0
}

/** Whether a calibration says that the machine runs at full speed, whose calibration is `reference`. */
export const isFullSpeed = (calibration, reference) => calibration <= reference * FREQUENCIES

/** Times the fixed work. */
export class Clock {
  #work
  #turns = TURNS
  /** The shortest calibration so far, in milliseconds. */
  reference
  /** What the fixed work came to: V8 leaves out a loop whose result nobody can see. */
  result

  /** `reference` is the shortest calibration that others have met, `resolution` the smallest step of the clock, in milliseconds. */
  constructor({ reference = Infinity, resolution = 0, work = fixedWork } = {}) {
    this.#work = work
    this.reference = reference
    for (let run = 0; run < WARM_UP_RUNS; run++) {
      const calibration = this.#time()
      // A coarse clock would read 0.
      if (resolution === 0) this.reference = Math.min(this.reference, calibration)
    }
    while (resolution > 0 && this.#time() < LEAST_STEPS * resolution) this.#turns *= 2
  }

  /** How long the fixed work takes now, in milliseconds. Costs that time. */
  calibrate() {
    const calibration = (this.#time() / this.#turns) * TURNS
    if (calibration < this.reference) this.reference = calibration
    return calibration
  }

  #time() {
    const start = performance.now()
    this.result = this.#work(this.#turns)
    return performance.now() - start
  }
}

/** Samples with the calibrations before and after each, in milliseconds. Adding one allocates nothing but now and then. */
export class Samples {
  #values = new Float64Array(3 * 4096)
  #used = 0

  get count() {
    return this.#used / 3
  }

  add(before, time, after) {
    if (this.#used + 3 > this.#values.length) {
      const longer = new Float64Array(this.#values.length * 2)
      longer.set(this.#values)
      this.#values = longer
    }
    this.#values[this.#used++] = before
    this.#values[this.#used++] = time
    this.#values[this.#used++] = after
  }

  /**
   * The `times` that count, ascending, each scaled by its calibrations to full speed, whose calibration is `reference`; the
   * `least` as it was read. Those count that were taken at full speed (`steady`); where these are too few, all on whose
   * sides the speed was the same, or all there are.
   */
  judge(reference) {
    const all = Array.from({ length: this.count }, (_, k) => this.#values.subarray(3 * k, 3 * k + 3))
    const level = all.filter(
      ([before, , after]) => Math.max(before, after) <= LEVEL * Math.min(before, after),
    )
    const full = level.filter(([before, , after]) => isFullSpeed(Math.max(before, after), reference))
    const enough = Math.min(LEAST_SAMPLES, all.length)
    const steady = full.length >= enough
    const counted = steady ? full : level.length >= enough ? level : all
    const scaled = ([before, time, after]) => (time * 2 * reference) / (before + after)
    return {
      times: counted.map(scaled).sort((a, b) => a - b),
      least: all.reduce((least, [, time]) => Math.min(least, time), Infinity),
      steady,
    }
  }
}

/** The calibration of full speed: the shortest that any process met, in nanoseconds; undefined where nothing was timed. */
export function fullSpeedOf(figures) {
  const calibrations = figures.map((one) => one.calibration).filter((one) => one !== undefined)
  return calibrations.length > 0 ? calibrations.reduce((least, one) => Math.min(least, one)) : undefined
}

/** What a process reported, scaled to the full speed of the whole run; not steady where it never met that speed. */
export function atFullSpeed(figures, reference) {
  const { nanoseconds, calibration, steady } = figures
  if (calibration === undefined) return figures
  return {
    ...figures,
    nanoseconds: (nanoseconds * reference) / calibration,
    steady: steady && isFullSpeed(calibration, reference),
  }
}
