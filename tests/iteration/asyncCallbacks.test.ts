// Shows that async callbacks are refused where what they do after their first await would come too late: each, spawnMany and
// defer.

import { describe, expect, it } from 'vitest'
import { component, f32, createGroup, resetWorld, sparse, spawnMany, type World } from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Left = component('Left', { x: f32 }, { storage: sparse })
const Right = component('Right', { x: f32 }, { storage: sparse })

const WAYS: Record<string, (world: World, callback: () => unknown) => unknown> = {
  each: (world, callback) => world.query(Position).each(callback as never),
  'each over a condition': (world, callback) =>
    world
      .query(Position)
      .where(Position, 'x', '>=', 0)
      .each(callback as never),
  'each over a group': (world, callback) => createGroup(world, Left, Right).each(callback as never),
  'each over entities alone': (world, callback) => world.query().each(callback as never),
  'each over cursors of pools': (world, callback) => world.query(Position, Left).each(callback as never),
  spawnMany: (world, callback) => spawnMany(world, 2, [Position], callback as never),
  'spawnMany over rows of a pool': (world, callback) => spawnMany(world, 2, [Left], callback as never),
  defer: (world, callback) => world.batch(callback),
}

const refusal = expect.objectContaining({ code: 'ASYNC_CALLBACK' }) as Error

describe.each(Object.keys(WAYS))('%s', (name) => {
  const way = WAYS[name] as (world: World, callback: () => unknown) => unknown

  it('refuses an async function before it is called', () => {
    const world = watchedWorld()
    spawnMany(world, 3, [Position, Left, Right])
    let calls = 0
    const callback = async () => void calls++
    expect(() => way(world, callback)).toThrow(refusal)
    expect(calls).toBe(0)
    expect(world.query().count).toBe(3)
    expect(world.has(world.spawn(Position), Position)).toBe(true)
  })

  it('refuses a promise that its callback returns, handles its rejection, and closes what it opened', async () => {
    const world = watchedWorld()
    world.spawn(Position, Left, Right)
    expect(() => way(world, () => Promise.reject(new Error('mine')))).toThrow(refusal)
    // A rejection that nobody handles would fail this run.
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(world.has(world.spawn(Position), Position)).toBe(true)
    resetWorld(world)
  })

  it('takes callbacks that return anything else', () => {
    const world = watchedWorld()
    world.spawn(Position, Left, Right)
    for (const result of [1, 'then', null, {}, { then: 1 }, new Map(), () => 1])
      expect(() => way(world, () => result)).not.toThrow()
  })
})

describe('batch', () => {
  it('applies what an action did before it returned a promise', () => {
    const world = watchedWorld()
    expect(() =>
      world.batch(() => {
        world.spawn(Position)
        return Promise.resolve()
      }),
    ).toThrow(refusal)
    expect(world.query(Position).count).toBe(1)
  })
})
