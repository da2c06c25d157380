// Shows that a kernel meets exactly the rows that a JavaScript loop over the same query would: twin worlds do the same, one by
// kernel, one by loop, and their memories are compared byte by byte, change ticks included.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CORE_START,
  KERNEL_ARGUMENTS_ADDRESS,
  KERNEL_ARGUMENTS_BYTES,
  LIST_ADDRESS,
  LIST_HANDLES,
  MASK_ADDRESS,
  MASK_BYTES,
  SCRATCH_ADDRESS,
  SCRATCH_BYTES,
} from '../../build/layout'
import {
  type BoundKernel,
  type Query,
  type World,
  createKernel,
  createGroup,
  internText,
  onSet,
  sparse,
  spawnMany,
  stable,
  StrataError,
  added,
  any,
  bool,
  changed,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  not,
  optional,
  tag,
  text,
  toggle,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { caughtFrom } from '../support/caught'
import { changeTickOf } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { kernelsOf } from '../support/kernels'
import { proofLength } from '../support/proofs'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED } from '../support/storages'
import { isChecked, isDivided, isShared, isSteady, testWorld } from '../support/world'

const kernels = await kernelsOf(`
export function mix(rows: Rows, n: Column<u32>, who: Entities, x: Column<f32>, y: ReadonlyColumn<f32>, salt: u32): Count {
  let odd: u32 = 0
  for (let i = rows.start; i < rows.end; i++) {
    n[i] = n[i] * 3 + who[i] + salt
    x[i] += y[i]
    odd += n[i] & 1
  }
  return odd
}
export function total(rows: Rows, x: ReadonlyColumn<f64>): Sum<f64> {
  let sum: f64 = 0
  for (let i = rows.start; i < rows.end; i++) sum += x[i]
  return sum
}
export function least(rows: Rows, x: ReadonlyColumn<f64>): Min<f64> {
  let found: f64 = Infinity
  for (let i = rows.start; i < rows.end; i++) found = min(found, x[i])
  return found
}
export function greatest(rows: Rows, x: ReadonlyColumn<f64>): Max<f64> {
  let found: f64 = -Infinity
  for (let i = rows.start; i < rows.end; i++) found = max(found, x[i])
  return found
}
export function count(rows: Rows): Count {
  return rows.end - rows.start
}
export function kinds(rows: Rows, a: Column<i8>, b: Column<u8>, c: Column<i16>, d: Column<u16>, e: Column<i32>,
    f: Column<u32>, g: Column<f32>, h: Column<f64>, on: Column<bool>, who: Column<Entity>, name: Column<Text>,
    handles: Entities, label: u32): void {
  for (let i = rows.start; i < rows.end; i++) {
    a[i] -= 1
    b[i] += 1
    c[i] -= 2
    d[i] += 2
    e[i] -= 3
    f[i] += 3
    g[i] += 0.5
    h[i] += 0.25
    on[i] = !on[i]
    who[i] = handles[i]
    name[i] = label
  }
}
export function rotate(rows: Rows, p: Vec3Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) {
    const first = p[i][0]
    p[i][0] = p[i][1]
    p[i][1] = p[i][2]
    p[i][2] = first
  }
}
export function increase(rows: Rows, n: Column<u32>): void {
  for (let i = rows.start; i < rows.end; i++) n[i] += 1
}
export function look(rows: Rows, n: ReadonlyColumn<u32>): Sum<u32> {
  let sum: u32 = 0
  for (let i = rows.start; i < rows.end; i++) sum += n[i]
  return sum
}
/** Traps in the chunk whose first row is 7. */
export function trap(rows: Rows, n: Column<u32>): void {
  if (n[rows.start] == 7) unreachable()
  for (let i = rows.start; i < rows.end; i++) n[i] += 1
}
function descend(n: Column<u32>, depth: u32): u32 {
  n[0] = depth
  return depth == 0 ? 0 : descend(n, depth + 1) + n[0]
}
export function recurse(rows: Rows, n: Column<u32>): void {
  n[0] = descend(n, 1)
}
`)
const SCHEMA = { n: u32, x: f32, y: f32 }
const Place = component('Place', SCHEMA, { trackChanges: 'row' })
const Extra = component('Extra', { ...SCHEMA, name: text }, { toggle })
const Plain = component('Plain', SCHEMA)
const Health = component('Health', SCHEMA, { storage: sparse, toggle })
const Fixed = component('Fixed', SCHEMA, { storage: stable, trackChanges: 'row' })
const Body = component('Body', SCHEMA, { storage: sparse })
const Speed = component('Speed', { ...SCHEMA, wide: f64 }, { storage: sparse, trackChanges: 'row' })
const Mark = tag('Mark')
const Picked = tag('Picked', { order: 'insertion' })

