// Owns the proof that sorting gives the order of the values: over every kind of field and every storage, stable,
// ties in the order of creation, the same inside a loop, and nothing changed when there is no memory to sort in.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Entity,
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
  tag,
  text,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { changeTickOf, indexOf } from '../support/inside'
import { proofLength } from '../support/proofs'
import { leaveFree } from '../support/scarcity'
import { ROW_COUNTS, STORAGES, seededRandom } from '../support/storages'
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

describe.each(STORAGES)('query.sorted over a %s component', (storage) => {
  it.each(Object.entries(Kinds))('is ascending for %s, equal values in order of creation', (_name, kind) => {
    const world = watchedWorld()
    const Value = component('Value', { before: u16, value: kind.field as typeof f64 }, { storage })
    const handles = scattered(world, Value, kind.values)
    const stored = kind.values.map((value) => (kind.field === (f32 as unknown) ? Math.fround(value) : value))
    expect([...world.query(Value).sorted(Value, 'value')]).toEqual(inOrder(handles, stored))
  })

  it('takes any bits of a NaN for the last', () => {
    const world = watchedWorld()
    const Value = component('Value', { value: f32, wide: f64 }, { storage })
    const handles = [...world.spawnMany(4, [Value])]
    const narrow = [0xffffffff, 0x7f800001, 0xff800000, 0x7f800000]
    world.query(Value).each((e, v) => {
      const at = handles.indexOf(e)
      v.value = new Float32Array(Uint32Array.of(narrow[at] as number).buffer)[0] as number
      v.wide = new Float64Array(Uint32Array.of(0, narrow[at] as number).buffer)[0] as number
    })
    const [a, b, lowest, highest] = handles
    expect([...world.query(Value).sorted(Value, 'value')]).toEqual([lowest, highest, a, b])
    const wide = [...world.query(Value).sorted(Value, 'wide')]
    expect(wide).toEqual([...world.defer(() => world.query(Value).sorted(Value, 'wide'))])
  })

  it('orders false before true and handles by their number', () => {
    const world = watchedWorld()
    const Value = component('Value', { on: bool, who: entity }, { storage })
    const a = world.spawn(Value({ on: true, who: 7 as Entity }))
    const b = world.spawn(Value({ on: false }))
    const c = world.spawn(Value({ on: true, who: 3 as Entity }))
    expect([...world.query(Value).sorted(Value, 'on')]).toEqual([b, a, c])
    expect(world.get(b, Value)?.who).toBe(NULL_ENTITY)
    expect([...world.query(Value).sorted(Value, 'who')]).toEqual([c, a, b])
  })

  it.each(ROW_COUNTS)('sorts %i rows', (count) => {
    const world = watchedWorld()
    const random = seededRandom(count)
    const Value = component('Value', { value: u32 }, { storage })
    const values = Array.from({ length: count }, () => Math.floor(random() * 2 ** 20))
    const handles = values.map((value) => world.spawn(Value({ value })))
    expect([...world.query(Value).sorted(Value, 'value')]).toEqual(inOrder(handles, values))
  })

  it('gives the same inside a loop and outside, for any terms', () => {
    const world = watchedWorld()
    const random = seededRandom(5)
    const Value = component('Value', { value: f32 }, { storage })
    const Other = component('Other', { n: u8 })
    const Sparse = component('Sparse', { n: u8 }, { storage: 'sparse' })
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
      const outside = [...query.sorted(Value, 'value')]
      const pairs = outside.map((e) => [world.get(e, Value)?.value as number, e] as const)
      const expected = inOrder(
        [...query.entities()].sort((a, b) => a - b),
        [...query.entities()].sort((a, b) => a - b).map((e) => world.get(e, Value)?.value as number),
      )
      expect(pairs.map(([, e]) => e)).toEqual(expected)
      const inside: number[][] = []
      for (const _ of world.query(Value)) {
        inside.push([...query.sorted(Value, 'value')])
        break
      }
      expect(inside).toEqual([outside])
    }
  })

  it('sees values that were written since', () => {
    const world = watchedWorld()
    const Value = component('Value', { value: u32 }, { storage })
    const a = world.spawn(Value({ value: 1 }))
    const b = world.spawn(Value({ value: 2 }))
    const query = world.query(Value)
    expect([...query.sorted(Value, 'value')]).toEqual([a, b])
    world.set(a, Value, { value: 3 })
    expect([...query.sorted(Value, 'value')]).toEqual([b, a])
    world.destroy(b)
    expect([...query.sorted(Value, 'value')]).toEqual([a])
    world.remove(a, Value)
    expect([...query.sorted(Value, 'value')]).toEqual([])
  })

  it('changes nothing when there is no memory to sort in', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const Value = component('Value', { value: f64 }, { storage })
    const handles = [...world.spawnMany(4000, [Value])]
    const query = world.query(Value)
    query.sorted(Value, 'value')
    leaveFree(world, 100)
    const before = world.stats()
    expect(() => query.sorted(Value, 'value')).toThrow(LimitError)
    expect(world.stats()).toEqual(before)
    expect([...world.defer(() => query.sorted(Value, 'value'))]).toEqual(handles)
  })
})

