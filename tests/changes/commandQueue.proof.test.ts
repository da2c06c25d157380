// Shows what happens to structural changes that are queued: their order, their values, their failures.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  clearWorld,
  createAccessor,
  DeadEntityError,
  destroyMany,
  LimitError,
  NULL_ENTITY,
  component,
  entity,
  f32,
  f64,
  not,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  optional,
  removeMany,
  resetWorld,
  sparse,
  spawnMany,
  tag,
  text,
  toggle,
  u16,
  u32,
  vec,
  type Entity,
  type Tag,
  type World,
} from '../../bindings/index'
import { Armour, Burning, Frozen, Position, Velocity } from '../support/kinds'
import { proofLength } from '../support/proofs'
import { seededRandom, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Health = component('Health', { hp: u16.default(100) }, { storage: sparse })
const Link = component('Link', { to: entity })
const Name = component('Name', { text })

const NUMBERED = STORAGES.map((storage) => ({
  storage,
  Number: component('Number', { n: u32.default(9) }, { storage: STORED[storage] }),
}))

describe('when a command applies', () => {
  it.each(NUMBERED)('an added component is absent until the block ends ($storage)', ({ Number }) => {
    const world = watchedWorld()
    const ship = world.spawn()
    const result = world.batch(() => {
      expect(world.add(ship, Number({ n: 4 }), Frozen)).toBe(true)
      expect(world.has(ship, Number)).toBe(false)
      expect(world.has(ship, Frozen)).toBe(false)
      expect(world.get(ship, Number)).toBeUndefined()
      expect(world.query(Number).count).toBe(0)
      return 'result'
    })
    expect(result).toBe('result')
    expect(world.get(ship, Number)).toEqual({ n: 4 })
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it.each(NUMBERED)('a removed component is there until the block ends ($storage)', ({ Number }) => {
    const world = watchedWorld()
    const ship = world.spawn(Number({ n: 4 }), Frozen)
    world.batch(() => {
      expect(world.remove(ship, Number)).toBe(true)
      expect(world.remove(ship, Burning)).toBe(false)
      expect(world.get(ship, Number)).toEqual({ n: 4 })
    })
    expect(world.has(ship, Number)).toBe(false)
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it('a destroyed entity is alive until the block ends', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position({ x: 1 }))
    world.batch(() => {
      expect(world.destroy(ship)).toBe(true)
      expect(world.isAlive(ship)).toBe(true)
      expect(world.get(ship, Position)).toEqual({ x: 1, y: 0 })
    })
    expect(world.isAlive(ship)).toBe(false)
  })

  it('only the end of the outermost block or loop applies what was queued', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    world.batch(() => {
      world.batch(() => world.add(ship, Frozen))
      expect(world.has(ship, Frozen)).toBe(false)
      for (const _ of world.query(Position)) world.add(ship, Burning)
      expect(world.has(ship, Burning)).toBe(false)
      expect(() =>
        world.batch(() => {
          throw new Error('inner')
        }),
      ).toThrow('inner')
      expect(world.has(ship, Frozen, Burning)).toBe(false)
    })
    expect(world.has(ship, Frozen, Burning)).toBe(true)
  })

  it('commands apply in the order they were given', () => {
    const world = watchedWorld()
    const ship = world.spawn()
    world.batch(() => {
      world.add(ship, Position({ x: 1 }))
      world.remove(ship, Position)
      world.add(ship, Position({ y: 2 }))
      world.add(ship, Velocity({ x: 5 }))
      world.remove(ship, Velocity)
      world.add(ship, Health({ hp: 1 }))
      world.add(ship, Health({ hp: 2 }))
    })
    expect(world.get(ship, Position)).toEqual({ x: 0, y: 2 })
    expect(world.has(ship, Velocity)).toBe(false)
    expect(world.get(ship, Health)).toEqual({ hp: 2 })
  })

  it.each(NUMBERED)('set follows what the queue says about the component ($storage)', ({ Number }) => {
    const world = watchedWorld()
    const added = world.spawn()
    const [removed, readded] = [world.spawn(Number({ n: 1 })), world.spawn(Number({ n: 1 }))]
    const fresh = world.batch(() => {
      world.add(added, Number({ n: 2 }))
      world.set(added, Number, { n: 3 })
      world.remove(removed, Number)
      world.set(removed, Number, { n: 4 })
      world.set(readded, Number, { n: 5 })
      world.remove(readded, Number)
      world.add(readded, Number)
      const made = world.spawn(Number({ n: 6 }))
      world.set(made, Number, { n: 7 })
      return made
    })
    expect(world.get(added, Number)).toEqual({ n: 3 })
    expect(world.get(removed, Number)).toEqual({ n: 4 })
    expect(world.get(readded, Number)).toEqual({ n: 9 })
    expect(world.get(fresh, Number)).toEqual({ n: 7 })
  })

  it('set that adds is queued, with defaults for the other fields', () => {
    const world = watchedWorld()
    const ship = world.spawn()
    world.batch(() => {
      world.set(ship, Position, { y: 3 })
      expect(world.has(ship, Position)).toBe(false)
    })
    expect(world.get(ship, Position)).toEqual({ x: 0, y: 3 })
  })
})

describe('destroy in a block', () => {
  it.each(NUMBERED)('destroy wins over a later add, set and remove ($storage)', ({ Number }) => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    world.batch(() => {
      world.destroy(ship)
      world.add(ship, Number({ n: 1 }), Frozen)
      world.set(ship, Number, { n: 2 })
      world.set(ship, Velocity, { x: 2 })
      world.remove(ship, Position)
      world.destroy(ship)
    })
    expect(world.isAlive(ship)).toBe(false)
    expect(world.stats().entities).toBe(0)
    for (const query of [world.query(Number), world.query(Frozen), world.query(Velocity), world.query()]) {
      expect(query.count).toBe(0)
    }
  })

  it.each(NUMBERED)('a set after the destroy is neither made nor reported ($storage)', ({ Number }) => {
    const world = watchedWorld()
    const ship = world.spawn(Number({ n: 1 }))
    const log: unknown[] = []
    onSet(world, Number, () => log.push('set'))
    onRemove(world, Number, (e) => log.push(world.get(e, Number)))
    world.batch(() => {
      world.destroy(ship)
      world.set(ship, Number, { n: 2 })
    })
    expect(log).toEqual([{ n: 1 }])
  })

  it.each(NUMBERED)('an add before the destroy leaves nothing behind ($storage)', ({ Number }) => {
    const world = watchedWorld()
    const ship = world.spawn()
    world.batch(() => {
      world.add(ship, Number({ n: 1 }), Frozen)
      world.destroy(ship)
    })
    expect(world.isAlive(ship)).toBe(false)
    expect(world.query(Number).count + world.query(Frozen).count).toBe(0)
  })

  it('an entity spawned and destroyed in one block is gone, and its later commands with it', () => {
    const world = watchedWorld()
    let ship: Entity | undefined
    world.batch(() => {
      ship = world.spawn(Position, Health)
      expect(world.destroy(ship)).toBe(true)
      world.add(ship, Velocity)
    })
    expect(world.isAlive(ship as Entity)).toBe(false)
    expect(world.stats().entities).toBe(0)
    expect(world.query(Health).count).toBe(0)
  })

  it('a link to an entity destroyed in the same block keeps its handle, which is stale', () => {
    const world = watchedWorld()
    let child: Entity | undefined
    const parent = world.spawn()
    world.batch(() => {
      child = world.spawn(Link({ to: parent }))
      world.destroy(parent)
    })
    expect(world.get(child as Entity, Link)).toEqual({ to: parent })
    expect(world.isAlive(parent)).toBe(false)
    expect(world.get(world.spawn(Link), Link)).toEqual({ to: NULL_ENTITY })
  })
})

describe('entities made in a block', () => {
  it('a handle is usable at once: alive, without components until the end', () => {
    const world = watchedWorld()
    const ship = world.batch(() => {
      const made = world.spawn(Position({ x: 1 }), Health)
      expect(world.isAlive(made)).toBe(true)
      expect(world.has(made, Position)).toBe(false)
      expect(world.has(made, Health)).toBe(false)
      expect(world.get(made, Position)).toBeUndefined()
      expect(() => createAccessor(world, Position).of(made)).toThrow(
        expect.objectContaining({ code: 'MISSING_COMPONENT' }),
      )
      world.add(made, Frozen)
      world.set(made, Velocity, { x: 4 })
      return made
    })
    expect(world.isAlive(ship)).toBe(true)
    expect(world.get(ship, Position)).toEqual({ x: 1, y: 0 })
    expect(world.get(ship, Health)).toEqual({ hp: 100 })
    expect(world.get(ship, Velocity)).toEqual({ x: 4, y: 0 })
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it('disable and an add that needs a value know at once which components a spawn left out', () => {
    const Lit = tag('Lit', { toggle })
    const Label = object<string>('Label')
    const world = watchedWorld()
    world.spawn(Lit, Label('known'))
    world.batch(() => {
      const ship = world.spawn(Position)
      expect(world.disable(ship, Lit)).toBe(false)
      expect(() => world.add(ship, Label as never)).toThrow(/Label/)
      world.add(ship, Lit)
      expect(world.disable(ship, Lit)).toBe(true)
    })
    expect(world.query(Position, not(Lit)).count).toBe(1)
  })

  it('an entity spawned with no component in a block is in the query of all entities', () => {
    const world = watchedWorld()
    const ship = world.batch(() => world.spawn())
    expect(world.query().entities()).toEqual(Uint32Array.of(ship))
  })

  it('entities can name each other before any of them has components', () => {
    const world = watchedWorld()
    const [a, b] = world.batch(() => {
      const first = world.spawn(Link)
      const second = world.spawn(Link({ to: first }))
      world.set(first, Link, { to: second })
      return [first, second] as const
    })
    expect(world.get(a, Link)).toEqual({ to: b })
    expect(world.get(b, Link)).toEqual({ to: a })
  })

  it('commands for an old handle do not reach the entity that took its slot', () => {
    const world = watchedWorld()
    const old = world.spawn(Position)
    for (let i = 0; i < 1_100; i++) world.destroy(world.spawn())
    world.destroy(old)
    world.batch(() => {
      const seen = new Set<number>()
      for (let i = 0; i < 3_000; i++) seen.add(world.spawn(Velocity))
      expect(seen.size).toBe(3_000)
      expect(seen.has(old)).toBe(false)
      expect(world.destroy(old)).toBe(false)
      expect(world.remove(old, Velocity)).toBe(false)
      expect(() => world.add(old, Frozen)).toThrow(DeadEntityError)
      expect(() => world.set(old, Position, { x: 1 })).toThrow(DeadEntityError)
    })
    expect(world.query(Velocity).count).toBe(3_000)
    expect(world.query(Frozen).count).toBe(0)
  })

  it('a slot freed inside the block is not given out before the block ends', () => {
    const world = watchedWorld()
    const ships = Array.from({ length: 2_000 }, () => world.spawn(Position))
    world.batch(() => {
      for (const ship of ships) world.destroy(ship)
      const made = Array.from({ length: 2_000 }, () => world.spawn(Velocity))
      expect(made.filter((ship) => ships.some((old) => (old & 0xffffff) === (ship & 0xffffff)))).toEqual([])
    })
    expect(world.query(Position).count).toBe(0)
    expect(world.query(Velocity).count).toBe(2_000)
  })
})

describe('values in the queue', () => {
  it.each(STORAGES)('a value of 8 KiB is copied whole (%s)', (storage) => {
    const Large = component('Large', { values: vec(f64, 1_000) }, { storage: STORED[storage] })
    const world = watchedWorld()
    const values = Float64Array.from({ length: 1_000 }, (_, i) => i / 3)
    const wanted = values.slice()
    const ship = world.batch(() => {
      const made = world.spawn(Large({ values }))
      values.fill(0)
      return made
    })
    expect(world.get(ship, Large)).toEqual({ values: wanted })
  })

  it('later changes of the object that gave the values do not reach the queue', () => {
    const world = watchedWorld()
    const matched = world.spawn(Velocity)
    const ship = world.spawn()
    const values = { x: 1, y: 1 }
    const made = world.batch(() => {
      const spawned = world.spawn(Position(values))
      world.add(ship, Position(values))
      const many = spawnMany(world, 2, [Position(values)])
      addMany(world.query(Velocity), Position(values))
      values.x = 2
      return [spawned, ship, matched, ...many]
    })
    world.batch(() => {
      world.set(ship, Health, { hp: 1 })
    })
    for (const entity of made) expect(world.get(entity, Position)).toEqual({ x: 1, y: 1 })
  })
})

describe('queueing while the queue applies', () => {
  it("what spawnMany's callback queues during the flush applies in the same flush", () => {
    const world = watchedWorld()
    const order: string[] = []
    const handles = world.batch(() => {
      const made = spawnMany(world, 3, [Position], (chunk) => {
        order.push('filled')
        const { x } = chunk.write(Position)
        for (let i = chunk.start; i < chunk.end; i++) {
          x[i] = 5
          world.add(chunk.entities[i], Frozen)
          expect(world.has(chunk.entities[i], Frozen)).toBe(false)
        }
      })
      expect(order).toEqual([])
      world.spawn(Velocity)
      return made
    })
    expect(order).toEqual(['filled'])
    expect(Array.from(handles, (handle) => world.get(handle, Position))).toEqual(
      Array(3).fill({ x: 5, y: 0 }),
    )
    expect(world.query(Frozen).count).toBe(3)
    expect(world.query(Velocity).count).toBe(1)
  })

  it('a fill may spawn again, and that fill too, all in one flush', () => {
    const world = watchedWorld()
    let fills = 0
    const again = (depth: number): void => {
      spawnMany(world, 2, [Position], () => {
        fills++
        if (depth > 0) again(depth - 1)
      })
    }
    world.batch(() => again(3))
    expect(fills).toBe(4)
    expect(world.query(Position).count).toBe(8)
  })
})

describe('failures', () => {
  it('a command that fails lets the later ones run; its error is thrown at the end', () => {
    const world = watchedWorld()
    const Wide = component('Wide', { values: vec(f64, 1_500) })
    const Wider = component('Wider', { values: vec(f64, 1_500) })
    const ship = world.spawn(Wide)
    const other = world.spawn()
    expect(() =>
      world.batch(() => {
        world.add(other, Frozen)
        world.add(ship, Wider)
        world.add(other, Burning)
        world.spawn(Position)
      }),
    ).toThrow(expect.objectContaining({ code: 'ROW_LIMIT' }))
    expect(world.has(other, Frozen, Burning)).toBe(true)
    expect(world.has(ship, Wide)).toBe(true)
    expect(world.has(ship, Wider)).toBe(false)
    expect(world.query(Position).count).toBe(1)
    world.batch(() => world.remove(other, Frozen))
    expect(world.has(other, Frozen)).toBe(false)
  })

  it('a wrong call inside a block throws there and queues nothing', () => {
    const world = watchedWorld()
    const ship = world.spawn()
    world.batch(() => {
      expect(() => world.add(ship, Position({ z: 1 } as never))).toThrow(TypeError)
      expect(() => world.add(ship, Position, Position)).toThrow(
        expect.objectContaining({ code: 'DUPLICATE_COMPONENT' }),
      )
      expect(() => world.spawn({} as never)).toThrow(expect.objectContaining({ code: 'NOT_A_COMPONENT' }))
      expect(() => world.set(ship, Position, { x: 'far' } as never)).toThrow(/Position\.x/)
      expect(() => spawnMany(world, -1, [Position])).toThrow(TypeError)
    })
    expect(world.has(ship, Position)).toBe(false)
    expect(world.stats().entities).toBe(1)
  })

  it('a block that throws applies what was queued before', () => {
    const world = watchedWorld()
    const ship = world.spawn()
    expect(() =>
      world.batch(() => {
        world.add(ship, Frozen)
        throw new RangeError('mine')
      }),
    ).toThrow(RangeError)
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it('a spawn beyond maxEntities inside a block throws there; the handles before it live', () => {
    const world = watchedWorld({ maxEntities: 10 })
    const made: Entity[] = []
    world.batch(() => {
      for (let i = 0; i < 10; i++) made.push(world.spawn(Position))
      expect(() => world.spawn(Position)).toThrow(expect.objectContaining({ code: 'ENTITY_LIMIT' }))
      expect(() => spawnMany(world, 2, [Position])).toThrow(expect.objectContaining({ code: 'ENTITY_LIMIT' }))
    })
    expect(world.query(Position).count).toBe(10)
    expect(made.every((ship) => world.isAlive(ship))).toBe(true)
  })

  it('a deferred spawnMany that asks for too many leaves nothing reserved', () => {
    const world = watchedWorld({ maxEntities: 10 })
    world.batch(() => {
      expect(() => spawnMany(world, 11, [Position])).toThrow(
        expect.objectContaining({ code: 'ENTITY_LIMIT' }),
      )
      expect(world.stats().entities).toBe(0)
    })
    expect(world.stats().entities).toBe(0)
    spawnMany(world, 10, [Position])
    expect(world.query(Position).count).toBe(10)
  })
})

describe('bulk changes in a block', () => {
  it('a change of all that match returns what matched when called and applies to what matches at the end', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(Position), world.spawn(Velocity)]
    let late: Entity | undefined
    world.batch(() => {
      world.add(b, Position)
      late = world.spawn(Position)
      expect(addMany(world.query(Position), Frozen)).toBe(1)
      expect(removeMany(world.query(Position), Velocity)).toBe(1)
      expect(world.query(Frozen).count).toBe(0)
    })
    for (const entity of [a, b, late as Entity]) expect(world.has(entity, Frozen)).toBe(true)
    expect(world.has(b, Velocity)).toBe(false)
  })

  it('a deferred change of all that match works for queries that are asked row by row, with values, and with destroy', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(Position, Health), world.spawn(Position)]
    world.batch(() => {
      world.add(b, Health({ hp: 3 }))
      expect(addMany(world.query(Position, Health), Velocity({ x: 8 }), Burning)).toBe(1)
      expect(addMany(world.query(Health), Armour)).toBe(1)
      expect(removeMany(world.query(Armour), Position)).toBe(0)
    })
    for (const entity of [a, b]) {
      expect(world.get(entity, Velocity)).toEqual({ x: 8, y: 0 })
      expect(world.has(entity, Burning, Armour)).toBe(true)
      expect(world.has(entity, Position)).toBe(false)
    }
    for (const _ of world.query(Velocity))
      expect(destroyMany(world.query(Health, optional(Velocity)))).toBe(2)
    expect(world.stats().entities).toBe(0)
  })

  it('clear in a block destroys what was spawned before it and spares what is spawned after it', () => {
    const world = watchedWorld()
    const old = world.spawn(Position)
    const [before, after, many] = world.batch(() => {
      const first = world.spawn(Position)
      clearWorld(world)
      expect(world.isAlive(old)).toBe(true)
      return [first, world.spawn(Position({ x: 2 })), spawnMany(world, 3, [Position])] as const
    })
    expect([old, before].map((entity) => world.isAlive(entity))).toEqual([false, false])
    expect(world.get(after, Position)).toEqual({ x: 2, y: 0 })
    expect(world.query(Position).entities()).toEqual(Uint32Array.of(after, ...many))
  })

  it('destroyMany in a block counts the living once and destroys them at the end', () => {
    const world = watchedWorld()
    const ships = Array.from({ length: 100 }, () => world.spawn(Position, Health))
    world.destroy(ships[0])
    world.batch(() => {
      expect(destroyMany(world, [...ships, ...ships, NULL_ENTITY, 0, 1.5, -1])).toBe(99)
      expect(world.stats().entities).toBe(99)
    })
    expect(world.stats().entities).toBe(0)
  })

  it('spawnMany in a block gives living handles and calls back once they have rows', () => {
    const world = watchedWorld()
    spawnMany(world, 100, [Position, Health])
    let filled = 0
    const handles = world.batch(() => {
      const made = spawnMany(world, 5_000, [Position, Health({ hp: 7 }), Frozen], (chunk) => {
        const { x } = chunk.write(Position)
        for (let i = chunk.start; i < chunk.end; i++) x[i] = filled++
      })
      expect(made.every((handle) => world.isAlive(handle))).toBe(true)
      expect(world.query(Frozen).count).toBe(0)
      expect(filled).toBe(0)
      return made
    })
    expect(filled).toBe(5_000)
    expect(Array.from(handles.subarray(0, 3), (handle) => world.get(handle, Position)?.x)).toEqual([0, 1, 2])
    expect(world.get(handles[4_999], Position)).toEqual({ x: 4_999, y: 0 })
    expect(world.get(handles[4_999], Health)).toEqual({ hp: 7 })
    expect(world.query(Position, Frozen).entities()).toEqual(handles)
  })
})

describe('several commands for one entity', () => {
  it.each(NUMBERED)('give the same result as when applied one at a time ($storage)', ({ Number }) => {
    const world = watchedWorld()
    const Pair = component('Pair', { a: u32.default(5), b: u32.default(6) })
    const [reset, gone, kept, both, last] = Array.from({ length: 5 }, () =>
      world.spawn(Number({ n: 1 }), Pair({ a: 1, b: 1 })),
    )
    const without = world.spawn()
    world.batch(() => {
      world.remove(reset, Number, Pair)
      world.add(reset, Number)
      world.add(reset, Pair({ a: 2 }))
      world.add(gone, Number({ n: 2 }), Frozen)
      world.remove(gone, Number, Frozen)
      world.add(kept, Number)
      world.add(kept, Pair, Frozen)
      world.add(both, Pair({ a: 3 }))
      world.add(both, Pair({ b: 4 }), Burning)
      world.add(last, Pair({ a: 3, b: 3 }))
      world.add(last, Pair({ a: 4 }))
      world.add(without, Number({ n: 3 }))
      world.remove(without, Number)
    })
    expect([world.get(reset, Number), world.get(reset, Pair)]).toEqual([{ n: 9 }, { a: 2, b: 6 }])
    expect([world.has(gone, Number), world.has(gone, Frozen)]).toEqual([false, false])
    expect([world.get(kept, Number), world.get(kept, Pair)]).toEqual([{ n: 1 }, { a: 1, b: 1 }])
    expect(world.get(both, Pair)).toEqual({ a: 3, b: 4 })
    expect(world.get(last, Pair)).toEqual({ a: 4, b: 3 })
    expect(world.has(without, Number)).toBe(false)
  })

  it('cost one move: no archetype in between is made', () => {
    const world = watchedWorld()
    const Steps = Array.from({ length: 5 }, (_, i) => tag(`Step${i}`))
    const ship = world.spawn(Position)
    const { archetypes } = world.stats()
    world.batch(() => {
      for (const Step of Steps) world.add(ship, Step)
      const made = world.spawn(Position)
      for (const Step of Steps) world.add(made, Step)
    })
    expect(world.query(Position, ...(Steps as [(typeof Steps)[0]])).count).toBe(2)
    expect(world.stats().archetypes).toBe(archetypes + 1)
  })

  it('are kept apart by a bulk change between them', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    world.batch(() => {
      world.add(ship, Frozen)
      addMany(world.query(Frozen), Velocity({ x: 3 }))
      world.remove(ship, Frozen)
      addMany(world.query(Frozen), Burning)
    })
    expect(world.get(ship, Velocity)).toEqual({ x: 3, y: 0 })
    expect([world.has(ship, Frozen), world.has(ship, Burning)]).toEqual([false, false])
  })

  it('are applied one at a time when together they reach a limit', () => {
    const world = watchedWorld()
    const Wide = component('Wide', { values: vec(f64, 1_500) })
    const Wider = component('Wider', { values: vec(f64, 1_500) })
    const ship = world.spawn(Wide)
    let made: Entity | undefined
    expect(() =>
      world.batch(() => {
        world.add(ship, Frozen)
        world.add(ship, Wider, Position)
        world.add(ship, Velocity({ x: 4 }))
        made = world.spawn(Wide)
        world.add(made, Wider)
        world.add(made, Burning)
      }),
    ).toThrow(expect.objectContaining({ code: 'ROW_LIMIT' }))
    expect([world.has(ship, Frozen), world.has(ship, Position)]).toEqual([true, false])
    expect(world.get(ship, Velocity)).toEqual({ x: 4, y: 0 })
    expect([world.has(made as Entity, Wide, Burning), world.has(made as Entity, Wider)]).toEqual([
      true,
      false,
    ])
  })

  it('are applied one at a time when there is no memory for a string among them', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const ships = spawnMany(world, 40, [Frozen])
    const name = () =>
      world.batch(() =>
        ships.forEach((ship, i) => {
          world.add(ship, Name({ text: String(i).padEnd(32_000, '.') }))
          world.remove(ship, Frozen)
          world.add(ship, Burning)
        }),
      )
    expect(name).toThrow(LimitError)
    expect(world.query(Name).count).toBeLessThan(ships.length)
    expect([world.query(Frozen).count, world.query(Burning).count]).toEqual([0, ships.length])
  })

  it('are told apart from the commands of the entity before', () => {
    const world = watchedWorld()
    const ships = Array.from({ length: 7 }, () => world.spawn(Position({ x: 1 })))
    const [valued, longer, shorter, other, destroyed] = ships.slice(2)
    world.batch(() => {
      for (const ship of ships) {
        world.remove(ship, Position)
        world.add(ship, ship === valued ? Velocity({ x: 2 }) : ship === other ? Burning : Velocity)
        if (ship !== shorter) world.add(ship, Frozen)
        if (ship === longer) world.remove(ship, Velocity)
        if (ship === destroyed) world.destroy(ship)
      }
    })
    const seen = ships.map((ship) => [
      world.get(ship, Velocity)?.x,
      world.has(ship, Frozen),
      world.has(ship, Burning),
    ])
    const usual = [0, true, false]
    expect(seen).toEqual([
      usual,
      usual,
      [2, true, false],
      [undefined, true, false],
      [0, false, false],
      [undefined, true, true],
      [undefined, false, false],
    ])
    expect(ships.map((ship) => world.isAlive(ship))).toEqual([...Array<boolean>(6).fill(true), false])
    resetWorld(world)
    const again = world.spawn(Position)
    world.batch(() => {
      world.remove(again, Position)
      world.add(again, Velocity)
      world.add(again, Frozen)
    })
    expect(world.has(again, Velocity, Frozen)).toBe(true)
  })

  it('give the same result and the same events, however many different blocks the world has seen', () => {
    const [C, D, E] = ['C', 'D', 'E'].map((name) => component(name, { v: u32 }))
    const told = (world: World) => {
      const log: string[] = []
      const stops = [
        onAdd(world, C, () => log.push('got C')),
        onRemove(world, C, () => log.push('lost C')),
        onSet(world, D, (e) => log.push(`D is ${world.get(e, D)?.v}`)),
        onEnter(world.query(C), () => log.push('enters')),
        onExit(world.query(C), () => log.push('leaves')),
      ]
      const ship = world.spawn()
      world.batch(() => {
        world.add(ship, C)
        world.set(ship, D, { v: 1 })
        world.add(ship, E)
        world.remove(ship, C)
        world.set(ship, D, { v: 2 })
      })
      stops.forEach((stop) => stop())
      return log
    }
    const world = watchedWorld()
    expect(told(world)).toEqual(['D is 2'])
    const Marks = Array.from({ length: 13 }, (_, i) => tag(`Seen${i}`))
    for (let set = 1; set < 1 << Marks.length; set++) {
      const ship = world.spawn()
      world.batch(() => Marks.forEach((Mark, i) => (set >> i) & 1 && world.add(ship, Mark)))
      world.destroy(ship)
    }
    expect(told(world)).toEqual(['D is 2'])
  })

  it('use no memory, however many different ones give the same result', () => {
    const world = watchedWorld()
    const Marks = Array.from({ length: 24 }, (_, i) => tag(`Passing${i}`))
    const ship = world.spawn(Position, ...Marks.slice(0, 12))
    const random = seededRandom(5)
    // What is there starts over, what is not there comes and goes.
    const pass = (some: readonly Tag[]) => {
      for (const Mark of some) {
        if (!world.has(ship, Mark)) world.add(ship, Mark)
        world.remove(ship, Mark)
        if (world.has(ship, Mark)) world.add(ship, Mark)
      }
    }
    const shuffled = () => [...Marks].sort(() => random() - 0.5)
    world.batch(() => pass(Marks))
    const before = world.stats()
    for (let i = 0; i < 10_000; i++) world.batch(() => pass(shuffled().slice(0, 1 + (i % 24))))
    expect(world.stats()).toEqual(before)
    expect(world.query(Position, ...(Marks.slice(0, 12) as [])).count).toBe(1)
  })

  it('stay right for every combination of thirteen tags', () => {
    const world = watchedWorld()
    const Marks = Array.from({ length: 13 }, (_, i) => tag(`Combined${i}`))
    const count = 1 << Marks.length
    const handles = spawnMany(world, count, [Position])
    world.batch(() => {
      handles.forEach((handle, set) => {
        Marks.forEach((Mark, i) => {
          if ((set >> i) & 1) world.add(handle, Mark)
        })
      })
    })
    handles.forEach((handle, set) => {
      Marks.forEach((Mark, i) => {
        if (world.has(handle, Mark) !== (((set >> i) & 1) === 1)) throw new Error(`${set} lacks bit ${i}`)
      })
    })
    Marks.forEach((Mark) => expect(world.query(Mark).count).toBe(count / 2))
  })

  it('are chained for handles far beyond the records', () => {
    const world = watchedWorld()
    const handles = world.batch(() => {
      const made = Array.from({ length: 5_000 }, (_, n) => world.spawn(Position({ x: n })))
      for (const handle of made) world.add(handle, Frozen)
      for (const handle of made) world.set(handle, Velocity, { y: 2 })
      return made
    })
    expect(world.query(Position, Frozen, Velocity).count).toBe(5_000)
    handles.forEach((handle, n) => expect(world.get(handle, Position)?.x).toBe(n))
  })
})

