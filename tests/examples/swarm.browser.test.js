// Shows the page of the swarm in a real browser: it begins without a complaint, draws, moves, does what its controls, keys and
// address say, follows an agent in the inspector, goes back in time, and is the same world as in Node.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as components from '../../examples/swarm/src/simulation/components.ts'
import { createSwarm } from '../../examples/swarm/src/simulation/swarm.ts'
import * as kit from '../support/swarmPage.js'
import { stateOf } from '../support/swarmState.ts'

const { arrive, begun, byHand, findLonely, frame, live, settled, standOf } = kit

let swarm
beforeAll(async () => (swarm = await kit.startSwarm()))
afterAll(() => swarm?.close())

/** A page for one test, with frames made by hand. At its end nothing was complained of. */
const withPage = (hash, options, test) => async () => {
  const { page, complaints, close } = await swarm.open(hash, options)
  await byHand(page)
  await test(page)
  // The driver complains of whoever reads a picture back, as only a test does.
  expect(complaints.filter((said) => !said.includes('ReadPixels'))).toEqual([])
  await close()
}

const textOf = (page, selector) => page.textContent(selector)
const digest = (page) => page.evaluate(() => demo.swarm.digest())
const tick = (page) => page.evaluate(() => demo.swarm.tick)
const picked = (page) => page.evaluate(() => [...demo.swarm.picked.entities()])

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key)
  await frame(page)
  return standOf(page)
}

