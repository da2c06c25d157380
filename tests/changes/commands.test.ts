// Shows that a buffer of commands changes nothing before it is applied, and that its handles can be used at once.

import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  createAccessor,
  createCommands,
  DeadEntityError,
  destroyMany,
  NULL_ENTITY,
  component,
  entity,
  relation,
  resetWorld,
  sparse,
  spawnMany,
  u16,
  u32,
  type Entity,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { Frozen, Position, Velocity } from '../support/kinds'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Health = component('Health', { hp: u16.default(100) }, { storage: sparse })
const Link = component('Link', { to: entity })

const NUMBERED = STORAGES.map((storage) => ({
  storage,
  Number: component('Number', { n: u32.default(9) }, { storage: STORED[storage] }),
}))

describe('a buffer', () => {
  it.each(NUMBERED)(
    'changes nothing before it is applied, then everything in order ($storage)',
    ({ Number }) => {
      const world = watchedWorld()
      const commands = createCommands(world)
      const [a, b, c] = [world.spawn(Position({ x: 1 })), world.spawn(Number({ n: 1 })), world.spawn()]
      commands.add(a, Number({ n: 2 }))
      commands.set(a, Number, { n: 3 })
      commands.remove(a, Position)
      commands.exchange(b, [Number], [Number, Frozen])
      commands.destroy(c)
      const made = commands.spawn(Number({ n: 4 }))
      expect(commands.size).toBe(6)
      expect(world.has(a, Number)).toBe(false)
      expect(world.get(b, Number)).toEqual({ n: 1 })
      expect(world.isAlive(c)).toBe(true)
      commands.apply()
      expect(commands.size).toBe(0)
      expect([world.get(a, Number), world.has(a, Position)]).toEqual([{ n: 3 }, false])
      expect([world.get(b, Number), world.has(b, Frozen)]).toEqual([{ n: 9 }, true])
      expect(world.isAlive(c)).toBe(false)
      expect(world.get(made, Number)).toEqual({ n: 4 })
    },
  )

  it('applies once, and can be filled again', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const ship = world.spawn()
    commands.add(ship, Frozen)
    commands.apply()
    world.remove(ship, Frozen)
    commands.apply()
    expect(world.has(ship, Frozen)).toBe(false)
    commands.add(ship, Position)
    commands.apply()
    expect([world.has(ship, Position), world.has(ship, Frozen)]).toEqual([true, false])
  })

  it('copies values when they are recorded', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const values = { x: 1, y: 1 }
    const ship = world.spawn()
    const made = [commands.spawn(Position(values)), ...commands.spawnMany(2, [Position(values)])]
    commands.add(ship, Position(values))
    commands.set(ship, Velocity, values)
    values.x = 2
    commands.apply()
    for (const handle of [...made, ship]) expect(world.get(handle, Position)).toEqual({ x: 1, y: 1 })
    expect(world.get(ship, Velocity)).toEqual({ x: 1, y: 1 })
  })

  it('waits for the end of a loop, after what is queued already', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const ship = world.spawn(Position)
    commands.add(ship, Velocity({ x: 1 }))
    for (const _ of world.query(Position)) {
      world.add(ship, Velocity({ x: 5, y: 5 }))
      commands.apply()
      expect(commands.size).toBe(0)
      commands.add(ship, Frozen)
      world.set(ship, Velocity, { y: 7 })
      expect(world.has(ship, Velocity)).toBe(false)
    }
    expect(world.get(ship, Velocity)).toEqual({ x: 1, y: 7 })
    expect(world.has(ship, Frozen)).toBe(false)
    world.batch(() => {
      commands.apply()
      expect(world.has(ship, Frozen)).toBe(false)
    })
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it('leaves direct changes visible at once, and applies its own later', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const ship = world.spawn()
    commands.add(ship, Position({ x: 1 }))
    world.add(ship, Velocity, Position({ x: 5, y: 6 }))
    expect(world.get(ship, Position)).toEqual({ x: 5, y: 6 })
    commands.apply()
    expect(world.get(ship, Position)).toEqual({ x: 1, y: 6 })
  })

  it('skips entities that died meanwhile', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const [doomed, ship] = [world.spawn(Position), world.spawn()]
    commands.add(doomed, Frozen)
    commands.exchange(doomed, [Position], [Velocity])
    commands.set(doomed, Position, { x: 1 })
    commands.remove(doomed, Position)
    commands.destroy(doomed)
    commands.add(ship, Frozen)
    world.destroy(doomed)
    commands.apply()
    expect(world.isAlive(doomed)).toBe(false)
    expect(world.query(Frozen).entities()).toEqual(Uint32Array.of(ship))
  })

  it('refuses stale handles and wrong arguments when they are recorded, and records nothing', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const ship = world.spawn()
    const dead = world.spawn()
    world.destroy(dead)
    for (const handle of [dead, NULL_ENTITY, 0, 1.5, -1, NaN]) {
      expect(() => commands.add(handle, Frozen)).toThrow(DeadEntityError)
      expect(() => commands.exchange(handle, [], [Frozen])).toThrow(DeadEntityError)
      expect(() => commands.set(handle, Position, { x: 1 })).toThrow(DeadEntityError)
      commands.remove(handle, Frozen)
      commands.destroy(handle)
    }
    expect(() => commands.spawn(Position, Position)).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_COMPONENT' }),
    )
    expect(() => commands.add(ship, {} as never)).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
    )
    expect(() => commands.set(ship, {} as never, {})).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
    )
    expect(() => commands.set(ship, Position, { z: 1 } as never)).toThrow(/Position.*'z'/)
    for (const count of [-1, 0.5, NaN, '2' as never])
      expect(() => commands.spawnMany(count, [])).toThrow(TypeError)
    expect(commands.size).toBe(0)
    expect(world.stats().entities).toBe(1)
  })

  it('is empty after a reset, and refused after dispose', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    commands.spawn(Position)
    resetWorld(world)
    expect(commands.size).toBe(0)
    commands.apply()
    expect(world.stats().entities).toBe(0)
    commands.spawn(Position)
    commands.apply()
    expect(world.query(Position).count).toBe(1)
    world.dispose()
    const disposed = expect.objectContaining({ code: 'WORLD_DISPOSED' })
    for (const use of [
      () => commands.apply(),
      () => commands.clear(),
      () => commands.size,
      () => commands.spawn(),
      () => commands.spawnMany(1, []),
      () => commands.add(1, Frozen),
      () => commands.remove(1, Frozen),
      () => commands.exchange(1, [], []),
      () => commands.set(1, Position, {}),
      () => commands.destroy(1),
      () => createCommands(world),
    ]) {
      expect(use).toThrow(disposed)
    }
  })
})

