// Shows that a vec field is one column whose rows are `length` apart: lists go in, typed arrays come out.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  createAccessor,
  NULL_ENTITY,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  not,
  spawnMany,
  tag,
  text,
  u16,
  u32,
  u8,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { capacitiesOf, seededRandom, STORAGES, STORED, TABLE_AND_POOL } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Marked = tag('Marked')
const Matrix = component('Matrix', { m: vec(f32, 16) })

const KINDS = [
  { kind: 'i8', field: i8, array: Int8Array, extremes: [-128, 127] },
  { kind: 'u8', field: u8, array: Uint8Array, extremes: [0, 255] },
  { kind: 'i16', field: i16, array: Int16Array, extremes: [-32_768, 32_767] },
  { kind: 'u16', field: u16, array: Uint16Array, extremes: [0, 65_535] },
  { kind: 'i32', field: i32, array: Int32Array, extremes: [-(2 ** 31), 2 ** 31 - 1] },
  { kind: 'u32', field: u32, array: Uint32Array, extremes: [0, 2 ** 32 - 1] },
  { kind: 'f32', field: f32, array: Float32Array, extremes: [-1.5, Infinity] },
  { kind: 'f64', field: f64, array: Float64Array, extremes: [Number.MIN_VALUE, Number.MAX_VALUE] },
] as const

const cases = KINDS.flatMap((one) =>
  TABLE_AND_POOL.flatMap((storage) => [1, 2, 3, 7, 16].map((length) => ({ ...one, storage, length }))),
)

describe('values', () => {
  it.each(cases)('a list of $length $kind goes in and comes out as a typed array ($storage)', (one) => {
    const world = watchedWorld()
    const List = component(
      'List',
      { v: vec(one.field as typeof f32, one.length), after: u8 },
      { storage: STORED[one.storage] },
    )
    const values = Array.from({ length: one.length }, (_, i) => one.extremes[i % 2])
    const [given, empty] = [world.spawn(List({ v: values, after: 1 })), world.spawn(List({ after: 2 }))]
    expect(world.get(given, List)).toEqual({ v: one.array.from(values), after: 1 })
    expect(world.get(empty, List)).toEqual({ v: new one.array(one.length), after: 2 })
    world.set(empty, List, { v: one.array.from(values) as unknown as Float32Array })
    expect(world.get(empty, List)).toEqual({ v: one.array.from(values), after: 2 })
  })

  it('get returns a copy', () => {
    const world = watchedWorld()
    const ship = world.spawn(Matrix({ m: new Float32Array(16).fill(2) }))
    world.get(ship, Matrix)?.m.fill(9)
    expect(world.get(ship, Matrix)?.m).toEqual(new Float32Array(16).fill(2))
  })

  it('lists of bool and entity keep their kinds', () => {
    const world = watchedWorld()
    const Lists = component('Lists', { flags: vec(bool, 3), crew: vec(entity, 2) })
    const ship = world.spawn(Lists)
    expect(world.get(ship, Lists)).toEqual({
      flags: new Uint8Array(3),
      crew: Uint32Array.of(NULL_ENTITY, NULL_ENTITY),
    })
    createAccessor(world, Lists).of(ship).crew[1] = ship
    expect(world.get(ship, Lists)?.crew).toEqual(Uint32Array.of(NULL_ENTITY, ship))
  })

  it('a default list is written if none is given, even into a reused row', () => {
    const world = watchedWorld()
    const Basis = component('Basis', { m: vec(f32, 4).default([1, 0, 0, 1]) })
    for (let round = 0; round < 3; round++) {
      const ship = world.spawn(Basis)
      expect(world.get(ship, Basis)?.m).toEqual(Float32Array.of(1, 0, 0, 1))
      world.set(ship, Basis, { m: [9, 9, 9, 9] })
      world.destroy(ship)
    }
  })

  it('a default that is changed after the declaration does not reach it', () => {
    const world = watchedWorld()
    const values = [1, 2]
    const Pair = component('Pair', { v: vec(f32, 2).default(values) })
    values[0] = 9
    expect(world.get(world.spawn(Pair), Pair)?.v).toEqual(Float32Array.of(1, 2))
  })
})

