// What stands in a file of results, whoever measured them. A row whose result was not right is listed as refused, with the
// reason, and nowhere else.
import { atFullSpeed, fullSpeedOf } from './clock.js'
import { groupBy } from './statistics.js'

/** Whether other programs took a share of the machine during a run, which itself is one of those that wanted a core. */
export const wasBusy = ({ load, machine }) =>
  load !== undefined && Math.max(load.before, load.after - 1) > machine.cores / 2

/**
 * Everything about a run as plain data: `jobs` are those of plan.js, after measuring.js. `nanoseconds` of a row are of one run
 * of the case, one value for each process or worker that ran at full speed, or for all where most did not.
 */
export function resultsOf(jobs, { repeats, milliseconds, summary }, { packages, machine, load }) {
  const calibration = fullSpeedOf(jobs.flatMap(({ measured }) => measured))
  const nameOf = ({ work, size, library, label, version, way }) => ({
    ...{ case: work.name, size, library, label, version, way },
  })
  return {
    date: new Date().toISOString(),
    machine,
    load,
    clock: calibration && { calibration },
    packages,
    options: { repeats, milliseconds, summary },
    cases: [...new Set(jobs.map(({ work }) => work))].map(({ name, title, unit, units, quantity }) => ({
      ...{ name, title, unit, units, quantity },
    })),
    rows: jobs
      .filter(({ error, measured }) => !error && measured.length > 0)
      .map((job) => ({ ...nameOf(job), ...figuresOf(job, calibration) })),
    refused: jobs.filter(({ error }) => error).map((job) => ({ ...nameOf(job), error: job.error })),
  }
}

function figuresOf({ measured }, calibration) {
  const figures = measured.map((one) => atFullSpeed(one, calibration))
  const of = (some, figure) => some.map((one) => one[figure]).filter((value) => value !== undefined)
  const steady = of(figures, 'steady')
  // What was scaled is a guess: it counts only where there is nothing better.
  const counted = isSteady({ steady }) ? figures.filter((one) => one.steady !== false) : figures
  return {
    nanoseconds: of(counted, 'nanoseconds'),
    least: of(figures, 'least'),
    steady,
    runs: of(figures, 'runs'),
    garbage: of(figures, 'garbage'),
  }
}

/** The rows that do the same work on the same number of entities, in the order of the file: a table each. */
export function groupsOf({ cases, rows, refused }) {
  const groups = groupBy([...rows, ...refused], (row) => `${row.case} ${row.size}`)
  return [...groups.values()].map((own) => ({
    work: cases.find(({ name }) => name === own[0].case),
    size: own[0].size,
    rows: own.filter(({ error }) => !error),
    refused: own.filter(({ error }) => error),
  }))
}

/** Whether a verdict can be given on a row: most of its processes ran at full speed. */
export const isSteady = ({ steady }) => !steady?.length || steady.filter(Boolean).length * 2 > steady.length

/** Whether a library is another ECS: neither ours nor code that was written for the comparison. */
export const isPeer = (library) => !['raw', 'c', 'plain', 'strata'].includes(library)

/** What a file of results holds; throws when it is something else. */
export function parseResults(text) {
  const results = JSON.parse(text)
  const isRow = ({ nanoseconds }) => Array.isArray(nanoseconds)
  if (results.cases && results.rows?.every?.(isRow)) return results
  throw new Error('it holds no results of this benchmark: give a file that it wrote, or that its page saved.')
}
