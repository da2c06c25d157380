// Owns the quick benchmark: plans the measurements, gives each a process, prints the table and writes the results.
// It must never import a library that is measured, nor print a row whose result was not right.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { cases } from './cases/index.js'
import { formatCase } from './table.js'

const LIBRARIES = ['raw', 'strata', 'bitecs', 'piecs', 'koota', 'miniplex', 'elics', 'wolf']
const HELP = `Times strata-ecs beside hand-written typed arrays and the ECS libraries of bench/package.json.

  node bench/run.js [options]

  --case NAME        only this case (may be repeated): ${cases.map(({ name }) => name).join(', ')}
  --size N           only this number of entities (may be repeated)
  --library NAME     only this library (may be repeated): ${LIBRARIES.join(', ')}
  --repeats N        processes for each row, interleaved between the rivals; default 5
  --milliseconds N   measuring time in each process; default 150
  --quick            check the results only, no times
  --help             this text

\`npm run bench\` builds the package and compiles the kernels of bench/kernels first; \`npm run bench:kernels\` does the latter.
`

const inBench = (path) => fileURLToPath(new URL(path, import.meta.url))
const run = promisify(execFile)
const options = readOptions()
const jobs = plan(options)
const started = performance.now()
let done = 0

for (let repeat = 0; repeat < options.repeats; repeat++) {
  if (!process.stderr.isTTY)
    process.stderr.write(`repeat ${repeat + 1} of ${options.repeats}, ${jobs.length} rows\n`)
  for (const group of groups(jobs)) {
    // Each repeat starts with another rival: what the machine does at the time hits all alike.
    for (let k = 0; k < group.length; k++) await measure(group[(k + repeat) % group.length])
  }
}
showProgress('')
finish()

function readOptions() {
  const spec = {
    case: { type: 'string', multiple: true },
    size: { type: 'string', multiple: true },
    library: { type: 'string', multiple: true },
    repeats: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '150' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  }
  let values
  try {
    values = parseArgs({ options: spec }).values
  } catch (error) {
    fail(error.message)
  }
  if (values.help) {
    process.stdout.write(HELP)
    process.exit(0)
  }
  const known = cases.map(({ name }) => name)
  const unknownCase = values.case?.find((name) => !known.includes(name))
  if (unknownCase) fail(`There is no case '${unknownCase}'; there are: ${known.join(', ')}.`)
  const unknownLibrary = values.library?.find((name) => !LIBRARIES.includes(name))
  if (unknownLibrary) fail(`There is no library '${unknownLibrary}'; there are: ${LIBRARIES.join(', ')}.`)
  return {
    cases: cases.filter(({ name }) => !values.case || values.case.includes(name)),
    sizes: values.size?.map((text) => wholeNumber('--size', text)),
    libraries: LIBRARIES.filter((name) => !values.library || values.library.includes(name)),
    repeats: values.quick ? 1 : wholeNumber('--repeats', values.repeats),
    milliseconds: values.quick ? 0 : wholeNumber('--milliseconds', values.milliseconds),
    quick: values.quick,
  }
}

function wholeNumber(option, text) {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) fail(`${option} takes a whole number from 1, not '${text}'.`)
  return number
}

function fail(message) {
  process.stderr.write(`${message}\nnode bench/run.js --help shows the options.\n`)
  process.exit(1)
}

/** What each library offers is read in a process of its own, too: nothing measured is ever loaded here. */
function plan({ cases, sizes, libraries }) {
  if (libraries.includes('strata') && !existsSync(inBench('../dist/index.js'))) {
    fail('strata-ecs is not built: run `npm run build` first.')
  }
  if (libraries.includes('strata') && !existsSync(inBench('../build/bench/loop.kernel.js'))) {
    fail('The kernels are not compiled: run `npm run bench:kernels` first.')
  }
  if (!existsSync(inBench('node_modules/mitata'))) fail('Run `npm ci --prefix bench` first.')
  const offers = libraries.map((name) => [name, readWays(name)])
  const jobs = []
  for (const work of cases) {
    for (const size of sizes ?? work.sizes) {
      for (const [library, { label, version, ways, largest }] of offers) {
        if (size > (largest?.[work.name] ?? Infinity)) {
          console.error(`left out: ${work.name} ${size}, ${label}: see its adapter`)
          continue
        }
        for (const way of ways[work.name] ?? []) {
          jobs.push({ work, size, library, label, version, way, nanoseconds: [], checksums: new Set() })
        }
      }
    }
  }
  return jobs
}

