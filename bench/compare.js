// Owns the comparison of two files of results, and its rule. It must never call a difference slower or faster that the
// spread of the repeats could explain.
import { isAboutMemory, valuesOf } from './quantities.js'
import { isSteady, wasBusy } from './results.js'
import { median } from './statistics.js'
import { align } from './table.js'

/** Smaller differences are not worth a word. */
const LEAST_CHANGE = 0.05

/** With fewer repeats the spread says too little. */
const LEAST_REPEATS = 3

const WANDERED = 'clock wandered'

export const RULE =
  'Slower or faster: all repeats of one file lie above all repeats of the other, and the medians differ by more than 5 %,\n' +
  'after division by the drift of the machine, which is the median change of the rows that are not of strata-ecs.\n' +
  'No verdict where the clock wandered: most processes of a row did not run at the full speed of the machine.\n' +
  'Where a case is about memory, slower means more of it, and there is no drift.'

/**
 * Compares the rows that both results have.
 *
 * @returns `drift`: how much slower the machine was in the new file, by the rows whose library and version are the same
 *   in both and that are not of strata-ecs, 1 if there are none; `rows`: one for each pair with its `change` (new median
 *   by old, drift taken out) and `verdict`: 'slower', 'faster', 'equal', 'too few repeats' or 'clock wandered'; `gone` and `added`: rows
 *   that only one file has
 */
export function compareResults(older, newer) {
  const oldRows = new Map(older.rows.map((row) => [keyOf(row), row]))
  const newKeys = new Set(newer.rows.map(keyOf))
  const pairs = newer.rows
    .filter((row) => oldRows.has(keyOf(row)))
    .map((row) => ({
      row,
      old: oldRows.get(keyOf(row)),
      work: newer.cases?.find(({ name }) => name === row.case) ?? {},
    }))
  const drift = driftOf(pairs.filter(({ work }) => !isAboutMemory(work)))
  return {
    drift,
    rows: pairs.map(({ row, old, work }) => {
      const [before, after] = [old, row].map((one) => valuesOf(work, one, 1))
      const judged = judge(before, after, isAboutMemory(work) ? 1 : drift)
      if (!isAboutMemory(work) && !(isSteady(row) && isSteady(old))) judged.verdict = WANDERED
      return { row, old, work, before, after, ...judged }
    }),
    gone: older.rows.filter((row) => !newKeys.has(keyOf(row))),
    added: newer.rows.filter((row) => !oldRows.has(keyOf(row))),
  }
}

const keyOf = (row) => JSON.stringify([row.case, row.size, row.library, row.way])

const isOurs = ({ library }) => library === 'strata'

function driftOf(pairs) {
  const unchanged = pairs.filter(
    ({ row, old }) => !isOurs(row) && row.version === old.version && isSteady(row) && isSteady(old),
  )
  if (unchanged.length === 0) return 1
  return median(unchanged.map(({ row, old }) => median(row.nanoseconds) / median(old.nanoseconds)))
}

function judge(oldTimes, newTimes, drift) {
  const times = newTimes.map((time) => time / drift)
  const change = median(times) / median(oldTimes)
  if (oldTimes.length < LEAST_REPEATS || newTimes.length < LEAST_REPEATS) {
    return { change, verdict: 'too few repeats' }
  }
  if (change > 1 + LEAST_CHANGE && Math.min(...times) > Math.max(...oldTimes))
    return { change, verdict: 'slower' }
  if (change < 1 / (1 + LEAST_CHANGE) && Math.max(...times) < Math.min(...oldTimes)) {
    return { change, verdict: 'faster' }
  }
  return { change, verdict: 'equal' }
}

/** Whether strata-ecs got slower: what other rows do tells of the machine, not of the code. */
export const gotSlower = ({ rows }) => rows.some(({ row, verdict }) => isOurs(row) && verdict === 'slower')

/** What the command prints. */
export function formatComparison(comparison, older, newer) {
  const { drift, rows, gone, added } = comparison
  const lines = [`Compared with the results of ${older.date}:`, RULE, '']
  for (const difference of differentMachines(older, newer)) lines.push(`CAREFUL: ${difference}`)
  if (wasBusy(older) || wasBusy(newer))
    lines.push('CAREFUL: the machine had other work during a run; repeat it.')
  lines.push(`Drift of the machine: ${drift.toFixed(2)}`)
  for (const verdict of ['slower', 'faster', 'too few repeats', WANDERED]) {
    const found = rows.filter((one) => one.verdict === verdict)
    if (found.length > 0) lines.push('', `${verdict}:`, formatRows(found))
  }
  const equal = rows.filter(({ verdict }) => verdict === 'equal').length
  lines.push('', `${rows.length} rows compared, ${equal} of them equal within the noise.`)
  if (gone.length > 0) lines.push(`${gone.length} rows only in the older file: ${namesOf(gone)}`)
  if (added.length > 0) lines.push(`${added.length} rows only in the newer file: ${namesOf(added)}`)
  return lines.join('\n')
}

function formatRows(found) {
  const worstFirst = found.toSorted((a, b) => b.change - a.change)
  return align(
    worstFirst.map(({ row, work, before, after, change }) => [
      `${row.case} ${row.size.toLocaleString('en')}`,
      `${row.label}: ${row.way}`,
      `x ${change.toFixed(2)}`,
      isAboutMemory(work)
        ? `${digits(before)} -> ${digits(after)} MB`
        : `${milliseconds(before)} -> ${milliseconds(after)} ms`,
    ]),
  )
}

const digits = (values) => median(values).toPrecision(3)
const milliseconds = (times) => digits(times.map((time) => time / 1e6))

const namesOf = (rows) =>
  [...new Set(rows.map((row) => `${row.case} ${row.size} ${row.label}`))].slice(0, 8).join(', ')

function differentMachines(older, newer) {
  const differs = (what) => older.machine?.[what] !== newer.machine?.[what]
  return ['processor', 'cores', 'platform', 'node', 'browser', 'resolution']
    .filter(differs)
    .map((what) => `${what} was ${older.machine?.[what]}, is ${newer.machine?.[what]}.`)
}
