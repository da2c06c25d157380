// Owns: the frame loop of examples/swarm: what time becomes steps, what is dropped, what is written down about a frame.

import { createSchedule, createWorld } from 'strata-ecs'
import { afterEach, expect, it, vi } from 'vitest'
import { Frames, LONGEST, MOST_MS, MOST_STEPS } from '../../examples/swarm/src/frames.ts'
import { FrameTimes } from '../../examples/swarm/src/frameTimes.ts'
import { STEP } from '../../examples/swarm/src/simulation/settings.ts'

afterEach(() => void vi.restoreAllMocks())

/** A simulation whose systems take as long as they are told, by a clock that only they and drawing move. */
function simulate({ stepMs = 0, drawMs = 0 } = {}) {
  let clock = 1000
  const now = () => clock
  vi.spyOn(performance, 'now').mockImplementation(now)
  const drawn: number[] = []
  const schedule = createSchedule(createWorld())
    .add(() => void (clock += stepMs / 4), { name: 'look' })
    .add(() => void (clock += (stepMs * 3) / 4), { name: 'move' })
  let steps = 0
  const simulation = {
    schedule,
    step() {
      steps++
      schedule.run(STEP)
    },
  }
  const draw = (ahead: number) => {
    drawn.push(ahead)
    clock += drawMs
  }
  const frames = new Frames(simulation, draw, now)
  let time = 0
  return {
    frames,
    drawn,
    get steps() {
      return steps
    },
    /** Frames that begin so many steps of time behind the one before; the first one begins at 0. */
    run(...passed: number[]) {
      for (const each of passed) frames.advance((time += each * STEP * 1000))
    },
  }
}

it('turns time into whole steps, and draws what is left of it ahead', () => {
  const page = simulate()
  page.run(0, 1.5, 0.25, 0.25)
  expect(page.steps).toBe(2)
  expect(page.drawn).toEqual([0, STEP / 2, STEP * 0.75, 0])
})

it('makes no step in the first frame, and none for a clock that goes back', () => {
  const page = simulate()
  page.run(20, -3)
  expect(page.steps).toBe(0)
})

it('makes as many steps in a second as the speed says', () => {
  for (const speed of [0.25, 0.5, 1, 2, 4]) {
    const page = simulate()
    page.frames.speed = speed
    page.run(0, ...Array.from({ length: 64 }, () => 1))
    expect(page.steps).toBe(64 * speed)
  }
})

it('stands still while it is paused, and goes on from where it was', () => {
  const page = simulate()
  page.run(0, 1.5)
  page.frames.paused = true
  page.run(3, 3)
  expect(page.steps).toBe(1)
  expect(page.drawn.slice(1)).toEqual([STEP / 2, STEP / 2, STEP / 2])
  page.frames.paused = false
  page.run(0.5)
  expect(page.steps).toBe(2)
})

it('pauses for a single step, and makes it once', () => {
  const page = simulate()
  page.run(0, 1)
  page.frames.stepOnce()
  page.run(4, 4)
  expect(page.frames.paused).toBe(true)
  expect(page.steps).toBe(2)
})

it('makes every single step that was asked for, one a frame where each takes long', () => {
  const page = simulate({ stepMs: 10 * MOST_MS })
  page.run(0)
  page.frames.stepOnce()
  page.frames.stepOnce()
  page.run(4)
  expect(page.steps).toBe(1)
  page.run(4)
  expect(page.steps).toBe(2)
  page.run(4, 4)
  expect(page.steps).toBe(2)
  expect(page.frames.times.kept()).toBe(1)
})

it('forgets the single steps that were asked for when it plays again', () => {
  const page = simulate({ stepMs: 10 * MOST_MS })
  page.run(0)
  for (let k = 0; k < 5; k++) page.frames.stepOnce()
  page.run(1)
  page.frames.paused = false
  page.run(1)
  expect(page.steps).toBe(2)
  page.frames.paused = true
  page.run(1, 1)
  expect(page.steps).toBe(2)
})

