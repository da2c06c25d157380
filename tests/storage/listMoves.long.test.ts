// Shows that entities of a list end where single calls would bring them, with all that they have, however their rows lie; a twin
// makes the single calls.

import { describe, expect, it } from 'vitest'
import {
  type ComponentLike,
  type World,
  added,
  addMany,
  changed,
  component,
  destroyMany,
  digestWorld,
  f32,
  f64,
  createGroup,
  not,
  removeMany,
  sparse,
  spawnMany,
  stable,
  tag,
  toggle,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { leaveFree } from '../support/scarcity'
import { capacitiesOf, seededRandom, STORED } from '../support/storages'
import { testWorld } from '../support/world'

const Number = component('Number', { n: u32 })
const Plain = component('Plain', { x: f32, y: f32.default(5) })
const Wide = component('Wide', { big: f64.default(0.1), list: vec(f32, 3), small: u8.default(7) })
const Toggled = component('Toggled', { value: u32.default(3) }, { toggle })
const Tracked = component('Tracked', { value: u32.default(4) }, { trackChanges: 'row' })
const Sparse = component('Sparse', { value: u32.default(2) }, { storage: sparse })
const Stable = component('Stable', { value: u32.default(9) }, { storage: stable })
const Mark = tag('Mark')
const Ordered = tag('Ordered', { order: 'insertion' })
const ALL = [Number, Plain, Wide, Toggled, Tracked, Sparse, Stable, Mark, Ordered] as const

const BUNDLES: Record<string, readonly ComponentLike[]> = {
  'a component': [Plain],
  'a tag': [Mark],
  'columns of several widths': [Wide],
  'a component with toggles': [Toggled],
  'tracked rows': [Tracked],
  'a sparse component': [Sparse],
  'a stable component': [Stable],
  'an ordered tag': [Ordered],
  'all of them': [Plain, Wide, Toggled, Tracked, Sparse, Stable, Mark, Ordered],
}

const random = seededRandom(11)
const shuffled = (list: number[]): number[] => {
  for (let i = list.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1))
    ;[list[i], list[k]] = [list[k] as number, list[i] as number]
  }
  return list
}

/** Which of so many entities are listed, and in which order. */
const SHAPES: Record<string, (count: number) => number[]> = {
  'all in order': (count) => Array.from({ length: count }, (_, i) => i),
  'all from the last to the first': (count) => Array.from({ length: count }, (_, i) => count - 1 - i),
  'all in any order': (count) => shuffled(Array.from({ length: count }, (_, i) => i)),
  'every second one': (count) => Array.from({ length: count >> 1 }, (_, i) => 2 * i),
  'runs of 1 to 9': (count) =>
    Array.from({ length: count }, (_, i) => i).filter(
      (i) => i % 45 !== [0, 2, 5, 9, 14, 20, 27, 35, 44].find((edge) => edge >= i % 45),
    ),
  'the first half': (count) => Array.from({ length: count >> 1 }, (_, i) => i),
  'the last half before the first quarter': (count) => [
    ...Array.from({ length: count - (count >> 1) }, (_, i) => (count >> 1) + i),
    ...Array.from({ length: count >> 2 }, (_, i) => i),
  ],
  'a few in any order': (count) => shuffled(Array.from({ length: count }, (_, i) => i)).slice(0, count / 5),
}

const { first, full } = capacitiesOf(Number)
const COUNTS = [0, 1, 2, 3, 4, 5, 63, 64, 65, first - 1, first, first + 1, first + full + 1, 4 * full + 70]

/** Entities of several archetypes: each has its number, and some what will be given to it and taken from it. */
function populated(count: number): { world: World; handles: Uint32Array } {
  const world = testWorld()
  const handles = spawnMany(world, count, [Number])
  handles.forEach((handle, n) => {
    world.set(handle, Number, { n })
    if (count < 100 && n % 7 === 3) world.add(handle, Plain({ x: n }), Mark)
    if (n % 11 === 5) world.add(handle, Sparse({ value: n }), Stable)
    if (n % 13 === 1) world.add(handle, Toggled({ value: n }))
    if (n % 26 === 1) world.disable(handle, Toggled)
  })
  return { world, handles }
}

/** What a program sees of each entity, whatever the order of rows. */
function expectAlike(world: World, twin: World, handles: Uint32Array): void {
  checkInvariants(world)
  expect(digestWorld(world)).toBe(digestWorld(twin))
  for (const C of ALL) expect(world.query(C).count).toBe(twin.query(C).count)
  for (const handle of handles) expect(world.isEnabled(handle, Toggled)).toBe(twin.isEnabled(handle, Toggled))
  expect([...world.query(Ordered).entities()]).toEqual([...twin.query(Ordered).entities()])
  const stable = (each: World) => Array.from(handles, (handle) => each.has(handle, Stable))
  expect(stable(world)).toEqual(stable(twin))
}

