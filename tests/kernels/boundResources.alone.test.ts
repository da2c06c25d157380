// Shows that a kernel reads and writes the fields of resources where they are now, and that one without rows is called once.

import { describe, expect, it } from 'vitest'
import {
  type Component,
  createKernel,
  createGroup,
  internText,
  LimitError,
  resetWorld,
  sparse,
  spawnMany,
  StrataError,
  type Query,
  bool,
  component,
  createSchedule,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  not,
  resource,
  tag,
  text,
  toggle,
  u16,
  u32,
  u8,
  vec,
  type World,
} from '../../bindings/index'
import { caughtFrom } from '../support/caught'
import { resourceTickOf } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { kernelsOf } from '../support/kernels'
import { freeBytes, leaveFree } from '../support/scarcity'
import { STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'

const CELLS = 4000

const kernels = await kernelsOf(
  `
export function count(rows: Rows, at: ReadonlyColumn<u32>, cells: Resource<f32>): void {
  for (let i = rows.start; i < rows.end; i++) cells[at[i]] += 1
}
export function look(rows: Rows, at: ReadonlyColumn<u32>, cells: ReadonlyResource<f32>, found: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) found[i] = cells[at[i]]
}
export function blur(from: ReadonlyResource<f32>, to: Resource<f32>, last: i32, share: f32): void {
  for (let k = 1; k < last; k++) to[k] = from[k] + (from[k - 1] + from[k + 1]) * share
}
export function add(a: Resource<f32>, b: ReadonlyResource<f32>, n: u32): void {
  for (let k: u32 = 0; k < n; k++) a[k] += b[k] + 1
}
export function kinds(a: Resource<i8>, b: Resource<u8>, c: Resource<i16>, d: Resource<u16>, e: Resource<i32>, f: Resource<u32>,
    g: Resource<f32>, h: Resource<f64>, on: Resource<bool>, who: Resource<Entity>, name: Resource<Text>, me: u32, label: u32): void {
  a[0] -= 1
  b[0] += 1
  c[0] -= 2
  d[0] += 2
  e[0] -= 3
  f[0] += 3
  g[0] += 0.5
  h[0] += 0.25
  on[0] = !on[0]
  who[0] = me
  name[0] = label
}
export function vecs(a: Resource<i8>, b: Resource<u8>, c: Resource<i16>, d: Resource<u16>, e: Resource<i32>, f: Resource<u32>,
    g: Resource<f32>, h: Resource<f64>, on: Resource<bool>, who: Resource<Entity>, last: u32): void {
  for (let k: u32 = 0; k <= last; k++) {
    a[k] = <i8>k
    b[k] = <u8>k
    c[k] = <i16>k
    d[k] = <u16>k
    e[k] = -<i32>k
    f[k] = 0xffffffff - k
    g[k] = <f32>k * 0.5
    h[k] = <f64>k * 0.25
    on[k] = (k & 1) != 0
    who[k] = k
  }
}
export function total(values: ReadonlyResource<f64>, n: i32): Sum<f64> {
  let sum: f64 = 0
  for (let k = 0; k < n; k++) sum += values[k]
  return sum
}
export function least(values: ReadonlyResource<f64>, n: i32): Min<f64> {
  let found: f64 = Infinity
  for (let k = 0; k < n; k++) found = min(found, values[k])
  return found
}
export function greatest(values: ReadonlyResource<f64>, n: i32): Max<f64> {
  let found: f64 = -Infinity
  for (let k = 0; k < n; k++) found = max(found, values[k])
  return found
}
export function positive(values: ReadonlyResource<f64>, n: i32): Count {
  let found: u32 = 0
  for (let k = 0; k < n; k++) if (values[k] > 0) found++
  return found
}
export function tally(rows: Rows, time: Resource<u32>): Count {
  time[0] += rows.end - rows.start
  return time[0]
}
export function trap(time: Resource<u32>): void {
  time[0] += 1
  unreachable()
}
`,
  'ground.kernel.ts',
)

const Agent = component('Agent', { at: u32, found: f32 })
const Switch = component('Switch', { x: f32 }, { toggle })
const [Extra, Few, Body, Speed] = ['Extra', 'Few', 'Body', 'Speed'].map((name) =>
  component(name, { at: u32 }, { storage: sparse }),
) as [Sparse, Sparse, Sparse, Sparse]
type Sparse = Component<{ at: typeof u32 }, 'sparse'>
const Mark = tag('Mark')
const Picked = tag('Picked', { order: 'insertion' })
const Ground = resource('Ground', { cells: vec(f32, CELLS) })
const Two = resource('Two', { from: vec(f32, 9), to: vec(f32, 9), other: vec(f64, 3) })
const Time = resource('Time', { dt: f32, ticks: u32 })
const Kinds = resource('Kinds', {
  ...{ a: i8, b: u8, c: i16, d: u16, e: i32, f: u32, g: f32, h: f64, on: bool, who: entity, name: text },
})
const Numbers = resource('Numbers', { list: vec(f64, 5), one: f64 })

/** A world with a thousand agents, a third of them in each of three cells. */
function crowd(options = {}) {
  const world = testWorld()
  const C = component('Walker', { at: u32, found: f32 }, options)
  spawnMany(world, 1000, [C], (chunk) => {
    const { at } = chunk.write(C)
    for (let i = chunk.start; i < chunk.end; i++) at[i] = (chunk.entities[i]! % 3) * 1999
  })
  return { world, C }
}

describe('a kernel over rows', () => {
  it.each(STORAGES)('writes a resource from rows in %s storage, and reads it back', (storage) => {
    const { world, C } = crowd({ storage: STORED[storage] })
    const query = world.query(C)
    const add = createKernel(world, kernels.count, { at: [C, 'at'], cells: [Ground, 'cells'] })
    const read = createKernel(world, kernels.look, {
      at: [C, 'at'],
      cells: [Ground, 'cells'],
      found: [C, 'found'],
    })
    query.run(add, {})
    query.run(read, {})
    const { cells } = world.resource(Ground)
    expect(cells[0]! + cells[1999]! + cells[3998]!).toBe(1000)
    expect(cells.reduce((sum, value) => sum + value)).toBe(1000)
    for (const e of query.entities()) expect(world.get(e, C)!.found).toBe(cells[world.get(e, C)!.at])
    checkInvariants(world)
  })

  /** Each shape with the number of agents that it visits, of 600 of which each third is marked. */
  const SHAPES: [string, (world: World) => Query<any, any>, number][] = [
    ['a toggle', (world) => world.query(Agent, Switch), 400],
    ['a condition', (world) => world.query(Agent).where(Agent, 'at', '>', 0), 400],
    ['a page', (world) => world.query(Agent).slice(100, 350), 250],
    ['an excluded tag', (world) => world.query(Agent, not(Mark)), 400],
    ['a sparse term', (world) => world.query(Agent, Extra), 200],
    ['a few of a pool', (world) => world.query(Agent, Few), 5],
    ['an order', (world) => world.query(Picked, Agent), 200],
    ['a group', (world) => world.query(Body, Speed), 600],
    ['no row', (world) => world.query(Agent).where(Agent, 'at', '>', 9), 0],
  ]

  it.each(SHAPES)('works with the same resource over %s', (_, shape, visited) => {
    const world = testWorld()
    createGroup(world, Body, Speed)
    for (let i = 0; i < 600; i++) {
      const e = world.spawn(Agent({ at: i % 3 }), Switch, Body({ at: i % 3 }), Speed)
      if (i % 3 === 0) {
        world.add(e, Mark, Picked, Extra)
        world.disable(e, Switch)
      }
      if (i % 120 === 0) world.add(e, Few)
    }
    const query = shape(world)
    const C = query === world.query(Body, Speed) ? Body : Agent
    const add = createKernel(world, kernels.count, { at: [C, 'at'], cells: [Ground, 'cells'] })
    for (let round = 1; round <= 3; round++) {
      query.run(add, {})
      const { cells } = world.resource(Ground)
      expect(cells.reduce((sum, value) => sum + value)).toBe(round * visited)
    }
    checkInvariants(world)
  })

  it('agrees with a loop in JavaScript, however many chunks there are', () => {
    const { world, C } = crowd()
    const query = world.query(C)
    const add = createKernel(world, kernels.count, { at: [C, 'at'], cells: [Ground, 'cells'] })
    const expected = new Float32Array(CELLS)
    for (let round = 0; round < 5; round++) {
      spawnMany(world, 997, [C({ at: round * 7 })])
      query.run(add, {})
      for (const chunk of query) {
        const { at } = chunk.read(C)
        for (let i = chunk.start; i < chunk.end; i++) expected[at[i]!]! += 1
      }
      expect(world.resource(Ground).cells).toEqual(expected)
    }
  })

  it('is called chunk by chunk with the same value', () => {
    const { world, C } = crowd()
    const tally = createKernel(world, kernels.tally, { time: [Time, 'ticks'] })
    world.resource(Time).ticks = 5
    // The result joins what the resource held behind each call: 1,000 rows and more than one chunk.
    expect(world.query(C).run(tally, {})).toBeGreaterThan(1005)
    expect(world.resource(Time).ticks).toBe(1005)
  })
})

describe('a kernel without rows', () => {
  it('is called once, with resources and scalars', () => {
    const world = testWorld()
    world.setResource(Two, { from: [0, 0, 0, 0, 8, 0, 0, 0, 0], other: [1, 2, 3] })
    const step = createKernel(world, kernels.blur, { from: [Two, 'from'], to: [Two, 'to'] })
    expect(step.run({ last: 8, share: 0.25 })).toBe(undefined)
    expect([...world.resource(Two).to]).toEqual([0, 0, 0, 2, 8, 2, 0, 0, 0])
    expect([...world.resource(Two).from]).toEqual([0, 0, 0, 0, 8, 0, 0, 0, 0])
    expect([...world.resource(Two).other]).toEqual([1, 2, 3])
    checkInvariants(world)
  })

  it('takes one resource for several parameters', () => {
    const world = testWorld()
    world.setResource(Two, { from: [1, 2, 3, 4, 5, 6, 7, 8, 9] })
    const step = createKernel(world, kernels.add, { a: [Two, 'from'], b: [Two, 'from'] })
    step.run({ n: 3 })
    expect([...world.resource(Two).from]).toEqual([3, 5, 7, 4, 5, 6, 7, 8, 9])
  })

  it('supports every kind of a single value', () => {
    const world = testWorld()
    const me = world.spawn()
    world.setResource(Kinds, {
      a: -128,
      b: 255,
      c: -32768,
      d: 65535,
      e: -1,
      f: 0xffffffff,
      g: 1,
      h: 1,
      on: true,
    })
    const fields = Object.fromEntries(Object.keys(Kinds.schema).map((name) => [name, [Kinds, name]]))
    const step = createKernel(world, kernels.kinds, fields as never)
    step.run({ me, label: internText(world, 'later') })
    expect(world.getResource(Kinds)).toEqual({
      ...{ a: 127, b: 0, c: 32766, d: 1, e: -4, f: 2, g: 1.5, h: 1.25, on: false, who: me, name: 'later' },
    })
    checkInvariants(world)
  })

  it.each([1, 2, 3, 5, 127])('supports every kind of a vec of %i', (length) => {
    const kinds = { a: i8, b: u8, c: i16, d: u16, e: i32, f: u32, g: f32, h: f64, on: bool, who: entity }
    const schema = Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, vec(kind as typeof u8, length)]),
    )
    const Vecs = resource('Vecs', schema)
    const world = testWorld()
    const fields = Object.fromEntries(Object.keys(kinds).map((name) => [name, [Vecs, name]]))
    createKernel(world, kernels.vecs, fields as never).run({ last: length - 1 })
    const found = world.getResource(Vecs) as Record<string, ArrayLike<number>>
    const list = (value: (k: number) => number) => Array.from({ length }, (_, k) => value(k))
    for (const name of 'abcd') expect([...Array.from(found[name]!)]).toEqual(list((k) => k))
    expect(Array.from(found.e!)).toEqual(list((k) => 0 - k))
    expect(Array.from(found.f!)).toEqual(list((k) => 0xffffffff - k))
    expect(Array.from(found.g!)).toEqual(list((k) => k / 2))
    expect(Array.from(found.h!)).toEqual(list((k) => k / 4))
    expect(Array.from(found.on!)).toEqual(list((k) => k & 1))
    expect(Array.from(found.who!)).toEqual(list((k) => k))
    checkInvariants(world)
  })

  it('returns its reduction', () => {
    const world = testWorld()
    world.setResource(Numbers, { list: [3, -1, 4, -0.5, 9], one: 7 })
    const call = (kernel: unknown, field: 'list' | 'one', n: number) =>
      createKernel(world, kernel as (typeof kernels)[string], { values: [Numbers, field] }).run({ n })
    expect(call(kernels.total, 'list', 5)).toBe(14.5)
    expect(call(kernels.least, 'list', 5)).toBe(-1)
    expect(call(kernels.greatest, 'list', 5)).toBe(9)
    expect(call(kernels.positive, 'list', 5)).toBe(3)
    expect(call(kernels.total, 'one', 1)).toBe(7)
    expect(call(kernels.least, 'one', 0)).toBe(Infinity)
    expect(call(kernels.total, 'one', 0)).toBe(0)
    world.resource(Numbers).one = NaN
    expect(call(kernels.least, 'one', 1)).toBeNaN()
  })

  it('may run in a loop, in defer and in a system', () => {
    const world = testWorld()
    world.spawn(Agent)
    const step = createKernel(world, kernels.add, { a: [Two, 'from'], b: [Two, 'to'] })
    for (const chunk of world.query(Agent)) {
      step.run({ n: 9 })
      const e = world.spawn(Agent)
      // The outer loop is still open.
      expect(world.has(e, Agent)).toBe(false)
      expect(chunk.end).toBe(1)
    }
    world.batch(() => step.run({ n: 9 }))
    const schedule = createSchedule(world).add(() => step.run({ n: 9 }), { name: 'step' })
    schedule.run(1)
    expect([...world.resource(Two).from]).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 3])
    expect(world.query(Agent).count).toBe(2)
  })

  it('that traps is KERNEL_FAILED: what it wrote stays, and the world goes on', () => {
    const world = testWorld()
    const step = createKernel(world, kernels.trap, { time: [Time, 'ticks'] })
    const error = caughtFrom(() => step.run({}))
    expect(error).toBeInstanceOf(StrataError)
    expect(error.code).toBe('KERNEL_FAILED')
    expect(error.message).toMatch(
      /^kernel\.run: the kernel trap \(ground\.kernel\.ts\) failed with "unreachable"/,
    )
    expect(error.cause).toBeInstanceOf(WebAssembly.RuntimeError)
    expect(world.resource(Time).ticks).toBe(1)
    // A locked world would let it wait.
    expect(world.has(world.spawn(Agent), Agent)).toBe(true)
  })

  it('takes its scalars as query.run does', () => {
    const world = testWorld()
    const step = createKernel(world, kernels.add, { a: [Two, 'from'], b: [Two, 'to'] })
    const refused = (scalars: unknown) => caughtFrom(() => step.run(scalars as never)).message
    expect(refused(undefined)).toContain(
      'kernel.run: the kernel add (ground.kernel.ts) takes its scalars as an object',
    )
    expect(refused({ n: -1 })).toContain("a whole number from 0 to 4294967295 (u32) for 'n', not -1")
    expect([...world.resource(Two).from]).toEqual(Array(9).fill(0))
  })
})