describe('query.sorted', () => {
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
          expect([...world.query(Value).sorted(Value, 'value')]).toEqual(inOrder(living, values))
          expect([...world.defer(() => world.query(Value).sorted(Value, 'value'))]).toEqual(
            inOrder(living, values),
          )
          world.dispose()
        },
      ),
      { numRuns: proofLength(60) },
    )
  })

  it('orders ties by creation also where indices were used again', () => {
    const world = watchedWorld()
    const Value = component('Value', { value: u8, wide: f64 })
    const old = [...world.spawnMany(1500, [Value])]
    world.destroyMany(old.slice(0, 1200))
    const young = [...world.spawnMany(150, [Value])]
    expect(young.some((e) => indexOf(e) < 1200)).toBe(true)
    for (const field of ['value', 'wide'] as const) {
      expect([...world.query(Value).sorted(Value, field)]).toEqual([...old.slice(1200), ...young])
      expect([...world.defer(() => world.query(Value).sorted(Value, field))]).toEqual([
        ...old.slice(1200),
        ...young,
      ])
    }
  })

  it('sorts what is left by conditions, switches, windows and changes', () => {
    const world = watchedWorld()
    const random = seededRandom(6)
    const Value = component('Value', { value: i32, n: u32 }, { toggle: true })
    const Health = component('Health', { hp: u8 }, { storage: 'sparse' })
    const handles = Array.from({ length: 2000 }, (_, n) => {
      const value = Math.floor(random() * 100) - 50
      return world.spawn(Value({ value, n }), ...(n % 2 ? [Health({ hp: n & 63 })] : []))
    })
    handles.forEach((e, i) => i % 5 === 0 && world.disable(e, Value))
    const values = (list: readonly number[]) => list.map((e) => world.get(e, Value)?.value as number)
    const expectSorted = (query: any, expected: readonly number[]) => {
      const sorted = inOrder(expected, values(expected))
      expect([...query.sorted(Value, 'value')]).toEqual(sorted)
      expect([...world.defer(() => query.sorted(Value, 'value'))]).toEqual(sorted)
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
    const page = world.query(Value).page(100, 300)
    expectSorted(page, [...page.entities()])
    const news = world.query(changed(Value))
    expect(news.sorted(Value, 'value').length).toBe(on.length)
    expect(news.sorted(Value, 'value').length).toBe(0)
    world.advance()
    world.set(handles[1], Value, { value: 0 })
    expect([...news.sorted(Value, 'value')]).toContain(handles[1])
  })

  it('gives nothing in a world without such entities, also for a component it never met', () => {
    const world = watchedWorld()
    const Value = component('Value', { value: u8 })
    expect(world.query(Value).sorted(Value, 'value')).toEqual(new Uint32Array(0))
    const Unmet = component('Unmet', { value: u8 })
    world.defer(() => expect(world.query(Unmet).sorted(Unmet, 'value').length).toBe(0))
  })

  it('refuses what has no order, and says why', () => {
    const world = watchedWorld()
    const Value = component('Value', { value: u8, list: vec(f32, 3), name: text })
    const Other = component('Other', { n: u8 })
    const query: any = world.query(Value, optional(Other))
    const code = (action: () => unknown) => {
      try {
        action()
      } catch (error) {
        return (error as { code: string }).code
      }
      return 'nothing thrown'
    }
    expect(code(() => query.sorted(Value, 'list'))).toBe('INVALID_ORDER')
    expect(() => query.sorted(Value, 'list')).toThrow('Value.list has no order')
    expect(codeOf(() => query.sorted(Value, 'name'))).toBe('INVALID_ORDER')
    expect(code(() => query.sorted(Value, 'none'))).toBe('UNKNOWN_FIELD')
    expect(code(() => query.sorted(Other, 'n'))).toBe('INVALID_ORDER')
    expect(() => query.sorted(Other, 'n')).toThrow('Other is not required by the query')
    expect(code(() => query.sorted(5, 'n'))).toBe('NOT_A_COMPONENT')
    world.dispose()
    expect(code(() => query.sorted(Value, 'value'))).toBe('WORLD_DISPOSED')
  })
})

