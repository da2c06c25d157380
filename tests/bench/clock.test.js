// The clock of the benchmark tells the true time on a machine that runs at several speeds, and nothing is concluded where the
// speed wandered. The machine is made up.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { atFullSpeed, fullSpeedOf } from '../../bench/clock.js'
import { measureRow } from '../../bench/measurement.js'
import { groupsOf, isSteady, resultsOf } from '../../bench/results.js'
import { formatCase } from '../../bench/table.js'

/** Milliseconds at full speed. */
const FIXED_WORK = 0.05
const RUN = 0.2
/** Where a neighbour shares the core. */
const SHARED = 1.9

let time
/** How many times as long everything takes at a time. */
let slowness

beforeEach(() => {
  time = 0
  slowness = () => 1
  vi.spyOn(performance, 'now').mockImplementation(() => time)
})
afterEach(() => vi.restoreAllMocks())

/** Goes on in small steps, so that the speed may change in the middle of something. */
function pass(milliseconds) {
  const STEPS = 20
  for (let step = 0; step < STEPS; step++) time += (milliseconds / STEPS) * slowness(time)
}

const work = { name: 'counting', title: 'Counting', sizes: [1], reference: (size, runs) => [runs] }

function measure({ milliseconds = 40, reference, before, once } = {}) {
  let runs = 0
  const make = () => ({ before, run: () => (pass(RUN), void runs++), result: () => [runs] })
  const row = { work: { ...work, once }, make, size: 1, milliseconds, reference }
  return measureRow(row, { fixedWork: () => pass(FIXED_WORK) })
}

/** Full speed and half of it in turn, for so many milliseconds each. */
const twoSpeeds = (full, shared) => (now) => (now % (full + shared) < full ? 1 : SHARED)

describe('a machine of two speeds', () => {
  it.each([
    ['at full speed', 1e9, 1],
    ['mostly at full speed', 70, 30],
    ['mostly shared', 20, 90],
    ['shared by turns shorter than the measuring', 7, 9],
  ])('gives the true time when it is %s', async (_, full, shared) => {
    slowness = twoSpeeds(full, shared)
    const { nanoseconds, least, steady, calibration } = await measure()
    expect(nanoseconds / (RUN * 1e6)).toBeCloseTo(1, 2)
    expect(least / (RUN * 1e6)).toBeCloseTo(1, 6)
    expect(calibration).toBeCloseTo(FIXED_WORK * 1e6, 3)
    expect(steady).toBe(true)
  })

  it('gives the true time of runs that need a preparation, which takes long', async () => {
    slowness = twoSpeeds(30, 50)
    const { nanoseconds, steady } = await measure({ before: () => pass(3) })
    expect(nanoseconds / (RUN * 1e6)).toBeCloseTo(1, 2)
    expect(steady).toBe(true)
  })

  it('is waited for when it is slow, and not for ever', async () => {
    slowness = (now) => (now < 100 ? SHARED : 1)
    const reference = FIXED_WORK * 1e6
    expect((await measure({ reference })).steady).toBe(true)
    slowness = () => SHARED
    const start = time
    const slow = await measure({ reference })
    expect(slow.steady).toBe(false)
    expect(time - start).toBeLessThan(4 * 40 * 2)
  })

  it('gives no verdict on a process that never ran at full speed, and a time that is scaled', async () => {
    slowness = () => SHARED
    const alone = await measure()
    // It cannot know by itself.
    expect(alone.steady).toBe(true)
    const fullSpeed = fullSpeedOf([alone, { calibration: FIXED_WORK * 1e6 }])
    const scaled = atFullSpeed(alone, fullSpeed)
    expect(scaled.steady).toBe(false)
    expect(scaled.nanoseconds / (RUN * 1e6)).toBeCloseTo(1, 6)
    const warned = await measure({ reference: fullSpeed })
    expect(warned.steady).toBe(false)
    expect(warned.nanoseconds / (RUN * 1e6)).toBeCloseTo(1, 6)
  })

  it('tells of what is run once by what lies around it', async () => {
    const reference = FIXED_WORK * 1e6
    expect((await measure({ once: true, reference })).steady).toBe(true)
    slowness = () => SHARED
    const slow = await measure({ once: true, reference })
    expect(slow.steady).toBe(false)
    expect(slow.nanoseconds / (RUN * 1e6)).toBeCloseTo(1, 6)
  })
})

describe('a clock that wandered', () => {
  /** Another speed in every moment, never full speed on both sides of a sample. */
  const wander = (now) => 1.5 + ((Math.floor(now / 0.03) * 7_919) % 100) / 100

  it('gives no verdict on a row', async () => {
    slowness = wander
    const { steady } = await measure({ reference: FIXED_WORK * 1e6 })
    expect(steady).toBe(false)
  })

  const figures = (nanoseconds, steady) => ({ nanoseconds, least: nanoseconds, calibration: 1, steady })
  const jobOf = (library, measured) => {
    const checksums = new Set(['none 1'])
    return { work, size: 1, library, label: library, way: 'only', measured, checksums }
  }

  it('has a mark in the table, in the place of ratios, and does not count where most processes ran at full speed', () => {
    const jobs = [
      jobOf('raw', [figures(5, true), figures(50, false), figures(6, true)]),
      jobOf('strata', [figures(10, true), figures(11, false), figures(30, false)]),
    ]
    const [group] = groupsOf(resultsOf(jobs, {}, { machine: {} }))
    expect(group.rows[0]).toMatchObject({ nanoseconds: [5, 6], least: [5, 50, 6] })
    expect(group.rows.map(isSteady)).toEqual([true, false])
    const text = formatCase(group)
    expect(text).toMatch(/strata +only +11\.0 \? +10\.0 .* \?\n/)
    expect(text).toContain('did not run at full speed')
    group.rows[1].steady = [true, true, true]
    expect(formatCase(group)).not.toContain('?')
  })
})
