// Owns the promises of ensemble/src/charts.js.

import { describe, expect, it } from 'vitest'
import { chartsOf, drawCharts, drawPicture } from '../../ensemble/src/charts.js'
import { summarise } from '../../ensemble/src/summary.js'
import { at, resultsOf } from '../support/ensembleResults.js'

describe('the charts', () => {
  const summary = summarise(resultsOf([at(1, [1, 2]), at(2, [2, 900]), at(3, [3, 4000])], { axis: 'day' }))

  it('are each column along the axis and over a parameter', () => {
    expect(chartsOf(summary).map(({ title }) => title)).toEqual(['x by day', 'x over r0'])
  })

  it('leave out the groups that do not fit, and say so', () => {
    const many = summarise(
      resultsOf(
        Array.from({ length: 9 }, (_, r0) => at(r0, [1, 2])),
        { axis: 'day' },
      ),
    )
    expect(chartsOf(many)[0].title).toBe('x by day (6 of 9 groups)')
  })

  it('are pictures that take the colours of the page', async () => {
    for (const { svg } of await drawCharts(summary)) {
      expect(svg).toMatch(/^<svg .*<\/svg>$/s)
      expect(svg).toContain('var(--quiet)')
      expect(svg).not.toMatch(/#0[123]0[123]0[123]|NaN|undefined/)
    }
  })

  it('can be chosen for a picture by their titles', async () => {
    const picture = await drawPicture(summary, ['x over r0'])
    expect(picture).toContain('prefers-color-scheme:dark')
    expect(picture).not.toContain('x by day')
    await expect(drawPicture(summary, ['x over r9'])).rejects.toThrow(`there are 'x by day', 'x over r0'`)
  })
})
