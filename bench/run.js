// Owns the command: what happens in which order, from the options to the exit code. It must never import a library
// that is measured, nor print a row whose result was not right.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareResults, formatComparison, gotSlower } from './compare.js'
import { measureAll } from './measuring.js'
import { fail, readOptions } from './options.js'
import { factsOf } from './facts.js'
import { missing, plan, versionOf } from './plan.js'
import { writeReport } from './report/index.js'
import { groupsOf, loadNow, readResults, resultsOf, writeResults } from './results.js'
import { formatCase } from './table.js'

const LATEST = fileURLToPath(new URL('results/latest.json', import.meta.url))

const options = readOptions()
const reason = missing(options)
if (reason) fail(reason)
// Read first: the new results may take the place of the old ones.
const older = options.compare && read(options.compare)
const results = options.results ? read(options.results) : await measureNow()

for (const group of groupsOf(results)) console.log(options.quick ? checked(group) : formatCase(group))
for (const { case: name, size, label, way, error } of results.refused) {
  console.error(`NO ROW: ${name} ${size}, ${label}, ${way}: ${error}`)
}
if (results.refused.length > 0) process.exitCode = 1
if (!options.quick && !options.results) {
  writeResults(LATEST, results)
  const { processor, node } = results.machine
  console.log(`Written to bench/results/latest.json (${processor}, node ${node}).`)
}
if (older) {
  const comparison = compareResults(older, results)
  console.log(formatComparison(comparison, older, results))
  if (gotSlower(comparison)) process.exitCode = 1
}
if (options.report) console.log(writeReport(results))

async function measureNow() {
  const loadBefore = loadNow()
  const planned = plan(options)
  await measureAll(planned.jobs, options)
  return resultsOf(planned, options, installedPackages(), loadBefore, factsOf(options))
}

function installedPackages() {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  return Object.fromEntries(
    ['strata-ecs', ...Object.keys(dependencies)].map((name) => [name, versionOf(name)]),
  )
}

function read(path) {
  try {
    return readResults(path)
  } catch (error) {
    return fail(error.message)
  }
}

function checked({ work, size, rows }) {
  const names = rows.map(({ label, way }) => `${label} (${way})`).join(', ')
  return `${work.name} ${size.toLocaleString('en')}: ${rows.length} right: ${names}`
}
