// Owns the proof that one measurement is right wherever it runs: a wrong result has no time, and a clock with coarse steps
// gives the time that a fine one gives. It must never compare two times that were not taken over the same runs.

import { beforeAll, describe, expect, it } from 'vitest'
import { median } from '../bench/statistics.js'

/** Milliseconds; what browsers have for pages that are not isolated. */
const COARSE = 0.1

const fineClock = performance.now.bind(performance)
let measureRow

beforeAll(async () => {
  // mitata takes the clock that it finds when it is loaded.
  performance.now = () => Math.floor(fineClock() / COARSE) * COARSE
  ;({ measureRow } = await import('../bench/measurement.js'))
  return () => {
    performance.now = fineClock
  }
})

const work = { name: 'counting', reference: (size, runs) => [size * runs] }

/** Adds its size in each run, which takes so many milliseconds; knows what its runs took by the fine clock. */
function counter(milliseconds, extras = {}) {
  const taken = { runs: [], preparations: 0 }
  let sum = 0
  const make = (size) => ({
    run() {
      const start = fineClock()
      while (fineClock() < start + milliseconds);
      sum += size
      taken.runs.push(fineClock() - start)
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
      (taken) => ({ result: () => [taken.runs.length === 1 ? 7 : 0] }),
    ],
  ])('that is wrong %s has no time', async (_, message, extras) => {
    const { make } = counter(0.01, extras)
    await expect(measureRow({ work, make, size: 7, milliseconds: 5 })).rejects.toThrow(message)
  })
})

describe('a coarse clock', () => {
  it.each([
    ['runs that can be repeated', plain],
    ['runs that need a preparation each', prepared],
  ])('gives the true time of %s', async (_, extras) => {
    const { make, taken } = counter(0.02, extras)
    const row = { work, make, size: 1, milliseconds: 40 }
    const { nanoseconds } = await measureRow(row, { resolution: COARSE })
    const truth = median(taken.runs) * 1e6
    expect(nanoseconds / truth).toBeGreaterThan(0.6)
    expect(nanoseconds / truth).toBeLessThan(1.6)
  })

  it('does not run anything unprepared that needs it', async () => {
    const { make, taken } = counter(0.02, prepared)
    await measureRow({ work, make, size: 1, milliseconds: 20 }, { resolution: COARSE })
    expect(taken.preparations).toBe(taken.runs.length)
  })
})

it('runs a case once that is about its process', async () => {
  const { make, taken } = counter(1, plain)
  const report = await measureRow({ work: { ...work, once: true }, make, size: 3, milliseconds: 50 })
  expect(taken.runs).toHaveLength(1)
  expect(report).toMatchObject({ runs: 1, checksum: 3 })
})
