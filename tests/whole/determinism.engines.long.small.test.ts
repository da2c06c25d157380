// Shows that the same calls give the same bytes in all of linear memory, and that reset forgets everything.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  component,
  destroyMany,
  f32,
  not,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  sortRows,
  sparse,
  spawnMany,
  tag,
  u32,
  type World,
} from '../../bindings/index'
import { bytesOf, expectSameBytes } from '../support/bytes'
import { checkInvariants } from '../support/invariants'
import { Session, steps } from '../support/script/session'
import { testWorld } from '../support/world'

const MIB = 2 ** 20
const UNLIMITED = 0x7fffffff
const Position = component('Position', { x: f32, y: f32 })

const Rank = component('Rank', { place: u32 }, { storage: sparse })
const Red = tag('Red')
const Green = tag('Green')

const expectSameWorlds = (a: World, b: World) => expectSameBytes(bytesOf(a), bytesOf(b))

function scripts(count: number, length: number) {
  return fc.sample(steps(length, length), { numRuns: count, seed: 99 })
}

describe('two worlds', () => {
  it('hold the same bytes when they were made the same way', () => {
    expectSameWorlds(testWorld({ memory: { initial: MIB } }), testWorld({ memory: { initial: MIB } }))
  })

  scripts(8, 600).forEach((script, i) => {
    it(`hold the same bytes after the same calls (script ${i})`, () => {
      const sessions = [0, 1].map(
        () => new Session(testWorld({ memory: { initial: MIB } }), UNLIMITED, i * 3, 20),
      )
      for (const session of sessions) session.run(script, () => {})
      const [a, b] = sessions as [Session, Session]
      expectSameWorlds(a.world, b.world)
    })
  })

  it('hold the same bytes even if one of them was queried many times', () => {
    const [a, b] = [testWorld({ memory: { initial: MIB } }), testWorld({ memory: { initial: MIB } })]
    for (const world of [a, b]) {
      world.query(Position)
      spawnMany(world, 500, [Position])
    }
    for (const handle of a.query(Position).entities()) {
      a.get(handle, Position)
      a.has(handle, Position)
      a.isAlive(handle ^ 0x5555)
    }
    a.query(Position).each(() => {})
    a.stats()
    expectSameWorlds(a, b)
  })
})

describe('resetWorld', () => {
  scripts(4, 800).forEach((script, i) => {
    it(`gives the bytes of a new world of the same size, whatever was before (script ${i})`, () => {
      const session = new Session(
        testWorld({ memory: { initial: MIB, maximum: 8 * MIB } }),
        UNLIMITED,
        i * 3,
        20,
      )
      session.run(script, () => {})
      // Subscribers outlive a reset, and with them their queries.
      session.end()
      resetWorld(session.world)
      checkInvariants(session.world)
      const fresh = testWorld({ memory: { initial: session.world.stats().bytesReserved, maximum: 8 * MIB } })
      resetWorld(fresh)
      expectSameWorlds(session.world, fresh)
    })
  })

  it('gives the bytes of a world that was never used', () => {
    const world = testWorld({ memory: { initial: MIB, maximum: MIB } })
    const before = bytesOf(world)
    spawnMany(world, 1000, [Position])
    destroyMany(world.query(Position))
    resetWorld(world)
    expectSameBytes(bytesOf(world), before)
  })

  it.each([100, 5_000, 40_000])(
    'leaves nothing in memory that was allocated and freed (%i entities)',
    (count) => {
      const world = testWorld({ memory: { initial: 8 * MIB, maximum: 8 * MIB } })
      const before = bytesOf(world)
      // Tables grow and are copied, pages of pools and the memory of a sort come and go.
      spawnMany(world, count, [Position, Rank({ place: 1 })])
      world.query(Rank).each((entity, rank) => void (rank.place = count - (entity & 0xffffff)))
      sortRows(world, Rank, 'place')
      destroyMany(world.query(Rank))
      resetWorld(world)
      expectSameBytes(bytesOf(world), before)
    },
  )

  it('leads to the same bytes as a new world when the same calls follow', () => {
    const [script] = scripts(1, 500) as [ReturnType<typeof scripts>[number]]
    const used = testWorld({ memory: { initial: 4 * MIB, maximum: 4 * MIB } })
    const session = new Session(used, UNLIMITED, 10)
    session.run(script, () => {})
    session.end()
    resetWorld(used)
    const fresh = testWorld({ memory: { initial: 4 * MIB, maximum: 4 * MIB } })
    resetWorld(fresh)
    for (const world of [used, fresh]) new Session(world, UNLIMITED, 12).run(script, () => {})
    expectSameWorlds(used, fresh)
  })

  it('gives the same handles again', () => {
    const world = testWorld()
    const first = [...spawnMany(world, 50, [Position])]
    resetWorld(world)
    expect([...spawnMany(world, 50, [Position])]).toEqual(first)
    checkInvariants(world)
  })
})

describe('a query that is older than the state of its world', () => {
  it.each(['reset', 'restore'])('registers its components where a new one would: %s', (way) => {
    const [used, fresh] = [0, 1].map(() => testWorld({ memory: { initial: MIB } })) as [World, World]
    for (const world of [used, fresh]) {
      const taken = snapshotWorld(world)
      if (world === used) world.query(Position, not(Red))
      if (way === 'reset') resetWorld(world)
      else restoreWorld(world, taken)
      world.query(Position, not(Red))
      world.spawn(Green)
    }
    expectSameWorlds(used, fresh)
  })
})