const COMPONENTS = [Place, Extra, Plain, Health, Fixed, Body, Speed]
type Mixed = (typeof COMPONENTS)[number]
const KINDS = [...COMPONENTS, Mark, Picked]
const SWITCHES = [Extra, Health]

/** Queries of every kind, with the component that is written and the one that is read. */
const SHAPES: readonly (readonly [name: string, (world: World) => Query<any, any>, Mixed, Mixed])[] = [
  ['a table', (world) => world.query(Place), Place, Place],
  ['two tables', (world) => world.query(Plain, Place, optional(Health)), Plain, Place],
  ['a toggle', (world) => world.query(Place, Extra), Place, Extra],
  ['an excluded toggle', (world) => world.query(Plain, not(Extra)), Plain, Plain],
  ['a sparse term', (world) => world.query(Place, Health), Place, Place],
  ['an excluded sparse term', (world) => world.query(Place, not(Fixed), not(Mark)), Place, Place],
  ['a pool', (world) => world.query(Health), Health, Health],
  ['a pool with a tag', (world) => world.query(Body, not(Mark)), Body, Body],
  ['a stable pool', (world) => world.query(Fixed), Fixed, Fixed],
  ['a group', (world) => world.query(Body, Speed), Speed, Body],
  [
    'alternatives that share a component',
    (world) => world.query(Place, any(Extra, Health), any(Health, not(Mark))),
    Place,
    Place,
  ],
  ['two that must not be there', (world) => world.query(Plain, not(Fixed, Extra)), Plain, Plain],
  ['an order', (world) => world.query(Picked, Place, Plain), Place, Plain],
  ['what changed, by row', (world) => world.query(changed(Place), Plain), Plain, Place],
  ['what changed, written on', (world) => world.query(changed(Place)), Place, Place],
  ['what changed, by chunk', (world) => world.query(changed(Extra), Place), Place, Extra],
  ['what came, in a stable pool', (world) => world.query(added(Fixed)), Fixed, Fixed],
  ['what changed elsewhere', (world) => world.query(Plain, changed(Health)), Plain, Plain],
]

/** A world, its queries in the order of SHAPES, and what has ever been in it. */
class Twin {
  readonly world = testWorld({ memory: { initial: 2 ** 21 } })
  readonly queries: Query<any, any>[]
  readonly handles: number[] = []
  private readonly steps: BoundKernel<{ salt: number }, number>[]

  constructor() {
    createGroup(this.world, Body, Speed)
    this.queries = SHAPES.map(([, make]) => make(this.world))
    // In both worlds, so that both know the same components in the same order.
    this.steps = SHAPES.map(([, , C, D]) => bindMix(this.world, C, D))
  }

  change([kind, a, b]: readonly [number, number, number]): void {
    const { world, handles } = this
    const e = handles[b % Math.max(1, handles.length)] ?? 0
    const named = KINDS.filter((_, k) => (a >> k) & 1)
    const values = (seed: number) =>
      named.map((C) => (C === Mark || C === Picked ? C : (C as typeof Place)({ n: seed, y: seed & 7 })))
    if (kind === 0) handles.push(world.spawn(...values(b)))
    else if (kind === 1) {
      const first = handles.length
      handles.push(...spawnMany(world, b % 700, values(a)))
      for (let i = first; i < handles.length; i++)
        if (named.includes(Place)) world.set(handles[i], Place, { n: i * 7, x: i & 3 })
    } else if (kind === 2) world.destroy(e)
    else if (kind === 3 && world.isAlive(e)) world.add(e, ...values(b))
    else if (kind === 4) world.remove(e, ...named)
    else if (kind === 5)
      handles.forEach((handle, i) => i % (1 + (b % 5)) || world.disable(handle, SWITCHES[a & 1]))
    else if (kind === 6) for (const handle of handles) world.enable(handle, SWITCHES[a & 1])
    else if (kind === 7 && world.isAlive(e)) world.set(e, Place, { n: b })
    else if (kind === 8) world.advanceTick()
    else if (kind === 9) for (let i = b % 3; i < handles.length; i += 3) world.destroy(handles[i])
  }

