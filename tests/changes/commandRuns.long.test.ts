// Shows that queued commands of one kind, which are applied in one call, lead to the same world as the same commands in blocks of
// one.

import { describe, expect, it } from 'vitest'
import {
  destroyMany,
  digestWorld,
  LimitError,
  component,
  f32,
  onAdd,
  tag,
  u32,
  vec,
  type Entity,
  type World,
  type WorldOptions,
} from '../../bindings/index'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Marked = tag('Marked')
const NUMBERED = STORAGES.map((storage) => ({
  storage,
  Number: component('Number', { n: u32.default(9) }, { storage: STORED[storage] }),
}))

/** Few, those that are just enough for one call, and those that are more than one list takes. */
const COUNTS = [0, 1, 3, 4, 5, 4095, 4096, 4097, 8193]

function populated(count: number, options?: WorldOptions): { world: World; ships: Entity[] } {
  const world = watchedWorld(options)
  const ships = Array.from({ length: count }, (_, i) => world.spawn(Position({ x: i })))
  return { world, ships }
}

/** The same changes in one block, and in a block for each. */
function inBothWays(count: number, change: (world: World, ship: Entity) => void): [World, World] {
  const together = populated(count)
  const apart = populated(count)
  together.world.batch(() => {
    for (const ship of together.ships) change(together.world, ship)
  })
  for (const ship of apart.ships) apart.world.batch(() => change(apart.world, ship))
  return [together.world, apart.world]
}

function expectSame([a, b]: [World, World]): void {
  expect(digestWorld(a)).toBe(digestWorld(b))
  expect(a.query(Position).entities()).toEqual(b.query(Position).entities())
  expect(a.stats().entities).toBe(b.stats().entities)
}

describe.each(NUMBERED)('commands of the same kind ($storage)', ({ Number }) => {
  it.each(COUNTS)('%i of them add what that many blocks of one would', (count) => {
    const worlds = inBothWays(count, (world, ship) => world.add(ship, Number, Marked))
    expectSame(worlds)
    expect(worlds[0].query(Number, Marked).count).toBe(count)
  })

  it.each(COUNTS)('%i of them remove what that many blocks of one would', (count) => {
    const worlds = inBothWays(count, (world, ship) => world.add(ship, Number))
    for (const world of worlds) {
      const ships = [...world.query(Number).entities()]
      world.batch(() => {
        for (const ship of ships) world.remove(ship, Number)
      })
      expect(world.query(Number).count).toBe(0)
    }
    expectSame(worlds)
  })

  it.each(COUNTS)('%i of them spawn what that many blocks of one would', (count) => {
    const worlds = inBothWays(count, (world) => void world.spawn(Position, Number))
    expectSame(worlds)
    expect(worlds[0].query(Number).count).toBe(count)
  })

  it.each(COUNTS)('%i of them destroy what that many blocks of one would', (count) => {
    const worlds = inBothWays(count, (world, ship) => void world.destroy(ship))
    expectSame(worlds)
    expect(worlds[0].stats().entities).toBe(0)
  })

  it('skip entities that an earlier change of the block has destroyed', () => {
    const { world, ships } = populated(100)
    const doomed = world.query(Position).where(Position, 'x', '<', 30)
    world.batch(() => {
      destroyMany(doomed)
      for (const ship of ships) world.add(ship, Number)
    })
    expect(world.query(Number).count).toBe(70)
    expect(ships.filter((ship) => world.isAlive(ship))).toEqual(ships.slice(30))
  })

  it('with values between them keep their order, and the values', () => {
    const { world, ships } = populated(100)
    world.batch(() => {
      ships.forEach((ship, i) => world.add(ship, i % 10 === 9 ? Number({ n: i }) : Number))
    })
    expect(ships.map((ship) => world.get(ship, Number)?.n)).toEqual(
      ships.map((_, i) => (i % 10 === 9 ? i : 9)),
    )
  })

  it('report each of them to listeners', () => {
    const { world, ships } = populated(100)
    const told: Entity[] = []
    onAdd(world, Number, (entity) => told.push(entity))
    world.batch(() => {
      for (const ship of ships) world.add(ship, Number)
    })
    expect(told).toEqual(ships)
  })
})

describe('commands of the same kind that add a tag in insertion order', () => {
  const Queued = tag('Queued', { order: 'insertion' })

  it('keep their places when one among them is applied early', () => {
    const { world, ships } = populated(20)
    const [late, ...others] = ships as [Entity, ...Entity[]]
    world.batch(() => {
      world.add(late, Marked)
      for (const ship of others) world.add(ship, Queued)
      world.add(late, Queued)
    })
    expect([...world.query(Queued).entities()]).toEqual([...others, late])
  })
})

describe('commands of the same kind that meet a limit', () => {
  const Wide = component('Wide', { cells: vec(f32, 1000) })
  const BOUNDED = { memory: { initial: 2 ** 20, maximum: 2 ** 20 } }

  it('apply what fits, as single changes do, and throw at the end', () => {
    const together = populated(1000, BOUNDED)
    const apart = populated(1000, BOUNDED)
    const add = ({ world, ships }: typeof together): void => {
      for (const ship of ships) world.add(ship, Wide)
    }
    expect(() => together.world.batch(() => add(together))).toThrow(LimitError)
    let failures = 0
    for (const ship of apart.ships) {
      try {
        apart.world.add(ship, Wide)
      } catch (error) {
        expect(error).toBeInstanceOf(LimitError)
        failures++
      }
    }
    expect(failures).toBeGreaterThan(0)
    expect(failures).toBeLessThan(1000)
    expect(together.world.query(Wide).entities()).toEqual(apart.world.query(Wide).entities())
    // What is asked for later still finds what is left.
    expect(together.world.isAlive(together.world.spawn(Position))).toBe(true)
  })
})
