// Shows that modules of the user read the links inside wasm that TypeScript reads, and that their changes keep every list and
// policy.

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Entity,
  callModule,
  digest,
  NULL_ENTITY,
  type World,
  component,
  createWorld,
  descendants,
  f32,
  relation,
  restore,
  snapshot,
  u16,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { compileModule } from '../support/ownModule'
import { proofLength } from '../support/proofs'

const Position = component('Position', { x: f32 })
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const Follows = relation('Follows', { strength: u16.default(3) }, { exclusive: true })

let module: WebAssembly.Module
beforeAll(async () => {
  module = await compileModule('tests/assembly/relations.ts')
})

function startedWorld(options = {}): World {
  const world = createWorld({ memory: { initial: 2 ** 20 }, ...options, core: module })
  expect(callModule(world, 'start', ChildOf, Follows, Position)).toBe(1)
  return world
}

const relations = [ChildOf, Follows] as const
const handle = (number: number) => number >>> 0

/** The sources of a target as the module walks them. */
function walked(world: World, target: number, ofFollows: boolean): number[] {
  return Array.from({ length: callModule(world, 'walk', target, ofFollows) }, (_, i) =>
    handle(callModule(world, 'foundAt', i)),
  )
}

/** Throws unless the module sees the links that TypeScript sees. */
function expectSameLooks(world: World, entities: readonly number[]): void {
  checkInvariants(world)
  for (const entity of entities as Entity[])
    relations.forEach((Relation, i) => {
      const ofFollows = i === 1
      expect(handle(callModule(world, 'targetOf', entity, ofFollows))).toBe(world.target(entity, Relation))
      expect(callModule(world, 'countOf', entity, ofFollows)).toBe(world.sourceCount(entity, Relation))
      expect(walked(world, entity, ofFollows)).toEqual([...world.sources(entity, Relation)])
    })
}

describe('a look at links inside wasm', () => {
  it('gives targets, counts and sources in their order, and nothing for stale handles', () => {
    const world = startedWorld()
    const root = world.spawn(Position)
    expectSameLooks(world, [root])
    const parts = [1, 2, 3].map((x) =>
      world.spawn(Position({ x }), ChildOf(root), Follows(root, { strength: x })),
    )
    world.place(parts[2] as Entity, ChildOf, { before: parts[0] as Entity })
    const leaf = world.spawn(ChildOf(parts[1] as Entity))
    expectSameLooks(world, [root, ...parts, leaf])
    expect(callModule(world, 'gather', root)).toBe(6)
    expect(callModule(world, 'strengthOf', parts[1] as Entity)).toBe(2)
    expect(callModule(world, 'countBelow', root)).toBe(descendants(world, root, ChildOf).length)
    world.destroy(parts[1] as Entity)
    for (const stale of [parts[1] as Entity, leaf, NULL_ENTITY, 0, 0x00ffffff]) {
      expect(handle(callModule(world, 'targetOf', stale, false))).toBe(NULL_ENTITY)
      expect([callModule(world, 'countOf', stale, false), callModule(world, 'walk', stale, false)]).toEqual([
        0, 0,
      ])
    }
    expectSameLooks(world, [root, parts[0] as Entity, parts[2] as Entity])
  })

  it('walks as many as there are', () => {
    const world = startedWorld()
    const root = world.spawn()
    for (const count of [1, 63, 64, 65, 1000]) {
      while (world.sourceCount(root, ChildOf) < count) world.spawn(ChildOf(root))
      expect(walked(world, root, false)).toEqual([...world.sources(root, ChildOf)])
    }
    expect(callModule(world, 'countBelow', root)).toBe(1000)
  })
})

it('A module is given no relation with many targets', () => {
  const world = startedWorld()
  const Likes = relation('Likes')
  expect(() => callModule(world, 'start', ChildOf, Likes, Position)).toThrow(
    expect.objectContaining({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(/Likes may have many/),
    }),
  )
  expect(callModule(world, 'start', ChildOf, Follows, Position)).toBe(1)
})

