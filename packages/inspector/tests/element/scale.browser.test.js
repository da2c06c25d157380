// Shows that the work of a refresh does not grow with what there is to show: how often it asks, how much it holds and how much it
// touches are counted.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { refreshes, startInspector } from '../support/page.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

const TABS = ['Entities', 'Archetypes', 'Systems', 'Resources', 'Queries']

/** The elements of an inspector, and those that its refreshes change meanwhile: made, removed, or with another text or attribute. */
const count = (page, times) =>
  page.evaluate(async (times) => {
    const { inspector } = scene
    const root = inspector.shadowRoot
    let changes = 0
    const observer = new globalThis.MutationObserver((all) => (changes += all.length))
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true })
    const until = inspector.session.turn + times
    while (inspector.session.turn < until) {
      scene.schedule.run(0.016)
      await new Promise(requestAnimationFrame)
    }
    changes += observer.takeRecords().length
    observer.disconnect()
    return { nodes: root.querySelectorAll('*').length, changes: changes / times }
  }, times)

/** 300 systems, in a world of their own. */
const KINDS = {
  'one after the other': `(_, i) => ({ writes: [made[i]], ...(i > 0 && { after: 'system ' + (i - 1) }) })`,
  'of which ten write one component': `(_, i) => ({ reads: [made[(i + 1) % 30]], writes: [made[i % 30]] })`,
  'that all write one component': `() => ({ writes: [made[0]] })`,
}

it.each(Object.keys(KINDS))('300 systems %s are shown in a bounded page after one refresh', async (kind) => {
  const { page, complaints, close } = await site.open()
  await page.evaluate((options) => {
    const { ecs, inspector } = scene
    const world = ecs.createWorld()
    const made = Array.from({ length: 300 }, (_, i) => ecs.component(`C${i}`, { n: ecs.f32 }))
    const optionsOf = new Function('made', `return ${options}`)(made)
    const schedule = ecs.createSchedule(world)
    for (let i = 0; i < 300; i++) schedule.add(() => {}, { name: `system ${i}`, ...optionsOf(0, i) })
    scene.asked = 0
    const ask = schedule.ambiguities.bind(schedule)
    schedule.ambiguities = () => {
      scene.asked++
      return ask()
    }
    scene.schedule = schedule
    inspector.attach(world, { schedule })
  }, KINDS[kind])
  await page.getByRole('tab', { name: 'Systems' }).click()
  const pairs = await page.evaluate(() => {
    const before = scene.asked
    const { length } = scene.schedule.ambiguities()
    scene.asked = before
    return length
  })
  // A screen of them is made at once, the others at the next refreshes.
  const rows = page.locator('strata-inspector .systems li')
  await rows.nth(299).waitFor({ state: 'attached' })
  const { nodes, changes } = await count(page, 25)
  expect(nodes).toBeLessThan(4_000)
  // A text of those on the screen, and of a tenth of the others: two records for each.
  expect(changes).toBeLessThan(200)
  expect(await page.evaluate(() => scene.asked)).toBe(1)
  const table = page.getByRole('region', { name: 'Nothing decides the order of' })
  if (pairs > 100) {
    await table.getByText(`100 of ${pairs.toLocaleString('en')}`).waitFor()
    expect(await table.locator('tbody tr').count()).toBe(100)
    await page.locator('strata-inspector .warn').first().filter({ hasText: ' more' }).waitFor()
  }
  // Another system makes another order, which is looked at.
  await page.evaluate(() => void scene.schedule.add(() => {}, { name: 'late' }))
  await page.locator('strata-inspector input[data-system=late]').waitFor({ state: 'attached' })
  expect(await page.evaluate(() => scene.asked)).toBe(2)
  expect(complaints).toEqual([])
  await close()
})

it('a bar of the chart is painted once while its scale stays the same', async () => {
  const { page, complaints, close } = await site.open()
  await page.getByRole('tab', { name: 'Systems' }).click()
  const painted = await page.evaluate(async () => {
    const { chart } = scene.inspector.panels[2]
    chart.clear()
    const paint = chart.paint.bind(chart)
    const bars = []
    chart.paint = (height, isAll) => {
      bars.push(isAll ? 'all' : chart.count - chart.painted)
      paint(height, isAll)
    }
    for (let i = 0; i < 40; i++) {
      for (let k = 0; k < 3; k++) chart.add(Float32Array.of(1, 0.5 + (i % 2) / 10))
      chart.draw()
      chart.draw()
    }
    return bars
  })
  // The first are painted, then the scale fits.
  expect(painted).toEqual(['all', ...Array(39).fill(3)])
  expect(complaints).toEqual([])
  await close()
})

