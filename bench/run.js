// Owns the command: what happens in which order, from the options to the exit code. It must never import a library
// that is measured, nor print a row whose result was not right.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { compareResults, formatComparison, gotSlower } from './compare.js'
import { factsOf } from './facts.js'
import { Journal } from './journal.js'
import { loadNow, thisMachine } from './machine.js'
import { measureAll } from './measuring.js'
import { buildNative } from './native/build.js'
import { digestOfSources, installedPackages, missing, readOffer } from './offers.js'
import { chosen, fail, readOptions } from './options.js'
import { plan } from './plan.js'
import { measureInProcess } from './processes.js'
import { Progress } from './progress.js'
import { writeReport } from './report/index.js'
import { groupsOf, resultsOf } from './results.js'
import { readResults, writeResults } from './resultsFile.js'
import { formatCase } from './table.js'

const INTERRUPTED = 130

const options = readOptions()
const reason = missing(options)
if (reason) fail(reason)
const latest = join(options.out, 'latest.json')
const running = join(options.out, 'running.jsonl')
const stopper = new AbortController()
// Read first: the new results may take the place of the old ones.
const older = options.compare && orFail(() => readResults(options.compare))
const engines = options.engines.map((file) => orFail(() => readResults(file)))
const results = options.results ? orFail(() => readResults(options.results)) : await measureNow()

for (const group of groupsOf(results)) {
  console.log(options.quick ? checked(group) : formatCase(group, results.rows))
}
for (const { case: name, size, label, way, error } of results.refused) {
  console.error(`NO ROW: ${name} ${size}, ${label}, ${way}: ${error}`)
}
if (stopper.signal.aborted) {
  if (!options.quick) console.error('Stopped. Everything measured so far is kept: --resume goes on.')
  process.exit(INTERRUPTED)
}
if (results.refused.length > 0) process.exitCode = 1
if (!options.quick && !options.results) {
  const { processor, node } = results.machine
  console.log(`Written to ${latest} (${processor}, node ${node}).`)
}
if (older) {
  const comparison = compareResults(older, results)
  console.log(formatComparison(comparison, older, results))
  if (gotSlower(comparison)) process.exitCode = 1
}
if (options.report) console.log(writeReport(results, engines))

/** Measures what is chosen, or what a stopped run has left over, and writes the results once all is there. */
async function measureNow() {
  const native = buildNative()
  const origin = { machine: thisMachine(), packages: installedPackages(), digest: digestOfSources() }
  const journal = options.quick ? undefined : openJournal(origin)
  const choice = journal ? chosen(journal.header.choice) : options
  const libraries = choice.libraries.filter((library) => library !== 'c' || native.path)
  if (choice.libraries.includes('c') && !native.path) console.error(`left out: C: ${native.reason}`)
  const planned = plan(libraries.map(readOffer), { ...choice, quick: options.quick })
  for (const { work, size, label, way } of planned.leftOut) {
    console.error(`left out: ${work.name} ${size}, ${label}, ${way}: see its adapter`)
  }

  const progress = new Progress(planned.jobs.length * choice.repeats)
  const atOnce = availableParallelism()
  const { signal } = stopper
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopper.abort())
  await measureAll(planned.jobs, choice, { isolate: measureInProcess, progress, atOnce, signal, journal })
  const measured = resultsOf(planned, choice, {
    packages: origin.packages,
    machine: origin.machine,
    load: { before: journal?.header.load ?? 0, after: loadNow() },
    facts: signal.aborted ? undefined : factsOf({ ...choice, quick: options.quick }),
  })
  if (journal && !signal.aborted) {
    writeResults(latest, measured)
    journal.remove()
  }
  return measured
}

function openJournal(origin) {
  if (options.resume) {
    const journal = orFail(() => Journal.resume(running))
    if (JSON.stringify(journal.header.origin) !== JSON.stringify(origin)) {
      fail('The library, the benchmark, a package or the machine is not what it was: start a new run.')
    }
    console.error(`Going on with the run of ${journal.header.date}: ${journal.count} figures are there.`)
    return journal
  }
  const header = { date: new Date().toISOString(), origin, load: loadNow(), choice: options.choice }
  const { journal, aside } = Journal.begin(running, header)
  if (aside) console.error(`A run that was stopped is set aside: ${aside}`)
  return journal
}

function orFail(read) {
  try {
    return read()
  } catch (error) {
    return fail(error.message)
  }
}

function checked({ work, size, rows }) {
  const names = rows.map(({ label, way }) => `${label} (${way})`).join(', ')
  return `${work.name} ${size.toLocaleString('en')}: ${rows.length} right: ${names}`
}
