// The tables of the documentation: what stands between `<!-- bench:NAME:start -->` and `<!-- bench:NAME:end -->`, and in the
// README between `<!-- bench:start -->` and `<!-- bench:end -->`. What a person wrote around them stays, and no row is left out
// because it is a bad one.
import { wasBusy } from './results.js'
import { groupBy, median, scaleOf, toPrecision, valuesOf } from './statistics.js'

/** The libraries that get a column, as far as they were measured. */
const PEERS = ['bitecs', 'koota', 'miniplex', 'piecs', 'wolf']

const LOCALS = 'chunk views, columns as locals'
const BOTH = { 'world.get': '', 'world.set': '' }

/** Work, cases (each a figure in every cell), size, our ways and how they are called there; the README has the FIRST. */
const FIRST = 7
const LINES = [
  ['`world.add` and `world.remove` of one component', ['add-remove'], 1_000, { 'per call': '' }],
  [
    '`world.spawn` with values, `world.destroy`',
    ['spawn-kill'],
    10_000,
    { 'spawn(C({...}), C), destroy': '' },
  ],
  ['`world.get` / `world.set`, random order', ['get', 'set'], 100_000, BOTH],
  ['read a field by `accessor`, random order', ['get'], 100_000, { 'accessor.of': '' }],
  ['a loop, `position += velocity * dt`', ['loop'], 100_000, { each: ' `each`', [LOCALS]: ' chunks' }],
  ['the same loop, compiled', ['loop'], 100_000, { compiled: '' }],
  ['the same loop as a kernel', ['loop'], 100_000, { kernel: '' }],
  ['add and remove for all that match', ['add-remove'], 100_000, { 'addMany/removeMany': '' }],
  [
    '`spawnMany`, `destroyMany` of a query',
    ['spawn-kill'],
    100_000,
    { 'spawnMany, destroyMany of a query': '' },
  ],
  ['a loop over 10,000 archetypes', ['fragmented-10000'], 10_000, { [LOCALS]: ' chunks', kernel: ' kernel' }],
  ['import to first entity', ['startup'], 1, { createWorld: '' }],
].map(([work, cases, size, ways]) => ({ work, cases, size, ways }))

const sizesOf = (name) => LINES.filter(({ cases }) => cases.includes(name)).map(({ size }) => size)

/** Our ways that the tables show, each with the cases of its line: one of these has it. */
export const SHOWN = LINES.flatMap(({ cases, ways }) => Object.keys(ways).map((way) => ({ cases, way })))

/** What must be measured for these tables: the sizes of each case, and the libraries. */
export const SUMMARY = {
  sizes: Object.fromEntries(
    LINES.flatMap(({ cases }) => cases).map((name) => [name, [...new Set(sizesOf(name))]]),
  ),
  libraries: ['raw', 'strata', ...PEERS],
}

/** Figures that were published for the case `parts`, in microseconds, by other machines, languages and programs. */
const PUBLISHED_PARTS = {
  'C++, discrete game objects': [8_830, 47_108, 2_930_805],
  'C++, sparse sets': [1_515, 14_689, 146_138],
  'C++, archetypes': [1_582, 16_730, 164_415],
}

/**
 * The page with its marked places filled.
 *
 * @throws {Error} when a mark has no end or names nothing
 */
export function refreshTables(page, results) {
  const contents = {
    '': readme,
    'summary:': (one) => summaryOf(one, LINES),
    'machine:': machineOf,
    'parts:': partsOf,
  }
  const marks = [...page.matchAll(/<!-- bench:([\w-]+:)?start -->/g)].map((match) => match[1] ?? '')
  return marks.reduce((text, mark) => {
    if (!contents[mark])
      throw new Error(`There is nothing to put between the marks bench:${mark}start and :end.`)
    return refreshTable(text, mark, contents[mark](results))
  }, page)
}

/** The page with its table `engines` filled: a pair of columns for each of the runs, the newest Node first, a browser last. */
export function refreshEngines(page, given) {
  const majorOf = ({ machine: { browser, node } }) => (browser ? 0 : Number(node.match(/\d+/)[0]))
  const runs = given.toSorted((a, b) => majorOf(b) - majorOf(a))
  const engineOf = ({ machine: { browser, node } }) => browser ?? `Node ${node.slice(1)}`
  const header = runs.flatMap((results) => [`raw, ${engineOf(results)}`, 'strata-ecs'])
  const table = tableOfLines(LINES.slice(0, FIRST), header, (line) =>
    runs.flatMap((results) => [cellOf(results, line, 'raw'), ownCell(results, line)]),
  )
  const machines = runs.map((results) => `${plain(describeMachine(results))}; ${describeRun(results)}.`)
  return refreshTable(page, 'engines:', [table, '', ...machines].join('\n'))
}

/** @param mark the name with its colon, or nothing for the place in the README */
function refreshTable(text, mark, content) {
  const start = `<!-- bench:${mark}start -->`
  const end = `<!-- bench:${mark}end -->`
  const from = text.indexOf(start) + start.length
  const to = text.indexOf(end, from)
  if (to < 0) throw new Error(`The place ${start} has no end: write ${end} after it.`)
  return `${text.slice(0, from)}\n\n${content}\n\n${text.slice(to)}`
}

function readme(results) {
  const { machine, date } = results
  const place = machine.browser ?? `${machine.processor}, Node ${machine.node.slice(1)}`
  const busy = wasBusy(results) ? ', busy with other work' : ''
  return `Measured on ${plain(place)}, ${date.slice(0, 10)}${busy}; every result was checked.\n\n${summaryOf(results, LINES.slice(0, FIRST))}`
}

