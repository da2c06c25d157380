// Owns the promises of ensemble/src/plan.js.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planOf, range, readChoice, readGrid, readSeeds, seedOf } from '../../ensemble/src/plan.js'

const source = (hash = 'abc') => ({
  hash,
  definition: { parameters: { r0: 2.5, days: 60, start: 'London', closed: false } },
})
const planRuns = (...of) => [...planOf(...of)]
const refused = (sentence) =>
  expect.objectContaining({ code: 'BAD_OPTION', message: expect.stringContaining(sentence) })

describe('the runs of a grid', () => {
  it('are all seeds of each combination of parameters, with defaults for the others', () => {
    const runs = planRuns(source(), range(2), { r0: [1, 2], start: ['Lima', 'Oslo'] })
    expect(runs.map(({ index, parameters: { r0, days, start } }) => [index, r0, days, start])).toEqual([
      [0, 1, 60, 'Lima'],
      [1, 1, 60, 'Lima'],
      [0, 1, 60, 'Oslo'],
      [1, 1, 60, 'Oslo'],
      [0, 2, 60, 'Lima'],
      [1, 2, 60, 'Lima'],
      [0, 2, 60, 'Oslo'],
      [1, 2, 60, 'Oslo'],
    ])
  })

  it('each have a key of their own, in which text, parameters and seed are', () => {
    const runs = [
      ...planRuns(source(), range(50), { r0: [1, 2] }),
      ...planRuns(source('abd'), range(50), { r0: [1, 2] }),
    ]
    expect(new Set(runs.map(({ key }) => key)).size).toBe(200)
    expect(runs.every(({ key }) => /^[0-9a-f]{32}$/.test(key))).toBe(true)
  })

  it('have keys and seeds that depend on nothing else: not on the other runs, nor on the order of what was asked for', () => {
    const some = fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 20 })
    const all = new Map(planRuns(source(), range(1001), { r0: [1, 2, 3] }).map((run) => [run.key, run]))
    fc.assert(
      fc.property(some, fc.shuffledSubarray([1, 2, 3], { minLength: 1 }), (indices, r0) => {
        for (const run of planRuns(source(), indices, { r0 })) expect(all.get(run.key)).toEqual(run)
      }),
      { seed: 19, numRuns: 20 },
    )
  })

  it('share a seed where they share an index, and only there', () => {
    const runs = planRuns(source(), range(1000), { r0: [1, 2] })
    expect(new Set(runs.map(({ seed }) => seed)).size).toBe(1000)
    expect(runs.every(({ seed, index }) => seed === seedOf(index))).toBe(true)
  })

  it('leave out what was named twice', () => {
    expect(planRuns(source(), [3, 3], { r0: [1, 1] })).toHaveLength(1)
    expect(planRuns(source(), [5, 3, 5, 4, 3], {}).map(({ index }) => index)).toEqual([3, 4, 5])
  })

  it('are made as they are asked for, so that ten million of them are no objects until then', () => {
    const plan = planOf(source(), range(100_000), { r0: range(100) })
    expect(plan).toHaveLength(10_000_000)
    const [first] = plan
    expect(first).toEqual(planRuns(source(), [0], { r0: [0] })[0])
    const even = plan.without((_, index) => index > 1)
    expect(even).toHaveLength(200)
    expect([...even].every(({ index }) => index < 2)).toBe(true)
  })

  it('go up to the highest index', () => {
    expect(planRuns(source(), [0xffffffff], {})).toMatchObject([{ index: 0xffffffff }])
  })

  it.each([
    [[-1], {}, 'not -1'],
    [[0.5], {}, 'not 0.5'],
    [[2 ** 32], {}, 'whole number from 0 to 4294967295'],
    [[], {}, 'no seeds'],
    [[0], { r1: [1] }, 'the module has r0, days, start, closed'],
    [[0], { r0: [] }, 'at least one'],
    [[0], { r0: 1 }, 'a list of values'],
    [[0], { r0: ['1'] }, `'r0' is a number`],
    [[0], { r0: [NaN] }, `'r0' is a number`],
  ])('are refused for the indices %j and the grid %j', (indices, grid, sentence) => {
    expect(() => planRuns(source(), indices, grid)).toThrow(refused(sentence))
  })
})

describe('words of the command line', () => {
  it('name seeds one by one and in ranges', () => {
    expect(readSeeds('3,5, 10..12')).toEqual([3, 5, 10, 11, 12])
    expect(readSeeds('0..0')).toEqual([0])
  })

  it.each(['', 'a', '1..', '5..3', '-1', '1.5'])('name no seeds by %j', (text) => {
    expect(() => readSeeds(text)).toThrow(refused('names no seeds'))
  })

  it('set numbers, texts and booleans, as the parameter is', () => {
    const { parameters } = source().definition
    expect(readGrid(['r0=1.5, 2e0,-3', 'start=Lima,Rio', 'closed=true,false'], parameters)).toEqual({
      r0: [1.5, 2, -3],
      start: ['Lima', 'Rio'],
      closed: [true, false],
    })
  })

  it('and groups of charts are read from texts, counted or by their values', () => {
    const { parameters } = source().definition
    expect(readChoice([], parameters)).toEqual({ values: {} })
    expect(readChoice(['8', 'r0=1,2', 'start=Lima'], parameters)).toEqual({
      most: 8,
      values: { r0: [1, 2], start: ['Lima'] },
    })
    expect(() => readChoice(['0'], parameters)).toThrow(refused('at least one group'))
  })

  it.each(['r0', 'r0=', 'r0=a', 'r0=1,,2', 'closed=1'])('set nothing by %j', (text) => {
    expect(() => readGrid([text], source().definition.parameters)).toThrow(
      expect.objectContaining({ code: 'BAD_OPTION' }),
    )
  })
})
