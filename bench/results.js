// Owns the file of results: what stands in it, how it is written and read. It must never hold a row whose result was
// not right; such a row is listed as refused, with the reason.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { dirname } from 'node:path'

const MEANING = {
  facts: 'bytes of the gzipped package; bytes on the heap and collections a frame leaves on the chunk path',
  load: 'how many programs wanted a core in the minute before the run, and in its last minute; the run itself is one',
  nanoseconds:
    'one run of the case over all its entities; one value for each process, the median of its samples',
  runs: 'timed runs, one value for each process',
  collections: 'garbage collections in the timed runs, one value for each process',
  memory:
    'bytes held after a collection, before the entities were made and after the timed runs, for each process',
}

/** How many programs want a core, averaged over the last minute. 0 where the system does not tell. */
export const loadNow = () => os.loadavg()[0]

/** Whether other programs took a share of the machine during a run; it is not known of older files. */
export const wasBusy = ({ load, machine }) =>
  load !== undefined && Math.max(load.before, load.after - 1) > machine.cores / 2

/**
 * Everything about a run as plain data. `jobs` and `offers` are those of plan.js, after measuring.js; `loadBefore` is
 * what `loadNow` said before it, `facts` what facts.js found.
 */
export function resultsOf({ jobs, offers }, options, packages, loadBefore, facts) {
  const cases = [...new Set(jobs.map(({ work }) => work))]
  return {
    date: new Date().toISOString(),
    machine: {
      processor: os.cpus()[0].model.trim(),
      cores: os.cpus().length,
      memory: os.totalmem(),
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
      v8: process.versions.v8,
    },
    load: { before: loadBefore, after: loadNow() },
    packages,
    facts,
    options: { repeats: options.repeats, milliseconds: options.milliseconds, whole: options.whole },
    meaning: MEANING,
    cases: cases.map(({ name, title, unit, units }) => ({ name, title, unit, units })),
    libraries: offers.map(({ library, label, version, uses }) => ({ library, label, version, uses })),
    rows: jobs.filter(({ error }) => !error).map(rowOf),
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

function rowOf({ work, size, library, label, version, way, measured, checksums }) {
  const each = (figure) => measured.map((one) => one[figure]).filter((value) => value !== undefined)
  return {
    case: work.name,
    size,
    library,
    label,
    version,
    way,
    nanoseconds: each('nanoseconds'),
    runs: each('runs'),
    collections: each('collections'),
    memory: each('memory'),
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

/** Whether a library is another ECS: neither ours nor code that was written for the comparison. */
export const isPeer = (library) => !['raw', 'baselines', 'strata'].includes(library)

export function writeResults(path, results) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`)
}

/**
 * A file that `writeResults` wrote, older ones included.
 *
 * @throws {Error} when it cannot be read or is something else
 */
export function readResults(path) {
  let results
  try {
    results = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error })
  }
  if (!Array.isArray(results?.rows) || results.rows.some(({ nanoseconds }) => !Array.isArray(nanoseconds))) {
    throw new Error(`${path} holds no results of this benchmark.`)
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
