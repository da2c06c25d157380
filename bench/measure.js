// Owns one measurement: one library, one way, one case, one size, in a process of its own, so that nothing another
// library did to the compiler can be seen here. It must never report a time for a result that is not right.
import { measure } from 'mitata'
import { cases } from './cases/index.js'
import { CollectionCounter } from './collections.js'
import { heldMemory } from './memory.js'
import { warmUp } from './warmUp.js'

const [adapterName, way, caseName, sizeText, millisecondsText] = process.argv.slice(2)
const size = Number(sizeText)
const milliseconds = Number(millisecondsText)

const work = cases.find(({ name }) => name === caseName)
// What times the import of a library lies in a folder of its own: adapters import theirs before they are asked.
const adapter = await import(`./${work.folder ?? 'adapters'}/${adapterName}.js`)
const memoryBefore = heldMemory()
const { before, run, result, rounding, statistics } = await adapter.ways[caseName][way](size)
// What needs a `before` is run once for each.
const runsPerSample = before ? 1 : (work.runsPerSample?.(size) ?? 1)
let runs = 0

/** Compares every value with the reference and returns a checksum that depends on their order, too. */
async function verify() {
  const found = await result()
  const wanted = work.reference(size, runs, rounding)
  if (found.length !== wanted.length) {
    throw new Error(`wrong result after ${runs} runs: ${found.length} values, should be ${wanted.length}`)
  }
  let checksum = 0
  for (let k = 0; k < wanted.length; k++) {
    if (!Object.is(found[k] + 0, wanted[k] + 0)) {
      throw new Error(`wrong result after ${runs} runs: value ${k} is ${found[k]}, should be ${wanted[k]}`)
    }
    checksum += found[k] * ((k % 97) + 1)
  }
  return checksum
}

before?.()
const start = performance.now()
const first = run()
// becsy and woven run their systems asynchronously; nobody else is made to wait for a promise.
const asynchronous = first instanceof Promise
await first
const firstTook = performance.now() - start
runs++
// Before the check, which leaves garbage behind and makes the process larger.
const memoryAfterFirst = work.once && heldMemory()
const checksum = await verify()

if (work.once) {
  const memory = { before: memoryBefore, after: memoryAfterFirst }
  report({ checksum, nanoseconds: firstTook * 1e6, runs, memory, statistics: statistics?.() })
} else if (milliseconds === 0) {
  before?.()
  await run()
  runs++
  await verify()
  report({ checksum })
} else {
  runs += await warmUp(milliseconds / 2, run, before)
  const collections = new CollectionCounter()
  const untimed = runs
  const nanoseconds = await timePerRun(before && collections.preparation(before))
  const collected = await collections.count()
  const timed = runs - untimed
  const memory = { before: memoryBefore, after: heldMemory() }
  await verify()
  report({ checksum, nanoseconds, runs: timed, collections: collected, memory })
}

function preparedRun(prepared) {
  run()
  runs++
  return prepared
}

function severalRuns() {
  let last
  for (let k = 0; k < runsPerSample; k++) last = run()
  runs += runsPerSample
  return last
}

async function asynchronousRuns() {
  for (let k = 0; k < runsPerSample; k++) await run()
  runs += runsPerSample
}

/** The median over the samples of one process; run.js takes the median over processes. */
async function timePerRun(prepare) {
  const timed = asynchronous ? asynchronousRuns : prepare ? preparedRun : severalRuns
  // Batches would call `prepare` thousands of times first, and the runs after that: off, with a threshold of 0.
  const options = {
    min_cpu_time: milliseconds * 1e6,
    min_samples: 5,
    samples_threshold: 8,
    batch_threshold: 0,
  }
  const stats = prepare
    ? await measure(function* () {
        yield { 0: prepare, bench: timed }
      }, options)
    : await measure(timed, options)
  return stats.p50 / runsPerSample
}

function report(measured) {
  process.stdout.write(`${JSON.stringify({ ...measured, rounding })}\n`)
}
