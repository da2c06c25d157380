// Shows what a program weighs: one that declares little carries little, whichever bundler built it, and the guide gives the right
// figures.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BUNDLERS, bundledBy } from '../support/bundlers.js'
import { smallProgram } from '../support/smallProgram.js'

const pathOf = (file) => fileURLToPath(new URL(`../../${file}`, import.meta.url))

/** A capability each, as the table of docs/performance.md calls it: what is imported for it, and a use that runs. */
const MORE = {
  'resource()': ['resource', "world.resource(resource('Time', { dt: f32 })).dt = 1"],
  'relation()': ['relation', "world.spawn(relation('ChildOf', { exclusive: true })(world.spawn()))"],
  'cloneTree()': [
    'cloneTree, relation',
    "const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' }); cloneTree(world, world.spawn(ChildOf(world.spawn())), 2)",
  ],
  'compile() of strata-ecs/compile': [
    '',
    "import { compile } from 'strata-ecs/compile'; moving.run(compile([Position], (position) => { position.x++ }))",
  ],
  'workers() of strata-ecs/workers': [
    '',
    "import { workers } from 'strata-ecs/workers'; workers({ count: 0 })",
  ],
  'createKernel(), a compiled kernel': [
    'createKernel, kernelRuntime',
    'console.log(createKernel, kernelRuntime)',
  ],
  'createAccessor()': ['createAccessor', 'createAccessor(world, Position).of(moving.first()).x++'],
  'spawnMany()': ['spawnMany', 'spawnMany(world, 9, [Position])'],
  'destroyMany()': ['destroyMany', 'destroyMany(moving)'],
  'clearWorld(), resetWorld(), trimWorld()': [
    'clearWorld, resetWorld, trimWorld',
    'for (const end of [clearWorld, resetWorld, trimWorld]) end(world)',
  ],
  'createSchedule()': ['createSchedule', 'createSchedule(world).run(1)'],
  'onAdd(), onRemove(), onSet()': [
    'onAdd, onRemove, onSet',
    'for (const listen of [onAdd, onRemove, onSet]) listen(world, Position, console.log)',
  ],
  'onEnter(), onExit()': ['onEnter, onExit', 'onEnter(moving, console.log); onExit(moving, console.log)'],
  'onChange()': ['onChange', 'onChange(moving, console.log)'],
  'createRemovalReader()': ['createRemovalReader', 'createRemovalReader(world, Position).read()'],
  'snapshotWorld(), restoreWorld()': [
    'snapshotWorld, restoreWorld',
    'restoreWorld(world, snapshotWorld(world))',
  ],
  'forkWorld()': ['forkWorld', 'forkWorld(world).dispose()'],
  'createHistory()': ['createHistory', 'createHistory(world, { frames: 2 }).save()'],
  'digestWorld()': ['digestWorld', 'digestWorld(world)'],
  'saveWorld()': ['saveWorld', 'saveWorld(world)'],
  'loadWorld()': [
    'loadWorld, saveWorld',
    'loadWorld(saveWorld(world), { components: [Position, Velocity, Frozen] })',
  ],
  'loadInto()': [
    'loadInto, saveWorld',
    'loadInto(world, saveWorld(world), { components: [Position, Velocity, Frozen] })',
  ],
  'saveToJSON(), loadFromJSON()': [
    'loadFromJSON, saveToJSON',
    'loadFromJSON(saveToJSON(world), { components: [Position, Velocity, Frozen] })',
  ],
  'sortedEntities()': ['sortedEntities', "sortedEntities(moving, Position, 'x')"],
  'sortRows(), sortRowsAs()': [
    'sortRows, sortRowsAs, sparse',
    "const [A, B] = ['A', 'B'].map((name) => component(name, { n: f32 }, { storage: sparse })); sortRows(world, A, 'n'); sortRowsAs(world, B, A)",
  ],
  'createGroup()': [
    'createGroup, sparse',
    "const [A, B] = ['A', 'B'].map((name) => component(name, { n: f32 }, { storage: sparse })); createGroup(world, A, B)",
  ],
  'sumOf(), minOf(), maxOf(), getColumn()': [
    'getColumn, maxOf, minOf, sumOf',
    "for (const ask of [sumOf, minOf, maxOf, getColumn]) ask(moving, Position, 'x')",
  ],
  'addMany(), removeMany(), setMany(), enableMany(), disableMany()': [
    'addMany, disableMany, enableMany, removeMany, setMany',
    'addMany(moving, Frozen); removeMany(moving, Frozen); setMany(moving, Position, { x: [1] }); console.log(disableMany, enableMany)',
  ],
  'cloneEntity(), cloneMany()': [
    'cloneEntity, cloneMany',
    'cloneMany(world, cloneEntity(world, moving.first()), 9)',
  ],
  'createSpawner()': ['createSpawner', "createSpawner(world, [Position, 'x', 'y'], Frozen)(1, 2)"],
  'spawnAt(), spawnManyAt()': ['spawnAt, spawnManyAt', 'spawnAt(world, 9); spawnManyAt(world, [10, 11], [])'],
  'createCommands()': ['createCommands', 'createCommands(world).apply()'],
  'queueDestroy(), endFrame()': [
    'queueDestroy, endFrame',
    'queueDestroy(world, moving.first()); endFrame(world)',
  ],
  'object(), objectsOf()': [
    'object, objectsOf',
    "for (const one of objectsOf(world, object('Sprite'))) console.log(one)",
  ],
  text: ['text', "world.spawn(component('Name', { value: text })({ value: 'Ann' }))"],
  'changed(), added()': ['added, changed', 'world.query(changed(Position), added(Velocity)).entities()'],
  'any(), all()': ['all, any', 'world.query(any(Frozen, all(Position, Velocity))).entities()'],
}