describe('wrong lists', () => {
  it.each([
    [[]],
    [[1]],
    [new Array(17).fill(0)],
    [5],
    ['0123456789abcdef'],
    [null],
    [{ length: 16 }],
    [new DataView(new ArrayBuffer(16))],
  ])('%j is refused with the names of component and field, and nothing changes', (wrong) => {
    const world = watchedWorld()
    const ship = world.spawn(Matrix({ m: new Array<number>(16).fill(1) }))
    const calls = [
      () => Matrix({ m: wrong as never }),
      () => world.set(ship, Matrix, { m: wrong as never }),
      () => {
        createAccessor(world, Matrix).of(ship).m = wrong as never
      },
    ]
    for (const call of calls) {
      expect(call).toThrow(/Matrix\.m/)
      expect(call).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }))
    }
    expect(world.get(ship, Matrix)?.m).toEqual(new Float32Array(16).fill(1))
  })

  it('a wrong value inside a list is named by its place', () => {
    const Bytes = component('Bytes', { v: vec(u8, 3) })
    for (const wrong of [256, -1, 1.5, NaN, '1', undefined]) {
      expect(() => Bytes({ v: [0, 0, wrong as never] })).toThrow(/Bytes\.v\[2\]/)
    }
  })

  it.each([0, -1, 1.5, 2 ** 24 + 1, NaN, '3'])('a length of %s is refused', (length) => {
    expect(() => vec(f32, length as number)).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }))
  })

  it('a vec of a vec is refused', () => {
    expect(() => vec(vec(f32, 2) as never, 2)).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }))
  })
})

