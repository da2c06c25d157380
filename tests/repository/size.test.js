// Owns the guard of what a program weighs: one that declares little must carry little, and the guide tells the truth of it.
// It must never weigh anything but the built package, as a bundler and a minifier leave it.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import terser from '@rollup/plugin-terser'
import { rollup } from 'rollup'
import { expect, it } from 'vitest'

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
  'saves, world.save(), loadWorld()': [
    'loadWorld, saves',
    'loadWorld(createWorld({ saves }).save(), { components: [Position] })',
  ],
  'object(), text, changed(), any()': [
    'any, changed, object, text',
    "world.query(any(Position, Frozen), changed(Velocity), object('Sprite'), component('Name', { value: text }))",
  ],
}

/** Kilobytes (of 1,000 bytes) of a program that is bundled, minified and gzipped. */
async function kilobytesOf(code) {
  const program = {
    name: 'program',
    resolveId: (id) => ({ program: id, 'strata-ecs': pathOf('dist/index.js') })[id] ?? null,
    load: (id) => (id === 'program' ? code : null),
  }
  const bundle = await rollup({ input: 'program', plugins: [program] })
  const minified = terser({ ecma: 2022, mangle: { module: true } })
  const { output } = await bundle.generate({ format: 'es', plugins: [minified] })
  return gzipSync(output[0].code, { level: 9 }).length / 1000
}

const programWith = (name, statement) =>
  `import { ${[...NAMES, name].filter(Boolean).join(', ')} } from 'strata-ecs'${SMALL}${statement}`

let small
/** What the small program weighs: found once, for all tests compare with it. */
const weightOfSmall = () => (small ??= kilobytesOf(programWith('', '')))

/** The rows of the table: what a program uses, and kilobytes. */
const page = readFileSync(pathOf('docs/performance.md'), 'utf8')
const [, table] = /^## Size\n[\s\S]*?((?:^\|.*\n)+)/m.exec(page)
const rows = [...table.matchAll(/^\| (\S.*?) +\| \+?([\d.]+) +\|/gm)].map(([, what, amount]) => [
  what.replaceAll('`', ''),
  Number(amount),
])

it('A small program weighs at most 86.8 KB, and what the guide says', async () => {
  const [, told] = rows[0]
  const weight = await weightOfSmall()
  expect(weight).toBeLessThanOrEqual(86.8)
  expect(Math.abs(weight - told), `${weight}, in the guide ${told}`).toBeLessThan(0.5)
  const installing = readFileSync(pathOf('docs/installing.md'), 'utf8')
  expect(installing).toContain(`A small program is ${Math.round(told)} KB`)
})

it('A program that uses nothing of the package carries nothing of it', async () => {
  const nothing = await kilobytesOf('')
  expect(await kilobytesOf("import { f32 } from 'strata-ecs'")).toBe(nothing)
})

it.each(Object.entries(MORE))('%s adds what the guide says', async (what, [name, statement]) => {
  const told = new Map(rows).get(what)
  const weight = await kilobytesOf(programWith(name, statement))
  const added = weight - (await weightOfSmall())
  expect(Math.abs(added - told), `${added}, in the guide ${told}`).toBeLessThan(0.25)
})

it('The guide names no other capability', () => {
  const everything = 'everything, in dist/strata-ecs.min.js'
  expect(rows.slice(1).map(([what]) => what)).toEqual([...Object.keys(MORE), everything])
  const weight = gzipSync(readFileSync(pathOf('dist/strata-ecs.min.js')), { level: 9 }).length / 1000
  expect(Math.abs(weight - new Map(rows).get(everything)), `${weight}`).toBeLessThan(0.5)
})
