// Shows that sorting gives the order of the values over every kind of field and every storage: stable, ties in the order of
// creation, the same inside a loop, and nothing changed when there is no memory to sort in.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Component,
  type Entity,
  addMany,
  destroyMany,
  createGroup,
  LimitError,
  NULL_ENTITY,
  type World,
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
  sortRows,
  sortRowsAs,
  sortedEntities,
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
import { codeOf } from '../support/caught'
import { changeTickOf, indexOf } from '../support/inside'
import { proofLength } from '../support/proofs'
import { leaveFree } from '../support/scarcity'
import { ROW_COUNTS } from '../support/rowCounts'
import { seededRandom, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

/** What sorted must give: the handles by value, NaN last, equal ones in the given order. */
function inOrder(handles: readonly number[], values: readonly number[]): number[] {
  const places = handles.map((_, place) => place)
  const rank = (value: number) => (Number.isNaN(value) ? 1 : 0)
  places.sort((a, b) => {
    const [x, y] = [values[a] as number, values[b] as number]
    if (rank(x) !== rank(y)) return rank(x) - rank(y)
    return x < y ? -1 : x > y ? 1 : a - b
  })
  return places.map((place) => handles[place] as number)
}

const Kinds = {
  i8: { field: i8, values: [0, -1, 1, -128, 127, 5, -5, 5] },
  u8: { field: u8, values: [0, 255, 1, 128, 127, 5, 5] },
  i16: { field: i16, values: [0, -1, 1, -32768, 32767, 256, -256, 256] },
  u16: { field: u16, values: [0, 65535, 1, 256, 2048, 2047, 256] },
  i32: { field: i32, values: [0, -1, 1, -(2 ** 31), 2 ** 31 - 1, 2 ** 22, -(2 ** 11), 2 ** 22] },
  u32: { field: u32, values: [0, 2 ** 32 - 1, 1, 2 ** 31, 2 ** 11, 2 ** 22, 2 ** 11] },
  f32: {
    field: f32,
    values: [0, -0, NaN, 1.5, -1.5, Infinity, -Infinity, 0, -0, -NaN, 1e-45, -1e-45, 3e38, -3e38],
  },
  f64: {
    field: f64,
    values: [0, -0, NaN, 1.5, -1.5, Infinity, -Infinity, 0, 5e-324, -5e-324, 1e308, -1e308, 1.5 + 2 ** -52],
  },
}

/** A world in which entities of several archetypes and holes in the middle hold a value each. */
function scattered(world: World, Value: any, values: readonly number[]): number[] {
  const marks = [tag('A'), tag('B'), tag('C')]
  return values.map((value, i) => world.spawn(Value({ value }), ...marks.slice(0, i % 4)))
}

describe.each(STORAGES)('sortedEntities over a %s component', (storage) => {
  it.each(Object.entries(Kinds))('is ascending for %s, equal values in order of creation', (_name, kind) => {
    const world = watchedWorld()
    const Value = component(
      'Value',
      { before: u16, value: kind.field as typeof f64 },
      { storage: STORED[storage] },
    )
    const handles = scattered(world, Value, kind.values)
    const stored = kind.values.map((value) => (kind.field === (f32 as unknown) ? Math.fround(value) : value))
    expect([...sortedEntities(world.query(Value), Value, 'value')]).toEqual(inOrder(handles, stored))
  })

  it('sorts any bit pattern of NaN last', () => {
    const world = watchedWorld()
    const Value = component('Value', { value: f32, wide: f64 }, { storage: STORED[storage] })
    const handles = [...spawnMany(world, 4, [Value])]
    const narrow = [0xffffffff, 0x7f800001, 0xff800000, 0x7f800000]
    world.query(Value).each((e, v) => {
      const at = handles.indexOf(e)
      v.value = new Float32Array(Uint32Array.of(narrow[at] as number).buffer)[0] as number
      v.wide = new Float64Array(Uint32Array.of(0, narrow[at] as number).buffer)[0] as number
    })
    const [a, b, lowest, highest] = handles
    expect([...sortedEntities(world.query(Value), Value, 'value')]).toEqual([lowest, highest, a, b])
    const wide = [...sortedEntities(world.query(Value), Value, 'wide')]
    expect(wide).toEqual([...world.batch(() => sortedEntities(world.query(Value), Value, 'wide'))])
  })

  it('orders false before true and handles by their number', () => {
    const world = watchedWorld()
    const Value = component('Value', { on: bool, who: entity }, { storage: STORED[storage] })
    const a = world.spawn(Value({ on: true, who: 7 as Entity }))
    const b = world.spawn(Value({ on: false }))
    const c = world.spawn(Value({ on: true, who: 3 as Entity }))
    expect([...sortedEntities(world.query(Value), Value, 'on')]).toEqual([b, a, c])
    expect(world.get(b, Value)?.who).toBe(NULL_ENTITY)
    expect([...sortedEntities(world.query(Value), Value, 'who')]).toEqual([c, a, b])
  })

  it.each(ROW_COUNTS)('sorts %i rows', (count) => {
    const world = watchedWorld()
    const random = seededRandom(count)
    const Value = component('Value', { value: u32 }, { storage: STORED[storage] })
    const values = Array.from({ length: count }, () => Math.floor(random() * 2 ** 20))
    const handles = values.map((value) => world.spawn(Value({ value })))
    expect([...sortedEntities(world.query(Value), Value, 'value')]).toEqual(inOrder(handles, values))
  })

  it('gives the same order inside a loop and outside, for any terms', () => {
    const world = watchedWorld()
    const random = seededRandom(5)
    const Value = component('Value', { value: f32 }, { storage: STORED[storage] })
    const Other = component('Other', { n: u8 })
    const Sparse = component('Sparse', { n: u8 }, { storage: sparse })
    const Mark = tag('Mark')
    for (let i = 0; i < 700; i++) {
      const more = [Other, Sparse, Mark].filter(() => random() < 0.5)
      const e = world.spawn(Value({ value: Math.floor(random() * 50) - 25 }), ...more)
      if (random() < 0.2) world.destroy(e)
    }
    const queries = [
      world.query(Value),
      world.query(Value, Other),
      world.query(Value, Sparse),
      world.query(Value, Mark, not(Sparse)),
      world.query(Value, any(Sparse, Mark), optional(Other)),
      world.query(Value, Other, Sparse, Mark),
    ]
    for (const query of queries) {
      const outside = [...sortedEntities(query, Value, 'value')]
      const pairs = outside.map((e) => [world.get(e, Value)?.value as number, e] as const)
      const expected = inOrder(
        [...query.entities()].sort((a, b) => a - b),
        [...query.entities()].sort((a, b) => a - b).map((e) => world.get(e, Value)?.value as number),
      )
      expect(pairs.map(([, e]) => e)).toEqual(expected)
      const inside: number[][] = []
      for (const _ of world.query(Value)) {
        inside.push([...sortedEntities(query, Value, 'value')])
        break
      }
      expect(inside).toEqual([outside])
    }
  })

  it('sees values that were written since the last sort', () => {
    const world = watchedWorld()
    const Value = component('Value', { value: u32 }, { storage: STORED[storage] })
    const a = world.spawn(Value({ value: 1 }))
    const b = world.spawn(Value({ value: 2 }))
    const query = world.query(Value)
    expect([...sortedEntities(query, Value, 'value')]).toEqual([a, b])
    world.set(a, Value, { value: 3 })
    expect([...sortedEntities(query, Value, 'value')]).toEqual([b, a])
    world.destroy(b)
    expect([...sortedEntities(query, Value, 'value')]).toEqual([a])
    world.remove(a, Value)
    expect([...sortedEntities(query, Value, 'value')]).toEqual([])
  })

  it('changes nothing when there is no memory to sort in', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const Value = component('Value', { value: f64 }, { storage: STORED[storage] })
    const handles = [...spawnMany(world, 4000, [Value])]
    const query = world.query(Value)
    sortedEntities(query, Value, 'value')
    leaveFree(world, 100)
    const before = world.stats()
    expect(() => sortedEntities(query, Value, 'value')).toThrow(LimitError)
    expect(world.stats()).toEqual(before)
    expect([...world.batch(() => sortedEntities(query, Value, 'value'))]).toEqual(handles)
  })
})