describe.each(Object.keys(SHAPES))('A list of %s', (shape) => {
  const listOf = SHAPES[shape] as (count: number) => number[]

  it.each(Object.keys(BUNDLES))('gets and loses %s as with single calls', (name) => {
    const bundle = BUNDLES[name] as readonly ComponentLike[]
    for (const count of COUNTS) {
      const { world, handles } = populated(count)
      const { world: twin } = populated(count)
      const listed = listOf(count).map((place) => handles[place] as number)
      const repeated = [...listed, ...listed.slice(0, 3), 1.5, -1]
      expect(addMany(world, repeated, ...(bundle as [typeof Plain]))).toBe(listed.length)
      for (const handle of listed) twin.add(handle, ...(bundle as [typeof Plain]))
      expectAlike(world, twin, handles)
      // Back again, for those that the list names first and some that it does not name.
      const back = [...listed.slice(0, listed.length >> 1), ...handles.subarray(0, 5)]
      removeMany(world, back, ...bundle)
      for (const handle of back) twin.remove(handle, ...bundle)
      expectAlike(world, twin, handles)
      world.dispose()
      twin.dispose()
    }
  })

  it('is destroyed as with single calls, and its indices return in the same order', () => {
    for (const count of [...COUNTS, 4095, 4096, 4097]) {
      const { world, handles } = populated(count)
      const { world: twin } = populated(count)
      const listed = listOf(count).map((place) => handles[place] as number)
      const twice = [...listed, ...listed.slice(0, 3), 1.5, -1]
      expect(destroyMany(world, count % 2 === 0 ? Uint32Array.from(listed) : twice)).toBe(listed.length)
      for (const handle of listed) twin.destroy(handle)
      expectAlike(world, twin, handles)
      expect(spawnMany(world, 1500, [Plain])).toEqual(spawnMany(twin, 1500, [Plain]))
      expectAlike(world, twin, handles)
      world.dispose()
      twin.dispose()
    }
  })

  it('affects queries for changes as single calls do', () => {
    for (const count of [5, 200, first + full + 1]) {
      const { world, handles } = populated(count)
      const { world: twin } = populated(count)
      const queries = [world, twin].map((each) => [
        each.query(changed(Tracked)),
        each.query(added(Tracked)),
        each.query(changed(Sparse)),
      ])
      for (const query of queries.flat()) query.entities()
      const listed = listOf(count).map((place) => handles[place] as number)
      const matches = (list: (typeof queries)[0]) =>
        list.map((query) => [...query.entities()].sort((a, b) => a - b))
      addMany(world, listed, Tracked)
      for (const handle of listed) twin.add(handle, Tracked)
      expect(matches(queries[0] as never).slice(0, 2)).toEqual(matches(queries[1] as never).slice(0, 2))
      // Rows of the component go on to another archetype: nothing of it has changed.
      addMany(world, listed, Plain)
      for (const handle of listed) twin.add(handle, Plain)
      expect(matches(queries[0] as never).slice(0, 2)).toEqual([[], []])
      expect(matches(queries[1] as never).slice(0, 2)).toEqual([[], []])
      world.dispose()
      twin.dispose()
    }
  })
})

describe('A list whose entities leave rows', () => {
  const leave: Record<string, (world: World, list: Uint32Array) => unknown> = {
    'by getting a component': (world, list) => addMany(world, list, Plain),
    'by a component that it loses': (world, list) => removeMany(world, list, Mark),
    'by its end': (world, list) => destroyMany(world, list),
  }

  it.each(Object.keys(leave))('%s carries along the ticks of rows that fill its holes', (how) => {
    for (const length of [1, 3, 4, 9]) {
      const world = testWorld()
      const handles = spawnMany(world, first + full + 20, [Number, Mark])
      const query = world.query(changed(Number))
      query.entities()
      expect(query.count).toBe(0)
      const last = handles.at(-1) as number
      world.set(last, Number, { n: 5 })
      leave[how]?.(world, handles.slice(10, 10 + length))
      expect(query.entities()).toContain(last)
      expect(world.get(last, Number)).toEqual({ n: 5 })
      checkInvariants(world)
    }
  })

  it.each(Object.keys(leave))(
    '%s changes the version of queries that it leaves and enters, and of no other',
    (how) => {
      const world = testWorld()
      const handles = spawnMany(world, 50, [Number, Mark])
      spawnMany(world, 5, [Number, Mark, Plain])
      spawnMany(world, 5, [Number])
      spawnMany(world, 5, [Wide])
      const [left, entered, other] = [
        world.query(Number, Mark, not(Plain)),
        how === 'by getting a component' ? world.query(Plain) : world.query(Number, not(Mark)),
        world.query(Wide),
      ]
      for (const list of [handles.slice(10, 30), handles.slice(3, 4)]) {
        const before = [left.version, entered.version, other.version]
        leave[how]?.(world, list)
        expect(left.version).not.toBe(before[0])
        expect(entered.version !== before[1]).toBe(how !== 'by its end')
        expect(other.version).toBe(before[2])
      }
    },
  )
})

