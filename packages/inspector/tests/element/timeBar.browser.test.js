// Shows that a person can pause a world, go back and forward in its history, and go on from there.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startInspector } from '../support/page.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

const bar = (page) => page.getByRole('region', { name: 'Time' })
const stand = (page) =>
  page.evaluate(() => {
    const { world, history, schedule, entities, components } = scene
    const { x } = world.get(entities.ann, components.Position)
    return { x, frame: history.frame, newest: history.newest, paused: schedule.paused }
  })

it('goes back and forward, and the chosen entity shows its values at that time; resuming drops the future', async () => {
  const { page, complaints, close } = await site.open()
  await page.evaluate(() => scene.step(50))
  await page.getByRole('option', { name: 'Ann' }).click()
  const slider = page.getByRole('slider', { name: 'Moment' })
  await bar(page).getByText('now').waitFor()
  expect(await bar(page).getByRole('button', { name: 'Go on from here' }).isDisabled()).toBe(true)

  await bar(page).getByRole('button', { name: 'One frame back' }).click()
  expect(await stand(page)).toEqual({ x: 50, frame: 48, newest: 49, paused: true })
  await bar(page).getByText('1 frame ago').waitFor()
  await slider.fill('20')
  expect(await stand(page)).toEqual({ x: 22, frame: 20, newest: 49, paused: true })
  const shown = page.getByLabel('x of Position of #1')
  await page.waitForFunction(
    () => scene.inspector.shadowRoot.querySelector('[aria-label="x of Position of #1"]').value === '22',
  )
  expect(await slider.getAttribute('aria-valuetext')).toBe('29 frames ago')

  // The program's own loop does nothing meanwhile.
  await page.evaluate(() => scene.step(7))
  expect(await stand(page)).toEqual({ x: 22, frame: 20, newest: 49, paused: true })
  await slider.fill('30')
  expect(await stand(page)).toEqual({ x: 32, frame: 30, newest: 49, paused: true })
  await slider.fill('20')

  await shown.fill('1000')
  await shown.press('Enter')
  await bar(page).getByRole('button', { name: 'Go on from here' }).click()
  expect(await stand(page)).toEqual({ x: 1000, frame: 20, newest: 20, paused: false })
  await page.evaluate(() => scene.step(3))
  expect(await stand(page)).toEqual({ x: 1003, frame: 23, newest: 23, paused: false })
  expect(complaints).toEqual([])
  await close()
})

it('the slider of a narrow inspector starts where the bar does', async () => {
  const { page, complaints, close } = await site.open('', { viewport: { width: 480, height: 800 } })
  await page.evaluate(() => scene.step(5))
  const slider = page.getByRole('slider', { name: 'Moment' })
  await slider.waitFor()
  const [outer, inner] = [await bar(page).boundingBox(), await slider.boundingBox()]
  const pause = await bar(page).getByRole('button', { name: 'Pause' }).boundingBox()
  expect(inner.y).toBeGreaterThan(pause.y + pause.height)
  expect(inner.x).toBe(pause.x)
  expect(outer.x + outer.width - (inner.x + inner.width)).toBe(inner.x - outer.x)
  expect(complaints).toEqual([])
  await close()
})

it('its messages disappear again, even on a page with timers of its own', async () => {
  const { page, complaints, close } = await site.open()
  await page.evaluate(() => {
    globalThis.setTimeout = () => 0
    scene.step(5)
  })
  await bar(page).getByRole('button', { name: 'One frame back' }).click()
  await bar(page).getByRole('button', { name: 'Go on from here' }).click()
  const status = page.locator('strata-inspector .status')
  await status.filter({ hasText: 'Another future begins here.' }).waitFor()
  await page.evaluate(() => {
    const now = performance.now.bind(performance)
    performance.now = () => now() + 5000
  })
  await page.waitForFunction(() => scene.inspector.shadowRoot.querySelector('.status').textContent === '')
  expect(complaints).toEqual([])
  await close()
})

it('an entity that was created later is not alive in the past, and is again after returning', async () => {
  const { page, complaints, close } = await site.open()
  const late = await page.evaluate(() => {
    scene.step(10)
    const late = scene.world.spawn(scene.components.Name({ value: 'Late' }))
    scene.step(5)
    return late
  })
  await page.getByLabel('Filter', { exact: true }).fill('Name.value == "Late"')
  await page.getByRole('option', { name: 'Late' }).click()
  await page.getByRole('slider', { name: 'Moment' }).fill('3')
  await page.getByText('It is not alive at this moment. These were its last values.').waitFor()
  await page.getByRole('slider', { name: 'Moment' }).fill('14')
  await page.getByRole('heading', { name: `Late #${late}` }).waitFor()
  await page.getByText('It is not alive at this moment.').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await close()
})

it('the pause button stops the schedule; a world that the inspector paused resumes when it is detached', async () => {
  const { page, complaints, close } = await site.open()
  await bar(page).getByRole('button', { name: 'Pause' }).click()
  await page.evaluate(() => scene.step(3))
  expect(await page.evaluate(() => [scene.schedule.paused, scene.schedule.stats().runs])).toEqual([true, 0])
  await bar(page).getByRole('button', { name: 'Play' }).click()
  await page.evaluate(() => scene.step(3))
  expect(await page.evaluate(() => [scene.schedule.paused, scene.schedule.stats().runs])).toEqual([false, 3])
  await bar(page).getByRole('button', { name: 'Pause' }).click()
  await page.evaluate(() => scene.inspector.detach())
  expect(await page.evaluate(() => scene.schedule.paused)).toBe(false)
  // One that the program paused stays as it is.
  await page.evaluate(() => {
    scene.schedule.paused = true
    scene.inspector.attach(scene.world, { schedule: scene.schedule })
    scene.inspector.detach()
  })
  expect(await page.evaluate(() => scene.schedule.paused)).toBe(true)
  expect(complaints).toEqual([])
  await close()
})