describe('sortedEntities', () => {
  it('sorting is stable over archetypes in which rows lie in another order than that of creation', () => {
    const Value = component('Value', { value: u8 })
    const marks = [tag('A'), tag('B'), tag('C')]
    fc.assert(
      fc.property(
        fc.array(fc.record({ value: fc.nat(3), mark: fc.nat(3), gone: fc.boolean() }), { maxLength: 80 }),
        (plan) => {
          const world = testWorld()
          const all = plan.map(({ value }) => world.spawn(Value({ value })))
          // Moves between archetypes and swap removals put the rows into disorder.
          all.forEach((e, i) => plan[i]!.mark < 3 && world.add(e, marks[plan[i]!.mark]!))
          all.forEach((e, i) => plan[i]!.gone && world.destroy(e))
          const living = all.filter((_, i) => !plan[i]!.gone)
          const values = plan.filter(({ gone }) => !gone).map(({ value }) => value)
          expect([...sortedEntities(world.query(Value), Value, 'value')]).toEqual(inOrder(living, values))
          expect([...world.batch(() => sortedEntities(world.query(Value), Value, 'value'))]).toEqual(
            inOrder(living, values),
          )
          world.dispose()
        },
      ),
      { numRuns: proofLength(60) },
    )
  })

  it('orders ties by creation even where indices were reused', () => {
    const world = watchedWorld()
    const Value = component('Value', { value: u8, wide: f64 })
    const old = [...spawnMany(world, 1500, [Value])]
    destroyMany(world, old.slice(0, 1200))
    const young = [...spawnMany(world, 150, [Value])]
    expect(young.some((e) => indexOf(e) < 1200)).toBe(true)
    for (const field of ['value', 'wide'] as const) {
      expect([...sortedEntities(world.query(Value), Value, field)]).toEqual([...old.slice(1200), ...young])
      expect([...world.batch(() => sortedEntities(world.query(Value), Value, field))]).toEqual([
        ...old.slice(1200),
        ...young,
      ])
    }
  })

  it('sorts what conditions, switches, windows and changes leave', () => {
    const world = watchedWorld()
    const random = seededRandom(6)
    const Value = component('Value', { value: i32, n: u32 }, { toggle })
    const Health = component('Health', { hp: u8 }, { storage: sparse })
    const handles = Array.from({ length: 2000 }, (_, n) => {
      const value = Math.floor(random() * 100) - 50
      return world.spawn(Value({ value, n }), ...(n % 2 ? [Health({ hp: n & 63 })] : []))
    })
    handles.forEach((e, i) => i % 5 === 0 && world.disable(e, Value))
    const values = (list: readonly number[]) => list.map((e) => world.get(e, Value)?.value as number)
    const expectSorted = (query: any, expected: readonly number[]) => {
      const ordered = inOrder(expected, values(expected))
      expect([...sortedEntities(query, Value, 'value')]).toEqual(ordered)
      expect([...world.batch(() => sortedEntities(query, Value, 'value'))]).toEqual(ordered)
    }
    const on = handles.filter((_, i) => i % 5 !== 0)
    const numberOf = (e: number) => handles.indexOf(e as Entity)
    expectSorted(world.query(Value), on)
    expectSorted(
      world.query(Value).where(Value, 'n', '>=', 700),
      on.filter((e) => numberOf(e) >= 700),
    )
    expectSorted(
      world.query(Value, Health).where(Health, 'hp', '<', 9).where(Value, 'n', '<', 1500),
      on.filter((e) => numberOf(e) % 2 === 1 && (numberOf(e) & 63) < 9 && numberOf(e) < 1500),
    )
    const page = world.query(Value).slice(100, 400)
    expectSorted(page, [...page.entities()])
    const news = world.query(changed(Value))
    expect(sortedEntities(news, Value, 'value').length).toBe(on.length)
    expect(sortedEntities(news, Value, 'value').length).toBe(0)
    world.advanceTick()
    world.set(handles[1], Value, { value: 0 })
    expect([...sortedEntities(news, Value, 'value')]).toContain(handles[1])
  })

  it('gives nothing in a world without such entities, even for a component it never met', () => {
    const world = watchedWorld()
    const Value = component('Value', { value: u8 })
    expect(sortedEntities(world.query(Value), Value, 'value')).toEqual(new Uint32Array(0))
    const Unmet = component('Unmet', { value: u8 })
    world.batch(() => expect(sortedEntities(world.query(Unmet), Unmet, 'value').length).toBe(0))
  })

  it('refuses fields that have no order, and says why', () => {
    const loose = { sorted: sortedEntities } as any
    const world = watchedWorld()
    const Value = component('Value', { value: u8, list: vec(f32, 3), name: text })
    const Other = component('Other', { n: u8 })
    const query: any = world.query(Value, optional(Other))
    expect(codeOf(() => loose.sorted(query, Value, 'list'))).toBe('INVALID_ORDER')
    expect(() => loose.sorted(query, Value, 'list')).toThrow('Value.list has no order')
    expect(codeOf(() => loose.sorted(query, Value, 'none'))).toBe('UNKNOWN_FIELD')
    expect(codeOf(() => loose.sorted(query, Other, 'n'))).toBe('INVALID_ORDER')
    expect(() => loose.sorted(query, Other, 'n')).toThrow('Other is not required by the query')
    expect(codeOf(() => loose.sorted(query, 5, 'n'))).toBe('NOT_A_COMPONENT')
    world.dispose()
    expect(codeOf(() => loose.sorted(query, Value, 'value'))).toBe('WORLD_DISPOSED')
  })
})

