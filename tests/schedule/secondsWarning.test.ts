// Shows which runs bring the warning for milliseconds given as seconds, and which do not.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSchedule, type PhaseOptions } from '../../bindings/index'
import { testWorld } from '../support/world'

let warnings: string[]
beforeEach(() => {
  warnings = []
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text))
})
afterEach(() => vi.restoreAllMocks())

/** A schedule that is run with each time; with a fixed phase if there are options for it. */
function run(times: Iterable<number>, physics?: Omit<PhaseOptions, 'after'>) {
  const schedule = createSchedule(testWorld(), { timing: false })
  if (physics !== undefined) schedule.phase('physics', { after: 'pre', ...physics })
  for (const dt of times) schedule.run(dt)
  return schedule
}

const alike = (dt: number, count = 200) => Array.from({ length: count }, () => dt)
/** Times of frames at so many a second, in milliseconds and as uneven as a browser gives them. */
const frames = (rate: number, count = 200) =>
  Array.from({ length: count }, (_, i) => 1000 / rate + ((i * 7) % 5) / 10)

describe('A schedule', () => {
  it('warns once that its runs are given milliseconds, what it expects, and what to write', () => {
    const schedule = run(frames(60, 60))
    expect(warnings).toEqual([
      'schedule.run takes seconds, and each of the last 60 runs was given 4 or more, the last one 16.97: if these are milliseconds, write schedule.run(dt / 1000).',
    ])
    for (const dt of frames(60)) schedule.run(dt)
    expect(warnings).toHaveLength(1)
    run(frames(60))
    expect(warnings).toHaveLength(2)
  })

  it.each([240, 144, 60, 30, 12])('notices the milliseconds of frames at %i a second', (rate) => {
    run(frames(rate))
    expect(warnings).toHaveLength(1)
  })

  it('notices the same milliseconds each time if a phase with fixed steps never catches up', () => {
    run(alike(16.67), { fixedStep: 1 / 60 })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('16.67')
  })

  it('does not warn before 60 runs in a row', () => {
    run(frames(60, 59), { fixedStep: 1 / 60 })
    run([...frames(60, 40), 0.016, ...frames(60, 40)])
    expect(warnings).toEqual([])
  })

  it('does not warn about a slow page, nor about one that was hidden for minutes', () => {
    run(alike(1 / 60).map((dt, i) => (i % 3 === 0 ? 200 : dt)))
    run(
      alike(3.9).map((dt, i) => dt - (i % 2)),
      { fixedStep: 1 / 60 },
    )
    expect(warnings).toEqual([])
  })

  it('does not warn about a unit of the program: steps that are all equal, or longer than frames', () => {
    run(alike(16.67))
    run(alike(7))
    run(alike(365.25))
    run(alike(3600).map((dt, i) => dt + (i % 7)))
    run(alike(30), { fixedStep: 5 })
    expect(warnings).toEqual([])
  })

  it('does not warn while it is paused', () => {
    const schedule = run([])
    schedule.paused = true
    for (const dt of frames(60)) schedule.run(dt)
    expect(warnings).toEqual([])
  })
})