it('begins by itself, isolated, and says how many there are', async () => {
  const { page, complaints, close } = await swarm.open('prey=5000')
  await page.waitForFunction(() => demo.swarm.tick > 3)
  await page.evaluate(() => (demo.frames.paused = true))
  await byHand(page)
  await frame(page)
  const { population } = await standOf(page)
  expect(population).toBeGreaterThan(4_000)
  expect(await textOf(page, '#count')).toBe(population.toLocaleString('en-GB'))
  expect(await page.isVisible('#unseen')).toBe(false)
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

it(
  'moves all of its agents, and draws each of them',
  withPage('prey=5000&paused', {}, async (page) => {
    const seen = await page.evaluate(() => {
      const { swarm, view, components } = demo
      const canvas = document.querySelector('#view')
      const gl = canvas.getContext('webgl2')
      const { drawingBufferWidth: width, drawingBufferHeight: height } = gl
      const paper = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
      // In the same task as it is drawn: afterwards the picture is the screen's.
      const look = () => {
        view.draw(0)
        paper.drawImage(canvas, 0, 0)
        const places = [...swarm.flock.entities()].map((each) => [
          each,
          swarm.world.get(each, components.Position).x,
        ])
        return { places, picture: new Uint32Array(paper.getImageData(0, 0, width, height).data.buffer) }
      }
      const before = look()
      for (let k = 0; k < 16; k++) swarm.step()
      const after = look()
      const was = new Map(before.places)
      return {
        stood: after.places.filter(([entity, x]) => was.get(entity) === x).length,
        colours: new Set(before.picture).size,
        changed: after.picture.filter((pixel, k) => pixel !== before.picture[k]).length / (width * height),
        undrawn: swarm.population + swarm.hunters.count - view.drawn,
        error: gl.getError(),
      }
    })
    expect(seen).toMatchObject({ stood: 0, undrawn: 0, error: 0 })
    expect(seen.colours).toBeGreaterThan(100)
    expect(seen.changed).toBeGreaterThan(0.02)
  }),
)

it(
  'does what its controls say',
  withPage('prey=2000&paused', {}, async (page) => {
    await page.focus('#population')
    expect(await press(page, 'Home', 'ArrowRight', 'ArrowRight')).toMatchObject({
      prey: 1_200,
      population: 1_200,
    })
    expect([await textOf(page, '#prey'), await textOf(page, '#count')]).toEqual(['1,200', '1,200'])
    await page.click('#pause')
    await frame(page)
    expect(await textOf(page, '#pause')).toContain('Pause')
    await page.click('#pause')
    const { tick: before } = await standOf(page)
    await page.click('#step')
    await frame(page)
    expect(await standOf(page)).toMatchObject({ tick: before + 1, paused: true })
    await page.selectOption('#speed', '4')
    await page.selectOption('#loops', 'loops')
    await page.click('#strike')
    expect(await press(page, '.')).toMatchObject({ speed: 4, kernels: false, burning: expect.any(Number) })
    expect((await standOf(page)).burning).toBeGreaterThan(0)
    const theme = () => page.evaluate(() => [document.documentElement.dataset.theme, demo.view.theme])
    await page.click('#theme')
    expect(await theme()).toEqual(['dark', 'dark'])
    await page.click('#theme')
    expect(await theme()).toEqual(['light', 'light'])
    // Whoever is back at what the system says follows it again.
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
  }),
)

it(
  'does what its keys say',
  withPage('prey=2000&paused', {}, async (page) => {
    expect(await press(page, 'Space')).toMatchObject({ paused: false })
    expect(await press(page, 'Space')).toMatchObject({ paused: true })
    expect(await press(page, '>', '>', '<', 'k')).toMatchObject({ speed: 2, kernels: false })
    const { centre } = await standOf(page)
    const moved = await press(page, '+', 'ArrowRight', 'ArrowUp')
    expect([moved.zoom, moved.centre[0] > centre[0], moved.centre[1] < centre[1]]).toEqual([1.25, true, true])
    expect(await press(page, '0')).toMatchObject({ zoom: 1, centre })
    await page.evaluate(() => {
      const { Position, Prey, Velocity } = demo.components
      demo.swarm.world.spawn(Position({ x: 512, y: 512 }), Velocity, Prey)
    })
    expect((await press(page, 'f', '.')).burning).toBeGreaterThan(0)
    await press(page, 'h')
    expect(await page.isVisible('#population')).toBe(false)
    await press(page, 'h', '?')
    expect(await page.isVisible('#keys kbd')).toBe(true)
    await press(page, '?')
    expect(await page.isVisible('#keys kbd')).toBe(false)
  }),
)

it(
  'keeps its address, is restored from it on a reload, and follows it',
  withPage('prey=1234&loops&speed=2&paused&fire&seed=9', {}, async (page) => {
    const set = { prey: 1_234, population: 1_234, kernels: false, speed: 2, paused: true, tick: 0 }
    expect(await standOf(page)).toMatchObject(set)
    const first = await digest(page)
    await page.keyboard.press('k')
    await page.waitForFunction(() => location.hash === '#prey=1234&speed=2&paused&fire&seed=9')
    await page.reload()
    await begun(page)
    expect(await standOf(page)).toMatchObject({ ...set, kernels: true })
    expect(await digest(page)).toBe(first)
    await page.evaluate(() => (location.hash = 'prey=1500&loops&paused&speed=99'))
    // The page begins again: at first it has nothing.
    await page.waitForFunction(() => globalThis.demo?.swarm.population === 1500)
    await begun(page)
    expect(await standOf(page)).toMatchObject({ kernels: false, speed: 1, paused: true })
  }),
)

it(
  'begins again with one thread, and with all of them',
  withPage('prey=1500&paused', {}, async (page) => {
    const threads = () =>
      page.evaluate(() => [document.querySelector('#threads').value, demo.pool.stats().workers])
    const [, all] = await threads()
    // A page on one processor has no workers, and says so.
    if (all === 0) return expect(await textOf(page, '#alone')).toContain('their count is 0')
    expect(await threads()).toEqual(['all', expect.any(Number)])
    expect([await page.isVisible('#alone'), await page.isDisabled('#all')]).toEqual([false, false])
    await page.selectOption('#threads', 'one')
    await page.waitForFunction(() => location.hash === '#prey=1500&single&paused')
    await page.waitForFunction(() => globalThis.demo?.pool.stats().workers === 0)
    await begun(page)
    expect(await threads()).toEqual(['one', 0])
    expect(await page.isDisabled('#all')).toBe(false)
    expect(await standOf(page)).toMatchObject({ population: 1500, paused: true })
    await page.keyboard.press('t')
    await page.waitForFunction(() => globalThis.demo?.pool.stats().workers > 0)
    expect(await threads()).toEqual(['all', all])
  }),
)

it(
  'says on a line of its own why there is one thread, on a server that does not isolate it',
  withPage('prey=300&paused', {}, async (page) => {
    await page.route('**/*', async (route) => {
      const response = await route.fetch()
      const headers = Object.entries(response.headers()).filter(([name]) => !name.startsWith('cross-origin-'))
      await route.fulfill({ response, headers: Object.fromEntries(headers) })
    })
    await page.reload()
    await begun(page)
    expect(await page.evaluate(() => [crossOriginIsolated, demo.pool.stats().workers])).toEqual([false, 0])
    expect(await textOf(page, '#alone')).toMatch(/^One thread: the page is not cross-origin isolated: /)
    expect(await page.isDisabled('#all')).toBe(true)
    // A label stays beside its choice.
    const middle = async (selector) => {
      const { y, height } = await page.locator(selector).boundingBox()
      return y + height / 2
    }
    expect(await middle('label[for=tap]')).toBeCloseTo(await middle('#tap'), 0)
  }),
)

describe('an agent', () => {
  it(
    'is picked by a click, followed in the inspector, changed and dropped; a drag and a wheel pick none',
    withPage('prey=300&paused&seed=4', { viewport: { width: 1300, height: 700 } }, async (page) => {
      await settled(page)
      const { entity, x, y } = await findLonely(page)
      await page.mouse.click(x, y)
      await page.getByText(`Following #${entity}`).waitFor()
      expect([await picked(page), await page.evaluate(() => demo.view.marked)]).toEqual([[entity], entity])
      const field = page.getByLabel(`x of Position of #${entity}`)
      await field.fill('5000')
      await field.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'Position.x is from 0 to 1023.99.' }).waitFor()
      // Letters that are typed there are no shortcuts.
      const { kernels, paused } = await standOf(page)
      await field.pressSequentially('k l 0')
      expect(await standOf(page)).toMatchObject({ kernels, paused, tick: 0 })
      await field.fill('100.5')
      await field.press('Enter')
      const place = (id) => demo.swarm.world.get(id, demo.components.Position).x
      expect(await page.evaluate(place, entity)).toBe(100.5)
      await page.focus('#view')
      await press(page, 'Escape')
      await page.locator('strata-inspector').waitFor({ state: 'hidden' })
      expect(await picked(page)).toEqual([])
      const { centre } = await standOf(page)
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 30, y + 20, { steps: 4 })
      await page.mouse.up()
      await page.mouse.wheel(0, -300)
      await page.waitForFunction(() => demo.view.camera.zoom > 1.2)
      expect((await standOf(page)).centre).not.toEqual(centre)
      await page.evaluate(() => demo.view.camera.reset())
      await page.selectOption('#tap', 'fire')
      const target = await findLonely(page)
      await page.mouse.click(target.x, target.y)
      await press(page, '.')
      const burns = (id) => demo.swarm.world.has(id, demo.components.Burning)
      expect(await page.evaluate(burns, target.entity)).toBe(true)
      expect(await picked(page)).toEqual([])
    }),
  )

  const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  it(
    'is picked by a finger on a phone, where nothing is wider than the screen; two fingers zoom',
    withPage('prey=200&paused&seed=4', PHONE, async (page) => {
      const width = () => page.evaluate(() => document.documentElement.scrollWidth)
      await page.tap('#fold')
      expect([await page.isVisible('#population'), await width()]).toEqual([true, 390])
      await page.tap('#fold')
      expect([await page.isVisible('#population'), await width()]).toEqual([false, 390])
      const session = await page.context().newCDPSession(page)
      const touch = (type, ...fingers) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: fingers.map(([x, y], id) => ({ x, y, id })),
        })
      await touch('touchStart', [150, 300])
      await touch('touchStart', [150, 300], [250, 300])
      for (let k = 1; k <= 5; k++) await touch('touchMove', [150 - 10 * k, 300], [250 + 10 * k, 300])
      await touch('touchEnd')
      expect((await standOf(page)).zoom).toBeCloseTo(2, 1)
      expect(await picked(page)).toEqual([])
      await page.evaluate(() => demo.view.camera.reset())
      await settled(page)
      const { entity, x, y } = await findLonely(page)
      await page.touchscreen.tap(x, y)
      expect(await picked(page)).toEqual([entity])
      await page.getByText(`Following #${entity}`).waitFor()
    }),
  )

  it('is picked by keyboard where there is no WebGL, which the page says', async () => {
    const blind = await kit.startSwarm({ webgl: 'none' })
    const { page, complaints } = await blind.open('prey=2000')
    expect(await textOf(page, '#unseen')).toContain('WebGL 2')
    await page.waitForFunction(() => demo.swarm.tick > 10)
    await page.keyboard.press('n')
    await page.getByText('Following #').waitFor()
    expect(complaints).toEqual([])
    await blind.close()
  })
})

