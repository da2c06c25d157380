// Owns the proof that a person can drag the page of the swarm through its last seconds, go on from there, and send a link to a
// moment that leads to the same digest. It reaches time only as a person does.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { begun, byHand, frame, startSwarm } from '../support/swarmPage.js'

let swarm
beforeAll(async () => (swarm = await startSwarm()))
afterAll(() => swarm?.close())

/** Frames until the wanted moment is reached. */
async function arrive(page) {
  await page.evaluate(() => {
    while (demo.past.isUnderway)
      demo.frames.advance((demo.latest = Math.max(performance.now(), demo.latest ?? 0)))
  })
  await frame(page)
}

/** Drags the slider: its thumb is where the part of its way is that the value is of it. */
async function drag(page, value) {
  const box = await page.locator('#time').boundingBox()
  const thumb = 22
  const xOf = (value) => box.x + thumb / 2 + (value / 640) * (box.width - thumb)
  const y = box.y + box.height / 2
  await page.mouse.move(xOf(await page.evaluate(() => Number(document.querySelector('#time').value))), y)
  await page.mouse.down()
  await page.mouse.move(xOf(value), y, { steps: 4 })
  await page.mouse.up()
  await arrive(page)
}

const digest = (page) => page.evaluate(() => demo.swarm.digest())
const tick = (page) => page.evaluate(() => demo.swarm.tick)

/** Keeps the picture under a name, drawn without the light of what was drawn before. */
const keepPicture = (page, name) =>
  page.evaluate((name) => {
    const { view } = demo
    const canvas = document.querySelector('#view')
    const { drawingBufferWidth: width, drawingBufferHeight: height } = canvas.getContext('webgl2')
    const paper = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    // After a second, the light of another picture is gone.
    view.draw(-1)
    for (let k = 0; k < 3; k++) view.draw(0)
    paper.drawImage(canvas, 0, 0)
    demo.pictures ??= {}
    demo.pictures[name] = paper.getImageData(0, 0, width, height).data
  }, name)

/** How far two pictures are from each other. Light fades by the clock, so no two are quite equal. */
const distance = (page, one, other) =>
  page.evaluate(
    ([one, other]) => {
      const { pictures } = demo
      return pictures[one].reduce((sum, value, k) => sum + Math.abs(value - pictures[other][k]), 0)
    },
    [one, other],
  )

/** Makes frames of 1/64 s each, and remembers the digest after each step. */
const live = (page, steps) =>
  page.evaluate((steps) => {
    const { swarm, frames } = demo
    const seen = {}
    frames.paused = false
    let now = Math.max(performance.now(), demo.latest ?? 0)
    frames.advance(now)
    const { draw } = demo.view
    demo.view.draw = () => {}
    const end = swarm.tick + steps
    while (swarm.tick < end) {
      frames.advance((now += 1000 / 64))
      seen[swarm.tick] = swarm.digest()
    }
    demo.view.draw = draw
    frames.paused = true
    demo.latest = now
    return seen
  }, steps)

it('is dragged back, shows what was there, goes on from there, and a link leads to it', async () => {
  const { page, complaints, close } = await swarm.open('prey=1500&seed=3&paused', {
    viewport: { width: 760, height: 700 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await byHand(page)
  const first = await live(page, 60)
  await page.keyboard.press('f')
  const seen = { ...first, ...(await live(page, 200)) }
  const present = await tick(page)
  await frame(page)
  expect(await page.textContent('#ago')).toBe('now')
  expect(await page.isDisabled('#go-on')).toBe(true)

  await drag(page, 500)
  const then = await tick(page)
  expect(Math.abs(then - (present - 140))).toBeLessThan(8)
  expect(await digest(page)).toBe(seen[then])
  expect(await page.textContent('#ago')).toBe(`${((present - then) / 64).toFixed(1)} s ago`)
  await keepPicture(page, 'then')

  // Forward, and back again by keyboard: half a second each time.
  await drag(page, 600)
  expect(await digest(page)).toBe(seen[await tick(page)])
  await keepPicture(page, 'later')
  while ((await tick(page)) > then) {
    await page.focus('#time')
    await page.keyboard.press((await tick(page)) - then >= 32 ? '[' : 'ArrowLeft')
    await arrive(page)
  }
  expect(await tick(page)).toBe(then)
  await keepPicture(page, 'then again')
  const [same, other] = [await distance(page, 'then', 'then again'), await distance(page, 'then', 'later')]
  expect(same).toBeLessThan(other / 4)
  expect(await digest(page)).toBe(seen[then])

  // Another future.
  await page.click('#go-on')
  expect(await page.evaluate(() => demo.past.isBehind)).toBe(false)
  await page.keyboard.press('l')
  await live(page, 30)
  expect(await tick(page)).toBeGreaterThan(then)
  expect(await page.evaluate(() => demo.past.newest)).toBeLessThan(present)
  await page.evaluate(() => (demo.swarm.prey = 1700))

  await page.click('#copy-link')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(page.url())
  const [wanted, at] = [await digest(page), await tick(page)]
  // The address keeps the moment as long as it is shown.
  await page.waitForTimeout(1100)
  expect(page.url()).toBe(link)

  const opened = await swarm.open(link.split('#')[1])
  await opened.page.waitForFunction((at) => demo.swarm.tick === at && !demo.past.isUnderway, at)
  expect(await digest(opened.page)).toBe(wanted)
  expect(await opened.page.textContent('#status')).toContain('the same digest as in the link')
  expect(await opened.page.evaluate(() => demo.frames.paused)).toBe(true)
  expect([...complaints, ...opened.complaints].filter((said) => !said.includes('ReadPixels'))).toEqual([])
  await opened.close()
  await close()
})

it('says so when a link is damaged, or comes to another digest', async () => {
  const damaged = await swarm.open('prey=500&seed=3&tick=many')
  expect(await damaged.page.textContent('#status')).toContain('damaged')
  expect(damaged.complaints).toEqual([])
  // A link that is followed in an open page is as good as one that opens it.
  await damaged.page.evaluate(() => (location.hash = 'prey=500&seed=3&paused&tick=20&digest=00000000'))
  await damaged.page.waitForFunction(() => globalThis.demo?.swarm.tick === 20)
  await begun(damaged.page)
  await damaged.page.waitForFunction(() =>
    document.querySelector('#status').textContent.includes('and not 00000000'),
  )
  await damaged.close()
})

it('what a person picked is still picked at another time', async () => {
  const { page, complaints, close } = await swarm.open('prey=400&seed=3&paused')
  await byHand(page)
  await live(page, 40)
  await page.keyboard.press('n')
  await frame(page)
  const [picked] = await page.evaluate(() => [...demo.swarm.picked.entities()])
  await live(page, 50)
  await page.focus('#view')
  await page.keyboard.press('[')
  await page.keyboard.press('[')
  await arrive(page)
  expect(await page.evaluate(() => [...demo.swarm.picked.entities()])).toEqual([picked])
  expect(await page.isVisible('#inspector')).toBe(true)
  // What is changed there begins another future.
  await page.click('#destroy')
  await frame(page)
  expect(await page.textContent('#agent-title')).toBe('It died')
  expect(await page.evaluate(() => demo.past.isBehind)).toBe(false)
  await page.keyboard.press('[')
  await arrive(page)
  expect(await page.textContent('#agent-title')).not.toBe('It died')
  expect(complaints).toEqual([])
  await close()
})
