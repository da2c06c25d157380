// Shows which entities queries find over relations with many targets: by a target, by any, by none, by what a target has.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  addMany,
  changed,
  component,
  destroyMany,
  f32,
  not,
  relation,
  onChange,
  tag,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Human = tag('Human')
const Likes = relation('Likes', { weight: f32 })
const ChildOf = relation('ChildOf', { exclusive: true })

function village() {
  const world = testWorld()
  const all = Array.from({ length: 5 }, (_, i) => world.spawn(Position({ x: i }))) as Entity[]
  const [ann, bob, eve, joe] = all as [Entity, Entity, Entity, Entity]
  world.add(ann, Likes(bob, { weight: 2 }))
  world.add(ann, Likes(eve))
  world.add(bob, Likes(eve))
  world.add(joe, Likes(bob))
  world.add(joe, Likes(ann))
  const found = (query: { entities(): Iterable<number> }) => [...query.entities()]
  return { world, all, found }
}

describe('queries over relations with many targets', () => {
  it('visit the sources of a target in their order, with columns', () => {
    const { world, all, found } = village()
    const [ann, bob, eve, joe, mia] = all as [Entity, Entity, Entity, Entity, Entity]
    expect(found(world.query(Likes(bob)))).toEqual([ann, joe])
    world.reorder(joe, Likes(bob), { before: ann })
    expect(found(world.query(Likes(bob)))).toEqual([joe, ann])
    const seen: number[] = []
    world.query(Position, Likes(eve)).each((_, position) => void seen.push(position.x))
    expect(seen).toEqual([0, 1])
    for (const chunk of world.query(Position, Likes(bob))) {
      const { x } = chunk.write(Position)
      for (let i = chunk.start; i < chunk.end; i++) x[i] = (x[i] as number) + 100
    }
    expect(world.get(joe, Position)).toEqual({ x: 103 })
    expect(found(world.query(Likes(mia)))).toEqual([])
    world.destroy(bob)
    expect(found(world.query(Likes(bob)))).toEqual([])
  })

  it('require several links at once, their absence, or any of them', () => {
    const { world, all, found } = village()
    const [ann, bob, eve, joe, mia] = all as [Entity, Entity, Entity, Entity, Entity]
    expect(found(world.query(Likes(bob), Likes(eve)))).toEqual([ann])
    expect(found(world.query(Likes(bob), not(Likes(eve))))).toEqual([joe])
    expect(found(world.query(Likes))).toEqual([ann, bob, joe])
    expect(found(world.query(Position, not(Likes)))).toEqual([eve, mia])
    expect(found(world.query(Position, not(Likes(bob))))).toEqual([bob, eve, mia])
    expect(found(world.query(Position, not(Likes(bob), Human)))).toEqual([bob, eve, mia])
    world.add(joe, ChildOf(mia))
    expect(found(world.query(ChildOf(mia), Likes(ann)))).toEqual([joe])
  })

  it('find each source of whatever has a component, once', () => {
    const { world, all, found } = village()
    const [ann, bob, eve, joe, mia] = all as [Entity, Entity, Entity, Entity, Entity]
    const likesHuman = world.query(Likes(Human))
    expect(found(likesHuman)).toEqual([])
    world.add(bob, Human)
    world.add(eve, Human)
    expect(found(likesHuman).sort((a, b) => a - b)).toEqual([ann, bob, joe])
    const others = found(world.query(Position, not(Likes(Human))))
    expect(others.sort((a, b) => a - b)).toEqual([eve, mia])
    world.remove(bob, Human)
    expect(found(likesHuman).sort((a, b) => a - b)).toEqual([ann, bob])
  })

  it('make changes of all that match', () => {
    const { world, all, found } = village()
    const [ann, bob, , joe, mia] = all as [Entity, Entity, Entity, Entity, Entity]
    expect(addMany(world.query(Likes(bob)), Human)).toBe(2)
    expect(found(world.query(Human))).toEqual([ann, joe])
    expect(addMany(world.query(Human), Likes(mia, { weight: 7 }))).toBe(2)
    expect(world.get(joe, Likes(mia))).toEqual({ weight: 7 })
    expect(destroyMany(world.query(Likes(mia)))).toBe(2)
    expect(found(world.query(Likes))).toEqual([bob])
    checkInvariants(world)
  })

  it('count a link that came, went or was written as a change of its source', () => {
    const { world, all, found } = village()
    const [ann, bob, eve, , mia] = all as [Entity, Entity, Entity, Entity, Entity]
    const touched = world.query(changed(Likes))
    found(touched)
    world.advanceTick()
    expect(found(touched)).toEqual([])
    for (const change of [
      () => world.add(ann, Likes(mia)),
      () => world.set(ann, Likes(bob), { weight: 9 }),
      () => world.remove(ann, Likes(eve)),
    ]) {
      const { version } = world.query(Likes(mia))
      change()
      world.advanceTick()
      expect(found(touched)).toContain(ann)
      expect(world.query(Likes(mia)).version).toBeGreaterThanOrEqual(version)
    }
  })

  it('notify subscribers of links that are added and removed, and of nothing else', () => {
    const { world, all } = village()
    const [ann, bob, eve, , mia] = all as [Entity, Entity, Entity, Entity, Entity]
    let told = 0
    onChange(world.query(Position, Likes(bob)), () => void told++)
    world.add(mia, Likes(eve))
    world.remove(ann, Likes(eve))
    expect(told).toBe(0)
    world.add(mia, Likes(bob))
    expect(told).toBe(1)
    world.remove(ann, Likes(bob))
    expect(told).toBe(2)
    world.destroy(bob)
    expect(told).toBe(3)
  })
})
