// Shows that a world whose kernels are divided is the same world: random calls on it and on a plain one give the same results and
// the same bytes, with any number of workers, however runs are divided, and in whatever order blocks are run.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Workers } from '../../../bindings/index'
import { DIVISIBLE, DividedWorld } from './support/dividedWorld'
import { eagerWorkers, shuffledWorkers, stoppingWorkers } from './support/dividing'
import { proofLength } from '../../../tests/support/proofs'

type Call = readonly [number, number, number]

const call = fc.tuple(fc.nat(999), fc.nat(999), fc.nat(127))

/** The first calls, so that there is something to divide. */
const START: readonly Call[] = [
  [0, 899, 127],
  [0, 899, 3],
  [0, 800, 33],
  [0, 899, 35],
]

function expectEqual(workers: Workers, calls: readonly Call[], initial?: number): void {
  const plain = new DividedWorld(undefined, initial)
  const divided = new DividedWorld(workers, initial)
  try {
    for (const [which, a, b] of [...START, ...calls]) {
      for (const { calls: all } of [plain, divided]) all[which % all.length]?.(a, b)
      expect(divided.takeSeen()).toEqual(plain.takeSeen())
    }
  } finally {
    plain.world.dispose()
    divided.world.dispose()
  }
}

/** A world with these workers is what a plain one is after each of so many random lists of calls. */
function expectAlike(workers: Workers, numRuns: number, maxLength: number): void {
  const lists = fc.array(call, { minLength: 60, maxLength })
  fc.assert(
    fc.property(lists, (calls) => expectEqual(workers, calls)),
    { numRuns },
  )
}

const dividedOf = (workers: Workers) => workers.stats().chunks.reduce((sum, one) => sum + one, 0)

describe('a world with workers', () => {
  it.each([1, 2, 3, 8])('equals a plain world, with %i of them', (count) => {
    const workers = eagerWorkers(count)
    expectAlike(workers, proofLength(60), 120)
    expect(dividedOf(workers)).toBeGreaterThan(0)
  })

  it.each([1, -1, -3, -1000])('equals a plain world, divided by %i', (parts) => {
    const workers = eagerWorkers(2, { parts })
    expectAlike(workers, proofLength(20), 100)
  })

  it('equals a plain world while workers stop for random times', () => {
    const workers = stoppingWorkers(2)
    expectAlike(workers, proofLength(20), 100)
    expect(dividedOf(workers)).toBeGreaterThan(0)
  })

  it('equals a plain world without any', () => {
    const workers = eagerWorkers(0)
    expectAlike(workers, proofLength(10), 100)
    expect(dividedOf(workers)).toBe(0)
  })

  it('equals a plain world, in any order of its blocks', () => {
    const lists = fc.array(call, { minLength: 60, maxLength: 120 })
    fc.assert(
      fc.property(fc.nat(15), lists, fc.nat(), (count, calls, seed) =>
        expectEqual(shuffledWorkers(count, seed), calls),
      ),
      { numRuns: proofLength(120) },
    )
  })

  it('equals a plain world while its memory grows', () => {
    const workers = eagerWorkers(2)
    const growing = Array.from({ length: 60 }, (_, i): Call[] => [
      [0, 899, i % 128],
      [7, i, 0],
      [14, i, 0],
      [20, 0, 0],
    ]).flat()
    expectEqual(workers, growing, 2 ** 20)
    expect(dividedOf(workers)).toBeGreaterThan(0)
  })
})

describe('the kernels of such a world', () => {
  it('are all divided except when their rows read each other', () => {
    const workers = eagerWorkers(1)
    const { world, calls } = new DividedWorld(workers)
    for (const [which, a, b] of START) calls[which]?.(a, b)
    for (let i = 5; i < 29; i++) calls[i]?.(1, 500)
    const divided = workers.stats().kernels.filter((kernel) => kernel.divided > 0)
    const names = new Set(divided.map(({ kernel }) => kernel))
    expect([...names].filter((name) => DIVISIBLE.includes(name)).sort()).toEqual([...DIVISIBLE].sort())
    const whole = workers.stats().kernels.filter(({ why }) => why !== undefined)
    expect(whole.map(({ kernel, why }) => `${kernel} ${why}`)).toEqual([
      "scatter writes the resource 'cells'",
      expect.stringMatching(/ adds up row after row$/),
    ])
    world.dispose()
    expect(workers.stats().kernels).toEqual([])
  })
})
