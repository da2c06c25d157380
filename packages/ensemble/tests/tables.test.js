// Shows what an ensemble looks like in a terminal.

import { describe, expect, it } from 'vitest'
import { summarise } from '../src/summary.ts'
import { shortNumber, writeSummary } from '../src/tables.ts'
import { at, failure, resultsOf } from './support/results.js'

describe('the summary in a terminal', () => {
  it('has the first twenty failed runs, and says how many more exist', () => {
    const failed = Array.from({ length: 30 }, (_, index) => ({ ...failure, index }))
    const text = writeSummary({ ...summarise(resultsOf([at(1, [4])], { failed })), failedCount: 5000 })
    expect(text).toContain('5000 failed')
    expect(text.match(/times: left the map$/gm)).toHaveLength(20)
    expect(text).toContain('And 4,980 more runs failed')
  })

  it('has quantiles by parameters, the slowest runs, and the failed ones with seed, parameters, stack and log', () => {
    const text = writeSummary(
      summarise(resultsOf([at(1, [4]), at(2, [8], 'Lima', 2500)], { failed: [failure] })),
    )
    expect(text).toContain('a.run: 2 runs, 2 rows, 1 failed')
    expect(text).toMatch(/^ {2}r0 2 +x +1 +8 +8 +8 +8 +8 +8$/m)
    expect(text).toMatch(/2\.5 s {2}seed 1 \(1\), r0 2/)
    expect(text).toContain('seed 9 (99), r0 2, place <b>, run 2 times: left the map')
    expect(text).toContain('    at run')
    expect(text).toContain('log:\n      one\n      two')
  })

  it('has as many rows as groups and columns, however many', () => {
    const groups = Array.from({ length: 140_000 }, (_, r0) => ({
      parameters: { r0 },
      runs: 1,
      nan: { x: 0 },
      last: { x: { runs: 1, mean: 1, quantiles: [1, 1, 1, 1, 1] } },
    }))
    const summary = { ...summarise(resultsOf([at(1, [4])])), groups, columns: ['x'] }
    expect(writeSummary(summary).match(/^ {2}r0 \d+ +x/gm)).toHaveLength(140_000)
  })

  it('counts one run, one row and one attempt in the singular', () => {
    const once = { ...failure, attempts: 1 }
    const text = writeSummary(summarise(resultsOf([at(1, [4])], { failed: [once] })))
    expect(text).toContain('a.run: 1 run, 1 row, 1 failed')
    expect(text).toContain('run 1 time: left the map')
  })

  it('names a run without parameters by its seed alone', () => {
    const text = writeSummary(summarise(resultsOf([{ parameters: {}, values: [4] }], { parameters: {} })))
    expect(text).toMatch(/1 ms {2}seed 0 \(0\)$/m)
  })

  it('shows which runs gave NaN, and that nothing else shows them', () => {
    const text = writeSummary(summarise(resultsOf([at(1, [4]), at(1, [NaN]), at(2, [8])])))
    expect(text).toContain('a.run: 3 runs, 3 rows, 0 failed, 1 with NaN')
    expect(text).toMatch(/^ {2}r0 1 +x +1 +4 +4 +4 +4 +4 +4 +1 of 2 runs$/m)
    expect(text).toMatch(/^ {2}r0 2 +x +1 +8 +8 +8 +8 +8 +8$/m)
    expect(text).toContain('1 of 3 runs gave NaN, in x: quantiles, means and charts leave it out.')
  })

  it.each([
    [0, '0'],
    [-5, '-5'],
    [9999, '9999'],
    [10000, '10k'],
    [123456, '123.5k'],
    [2.345678, '2.346'],
    [1.5e6, '1.5M'],
    [3e9, '3G'],
    [-1.5e12, '-1.5T'],
    [999.4e12, '999.4T'],
    [1e15, '1e+15'],
    [-1.2345e21, '-1.234e+21'],
    [5e283, '5e+283'],
    [1.5e-7, '1.5e-7'],
    [NaN, 'NaN'],
    [Infinity, 'Infinity'],
  ])('writes %d as %s', (value, text) => {
    expect(shortNumber(value)).toBe(text)
  })
})
