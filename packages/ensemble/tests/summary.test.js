// Shows the quantiles and means of a summary, whatever its numbers are, and its groups.

import { describe, expect, it } from 'vitest'
import { writeReport } from '../src/report.ts'
import { LEVELS, spreadOf, summarise } from '../src/summary.ts'
import { writeSummary } from '../src/tables.ts'
import { at, resultsOf } from './support/results.js'

/** Results of one run without parameters. */
const withColumns = (columns, rows, axis) =>
  resultsOf([{ parameters: {}, values: rows }], { parameters: {}, columns, axis })

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
      [Infinity, Infinity, Infinity, Infinity, Infinity],
    ],
    [
      [1, 2, Infinity],
      [1.1, 1.5, 2, Infinity, Infinity],
    ],
    [
      [-Infinity, 4, Infinity],
      [-Infinity, -Infinity, 4, Infinity, Infinity],
    ],
    [
      [-Infinity, Infinity],
      [NaN, NaN, NaN, NaN, NaN],
    ],
    [
      [-1.6e308, 1.6e308],
      [-1.44e308, -0.8e308, 0, 0.8e308, 1.44e308],
    ],
  ])('of %j has the quantiles %j', (values, quantiles) => {
    spreadOf(values).quantiles.forEach((value, level) => {
      const expected = quantiles[level]
      if (Number.isFinite(expected)) expect(value / (expected || 1)).toBeCloseTo(expected === 0 ? 0 : 1, 10)
      else expect(value).toBe(expected)
    })
  })

  it('has the values themselves as quantiles, if a quantile is at one, whatever comes next', () => {
    let cases = 0
    for (let count = 2; count <= 1001; count++) {
      const values = Float64Array.from({ length: count }, (_, i) => i)
      const { quantiles } = spreadOf([...values])
      LEVELS.forEach((level, i) => {
        const place = ((count - 1) * Math.round(level * 100)) / 100
        if (!Number.isInteger(place)) return
        cases++
        expect(quantiles[i]).toBe(place)
        const endless = [...values].map((value) => (value > place ? Infinity : value))
        expect(spreadOf(endless).quantiles[i]).toBe(place)
      })
    }
    expect(cases).toBe(1100)
  })

  it('has a mean that is among the values, even if their sum is infinite', () => {
    expect(spreadOf([1.7e308, 1.7e308, 1.7e308]).mean).toBeCloseTo(1.7e308, -299)
    expect(spreadOf([1, Infinity]).mean).toBe(Infinity)
    expect(spreadOf([-Infinity, Infinity]).mean).toBeNaN()
  })

  it('of no values is not a number', () => {
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

  it('uses the last row of a run, and runs along the axis', () => {
    const { groups, axis } = summarise(resultsOf([at(1, [1, 5]), at(1, [3, 7, 9])], { axis: 'day' }))
    expect(axis).toBe('day')
    expect(groups[0].last.x.mean).toBe(7)
    expect(groups[0].along.x.map(({ at: day, spread }) => [day, spread.runs, spread.mean])).toEqual([
      [1, 2, 2],
      [2, 2, 6],
      [3, 1, 9],
    ])
  })

  it('distinguishes a column called row from the count of rows', () => {
    const results = withColumns({ row: 'f64' }, [{ row: 7 }, { row: 9 }])
    const { groups, columns, axis } = summarise(results)
    expect([columns, axis]).toEqual([['row'], 'row'])
    expect(groups[0].along.row.map(({ at: place, spread }) => [place, spread.mean])).toEqual([
      [0, 7],
      [1, 9],
    ])
  })

  it('of runs with only texts, in several rows, has groups and no columns', async () => {
    const summary = summarise(withColumns({ note: 'text' }, [{ note: 'a' }, { note: 'b' }]))
    expect(summary).toMatchObject({ columns: [], rows: 2, groups: [{ runs: 1 }] })
    expect(writeSummary(summary)).toContain('There is no column of numbers')
    expect(await writeReport(summary)).toContain('There is no column of numbers')
  })

  it('runs along an axis that is infinite or NaN in some rows, NaN last', () => {
    const places = [NaN, 3, -Infinity, 1, Infinity, NaN, 2]
    const results = withColumns(
      { t: 'f64', x: 'f64' },
      places.map((t) => ({ t, x: 1 })),
      't',
    )
    const found = summarise(results).groups[0].along.x.map(({ at: place, spread }) => [place, spread.runs])
    expect(found).toEqual([
      [-Infinity, 1],
      [1, 1],
      [2, 1],
      [3, 1],
      [Infinity, 1],
      [NaN, 2],
    ])
  })

  it('counts rows if there is no axis', () => {
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

  it('of no runs, and of runs without rows, can be written', async () => {
    for (const runs of [[], [at(1, [])]]) {
      const summary = summarise(resultsOf(runs))
      expect(writeSummary(summary)).toContain('a.run')
      expect(await writeReport(summary)).toContain('<!doctype html>')
    }
  })
})
