// The comparison of two files of results, and its rule: no difference is called slower or faster that the spread of the
// repeats could explain.
import { isSteady, wasBusy } from './results.js'
import { median, valuesOf } from './statistics.js'
import { align } from './table.js'

/** Smaller differences are not worth a word. */
const LEAST_CHANGE = 1.05
/** With fewer repeats the spread says too little. */
const LEAST_REPEATS = 3

const RULE =
  'Slower or faster: all repeats of one file lie above all repeats of the other, and the medians differ by more than 5 %,\n' +
  'after division by the drift of the machine, which is the median change of the rows that are not of strata-ecs.\n' +
  'No verdict where the clock wandered: most processes of a row did not run at the full speed of the machine.'

const keyOf = (row) => JSON.stringify([row.case, row.size, row.library, row.way])
const isOurs = ({ library }) => library === 'strata'
const areSteady = ({ row, old }) => isSteady(row) && isSteady(old)

/**
 * Compares the rows that both results have: `drift`, how much slower the machine was in the new file, by the rows of others
 * in the same version, 1 if there are none; `rows`, one for each pair with its `change` (new median by old, drift taken out)
 * and `verdict`; how many rows are `gone`, and `added`.
 */
export function compareResults(older, newer) {
  const oldRows = new Map(older.rows.map((row) => [keyOf(row), row]))
  const pairs = newer.rows
    .filter((row) => oldRows.has(keyOf(row)))
    .map((row) => ({ row, old: oldRows.get(keyOf(row)) }))
  const unchanged = pairs.filter(
    ({ row, old }) => !isOurs(row) && row.version === old.version && areSteady({ row, old }),
  )
  const changes = unchanged.map(({ row, old }) => median(row.nanoseconds) / median(old.nanoseconds))
  const drift = changes.length > 0 ? median(changes) : 1
  return {
    drift,
    rows: pairs.map((pair) => {
      const work = newer.cases.find(({ name }) => name === pair.row.case)
      const isGarbage = work.quantity === 'garbage'
      const [before, after] = [pair.old, pair.row].map((row) => valuesOf(work, row, 1))
      return { ...pair, before, after, ...judge(before, after, isGarbage ? 1 : drift, pair) }
    }),
    gone: older.rows.length - pairs.length,
    added: newer.rows.length - pairs.length,
  }
}

function judge(before, after, drift, pair) {
  const values = after.map((value) => value / drift)
  const change = median(values) / median(before)
  const isSlower = change > LEAST_CHANGE && Math.min(...values) > Math.max(...before)
  const isFaster = change < 1 / LEAST_CHANGE && Math.max(...values) < Math.min(...before)
  if (!areSteady(pair)) return { change, verdict: 'clock wandered' }
  if (Math.min(before.length, after.length) < LEAST_REPEATS) return { change, verdict: 'too few repeats' }
  return { change, verdict: isSlower ? 'slower' : isFaster ? 'faster' : 'equal' }
}

/** Whether strata-ecs got slower: what other rows do tells of the machine, not of the code. */
export const gotSlower = ({ rows }) => rows.some(({ row, verdict }) => isOurs(row) && verdict === 'slower')

/** What the command prints. */
export function formatComparison({ drift, rows, gone, added }, older, newer) {
  const differs = (what) => older.machine?.[what] !== newer.machine?.[what]
  const careful = ['processor', 'cores', 'platform', 'node', 'browser']
    .filter(differs)
    .map((what) => `${what} was ${older.machine?.[what]}, is ${newer.machine?.[what]}.`)
  if (wasBusy(older) || wasBusy(newer)) careful.push('the machine had other work during a run; repeat it.')
  const lineOf = ({ row, before, after, change }) => [
    `${row.case} ${row.size.toLocaleString('en')}`,
    `${row.label}: ${row.way}`,
    `x ${change.toFixed(2)}`,
    [before, after].map((values) => median(values).toPrecision(3)).join(' -> '),
  ]
  const ofVerdict = (verdict) => rows.filter((one) => one.verdict === verdict)
  const tables = ['slower', 'faster', 'too few repeats', 'clock wandered'].flatMap((verdict) => {
    const found = ofVerdict(verdict).toSorted((a, b) => b.change - a.change)
    return found.length > 0 ? ['', `${verdict}:`, align(found.map(lineOf))] : []
  })
  return [
    ...[`Compared with the results of ${older.date}:`, RULE, ''],
    ...careful.map((sentence) => `CAREFUL: ${sentence}`),
    `Drift of the machine: ${drift.toFixed(2)}`,
    ...[...tables, ''],
    `${rows.length} rows compared, ${ofVerdict('equal').length} of them equal within the noise.`,
    `${gone} rows are only in the older file, ${added} only in the newer one.`,
  ].join('\n')
}
