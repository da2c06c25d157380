// Results of ensembles that tests make up.

import { Rows } from '../../src/columns.ts'

const USUAL_COLUMNS = { day: 'u16', x: 'f64', note: 'text' }

/** Results of runs, each with a list of values: one row a value. Where columns are named, the values are rows. */
export function resultsOf(
  runs,
  { axis, columns, failed = [], parameters = { r0: 1, place: 'Lima', days: 60 } } = {},
) {
  const entries = runs.map(({ parameters: given, values, ms = 1 }, i) => {
    const rows = new Rows(columns ?? USUAL_COLUMNS)
    values.forEach((x, day) => rows.add(columns ? x : { day: day + 1, x, note: 'n' }))
    return {
      key: `k${i}`,
      index: i,
      seed: i,
      parameters: given,
      attempts: 1,
      ms,
      rows: values.length,
      collected: rows,
    }
  })
  return {
    description: { module: 'a.run', parameters, columns: columns ?? USUAL_COLUMNS, axis },
    runs: entries,
    combinations: runs.map(({ parameters: given }) => given),
    mostRows: Math.max(0, ...entries.map(({ rows }) => rows)),
    failed,
    failedCount: failed.length,
    remarks: [],
    *each() {
      for (const run of entries) yield { run, rows: run.collected }
    },
    rowCount: entries.reduce((sum, { rows }) => sum + rows, 0),
  }
}

/** A run with the first two of its parameters. */
export const at = (r0, values, place = 'Lima', ms) => ({ parameters: { r0, place, days: 60 }, values, ms })
/** A run that failed. */
export const failure = {
  key: 'f',
  index: 9,
  seed: 99,
  parameters: { r0: 2, place: '<b>' },
  attempts: 2,
  ms: 1500,
  failed: { message: 'left the map', stack: 'RangeError: left the map\n    at run', log: 'one\ntwo\n' },
}
