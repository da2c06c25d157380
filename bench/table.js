// Owns how one case is shown in the terminal: a row for each library and way, medians, spread and ratios. It must
// never drop a slow row.
import { isPeer } from './results.js'
import { median, medianRatio, spread, toPrecision } from './statistics.js'

/** A group of `groupsOf` (results.js) as text. */
export function formatCase({ work, size, rows }) {
  const raw = rows.find(({ library }) => library === 'raw')
  const bestPeer = fastestPeer(rows)
  const header = ['', '', `ns/${work.unit}`, 'spread', 'runs/s', 'x raw', 'speed : best peer']
  const body = rows.map((row) => [
    row.label + (row.version ? ` ${row.version}` : ''),
    row.way,
    toPrecision(median(row.nanoseconds) / size),
    spread(row.nanoseconds),
    Math.round(1e9 / median(row.nanoseconds)).toLocaleString('en'),
    raw ? medianRatio(row, raw).toFixed(2) : '',
    bestPeer ? `${medianRatio(bestPeer, row).toFixed(2)}${row === bestPeer ? ' (itself)' : ''}` : '',
  ])
  return `${work.title}, ${size.toLocaleString('en')} ${work.units}\n${align([header, ...body])}\n`
}

function fastestPeer(rows) {
  const peers = rows.filter(({ library }) => isPeer(library))
  return peers.toSorted((a, b) => median(a.nanoseconds) - median(b.nanoseconds))[0]
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
