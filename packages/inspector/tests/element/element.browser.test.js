// Shows what the element runs while it is open, that it runs nothing while it is closed, and what it does when its world is
// disposed.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startInspector } from '../support/page.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

/** How often something asked for a frame or read the world since it was last asked. */
const watchWork = (page) =>
  page.evaluate(() => {
    const { requestAnimationFrame: ask } = globalThis
    globalThis.asked = 0
    globalThis.requestAnimationFrame = (callback) => {
      globalThis.asked++
      return ask.call(globalThis, callback)
    }
    const { world } = scene
    const stats = world.stats.bind(world)
    globalThis.looked = 0
    world.stats = () => {
      globalThis.looked++
      return stats()
    }
  })

const workSince = async (page, milliseconds) => {
  await page.evaluate(() => (globalThis.asked = globalThis.looked = 0))
  await page.waitForTimeout(milliseconds)
  return page.evaluate(() => [globalThis.asked, globalThis.looked])
}

it('times the schedule and reads the world while it is open, and not while it is hidden, detached or off the page', async () => {
  const { page, complaints, close } = await site.open()
  await watchWork(page)
  const isTimed = () => page.evaluate(() => scene.schedule.timing)
  const isStill = async () => {
    expect(await isTimed()).toBe(false)
    await page.waitForTimeout(50)
    expect(await workSince(page, 400)).toEqual([0, 0])
  }
  const isAwake = async () => {
    expect(await isTimed()).toBe(true)
    await page.waitForFunction(() => globalThis.looked > 1)
  }
  await isAwake()

  await page.evaluate(() => (scene.inspector.hidden = true))
  await isStill()
  await page.evaluate(() => (scene.inspector.hidden = false))
  await isAwake()

  await page.evaluate(() => scene.inspector.remove())
  await isStill()
  await page.evaluate(() => document.querySelector('main').append(scene.inspector))
  await isAwake()

  await page.evaluate(() => scene.inspector.detach())
  await isStill()
  await page.getByText('No world is attached.').waitFor()
  expect(await page.evaluate(() => scene.inspector.world)).toBe(undefined)
  expect(complaints).toEqual([])
  await close()
})

it('installs no listener in the world', async () => {
  const { page, complaints, close } = await site.open()
  const listeners = await page.evaluate(() => scene.inspect(scene.world).listeners())
  expect(listeners).toMatchObject([{ event: 'set', component: 'Health', count: 1 }])
  expect(complaints).toEqual([])
  await close()
})

it('reports that its world was disposed of, stops, and accepts another world', async () => {
  const { page, complaints, close } = await site.open()
  await page.getByRole('option', { name: 'Bob' }).click()
  await watchWork(page)
  await page.evaluate(() => scene.world.dispose())
  await page.getByText('This world was disposed of. The inspector has stopped.').waitFor()
  expect(await workSince(page, 300)).toEqual([0, 0])
  expect(await page.evaluate(() => scene.schedule.timing)).toBe(false)
  await page.evaluate(() => {
    const world = scene.createWorld()
    world.spawn()
    scene.inspector.attach(world)
  })
  await page.getByText('1 entity', { exact: true }).waitFor()
  expect(await page.getByText('This world was disposed of').isVisible()).toBe(false)
  expect(complaints).toEqual([])
  await close()
})

it('reports that its world was disposed of when a person touches it just then', async () => {
  const { page, complaints, close } = await site.open()
  await page.getByRole('option', { name: 'Bob' }).click()
  await page.evaluate(() => {
    scene.world.dispose()
    const root = scene.inspector.shadowRoot
    const [list, row, tab, range] = ['[role=listbox]', '.row', '[role=tab]', '[type=range]'].map((what) =>
      root.querySelector(what),
    )
    list.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }))
    row.click()
    tab.click()
    range.dispatchEvent(new Event('input'))
  })
  await page.getByText('This world was disposed of. The inspector has stopped.').waitFor()
  expect(complaints).toEqual([])
  await close()
})

it('follows the entity that the page names, in any tab, until the page names none', async () => {
  const { page, complaints, close } = await site.open()
  await page.getByRole('tab', { name: 'Archetypes' }).click()
  await page.evaluate(() => {
    const { inspector, entities } = scene
    globalThis.told = []
    inspector.addEventListener('follow', ({ detail }) => globalThis.told.push(detail.entity))
    inspector.follow(entities.bob)
  })
  const strip = page.locator('strata-inspector .strip')
  await strip.filter({ hasText: 'Following Bob' }).waitFor()
  expect(await page.getByRole('tab', { name: 'Entities' }).getAttribute('aria-selected')).toBe('true')
  await page.evaluate(() => scene.inspector.follow(undefined))
  await strip.waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => globalThis.told.map((entity) => entity === scene.entities.bob))).toEqual([
    true,
    false,
  ])
  await page.evaluate(() => {
    scene.inspector.detach()
    scene.inspector.follow(scene.entities.bob)
  })
  expect(complaints).toEqual([])
  await close()
})

it('refuses anything but a world, and keeps the attached one', async () => {
  const { page, complaints, close } = await site.open()
  const refused = await page.evaluate(() => {
    try {
      scene.inspector.attach({})
    } catch (error) {
      return [error.code, scene.inspector.world === scene.world]
    }
  })
  expect(refused).toEqual(['INVALID_OPTION', true])
  expect(complaints).toEqual([])
  await close()
})

it('reads inside an open loop, and an edit made there waits for its end', async () => {
  const { page, complaints, close } = await site.open()
  await page.getByRole('option', { name: 'Bob' }).click()
  const seen = await page.evaluate(() => {
    const { world, entities, components, inspector } = scene
    const hp = inspector.shadowRoot.querySelector('[aria-label="thrust of Engine of #2"]')
    const values = []
    world.batch(() => {
      world.remove(entities.bob, components.Engine)
      hp.focus()
      hp.value = '9'
      hp.dispatchEvent(new Event('change'))
      values.push(world.get(entities.bob, components.Engine)?.thrust)
    })
    return [...values, world.get(entities.bob, components.Engine)?.thrust]
  })
  expect(seen).toEqual([5, 9])
  expect(complaints).toEqual([])
  await close()
})
