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

it('archetypes are listed by size with the fill of their chunks and the memory of the world, and link to their entities', async () => {
  const { page, complaints, close } = await open('Archetypes', 'agents=5000')
  const list = page.getByRole('listbox', { name: 'Archetypes' })
  const expected = await page.evaluate(() =>
    scene
      .inspect(scene.world)
      .archetypes()
      .find(({ entities }) => entities > 5000),
  )
  const { bytesUsed, bytesReserved } = await page.evaluate(() => scene.world.stats())
  const memory = await page.getByText(/ in use$/).textContent({ timeout: 10_000 })
  const shown = [...memory.matchAll(/([\d.]+) (KB|MB)/g)].map(([, n, unit]) => n * { KB: 1e3, MB: 1e6 }[unit])
  // Two digits are shown, or more.
  expect(shown.map((size, i) => Math.abs(size / [bytesUsed, bytesReserved][i] - 1) < 0.06)).toEqual([
    true,
    true,
  ])
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

it('systems are in order with times, phases and ambiguities, and can be switched off', async () => {
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

it('queries are listed with their matches, listeners with their subjects', async () => {
  const { page, complaints, close } = await open('Queries')
  await page.getByText('Position, Velocity').waitFor()
  const queries = await rowsOf(page, 'Queries')
  expect(queries.find(([terms]) => terms === 'Position, Velocity')[1]).toBe('201')
  expect(queries.find(([terms]) => terms === 'Heat')[1]).toBe('202')
  expect(await rowsOf(page, 'Listeners')).toEqual([['Health', 'set', '1']])
  expect(complaints).toEqual([])
  await close()
})
