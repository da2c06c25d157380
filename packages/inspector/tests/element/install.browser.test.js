// Shows that a key opens and closes what installInspector installs, that the focus is given back, and that uninstalling leaves no
// trace.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startInspector } from '../support/page.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

it('opens with F2, docked, and closes with F2 or its button, returning the focus', async () => {
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

/** Options that make no sense, in the page, and what the sentence names. */
const REFUSED = [
  ['null', 'the options must be an object'],
  ["'F2'", 'the options must be an object'],
  ['{ bogus: 1 }', "no option 'bogus'"],
  ['{ shedule: scene.schedule }', "no option 'shedule'"],
  ['{ key: 113 }', 'key must be'],
  ['{ key: null }', 'key must be'],
  ["{ open: 'yes' }", 'open must be'],
  ['{ open: null }', 'open must be'],
  ["{ theme: 'pink' }", 'theme must be'],
  ["{ side: 'top' }", 'side must be'],
  [`{ side: 'x"><b>' }`, 'side must be'],
  ['{ parent: null }', 'parent must be'],
  ["{ parent: 'body' }", 'parent must be'],
  ['{ parent: document }', 'parent must be'],
  ['{ schedule: null }', 'schedule must be'],
  ['{ schedule: {} }', 'schedule must be'],
  ['{ schedule: ecs.createSchedule(ecs.createWorld()) }', 'schedule is that of another world'],
  ['{ history: {} }', 'history must be'],
  ['{ history: 5 }', 'history must be'],
  ['{ history: ecs.createHistory(ecs.createWorld(), { frames: 2 }) }', 'history is that of another world'],
  [
    '{ history: Object.assign(ecs.createHistory(ecs.createWorld(), { frames: 2 }), { secondsPerFrame: 1 }) }',
    'history is that of another world',
  ],
  ['{ clock: {} }', 'clock must be'],
  ['{ clock: null }', 'clock must be'],
  ['{ write: 5 }', 'write must be'],
]

it(`refuses ${REFUSED.length} kinds of options that make no sense, and adds nothing then`, async () => {
  const { page, complaints, close } = await site.open()
  for (const [options, sentence] of REFUSED) {
    const refused = await page.evaluate((options) => {
      const { ecs, installInspector, world } = scene
      try {
        // What it is called with stands in this file.
        installInspector(world, new Function('scene', 'ecs', `return ${options}`)(scene, ecs))
      } catch ({ code, message }) {
        return [code, message, document.querySelectorAll('strata-inspector').length]
      }
    }, options)
    expect(refused, options).toEqual(['INVALID_OPTION', expect.stringContaining(sentence), 1])
  }
  expect(complaints).toEqual([])
  await close()
})

it('attach refuses the same, keeps what was attached, and accepts a page whose `past` is unrelated', async () => {
  const { page, complaints, close } = await site.open()
  const seen = await page.evaluate(() => {
    const { inspector, world, ecs } = scene
    const refused = [
      { bogus: 1 },
      { key: 'F2' },
      { schedule: ecs.createSchedule(ecs.createWorld()) },
      null,
    ].map((options) => {
      try {
        inspector.attach(world, options)
      } catch ({ code }) {
        return code
      }
    })
    const isKept = inspector.session.schedule === scene.schedule
    const past = { frame: 0, oldest: 0, newest: 0, goTo() {}, cut() {}, world: 'Earth' }
    inspector.attach(world, { history: past, schedule: undefined })
    return [refused, isKept, inspector.session.history === past]
  })
  expect(seen).toEqual([Array(4).fill('INVALID_OPTION'), true, true])
  expect(complaints).toEqual([])
  await close()
})

it('inspectors with the same key alternate, each with the focus, and return it; a removed one is left out', async () => {
  const { page, complaints, close } = await site.open()
  await page.evaluate(() => {
    const { installInspector, createWorld, inspector } = scene
    inspector.remove()
    scene.all = ['left', 'right', 'left'].map((side) => installInspector(createWorld(), { side }))
    const button = document.createElement('button')
    button.id = 'mine'
    document.body.append(button)
    button.focus()
  })
  const press = async (key = 'F2') => {
    await page.keyboard.press(key)
    return page.evaluate(() => [
      ...scene.all.map(({ element }) => !element.hidden),
      scene.all.findIndex(({ element }) => element === document.activeElement),
    ])
  }
  expect(await press()).toEqual([true, false, false, 0])
  expect(await press()).toEqual([false, true, false, 1])
  expect(await press('Shift+F2')).toEqual([false, false, true, 2])
  expect(await press()).toEqual([false, false, false, -1])
  expect(await page.evaluate(() => document.activeElement.id)).toBe('mine')
  await page.evaluate(() => {
    scene.all[1].remove()
    scene.all.splice(1, 1)
  })
  expect(await press()).toEqual([true, false, 0])
  expect(await press()).toEqual([false, true, 1])
  // Held down, a key does not let it flicker.
  await page.keyboard.down('F2')
  await page.keyboard.down('F2')
  expect(await page.evaluate(() => scene.all.map(({ element }) => !element.hidden))).toEqual([false, false])
  await page.evaluate(() => scene.all.forEach((one) => one.remove()))
  await page.keyboard.up('F2')
  await page.keyboard.press('F2')
  expect(await page.locator('strata-inspector').count()).toBe(0)
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