// ── random scripts ───────────────────────────────────────────────────────────────────────────────────────

const PARTS = [Position, Velocity, Health, Armour] as const
const FIELDS = ['x', 'y', 'hp', 'points'] as const

type Step =
  | { readonly kind: 'spawn'; readonly part: number; readonly value: number }
  | { readonly kind: 'add' | 'set'; readonly target: number; readonly part: number; readonly value: number }
  | { readonly kind: 'remove' | 'tag' | 'untag' | 'default'; readonly target: number; readonly part: number }
  | { readonly kind: 'destroy'; readonly target: number }
  | {
      readonly kind: 'queryAdd' | 'queryRemove' | 'queryDestroy'
      readonly part: number
      readonly other: number
    }

const target = fc.nat({ max: 60 })
const part = fc.nat({ max: 3 })
const value = fc.integer({ min: 1, max: 999 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('spawn' as const), part, value }) },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constantFrom('add' as const, 'set' as const), target, part, value }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('remove' as const, 'tag' as const, 'untag' as const, 'default' as const),
      target,
      part,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('destroy' as const), target }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('queryAdd' as const, 'queryRemove' as const, 'queryDestroy' as const),
      part,
      other: part,
    }),
  },
)

/** Entities by the number of their spawn, so that two worlds can be compared whatever their handles are. */
class Script {
  readonly world = watchedWorld()
  private readonly spawned: Entity[] = []
  private readonly gone = new Set<number>()

