// Owns the command: what happens in which order, from the options to the exit code. It must never import a library
// that is measured, nor print a row whose result was not right.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { compareResults, formatComparison, gotSlower } from './compare.js'
import { factsOf } from './facts.js'
import { loadNow, thisMachine } from './machine.js'
import { measureAll } from './measuring.js'
import { installedPackages, missing, readOffer } from './offers.js'
import { fail, readOptions } from './options.js'
import { plan } from './plan.js'
import { measureInProcess } from './processes.js'
import { Progress } from './progress.js'
import { writeReport } from './report/index.js'
import { groupsOf, resultsOf } from './results.js'
import { readResults, writeResults } from './resultsFile.js'
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
  const before = loadNow()
  const planned = plan(options.libraries.map(readOffer), options)
  for (const { work, size, label, way } of planned.leftOut) {
    console.error(`left out: ${work.name} ${size}, ${label}, ${way}: see its adapter`)
  }
  const progress = new Progress(planned.jobs.length * options.repeats)
  const atOnce = availableParallelism()
  await measureAll(planned.jobs, options, { isolate: measureInProcess, progress, atOnce })
  const load = { before, after: loadNow() }
  return resultsOf(planned, options, {
    packages: installedPackages(),
    machine: thisMachine(),
    load,
    facts: factsOf(options),
  })
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
