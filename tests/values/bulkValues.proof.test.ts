// Shows that values which a call gives to many entities arrive in each of them and nowhere else, however their rows lie.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  any,
  bool,
  cascade,
  changed,
  cloneMany,
  component,
  destroyMany,
  digestWorld,
  entity,
  f32,
  f64,
  i16,
  i8,
  not,
  optional,
  relation,
  sparse,
  spawnMany,
  spawnManyAt,
  tag,
  text,
  toggle,
  u32,
  u8,
  vec,
  type Query,
  type World,
} from '../../bindings/index'
import { ROW_COUNTS } from '../support/rowCounts'
import { seededRandom, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

/** Rows from which on a run is filled by columns, and a few more. */
const RUNS = [6, 7, 8, 9, 10]

const Mark = tag('Mark')
const Switch = tag('Switch', { toggle })
const Hidden = tag('Hidden', { excludeFromQueries: true })
const Pooled = component('Pooled', { n: u32 }, { storage: sparse })
const ChildOf = relation('ChildOf', { exclusive: true })

describe.each(STORAGES)('Shared values of a %s component', (storage) => {
  const Kinds = component(
    'Kinds',
    {
      a: f32,
      b: f64,
      c: i8,
      d: u8,
      e: i16,
      f: u32,
      on: bool.default(true),
      who: entity,
      name: text,
      at: vec(f32, 3),
      flags: vec(bool, 2),
    },
    { storage: STORED[storage], trackChanges: 'row' },
  )
  const Beside = component('Beside', { n: u32.default(3), half: f32 })
  const given = {
    a: 0.5,
    b: 0.1,
    c: -3,
    d: 200,
    e: -300,
    f: 4_000_000_000,
    on: false,
    who: 77,
    name: 'Ada',
    at: [1, 2, 3],
    flags: [true, false],
  }
  const stored = { ...given, at: Float32Array.of(1, 2, 3), flags: Uint8Array.of(1, 0) }
  const usual = {
    a: 0,
    b: 0,
    c: 0,
    d: 0,
    e: 0,
    f: 0,
    on: true,
    who: 0xffffffff,
    name: '',
    at: new Float32Array(3),
    flags: new Uint8Array(2),
  }
  const values = () => Kinds(given as never)

  /** Says of every handle what it must have; `undefined` for what must lack the component. */
  function expectAll(world: World, handles: ArrayLike<number>, expected: (i: number) => unknown): void {
    for (let i = 0; i < handles.length; i++)
      expect(world.get(handles[i] as number, Kinds)).toEqual(expected(i))
  }

  it.each([...new Set([...ROW_COUNTS, ...RUNS])])('are in all of %i new entities', (count) => {
    const world = watchedWorld()
    const before = spawnMany(world, 3, [Kinds, Beside])
    const made = spawnMany(world, count, [values(), Beside({ half: 0.25 })])
    expectAll(world, made, () => stored)
    expectAll(world, before, () => usual)
    for (const handle of made) expect(world.get(handle, Beside)).toEqual({ n: 3, half: 0.25 })
    for (const handle of before) expect(world.get(handle, Beside)).toEqual({ n: 3, half: 0 })
    destroyMany(world, made)
    spawnManyAt(world, made, [values()])
    expectAll(world, made, () => stored)
    expectAll(world, before, () => usual)
  })

  it.each(RUNS)('are written to runs of %i rows, and not to the rows between', (length) => {
    const world = watchedWorld()
    const handles = spawnMany(world, 20 * length, [Kinds])
    const isGiven = (i: number) => Math.floor(i / length) % 2 === 1
    expect(
      addMany(
        world,
        handles.filter((_, i) => isGiven(i)),
        values(),
      ),
    ).toBe(10 * length)
    expectAll(world, handles, (i) => (isGiven(i) ? stored : usual))
  })

  it('are written to entities in any order, whether they have the component or not, and to no others', () => {
    const random = seededRandom(5)
    const world = watchedWorld()
    const handles = spawnMany(world, 400, [Beside])
    addMany(
      world,
      handles.filter(() => random() < 0.5),
      Kinds,
    )
    destroyMany(
      world,
      handles.filter(() => random() < 0.1),
    )
    const had = Array.from(handles, (handle) => world.has(handle, Kinds))
    const chosen = handles.filter(() => random() < 0.5).sort(() => random() - 0.5)
    const isChosen = new Set(chosen)
    const living = chosen.filter((handle) => world.isAlive(handle))
    expect(addMany(world, chosen, values(), Beside({ n: 9 }))).toBe(living.length)
    handles.forEach((handle, i) => {
      const lives = world.isAlive(handle)
      expect(world.get(handle, Kinds)).toEqual(
        !lives ? undefined : isChosen.has(handle) ? stored : had[i] ? usual : undefined,
      )
      expect(world.get(handle, Beside)?.n).toBe(!lives ? undefined : isChosen.has(handle) ? 9 : 3)
    })
  })

  it.each(ROW_COUNTS)(
    'are written to all %i that a query finds, and leave fields that were not given',
    (count) => {
      const world = watchedWorld()
      const handles = spawnMany(world, count, [Beside])
      const some = handles.filter((_, i) => i % 3 === 0)
      addMany(world, some, values())
      expect(addMany(world.query(Beside), Kinds({ a: 8, name: 'Bob' }))).toBe(count)
      expectAll(world, handles, (i) => ({ ...(i % 3 === 0 ? stored : usual), a: 8, name: 'Bob' }))
    },
  )

  const QUERIES: Record<string, (world: World) => Query<any, any>> = {
    'of required components': (world) => world.query(Beside),
    'of optional ones': (world) => world.query(Beside, optional(Kinds)),
    'that matches no longer': (world) => world.query(Beside, not(Kinds)),
    'of alternatives': (world) => world.query(any(Kinds, Mark), Beside),
    'that asks for what changed': (world) => world.query(changed(Beside)),
    'with a condition': (world) => world.query(Beside).where(Beside, 'n', '>', 40),
    'over a pool': (world) => world.query(Pooled),
    'over a part of a pool': (world) => world.query(Pooled, Beside, Mark),
    'that asks for what is switched on': (world) => world.query(Beside, Switch),
    'down a tree': (world) => world.query(Beside, cascade(ChildOf)),
    'of one page': (world) => world.query(Beside).slice(1, 101),
    'that a tag keeps entities from': (world) => world.query(Beside, Mark),
  }

  it.each(Object.keys(QUERIES))('are written to what a query %s finds, and to nothing else', (form) => {
    const build = () => {
      const world = watchedWorld()
      const handles = spawnMany(world, 300, [Beside])
      handles.forEach((handle, n) => {
        world.set(handle, Beside, { n })
        if (n % 3 === 0) world.add(handle, Mark)
        if (n % 4 === 1) world.add(handle, Pooled)
        if (n % 5 === 2) world.add(handle, Kinds)
        if (n % 2 === 0) world.add(handle, Switch)
        if (n % 10 === 0) world.disable(handle, Switch)
        if (n > 9) world.add(handle, ChildOf(handles[(n / 7) | 0] as never))
        if (form === 'that a tag keeps entities from' && n % 6 === 0) world.add(handle, Hidden)
      })
      return world
    }
    const [bulk, single] = [build(), build()]
    const find = QUERIES[form] as (typeof QUERIES)[string]
    const expected = [...(find(single).entities() as unknown as Iterable<number>)]
    expect(expected.length).toBeGreaterThan(20)
    expect(addMany(find(bulk), values() as never)).toBe(expected.length)
    for (const handle of expected) single.add(handle, values())
    expect(digestWorld(bulk)).toBe(digestWorld(single))
  })

  it.each(ROW_COUNTS)('are in all of %i copies', (count) => {
    const world = watchedWorld()
    const source = world.spawn(Kinds({ b: 4 }), Beside)
    const copies = cloneMany(world, source, count, values())
    expectAll(world, copies, () => stored)
    expect(world.get(source, Kinds)).toEqual({ ...usual, b: 4 })
  })

  it('mark the rows that were given some, and no others', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 100, [Kinds])
    const query = world.query(changed(Kinds))
    query.entities()
    addMany(world, handles.subarray(10, 50), Kinds({}))
    expect([...query.entities()]).toEqual([...handles.subarray(10, 50)])
    addMany(world, handles.subarray(3, 6), Kinds({ a: 1 }))
    expect([...query.entities()]).toEqual([...handles.subarray(3, 6)])
    addMany(world, handles, Kinds)
    expect(query.count).toBe(0)
  })

  it('are written after a loop that was open, together with links that have values', () => {
    const Likes = relation('Likes', { much: u8 }, { exclusive: true })
    const world = watchedWorld()
    const target = world.spawn()
    let made: ArrayLike<number> = []
    world.batch(() => {
      made = spawnMany(world, 20, [values(), Likes(target, { much: 3 }), Beside({ n: 1 })])
      expect(world.has(made[0] as number, Kinds)).toBe(false)
    })
    expectAll(world, made, () => stored)
    expect([...world.sources(target, Likes)]).toEqual([...Array.from(made)])
    expect(world.get(made[19] as number, Likes)).toEqual({ much: 3 })
  })
})