describe('changes inside wasm in a world with relations', () => {
  it('wait until the call returns, and take along what depends on them', () => {
    const world = startedWorld()
    const root = world.spawn(Position)
    const child = world.spawn(Position, ChildOf(root))
    const follower = world.spawn(Position, Follows(child))
    const leaf = world.spawn(ChildOf(child), Follows(root))
    expect(callModule(world, 'destroy', child)).toBe(1)
    expect([root, child, follower, leaf].map((one) => world.isAlive(one))).toEqual([true, false, true, false])
    expect([world.has(follower, Follows), world.sourceCount(root, ChildOf)]).toEqual([false, 0])
    expect([callModule(world, 'destroy', child), callModule(world, 'destroy', NULL_ENTITY)]).toEqual([-1, -1])
    expectSameLooks(world, [root, follower])
    expect(callModule(world, 'flushTooOften', root)).toBe(1)
    expect(world.isAlive(root)).toBe(false)
    checkInvariants(world)
  })

  it('may be asked for while a list is walked', () => {
    const world = startedWorld()
    const root = world.spawn()
    for (let i = 0; i < 70; i++) world.spawn(ChildOf(root))
    expect(callModule(world, 'destroySources', root)).toBe(70)
    expect([world.stats().entities, world.sourceCount(root, ChildOf)]).toEqual([1, 0])
    expectSameLooks(world, [root])
  })

  it('make, replace and end links', () => {
    const world = startedWorld()
    const [a, b, c] = [world.spawn(), world.spawn(), world.spawn()]
    expect(callModule(world, 'link', a, b, true)).toBe(1)
    expect(world.get(a, Follows)).toEqual({ strength: 3 })
    world.set(a, Follows, { strength: 9 })
    callModule(world, 'link', a, c, true)
    expect([world.target(a, Follows), world.get(a, Follows)]).toEqual([c, { strength: 3 }])
    expect(callModule(world, 'unlink', a)).toBe(1)
    expect(world.has(a, Follows)).toBe(false)
    world.destroy(b)
    expect([callModule(world, 'link', a, b, true), callModule(world, 'link', b, a, true)]).toEqual([-1, -1])
    const last = handle(callModule(world, 'chain', a, 100))
    expect(world.get(last as Entity, Position)).toEqual({ x: 99 })
    expect(descendants(world, a, ChildOf).at(-1)).toBe(last)
    expect(callModule(world, 'countBelow', a)).toBe(100)
    expectSameLooks(world, [a, b, c, last])
  })

  it('what JavaScript would throw, the call throws, and everything else is made', () => {
    const world = startedWorld()
    const [a, b] = [world.spawn(), world.spawn()]
    world.add(a, ChildOf(b))
    expect(() => callModule(world, 'link', b, a, false)).toThrow(
      expect.objectContaining({ code: 'RELATION_CYCLE' }),
    )
    expect(() => callModule(world, 'addBare', a)).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }))
    expect(() => callModule(world, 'destroyAndTrap', b)).toThrow(
      expect.objectContaining({ code: 'KERNEL_FAILED' }),
    )
    expect([world.isAlive(a), world.isAlive(b)]).toEqual([false, false])
    checkInvariants(world)
    // The world goes on.
    expect(handle(callModule(world, 'chain', world.spawn(), 3))).not.toBe(0)
    checkInvariants(world)
  })

  it('of all that match are made in their turn', () => {
    const world = startedWorld()
    const root = world.spawn(Position)
    for (let i = 0; i < 65; i++) world.spawn(Position, ChildOf(root), Follows(root))
    expect(callModule(world, 'unlinkAll')).toBe(66)
    expect([world.query(Follows).count, world.sourceCount(root, Follows)]).toEqual([0, 0])
    expect(callModule(world, 'destroyAllChildren')).toBe(65)
    expect(world.stats().entities).toBe(1)
    expectSameLooks(world, [root])
  })

  it('go back with a snapshot, and start anew after a reset', () => {
    const world = startedWorld()
    const root = world.spawn()
    callModule(world, 'chain', root, 5)
    const before = snapshot(world)
    const digested = digest(world)
    callModule(world, 'destroy', root)
    restore(world, before)
    expect([digest(world), callModule(world, 'countBelow', root)]).toEqual([digested, 5])
    world.reset()
    callModule(world, 'start', ChildOf, Follows, Position)
    const again = world.spawn()
    callModule(world, 'chain', again, 4)
    expect(callModule(world, 'countBelow', again)).toBe(4)
    checkInvariants(world)
  })

  it('in any order leave the links that the same calls in JavaScript leave', () => {
    let done = 0
    const step = fc.tuple(fc.nat(5), fc.nat(19), fc.nat(19), fc.boolean())
    const property = fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (script) => {
      const [inside, outside] = [startedWorld(), startedWorld()]
      const worlds = [inside, outside]
      const nodes = Array.from(
        { length: 20 },
        () => worlds.map((world) => world.spawn(Position))[0] as Entity,
      )
      for (const [kind, i, j, ofFollows] of script) {
        const [entity, target] = [nodes[i], nodes[j]] as [Entity, Entity]
        const Relation = ofFollows ? Follows : ChildOf
        const attempts: [() => unknown, () => unknown] =
          kind <= 2
            ? [
                () => callModule(inside, 'link', entity, target, ofFollows),
                () => outside.add(entity, Relation(target)),
              ]
            : kind === 3
              ? [() => callModule(inside, 'unlink', entity), () => outside.remove(entity, Follows)]
              : kind === 4
                ? [() => callModule(inside, 'destroy', entity), () => outside.destroy(entity)]
                : [() => callModule(inside, 'chain', entity, 2), () => chainOutside(outside, entity)]
        const codes = attempts.map((attempt) => {
          try {
            attempt()
          } catch (error) {
            return (error as { code?: string }).code
          }
          return undefined
        })
        // Handles that are dead are a status inside, and an error outside.
        if (codes[1] !== 'DEAD_ENTITY') expect(codes[0]).toBe(codes[1])
        done++
      }
      expectSameLooks(inside, nodes)
      expect(digest(inside)).toBe(digest(outside))
      for (const world of worlds) world.dispose()
    })
    fc.assert(property, { seed: 20_261_123, numRuns: proofLength(60) })
    expect(done).toBeGreaterThan(proofLength(500))
  })
})

function chainOutside(world: World, target: Entity): void {
  if (!world.isAlive(target)) {
    // Inside, the entities are made, and only then is it seen that there is no target.
    world.spawn(Position({ x: 0 }))
    return
  }
  const first = world.spawn(Position({ x: 0 }))
  world.add(first, ChildOf(target))
  world.add(world.spawn(Position({ x: 1 })), ChildOf(first))
}
