// Shows that nothing that happens to a world, a schedule, a page or another inspector breaks an inspector or is broken by it,
// whichever tab is open.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshes, startInspector } from '../support/page.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

const TABS = ['Entities', 'Archetypes', 'Systems', 'Resources', 'Queries']

/** What may happen to a world, in the page. Each leaves it as something to look at. */
const EVENTS = {
  spawn: () => scene.world.spawn(scene.components.Position({ x: 1 })),
  many: () => scene.ecs.spawnMany(scene.world, 2000, [scene.components.Heat]),
  destroy: () => scene.kill(),
  toggle: () => scene.toggle(),
  clear: () => scene.ecs.clearWorld(scene.world),
  reset: () => scene.ecs.resetWorld(scene.world),
  restore: () => scene.ecs.restoreWorld(scene.world, scene.saved),
  fork: () => scene.ecs.forkWorld(scene.world).dispose(),
  run: () => scene.step(),
  back: () => scene.history.newest >= 0 && scene.history.goTo(scene.history.oldest),
  system: () => scene.more(),
  remove: () => scene.added.length > 0 && scene.schedule.remove(scene.added.pop()),
  resource: () =>
    scene.world.setResource(scene.ecs.resource(`Late ${scene.count++}`, { n: scene.f32 }), { n: 1 }),
  gone: () => scene.world.removeResource(scene.components.Time),
  query: () => scene.world.query(scene.components.Heat, scene.ecs.tag(`Tag ${scene.count++}`)),
  choose: () => scene.inspector.session?.choose(scene.some()),
  follow: () => scene.inspector.session?.follow(!scene.inspector.session.isFollowing),
  close: () => void (scene.inspector.hidden = !scene.inspector.hidden),
  attach: () => scene.inspector.attach(scene.world, { schedule: scene.schedule, history: scene.history }),
  move: () => document.querySelector('main').append(scene.inspector),
}

it.each(TABS)('a hundred random events do no harm while the tab %s is open', async (tab) => {
  const { page, complaints, close } = await site.open()
  await page.evaluate(() => {
    let state = 5
    scene.random = (below) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return (state >>> 16) % below
    }
    const { world, inspect } = scene
    scene.count = 0
    scene.added = []
    scene.more = () => {
      const name = `more ${scene.count++}`
      scene.schedule.add(() => {}, { name, writes: [scene.components.Heat] })
      scene.added.push(name)
    }
    scene.saved = scene.ecs.snapshotWorld(world)
    scene.some = () => inspect(world).find('').page(scene.random(20), 1)[0] ?? 5
    scene.kill = () => world.isAlive(scene.some()) && world.destroy(scene.some())
    scene.toggle = () => {
      const [one, { Frozen }] = [scene.some(), scene.components]
      if (!world.isAlive(one)) return
      if (world.has(one, Frozen)) world.remove(one, Frozen)
      else world.add(one, Frozen)
    }
  })
  await page.getByRole('tab', { name: tab }).click()
  const events = `[${Object.values(EVENTS).join(', ')}]`
  const seen = await page.evaluate(
    async ([events, tab]) => {
      const all = (0, eval)(events)
      const { inspector } = scene
      const names = new Set()
      for (let i = 0; i < 100; i++) {
        const at = scene.random(all.length)
        names.add(at)
        all[at]()
        if (i % 3 === 0) for (let k = 0; k < 4; k++) await new Promise(requestAnimationFrame)
        if (!inspector.hidden && !inspector.shadowRoot.querySelector('.banner').hidden)
          return `event ${at}: ${inspector.shadowRoot.querySelector('.banner').textContent}`
        // Attached anew, it begins with the first tab.
        const button = [...inspector.shadowRoot.querySelectorAll('[role=tab]')].find(
          (one) => one.textContent === tab,
        )
        if (button.getAttribute('aria-selected') !== 'true') button.click()
      }
      return names.size
    },
    [events, tab],
  )
  console.info(`life of ${tab}: 100 events of ${seen} kinds`)
  expect(seen).toBe(Object.keys(EVENTS).length)
  await page.evaluate(() => {
    scene.inspector.hidden = false
    scene.schedule.paused = false
  })
  await refreshes(page)
  expect(await page.evaluate(() => scene.schedule.timing)).toBe(true)
  await page.evaluate(() => scene.inspector.detach())
  expect(await page.evaluate(() => scene.schedule.timing)).toBe(false)
  expect(complaints).toEqual([])
  await close()
})

