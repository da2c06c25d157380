// Shows that the list of systems has the phases, constraints and undecided pairs of the schedule, and follows changes, by
// pointer, by keyboard and on a phone. The words are tested in systemOrder.test.ts.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refreshes, startInspector } from '../support/page.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

const open = async (query, options) => {
  const opened = await site.open(query, options)
  await opened.page.getByRole('tab', { name: 'Systems' }).click()
  await opened.page.getByRole('checkbox', { name: 'draw' }).waitFor({ state: 'attached' })
  return opened
}

// What a callback of page.evaluate returns is copied out of the page, and with a schedule its world: hence `void`.
const listOf = (page) => page.getByRole('list', { name: 'Systems in the order' })
const rowOf = (page, name) =>
  listOf(page).locator('li', { has: page.locator(`input[data-system="${name}"]`) })
/** What stands with each name, but for what it took. */
const linesOf = (page) =>
  listOf(page)
    .locator('li')
    .evaluateAll((rows) =>
      rows.map((row) =>
        ['phase', 'name', 'why', 'warn'].map((part) => row.querySelector(`.${part}`).textContent),
      ),
    )

it('systems are listed by phase, in the order in which they run, with their ambiguities until a chain resolves them', async () => {
  const { page, complaints, close } = await open()
  expect(await linesOf(page)).toEqual([
    ['phase update', 'move', '', ''],
    ['', 'cool', '', '⚠ undecided with glow (Heat)'],
    ['', 'glow', '', '⚠ undecided with cool (Heat)'],
    ['phase last', 'draw', '', ''],
  ])
  await page.getByText('0 constraints, 1 undecided pair').waitFor()
  await page.evaluate(() => void scene.schedule.chain('glow', 'cool'))
  await page.getByText('after glow (chain)').waitFor()
  expect(await linesOf(page)).toEqual([
    ['phase update', 'move', '', ''],
    ['', 'glow', '', ''],
    ['', 'cool', 'after glow (chain)', ''],
    ['phase last', 'draw', '', ''],
  ])
  await page.getByText('1 constraint', { exact: true }).waitFor()
  expect(complaints).toEqual([])
  await close()
})

it('systems that are added and removed appear and disappear, down to none', async () => {
  const { page, complaints, close } = await open()
  await page.evaluate(
    () => void scene.schedule.add(() => {}, { name: 'late', phase: 'post', before: 'later' }).add(() => {}, { name: 'later', phase: 'post' }), // prettier-ignore
  )
  await rowOf(page, 'later').waitFor()
  expect((await linesOf(page)).slice(3)).toEqual([
    ['phase post', 'late', 'before later', ''],
    ['', 'later', 'after late (its before)', ''],
    ['phase last', 'draw', '', ''],
  ])
  await page.evaluate(() => void scene.schedule.remove('late').remove('glow'))
  await rowOf(page, 'late').waitFor({ state: 'detached' })
  expect(await linesOf(page)).toEqual([
    ['phase update', 'move', '', ''],
    ['', 'cool', '', ''],
    ['phase post', 'later', '', ''],
    ['phase last', 'draw', '', ''],
  ])
  await page.evaluate(() => void scene.schedule.dispose())
  await listOf(page).locator('li').first().waitFor({ state: 'detached' })
  await page.evaluate(() => void scene.schedule.add(() => {}, { name: 'again' }))
  await rowOf(page, 'again').waitFor()
  expect(complaints).toEqual([])
  await close()
})

