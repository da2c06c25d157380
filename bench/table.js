// How one case is shown in the terminal and in the page: a row for each library and way, medians, the least, spread and
// ratios. No slow row is dropped, and none is compared whose clock wandered.
import { isPeer, isSteady } from './results.js'
import { isAboutTime, median, medianOfRatios, scaleOf, spread, toPrecision, valuesOf } from './statistics.js'

const UNSTEADY = '?'
const FOOTNOTE = `  ${UNSTEADY}  most processes of this row did not run at full speed: its figure is scaled, and no ratio given.\n`

/** The lines of a group of `groupsOf` (results.js): cells of text, the header first. */
export function linesOf({ work, size, rows }) {
  const ofRow = (row) => valuesOf(work, row, size)
  const bases = ['raw', 'c'].flatMap((library) => rows.find((row) => row.library === library) ?? [])
  const peers = rows.filter(({ library }) => isPeer(library))
  const bestPeer = peers.toSorted((a, b) => median(ofRow(a)) - median(ofRow(b)))[0]
  const ratio = (of) =>
    of.every(isSteady) ? medianOfRatios(ofRow(of[0]), ofRow(of[1])).toFixed(2) : UNSTEADY
  const isTime = isAboutTime(work)
  const header = [
    ...['', '', scaleOf(work), isTime ? 'least' : 'collections', 'spread', 'runs/s'],
    ...bases.map(({ library }) => `x ${library === 'c' ? 'C' : library}`),
    ...(bestPeer ? ['best peer : this'] : []),
  ]
  const body = rows.map((row) => [
    row.label + (row.version ? ` ${row.version}` : ''),
    row.way,
    toPrecision(median(ofRow(row))) + (isSteady(row) ? '' : ` ${UNSTEADY}`),
    isTime
      ? toPrecision(Math.min(...valuesOf(work, { nanoseconds: row.least }, size)))
      : String(Math.max(...row.garbage.map(({ collections }) => collections))),
    spread(ofRow(row)),
    Math.round(1e9 / median(row.nanoseconds)).toLocaleString('en'),
    ...bases.map((base) => ratio([row, base])),
    ...(bestPeer ? [ratio([bestPeer, row]) + (row === bestPeer ? ' (itself)' : '')] : []),
  ])
  return [header, ...body]
}

/** What a group is about. */
export const titleOf = ({ work, size }) =>
  `${work.title}, ${size.toLocaleString('en')} ${work.units ?? 'entities'}`

/** A group as text. */
export const formatCase = (group) =>
  `${titleOf(group)}\n${align(linesOf(group))}\n${group.rows.every(isSteady) ? '' : FOOTNOTE}`

/** Lines of cells as columns; the first two of them are text, the rest are numbers. */
export function align(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const cellOf = (cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))
  return lines.map((line) => `  ${line.map(cellOf).join('  ')}`.trimEnd()).join('\n')
}