describe('a reserved handle', () => {
  it('is alive at once, bare, and found by no query until it has a row', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const ship = commands.spawn(Position({ x: 1 }), Health)
    expect(world.isAlive(ship)).toBe(true)
    expect([world.has(ship, Position), world.get(ship, Health)]).toEqual([false, undefined])
    expect(world.remove(ship, Position, Health)).toBe(false)
    expect(() => createAccessor(world, Position).of(ship)).toThrow(
      expect.objectContaining({ code: 'MISSING_COMPONENT' }),
    )
    expect(world.query().count).toBe(0)
    expect(world.stats().entities).toBe(1)
    checkInvariants(world)
    commands.apply()
    expect(world.query().entities()).toEqual(Uint32Array.of(ship))
    expect([world.get(ship, Position), world.get(ship, Health)]).toEqual([{ x: 1, y: 0 }, { hp: 100 }])
  })

  it('can be named in components and in other buffers', () => {
    const world = watchedWorld()
    const [first, second] = [createCommands(world), createCommands(world)]
    const a = first.spawn(Link)
    const b = second.spawn(Link({ to: a }))
    second.set(a, Link, { to: b })
    second.add(a, Frozen)
    second.apply()
    expect(world.get(a, Link)).toEqual({ to: b })
    first.apply()
    expect(world.get(a, Link)).toEqual({ to: b })
    expect(world.get(b, Link)).toEqual({ to: a })
    expect(world.has(a, Frozen)).toBe(true)
  })

  it.each(NUMBERED)('gets its row from any direct change; its spawn then adds ($storage)', ({ Number }) => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const [added, setted, exchanged, bare] = [0, 1, 2, 3].map(() =>
      commands.spawn(Position({ x: 1 }), Number({ n: 1 })),
    ) as [Entity, Entity, Entity, Entity]
    expect(world.add(added, Velocity({ x: 2 }), Number({ n: 5 }))).toBe(true)
    world.set(setted, Number, { n: 6 })
    expect(world.exchange(exchanged, [Number], [Frozen])).toBe(true)
    expect(world.add(bare)).toBe(false)
    expect(world.query().count).toBe(4)
    expect([world.get(added, Number), world.get(setted, Number)]).toEqual([{ n: 5 }, { n: 6 }])
    expect(world.has(exchanged, Frozen)).toBe(true)
    checkInvariants(world)
    commands.apply()
    for (const ship of [added, setted, exchanged, bare]) {
      expect(world.get(ship, Position)).toEqual({ x: 1, y: 0 })
      expect(world.get(ship, Number)).toEqual({ n: 1 })
    }
    expect(world.get(added, Velocity)).toEqual({ x: 2, y: 0 })
  })

  it('is changed in a loop before its buffer is applied', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const ship = commands.spawn(Position({ x: 1 }))
    world.batch(() => {
      world.add(ship, Velocity({ x: 3 }), Frozen)
      world.remove(ship, Frozen)
      expect(world.query().count).toBe(0)
    })
    expect(world.query().count).toBe(1)
    commands.apply()
    expect([world.get(ship, Position), world.get(ship, Velocity)]).toEqual([
      { x: 1, y: 0 },
      { x: 3, y: 0 },
    ])
  })

  it('dies by destroy, by clear of the world and by clear of its buffer', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const [destroyed, many] = [commands.spawn(Position), commands.spawn(Position)]
    expect(world.destroy(destroyed)).toBe(true)
    expect(destroyMany(world, [many, many])).toBe(1)
    const cleared = commands.spawn(Position)
    clearWorld(world)
    const inLoop = commands.spawn(Position)
    world.batch(() => clearWorld(world))
    expect([destroyed, many, cleared, inLoop].map((ship) => world.isAlive(ship))).toEqual(
      Array(4).fill(false),
    )
    const [forgotten, placed] = [commands.spawn(Position), commands.spawn(Position)]
    world.add(placed, Frozen)
    commands.clear()
    expect([world.isAlive(forgotten), world.isAlive(placed)]).toEqual([false, true])
    const late = commands.spawn(Position)
    world.batch(() => {
      const later = commands.spawn(Position)
      commands.clear()
      expect([world.isAlive(late), world.isAlive(later)]).toEqual([true, true])
    })
    expect(commands.size).toBe(0)
    commands.apply()
    expect(world.query().entities()).toEqual(Uint32Array.of(placed))
    expect(world.stats().entities).toBe(1)
  })

  it('an entity in a recycled slot is not reached by commands for the old handle', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const old = spawnMany(world, 2_000, [Position])
    for (const handle of old) commands.add(handle, Frozen)
    destroyMany(world, old)
    const made = commands.spawnMany(900, [Velocity])
    const slots = new Set(Array.from(old, (handle) => handle & 0xffffff))
    expect(made.every((handle) => slots.has(handle & 0xffffff))).toBe(true)
    for (const handle of old) expect(() => commands.add(handle, Frozen)).toThrow(DeadEntityError)
    for (const handle of made) commands.add(handle, Health)
    commands.apply()
    expect(world.query(Frozen).count).toBe(0)
    expect(world.query(Velocity, Health).count).toBe(900)
  })

  it.each([0, 1, 63, 64, 65, 1_022, 1_023, 1_024, 1_025, 5_000])(
    'may be one of %i, in a loop and outside, beyond the existing records',
    (count) => {
      const world = watchedWorld()
      const commands = createCommands(world)
      const outside = [...commands.spawnMany(count, [Position]), commands.spawn(Velocity)]
      const inside = world.batch(() => [...commands.spawnMany(count, [Position]), commands.spawn(Velocity)])
      // Nothing was queued in the block, and its handles are alive all the same, for good.
      expect(new Set([...outside, ...inside]).size).toBe(2 * count + 2)
      for (const handle of [...outside, ...inside])
        if (!world.isAlive(handle)) throw new Error(`${handle} died`)
      const direct = world.spawn(Frozen)
      expect([...outside, ...inside]).not.toContain(direct)
      checkInvariants(world)
      commands.apply()
      expect([world.query(Position).count, world.query(Velocity).count]).toEqual([2 * count, 2])
    },
  )

  it('is not given beyond maxEntities, in a loop or outside', () => {
    const world = watchedWorld({ maxEntities: 3 })
    const commands = createCommands(world)
    const limit = expect.objectContaining({ code: 'ENTITY_LIMIT' })
    expect(() => commands.spawnMany(4, [])).toThrow(limit)
    const made = [...commands.spawnMany(2, []), world.batch(() => commands.spawn())]
    expect(() => commands.spawn()).toThrow(limit)
    world.batch(() => expect(() => commands.spawn()).toThrow(limit))
    expect(() => world.spawn()).toThrow(limit)
    expect(commands.size).toBe(3)
    commands.apply()
    expect(world.query().count).toBe(3)
    expect(made.every((handle) => world.isAlive(handle))).toBe(true)
  })
})