const Depth = component('Depth', { z: f32, wide: vec(u8, 3), big: f64, flag: bool }, { storage: sparse })
const Weight = component('Weight', { kg: i32 }, { storage: sparse })
const Plain = component('Plain', { n: u32 })
const Slot = component('Slot', { n: u32 }, { storage: stable })

function rowsOf(world: World, ...terms: any[]): number[] {
  const seen: number[] = []
  for (const chunk of world.query(...terms))
    seen.push(...(chunk as any).entities.subarray(chunk.start, chunk.end))
  return seen
}

describe('sortRows', () => {
  it.each(ROW_COUNTS)('puts %i rows in order, and every value stays with its entity', (count) => {
    const world = watchedWorld()
    const random = seededRandom(count + 1)
    const values = Array.from({ length: count }, () => Math.floor(random() * 500) - 250)
    const handles = values.map((z, i) =>
      world.spawn(Depth({ z, wide: [i & 255, 1, 2], big: z / 3, flag: z > 0 }), ...(i % 3 ? [Weight] : [])),
    )
    sortRows(world, Depth, 'z')
    expect(rowsOf(world, Depth)).toEqual(inOrder(handles, values))
    handles.forEach((e, i) => {
      const z = values[i] as number
      const { wide, ...rest } = world.get(e, Depth) as any
      expect([...wide, rest]).toEqual([i & 255, 1, 2, { z, big: z / 3, flag: z > 0 }])
    })
    sortRows(world, Depth, 'big')
    expect(rowsOf(world, Depth)).toEqual(inOrder(handles, values))
  })

  it('is undone only by rows that are added and removed', () => {
    const world = watchedWorld()
    const [a, b, c] = [3, 1, 2].map((z) => world.spawn(Depth({ z }))) as [Entity, Entity, Entity]
    sortRows(world, Depth, 'z')
    world.add(a, Weight)
    world.set(a, Depth, { z: 0 })
    expect(rowsOf(world, Depth)).toEqual([b, c, a])
    world.remove(b, Depth)
    expect(rowsOf(world, Depth)).toEqual([a, c])
    sortRows(world, Depth, 'z')
    expect(rowsOf(world, Depth)).toEqual([a, c])
  })

  it('keeps the later change tick of chunks between which rows moved', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 1500, [Weight])
    handles.forEach((e, i) => world.set(e, Weight, { kg: -i }))
    world.advanceTick()
    world.set(handles[1499], Weight, { kg: -5000 })
    const now = world.tick
    sortRows(world, Weight, 'kg')
    expect(rowsOf(world, Weight)[0]).toBe(handles[1499])
    expect(changeTickOf(world, handles[1499] as number, Weight)).toBe(now)
  })

  it('changes nothing when there is no memory to sort in', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const handles = [...spawnMany(world, 3000, [Weight])]
    handles.forEach((e, i) => world.set(e, Weight, { kg: -i }))
    leaveFree(world, 40)
    expect(() => sortRows(world, Weight, 'kg')).toThrow(LimitError)
    expect(rowsOf(world, Weight)).toEqual(handles)
  })

  it('moves switches and tracked changes along with rows', () => {
    const world = watchedWorld()
    const Lamp = component('Lamp', { z: i32 }, { storage: sparse, toggle, trackChanges: 'row' })
    const handles = Array.from({ length: 1200 }, (_, i) => world.spawn(Lamp({ z: -i })))
    handles.forEach((e, i) => i % 3 === 0 && world.disable(e, Lamp))
    const news = world.query(changed(Lamp))
    expect(news.entities().length).toBe(800)
    world.set(handles[1000], Lamp, { z: -9999 })
    sortRows(world, Lamp, 'z')
    handles.forEach((e, i) => expect(world.isEnabled(e, Lamp)).toBe(i % 3 !== 0))
    expect([...news.entities()]).toEqual([handles[1000]])
    expect(rowsOf(world, Lamp)[0]).toBe(handles[1000])
  })

  it('counts as a change of the query: its version differs', () => {
    const world = watchedWorld()
    for (let i = 0; i < 5; i++) world.spawn(Depth({ z: -i }))
    const query = world.query(Depth)
    const before = query.version
    sortRows(world, Depth, 'z')
    expect(query.version).not.toBe(before)
  })

  it('sort refuses what cannot be reordered, and says why', () => {
    const loose = { sort: sortRows, sortAs: sortRowsAs } as any
    const world: any = watchedWorld()
    expect(codeOf(() => loose.sort(world, Plain, 'n'))).toBe('INVALID_ORDER')
    expect(() => loose.sort(world, Plain, 'n')).toThrow('Plain has no rows of its own')
    expect(codeOf(() => loose.sort(world, Slot, 'n'))).toBe('INVALID_ORDER')
    expect(() => loose.sort(world, Slot, 'n')).toThrow('stable storage, whose rows never move')
    expect(codeOf(() => loose.sort(world, Depth, 'wide'))).toBe('INVALID_ORDER')
    expect(codeOf(() => loose.sort(world, Depth, 'none'))).toBe('UNKNOWN_FIELD')
    expect(codeOf(() => loose.sort(world, 'Depth', 'z'))).toBe('NOT_A_COMPONENT')
    expect(codeOf(() => loose.sortAs(world, Plain, Depth))).toBe('INVALID_ORDER')
    expect(codeOf(() => loose.sortAs(world, Slot, Depth))).toBe('INVALID_ORDER')
    expect(codeOf(() => loose.sortAs(world, Depth, Plain))).toBe('INVALID_ORDER')
    expect(codeOf(() => loose.sortAs(world, Depth, undefined))).toBe('NOT_A_COMPONENT')
    // Nothing was there to sort, and still nothing is.
    expect(codeOf(() => loose.sort(world, Depth, 'z'))).toBe('nothing thrown')
    expect(codeOf(() => loose.sortAs(world, Depth, Weight))).toBe('nothing thrown')
    expect(world.stats().components).toBe(0)
  })
})

