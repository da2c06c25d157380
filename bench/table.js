// Owns how one case is shown: a row for each library and way, medians, spread and ratios. It must never drop a
// slow row or choose the best of several repeats.

/** Ratios are taken repeat by repeat, between neighbours in time, and then their median: drift cancels out. */
export function formatCase(group) {
  const rows = group.filter(({ error }) => !error)
  const { work, size } = group[0]
  const raw = rows.find(({ library }) => library === 'raw')
  const peers = rows.filter(({ library }) => library !== 'raw' && library !== 'strata')
  const bestPeer = peers.toSorted((a, b) => median(a.nanoseconds) - median(b.nanoseconds))[0]
  const header = ['', '', `ns/${work.unit ?? 'entity'}`, 'spread', 'runs/s', 'x raw', 'speed : best peer']
  const body = rows.map((row) => [
    row.label + (row.version ? ` ${row.version}` : ''),
    row.way,
    toPrecision(median(row.nanoseconds) / size),
    spread(row.nanoseconds),
    Math.round(1e9 / median(row.nanoseconds)).toLocaleString('en'),
    raw ? medianRatio(row, raw).toFixed(2) : '',
    bestPeer ? `${medianRatio(bestPeer, row).toFixed(2)}${row === bestPeer ? ' (itself)' : ''}` : '',
  ])
  return `${work.title}, ${size.toLocaleString('en')} ${work.units ?? 'entities'}\n${align([header, ...body])}\n`
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}

const medianRatio = (row, base) =>
  median(row.nanoseconds.map((value, repeat) => value / base.nanoseconds[repeat]))

/** How far the repeats lie around their median, in percent. */
function spread(values) {
  const middle = median(values)
  const percent = (value) => `${Math.round((value / middle - 1) * 100)}`
  return `${percent(Math.min(...values))}..+${percent(Math.max(...values))} %`
}

const toPrecision = (value) =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)

function align(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n')
}
