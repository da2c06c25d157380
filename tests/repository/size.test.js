// Shows what a program weighs: one that declares little carries little, whichever bundler built it, and the guide gives the right
// figures.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BUNDLERS, bundledBy } from '../support/bundlers.js'

const pathOf = (file) => fileURLToPath(new URL(`../../${file}`, import.meta.url))

/** What the table of docs/performance.md calls them, and what they name of the package. */
const SMALL = `
const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Frozen = tag('Frozen')
const world = createWorld()
world.spawn(Position({ x: 1 }), Velocity)
const moving = world.query(Position, Velocity, not(Frozen))
for (const chunk of moving) {
  const { x } = chunk.write(Position)
  const { x: vx } = chunk.read(Velocity)
  for (let i = chunk.start; i < chunk.end; i++) x[i] += vx[i]
}
moving.each((_, position, velocity) => { position.y += velocity.y })
console.log(moving.count)
`
const NAMES = ['component', 'createWorld', 'f32', 'not', 'tag']
const MORE = {
  'resource()': ['resource', "world.resource(resource('Time', { dt: f32 })).dt = 1"],
  'relation()': ['relation', "world.spawn(relation('ChildOf', { exclusive: true })(world.spawn()))"],
  'a compiled kernel': [
    'kernelRuntime',
    "world.kernel({ kernel: 'move', runtime: kernelRuntime }, { px: [Position, 'x'] })",
  ],
  'createSchedule()': ['createSchedule', 'createSchedule(world).run(1)'],
  'onAdd(), onEnter(), subscribe()': [
    'onAdd, onEnter, subscribe',
    'onAdd(world, Position, console.log); onEnter(moving, console.log); subscribe(moving, console.log)',
  ],
  'saves, world.save(), loadWorld()': [
    'loadWorld, saves',
    'loadWorld(createWorld({ saves }).save(), { components: [Position] })',
  ],
  'object(), text, changed(), any()': [
    'any, changed, object, text',
    "world.query(any(Position, Frozen), changed(Velocity), object('Sprite'), component('Name', { value: text }))",
  ],
}

/** What the small program may weigh: what it does, and a little room for what mends a bug. */
const MOST_KILOBYTES = { esbuild: 84.5, Rollup: 82.4, Vite: 82.4, webpack: 82.4 }
const MOST_KILOBYTES_OF_A_FIELD = 2

const A_FIELD = "import { f32 } from 'strata-ecs'\nconsole.log(f32)"

const kilobytes = (content) => gzipSync(content, { level: 9 }).length / 1000

/** Kilobytes (of 1,000 bytes) of a program that is bundled, minified and gzipped. */
const kilobytesOf = async (code, bundler = 'Rollup') => kilobytes(await bundledBy(bundler, code))

const programWith = (name, statement) =>
  `import { ${[...NAMES, name].filter(Boolean).join(', ')} } from 'strata-ecs'${SMALL}${statement}`

const found = new Map()
/** What the small program weighs: found once, for all tests compare with it. */
function weightOfSmall(bundler = 'Rollup') {
  if (!found.has(bundler)) found.set(bundler, kilobytesOf(programWith('', ''), bundler))
  return found.get(bundler)
}

/** The rows of the tables, each as its cells: what a program uses, and kilobytes; a bundler, and kilobytes of two programs. */
const page = readFileSync(pathOf('docs/performance.md'), 'utf8')
const [section] = /^## Size\n[\s\S]*?(?=^## )/m.exec(page)
const [rows, bundlers] = [...section.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) =>
  [...table.matchAll(/^\| (\S.*?) +\|((?: +\+?[\d.]+ +\|)+)$/gm)].map(([, what, amounts]) => [
    what.replaceAll('`', ''),
    ...amounts.match(/[\d.]+/g).map(Number),
  ]),
)
const told = new Map(rows)

describe.each(BUNDLERS)('Built with %s', (bundler) => {
  const [, toldOfSmall, toldOfField] = bundlers.find(([name]) => name === bundler) ?? []

  it('a small program weighs little, and what the guide says', async () => {
    const weight = await weightOfSmall(bundler)
    expect(weight).toBeLessThanOrEqual(MOST_KILOBYTES[bundler])
    expect(Math.abs(weight - toldOfSmall), `${weight}, in the guide ${toldOfSmall}`).toBeLessThan(0.5)
  })

  it('a program that uses f32 alone weighs at most 2 KB, and what the guide says', async () => {
    const weight = await kilobytesOf(A_FIELD, bundler)
    expect(weight).toBeLessThanOrEqual(MOST_KILOBYTES_OF_A_FIELD)
    expect(Math.abs(weight - toldOfField), `${weight}, in the guide ${toldOfField}`).toBeLessThan(0.1)
  })

  it('a program that uses nothing of the package carries nothing of it', async () => {
    const nothing = await kilobytesOf('', bundler)
    expect(await kilobytesOf("import { f32 } from 'strata-ecs'", bundler)).toBe(nothing)
  })
})

it('The guide names the bundlers that are weighed, and the page on installing their range', () => {
  expect(bundlers.map(([name]) => name).sort()).toEqual(BUNDLERS.toSorted())
  const small = bundlers.map(([, amount]) => Math.round(amount))
  const installing = readFileSync(pathOf('docs/installing.md'), 'utf8')
  expect(installing).toContain(`A small program is ${Math.min(...small)} to ${Math.max(...small)} KB`)
  expect(rows[0][1]).toBe(bundlers.find(([name]) => name === 'Rollup')[1])
})

it.each(Object.entries(MORE))('%s adds what the guide says', async (what, [name, statement]) => {
  const weight = await kilobytesOf(programWith(name, statement))
  const added = weight - (await weightOfSmall())
  expect(Math.abs(added - told.get(what)), `${added}, in the guide ${told.get(what)}`).toBeLessThan(0.25)
})

it('The guide names no other capability', () => {
  const everything = 'everything, in dist/strata-ecs.min.js'
  expect(rows.slice(1).map(([what]) => what)).toEqual([...Object.keys(MORE), everything])
  const weight = kilobytes(readFileSync(pathOf('dist/strata-ecs.min.js')))
  expect(Math.abs(weight - told.get(everything)), `${weight}`).toBeLessThan(0.5)
})