describe('sortRowsAs', () => {
  it.each([['sparse', Weight] as const, ['stable', Slot] as const])(
    'follows a %s pool, entities without the component last',
    (_storage, Like) => {
      const world = watchedWorld()
      const random = seededRandom(9)
      const all: Entity[] = []
      for (let i = 0; i < 2000; i++) {
        const kinds = [Depth({ z: i }), Like].filter(() => random() < 0.6)
        all.push(world.spawn(...kinds))
      }
      for (const e of all) if (random() < 0.1) world.destroy(e)
      if (Like === Weight) {
        for (const e of all) if (world.has(e, Weight)) world.set(e, Weight, { kg: Math.floor(random() * 99) })
        sortRows(world, Weight, 'kg')
      }
      sortRowsAs(world, Depth, Like)
      const order = rowsOf(world, Depth)
      const common = rowsOf(world, Like).filter((e) => world.has(e as Entity, Depth))
      expect(common.length).toBeGreaterThan(100)
      expect(order.slice(0, common.length)).toEqual(common)
      expect([...order].sort((a, b) => a - b)).toEqual(
        all.filter((e) => world.isAlive(e) && world.has(e, Depth)).sort((a, b) => a - b),
      )
      all.forEach((e, i) => world.has(e, Depth) && expect(world.get(e, Depth)?.z).toBe(i))
    },
  )
})

