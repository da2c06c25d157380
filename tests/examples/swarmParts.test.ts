// Shows the parts of the swarm's page that need no page: frames that become steps, a camera over a square whose edges join, an
// address, the scale of the population, agents that stay readable.

import { expect, it } from 'vitest'
import { Frames, LONGEST, MOST_MS, MOST_STEPS } from '../../examples/swarm/src/frames.ts'
import { readAddress, SPEEDS, writeAddress } from '../../examples/swarm/src/address.ts'
import { LAST_STOP, populationAt, stopOf } from '../../examples/swarm/src/panel.ts'
import { MOST_PREY, SIZE, STEP } from '../../examples/swarm/src/simulation/settings.ts'
import { wayTo } from '../../examples/swarm/src/simulation/torus.ts'
import * as view from '../../examples/swarm/src/view/camera.ts'
import { ink, linear, PALETTES } from '../../examples/swarm/src/view/colours.ts'

const { Camera, dartLength, exposureOf, LEAST_ZOOM, MOST_ZOOM, wrapped } = view

/** A page whose steps and drawing take as long as they are told, by a clock that only they move. */
function simulate({ stepMs = 0, drawMs = 0 } = {}) {
  let clock = 1000
  const page = { steps: 0, drawn: [] as number[], time: 0 }
  const step = () => {
    page.steps++
    clock += stepMs
  }
  const draw = (ahead: number) => {
    page.drawn.push(ahead)
    clock += drawMs
  }
  const frames = new Frames(step, draw, () => clock)
  /** Frames that begin so many steps of time behind the one before; the first one begins at 0. Returns the steps made. */
  const run = (...passed: number[]) => {
    for (const each of passed) frames.advance((page.time += each * STEP * 1000))
    return page.steps
  }
  return { frames, page, run }
}

it('time becomes whole steps, and the remainder is drawn ahead', () => {
  const { page, run, frames } = simulate()
  expect(run(20, -3)).toBe(0)
  const order: string[] = []
  frames.begin = () => order.push(`begin ${page.steps}`)
  frames.end = () => order.push(`end ${page.steps}`)
  expect(run(1.5, 0.25, 0.25)).toBe(2)
  expect(order).toEqual(['begin 0', 'end 1', 'begin 1', 'end 1', 'begin 1', 'end 2'])
  expect(page.drawn.slice(2)).toEqual([STEP / 2, STEP * 0.75, 0])
  frames.paused = true
  expect(run(3, 3)).toBe(2)
  frames.stepOnce()
  expect(run(4, 4)).toBe(3)
  frames.paused = false
  for (const speed of [0.25, 0.5, 1, 2, 4]) {
    frames.speed = speed
    const before = page.steps
    expect(run(...Array.from({ length: 64 }, () => 1)) - before).toBe(64 * speed)
  }
})

it('a slow machine makes fewer steps, reports how many, and leaves out no step that was asked for', () => {
  const { page, run, frames } = simulate()
  run(0, MOST_STEPS, MOST_STEPS + 2.5)
  expect([page.steps, page.drawn.at(-1)]).toEqual([2 * MOST_STEPS, STEP / 2])
  expect(frames.pace.kept).toBeLessThan(1)
  expect(frames.pace.kept).toBeGreaterThan(MOST_STEPS / (MOST_STEPS + 2))
  frames.speed = 0.25
  expect(run(100_000)).toBe(2 * MOST_STEPS + (LONGEST * 0.25) / STEP)
  expect(simulate({ stepMs: MOST_MS / 2 }).run(0, 5)).toBe(2)
  const slow = simulate({ stepMs: 10 * MOST_MS })
  expect(slow.run(0, 5)).toBe(1)
  slow.frames.stepOnce()
  slow.frames.stepOnce()
  expect([slow.run(4), slow.run(4), slow.run(4, 4)]).toEqual([2, 3, 3])
  // Whoever plays again forgets the steps that were asked for.
  for (let k = 0; k < 5; k++) slow.frames.stepOnce()
  slow.run(1)
  slow.frames.paused = false
  slow.run(1)
  slow.frames.paused = true
  expect(slow.run(1, 1)).toBe(5)
})

it('what frames took, how far apart they were and what was kept of them are means of the last second', () => {
  const { run, frames } = simulate({ stepMs: 4, drawMs: 3 })
  run(0, 1)
  expect(frames.pace).toEqual({ interval: STEP * 1000, work: expect.closeTo(3, 0), kept: 1 })
  run(...Array.from({ length: 640 }, () => 2))
  expect(frames.pace.interval).toBeCloseTo(2000 * STEP)
  expect(frames.pace.work).toBeCloseTo(11)
  frames.speed = 8
  run(...Array.from({ length: 640 }, () => 2))
  expect(frames.pace.kept).toBeCloseTo(7 / 16)
  expect(frames.count).toBe(1282)
})

