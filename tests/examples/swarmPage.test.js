// Owns the proof that the page of the swarm works in a real browser: it begins without a complaint, draws, moves, and does
// what its controls, its keys and its address say. It must never judge a time, nor how the page looks.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begun, byHand, frame, standOf, startSwarm } from '../support/swarmPage.js'

let swarm

beforeAll(async () => (swarm = await startSwarm()))
afterAll(() => swarm?.close())

const textOf = (page, selector) => page.textContent(selector)

describe('a page that is opened', () => {
  let opened
  beforeAll(async () => (opened = await swarm.open('prey=5000')))
  afterAll(() => opened.close())

  it('begins by itself, and says how many there are', async () => {
    const { page } = opened
    await page.waitForFunction(() => demo.swarm.tick > 3)
    await page.evaluate(() => (demo.frames.paused = true))
    await byHand(page)
    await frame(page)
    const { population } = await standOf(page)
    expect(population).toBeGreaterThan(4_000)
    expect(await textOf(page, '#count')).toBe(population.toLocaleString('en-GB'))
    expect(await textOf(page, '#prey')).toBe('5,000')
    expect(await page.isVisible('#unseen')).toBe(false)
  })

  it('complains of nothing, and is isolated', async () => {
    expect(opened.complaints).toEqual([])
    expect(await opened.page.evaluate(() => crossOriginIsolated)).toBe(true)
  })

  it('moves all of its agents, and draws each of them', async () => {
    // A page of its own: the driver complains of whoever reads a picture back, as only this test does.
    const { page, complaints, close } = await swarm.open('prey=5000&paused')
    await byHand(page)
    const seen = await page.evaluate(() => {
      const { swarm, view, components } = demo
      const canvas = document.querySelector('#view')
      const gl = canvas.getContext('webgl2')
      const { drawingBufferWidth: width, drawingBufferHeight: height } = gl
      const paper = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
      // In the same task as it is drawn: afterwards the picture is the screen's.
      function picture() {
        view.draw(0)
        paper.drawImage(canvas, 0, 0)
        return new Uint32Array(paper.getImageData(0, 0, width, height).data.buffer)
      }
      const places = () =>
        [...swarm.flock.entities()].map((entity) => [entity, swarm.world.get(entity, components.Position)])
      const before = { picture: picture(), places: new Map(places()) }
      for (let k = 0; k < 16; k++) swarm.step()
      const after = { picture: picture(), places: places() }
      let stood = 0
      for (const [entity, { x, y }] of after.places) {
        const was = before.places.get(entity)
        if (was?.x === x && was.y === y) stood++
      }
      return {
        stood,
        colours: new Set(before.picture).size,
        changed: after.picture.reduce((sum, pixel, k) => sum + (pixel !== before.picture[k] ? 1 : 0), 0),
        pixels: width * height,
        drawn: view.drawn - swarm.population - swarm.hunters.count,
        uploaded: view.uploaded,
        error: gl.getError(),
      }
    })
    expect(seen).toMatchObject({ stood: 0, drawn: 0, error: 0 })
    expect(seen.uploaded).toBeGreaterThan(16 * 4_000)
    expect(seen.colours).toBeGreaterThan(100)
    expect(seen.changed).toBeGreaterThan(seen.pixels / 50)
    expect(complaints.filter((said) => !said.includes('GPU stall due to ReadPixels'))).toEqual([])
    await close()
  })
})

