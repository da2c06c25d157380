// Owns one measurement: one library, one way, one case, one size, wherever it runs: first run, check, warm-up, timing,
// check; of a case that is run once, the first run. It must never report a time for a result that is not right, nor know whether it is in Node or in a browser.
import { measure } from 'mitata'
import { warmUp } from './warmUp.js'

/** A sample shorter than so many steps of the clock says little by itself. */
const LEAST_STEPS = 50

/**
 * Measures a row; must be alone in its process or worker.
 *
 * @param row.work the case
 * @param row.make the adapter's way: takes the size, gives `run`, `result`, and where needed `before` and `rounding`
 * @param row.milliseconds how long to measure; 0 checks the result and takes no time
 * @param place what is known where it runs: `heldMemory` and `collectionCounter` (Node, with `--expose-gc`), or the
 *   `resolution` of a clock too coarse to be forgotten, in milliseconds
 * @returns checksum and rounding; and, unless `milliseconds` is 0, nanoseconds a run, the number of timed runs and what
 *   the place can tell
 * @throws {Error} when a value differs from the reference
 */
export async function measureRow({ work, make, size, milliseconds }, place = {}) {
  const { heldMemory, collectionCounter, resolution = 0 } = place
  const memoryBefore = heldMemory?.()
  const { before, run, result, rounding, statistics } = await make(size)
  // What needs a `before` is run once for each.
  let runsPerSample = before ? 1 : (work.runsPerSample?.(size) ?? 1)
  let runs = 0

  await before?.()
  const start = performance.now()
  const first = run()
  // becsy and woven run their systems asynchronously, and so do their preparations; nobody else is made to wait.
  const asynchronous = first instanceof Promise
  await first
  const firstTook = performance.now() - start
  runs++
  // Before the check, which leaves garbage behind and makes the process larger.
  const memoryAfterFirst = work.once && heldMemory?.()
  const checksum = await verify()

  if (work.once) {
    const memory = heldMemory && { before: memoryBefore, after: memoryAfterFirst }
    return { checksum, rounding, nanoseconds: firstTook * 1e6, runs, memory, statistics: statistics?.() }
  }
  if (milliseconds === 0) {
    await before?.()
    await run()
    runs++
    await verify()
    return { checksum, rounding }
  }
  const warmUpStart = performance.now()
  const warmUpRuns = await warmUp(milliseconds / 2, run, before)
  runs += warmUpRuns
  const pace = (performance.now() - warmUpStart) / warmUpRuns
  if (!before) runsPerSample = Math.max(runsPerSample, Math.ceil((LEAST_STEPS * resolution) / pace))
  const collections = collectionCounter?.()
  const untimed = runs
  const nanoseconds = await timePerRun(before && (collections?.preparation(before) ?? before))
  const collected = await collections?.count()
  const timed = runs - untimed
  const memory = heldMemory && { before: memoryBefore, after: heldMemory() }
  await verify()
  return { checksum, rounding, nanoseconds, runs: timed, collections: collected, memory }

  /** Compares every value with the reference and returns a checksum that depends on their order, too. */
  async function verify() {
    const found = await result()
    const wanted = work.reference(size, runs, rounding)
    if (found.length !== wanted.length) {
      throw new Error(`wrong result after ${runs} runs: ${found.length} values, should be ${wanted.length}`)
    }
    let checksum = 0
    for (let k = 0; k < wanted.length; k++) {
      if (!Object.is(found[k] + 0, wanted[k] + 0)) {
        throw new Error(`wrong result after ${runs} runs: value ${k} is ${found[k]}, should be ${wanted[k]}`)
      }
      checksum += found[k] * ((k % 97) + 1)
    }
    return checksum
  }

  function preparedRun(prepared) {
    run()
    runs++
    return prepared
  }

  async function preparedAsynchronousRun(prepared) {
    await run()
    runs++
    return prepared
  }

  function severalRuns() {
    let last
    for (let k = 0; k < runsPerSample; k++) last = run()
    runs += runsPerSample
    return last
  }

  async function asynchronousRuns() {
    for (let k = 0; k < runsPerSample; k++) await run()
    runs += runsPerSample
  }

  function timedFunction(prepare) {
    if (prepare) return asynchronous ? preparedAsynchronousRun : preparedRun
    return asynchronous ? asynchronousRuns : severalRuns
  }

  /** The median over the samples of one process or worker; who asked takes the median over these. */
  async function timePerRun(prepare) {
    const timed = timedFunction(prepare)
    const options = {
      min_cpu_time: milliseconds * 1e6,
      min_samples: 5,
      samples_threshold: 8,
      // Batches would call `prepare` thousands of times first, and the runs after that: off. A coarse clock says 0.
      batch_threshold: -1,
      // Without gc() mitata would allocate a gigabyte in its place.
      ...(globalThis.gc ? {} : { gc: false }),
    }
    const stats = prepare
      ? await measure(function* () {
          yield { 0: prepare, bench: timed }
        }, options)
      : await measure(timed, options)
    const step = resolution * 1e6
    return (stats.p50 < LEAST_STEPS * step ? usualMean(stats, step) : stats.p50) / runsPerSample
  }
}

/**
 * The mean of samples that are but a few steps of the clock long, of which each is off by up to one: only many together
 * are right. What took far longer than most was interrupted; the median would not count it, either.
 */
function usualMean({ samples, p50 }, step) {
  const usual = samples.filter((sample) => sample <= 3 * p50 + 2 * step)
  return usual.reduce((sum, sample) => sum + sample, 0) / usual.length
}
