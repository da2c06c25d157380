// Owns the proof that a stranger can look into the swarm: one key opens the inspector, a filter finds the hottest agent, it is
// followed ten seconds back, changed, and everything goes on from there. It uses what the page offers alone.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { byHand, startSwarm } from '../support/swarmPage.js'

let swarm
beforeAll(async () => (swarm = await startSwarm()))
afterAll(() => swarm?.close())

/** Makes steps without showing them, as fast as they go; returns the digest after each. */
const live = (page, steps) =>
  page.evaluate((steps) => {
    const { swarm, past } = demo
    const digests = {}
    for (let i = 0; i < steps; i++) {
      past.step()
      digests[swarm.tick] = swarm.digest()
    }
    return digests
  }, steps)

/** Frames, as the page would make them, until the past is where it was told to go. */
const arrive = (page) =>
  page.evaluate(() => {
    while (demo.past.isUnderway)
      demo.frames.advance((demo.latest = Math.max(performance.now(), demo.latest ?? 0)))
  })

const tick = (page) => page.evaluate(() => demo.swarm.tick)

it('opens by a key, finds the hottest agent, follows it ten seconds back, and goes on from there', async () => {
  const { page, complaints, close } = await swarm.open('prey=1500&seed=3&paused', {
    viewport: { width: 1100, height: 800 },
  })
  await byHand(page)
  const scripts = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length,
    )
  const before = await scripts()
  // Lightning has struck and fire has spread by then.
  const digests = await live(page, 700)
  const present = await tick(page)

  await page.focus('#view')
  await page.keyboard.press('i')
  const filter = page.getByLabel('Filter', { exact: true })
  await filter.waitFor()
  expect(await scripts()).toBeGreaterThan(before)

  await filter.fill('Prey & !Burning order by Prey.heat desc')
  await filter.press('Enter')
  const first = page.locator('strata-inspector .row').first()
  await first.filter({ hasText: 'Prey.heat' }).waitFor()
  const hottest = await page.evaluate(() => {
    const { world, flock } = demo.swarm
    const { Prey } = demo.components
    return [...flock.entities()].reduce((best, entity) =>
      world.get(entity, Prey).heat > world.get(best, Prey).heat ? entity : best,
    )
  })
  expect(await first.locator('.handle').textContent()).toBe(`#${hottest}`)
  await first.click()
  await page.getByRole('button', { name: 'Follow' }).click()
  await page.getByText(`Following #${hottest}`).waitFor()
  expect(await page.evaluate(() => [...demo.swarm.picked.entities()])).toEqual([hottest])

  // Ten seconds back: the slider's start.
  await page.getByRole('slider', { name: 'Moment' }).press('Home')
  await arrive(page)
  const then = await tick(page)
  expect(then).toBe(present - 640)
  expect(await page.evaluate(() => demo.swarm.digest())).toBe(digests[then])
  await page.locator('strata-inspector .slider').getByText('10.0 s ago').waitFor()
  const heat = () =>
    page.evaluate((entity) => demo.swarm.world.get(entity, demo.components.Prey)?.heat, hottest)
  const heatThen = await heat()
  const input = page.getByLabel(`heat of Prey of #${hottest}`)
  await page.waitForFunction(
    ([entity, heat]) => {
      const { shadowRoot } = document.querySelector('strata-inspector')
      const shown = shadowRoot.querySelector(`[aria-label="heat of Prey of #${entity}"]`).value
      return Math.abs(Number(shown) - heat) < 1e-5
    },
    [hottest, heatThen],
  )

  // Without a change the same future comes again; a change begins another one.
  await page.getByRole('region', { name: 'Time' }).getByRole('button', { name: 'Go on from here' }).click()
  expect(await page.evaluate(() => [demo.frames.paused, demo.past.isBehind])).toEqual([false, false])
  const same = await live(page, 64)
  expect(same[then + 64]).toBe(digests[then + 64])
  await input.fill('0.875')
  await input.press('Enter')
  expect(await heat()).toBe(0.875)
  const other = await live(page, 64)
  expect(other[then + 65]).not.toBe(digests[then + 65])
  await page.getByText(`Following #${hottest}`).waitFor()

  // The same key closes it, and nothing is timed or drawn for it any longer.
  await page.focus('#view')
  await page.keyboard.press('i')
  await page.locator('strata-inspector').waitFor({ state: 'hidden' })
  expect(complaints).toEqual([])
  await close()
})

it('refuses what would break the swarm, and notes what people change, so that time leads to it again', async () => {
  const { page, complaints, close } = await swarm.open('prey=300&seed=3&paused')
  await byHand(page)
  await live(page, 40)
  await page.focus('#view')
  await page.keyboard.press('i')
  await page.getByLabel('Filter', { exact: true }).fill('Hunter')
  await page.keyboard.press('Enter')
  const first = page.locator('strata-inspector .row').first()
  await first.filter({ hasText: 'Hunter' }).click()
  const chosen = Number((await first.locator('.handle').textContent()).slice(1))
  const x = page.getByLabel(`x of Position of #${chosen}`)
  await x.fill('5000')
  await x.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Position.x is from 0 to 1023.99.' }).waitFor()
  await x.fill('12')
  await x.press('Enter')
  const changedAt = await tick(page)
  const after = await live(page, 60)
  await page.evaluate((tick) => demo.past.goTo(tick), changedAt - 20)
  await arrive(page)
  const again = await live(page, 80)
  expect(again[changedAt + 60]).toBe(after[changedAt + 60])
  expect(complaints).toEqual([])
  await close()
})