describe('two inspectors over one schedule', () => {
  it('measure it until the last of them is closed, in any order, and leave it as it was', async () => {
    const { page, complaints, close } = await site.open()
    const seen = await page.evaluate(() => {
      const { installInspector, world, schedule, inspector } = scene
      inspector.remove()
      const out = []
      for (const before of [false, true])
        for (const isFirstClosedFirst of [true, false]) {
          schedule.timing = before
          const [a, b] = ['left', 'right'].map((side) => installInspector(world, { schedule, side, key: '' }))
          a.open()
          b.open()
          const order = isFirstClosedFirst ? [a, b] : [b, a]
          order[0].close()
          out.push(schedule.timing)
          // Closed again, it counts once.
          order[0].remove()
          out.push(schedule.timing)
          order[1].remove()
          out.push(schedule.timing)
        }
      return out
    })
    expect(seen).toEqual([true, true, false, true, true, false, true, true, true, true, true, true])
    expect(complaints).toEqual([])
    await close()
  })

  it('resume a world that they paused, but not one that the other or the program paused since', async () => {
    const { page, complaints, close } = await site.open()
    const seen = await page.evaluate(() => {
      const { installInspector, world, schedule, inspector } = scene
      inspector.remove()
      const open = (side) => installInspector(world, { schedule, side, key: '', open: true })
      const press = ({ element }) => element.shadowRoot.querySelector('.pause').click()
      const [a, b] = [open('left'), open('right')]
      press(a)
      press(b)
      press(b)
      a.remove()
      const out = [schedule.paused]
      b.remove()
      return [...out, schedule.paused]
    })
    expect(seen).toEqual([true, false])
    expect(complaints).toEqual([])
    await close()
  })
})

it.each([
  ['the world is disposed of', () => scene.world.dispose()],
  ['it is detached', () => scene.inspector.detach()],
  ['another world is attached', () => scene.inspector.attach(scene.createWorld())],
  ['the inspector is removed', () => scene.inspector.detach()],
])('the end of following is reported when %s, once', async (_, happen) => {
  const { page, complaints, close } = await site.open()
  await page.evaluate(() => {
    scene.followed = []
    scene.inspector.addEventListener('follow', ({ detail }) => scene.followed.push(detail.entity ?? 'none'))
    scene.inspector.session.choose(scene.entities.bob)
    scene.inspector.session.follow(true)
  })
  await page.evaluate(`void (${happen})()`)
  await page.waitForFunction(() => scene.followed.length > 1)
  await page.evaluate(async () => {
    for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame)
  })
  expect(await page.evaluate(() => scene.followed)).toEqual([2, 'none'])
  expect(complaints).toEqual([])
  await close()
})

it('a page may attach another world in a listener of follow, and that one stays', async () => {
  const { page, complaints, close } = await site.open()
  const isThere = await page.evaluate(() => {
    const { inspector, createWorld, entities } = scene
    const [first, second] = [createWorld(), createWorld()]
    inspector.session.choose(entities.bob)
    inspector.session.follow(true)
    inspector.addEventListener('follow', () => inspector.world === first && inspector.attach(second))
    inspector.attach(first)
    return inspector.world === second
  })
  expect(isThere).toBe(true)
  await refreshes(page)
  expect(complaints).toEqual([])
  await close()
})

it('the switch of a system that was just removed reports that it is gone, and throws no error', async () => {
  const { page, complaints, close } = await site.open()
  await page.getByRole('tab', { name: 'Systems' }).click()
  await page.getByRole('checkbox', { name: 'glow' }).waitFor()
  await page.evaluate(() => {
    scene.schedule.remove('glow')
    scene.inspector.shadowRoot.querySelector('input[data-system=glow]').click()
  })
  await page.locator('strata-inspector .status').filter({ hasText: "'glow'" }).waitFor()
  expect(complaints).toEqual([])
  await close()
})

it('in a frame it has its style, its key and its own animation frames, and disappears with the frame', async () => {
  const { page, complaints, close } = await site.open()
  const there = await page.evaluate(async () => {
    const { installInspector, world, schedule, inspector } = scene
    inspector.remove()
    const frame = document.createElement('iframe')
    frame.style.cssText = 'width: 600px; height: 600px'
    document.body.append(frame)
    const view = frame.contentWindow
    const installed = installInspector(world, { schedule, parent: frame.contentDocument.body })
    const press = (target) =>
      target.dispatchEvent(new KeyboardEvent('keydown', { key: 'F2', bubbles: true, cancelable: true }))
    press(document.body)
    const isDeaf = installed.element.hidden
    press(frame.contentDocument.body)
    const { element } = installed
    Object.assign(scene, { inspector: element, frame })
    return [
      isDeaf,
      element.hidden,
      element.shadowRoot.adoptedStyleSheets.length,
      view.getComputedStyle(element).position,
    ]
  })
  expect(there).toEqual([true, false, 1, 'fixed'])
  await refreshes(page)
  const after = await page.evaluate(() => {
    scene.frame.remove()
    return [scene.schedule.timing, scene.inspector.running]
  })
  expect(after).toEqual([false, false])
  // Back on the page itself, it has the style of that one.
  await page.evaluate(() => document.body.append(scene.inspector))
  await refreshes(page)
  expect(await page.evaluate(() => getComputedStyle(scene.inspector).position)).toBe('fixed')
  expect(complaints).toEqual([])
  await close()
})
