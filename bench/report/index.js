// Owns where the report goes: the page, and the marked tables of the documentation. It must never measure anything.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pageOf } from './page.js'
import { refreshTables } from './tables.js'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const PAGE = path('../results/report.html')
const DOCUMENTATION = path('../../docs/benchmarks.md')

/** Writes the page, and the documentation when the results are those of all cases; says what it did. */
export function writeReport(results) {
  const read = (relative) => readFileSync(path(relative), 'utf8')
  const page = pageOf(results, {
    style: read('page.css'),
    script: read('charts.js'),
    charts: read('../node_modules/echarts/dist/echarts.min.js'),
  })
  mkdirSync(path('../results'), { recursive: true })
  writeFileSync(PAGE, page)
  const written = 'Written to bench/results/report.html.'
  if (!results.options?.whole) {
    return `${written} docs/benchmarks.md is left as it is: these results are not those of all cases.`
  }
  writeFileSync(DOCUMENTATION, refreshTables(readFileSync(DOCUMENTATION, 'utf8'), results))
  return `${written} The tables in docs/benchmarks.md are refreshed.`
}
