// Shows what the death of targets and sources does in relations with many targets, and what changes that meet a limit half-way
// leave.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  destroyMany,
  digestWorld,
  LimitError,
  component,
  f32,
  onExit,
  onRemove,
  relation,
  removeMany,
  tag,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Likes = relation('Likes', { weight: f32 })
const Needs = relation('Needs', { onTargetDestroy: 'destroy' })
const Recalls = relation('Recalls', { onTargetDestroy: 'keep' })

function people(count: number, world = testWorld()) {
  return { world, all: Array.from({ length: count }, () => world.spawn(Position)) as Entity[] }
}

describe('the death of one of several targets', () => {
  it('ends the links to it, and the sources keep the others', () => {
    const { world, all } = people(5)
    const [ann, bob, eve, joe, mia] = all as [Entity, Entity, Entity, Entity, Entity]
    for (const one of [bob, eve, joe]) world.add(ann, Likes(one, { weight: one }))
    world.add(mia, Likes(eve))
    const removed: Entity[] = []
    onRemove(world, Likes, (e) => void removed.push(e))
    world.destroy(eve)
    expect(removed).toEqual([mia])
    expect([...world.targets(ann, Likes)]).toEqual([bob, joe])
    expect(world.get(ann, Likes(joe))).toEqual({ weight: joe })
    expect(world.has(ann, Likes(eve)) || world.has(mia, Likes)).toBe(false)
    checkInvariants(world)
    destroyMany(world, [bob, joe])
    expect(removed).toEqual([mia, ann])
    checkInvariants(world)
  })

  it('destroys what depends on it, even by one link of several, and a net of dependents once', () => {
    const { world, all } = people(6)
    const [a, b, c, d, e, f] = all as [Entity, Entity, Entity, Entity, Entity, Entity]
    world.add(b, Needs(a))
    world.add(c, Needs(a))
    world.add(d, Needs(b))
    world.add(d, Needs(c))
    world.add(d, Needs(f))
    world.add(e, Likes(d))
    expect(() => world.add(a, Needs(d))).toThrow(/depend/)
    expect(() => world.add(a, Needs(a))).toThrow(/own target/)
    const dead: Entity[] = []
    onRemove(world, Position, (one) => void dead.push(one))
    world.destroy(a)
    expect(dead).toEqual([a, b, c, d])
    expect(world.isAlive(e) && world.isAlive(f)).toBe(true)
    expect(world.has(e, Likes)).toBe(false)
    expect(world.sourceCount(f, Needs)).toBe(0)
    checkInvariants(world)
  })

  it('leaves stale handles where links are kept, which never name a later entity', () => {
    const { world, all } = people(4)
    const [ann, bob, eve, joe] = all as [Entity, Entity, Entity, Entity]
    for (const one of [bob, eve]) world.add(ann, Recalls(one))
    world.add(joe, Recalls(bob))
    world.add(eve, Recalls(bob))
    world.destroy(bob)
    expect([...world.targets(ann, Recalls)]).toEqual([bob, eve])
    expect(world.has(ann, Recalls(bob))).toBe(true)
    expect(world.sources(bob, Recalls)).toHaveLength(0)
    checkInvariants(world)
    // Its index comes back.
    let again = world.spawn()
    for (let i = 0; i < 5000 && (again & 0xffffff) !== (bob & 0xffffff); i++) {
      world.destroy(again)
      again = world.spawn()
    }
    expect(again & 0xffffff).toBe(bob & 0xffffff)
    expect(world.has(ann, Recalls(again))).toBe(false)
    expect(world.query(Recalls(again)).count).toBe(0)
    world.add(eve, Recalls(again))
    expect([...world.sources(again, Recalls)]).toEqual([eve])
    expect(world.remove(ann, Recalls(bob))).toBe(true)
    expect(world.remove(joe, Recalls(bob))).toBe(true)
    checkInvariants(world)
  })

  it('queued after a link to it drops the link or destroys its source', () => {
    const { world, all } = people(4)
    const [ann, bob, eve, joe] = all as [Entity, Entity, Entity, Entity]
    world.add(ann, Likes(eve))
    world.batch(() => {
      world.destroy(bob)
      world.add(ann, Likes(bob))
      world.add(joe, Needs(bob))
    })
    expect([...world.targets(ann, Likes)]).toEqual([eve])
    expect(world.isAlive(joe)).toBe(false)
    checkInvariants(world)
  })

  it('of a hub ends thousands of links', () => {
    const { world, all } = people(2000)
    const [hub, other] = all as [Entity, Entity]
    for (const [i, one] of all.entries()) {
      world.add(one, Likes(hub))
      if (i % 2 === 0) world.add(one, Likes(other))
    }
    world.destroy(hub)
    expect(world.query(Likes).count).toBe(999)
    expect(world.sourceCount(other, Likes)).toBe(999)
    checkInvariants(world)
    destroyMany(world.query(Position))
    checkInvariants(world)
  })

  it('is reported to listeners before it happens, and links they make to it are dropped', () => {
    const { world, all } = people(3)
    const [ann, bob, eve] = all as [Entity, Entity, Entity]
    for (const one of [bob, eve]) world.add(ann, Likes(one))
    const seen: unknown[] = []
    onExit(world.query(Likes(bob)), (e) => {
      seen.push(e, [...world.targets(e, Likes)])
      world.add(eve, Likes(bob))
      world.remove(ann, Likes(eve))
    })
    world.destroy(bob)
    expect(seen).toEqual([ann, [bob, eve]])
    expect(world.has(eve, Likes) || world.has(ann, Likes)).toBe(false)
    checkInvariants(world)
  })
})

describe('a change that meets the limit of memory', () => {
  it('leaves all links as they were, in both orders', () => {
    const { world, all } = people(12, testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } }))
    const hubs = all.slice(0, 3)
    const sources = all.slice(3)
    const tags = Array.from({ length: 9 }, (_, i) => tag(`Tag ${i}`))
    const Room = component('Room', { a: f32 })
    for (const [i, source] of sources.entries()) {
      for (const hub of hubs) world.add(source, Likes(hub, { weight: i }))
      world.add(source, Room, tags[i] as never)
    }
    const [withRoom, liking] = [world.query(Room, Likes), world.query(Likes)]
    // Rows of a new archetype need a block; there is none left.
    for (let i = 0; ; i++) {
      try {
        world.spawn(tag(`Filler ${i}`), Room)
      } catch (error) {
        expect(error).toBeInstanceOf(LimitError)
        break
      }
    }
    const before = digestWorld(world)
    let failed = 0
    onRemove(world, Likes, () => {})
    for (const [i, source] of sources.entries()) {
      try {
        world.remove(source, tags[(i + 1) % 9] as never, Room, Likes)
        throw new Error('there was room')
      } catch (error) {
        expect(error).toBeInstanceOf(LimitError)
        failed++
      }
      checkInvariants(world)
      expect([...world.targets(source, Likes)]).toEqual(hubs)
      expect([...world.sources(hubs[1] as Entity, Likes)]).toEqual(sources)
    }
    expect(failed).toBe(9)
    expect(digestWorld(world)).toBe(before)
    expect(() => removeMany(withRoom, Room, Likes)).toThrow(LimitError)
    checkInvariants(world)
    expect(liking.count).toBe(9)
  })
})
