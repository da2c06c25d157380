// Shows the allocator through a world: freed memory is used again, memory grows no further than it must, and page 0 stays
// untouched.

import { describe, expect, it } from 'vitest'
import * as L from '../../build/layout'
import {
  addMany,
  clearWorld,
  component,
  destroyMany,
  f32,
  removeMany,
  resetWorld,
  sparse,
  spawnMany,
  stable,
  tag,
  u32,
  u8,
  type Entity,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const MIB = 2 ** 20
const Position = component('Position', { x: f32, y: f32 })
const Health = component('Health', { hp: u32 }, { storage: sparse })
const Slot = component('Slot', { value: u8 }, { storage: stable })

function heapOf(world: World): { u8: Uint8Array; u32: Uint32Array } {
  return (world as unknown as { state: { heap: { u8: Uint8Array; u32: Uint32Array } } }).state.heap
}

describe('freed memory', () => {
  it('is given back when many entities die, and the survivors keep their values', () => {
    const world = testWorld()
    world.query(Position)
    const handles = spawnMany(world, 20_000, [Position, Health, Slot])
    const survivors = [3, 777, 12_345, 19_999].map((i) => handles[i])
    for (const entity of survivors) world.set(entity, Position, { x: entity, y: 1 })
    const { bytesUsed } = world.stats()
    destroyMany(
      world,
      handles.filter((handle) => !survivors.includes(handle)),
    )
    checkInvariants(world)
    expect(bytesUsed - world.stats().bytesUsed).toBeGreaterThan(20_000 * 12)
    for (const entity of survivors) expect(world.get(entity, Position)).toEqual({ x: entity, y: 1 })
  })

  it('is used again: two hundred rounds of the same work take no more than a few', () => {
    const world = testWorld({ memory: { initial: MIB } })
    const Mark = tag('Mark')
    const round = () => {
      spawnMany(world, 2000, [Position, Health, Slot])
      addMany(world.query(Position), Mark)
      removeMany(world.query(Mark), Health)
      destroyMany(world.query(Position))
    }
    // Indices rest before they come back, and retire after 256 uses: in between the records do not grow.
    for (let i = 0; i < 4; i++) round()
    const { bytesUsed, bytesReserved } = world.stats()
    for (let i = 0; i < 200; i++) round()
    expect(world.stats()).toMatchObject({ bytesUsed, bytesReserved, entities: 0, chunks: 0 })
    checkInvariants(world)
  })

  it('of chunks serves tables and vice versa', () => {
    const world = testWorld({ memory: { maximum: MIB } })
    const { bytesUsed } = world.stats()
    const handles = spawnMany(world, 8000, [Position])
    expect(world.stats().bytesUsed - bytesUsed).toBeGreaterThan(8000 * 12)
    destroyMany(world, handles)
    // Archetypes and their lists now take what chunks had.
    for (let i = 0; i < 700; i++) world.destroy(world.spawn(tag(`T${i}`)))
    checkInvariants(world)
    expect(spawnMany(world, 3000, [Position, Health]).length).toBe(3000)
    checkInvariants(world)
  })

  it('of a lone entity that moves back and forth waits for its return, and serves larger things when they come', () => {
    const world = testWorld({ memory: { maximum: MIB } })
    const Mark = tag('Mark')
    const entity = world.spawn(Position)
    for (let i = 0; i < 100; i++) {
      world.add(entity, Mark, Slot)
      checkInvariants(world)
      world.remove(entity, Mark, Slot)
      expect(world.stats().chunks).toBe(1)
    }
    const full = () => {
      const handles: Entity[] = []
      try {
        for (;;) handles.push(world.spawn(Position))
      } catch {
        checkInvariants(world)
        return handles
      }
    }
    // As many fit as in a memory in which nothing ever rested.
    const first = full()
    destroyMany(world, first)
    for (let i = 0; i < 100; i++) {
      world.add(entity, Mark, Slot)
      world.remove(entity, Mark, Slot)
    }
    expect(full().length).toBe(first.length)
  })

  it('is all free after clear, except for what the world has registered', () => {
    const world = testWorld()
    spawnMany(world, 5000, [Position, Health, Slot])
    clearWorld(world)
    const { bytesUsed } = world.stats()
    spawnMany(world, 5000, [Position, Health, Slot])
    clearWorld(world)
    expect(world.stats()).toMatchObject({ chunks: 0, entities: 0 })
    expect(world.stats().bytesUsed).toBeLessThanOrEqual(bytesUsed + 5000 * 24)
    checkInvariants(world)
  })
})

describe('pages of a sparse set', () => {
  for (const [name, kind] of [
    ['sparse', Health],
    ['stable', Slot],
  ] as const) {
    it(`of a ${name} component appear with the first entity of 4,096 and go with the last`, () => {
      const world = testWorld()
      const handles = spawnMany(world, 10_000, [Position])
      world.query(kind)
      const withPage = (index: number) => handles[index]
      world.add(withPage(0), kind)
      world.remove(withPage(0), kind)
      const { bytesUsed } = world.stats()
      for (const index of [4094, 4095, 9999]) world.add(withPage(index), kind)
      checkInvariants(world)
      const pages = (world.stats().bytesUsed - bytesUsed) / (4 * 4096)
      expect(pages).toBeGreaterThanOrEqual(3)
      world.remove(withPage(9999), kind)
      checkInvariants(world)
      for (const index of [4094, 4095]) world.remove(withPage(index), kind)
      expect(world.stats().bytesUsed).toBe(bytesUsed)
      checkInvariants(world)
    })
  }
})

describe('memory', () => {
  it('grows past every size of the bitmap of free blocks, and stays whole', () => {
    const world = testWorld({ memory: { initial: MIB } })
    let handles: Uint32Array | undefined
    for (const count of [100_000, 400_000, 900_000, 1_200_000]) {
      handles = spawnMany(world, count, [Position])
      checkInvariants(world, 'tables')
    }
    expect(world.stats().bytesReserved).toBeGreaterThan(32 * MIB)
    destroyMany(world, handles as Uint32Array)
    checkInvariants(world, 'tables')
    destroyMany(world.query(Position))
    checkInvariants(world, 'tables')
    expect(world.stats()).toMatchObject({ entities: 0, chunks: 0 })
  })

  it('never grows beyond its maximum, whole pages below it', () => {
    const world = testWorld({ memory: { maximum: 3 * MIB + 5000 } })
    const spawnAll = () => {
      while (true) spawnMany(world, 500, [Position, Health])
    }
    expect(spawnAll).toThrow(/memory/)
    expect(world.stats().bytesReserved).toBeLessThanOrEqual(3 * MIB)
    expect(world.stats().bytesReserved).toBeGreaterThan(2 * MIB)
    checkInvariants(world)
  })

  it('of page 0 is left to the kernels of users', () => {
    const world = testWorld()
    const mark = () => heapOf(world).u8.subarray(0, L.CORE_START)
    mark().fill(0x5a)
    spawnMany(world, 50_000, [Position, Health, Slot])
    addMany(world.query(Position), tag('Mark'))
    destroyMany(world.query(Slot))
    clearWorld(world)
    resetWorld(world)
    expect(mark().every((byte) => byte === 0x5a)).toBe(true)
  })

  it('of 10,000 archetypes with an entity each fits in 32 MiB', () => {
    const world = testWorld({ memory: { maximum: 32 * MIB } })
    const tags = Array.from({ length: 14 }, (_, i) => tag(`Bit${i}`))
    world.query(Position)
    for (let i = 0; i < 10_000; i++)
      world.spawn(Position({ x: i }), ...tags.filter((_, bit) => ((i >> bit) & 1) === 1))
    expect(world.stats().archetypes).toBeGreaterThanOrEqual(10_000)
    expect(world.query(Position).count).toBe(10_000)
    checkInvariants(world)
  })

  it('of a tag added to all of 2,000 archetypes grows by what the archetypes need, not by their chunks', () => {
    const world = testWorld({ memory: { initial: MIB } })
    const tags = Array.from({ length: 11 }, (_, i) => tag(`Bit${i}`))
    for (let i = 0; i < 2000; i++) world.spawn(Position, ...tags.filter((_, bit) => ((i >> bit) & 1) === 1))
    const { bytesReserved } = world.stats()
    addMany(world.query(Position), tag('Mark'))
    expect(world.stats().bytesReserved).toBeLessThan(3 * bytesReserved)
    checkInvariants(world)
  })

  it('of chunks adopted from many archetypes can be handed on', () => {
    const world = testWorld()
    const tags = Array.from({ length: 60 }, (_, i) => tag(`Mark${i}`))
    const Last = tag('Last')
    for (const mark of tags) spawnMany(world, 84, [Position({ x: 3 }), mark])
    removeMany(world.query(Position), ...tags)
    checkInvariants(world)
    addMany(world.query(Position), Last)
    checkInvariants(world)
    expect(world.query(Last, Position).count).toBe(60 * 84)
  })
})