describe('each kind of kernel has its own run', () => {
  it('which the other names', () => {
    const world = testWorld()
    world.spawn(Agent)
    const step = createKernel(world, kernels.add, { a: [Two, 'from'], b: [Two, 'to'] })
    const tally = createKernel(world, kernels.tally, { time: [Time, 'ticks'] })
    const wrong = [caughtFrom(() => world.query(Agent).run(step, { n: 1 })), caughtFrom(() => tally.run({}))]
    for (const error of wrong) {
      expect(error).toBeInstanceOf(TypeError)
      expect(error.code).toBe('INVALID_BINDING')
    }
    expect(wrong.map(({ message }) => message)).toEqual([
      'query.run: the kernel add (ground.kernel.ts) has no rows: call it once, with kernel.run.',
      'kernel.run: the kernel tally (ground.kernel.ts) takes rows: run it over those of a query, with query.run.',
    ])
    expect([...world.resource(Two).from]).toEqual(Array(9).fill(0))
    expect(world.resource(Time).ticks).toBe(0)
  })
})

describe('binding a resource', () => {
  it('creates it with its defaults if it is missing, and leaves it as it is if it exists', () => {
    const world = testWorld()
    const Clock = resource('Clock', { ticks: u32.default(40) })
    expect(world.hasResource(Clock)).toBe(false)
    const tally = createKernel(world, kernels.tally, { time: [Clock, 'ticks'] })
    expect(world.getResource(Clock)).toEqual({ ticks: 40 })
    world.spawn(Agent)
    world.query(Agent).run(tally, {})
    createKernel(world, kernels.tally, { time: [Clock, 'ticks'] })
    expect(world.getResource(Clock)).toEqual({ ticks: 41 })
  })

  it('creates all that are missing or none', () => {
    // More than any memory has.
    const world = testWorld({ memory: { maximum: 2 ** 20 } })
    const [Small, Large] = [resource('Small', { x: vec(f32, 3) }), resource('Large', { x: vec(f32, 3500) })]
    world.resource(Large)
    world.removeResource(Large)
    leaveFree(world, 12)
    expect(freeBytes(world)).toBeLessThan(16 * 1024)
    const bind = () => createKernel(world, kernels.add, { a: [Small, 'x'], b: [Large, 'x'] })
    expect(bind).toThrow(LimitError)
    expect(world.hasResource(Small)).toBe(false)
    expect(world.hasResource(Large)).toBe(false)
    world.setResource(Small, { x: [1, 2, 3] })
    expect(bind).toThrow(LimitError)
    // What was there before stays.
    expect(world.resource(Small).x[2]).toBe(3)
    checkInvariants(world)
  })
})

