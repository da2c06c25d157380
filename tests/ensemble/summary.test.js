// Owns the promises of ensemble/src/summary.js.

import { describe, expect, it } from 'vitest'
import { writeReport } from '../../ensemble/src/report.js'
import { spreadOf, summarise } from '../../ensemble/src/summary.js'
import { writeSummary } from '../../ensemble/src/tables.js'
import { at, resultsOf } from '../support/ensembleResults.js'

describe('the spread of values', () => {
  it.each([
    [[5], [5, 5, 5, 5, 5]],
    [
      [1, 2],
      [1.05, 1.25, 1.5, 1.75, 1.95],
    ],
    [Array.from({ length: 101 }, (_, i) => 100 - i), [5, 25, 50, 75, 95]],
    [
      [3, NaN, 3],
      [3, 3, 3, 3, 3],
    ],
    [
      [1, Infinity, Infinity],
      [expect.anything(), expect.anything(), Infinity, Infinity, Infinity],
    ],
  ])('of %j is in the quantiles %j', (values, quantiles) => {
    spreadOf(values).quantiles.forEach((value, level) => {
      if (typeof quantiles[level] === 'number') expect(value).toBeCloseTo(quantiles[level], 10)
    })
  })

  it('of nothing is not a number', () => {
    expect(spreadOf([NaN])).toEqual({ runs: 0, mean: NaN, quantiles: [NaN, NaN, NaN, NaN, NaN] })
  })
})

describe('a summary', () => {
  it('has a group for each combination of the parameters that vary, in their order', () => {
    const { groups, varying, columns } = summarise(
      resultsOf([at(10, [1]), at(9, [2]), at(10, [3]), at(9, [4], 'Rio')]),
    )
    expect(varying).toEqual(['r0', 'place'])
    expect(columns).toEqual(['day', 'x'])
    expect(groups.map(({ parameters, runs }) => [parameters, runs])).toEqual([
      [{ r0: 9, place: 'Lima' }, 1],
      [{ r0: 9, place: 'Rio' }, 1],
      [{ r0: 10, place: 'Lima' }, 2],
    ])
    expect(groups[2].last.x).toMatchObject({ runs: 2, mean: 2 })
  })

  it('takes the last row of a run, and goes along the axis', () => {
    const { groups, axis } = summarise(resultsOf([at(1, [1, 5]), at(1, [3, 7, 9])], { axis: 'day' }))
    expect(axis).toBe('day')
    expect(groups[0].last.x.mean).toBe(7)
    expect(groups[0].along.x.map(({ at: day, spread }) => [day, spread.runs, spread.mean])).toEqual([
      [1, 2, 2],
      [2, 2, 6],
      [3, 1, 9],
    ])
  })

  it('counts rows where there is no axis', () => {
    const { groups, axis } = summarise(resultsOf([at(1, [4, 5])]))
    expect(axis).toBe('row')
    expect(groups[0].along.x.map(({ at: row }) => row)).toEqual([0, 1])
  })

  it('counts runs with NaN in any of their rows, by column and in all', () => {
    const summary = summarise(resultsOf([at(1, [NaN, 5]), at(1, [3]), at(2, [7, NaN])], { axis: 'day' }))
    expect(summary.groups.map(({ nan }) => nan)).toEqual([{ x: 1 }, { x: 1 }])
    expect(summary.nan).toBe(2)
    expect(summarise(resultsOf([at(1, [Infinity])])).nan).toBe(0)
  })

  it('of nothing, and of runs without rows, can be written', async () => {
    for (const runs of [[], [at(1, [])]]) {
      const summary = summarise(resultsOf(runs))
      expect(writeSummary(summary)).toContain('a.run')
      expect(await writeReport(summary)).toContain('<!doctype html>')
    }
  })
})