it('a chart shows how long each system took, in its colour, the newest frame at the right edge', async () => {
  const { page, complaints, close } = await site.open()
  await page.getByRole('tab', { name: 'Systems' }).click()
  const seen = await page.evaluate(() => {
    const { chart } = scene.inspector.panels[2]
    chart.clear()
    for (let i = 0; i < 1000; i++) chart.add(Float32Array.of(1, 2, 0))
    chart.add(Float32Array.of(0, 0, 3))
    chart.draw()
    const { canvas, top } = chart
    const { width, height } = canvas
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
    const columnAt = (x) => {
      const heights = {}
      for (let y = 0; y < height; y++) {
        const at = (y * width + x) * 4
        const colour = [...data.subarray(at, at + 4)].join()
        heights[colour] = (heights[colour] ?? 0) + 1
      }
      return heights
    }
    return { middle: columnAt(width >> 1), last: columnAt(width - 1), top, height }
  })
  const { top, height } = seen
  const pixels = (ms) => Math.round((ms / top) * (height - 2))
  expect(seen.middle).toEqual({
    '47,125,225,255': pixels(1),
    '224,138,30,255': pixels(3) - pixels(1),
    '0,0,0,0': height - pixels(3),
  })
  expect(seen.last).toEqual({ '31,161,135,255': pixels(3), '0,0,0,0': height - pixels(3) })
  expect(complaints).toEqual([])
  await close()
})

it('many components, archetypes, queries, listeners, relations and resources are listed as far as a page has room', async () => {
  const { page, complaints, close } = await site.open()
  await page.evaluate(() => {
    const { ecs, inspector } = scene
    const world = ecs.createWorld()
    const all = Array.from({ length: 500 }, (_, i) =>
      ecs.component(`C${i}`, { n: ecs.f32 }, i % 2 ? { storage: ecs.sparse } : {}),
    )
    const first = world.spawn(...all)
    const tags = Array.from({ length: 12 }, (_, i) => ecs.tag(`T${i}`))
    for (let i = 0; i < 3000; i++) world.spawn(all[0], ...tags.filter((_, bit) => (i >> bit) & 1))
    for (let i = 0; i < 150; i++) {
      world.spawn(ecs.relation(`L${i}`)(first))
      world.query(all[i], all[i + 1])
    }
    for (const one of all) scene.ecs.onSet(world, one, () => {})
    scene.schedule = ecs.createSchedule(world)
    inspector.attach(world, { schedule: scene.schedule })
    inspector.session.choose(world.spawn())
  })
  for (const tab of TABS) {
    await page.getByRole('tab', { name: tab }).click()
    await refreshes(page, 12)
    expect((await count(page, 10)).nodes, tab).toBeLessThan(6_000)
  }
  for (const [tab, name, text] of [
    ['Queries', 'Listeners', 'Listeners: 100 of 500'],
    ['Archetypes', 'Relations', 'Relations: 100 of 150'],
    ['Archetypes', 'Pools', /^Pools.*: 100 of \d+$/],
  ]) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('region', { name }).getByText(text).waitFor()
  }
  expect(complaints).toEqual([])
  await close()
})

it('values of the program are inspected without running its getters, in any refresh', async () => {
  const { page, complaints, close } = await site.open()
  await page.evaluate(() => {
    const { ecs, world, entities, inspector } = scene
    scene.ran = 0
    const hostile = () => ({
      get value() {
        scene.ran++
        return 1
      },
      log: 'line of the log\n'.repeat(200_000),
    })
    world.setResource(ecs.resource('Hostile'), hostile())
    world.add(entities.ann, ecs.object('Guest')(hostile()))
    inspector.session.choose(entities.ann)
  })
  for (const tab of TABS) {
    await page.getByRole('tab', { name: tab }).click()
    await refreshes(page, 5)
  }
  await page.getByRole('tab', { name: 'Resources' }).click()
  await page.getByRole('group', { name: 'Hostile' }).getByText('value: (getter)').waitFor()
  const lengths = await page
    .locator('strata-inspector pre')
    .evaluateAll((all) => all.map((one) => one.textContent.length))
  expect(Math.max(...lengths)).toBeLessThan(1000)
  expect(await page.evaluate(() => scene.ran)).toBe(0)
  expect(complaints).toEqual([])
  await close()
})

it('a name of a million letters is cut, wherever a system is named', async () => {
  const { page, complaints, close } = await site.open()
  await page.getByRole('tab', { name: 'Systems' }).click()
  await page.evaluate(() => {
    const { Heat } = scene.components
    scene.schedule.add(() => {}, {
      name: 'w'.repeat(1_000_000),
      writes: [Heat],
      after: 'move',
      before: 'cool',
    })
  })
  const rows = page.locator('strata-inspector .systems li')
  await rows.nth(4).waitFor()
  const texts = await rows.allTextContents()
  expect(texts.filter((text) => text.includes('www'))).toHaveLength(3)
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(400)
  expect(complaints).toEqual([])
  await close()
})
