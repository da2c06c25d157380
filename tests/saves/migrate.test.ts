// Shows what a program that has changed makes of an older save: names, wider numbers, migrations.

import { describe, expect, it } from 'vitest'
import {
  type AnyComponent,
  type Schema,
  clearWorld,
  cloneEntity,
  createCommands,
  destroyMany,
  digestWorld,
  mergeWorld,
  NULL_ENTITY,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  resetWorld,
  resource,
  saveToJSON,
  saveWorld,
  sparse,
  spawnAt,
  spawnMany,
  tag,
  text,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { load, loadJSON } from '../support/loaded'
import { STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'

/** What a save of one component with values becomes under another declaration, from bytes and from JSON. */
function become(before: AnyComponent, values: object, after: AnyComponent): unknown {
  const world = testWorld()
  const handle = world.spawn(before(values))
  const [bytes, json] = [saveWorld(world), saveToJSON(world)]
  world.dispose()
  const results = [() => load(bytes, [after]), () => loadJSON(json, [after])].map((loading) => {
    const { world: loaded, handles, unknown } = loading()
    const value = loaded.get(handles.get(handle) as never, after) as unknown
    loaded.dispose()
    return { value, unknown }
  })
  expect(results[1]).toEqual(results[0])
  return results[0]
}

const of = (schema: Schema, options = {}) => component('Health', schema, options)

describe('fields with the same version', () => {
  it('A new field gets its default, a removed one is reported, and order does not matter', () => {
    const before = of({ hp: u16, points: i32, label: text })
    const after = of({ label: text, max: u16.default(100), hp: u16, list: vec(f32, 2).default([1, 2]) })
    expect(become(before, { hp: 7, points: 5, label: 'x' }, after)).toEqual({
      value: { label: 'x', max: 100, hp: 7, list: Float32Array.of(1, 2) },
      unknown: ['Health.points'],
    })
  })

  const SCALARS = { i8, u8, i16, u16, i32, u32, f32, f64, bool, entity, text }
  const MOST: Record<string, number[]> = {
    i8: [-128, 127],
    u8: [0, 255],
    i16: [-32768, 32767],
    u16: [0, 65535],
    i32: [-(2 ** 31), 2 ** 31 - 1],
    u32: [0, 2 ** 32 - 1],
    f32: [Math.fround(0.1), -Infinity, 2 ** 127],
    f64: [0.1, 5e-324],
  }

  it('Numbers convert if no value can be lost, and everything else requires a migration', () => {
    for (const [from, field] of Object.entries(SCALARS))
      for (const [to, other] of Object.entries(SCALARS)) {
        const fits = (MOST[from] ?? []).every((value) => {
          const { [to]: target = [] } = MOST
          if (to === 'f64') return true
          if (to === 'f32') return Math.fround(value) === value && from !== 'f64'
          return Number.isInteger(value) && value >= (target[0] ?? 1) && value <= (target[1] ?? 0)
        })
        const numbers = from in MOST && to in MOST
        const value = from === 'bool' ? true : from === 'text' ? 'x' : from === 'entity' ? NULL_ENTITY : 1
        const values = numbers && fits ? (MOST[from] as number[]) : [value]
        for (const v of values) {
          const convert = () => become(of({ v: field }), { v }, of({ v: other }))
          if (from === to || (numbers && fits)) expect(convert()).toEqual({ value: { v }, unknown: [] })
          else
            expect(convert).toThrow(
              new RegExp(`^Health.v is ${from} in the save, and ${to} here: .* Nothing has changed.$`),
            )
        }
      }
  })

  it('Lists must be of the same length, and convert like single values', () => {
    expect(become(of({ v: vec(u8, 3) }), { v: [1, 2, 255] }, of({ v: vec(i32, 3) }))).toEqual({
      value: { v: Int32Array.of(1, 2, 255) },
      unknown: [],
    })
    expect(() => become(of({ v: vec(u8, 3) }), {}, of({ v: vec(u8, 4) }))).toThrow(
      'Health.v is vec(u8, 3) in the save, and vec(u8, 4) here',
    )
  })

  it('A component may become a tag, and a tag a component', () => {
    expect(become(of({ v: u8 }), { v: 1 }, of({}))).toEqual({ value: {}, unknown: ['Health.v'] })
    const world = testWorld()
    const handle = world.spawn(tag('Health'))
    const after = of({ v: u8.default(3) })
    const { world: loaded, handles } = load(saveWorld(world), [after])
    expect(loaded.get(handles.get(handle) as never, after)).toEqual({ v: 3 })
  })

  it('Resources are matched by the same rules, without migrations', () => {
    const world = testWorld()
    world.setResource(resource('Time', { dt: f32, old: u8 }), { dt: 2 })
    const Time = resource('Time', { dt: f64, scale: f32.default(3) })
    const { world: loaded, unknown } = load(saveWorld(world), [Time])
    expect(loaded.getResource(Time)).toEqual({ dt: 2, scale: 3 })
    expect(unknown).toEqual(['Time.old'])
    expect(() => load(saveWorld(world), [resource('Time', { dt: u8 })])).toThrow('Time.dt is f32 in the save')
    const Other = resource<number>('Time', { save: (n) => n, load: (n: number) => n })
    expect(load(saveWorld(world), [Other]).unknown).toEqual(['Time'])
  })
})

describe('names', () => {
  it('A component without a declaration is left out and reported', () => {
    const world = testWorld()
    const [A, B, C] = [
      component('A', { n: u8 }),
      component('B', { n: u8 }, { storage: sparse }),
      tag('C'),
    ] as const
    const handle = world.spawn(A, B, C)
    world.setResource(resource('R', { n: u8 }), {})
    const { world: loaded, handles, unknown } = load(saveWorld(world), [A])
    expect([...unknown].sort()).toEqual(['B', 'C', 'R'])
    expect(loaded.has(handles.get(handle) as never, A)).toBe(true)
  })

  it('Two declarations of one name are refused', () => {
    expect(() => load(saveWorld(testWorld()), [tag('A'), tag('A')])).toThrow("another tag named 'A'")
  })
})

describe.each(STORAGES)('a migration in %s storage', (storage) => {
  const V1 = component('Health', { points: u16, friend: entity, name: text }, { storage: STORED[storage] })
  const V2 = component(
    'Health',
    { hp: u16, max: u16.default(9), friend: entity, title: text, friends: vec(entity, 2) },
    {
      storage: STORED[storage],
      version: 2,
      migrate: {
        1: ({ points, friend, name }: { points: number; friend: number; name: string }) => ({
          hp: points * 2,
          friend,
          title: `Dr ${name}`,
          friends: [friend, NULL_ENTITY],
        }),
      },
    },
  )
  const V3 = component(
    'Health',
    { hp: f32, friend: entity, alive: bool },
    {
      storage: STORED[storage],
      version: 3,
      migrate: {
        1: ({ points, friend }: { points: number; friend: number }) => ({ hp: points * 2, friend }),
        2: ({ hp, friend }: { hp: number; friend: number }) => ({ hp: hp / 4, friend, alive: hp > 0 }),
      },
    },
  )

  function saved() {
    const world = testWorld()
    const handles = Array.from({ length: 300 }, () => world.spawn())
    handles.forEach((handle, i) =>
      world.add(handle, V1({ points: i, friend: handles[(i * 7) % 300] as never, name: `n${i % 5}` })),
    )
    return { handles, bytes: saveWorld(world), json: saveToJSON(world) }
  }

  it('Every row goes through the function of its version, with texts and handles', () => {
    const { handles, bytes, json } = saved()
    for (const { world, handles: map } of [load(bytes, [V2]), loadJSON(json, [V2])])
      handles.forEach((handle, i) => {
        const friend = map.get(handles[(i * 7) % 300] as number)
        expect(world.get(map.get(handle) as never, V2)).toEqual({
          hp: i * 2,
          max: 9,
          friend,
          title: `Dr n${i % 5}`,
          friends: Uint32Array.of(friend as number, NULL_ENTITY),
        })
      })
  })

  it('Two versions later both functions are called, one after the other', () => {
    const { handles, bytes } = saved()
    const { world, handles: map, unknown } = load(bytes, [V3])
    expect(unknown).toEqual([])
    handles.forEach((handle, i) => {
      const { hp, alive } = world.get(map.get(handle) as never, V3) as { hp: number; alive: boolean }
      expect([hp, alive]).toEqual([i / 2, i > 0])
    })
    expect(digestWorld(load(saveWorld(world), [V3]).world, V3)).toBe(digestWorld(world, V3))
  })

  it('A function that is missing is named', () => {
    const { bytes } = saved()
    const missing = component(
      'Health',
      { hp: f32 },
      { storage: STORED[storage], version: 3, migrate: { 1: () => ({ hp: 1 }) } },
    )
    expect(() => load(bytes, [missing])).toThrow(
      expect.objectContaining({
        code: 'MISSING_MIGRATION',
        message:
          "Health has version 1 in the save, and 3 here: give component('Health', …) the option migrate: { 2: (old) => ({ … }) }. Nothing has changed.",
      }),
    )
  })

  it('A save of a later version is refused', () => {
    const { bytes } = saved()
    const later = saveWorld(load(bytes, [V2]).world)
    expect(() => load(later, [V1])).toThrow(
      expect.objectContaining({
        code: 'MISSING_MIGRATION',
        message: expect.stringContaining('load it with a program that knows version 2') as string,
      }),
    )
  })

  it('An error of a function, or a wrong result, changes nothing', () => {
    const { bytes } = saved()
    const results = [
      () => {
        throw new Error('no')
      },
      () => ({ hp: 70_000 }),
      () => ({ hq: 1 }),
      () => 5,
      () => undefined,
    ]
    for (const migrate of results) {
      const world = testWorld()
      world.spawn(tag('Red'))
      const digested = digestWorld(world)
      let calls = 0
      const bad = component(
        'Health',
        { hp: u16 },
        {
          storage: STORED[storage],
          version: 2,
          migrate: { 1: () => (calls++ < 200 ? { hp: 1 } : (migrate() as object)) },
        },
      )
      expect(() => mergeWorld(world, bytes, { components: [bad] })).toThrow(/no|Health/)
      expect([digestWorld(world), world.stats().entities]).toEqual([digested, 1])
      expect(() => load(bytes, [bad])).toThrow()
    }
  })

  it('An error in a function names the step, the component and the entity, and keeps the code of a wrong result', () => {
    const { bytes, handles } = saved()
    const first = `, entity ${handles[0]}: `
    const wrong: [object, string, string][] = [
      [{ 1: () => ({ hq: 1 }) }, 'UNKNOWN_FIELD', `migrate 1 of Health${first}Health has no field 'hq'`],
      [{ 1: () => undefined }, 'INVALID_VALUE', `migrate 1 of Health${first}Health takes an object`],
      [{ 1: () => ({ hp: -5 }) }, 'INVALID_VALUE', `migrate 1 of Health${first}Health.hp takes`],
      [{ 1: async (old: object) => old }, 'ASYNC_CALLBACK', `migrate 1 of Health${first}migrate cannot wait`],
      [{ 1: () => Promise.reject(new Error('late')) }, 'ASYNC_CALLBACK', `migrate 1 of Health${first}`],
      [
        {
          1: () => {
            throw new Error('boo')
          },
        },
        'MIGRATION_FAILED',
        `migrate 1 of Health${first}boo; nothing has changed.`,
      ],
      [{ 1: () => 5, 2: () => ({ hp: 1 }) }, 'INVALID_VALUE', `migrate 1 of Health${first}`],
      [{ 1: () => ({}), 2: () => ({ hp: 'x' }) }, 'INVALID_VALUE', `migrate 2 of Health${first}`],
    ]
    for (const [migrate, code, sentence] of wrong) {
      const version = Object.keys(migrate).length + 1
      const bad = component(
        'Health',
        { hp: u16 },
        { storage: STORED[storage], version, migrate: migrate as never },
      )
      for (const call of [
        () => load(bytes, [bad]),
        () => mergeWorld(testWorld(), bytes, { components: [bad] }),
      ]) {
        expect(call).toThrow(
          expect.objectContaining({ code, message: expect.stringContaining(sentence) as string }),
        )
        expect(call).toThrow(/; nothing has changed\.$/)
        expect(call).toThrow(expect.objectContaining({ cause: expect.any(Error) as Error }))
      }
    }
  })

  it('A function cannot change the world that merge fills: the merge is refused, and nothing has changed', () => {
    const { bytes } = saved()
    const Red = tag('Red')
    const world = testWorld()
    const there = world.spawn(Red)
    const digested = digestWorld(world)
    const changes = [
      () => world.spawn(Red),
      () => spawnAt(world, 99, Red),
      () => spawnMany(world, 2, [Red]),
      () => world.destroy(there),
      () => world.remove(there, Red),
      () => cloneEntity(world, there),
      () => destroyMany(world.query(Red)),
      () => createCommands(world).spawn(),
      () => clearWorld(world),
      () => resetWorld(world),
    ]
    for (const change of changes) {
      const sly = component(
        'Health',
        { hp: u16 },
        { storage: STORED[storage], version: 2, migrate: { 1: () => (change(), {}) } },
      )
      expect(() => mergeWorld(world, bytes, { components: [sly] })).toThrow(
        expect.objectContaining({ code: 'WORLD_LOCKED' }),
      )
      expect([digestWorld(world), world.stats().entities]).toEqual([digested, 1])
    }
    // It is open again.
    expect(world.isAlive(world.spawn(Red))).toBe(true)
  })
})

it('Versions and migrations of a declaration are checked', () => {
  for (const version of [0, -1, 1.5, '2', NaN, 2 ** 31])
    expect(() => component('A', {}, { version: version as number })).toThrow(
      'version must be a whole number from 1',
    )
  expect(() => component('A', {}, { migrate: 5 as never })).toThrow('must be an object')
  expect(() => component('A', {}, { version: 2 ** 31 - 1, migrate: {} })).not.toThrow()
})
