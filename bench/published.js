// Owns the figures that others have published for the cases `parts` and `lookup`, and how ours stand beside them. It must
// never compute with the two together: they come from other machines, other languages and other programs.

const SIZES = [1_000, 10_000, 100_000]

/** Microseconds for the whole work, at each of the sizes. */
const PARTS = {
  'C++, discrete game objects': [8_830, 47_108, 2_930_805],
  'C++, sparse sets': [1_515, 14_689, 146_138],
  'C++, archetypes': [1_582, 16_730, 164_415],
}

/** The time of one access, that of an array taken as 1. */
const LOOKUP = { array: 1, Hashtable: 13, Dictionary: 25 }

/** Tables as lists of lines of cells, the header first, by the name of the case; from the results of run.js. */
export const publishedTables = { parts, lookup }

function parts({ rows }) {
  const own = rowsByWay(rows.filter((row) => row.case === 'parts'))
  return [
    ['microseconds', ...SIZES.map((size) => size.toLocaleString('en'))],
    ...Object.entries(PARTS).map(([name, figures]) => [
      `${name}, as published`,
      ...figures.map((figure) => figure.toLocaleString('en')),
    ]),
    ...[...own].map(([name, bySize]) => [name, ...SIZES.map((size) => timeOf(bySize.get(size)))]),
  ]
}

function lookup({ rows }) {
  const size = SIZES[0]
  const found = [...rowsByWay(rows.filter((row) => row.case === 'lookup'))]
    .map(([name, bySize]) => [name, bySize.get(size)])
    .filter(([, row]) => row !== undefined)
  const array = found.find(([, { way }]) => way === 'array')?.[1]
  return [
    ['a component by its type', 'array = 1', 'nanoseconds'],
    ...Object.entries(LOOKUP).map(([name, figure]) => [`${name}, as published`, String(figure), '']),
    ...found.map(([name, row]) => {
      const nanoseconds = median(row.nanoseconds) / size
      const ratio = array ? (nanoseconds / (median(array.nanoseconds) / size)).toFixed(1) : ''
      return [name, ratio, nanoseconds.toPrecision(3)]
    }),
  ]
}

/** Library and way, then the row of each size. */
function rowsByWay(rows) {
  const ways = new Map()
  for (const row of rows) {
    const name = `${row.label ?? row.library}, ${row.way}`
    if (!ways.has(name)) ways.set(name, new Map())
    ways.get(name).set(row.size, row)
  }
  return ways
}

/** The median of the processes in microseconds, and how far the farthest of them is from it. */
function timeOf(row) {
  if (row === undefined) return ''
  const middle = median(row.nanoseconds)
  const farthest = Math.max(...row.nanoseconds.map((value) => Math.abs(value / middle - 1)))
  const microseconds = Math.round(middle / 1_000).toLocaleString('en')
  return `${microseconds} ± ${Math.round(farthest * 100)} %`
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}
