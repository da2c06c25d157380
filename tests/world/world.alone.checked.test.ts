// Shows a world's beginning, limits and end: options, clear, reset, dispose, stats.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  clearWorld,
  createAccessor,
  destroyMany,
  LimitError,
  onAdd,
  onEnter,
  Query,
  resetWorld,
  spawnMany,
  World,
  component,
  createWorld,
  f32,
  f64,
  vec,
  type Entity,
  type WorldOptions,
} from '../../bindings/index'
import { Armour, Frozen, Health, Position, Velocity } from '../support/kinds'
import { seededRandom, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { isSteady, testWorld } from '../support/world'

const MIB = 2 ** 20

describe('clearWorld', () => {
  it('after clear nothing is alive, pools and queries are empty, and all of it can be used again', () => {
    const world = watchedWorld()
    const handles = Array.from({ length: 5_000 }, () => world.spawn(Position, Health, Armour, Frozen))
    const queries = [
      world.query(Position),
      world.query(Health),
      world.query(Armour),
      world.query(Frozen),
      world.query(),
    ]
    clearWorld(world)
    expect(handles.some((handle) => world.isAlive(handle))).toBe(false)
    expect(handles.some((handle) => world.has(handle, Health))).toBe(false)
    for (const query of queries) expect(query.count).toBe(0)
    expect(world.stats().entities).toBe(0)
    const fresh = world.spawn(Position({ x: 1 }), Health({ hp: 2 }), Armour({ points: 3 }), Frozen)
    for (const query of queries) expect(query.single()).toBe(fresh)
    expect(world.get(fresh, Armour)).toEqual({ points: 3 })
  })

  it('after clear generations go on counting: no old handle names a new entity', () => {
    const world = watchedWorld()
    const old = new Set<number>()
    for (let round = 0; round < 20; round++) {
      for (const handle of spawnMany(world, 2_000, [Position])) {
        expect(old.has(handle)).toBe(false)
        old.add(handle)
      }
      clearWorld(world)
    }
    expect([...old].some((handle) => world.isAlive(handle))).toBe(false)
  })

  it('clear works on an empty world, and twice', () => {
    const world = watchedWorld()
    clearWorld(world)
    clearWorld(world)
    world.spawn(Position)
    clearWorld(world)
    clearWorld(world)
    expect(world.query().count).toBe(0)
  })
})

describe('resetWorld', () => {
  it('after reset handles repeat exactly, queries and accessors go on working', () => {
    const world = watchedWorld()
    const fill = () =>
      Array.from({ length: 3_000 }, (_, i) =>
        i % 2 ? world.spawn(Position({ x: i }), Health) : world.spawn(Armour),
      )
    const accessor = createAccessor(world, Position)
    const query = world.query(Position, Health)
    const before = fill()
    destroyMany(world.query(Position))
    resetWorld(world)
    expect(before.some((handle) => world.isAlive(handle))).toBe(false)
    expect(world.stats().entities).toBe(0)
    expect(query.count).toBe(0)
    expect(fill()).toEqual(before)
    expect(query.count).toBe(1_500)
    expect(accessor.of(before[1]).x).toBe(1)
    const seen: number[] = []
    world.query(Position).each((_, position) => {
      seen.push(position.x)
    })
    expect(seen).toEqual(Array.from({ length: 1_500 }, (_, i) => i * 2 + 1))
  })

  it('after reset the tick starts over, and stats are those of a new world except for the memory', () => {
    const world = watchedWorld()
    const fresh = world.stats()
    spawnMany(world, 100_000, [Position, Health])
    world.advanceTick()
    resetWorld(world)
    expect(world.tick).toBe(testWorld().tick)
    const { bytesReserved, ...rest } = world.stats()
    expect(rest).toEqual({
      ...fresh,
      bytesReserved: undefined,
      bytesUsed: rest.bytesUsed,
    } as unknown as typeof rest)
    expect(bytesReserved).toBeGreaterThanOrEqual(fresh.bytesReserved)
    expect(rest.bytesUsed).toBeLessThanOrEqual(fresh.bytesUsed * 2)
  })

  it('after reset components may be registered in another order', () => {
    const world = watchedWorld()
    world.spawn(Position({ x: 1 }), Velocity)
    resetWorld(world)
    const ship = world.spawn(Velocity({ x: 2 }), Health({ hp: 3 }))
    world.add(ship, Position({ x: 4 }))
    expect([world.get(ship, Velocity)?.x, world.get(ship, Health)?.hp, world.get(ship, Position)?.x]).toEqual(
      [2, 3, 4],
    )
  })
})

describe('memory', () => {
  it('memory of destroyed entities is reused, and the survivors are whole', () => {
    const world = watchedWorld()
    const random = seededRandom(4)
    const used: number[] = []
    for (let round = 0; round < 6; round++) {
      const handles = spawnMany(world, 20_000, [Position, Health])
      handles.forEach((handle, i) => world.set(handle, Position, { x: i }))
      used.push(world.stats().bytesUsed)
      const kept = new Set(Array.from({ length: 4 }, () => Math.floor(random() * 20_000)))
      destroyMany(
        world,
        handles.filter((_, i) => !kept.has(i)),
      )
      for (const i of kept) expect(world.get(handles[i], Position)).toEqual({ x: i, y: 0 })
      destroyMany(world.query())
    }
    expect(used[5]).toBeLessThanOrEqual(used[1] * 1.1)
  })

  it('1,000 worlds can be made one after another', () => {
    for (let i = 0; i < 1_000; i++) {
      const world = testWorld({ memory: { initial: MIB } })
      const ship = world.spawn(Position({ x: i }), Health({ hp: i }))
      expect(world.get(ship, Position)?.x).toBe(i)
      world.dispose()
    }
  })

  it.each(STORAGES)(
    'the memory maximum is a LimitError in spawn and add; the world goes on (%s)',
    (storage) => {
      const Large = component('Large', { v: vec(f64, 64) }, { storage: STORED[storage] })
      const world = watchedWorld({ memory: { maximum: 2 * MIB } })
      const handles: Entity[] = []
      const fill = () => {
        while (true) handles.push(world.spawn(Large({ v: new Float64Array(64).fill(handles.length) })))
      }
      expect(fill).toThrow(expect.objectContaining({ code: 'MEMORY_LIMIT' }))
      expect(fill).toThrow(LimitError)
      const { entities, bytesReserved } = world.stats()
      expect(entities).toBe(handles.length)
      expect(bytesReserved).toBeLessThanOrEqual(2 * MIB)
      expect(() => spawnMany(world, 5_000, [Large])).toThrow(LimitError)
      expect(world.stats().entities).toBe(entities)
      expect(world.query(Large).count).toBe(entities)
      handles.forEach((handle, i) => expect(world.get(handle, Large)?.v[63]).toBe(i))
      expect(destroyMany(world, handles)).toBe(entities)
      expect(spawnMany(world, entities >> 1, [Large]).length).toBe(entities >> 1)
    },
  )

  it('a bulk change that memory cannot hold changes nothing', () => {
    const Large = component('Large', { v: vec(f64, 64) })
    const world = watchedWorld({ memory: { maximum: 3 * MIB } })
    const handles = spawnMany(world, 20_000, [Position])
    expect(() => addMany(world.query(Position), Large)).toThrow(
      expect.objectContaining({ code: 'MEMORY_LIMIT' }),
    )
    expect(world.query(Large).count).toBe(0)
    expect(world.query(Position).entities()).toEqual(handles)
    addMany(world.query(Position), Frozen)
    expect(world.query(Position, Frozen).count).toBe(20_000)
  })

  it.each([1, 2, 63, 1_000])('maxEntities %i is reached exactly', (maxEntities) => {
    const world = watchedWorld({ maxEntities })
    const handles = Array.from({ length: maxEntities }, () => world.spawn(Position))
    for (const over of [() => world.spawn(Position), () => world.spawn(), () => spawnMany(world, 1, [])]) {
      expect(over).toThrow(expect.objectContaining({ code: 'ENTITY_LIMIT' }))
    }
    expect(world.stats().entities).toBe(maxEntities)
    for (let i = 0; i < 1_000; i++) {
      world.destroy(handles[i % maxEntities])
      handles[i % maxEntities] = world.spawn(Position)
    }
    expect(world.query(Position).count).toBe(maxEntities)
  })

  it('strict ids end when every generation of every index is spent', () => {
    const world = watchedWorld({ maxEntities: 2, ids: 'strict' })
    const seen = new Set<number>()
    expect(() => {
      while (seen.size < 10_000) {
        const handle = world.spawn()
        expect(seen.has(handle)).toBe(false)
        seen.add(handle)
        world.destroy(handle)
      }
    }).toThrow(expect.objectContaining({ code: 'ENTITY_LIMIT' }))
    expect(seen.size).toBeGreaterThan(255)
    expect(world.stats().retiredIds).toBe(2)
  })
})

describe('options', () => {
  const wrong: [string, unknown][] = [
    ['memory.maximum', { memory: { maximum: 1 } }],
    ['memory.maximum', { memory: { maximum: 2 ** 31 + 1 } }],
    ['memory.initial', { memory: { initial: -1 } }],
    ['memory.initial', { memory: { initial: 2 * MIB, maximum: MIB } }],
    ['maxEntities', { maxEntities: 0 }],
    ['maxEntities', { maxEntities: 2 ** 24 }],
    ['maxEntities', { maxEntities: 1.5 }],
    ['ids', { ids: 'sometimes' }],
    ['core', { core: {} }],
  ]
  it.each(wrong)('a wrong %s is refused by name: %j', (name, options) => {
    expect(() => createWorld(options as WorldOptions)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
    expect(() => createWorld(options as WorldOptions)).toThrow(new RegExp(name))
  })

  it.runIf(isSteady)('initial memory is there at once, so that spawning into it moves no view', () => {
    const world = watchedWorld({ memory: { initial: 64 * MIB } })
    expect(world.stats().bytesReserved).toBeGreaterThanOrEqual(64 * MIB)
    world.spawn(Position)
    let before: Float32Array | undefined
    for (const chunk of world.query(Position)) before = chunk.heap.f32
    spawnMany(world, 1_000_000, [Velocity])
    expect(before?.length).toBeGreaterThan(0)
  })
})

describe('stats', () => {
  it('counts follow changes', () => {
    const world = watchedWorld()
    const start = world.stats()
    expect(start.entities).toBe(0)
    const handles = spawnMany(world, 2_000, [Position, Health, Frozen])
    const full = world.stats()
    expect(full.entities).toBe(2_000)
    expect(full.components).toBe(3)
    expect(full.archetypes).toBeGreaterThan(start.archetypes)
    expect(full.bytesUsed).toBeGreaterThan(start.bytesUsed)
    expect(full.bytesUsed).toBeLessThanOrEqual(full.bytesReserved)
    destroyMany(world, handles)
    const empty = world.stats()
    expect([empty.entities, empty.freeIds, empty.retiredIds]).toEqual([0, 2_000, 0])
    expect(empty.chunks).toBeLessThan(full.chunks)
  })

  it('the tick advances by one and wraps after 2^32', () => {
    const world = watchedWorld()
    const before = world.tick
    world.advanceTick()
    expect(world.tick).toBe(before + 1)
  })
})

describe('a world that is made by hand', () => {
  it('is refused, with the call that makes one', () => {
    for (const options of [[], [{}], [{}, Symbol('making')]]) {
      const make = () => new (World as unknown as new (...given: unknown[]) => unknown)(...options)
      expect(make).toThrow(
        expect.objectContaining({
          code: 'INVALID_OPTION',
          message: 'new World(…) cannot be called: use createWorld(…).',
        }),
      )
    }
    expect(testWorld()).toBeInstanceOf(World)
  })

  it('is refused for queries, too', () => {
    const world = testWorld()
    const make = () => new (Query as unknown as new (...given: unknown[]) => unknown)({}, world)
    expect(make).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: 'new Query(…) cannot be called: use world.query(…).',
      }),
    )
    expect(world.query()).toBeInstanceOf(Query)
  })
})

describe('an unknown option', () => {
  const Position = component('Position', { x: f32 })

  it.each([
    ['onAdd', () => onAdd(testWorld(), Position, () => {}, { exiting: true } as never)],
    [
      'onEnter',
      () => {
        const world = testWorld()
        onEnter(world.query(Position), () => {}, { exiting: true } as never)
      },
    ],
  ])('is refused by %s, which names the known ones', (name, call) => {
    expect(call).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: `${name}: there is no option 'exiting': the options are existing.`,
      }),
    )
  })
})
