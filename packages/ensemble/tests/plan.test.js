// Shows which runs a grid of seeds and parameters has, and what their keys and seeds depend on.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planOf, range, seedOf } from '../src/plan.ts'

const source = (hash = 'abc') => ({
  hash,
  definition: { parameters: { r0: 2.5, days: 60, start: 'London', closed: false } },
})
const planRuns = (...of) => [...planOf(...of)]
const refused = (sentence) =>
  expect.objectContaining({ code: 'BAD_OPTION', message: expect.stringContaining(sentence) })

/** So many that no list could hold them. */
function* endless() {
  for (let index = 0; ; index++) yield index
}

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

  it('each have a key of their own, made of the text, parameters and seed', () => {
    const runs = [
      ...planRuns(source(), range(50), { r0: [1, 2] }),
      ...planRuns(source('abd'), range(50), { r0: [1, 2] }),
    ]
    expect(new Set(runs.map(({ key }) => key)).size).toBe(200)
    expect(runs.every(({ key }) => /^[0-9a-f]{32}$/.test(key))).toBe(true)
  })

  it('have keys and seeds that depend on nothing else: not on the other runs, nor on the order of the request', () => {
    const some = fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 20 })
    const all = new Map(planRuns(source(), range(1001), { r0: [1, 2, 3] }).map((run) => [run.key, run]))
    fc.assert(
      fc.property(some, fc.shuffledSubarray([1, 2, 3], { minLength: 1 }), (indices, r0) => {
        for (const run of planRuns(source(), indices, { r0 })) expect(all.get(run.key)).toEqual(run)
      }),
      { seed: 19, numRuns: 20 },
    )
  })

  it('share a seed only if they share an index', () => {
    const runs = planRuns(source(), range(1000), { r0: [1, 2] })
    expect(new Set(runs.map(({ seed }) => seed)).size).toBe(1000)
    expect(runs.every(({ seed, index }) => seed === seedOf(index))).toBe(true)
  })

  it('are made of ranges that fit a list', () => {
    expect(range(3, 5)).toEqual([5, 6, 7])
    expect(() => range(2 ** 32)).toThrow(refused('at most 10,000,000 runs'))
  })

  it('leave out repeated names', () => {
    expect(planRuns(source(), [3, 3], { r0: [1, 1] })).toHaveLength(1)
    expect(planRuns(source(), [5, 3, 5, 4, 3], {}).map(({ index }) => index)).toEqual([3, 4, 5])
  })

  it('are created as needed, so that ten million of them are not objects until then', () => {
    const plan = planOf(source(), range(100_000), { r0: range(100) })
    expect(plan).toHaveLength(10_000_000)
    const [first] = plan
    expect(first).toEqual(planRuns(source(), [0], { r0: [0] })[0])
    const even = plan.without((_, index) => index > 1)
    expect(even).toHaveLength(200)
    expect([...even].every(({ index }) => index < 2)).toBe(true)
  })

  it('have 0 for -0, which a journal could not distinguish', () => {
    const [{ parameters }] = planRuns(source(), [0], { r0: [-0, 0] })
    expect(Object.is(parameters.r0, 0)).toBe(true)
    expect(planRuns(source(), [0], { r0: [-0, 0] })).toHaveLength(1)
  })

  it.each(['constructor', 'valueOf', 'toString', 'hasOwnProperty'])('can have a parameter %s', (name) => {
    const made = { hash: 'abc', definition: { parameters: { [name]: 1 } } }
    const values = (grid) => planRuns(made, [0], grid).map(({ parameters }) => parameters[name])
    expect(values({})).toEqual([1])
    expect(values({ [name]: [2, 3] })).toEqual([2, 3])
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
    [[0], { r0: ['1'] }, `'r0' is a finite number, not '1'`],
    [[0], { r0: [NaN] }, `'r0' is a finite number, not NaN`],
    // A journal would have null for both.
    [[0], { r0: [Infinity, -Infinity] }, `'r0' is a finite number, not Infinity`],
    [[0], { closed: ['true'] }, `'closed' is true or false, not 'true'`],
    [[0], { start: ['\ud800'] }, `'start' is a text of whole Unicode characters`],
    [[0], { start: ['\ufeffLima'] }, `'start' is a text of whole Unicode characters`],
    [[0], { start: [Symbol('Lima')] }, `not Symbol(Lima)`],
    [[0], { r0: [Object.create(null)] }, `'r0' is a finite number`],
    [5, {}, 'Seeds are a list of whole numbers, not 5'],
    [['0'], {}, `not '0'`],
    [endless(), {}, 'at most 10,000,000 runs'],
    [range(2000), { r0: range(2000), days: range(2000) }, 'at most 10,000,000 runs'],
  ])('are refused for the indices %j and the grid %j', (indices, grid, sentence) => {
    expect(() => planRuns(source(), indices, grid)).toThrow(refused(sentence))
  })
})
