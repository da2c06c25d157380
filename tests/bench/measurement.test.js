// Shows that a measurement gives the true time on a machine of changing speed and with a coarse clock, and no time for a wrong
// result. Time and machine are made up.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { atFullSpeed, fullSpeedOf } from '../../bench/clock.js'
import { measureRow, warmUp } from '../../bench/measurement.js'
import { groupsOf, isSteady, resultsOf } from '../../bench/results.js'
import { formatCase } from '../../bench/table.js'

/** Milliseconds at full speed. */
const FIXED_WORK = 0.05
const RUN = 0.2
const TRUE = RUN * 1e6
/** How many times as long everything takes where a neighbour shares the core. */
const SHARED = 1.9

let time, slowness, steps

beforeEach(() => {
  time = 0
  slowness = () => 1
  steps = 1e-9
  vi.spyOn(performance, 'now').mockImplementation(() => Math.floor((time += 1e-9) / steps) * steps)
})
afterEach(() => vi.restoreAllMocks())

/** Goes on in small steps, so that the speed may change in the middle of something. */
function pass(milliseconds) {
  for (let step = 0; step < 20; step++) time += (milliseconds / 20) * slowness(time)
}

const work = { name: 'counting', title: 'Counting', sizes: [1], reference: (size, runs) => [runs] }

function measure({ milliseconds = 40, reference, resolution, run = RUN, ...extras } = {}) {
  let runs = 0
  const make = () => ({ run: () => (pass(run), void runs++), result: () => [runs], ...extras })
  const row = { work: { ...work, ...extras }, make, size: 1, milliseconds, reference }
  return measureRow(row, { resolution, fixedWork: (turns) => pass((FIXED_WORK * turns) / 60_000) })
}

/** Full speed and half of it in turn, for so many milliseconds each. */
const twoSpeeds = (full, shared) => (now) => (now % (full + shared) < full ? 1 : SHARED)

it.each([
  ['at full speed', 1e9, 1, undefined],
  ['mostly at full speed', 70, 30, undefined],
  ['mostly shared', 20, 90, undefined],
  ['shared by turns shorter than the measuring', 7, 9, undefined],
  ['shared, and runs need a preparation', 30, 50, () => pass(3)],
])('gives the true time when the machine is %s', async (_, full, shared, before) => {
  slowness = twoSpeeds(full, shared)
  const { nanoseconds, steady, calibration } = await measure({ before })
  expect(nanoseconds / TRUE).toBeCloseTo(1, 2)
  expect(calibration / (FIXED_WORK * 1e6)).toBeCloseTo(1, 3)
  expect(steady).toBe(true)
})

it('waits for a slow machine, but not for ever, and gives no verdict if it stays slow', async () => {
  const reference = FIXED_WORK * 1e6
  slowness = (now) => (now < 100 ? SHARED : 1)
  expect((await measure({ reference })).steady).toBe(true)
  slowness = () => SHARED
  const start = time
  expect((await measure({ reference })).steady).toBe(false)
  expect(time - start).toBeLessThan(4 * 40 * 2)
  expect((await measure({ once: true, reference })).steady).toBe(false)
  // It cannot know by itself; the whole run does.
  const alone = await measure()
  expect(alone.steady).toBe(true)
  const scaled = atFullSpeed(alone, fullSpeedOf([alone, { calibration: reference }]))
  expect(scaled.steady).toBe(false)
  expect(scaled.nanoseconds / TRUE).toBeCloseTo(1, 6)
})

it('gives the true time by the coarse clock of a page', async () => {
  steps = 0.1
  const { nanoseconds } = await measure({ run: 0.02, resolution: steps })
  expect(nanoseconds / 20_000).toBeCloseTo(1, 1)
})

it.each([
  ['at once', /^wrong result after 1 runs: value 0 is 8, should be 1$/, () => [8]],
  ['in length', /^wrong result after 1 runs: 2 values, should be 1$/, () => [1, 0]],
  ['only after the times were taken', /^wrong result after \d{2,} runs/, () => [1]],
])('gives no time for a result that is wrong %s', async (_, message, result) => {
  await expect(measure({ result })).rejects.toThrow(message)
})

it('warms up by the time of the runs, not by that of the setup', () => {
  const takes = (milliseconds) => () => void (time += milliseconds)
  expect(warmUp(10, takes(1.01), takes(4))).toBe(10)
  expect(warmUp(10, takes(50), takes(4))).toBe(1)
  // Ten times the budget at most: 100 ms for runs of 20 ms each, 1 of which counts.
  expect(warmUp(10, takes(1), takes(19.1))).toBe(5)
})

it('has a mark in the table in place of ratios, and does not count what was not at full speed', () => {
  const figures = (nanoseconds, steady) => ({ nanoseconds, least: nanoseconds, calibration: 1, steady })
  const jobOf = (library, measured) => {
    return { work, size: 1, library, label: library, way: 'only', measured }
  }
  const jobs = [
    jobOf('raw', [figures(5, true), figures(50, false), figures(6, true)]),
    jobOf('strata', [figures(10, true), figures(11, false), figures(30, false)]),
  ]
  const [group] = groupsOf(resultsOf(jobs, {}, { machine: {} }))
  expect(group.rows[0]).toMatchObject({ nanoseconds: [5, 6], least: [5, 50, 6] })
  expect(group.rows.map(isSteady)).toEqual([true, false])
  expect(formatCase(group)).toMatch(/strata +only +11\.0 \? +10\.0 .* \?\n[^]*did not run at full speed/)
  group.rows[1].steady = [true, true, true]
  expect(formatCase(group)).not.toContain('?')
})
