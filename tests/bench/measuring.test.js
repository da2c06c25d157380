// Shows that rivals take turns, and that a row with a wrong result has no figures, whichever way it is wrong. What is measured is
// made up.

import { expect, it } from 'vitest'
import { measureAll } from '../../bench/measuring.js'
import { plan } from '../../bench/plan.js'
import { resultsOf } from '../../bench/results.js'

const ways = { raw: { arrays: 0 }, strata: { views: 0, each: 0 }, bitecs: { only: 0 } }
const works = [
  { name: 'loop', title: 'Loop', sizes: [10, 100], largest: { bitecs: 10 }, ways },
  { name: 'spawn', title: 'Spawn', sizes: [10], ways: { raw: { arrays: 0 } } },
]

/** Measures with `report`, which is given each job and its number; what was measured in which order, and the results. */
async function measured(report, { repeats = 2, milliseconds = 1, ...others } = {}) {
  const { jobs, leftOut } = plan({ cases: works, libraries: ['raw', 'strata', 'bitecs'] })
  const order = []
  const isolate = async (job, timing) => {
    order.push(`${job.work.name} ${job.size} ${job.library} ${job.way}`)
    return report(job, order.length, timing)
  }
  await measureAll(
    jobs,
    { repeats, milliseconds },
    { isolate, progress: { line() {}, show() {} }, ...others },
  )
  return { order, jobs, leftOut, ...resultsOf(jobs, { repeats }, { machine: {} }) }
}

it('measures one after another, each repeat starting with another rival; some are left out', async () => {
  let running = 0
  const { order, rows, leftOut } = await measured(async () => {
    expect(++running).toBe(1)
    await new Promise(setImmediate)
    running--
    return { nanoseconds: 5, runs: 9 }
  })
  const first = ['raw arrays', 'strata views', 'strata each', 'bitecs only'].map((row) => `loop 10 ${row}`)
  const others = [
    'loop 100 raw arrays',
    'loop 100 strata views',
    'loop 100 strata each',
    'spawn 10 raw arrays',
  ]
  expect(order.slice(0, 8)).toEqual([...first, ...others])
  expect(order.slice(8, 12)).toEqual([...first.slice(1), first[0]])
  expect(rows.map(({ nanoseconds }) => nanoseconds)).toEqual(new Array(8).fill([5, 5]))
  expect(leftOut).toMatchObject([{ size: 100, library: 'bitecs', way: 'only' }])
})

it('stops measuring a row that was wrong once, and says why', async () => {
  const { order, rows, refused } = await measured(({ way }) => {
    if (way === 'each') throw new RangeError('wrong result')
    return { nanoseconds: 5 }
  })
  expect(order.filter((row) => row.endsWith('each'))).toHaveLength(2)
  expect(refused).toHaveLength(2)
  expect(refused[0]).toMatchObject({ way: 'each', error: 'RangeError: wrong result' })
  expect(rows.some(({ way }) => way === 'each')).toBe(false)
})

it('measures again what was not at full speed, keeps the steadier result, and passes on the fastest calibration', async () => {
  const references = []
  const { jobs } = await measured(({ size, way }, count, { reference }) => {
    references.push(reference)
    // Only the third row of all is alone on its core; the second turn of `each` among 10 is steady at last.
    const isShared = size === 10 && way === 'each' && count <= 16
    const calibration = count === 3 ? 40 : 42
    return { nanoseconds: count, least: 1, calibration, steady: !isShared }
  })
  expect(references.slice(0, 5)).toEqual([undefined, 42, 42, 40, 40])
  expect(references).toHaveLength(18)
  const [each] = jobs.filter(({ size, way }) => size === 10 && way === 'each')
  expect(each.measured.map(({ nanoseconds }) => nanoseconds)).toEqual([17, 18])
})

it('ends on request, and keeps the rows that were measured', async () => {
  const stopper = new AbortController()
  const report = (_, count) => {
    if (count < 3) return { nanoseconds: 5 }
    stopper.abort()
    throw stopper.signal.reason
  }
  const { order, rows, refused } = await measured(report, { signal: stopper.signal })
  expect(order).toHaveLength(3)
  expect(rows.map(({ way }) => way)).toEqual(['arrays', 'views'])
  expect(refused).toEqual([])
})