it('times change in place, and a disabled system is struck through', async () => {
  const { page, complaints, close } = await open()
  const row = await rowOf(page, 'move').elementHandle()
  await page.evaluate(() => {
    const slow = () => {
      const end = performance.now() + 12
      while (performance.now() < end);
    }
    scene.schedule.add(slow, { name: 'slow' })
    scene.step()
  })
  await rowOf(page, 'slow')
    .locator('.took', { hasText: /^[1-9]\d\.\d ms/ })
    .waitFor()
  await page.getByRole('checkbox', { name: 'move' }).uncheck()
  await listOf(page).locator('li.off', { hasText: 'move' }).waitFor()
  await page.getByRole('checkbox', { name: 'move' }).check()
  await listOf(page).locator('li.off').waitFor({ state: 'detached' })
  expect(await row.evaluate((element) => element.isConnected)).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

it('of many others five are named, and all of them on request, by keyboard, too', async () => {
  const { page, complaints, close } = await open()
  await page.evaluate(() => {
    for (let i = 0; i < 14; i++)
      scene.schedule.add(() => {}, { name: `warm ${i}`, writes: [scene.components.Heat], after: 'move' })
  })
  await page.getByText('14 constraints, 120 undecided pairs').waitFor()
  const row = rowOf(page, 'warm 3')
  const warning = row.locator('.warn')
  const named = ['cool', 'glow', 'warm 0', 'warm 1', 'warm 2'].map((name) => `${name} (Heat)`).join(', ')
  const short = `⚠ undecided with ${named} and 10 more`
  await warning.filter({ hasText: short }).waitFor()
  const button = row.getByRole('button', { name: 'Name all that warm 3' })
  await page.getByRole('checkbox', { name: 'warm 3' }).focus()
  await page.keyboard.press('Tab')
  expect(await button.evaluate((element) => element.getRootNode().activeElement === element)).toBe(true)
  await page.keyboard.press('Enter')
  expect(await button.getAttribute('aria-expanded')).toBe('true')
  expect((await warning.textContent()).match(/\(Heat\)/g)).toHaveLength(15)
  // The next refreshes leave it so, and so does another order.
  await page.evaluate(() => void scene.schedule.chain('warm 0', 'warm 3'))
  await row.getByText('after move, warm 0 (chain)').waitFor()
  expect((await warning.textContent()).match(/\(Heat\)/g)).toHaveLength(14)
  await button.press('Enter')
  await warning.filter({ hasText: /and 9 more$/ }).waitFor()
  expect(await rowOf(page, 'move').getByRole('button').isVisible()).toBe(false)
  expect(complaints).toEqual([])
  await close()
})

it('a cycle is reported as long as it exists, and the list stays as it was', async () => {
  const { page, complaints, close } = await open()
  const before = await linesOf(page)
  await page.evaluate(() => void scene.schedule.chain('cool', 'glow').chain('glow', 'cool'))
  const banner = page.locator('strata-inspector .banner')
  await banner.filter({ hasText: 'cool -> glow -> cool' }).waitFor()
  // As long as a page of refreshes: it does not come and go.
  const seen = await page.evaluate(async () => {
    const banner = scene.inspector.shadowRoot.querySelector('.banner')
    const seen = new Set()
    for (let i = 0; i < 30; i++) {
      await new Promise(requestAnimationFrame)
      seen.add(banner.hidden)
    }
    return [...seen]
  })
  expect(seen).toEqual([false])
  expect(await linesOf(page)).toEqual(before)
  await page.evaluate(() => void scene.schedule.remove('glow'))
  await banner.waitFor({ state: 'hidden' })
  await rowOf(page, 'glow').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await close()
})

it('folds and unfolds, and shows the current schedule when it unfolds', async () => {
  const { page, complaints, close } = await open()
  await page.locator('strata-inspector .ordering > summary').click()
  await listOf(page).waitFor({ state: 'hidden' })
  await page.evaluate(() => void scene.schedule.chain('cool', 'glow'))
  await page.locator('strata-inspector .ordering > summary').click()
  await page.getByText('after cool (chain)').waitFor()
  expect(complaints).toEqual([])
  await close()
})

it.each([
  [320, 256],
  [360, 740],
  [1200, 900],
])('300 systems fit %i × %i pixels, can all be reached, and axe finds nothing', async (width, height) => {
  const { page, complaints, close } = await open('', { viewport: { width, height } })
  await page.evaluate(() => {
    for (let i = 0; i < 296; i++) {
      const after = i === 0 ? [] : [`${i} ${'name'.repeat(i % 30)}`.trim()]
      scene.schedule.add(() => {}, { name: `${i + 1} ${'name'.repeat((i + 1) % 30)}`.trim(), after })
    }
  })
  await listOf(page).locator('li').nth(299).waitFor({ state: 'attached' })
  await page.getByRole('checkbox', { name: '290 ' }).focus()
  await page.keyboard.press('Tab')
  await refreshes(page)
  const { at, seen, wide } = await page.evaluate(() => {
    const panel = scene.inspector.shadowRoot.querySelector('.panel:not([hidden])')
    const { activeElement } = scene.inspector.shadowRoot
    const { top, bottom } = activeElement.getBoundingClientRect()
    return {
      at: Number.parseInt(activeElement.dataset.system),
      seen: top >= 0 && bottom <= globalThis.innerHeight,
      wide: [panel, panel.querySelector('.systems')].map((one) => one.scrollWidth - one.clientWidth),
    }
  })
  expect([at, seen]).toEqual([291, true])
  expect(Math.max(...wide)).toBeLessThanOrEqual(1)
  await page.evaluate(AXE)
  const found = await page.evaluate(async () => {
    const { violations } = await axe.run('strata-inspector', { resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`)
  })
  expect(found).toEqual([])
  expect(complaints).toEqual([])
  await close()
})
