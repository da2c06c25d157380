// Shows that what is kept of archetypes without rows comes back, and that a program notices nothing else.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  component,
  createAccessor,
  createCommands,
  createHistory,
  digestWorld,
  f32,
  not,
  object,
  relation,
  removeMany,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  sparse,
  tag,
  trimWorld,
  u32,
  type Entity,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const Unit = component('TrimUnit', { n: u32 })
const Place = component('TrimPlace', { x: f32, y: f32 })
const Pooled = component('TrimPooled', { n: u32 }, { storage: sparse })
const Kept = object<{ n: number }>('TrimKept')
const ChildOf = relation('TrimChildOf', { exclusive: true })
const TAGS = Array.from({ length: 13 }, (_, i) => tag(`Trim${i}`))
const tagsOf = (set: number) => TAGS.filter((_, i) => (set & (1 << i)) !== 0)

/** Leaves an archetype without rows for each set of the first `count` tags: one tag comes or goes at a time. */
function leaveEmpty(world: World, count: number): void {
  const entity = world.spawn(Unit)
  for (let i = 1; i < 2 ** count; i++) {
    const tag = TAGS[Math.log2(i & -i)]
    if (world.has(entity, tag)) world.remove(entity, tag)
    else world.add(entity, tag)
  }
  world.destroy(entity)
}

