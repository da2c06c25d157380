// Shows that a fork is a world of its own in the same state.

import { describe, expect, it } from 'vitest'
import {
  bool,
  component,
  createSchedule,
  digestWorld,
  entity,
  f32,
  forkWorld,
  object,
  onAdd,
  onRestore,
  resource,
  restoreWorld,
  snapshotWorld,
  spawnMany,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { Health, Name, Position, Red } from '../support/kinds'
import { testWorld } from '../support/world'

const Link = component('Link', { who: entity, on: bool })
const Time = resource('Time', { now: f32 })

describe('a fork', () => {
  it('A fork has the same state, and each develops independently', () => {
    const world = testWorld()
    world.resource(Time).now = 2
    const e = world.spawn(Position({ x: 1 }), Name({ value: 'e' }), Link)
    const twin = forkWorld(world)
    checkInvariants(twin)
    expect(digestWorld(twin)).toBe(digestWorld(world))
    expect([twin.get(e, Name), twin.resource(Time).now, twin.tick]).toEqual([{ value: 'e' }, 2, world.tick])
    twin.destroy(e)
    spawnMany(twin, 1000, [Health, Position])
    expect([world.isAlive(e), world.query(Position).count]).toEqual([true, 1])
    world.spawn(Red)
    expect(twin.query(Red).count).toBe(0)
    twin.dispose()
    expect(world.get(e, Position)?.x).toBe(1)
  })

  it('A fork has the options of its world', () => {
    const world = testWorld({ maxEntities: 5, ids: 'strict', memory: { maximum: 3 * 2 ** 20 } })
    spawnMany(world, 3, [Position])
    const twin = forkWorld(world)
    expect(() => spawnMany(twin, 3, [Position])).toThrow(expect.objectContaining({ code: 'ENTITY_LIMIT' }))
    restoreWorld(twin, snapshotWorld(world))
    restoreWorld(world, snapshotWorld(twin))
    expect(twin.query(Position).count).toBe(3)
    expect(twin.stats().bytesReserved).toBe(world.stats().bytesReserved)
  })

  it('A fork revives objects, copies values with save, and has none of the others', () => {
    const Mesh = object<{ of: number }>('Mesh', { revive: (entity) => ({ of: entity }) })
    const Copied = resource<{ n: number }>('Copied', { save: ({ n }) => n, load: (n: number) => ({ n }) })
    const Plain = resource<{ n: number }>('Plain')
    const world = testWorld()
    const e = world.spawn(Mesh({ of: 0 }))
    world.setResource(Copied, { n: 1 })
    const plain = { n: 2 }
    world.setResource(Plain, plain)
    const twin = forkWorld(world)
    expect([twin.get(e, Mesh), world.get(e, Mesh)]).toEqual([{ of: e }, { of: 0 }])
    expect(twin.resource(Copied)).toEqual({ n: 1 })
    expect(twin.resource(Copied)).not.toBe(world.resource(Copied))
    expect([twin.hasResource(Plain), twin.resource(Plain), twin.getResource(Plain)]).toEqual([
      false,
      undefined,
      undefined,
    ])
    twin.setResource(Plain, { n: 3 })
    expect(world.resource(Plain)).toBe(plain)
    restoreWorld(twin, snapshotWorld(world))
    expect(twin.resource(Plain)).toEqual({ n: 3 })
    expect(forkWorld(twin).hasResource(Plain)).toBe(false)
    expect(plain).toEqual({ n: 2 })
  })

  it('Listeners and schedules are left out, and the time of a schedule stays as it is', () => {
    const world = testWorld()
    let told = 0
    onAdd(world, Red, () => void told++)
    onRestore(world, () => void told++)
    const schedule = createSchedule(world).phase('physics', { after: 'pre', fixedStep: 1 })
    schedule.add(() => {}, { phase: 'physics' })
    const before = snapshotWorld(world)
    schedule.run(0.5)
    const twin = forkWorld(world)
    twin.spawn(Red)
    restoreWorld(twin, before)
    expect(told).toBe(0)
    expect(schedule.alpha('physics')).toBe(0.5)
  })
})