/** The order of a comparison with its values, equal ones as they are. */
function comparing(values: readonly (number | string)[], descends: boolean): number[] {
  const isLast = (value: number | string) => Number(Number.isNaN(value))
  return values
    .map((_, i) => i)
    .sort((a, b) => {
      const [x, y] = [values[a], values[b]] as [number, number]
      if (isLast(x) !== isLast(y)) return isLast(x) - isLast(y)
      const difference = x < y ? -1 : x > y ? 1 : 0
      return (descends ? -difference : difference) || a - b
    })
}

describe.each(STORAGES)('the options of sorted over a %s component', (storage) => {
  it.each(Object.entries(Kinds))('descending is right for %s, in the core and in a loop', (_name, kind) => {
    const world = watchedWorld()
    const Value = component(
      'Value',
      { before: u16, value: kind.field as typeof f64 },
      { storage: STORED[storage] },
    )
    const handles = scattered(world, Value, kind.values)
    const stored = kind.values.map((value) => (kind.field === (f32 as unknown) ? Math.fround(value) : value))
    const expected = comparing(stored, true).map((i) => handles[i])
    const query = world.query(Value)
    const ordered = () => [...sortedEntities(query, Value, 'value', { order: 'descending' })]
    expect(ordered()).toEqual(expected)
    expect(world.batch(ordered)).toEqual(expected)
    expect([...sortedEntities(query, Value, 'value', { order: 'descending', limit: 3 })]).toEqual(
      expected.slice(0, 3),
    )
    expect([...sortedEntities(query, Value, 'value', { order: 'ascending', limit: 0 })]).toEqual([])
    expect([...sortedEntities(query, Value, 'value', { limit: 1000 })]).toEqual([
      ...sortedEntities(query, Value, 'value'),
    ])
  })

  it('texts are sorted by their UTF-16 units, and several fields one after the other', () => {
    const world = watchedWorld()
    const Player = component('Player', { name: text, points: i32, ready: bool }, { storage: STORED[storage] })
    const random = seededRandom(5)
    const names = ['', 'Zoe', 'Ada', 'ada', 'žluť', 'Bo', 'Ad']
    const players = Array.from({ length: 300 }, () => ({
      name: names[Math.floor(random() * names.length)] as string,
      points: Math.floor(random() * 5) - 2,
      ready: random() < 0.5,
    }))
    const handles = scattered(
      world,
      component('Unused', { value: u8 }),
      players.map(() => 0),
    )
    handles.forEach((handle, i) => world.add(handle, Player(players[i])))
    const byName = comparing(
      players.map(({ name }) => name),
      false,
    )
    expect([...sortedEntities(world.query(Player), Player, 'name')]).toEqual(byName.map((i) => handles[i]))
    const expected = players
      .map((_, i) => i)
      .sort((a, b) => {
        const [x, y] = [players[a], players[b]]
        if (x!.points !== y!.points) return y!.points - x!.points
        if (x!.ready !== y!.ready) return Number(x!.ready) - Number(y!.ready)
        return x!.name < y!.name ? 1 : x!.name > y!.name ? -1 : a - b
      })
    const order = ['descending', 'ascending', 'descending'] as const
    const ordered = (limit?: number) => [
      ...sortedEntities(world.query(Player), Player, ['points', 'ready', 'name'], { order, limit }),
    ]
    expect(ordered()).toEqual(expected.map((i) => handles[i]))
    expect(ordered(7)).toEqual(expected.slice(0, 7).map((i) => handles[i]))
    const pointsOf = (e: number) => world.get(e, Player)!.points
    const falling = [
      ...sortedEntities(world.query(Player), Player, ['points', 'name'], { order: 'descending' }),
    ]
    expect(falling.map(pointsOf)).toEqual(falling.map(pointsOf).sort((a, b) => b - a))
  })
})