it(
  'the hottest agent is found by a filter, followed ten seconds back, changed, and another future begins',
  withPage('prey=1500&seed=3&paused', { viewport: { width: 1100, height: 800 } }, async (page) => {
    // Lightning has struck and fire has spread by then.
    const digests = await live(page, 700)
    const present = await tick(page)
    await page.focus('#view')
    await page.keyboard.press('i')
    const filter = page.getByLabel('Filter', { exact: true })
    await filter.fill('Prey & !Burning order by Prey.heat desc')
    await filter.press('Enter')
    const first = page.locator('strata-inspector .row').first()
    await first.filter({ hasText: 'Prey.heat' }).click()
    const hottest = Number((await first.locator('.handle').textContent()).slice(1))
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.getByText(`Following #${hottest}`).waitFor()
    expect(await picked(page)).toEqual([hottest])

    await page.getByRole('slider', { name: 'Moment' }).press('Home')
    await arrive(page)
    const then = await tick(page)
    expect([then, await digest(page)]).toEqual([present - 640, digests[then]])
    // A pick is a person's, not the moment's.
    expect(await picked(page)).toEqual([hottest])
    await page.getByRole('region', { name: 'Time' }).getByRole('button', { name: 'Go on from here' }).click()
    expect(await page.evaluate(() => [demo.frames.paused, demo.past.isBehind])).toEqual([false, false])
    // Without a change the same future comes again; a change begins another one, and is noted.
    expect((await live(page, 64))[then + 64]).toBe(digests[then + 64])
    const input = page.getByLabel(`heat of Prey of #${hottest}`)
    await input.fill('0.875')
    await input.press('Enter')
    const other = await live(page, 64)
    expect(other[then + 65]).not.toBe(digests[then + 65])
    await page.evaluate((at) => {
      demo.frames.paused = true
      demo.past.goTo(at)
    }, then + 10)
    await arrive(page)
    expect((await live(page, 118))[then + 128]).toBe(other[then + 128])
  }),
)