  /** The query of a shape, narrowed in one of several ways. */
  private narrowed(shape: number, a: number, b: number): Query<any, any> {
    const query = this.queries[shape]
    const [, , C] = SHAPES[shape]
    const where = () =>
      (query as Query<[typeof Place]>).where(C as typeof Place, 'n', a & 8 ? '>' : '<=', b * 997)
    switch (a % 6) {
      case 1:
        return where()
      case 2:
        return where().where(C as typeof Place, 'x', '!=', 2)
      case 3:
        return query.slice(b % 100, (b % 100) + ((a * b) % 1500))
      case 4:
        return query.partition(b % 3, 3)
      case 5:
        return where().slice(b % 10, (b % 10) + (a % 900))
      default:
        return query
    }
  }

  runKernel(shape: number, a: number, b: number): number {
    return this.narrowed(shape, a, b).run(this.steps[shape], { salt: b })
  }

  runLoop(shape: number, a: number, b: number): number {
    const [, , C, D] = SHAPES[shape]
    return mixInLoop(this.narrowed(shape, a, b), C, D, b)
  }

  /**
   * All of memory but page 0 and what is good for one call: the arguments of kernels, and the mask. Over a group that
   * mask also tells about rows of the chunk which the loop has met before, and written, while a kernel writes later.
   */
  bytes(): Buffer {
    const { memory } = (this.world as unknown as { state: { core: { memory: WebAssembly.Memory } } }).state
      .core
    const copy = Buffer.from(memory.buffer.slice(CORE_START))
    const blank = (first: number, bytes: number) =>
      copy.fill(0, first - CORE_START, first - CORE_START + bytes)
    blank(LIST_ADDRESS, LIST_HANDLES * 4)
    blank(MASK_ADDRESS, MASK_BYTES)
    // There each thread has its arguments.
    if (isDivided) blank(SCRATCH_ADDRESS, SCRATCH_BYTES)
    return blank(KERNEL_ARGUMENTS_ADDRESS, KERNEL_ARGUMENTS_BYTES)
  }
}

function bindMix(world: World, C: Mixed, D: Mixed): BoundKernel<{ salt: number }, number> {
  return createKernel(world, kernels.mix, { n: [C, 'n'], x: [C, 'x'], y: [D, 'y'] }) as never
}

/** What the kernel mix does, as a loop over chunks. */
function mixInLoop(query: Query<any, any>, C: Mixed, D: Mixed, salt: number): number {
  let odd = 0
  for (const chunk of query as Query<[typeof Place, typeof Plain]>) {
    const { n, x } = chunk.write(C as typeof Place)
    const { y } = chunk.read(D as typeof Place)
    for (let i = chunk.start; i < chunk.end; i++) {
      n[i] = Math.imul(n[i], 3) + chunk.entities[i] + salt
      x[i] += y[i]
      odd += n[i] & 1
    }
  }
  return odd
}

const isLocked = (world: World) => {
  const before = world.stats().entities
  const e = world.spawn(Mark)
  const locked = world.has(e, Mark) === false
  if (!locked) world.destroy(e)
  return locked || world.stats().entities !== before
}

