// Owns how an ensemble is shown in a terminal: quantiles by parameters, the slowest runs, and the failed ones.

import { nameOf } from './charts.js'
import type { FailedEntry, RunEntry } from './journal.js'
import { LEVELS, type Summary } from './summary.js'

/** A table of texts. */
export interface TextTable {
  head: string[]
  rows: string[][]
}

const LOG_LINES = 8

/** So many failed runs are in the terminal. */
const MOST_FAILURES = 20

/** From here on, numbers are written with an exponent. */
const HUGE = 1e15

/** A number as people read it: four digits, and a letter for thousands, millions and more, up to where nobody counts. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Number.isInteger(value) && Math.abs(value) < 10000) return String(value)
  const size = Math.abs(value)
  if (size >= HUGE) return value.toExponential(3).replace(/\.?0+e/, 'e')
  const [divisor, letter]: [number, string] =
    size >= 1e12
      ? [1e12, 'T']
      : size >= 1e9
        ? [1e9, 'G']
        : size >= 1e6
          ? [1e6, 'M']
          : size >= 1e4
            ? [1e3, 'k']
            : [1, '']
  return `${Number((value / divisor).toPrecision(4))}${letter}`
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** The heads of the table of quantiles, and its rows: with a column for NaN where there is any. */
export function quantileRows({
  groups,
  columns,
  nan,
}: Pick<Summary, 'groups' | 'columns' | 'nan'>): TextTable {
  const head = ['parameters', 'column', 'runs', 'mean', ...LEVELS.map((level) => `${level * 100} %`)]
  const rows = groups.flatMap((group) =>
    columns.map((column) => {
      const { runs, mean, quantiles } = group.last[column]!
      const name = nameOf(group.parameters) || 'all'
      const numbers = [name, column, String(runs), ...[mean, ...quantiles].map(shortNumber)]
      if (nan === 0) return numbers
      return [
        ...numbers,
        group.nan[column] === 0 ? '' : `${group.nan[column]} of ${counted(group.runs, 'run')}`,
      ]
    }),
  )
  return { head: nan === 0 ? head : [...head, 'NaN'], rows }
}

export const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`

/** What is to be known of runs with NaN: how many there are, in which columns, and that nothing else shows them. */
export function nanSentence({ groups, columns, runs, nan }: Summary): string {
  const inThem = columns.filter((column) => groups.some((group) => group.nan[column]! > 0))
  return `${nan} of ${counted(runs, 'run')} gave NaN, in ${inThem.join(', ')}: quantiles, means and charts leave it out.`
}

/** How a run is named so that it can be found and run again. */
export const runName = ({
  index,
  seed,
  parameters,
}: Pick<RunEntry, 'index' | 'seed' | 'parameters'>): string =>
  [`seed ${index} (${seed})`, nameOf(parameters)].filter(Boolean).join(', ')

/** What stands where the table of quantiles would be. */
export const NO_NUMBERS: string =
  'There is no column of numbers, so there is nothing to summarise: export has all rows.'

export function writeSummary(summary: Summary): string {
  const { description, runs, rows, nan, failed, failedCount, slowest } = summary
  const parts = [
    `${description.module}: ${counted(runs, 'run')}, ${counted(rows, 'row')}, ${failedCount} failed${nan > 0 ? `, ${nan} with NaN` : ''}`,
    summary.columns.length > 0 ? alignedTable(quantileRows(summary)) : NO_NUMBERS,
  ]
  if (nan > 0) parts.push(nanSentence(summary))
  if (slowest.length > 0) {
    const lines = slowest.slice(0, 5).map((run) => `  ${seconds(run.ms).padStart(8)}  ${runName(run)}`)
    parts.push(`Slowest\n${lines.join('\n')}`)
  }
  if (failedCount > 0) parts.push(writeFailures(failed, failedCount))
  return parts.join('\n\n')
}

/** What is said of failed runs that are not shown. */
export const moreFailures = (count: number): string =>
  `And ${counted(count, 'more run')} failed: journals/ in the folder has what is known of each.`

/** The first failed runs, each with its seed, its parameters, its stack and the end of its log, and how many more there are. */
export function writeFailures(failed: readonly FailedEntry[], count: number = failed.length): string {
  const written = failed.slice(0, MOST_FAILURES).map(({ failed: failure, attempts, ...run }) => {
    const stack = (failure.stack || failure.message).split('\n').map((line) => `    ${line}`)
    const log = failure.log.trimEnd().split('\n').slice(-LOG_LINES)
    const logged = failure.log === '' ? [] : ['    log:', ...log.map((line) => `      ${line}`)]
    return [
      `  ${runName(run)}, run ${counted(attempts, 'time')}: ${failure.message}`,
      ...stack,
      ...logged,
    ].join('\n')
  })
  if (count > MOST_FAILURES) written.push(`  ${moreFailures(count - MOST_FAILURES)}`)
  return `Failed\n${written.join('\n')}`
}

function alignedTable({ head, rows }: TextTable): string {
  const widths = head.map((_, column) =>
    [head, ...rows].reduce((widest, row) => Math.max(widest, row[column]!.length), 0),
  )
  const align = (row: string[]) =>
    row
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd()
  return [head, ...rows].map((row) => `  ${align(row)}`).join('\n')
}