  run(steps: readonly Step[]): void {
    for (const one of steps) this.take(one)
  }

  private take(one: Step): void {
    const { world } = this
    if (one.kind === 'spawn') {
      const Part = PARTS[one.part]
      this.spawned.push(world.spawn(Part({ [FIELDS[one.part]]: one.value } as never)))
    } else if ('other' in one) this.change(one.kind, one.part, one.other)
    else if (this.spawned.length > 0) this.single(one, one.target % this.spawned.length)
  }

  private single(one: Exclude<Step, { kind: 'spawn' } | { readonly other: number }>, k: number): void {
    const { world } = this
    const entity = this.spawned[k]
    // Inside a block a destroyed entity lives on: for both worlds it is gone from here.
    if (this.gone.has(k)) return
    if (one.kind === 'destroy') {
      this.gone.add(k)
      world.destroy(entity)
      return
    }
    if (!world.isAlive(entity)) return
    const Part = PARTS[one.part]
    const values = 'value' in one ? { [FIELDS[one.part]]: one.value } : {}
    if (one.kind === 'add') world.add(entity, Part(values as never))
    else if (one.kind === 'default') world.add(entity, Part)
    else if (one.kind === 'set') world.set(entity, Part as never, values as never)
    else if (one.kind === 'remove') world.remove(entity, Part)
    else if (one.kind === 'tag') world.add(entity, one.part % 2 ? Frozen : Burning)
    else world.remove(entity, one.part % 2 ? Frozen : Burning)
  }

