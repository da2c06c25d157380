// Owns the proof of the graph of systems: it shows the phases, the constraints and the undecided pairs that the schedule tells,
// and follows what changes. Where things stand is proved beside this file, without a page.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startInspector } from '../support/inspectorPage.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

const open = async (query, options) => {
  const opened = await site.open(query, options)
  await opened.page.getByRole('tab', { name: 'Systems' }).click()
  await opened.page.locator('strata-inspector .graph svg').waitFor()
  return opened
}

// What a callback of page.evaluate returns is copied out of the page, and with a schedule its world: hence `void`.
const graphOf = (page) => page.locator('strata-inspector .graph')
const textsOf = (page, part) => graphOf(page).locator(part).allTextContents()
const titlesOf = (page, part) => textsOf(page, `${part} > title`)

it('phases are bands from top to bottom, with their systems in the colours of the list', async () => {
  const { page, complaints, close } = await open()
  expect(await textsOf(page, 'text.phase')).toEqual(['phase update', 'phase last'])
  expect((await textsOf(page, '.box .name')).sort()).toEqual(['cool', 'draw', 'glow', 'move'])
  const tops = await graphOf(page)
    .locator('.box')
    .evaluateAll((boxes) =>
      Object.fromEntries(boxes.map((box) => [box.dataset.system, box.getBoundingClientRect().top])),
    )
  expect(tops.draw).toBeGreaterThan(tops.move)
  const fill = await graphOf(page)
    .locator('.box[data-system="cool"] .colour')
    .evaluate((rect) => getComputedStyle(rect).fill)
  const swatch = page.locator('strata-inspector .systems li', { hasText: 'cool' }).locator('.swatch').first()
  expect(await swatch.evaluate((span) => getComputedStyle(span).backgroundColor)).toBe(fill)
  expect(complaints).toEqual([])
  await close()
})

it('an undecided pair is a dashed line in the warning colour that names the components, until a chain decides it', async () => {
  const { page, complaints, close } = await open()
  expect(await titlesOf(page, '.arrow')).toEqual([])
  expect(await titlesOf(page, '.dash')).toEqual([
    'Nothing decides the order of cool and glow; both touch Heat',
  ])
  const [dash, stroke] = await graphOf(page)
    .locator('.dash .line')
    .evaluate((line) => [getComputedStyle(line).strokeDasharray, getComputedStyle(line).stroke])
  const warning = await page
    .locator('strata-inspector .warn')
    .first()
    .evaluate((element) => getComputedStyle(element).color)
  expect(dash).not.toBe('none')
  expect(stroke).toBe(warning)

  await page.evaluate(() => void scene.schedule.chain('glow', 'cool'))
  await graphOf(page).locator('.arrow').waitFor({ state: 'attached' })
  expect(await titlesOf(page, '.arrow')).toEqual(['glow runs before cool: chain'])
  expect(await titlesOf(page, '.dash')).toEqual([])
  const y = (name) =>
    graphOf(page)
      .locator(`.box[data-system="${name}"]`)
      .evaluate((box) => box.getBoundingClientRect().top)
  expect(await y('cool')).toBeGreaterThan(await y('glow'))
  expect(complaints).toEqual([])
  await close()
})

it('a constraint that follows from others is not drawn', async () => {
  const { page, complaints, close } = await open()
  await page.evaluate(() => void scene.schedule.chain('move', 'cool', 'glow').chain('move', 'glow'))
  await graphOf(page).locator('.arrow').first().waitFor({ state: 'attached' })
  expect(await titlesOf(page, '.arrow')).toEqual([
    'move runs before cool: chain',
    'cool runs before glow: chain',
  ])
  await page.getByText('3 constraints').waitFor()
  expect(complaints).toEqual([])
  await close()
})

it('systems that are added and removed come and go, down to none', async () => {
  const { page, complaints, close } = await open()
  await page.evaluate(() => void scene.schedule.add(() => {}, { name: 'late', phase: 'post', after: [] }))
  await graphOf(page).locator('.box[data-system="late"]').waitFor()
  expect(await textsOf(page, 'text.phase')).toEqual(['phase update', 'phase post', 'phase last'])
  await page.evaluate(() => void scene.schedule.remove('late').remove('glow'))
  await graphOf(page).locator('.box[data-system="late"]').waitFor({ state: 'detached' })
  expect((await textsOf(page, '.box .name')).sort()).toEqual(['cool', 'draw', 'move'])
  expect(await titlesOf(page, '.dash')).toEqual([])
  await page.evaluate(() => void scene.schedule.dispose())
  await graphOf(page).waitFor({ state: 'hidden' })
  await page.evaluate(() => void scene.schedule.add(() => {}, { name: 'again' }))
  await graphOf(page).locator('.box[data-system="again"]').waitFor()
  expect(complaints).toEqual([])
  await close()
})