describe('controls', () => {
  let opened, page
  beforeAll(async () => {
    opened = await swarm.open('prey=2000&paused')
    page = opened.page
    await byHand(page)
  })
  afterAll(async () => {
    expect(opened.complaints).toEqual([])
    await opened.close()
  })

  it('population: by keyboard, up and down; the page and the swarm follow', async () => {
    await page.focus('#population')
    for (const [keys, prey] of [
      [['Home'], 1_000],
      [['ArrowRight', 'ArrowRight', 'ArrowRight'], 1_300],
      [['ArrowLeft'], 1_200],
    ]) {
      for (const key of keys) await page.keyboard.press(key)
      await frame(page)
      const { prey: wish, population } = await standOf(page)
      expect([wish, population]).toEqual([prey, prey])
      expect(await textOf(page, '#prey')).toBe(prey.toLocaleString('en-GB'))
      expect(await textOf(page, '#count')).toBe(prey.toLocaleString('en-GB'))
      const drawn = await page.evaluate(() => demo.view.drawn - demo.swarm.hunters.count)
      expect(drawn).toBe(prey)
    }
  })

  it('pause and play, by button', async () => {
    const { tick: before } = await standOf(page)
    await page.click('#pause')
    await frame(page)
    expect((await standOf(page)).tick).toBeGreaterThan(before)
    expect(await textOf(page, '#pause')).toContain('Pause')
    await page.click('#pause')
    const { tick, paused } = await standOf(page)
    await frame(page)
    expect(paused).toBe(true)
    expect(await textOf(page, '#pause')).toContain('Play')
    expect((await standOf(page)).tick).toBe(tick)
  })

  it('step: one step, and it stays paused', async () => {
    const { tick } = await standOf(page)
    await page.click('#step')
    await frame(page)
    expect(await standOf(page)).toMatchObject({ tick: tick + 1, paused: true })
  })

  it('speed: as many steps in the same time', async () => {
    for (const speed of [4, 0.25, 1]) {
      await page.click(`#speed label:has([value="${speed}"])`)
      expect((await standOf(page)).speed).toBe(speed)
      // The time of the frames is given; of the steps that are due then, a slow machine drops some.
      const due = await page.evaluate(() => {
        const { swarm, frames } = demo
        frames.paused = false
        let now = performance.now()
        frames.advance(now)
        const { tick } = swarm
        for (let k = 0; k < 64; k++) frames.advance((now += 1000 / 64))
        frames.paused = true
        return (swarm.tick - tick) / frames.times.kept(64)
      })
      expect(Math.abs(due - 64 * speed)).toBeLessThanOrEqual(1)
    }
  })

  it('kernels or JavaScript: the swarm goes on in either', async () => {
    for (const [value, kernels] of [
      ['loops', false],
      ['kernels', true],
    ]) {
      await page.click(`#loops label:has([value=${value}])`)
      const { tick, ...stand } = await standOf(page)
      expect(stand.kernels).toBe(kernels)
      await page.click('#step')
      await frame(page)
      expect((await standOf(page)).tick).toBe(tick + 1)
      expect(await page.isChecked(`#loops [value=${value}]`)).toBe(true)
    }
  })

  it('lightning: somebody burns in the next step', async () => {
    await page.click('#strike')
    await page.click('#step')
    await frame(page)
    expect((await standOf(page)).burning).toBeGreaterThan(0)
  })

  it('theme: the other one, kept over a reload', async () => {
    const theme = () => page.evaluate(() => [document.documentElement.dataset.theme, demo.view.theme])
    const colour = () => page.evaluate(() => getComputedStyle(document.querySelector('#title')).color)
    expect(await theme()).toEqual(['light', 'light'])
    const light = await colour()
    await page.click('#theme')
    expect(await theme()).toEqual(['dark', 'dark'])
    expect(await colour()).not.toBe(light)
    await page.reload()
    await begun(page)
    await byHand(page)
    expect(await theme()).toEqual(['dark', 'dark'])
    // Whoever is back at what the system says follows it again.
    await page.click('#theme')
    expect(await theme()).toEqual(['light', 'light'])
    await page.emulateMedia({ colorScheme: 'dark' })
    // A page hears of it when it is shown next.
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
    expect(await theme()).toEqual(['dark', 'dark'])
  })
})

