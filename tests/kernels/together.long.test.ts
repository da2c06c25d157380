// Shows that kernels work with everything else of a world: other kernels, loops, observers, copies, the checked core,
// little memory, many archetypes. What one kernel does over one query is in run.alone.checked.proof.test.ts.

import { describe, expect, it } from 'vitest'
import {
  type Kernel,
  type World,
  bool,
  changed,
  clearWorld,
  cloneEntity,
  component,
  createKernel,
  createWorld,
  entity,
  f32,
  i16,
  i8,
  internText,
  kernelRuntime,
  not,
  onAdd,
  optional,
  resetWorld,
  cloneMany,
  sparse,
  spawnMany,
  stable,
  tag,
  text,
  toggle,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { checkedCore } from '../../bindings/checked'
import { compileKernels } from '../../packages/kernels/src/index'
import { checkInvariants } from '../support/invariants'
import { kernelFile } from '../support/kernelFiles'
import { kernelsOf } from '../support/kernels'
import { STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'

/** The same body for both kinds of rows: `walkLanes` and `walkRows`, and so on. */
const both = (body: string): string =>
  ['Lanes', 'Rows'].map((rows) => body.replaceAll('$ROWS', rows)).join('\n')

const kernels = await kernelsOf(
  both(`
export function walk$ROWS(rows: $ROWS, p: Column<f32>, q: Column<f32>, v: ReadonlyColumn<f32>, w: ReadonlyColumn<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) {
    p[i] += v[i] * dt
    q[i] += w[i] * dt
    if (p[i] > w[i]) q[i] = p[i] * 0.5
    else if (q[i] < v[i]) p[i] = q[i] - v[i]
  }
  for (let i = rows.start; i < rows.end; i++) p[i] += q[i]
}
export function swap$ROWS(rows: $ROWS, m: Vec3Column<f32>, n: Vec3Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) {
    const x = m[i][0]
    m[i][0] = n[i][1]
    n[i][1] = n[i][2] + x
    m[i][2] -= n[i][0]
  }
}
export function narrow$ROWS(rows: $ROWS, a: Column<u8>, b: Column<i8>, c: Column<u16>, d: Column<i16>, on: Column<bool>,
    who: Column<Entity>, name: Column<Text>, me: Entities, label: u32): Count {
  let met: u32 = 0
  for (let i = rows.start; i < rows.end; i++) {
    a[i] += 100
    b[i] -= 100
    c[i] = <u16>(<u32>c[i] * 3 + a[i])
    d[i] += b[i]
    on[i] = a[i] > 127 != on[i]
    if (!on[i]) continue
    met++
    who[i] = me[i]
    name[i] = label
  }
  return met
}
export function ends$ROWS(rows: $ROWS, x: ReadonlyColumn<f32>): Max<f32> {
  let most: f32 = -Infinity
  for (let i = rows.start; i < rows.end; i++) most = max(most, x[i])
  return most
}
export function least$ROWS(rows: $ROWS, n: ReadonlyColumn<u32>): Min<u32> {
  let found: u32 = u32.MAX_VALUE
  for (let i = rows.start; i < rows.end; i++) found = min(found, n[i])
  return found
}
`) +
    `
export function add(rows: Lanes, n: Column<u32>, much: u32): void {
  for (let i = rows.start; i < rows.end; i++) n[i] += much
}
export function count(rows: Rows): Count {
  return rows.end - rows.start
}`,
)

const FORMS = ['Lanes', 'Rows'] as const
const Counter = component('Counter', { n: u32 })
const total = (world: World, C = Counter): number => {
  let sum = 0
  world.query(C).each((_, { n }) => (sum += n))
  return sum
}

/** Rows around every boundary of groups of four, of mask words, and of a full chunk. */
const SIZES = [1, 3, 4, 5, 63, 64, 65, 127, 129, 700, 4095, 4097]

describe('four rows at a time and one by one give the same', () => {
  const Twin = component('Twin', { a: f32, b: f32, c: f32, d: f32 }, { toggle })
  const Sparse = component('Sparse', { a: f32, b: f32, c: f32, d: f32 }, { storage: sparse })
  const Stable = component('Stable', { a: f32, b: f32, c: f32, d: f32 }, { storage: stable })

  // Two parameters, or all, may mean one column: the rows of a group must still be computed as one by one.
  const ALIASES: readonly (readonly [string, string, string, string])[] = [
    ['a', 'b', 'c', 'd'],
    ['a', 'a', 'c', 'd'],
    ['a', 'b', 'a', 'b'],
    ['a', 'b', 'b', 'a'],
    ['a', 'a', 'a', 'a'],
  ]

  it.each(
    ALIASES.flatMap((fields) => [Twin, Sparse, Stable].map((C) => [fields.join(), C, fields] as const)),
  )('with p, q, v, w bound to %s', (_, C, [p, q, v, w]) => {
    for (const size of SIZES) {
      const results = FORMS.map((form) => {
        const world = testWorld({ memory: { initial: 2 ** 21 } })
        const handles = spawnMany(world, size, [C as typeof Twin])
        handles.forEach((e, i) => {
          world.set(e, C as typeof Twin, { a: i % 7, b: i % 5, c: (i % 11) - 5, d: (i % 3) - 1 })
          if (C === Twin && i % 3 === 1) world.disable(e, Twin)
          // Holes in a stable pool, other rows in their places elsewhere.
          if (i % 5 === 2) world.destroy(e)
        })
        const step = createKernel(world, kernels[`walk${form}`], {
          ...{ p: [C, p], q: [C, q] },
          ...{ v: [C, v], w: [C, w] },
        } as never)
        const query = world.query(C)
        for (let round = 0; round < 3; round++) query.run(step, { dt: 0.25 })
        query.where(C as never, 'a' as never, '>', 1 as never).run(step, { dt: 0.5 })
        query.slice(2, (2 + size) >> 1).run(step, { dt: 0.125 })
        if (size === 4097) checkInvariants(world)
        const values = Array.from(handles, (e) =>
          world.isAlive(e) ? world.get(e, C as typeof Twin) : undefined,
        )
        world.dispose()
        return values
      })
      expect(results[0]).toEqual(results[1])
    }
  })

  it('for a vec that is bound twice', () => {
    const Body = component('Body', { m: vec(f32, 3), n: vec(f32, 3) })
    for (const [m, n] of [
      ['m', 'n'],
      ['m', 'm'],
    ] as const) {
      const results = FORMS.map((form) => {
        const world = testWorld()
        const handles = Array.from({ length: 131 }, (_, i) =>
          world.spawn(Body({ m: [i, i * 2, 1], n: [3, i, -i] })),
        )
        const step = createKernel(world, kernels[`swap${form}`], { m: [Body, m], n: [Body, n] })
        for (let round = 0; round < 3; round++) world.query(Body).run(step, {})
        return handles.map((e) => world.get(e, Body))
      })
      expect(results[0]).toEqual(results[1])
    }
  })

  it('for narrow numbers, bools, handles and texts, in rows that begin anywhere', () => {
    const Odd = component(
      'Odd',
      { a: u8, b: i8, c: u16, d: i16, on: bool, who: entity, name: text },
      { toggle },
    )
    const results = FORMS.map((form) => {
      const world = testWorld()
      const handles = spawnMany(world, 1500, [Odd])
      handles.forEach((e, i) => {
        world.set(e, Odd, {
          a: i & 255,
          b: (i % 256) - 128,
          c: (i * 77) & 0xffff,
          d: i * 20 - 9000,
          on: i % 5 === 0,
        })
        if (i % 9 < 2) world.disable(e, Odd)
      })
      const columns = Object.fromEntries(
        ['a', 'b', 'c', 'd', 'on', 'who', 'name'].map((field) => [field, [Odd, field]]),
      )
      const step = createKernel(world, kernels[`narrow${form}`], columns as never)
      const label = internText(world, 'met')
      const query = world.query(Odd)
      const met = [query, query.slice(3, 504), query.partition(1, 3), query.where(Odd, 'c', '>', 999)].map(
        (part) => part.run(step, { label }),
      )
      const values = Array.from(handles, (e) => {
        const { who, ...rest } = world.get(e, Odd)!
        return { ...rest, who: who === e }
      })
      expect(values.some(({ name, who }) => name === 'met' && who)).toBe(true)
      checkInvariants(world)
      return { met, values }
    })
    expect(results[0]).toEqual(results[1])
  })

  it('for NaN, and for numbers beyond 2^31', () => {
    const Number_ = component('Number', { x: f32, n: u32 })
    for (const form of FORMS) {
      const world = testWorld()
      const query = world.query(Number_)
      const most = createKernel(world, kernels[`ends${form}`], { x: [Number_, 'x'] })
      const least = createKernel(world, kernels[`least${form}`], { n: [Number_, 'n'] })
      const step = createKernel(world, kernels.add, { n: [Number_, 'n'] })
      const handles = spawnMany(world, 1001, [Number_({ x: -1, n: 5 })])
      query.run(step, { much: 0xffff_fff0 })
      expect(query.run(least, {})).toBe(0xffff_fff5)
      expect(query.run(most, {})).toBe(-1)
      world.set(handles[500], Number_, { x: NaN })
      expect(query.run(most, {})).toBeNaN()
    }
  })
})

describe('several kernels', () => {
  const table = (name: string, values: string): string =>
    kernelFile(
      `import { Rows, Column } from 'strata-ecs/kernel'
const TABLE: StaticArray<u32> = [${values}]
export function ${name}(rows: Rows, n: Column<u32>): void {
  for (let i = rows.start; i < rows.end; i++) n[i] += TABLE[i & 3]
}`,
      `${name}.kernel.ts`,
    )
  const compiled = async (name: string, values: string, memoryBase: number): Promise<Kernel> =>
    ({
      ...(await compileKernels(table(name, values), { memoryBase })).kernels[0],
      runtime: kernelRuntime,
    }) as Kernel

  it('of two files keep tables of their own in one world, and a third that would overlap is refused', async () => {
    const small = await compiled('small', '1, 2, 3, 4', 1024)
    const large = await compiled('large', '100, 200, 300, 400', 2048)
    const overlapping = await compiled('overlapping', '5, 6, 7, 8', 2052)
    const world = testWorld()
    spawnMany(world, 4, [Counter])
    const bind = (kernel: Kernel) => createKernel(world, kernel, { n: [Counter, 'n'] })
    const steps = [bind(small), bind(large)]
    expect(() => bind(overlapping)).toThrow(/where large.kernel.ts has its own/)
    for (const step of [...steps, ...steps]) world.query(Counter).run(step, {})
    expect(total(world)).toBe(2 * (1000 + 10))
  })

  it('that would overlap what the checked core keeps in page 0 are refused over it', async () => {
    const [inTheWay, beside] = [
      await compiled('inTheWay', '5, 6, 7, 8', 57344),
      await compiled('beside', '1, 1, 1, 1', 0x8000),
    ]
    const world = createWorld({ core: checkedCore() })
    spawnMany(world, 4, [Counter])
    const bind = (kernel: Kernel) => createKernel(world, kernel, { n: [Counter, 'n'] })
    expect(() => bind(inTheWay)).toThrow(/where the core has its own/)
    world.query(Counter).run(bind(beside), {})
    expect(total(world)).toBe(4)
  })
})

describe('a kernel', () => {
  it('runs over copies as over their sources', () => {
    const world = testWorld()
    const model = world.spawn(Counter({ n: 1 }))
    const query = world.query(Counter)
    const step = createKernel(world, kernels.add, { n: [Counter, 'n'] })
    for (let round = 0; round < 4; round++) {
      query.run(step, { much: 1 })
      cloneEntity(world, model)
      cloneMany(world, model, 300)
    }
    // Copies made in round k, counted from 1, began with 1 + k.
    expect(total(world)).toBe(5 + 301 * (5 + 5 + 5 + 5))
  })

  it.each(STORAGES)(
    'finds its columns again after reset, whatever was registered first then: %s',
    (storage) => {
      const First = component('First', { n: u32, x: f32 }, { storage: STORED[storage as 'table'] })
      const Second = component('Second', { x: f32, n: u32 }, { storage: STORED[storage as 'table'] })
      const world = testWorld()
      const steps = [First, Second].map((C) => createKernel(world, kernels.add, { n: [C, 'n'] }))
      for (let round = 0; round < 4; round++) {
        const order = round & 1 ? [First, Second] : [Second, First]
        for (const C of order) spawnMany(world, 50, [C as typeof First, Counter])
        ;[First, Second].forEach((C, k) => world.query(C as typeof First).run(steps[k], { much: k + 1 }))
        expect([total(world, First as never), total(world, Second as never)]).toEqual([50, 100])
        if (round === 1) clearWorld(world)
        else resetWorld(world)
      }
    },
  )

  it('runs while changes wait, in loops of every kind and in observers', () => {
    const world = testWorld()
    const Woken = tag('Woken')
    const query = world.query(Counter)
    const step = createKernel(world, kernels.add, { n: [Counter, 'n'] })
    const count = createKernel(world, kernels.count, {})
    const handles = spawnMany(world, 70, [Counter])
    handles.forEach((e, i) => i % 7 === 0 && world.add(e, Woken))
    const seen: unknown[] = []
    const stop = onAdd(world, Woken, () => {
      query.run(step, { much: 1000 })
      seen.push('heard')
    })

    world.batch(() => {
      world.spawn(Counter({ n: 1 }))
      query.run(step, { much: 1 })
      seen.push(query.run(count, {}))
    })
    for (const chunk of world.query(Counter, not(Woken))) {
      const before = chunk.read(Counter).n[chunk.start]
      query.run(step, { much: 1 })
      seen.push(chunk.read(Counter).n[chunk.start] - before)
      break
    }
    let visited = 0
    world.query(Counter, Woken).each((e) => {
      if (visited++ === 0) query.where(Counter, 'n', '<', 50).run(step, { much: 1 })
      world.remove(e, Woken)
    })
    world.query(Counter).each(() => {
      world.query(Woken).run(count, {})
    })
    world.add(handles[1], Woken)
    stop()
    expect(seen).toEqual([70, 1, 'heard'])
    expect(visited).toBe(10)
    expect(total(world)).toBe(70 * 3 + 1 + 2 + 71 * 1000)
    checkInvariants(world)
  })

  it('goes on after the memory has grown, and in the smallest possible memory', () => {
    const world = testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 24 } })
    const query = world.query(Counter)
    const step = createKernel(world, kernels.add, { n: [Counter, 'n'] })
    const count = createKernel(world, kernels.count, {})
    let spawned = 0
    while (spawned < 200_000) {
      spawnMany(world, 20_000, [Counter])
      spawned += 20_000
      query.run(step, { much: 1 })
      expect(query.run(count, {})).toBe(spawned)
    }
    expect(total(world)).toBe(20_000 * 55)
  })

  it('is bound in many worlds, each with its own rows', () => {
    const worlds = Array.from({ length: 20 }, () => testWorld({ memory: { initial: 2 ** 20 } }))
    const steps = worlds.map((world) => createKernel(world, kernels.add, { n: [Counter, 'n'] }))
    worlds.forEach((world, k) => spawnMany(world, k + 1, [Counter]))
    for (let round = 0; round < 3; round++)
      worlds.forEach((world, k) => world.query(Counter).run(steps[k], { much: k }))
    worlds.forEach((world, k) => expect(total(world)).toBe(3 * k * (k + 1)))
    worlds.forEach((world) => world.dispose())
  })

  it('runs over thousands of archetypes, and over new ones as they come', () => {
    const world = testWorld()
    const tags = Array.from({ length: 11 }, (_, k) => tag(`T${k}`))
    const query = world.query(Counter)
    const step = createKernel(world, kernels.add, { n: [Counter, 'n'] })
    const count = createKernel(world, kernels.count, {})
    for (let set = 0; set < 2048; set++) {
      world.spawn(Counter, ...tags.filter((_, k) => (set >> k) & 1))
      if (set % 512 === 511) query.run(step, { much: 1 })
    }
    expect(query.run(count, {})).toBe(2048)
    expect(total(world)).toBe(512 * (4 + 3 + 2 + 1))
    expect(world.query(Counter, tags[0]).run(count, {})).toBe(1024)
    // Archetypes come and go: what is known of their columns must not outlive them.
    const Other = component('Other', { a: u8, n: u32 })
    clearWorld(world)
    for (let set = 0; set < 200; set++)
      world.spawn(Other({ n: 3 }), Counter, ...tags.filter((_, k) => (set >> k) & 1))
    query.run(step, { much: 5 })
    expect(total(world)).toBe(1000)
    expect(total(world, Other as never)).toBe(600)
  })

  it('is bound once and run over many queries, one after another', () => {
    const world = testWorld()
    const Sparse = component('Sparse', { n: u32 }, { storage: sparse })
    const Mark = tag('Mark', { toggle })
    const handles = spawnMany(world, 90, [Counter, Mark])
    handles.forEach((e, i) => {
      if (i % 2) world.add(e, Sparse)
      if (i % 3) world.disable(e, Mark)
    })
    const step = createKernel(world, kernels.add, { n: [Counter, 'n'] })
    const queries = [
      world.query(Counter),
      world.query(Counter, Mark),
      world.query(Counter, not(Mark)),
      world.query(Counter, Sparse),
      world.query(Counter, not(Sparse)),
      world.query(Counter, optional(Sparse)),
      world.query(changed(Counter)),
    ]
    for (let round = 0; round < 3; round++) for (const query of queries) query.run(step, { much: 1 })
    expect(total(world)).toBe(3 * (90 + 30 + 60 + 45 + 45 + 90 + 90))
  })

  it('may read and write one column, which counts as written', () => {
    const world = testWorld()
    const Place = component('Place', { x: f32 })
    spawnMany(world, 10, [Place({ x: 1 })])
    const watched = world.query(changed(Place))
    const step = createKernel(world, kernels.walkLanes, {
      ...{ p: [Place, 'x'], q: [Place, 'x'] },
      ...{ v: [Place, 'x'], w: [Place, 'x'] },
    } as never)
    for (const chunk of watched) expect(chunk.end - chunk.start).toBe(10)
    world.advanceTick()
    expect(watched.count).toBe(0)
    world.query(Place).run(step, { dt: 1 })
    expect(watched.count).toBe(10)
  })
})
