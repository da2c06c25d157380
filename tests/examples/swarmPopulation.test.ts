// Owns: the scale of the population in examples/swarm: its ends, its steps, and the way back.

import { expect, it } from 'vitest'
import { LAST_STOP, populationAt, stopOf } from '../../examples/swarm/src/panel/populationScale.ts'

const stops = Array.from({ length: LAST_STOP + 1 }, (_, stop) => stop)

it('goes from a thousand to a million', () => {
  expect([populationAt(0), populationAt(LAST_STOP)]).toEqual([1_000, 1_000_000])
})

it('grows by a twentieth to an eighth from stop to stop, in whole numbers of two digits', () => {
  for (const stop of stops.slice(1)) {
    const growth = populationAt(stop) / populationAt(stop - 1)
    expect(growth).toBeGreaterThan(1.045)
    expect(growth).toBeLessThan(1.125)
    expect(String(populationAt(stop))).toMatch(/^\d\d0+$/)
  }
})

it('has the numbers that people ask for', () => {
  const all = new Set(stops.map(populationAt))
  for (const asked of [2_000, 5_000, 20_000, 50_000, 100_000, 200_000, 500_000]) expect(all).toContain(asked)
})

it('finds the stop of each number, and the nearest one of any other', () => {
  for (const stop of stops) expect(stopOf(populationAt(stop))).toBe(stop)
  expect(populationAt(stopOf(123_456))).toBe(120_000)
  expect([stopOf(0), stopOf(999), stopOf(5e6)]).toEqual([0, 0, LAST_STOP])
})
