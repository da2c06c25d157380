// Owns the proof that agents of the swarm's page are in a person's hands: picked by mouse and finger, changed, burnt,
// destroyed; and that a phone, and a browser without WebGL, are enough. It must never reach an agent but as a person does.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byHand, findLonely, frame, settled, standOf, startSwarm } from '../support/swarmPage.js'

let swarm
beforeAll(async () => (swarm = await startSwarm()))
afterAll(() => swarm?.close())

/** The value of a component, straight from the world. */
const valueOf = (page, entity, name) =>
  page.evaluate(([entity, name]) => demo.swarm.world.get(entity, demo.components[name]), [entity, name])

const field = (page, name) => page.locator(`input[aria-label="${name}"]`)

describe('with a mouse', () => {
  let opened, page
  beforeAll(async () => {
    opened = await swarm.open('prey=300&paused&seed=4')
    page = opened.page
    await byHand(page)
  })
  afterAll(async () => {
    expect(opened.complaints).toEqual([])
    await opened.close()
  })

  async function pick(options) {
    await page.evaluate(() => demo.view.camera.reset())
    await settled(page)
    const { entity, x, y } = await findLonely(page, options)
    await page.mouse.click(x, y)
    await frame(page)
    expect(await page.evaluate(() => [...demo.swarm.picked.entities()])).toEqual([entity])
    expect(await page.evaluate(() => demo.view.marked)).toBe(entity)
    return entity
  }

  it('one of the flock is picked, and its values are shown as they change', async () => {
    const entity = await pick()
    expect(await page.textContent('#agent-title')).toBe('One of the flock')
    const shown = () => field(page, 'Position x').inputValue()
    const before = await shown()
    expect(before).toBe((await valueOf(page, entity, 'Position')).x.toFixed(2))
    await page.keyboard.press('.')
    await frame(page)
    await frame(page)
    expect(await shown()).toBe((await valueOf(page, entity, 'Position')).x.toFixed(2))
    expect(await shown()).not.toBe(before)
  })

  it('a value that is typed is the agent’s at once', async () => {
    const entity = await pick()
    await field(page, 'Position x').fill('100.5')
    await field(page, 'Velocity y').fill('-12.25')
    expect((await valueOf(page, entity, 'Position')).x).toBe(100.5)
    expect((await valueOf(page, entity, 'Velocity')).y).toBe(-12.25)
    await page.keyboard.press('Tab')
    await frame(page)
    expect(await field(page, 'Position x').inputValue()).toBe('100.50')
  })

  it('a value that cannot be changes nothing, and says so', async () => {
    const entity = await pick()
    const before = await valueOf(page, entity, 'Position')
    for (const wrong of ['5000', '-1', '']) {
      await field(page, 'Position x').fill(wrong)
      expect(await field(page, 'Position x').getAttribute('aria-invalid')).toBe('true')
      expect(await valueOf(page, entity, 'Position')).toEqual(before)
    }
    await field(page, 'Position x').blur()
    await frame(page)
    expect(await field(page, 'Position x').inputValue()).toBe(before.x.toFixed(2))
    expect(await field(page, 'Position x').getAttribute('aria-invalid')).toBe(null)
  })

  it('letters typed into a field are no shortcuts', async () => {
    await pick({ hunter: true })
    const { kernels, paused, tick } = await standOf(page)
    await field(page, 'Name value').fill('')
    await field(page, 'Name value').pressSequentially('Kay L. 0 h')
    await frame(page)
    expect(await standOf(page)).toMatchObject({ kernels, paused, tick })
    expect(await page.isVisible('#population')).toBe(true)
  })

  it('a hunter is fed, made hungry, and given another name', async () => {
    const entity = await pick({ hunter: true })
    const enabled = () =>
      page.evaluate((entity) => demo.swarm.world.isEnabled(entity, demo.components.Hunger), entity)
    const hungry = page.getByRole('switch', { name: 'Hunger enabled' })
    expect(await enabled()).toBe(true)
    await hungry.click()
    expect(await enabled()).toBe(false)
    await hungry.click()
    expect(await enabled()).toBe(true)
    await field(page, 'Name value').fill('Ada')
    expect((await valueOf(page, entity, 'Name')).value).toBe('Ada')
    await frame(page)
    expect(await page.textContent('#agent-title')).toBe('Ada')
  })

  it('is set on fire, and put out', async () => {
    const entity = await pick()
    const burns = () =>
      page.evaluate((entity) => demo.swarm.world.has(entity, demo.components.Burning), entity)
    await page.click('#burn')
    expect(await burns()).toBe(true)
    expect(await field(page, 'Burning left').isVisible()).toBe(true)
    await page.click('#burn')
    expect(await burns()).toBe(false)
  })

  it('is destroyed: its handle is dead, also when its index is another’s', async () => {
    const entity = await pick()
    const { population } = await standOf(page)
    await page.click('#destroy')
    expect(await page.evaluate((entity) => demo.swarm.world.isAlive(entity), entity)).toBe(false)
    expect((await standOf(page)).population).toBe(population - 1)
    expect(await page.textContent('#agent-title')).toBe('It died')
    expect(await page.textContent('#agent-fate')).toContain('world.isAlive(handle) is false')
    expect(await page.isVisible('#heir')).toBe(false)
    expect(await page.evaluate(() => demo.view.marked)).toBe(0xffffffff)

    const heir = await page.evaluate((dead) => {
      const { world } = demo.swarm
      const { Position, Velocity, Prey } = demo.components
      // An index rests until a thousand others wait behind it.
      for (let k = 0; k < 5000; k++) {
        const born = world.spawn(Position, Velocity, Prey)
        if ((born & 0xffffff) === (dead & 0xffffff)) return born
        world.destroy(born)
      }
      return undefined
    }, entity)
    await frame(page)
    expect(await page.textContent('#agent-fate')).toContain('in use again')
    await page.click('#heir')
    expect(await page.evaluate(() => [...demo.swarm.picked.entities()])).toEqual([heir])
    await page.click('#drop')
    expect(await page.isVisible('#inspector')).toBe(false)
  })

  it('a tap sets fire, where that is chosen', async () => {
    await page.click('#tap label:has([value=fire])')
    await page.evaluate(() => demo.view.camera.reset())
    const { entity, x, y } = await findLonely(page)
    await page.mouse.click(x, y)
    await page.keyboard.press('.')
    await frame(page)
    expect(await page.evaluate((it) => demo.swarm.world.has(it, demo.components.Burning), entity)).toBe(true)
    expect(await page.evaluate(() => demo.swarm.picked.count)).toBe(0)
  })

  it('a drag moves the view, a wheel zooms, neither picks', async () => {
    await page.click('#tap label:has([value=pick])')
    await page.evaluate(() => demo.view.camera.reset())
    const { x, y } = await findLonely(page)
    const { centre } = await standOf(page)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 30, y + 20, { steps: 4 })
    await page.mouse.up()
    await page.mouse.wheel(0, -300)
    await page.waitForFunction(() => demo.view.camera.zoom > 1.2)
    expect((await standOf(page)).centre).not.toEqual(centre)
    expect(await page.evaluate(() => demo.swarm.picked.count)).toBe(0)
  })
})

