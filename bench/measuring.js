// The order of the measurements: rivals take turns, repeat by repeat, and each row collects its figures. No two run at the same
// time where times are taken, and a row whose result was not right has none.
import { atFullSpeed, fullSpeedOf } from './clock.js'
import { groupBy } from './statistics.js'

/**
 * Runs every job `repeats` times; each then has its figures, one a process or worker, or an `error`. What was measured
 * while the machine did not run at full speed is measured once more at the end, and the steadier of the two is kept.
 *
 * @param isolate measures a job where nobody else is, given `milliseconds` and the fastest calibration so far as
 *   `reference`, and resolves to what measurement.js returned or rejects with what it threw
 * @param progress told of each step: `line(text)` for a log, `show(text)` for now, and `done()` where it wants to know
 * @param signal ends the measuring after the present row when aborted
 * @param atOnce how many rows at a time where no times are taken
 */
export async function measureAll(jobs, { repeats, milliseconds }, places) {
  const { isolate, progress, signal, atOnce = 1 } = places
  for (const job of jobs) job.measured = []
  const groups = [...groupBy(jobs, ({ work, size }) => `${work.name} ${size}`).values()]
  let fastest
  let [step, steps] = [0, jobs.length * repeats]
  for (let repeat = 0; repeat < repeats; repeat++) {
    progress.line(`repeat ${repeat + 1} of ${repeats}, ${jobs.length} rows`)
    // Each repeat starts with another rival: what the machine does at the time hits all alike.
    await inTurn(groups.flatMap((group) => group.map((_, k) => [group[(k + repeat) % group.length], repeat])))
  }
  const unsteady = unsteadyTurns(jobs)
  if (unsteady.length > 0 && !signal?.aborted) {
    progress.line(`once more, ${unsteady.length} that were not measured at full speed`)
    steps += unsteady.length
    await inTurn(unsteady.map(([job, repeat]) => [job, repeat, true]))
  }
  progress.show('')

  async function inTurn(turns) {
    const left = turns.values()
    const runOneByOne = async () => {
      for (const [job, repeat, again = false] of left) {
        if (signal?.aborted) return
        progress.show(`${++step}/${steps}: ${job.work.name} ${job.size}, ${job.label}, ${job.way}`)
        if (!job.error) await measure(job, { repeat, again })
        progress.done?.()
      }
    }
    await Promise.all(Array.from({ length: milliseconds === 0 ? atOnce : 1 }, runOneByOne))
  }

  /** What was interrupted has neither figures nor an error. */
  async function measure(job, turn) {
    try {
      keep(job, turn, await isolate(job, { milliseconds, reference: fastest }))
    } catch (error) {
      if (error.name !== 'AbortError') job.error = String(error)
    }
  }

  function keep(job, { repeat, again }, figures) {
    if (figures.calibration < (fastest ?? Infinity)) fastest = figures.calibration
    if (!again) job.measured.push({ repeat, ...figures })
    else if (figures.steady) job.measured = job.measured.map((one) => (one.repeat === repeat ? { repeat, ...figures } : one)) // prettier-ignore
  }
}

/** Each job and repeat that was not measured at the full speed of the whole run. */
function unsteadyTurns(jobs) {
  const reference = fullSpeedOf(jobs.flatMap(({ measured }) => measured))
  const isUnsteady = (figures) => atFullSpeed(figures, reference).steady === false
  const turnsOf = (job) => job.measured.filter(isUnsteady).map(({ repeat }) => [job, repeat])
  return jobs.filter(({ error }) => !error).flatMap(turnsOf)
}