it(
  'the slider leads back, and a link leads to the moment and says whether it came to the same digest',
  withPage(
    'prey=1500&seed=3&paused',
    { viewport: { width: 760, height: 700 }, permissions: ['clipboard-read', 'clipboard-write'] },
    async (page) => {
      const seen = await live(page, 60)
      await page.keyboard.press('f')
      Object.assign(seen, await live(page, 200))
      await frame(page)
      expect([await textOf(page, '#ago'), await page.isDisabled('#go-on')]).toEqual(['now', true])
      await page.focus('#time')
      for (const key of ['[', '[', 'ArrowLeft', ']', '[']) {
        await page.keyboard.press(key)
        await arrive(page)
        await frame(page)
      }
      expect([await tick(page), await textOf(page, '#ago')]).toEqual([260 - 65, '1.0 s ago'])
      expect(await digest(page)).toBe(seen[195])
      await page.click('#go-on')
      await page.keyboard.press('l')
      await live(page, 30)
      expect(await page.evaluate(() => demo.past.newest)).toBeLessThan(260)
      await page.click('#copy-link')
      const link = await page.evaluate(() => navigator.clipboard.readText())
      expect(link).toBe(page.url())
      const [wanted, at] = [await digest(page), await tick(page)]

      const opened = await swarm.open(link.split('#')[1])
      await opened.page.waitForFunction((at) => demo.swarm.tick === at && !demo.past.isUnderway, at)
      expect(await digest(opened.page)).toBe(wanted)
      expect(await textOf(opened.page, '#status')).toContain('the same digest as in the link')
      // A link that is followed in an open page is as good as one that opens it.
      await opened.page.evaluate(() => (location.hash = 'prey=500&seed=3&paused&tick=20&digest=00000000'))
      await opened.page.waitForFunction(() =>
        document.querySelector('#status').textContent.includes('and not 00000000'),
      )
      expect(opened.complaints).toEqual([])
      await opened.close()
      const damaged = await swarm.open('prey=500&seed=3&tick=many')
      expect(await textOf(damaged.page, '#status')).toContain('damaged')
      await damaged.close()
    },
  ),
)