describe('a resource that a kernel is bound to', () => {
  function bound(options = {}) {
    const world = testWorld(options)
    world.spawn(Agent)
    const step = createKernel(world, kernels.add, { a: [Two, 'from'], b: [Two, 'to'] })
    const tally = createKernel(world, kernels.tally, { time: [Time, 'ticks'] })
    return { world, step, tally, query: world.query(Agent) }
  }

  it('is reported missing after it was removed, before anything runs', () => {
    const { world, step, tally, query } = bound()
    world.removeResource(Two)
    world.removeResource(Time)
    const errors = [caughtFrom(() => step.run({ n: 1 })), caughtFrom(() => query.run(tally, {}))]
    for (const error of errors) {
      expect(error).toBeInstanceOf(StrataError)
      expect(error.code).toBe('MISSING_RESOURCE')
    }
    expect(errors.map(({ message }) => message)).toEqual([
      "kernel.run: the kernel add (ground.kernel.ts) has 'a' bound to the resource Two, which is not there any more: make it again, with world.resource(Two), before the run.",
      "query.run: the kernel tally (ground.kernel.ts) has 'time' bound to the resource Time, which is not there any more: make it again, with world.resource(Time), before the run.",
    ])
    expect(world.hasResource(Two)).toBe(false)
    expect(world.has(world.spawn(Agent), Agent)).toBe(true)
  })

  it('is found after it was created again, elsewhere', () => {
    const { world, step, tally, query } = bound()
    query.run(tally, {})
    for (const declaration of [Two, Time]) world.removeResource(declaration)
    // Something else takes the place.
    world.resource(Numbers)
    world.resource(resource('Other', { x: u32 }))
    world.setResource(Two, { to: [9, 0, 0, 0, 0, 0, 0, 0, 0] })
    world.resource(Time)
    step.run({ n: 2 })
    expect(query.run(tally, {})).toBe(1)
    expect([...world.resource(Two).from]).toEqual([10, 1, 0, 0, 0, 0, 0, 0, 0])
    expect([...world.resource(Numbers).list]).toEqual([0, 0, 0, 0, 0])
    checkInvariants(world)
  })

  it('is found after the memory has grown', () => {
    const { world, step, tally, query } = bound({ memory: { initial: 2 ** 20 } })
    query.run(tally, {})
    const { bytesReserved } = world.stats()
    spawnMany(world, 100_000, [Agent])
    expect(world.stats().bytesReserved).toBeGreaterThan(bytesReserved)
    step.run({ n: 1 })
    query.run(tally, {})
    expect(world.resource(Two).from[0]).toBe(1)
    expect(world.resource(Time).ticks).toBe(100_002)
  })

  it('is created again only by the program after a reset', () => {
    const { world, step, tally, query } = bound()
    query.run(tally, {})
    resetWorld(world)
    expect(caughtFrom(() => step.run({ n: 1 })).code).toBe('MISSING_RESOURCE')
    // Ids of components are given anew, to others first.
    world.resource(Numbers)
    world.resource(Two)
    world.resource(Time)
    world.spawn(Agent)
    step.run({ n: 1 })
    expect(query.run(tally, {})).toBe(1)
    expect(world.resource(Two).from[0]).toBe(1)
    checkInvariants(world)
  })

  it('counts as changed when the kernel may write it, and has run', () => {
    const { world, step, tally, query } = bound()
    world.resource(Numbers)
    const ticks = () => [Two, Time, Numbers].map((declaration) => resourceTickOf(world, declaration))
    expect(ticks()).toEqual([1, 1, 1])
    world.advanceTick()
    step.run({ n: 0 })
    expect(ticks()).toEqual([2, 1, 1])
    world.advanceTick()
    query.run(tally, {})
    expect(ticks()).toEqual([2, 3, 1])
    world.advanceTick()
    createKernel(world, kernels.total, { values: [Numbers, 'list'] }).run({ n: 5 })
    world.query(Agent, Mark).run(tally, {})
    // One that is only read, and one that no row let the kernel reach.
    expect(ticks()).toEqual([2, 3, 1])
  })
})
