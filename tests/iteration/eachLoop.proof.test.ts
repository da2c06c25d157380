// Shows which cursors the callback of a row loop gets, in which order, and what writing to them does.

import { describe, expect, it } from 'vitest'
import {
  createAccessor,
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
  sparse,
  spawnMany,
  tag,
  text,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { Armour, Frozen, Health, Position, Velocity } from '../support/kinds'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Mass = component('Mass', { value: f64 })
const Charge = component('Charge', { value: i8 })
const Marker = component('Marker', {})

describe('the arguments of the callback', () => {
  it('include one cursor for each component with data, in the order of the terms, without tags and not()', () => {
    const world = watchedWorld()
    const ship = world.spawn(Frozen, Marker, Velocity({ x: 2 }), Position({ x: 1 }), Health({ hp: 3 }))
    let calls = 0
    world
      .query(Frozen, Velocity, not(Mass), Marker, Health, optional(Armour), Position, optional(Charge))
      .each((handle, ...cursors) => {
        calls++
        expect(handle).toBe(ship)
        expect(cursors.length).toBe(5)
        const [v, h, a, p, c] = cursors
        expect([v.x, h.hp, a, p.x, c]).toEqual([2, 3, undefined, 1, undefined])
      })
    expect(calls).toBe(1)
  })

  it('are only the entity for a query without data', () => {
    const world = watchedWorld()
    const ships = Array.from({ length: 3 }, () => world.spawn(Frozen))
    const seen: number[] = []
    world.query(Frozen).each((...all) => {
      seen.push(...all.filter((one) => typeof one === 'number'))
    })
    expect(seen).toEqual(ships)
  })

  it('include a cursor for each alternative of any, undefined if it is absent', () => {
    const world = watchedWorld()
    world.spawn(Position({ x: 1 }))
    world.spawn(Health({ hp: 2 }))
    world.spawn(Position({ x: 3 }), Health({ hp: 4 }))
    const seen: (number | undefined)[][] = []
    world.query(any(Position, Health)).each((_, position, health) => {
      seen.push([position?.x, health?.hp])
    })
    expect(seen.sort()).toEqual([
      [undefined, 2],
      [1, undefined],
      [3, 4],
    ])
  })

  it('may be cursors of more than three components, over all storages', () => {
    const world = watchedWorld()
    for (let i = 0; i < 300; i++) {
      world.spawn(Position({ x: i }), Velocity({ y: i }), Mass({ value: i }), Charge({ value: i % 100 }))
    }
    let rows = 0
    world.query(Position, Velocity, Mass, Charge).each((_, p, v, m, c) => {
      expect([p.x, v.y, m.value, c.value]).toEqual([rows, rows, rows, rows % 100])
      rows++
    })
    expect(rows).toBe(300)
  })

  it('include the same cursor object in every call', () => {
    const world = watchedWorld()
    spawnMany(world, 500, [Position, Health])
    const cursors = new Set<unknown>()
    world.query(Position, Health).each((_, position, health) => {
      cursors.add(position).add(health)
    })
    expect(cursors.size).toBe(2)
  })
})

describe('cursors', () => {
  it.each(STORAGES.flatMap((storage) => ROW_COUNTS.map((rows) => ({ storage, rows }))))(
    'write values that are found by handle ($storage, $rows rows)',
    ({ storage, rows }) => {
      const world = watchedWorld()
      const Counted = component('Counted', { n: u32 }, { storage: STORED[storage] })
      const handles = spawnMany(world, rows, [Counted, Velocity])
      let row = 0
      world.query(Counted, Velocity).each((_, counted, velocity) => {
        counted.n = row * 2
        velocity.x = row++
      })
      expect(row).toBe(rows)
      handles.forEach((handle, i) => {
        if (i < 3 || i > rows - 4 || i % 61 === 0) {
          expect(world.get(handle, Counted)).toEqual({ n: i * 2 })
          expect(world.get(handle, Velocity)).toEqual({ x: i, y: 0 })
        }
      })
    },
  )

  it.each(STORAGES)('read and write each kind of field as its own value (%s)', (storage) => {
    const world = watchedWorld()
    const All = component(
      'All',
      { a: i8, b: u8, c: i16, d: u16, e: i32, f: u32, g: f32, h: f64, i: bool, j: entity, k: text },
      { storage: STORED[storage] },
    )
    const ship = world.spawn(All)
    world.spawn(All)
    const wanted = {
      a: -128,
      b: 255,
      c: -32_768,
      d: 65_535,
      e: -(2 ** 31),
      f: 2 ** 32 - 1,
      g: 0.5,
      h: 1 / 3,
      i: true,
      j: ship,
      k: 'a ship',
    }
    world.query(All).each((handle, all) => {
      expect(all.j).toBe(NULL_ENTITY)
      expect(all.i).toBe(false)
      if (handle === ship) Object.assign(all, wanted)
    })
    expect(world.get(ship, All)).toEqual(wanted)
    world.query(All).each((handle, all) => {
      if (handle !== ship) expect([all.a, all.h, all.i, all.j]).toEqual([0, 0, false, NULL_ENTITY])
    })
  })

  it('of an accessor inside each point at their own entity', () => {
    const world = watchedWorld()
    const ships = Array.from({ length: 50 }, (_, i) => world.spawn(Position({ x: i })))
    const accessor = createAccessor(world, Position)
    world.query(Position).each((_, position) => {
      const first = accessor.of(ships[0])
      first.y += 1
      expect(first.x).toBe(0)
      if (position.x > 0) position.y = position.x
    })
    expect(world.get(ships[0], Position)).toEqual({ x: 0, y: 50 })
    expect(world.get(ships[49], Position)).toEqual({ x: 49, y: 49 })
  })

  it('stay intact after an each call that throws', () => {
    const world = watchedWorld()
    for (let i = 0; i < 10; i++) world.spawn(Position({ x: i }), Health({ hp: i }))
    const query = world.query(Position, Health)
    for (let stop = 0; stop < 10; stop++) {
      let calls = 0
      expect(() =>
        query.each(() => {
          if (calls++ === stop) throw new Error('stop')
        }),
      ).toThrow('stop')
      expect(calls).toBe(stop + 1)
    }
    let sum = 0
    query.each((_, position, health) => {
      sum += position.x + health.hp
    })
    expect(sum).toBe(90)
  })

  it('leave no loop open when each is not given a function, which throws a TypeError', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    expect(() => world.query(Position).each(undefined as never)).toThrow(TypeError)
    world.add(ship, Frozen)
    expect(world.has(ship, Frozen)).toBe(true)
  })
})