describe('a kernel and a loop', () => {
  it.each(SHAPES.map(([name], shape) => [name, shape] as const))('agree over %s', (_, shape) => {
    const [byKernel, byLoop] = [new Twin(), new Twin()]
    for (const twin of [byKernel, byLoop]) {
      for (let i = 0; i < 12; i++) twin.change([1, (i * 41 + 1) & 511, 300 + 97 * i])
      twin.change([5, 0, 2])
      twin.change([5, 1, 3])
      twin.change([9, 0, 1])
      for (let i = 0; i < 300; i++) twin.change([3, 1 << (i % 9), i * 31])
    }
    let met = 0
    for (let way = 0; way < 6; way++) {
      for (const twin of [byKernel, byLoop])
        for (let i = 0; i < 40; i++) twin.change([7, 0, way * 50 + i * 13])
      const odd = byKernel.runKernel(shape, way, way * 1000)
      expect(odd).toBe(byLoop.runLoop(shape, way, way * 1000))
      expect(byKernel.bytes().equals(byLoop.bytes())).toBe(true)
      met += odd
    }
    expect(met).toBeGreaterThan(0)
    checkInvariants(byKernel.world)
  })

  it('agree over a group whose rows are cut by the chunks of two pools, when a condition reads what is written', () => {
    const [byKernel, byLoop] = [new Twin(), new Twin()]
    for (const twin of [byKernel, byLoop]) {
      twin.change([1, 352, 4176])
      twin.change([0, 58336, 3250])
      twin.change([2, 0, 3433])
    }
    const met = byKernel.runKernel(9, 1, 4)
    expect(met).toBe(byLoop.runLoop(9, 1, 4))
    expect(met).toBeGreaterThan(100)
    expect(byKernel.bytes().equals(byLoop.bytes())).toBe(true)
  })

  it('agree after anything that can happen to a world', () => {
    const number = fc.nat(0xffff)
    const change = fc.tuple(fc.nat(9), number, number)
    const run = fc.tuple(fc.nat(SHAPES.length - 1), number, number)
    const step = fc.record({ changes: fc.array(change, { maxLength: 12 }), run })
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 12 }), (steps) => {
        const [byKernel, byLoop] = [new Twin(), new Twin()]
        for (const { changes, run } of steps) {
          for (const twin of [byKernel, byLoop]) for (const one of changes) twin.change(one)
          expect(byKernel.runKernel(...run)).toBe(byLoop.runLoop(...run))
          expect(byKernel.bytes().equals(byLoop.bytes())).toBe(true)
        }
        byKernel.world.dispose()
        byLoop.world.dispose()
      }),
      { numRuns: proofLength(40) },
    )
  })

  it.each(STORAGES.flatMap((storage) => ROW_COUNTS.map((rows) => [storage, rows] as const)))(
    'agree in %s storage with about %i rows',
    (storage, rows) => {
      const Counted = component('Counted', { n: u32 }, { storage: STORED[storage as 'table'] })
      const world = testWorld()
      spawnMany(world, rows, [Counted({ n: 5 })])
      const query = world.query(Counted)
      query.run(createKernel(world, kernels.increase, { n: [Counted, 'n'] }), {})
      expect(query.run(createKernel(world, kernels.count, {}), {})).toBe(rows)
      let seen = 0
      for (const chunk of query) {
        const { n } = chunk.read(Counted)
        for (let i = chunk.start; i < chunk.end; i++) expect(n[i]).toBe(6)
        seen += chunk.end - chunk.start
      }
      expect(seen).toBe(rows)
      expect(query.run(createKernel(world, kernels.look, { n: [Counted, 'n'] }), {})).toBe(6 * rows)
    },
  )
})

