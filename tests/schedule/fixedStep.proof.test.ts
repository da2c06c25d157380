// Shows how often a phase with a fixed step runs for the time that run() was given, and what is carried over.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  component,
  createAccessor,
  createSchedule,
  type PhaseOptions,
  type Schedule,
  endFrame,
  sparse,
  u8,
} from '../../bindings/index'
import { StepClock } from '../../bindings/schedule/fixedStep'
import { proofLength } from '../support/proofs'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

interface Counted {
  readonly schedule: Schedule
  /** Runs for a time; how many steps that made. */
  steps(dt: number): number
  readonly seen: number[]
}

function stepping(options: PhaseOptions): Counted {
  const seen: number[] = []
  const schedule = createSchedule(watchedWorld(), { timing: false })
  schedule.phase('physics', { after: 'pre', ...options })
  schedule.add((_, dt) => void seen.push(dt), { name: 'step', phase: 'physics' })
  const steps = (dt: number) => {
    const before = seen.length
    schedule.run(dt)
    return seen.length - before
  }
  return { schedule, steps, seen }
}

const behind = (schedule: Schedule) =>
  schedule.stats().phases.find(({ name }) => name === 'physics')?.behind ?? NaN

describe('a phase with a fixed step', () => {
  it('a fixed phase steps once in the first run, at time 0, and not again while no time passes', () => {
    const { steps, seen } = stepping({ fixedStep: 0.016 })
    expect(steps(0)).toBe(1)
    expect(steps(0)).toBe(0)
    expect(steps(0)).toBe(0)
    expect(seen).toEqual([0.016])
  })

  it('a fixed phase makes 6 steps of 0.016 in 0.1 and carries the rest', () => {
    const { schedule, steps } = stepping({ fixedStep: 0.016 })
    steps(0)
    expect(steps(0.1)).toBe(6)
    expect(schedule.alpha('physics')).toBeCloseTo(0.004 / 0.016, 9)
    expect(steps(0.012)).toBe(1)
    expect(schedule.alpha('physics')).toBeCloseTo(0, 5)
  })

  it('counts the step at time 0 only when the first run makes no other', () => {
    expect(stepping({ fixedStep: 0.016 }).steps(0.1)).toBe(6)
    expect(stepping({ fixedStep: 1 / 60 }).steps(1 / 60)).toBe(1)
    const short = stepping({ fixedStep: 0.5 })
    expect([short.steps(0.25), short.steps(0.25), short.steps(0.25)]).toEqual([1, 1, 0])
  })

  it('gives each system the step as its dt, whatever the run was given', () => {
    const { steps, seen } = stepping({ fixedStep: 0.25 })
    steps(1.1)
    expect(seen).toEqual([0.25, 0.25, 0.25, 0.25])
  })

  it('takes over a step changed between runs from the next run on, with the time it carries', () => {
    const { schedule, steps, seen } = stepping({ fixedStep: 1 })
    expect(steps(1.5)).toBe(1)
    schedule.phase('physics', { fixedStep: 0.25 })
    expect(steps(0)).toBe(2)
    expect(steps(0.25)).toBe(1)
    expect(seen).toEqual([1, 0.25, 0.25, 0.25])
  })

  it('takes over a step changed by a system from the next run on', () => {
    const { schedule, steps, seen } = stepping({ fixedStep: 1 })
    schedule.add(() => void schedule.phase('physics', { fixedStep: 0.5 }), {
      name: 'change',
      phase: 'physics',
    })
    expect(steps(3)).toBe(3)
    expect(steps(1)).toBe(2)
    expect(seen).toEqual([1, 1, 1, 0.5, 0.5])
  })

  it.each([
    [1e-9, 1e-4],
    [1e-4, 1e-4],
    [10, 10],
    [1000, 10],
  ])('clamps a step of %d into the range: %d', (asked, step) => {
    const { schedule } = stepping({ fixedStep: asked })
    expect(schedule.stats().phases.find(({ name }) => name === 'physics')?.fixedStep).toBe(step)
  })

  it('spreads what is beyond maxSteps over later runs, and loses none of it with maxCatchUp: Infinity', () => {
    const { schedule, steps } = stepping({ fixedStep: 0.1, maxSteps: 4, maxCatchUp: Infinity })
    expect(steps(1)).toBe(4)
    expect(behind(schedule)).toBeCloseTo(0.6, 9)
    expect(schedule.alpha('physics')).toBe(1)
    expect(steps(0.1)).toBe(4)
    expect(steps(0.1)).toBe(4)
    expect(behind(schedule)).toBeCloseTo(0, 9)
    expect(steps(0.1)).toBe(1)
  })

  it('makes every step of an hour with maxCatchUp: Infinity, ten in each run', () => {
    const { schedule, steps } = stepping({ fixedStep: 1, maxCatchUp: Infinity })
    let made = steps(3600)
    for (let run = 1; run < 360; run++) made += steps(0)
    expect([made, behind(schedule), steps(0)]).toEqual([3600, 0, 0])
  })

  it('lets a quarter of a second of steps wait by default, and drops the rest of an hour', () => {
    const { schedule, steps } = stepping({ fixedStep: 1 / 60 })
    const state = () => [behind(schedule), schedule.alpha('physics')]
    expect(steps(0)).toBe(1)
    // Half a step beyond the hour: the part of a step is not dropped.
    expect(steps(3600 + 1 / 120)).toBe(10)
    expect(state()).toEqual([15 / 60, 1])
    expect(steps(0)).toBe(10)
    expect(state()).toEqual([5 / 60, 1])
    expect(steps(0)).toBe(5)
    expect(behind(schedule)).toBe(0)
    expect(schedule.alpha('physics')).toBeCloseTo(0.5, 6)
    for (let frame = 0; frame < 60; frame++) expect(steps(1 / 60)).toBe(1)
    expect(schedule.alpha('physics')).toBeCloseTo(0.5, 6)
  })

  it('drops nothing by default while ten steps and a quarter of a second are enough', () => {
    const { schedule, steps } = stepping({ fixedStep: 1 / 60 })
    expect([steps(25 / 60), steps(0), steps(0), steps(0)]).toEqual([10, 10, 5, 0])
    expect([steps(26 / 60), steps(0), steps(0), steps(0)]).toEqual([10, 10, 5, 0])
    expect(behind(schedule)).toBe(0)
  })

  it('lets no step wait by default that is longer than a quarter of a second', () => {
    const { schedule, steps } = stepping({ fixedStep: 0.5, maxSteps: 4 })
    expect([steps(3.75), behind(schedule), schedule.alpha('physics')]).toEqual([4, 0, 0.5])
    expect([steps(0.25), steps(0)]).toEqual([1, 0])
  })

  it('keeps its maxCatchUp when another option is changed', () => {
    const { schedule, steps } = stepping({ fixedStep: 0.1, maxSteps: 4, maxCatchUp: Infinity })
    schedule.phase('physics', { maxSteps: 2 })
    expect(steps(1)).toBe(2)
    expect(behind(schedule)).toBeCloseTo(0.8, 9)
  })

  it.each([
    [0, [4, 1, 1]],
    [0.2, [4, 3, 1]],
    [0.25, [4, 3, 1]],
    [Infinity, [4, 4, 4]],
  ])('lets steps of %d seconds wait, and drops whole steps beyond that', (maxCatchUp, expected) => {
    const { schedule, steps } = stepping({ fixedStep: 0.1, maxSteps: 4, maxCatchUp })
    expect(steps(1.05)).toBe(expected[0])
    expect([steps(0.1), steps(0.1)]).toEqual(expected.slice(1))
    expect(schedule.alpha('physics')).toBeGreaterThan(0.49)
  })

  it('carries the remainder of whole steps, rounded once and not once a step', () => {
    const { schedule, steps } = stepping({ fixedStep: 0.1, maxSteps: 100, maxCatchUp: 10 })
    steps(0)
    expect(steps(3.05)).toBe(30)
    expect(schedule.alpha('physics')).toBe((3.05 - 30 * 0.1) / 0.1)
  })

  it('lets exactly as many steps wait as `maxCatchUp` holds, whatever the rounding of decimal steps', () => {
    const world = testWorld()
    const stepsMade = (fixedStep: number, maxCatchUp: number, dt: number) => {
      let made = 0
      const schedule = createSchedule(world, { timing: false })
        .phase('physics', { after: 'pre', fixedStep, maxSteps: 1, maxCatchUp })
        .add(() => void made++, { name: 'step', phase: 'physics' })
      schedule.run(dt)
      for (let before = -1; made !== before; schedule.run(0)) before = made
      schedule.dispose()
      return made
    }
    const decimalSteps = fc.record({
      thousandths: fc.integer({ min: 1, max: 1000 }),
      waiting: fc.integer({ min: 0, max: 40 }),
      beyond: fc.integer({ min: 0, max: 5 }),
    })
    fc.assert(
      fc.property(decimalSteps, ({ thousandths, waiting, beyond }) => {
        // From whole numbers: these are the doubles that a person writes as decimals.
        const [step, maxCatchUp] = [thousandths / 1000, (thousandths * waiting) / 1000]
        const due = (thousandths * (waiting + 1 + beyond)) / 1000
        expect(stepsMade(step, maxCatchUp, due)).toBe(waiting + 1)
        if (waiting > 0) expect(stepsMade(step, maxCatchUp - step / 10, due)).toBe(waiting)
      }),
      { seed: 23, numRuns: proofLength(1000), examples: [[{ thousandths: 100, waiting: 3, beyond: 0 }]] },
    )
  })

  it('may be a built-in one', () => {
    const schedule = createSchedule(watchedWorld()).phase('update', { fixedStep: 0.5 })
    let steps = 0
    schedule.add(() => void steps++, { name: 'step' })
    schedule.run(1.25)
    expect([steps, schedule.alpha('update')]).toEqual([2, 0.5])
  })

  it('makes up the steps that a failed run owed in the next run', () => {
    const { schedule, steps } = stepping({ fixedStep: 0.1 })
    let fail = true
    const failing = () => {
      if (fail) throw new Error('not yet')
    }
    schedule.add(failing, { phase: 'first' })
    expect(() => schedule.run(0.3)).toThrow(/failing/)
    fail = false
    expect(steps(0.1)).toBe(4)
  })

  it('counts the step that failed', () => {
    const { schedule, steps, seen } = stepping({ fixedStep: 0.1 })
    const failing = () => {
      if (seen.length === 2) throw new Error('in the second step')
    }
    schedule.add(failing, { phase: 'physics' })
    expect(() => schedule.run(0.5)).toThrow(/second step/)
    expect(seen.length).toBe(2)
    expect(steps(0)).toBe(3)
  })

  it('alternates its systems step by step', () => {
    const { schedule, seen } = stepping({ fixedStep: 1 })
    schedule.add(() => void seen.push(-1), { name: 'second', phase: 'physics' })
    schedule.run(2)
    expect(seen).toEqual([1, -1, 1, -1])
  })

  it.each([
    [1 / 60, 1 / 60],
    [0.1, 0.3],
    [1 / 60, 1 / 50],
    [1 / 144, 1 / 60],
    [0.001, 0.1],
    [0.7, 0.1],
  ])('does not drift over a hundred thousand runs of %d with a step of %d', (dt, step) => {
    const { steps } = stepping({ fixedStep: step, maxSteps: 100 })
    const runs = 100_000
    // The step at time 0 is apart from those that time makes.
    steps(0)
    let made = 0
    for (let i = 0; i < runs; i++) made += steps(dt)
    expect(made).toBe(Math.floor((runs * dt) / step + 1e-6))
  })

  it('makes exactly one step a run when both are a sixtieth of a second', () => {
    const { steps } = stepping({ fixedStep: 1 / 60 })
    for (let i = 0; i < 10_000; i++) if (steps(1 / 60) !== 1) expect.unreachable(`run ${i} makes one step`)
  })
})

