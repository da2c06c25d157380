// Owns the proof of installInspector: a key opens and closes it, it gives the focus back, and goes without a trace.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startInspector } from '../support/inspectorPage.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

it('opens by F2, docked, and closes by F2 or its button, with the focus back where it was', async () => {
  const { page, complaints, close } = await site.open('install')
  await page.evaluate(() => {
    const button = document.createElement('button')
    button.textContent = 'of the page'
    document.body.append(button)
    button.focus()
  })
  const isOpen = () => page.locator('strata-inspector').isVisible()
  const focused = () => page.evaluate(() => document.activeElement.textContent)
  expect([await isOpen(), await page.evaluate(() => scene.schedule.timing)]).toEqual([false, false])
  await page.keyboard.press('F2')
  expect([await isOpen(), await page.evaluate(() => scene.schedule.timing)]).toEqual([true, true])
  const { x, width } = await page.locator('strata-inspector').boundingBox()
  expect([Math.round(x + width), Math.round(width)]).toEqual([900, 480])
  await page.keyboard.press('F2')
  expect([await isOpen(), await focused()]).toEqual([false, 'of the page'])
  await page.keyboard.press('F2')
  await page.getByRole('button', { name: 'Close the inspector' }).click()
  expect([await isOpen(), await focused()]).toEqual([false, 'of the page'])
  await page.evaluate(() => scene.installed.open())
  expect(await isOpen()).toBe(true)
  await page.evaluate(() => scene.installed.remove())
  await page.keyboard.press('F2')
  expect(await page.locator('strata-inspector').count()).toBe(0)
  expect(await page.evaluate(() => scene.schedule.timing)).toBe(false)
  expect(complaints).toEqual([])
  await close()
})

it('refuses a key that is no text, and adds nothing then', async () => {
  const { page, complaints, close } = await site.open()
  const refused = await page.evaluate(() => {
    try {
      scene.installInspector(scene.world, { key: 113 })
    } catch (error) {
      return [error.code, document.querySelectorAll('strata-inspector').length]
    }
  })
  expect(refused).toEqual(['INVALID_OPTION', 1])
  expect(complaints).toEqual([])
  await close()
})

it('a letter as its key is typed into fields', async () => {
  const { page, complaints, close } = await site.open()
  await page.evaluate(() => {
    scene.inspector.remove()
    scene.second = scene.installInspector(scene.world, { key: 'i' })
    const input = document.createElement('input')
    document.body.append(input)
    input.focus()
  })
  await page.keyboard.press('i')
  expect(
    await page.evaluate(() => [scene.second.element.hidden, document.querySelector('input').value]),
  ).toEqual([true, 'i'])
  await page.evaluate(() => document.activeElement.blur())
  await page.keyboard.press('i')
  expect(await page.evaluate(() => scene.second.element.hidden)).toBe(false)
  expect(complaints).toEqual([])
  await close()
})