describe('a run', () => {
  it('reaches every kind of field', () => {
    const All = component('All', {
      ...{ a: i8, b: u8, c: i16, d: u16, e: i32, f: u32, g: f32, h: f64, on: bool, who: entity, name: text },
    })
    const world = testWorld()
    const handles = spawnMany(world, 100, [All({ a: -128, b: 255, c: -32768, d: 65535, on: true })])
    const columns = Object.fromEntries(Object.keys(All.schema).map((field) => [field, [All, field] as const]))
    const label = internText(world, 'kernel')
    world.query(All).run(createKernel(world, kernels.kinds, columns as never), { label })
    handles.forEach((handle) =>
      expect(world.get(handle, All)).toEqual({
        ...{
          a: 127,
          b: 0,
          c: 32766,
          d: 1,
          e: -3,
          f: 3,
          g: 0.5,
          h: 0.25,
          on: false,
          who: handle,
          name: 'kernel',
        },
      }),
    )
  })

  it('reaches several numbers a row', () => {
    const Bone = component('Bone', { id: u8, p: vec(f32, 3) })
    const world = testWorld()
    const handles = Array.from({ length: 2000 }, (_, i) => world.spawn(Bone({ p: [i, i + 1, i + 2] })))
    world.query(Bone).run(createKernel(world, kernels.rotate, { p: [Bone, 'p'] }), {})
    handles.forEach((handle, i) =>
      expect(Array.from(world.get(handle, Bone)?.p as Float32Array)).toEqual([i + 1, i + 2, i]),
    )
  })

  it('joins the results of all chunks', () => {
    const Weight = component('Weight', { kg: f64 })
    const world = testWorld()
    const query = world.query(Weight)
    const bind = (kernel: (typeof kernels)[string]) => createKernel(world, kernel, { x: [Weight, 'kg'] })
    const [total, least, greatest] = [bind(kernels.total), bind(kernels.least), bind(kernels.greatest)]
    const counted = createKernel(world, kernels.count, {})
    const all = (over = query) => [total, least, greatest, counted].map((kernel) => over.run(kernel, {}))
    expect(all()).toEqual([0, Infinity, -Infinity, 0])
    for (let i = 0; i < 5000; i++) world.spawn(Weight({ kg: ((i * 7919) % 5000) - 1000.5 }))
    expect(all()).toEqual([(5000 * 4999) / 2 - 5000 * 1000.5, -1000.5, 3998.5, 5000])
    expect(all(query.where(Weight, 'kg', '>', 3900))).toEqual([99 * 3949.5, 3900.5, 3998.5, 99])
    expect(all(query.where(Weight, 'kg', '>', 4000))).toEqual([0, Infinity, -Infinity, 0])
    world.spawn(Weight({ kg: NaN }))
    expect(all()).toEqual([NaN, NaN, NaN, 5001])
  })

  it('marks what it writes, and nothing else', () => {
    const world = testWorld()
    const e = world.spawn(Plain, Extra)
    const before = world.tick
    const movedPlain = world.query(changed(Plain))
    const movedExtra = world.query(changed(Extra))
    for (const query of [movedPlain, movedExtra]) expect([...query].length).toBe(1)
    world.advanceTick()
    world.query(Plain, Extra).run(bindMix(world, Plain, Extra), { salt: 1 })
    expect(changeTickOf(world, e, Plain)).toBe(world.tick)
    expect(changeTickOf(world, e, Extra)).toBe(before)
    expect([movedPlain.count, movedExtra.count]).toEqual([1, 0])
    world.query(Plain, Extra).run(createKernel(world, kernels.look, { n: [Extra, 'n'] }), {})
    expect([movedPlain.count, movedExtra.count]).toEqual([1, 0])
  })

  it.each([
    ['a table', Place],
    ['a stable pool', Fixed],
    ['a group', Speed],
  ] as const)('marks only the rows it covers where they are tracked, in %s', (_, C) => {
    const world = testWorld()
    createGroup(world, Body, Speed)
    const handles = Array.from({ length: 3000 }, (_, n) => world.spawn((C as typeof Place)({ n }), Body))
    const query = (C === Speed ? world.query(Body, Speed) : world.query(C)) as Query<[typeof Place]>
    const moved = world.query(changed(C))
    expect(moved.entities().length).toBe(3000)
    query
      .where(C as typeof Place, 'n', '<', 1000)
      .run(createKernel(world, kernels.increase, { n: [C, 'n'] }), {})
    expect([...moved.entities()]).toEqual(handles.slice(0, 1000))
    query.slice(1500, 2_200).run(createKernel(world, kernels.increase, { n: [C, 'n'] }), {})
    expect([...moved.entities()]).toEqual(handles.slice(1500, 2200))
  })

  it('counts as a look at the changes, unless it failed or looked at a page', () => {
    const world = testWorld()
    const e = world.spawn(Plain({ n: 7 }))
    const step = createKernel(world, kernels.trap, { n: [Plain, 'n'] })
    const moved = world.query(changed(Plain))
    expect(caughtFrom(() => moved.run(step, {})).code).toBe('KERNEL_FAILED')
    expect(moved.count).toBe(1)
    world.set(e, Plain, { n: 1 })
    moved.slice(0, 5).run(step, {})
    expect(moved.count).toBe(1)
    moved.run(step, {})
    expect(moved.count).toBe(0)
    expect(world.get(e, Plain)?.n).toBe(3)
  })

  it('works inside a loop, where queued changes stay queued', () => {
    const world = testWorld()
    const first = world.spawn(Plain)
    const step = createKernel(world, kernels.increase, { n: [Plain, 'n'] })
    const query = world.query(Plain)
    for (const chunk of query) {
      const second = world.spawn(Plain)
      query.run(step, {})
      expect(world.has(second, Plain)).toBe(false)
      expect(chunk.read(Plain).n[0]).toBe(1)
      query.run(step, {})
    }
    expect([...query.entities()].map((handle) => world.get(handle, Plain)?.n)).toEqual([2, 0])
    world.batch(() => {
      world.destroy(first)
      query.run(step, {})
    })
    expect([...query.entities()].map((handle) => world.get(handle, Plain)?.n)).toEqual([1])
  })

  it('works in a loop over a query that is planned there, and over one that can match nothing', () => {
    const Late = component('Late', { n: u32 })
    const world = testWorld()
    world.spawn(Plain)
    const step = createKernel(world, kernels.increase, { n: [Plain, 'n'] })
    const counted = createKernel(world, kernels.count, {})
    world.batch(() => {
      world.query(Plain, not(Late)).run(step, {})
      expect(world.query(Plain, Late).run(counted, {})).toBe(0)
      expect(world.query(Plain, optional(Late)).run(counted, {})).toBe(1)
    })
    expect(world.get(world.query(Plain).single(), Plain)?.n).toBe(1)
  })

  it('calls no onSet listener', () => {
    const world = testWorld()
    let heard = 0
    onSet(world, Plain, () => heard++)
    world.spawn(Plain)
    heard = 0
    world.query(Plain).run(createKernel(world, kernels.increase, { n: [Plain, 'n'] }), {})
    expect(heard).toBe(0)
  })
})

