// Shows which rows a `where` keeps, over every kind of number, every operator and every storage, in loops and in bulk. The
// reference is JavaScript's comparison of the value that `get` returns.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  destroyMany,
  disableMany,
  enableMany,
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
  not,
  optional,
  removeMany,
  resetWorld,
  sparse,
  spawnMany,
  tag,
  toggle,
  u16,
  u32,
  u8,
  vec,
  type Comparison,
  type Entity,
  type Query,
  type World,
} from '../../bindings/index'
import { proofLength } from '../support/proofs'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const OPERATORS: readonly Comparison[] = ['<', '<=', '>', '>=', '==', '!=']

function compares(value: unknown, comparison: Comparison, given: unknown): boolean {
  const [a, b] = [Number(value), Number(given)]
  switch (comparison) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '==':
      return a === b
    default:
      return a !== b
  }
}

const FIELDS = { i8, u8, i16, u16, i32, u32, f32, f64 }
type Numeric = keyof typeof FIELDS

const RANGES: Record<Numeric, readonly [number, number]> = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32768, 32767],
  u16: [0, 65535],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
  f32: [-Infinity, Infinity],
  f64: [-Infinity, Infinity],
}

const MAX_F32 = (2 - 2 ** -23) * 2 ** 127
const MIN_F32 = 2 ** -149
/** Numbers at which comparisons go wrong: limits, fractions, what 32 bits cannot hold, nothing at all. */
const ODD = [
  ...Object.values(RANGES).flat(),
  ...Object.values(RANGES).flatMap(([least, most]) => [least - 1, least + 0.5, most + 1, most - 0.5]),
  ...[0, -0, 1, -1, 0.1, -0.1, 0.5, -0.5, 1.5, NaN, 1e300, -1e300, 1e-300, 16777216, 16777217, 1 / 3],
  ...[MAX_F32, -MAX_F32, MAX_F32 * (1 + 2 ** -25), 3.5e38, -3.5e38, MIN_F32, -MIN_F32, MIN_F32 / 2, 1e-40],
  ...[Math.fround(0.1), Math.fround(0.1) + 2 ** -40, Number.MAX_VALUE, Number.MIN_VALUE, 2 ** -126],
]

/** Those of the odd numbers that a field of this kind can hold. */
function valuesOf(kind: Numeric): number[] {
  if (kind === 'f64') return ODD
  if (kind === 'f32') return ODD.map(Math.fround)
  const [least, most] = RANGES[kind]
  return ODD.filter((value) => Number.isInteger(value) && value >= least && value <= most)
}

function handlesOf(query: Query): number[] {
  const looped: number[] = []
  for (const chunk of query) {
    for (let row = chunk.start; row < chunk.end; row++) looped.push(chunk.entities[row] as number)
  }
  expect(query.count).toBe(looped.length)
  expect(query.first()).toBe(looped[0])
  expect([...query.entities()]).toEqual(looped)
  return looped.sort((a, b) => a - b)
}

