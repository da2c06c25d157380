// Shows that the page of examples/instances works in a real browser, with a real WebGL: bodies that sleep are not uploaded, those
// that are awake are, and a click leads to the entity under it.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startExample } from '../support/examplePage.js'

/** A small field: the software renderer is slow. */
const SIDE = 60

let example

beforeAll(async () => {
  example = await startExample({
    name: 'instances',
    port: 4591,
    begun: () => globalThis.demo?.frames > 1,
    webgl: 'software',
    viewport: { width: 480, height: 360 },
    // What the software renderer says of its own speed.
    isRemark: (text) => /GPU stall|software WebGL/i.test(text),
  })
})
afterAll(() => example?.close())

/** Waits until another frame has been drawn from beginning to end. */
async function drawn(page) {
  const frames = await page.evaluate(() => demo.frames)
  await page.waitForFunction((before) => demo.frames > before + 1, frames)
}

/** How much three.js hands to WebGL from now on: bytes of bufferSubData, and calls. */
const countUploads = (page) =>
  page.evaluate(() => {
    const gl = demo.renderer.getContext()
    const { bufferSubData } = gl
    demo.uploads = { calls: 0, numbers: 0 }
    gl.bufferSubData = (target, offset, array, start, count) => {
      demo.uploads.calls++
      demo.uploads.numbers += count ?? array.length
      bufferSubData.call(gl, target, offset, array, start, count)
    }
  })

it('hands nothing to WebGL while all bodies sleep, and only the awake ones after a click', async () => {
  const { page, complaints, close } = await example.open(String(SIDE))
  await drawn(page)
  await countUploads(page)
  await drawn(page)
  expect(await page.evaluate(() => [demo.uploads.calls, demo.rows, demo.bodies.count])).toEqual([
    0,
    0,
    SIDE * SIDE,
  ])

  await page.mouse.click(240, 200)
  await page.waitForFunction(() => demo.field.awake.count > 100 && demo.rows > 0)
  expect(await page.locator('#picked').textContent()).toMatch(/^Entity \d+ was hit\.$/)
  await drawn(page)
  const { calls, numbers, frames, awake } = await page.evaluate(async () => {
    demo.uploads = { calls: 0, numbers: 0 }
    const { frames } = demo
    while (demo.frames < frames + 3) await new Promise((resolve) => globalThis.requestAnimationFrame(resolve))
    return { ...demo.uploads, frames: demo.frames - frames, awake: demo.field.awake.count }
  })
  expect(calls).toBeGreaterThan(0)
  // 16 numbers of a matrix and 3 of a colour, for those that are awake; a few change their place when some fall asleep.
  expect(numbers / frames / 19).toBeLessThan(4 * awake)
  expect(complaints).toEqual([])
  await close()
})

it('draws what the world says: the picture changes where the wave is, and is at rest again afterwards', async () => {
  const { page, complaints, close } = await example.open(String(SIDE))
  await drawn(page)
  const still = await page.locator('canvas').screenshot()
  await drawn(page)
  expect(Buffer.compare(still, await page.locator('canvas').screenshot())).toBe(0)
  await page.evaluate(() => demo.touch(240, 200))
  await drawn(page)
  await drawn(page)
  expect(Buffer.compare(still, await page.locator('canvas').screenshot())).not.toBe(0)
  expect(complaints).toEqual([])
  await close()
})