describe('cursors that components with the same fields share', () => {
  it('each point at their own component, in nested loops and after a throw', () => {
    const world = watchedWorld()
    for (let i = 0; i < 20; i++) world.spawn(Position({ x: i }), Velocity({ x: 100 + i }))
    const both = world.query(Position, Velocity)
    const turned = world.query(Velocity, Position)
    for (let round = 0; round < 3; round++) {
      let calls = 0
      both.each((_, p, v) => {
        expect(v.x - p.x).toBe(100)
        turned.each((_, w, q) => {
          calls++
          expect(w.x - q.x).toBe(100)
        })
        expect(v.x - p.x).toBe(100)
      })
      expect(calls).toBe(400)
      expect(() =>
        turned.each(() => {
          throw new Error('stop')
        }),
      ).toThrow('stop')
    }
  })

  it('mark a component with the same fields changed only in its own loops', () => {
    const world = watchedWorld()
    world.spawn(Position, Velocity)
    const positions = world.query(changed(Position))
    const velocities = world.query(changed(Velocity))
    positions.each(() => {})
    velocities.each(() => {})
    world.query(Position).each((_, p) => {
      p.x = 1
    })
    expect([positions.count, velocities.count]).toEqual([1, 0])
    world.query(Velocity).each((_, v) => {
      v.x = 1
    })
    expect([positions.count, velocities.count]).toEqual([1, 1])
  })

  it('name the component of the current loop in the error for a wrong value', () => {
    const world = watchedWorld()
    const Name = component('Name', { value: text })
    const Title = component('Title', { value: text })
    world.spawn(Name, Title)
    for (const [Component, name] of [
      [Name, 'Name.value'],
      [Title, 'Title.value'],
      [Name, 'Name.value'],
    ] as const)
      expect(() =>
        world.query(Component).each((_, cursor) => {
          cursor.value = 5 as never
        }),
      ).toThrow(name)
  })

  it('are separate for a list and a single value with the same field name', () => {
    const world = watchedWorld()
    const One = component('One', { v: f32 })
    const List = component('List', { v: vec(f32, 1) })
    world.spawn(One({ v: 2 }), List({ v: [3] }))
    world.query(One).each((_, one) => expect(one.v).toBe(2))
    world.query(List).each((_, list) => expect([...list.v]).toEqual([3]))
  })
})

