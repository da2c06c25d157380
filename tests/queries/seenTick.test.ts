// Shows that what queries with changed and added have seen goes back with the world.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  added,
  changed,
  component,
  f32,
  resetWorld,
  snapshotWorld,
  spawnMany,
  u32,
  vec,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { pokeWord, wordAt } from '../support/inside'
import { LAYOUT } from '../support/layout'
import { restoreChecked } from '../support/restoring'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Tracked = component('Tracked', { n: u32 }, { trackChanges: 'row' })

/** Few entities of it fill memory. */
const Long = component('Long', { values: vec(f32, 60) })

const sorted = (handles: Iterable<number>) => [...handles].sort((a, b) => a - b)

describe('what queries with changed and added have seen', () => {
  it('A query finds after a restore what it would have found then', () => {
    const world = testWorld()
    const moved = world.query(changed(Position))
    const fresh = world.query(added(Tracked))
    const es = [1, 2, 3].map((x) => world.spawn(Position({ x }), Tracked))
    moved.entities()
    world.set(es[0] as Entity, Position, { x: 9 })
    const before = snapshotWorld(world)
    const first = [sorted(moved.entities()), sorted(fresh.entities()), sorted(moved.entities())]
    for (let round = 0; round < 3; round++) {
      world.spawn(Position, Tracked)
      moved.entities()
      fresh.entities()
      restoreChecked(world, before)
      // Not too much, not too little.
      const again = [sorted(moved.entities()), sorted(fresh.entities()), sorted(moved.entities())]
      expect(again).toEqual(first)
    }
  })

  it('A query that was made after the snapshot has seen nothing after the restore', () => {
    const world = testWorld()
    world.spawn(Position)
    const before = snapshotWorld(world)
    const one = world.query(changed(Position))
    one.entities()
    expect(one.count).toBe(0)
    restoreChecked(world, before)
    const two = world.query(changed(Position))
    two.entities()
    // The first query does not take the look of the second one for its own.
    expect([one.count, two.count]).toEqual([1, 0])
    one.entities()
    expect([one.count, two.count]).toEqual([0, 0])
    checkInvariants(world)
  })

  it('A query gets back a look that was released since, and another query does not share it', () => {
    const world = testWorld()
    world.spawn(Position)
    const one = world.query(changed(Position))
    one.entities()
    const before = snapshotWorld(world)
    const gone = world.query(changed(Position))
    gone.entities()
    gone.dispose()
    const two = world.query(changed(Position))
    two.entities()
    restoreChecked(world, before)
    expect([one.count, two.count]).toEqual([0, 1])
    checkInvariants(world)
  })

  it.each(['a restore', 'a reset', 'a foreign restore'])(
    'Queries find what they had seen after %s in which they looked in another order',
    (way) => {
      const world = testWorld()
      spawnMany(world, 3, [Position, Velocity])
      const first = snapshotWorld(world)
      const [a, b] = [world.query(changed(Position)), world.query(changed(Velocity))]
      const seen = (...queries: { count: number; each: (f: () => void) => void }[]) =>
        queries.map((query) => {
          let count = 0
          query.each(() => count++)
          return count
        })
      expect(seen(a, b)).toEqual([3, 3])
      const later = snapshotWorld(world)
      if (way === 'a restore') restoreChecked(world, first)
      else if (way === 'a reset') resetWorld(world)
      else {
        const other = testWorld()
        other.spawn(Position)
        restoreChecked(world, snapshotWorld(other))
      }
      seen(b, a)
      restoreChecked(world, later)
      expect(seen(a, b)).toEqual([0, 0])
      a.dispose()
      expect(seen(b)).toEqual([0])
      checkInvariants(world)
    },
  )

  it('A query that reuses the look of a disposed one does not inherit what that one had seen', () => {
    const world = testWorld()
    world.spawn(Position)
    const gone = world.query(changed(Position))
    gone.entities()
    const before = snapshotWorld(world)
    gone.dispose()
    const two = world.query(changed(Position))
    two.entities()
    expect(two.count).toBe(0)
    restoreChecked(world, before)
    expect(two.count).toBe(1)
    checkInvariants(world)
  })

  it('A query remembers what it saw inside a block in which it was made', () => {
    const world = testWorld()
    world.spawn(Position)
    const query = world.batch(() => {
      const made = world.query(changed(Position))
      made.entities()
      return made
    })
    expect(query.count).toBe(0)
    const before = snapshotWorld(world)
    world.spawn(Position)
    query.entities()
    restoreChecked(world, before)
    expect(query.count).toBe(0)
    checkInvariants(world)
  })

  it('Looks of queries made in a loop do not grow the memory, and any number of others goes back with the world', () => {
    const world = testWorld({ memory: { initial: 2 ** 20, maximum: 4 * 2 ** 20 } })
    world.spawn(Position)
    const looked = () => {
      const query = world.query(changed(Position))
      query.entities()
      return query
    }
    // The world has no room for a list of all looks, and the host has.
    while (world.stats().bytesReserved - world.stats().bytesUsed > 96 * 1024) spawnMany(world, 10, [Long])
    const full = world.stats().bytesReserved
    world.batch(() => {
      const inLoop = Array.from({ length: 9000 }, looked)
      expect(inLoop.filter((query) => !query.isEmpty)).toEqual([])
    })
    expect(world.stats().bytesReserved).toBe(full)
    const outside = Array.from({ length: 9000 }, looked)
    const before = snapshotWorld(world)
    world.spawn(Position)
    for (const query of outside) query.entities()
    restoreChecked(world, before)
    expect(outside.filter((query) => !query.isEmpty)).toEqual([])
    checkInvariants(world)
  })

  it('Ticks and looks age together, even if the world goes back', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const moved = world.query(changed(Position))
    moved.entities()
    const young = snapshotWorld(world)
    const advanceTo = (tick: number) => {
      pokeWord(world, LAYOUT.WORLD_TICK, tick - 1)
      world.advanceTick()
    }
    advanceTo(0x40000000)
    advanceTo(0x80000000)
    const old = snapshotWorld(world)
    // Two agings: what was seen is too long ago to be compared.
    expect(moved.count).toBe(1)
    restoreChecked(world, young)
    expect(moved.count).toBe(0)
    world.set(e, Position, { x: 1 })
    expect(moved.count).toBe(1)
    restoreChecked(world, old)
    expect(moved.count).toBe(1)
    moved.entities()
    expect(moved.count).toBe(0)
    expect(wordAt(world, LAYOUT.WORLD_TICK)).toBe(world.tick)
  })
})