  private change(kind: 'queryAdd' | 'queryRemove' | 'queryDestroy', part: number, other: number): void {
    const query = this.world.query(PARTS[part], Frozen)
    if (kind === 'queryAdd') addMany(query, PARTS[other])
    else if (kind === 'queryRemove') removeMany(query, PARTS[other])
    else destroyMany(this.world.query(PARTS[part], Frozen, Burning))
  }

  /** What there is, entity by entity. */
  picture(): unknown[] {
    const { world } = this
    return this.spawned.map((entity) => {
      if (!world.isAlive(entity)) return 'dead'
      const values = PARTS.map((Part) => world.get(entity, Part as never))
      return [...values, world.has(entity, Frozen), world.has(entity, Burning)]
    })
  }
}

describe('immediate and deferred', () => {
  it('a random script ends in the same world run at once, in one block and in blocks of ten', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const direct = new Script()
        direct.run(steps)
        const inBlock = new Script()
        inBlock.world.batch(() => inBlock.run(steps))
        const inBlocks = new Script()
        for (let i = 0; i < steps.length; i += 10) {
          inBlocks.world.batch(() => inBlocks.run(steps.slice(i, i + 10)))
        }
        expect(counts(inBlock.world)).toEqual(counts(direct.world))
        expect(inBlock.picture()).toEqual(direct.picture())
        expect(inBlocks.picture()).toEqual(direct.picture())
        for (const script of [direct, inBlock, inBlocks]) script.world.dispose()
      }),
      { numRuns: proofLength(150), seed: 20_260 },
    )
  })
})

function counts(world: World): number[] {
  return [world.stats().entities, ...PARTS.map((Part) => world.query(Part).count), world.query(Frozen).count]
}

it('An entity spawned in a block is dead after it when there is no memory for its row', () => {
  const Big = component('Big', { list: vec(f32, 1000) })
  const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 21 } })
  const made: Entity[] = []
  const block = () =>
    world.batch(() => {
      for (let i = 0; i < 1000; i++) made.push(world.spawn(Big))
    })
  expect(block).toThrow(LimitError)
  const having = [...world.query(Big).entities()]
  expect(having.length).toBeGreaterThan(0)
  expect(having.length).toBeLessThan(made.length)
  expect(made.filter((one) => world.isAlive(one))).toEqual(having)
  expect(world.stats().entities).toBe(having.length)
})
