// Shows that a resource is one value for a world, with fields or of JavaScript, and on no entity.

import { describe, expect, it } from 'vitest'
import * as L from '../../build/layout'
import {
  addMany,
  clearWorld,
  createAccessor,
  destroyMany,
  NULL_ENTITY,
  resetWorld,
  sparse,
  spawnMany,
  StrataError,
  StrataTypeError,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  not,
  resource,
  tag,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { bytesOf, expectSameBytes } from '../support/bytes'
import { resourceTickOf } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { MEMORY_STEP } from '../support/proofs'
import { freeBytes, leaveFree, succeeds, tryEveryAmount } from '../support/scarcity'
import { useStale } from '../support/stale'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const MIB = 2 ** 20
const Time = resource('Time', { dt: f32.default(0.5), elapsed: f64 })
const Everything = resource('Everything', {
  a: i8.default(-8),
  b: u8.default(8),
  c: i16.default(-16),
  d: u16.default(16),
  e: i32.default(-32),
  f: u32.default(4_000_000_000),
  g: f32.default(0.25),
  h: f64.default(1e300),
  i: bool.default(true),
  j: entity,
  k: vec(i16, 3).default([1, 2, 3]),
})
const Settings = resource<{ level: number } | undefined>('Settings')
const Position = component('Position', { x: f32 })
const Health = component('Health', { hp: u16 }, { storage: sparse })

/** Any argument where the types allow only some. */
const anything = (value: unknown) => value as never

describe('a resource with fields', () => {
  it('is created with its defaults when it is first requested', () => {
    const world = watchedWorld()
    expect(world.hasResource(Time)).toBe(false)
    expect(world.resource(Time)).toMatchObject({ dt: 0.5, elapsed: 0 })
    expect(world.hasResource(Time)).toBe(true)
  })

  it('refuses an unknown field: nothing of a world is kept beside its memory', () => {
    const world = watchedWorld()
    const Wind = resource('Wind', { x: f32 })
    const wind = world.resource(Wind) as { x: number; misspelt?: number }
    expect(() => (wind.misspelt = 1)).toThrow(/misspelt/)
    expect(world.getResource(Wind)).toEqual({ x: 0 })
  })

  it('keeps its values when it is requested again', () => {
    const world = watchedWorld()
    world.resource(Time).dt = 4
    expect(world.resource(Time).dt).toBe(4)
    expect(world.getResource(Time)).toEqual({ dt: 4, elapsed: 0 })
  })

  it('holds fields of every kind, each with its default', () => {
    const world = watchedWorld()
    world.resource(Everything)
    expect(world.getResource(Everything)).toEqual({
      a: -8,
      b: 8,
      c: -16,
      d: 16,
      e: -32,
      f: 4_000_000_000,
      g: 0.25,
      h: 1e300,
      i: true,
      j: NULL_ENTITY,
      k: new Int16Array([1, 2, 3]),
    })
    const ship = world.spawn()
    world.setResource(Everything, { a: 1, i: false, j: ship, k: [4, 5, 6] })
    expect(world.resource(Everything).j).toBe(ship)
    expect(world.resource(Everything).i).toBe(false)
    expect([...world.resource(Everything).k]).toEqual([4, 5, 6])
    expect(world.resource(Everything).f).toBe(4_000_000_000)
  })

  it('gives the same object in each call, even after it was removed and created again', () => {
    const world = watchedWorld()
    const time = world.resource(Time)
    expect(world.resource(Time)).toBe(time)
    world.removeResource(Time)
    expect(world.resource(Time)).toBe(time)
    expect(time.dt).toBe(0.5)
  })

  it('is written in part by setResource, which makes it with the other fields at their defaults', () => {
    const world = watchedWorld()
    world.setResource(Time, { elapsed: 9 })
    expect(world.getResource(Time)).toEqual({ dt: 0.5, elapsed: 9 })
    world.setResource(Time, { dt: 2 })
    expect(world.getResource(Time)).toEqual({ dt: 2, elapsed: 9 })
    world.setResource(Time, {})
    expect(world.getResource(Time)).toEqual({ dt: 2, elapsed: 9 })
  })

  it('is undefined, and not created, when getResource finds it missing', () => {
    const world = watchedWorld()
    const { components, chunks } = world.stats()
    expect(world.getResource(Time)).toBeUndefined()
    expect(world.hasResource(Time)).toBe(false)
    expect(world.stats()).toMatchObject({ components, chunks })
  })

  it('is gone after removeResource, and its memory is freed', () => {
    const world = watchedWorld()
    expect(world.removeResource(Time)).toBe(false)
    world.resource(Time).dt = 7
    const { chunks, bytesUsed } = world.stats()
    expect(world.removeResource(Time)).toBe(true)
    expect(world.stats()).toMatchObject({ chunks: chunks - 1, bytesUsed: bytesUsed - L.SMALL_CHUNK_BYTES })
    expect(world.removeResource(Time)).toBe(false)
    expect(world.getResource(Time)).toBeUndefined()
    expect(world.resource(Time).dt).toBe(0.5)
  })

  it('is stored in linear memory, with a change tick that each way of writing marks', () => {
    const world = watchedWorld()
    world.resource(Time)
    const ticks: number[] = []
    const note = () => ticks.push(resourceTickOf(world, Time))
    note()
    world.advanceTick()
    world.resource(Time).dt += 1
    note()
    world.advanceTick()
    world.setResource(Time, { dt: 3 })
    note()
    world.advanceTick()
    void world.resource(Time).dt
    world.getResource(Time)
    note()
    expect(ticks).toEqual([1, 2, 3, 3])
  })

  it('marks the tick of the write through a cursor that was kept', () => {
    const world = watchedWorld()
    const time = world.resource(Time)
    world.advanceTick()
    world.advanceTick()
    time.dt = 1
    expect(resourceTickOf(world, Time)).toBe(3)
  })

  it('stays where a kept cursor finds it while memory grows and tables move', () => {
    const world = watchedWorld({ memory: { initial: MIB } })
    const time = world.resource(Time)
    time.elapsed = 12
    const reserved = world.stats().bytesReserved
    spawnMany(world, 400_000, [Position])
    expect(world.stats().bytesReserved).toBeGreaterThan(reserved)
    expect(time.elapsed).toBe(12)
    time.elapsed = 13
    expect(world.getResource(Time)?.elapsed).toBe(13)
  })

  it('makes a kept cursor useless once it is gone: no byte in use changes', () => {
    const world = watchedWorld()
    const time = world.resource(Time)
    world.removeResource(Time)
    const handles = spawnMany(world, 500, [Position({ x: 3 }), Health({ hp: 2 })])
    useStale(() => (time.dt = 99))
    useStale(() => (time.elapsed = -1))
    expect([...handles].every((handle) => world.get(handle, Position)?.x === 3)).toBe(true)
    expect(world.hasResource(Time)).toBe(false)
    resetWorld(world)
    useStale(() => (time.dt = 99))
    checkInvariants(world)
    expect(world.resource(Time).dt).toBe(0.5)
  })

  it('may have no fields', () => {
    const Paused = resource('Paused', {})
    const world = watchedWorld()
    expect(world.hasResource(Paused)).toBe(false)
    world.setResource(Paused, {})
    expect(world.hasResource(Paused)).toBe(true)
    expect(world.getResource(Paused)).toEqual({})
  })

  it('may be larger than a small chunk', () => {
    const Map = resource('Map', { cells: vec(f32, 4000) })
    const world = watchedWorld()
    world.resource(Map).cells[3999] = 5
    expect(world.getResource(Map)?.cells[3999]).toBe(5)
  })

  it('belongs to one world', () => {
    const [a, b] = [watchedWorld(), watchedWorld()]
    a.resource(Time).dt = 1
    expect(b.hasResource(Time)).toBe(false)
    b.resource(Time).dt = 2
    expect(a.resource(Time).dt).toBe(1)
    expect(a.resource(Time)).not.toBe(b.resource(Time))
  })

  it('may share its fields with another one, and its name with a component', () => {
    const Other = resource('OtherTime', { dt: f32.default(0.5), elapsed: f64 })
    const Same = component('Time', { dt: f32.default(0.5), elapsed: f64 })
    const world = watchedWorld()
    world.resource(Time).dt = 1
    world.resource(Other).dt = 2
    world.spawn(Same({ dt: 3 }))
    expect([world.resource(Time).dt, world.resource(Other).dt]).toEqual([1, 2])
  })
})

describe('a resource of JavaScript', () => {
  it('is undefined until it is set, replaced by the next set, gone when removed', () => {
    const world = watchedWorld()
    expect(world.resource(Settings)).toBeUndefined()
    expect(world.hasResource(Settings)).toBe(false)
    const settings = { level: 3 }
    world.setResource(Settings, settings)
    expect(world.resource(Settings)).toBe(settings)
    expect(world.getResource(Settings)).toBe(settings)
    world.setResource(Settings, { level: 4 })
    expect(world.resource(Settings)?.level).toBe(4)
    expect(world.removeResource(Settings)).toBe(true)
    expect(world.removeResource(Settings)).toBe(false)
    expect(world.resource(Settings)).toBeUndefined()
  })

  it.each([undefined, null, 0, false, ''])('is there when it was set to %s', (value) => {
    const Any = resource('Any')
    const world = watchedWorld()
    world.setResource(Any, value)
    expect(world.hasResource(Any)).toBe(true)
    expect(world.resource(Any)).toBe(value)
  })

  it('takes no linear memory and may be set and removed inside a loop', () => {
    const world = watchedWorld()
    const { bytesUsed } = world.stats()
    world.batch(() => {
      world.setResource(Settings, { level: 1 })
      expect(world.resource(Settings)).toEqual({ level: 1 })
      world.removeResource(Settings)
      expect(world.hasResource(Settings)).toBe(false)
    })
    expect(world.stats().bytesUsed).toBe(bytesUsed)
  })
})

describe('resources and the life of a world', () => {
  it('are kept by clear', () => {
    const world = watchedWorld()
    world.setResource(Time, { dt: 3 })
    world.setResource(Settings, { level: 3 })
    spawnMany(world, 100, [Position, Health])
    clearWorld(world)
    expect(world.resource(Time).dt).toBe(3)
    expect(world.resource(Settings)?.level).toBe(3)
    destroyMany(world.query())
    expect(world.resource(Time).dt).toBe(3)
  })

  it('are gone after reset', () => {
    const world = watchedWorld()
    world.setResource(Time, { dt: 3 })
    world.setResource(Settings, { level: 3 })
    resetWorld(world)
    expect(world.hasResource(Time)).toBe(false)
    expect(world.hasResource(Settings)).toBe(false)
    expect(world.resource(Settings)).toBeUndefined()
    expect(world.resource(Time).dt).toBe(0.5)
  })

  it('are refused after dispose', () => {
    const world = watchedWorld()
    world.setResource(Time, { dt: 3 })
    world.setResource(Settings, { level: 3 })
    const time = world.resource(Time)
    world.dispose()
    const calls = [
      () => world.resource(Time),
      () => world.resource(Settings),
      () => world.getResource(Time),
      () => world.hasResource(Settings),
      () => world.setResource(Time, { dt: 1 }),
      () => world.removeResource(Time),
    ]
    for (const call of calls) expect(call).toThrow(/disposed/)
    useStale(() => (time.dt = 1))
  })
})

describe('resources inside a loop', () => {
  it('are read and written at once', () => {
    const world = watchedWorld()
    world.resource(Time)
    spawnMany(world, 3, [Position])
    world.query(Position).each(() => {
      world.resource(Time).elapsed += 1
      world.setResource(Time, { dt: world.resource(Time).elapsed })
    })
    expect(world.getResource(Time)).toEqual({ dt: 3, elapsed: 3 })
  })

  it('are refused, with an alternative, if they would have to be created', () => {
    const world = watchedWorld()
    world.spawn(Position)
    for (const _ of world.query(Position)) {
      const calls = [() => world.resource(Time), () => world.setResource(Time, { dt: 1 })]
      for (const call of calls) {
        expect(call).toThrow(StrataError)
        expect(call).toThrow(/Time.*before the loop/)
        expect(call).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
      }
      expect(world.hasResource(Time)).toBe(false)
      expect(world.getResource(Time)).toBeUndefined()
      expect(world.removeResource(Time)).toBe(false)
    }
    expect(world.resource(Time).dt).toBe(0.5)
  })

  it('can be removed at once, and disturb no loop', () => {
    const world = watchedWorld()
    world.setResource(Time, { dt: 2 })
    const handles = spawnMany(world, 2000, [Position({ x: 1 })])
    let sum = 0
    world.query(Position).each((_, position) => {
      sum += position.x
      world.removeResource(Time)
    })
    expect(sum).toBe(handles.length)
    expect(world.hasResource(Time)).toBe(false)
  })

  it('can be created and removed in a loop that looks at its own query again, over many archetypes', () => {
    const world = watchedWorld()
    for (let i = 0; i < 10; i++) world.spawn(Position({ x: 1 }), tag(`Own ${i}`))
    world.resource(Time)
    const query = world.query(Position)
    for (const chunk of query) chunk.write(Position)
    for (let round = 0; round < 2; round++) {
      let rows = 0
      for (const chunk of query) {
        if (rows === 0) world.removeResource(Time)
        query.first()
        chunk.write(Position).x[chunk.start]! += 1
        rows += chunk.end - chunk.start
      }
      expect(rows).toBe(10)
      world.resource(Time)
    }
    expect(query.entities().every((entity) => world.get(entity, Position)?.x === 3)).toBe(true)
  })
})

describe('wrong arguments', () => {
  it.each([
    ['nothing', undefined],
    ['a component', Position],
    ['a name', 'Time'],
    ['a number', 3],
    ['null', null],
    ['an object with a number', { number: 0, kind: 'resource' }],
  ])('are refused by every call on resources: %s', (_, wrong) => {
    const world = watchedWorld()
    world.resource(Time)
    const calls = [
      () => world.resource(anything(wrong)),
      () => world.getResource(anything(wrong)),
      () => world.hasResource(anything(wrong)),
      () => world.setResource(anything(wrong), anything({})),
      () => world.removeResource(anything(wrong)),
    ]
    for (const call of calls) {
      expect(call).toThrow(StrataTypeError)
      expect(call).toThrow(expect.objectContaining({ code: 'NOT_A_RESOURCE' }))
    }
  })

  it.each([
    [{ dt: 'x' }, 'INVALID_VALUE', /Time\.dt/],
    [{ speed: 1 }, 'UNKNOWN_FIELD', /Time has no field 'speed'/],
    [null, 'INVALID_VALUE', /Time takes an object/],
  ])('values %j are refused and nothing is made', (values, code, sentence) => {
    const world = watchedWorld()
    expect(() => world.setResource(Time, anything(values))).toThrow(sentence)
    expect(() => world.setResource(Time, anything(values))).toThrow(expect.objectContaining({ code }))
    expect(world.hasResource(Time)).toBe(false)
  })

  it('a resource is not a component, wherever it is given as one', () => {
    const world = watchedWorld()
    world.resource(Time)
    const ship = world.spawn(Position)
    const calls = [
      () => world.spawn(anything(Time)),
      () => spawnMany(world, 3, [anything(Time)]),
      () => world.add(ship, anything(Time)),
      () => world.remove(ship, anything(Time)),
      () => world.has(ship, anything(Time)),
      () => world.get(ship, anything(Time)),
      () => world.set(ship, anything(Time), anything({})),
      () => createAccessor(world, anything(Time)),
      () => world.query(anything(Time)),
      () => world.query(not(anything(Time))),
      () => addMany(world.query(Position), anything(Time)),
    ]
    for (const call of calls) {
      expect(call).toThrow(/the resource Time/)
      expect(call).toThrow(expect.objectContaining({ code: 'NOT_A_COMPONENT' }))
    }
    expect(world.query().count).toBe(1)
  })

  it.each([
    ['without a name', () => resource(anything(undefined))],
    ['with an empty name', () => resource('')],
    ['with a number as schema', () => resource('Wrong', anything(3))],
    ['with null as schema', () => resource('Wrong', anything(null))],
    ['with a number as field', () => resource('Wrong', anything({ x: 3 }))],
    ['with __proto__ as field', () => resource('Wrong', anything(JSON.parse('{"__proto__": 1}')))],
  ])('declarations %s are refused', (_, declare) => {
    expect(declare).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }))
  })
})