describe('A bulk change without memory', () => {
  it.each(['sparse', 'stable'] as const)('needs none if all have the %s component', (storage) => {
    const Full = component('Full', { n: u32 }, { storage: STORED[storage] })
    const { first: rows } = capacitiesOf(Full)
    const world = testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    // The chunk of the pool is full: one more row would need another one.
    const handles = spawnMany(world, rows, [Number, Full])
    addMany(world, handles, Full)
    leaveFree(world, 2)
    const query = world.query(Number)
    expect(query.count).toBe(rows)
    // Enough for the list of handles, and not for a chunk.
    leaveFree(world, 1)
    expect(addMany(query, Full)).toBe(rows)
    expect(addMany(world, handles.subarray(0, 9), Full)).toBe(9)
    expect(world.query(Full).count).toBe(rows)
    checkInvariants(world)
  })

  it('still destroys a list', () => {
    const world = testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const handles = spawnMany(world, 5_000, [Number, Sparse])
    leaveFree(world, 0)
    expect(
      destroyMany(
        world,
        handles.filter((_, i) => i % 3 !== 0),
      ),
    ).toBe(3_333)
    expect(world.query(Number).count).toBe(1_667)
    expect(world.query(Sparse).count).toBe(1_667)
    checkInvariants(world)
  })
})

describe('A query that adds sparse components', () => {
  it.each(COUNTS)('appends %i entities in the order of single calls', (count) => {
    const { world } = populated(count)
    const { world: twin } = populated(count)
    const given = [Sparse, Stable, Ordered] as const
    expect(addMany(world.query(Number), ...given)).toBe(count)
    for (const handle of twin.query(Number).entities()) twin.add(handle, ...given)
    for (const C of given) expect(world.query(C).entities()).toEqual(twin.query(C).entities())
    expect(digestWorld(world)).toBe(digestWorld(twin))
    checkInvariants(world)
  })

  it('adds them only to entities that pass its filter, and to all of a pool, whose rows a group puts in order', () => {
    const Other = component('Other', { value: u32 }, { storage: sparse })
    const build = () => {
      const { world, handles } = populated(3_000)
      addMany(
        world,
        handles.filter((_, n) => n % 3 === 0),
        Other,
      )
      return { world, handles }
    }
    const { world } = build()
    const { world: twin } = build()
    for (const each of [world, twin]) createGroup(each, Sparse, Other)
    const few = (each: World) => each.query(Number, Toggled)
    addMany(few(world), Sparse)
    for (const handle of few(twin).entities()) twin.add(handle, Sparse)
    addMany(world.query(Other), Sparse, Ordered)
    for (const handle of twin.query(Other).entities()) twin.add(handle, Sparse, Ordered)
    for (const C of [Sparse, Ordered, Other])
      expect(world.query(C).entities()).toEqual(twin.query(C).entities())
    expect(world.query(Sparse, Other).entities()).toEqual(twin.query(Sparse, Other).entities())
    expect(digestWorld(world)).toBe(digestWorld(twin))
    checkInvariants(world)
  })

  it('fills the holes of a stable pool, and then goes on after its rows', () => {
    const { world, handles } = populated(500)
    const { world: twin } = populated(500)
    for (const each of [world, twin]) {
      addMany(each.query(Number), Stable)
      for (const handle of handles.subarray(20, 60)) each.remove(handle, Stable)
    }
    const more = spawnMany(world, 100, [Number])
    expect(spawnMany(twin, 100, [Number])).toEqual(more)
    addMany(world, [...more, ...handles.subarray(20, 30)], Stable)
    for (const handle of [...more, ...handles.subarray(20, 30)]) twin.add(handle, Stable)
    expect(world.query(Stable).entities()).toEqual(twin.query(Stable).entities())
    checkInvariants(world)
  })
})