describe('a query without the columns of a kernel', () => {
  const refused: [string, (world: World) => Query<any, any>][] = [
    ['not in it', (world) => world.query(Plain)],
    ['optional', (world) => world.query(Plain, optional(Place), optional(Health))],
    ['excluded', (world) => world.query(Plain, not(Place), not(Health))],
  ]

  it.each(refused)('throws NOT_A_COLUMN for a component that is %s', (_, make) => {
    const world = testWorld()
    const e = world.spawn(Plain({ n: 1 }))
    for (const C of [Place, Health]) {
      const step = createKernel(world, kernels.mix, { n: [Plain, 'n'], x: [Plain, 'x'], y: [C, 'y'] })
      const error = caughtFrom(() => make(world).run(step, { salt: 1 }))
      expect(error).toBeInstanceOf(TypeError)
      expect(error.code).toBe('NOT_A_COLUMN')
      expect(error.message).toContain(`'y' bound to ${C.componentName}`)
    }
    expect(world.get(e, Plain)?.n).toBe(1)
    expect(isLocked(world)).toBe(false)
  })

  it('throws NOT_A_COLUMN for sparse components beside a table or each other, unless they are a group', () => {
    const world = testWorld()
    world.spawn(Plain, Health, Body, Speed)
    const step = createKernel(world, kernels.increase, { n: [Body, 'n'] })
    expect(caughtFrom(() => world.query(Plain, Body).run(step, {})).code).toBe('NOT_A_COLUMN')
    expect(caughtFrom(() => world.query(Body, Speed).run(step, {})).code).toBe('NOT_A_COLUMN')
    createGroup(world, Body, Speed)
    world.query(Body, Speed).run(step, {})
    expect(caughtFrom(() => world.query(Body, Speed, not(Mark)).run(step, {})).code).toBe('NOT_A_COLUMN')
    world.query(Body).run(step, {})
    expect(world.get(world.query(Body).single(), Body)?.n).toBe(2)
  })
})