/** Makes the steps, with fire falling; it goes to the page as its text. */
function burnAndLive(swarm) {
  let mostBurning = 0
  for (let k = 0; k < 300; k++) {
    if (k % 80 === 0) swarm.ignite((k * 5) % 1000, 200 + k * 2, 90)
    swarm.step()
    mostBurning = Math.max(mostBurning, swarm.burning.count)
  }
  return mostBurning
}

it(
  'kernels, loops and threads give the same world in a browser, to the last bit, which is that of Node',
  withPage('prey=0&paused', {}, async (page) => {
    const SWARM = { prey: 10_000, seed: 21 }
    const [kernels, loops, threads] = await page.evaluate(
      async ([texts, options]) => {
        const [run, look] = texts.map((text) => new Function(`return ${text}`)())
        await demo.pool.ready
        return [{ kernels: true }, { kernels: false }, { workers: demo.pool }].map((ways) => {
          const swarm = demo.createSwarm({ ...options, ...ways })
          run(swarm)
          return look(swarm, demo.components)
        })
      },
      [[burnAndLive, stateOf].map(String), SWARM],
    )
    const inNode = createSwarm(SWARM)
    expect(burnAndLive(inNode)).toBeGreaterThan(100)
    expect(loops).toEqual(kernels)
    expect(threads).toEqual(kernels)
    expect(kernels).toEqual(stateOf(inNode, components))
    inNode.dispose()
  }),
)

it(
  'memory is level over 2,000 frames, while agents die and are born',
  withPage('prey=20000&seed=3&paused', { viewport: { width: 240, height: 160 } }, async (page) => {
    await page.evaluate(() => (demo.view.draw = () => {}))
    const session = await page.context().newCDPSession(page)
    const looks = []
    for (let made = 0; made <= 2000; made += 100) {
      const stats = await page.evaluate(framesMade)
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      // Pages of memory and buffers grow with the most that ever was at once.
      if (made >= 500) looks.push({ heap: usedSize, ...stats })
    }
    expect(looks.at(-1).died).toBeGreaterThan(2_000)
    expect(new Set(looks.map(({ bytesReserved }) => bytesReserved)).size).toBe(1)
    const used = looks.map(({ bytesUsed }) => bytesUsed)
    expect(Math.max(...used) / Math.min(...used)).toBeLessThan(1.05)
    const half = looks.length >> 1
    const leastHeap = (some) => Math.min(...some.map(({ heap }) => heap))
    // The engine goes on compiling what runs often: 0.1 to 0.2 MB. One object more a frame would be seen, too.
    expect(leastHeap(looks.slice(half)) - leastHeap(looks.slice(0, half))).toBeLessThan(500_000)
  }),
)

/** Frames as the page makes them, panel and all, of 1/64 s each. */
function framesMade() {
  const { swarm, frames, components } = demo
  frames.paused = false
  demo.died ??= 0
  for (let k = 0; k < 100; k++) {
    const before = swarm.population
    // Where somebody is, so that some always die.
    const { x, y } = swarm.world.get(swarm.flock.at(0), components.Position)
    if (k % 20 === 0) swarm.ignite(x, y, 60)
    demo.latest = (demo.latest ?? performance.now()) + 1000 / 64
    frames.advance(demo.latest)
    demo.died += Math.max(0, before - swarm.population)
  }
  const { bytesUsed, bytesReserved } = swarm.world.stats()
  return { died: demo.died, bytesUsed, bytesReserved }
}