describe('with a finger, on a phone', () => {
  let opened, page
  beforeAll(async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    opened = await swarm.open('prey=200&paused&seed=4', phone)
    page = opened.page
    await byHand(page)
  })
  afterAll(async () => {
    expect(opened.complaints).toEqual([])
    await opened.close()
  })

  it('nothing is wider than the screen, folded or not', async () => {
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    expect(await width()).toBe(390)
    await page.tap('#fold')
    expect(await page.isVisible('#population')).toBe(true)
    expect(await width()).toBe(390)
    await page.tap('#fold')
    expect(await page.isVisible('#population')).toBe(false)
  })

  it('a tap picks an agent', async () => {
    await settled(page)
    const { entity, x, y } = await findLonely(page)
    await page.touchscreen.tap(x, y)
    expect(await page.evaluate(() => [...demo.swarm.picked.entities()])).toEqual([entity])
    await frame(page)
    expect(await page.isVisible('#inspector')).toBe(true)
    await page.tap('#drop')
    expect(await page.isVisible('#inspector')).toBe(false)
  })

  it('two fingers zoom, and do not pick', async () => {
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
    expect(await page.evaluate(() => demo.swarm.picked.count)).toBe(0)
  })
})

describe('without WebGL', () => {
  let blind
  beforeAll(async () => (blind = await startSwarm({ webgl: 'none' })))
  afterAll(() => blind?.close())

  it('the page says so, and the swarm goes on in figures', async () => {
    const { page, complaints, close } = await blind.open('prey=2000')
    expect(await page.textContent('#unseen')).toContain('WebGL 2')
    expect(await page.isVisible('#unseen')).toBe(true)
    await page.waitForFunction(() => demo.swarm.tick > 10)
    await page.waitForFunction(() => document.querySelector('#pulse').textContent.includes('frames a second'))
    await page.keyboard.press('Space')
    await page.focus('#population')
    await page.keyboard.press('Home')
    await page.waitForFunction(() => document.querySelector('#count').textContent === '1,000')
    // What is picked by keyboard can be looked into as well.
    await page.keyboard.press('n')
    expect(await page.isVisible('#inspector')).toBe(true)
    expect(complaints).toEqual([])
    await close()
  })
})