describe('a buffer that is applied in a loop', () => {
  it('applies what it held then: what is recorded afterwards waits, and clear undoes nothing', () => {
    const world = watchedWorld()
    const one = world.spawn(Position)
    const commands = createCommands(world)
    let [early, late] = [NULL_ENTITY, NULL_ENTITY] as Entity[]
    world.query(Position).each(() => {
      commands.add(one, Velocity({ x: 5 }))
      early = commands.spawn(Frozen)
      commands.apply()
      commands.set(one, Velocity, { x: 9 })
      late = commands.spawn(Frozen)
      expect(commands.size).toBe(2)
    })
    expect([world.get(one, Velocity)?.x, world.has(early!, Frozen)]).toEqual([5, true])
    expect([world.has(late!, Frozen), commands.size]).toEqual([false, 2])
    commands.clear()
    expect([world.isAlive(late!), world.isAlive(early!)]).toEqual([false, true])
    world.query(Position).each(() => {
      early = commands.spawn(Frozen)
      commands.apply()
      commands.clear()
    })
    expect(world.has(early!, Frozen)).toBe(true)
  })

  it('is applied in its place among other buffers and calls', () => {
    const world = watchedWorld()
    const one = world.spawn(Position)
    const [first, second] = [createCommands(world), createCommands(world)]
    world.batch(() => {
      world.set(one, Position, { x: 1 })
      first.add(one, Position({ x: 2 }))
      second.remove(one, Position)
      second.apply()
      first.apply()
    })
    expect(world.get(one, Position)).toEqual({ x: 2, y: 0 })
  })
})

describe('clear of a buffer whose entities are linked', () => {
  const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
  const Near = relation('Near')

  it('drops the links that it holds, with the entities that only it knows', () => {
    const world = watchedWorld()
    const [parent, other] = [world.spawn(Position), world.spawn(Position)]
    const commands = createCommands(world)
    const born = commands.spawn(ChildOf(parent))
    commands.add(other, Near(born))
    commands.clear()
    expect([world.isAlive(born), world.isAlive(parent), world.has(other, Near)]).toEqual([false, true, false])
    expect([world.sourceCount(parent, ChildOf), world.query(ChildOf).count]).toEqual([0, 0])
  })

  it('spares an entity that the world has linked meanwhile, from either side', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const [source, target, alone] = [commands.spawn(Frozen), commands.spawn(Frozen), commands.spawn(Frozen)]
    const child = world.spawn(ChildOf(target))
    world.add(source, Near(child))
    commands.clear()
    expect([source, target, alone, child].map((one) => world.isAlive(one))).toEqual([true, true, false, true])
    expect([world.has(source, Frozen), world.target(child, ChildOf) === target]).toEqual([false, true])
    world.destroy(target)
    expect([world.isAlive(child), world.has(source, Near)]).toEqual([false, false])
  })
})