function summaryOf(results, lines) {
  const rowOf = (name) => results.rows.find(({ library }) => library === name)
  const peers = PEERS.filter(rowOf)
  // With the version as far as it tells releases apart that differ: bitECS 0.4.
  const labels = peers
    .map(rowOf)
    .map(({ label, version = '' }) => `${label} ${version.split('.').slice(0, 2).join('.')}`)
  return tableOfLines(lines, ['raw', 'strata-ecs', ...labels], (line) => [
    cellOf(results, line, 'raw'),
    ownCell(results, line),
    ...peers.map((peer) => cellOf(results, line, peer)),
  ])
}

const tableOfLines = (lines, header, cells) =>
  tableOf([
    ['work', 'entities', ...header],
    ...lines.map((line) => [line.work, line.size.toLocaleString('en'), ...cells(line)]),
  ])

/** The rows of a library for each case of the line, and what is said of them. */
function cellsOf({ rows }, { cases, size }, library, say) {
  const texts = cases.map((name) =>
    say(rows.filter((row) => row.case === name && row.size === size && row.library === library)),
  )
  return texts.every((text) => text === '') ? '' : texts.join(' / ')
}

/** The fastest way of a library. */
const cellOf = (results, line, library) =>
  cellsOf(results, line, library, (rows) => {
    const [fastest] = rows.toSorted((a, b) => median(a.nanoseconds) - median(b.nanoseconds))
    return fastest ? textOf(results, fastest) : ''
  })

const ownCell = (results, line) =>
  cellsOf(results, line, 'strata', (rows) => {
    const found = Object.keys(line.ways).flatMap((way) => rows.find((row) => row.way === way) ?? [])
    return found.map((row) => `**${textOf(results, row)}**${line.ways[row.way]}`).join(', ')
  })

/** Nanoseconds an entity need no unit: the text above the table names it. */
function textOf({ cases }, row) {
  const work = cases.find(({ name }) => name === row.case)
  const text = toPrecision(median(valuesOf(work, row, row.size)))
  return scaleOf(work).startsWith('ns/') ? text : `${text} ${scaleOf(work)}`
}

/** Microseconds for the whole work of `parts` at each size; ± is how far the processes lie from their median. */
function partsOf({ rows }) {
  const sizes = [1_000, 10_000, 100_000]
  const number = (value) => Math.round(value).toLocaleString('en')
  const found = rows.filter((row) => row.case === 'parts')
  const own = groupBy(found, ({ label, way }) => `${label}, ${way}`)
  const timeOf = (row) => {
    if (row === undefined) return ''
    const middle = median(row.nanoseconds)
    const farthest = Math.max(...row.nanoseconds.map((value) => Math.abs(value / middle - 1)))
    return `${number(middle / 1_000)} ± ${Math.round(farthest * 100)} %`
  }
  const published = Object.entries(PUBLISHED_PARTS)
  return tableOf([
    ['microseconds', ...sizes.map(number)],
    ...published.map(([name, figures]) => [`${name}, as published`, ...figures.map(number)]),
    ...[...own].map(([name, ofName]) => [name, ...sizes.map((size) => timeOf(ofName.find((row) => row.size === size)))]), // prettier-ignore
  ])
}

/** What is said of a machine, for the page as well. */
export function describeMachine({ machine }) {
  const { browser, processor, cores, memory, platform, node, v8, resolution } = machine
  const steps = `${Number((resolution * 1000).toPrecision(2))} µs`
  if (browser) return `${browser} on ${platform}, ${cores} virtual cores, a clock in steps of ${steps}`
  const gibibytes = Math.round(memory / 2 ** 30)
  return `${processor}, ${cores} virtual cores, ${gibibytes} GiB, ${platform}, Node ${node.slice(1)} (V8 ${v8})`
}

function describeRun({ date, machine, options: { repeats, milliseconds } }) {
  const isolates = machine.browser ? 'workers' : 'processes'
  return `${date.slice(0, 10)}, ${repeats} ${isolates} for each row, ${milliseconds} ms of measuring in each`
}

function machineOf(results) {
  const { load, packages } = results
  const wanted = load?.after && `Programs that wanted a core: ${load.before.toFixed(1)} before the run, ${load.after.toFixed(1)} at its end.` // prettier-ignore
  const busy = ' The machine had other work: the times are longer and less steady than on a quiet one.'
  const names = Object.entries(packages).map(([name, version]) => `${name} ${version}`)
  return [
    `One run on one machine: ${plain(describeMachine(results))}; ${describeRun(results)}.`,
    ...(wanted ? [wanted + (wasBusy(results) ? busy : '')] : []),
    `Packages: ${plain(names.join(', '))}.`,
  ].join('\n')
}

/** A table in Markdown, its columns as wide as prettier makes them; the first is text, the others are numbers. */
function tableOf(lines) {
  const widths = lines[0].map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)))
  const rowOf = (line) => `| ${line.join(' | ')} |`
  const pad = (cell, k) => (k > 0 ? cell.padStart(widths[k]) : cell.padEnd(widths[k]))
  const padded = lines.map((line) => line.map(pad))
  const rule = widths.map((width, k) => (k > 0 ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [padded[0], rule, ...padded.slice(1)].map(rowOf).join('\n')
}

/** Text that Markdown must not read anything into. */
const plain = (text) => text.replace(/[|*<`]|(?<!\w)_|_(?!\w)/g, '\\$&').replace(/\s+/g, ' ')
