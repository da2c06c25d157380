// Owns what stands in a file of results, whoever measured them. It must never hold a row whose result was not right; such
// a row is listed as refused, with the reason.

import { atFullSpeed, fullSpeedOf } from './clock.js'

const MEANING = {
  clock:
    'calibration: how long the fixed work of bench/clock.js takes at full speed, in nanoseconds: the least of all processes',
  facts: 'bytes of the gzipped package',
  garbage:
    'bytes that a frame leaves on the heap and outside of it, and collections in all frames, for each process',
  load: 'how many programs wanted a core in the minute before the run, and in its last minute; the run itself is one',
  nanoseconds:
    'one run of the case over all its entities; one value for each process (in a browser: each worker) that ran at full speed, or for all where most did not: the median of ' +
    'its samples, or the mean of the usual ones where the clock is too coarse for one; each scaled by its calibrations to full speed',
  least: 'the shortest sample of each process, as it was read',
  steady: 'for each process whether the samples that count were taken at full speed',
  runs: 'timed runs, one value for each process or worker',
  collections: 'garbage collections in the timed runs, one value for each process',
  memory:
    'bytes held after a collection, before the entities were made and after the timed runs, for each process',
  statistics: 'bytes that the library itself says are used and reserved, where it says so, for each process',
}

/** Whether other programs took a share of the machine during a run; it is not known of older files. */
export const wasBusy = ({ load, machine }) =>
  load !== undefined && Math.max(load.before, load.after - 1) > machine.cores / 2

/**
 * Everything about a run as plain data. `jobs` and `offers` are those of plan.js, after measuring.js; `machine` and `load`
 * what is known of the place, see machine.js and page/machine.js; `facts` what facts.js found.
 */
export function resultsOf({ jobs, offers }, options, { packages, machine, load, facts }) {
  const cases = [...new Set(jobs.map(({ work }) => work))]
  const calibration = fullSpeedOf(jobs.flatMap(({ measured }) => measured))
  return {
    date: new Date().toISOString(),
    machine,
    load,
    clock: calibration && { calibration },
    packages,
    facts,
    options: {
      repeats: options.repeats,
      milliseconds: options.milliseconds,
      whole: options.whole,
      summary: options.summary,
    },
    meaning: MEANING,
    cases: cases.map(caseOf),
    libraries: offers.map(({ library, label, version, uses }) => ({ library, label, version, uses })),
    rows: jobs
      .filter(({ error, measured }) => !error && measured.length > 0)
      .map((job) => rowOf(job, calibration)),
    refused: jobs
      .filter(({ error }) => error)
      .map(({ work, size, library, label, way, error }) => ({
        case: work.name,
        size,
        library,
        label,
        way,
        error,
      })),
  }
}

const caseOf = ({ name, title, unit, units, quantity, beside }) => ({
  name,
  title,
  unit,
  units,
  quantity,
  beside: beside?.map(({ work, ...one }) => ({ ...one, case: work?.name })),
})

function rowOf({ work, size, library, label, version, way, measured, checksums }, calibration) {
  // One that was interrupted in the middle of a turn may have come to its later repeat first.
  const inOrder = measured.toSorted((a, b) => a.repeat - b.repeat)
  const figures = inOrder.map((one) => atFullSpeed(one, calibration))
  const of = (some, figure) => some.map((one) => one[figure]).filter((value) => value !== undefined)
  const each = (figure) => of(figures, figure)
  // What was scaled is a guess: it counts only where there is nothing better.
  const counted = isSteady({ steady: each('steady') })
    ? figures.filter(({ steady }) => steady !== false)
    : figures
  return {
    case: work.name,
    size,
    library,
    label,
    version,
    way,
    nanoseconds: of(counted, 'nanoseconds'),
    least: each('least'),
    steady: each('steady'),
    runs: each('runs'),
    collections: each('collections'),
    memory: each('memory'),
    statistics: each('statistics'),
    garbage: each('garbage'),
    checksum: [...checksums][0],
  }
}

/** The rows that do the same work on the same number of entities, in the order of the file: a table each. */
export function groupsOf({ cases, rows, refused }) {
  const groups = new Map()
  for (const row of [...rows, ...refused]) {
    const key = `${row.case} ${row.size}`
    const work = cases.find(({ name }) => name === row.case)
    if (!groups.has(key)) {
      groups.set(key, { work: { ...work, unit: work.unit ?? 'entity', units: work.units ?? 'entities' }, size: row.size, rows: [], refused: [] }) // prettier-ignore
    }
    groups.get(key)[row.error ? 'refused' : 'rows'].push(row)
  }
  const place = ({ work }) => cases.findIndex(({ name }) => name === work.name)
  return [...groups.values()].toSorted((a, b) => place(a) - place(b) || a.size - b.size)
}

/** Whether a verdict can be given on a row: most of its processes ran at full speed. Older files did not ask. */
export const isSteady = ({ steady }) => !steady?.length || steady.filter(Boolean).length * 2 > steady.length

/** Whether a library is another ECS: neither ours nor code that was written for the comparison. */
export const isPeer = (library) => !['raw', 'c', 'baselines', 'strata'].includes(library)

/**
 * What a file of results holds, older ones included.
 *
 * @throws {Error} when the text is something else
 */
export function parseResults(text) {
  const results = JSON.parse(text)
  if (!Array.isArray(results?.rows) || results.rows.some(({ nanoseconds }) => !Array.isArray(nanoseconds))) {
    throw new Error('it holds no results of this benchmark')
  }
  return results.cases ? results : upgraded(results)
}

/** The first files had labels for the names of libraries, and neither titles nor what was refused. */
function upgraded({ rows, ...others }) {
  const cases = [...new Set(rows.map((row) => row.case))].map((name) => ({ name, title: name }))
  const named = rows.map((row) => ({
    ...row,
    library: FIRST_LABELS[row.library] ?? row.library,
    label: row.library,
  }))
  return { ...others, cases, libraries: [], refused: [], packages: {}, rows: named }
}

const FIRST_LABELS = { 'hand-written arrays': 'raw', 'strata-ecs': 'strata', bitECS: 'bitecs' }