describe.each(Object.keys(FIELDS) as Numeric[])('where on a field of %s', (kind) => {
  const C = component('C', { before: u8, value: FIELDS[kind], behind: f64 })

  function worldWith(values: readonly number[]): { world: World; handles: Uint32Array } {
    const world = watchedWorld({ memory: { initial: 2 ** 20 } })
    const handles = spawnMany(world, values.length, [C])
    handles.forEach((handle, i) => world.set(handle, C, { value: values[i] as number }))
    return { world, handles }
  }

  function compareAll(values: readonly number[], given: readonly number[]): void {
    const { world, handles } = worldWith(values)
    const stored = Array.from(handles, (handle) => world.get(handle as Entity, C)?.value)
    for (const comparison of OPERATORS) {
      for (const value of given) {
        const expected = handles.filter((_, i) => compares(stored[i], comparison, value))
        const found = world.query(C).where(C, 'value', comparison, value).entities()
        if (found.join() !== expected.join()) {
          const wrong = Array.from(handles, (handle, i) => [handle, stored[i]]).filter(
            ([handle]) => found.includes(handle as number) !== expected.includes(handle as number),
          )
          expect.unreachable(`${comparison} ${value} is wrong for ${wrong.map(([, v]) => v).join()}`)
        }
      }
    }
    world.dispose()
  }

  it('keeps what JavaScript would keep, for every limit and every unusual number', () => {
    compareAll(valuesOf(kind), ODD)
    compareAll(valuesOf(kind), valuesOf(kind))
  })

  it('keeps what JavaScript would keep among random values', () => {
    const isFloat = kind === 'f32' || kind === 'f64'
    const [min, max] = RANGES[kind]
    const value = isFloat ? fc.double() : fc.integer({ min, max })
    const given = fc.oneof(fc.double(), value, fc.constantFrom(...ODD))
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 120 }),
        fc.array(given, { minLength: 1, maxLength: 3 }),
        (values, asked) => compareAll(values, [...asked, values[0] as number]),
      ),
      { numRuns: proofLength(40), seed: 11 },
    )
  })
})

it.each(ROW_COUNTS)('where looks at each of %i rows once and at none after the last', (count) => {
  const C = component('C', { n: u32 })
  const world = watchedWorld()
  const handles = spawnMany(world, count, [C])
  handles.forEach((handle, i) => world.set(handle, C, { n: i }))
  for (const edge of [0, 1, 62, 63, 64, 65, count - 1, count, count >> 1]) {
    if (edge < 0) continue
    expect(handlesOf(world.query(C).where(C, 'n', '<', edge))).toEqual([...handles.subarray(0, edge)])
    expect(handlesOf(world.query(C).where(C, 'n', '>=', edge))).toEqual([...handles.subarray(edge)])
    expect(handlesOf(world.query(C).where(C, 'n', '!=', edge))).toEqual([
      ...handles.filter((_, i) => i !== edge),
    ])
  }
  // Rows that were left behind by others hold numbers that no condition may find.
  destroyMany(world, handles.subarray(count >> 1))
  expect(handlesOf(world.query(C).where(C, 'n', '>=', 0))).toEqual([...handles.subarray(0, count >> 1)])
})