describe('the options of sorting', () => {
  it('are refused if they are unknown', () => {
    const world = watchedWorld()
    const Value = component('Value', { value: u8, at: vec(u8, 2), name: text }, { storage: sparse })
    const Seat = tag('Seat', { order: 'insertion' })
    const query = world.query(Value)
    const refused = (call: () => unknown, code: string) =>
      expect(call).toThrow(expect.objectContaining({ code }))
    for (const options of [{ order: 'up' }, { limit: -1 }, { limit: 1.5 }, { size: 1 }, 5] as never[]) {
      refused(() => sortedEntities(query, Value, 'value', options), 'INVALID_OPTION')
      refused(() => sortRows(world, Value, 'value', options), 'INVALID_OPTION')
      refused(() => sortRows(world, Seat, Value, 'value', options), 'INVALID_OPTION')
      refused(() => sortRows(world, Value, () => 0, options), 'INVALID_OPTION')
    }
    refused(() => sortRows(world, Value, () => 0, { order: 'descending' } as never), 'INVALID_OPTION')
    refused(() => sortRows(world, 5 as never, () => 0), 'NOT_A_COMPONENT')
    refused(() => sortedEntities(query, Value, [] as never), 'UNKNOWN_FIELD')
    refused(() => sortedEntities(query, Value, ['value', 'z'] as never), 'UNKNOWN_FIELD')
    refused(() => sortedEntities(query, Value, ['value', 'at'] as never), 'INVALID_ORDER')
    refused(() => sortRows(world, Value, 'name' as never), 'INVALID_ORDER')
  })
})