describe('columns', () => {
  it('value k of row i is at i * length + k of one column', () => {
    const world = watchedWorld()
    const { first, full } = capacitiesOf(Matrix)
    const rows = first + full + 1
    const handles = spawnMany(world, rows, [Matrix], (chunk) => {
      const { m } = chunk.write(Matrix)
      expect(m.length).toBe(chunk.entities.length * 16)
      for (let i = chunk.start; i < chunk.end; i++)
        for (let k = 0; k < 16; k++) m[i * 16 + k] = chunk.entities[i] + k
    })
    for (const handle of handles) {
      expect(world.get(handle, Matrix)?.m).toEqual(Float32Array.from({ length: 16 }, (_, k) => handle + k))
    }
    for (const chunk of world.query(Matrix)) {
      const base = chunk.index(Matrix, 'm')
      expect(chunk.heap.f32[base + chunk.start * 16 + 3]).toBe(chunk.entities[chunk.start] + 3)
      expect(chunk.cursor(Matrix).at(chunk.end - 1).m[2]).toBe(chunk.entities[chunk.end - 1] + 2)
    }
  })

  it.each(TABLE_AND_POOL)(
    'an array of a cursor writes through, and assigning a list copies it (%s)',
    (storage) => {
      const world = watchedWorld()
      const Vector = component('Vector', { v: vec(f64, 3) }, { storage: STORED[storage] })
      const ships = Array.from({ length: 200 }, (_, i) => world.spawn(Vector({ v: [i, i, i] })))
      world.query(Vector).each((_, vector) => {
        vector.v[1] += 1
        if (vector.v[0] === 7) vector.v = Float64Array.of(70, 70, 70)
      })
      ships.forEach((ship, i) => {
        expect(world.get(ship, Vector)?.v).toEqual(
          i === 7 ? Float64Array.of(70, 70, 70) : Float64Array.of(i, i + 1, i),
        )
      })
      const cursor = createAccessor(world, Vector)
      cursor.of(ships[3]).v[2] = -1
      expect(world.get(ships[3], Vector)?.v[2]).toBe(-1)
    },
  )

  it.each(STORAGES)('rows keep their lists through moves and removals (%s)', (storage) => {
    const world = watchedWorld()
    const random = seededRandom(11)
    const List = component(
      'List',
      { small: vec(u8, 3), wide: vec(f64, 2), mid: vec(i16, 5) },
      { storage: STORED[storage] },
    )
    const Extra = component('Extra', { n: u8 })
    const model = new Map<Entity, number>()
    const living: Entity[] = []
    for (let step = 0; step < 3_000; step++) {
      const roll = random()
      if (roll < 0.6 || living.length === 0) {
        const n = step % 256
        const made = world.spawn(List({ small: [n, n, n], wide: [n, -n - 1], mid: [n, n, n, n, n] }))
        living.push(made)
        model.set(made, n)
        continue
      }
      const k = Math.floor(random() * living.length)
      if (roll < 0.75) world.add(living[k], Extra)
      else if (roll < 0.85) world.remove(living[k], Extra)
      else {
        world.destroy(living[k])
        model.delete(living[k])
        living[k] = living[living.length - 1]
        living.pop()
      }
    }
    for (const [handle, n] of model) {
      expect(world.get(handle, List)).toEqual({
        small: Uint8Array.of(n, n, n),
        wide: Float64Array.of(n, -n - 1),
        mid: Int16Array.of(n, n, n, n, n),
      })
    }
  })

  it('a row of nearly a whole chunk fits; one that is larger is refused by name and size', () => {
    const world = watchedWorld()
    const Large = component('Large', { v: vec(f64, 2_000) })
    const handles = spawnMany(world, 5, [Large({ v: new Float64Array(2_000).fill(3) })])
    expect(world.get(handles[4], Large)?.v[1_999]).toBe(3)
    const TooLarge = component('TooLarge', { v: vec(f64, 4_000) })
    const spawn = () => world.spawn(TooLarge)
    expect(spawn).toThrow(expect.objectContaining({ code: 'ROW_LIMIT' }))
    expect(spawn).toThrow(/TooLarge takes 32008 bytes/)
    expect(world.stats().entities).toBe(5)
  })
})

describe('a list that is a view over the memory of a world', () => {
  const Row = component('Row', { m: vec(f32, 100), name: text })
  const numbers = Float32Array.from({ length: 100 }, (_, i) => i + 0.5)

  it.each(['spawn', 'add', 'set', 'spawnMany', 'addMany'] as const)(
    'is written whole by %s, even if the memory grows',
    (way) => {
      const world = watchedWorld({ memory: { initial: 2 ** 20 } })
      const first = world.spawn(Row({ m: numbers }))
      const source = createAccessor(world, Row)
      let growths = 0
      for (let i = 0; i < 4000; i++) {
        const before = source.of(first).m.buffer
        const entity = written(world, way, () => source.of(first).m)
        expect(world.get(entity, Row)!.m).toEqual(numbers)
        if (source.of(first).m.buffer !== before) growths++
      }
      expect(growths).toBeGreaterThan(1)
    },
  )

  function written(world: World, way: string, view: () => Float32Array): Entity {
    if (way === 'spawn') return world.spawn(Row({ m: view() }))
    if (way === 'spawnMany') return spawnMany(world, 3, [Row({ m: view() })])[1]
    const entity = world.spawn(Marked)
    if (way === 'add') world.add(entity, Row({ m: view() }))
    else if (way === 'set') world.set(entity, Row, { m: view(), name: `number ${entity}` })
    else addMany(world.query(Marked, not(Row)), Row({ m: view() }))
    return entity
  }

  it('is copied into the value made from it', () => {
    const world = watchedWorld()
    const source = createAccessor(world, Row).of(world.spawn(Row({ m: numbers })))
    const value = Row({ m: source.m })
    source.m[0] = 9
    expect(world.get(world.spawn(value), Row)!.m[0]).toBe(0.5)
  })
})