it('of several pools, the one that is walked and the others give their own values', () => {
  const world = watchedWorld()
  const Heat = component('Heat', { value: f32 }, { storage: sparse })
  const Cold = component('Cold', { value: f32 }, { storage: sparse })
  for (let i = 0; i < 300; i++) {
    const entity = world.spawn(...(i % 2 === 0 ? [Heat({ value: i })] : []))
    if (i % 3 !== 0) world.add(entity, Cold({ value: -i }))
  }
  const query = world.query(Heat, optional(Position), Cold)
  const seen: number[] = []
  query.each((_, heat, position, cold) => {
    expect(position).toBeUndefined()
    expect(heat.value + cold.value).toBe(0)
    seen.push(heat.value)
  })
  for (const chunk of query)
    for (let i = chunk.start; i < chunk.end; i++)
      expect(chunk.cursor(Heat).at(i).value + chunk.cursor(Cold).at(i).value).toBe(0)
  expect(seen).toHaveLength(100)
})

describe('many loops', () => {
  const parts = ['A', 'B', 'C', 'D', 'E'].map((name) => component(name, { n: u32 }))

  it.each([1, 2, 3, 4, 5])('of %i cursors, one after the other, each have their own rows', (count) => {
    const world = watchedWorld()
    const used = parts.slice(0, count)
    // More queries than there are copies of the loop.
    const queries = Array.from({ length: 60 }, (_, i) => {
      const mark = tag(`Mark${i}`)
      spawnMany(world, 3, [...used, mark])
      return world.query(...used, mark)
    })
    for (let turn = 0; turn < 3; turn++)
      queries.forEach((query, i) => {
        query.each((_, ...cursors) => {
          for (const cursor of cursors as { n: number }[]) cursor.n += i
        })
      })
    queries.forEach((query, i) => {
      for (const entity of query.entities())
        for (const C of used)
          if (world.get(entity, C)!.n !== 3 * i) expect.unreachable(`query ${i}, entity ${entity}`)
    })
  })

  it('keep the rows of the outer ones when nested over the same components', () => {
    const world = watchedWorld()
    const [A, B] = parts as [(typeof parts)[0], (typeof parts)[0]]
    for (let n = 1; n <= 4; n++) world.spawn(A({ n }), B({ n: 10 * n }))
    const pairs = world.query(A, B)
    const met: number[] = []
    pairs.each((_, a, b) => {
      pairs.each((_, c) => {
        expect(() =>
          world.query(B).each(() => {
            throw new Error('out')
          }),
        ).toThrow('out')
        pairs.each((_, e, f) => {
          if (e.n === 2) met.push(a.n * 1000 + b.n * 10 + c.n + f.n - 20)
        })
      })
    })
    const expected = [1, 2, 3, 4].flatMap((n) => [1, 2, 3, 4].map((m) => n * 1000 + n * 100 + m))
    expect(met).toEqual(expected)
  })
})
