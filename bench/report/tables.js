// Owns the tables in Markdown: what stands between `<!-- bench:NAME:start -->` and `<!-- bench:NAME:end -->`, and in the
// README between `<!-- bench:start -->` and `<!-- bench:end -->`.
// It must never touch what a person wrote around them.
import { measuredAims, verdictOf } from '../aims.js'
import { publishedTables } from '../published.js'
import { isAboutMemory } from '../quantities.js'
import { groupsOf } from '../results.js'
import { toPrecision } from '../statistics.js'
import {
  columnsOf,
  describeLoad,
  describeMachine,
  describeMachineShortly,
  describePackages,
  describeRun,
  figuresOf,
} from './figures.js'
import { plain, tableOfTexts } from './markdown.js'
import { enginesOf, summaryOf } from './summary.js'

/**
 * The page with its marked places filled: `machine`, `summary`, `libraries`, `aims`, `overview`, `cases`, or the name of a
 * case; without a name, what the README shows.
 *
 * @throws {Error} when a mark names nothing that the results have, or has no end
 */
export function refreshTables(page, results) {
  const starts = [...page.matchAll(/<!-- bench:([\w-]+:)?start -->/g)].map((match) => match[1] ?? '')
  return starts.reduce((text, mark) => refreshTable(text, mark, contentOf(mark.slice(0, -1), results)), page)
}

/** The page with its table of engines, marked `engines`, filled: a pair of columns for each of the runs, the newest Node first. */
export function refreshEngines(page, given) {
  const runs = given.toSorted((a, b) => majorOf(b.machine) - majorOf(a.machine))
  const machines = runs.map((results) => `${plain(describeMachine(results))}; ${describeRun(results)}.`)
  return refreshTable(page, 'engines:', [enginesOf(runs), '', ...machines].join('\n'))
}

/** The first number of a version of Node; 0 for a browser, which comes last. */
const majorOf = ({ browser, node }) => (browser === undefined ? Number(node.match(/\d+/)[0]) : 0)

/** @param mark the name with its colon, or nothing for the place in the README */
function refreshTable(text, mark, content) {
  const start = `<!-- bench:${mark}start -->`
  const end = `<!-- bench:${mark}end -->`
  const from = text.indexOf(start) + start.length
  const to = text.indexOf(end, from)
  if (to < 0) throw new Error(`The place ${start} has no end: write ${end} after it.`)
  return `${text.slice(0, from)}\n\n${content}\n\n${text.slice(to)}`
}

function contentOf(name, results) {
  const groups = groupsOf(results)
  if (name === '') return firstOf(results)
  if (name === 'summary') return summaryOf(results, { all: true })
  if (name === 'machine') return machineOf(results)
  if (name === 'libraries') return librariesOf(results)
  if (name === 'aims') return aimsOf(results)
  if (name === 'overview') return overviewOf(groups)
  if (name === 'cases') return groups.map(withHeading).join('\n\n')
  if (publishedTables[name]) {
    const lines = publishedTables[name](results)
    return tableOfTexts(lines, '<' + '>'.repeat(lines[0].length - 1))
  }
  const ofCase = groups.filter(({ work }) => work.name === name)
  if (ofCase.length === 0) throw new Error(`There is nothing to put between the marks bench:${name}.`)
  return ofCase.map((group) => `${sizeOf(group)}:\n\n${tableOf(group)}`).join('\n\n')
}

const machineOf = (results) =>
  [
    `One run on one machine: ${plain(describeMachine(results))}; ${describeRun(results)}.`,
    describeLoad(results),
    `Packages: ${plain(describePackages(results))}.`,
  ]
    .filter((line) => line !== '')
    .join('\n')

/** For the README: where and when in one line, then the first rows. */
const firstOf = (results) =>
  `Measured on ${plain(describeMachineShortly(results))}; every result was checked.\n\n` +
  summaryOf(results, { all: false })

function librariesOf({ libraries }) {
  const rows = libraries.map(({ label, version, uses }) => [label, version ?? '', uses ?? ''])
  return tableOfTexts([['library', 'version', 'what of it was used'], ...rows], '<<<')
}

/** A row for each figure; the work and the aim stand in the first of them only. Then what stands in the way. */
function aimsOf(results) {
  const aims = measuredAims(results)
  const body = aims.flatMap(({ work, reach, figures }) =>
    figures.map((figure, k) => {
      const [name, aim] = k === 0 ? [work, reach] : ['', '']
      return [name, aim, figure.of, figure.text, verdictOf(figure)]
    }),
  )
  const table = tableOfTexts([['work', 'to reach', 'of', 'measured', ''], ...body], '<<<><')
  const missed = aims.filter(
    ({ missed, figures }) => missed && figures.some(({ reached }) => reached === false),
  )
  if (missed.length === 0) return table
  return [table, '', ...missed.map(({ work, missed }) => `- ${plain(`${work}: ${missed}`)}`)].join('\n')
}

/** The fastest way of each library; of strata-ecs the slowest as well. */
function overviewOf(groups) {
  const labels = new Map(groups.flatMap(({ rows }) => rows.map(({ library, label }) => [library, label])))
  const header = ['case', 'size', ...labels.values()]
  const body = groups.map((group) => {
    const figures = figuresOf(group)
    const cells = [...labels.keys()].map((library) =>
      rangeOf(figures.filter((row) => row.library === library)),
    )
    const { name } = group.work
    return [isAboutMemory(group.work) ? `${name}, MB` : name, group.size.toLocaleString('en'), ...cells]
  })
  return tableOfTexts([header, ...body], '<' + '>'.repeat(header.length - 1))
}

function rangeOf(figures) {
  if (figures.length === 0) return ''
  const [fastest, slowest] = [figures[0], figures.at(-1)]
  if (fastest.library !== 'strata' || fastest === slowest) return toPrecision(fastest.median)
  return `${toPrecision(fastest.median)} to ${toPrecision(slowest.median)}`
}

const sizeOf = ({ size, work }) => `${size.toLocaleString('en')} ${work.units}`

function withHeading(group) {
  const refused = group.refused.map(({ label, way, error }) => `No row for ${label}, ${way}: ${error}`)
  return [`### ${plain(group.work.title)}, ${sizeOf(group)}`, tableOf(group), ...refused.map(plain)].join(
    '\n\n',
  )
}

function tableOf(group) {
  const columns = columnsOf(group)
  const header = ['library', 'way', ...columns.map(([text]) => text)]
  const body = figuresOf(group).map((row) => [row.name, row.way, ...columns.map(([, figure]) => row[figure])])
  return tableOfTexts([header, ...body], `<<${'>'.repeat(columns.length)}`)
}
