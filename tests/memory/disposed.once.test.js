// Shows that a disposed world frees its memory while the program still holds the world and what it made of it: a page has room
// for some hundred memories.

import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { kernelsOf } from '../support/kernels.ts'

const entry = (name) => new URL(`../../dist/${name}.js`, import.meta.url).href
const WORLDS = 10
const { move } = await kernelsOf(
  'export function move(rows: Rows, x: Column<f32>): void { for (let i = rows.start; i < rows.end; i++) x[i]++ }',
)

/** What a program does with a world, and keeps. Each is a function in the text of a program of its own. */
const uses = {
  'entities and queries': `const query = world.query(P); spawnMany(world, 99, [P]); return [query, query.entities(), query.first()]`,
  'a loop': `const query = world.query(P); world.spawn(P); for (const chunk of query) chunk.write(P).x[0] = 1; return query`,
  'a loop that was left': `const query = world.query(P); world.spawn(P); for (const chunk of query) { chunk.write(P); break }; return query`,
  each: `const query = world.query(P); world.spawn(P); query.each((e, p) => { p.x = 1 }); return query`,
  'an accessor': `const accessor = createAccessor(world, P); accessor.of(world.spawn(P)).x = 1; return accessor`,
  'sparse rows': `const query = world.query(S, P); world.spawn(S, P); query.each(() => {}); for (const chunk of world.query(S)) chunk.write(S); return query`,
  'a group': `const grouped = createGroup(world, S, T); world.spawn(S, T); for (const chunk of grouped) chunk.write(S); return grouped`,
  'what changed': `const query = world.query(changed(P)); world.spawn(P); return [query, query.entities()]`,
  'rows by value': `const query = world.query(P).where(P, 'x', '>', 1); world.spawn(P({ x: 2 })); return [query, query.entities(), query.slice(0, 1).entities()]`,
  'an order': `const query = world.query(P); spawnMany(world, 9, [P, O]); const ordered = world.query(O); ordered.each(() => {}); return [query, ordered, sortedEntities(query, P, 'x')]`,
  texts: `const e = world.spawn(N({ value: 'Ada' })); world.get(e, N); return world.query(N)`,
  resources: `world.resource(R).dt = 2; return world.resource(R)`,
  listeners: `const query = world.query(P); onAdd(world, P, () => {}); onEnter(query, () => {}); world.spawn(P); return query`,
  objects: `const e = world.spawn(V({})); return [world.query(V), world.query(V).entities()]`,
  'a buffer': `const commands = createCommands(world); commands.spawn(P); commands.apply(); world.batch(() => world.spawn(P)); return commands`,
  copies: `return cloneMany(world, cloneEntity(world, world.spawn(P)), 9)`,
  'a kernel': `const bound = createKernel(world, move, { x: [P, 'x'] }); world.spawn(P); world.query(P).run(bound); return bound`,
  'a compiled loop': `world.spawn(P); world.query(P).run(loop); return loop`,
  'a compiled loop, with workers': `world.spawn(P); world.query(P).run(loop); return loop`,
  'a schedule': `const schedule = createSchedule(world).add(() => {}, { name: 'idle' }); schedule.run(1); return schedule`,
}

/** For each use, how many of the memories are still held when all worlds were disposed of. */
function memoriesHeld() {
  const program = `
    import { changed, cloneEntity, cloneMany, component, createAccessor, createCommands, createGroup, createKernel, createSchedule, createWorld, f32, kernelRuntime, object, onAdd, onEnter, resource, sortedEntities, sparse, spawnMany, tag, text } from '${entry('index')}'
    import { compile } from '${entry('compile')}'
    import { workers } from '${entry('workers')}'
    const P = component('P', { x: f32 })
    const [S, T] = ['S', 'T'].map((name) => component(name, { x: f32 }, { storage: sparse }))
    const N = component('N', { value: text })
    const O = tag('O', { order: 'insertion' })
    const V = object('V')
    const R = resource('R', { dt: f32 })
    const move = { ...${JSON.stringify(move)}, runtime: kernelRuntime }
    const loop = compile([P], (p) => { p.x += 1 })
    const pool = workers({ count: 1 })
    const uses = [${Object.entries(uses)
      .map(
        ([name, use]) =>
          `{ options: ${name.endsWith('with workers') ? '{ workers: pool }' : '{}'}, use(world) { ${use} } }`,
      )
      .join(',\n')}]
    // The first worlds also have the core and its parts decoded, in memories that are dropped.
    for (const { use, options } of uses) {
      const world = createWorld(options)
      use(world)
      world.dispose()
    }
    let memories = []
    const { Memory } = WebAssembly
    WebAssembly.Memory = function (...options) {
      const memory = new Memory(...options)
      memories.push(new WeakRef(memory.buffer))
      return memory
    }
    const held = []
    const perUse = uses.map(({ use, options }) => {
      memories = []
      for (let i = 0; i < ${WORLDS}; i++) {
        const world = createWorld(options)
        held.push(world, use(world))
        world.dispose()
      }
      return memories
    })
    for (let turn = 0; turn < 4; turn++) {
      await new Promise((resolve) => setTimeout(resolve))
      gc()
    }
    const alive = perUse.map((all) => all.filter((memory) => memory.deref() !== undefined).length)
    if (perUse.some((all) => all.length !== ${WORLDS}) || held.length !== 2 * ${WORLDS} * uses.length)
      throw new Error('not as many worlds as asked for')
    console.log(JSON.stringify(alive))`
  const output = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  const alive = JSON.parse(output)
  return new Map(Object.keys(uses).map((name, i) => [name, alive[i]]))
}

describe('a disposed world', () => {
  let held
  beforeAll(() => {
    held = memoriesHeld()
  })

  it.each(Object.keys(uses))('frees its memory after %s', (name) => {
    // The last one may still lie on the stack or in a register.
    expect(held.get(name)).toBeLessThan(2)
  })
})