it('drops what no frame has room for, and tells how much was kept', () => {
  const page = simulate()
  page.run(0, MOST_STEPS, MOST_STEPS + 2.5)
  expect(page.steps).toBe(2 * MOST_STEPS)
  expect(page.drawn.at(-1)).toBe(STEP / 2)
  expect(page.frames.times.kept()).toBeCloseTo((2 * MOST_STEPS) / (2 * MOST_STEPS + 2), 6)
  // What was dropped is not made up for.
  page.run(1)
  expect(page.steps).toBe(2 * MOST_STEPS + 1)
})

it('begins no step behind its time, but makes at least one', () => {
  const quick = simulate({ stepMs: MOST_MS / 2 })
  quick.run(0, 5)
  expect(quick.steps).toBe(2)
  const slow = simulate({ stepMs: 10 * MOST_MS })
  slow.run(0, 5)
  expect(slow.steps).toBe(1)
})

it('makes up for no more than a moment when the page was away', () => {
  const page = simulate()
  page.frames.speed = 0.25
  page.run(0, 100_000)
  expect(page.steps).toBe((LONGEST * 0.25) / STEP)
  expect(page.frames.times.kept()).toBe(1)
})

it('writes down what each system took, drawing, and the rest', () => {
  const page = simulate({ stepMs: 4, drawMs: 3 })
  const { times } = page.frames
  expect(times.parts).toEqual(['look', 'move', 'drawing', 'other'])
  page.run(0, 2, 1)
  const last = (back: number) => times.parts.map((_, part) => times.part(part, back))
  expect(last(0)).toEqual([1, 3, 3, 0])
  expect(last(1)).toEqual([2, 6, 3, 0])
  expect(last(2)).toEqual([0, 0, 3, 0])
  expect([times.work(0), times.work(1)]).toEqual([7, 11])
  expect(times.interval(1)).toBeCloseTo(2000 * STEP, 4)
})

it('calls what waits for a frame before its steps, and what looks at it behind', () => {
  const page = simulate()
  const order: string[] = []
  page.run(0)
  page.frames.begin = () => order.push(`begin ${page.steps}`)
  page.frames.end = () => order.push(`end ${page.steps} ${page.frames.times.count}`)
  page.run(1)
  expect(order).toEqual(['begin 0', 'end 1 2'])
})

it('ends with a step that throws', () => {
  const frames = new Frames(
    {
      schedule: createSchedule(createWorld()),
      step() {
        throw new Error('broken')
      },
    },
    () => {},
  )
  frames.advance(0)
  expect(() => frames.advance(100)).toThrow('broken')
})

it('keeps the last frames and forgets the others', () => {
  const times = new FrameTimes(['a', 'b'], 3)
  expect([times.length, times.within(1000), times.meanOf(0), times.meanWork(), times.kept()]).toEqual([
    0, 0, 0, 0, 1,
  ])
  for (let k = 1; k <= 5; k++) times.record([k, 10 * k], 11 * k, 100 * k, k, 5)
  expect([times.length, times.count]).toEqual([3, 5])
  expect([times.part(0, 0), times.part(0, 2), times.part(1, 1)]).toEqual([5, 3, 40])
  expect([times.meanOf(1), times.meanOf(1, 2), times.meanWork(), times.meanInterval(1)]).toEqual([
    40, 45, 44, 500,
  ])
  expect(times.kept()).toBeCloseTo(12 / 15, 12)
})

it('knows how many frames make up the last moments', () => {
  const times = new FrameTimes(['a'], 4)
  for (const interval of [400, 100, 200, 300]) times.record([0], 0, interval, 0, 0)
  expect([0, 300, 301, 500, 501, 9999].map((each) => times.within(each))).toEqual([1, 1, 2, 2, 3, 4])
})
