// Owns where the report goes: the page, the file of all rows, and the short tables of the documentation. It must never
// measure anything.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pageOf } from './page.js'
import { refreshTables } from './tables.js'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const read = (relative) => readFileSync(path(relative), 'utf8')
const PAGE = '../results/report.html'
const ALL_ROWS = '../results/benchmarks.md'
/** They show a few rows that every whole run has. */
const DOCUMENTATION = ['../../docs/benchmarks.md', '../../README.md']

/** Writes the page; when the results are those of all cases, the other tables as well. Says what it did. */
export function writeReport(results) {
  const page = pageOf(results, {
    style: read('page.css'),
    script: read('charts.js'),
    charts: read('../node_modules/echarts/dist/echarts.min.js'),
  })
  mkdirSync(path('../results'), { recursive: true })
  writeFileSync(path(PAGE), page)
  const written = 'Written to bench/results/report.html.'
  if (!results.options?.whole) {
    return `${written} The tables in Markdown are left as they are: these results are not those of all cases.`
  }
  writeFileSync(path(ALL_ROWS), refreshTables(read('allRows.md'), results))
  for (const document of DOCUMENTATION) {
    writeFileSync(path(document), refreshTables(read(document), results))
  }
  return `${written} All rows are in bench/results/benchmarks.md; docs/benchmarks.md and README.md are refreshed.`
}