function readWays(library) {
  const names = 'Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, Object.keys(way)]))'
  const adapter = JSON.stringify(new URL(`./adapters/${library}.js`, import.meta.url).href)
  const script = `import * as adapter from ${adapter}
    const { label, packageName, ways, largest } = adapter
    process.stdout.write(JSON.stringify({ label, packageName, ways: ${names}, largest }))`
  const offered = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script]))
  return { ...offered, version: versionOf(offered.packageName) }
}

function versionOf(packageName) {
  if (!packageName) return undefined
  const own = packageName === 'strata-ecs'
  const path = inBench(own ? '../package.json' : `node_modules/${packageName}/package.json`)
  return JSON.parse(readFileSync(path, 'utf8')).version
}

function groups(jobs) {
  const byRow = new Map()
  for (const job of jobs) {
    const key = `${job.work.name} ${job.size}`
    if (!byRow.has(key)) byRow.set(key, [])
    byRow.get(key).push(job)
  }
  return [...byRow.values()]
}

async function measure(job) {
  showProgress(`${job.work.name} ${job.size.toLocaleString('en')}: ${job.label}, ${job.way}`)
  done++
  if (job.error) return
  const request = [job.library, job.way, job.work.name, job.size, options.milliseconds].map(String)
  try {
    const { stdout } = await run(process.execPath, ['--expose-gc', inBench('measure.js'), ...request])
    const { nanoseconds, checksum, rounding = 'none' } = JSON.parse(stdout)
    job.checksums.add(`${rounding} ${checksum}`)
    if (nanoseconds !== undefined) job.nanoseconds.push(nanoseconds)
  } catch (error) {
    job.error = /^\w*Error: .*$/m.exec(error.stderr ?? '')?.[0] ?? error.message
  }
}

function showProgress(text) {
  if (!process.stderr.isTTY) return
  const total = jobs.length * options.repeats
  const width = 24
  const filled = Math.round((done / total) * width)
  const left = done > 0 ? ((performance.now() - started) / done / 1000) * (total - done) : 0
  const bar = `${'='.repeat(filled)}${' '.repeat(width - filled)}`
  const line = text && `[${bar}] ${done}/${total}  ${Math.ceil(left)} s left  ${text}`
  process.stderr.write(`\r\u001b[2K${line.slice(0, (process.stderr.columns ?? 100) - 1)}`)
}

function finish() {
  const failed = jobs.filter(({ error }) => error)
  for (const group of groups(jobs)) {
    refuseDifferentChecksums(group)
    console.log(options.quick ? checked(group) : formatCase(group))
  }
  for (const { work, size, label, way, error } of failed) {
    console.error(`NO ROW: ${work.name} ${size}, ${label}, ${way}: ${error}`)
  }
  if (!options.quick) write()
  process.exitCode = failed.length > 0 ? 1 : 0
}

/** Ways that round in the same places must have equal results. */
function refuseDifferentChecksums(group) {
  const checksums = group.filter(({ error }) => !error).flatMap((job) => [...job.checksums])
  const different = [...new Set(checksums)]
  const roundings = new Set(different.map((checksum) => checksum.split(' ')[0]))
  if (different.length > roundings.size) throw new Error(`checksums differ in ${group[0].work.name}`)
}

function checked(group) {
  const right = group.filter(({ error }) => !error)
  const names = right.map(({ label, way }) => `${label} (${way})`).join(', ')
  return `${group[0].work.name} ${group[0].size.toLocaleString('en')}: ${right.length} right: ${names}`
}

function write() {
  const rows = jobs
    .filter(({ error }) => !error)
    .map(({ work, size, label, version, way, nanoseconds, checksums }) => {
      return { case: work.name, size, library: label, version, way, nanoseconds, checksum: [...checksums][0] }
    })
  const results = {
    date: new Date().toISOString(),
    machine: {
      processor: os.cpus()[0].model.trim(),
      cores: os.cpus().length,
      memory: os.totalmem(),
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
      v8: process.versions.v8,
    },
    options: { repeats: options.repeats, milliseconds: options.milliseconds },
    meaning: 'nanoseconds: one run of the case over all its entities, one value for each process',
    rows,
  }
  mkdirSync(inBench('results'), { recursive: true })
  writeFileSync(inBench('results/latest.json'), `${JSON.stringify(results, undefined, 2)}\n`)
  console.log(`Written to bench/results/latest.json (${os.cpus()[0].model.trim()}, node ${process.version}).`)
}
