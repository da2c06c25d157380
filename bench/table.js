// Owns how one case is shown in the terminal: a row for each library and way, medians, spread and ratios. It must
// never drop a slow row.
import { scaleOf, valuesOf } from './quantities.js'
import { isPeer } from './results.js'
import { median, medianOfRatios, spread, toPrecision } from './statistics.js'

/** A group of `groupsOf` (results.js) as text. */
export function formatCase({ work, size, rows }) {
  const ofRow = (row) => valuesOf(work, row, size)
  const raw = rows.find(({ library }) => library === 'raw')
  const peers = rows.filter(({ library }) => isPeer(library))
  const bestPeer = peers.toSorted((a, b) => median(ofRow(a)) - median(ofRow(b)))[0]
  const header = ['', '', scaleOf(work), 'spread', 'runs/s', 'x raw', 'best peer : this']
  const body = rows.map((row) => [
    row.label + (row.version ? ` ${row.version}` : ''),
    row.way,
    toPrecision(median(ofRow(row))),
    spread(ofRow(row)),
    Math.round(1e9 / median(row.nanoseconds)).toLocaleString('en'),
    raw ? medianOfRatios(ofRow(row), ofRow(raw)).toFixed(2) : '',
    bestPeer
      ? `${medianOfRatios(ofRow(bestPeer), ofRow(row)).toFixed(2)}${row === bestPeer ? ' (itself)' : ''}`
      : '',
  ])
  return `${work.title}, ${size.toLocaleString('en')} ${work.units}\n${align([header, ...body])}\n`
}

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
