// Owns where the report goes: the page, the file of all rows, and the short tables of the documentation. It must never
// measure anything.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pageOf } from './page.js'
import { refreshEngines, refreshTables } from './tables.js'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const read = (relative) => readFileSync(path(relative), 'utf8')
const PAGE = '../results/report.html'
const ALL_ROWS = '../results/benchmarks.md'
/** They show a few rows that every whole run has, and a run of the summary. */
const DOCUMENTATION = ['../../docs/benchmarks.md', '../../README.md']
const ENGINES = '../../docs/performance.md'

/**
 * Writes the page, and the tables in Markdown for which the results have all rows. Says what it did.
 *
 * @param engines results of the same rows in other engines; none leaves the table of engines as it is
 */
export function writeReport(results, engines = []) {
  const page = pageOf(results, {
    style: read('page.css'),
    script: read('charts.js'),
    charts: read('../node_modules/echarts/dist/echarts.min.js'),
  })
  mkdirSync(path('../results'), { recursive: true })
  writeFileSync(path(PAGE), page)
  const written = ['bench/results/report.html']
  const { whole, summary } = results.options ?? {}
  if (whole) {
    writeFileSync(path(ALL_ROWS), refreshTables(read('allRows.md'), results))
    written.push('bench/results/benchmarks.md')
  }
  if (whole || summary) {
    for (const document of DOCUMENTATION)
      writeFileSync(path(document), refreshTables(read(document), results))
    written.push('docs/benchmarks.md', 'README.md')
  }
  if (engines.length > 0) {
    writeFileSync(path(ENGINES), refreshEngines(read(ENGINES), [results, ...engines]))
    written.push('docs/performance.md')
  }
  return `Written: ${written.join(', ')}.`
}
