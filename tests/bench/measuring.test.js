// Rivals take turns, and a row with a wrong result, whichever way it is wrong, has no figures. What is measured is made up.

import { expect, it } from 'vitest'
import { measureAll } from '../../bench/measuring.js'
import { plan } from '../../bench/plan.js'
import { resultsOf } from '../../bench/results.js'

const works = [
  {
    name: 'loop',
    title: 'Loop',
    sizes: [10, 100],
    largest: { bitecs: 10 },
    ways: { raw: { arrays: 0 }, strata: { views: 0, each: 0 }, bitecs: { only: 0 } },
  },
  { name: 'spawn', title: 'Spawn', sizes: [10], ways: { raw: { arrays: 0 } } },
]
const libraries = ['raw', 'strata', 'bitecs']
const quiet = { line() {}, show() {}, clear() {} }

/** Measures with `report`, which is given each job; returns what was measured in which order, and the results. */
async function measured(report, { repeats = 2, milliseconds = 1, ...others } = {}) {
  const planned = plan({ cases: works, libraries })
  const order = []
  const isolate = async (job) => {
    order.push(`${job.work.name} ${job.size} ${job.library} ${job.way}`)
    return report(job, order.length)
  }
  await measureAll(planned.jobs, { repeats, milliseconds }, { isolate, progress: quiet, ...others })
  const results = resultsOf(planned.jobs, { repeats }, { machine: {} })
  return { order, planned, ...results }
}

it('plans each way at each size, and leaves out what a library is too slow for', () => {
  const { jobs, leftOut } = plan({ cases: works, libraries })
  expect(jobs.map(({ work, size, library, way }) => `${work.name} ${size} ${library} ${way}`)).toEqual([
    'loop 10 raw arrays',
    'loop 10 strata views',
    'loop 10 strata each',
    'loop 10 bitecs only',
    'loop 100 raw arrays',
    'loop 100 strata views',
    'loop 100 strata each',
    'spawn 10 raw arrays',
  ])
  expect(leftOut).toMatchObject([{ size: 100, library: 'bitecs', way: 'only' }])
})

it('measures one after the other, each repeat starting with another rival', async () => {
  let running = 0
  const { order, rows } = await measured(async () => {
    expect(++running).toBe(1)
    await new Promise(setImmediate)
    running--
    return { checksum: 1, nanoseconds: 5, runs: 9 }
  })
  const first = ['raw arrays', 'strata views', 'strata each', 'bitecs only'].map((row) => `loop 10 ${row}`)
  expect(order.slice(0, 4)).toEqual(first)
  expect(order.slice(8, 12)).toEqual([...first.slice(1), first[0]])
  expect(rows.map(({ nanoseconds }) => nanoseconds)).toEqual(new Array(8).fill([5, 5]))
})

it('measures a row no more that was wrong once, and says why', async () => {
  const { order, rows, refused } = await measured(({ way }) => {
    if (way === 'each') throw new RangeError('wrong result')
    return { checksum: 1, nanoseconds: 5 }
  })
  expect(order.filter((row) => row.endsWith('each'))).toHaveLength(2)
  expect(refused).toHaveLength(2)
  expect(refused[0]).toMatchObject({ way: 'each', error: 'RangeError: wrong result' })
  expect(rows.some(({ way }) => way === 'each')).toBe(false)
})

it('refuses rivals that round alike and differ, and nobody else', async () => {
  const { refused, rows } = await measured(({ work, size, library }) => {
    const rounding = library === 'raw' ? undefined : 'f32'
    return {
      checksum: library === 'bitecs' ? 2 : library === 'raw' ? 3 : 1,
      rounding,
      nanoseconds: 5,
      work,
      size,
    }
  })
  expect(new Set(refused.map(({ case: name, size }) => `${name} ${size}`))).toEqual(new Set(['loop 10']))
  expect(refused).toHaveLength(4)
  expect(rows).toHaveLength(4)
})

it('measures once more what was not at full speed, keeps the steadier, and hands on the fastest calibration', async () => {
  const references = []
  const report = ({ size, way }, count) => {
    // Only the third row of all is alone on its core; the second turn of `each` among 10 is steady at last.
    const isShared = size === 10 && way === 'each' && count <= 16
    return {
      checksum: 1,
      nanoseconds: count,
      least: 1,
      calibration: count === 3 ? 40 : 42,
      steady: !isShared,
    }
  }
  const planned = plan({ cases: works, libraries })
  let count = 0
  const isolate = async (job, { milliseconds, reference }) => {
    expect(milliseconds).toBe(5)
    references.push(reference)
    return report(job, ++count)
  }
  await measureAll(planned.jobs, { repeats: 2, milliseconds: 5 }, { isolate, progress: quiet })
  expect(references.slice(0, 5)).toEqual([undefined, 42, 42, 40, 40])
  expect(references).toHaveLength(18)
  const [each] = planned.jobs.filter(({ size, way }) => size === 10 && way === 'each')
  expect(each.measured.map(({ steady, nanoseconds }) => [steady, nanoseconds])).toEqual([
    [true, 17],
    [true, 18],
  ])
})

it('ends when it is told to, and keeps the rows that were measured', async () => {
  const stopper = new AbortController()
  const report = (_, count) => {
    if (count < 3) return { checksum: 1, nanoseconds: 5 }
    stopper.abort()
    throw stopper.signal.reason
  }
  const { order, rows, refused } = await measured(report, { signal: stopper.signal })
  expect(order).toHaveLength(3)
  expect(rows.map(({ way }) => way)).toEqual(['arrays', 'views'])
  expect(refused).toEqual([])
})