const Depth = component('Depth', { z: f32, wide: vec(u8, 3), big: f64, flag: bool }, { storage: 'sparse' })
const Weight = component('Weight', { kg: i32 }, { storage: 'sparse' })
const Plain = component('Plain', { n: u32 })
const Slot = component('Slot', { n: u32 }, { storage: 'stable' })

function rowsOf(world: World, ...terms: any[]): number[] {
  const seen: number[] = []
  for (const chunk of world.query(...terms))
    seen.push(...(chunk as any).entities.subarray(chunk.start, chunk.end))
  return seen
}

const codeOf = (action: () => unknown): string => {
  try {
    action()
  } catch (error) {
    return (error as { code: string }).code
  }
  return 'nothing thrown'
}

describe('world.sort', () => {
  it.each(ROW_COUNTS)('puts %i rows in order, and every value stays with its entity', (count) => {
    const world = watchedWorld()
    const random = seededRandom(count + 1)
    const values = Array.from({ length: count }, () => Math.floor(random() * 500) - 250)
    const handles = values.map((z, i) =>
      world.spawn(Depth({ z, wide: [i & 255, 1, 2], big: z / 3, flag: z > 0 }), ...(i % 3 ? [Weight] : [])),
    )
    world.sort(Depth, 'z')
    expect(rowsOf(world, Depth)).toEqual(inOrder(handles, values))
    handles.forEach((e, i) => {
      const z = values[i] as number
      const { wide, ...rest } = world.get(e, Depth) as any
      expect([...wide, rest]).toEqual([i & 255, 1, 2, { z, big: z / 3, flag: z > 0 }])
    })
    world.sort(Depth, 'big')
    expect(rowsOf(world, Depth)).toEqual(inOrder(handles, values))
  })

  it('is undone by nothing but rows that come and go', () => {
    const world = watchedWorld()
    const [a, b, c] = [3, 1, 2].map((z) => world.spawn(Depth({ z }))) as [Entity, Entity, Entity]
    world.sort(Depth, 'z')
    world.add(a, Weight)
    world.set(a, Depth, { z: 0 })
    expect(rowsOf(world, Depth)).toEqual([b, c, a])
    world.remove(b, Depth)
    expect(rowsOf(world, Depth)).toEqual([a, c])
    world.sort(Depth, 'z')
    expect(rowsOf(world, Depth)).toEqual([a, c])
  })

  it('waits for the end of a loop', () => {
    const world = watchedWorld()
    const [a, b] = [2, 1].map((z) => world.spawn(Depth({ z })))
    const seen: number[] = []
    for (const chunk of world.query(Depth)) {
      world.sort(Depth, 'z')
      for (let i = chunk.start; i < chunk.end; i++) seen.push(chunk.entities[i] as number)
    }
    expect(seen).toEqual([a, b])
    expect(rowsOf(world, Depth)).toEqual([b, a])
  })

  it('keeps the later change tick of chunks between which rows went', () => {
    const world = watchedWorld()
    const handles = world.spawnMany(1500, [Weight])
    handles.forEach((e, i) => world.set(e, Weight, { kg: -i }))
    world.advance()
    world.set(handles[1499], Weight, { kg: -5000 })
    const now = world.tick
    world.sort(Weight, 'kg')
    expect(rowsOf(world, Weight)[0]).toBe(handles[1499])
    expect(changeTickOf(world, handles[1499] as number, Weight)).toBe(now)
  })

  it('changes nothing when there is no memory to sort in', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const handles = [...world.spawnMany(3000, [Weight])]
    handles.forEach((e, i) => world.set(e, Weight, { kg: -i }))
    leaveFree(world, 40)
    expect(() => world.sort(Weight, 'kg')).toThrow(LimitError)
    expect(rowsOf(world, Weight)).toEqual(handles)
  })

  it('carries switches and tracked changes along', () => {
    const world = watchedWorld()
    const Lamp = component('Lamp', { z: i32 }, { storage: 'sparse', toggle: true, track: 'row' })
    const handles = Array.from({ length: 1200 }, (_, i) => world.spawn(Lamp({ z: -i })))
    handles.forEach((e, i) => i % 3 === 0 && world.disable(e, Lamp))
    const news = world.query(changed(Lamp))
    expect(news.entities().length).toBe(800)
    world.set(handles[1000], Lamp, { z: -9999 })
    world.sort(Lamp, 'z')
    handles.forEach((e, i) => expect(world.isEnabled(e, Lamp)).toBe(i % 3 !== 0))
    expect([...news.entities()]).toEqual([handles[1000]])
    expect(rowsOf(world, Lamp)[0]).toBe(handles[1000])
  })

  it('counts as a change of the query: its version differs', () => {
    const world = watchedWorld()
    for (let i = 0; i < 5; i++) world.spawn(Depth({ z: -i }))
    const query = world.query(Depth)
    const before = query.version
    world.sort(Depth, 'z')
    expect(query.version).not.toBe(before)
  })

  it('world.sort refuses what cannot be reordered, and says why', () => {
    const world: any = watchedWorld()
    expect(codeOf(() => world.sort(Plain, 'n'))).toBe('INVALID_ORDER')
    expect(() => world.sort(Plain, 'n')).toThrow('Plain has no rows of its own')
    expect(codeOf(() => world.sort(Slot, 'n'))).toBe('INVALID_ORDER')
    expect(() => world.sort(Slot, 'n')).toThrow('stable storage, whose rows never move')
    expect(codeOf(() => world.sort(Depth, 'wide'))).toBe('INVALID_ORDER')
    expect(codeOf(() => world.sort(Depth, 'none'))).toBe('UNKNOWN_FIELD')
    expect(codeOf(() => world.sort('Depth', 'z'))).toBe('NOT_A_COMPONENT')
    expect(codeOf(() => world.sortAs(Plain, Depth))).toBe('INVALID_ORDER')
    expect(codeOf(() => world.sortAs(Slot, Depth))).toBe('INVALID_ORDER')
    expect(codeOf(() => world.sortAs(Depth, Plain))).toBe('INVALID_ORDER')
    expect(codeOf(() => world.sortAs(Depth, undefined))).toBe('NOT_A_COMPONENT')
    // Nothing was there to sort, and still nothing is.
    expect(codeOf(() => world.sort(Depth, 'z'))).toBe('nothing thrown')
    expect(codeOf(() => world.sortAs(Depth, Weight))).toBe('nothing thrown')
    expect(world.stats().components).toBe(0)
  })
})

describe('world.sortAs', () => {
  it.each([['sparse', Weight] as const, ['stable', Slot] as const])(
    'follows a %s pool, the entities without it behind',
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
        world.sort(Weight, 'kg')
      }
      world.sortAs(Depth, Like)
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

  it('waits for the end of a loop', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(Depth, Weight({ kg: 2 })), world.spawn(Depth, Weight({ kg: 1 }))]
    world.sort(Weight, 'kg')
    world.defer(() => {
      world.sortAs(Depth, Weight)
      expect(rowsOf(world, Depth)).toEqual([a, b])
    })
    expect(rowsOf(world, Depth)).toEqual([b, a])
  })
})