it('times change in place, and a disabled system is dimmed, without drawing anew', async () => {
  const { page, complaints, close } = await open()
  const picture = await graphOf(page).locator('svg').elementHandle()
  await page.evaluate(() => {
    scene.schedule.add(
      () => {
        const end = performance.now() + 12
        while (performance.now() < end);
      },
      { name: 'slow' },
    )
  })
  await graphOf(page).locator('.box[data-system="slow"]').waitFor()
  expect(await picture.evaluate((svg) => svg.isConnected)).toBe(false)
  const drawn = await graphOf(page).locator('svg').elementHandle()
  await page.evaluate(() => scene.step())
  await graphOf(page)
    .locator('.box[data-system="slow"] .took', { hasText: /^[1-9]\d\.\d ms$/ })
    .waitFor()
  await page.getByRole('checkbox', { name: 'move' }).uncheck()
  await graphOf(page).locator('.box.off[data-system="move"]').waitFor()
  await page.getByRole('checkbox', { name: 'move' }).check()
  await graphOf(page).locator('.box[data-system="move"]:not(.off)').waitFor()
  expect(await drawn.evaluate((svg) => svg.isConnected)).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

it('says in words what it shows', async () => {
  const { page, complaints, close } = await open()
  await page
    .getByRole('img', {
      name: '4 systems in 2 phases, 0 constraints, undecided: cool and glow (Heat). The list of systems tells the same.',
    })
    .waitFor()
  await page.evaluate(() => void scene.schedule.chain('cool', 'glow'))
  await page
    .getByRole('img', {
      name: '4 systems in 2 phases, 1 constraint, no undecided pair. The list of systems tells the same.',
    })
    .waitFor()
  expect(complaints).toEqual([])
  await close()
})

it('pointing at a system or focusing it in the list brings out those that a line leads to', async () => {
  const { page, complaints, close } = await open()
  const lit = () =>
    graphOf(page)
      .locator('.box.lit')
      .evaluateAll((boxes) => boxes.map((box) => box.dataset.system).sort())
  expect(await lit()).toEqual([])
  await graphOf(page).locator('.box[data-system="cool"]').hover()
  expect(await lit()).toEqual(['cool', 'glow'])
  expect(await graphOf(page).locator('.dash.lit').count()).toBe(1)
  await page.getByRole('tab', { name: 'Systems' }).hover()
  expect(await lit()).toEqual([])
  await page.getByRole('checkbox', { name: 'glow' }).focus()
  expect(await lit()).toEqual(['cool', 'glow'])
  await page.getByRole('checkbox', { name: 'draw' }).focus()
  expect(await lit()).toEqual(['draw'])
  await page.getByRole('tab', { name: 'Systems' }).focus()
  expect(await lit()).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

it('of many undecided pairs, those of the system that is pointed at are drawn', async () => {
  const { page, complaints, close } = await open()
  await page.evaluate(() => {
    for (let i = 0; i < 14; i++)
      scene.schedule.add(() => {}, { name: `warm ${i}`, writes: [scene.components.Heat] })
  })
  await page.getByText('120 undecided pairs').waitFor()
  const visible = () =>
    graphOf(page)
      .locator('.dash')
      .evaluateAll((lines) => lines.filter((line) => getComputedStyle(line).display !== 'none').length)
  await graphOf(page).locator('.box[data-system="warm 13"]').waitFor()
  expect(await visible()).toBe(0)
  await graphOf(page).locator('.box[data-system="warm 3"]').hover()
  // With cool, glow, and thirteen of its kind.
  expect(await visible()).toBe(15)
  expect(complaints).toEqual([])
  await close()
})

it('a cycle is said as long as it is there, and the graph stays as it was', async () => {
  const { page, complaints, close } = await open()
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
  expect(await titlesOf(page, '.dash')).toHaveLength(1)
  await page.evaluate(() => void scene.schedule.remove('glow'))
  await banner.waitFor({ state: 'hidden' })
  await graphOf(page).locator('.box[data-system="glow"]').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await close()
})

it('is folded in and out, and is drawn as it is when it comes out again', async () => {
  const { page, complaints, close } = await open()
  await page.getByText('As a graph').click()
  await graphOf(page).waitFor({ state: 'hidden' })
  await page.evaluate(() => void scene.schedule.chain('cool', 'glow'))
  await page.getByText('As a graph').click()
  await graphOf(page).locator('.arrow').waitFor({ state: 'attached' })
  expect(complaints).toEqual([])
  await close()
})

it('wraps on a phone, and scrolls inside of its box where a row cannot be broken', async () => {
  const { page, complaints, close } = await open('', { viewport: { width: 360, height: 740 } })
  await page.evaluate(() => {
    for (let i = 0; i < 8; i++) {
      scene.schedule.add(() => {}, { name: `first ${i}` })
      scene.schedule.add(() => {}, { name: `middle ${i}`, after: `first ${i}` })
      scene.schedule.add(() => {}, { name: `end ${i}`, after: [`middle ${i}`, `first ${(i * 3) % 8}`] })
    }
  })
  await graphOf(page).locator('.box[data-system="end 7"]').waitFor()
  const sizes = await graphOf(page).evaluate((box) => [box.clientWidth, box.closest('.panel').scrollWidth])
  expect(sizes[0]).toBeLessThanOrEqual(360)
  expect(sizes[1]).toBeLessThanOrEqual(360)
  expect(complaints).toEqual([])
  await close()
})
