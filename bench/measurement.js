// One measurement: one library, one way, one case, one size, wherever it runs: first run, check, warm-up, timing, check; of a
// case that is run once, the first run. A result that is not right has no time.
import { Clock, LEAST_SAMPLES, Samples, isFullSpeed } from './clock.js'
import { median } from './statistics.js'

/** A sample shorter than so many steps of the clock says little by itself. */
const LEAST_STEPS = 50
/** How many times as long as asked a row is measured while the machine runs too slowly for its samples to count. */
const PATIENCE = 4
/** What is run once is told by this many calibrations before and after. */
const CALIBRATIONS_AROUND_ONE = 20

/**
 * Measures a row; must be alone in its process or worker.
 *
 * @param row.milliseconds how long to measure; 0 checks the result and takes no time
 * @param row.reference the shortest calibration met by others so far, in nanoseconds
 * @param place what is known where it runs: `measureGarbage` (Node), or the `resolution` of a clock too coarse to be
 *   forgotten, in milliseconds; `fixedWork` where the time is made up
 * @returns the number of runs; and, unless `milliseconds` is 0, nanoseconds a run: the median, scaled to the fastest
 *   `calibration` met, and the `least`; and whether the clock was `steady`, see clock.js
 * @throws {Error} when a value differs from the reference
 */
export async function measureRow({ work, make, size, milliseconds, reference }, place = {}) {
  const { measureGarbage, resolution = 0, fixedWork } = place
  const timed = milliseconds > 0
  const clock = timed
    ? new Clock({ reference: reference > 0 ? reference / 1e6 : undefined, resolution, work: fixedWork })
    : undefined
  const speedBefore = work.once && timed ? usualCalibration(clock) : undefined
  const { before, run, runMany, result } = await make(size)
  // What needs a `before` is run once for each.
  let runsPerSample = before ? 1 : (work.runsPerSample?.(size) ?? 1)
  let runs = 0

  before?.()
  const start = performance.now()
  // Only what is run once may be a promise: it imports.
  await run()
  const firstTook = performance.now() - start
  runs++
  const speedAfter = speedBefore && usualCalibration(clock)
  verify()

  if (work.once) {
    if (!timed) return { runs }
    const samples = new Samples()
    samples.add(speedBefore, firstTook, speedAfter)
    return { ...figuresOf(samples, 1), runs }
  }
  if (!timed) {
    before?.()
    run()
    runs++
    verify()
    return { runs }
  }
  if (work.frames) {
    const figures = await measureGarbage(run, work.frames)
    runs += figures.runs
    verify()
    return figures
  }
  const warmUpStart = performance.now()
  const warmUpRuns = warmUp(milliseconds / 2, run, before)
  runs += warmUpRuns
  const pace = (performance.now() - warmUpStart) / warmUpRuns
  if (!before) runsPerSample = Math.max(runsPerSample, Math.ceil((LEAST_STEPS * resolution) / pace))
  globalThis.gc?.()
  const untimed = runs
  const samples = takeSamples()
  verify()
  return { ...figuresOf(samples, runsPerSample), runs: runs - untimed }

  /** Compares every value with the reference. */
  function verify() {
    const found = result()
    const wanted = work.reference(size, runs)
    if (found.length !== wanted.length) {
      throw new Error(`wrong result after ${runs} runs: ${found.length} values, should be ${wanted.length}`)
    }
    for (let k = 0; k < wanted.length; k++) {
      if (!Object.is(found[k] + 0, wanted[k] + 0)) {
        throw new Error(`wrong result after ${runs} runs: value ${k} is ${found[k]}, should be ${wanted[k]}`)
      }
    }
  }

  /**
   * Samples and calibrations in turn, until those at full speed took `milliseconds`; on a machine that others slow down,
   * a few times as long.
   */
  function takeSamples() {
    const severalRuns = () => {
      for (let k = 0; k < runsPerSample; k++) run()
    }
    const sample = runMany ? () => runMany(runsPerSample) : severalRuns
    const samples = new Samples()
    const mostRuns = work.mostRuns?.(size) ?? Infinity
    let [spent, counted] = [0, 0]
    let after = clock.calibrate()
    while (
      samples.count < LEAST_SAMPLES ||
      (counted < milliseconds && spent < PATIENCE * milliseconds && runs + runsPerSample <= mostRuns)
    ) {
      before?.()
      // Preparing may take long, and what came after the sample before is no longer true.
      const calibration = before ? clock.calibrate() : after
      const start = performance.now()
      sample()
      const time = performance.now() - start
      after = clock.calibrate()
      runs += runsPerSample
      samples.add(calibration, time, after)
      spent += time
      if (isFullSpeed(Math.max(calibration, after), clock.reference)) counted += time
    }
    return samples
  }

  /** The median over the samples of one process or worker; who asked takes the median over these. */
  function figuresOf(samples, runsPerSample) {
    const { times, least, steady } = samples.judge(clock.reference)
    const time = median(times)
    const perRun = (milliseconds) => (milliseconds * 1e6) / runsPerSample
    return {
      nanoseconds: perRun(time),
      least: perRun(Math.min(least, time)),
      calibration: clock.reference * 1e6,
      steady,
    }
  }
}

const usualCalibration = (clock) =>
  median(Array.from({ length: CALIBRATIONS_AROUND_ONE }, () => clock.calibrate()))

/** Runs until the runs took `budget` ms together, `before` not counted; at most ten times as long. How often it ran. */
export function warmUp(budget, run, before) {
  const end = performance.now() + budget * 10
  let spent = 0
  let runs = 0
  do {
    before?.()
    const start = performance.now()
    run()
    spent += performance.now() - start
    runs++
  } while (spent < budget && performance.now() < end)
  return runs
}