describe('trimWorld', () => {
  it('drops the archetypes without rows and returns how many there were', () => {
    const world = watchedWorld()
    const kept = world.spawn(Unit({ n: 7 }), ...tagsOf(3))
    leaveEmpty(world, 6)
    const before = world.stats()
    expect(before.emptyArchetypes).toBe(before.archetypes - 1)
    // That of entities without components stays.
    expect(trimWorld(world)).toBe(before.emptyArchetypes - 1)
    const { archetypes, emptyArchetypes } = world.stats()
    expect([archetypes, emptyArchetypes]).toEqual([2, 1])
    expect(world.get(kept, Unit)).toEqual({ n: 7 })
    expect(world.componentsOf(kept)).toEqual([Unit, ...tagsOf(3)])
    expect(trimWorld(world)).toBe(0)
  })

  it('leaves a working world if it drops nothing, though memory moves', () => {
    const others = Array.from({ length: 16 }, (_, i) => tag(`TrimOther${i}`))
    // Which way led where gets a smaller table. After one of these numbers of queries, no place of its size is left.
    for (let queries = 0; queries <= others.length; queries++) {
      const world = watchedWorld()
      const entities = Array.from({ length: 16 }, (_, set) => world.spawn(Unit, ...tagsOf(set)))
      for (const entity of entities) {
        for (const tag of TAGS.slice(0, 4)) {
          const had = world.has(entity, tag)
          world[had ? 'remove' : 'add'](entity, tag)
          world[had ? 'add' : 'remove'](entity, tag)
        }
      }
      for (const other of others.slice(0, queries)) expect(world.query(Unit, not(other)).count).toBe(16)
      const { archetypes, emptyArchetypes } = world.stats()
      expect(trimWorld(world)).toBe(0)
      expect(world.stats()).toMatchObject({ archetypes, emptyArchetypes })
      expect(entities.every((entity) => world.has(entity, Unit))).toBe(true)
    }
  })

  it('frees memory: hardly more is used than by a world that never had those archetypes', () => {
    const bytesOf = (world: World) => [world.stats().bytesUsed, snapshotWorld(world).byteLength]
    const make = (count: number) => {
      const world = testWorld()
      world.query(Unit)
      for (let i = 0; i < 50; i++) world.spawn(Unit, Place)
      leaveEmpty(world, count)
      // Each of these sets is a bundle of its own, too.
      for (let set = 0; set < 2 ** count; set++) world.destroy(world.spawn(Place, ...tagsOf(set)))
      return world
    }
    const [fresh, world] = [make(1), make(13)]
    const before = bytesOf(world)
    trimWorld(world)
    bytesOf(world).forEach((after, i) => {
      const least = bytesOf(fresh)[i]
      // Of blocks that lie between what stays, a snapshot holds those of less than a page.
      expect(after - least).toBeLessThan((before[i] - least) / 5)
    })
  })

  it('leaves queries, their order, counts and versions as they were', () => {
    const world = watchedWorld()
    const entities = Array.from({ length: 40 }, (_, i) => world.spawn(Unit({ n: i }), ...tagsOf(i % 8)))
    leaveEmpty(world, 5)
    const queries = [
      world.query(Unit),
      world.query(Unit, TAGS[0]),
      world.query(Unit, not(TAGS[1])),
      world.query(Pooled),
    ]
    const seen = () => queries.map((query) => [[...query.entities()], query.count, query.version])
    const before = seen()
    trimWorld(world)
    expect(seen()).toEqual(before)
    world.add(entities[3], TAGS[9])
    world.spawn(Unit, TAGS[1])
    const after = seen()
    expect(after.map(([, count]) => count)).toEqual([41, 20, 20, 0])
    // A version that a program has kept does not come again.
    after.forEach(([, , version], i) => expect(version).toBeGreaterThanOrEqual(before[i][2] as number))
    expect(after[0][2]).toBeGreaterThan(before[0][2] as number)
  })

  it('advances a version if everything that matched was dropped', () => {
    const world = watchedWorld()
    const query = world.query(TAGS[0])
    const versions = [query.version]
    for (let i = 0; i < 3; i++) {
      const entity = world.spawn(TAGS[0])
      versions.push(query.version)
      world.destroy(entity)
      versions.push(query.version)
      trimWorld(world)
      expect(query.version).toBe(versions.at(-1))
    }
    expect(new Set(versions).size).toBe(versions.length)
    resetWorld(world)
    expect(versions).not.toContain(world.query(TAGS[0]).version)
  })

  it('leaves what a program holds as it was: accessors, cursors, buffers, readers of changes, objects and links', () => {
    const world = watchedWorld()
    const root = world.spawn(Unit)
    const child = world.spawn(
      Unit({ n: 1 }),
      Place({ x: 1, y: 2 }),
      Kept({ n: 5 }),
      Pooled({ n: 9 }),
      ChildOf(root),
      ...tagsOf(5),
    )
    leaveEmpty(world, 6)
    const place = createAccessor(world, Place)
    const cursor = place.of(child)
    const buffer = createCommands(world)
    buffer.add(child, TAGS[7])
    buffer.set(child, Place, { x: 3 })
    trimWorld(world)
    expect(cursor.y).toBe(2)
    expect(place.of(child).x).toBe(1)
    expect([world.get(child, Kept), world.get(child, Pooled), world.target(child, ChildOf)]).toEqual([
      { n: 5 },
      { n: 9 },
      root,
    ])
    buffer.apply()
    expect([world.has(child, TAGS[7]), world.get(child, Place)]).toEqual([true, { x: 3, y: 2 }])
    expect([...world.sources(root, ChildOf)]).toEqual([child])
    world.destroy(root)
    expect(world.has(child, ChildOf)).toBe(false)
  })

  it('keeps earlier and later snapshots restorable, in any order', () => {
    const world = watchedWorld()
    const entities = Array.from({ length: 12 }, (_, i) => world.spawn(Unit({ n: i }), ...tagsOf(i)))
    leaveEmpty(world, 6)
    const query = world.query(Unit, TAGS[1])
    const full = [...query.entities()]
    const before = snapshotWorld(world)
    trimWorld(world)
    const trimmed = snapshotWorld(world)
    world.destroy(entities[2])
    world.spawn(Unit, ...tagsOf(513))
    for (const taken of [before, trimmed, before, trimmed]) {
      restoreWorld(world, taken)
      checkInvariants(world)
      expect([...query.entities()]).toEqual(full)
      expect(entities.map((entity) => world.componentsOf(entity).length)).toEqual(
        entities.map((_, i) => 1 + tagsOf(i).length),
      )
      world.add(entities[0], TAGS[8])
      world.remove(entities[0], TAGS[8])
    }
  })

  it('keeps frames of a history restorable', () => {
    const world = watchedWorld()
    const entity = world.spawn(Unit)
    const history = createHistory(world, { frames: 20 })
    for (let frame = 0; frame < 12; frame++) {
      world.add(entity, TAGS[frame % 10])
      world.set(entity, Unit, { n: frame })
      world.advanceTick()
      history.save()
      if (frame % 4 === 3) trimWorld(world)
    }
    for (let frame = history.newest; frame >= history.oldest; frame--) {
      history.goTo(frame)
      checkInvariants(world)
    }
    expect(world.get(entity, Unit)).toEqual({ n: 0 })
  })

  it('is done by clear if many archetypes are empty, and not if few are', () => {
    const world = watchedWorld()
    leaveEmpty(world, 10)
    expect(world.stats().archetypes).toBeGreaterThan(1000)
    clearWorld(world)
    expect(world.stats().archetypes).toBe(1)
    leaveEmpty(world, 4)
    const { archetypes } = world.stats()
    clearWorld(world)
    expect(world.stats().archetypes).toBe(archetypes)
  })

  it('is noticed by nothing, wherever a script calls it', () => {
    type Step = readonly [kind: number, which: number, set: number, trims: boolean]
    const step = fc.tuple(fc.nat(6), fc.nat(30), fc.nat(1023), fc.boolean())
    const run = (script: readonly Step[], trims: boolean) => {
      const world = watchedWorld()
      const queries = [
        world.query(Unit, TAGS[0]),
        world.query(Unit, not(TAGS[2])),
        world.query(Pooled, TAGS[1]),
      ]
      const entities: Entity[] = []
      const seen: unknown[] = []
      for (const [kind, which, set, trim] of script) {
        const entity = entities[which % Math.max(entities.length, 1)]
        const tags = tagsOf(set)
        if (kind === 0 || entity === undefined) entities.push(world.spawn(Unit({ n: set }), ...tags))
        else if (kind === 1) world.destroy(entity)
        else if (!world.isAlive(entity)) continue
        else if (kind === 2) world.add(entity, ...tags)
        else if (kind === 3) world.remove(entity, ...tags)
        else if (kind === 4) world.add(entity, Place({ x: set }), Pooled({ n: set }))
        else if (kind === 5) world.exchange(entity, tags, tagsOf(1023 ^ set))
        else removeMany(queries[which % 3], TAGS[set % 10])
        if (trim && trims) trimWorld(world)
        seen.push(
          queries.map((query) => [[...query.entities()], query.version]),
          digestWorld(world),
        )
      }
      return { seen, all: entities.map((entity) => world.isAlive(entity) && world.componentsOf(entity)) }
    }
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (script) => {
        expect(run(script, true)).toEqual(run(script, false))
      }),
      { numRuns: proofLength(300), seed: 46 },
    )
  })
})
