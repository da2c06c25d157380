// Shows that sum, min, max and column of a query agree with a loop, over every storage and kind of field.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  getColumn,
  createGroup,
  maxOf,
  minOf,
  NULL_ENTITY,
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
  object,
  relation,
  setMany,
  sparse,
  spawnMany,
  sumOf,
  tag,
  text,
  textOf,
  toggle,
  u16,
  u32,
  u8,
  vec,
  type Query,
} from '../../bindings/index'
import { ROW_COUNTS } from '../support/rowCounts'
import { seededRandom, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const FIELDS = { i8, u8, i16, u16, i32, u32, f32, f64, bool }
const RANGES: Record<string, [number, number]> = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32768, 32767],
  u16: [0, 65535],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
  f32: [-1000, 1000],
  f64: [-1000, 1000],
  bool: [0, 1],
}
const Position = component('Position', { x: f32 })
const Frozen = tag('Frozen', { toggle })
const Odd = tag('Odd')
const coded = (code: string): unknown => expect.objectContaining({ code })

describe.each(STORAGES)('the numbers of a %s component', (storage) => {
  it.each(Object.keys(FIELDS))('equal those of a loop, for a field of %s', (kind) => {
    const random = seededRandom(7)
    const [least, most] = RANGES[kind] as [number, number]
    const isFloat = kind === 'f32' || kind === 'f64'
    const Value = component('Value', { first: u8, v: FIELDS[kind as 'f64'] }, { storage: STORED[storage] })
    const valueOf = () => {
      const value = least + random() * (most - least)
      return kind === 'f32' ? Math.fround(value) : isFloat ? value : Math.round(value) + 0
    }
    for (const count of ROW_COUNTS) {
      const world = watchedWorld()
      const handles = spawnMany(world, count, [Position, Value])
      const values = Array.from(handles, valueOf)
      values[0] = least
      if (count > 1) values[count - 1] = most
      values.length = count
      const given = kind === 'bool' ? values.map((value) => value === 1) : values
      setMany(world, handles, Value, { v: given as never })
      addMany(
        world,
        handles.filter((_, i) => i % 3 === 0),
        Odd,
      )
      const byEntity = new Map(Array.from(handles, (handle, i) => [handle as number, values[i] as number]))
      // Over columns, over cursors of what lies elsewhere, and over some rows only.
      const queries = [
        world.query(Value),
        world.query(Value, Position),
        world.query(Value, Odd),
        world.query(Value, Position).where(Position, 'x', '==', 0).slice(1, 71),
      ]
      for (const query of queries) {
        const expected = Array.from(query.entities(), (e) => byEntity.get(e) as number)
        const total = expected.reduce((a, b) => a + b, 0)
        if (isFloat) expect(Math.abs(sumOf(query, Value, 'v') - total)).toBeLessThan(1e-6)
        else expect(sumOf(query, Value, 'v')).toBe(total)
        expect(minOf(query, Value, 'v')).toBe(expected.reduce((a, b) => Math.min(a, b), Infinity))
        expect(maxOf(query, Value, 'v')).toBe(expected.reduce((a, b) => Math.max(a, b), -Infinity))
        expect([...(getColumn(query, Value, 'v') as Float64Array)]).toEqual(expected)
      }
    }
  })

  it('are 0, Infinity, -Infinity and empty without matches', () => {
    const world = watchedWorld()
    const Value = component('Value', { v: f64 }, { storage: STORED[storage] })
    const Unknown = component('Unknown', { v: i8 }, { storage: STORED[storage] })
    const ask = () => {
      for (const query of [world.query(Value), world.query(Value, Unknown)]) {
        expect([sumOf(query, Value, 'v'), minOf(query, Value, 'v'), maxOf(query, Value, 'v')]).toEqual([
          0,
          Infinity,
          -Infinity,
        ])
        expect(getColumn(query, Value, 'v')).toEqual(new Float64Array(0))
      }
    }
    world.batch(ask)
    ask()
    world.spawn(Value({ v: 3 }))
    expect(sumOf(world.query(Value), Value, 'v')).toBe(3)
  })

  it('respect NaN, infinities and -0', () => {
    const world = watchedWorld()
    const Value = component('Value', { v: f32, w: f64 }, { storage: STORED[storage] })
    for (const value of [1, -0, 0, Infinity, 5]) world.spawn(Value({ v: value, w: value }))
    const query = world.query(Value)
    expect([sumOf(query, Value, 'v'), maxOf(query, Value, 'w')]).toEqual([Infinity, Infinity])
    expect(Object.is(minOf(query, Value, 'v'), -0)).toBe(true)
    world.spawn(Value({ v: NaN, w: NaN }))
    for (const field of ['v', 'w'] as const) {
      expect([sumOf(query, Value, field), minOf(query, Value, field), maxOf(query, Value, field)]).toEqual([
        NaN,
        NaN,
        NaN,
      ])
    }
  })

  it('copy vecs contiguously, handles, and ids of texts', () => {
    const world = watchedWorld()
    const Value = component(
      'Value',
      { at: vec(i16, 3), who: entity, name: text },
      { storage: STORED[storage] },
    )
    for (let i = 0; i < 200; i++) {
      const names = ['', 'Ada', 'Grace']
      world.spawn(Position, Value({ at: [i, -i, 7], name: names[i % 3] as string }))
    }
    for (const query of [world.query(Value), world.query(Position, Value)] as Query<[typeof Value]>[]) {
      const at = getColumn(query, Value, 'at')
      expect(at).toBeInstanceOf(Int16Array)
      expect([...at.subarray(597)]).toEqual([199, -199, 7])
      expect(getColumn(query, Value, 'who').every((who) => who === NULL_ENTITY)).toBe(true)
      expect(Array.from(getColumn(query, Value, 'name').subarray(0, 3), (id) => textOf(world, id))).toEqual([
        '',
        'Ada',
        'Grace',
      ])
    }
  })

  it('leave out entities that are switched off, and do not count as a look', () => {
    const world = watchedWorld()
    const Value = component('Value', { v: u16 }, { storage: STORED[storage], toggle })
    const handles = spawnMany(world, 130, [Value({ v: 2 }), Frozen])
    for (let i = 0; i < 130; i += 2) world.disable(handles[i]!, Value)
    world.disable(handles[1]!, Frozen)
    expect(sumOf(world.query(Value), Value, 'v')).toBe(130)
    expect(sumOf(world.query(Value, Frozen), Value, 'v')).toBe(128)
    expect(getColumn(world.query(Value, Frozen), Value, 'v').length).toBe(64)
    const news = world.query(changed(Value))
    expect(sumOf(news, Value, 'v')).toBe(130)
    expect(getColumn(news, Value, 'v').length).toBe(65)
    expect(news.count).toBe(65)
  })

  it('can be read inside loops, of new queries too, and as a copy that outlives the world', () => {
    const world = watchedWorld()
    const Value = component('Value', { v: u32 }, { storage: STORED[storage] })
    spawnMany(world, 100, [Value({ v: 2 }), Position])
    let asked = 0
    for (const _ of world.query(Position)) {
      expect(sumOf(world.query(Value, any(Position, Odd)), Value, 'v')).toBe(200)
      expect(maxOf(world.query(Value, any(Position, Odd, Frozen)), Value, 'v')).toBe(2)
      asked++
    }
    expect(asked).toBeGreaterThan(0)
    const column = getColumn(world.query(Value), Value, 'v')
    world.dispose()
    expect(column.reduce((a, b) => a + b)).toBe(200)
  })
})

