// Shows what the page of an ensemble says about defaults, NaN and failed runs.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeReport } from '../src/report.ts'
import { summarise } from '../src/summary.ts'
import { withoutBrowser } from '../../../scripts/browser-tests.js'
import { launchBrowser } from '../../../scripts/browser.js'
import { scratch } from './support/ensemble.js'
import { at, failure, resultsOf } from './support/results.js'

describe('the page', () => {
  it('shows the parameters that all runs share, defaults or not', async () => {
    const html = await writeReport(
      summarise(resultsOf([at(1, [1], 'Rio, or <Lima>'), at(2, [3], 'Rio, or <Lima>')])),
    )
    expect(html).toContain('; place &#34;Rio, or &#60;Lima&#62;&#34;, days 60</p>')
  })

  it('shows which runs gave NaN', async () => {
    const html = await writeReport(summarise(resultsOf([at(1, [1]), at(1, [NaN]), at(1, [3])])))
    expect(html).toContain('1 of 3 runs gave NaN, in x')
    expect(html).toContain('<td>1 of 3 runs</td>')
    expect(await writeReport(summarise(resultsOf([at(1, [1])])))).not.toContain('NaN')
  })

  it('has the first two hundred failed runs, and says how many more exist', async () => {
    const failed = Array.from({ length: 250 }, (_, index) => ({ ...failure, index }))
    const html = await writeReport(summarise({ ...resultsOf([at(1, [1])], { failed }), failedCount: 5000 }))
    expect(html.match(/<details>/g)).toHaveLength(200)
    expect(html).toContain('5000 failed')
    expect(html).toContain('And 4,800 more runs failed')
  })

  it.skipIf(withoutBrowser)('shows the requested groups, in charts that all fill their cards', async () => {
    const runs = Array.from({ length: 9 }, (_, r0) => at(r0, [1, 2]))
    const html = await writeReport(summarise(resultsOf(runs, { axis: 'day' })), { most: 9 })
    const file = join(scratch(), 'report.html')
    writeFileSync(file, html)
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    await page.goto(pathToFileURL(file).href)
    const plots = await page.evaluate(`[...document.querySelectorAll('figure')].map((figure) => {
      const plot = figure.querySelector('.role-axis-domain line, .role-axis').getBoundingClientRect()
      return plot.width / figure.getBoundingClientRect().width
    })`)
    expect(plots).toHaveLength(2)
    for (const share of plots) expect(share).toBeGreaterThan(0.75)
  })

  it.skipIf(withoutBrowser)(
    'is self-contained, fits narrow windows, and shows charts and failures in light and dark',
    async () => {
      const results = resultsOf([at(1, [1, 2]), at(2, [2, 900])], { axis: 'day', failed: [failure] })
      const html = await writeReport(summarise(results))
      expect(html).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/)
      expect(html).toContain('&#60;b&#62;')
      const file = join(scratch(), 'report.html')
      writeFileSync(file, html)
      const browser = await launchBrowser()
      onTestFinished(() => browser.close())
      const backgrounds = []
      for (const colorScheme of ['light', 'dark']) {
        const page = await browser.newPage({ colorScheme, viewport: { width: 360, height: 700 } })
        const errors = []
        page.on('pageerror', (error) => errors.push(error))
        page.on('requestfailed', (request) => errors.push(request.url()))
        await page.goto(pathToFileURL(file).href)
        const seen = await page.evaluate(`({
        charts: document.querySelectorAll('figure svg').length,
        overflow: document.documentElement.scrollWidth - innerWidth,
        back: getComputedStyle(document.body).backgroundColor,
        line: getComputedStyle(document.querySelector('figure svg [stroke="var(--line)"]')).stroke,
        failure: document.querySelector('details').textContent,
      })`)
        expect(errors).toEqual([])
        expect(seen).toMatchObject({ charts: 2, overflow: 0 })
        expect(seen.failure).toContain('RangeError: left the map')
        backgrounds.push([seen.back, seen.line])
      }
      expect(backgrounds).toEqual([
        ['rgb(255, 255, 255)', 'rgb(217, 222, 229)'],
        ['rgb(15, 20, 27)', 'rgb(48, 58, 73)'],
      ])
    },
  )
})
