// Shows what one exchange, which removes and adds at once, does to an entity in every storage.

import { describe, expect, it } from 'vitest'
import { DeadEntityError, NULL_ENTITY, component, f32, f64, u32, vec, type World } from '../../bindings/index'
import { Burning, Frozen, Position } from '../support/kinds'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Velocity = component('Velocity', { x: f32, y: f32.default(7) })

const PAIRS = STORAGES.flatMap((from) =>
  STORAGES.map((to) => ({
    from,
    to,
    Old: component('Old', { n: u32.default(1) }, { storage: STORED[from] }),
    New: component('New', { n: u32.default(2), wide: vec(f64, 2).default([3, 4]) }, { storage: STORED[to] }),
  })),
)
const SINGLE = STORAGES.map((storage) => ({
  storage,
  Number: component('Number', { n: u32.default(9), m: u32 }, { storage: STORED[storage] }),
}))

/** The archetypes and chunks of a world: what a move on the way would leave more of. */
function tables(world: World): unknown {
  const { archetypes, chunks } = world.stats()
  return { archetypes, chunks }
}

describe('exchange', () => {
  it.each(PAIRS)('removes one component, adds another, and keeps the rest ($from to $to)', ({ Old, New }) => {
    const world = watchedWorld()
    const others = Array.from({ length: 100 }, (_, n) => world.spawn(Position({ x: n }), Old({ n })))
    const ship = world.spawn(Position({ x: 1, y: 2 }), Old({ n: 5 }), Frozen)
    expect(world.exchange(ship, [Old, Frozen], [New({ n: 6 }), Burning])).toBe(true)
    expect(world.has(ship, Old)).toBe(false)
    expect(world.has(ship, Frozen)).toBe(false)
    expect(world.has(ship, Burning)).toBe(true)
    expect(world.get(ship, New)).toEqual({ n: 6, wide: Float64Array.of(3, 4) })
    expect(world.get(ship, Position)).toEqual({ x: 1, y: 2 })
    others.forEach((other, n) => expect(world.get(other, Old)).toEqual({ n }))
  })

  it.each(SINGLE)('resets what is in both lists ($storage)', ({ Number }) => {
    const world = watchedWorld()
    const before = world.spawn(Number({ n: 1, m: 1 }))
    const ship = world.spawn(Position({ x: 3 }), Number({ n: 4, m: 5 }))
    const after = world.spawn(Number({ n: 2, m: 2 }))
    expect(world.exchange(ship, [Number], [Number({ m: 8 })])).toBe(true)
    expect(world.get(ship, Number)).toEqual({ n: 9, m: 8 })
    world.set(ship, Number, { n: 3 })
    expect(world.exchange(ship, [Number, Frozen], [Number, Burning])).toBe(true)
    expect(world.get(ship, Number)).toEqual({ n: 9, m: 0 })
    expect(world.get(ship, Position)).toEqual({ x: 3, y: 0 })
    expect(world.get(before, Number)).toEqual({ n: 1, m: 1 })
    expect(world.get(after, Number)).toEqual({ n: 2, m: 2 })
  })

  it('resets only what is in both lists, among many components', () => {
    const world = watchedWorld()
    const Parts = Array.from({ length: 12 }, (_, i) => component(`Part${i}`, { n: u32.default(100) }))
    const ship = world.spawn(...Parts.map((Part, i) => Part({ n: i })))
    const [removed, added] = [Parts.slice(0, 8), [...Parts.slice(4), Frozen].reverse()]
    world.exchange(ship, removed, added)
    const found = Parts.map((Part) => world.get(ship, Part)?.n)
    const none = undefined
    expect(found).toEqual([none, none, none, none, 100, 100, 100, 100, 8, 9, 10, 11])
  })

  it('moves once: no row is moved to the archetype in between', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position({ x: 1 }), Frozen)
    const between = world.spawn(Position)
    world.destroy(between)
    world.add(world.spawn(Position), Velocity)
    const seen = tables(world)
    world.exchange(ship, [Frozen], [Velocity])
    expect(world.query(Position).count).toBe(2)
    // The archetype it left is empty now and gave its chunk back; the one it came to had a chunk.
    expect(tables(world)).toEqual({ ...(seen as object), chunks: world.stats().chunks })
    expect(world.stats().chunks).toBe(1)
  })

  it('says whether anything was removed or added', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position, Frozen)
    expect(world.exchange(ship, [Burning], [Position])).toBe(false)
    expect(world.exchange(ship, [], [])).toBe(false)
    expect(world.exchange(ship, [Frozen], [Frozen])).toBe(true)
    expect(world.exchange(ship, [Frozen], [])).toBe(true)
    expect(world.exchange(ship, [Frozen], [])).toBe(false)
    expect(world.exchange(ship, [], [Velocity])).toBe(true)
    world.batch(() => {
      expect(world.exchange(ship, [Burning], [Velocity])).toBe(false)
      expect(world.exchange(ship, [Velocity], [Velocity])).toBe(true)
      expect(world.exchange(ship, [Burning], [Frozen])).toBe(true)
    })
  })

  it('writes values into components that are there and not removed', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position({ x: 1, y: 2 }), Frozen)
    world.exchange(ship, [Frozen], [Position({ y: 5 })])
    expect(world.get(ship, Position)).toEqual({ x: 1, y: 5 })
  })

  it('refuses stale handles and wrong arguments, and changes nothing', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position, Frozen)
    const dead = world.spawn(Position)
    world.destroy(dead)
    expect(() => world.exchange('1' as never, [Position], [Frozen])).toThrow(
      expect.objectContaining({ code: 'NOT_AN_ENTITY' }),
    )
    for (const handle of [dead, NULL_ENTITY, 0, 1.5, -1, NaN]) {
      expect(() => world.exchange(handle, [Position], [Frozen])).toThrow(DeadEntityError)
      world.batch(() => expect(() => world.exchange(handle, [Position], [Frozen])).toThrow(DeadEntityError))
    }
    expect(() => world.exchange(ship, [Position, Position], [])).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_COMPONENT' }),
    )
    expect(() => world.exchange(ship, [Position], [Velocity, Velocity])).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_COMPONENT' }),
    )
    expect(() => world.exchange(ship, ['Position' as never], [])).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
    )
    expect(() => world.exchange(ship, [], [{} as never])).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
    )
    expect(world.has(ship, Position, Frozen)).toBe(true)
  })

  it.each(SINGLE)('waits in a loop, with copies of its values ($storage)', ({ Number }) => {
    const world = watchedWorld()
    const ship = world.spawn(Position, Number({ n: 1 }))
    const values = { n: 2 }
    for (const _ of world.query(Position)) {
      world.exchange(ship, [Position, Number], [Number(values), Frozen])
      values.n = 3
      expect(world.has(ship, Frozen)).toBe(false)
    }
    expect(world.has(ship, Position)).toBe(false)
    expect(world.get(ship, Number)).toEqual({ n: 2, m: 0 })
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it('fits where an add alone would not: what is removed makes room', () => {
    const world = watchedWorld()
    const Wide = component('Wide', { values: vec(f64, 1_500) })
    const Wider = component('Wider', { values: vec(f64, 1_500) })
    const ship = world.spawn(Wide)
    expect(() => world.add(ship, Wider)).toThrow(expect.objectContaining({ code: 'ROW_LIMIT' }))
    expect(() => world.exchange(ship, [Frozen], [Wider])).toThrow(
      expect.objectContaining({ code: 'ROW_LIMIT' }),
    )
    expect(world.has(ship, Wider)).toBe(false)
    expect(world.exchange(ship, [Wide], [Wider])).toBe(true)
    expect(world.has(ship, Wider)).toBe(true)
  })
})
