// Shows that the tabs other than that of entities display what the world says, and that what is edited there changes in the
// world.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startInspector } from '../support/page.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

const open = async (tab, query) => {
  const opened = await site.open(query)
  await opened.page.getByRole('tab', { name: tab }).click()
  return opened
}
const table = (page, name) => page.getByRole('region', { name })
const rowsOf = (page, name) =>
  table(page, name)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)))

it('archetypes are listed by size with the fill of their chunks, and lead to their entities', async () => {
  const { page, complaints, close } = await open('Archetypes', 'agents=5000')
  const list = page.getByRole('listbox', { name: 'Archetypes' })
  const expected = await page.evaluate(() =>
    scene
      .inspect(scene.world)
      .archetypes()
      .find(({ entities }) => entities > 5000),
  )
  await list.getByRole('option', { name: 'Position · Velocity · Heat' }).first().click()
  const detail = page.getByRole('region', { name: 'Chosen archetype' })
  await detail.getByText(`${expected.chunks} chunks`).waitFor()
  expect(await detail.locator('.cells i').count()).toBe(expected.chunks)
  expect(await detail.locator('.cells i').first().getAttribute('title')).toMatch(/^(\d+) of \1$/)
  expect((await rowsOf(page, 'Pools')).map(([name, count]) => [name, count])).toEqual([
    ['Health', '1'],
    ['ChildOf', '2'],
    ['Likes', '1'],
  ])
  expect(await rowsOf(page, 'Relations')).toEqual([
    ['ChildOf (exclusive)', '2', '2', 'remove'],
    ['Likes', '1', '1', 'remove'],
  ])
  await detail.getByRole('button', { name: 'Find its entities' }).click()
  await page.getByText('5,201 entities').first().waitFor()
  expect(await page.getByLabel('Filter', { exact: true }).inputValue()).toBe('Position & Velocity & Heat')
  expect(complaints).toEqual([])
  await close()
})

it('memory is drawn in the colours of its legend, says what lies under the pointer, and is told as a table', async () => {
  const { page, complaints, close } = await open('Memory', 'agents=50000')
  const canvas = page.locator('strata-inspector canvas:visible')
  await page.getByText('chunk: rows of entities').waitFor()
  const colours = await canvas.evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const seen = new Map()
    for (let i = 0; i < data.length; i += 4)
      if (data[i + 3] > 200) {
        const colour = `${data[i]},${data[i + 1]},${data[i + 2]}`
        seen.set(colour, (seen.get(colour) ?? 0) + 1)
      }
    return [...seen].sort((a, b) => b[1] - a[1]).map(([colour]) => colour)
  })
  const legend = await page
    .locator('strata-inspector .legend li', { hasText: 'chunk:' })
    .locator('.swatch')
    .evaluate((swatch) => getComputedStyle(swatch).backgroundColor)
  // Rows take most of it: full chunks are in the colour of the legend.
  expect(colours.slice(0, 3).map((colour) => `rgb(${colour.replaceAll(',', ', ')})`)).toContain(legend)
  const under = page.locator('strata-inspector .under')
  const height = (await canvas.boundingBox()).height
  await canvas.hover({ position: { x: 3, y: 3 } })
  expect(await under.textContent()).toContain('0x00000')
  await canvas.hover({ position: { x: 200, y: height - 8 } })
  expect(await under.textContent()).toContain('(chunk)')
  await canvas.focus()
  const before = await under.textContent()
  for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowUp')
  expect(await under.textContent()).not.toBe(before)
  const rows = await rowsOf(page, 'By owner')
  expect(rows.some(([owner, kind]) => kind === 'chunk' && owner.includes('Position'))).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

it('systems are in their order with times, phases and undecided pairs, and can be switched off', async () => {
  const { page, complaints, close } = await open('Systems')
  await page.evaluate(async () => {
    for (let i = 0; i < 12; i++) {
      scene.step()
      await new Promise(requestAnimationFrame)
    }
  })
  const list = page.getByRole('list', { name: 'Systems in the order' })
  await list.getByText('12 runs').first().waitFor()
  expect(await list.locator('.name').allTextContents()).toEqual(['move', 'cool', 'glow', 'draw'])
  expect(await rowsOf(page, 'Nothing decides the order of')).toEqual([['cool', 'glow', 'Heat']])
  await page.getByText(/The last (1[0-2]|[5-9]) frames/).waitFor()
  const painted = await page.locator('strata-inspector canvas:visible').evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return data.some((value) => value !== 0)
  })
  expect(painted).toBe(true)
  await page.getByRole('checkbox', { name: 'move' }).uncheck()
  expect(await page.evaluate(() => scene.schedule.isEnabled('move'))).toBe(false)
  await page.getByRole('checkbox', { name: 'move' }).check()
  expect(await page.evaluate(() => scene.schedule.isEnabled('move'))).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

