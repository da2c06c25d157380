// Shows that the inspector can be used by keyboard, with a screen reader, on a phone, in light and in dark: axe finds nothing in
// any tab, and nothing is wider than the screen.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startInspector } from '../support/page.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TABS = ['Entities', 'Archetypes', 'Systems', 'Resources', 'Queries']

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

/** What axe finds, as the rule and the elements. */
async function findings(page) {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { violations } = await axe.run('strata-inspector', { resultTypes: ['violations'] })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    )
  })
}

it.each(['light', 'dark'])('axe finds nothing in any tab, in %s', async (theme) => {
  const { page, complaints, close } = await site.open(`theme=${theme}&agents=3000`)
  await page.evaluate(() => scene.step(5))
  for (const tab of TABS) {
    await page.getByRole('tab', { name: tab }).click()
    if (tab === 'Entities') {
      await page.getByRole('option', { name: 'Bob' }).click()
      await page.getByLabel('Filter', { exact: true }).fill('Nobody')
      await page.locator('strata-inspector #filter-error').waitFor()
    }
    if (tab === 'Archetypes') await page.getByRole('option').filter({ visible: true }).first().click()
    if (tab === 'Systems') await page.getByRole('checkbox', { name: 'move' }).uncheck()
    await page.waitForTimeout(250)
    expect(await findings(page), tab).toEqual([])
  }
  await page.evaluate(() => scene.world.dispose())
  await page.getByText('This world was disposed of').waitFor()
  expect(await findings(page)).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

it('follows the system between light and dark unless it has a theme of its own', async () => {
  const { page, close } = await site.open('', { colorScheme: 'dark' })
  const paper = () => page.evaluate(() => getComputedStyle(scene.inspector).backgroundColor)
  const dark = await paper()
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await paper()
  expect([dark, light]).toEqual(['rgb(21, 24, 29)', 'rgb(255, 255, 255)'])
  await page.evaluate(() => scene.inspector.setAttribute('theme', 'dark'))
  expect(await paper()).toBe(dark)
  await close()
})

it('is navigated by keyboard: one stop for the tabs, arrows between them, and the list after the filter', async () => {
  const { page, complaints, close } = await site.open()
  const focused = () =>
    page.evaluate(() => {
      const element = scene.inspector.shadowRoot.activeElement
      return element.getAttribute('aria-label') ?? element.id ?? element.textContent
    })
  await page.getByRole('tab', { name: 'Entities' }).focus()
  await page.keyboard.press('ArrowLeft')
  expect(await page.getByRole('tab', { name: 'Queries' }).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('filter')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Entities')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { name: 'Bob #2' }).waitFor()
  const list = page.getByRole('listbox', { name: 'Entities' })
  const active = await list.getAttribute('aria-activedescendant')
  expect(await page.locator(`strata-inspector [id="${active}"]`).getAttribute('aria-selected')).toBe('true')
  expect(complaints).toEqual([])
  await close()
})

it.each([
  [320, 256, 'as a wide page at 400 %'],
  [640, 400, 'as a wide page at 200 %'],
  [844, 340, 'on a phone that lies on its side'],
])('leaves every tab most of %i × %i pixels, %s, and axe finds nothing', async (width, height) => {
  const { page, complaints, close } = await site.open('install&agents=3000', { viewport: { width, height } })
  await page.evaluate(() => scene.step(5))
  await page.keyboard.press('F2')
  for (const tab of TABS) {
    // By keyboard: what has the focus must be seen.
    await page.getByRole('tab', { name: tab }).press('Enter')
    await page.waitForTimeout(200)
    const { seen, wide } = await page.evaluate(() => {
      const root = scene.inspector.shadowRoot
      const panel = root.querySelector('.panel:not([hidden])')
      const { top, bottom } = panel.getBoundingClientRect()
      return {
        seen: Math.min(bottom, globalThis.innerHeight) - Math.max(top, 0),
        wide: panel.scrollWidth - panel.clientWidth,
      }
    })
    expect(seen, tab).toBeGreaterThan(height / 2)
    expect(wide, tab).toBeLessThanOrEqual(1)
    expect(await findings(page), tab).toEqual([])
  }
  // All of it can still be reached, and left.
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Close the inspector' }).click()
  expect(await page.locator('strata-inspector').isVisible()).toBe(false)
  expect(complaints).toEqual([])
  await close()
})

it.each([320, 390])('fits a phone of %s pixels in every tab', async (width) => {
  const { page, complaints, close } = await site.open('install&agents=3000', {
    viewport: { width, height: 700 },
  })
  await page.keyboard.press('F2')
  await page.getByRole('option', { name: 'Bob' }).click()
  for (const tab of TABS) {
    await page.getByRole('tab', { name: tab }).click()
    await page.waitForTimeout(200)
    const wide = await page.evaluate(() =>
      [...scene.inspector.shadowRoot.querySelectorAll('.panel, .main, .top, .time')]
        .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
        .map(({ className, scrollWidth, clientWidth }) => `${className}: ${scrollWidth} > ${clientWidth}`),
    )
    expect(wide, tab).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(complaints).toEqual([])
  await close()
})
