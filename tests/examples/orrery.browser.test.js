// Shows that the page of examples/orrery works in a real browser: bodies move, can be picked and hung on others by hand, and
// plain JavaScript places them where the kernels do.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startExample } from '../support/examplePage.js'

let example

beforeAll(async () => {
  example = await startExample({
    name: 'orrery',
    port: 4391,
    begun: () => globalThis.demo?.frames > 1,
    webgl: 'software',
    viewport: { width: 640, height: 480 },
  })
})
afterAll(() => example?.close())

/** The page at rest, seen so that the planets of the middle sun are apart from each other. */
async function openAtRest() {
  const opened = await example.open()
  const { page } = opened
  await page.click('#pause')
  await page.evaluate(() => {
    demo.camera.distance = 110
    demo.camera.pitch = 1.1
  })
  await drawn(page)
  return opened
}

/** Until another frame has been drawn from beginning to end. */
async function drawn(page) {
  const frames = await page.evaluate(() => demo.frames)
  await page.waitForFunction((before) => demo.frames > before + 1, frames)
}

/** Where a body is on the page. */
const spotOf = (page, slot) =>
  page.evaluate((slot) => {
    const [x, y, z] = demo.places.slice(4 * slot, 4 * slot + 3)
    return demo.camera.spot(x, y, z)
  }, slot)

/** Slots of two planets of the middle sun that are well in sight, far from each other and from the edges. */
const twoPlanets = (page) =>
  page.evaluate(() => {
    const { orrery, camera, places } = demo
    const [sun] = orrery.bodies
    const seen = orrery.bodies.flatMap((body, slot) => {
      if (orrery.parentOf(body) !== sun || orrery.bodyOf(body).kind !== 1) return []
      const { x, y } = camera.spot(...places.slice(4 * slot, 4 * slot + 3))
      const isInside = x > 30 && x < camera.width - 30 && y > 60 && y < camera.height - 110
      return isInside ? [{ slot, x, y }] : []
    })
    let best
    for (const a of seen)
      for (const b of seen) {
        const apart = Math.hypot(a.x - b.x, a.y - b.y)
        if (a !== b && (!best || apart > best.apart)) best = { apart, slots: [a.slot, b.slot] }
      }
    return best.slots
  })

const standOf = (page, slot) =>
  page.evaluate((slot) => {
    const { orrery } = demo
    const body = orrery.bodies[slot]
    return {
      parent: orrery.bodies.indexOf(orrery.parentOf(body)),
      children: orrery.childrenOf(body),
      place: [...demo.places.slice(4 * slot, 4 * slot + 3)],
    }
  }, slot)

async function drag(page, from, to) {
  const [start, end] = [await spotOf(page, from), await spotOf(page, to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 })
  await page.mouse.move(end.x, end.y, { steps: 4 })
  await drawn(page)
  expect(await page.locator('#thread').isVisible()).toBe(true)
  await page.mouse.up()
  await drawn(page)
}

it('moves 100,000 bodies, draws them, and says how long that takes', async () => {
  const { page, complaints, close } = await example.open()
  expect(await page.evaluate(() => demo.orrery.world.stats().entities)).toBe(100_000)
  const before = await page.evaluate(() => [...demo.places.slice(0, 4000)])
  await drawn(page)
  const after = await page.evaluate(() => [...demo.places.slice(0, 4000)])
  expect(after.filter((value, i) => value !== before[i]).length).toBeGreaterThan(2000)
  await page.waitForFunction(() => / ms/.test(document.querySelector('#kernel small').textContent))
  const lit = await page.evaluate(
    () =>
      new Promise((done) =>
        globalThis.requestAnimationFrame(() => {
          const gl = document.querySelector('#view').getContext('webgl2')
          const { width, height } = gl.canvas
          const pixels = new Uint8Array(4 * width * height)
          gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
          done(pixels.filter((value, i) => i % 4 === 0 && value > 60).length)
        }),
      ),
  )
  expect(lit).toBeGreaterThan(300)
  expect(complaints).toEqual([])
  await close()
})

