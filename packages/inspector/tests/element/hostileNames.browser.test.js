// Shows that names cannot harm the inspector: whatever components, fields, tags, relations, objects, resources, systems and
// phases are called, every tab displays them, runs nothing of them, keeps its width and finds them again.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { filter, refreshes, startInspector } from '../support/page.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

const TABS = ['Entities', 'Archetypes', 'Systems', 'Resources', 'Queries']

/** What markup, scripts, filters, keys of objects and the eye may stumble over. */
const NAMES = [
  ...[
    '<img src=x onerror="globalThis.harmed=1">',
    '</style><script>harmed=2</script>',
    '"><svg onload=harmed=3>',
  ],
  ...['javascript:alert(1)', '{{7*7}}', '${harmed=4}', '&lt;b&gt;', "it's", '"', '\\', '\\n'],
  ...['‮evil‬', '\ud800lone', '😀👩‍👩‍👧', 'Ａ', '٣', '\u2028', '\u200b', 'e\u0301'],
  ...['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'then'],
  ...['a b', 'a  b', ' a', 'a ', ' ', 'a\nb', 'a\r\nb', 'a\tb', 'a', 'b'],
  ...[
    '`tick`',
    'x`y',
    '`',
    '``',
    'order',
    'order by',
    'desc',
    'true',
    'null',
    'Infinity',
    '1abc',
    'a.b',
    'a&b',
    '(',
    '#5',
  ],
  ...['n'.repeat(10_000), 'w '.repeat(5_000), 'ß'.repeat(200)],
]

/** A random name of pieces that mean something to somebody. */
function randomNames(count, seed) {
  const pieces = [
    'a',
    'B',
    ' ',
    '\n',
    '\r',
    '\t',
    '`',
    '``',
    '.',
    '&',
    '|',
    '!',
    '(',
    ')',
    '<',
    '>',
    '"',
    "'",
    '\\',
    '#1',
    '‮',
  ]
  let state = seed
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 16) % below
  }
  const names = new Set()
  while (names.size < count)
    names.add(Array.from({ length: 1 + next(8) }, () => pieces[next(pieces.length)]).join(''))
  return [...names]
}

/** Puts names into everything that has one, in a world that is attached then. Returns how often. */
const build = (page, names) =>
  page.evaluate((names) => {
    const { ecs, inspector } = scene
    const { component, object, relation, resource, tag, f32, text } = ecs
    const world = ecs.createWorld()
    const schedule = ecs.createSchedule(world)
    globalThis.ran = 0
    const hostile = {
      get html() {
        globalThis.ran++
        return '<img src=x onerror="globalThis.harmed=9">'
      },
    }
    const all = names.map((name) => component(name, { [name]: f32, t: text }))
    const tags = names.map((name) => tag(`T${name}`))
    const objects = names.map((name) => object(`O${name}`)(hostile))
    const root = world.spawn(...all, ...tags, ...objects)
    names.forEach((name, i) => {
      const relating = relation(`L${name}`)
      world.spawn(all[i]({ [name]: i, t: name }), tags[i], relating(root))
      world.setResource(resource(`R${name}`, { [name]: f32, t: text }), { t: name })
      world.setResource(resource(`V${name}`), { [name]: name, hostile })
      schedule.phase(name, { after: 'update' })
      schedule.add(() => {}, { name, writes: [all[i], all[0]] })
      schedule.add(() => {}, { name: `in ${name}`, phase: name, writes: [all[i]] })
      world.query(all[i])
      scene.ecs.onSet(world, all[i], () => {})
    })
    for (let i = 0; i < 3; i++) schedule.run(0.1)
    Object.assign(scene, { named: world, namedSchedule: schedule, root })
    inspector.attach(world, { schedule })
    return names.length * 12
  }, names)

const harm = (page) =>
  page.evaluate(() => {
    const root = scene.inspector.shadowRoot
    const banner = root.querySelector('.banner')
    const panel = root.querySelector('.panel:not([hidden])')
    return {
      harmed: globalThis.harmed,
      ran: globalThis.ran,
      made: root.querySelectorAll('img, script, iframe, object, embed, b, style').length,
      banner: banner.hidden ? '' : banner.textContent,
      wide: panel.scrollWidth > panel.clientWidth + 1,
      tabs: root.querySelector('.tabs').getBoundingClientRect().bottom <= globalThis.innerHeight,
    }
  })
