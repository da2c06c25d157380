// Shows in which runs a system with an interval or a rate is due, and the dt it is given.

import { describe, expect, it } from 'vitest'
import { createSchedule, type Schedule, type SystemOptions } from '../../bindings/index'
import { watchedWorld } from '../support/watched'

/** Adds a system that notes the numbers of the runs in which it ran, from 1. */
function noting(schedule: Schedule, name: string, options: SystemOptions) {
  const ran: number[] = []
  const dts: number[] = []
  const note = (_: unknown, dt: number) => {
    ran.push(schedule.stats().runs + 1)
    dts.push(dt)
  }
  schedule.add(note, { name, ...options })
  return { ran, dts }
}

function runs(schedule: Schedule, count: number, dt = 1): void {
  for (let i = 0; i < count; i++) schedule.run(dt)
}

describe('a system with every: n', () => {
  it('runs every n-th time, and gets the time since it was last due', () => {
    const schedule = createSchedule(watchedWorld())
    const { ran, dts } = noting(schedule, 'third', { every: 3 })
    runs(schedule, 10)
    expect(ran).toEqual([3, 6, 9])
    expect(dts).toEqual([3, 3, 3])
  })

  it('a system with rate 3 of rate 2 runs every 6th time', () => {
    const schedule = createSchedule(watchedWorld())
    const two = noting(schedule, 'two', { every: 2 })
    const six = noting(schedule, 'six', { every: 3, of: 'two' })
    runs(schedule, 13)
    expect(two.ran).toEqual([2, 4, 6, 8, 10, 12])
    expect(six.ran).toEqual([6, 12])
    expect(six.dts).toEqual([6, 6])
  })

  it('may follow a system that is added later, and runs one run after it then', () => {
    const schedule = createSchedule(watchedWorld())
    const six = noting(schedule, 'six', { every: 3, of: 'two' })
    noting(schedule, 'two', { every: 2 })
    runs(schedule, 13)
    expect(six.ran).toEqual([7, 13])
  })

  it('may follow an interval, across phases', () => {
    const schedule = createSchedule(watchedWorld())
    const half = noting(schedule, 'half', { interval: 0.5, phase: 'first' })
    const second = noting(schedule, 'second', { every: 2, of: 'half', phase: 'last' })
    runs(schedule, 16, 0.125)
    expect(half.ran).toEqual([4, 8, 12, 16])
    expect(second.ran).toEqual([8, 16])
  })

  it('with only of runs as often as the other is due', () => {
    const schedule = createSchedule(watchedWorld())
    noting(schedule, 'two', { every: 2 })
    const same = noting(schedule, 'same', { of: 'two' })
    runs(schedule, 6)
    expect(same.ran).toEqual([2, 4, 6])
  })

  it('counts a followed system even if its condition keeps it from running', () => {
    const schedule = createSchedule(watchedWorld())
    const never = noting(schedule, 'never', { every: 2, runIf: () => false })
    const follower = noting(schedule, 'follower', { every: 2, of: 'never' })
    runs(schedule, 8)
    expect([never.ran, follower.ran]).toEqual([[], [4, 8]])
  })

  it('pauses while it, or the one it follows, is disabled', () => {
    const schedule = createSchedule(watchedWorld())
    const two = noting(schedule, 'two', { every: 2 })
    const four = noting(schedule, 'four', { every: 2, of: 'two' })
    runs(schedule, 3)
    schedule.disable('two')
    runs(schedule, 5)
    expect([two.ran, four.ran]).toEqual([[2], []])
    schedule.enable('two')
    runs(schedule, 1)
    expect([two.ran, four.ran]).toEqual([[2, 9], [9]])
  })

  it('stops when the one it follows is removed, and goes on when a system with that name is added again', () => {
    const schedule = createSchedule(watchedWorld())
    noting(schedule, 'one', {})
    const two = noting(schedule, 'two', { every: 2, of: 'one' })
    runs(schedule, 4)
    schedule.remove('one')
    runs(schedule, 4)
    expect(two.ran).toEqual([2, 4])
    schedule.add(() => {}, { name: 'one', before: 'two' })
    runs(schedule, 4)
    expect(two.ran).toEqual([2, 4, 10, 12])
  })

  it('runs once when the one it follows was due several times in between, and keeps the beat', () => {
    const schedule = createSchedule(watchedWorld()).phase('update', { fixedStep: 1 })
    noting(schedule, 'step', {})
    const third = noting(schedule, 'third', { every: 3, of: 'step', phase: 'post' })
    for (const dt of [4, 1, 1, 7]) schedule.run(dt)
    expect(third.ran).toEqual([1, 3, 4])
  })
})

describe('a system with an interval', () => {
  it('runs when that many seconds have passed, and gets the time since it was last due', () => {
    const schedule = createSchedule(watchedWorld())
    const { ran, dts } = noting(schedule, 'half', { interval: 0.5 })
    runs(schedule, 10, 0.2)
    expect(ran).toEqual([3, 5, 8, 10])
    expect(dts.map((dt) => dt.toFixed(9))).toEqual([
      '0.600000000',
      '0.400000000',
      '0.600000000',
      '0.400000000',
    ])
  })

  it('runs once in a run, however many intervals have passed, and keeps the beat', () => {
    const schedule = createSchedule(watchedWorld())
    const { ran, dts } = noting(schedule, 'one', { interval: 1 })
    for (const dt of [3.5, 0.25, 0.25, 0]) schedule.run(dt)
    expect(ran).toEqual([1, 3])
    expect(dts).toEqual([3.5, 0.5])
  })

  it('counts the steps of a phase that has a fixed one', () => {
    const schedule = createSchedule(watchedWorld()).phase('update', { fixedStep: 0.25 })
    const { ran, dts } = noting(schedule, 'half', { interval: 0.5 })
    for (const dt of [0.25, 0.25, 1]) schedule.run(dt)
    expect(ran).toEqual([2, 3, 3])
    expect(dts).toEqual([0.5, 0.5, 0.5])
  })

  it('does not drift over a hundred thousand runs', () => {
    const schedule = createSchedule(watchedWorld(), { timing: false })
    let ran = 0
    schedule.add(() => void ran++, { name: 'count', interval: 0.3 })
    for (let i = 0; i < 100_000; i++) schedule.run(0.1)
    expect(ran).toBe(33_333)
  })
})
