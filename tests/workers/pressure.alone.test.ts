// Shows that the memories of worlds that have ended are given back in time by all threads, though V8 does not count what they share.

import { expect, it } from 'vitest'
import { component, createWorld, f32 } from '../../bindings/index'
import { compile } from '../../bindings/compile/compile'
import { eagerWorkers } from '../support/dividing'

const Position = component('Position', { x: f32 })
const move = compile([Position], (position) => {
  position.x += 0.5
})

it('the memories of 200 worlds that were disposed of take a part of what all of them would', async () => {
  const workers = eagerWorkers(2)
  const before = process.memoryUsage.rss()
  let [divided, most] = [0, 0]
  // All of them together would take 3.5 GB.
  for (let i = 0; i < 200; i++) {
    const world = createWorld({ memory: { initial: 2 ** 21 }, workers })
    world.spawnMany(600_000, [Position])
    world.query(Position).run(move)
    divided += workers.stats().kernels[0]?.divided ?? 0
    world.dispose()
    most = Math.max(most, process.memoryUsage.rss() - before)
    // A worker reads its mail when nothing is to be done.
    if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  expect(workers.stats().kernels).toEqual([])
  expect(divided).toBe(200)
  expect(most).toBeLessThan(1.5 * 2 ** 30)
})
