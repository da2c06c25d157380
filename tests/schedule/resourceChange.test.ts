// Owns the condition that a resource has changed: runIf: changed(Time).
// It must never look at how it is kept: what a system was last asked, and what a restore makes of that, shows it.

import { describe, expect, it } from 'vitest'
import { type World, changed, component, createSchedule, f32, resource, u8, vec } from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Screen = resource('Screen', { width: f32, height: f32 })
const Ground = resource('Ground', { cells: vec(u8, 40_000) })
const Settings = resource<{ level: number }>('Settings')
const Position = component('Position', { x: f32 })
const coded = (code: string): unknown => expect.objectContaining({ code })

function counting(world: World, ...resources: [typeof Screen, ...(typeof Screen)[]]) {
  const system = { name: 'resize', runs: 0, run: () => void system.runs++ }
  const schedule = createSchedule(world).add(system, { runIf: changed(...resources) })
  return {
    run: () => {
      const before = system.runs
      schedule.run(1)
      return system.runs - before
    },
    schedule,
  }
}

describe('runIf: changed(resource)', () => {
  it('runs a system once after each change, and not while the resource is missing', () => {
    const world = watchedWorld()
    const { run } = counting(world, Screen)
    expect(run()).toBe(0)
    world.resource(Screen).width = 5
    expect([run(), run()]).toEqual([1, 0])
    world.setResource(Screen, { height: 2 })
    expect([run(), run()]).toEqual([1, 0])
    void world.resource(Screen).width
    void world.getResource(Screen)
    expect(run()).toBe(0)
    world.removeResource(Screen)
    expect(run()).toBe(0)
    void world.resource(Screen)
    expect([run(), run()]).toEqual([1, 0])
  })

  it('sees the first time what was there before', () => {
    const world = watchedWorld()
    world.resource(Screen).width = 5
    expect([1, 2].map(counting(world, Screen).run)).toEqual([1, 0])
  })

  it('asks of several resources that each has changed', () => {
    const world = watchedWorld()
    const Other = resource('Other', { width: f32, height: f32 })
    const { run } = counting(world, Screen, Other)
    world.resource(Screen).width = 5
    expect(run()).toBe(0)
    world.resource(Screen).width = 6
    world.resource(Other).width = 6
    expect([run(), run()]).toEqual([1, 0])
  })

  it('has a memory for each system, and joins with other conditions', () => {
    const world = watchedWorld()
    let open = false
    const log: string[] = []
    const schedule = createSchedule(world)
      .add(() => void log.push('a'), { name: 'a', runIf: changed(Screen) })
      .add(() => void log.push('b'), { name: 'b', runIf: [() => open, changed(Screen)], every: 2 })
    world.resource(Screen).width = 1
    schedule.run(1)
    schedule.run(1)
    expect(log).toEqual(['a'])
    world.resource(Screen).width = 2
    open = true
    schedule.run(1)
    expect(log).toEqual(['a', 'a'])
    schedule.run(1)
    expect(log).toEqual(['a', 'a', 'b'])
  })

  it('goes back with the world', () => {
    const world = watchedWorld()
    const { run } = counting(world, Screen)
    world.resource(Screen).width = 1
    const before = world.snapshot()
    expect(run()).toBe(1)
    world.restore(before)
    expect([run(), run()]).toEqual([1, 0])
    const after = world.snapshot()
    world.resource(Screen).width = 3
    expect(run()).toBe(1)
    world.restore(after)
    expect(run()).toBe(0)
  })

  it('knows resources that take more than a chunk', () => {
    const world = watchedWorld()
    const { run } = counting(world, Ground as never)
    world.setResource(Ground, { cells: new Uint8Array(40_000) })
    expect([run(), run()]).toEqual([1, 0])
    world.reset()
    expect(run()).toBe(0)
  })

  it('is refused for values of JavaScript, in queries, and beside components', () => {
    const world = watchedWorld()
    expect(() => changed(Settings as never)).toThrow(coded('INVALID_QUERY'))
    expect(() => changed(Screen, Position as never)).toThrow(coded('INVALID_QUERY'))
    expect(() => changed(Position, Screen as never)).toThrow(coded('NOT_A_COMPONENT'))
    expect(() => world.query(changed(Screen) as never)).toThrow(coded('NOT_A_COMPONENT'))
    const schedule = createSchedule(world)
    expect(() => schedule.add(() => {}, { name: 'a', runIf: 5 as never })).toThrow(coded('INVALID_SYSTEM'))
  })
})