describe('a component for one frame that a phase with fixed steps reads', () => {
  const Health = component('Health', { hp: u8 })
  const Hit = component('Hit', { points: u8 }, { lifetime: 'frame', storage: sparse })

  /** Deals four hits in a second, and returns the damage. */
  function damageAt(framesPerSecond: number, endsFrame: 'in the phase' | 'after the run') {
    const world = watchedWorld()
    const boss = world.spawn(Health({ hp: 100 }))
    const hits = world.query(Health, Hit)
    const schedule = createSchedule(world)
      .phase('physics', { after: 'pre', fixedStep: 1 / 32 })
      .add(() => hits.each((_, health, hit) => void (health.hp -= hit.points)), {
        name: 'damage',
        phase: 'physics',
      })
    if (endsFrame === 'in the phase')
      schedule.add((inside) => endFrame(inside), { name: 'endFrame', phase: 'physics', after: 'damage' })
    schedule.run(0)
    for (let frame = 0; frame < framesPerSecond; frame++) {
      if (frame % Math.max(framesPerSecond / 4, 1) === 0) world.add(boss, Hit({ points: 1 }))
      schedule.run(1 / framesPerSecond)
      if (endsFrame === 'after the run') endFrame(world)
    }
    return 100 - createAccessor(world, Health).of(boss).hp
  }

  it.each([256, 128, 32, 8, 4])('counts once at %d frames a second, if the phase ends the frame', (rate) => {
    expect(damageAt(rate, 'in the phase')).toBe(4)
  })

  it('is lost or counted several times, if the frame ends after the run', () => {
    expect([128, 32, 8].map((rate) => damageAt(rate, 'after the run'))).toEqual([0, 4, 16])
  })
})

describe('a step clock', () => {
  it('tolerates a millionth of a step, and not more', () => {
    const clock = new StepClock(1)
    clock.add(1 - 1e-7)
    expect(clock.due).toBe(1)
    clock.take(1)
    clock.add(1 - 1e-5)
    expect(clock.due).toBe(0)
  })
})
