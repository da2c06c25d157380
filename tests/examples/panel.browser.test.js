// Shows that the page of examples/panel works in a real browser: what the crew does and what a person does appears at once, and
// renders only the rows that are concerned.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startExample } from '../support/examplePage.js'

let example

beforeAll(async () => {
  example = await startExample({
    name: 'panel',
    port: 4491,
    begun: () => globalThis.document.querySelectorAll('main li').length > 0,
    viewport: { width: 900, height: 900 },
  })
})
afterAll(() => example?.close())

const rows = (page) => page.locator('section[aria-label="Tasks"] li')
const summary = (page) => page.locator('.summary').textContent()

/** Lets an hour pass by hand; returns which kinds of components were rendered, and how often. */
const pass = (page) =>
  page.evaluate(async () => {
    const before = { ...demo.renders }
    demo.crew.pass()
    await new Promise((resolve) => setTimeout(resolve))
    return Object.fromEntries(
      Object.entries(demo.renders).map(([name, count]) => [name, count - before[name]]),
    )
  })

it('shows what the crew does, and renders only the rows of members who did something', async () => {
  const { page, complaints, close } = await example.open('still')
  expect([await rows(page).count(), await summary(page)]).toEqual([8, '8 to do, 0 done'])
  expect(await page.locator('section[aria-label="Crew"] span').allTextContents()).toEqual(
    Array(6).fill('rests'),
  )
  const first = await pass(page)
  expect(await page.locator('output').textContent()).toBe('hour 1')
  expect(await page.locator('section[aria-label="Crew"]').textContent()).toContain('Ada Mend the pump')
  // Six workers took six of the eight tasks.
  expect(first.task).toBe(6)
  await pass(page)
  expect(await summary(page)).toMatch(/^[1-7] to do, [1-7] done$/)
  expect(complaints).toEqual([])
  await close()
})

it('renders no row for what happens to others', async () => {
  const { page, complaints, close } = await example.open('still')
  const rendered = (change) =>
    page.evaluate(async (change) => {
      const before = demo.renders.task
      if (change === 'drop') globalThis.document.querySelector('button[aria-label^="Drop"]').click()
      else demo.crew.plan('One more')
      await new Promise((resolve) => setTimeout(resolve))
      return demo.renders.task - before
    }, change)
  expect(await rendered('drop')).toBe(0)
  expect(await rendered('plan')).toBe(1)
  expect(await rows(page).count()).toBe(8)
  expect(complaints).toEqual([])
  await close()
})

it('lets a person tick tasks off, drop them, add new ones and clear what is done', async () => {
  const { page, complaints, close } = await example.open('still')
  await page.getByRole('checkbox', { name: 'Stack firewood' }).first().check()
  expect(await summary(page)).toBe('7 to do, 1 done')
  await page.getByRole('button', { name: 'Drop: Sow barley' }).first().click()
  await page.getByRole('textbox', { name: 'A new task' }).fill('Paint the gate')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  expect(await rows(page).allTextContents()).toContainEqual(expect.stringContaining('Paint the gate'))
  expect(await summary(page)).toBe('7 to do, 1 done')
  await page.getByRole('button', { name: 'Clear done' }).click()
  expect([await rows(page).count(), await summary(page)]).toEqual([7, '7 to do, 0 done'])
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Go on' }).waitFor()
  expect(complaints).toEqual([])
  await close()
})
