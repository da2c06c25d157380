// Owns the tables of the documentation: what stands between `<!-- bench:NAME:start -->` and `<!-- bench:NAME:end -->`.
// It must never touch what a person wrote around them.
import { measuredAims } from '../aims.js'
import { publishedTables } from '../published.js'
import { groupsOf } from '../results.js'
import { toPrecision } from '../statistics.js'
import { describeLoad, describeMachine, describePackages, describeRun, figuresOf } from './figures.js'

/**
 * The page with its marked places filled: `machine`, `libraries`, `aims`, `overview`, `cases`, or the name of a case.
 *
 * @throws {Error} when a mark names nothing that the results have, or has no end
 */
export function refreshTables(page, results) {
  const starts = [...page.matchAll(/<!-- bench:([\w-]+):start -->/g)].map((match) => match[1])
  return starts.reduce((text, name) => refreshTable(text, name, contentOf(name, results)), page)
}

function refreshTable(text, name, content) {
  const start = `<!-- bench:${name}:start -->`
  const from = text.indexOf(start) + start.length
  const to = text.indexOf(`<!-- bench:${name}:end -->`, from)
  if (to < 0)
    throw new Error(`The place bench:${name} has no end: write <!-- bench:${name}:end --> behind it.`)
  return `${text.slice(0, from)}\n\n${content}\n\n${text.slice(to)}`
}

function contentOf(name, results) {
  const groups = groupsOf(results)
  if (name === 'machine') return machineOf(results)
  if (name === 'libraries') return librariesOf(results)
  if (name === 'aims') return aimsOf(results)
  if (name === 'overview') return overviewOf(groups)
  if (name === 'cases') return groups.map(withHeading).join('\n\n')
  if (publishedTables[name]) {
    const lines = publishedTables[name](results)
    return markdownTable(lines, '<' + '>'.repeat(lines[0].length - 1))
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

function librariesOf({ libraries }) {
  const rows = libraries.map(({ label, version, uses }) => [label, version ?? '', uses ?? ''])
  return markdownTable([['library', 'version', 'what of it was used'], ...rows], '<<<')
}

/** A row for each figure; the work and the aim stand in the first of them only. Then what stands in the way. */
function aimsOf(results) {
  const aims = measuredAims(results)
  const body = aims.flatMap(({ work, reach, figures }) =>
    figures.map(({ of, text, reached }, k) => {
      const [name, aim] = k === 0 ? [work, reach] : ['', '']
      return [name, aim, of, text, reached ? 'reached' : 'missed']
    }),
  )
  const table = markdownTable([['work', 'to reach', 'of', 'measured', ''], ...body], '<<<><')
  const missed = aims.filter(({ missed, figures }) => missed && figures.some(({ reached }) => !reached))
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
    return [group.work.name, group.size.toLocaleString('en'), ...cells]
  })
  return markdownTable([header, ...body], '<' + '>'.repeat(header.length - 1))
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
  const header = [
    'library',
    'way',
    `ns/${group.work.unit}`,
    'spread',
    'x raw',
    'GC',
    'heap MB',
    'external MB',
  ]
  const body = figuresOf(group).map((row) => {
    return [row.name, row.way, row.time, row.spread, row.ofRaw, row.collections, row.heap, row.external]
  })
  return markdownTable([header, ...body], '<<>>>>>>')
}

/** Columns as wide as prettier makes them. `alignment` has `<` or `>` for each. */
function markdownTable(lines, alignment) {
  const cells = lines.map((line) => line.map(plain))
  const widths = cells[0].map((_, column) => Math.max(3, ...cells.map((line) => line[column].length)))
  const rowOf = (line) => `| ${line.join(' | ')} |`
  const padded = cells.map((line) =>
    line.map((cell, k) => (alignment[k] === '>' ? cell.padStart(widths[k]) : cell.padEnd(widths[k]))),
  )
  const rule = widths.map((width, k) =>
    alignment[k] === '>' ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [padded[0], rule, ...padded.slice(1)].map(rowOf).join('\n')
}

/** Text that Markdown must not read anything into. */
const plain = (text) => text.replace(/[|*<`]|(?<!\w)_|_(?!\w)/g, '\\$&').replace(/\s+/g, ' ')
