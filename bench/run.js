// The command: what happens in which order, from the options to the exit code. No library that is measured is imported here,
// and no row is printed whose result was not right.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compareResults, formatComparison, gotSlower } from './compare.js'
import { installedPackages, missing } from './libraries.js'
import { measureAll } from './measuring.js'
import { buildNative } from './native/build.js'
import { fail, orFail, readOptions } from './options.js'
import { plan } from './plan.js'
import { measureInProcess } from './processes.js'
import { groupsOf, parseResults, resultsOf } from './results.js'
import { formatCase } from './table.js'
import { refreshEngines, refreshTables } from './tables.js'

if (process.argv[2] === 'growth') {
  const { growth } = await import('./growth/growth.js')
  growth(process.argv.slice(3))
  process.exit()
}

if (process.argv[2] === 'native') {
  const { native } = await import('./native/beside.js')
  native(process.argv.slice(3))
  process.exit()
}

const inBench = (path) => fileURLToPath(new URL(path, import.meta.url))

const options = readOptions()
const stopper = new AbortController()
// Read first: the new results may take the place of the old ones.
const older = options.compare && readResults(options.compare)
const engines = options.engines.map(readResults)
const results = options.results ? readResults(options.results) : await measureNow()

for (const group of groupsOf(results)) console.log(options.quick ? checked(group) : formatCase(group))
for (const { case: name, size, label, way, error } of results.refused) {
  console.error(`NO ROW: ${name} ${size}, ${label}, ${way}: ${error}`)
}
if (results.refused.length > 0) process.exitCode = 1
if (!options.quick && !options.results) {
  const latest = join(options.out, 'latest.json')
  write(latest, `${JSON.stringify(results, undefined, 2)}\n`)
  console.log(`Written to ${latest} (${results.machine.processor}, node ${results.machine.node}).`)
}
if (stopper.signal.aborted) process.exit(130)
if (older) {
  const comparison = compareResults(older, results)
  console.log(formatComparison(comparison, older, results))
  if (gotSlower(comparison)) process.exitCode = 1
}
if (options.report) console.log(writeReport())

/** Measures what is chosen. */
async function measureNow() {
  const reason = missing()
  if (reason) fail(reason)
  const native = buildNative()
  const libraries = options.libraries.filter((library) => library !== 'c' || native.path)
  if (options.libraries.includes('c') && !native.path) console.error(`left out: C: ${native.reason}`)
  const packages = installedPackages()
  const { jobs, leftOut } = plan({ ...options, libraries }, packages)
  for (const { work, size, label, way } of leftOut) {
    console.error(`left out: ${work.name} ${size}, ${label}, ${way}: it takes too long, see the case`)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopper.abort())
  const { stderr } = process
  const progress = {
    line: (text) => stderr.isTTY || stderr.write(`${text}\n`),
    show: (text) => stderr.isTTY && stderr.write(`\r\u001b[2K${text.slice(0, (stderr.columns ?? 100) - 1)}`),
  }
  const load = { before: os.loadavg()[0] }
  const atOnce = os.availableParallelism()
  await measureAll(jobs, options, { isolate: measureInProcess, progress, atOnce, signal: stopper.signal })
  load.after = os.loadavg()[0]
  return resultsOf(jobs, options, { packages, machine: thisMachine(), load })
}

function thisMachine() {
  const { node, v8 } = process.versions
  const processor = os.cpus()[0].model.trim()
  const platform = `${process.platform} ${process.arch}`
  return { processor, cores: os.cpus().length, memory: os.totalmem(), platform, node: `v${node}`, v8 }
}

/** Fills the tables for which the results have all rows. Says what it did. */
function writeReport() {
  const written = []
  const fill = (path, refresh, from = path) => {
    write(inBench(path), refresh(readFileSync(inBench(from), 'utf8')))
    written.push(path.replace('../', ''))
  }
  const refresh = (page) => refreshTables(page, results)
  if (results.options.summary)
    for (const page of ['../docs/benchmarks.md', '../README.md']) fill(page, refresh)
  if (results.rows.some((row) => row.case === 'parts')) fill('results/study.md', refresh, 'study.md')
  if (engines.length > 0) {
    fill('../docs/performance.md', (page) => refreshEngines(page, [results, ...engines]))
  }
  return written.length > 0 ? `Written: ${written.join(', ')}.` : 'No table has all of its rows here.'
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function readResults(path) {
  return orFail(() => parseResults(readFileSync(path, 'utf8')), `${path} cannot be read: `)
}

function checked({ work, size, rows }) {
  const names = rows.map(({ label, way }) => `${label} (${way})`).join(', ')
  return `${work.name} ${size.toLocaleString('en')}: ${rows.length} right: ${names}`
}