describe('where on other fields', () => {
  const Link = component('Link', { who: entity, on: bool, list: vec(f32, 3) })

  it('compares booleans with booleans', () => {
    const world = watchedWorld()
    const [off, on] = [false, true].map((value) => world.spawn(Link({ on: value }))) as [Entity, Entity]
    const query = world.query(Link)
    const found = (comparison: Comparison, value: boolean) =>
      handlesOf(query.where(Link, 'on', comparison, value))
    expect(found('==', true)).toEqual([on])
    expect(found('!=', true)).toEqual([off])
    expect(found('==', false)).toEqual([off])
    expect(found('<', true)).toEqual([off])
    expect(found('>=', false)).toEqual([off, on])
    expect(found('>', true)).toEqual([])
  })

  it('finds the entities that point to an entity, and those with NULL_ENTITY', () => {
    const world = watchedWorld()
    const target = world.spawn()
    const pointing = world.spawn(Link({ who: target }))
    const unset = world.spawn(Link)
    expect(handlesOf(world.query(Link).where(Link, 'who', '==', target))).toEqual([pointing])
    expect(handlesOf(world.query(Link).where(Link, 'who', '==', NULL_ENTITY))).toEqual([unset])
  })

  it('is refused for values that cannot be compared, and changes nothing then', () => {
    const world = watchedWorld()
    const Health = component('Health', { hp: u8 })
    const Red = tag('Red')
    world.spawn(Link)
    const query = world.query(Link, Red, not(Health))
    const code = (expected: string) => expect.objectContaining({ code: expected }) as Error
    expect(() => query.where(Link, 'nothing' as never, '==', true as never)).toThrow(code('UNKNOWN_FIELD'))
    expect(() => query.where(Link, 'nothing' as never, '==', true as never)).toThrow(/who, on, list/)
    expect(() => query.where(Link, 'toString' as never, '==', true as never)).toThrow(code('UNKNOWN_FIELD'))
    expect(() => query.where(Link, 'list' as never, '==', 1 as never)).toThrow(/only a field of one value/)
    expect(() => query.where(Link, 'on', '=' as never, true)).toThrow(code('INVALID_QUERY'))
    expect(() => query.where(Link, 'on', '==', 1 as never)).toThrow(/compared with true or false, not 1/)
    expect(() => query.where(Link, 'who', '==', '1' as never)).toThrow(code('INVALID_VALUE'))
    expect(() => query.where(Link, 'who', '==', undefined as never)).toThrow(code('INVALID_VALUE'))
    expect(() => query.where(Health as never, 'hp' as never, '==', 1 as never)).toThrow(code('INVALID_QUERY'))
    expect(() => query.where(Red as never, 'hp' as never, '==', 1 as never)).toThrow(code('INVALID_QUERY'))
    expect(() => query.where({} as never, 'hp' as never, '==', 1 as never)).toThrow(code('NOT_A_COMPONENT'))
    expect(() => query.slice(0, 9).where(Link, 'on', '==', true)).toThrow(/conditions before slice/)
  })

  it('takes 32 conditions and refuses one more, without leaving a loop open', () => {
    const world = watchedWorld()
    const handle = world.spawn(Link({ on: true }))
    let query = world.query(Link)
    for (let i = 0; i < 32; i++) query = query.where(Link, 'on', '==', true)
    expect(query.entities()).toEqual(Uint32Array.of(handle))
    const tooMany = query.where(Link, 'on', '==', true)
    expect(() => tooMany.count).toThrow(/at most 32 conditions/)
    expect(() => destroyMany(tooMany)).toThrow(/at most 32 conditions/)
    // Still possible: no loop is open.
    resetWorld(world)
  })
})

