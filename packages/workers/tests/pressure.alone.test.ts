// Shows that the memories of worlds that have ended are given back in time by all threads, though V8 does not count what they share.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { component, createWorld, f32, spawnMany } from '../../../bindings/index'
import { compile } from '../../compile/src/compile/compile'
import { PoolOfWorlds } from '../src/poolOfWorlds'
import type { Threads } from '../src/run'
import { eagerWorkers } from './support/dividing'

const Position = component('Position', { x: f32 })
const move = compile([Position], (position) => {
  position.x += 0.5
})
const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function collected(): Promise<void> {
  collect()
  for (let turns = 0; turns < 20; turns++) await turn()
}

/** Bytes of the process beyond those of now. */
function growth(): () => number {
  collect()
  const before = process.memoryUsage.rss()
  return () => process.memoryUsage.rss() - before
}

/** Each takes 17 MB. */
async function makeWorlds(
  count: number,
  workers: ReturnType<typeof eagerWorkers>,
  ends: boolean,
  most: number,
  grown: () => number,
) {
  for (let i = 0; i < count; i++) {
    const world = createWorld({ memory: { initial: 2 ** 21 }, workers })
    spawnMany(world, 600_000, [Position])
    world.query(Position).run(move)
    expect(workers.stats().kernels.at(-1)?.divided).toBe(1)
    if (ends) world.dispose()
    expect(grown()).toBeLessThan(most)
    // A worker reads its mail when nothing is to be done.
    if (i % 10 === 0) await turn()
  }
}

it('the memories of 200 disposed worlds take a fraction of their sum, and idle workers keep none', async () => {
  const workers = eagerWorkers(2)
  await workers.ready
  const grown = growth()
  await makeWorlds(200, workers, true, 1.5 * 2 ** 30, grown)
  expect(workers.stats().kernels).toEqual([])
  // What the caller has left, and what the workers may keep until V8 collects it by itself.
  for (let turns = 0; turns < 100 && grown() > 2 ** 28; turns++) await collected()
  expect(grown()).toBeLessThan(2 ** 28)
})

it('the memories of 100 worlds that were dropped take a fraction of their sum, too', async () => {
  const workers = eagerWorkers(2)
  await workers.ready
  await makeWorlds(100, workers, false, 1.2 * 2 ** 30, growth())
  for (let turns = 0; turns < 100 && workers.stats().kernels.length > 1; turns++) await collected()
  // Something may still have the last one.
  expect(workers.stats().kernels.length).toBeLessThan(2)
})

it('the memory that a dropped world had grown by since its kernels were handed over is counted', async () => {
  const bytes: number[] = []
  const threads: Threads = {
    count: 1,
    why: undefined,
    worth: 0,
    needsSharing: true,
    hand: () => 0,
    knows: () => true,
    forget: (_, ended) => void bytes.push(ended),
    run: () => 0,
  }
  const workers = new PoolOfWorlds(threads)
  const sizes: number[] = []
  // Something may still have the last one.
  for (let i = 0; i < 3; i++) {
    const world = createWorld({ memory: { initial: 2 ** 21 }, workers })
    for (const rows of [10_000, 1_000_000]) {
      spawnMany(world, rows, [Position])
      world.query(Position).run(move)
      sizes.push(world['state'].heap.u8.length)
    }
  }
  expect(sizes[1]).toBeGreaterThan(sizes[0] as number)
  for (let turns = 0; turns < 100 && bytes.length === 0; turns++) await collected()
  expect(bytes[0]).toBe(sizes[1])
})
