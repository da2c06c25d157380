// Shows in which runs a loop follows a list: that of an ordered tag, or of the entities with an order or a target.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type Query,
  cascade,
  changed,
  component,
  f32,
  createGroup,
  inCreationOrder,
  not,
  relation,
  sparse,
  spawnMany,
  tag,
} from '../../bindings/index'
import { Frozen, Position, Velocity } from '../support/kinds'
import { watchedWorld } from '../support/watched'

const Queued = tag('Queued', { order: 'insertion' })

function runsOf(query: Query): number[][] {
  const runs: number[][] = []
  for (const chunk of query) runs.push(Array.from(chunk.entities.subarray(chunk.start, chunk.end)))
  return runs
}

describe('A loop in the order of a tag', () => {
  it('ends a run with its chunk, even if the next chunk has the next number', () => {
    const world = watchedWorld()
    const all = [...spawnMany(world, 20_000, [Queued])]
    expect(runsOf(world.query(Queued)).flat()).toEqual(all)
  })

  it('gives consecutive rows as one run, others singly', () => {
    const world = watchedWorld()
    const [a, b, c, d] = spawnMany(world, 4, [Position])
    for (const entity of [c, d, b, a]) world.add(entity, Queued)
    const query = world.query(Position, Queued)
    expect(runsOf(query).flat()).toEqual([c, d, b, a])
    expect(query.slice(1, 3).entities()).toEqual(Uint32Array.of(d, b))
    world.remove(d, Queued)
    expect(runsOf(query).flat()).toEqual([c, b, a])
    expect(query.count).toBe(3)
  })
})

describe('A loop in the order of age', () => {
  it('follows the list over more entities than one mask covers', () => {
    const world = watchedWorld()
    const all = [...spawnMany(world, 10_000, [Position])]
    for (let i = 0; i < all.length; i += 3) world.add(all[i], Velocity)
    const query = world.query(Position, inCreationOrder())
    expect(runsOf(query).flat()).toEqual(all)
    all.forEach((entity, i) => world.set(entity, Position, { x: i }))
    const some = query.where(Position, 'x', '>=', 4_090).where(Position, 'x', '<', 4_100)
    expect(runsOf(some).flat()).toEqual(all.slice(4_090, 4_100))
    expect(some.count).toBe(10)
    expect(some.slice(3, 7).entities()).toEqual(Uint32Array.from(all.slice(4_093, 4_097)))
  })

  it('gives only what has changed, once', () => {
    const world = watchedWorld()
    const Tracked = component('Tracked', { n: f32 }, { trackChanges: 'row' })
    const all = [...spawnMany(world, 100, [Tracked])]
    for (const entity of all.slice(0, 50)) world.add(entity, Frozen)
    const query = world.query(changed(Tracked), inCreationOrder())
    expect(runsOf(query).flat()).toEqual(all)
    world.set(all[70], Tracked, { n: 1 })
    world.set(all[20], Tracked, { n: 1 })
    expect(query.count).toBe(2)
    expect(runsOf(query)).toEqual([[all[20]], [all[70]]])
    expect(runsOf(query)).toEqual([])
  })
})

describe('A group that was made after the query', () => {
  const ChildOf = relation('ChildOf', { exclusive: true })

  it.each([
    ['a target that is ruled out', (parent: Entity) => not(ChildOf(parent))],
    ['the order of a tree', () => cascade(ChildOf)],
    ['the order of age', () => inCreationOrder()],
  ])('refuses the query with %s, which it could not follow', (_, term) => {
    const world = watchedWorld()
    const A = component('A', { n: f32 }, { storage: sparse })
    const B = component('B', { n: f32 }, { storage: sparse })
    const parent = world.spawn()
    world.spawn(A, B, ChildOf(parent))
    world.spawn(A, B)
    const query = world.query(A, B, term(parent) as never)
    query.each(() => {})
    createGroup(world, A, B)
    const refused = { code: 'INVALID_QUERY', message: expect.stringContaining('are a group') as string }
    for (const use of [
      () => query.each(() => {}),
      () => query.list(),
      () => query.count,
      () => runsOf(query),
    ])
      expect(use).toThrow(expect.objectContaining(refused))
    expect(world.query(A, B).count).toBe(2)
    expect(world.spawn(A, B)).toBeGreaterThan(0)
  })
})