describe.each(STORAGES)('where on a %s component', (storage) => {
  const C = component('C', { n: u32, weight: f32 }, { storage: STORED[storage], toggle })
  const Position = component('Position', { x: f32 })
  const Red = tag('Red')
  const Few = component('Few', { n: u8 }, { storage: sparse })

  /** 300 entities with n and x counting up; every third one red, the first 20 of them few. */
  function filled() {
    const world = watchedWorld()
    const handles = spawnMany(world, 300, [Position, C])
    handles.forEach((handle, i) => {
      world.set(handle, C, { n: i, weight: i / 2 })
      world.set(handle, Position, { x: -i })
      if (i % 3 === 0) world.add(handle, Red)
      if (i < 20) world.add(handle, Few({ n: i }))
    })
    /** Handles of the numbers for which this holds. */
    const those = (holds: (i: number) => boolean) =>
      [...handles].filter((_, i) => holds(i)).sort((a, b) => a - b)
    return { world, handles, those }
  }

  it('holds wherever the component is stored: alone, beside a table component, as an alternative, optional', () => {
    const { world, those } = filled()
    spawnMany(world, 50, [Position])
    const below = those((i) => i < 100)
    expect(handlesOf(world.query(C).where(C, 'n', '<', 100))).toEqual(below)
    expect(handlesOf(world.query(Position, C).where(C, 'n', '<', 100))).toEqual(below)
    expect(handlesOf(world.query(C, Red).where(C, 'n', '<', 100))).toEqual(
      those((i) => i < 100 && i % 3 === 0),
    )
    expect(handlesOf(world.query(Position, optional(C)).where(C, 'n', '<', 100))).toEqual(below)
    expect(handlesOf(world.query(Position, any(C, Red)).where(C, 'n', '<', 100))).toEqual(below)
    expect(handlesOf(world.query(C, Few).where(C, 'n', '>', 10).where(Few, 'n', '<', 15))).toEqual(
      those((i) => i > 10 && i < 15),
    )
    // Few enough rows in the pool that it is walked in place of the archetypes.
    expect(handlesOf(world.query(Position, Few, C).where(C, 'n', '>', 10))).toEqual(
      those((i) => i > 10 && i < 20),
    )
    expect(
      handlesOf(world.query(Position, Few).where(Position, 'x', '>', -5).where(Few, 'n', '>', 1)),
    ).toEqual(those((i) => i > 1 && i < 5))
  })

  it('holds for all conditions at once, and each step leaves the query it was made from as it is', () => {
    const { world, those } = filled()
    const all = world.query(Position, C)
    const low = all.where(C, 'n', '>=', 50)
    const range = low.where(C, 'weight', '<', 40)
    const both = range.where(Position, 'x', '!=', -60)
    expect(handlesOf(both)).toEqual(those((i) => i >= 50 && i < 80 && i !== 60))
    expect(handlesOf(range)).toEqual(those((i) => i >= 50 && i < 80))
    expect(handlesOf(low)).toEqual(those((i) => i >= 50))
    expect(all.count).toBe(300)
    expect(handlesOf(both.where(C, 'n', '<', 0))).toEqual([])
    disableMany(world.query(C), C)
    expect(handlesOf(both)).toEqual([])
  })

  it('skips entities that are switched off, and reads optional components on or off', () => {
    const { world, handles, those } = filled()
    for (let i = 0; i < 300; i += 2) world.disable(handles[i], C)
    expect(handlesOf(world.query(C).where(C, 'n', '<', 9))).toEqual(those((i) => i < 9 && i % 2 === 1))
    expect(handlesOf(world.query(Position, optional(C)).where(C, 'n', '<', 9))).toEqual(those((i) => i < 9))
    expect(handlesOf(world.query(Position, not(C)).where(Position, 'x', '>', -9))).toEqual(
      those((i) => i < 9 && i % 2 === 0),
    )
  })

  it('skips rows that were left empty', () => {
    const { world, handles, those } = filled()
    for (let i = 0; i < 300; i += 2) world.remove(handles[i], C)
    expect(handlesOf(world.query(C).where(C, 'n', '<', 100))).toEqual(those((i) => i < 100 && i % 2 === 1))
    expect(handlesOf(world.query(C).where(C, 'n', '!=', 7))).toEqual(those((i) => i !== 7 && i % 2 === 1))
  })

  it('gives each and columns the rows it keeps, with their values', () => {
    const { world } = filled()
    const seen: number[] = []
    world
      .query(Position, C)
      .where(C, 'n', '>', 290)
      .each((_, p, c) => {
        expect(p.x).toBe(-c.n)
        seen.push(c.n)
        c.weight = 1000
      })
    expect(seen.sort((a, b) => a - b)).toEqual([291, 292, 293, 294, 295, 296, 297, 298, 299])
    expect(world.query(C).where(C, 'weight', '==', 1000).count).toBe(9)
  })

  it('limits a bulk change to the rows it keeps', () => {
    const { world, those } = filled()
    const query = world.query(Position, C)
    const low = query.where(C, 'n', '<', 100)
    expect(addMany(low, Red)).toBe(100)
    expect(handlesOf(world.query(Red))).toEqual(those((i) => i < 100 || i % 3 === 0))
    expect(removeMany(low, Red)).toBe(100)
    expect(handlesOf(world.query(Red))).toEqual(those((i) => i >= 100 && i % 3 === 0))
    expect(disableMany(low.where(C, 'n', '>=', 90), C)).toBe(10)
    expect(handlesOf(query)).toEqual(those((i) => i < 90 || i >= 100))
    expect(enableMany(query.where(C, 'n', '>=', 80), C)).toBe(220)
    expect(query.count).toBe(300)
    expect(addMany(low, Few({ n: 200 }), Red)).toBe(100)
    expect(handlesOf(world.query(Few).where(Few, 'n', '==', 200))).toEqual(those((i) => i < 100))
    expect(destroyMany(query.where(C, 'weight', '>=', 100))).toBe(100)
    expect(handlesOf(query)).toEqual(those((i) => i < 200))
    expect(destroyMany(query.where(Position, 'x', '<', -300))).toBe(0)
    expect(removeMany(low, C)).toBe(100)
    expect(handlesOf(query)).toEqual(those((i) => i >= 100 && i < 200))
  })

  it('changes nothing if it matches no entity, and takes no memory', () => {
    const { world } = filled()
    const nobody = world.query(Position, C).where(C, 'n', '<', -1)
    const before = world.stats()
    const version = world.query(Position, C).version
    expect([addMany(nobody, Red), addMany(nobody, Few({ n: 3 }), Red), removeMany(nobody, C)]).toEqual([
      0, 0, 0,
    ])
    expect(world.stats()).toEqual(before)
    expect(world.query(Position, C).version).toBe(version)
    expect(() => addMany(nobody, 7 as any)).toThrow(TypeError)
  })

  it('counts as a look even if no changed entity matches', () => {
    const { world } = filled()
    const fresh = world.query(changed(C))
    expect(addMany(fresh.where(C, 'n', '<', -1), Red)).toBe(0)
    expect(fresh.count).toBe(0)
  })

  it('is evaluated again when a bulk change that was called in a loop is applied', () => {
    const { world, those } = filled()
    const high = world.query(C).where(C, 'n', '>=', 200)
    for (const chunk of world.query(C)) {
      if (chunk.start !== 0) continue
      expect(destroyMany(high)).toBe(100)
      expect(high.count).toBe(100)
      break
    }
    expect(handlesOf(world.query(C))).toEqual(those((i) => i < 200))
  })

  it('holds in nested loops, each with its own rows', () => {
    const { world } = filled()
    const outer = world.query(C).where(C, 'n', '!=', 150)
    const outside: number[] = []
    let pairs = 0
    for (const chunk of outer) {
      for (let row = chunk.start; row < chunk.end; row++) {
        outside.push(chunk.entities[row] as number)
        if (row % 50 !== 0) continue
        let inner = 0
        for (const other of world.query(Position, C).where(C, 'n', '>=', 297))
          inner += other.end - other.start
        // The same query once more, inside of itself.
        inner += Array.from(outer).length > 0 ? 1 : 0
        expect(inner).toBe(4)
        pairs++
      }
    }
    expect(new Set(outside).size).toBe(299)
    expect(outside.length).toBe(299)
    expect(pairs).toBeGreaterThan(3)
  })

  it('holds for queries that a loop makes while memory must not grow', () => {
    const { world, those } = filled()
    const Unknown = component('Unknown', { n: u8 })
    world.batch(() => {
      const made = world.query(Position, C, not(Few)).where(C, 'n', '<', 100)
      expect(handlesOf(made)).toEqual(those((i) => i >= 20 && i < 100))
      expect(handlesOf(world.query(Position, optional(Unknown)).where(Unknown, 'n', '>=', 0))).toEqual([])
      expect(world.query(Unknown).where(Unknown, 'n', '>=', 0).count).toBe(0)
    })
    expect(handlesOf(world.query(Position, C, not(Few)).where(C, 'n', '<', 100))).toEqual(
      those((i) => i >= 20 && i < 100),
    )
  })

  it('sees values that an earlier step of the same loop wrote ahead, chunk by chunk', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 6000, [C])
    const query = world.query(C).where(C, 'n', '==', 0)
    const last = handles[handles.length - 1]
    let visited = 0
    for (const chunk of query) {
      for (let row = chunk.start; row < chunk.end; row++) visited++
      world.set(last, C, { n: 1 })
    }
    expect(visited).toBe(5999)
  })

  it('holds again after the world was reset', () => {
    const { world } = filled()
    const query = world.query(C).where(C, 'n', '<', 100)
    expect(query.count).toBe(100)
    resetWorld(world)
    expect(query.count).toBe(0)
    world.spawn(C({ n: 5 }))
    world.spawn(C({ n: 500 }))
    expect(query.count).toBe(1)
  })
})