/** What the small program may weigh: what it does, and a little room for what mends a bug. */
const MOST_KILOBYTES = { esbuild: 63, Rollup: 62.3, Vite: 62.3, webpack: 62.3 }
const MOST_KILOBYTES_OF_A_FIELD = 2
const MOST_KILOBYTES_OF_SLIM = 42.4

const A_FIELD = "import { f32 } from 'strata-ecs'\nconsole.log(f32)"

const kilobytes = (content) => gzipSync(content, { level: 9 }).length / 1000

/** Kilobytes (of 1,000 bytes) of a program that is bundled, minified and gzipped. */
const kilobytesOf = async (code, bundler = 'Rollup') => kilobytes(await bundledBy(bundler, code))

/** The bundler that weighs each capability: the one that most programs are built with, and the fastest to ask 40 times. */
const WEIGHING = 'Vite'

const programWith = (names, statement) => smallProgram(names.split(', ').filter(Boolean), statement)

const found = new Map()
/** What the small program weighs: found once, for all tests compare with it. */
function weightOfSmall(bundler = 'Rollup') {
  if (!found.has(bundler)) found.set(bundler, kilobytesOf(smallProgram(), bundler))
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

  it('a small program weighs little, as much as the guide says', async () => {
    const weight = await weightOfSmall(bundler)
    expect(weight).toBeLessThanOrEqual(MOST_KILOBYTES[bundler])
    expect(Math.abs(weight - toldOfSmall), `${weight}, in the guide ${toldOfSmall}`).toBeLessThan(0.5)
  })

  it('a program that uses only f32 weighs at most 2 KB, as much as the guide says', async () => {
    const weight = await kilobytesOf(A_FIELD, bundler)
    expect(weight).toBeLessThanOrEqual(MOST_KILOBYTES_OF_A_FIELD)
    expect(Math.abs(weight - toldOfField), `${weight}, in the guide ${toldOfField}`).toBeLessThan(0.1)
  })

  it('a program that uses nothing of the package carries nothing of it', async () => {
    const nothing = await kilobytesOf('', bundler)
    expect(await kilobytesOf("import { f32 } from 'strata-ecs'", bundler)).toBe(nothing)
  })
})

it('The small program without the core inside weighs little, as much as the guide says', async () => {
  const program = smallProgram().replace("'strata-ecs'", "'strata-ecs/slim'")
  const weight = await kilobytesOf(program.replace('createWorld()', 'createWorld({ core: globalThis.core })'))
  expect(weight).toBeLessThanOrEqual(MOST_KILOBYTES_OF_SLIM)
  const installing = readFileSync(pathOf('docs/installing.md'), 'utf8')
  const [, amount] = /of a small program is ([\d.]+) KB/.exec(installing)
  expect(Math.abs(weight - amount), `${weight}, in the guide ${amount}`).toBeLessThan(0.5)
})

it('The guide names the bundlers that are weighed, and the page on installing their range', () => {
  expect(bundlers.map(([name]) => name).sort()).toEqual(BUNDLERS.toSorted())
  const small = bundlers.map(([, amount]) => Math.round(amount))
  const installing = readFileSync(pathOf('docs/installing.md'), 'utf8')
  const [least, most] = [Math.min(...small), Math.max(...small)]
  expect(installing).toContain(`A small program is ${least === most ? most : `${least} to ${most}`} KB`)
  expect(rows[0][1]).toBe(bundlers.find(([name]) => name === WEIGHING)[1])
})

it.each(Object.entries(MORE))('%s adds what the guide says, and runs', async (what, [name, statement]) => {
  const program = await bundledBy(WEIGHING, programWith(name, statement))
  const added = kilobytes(program) - (await weightOfSmall(WEIGHING))
  expect(Math.abs(added - told.get(what)), `${added}, in the guide ${told.get(what)}`).toBeLessThan(0.25)
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module'], { input: program })
  expect(status, String(stderr)).toBe(0)
})

it('The guide names no other capability', () => {
  const everything = 'everything, in dist/strata-ecs.min.js'
  expect(rows.slice(1).map(([what]) => what)).toEqual([...Object.keys(MORE), everything])
  const weight = kilobytes(readFileSync(pathOf('dist/strata-ecs.min.js')))
  expect(Math.abs(weight - told.get(everything)), `${weight}`).toBeLessThan(0.5)
})