it('resources are shown and those with fields can be edited', async () => {
  const { page, complaints, close } = await open('Resources')
  await page.getByText("{ difficulty: 'hard' }").waitFor()
  const elapsed = page.getByLabel('elapsed of Time')
  await elapsed.fill('2.5')
  await elapsed.press('Enter')
  expect(await page.evaluate(() => scene.world.resource(scene.components.Time).elapsed)).toBe(2.5)
  await elapsed.fill('soon')
  await elapsed.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Time' }).waitFor()
  expect(await page.evaluate(() => scene.world.resource(scene.components.Time).elapsed)).toBe(2.5)
  expect(complaints).toEqual([])
  await close()
})

it('queries are listed with what they match, listeners with what they listen to', async () => {
  const { page, complaints, close } = await open('Queries')
  await page.getByText('Position, Velocity').waitFor()
  const queries = await rowsOf(page, 'Queries')
  expect(queries.find(([terms]) => terms === 'Position, Velocity')[1]).toBe('201')
  expect(queries.find(([terms]) => terms === 'Heat')[1]).toBe('202')
  expect(await rowsOf(page, 'Listeners')).toEqual([['Health', 'set', '1', '', '', '']])
  expect(complaints).toEqual([])
  await close()
})

it('queries and listeners are measured while their tab is shown, and those that cost most come first', async () => {
  const { page, complaints, close } = await site.open('install')
  const becomes = async (wanted) => {
    const stands = await page.evaluate(() => scene.world.state.loops.constructor.name)
    expect(stands).toBe(wanted ? 'LoopTimes' : 'OpenLoops')
  }
  await becomes(false)
  await page.evaluate(() => scene.installed.open())
  await becomes(false)
  await page.getByRole('tab', { name: 'Queries' }).click()
  await page.getByText('Position, Velocity').waitFor()
  expect((await rowsOf(page, 'Queries')).map((cells) => cells.slice(4))).toContainEqual(['', '', ''])
  await page.evaluate(() => {
    const { Heat, Health } = scene.components
    const wait = () => {
      const until = performance.now() + 30
      while (performance.now() < until);
    }
    scene.world.query(Heat).each((_, heat) => heat.value === 0.25 && wait())
    scene.ecs.onSet(scene.world, Health, wait)
    scene.world.set(scene.entities.bob, Health, { hp: 3 })
  })
  await page
    .locator('strata-inspector td', { hasText: /^3\d\.\d ms$/ })
    .first()
    .waitFor()
  const [first] = await rowsOf(page, 'Queries')
  expect(first[0]).toBe('Heat')
  expect(first.slice(4)).toEqual(['1', expect.stringMatching(/^\d+\.\d ms$/), first[5]])
  const [listener] = await rowsOf(page, 'Listeners')
  expect(listener.slice(0, 4)).toEqual(['Health', 'set', '2', '1'])
  await becomes(true)

  await page.getByRole('tab', { name: 'Resources' }).click()
  await becomes(false)
  await page.getByRole('tab', { name: 'Queries' }).click()
  await becomes(true)
  await page.evaluate(() => scene.installed.close())
  await becomes(false)
  await page.evaluate(() => scene.installed.open())
  await becomes(true)
  await page.evaluate(() => scene.inspector.detach())
  await becomes(false)
  expect(complaints).toEqual([])
  await close()
})

it('a world that is disposed of while its queries are shown is no longer measured', async () => {
  const { page, complaints, close } = await open('Queries')
  await page.getByText('Position, Velocity').waitFor()
  await page.evaluate(() => scene.world.dispose())
  await page.getByText('This world was disposed of').waitFor()
  const name = await page.evaluate(() => scene.world.state.loops.constructor.name)
  expect(name).toBe('OpenLoops')
  expect(complaints).toEqual([])
  await close()
})