const UNHARMED = { harmed: undefined, ran: 0, made: 0, banner: '', wide: false, tabs: true }

it.each([
  ['of a list', NAMES],
  ['at random', randomNames(60, 43)],
])('names %s are shown in every tab, for any chosen or followed entity', async (_, names) => {
  const { page, complaints, close } = await site.open()
  const named = await build(page, names)
  let cases = 0
  for (const tab of TABS) {
    await page.getByRole('tab', { name: tab }).click()
    await refreshes(page, 12)
    expect(await harm(page), tab).toEqual(UNHARMED)
    cases += named
  }
  await page.getByRole('tab', { name: 'Entities' }).click()
  const list = page.getByRole('listbox', { name: 'Entities' })
  await list.press('Home')
  await page.getByRole('button', { name: 'Follow' }).click()
  for (let i = 0; i <= names.length; i++) {
    await page.evaluate((i) => {
      const { session } = scene.inspector
      session.choose(scene.root + i)
      session.follow(true)
    }, i)
    expect(await harm(page), names[i - 1]).toEqual(UNHARMED)
    cases++
  }
  console.info(`names: ${cases} cases`)
  expect(cases).toBe(names.length * 12 * TABS.length + names.length + 1)
  expect(complaints).toEqual([])
  await close()
})

it.each([
  ['of a list', NAMES],
  ['at random', randomNames(60, 44)],
])(
  'entities of an archetype are found by the button, however its components are named, %s',
  async (_, names) => {
    const { page, complaints, close } = await site.open()
    await build(page, names)
    const found = await page.evaluate((names) => {
      const { inspector, named, inspect } = scene
      const root = inspector.shadowRoot
      const wrong = []
      for (const name of names) {
        const { id } = inspect(named)
          .archetypes()
          .find(({ components }) => components.length === 2 && components.includes(name))
        const panel = inspector.panels[1]
        panel.look()
        panel.chosen = panel.shown.find((archetype) => archetype.id === id)
        panel.find.click()
        const error = root.querySelector('#filter-error')
        const count = root.querySelector('output[for=filter]').textContent
        // The one of that name, and the one that has all.
        if (!error.hidden || count !== '2 entities') wrong.push([name, error.textContent, count])
      }
      return wrong
    }, names)
    expect(found).toEqual([])
    expect(complaints).toEqual([])
    await close()
  },
)

it('a value typed on the card of an entity goes to the component above it, even where two names combine to a third', async () => {
  const { page, complaints, close } = await site.open()
  await page.evaluate(() => {
    const { ecs, inspector } = scene
    const world = ecs.createWorld()
    const [AB, A, B] = ['A B', 'A', 'B'].map((name) => ecs.component(name, { x: ecs.f32 }))
    const one = world.spawn(AB({ x: 1 }))
    Object.assign(scene, { other: world, AB, A, B, one })
    inspector.attach(world)
    inspector.session.choose(one)
  })
  await page.getByLabel('x of A B of #1').waitFor()
  await page.evaluate(() => {
    const { other, one, AB, A, B } = scene
    other.exchange(one, [AB], [A({ x: 10 }), B({ x: 20 })])
  })
  await page.getByLabel('x of A of #1').fill('99')
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Chosen entity' })
  expect(
    (await card.getByRole('heading', { level: 3 }).allTextContents()).map((text) => text.trim()),
  ).toEqual(['A', 'B'])
  const values = await page.evaluate(() =>
    [scene.A, scene.B, scene.AB].map((component) => scene.other.get(scene.one, component)?.x),
  )
  expect(values).toEqual([99, 20, undefined])
  expect(complaints).toEqual([])
  await close()
})

it('a filter of a million characters is refused with a sentence that fits', async () => {
  const { page, complaints, close } = await site.open()
  await filter(page, `${'n'.repeat(1_000_000)} & x`)
  const error = page.locator('strata-inspector #filter-error')
  await error.waitFor()
  expect((await error.textContent()).length).toBeLessThan(1500)
  const list = await page.getByRole('listbox', { name: 'Entities' }).boundingBox()
  expect(list.y).toBeLessThan(700)
  expect(complaints).toEqual([])
  await close()
})