describe('sortRows with a limit, descending, and by a function', () => {
  const Value = component('Value', { value: i32, twin: i32 }, { storage: sparse })
  const Other = component('Other', { value: u8 }, { storage: sparse })

  function filled(count: number, grouped: boolean) {
    const world = watchedWorld()
    const random = seededRandom(count)
    if (grouped) createGroup(world, Value, Other)
    const handles = Array.from({ length: count }, (_, i) => {
      const value = Math.floor(random() * count) - 9
      return world.spawn(Value({ value, twin: value }), ...(i % 3 ? [Other] : []))
    })
    const split = grouped ? handles.filter((e) => world.has(e, Other)).length : 0
    const valueOf = (e: number) => world.get(e, Value)!.value
    const ordered = (descends: boolean) => {
      const inOrder = (list: number[]) => comparing(list.map(valueOf), descends).map((i) => list[i] as number)
      const rest = grouped ? handles.filter((e) => !world.has(e, Other)) : handles
      return grouped
        ? [...inOrder(handles.filter((e) => world.has(e, Other))), ...inOrder(rest)]
        : inOrder(handles)
    }
    return { world, handles, split, sorted: ordered }
  }

  it.each([false, true].flatMap((grouped) => ROW_COUNTS.map((count) => ({ grouped, count }))))(
    'the first rows are in order: $count rows, in a group: $grouped',
    ({ grouped, count }) => {
      const { world, handles, sorted: ordered } = filled(count, grouped)
      const found = () => [...world.query(Value).entities()]
      const members = [...handles].sort((a, b) => a - b)
      for (const limit of [0, 1, 64, count - 1, count]) {
        if (limit < 0) continue
        const descends = limit % 2 === 1
        sortRows(world, Value, 'value', { limit, order: descends ? 'descending' : 'ascending' })
        expect(found().slice(0, limit)).toEqual(ordered(descends).slice(0, limit))
        expect(found().sort((a, b) => a - b)).toEqual(members)
        sortRows(world, Value, (a, b) => b.value - a.value, { limit })
        expect(found().slice(0, limit)).toEqual(ordered(true).slice(0, limit))
        expect(found().sort((a, b) => a - b)).toEqual(members)
      }
      sortRows(world, Value, (a, b) => a.value - b.value)
      expect(found()).toEqual(ordered(false))
      for (const handle of handles)
        expect(world.get(handle, Value)!.twin).toBe(world.get(handle, Value)!.value)
    },
  )

  it('an ordered tag is sorted downwards', () => {
    const { world, handles, sorted: ordered } = filled(200, false)
    const Seat = tag('Seat', { order: 'insertion' })
    addMany(world, handles, Seat)
    sortRows(world, Seat, Value, 'value', { order: 'descending', limit: 3 })
    expect([...world.query(Seat).entities()]).toEqual(ordered(true))
  })

  it('a function that throws changes nothing, and its own changes wait', () => {
    const { world, handles, sorted: ordered } = filled(100, false)
    const before = [...world.query(Value).entities()]
    expect(() =>
      sortRows(world, Value, () => {
        throw new Error('no order')
      }),
    ).toThrow('no order')
    expect([...world.query(Value).entities()]).toEqual(before)
    const first = ordered(false)
    let destroyed = false
    sortRows(world, Value, (a, b) => {
      if (!destroyed) destroyed = world.destroy(first[0] as Entity)
      expect(world.isAlive(first[0] as Entity)).toBe(true)
      return a.value - b.value
    })
    expect(world.isAlive(first[0] as Entity)).toBe(false)
    expect(world.query(Value).count).toBe(handles.length - 1)
  })

  it('inside a loop the function is called when it ends', () => {
    const { world, sorted: ordered } = filled(70, false)
    let calls = 0
    world.batch(() => {
      sortRows(world, Value, (a, b) => (calls++, a.value - b.value))
      expect(calls).toBe(0)
    })
    expect(calls).toBeGreaterThan(0)
    expect([...world.query(Value).entities()]).toEqual(ordered(false))
  })
})

