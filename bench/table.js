// Owns how one case is shown in the terminal: a row for each library and way, medians, the least, spread and ratios. It
// must never drop a slow row, nor compare one whose clock wandered.
import { isAboutTime, scaleOf, valuesOf } from './quantities.js'
import { isPeer, isSteady } from './results.js'
import { median, medianOfRatios, spread, toPrecision } from './statistics.js'
import { yardsticksOf } from './yardsticks.js'

const UNSTEADY = '?'
const FOOTNOTE =
  `  ${UNSTEADY}  the machine did not run at full speed for most processes of this row: its figure is scaled, and no ` +
  'ratio is given.\n'

/** A group of `groupsOf` (results.js) as text; `all` are the rows of all groups. */
export function formatCase({ work, size, rows }, all = rows) {
  const ofRow = (row) => valuesOf(work, row, size)
  const rowOf = (library) => rows.find((row) => row.library === library)
  const bases = [rowOf('raw'), rowOf('c')].filter(Boolean)
  const peers = rows.filter(({ library }) => isPeer(library))
  const bestPeer = peers.toSorted((a, b) => median(ofRow(a)) - median(ofRow(b)))[0]
  const yardsticks = yardsticksOf(work, size, all)
  const least = isAboutTime(work)
  const header = [
    '',
    '',
    scaleOf(work),
    ...(least ? ['least'] : []),
    'spread',
    'runs/s',
    ...bases.map(({ library }) => `x ${library === 'c' ? 'C' : library}`),
    'best peer : this',
    ...yardsticks.map(({ name }) => `x ${name}`),
  ]
  const body = rows.map((row) => [
    row.label + (row.version ? ` ${row.version}` : ''),
    row.way,
    toPrecision(median(ofRow(row))) + (isSteady(row) ? '' : ` ${UNSTEADY}`),
    ...(least ? [leastOf(work, row, size)] : []),
    spread(ofRow(row)),
    Math.round(1e9 / median(row.nanoseconds)).toLocaleString('en'),
    ...bases.map((base) => ratio([row, base], () => medianOfRatios(ofRow(row), ofRow(base)).toFixed(2))),
    bestPeer
      ? ratio([row, bestPeer], () => medianOfRatios(ofRow(bestPeer), ofRow(row)).toFixed(2)) +
        (row === bestPeer ? ' (itself)' : '')
      : '',
    ...yardsticks.map(({ rowFor }) => {
      const base = rowFor(row)
      const of = () => (median(ofRow(row)) / median(valuesOf(work, base, base.size))).toFixed(2)
      return base ? ratio([row, base], of) : ''
    }),
  ])
  const title = `${work.title}, ${size.toLocaleString('en')} ${work.units}`
  return `${title}\n${align([header, ...body])}\n${rows.every(isSteady) ? '' : FOOTNOTE}`
}

/** The shortest sample of all processes. Older files have none. */
function leastOf(work, row, size) {
  if (!row.least?.length) return ''
  return toPrecision(Math.min(...valuesOf(work, { ...row, nanoseconds: row.least }, size)))
}

const ratio = (rows, textOf) => (rows.every(isSteady) ? textOf() : UNSTEADY)

/** Lines of cells as columns; the first `names` of them are text, the rest are numbers. */
export function align(lines, names = 2) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column < names ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n')
}