describe('a kernel that fails', () => {
  it('is named in KERNEL_FAILED, with the cause; the world is unlocked and later runs work', () => {
    const world = testWorld()
    const query = world.query(Plain)
    spawnMany(world, 2000, [Plain])
    const handles = query.entities()
    world.set(handles[1500], Plain, { n: 7 })
    const step = createKernel(world, kernels.trap, { n: [Plain, 'n'] })
    const from = query.where(Plain, 'n', '==', 7)
    const error = caughtFrom(() => from.run(step, {}))
    expect(error).toBeInstanceOf(StrataError)
    expect(error.code).toBe('KERNEL_FAILED')
    expect(error.message).toContain('trap (test.kernel.ts)')
    expect(error.cause).toBeInstanceOf(WebAssembly.RuntimeError)
    expect(isLocked(world)).toBe(false)
    world.set(handles[1500], Plain, { n: 0 })
    query.run(step, {})
    handles.forEach((handle) => expect(world.get(handle, Plain)?.n).toBe(1))
    checkInvariants(world)
  })

  it('leaves an outer loop as it is', () => {
    const world = testWorld()
    world.spawn(Plain({ n: 7 }))
    const step = createKernel(world, kernels.trap, { n: [Plain, 'n'] })
    world.batch(() => {
      const e = world.spawn(Plain)
      expect(caughtFrom(() => world.query(Plain).run(step, {})).code).toBe('KERNEL_FAILED')
      expect(world.has(e, Plain)).toBe(false)
    })
    expect(world.query(Plain).count).toBe(2)
  })

  it('may be one in a group, and one that used up the stack', () => {
    const world = testWorld()
    createGroup(world, Body, Speed)
    world.spawn(Body({ n: 7 }), Speed)
    const query = world.query(Body, Speed)
    expect(caughtFrom(() => query.run(createKernel(world, kernels.trap, { n: [Body, 'n'] }), {})).code).toBe(
      'KERNEL_FAILED',
    )
    const error = caughtFrom(() => query.run(createKernel(world, kernels.recurse, { n: [Body, 'n'] }), {}))
    expect(error.code).toBe('KERNEL_FAILED')
    expect(error.cause).toBeInstanceOf(RangeError)
    query.run(createKernel(world, kernels.increase, { n: [Body, 'n'] }), {})
    expect(isLocked(world)).toBe(false)
  })

  // A shared memory that grows detaches nothing.
  it.runIf(isSteady && !isShared).each([1, 40])(
    'is reported when the memory has grown by %i pages, and the world goes on',
    (pages) => {
      const world = testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 22 } })
      const { memory } = (world as unknown as { state: { core: { memory: WebAssembly.Memory } } }).state.core
      spawnMany(world, 2000, [Plain({ n: 1 })])
      const query = world.query(Plain)
      const step = createKernel(world, kernels.increase, { n: [Plain, 'n'] })
      query.run(step, {})
      // No module that can grow the memory passes the check, so something else stands in for one.
      const { loaded } = step as unknown as { loaded: { start: (address: number, count: number) => void } }
      const { start } = loaded
      loaded.start = (address, count) => {
        start(address, count)
        memory.grow(pages)
      }
      const error = caughtFrom(() => query.run(step, {}))
      loaded.start = start
      expect(error.code).toBe('KERNEL_FAILED')
      expect(error.message).toContain('grew the memory')
      const read = () => [...query.entities()].map((handle) => world.get(handle, Plain)?.n)
      const [first] = query
      const rows = first.end
      expect(rows).toBeLessThan(2000)
      for (const chunk of query) chunk.read(Plain)
      // What the one call was for was written: with a guard the first chunk, without one all.
      const reached = isChecked ? rows : 2000
      expect(read()).toEqual(Array.from({ length: 2000 }, (_, i) => (i < reached ? 3 : 2)))
      // All of the memory can be used up to its maximum, what the kernel took included.
      expect(() => {
        for (;;) spawnMany(world, 1000, [Plain({ n: 9 })])
      }).toThrow(expect.objectContaining({ code: 'MEMORY_LIMIT' }))
      expect(world.stats().bytesReserved).toBe(memory.buffer.byteLength)
      expect(memory.buffer.byteLength).toBeGreaterThan(3.5 * 2 ** 20)
      checkInvariants(world)
      query.run(step, {})
      expect(new Set(read())).toEqual(new Set(isChecked ? [3, 4, 10] : [4, 10]))
    },
  )
})
