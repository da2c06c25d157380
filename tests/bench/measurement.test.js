// One measurement is right wherever it runs: a wrong result has no time, and a clock with coarse steps gives the time that a
// fine one gives. The clock is made up: how busy the machine is would decide.

import { beforeAll, describe, expect, it } from 'vitest'

/** Milliseconds; what browsers have for pages that are not isolated. */
const COARSE = 0.1

/** The time that the clock would show had it no steps. It goes on when a run takes some, and a little at each look. */
let time = 0
const LOOK = 1e-5
const realClock = performance.now
let measureRow, warmUp

/** How the fixed work of the clock goes by. */
const fixedWork = (turns) => void (time += turns * 1e-6)

beforeAll(async () => {
  performance.now = () => Math.floor((time += LOOK) / COARSE) * COARSE
  ;({ measureRow, warmUp } = await import('../../bench/measurement.js'))
  return () => {
    performance.now = realClock
  }
})

const work = { name: 'counting', reference: (size, runs) => [size * runs] }

/** Adds its size in each run, which takes so many milliseconds; counts its runs and preparations. */
function counter(milliseconds, extras = {}) {
  const taken = { runs: 0, preparations: 0 }
  let sum = 0
  const make = (size) => ({
    run() {
      time += milliseconds
      sum += size
      taken.runs++
    },
    result: () => [sum],
    ...extras(taken),
  })
  return { make, taken }
}

const plain = () => ({})
const prepared = (taken) => ({ before: () => taken.preparations++ })

describe('a result', () => {
  it('that is right has a checksum, and no time when none was asked for', async () => {
    const { make } = counter(0, plain)
    const report = await measureRow({ work, make, size: 7, milliseconds: 0 })
    expect(report).toEqual({ checksum: 7, rounding: undefined })
  })

  it.each([
    ['at once', 'wrong result after 1 runs: value 0 is 8, should be 7', () => ({ result: () => [8] })],
    ['in length', 'wrong result after 1 runs: 2 values, should be 1', () => ({ result: () => [7, 0] })],
    [
      'only after the times were taken',
      /wrong result after \d{2,} runs/,
      (taken) => ({ result: () => [taken.runs === 1 ? 7 : 0] }),
    ],
  ])('that is wrong %s has no time', async (_, message, extras) => {
    const { make } = counter(0.01, extras)
    await expect(measureRow({ work, make, size: 7, milliseconds: 5 }, { fixedWork })).rejects.toThrow(message)
  })
})

describe('a coarse clock', () => {
  it.each([
    ['runs that can be repeated', plain],
    ['runs that need a preparation each', prepared],
  ])('gives the true time of %s', async (_, extras) => {
    const { make } = counter(0.02, extras)
    const row = { work, make, size: 1, milliseconds: 40 }
    const { nanoseconds } = await measureRow(row, { resolution: COARSE, fixedWork })
    // What is left is the share of a step.
    expect(nanoseconds / 20_000).toBeCloseTo(1, 1)
  })

  it('does not run anything unprepared that needs it', async () => {
    const { make, taken } = counter(0.02, prepared)
    await measureRow({ work, make, size: 1, milliseconds: 20 }, { resolution: COARSE, fixedWork })
    expect(taken.preparations).toBe(taken.runs)
  })
})

it('runs a case once that is about its process', async () => {
  const { make, taken } = counter(1, plain)
  const row = { work: { ...work, once: true }, make, size: 3, milliseconds: 50 }
  const report = await measureRow(row, { fixedWork, resolution: COARSE })
  expect(taken.runs).toBe(1)
  expect(report).toMatchObject({ runs: 1, checksum: 3 })
})

it('warms up by the time of the runs, not of what stands before them', () => {
  const takes = (milliseconds) => () => void (time += milliseconds)
  expect(warmUp(10, takes(1), takes(4))).toBeCloseTo(10, -1)
  expect(warmUp(10, takes(50), takes(4))).toBe(1)
  // Ten times the budget at most: 100 ms for runs of 20 ms each, 1 of which counts.
  expect(warmUp(10, takes(1), takes(19))).toBe(5)
})
