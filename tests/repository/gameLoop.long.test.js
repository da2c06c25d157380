// Shows that the game loop of docs/systems.md, as it stands on the page, keeps the limits that the page states: in its first frame, after
// an hour in a hidden tab, and at any frame rate.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { scriptOf } from '../../scripts/programs.js'
import { inPages, read, root } from '../support/documentation.js'

const PAGE = 'docs/systems.md'
const programs = inPages.filter(({ page }) => page === PAGE)
/** Nothing is added to the program but what hands out two of its variables. */
const SCRIPT = `${scriptOf(programs[0])}\nexport { schedule, world }\n`

/** A number that the page states. */
const stated = (sentence) => Number(sentence.exec(read(PAGE))?.[1])
const STEP = 1 / 60
/** Steps in one frame, and steps that wait for later frames. */
const MOST_AT_ONCE = stated(/A frame makes at most `maxSteps` steps, (\d+) by default/)
const MOST_WAITING =
  stated(/At most `maxCatchUp` seconds of steps wait for later frames, ([\d.]+) by default/) / STEP
/** Pixels in a second, and in a step. */
const SPEED = 120
const STRIDE = SPEED * STEP
const HOUR = 3_600_000

/** Inside the repository the package finds itself by its own name. */
const folder = mkdtempSync(join(root, 'build/game-loop-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let loads = 0
/** The callbacks that were asked for, and where the square was drawn last. */
let asked
let drawn

beforeEach(() => {
  asked = []
  const context = {
    clearRect: () => (drawn = undefined),
    fillRect: (x) => (drawn = x),
  }
  vi.stubGlobal('requestAnimationFrame', (callback) => asked.push(callback))
  vi.stubGlobal('document', { querySelector: () => ({ getContext: () => context }) })
  return () => vi.unstubAllGlobals()
})

/** Loads the program. Returns what makes a frame at a time in milliseconds, and says what it did. */
async function load() {
  const file = join(folder, `${loads++}.mjs`)
  writeFileSync(file, SCRIPT)
  const { schedule, world } = await import(/* @vite-ignore */ file)
  const phase = () => schedule.stats().phases.find(({ name }) => name === 'physics')
  const frame = (now) => {
    const before = phase().steps ?? 0
    // Exactly one callback waits, or the loop has ended or runs twice.
    expect(asked).toHaveLength(1)
    asked.pop()(now)
    const { steps, alpha, behind } = phase()
    expect(alpha).toBeGreaterThanOrEqual(0)
    expect(alpha).toBeLessThanOrEqual(1)
    expect(drawn).toBeGreaterThanOrEqual(-STRIDE)
    expect(drawn).toBeLessThanOrEqual(280 + STRIDE)
    return { steps: steps - before, alpha, waiting: Math.round(behind / STEP), drawn }
  }
  return { frame, schedule, world }
}

/** Makes frames of so many a second, and returns them; `now` is the time of the frame before. */
function play(frame, now, rate, count) {
  return Array.from({ length: count }, (_, i) => frame(now + ((i + 1) * 1000) / rate))
}

const sum = (frames) => frames.reduce((steps, one) => steps + one.steps, 0)

/** A second of frames makes as many steps as a second has, one more or less by where it begins, and none has to wait. */
function expectNormalSpeed(frames) {
  expect(Math.abs(sum(frames) - 60)).toBeLessThanOrEqual(1)
  expect(frames.map(({ waiting }) => waiting)).toEqual(frames.map(() => 0))
}

describe('the game loop of docs/systems.md', () => {
  it('is the first program on the page, and the one program for a page in the guide', () => {
    expect(inPages.map(({ page }) => page)).toEqual([PAGE])
    expect(read(PAGE).indexOf('```')).toBe(read(PAGE).indexOf('```ts page'))
  })

  it('is described with the limits that are tested here', () => {
    const text = read(PAGE).replace(/\s+/g, ' ')
    expect([MOST_AT_ONCE, MOST_WAITING]).toEqual([10, 15])
    expect(text).toContain('It makes 10 steps in the first frame and 15 more than usual in the next few')
    expect(text).toContain(`${((HOUR / 1000) * 60).toLocaleString('en-US')} steps`)
  })

  it.each([
    ['at 0', 0],
    ['long before the clock at the start', -HOUR],
    ['a little before the clock at the start', 999_999.6],
    ['long after the start', 1_000_000 + HOUR],
    ['after the page was open for ten days', 240 * HOUR],
  ])(
    'makes one step in its first frame, and goes on at normal speed, with a first frame %s',
    async (_, first) => {
      vi.spyOn(performance, 'now').mockReturnValue(1_000_000)
      const { frame } = await load()
      expect(frame(first)).toEqual({ steps: 1, alpha: 0, waiting: 0, drawn: 0 })
      expectNormalSpeed(play(frame, first, 60, 60))
      vi.restoreAllMocks()
    },
  )

  it.each([24, 30, 50, 60, 75, 144, 240])('moves the square smoothly at %i frames a second', async (rate) => {
    const { frame } = await load()
    frame(0)
    const frames = play(frame, 0, rate, rate)
    expectNormalSpeed(frames)
    for (let i = 1; i < rate; i++) expect(frames[i].drawn - frames[i - 1].drawn).toBeCloseTo(SPEED / rate, 3)
  })

  it.each([24, 60, 144])(
    'catches up with at most 10 steps at once and 15 later after an hour in a hidden tab, at %i frames a second',
    async (rate) => {
      const { frame } = await load()
      frame(0)
      play(frame, 0, rate, rate)
      const shown = 1000 + HOUR
      expect(frame(shown)).toMatchObject({ steps: MOST_AT_ONCE, alpha: 1, waiting: MOST_WAITING })
      const after = play(frame, shown, rate, rate)
      const late = after.filter(({ waiting }) => waiting > 0)
      expect(late.length).toBeLessThan(4)
      for (const one of late) expect(one).toMatchObject({ steps: MOST_AT_ONCE, alpha: 1 })
      expect(Math.abs(sum(after) - 60 - MOST_WAITING)).toBeLessThanOrEqual(1)
      for (const { steps } of after) expect(steps).toBeLessThanOrEqual(MOST_AT_ONCE)
      expectNormalSpeed(play(frame, shown + 1000, rate, rate))
    },
  )

  it('catches up each time that the tab was hidden, and never with more for having been hidden before', async () => {
    const { frame } = await load()
    frame(0)
    for (let now = HOUR; now < 20 * HOUR; now += HOUR) {
      expect(frame(now)).toMatchObject({ steps: MOST_AT_ONCE, alpha: 1, waiting: MOST_WAITING })
    }
    expect(sum(play(frame, 20 * HOUR, 60, 3))).toBeLessThanOrEqual(3 * MOST_AT_ONCE)
  })

  it('makes no step for a frame that is earlier than the one before, and goes on at normal speed', async () => {
    const { frame } = await load()
    frame(HOUR)
    play(frame, HOUR, 60, 60)
    const { drawn: there } = frame(HOUR + 1000)
    expect(frame(10)).toMatchObject({ steps: 0, drawn: there })
    expectNormalSpeed(play(frame, 10, 60, 60))
  })

  it('slows down, and does not freeze, where each frame takes a second', async () => {
    const { frame } = await load()
    frame(0)
    const frames = play(frame, 0, 1, 20)
    expect(new Set(frames.map(({ steps }) => steps))).toEqual(new Set([MOST_AT_ONCE]))
    expectNormalSpeed(play(frame, 20_500, 60, 90).slice(30))
  })
})
