// Shows that a query for table and sparse components finds the same entities whether it goes along a small pool, or by masks.

import { describe, expect, it } from 'vitest'
import { type Entity, type World, component, f32, sparse, spawnMany, toggle, u32 } from '../../bindings/index'
import { Position, Velocity } from '../support/kinds'
import { watchedWorld } from '../support/watched'

const Rare = component('Rare', { n: u32 }, { storage: sparse })
const Lit = component('Lit', { glow: f32 }, { toggle })

/** How many of 8,000 entities have Rare: few, so that its pool is walked, or so many that archetypes are. */
const SHARES = [
  { share: 'few', every: 100 },
  { share: 'many', every: 2 },
]

function worldWith(every: number): { world: World; rare: Entity[] } {
  const world = watchedWorld()
  const all = [...spawnMany(world, 4_000, [Position]), ...spawnMany(world, 4_000, [Position, Velocity])]
  all.forEach((entity, i) => world.set(entity, Position, { x: i }))
  const rare = all.filter((_, i) => i % every === 0)
  rare.forEach((entity, n) => world.add(entity, Rare({ n })))
  return { world, rare }
}

describe.each(SHARES)('Where $share have the sparse component, a query with it', ({ every }) => {
  it('finds each once, with its own values, by loop, each, list and count', () => {
    const { world, rare } = worldWith(every)
    const query = world.query(Position, Rare)
    const met = new Map<number, number>()
    for (const chunk of query) {
      const { x } = chunk.read(Position)
      for (let i = chunk.start; i < chunk.end; i++) met.set(chunk.entities[i], x[i])
    }
    expect(met).toEqual(new Map(rare.map((entity, n) => [entity as number, n * every])))
    query.each((entity, { x }, { n }) => {
      expect([entity, x]).toEqual([rare[n], n * every])
      met.delete(entity)
    })
    expect(met.size).toBe(0)
    expect(query.count).toBe(rare.length)
    expect([...query.entities()].sort()).toEqual([...rare].map(Number).sort())
  })

  it('is split into pages, and is narrowed by conditions', () => {
    const { world, rare } = worldWith(every)
    const query = world.query(Position, Rare)
    const all = [...query.entities()]
    const pages = Array.from({ length: 5 }, (_, i) => [...query.partition(i, 5).entities()])
    expect(pages.flat()).toEqual(all)
    const late = query.where(Position, 'x', '>=', 4_000)
    expect(late.count).toBe(rare.length / 2)
    expect([...late.slice(3, 7).entities()]).toEqual([...late.entities()].slice(3, 7))
  })

  it('leaves out entities that are switched off', () => {
    const { world, rare } = worldWith(every)
    for (const entity of rare) world.add(entity, Lit)
    for (const entity of rare.slice(0, 10)) world.disable(entity, Lit)
    const query = world.query(Position, Rare, Lit)
    expect(query.count).toBe(rare.length - 10)
    expect([...query.entities()].sort()).toEqual(rare.slice(10).map(Number).sort())
  })
})

it('A query switches from masks to the pool, and back, as entities lose and get the sparse component', () => {
  const { world, rare } = worldWith(2)
  const query = world.query(Position, Rare)
  const steps = () => [...query].length
  expect(steps()).toBe(rare.length)
  for (const entity of rare.slice(20)) world.remove(entity, Rare)
  expect([...query.entities()].sort()).toEqual(rare.slice(0, 20).map(Number).sort())
  // In the order of the pool's rows, which is that in which they came.
  const [first] = rare
  world.remove(first, Rare)
  world.add(first, Rare)
  expect([...query.entities()].at(-1)).toBe(first)
  for (const entity of rare.slice(20)) world.add(entity, Rare)
  expect([...query.entities()][0]).toBe(first)
})
