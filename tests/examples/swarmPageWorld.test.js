// Owns the proof of what is under the page of the swarm: kernels and loops give one world in a browser as well, the same as
// in Node; memory does not creep; and times, which are written down. It must never judge a time.

import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as components from '../../examples/swarm/src/simulation/components.ts'
import { createSwarm } from '../../examples/swarm/src/simulation/swarm.ts'
import { startSwarm, unseen } from '../support/swarmPage.js'
import { stateOf } from '../support/swarmState.ts'

const STEPS = 300
const FIRES = [
  [0, 100, 200],
  [80, 900, 1000],
  [200, 512, 512],
]
const SWARM = { prey: 10_000, seed: 21 }

const FRAMES = 2_000
/** Frames in which a swarm finds its size: pages of memory and buffers grow with the most that ever was at once. */
const GROWTH = 500
/**
 * Bytes that JavaScript's heap may grow by, from the first to the second half of the frames behind those. The engine goes on
 * compiling what runs often, less and less: 0.1 to 0.2 MB were seen. One object more a frame would be seen, too.
 */
const HEAP_SLACK = 500_000

const TIMES_FILE = new URL('../../build/swarm-times.json', import.meta.url)

let swarm
beforeAll(async () => (swarm = await startSwarm()))
afterAll(() => swarm?.close())

/** Makes the steps, with fire falling; it goes to the page as its text. */
function live(swarm, steps, fires) {
  let [mostBurning, died] = [0, 0]
  for (let k = 0; k < steps; k++) {
    for (const [at, x, y] of fires) if (at === k) swarm.ignite(x, y, 90)
    const before = swarm.population
    swarm.step()
    mostBurning = Math.max(mostBurning, swarm.burning.count)
    died += Math.max(0, before - swarm.population)
  }
  return { mostBurning, died }
}

it('kernels and loops give the same world, to the last bit, which is that of Node', async () => {
  const { page, complaints, close } = await swarm.open('prey=0&paused')
  await unseen(page)
  const inPage = await page.evaluate(
    ({ live, stateOf, options, steps, fires }) => {
      const [run, look] = [live, stateOf].map((text) => new Function(`return ${text}`)())
      return [true, false].map((kernels) => {
        const swarm = demo.createSwarm({ ...options, kernels })
        const lived = run(swarm, steps, fires)
        const state = look(swarm, demo.components)
        swarm.dispose()
        return { lived, state }
      })
    },
    { live: String(live), stateOf: String(stateOf), options: SWARM, steps: STEPS, fires: FIRES },
  )
  const [kernels, loops] = inPage
  expect(kernels.lived.mostBurning).toBeGreaterThan(100)
  expect(kernels.lived.died).toBeGreaterThan(100)
  // The tolerance is none.
  expect(loops).toEqual(kernels)

  const inNode = createSwarm(SWARM)
  live(inNode, STEPS, FIRES)
  expect(kernels.state).toEqual(stateOf(inNode, components))
  inNode.dispose()
  expect(complaints).toEqual([])
  await close()
})

it.each([
  // Chromium's rasteriser takes some hundredths of a second for a thousand agents.
  { what: 'drawn', prey: 500, least: 200 },
  { what: 'not drawn', prey: 20_000, least: 2_000 },
])(
  `memory is level over ${FRAMES} frames, $what, while agents die and are born`,
  async ({ what, prey, least }) => {
    const { page, complaints, close } = await swarm.open(`prey=${prey}&seed=3&paused`, {
      viewport: { width: 240, height: 160 },
    })
    await unseen(page)
    if (what === 'not drawn') await page.evaluate(() => (demo.view.draw = () => {}))
    const session = await page.context().newCDPSession(page)
    const looks = []
    let time = await page.evaluate(() => performance.now())
    for (let made = 0; made <= FRAMES; made += 100) {
      const look = await page.evaluate(framesFrom, { time, frames: made === 0 ? 0 : 100 })
      time = look.time
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      looks.push({ made, heap: usedSize, ...look })
    }
    const settled = looks.filter(({ made }) => made >= GROWTH)
    const sum = (part) => looks.reduce((all, look) => all + look[part], 0)
    expect(Math.min(sum('died'), sum('born'))).toBeGreaterThan(least)
    // Sums of times are rounded.
    expect(Math.abs(looks.at(-1).tick - FRAMES)).toBeLessThanOrEqual(1)
    for (const { bytesReserved } of settled) expect(bytesReserved).toBe(settled[0].bytesReserved)
    // What is in use follows how many burn just then: some chunks.
    const used = settled.map(({ bytesUsed }) => bytesUsed)
    expect(Math.max(...used) / Math.min(...used)).toBeLessThan(1.05)
    const half = settled.length >> 1
    const leastHeap = (some) => Math.min(...some.map(({ heap }) => heap))
    expect(leastHeap(settled.slice(half)) - leastHeap(settled.slice(0, half))).toBeLessThan(HEAP_SLACK)
    expect(complaints).toEqual([])
    await close()
  },
)

/** Frames as the page makes them, panel and drawing and all, of 1/64 s each. */
function framesFrom({ time, frames: count }) {
  const { swarm, frames } = demo
  let [died, born] = [0, 0]
  // The page's own frames end here.
  if (count === 0) frames.advance(time)
  frames.paused = false
  for (let k = 0; k < count; k++) {
    const before = swarm.population
    // Where somebody is, so that some always die.
    if (k % 20 === 0) {
      const { x, y } = swarm.world.get(swarm.flock.at(0), demo.components.Position)
      swarm.ignite(x, y, 60)
    }
    frames.advance((time += 1000 / 64))
    const change = swarm.population - before
    if (change > 0) born += change
    else died -= change
    demo.drawn()
  }
  frames.paused = true
  const { bytesUsed, bytesReserved } = swarm.world.stats()
  return { time, died, born, tick: swarm.tick, bytesUsed, bytesReserved }
}

it('times of 200,000 agents are written down', async () => {
  const { page, complaints, close } = await swarm.open('prey=0&paused')
  await unseen(page)
  const times = await page.evaluate(async () => {
    const { swarm, view } = demo
    function measure(runs, work) {
      const taken = Array.from({ length: runs }, () => {
        const began = performance.now()
        work()
        return performance.now() - began
      }).toSorted((a, b) => a - b)
      return { runs, minimum: taken[0], median: taken[runs >> 1] }
    }
    const step = () => swarm.step()
    swarm.prey = 200_000
    swarm.kernels = true
    measure(50, step)
    const result = { agents: swarm.population, unit: 'milliseconds' }
    result.stepWithKernels = measure(200, step)
    swarm.kernels = false
    measure(10, step)
    result.stepWithLoops = measure(40, step)
    swarm.kernels = true
    // What it takes to hand everything over: it is drawn behind that.
    result.drawing = measure(3, () => view.draw(0))
    result.uploadedBytes = view.uploaded
    return result
  })
  mkdirSync(new URL('.', TIMES_FILE), { recursive: true })
  // What the driver says of so much is written down too, not judged: it is about this way of drawing without a pause.
  writeFileSync(TIMES_FILE, JSON.stringify({ ...times, said: complaints }, null, 2) + '\n')
  console.log('Times of the swarm:', times, complaints)
  for (const name of ['stepWithKernels', 'stepWithLoops', 'drawing'])
    expect(times[name].minimum).toBeGreaterThan(0)
  await close()
})