describe('the keyboard', () => {
  let opened, page
  beforeAll(async () => {
    opened = await swarm.open('prey=2000&paused')
    page = opened.page
    await byHand(page)
  })
  afterAll(async () => {
    expect(opened.complaints).toEqual([])
    await opened.close()
  })

  async function press(...keys) {
    for (const key of keys) await page.keyboard.press(key)
    await frame(page)
    return standOf(page)
  }

  it('plays, pauses, steps', async () => {
    expect(await press('Space')).toMatchObject({ paused: false })
    expect(await press('Space')).toMatchObject({ paused: true })
    const { tick } = await standOf(page)
    await press('.', '.')
    // A frame of a busy machine has time for one step; the second one comes with the next frame.
    await frame(page)
    expect(await standOf(page)).toMatchObject({ tick: tick + 2, paused: true })
  })

  it('hurries, slows down, switches the loops', async () => {
    expect(await press('>')).toMatchObject({ speed: 2 })
    expect(await press('<', '<')).toMatchObject({ speed: 0.5 })
    expect(await press('k')).toMatchObject({ kernels: false })
    expect(await press('K')).toMatchObject({ kernels: true })
  })

  it('moves and zooms the camera, and brings it back', async () => {
    const { centre } = await standOf(page)
    const moved = await press('+', 'ArrowRight', 'ArrowUp')
    expect(moved.zoom).toBe(1.25)
    expect(moved.centre[0]).toBeGreaterThan(centre[0])
    expect(moved.centre[1]).toBeLessThan(centre[1])
    expect(await press('0')).toMatchObject({ zoom: 1, centre })
  })

  it('sets fire: in the middle, and somewhere', async () => {
    await page.evaluate(() => {
      const { swarm, components } = demo
      swarm.world.spawn(components.Position({ x: 512, y: 512 }), components.Velocity, components.Prey)
    })
    const { burning } = await press('f', '.')
    expect(burning).toBeGreaterThan(0)
    expect((await press('l', '.')).burning).toBeGreaterThan(burning)
  })

  it('picks an agent, and drops it', async () => {
    await press('n')
    expect(await page.isVisible('#inspector')).toBe(true)
    expect(await page.evaluate(() => demo.swarm.picked.count)).toBe(1)
    await press('Escape')
    expect(await page.isVisible('#inspector')).toBe(false)
    expect(await page.evaluate(() => demo.swarm.picked.count)).toBe(0)
  })

  it('hides the panel, and lists all keys', async () => {
    await press('h')
    expect(await page.isVisible('#population')).toBe(false)
    await press('h')
    expect(await page.isVisible('#population')).toBe(true)
    await press('?')
    expect(await page.isVisible('#keys')).toBe(true)
    const { paused } = await press('Space')
    expect(paused).toBe(true)
    await press('Escape')
    expect(await page.isVisible('#keys')).toBe(false)
  })
})

describe('the address', () => {
  it('says how things stand, and a reload finds them so', async () => {
    const { page, complaints, close } = await swarm.open('prey=1234&loops&speed=2&paused&fire&seed=9')
    const set = { prey: 1_234, population: 1_234, kernels: false, speed: 2, paused: true, tick: 0 }
    expect(await standOf(page)).toMatchObject(set)
    expect(await page.isChecked('#tap [value=fire]')).toBe(true)
    const places = await placesOf(page)
    await page.keyboard.press('k')
    await page.keyboard.press('<')
    await page.waitForFunction(() => location.hash === '#prey=1234&paused&fire&seed=9')
    await page.reload()
    await begun(page)
    expect(await standOf(page)).toMatchObject({ ...set, kernels: true, speed: 1 })
    // The same seed, the same world.
    expect(await placesOf(page)).toEqual(places)
    expect(complaints).toEqual([])
    await close()
  })

  it('is followed while the page is open, and what cannot be in it is not', async () => {
    const { page, complaints, close } = await swarm.open('prey=1000&paused')
    await page.evaluate(() => (location.hash = 'prey=1500&loops&paused&speed=0.5'))
    await page.waitForFunction(() => demo.swarm.population === 1500)
    expect(await standOf(page)).toMatchObject({ kernels: false, speed: 0.5, paused: true })
    await page.evaluate(() => (location.hash = 'prey=many&speed=99&paused'))
    await page.waitForFunction(() => demo.swarm.kernels)
    expect(await standOf(page)).toMatchObject({ speed: 1, paused: true })
    expect(complaints).toEqual([])
    await close()
  })

  const placesOf = (page) =>
    page.evaluate(() => {
      const { swarm, components } = demo
      return Array.from({ length: 50 }, (_, k) => swarm.world.get(swarm.flock.at(k), components.Position))
    })
})
