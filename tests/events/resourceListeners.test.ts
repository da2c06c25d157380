// Shows when a listener of a resource is called, and what it finds.

import { describe, expect, it } from 'vitest'
import {
  component,
  createWorld,
  mergeWorld,
  onResource,
  resetWorld,
  resource,
  restoreWorld,
  saveWorld,
  snapshotWorld,
  onChange,
  u32,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: u32 })

describe('a listener of a resource', () => {
  const Time = resource('Time', { day: u32 })
  const Settings = resource<{ level: number }>('Settings')

  it('is called when the resource is made, set and removed, and not for other resources and its cursor', () => {
    const world = watchedWorld()
    const log: unknown[] = []
    const stop = onResource(world, Time, () => log.push(world.getResource(Time)?.day))
    onResource(world, Settings, () => log.push(world.getResource(Settings)))
    world.setResource(Time, { day: 1 })
    world.resource(Time).day = 2
    world.setResource(Settings, { level: 3 })
    world.removeResource(Time)
    world.removeResource(Time)
    stop()
    world.setResource(Time, { day: 4 })
    expect(log).toEqual([1, { level: 3 }, undefined])
  })

  it('is called once for a block, after the query subscribers, which may look at the same world', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    const log: string[] = []
    world.resource(Time)
    const look = (who: string) => () => log.push(`${who} ${query.count} ${world.getResource(Time)?.day}`)
    onResource(world, Time, look('resource'))
    onChange(query, look('query'))
    world.batch(() => {
      for (let day = 1; day < 5; day++) world.setResource(Time, { day })
      world.spawn(Position)
      expect(log).toEqual([])
    })
    expect(log).toEqual(['query 1 4', 'resource 1 4'])
  })

  it('is called after a reset and a restore, and no longer after dispose', () => {
    const world = createWorld({ memory: { initial: 2 ** 20 } })
    world.setResource(Time, { day: 1 })
    const before = snapshotWorld(world)
    const log: unknown[] = []
    onResource(world, Time, () => log.push(world.getResource(Time)?.day))
    resetWorld(world)
    restoreWorld(world, before)
    world.dispose()
    expect(log).toEqual([undefined, 1])
  })

  it('is called for a resource that a merged save brings', () => {
    const origin = createWorld({ memory: { initial: 2 ** 20 } })
    origin.setResource(Time, { day: 7 })
    const world = createWorld({ memory: { initial: 2 ** 20 } })
    const log: unknown[] = []
    onResource(world, Time, () => log.push(world.getResource(Time)?.day))
    mergeWorld(world, saveWorld(origin), { components: [Time] })
    expect(log).toEqual([7])
    for (const one of [origin, world]) one.dispose()
  })

  it('may set the resource itself, and ends with ENDLESS_EVENTS when it never stops', () => {
    const world = watchedWorld()
    world.resource(Time)
    let most = 3
    const log: number[] = []
    const stop = onResource(world, Time, () => {
      const { day } = world.resource(Time)
      if (log.push(day) < most) world.setResource(Time, { day: day + 1 })
    })
    world.setResource(Time, { day: 1 })
    expect(log).toEqual([1, 2, 3])
    most = Infinity
    expect(() => world.setResource(Time, { day: 1 })).toThrow(
      expect.objectContaining({ code: 'ENDLESS_EVENTS' }),
    )
    stop()
    world.setResource(Time, { day: 5 })
    expect(world.getResource(Time)).toEqual({ day: 5 })
    expect(world.spawn(Position)).toBeGreaterThan(0)
  })

  it('that throws does not keep others from being called, and the call throws its error', () => {
    const world = watchedWorld()
    onResource(world, Settings, () => {
      throw new Error('first')
    })
    let calls = 0
    onResource(world, Settings, () => calls++)
    expect(() => world.setResource(Settings, { level: 1 })).toThrow('first')
    expect([calls, world.getResource(Settings)]).toEqual([1, { level: 1 }])
  })

  it('is refused for anything but a resource and a function', () => {
    const world = watchedWorld()
    expect(() => onResource(world, Position as never, () => {})).toThrow(
      expect.objectContaining({ code: 'NOT_A_RESOURCE' }),
    )
    expect(() => onResource(world, Time, 3 as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })
})

it('A listener of a resource goes on when another one unsubscribes, in either order', () => {
  const Time = resource('Time', { day: u32 })
  for (const ending of [0, 1]) {
    const world = watchedWorld()
    const calls = [0, 0]
    const stops = calls.map((_, i) => onResource(world, Time, () => calls[i]++))
    world.setResource(Time, { day: 1 })
    stops[ending]?.()
    stops[ending]?.()
    world.setResource(Time, { day: 2 })
    expect([calls[ending], calls[1 - ending]]).toEqual([1, 2])
  }
})