describe('a resource that finds the memory used up', () => {
  const Wide = resource('Wide', { a: f32.default(1), b: vec(f64, 90).default(new Array(90).fill(1)) })

  for (const hidesObjects of [false, true]) {
    it(`is not made, and can be made later, whatever is left${hidesObjects ? ' and every small object needs a block' : ''}`, () => {
      const attempt = (kib: number) => {
        const world = testWorld({ memory: { maximum: MIB } })
        const ballast = spawnMany(world, 2000, [Position])
        leaveFree(world, kib)
        const made = succeeds(() => world.setResource(Wide, { a: 7 }), hidesObjects ? world : undefined)
        checkInvariants(world)
        expect(world.hasResource(Wide)).toBe(made)
        if (!made) {
          expect(freeBytes(world)).toBeLessThan(64 * 1024)
          destroyMany(world, ballast)
          world.setResource(Wide, { a: 7 })
          checkInvariants(world)
        }
        expect(world.getResource(Wide)).toMatchObject({ a: 7, b: new Float64Array(90).fill(1) })
        return made
      }
      tryEveryAmount(attempt, { step: MEMORY_STEP, most: 100 })
    })
  }
})

describe('the same calls', () => {
  it('give the same bytes', () => {
    const bytes = [0, 1].map(() => {
      const world = testWorld({ memory: { initial: MIB } })
      spawnMany(world, 100, [Position, Health])
      world.setResource(Time, { dt: 3 })
      world.resource(Everything).a = 3
      world.removeResource(Time)
      world.setResource(Time, { elapsed: 4 })
      return bytesOf(world)
    })
    expectSameBytes(bytes[0]!, bytes[1]!)
  })
})
