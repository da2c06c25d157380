// Owns the short tables: the rows that matter most, in the form in which people write them first, for the README and
// for docs/benchmarks.md. It must never leave out a row because it is a bad one.
import { scaleOf, valuesOf } from '../quantities.js'
import { isPeer } from '../results.js'
import { median, toPrecision } from '../statistics.js'
import { markdownTable } from './markdown.js'

/** The libraries that get a column, as far as they were measured. */
const PEERS = ['bitecs', 'koota', 'miniplex', 'piecs', 'wolf']

const RAW_LOOP = 'arrays as parameters'

/**
 * Each line: what is done, the case and its size, which ways of ours are shown and under which name. Where it has two
 * cases, every cell has two figures. The README has those that are `first`.
 */
const LINES = [
  {
    work: '`world.add` and `world.remove` of one component',
    cases: ['add-remove'],
    size: 1_000,
    ways: { 'per call': '' },
    first: true,
  },
  {
    work: '`world.spawn` with values, `world.destroy`',
    cases: ['spawn-kill'],
    size: 10_000,
    ways: { 'spawn(C({...}), C), destroy': '' },
    first: true,
  },
  {
    work: '`world.get` / `world.set`, random order',
    cases: ['get', 'set'],
    size: 100_000,
    ways: { 'world.get': '', 'world.set': '' },
    first: true,
  },
  {
    work: 'read a field by `accessor`, random order',
    cases: ['get'],
    size: 100_000,
    ways: { 'accessor.of': '' },
    first: true,
  },
  {
    work: 'a loop, `position += velocity * dt`',
    cases: ['loop'],
    size: 100_000,
    ways: { each: ' `each`', 'chunk views, columns as locals': ' chunks' },
    raw: RAW_LOOP,
    first: true,
  },
  {
    work: 'the same loop as a kernel',
    cases: ['loop'],
    size: 100_000,
    ways: { kernel: '' },
    raw: RAW_LOOP,
    first: true,
  },
  {
    work: 'add and remove for all that match',
    cases: ['add-remove'],
    size: 100_000,
    ways: { 'query.add/remove': '' },
  },
  {
    work: '`spawnMany`, `query.destroy`',
    cases: ['spawn-kill'],
    size: 100_000,
    ways: { 'spawnMany, query.destroy': '' },
  },
  {
    work: 'a loop over 10,000 archetypes',
    cases: ['fragmented-10000'],
    size: 10_000,
    ways: { 'chunk views, columns as locals': ' chunks', kernel: ' kernel' },
  },
  { work: 'import to first entity', cases: ['startup'], size: 1, ways: { createWorld: '' } },
]

/** What must be measured for the tables: the sizes of each case, and the libraries. */
export const SUMMARY = {
  sizes: Object.fromEntries(
    LINES.flatMap(({ cases }) => cases).map((name) => [
      name,
      [...new Set(LINES.filter(({ cases }) => cases.includes(name)).map(({ size }) => size))],
    ]),
  ),
  libraries: ['raw', 'strata', ...PEERS],
}

/** The table for the README, or with `all` the one for docs/benchmarks.md; a library that was not measured has no column. */
export function summaryOf(results, { all }) {
  const peers = PEERS.filter((name) => results.rows.some(({ library }) => library === name))
  const labels = peers.map((name) => labelOf(results.rows.find(({ library }) => library === name)))
  const lines = LINES.filter(({ first }) => all || first).map((line) => [
    line.work,
    line.size.toLocaleString('en'),
    rawCell(results, line),
    ownCell(results, line),
    ...peers.map((peer) => cellOf(results, line, ({ library }) => library === peer && isPeer(library))),
  ])
  const header = ['work', 'entities', 'raw', 'strata-ecs', ...labels]
  return markdownTable([header, ...lines], '<>' + '>'.repeat(header.length - 2))
}

/**
 * The README's rows of raw loops and strata-ecs side by side in several engines.
 *
 * @param runs results of the same rows, one for each engine
 */
export function enginesOf(runs) {
  const header = runs.flatMap(({ machine }) => [`raw, ${engineOf(machine)}`, 'strata-ecs'])
  const lines = LINES.filter(({ first }) => first).map((line) => [
    line.work,
    line.size.toLocaleString('en'),
    ...runs.flatMap((results) => [rawCell(results, line), ownCell(results, line)]),
  ])
  return markdownTable([['work', 'entities', ...header], ...lines], '<>' + '>'.repeat(header.length))
}

const engineOf = ({ browser, node }) => browser ?? `Node ${node.slice(1)}`

/** With the version as far as it tells releases apart that differ: bitECS 0.4. */
const labelOf = ({ label, version }) =>
  version ? `${label} ${version.split('.').slice(0, 2).join('.')}` : label

const rawCell = (results, line) =>
  cellOf(results, line, ({ library, way }) => library === 'raw' && (!line.raw || way === line.raw))

/** The fastest way that fits, for each case of the line. */
function cellOf(results, { cases, size }, fits) {
  const texts = cases.map((name) => {
    const found = rowsOf(results, name, size).filter(fits)
    return found.length > 0 ? textOf(results, name, fastest(found)) : ''
  })
  return texts.every((text) => text === '') ? '' : texts.join(' / ')
}

function ownCell(results, { cases, size, ways }) {
  const perCase = cases.map((name) =>
    rowsOf(results, name, size)
      .filter(({ library, way }) => library === 'strata' && Object.hasOwn(ways, way))
      .toSorted((a, b) => Object.keys(ways).indexOf(a.way) - Object.keys(ways).indexOf(b.way))
      .map((row) => `**${textOf(results, name, row)}**${ways[row.way]}`)
      .join(', '),
  )
  return perCase.every((text) => text === '') ? '' : perCase.join(' / ')
}

/** Nanoseconds an entity need no unit: the text above the table names it. */
function textOf({ cases }, name, row) {
  const work = cases.find((one) => one.name === name)
  const text = toPrecision(median(valuesOf(work, row, row.size)))
  return scaleOf(work).startsWith('ns/') ? text : `${text} ${scaleOf(work)}`
}

const rowsOf = ({ rows }, name, size) => rows.filter((row) => row.case === name && row.size === size)

const fastest = (rows) => rows.toSorted((a, b) => median(a.nanoseconds) - median(b.nanoseconds))[0]