it('the camera keeps what is under the finger in place, and stays within the square', () => {
  expect([SIZE, -1, 3 * SIZE + 5, -1e-20].map(wrapped)).toEqual([0, SIZE - 1, 5, 0])
  expect([wayTo(SIZE - 10, 10), wayTo(10, SIZE - 10)]).toEqual([20, -20])
  const camera = Object.assign(new Camera(), { width: 1920, height: 1080 })
  expect(camera.scale * SIZE).toBe(1920)
  expect([camera.worldX(480), camera.worldY(540 + 480)]).toEqual([SIZE / 4, (SIZE * 3) / 4])
  const [x, y] = [camera.worldX(1500), camera.worldY(100)]
  camera.zoomBy(3, 1500, 100)
  expect(wayTo(camera.worldX(1500), x)).toBeCloseTo(0)
  camera.drag(120, -50)
  expect([camera.worldX(1620), camera.worldY(50)]).toEqual([expect.closeTo(x), expect.closeTo(y)])
  for (let k = 0; k < 1000; k++) camera.panBy(0.3, -0.7)
  expect(camera.x >= 0 && camera.x < SIZE && camera.y >= 0 && camera.y < SIZE).toBe(true)
  camera.zoomBy(1e9, 10, 10)
  expect(camera.zoom).toBe(MOST_ZOOM)
  camera.zoomBy(1e-9)
  expect(camera.zoom).toBe(LEAST_ZOOM)
  camera.reset()
  expect([camera.x, camera.y, camera.zoom]).toEqual([SIZE / 2, SIZE / 2, 1])
  // It stands still while the followed agent is in the middle part of the view, and goes after it over the edge.
  camera.approach(SIZE / 2 + 100, SIZE / 2 - 50, 1)
  expect([camera.x, camera.y]).toEqual([SIZE / 2, SIZE / 2])
  camera.zoomBy(8)
  camera.x = 0
  camera.approach(SIZE - 60, SIZE / 2, 1)
  expect(camera.x).toBeCloseTo(SIZE - 60 + (0.2 * SIZE) / 8)
  camera.following = true
  camera.panBy(0.1, 0)
  expect(camera.following).toBe(false)
})

it('the address says what differs from the usual, as short as it can be, and what cannot be is left out', () => {
  const usual = {
    prey: 100_000,
    loops: false,
    single: false,
    speed: 1,
    paused: false,
    tap: 'pick',
    seed: 1,
  } as const
  expect([writeAddress(usual, usual), readAddress('#', usual)]).toEqual(['', usual])
  expect(writeAddress({ ...usual, prey: 200_000, loops: true, single: true, seed: 7 }, usual)).toBe(
    '#prey=200000&loops&single&seed=7',
  )
  for (const prey of [0, 1_234, MOST_PREY])
    for (const speed of SPEEDS) {
      const shared = {
        prey,
        speed,
        loops: prey > 0,
        single: prey > 1_234,
        paused: prey === 0,
        tap: 'fire',
        seed: 9,
      } as const
      expect(readAddress(writeAddress(shared, usual), usual)).toEqual(shared)
    }
  for (const wrong of 'prey=-5 prey=1e5 prey= speed=3 speed=fast seed=0.5 seed=-1 else=1 %'.split(' '))
    expect(readAddress(`#${wrong}`, usual)).toEqual(usual)
  expect(readAddress('#prey=9999999999', usual).prey).toBe(MOST_PREY)
})

it('the slider has round numbers from a thousand to a million at nearly equal ratios', () => {
  expect([populationAt(0), populationAt(LAST_STOP)]).toEqual([1_000, 1_000_000])
  for (let stop = 1; stop <= LAST_STOP; stop++) {
    const growth = populationAt(stop) / populationAt(stop - 1)
    expect(growth > 1.06 && growth < 1.16 && stopOf(populationAt(stop)) === stop).toBe(true)
  }
  expect([populationAt(stopOf(123_456)), stopOf(0), stopOf(5e6)]).toEqual([120_000, 0, LAST_STOP])
})

it('agents stay readable from a thousand to a million, and a stroke of ink shows as its colour', () => {
  const ascending = (numbers: number[]) => expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  for (const side of [844, 1920, 3840]) {
    const lengths = [1e6, 2e5, 5e4, 1000, 1].map((agents) => dartLength(agents, side / SIZE, 1))
    ascending(lengths)
    expect(lengths[0] > 3 && lengths[1] < 8 && lengths[4] <= 72).toBe(true)
  }
  ascending([1e6, 2e5, 1000, 0].map((agents) => exposureOf(agents, 5, 1.875)))
  expect(linear('#ff8000')).toEqual([1, expect.closeTo(0.2159, 4), 0])
  const shown = ink('#22606b').map((density, k) => PALETTES.light.ground[k] * Math.exp(-density))
  linear('#22606b').forEach((channel, k) => expect(shown[k]).toBeCloseTo(channel))
})
