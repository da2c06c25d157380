// Shows when the condition that a resource has changed holds: runIf: changed(Time).

import { describe, expect, it } from 'vitest'
import {
  type World,
  changed,
  component,
  createSchedule,
  f32,
  resetWorld,
  resource,
  restoreWorld,
  snapshotWorld,
  u8,
  vec,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

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

  it('sees what existed before the first run', () => {
    const world = watchedWorld()
    world.resource(Screen).width = 5
    expect([1, 2].map(counting(world, Screen).run)).toEqual([1, 0])
  })

  it('requires that each of several resources has changed', () => {
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

  it('does not run a system again for its own writes', () => {
    const world = watchedWorld()
    let runs = 0
    const schedule = createSchedule(world).add(
      function resize(inside) {
        runs++
        inside.resource(Screen).height = inside.resource(Screen).width
        inside.batch(() => inside.setResource(Screen, { height: 7 }))
      },
      { runIf: changed(Screen) },
    )
    world.resource(Screen).width = 1
    for (let i = 0; i < 3; i++) schedule.run(1)
    expect(runs).toBe(1)
    world.resource(Screen).width = 2
    for (let i = 0; i < 3; i++) schedule.run(1)
    expect(runs).toBe(2)
  })

  it('does not run a system again that has only read a vec', () => {
    const world = watchedWorld()
    let runs = 0
    const schedule = createSchedule(world).add(
      function draw(inside) {
        runs++
        expect(inside.resource(Ground).cells[3]).toBe(runs)
      },
      { runIf: changed(Ground) },
    )
    for (let value = 1; value < 4; value++) {
      world.resource(Ground).cells[3] = value
      for (let i = 0; i < 3; i++) schedule.run(1)
      expect(runs).toBe(value)
    }
    expect(world.getResource(Ground)?.cells[3]).toBe(3)
    schedule.run(1)
    expect(runs).toBe(3)
  })

  it('runs a system for the writes of another one that waits for the same resource', () => {
    const world = watchedWorld()
    const log: string[] = []
    const schedule = createSchedule(world)
    for (const name of ['a', 'b']) {
      const write = () => {
        log.push(name)
        if (log.length < 5) world.resource(Screen).height++
      }
      schedule.add(write, { name, runIf: changed(Screen) })
    }
    world.resource(Screen).width = 1
    for (let i = 0; i < 6; i++) schedule.run(1)
    expect(log).toEqual(['a', 'b', 'a', 'b', 'a'])
  })

  it('runs a system again that has thrown', () => {
    const world = watchedWorld()
    let runs = 0
    const schedule = createSchedule(world).add(
      function resize() {
        world.resource(Screen).height++
        if (++runs === 1) throw new Error('too small')
      },
      { runIf: changed(Screen) },
    )
    world.resource(Screen).width = 1
    expect(() => schedule.run(1)).toThrow('too small')
    for (let i = 0; i < 3; i++) schedule.run(1)
    expect(runs).toBe(2)
  })

  it('lets a system reset the world that it runs in, or dispose of it', () => {
    const world = testWorld()
    const ends = [() => resetWorld(world), () => world.dispose()]
    for (const end of ends) {
      const schedule = createSchedule(world).add(end, { name: 'end', runIf: changed(Screen) })
      world.resource(Screen).width = 1
      schedule.run(1)
    }
    expect(() => world.stats()).toThrow(coded('WORLD_DISPOSED'))
  })

  it('goes back with the world', () => {
    const world = watchedWorld()
    const { run } = counting(world, Screen)
    world.resource(Screen).width = 1
    const before = snapshotWorld(world)
    expect(run()).toBe(1)
    restoreWorld(world, before)
    expect([run(), run()]).toEqual([1, 0])
    const after = snapshotWorld(world)
    world.resource(Screen).width = 3
    expect(run()).toBe(1)
    restoreWorld(world, after)
    expect(run()).toBe(0)
  })

  it('works with resources that take more than a chunk', () => {
    const world = watchedWorld()
    const { run } = counting(world, Ground as never)
    world.setResource(Ground, { cells: new Uint8Array(40_000) })
    expect([run(), run()]).toEqual([1, 0])
    resetWorld(world)
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
