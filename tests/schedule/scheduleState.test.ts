// Shows that the time of schedules goes back with their world: carried time, steps, timers, what is enabled.

import { describe, expect, it } from 'vitest'
import { createSchedule, restoreWorld, snapshotWorld } from '../../bindings/index'
import { testWorld } from '../support/world'

describe('schedules', () => {
  it('Carried time, steps and timers are restored from the snapshot', () => {
    const world = testWorld()
    const log: string[] = []
    const schedule = createSchedule(world)
      .phase('physics', { after: 'pre', fixedStep: 0.1 })
      .add(() => void log.push('step'), { name: 'step', phase: 'physics' })
      .add((_, dt) => void log.push(`slow ${dt.toFixed(2)}`), { name: 'slow', interval: 0.25 })
      .add(() => void log.push('third'), { name: 'third', every: 3 })
      .add(() => void log.push('follower'), { name: 'follower', every: 2, of: 'slow' })
    const run = (times: number) => {
      log.length = 0
      for (let i = 0; i < times; i++) schedule.run(0.07)
      return log.join()
    }
    run(5)
    const before = snapshotWorld(world)
    const alpha = schedule.alpha('physics')
    const steps = schedule.stats().phases.map((phase) => phase.steps)
    const first = run(11)
    for (const runs of [1, 4, 0]) {
      run(runs)
      restoreWorld(world, before)
      expect(schedule.alpha('physics')).toBe(alpha)
      expect(schedule.stats().phases.map((phase) => phase.steps)).toEqual(steps)
      expect(run(11)).toBe(first)
    }
  })

  it('Going back to before the first run restores the step at time 0', () => {
    const world = testWorld()
    let steps = 0
    const schedule = createSchedule(world)
      .phase('physics', { after: 'pre', fixedStep: 1 })
      .add(() => void steps++, { phase: 'physics' })
    const before = snapshotWorld(world)
    schedule.run(0)
    expect(steps).toBe(1)
    restoreWorld(world, before)
    schedule.run(0)
    expect(steps).toBe(2)
  })

  it('Systems are enabled as they were; systems added since stay as they are', () => {
    const world = testWorld()
    const ran: string[] = []
    const schedule = createSchedule(world)
      .add(() => void ran.push('a'), { name: 'a' })
      .add(() => void ran.push('b'), { name: 'b', enabled: false })
    const before = snapshotWorld(world)
    schedule.disable('a').enable('b')
    schedule.add(() => void ran.push('c'), { name: 'c' }).disable('c')
    restoreWorld(world, before)
    expect(['a', 'b', 'c'].map((name) => schedule.isEnabled(name))).toEqual([true, false, false])
    schedule.remove('a')
    restoreWorld(world, before)
    schedule.run(1)
    expect(ran).toEqual([])
  })

  it('A schedule that is running when its world goes back keeps its time', () => {
    const world = testWorld()
    let before = snapshotWorld(world)
    const outer = createSchedule(world).phase('net', { after: 'pre', fixedStep: 1 })
    outer.add(() => restoreWorld(world, before), { name: 'back', phase: 'net' })
    before = snapshotWorld(world)
    outer.run(1)
    outer.run(1)
    expect(outer.stats().phases.find(({ name }) => name === 'net')?.steps).toBe(2)
  })
})