describe('the numbers of a query', () => {
  it('are right for a group and for sources of links', () => {
    const world = watchedWorld()
    const A = component('A', { v: f32 }, { storage: sparse })
    const B = component('B', { v: i8 }, { storage: sparse })
    const Held = relation('Held', { exclusive: true })
    const grouped = createGroup(world, A, B)
    const hand = world.spawn()
    for (let i = 0; i < 1000; i++) {
      const e = world.spawn(A({ v: 1 }))
      if (i % 4 === 0) world.add(e, B({ v: 3 }))
      if (i % 8 === 0) world.add(e, Held(hand))
    }
    expect([sumOf(grouped, A, 'v'), sumOf(grouped, B, 'v'), getColumn(grouped, B, 'v').length]).toEqual([
      250, 750, 250,
    ])
    expect(sumOf(world.query(A, Held(hand)), A, 'v')).toBe(125)
  })

  it('are refused where an entity may lack them, and for fields without numbers', () => {
    const world = watchedWorld()
    const Value = component('Value', { v: f32, at: vec(f32, 2), name: text })
    const Sprite = object<number>('Sprite')
    const query = world.query(Position, any(Value, Odd))
    const required = world.query(Value) as any
    for (const ask of [sumOf, minOf, maxOf, getColumn] as any[]) {
      expect(() => ask(query, Value, 'v')).toThrow(coded('INVALID_ORDER'))
      expect(() => ask(required, Value, 'z')).toThrow(coded('UNKNOWN_FIELD'))
      expect(() => ask(required, Sprite, 'z')).toThrow(coded('UNKNOWN_FIELD'))
      expect(() => ask(required, 5, 'z')).toThrow(coded('NOT_A_COMPONENT'))
      if (ask === getColumn) continue
      expect(() => ask(required, Value, 'at')).toThrow(coded('INVALID_ORDER'))
      expect(() => ask(required, Value, 'name')).toThrow(coded('INVALID_ORDER'))
    }
    world.dispose()
    expect(() => sumOf(required, Value, 'v')).toThrow(coded('WORLD_DISPOSED'))
    expect(() => getColumn(required, Value, 'v')).toThrow(coded('WORLD_DISPOSED'))
  })

  it('have the same bits in every world that made the same calls', () => {
    const sums = [0, 1].map(() => {
      const world = watchedWorld()
      const random = seededRandom(3)
      for (let i = 0; i < 5000; i++) world.spawn(Position({ x: random() }), ...(i % 3 ? [] : [Odd]))
      return sumOf(world.query(Position), Position, 'x')
    })
    expect(sums[0]).toBe(sums[1])
  })
})