it('a planet that is dragged onto another one circles around it from then on, with all its moons', async () => {
  const { page, complaints, close } = await openAtRest()
  const [planet, other] = await twoPlanets(page)
  const before = await standOf(page, planet)
  const children = (await standOf(page, other)).children
  expect(before.parent).toBe(0)
  await drag(page, planet, other)
  const after = await standOf(page, planet)
  expect(after.parent).toBe(other)
  expect(after.children).toBe(before.children)
  expect((await standOf(page, other)).children).toBe(children + 1)
  // It begins where it was, and drifts to its new circle.
  after.place.forEach((value, k) => expect(value).toBeCloseTo(before.place[k], 2))
  expect(await page.textContent('#said')).toContain('now circles around')
  await page.evaluate(() => (demo.time += 20))
  await drawn(page)
  const [moved, around] = [await standOf(page, planet), await standOf(page, other)]
  expect(Math.hypot(...moved.place.map((value, k) => value - around.place[k]))).toBeLessThan(8)

  // A body cannot circle around what circles around it.
  await page.evaluate(
    ([slot, on]) => {
      const { bodies, canHang } = demo.orrery
      if (canHang(bodies[on], bodies[slot])) throw new Error('a circle is allowed')
    },
    [planet, other],
  )
  expect(complaints).toEqual([])
  await close()
})

it('plain JavaScript places all bodies where the kernels do, even after one was dragged', async () => {
  const { page, complaints, close } = await openAtRest()
  expect(await page.evaluate(() => demo.difference())).toBeLessThan(0.001)
  await page.click('#plain')
  await drawn(page)
  expect(await page.evaluate(() => demo.plain)).toBe(true)
  await page.waitForFunction(() => / ms/.test(document.querySelector('#plain small').textContent))
  const [planet, other] = await twoPlanets(page)
  await drag(page, planet, other)
  expect((await standOf(page, planet)).parent).toBe(other)
  for (const later of [0, 3, 40]) {
    await page.evaluate((later) => (demo.time += later), later)
    expect(await page.evaluate(() => demo.difference())).toBeLessThan(0.001)
  }
  await page.click('#kernel')
  await drawn(page)
  expect(await page.evaluate(() => demo.plain)).toBe(false)
  expect(complaints).toEqual([])
  await close()
})

it('a click on a body follows it, a drag next to all of them turns the view, and the wheel zooms in', async () => {
  const { page, complaints, close } = await openAtRest()
  const [planet] = await twoPlanets(page)
  const { x, y } = await spotOf(page, planet)
  await page.mouse.click(x, y)
  expect(await page.textContent('#said')).toContain('Planet')
  await page.waitForFunction((slot) => {
    const spot = demo.camera.spot(...demo.places.slice(4 * slot, 4 * slot + 3))
    return Math.hypot(spot.x - demo.camera.width / 2, spot.y - demo.camera.height / 2) < 20
  }, planet)
  await page.click('#home')
  expect(await page.evaluate(() => demo.camera.distance)).toBe(330)
  // So far away that nothing is in the corner.
  await page.evaluate(() => (demo.camera.distance = 1400))
  await page.waitForFunction(() => Math.hypot(...demo.camera.target) < 1)
  const { yaw, distance } = await page.evaluate(() => ({ ...demo.camera }))
  await page.mouse.move(20, 470)
  await page.mouse.down()
  await page.mouse.move(120, 440, { steps: 5 })
  await page.mouse.up()
  await page.mouse.wheel(0, -300)
  await drawn(page)
  const later = await page.evaluate(() => ({ ...demo.camera }))
  expect(later.yaw).not.toBeCloseTo(yaw, 2)
  expect(later.distance).toBeLessThan(distance)
  expect(complaints).toEqual([])
  await close()
})

it('fits a telephone, whose controls lie inside of its width', async () => {
  const { page, complaints, close } = await example.open('', {
    viewport: { width: 360, height: 640 },
    hasTouch: true,
  })
  const { x, width } = await page.locator('.dock').boundingBox()
  expect(x).toBeGreaterThanOrEqual(0)
  expect(x + width).toBeLessThanOrEqual(360)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  expect(complaints).toEqual([])
  await close()
})

it('F2 opens the inspector, which leads from a sun to its planets, turns the view to one, and pauses the page', async () => {
  const { page, complaints, close } = await example.open()
  await page.keyboard.press('F2')
  await page.getByLabel('Filter', { exact: true }).fill('!ChildOf')
  await page.getByRole('option').first().click()
  await page.locator('strata-inspector summary', { hasText: 'ChildOf' }).click()
  await page.locator('strata-inspector .tree li').getByRole('button').first().click()
  await page.getByRole('group', { name: 'ChildOf' }).getByRole('button', { name: 'Go to' }).waitFor()
  await page.getByRole('button', { name: 'Follow' }).click()
  await page.waitForFunction(() => demo.camera.distance < 300)
  await page.getByRole('region', { name: 'Time' }).getByRole('button', { name: 'Pause' }).click()
  expect(await page.evaluate(() => demo.paused)).toBe(true)
  expect(await page.getAttribute('#pause', 'aria-pressed')).toBe('true')
  await page.keyboard.press('F2')
  await page.locator('strata-inspector').waitFor({ state: 'hidden' })
  expect(complaints).toEqual([])
  await close()
})