/** More rows than sorting by a function writes in one part, and more than fit into a chunk; `n` counts down. */
function countingDown(Counted: Component<{ n: typeof u32 }, 'sparse'>): { world: World; handles: Entity[] } {
  const world = watchedWorld()
  let n = 20_000
  const handles = spawnMany(world, n, [Counted], (chunk) => {
    const column = chunk.write(Counted).n
    for (let i = chunk.start; i < chunk.end; i++) column[i] = n--
  })
  return { world, handles: [...handles] as Entity[] }
}

it('Sorting by a function puts any number of rows in order', () => {
  const Counted = component('Counted', { n: u32 }, { storage: sparse })
  const { world, handles } = countingDown(Counted)
  sortRows(world, Counted, (a, b) => a.n - b.n)
  expect([...world.query(Counted).entities()]).toEqual(handles.reverse())
})

it.each([
  ['first', 0, 30_000],
  ['last', -1, 0],
])('A query for changes finds the %s row after sorting has moved it to another chunk', (_, at, n) => {
  const Counted = component('Counted', { n: u32 }, { storage: sparse })
  const { world, handles } = countingDown(Counted)
  sortRows(world, Counted, 'n')
  const one = handles.reverse().at(at) as Entity
  const query = world.query(changed(Counted))
  expect(query.entities().length).toBe(handles.length)
  world.advanceTick()
  world.set(one, Counted, { n })
  const tick = changeTickOf(world, one, Counted)
  sortRows(world, Counted, 'n')
  expect(changeTickOf(world, one, Counted)).toBe(tick)
  expect([...query.entities()]).toContain(one)
})
