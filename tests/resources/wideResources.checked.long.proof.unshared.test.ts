// Shows resources that are larger than a chunk: one row, in as much memory as it needs.

import { describe, expect, it } from 'vitest'
import * as L from '../../build/layout'
import {
  clearWorld,
  destroyMany,
  internText,
  LimitError,
  NULL_ENTITY,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  resetWorld,
  resource,
  snapshotWorld,
  spawnMany,
  sweepReferences,
  sweepTexts,
  text,
  u16,
  u8,
  vec,
  type Entity,
  type Snapshot,
  type World,
} from '../../bindings/index'
import { bytesOf, expectSameBytes } from '../support/bytes'
import { pokeWord, resourceTickOf } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { MEMORY_STEP } from '../support/proofs'
import { freeBytes, leaveFree, succeeds, tryEveryAmount } from '../support/scarcity'
import { seededRandom } from '../support/storages'
import { restoreChecked } from '../support/restoring'
import { useStale } from '../support/stale'
import { watchedWorld } from '../support/watched'
import { isChecked, isSteady, testWorld } from '../support/world'

const KIB = 1024
const MIB = 2 ** 20
const Ground = resource('Ground', { cells: vec(f32, 131_072) })
const Position = component('Position', { x: f32, y: f32 })

/** Bytes of a vec of u8 that still fit into a full chunk, with the entity in front and the change ticks behind. */
const MOST_IN_CHUNK = L.CHUNK_BYTES - 16 - 16

const around = (bytes: number) => [bytes - 1, bytes, bytes + 1]
const SIZES = [
  ...around(MOST_IN_CHUNK),
  ...around(L.CHUNK_BYTES),
  ...around(64 * KIB),
  ...around(MIB),
  2 ** 24 - 1,
  2 ** 24,
]

/** Any values that differ from place to place. */
function pattern(length: number): Uint8Array<ArrayBuffer> {
  const values = new Uint8Array(length)
  for (let i = 0; i < length; i++) values[i] = i * 31 + (i >> 8)
  return values
}

/** A matcher takes seconds for a million values. */
function expectSame(left: ArrayBufferView | undefined, right: ArrayBufferView): void {
  expect(left?.constructor).toBe(right.constructor)
  const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
    new Uint8Array(buffer, byteOffset, byteLength)
  expectSameBytes(bytes(left as ArrayBufferView), bytes(right))
}

/** Bytes that a world uses more after an action. */
function bytesTaken(world: World, act: () => void): number {
  const { bytesUsed } = world.stats()
  act()
  return world.stats().bytesUsed - bytesUsed
}

describe('a resource around and beyond the size of a chunk', () => {
  it.each(SIZES)('of %i bytes keeps every one of them', (length) => {
    const Bytes = resource('Bytes', { before: u8, bytes: vec(u8, length - 1), after: u8 })
    const world = watchedWorld()
    spawnMany(world, 500, [Position({ x: 1 })])
    const row = world.resource(Bytes)
    expectSame(row.bytes, new Uint8Array(length - 1))
    const values = pattern(length - 1)
    row.bytes.set(values)
    row.before = 7
    row.after = 9
    spawnMany(world, 5000, [Position({ x: 1 })])
    checkInvariants(world)
    expectSame(row.bytes, values)
    expect([row.before, row.after]).toEqual([7, 9])
    values.reverse()
    world.setResource(Bytes, { bytes: values })
    expectSame(world.getResource(Bytes)?.bytes, values)
    expect(world.resource(Bytes).before).toBe(7)
  })

  it.each(SIZES)('of %i bytes takes what it needs and frees all of it', (length) => {
    const Bytes = resource('Bytes', { bytes: vec(u8.default(5), length) })
    const world = watchedWorld()
    world.resource(Bytes)
    world.removeResource(Bytes)
    const taken = bytesTaken(world, () => world.resource(Bytes).bytes.fill(1))
    expect(taken).toBeGreaterThanOrEqual(length)
    expect(taken).toBeLessThanOrEqual(Math.max(length + 2 * KIB, L.CHUNK_BYTES))
    expect(bytesTaken(world, () => world.removeResource(Bytes))).toBe(-taken)
    checkInvariants(world)
    expect(world.getResource(Bytes)).toBeUndefined()
    expect(world.resource(Bytes).bytes.every((value) => value === 5)).toBe(true)
  })

  it('leaves to others what its block has beyond its own size', () => {
    const world = watchedWorld({ memory: { maximum: 3 * MIB } })
    world.resource(Ground).cells.fill(3)
    leaveFree(world, 0)
    expect(freeBytes(world)).toBe(0)
    expect(world.resource(Ground).cells.every((value) => value === 3)).toBe(true)
  })

  it('is created and removed any number of times in a memory that holds it once', () => {
    const world = watchedWorld({ memory: { maximum: 2 * MIB } })
    const Once = resource('Once', { cells: vec(f64, 80_000) })
    for (let round = 0; round < 20; round++) {
      expect(world.resource(Once).cells[79_999]).toBe(0)
      world.resource(Once).cells.fill(round + 1)
      world.removeResource(Once)
      destroyMany(world, spawnMany(world, 20_000, [Position]))
    }
  })
})

describe('fields of a wide resource', () => {
  const list = Array.from({ length: 5000 }, (_, i) => i / 2)
  const Mixed = resource('Mixed', {
    flags: vec(bool, 9001),
    rate: f64.default(0.1),
    bytes: vec(u8.default(7), 20_001),
    who: vec(entity, 5000),
    name: text.default('nobody'),
    heights: vec(f32, 5000).default(list),
    small: vec(i16, 3).default([1, -2, 3]),
    set: vec(bool.default(true), 5000),
    doubles: vec(f64.default(-0), 7),
    count: u16.default(11),
  })

  it('have their defaults, zero and not, when they are created and when they are created again', () => {
    const world = watchedWorld()
    for (let round = 0; round < 2; round++) {
      const mixed = world.resource(Mixed)
      expectSame(mixed.flags, new Uint8Array(9001))
      expect(mixed.rate).toBe(0.1)
      expectSame(mixed.bytes, new Uint8Array(20_001).fill(7))
      expectSame(mixed.who, new Uint32Array(5000).fill(NULL_ENTITY))
      expect(mixed.name).toBe('nobody')
      expectSame(mixed.heights, Float32Array.from(list))
      expectSame(mixed.small, Int16Array.of(1, -2, 3))
      expectSame(mixed.set, new Uint8Array(5000).fill(1))
      expectSame(mixed.doubles, new Float64Array(7).fill(-0))
      expect(mixed.count).toBe(11)
      for (const values of [mixed.flags, mixed.bytes, mixed.heights, mixed.small]) values.fill(1)
      mixed.who.fill(1 as Entity)
      world.setResource(Mixed, { name: 'somebody', rate: 5, count: 0 })
      world.removeResource(Mixed)
    }
  })

  it('do not run into each other', () => {
    const world = watchedWorld()
    world.setResource(Mixed, { name: 'Ada', flags: new Array<number>(9001).fill(1) })
    const mixed = world.resource(Mixed)
    mixed.bytes.fill(255)
    mixed.who.fill(0 as Entity)
    mixed.rate = 2
    mixed.count = 65_535
    expectSame(mixed.heights, Float32Array.from(list))
    expectSame(mixed.flags, new Uint8Array(9001).fill(1))
    expect(world.getResource(Mixed)).toMatchObject({ name: 'Ada', rate: 2, count: 65_535 })
    expectSame(mixed.doubles, new Float64Array(7).fill(-0))
  })

  it('a default list is a copy of what was given', () => {
    const given = new Float32Array(5000).fill(2)
    const Copied = resource('Copied', { cells: vec(f32, 5000).default(given) })
    given.fill(3)
    expectSame(watchedWorld().resource(Copied).cells, new Float32Array(5000).fill(2))
  })

  it('show a short default as a list, a long one without keeping it', () => {
    expect(vec(f32, 3).defaultValue).toEqual([0, 0, 0])
    expect(vec(f32.default(2), 5000).defaultValue).toEqual(new Array(5000).fill(2))
    expect(vec(u8, 2).default([4, 5]).defaultValue).toEqual([4, 5])
  })

  it('wrong lists are refused, and nothing is made', () => {
    const world = watchedWorld()
    const values = new Array<number>(20_001).fill(0)
    values[20_000] = 256
    expect(() => world.setResource(Mixed, { bytes: values })).toThrow(/Mixed\.bytes\[20000\]/)
    expect(() => world.setResource(Mixed, { heights: [1] })).toThrow(/Mixed\.heights takes a list of 5000/)
    expect(world.hasResource(Mixed)).toBe(false)
  })

  it('of entities are swept of dead handles, at any position', () => {
    const world = watchedWorld()
    const [dead, alive] = [world.spawn(), world.spawn()]
    const { who } = world.resource(Mixed)
    who[0] = dead
    who[1] = alive
    who[4999] = dead
    world.destroy(dead)
    expect(sweepReferences(world)).toBe(2)
    expect([who[0], who[1], who[4999]]).toEqual([NULL_ENTITY, alive, NULL_ENTITY])
  })

  it('of text keep their strings alive', () => {
    const world = watchedWorld()
    world.setResource(Mixed, { name: 'Ada' })
    internText(world, 'nobody else')
    expect(sweepTexts(world)).toBe(1)
    expect(world.resource(Mixed).name).toBe('Ada')
  })

  it('are only scalars, if there are very many', () => {
    const names = Array.from({ length: 1700 }, (_, k) => `f${k}`)
    const Many = resource('Many', Object.fromEntries(names.map((name, k) => [name, f64.default(k)])))
    const Short = resource('Short', Object.fromEntries(names.map((name, k) => [name, f32.default(k)])))
    const world = watchedWorld()
    expect(world.getResource(Many) ?? world.resource(Many)).toMatchObject({ f0: 0, f1: 1, f1699: 1699 })
    expect(world.resource(Short)).toMatchObject({ f0: 0, f1: 1, f1699: 1699 })
  })
})

describe('a wide resource and the life of a world', () => {
  it('is kept by clear, and gone after reset, with every byte of it', () => {
    const world = watchedWorld({ memory: { initial: 4 * MIB } })
    const fresh = bytesOf(watchedWorld({ memory: { initial: 4 * MIB } }))
    const ground = world.resource(Ground)
    ground.cells.fill(-1)
    spawnMany(world, 100, [Position])
    clearWorld(world)
    expect(ground.cells.every((value) => value === -1)).toBe(true)
    resetWorld(world)
    expect(world.hasResource(Ground)).toBe(false)
    expectSameBytes(bytesOf(world), fresh)
    expect(world.resource(Ground).cells.every((value) => value === 0)).toBe(true)
    world.removeResource(Ground)
    resetWorld(world)
    expectSameBytes(bytesOf(world), fresh)
  })

  it('gives the same bytes for the same calls', () => {
    const [a, b] = [0, 1].map(() => {
      const world = testWorld({ memory: { initial: MIB } })
      spawnMany(world, 100, [Position])
      world.resource(Ground).cells.fill(2)
      spawnMany(world, 3000, [Position])
      world.removeResource(Ground)
      world.setResource(Ground, { cells: new Float32Array(131_072).fill(4) })
      return bytesOf(world)
    })
    expectSameBytes(a, b)
  })

  it('is lost with a disposed world, whose kept cursors and arrays harm no other', () => {
    const world = watchedWorld()
    const ground = world.resource(Ground)
    world.dispose()
    if (!isChecked) expect(ground.cells.length).toBe(0)
    useStale(() => (ground.cells = new Float32Array(131_072)))
    expect(() => world.resource(Ground)).toThrow(/disposed/)
  })

  it('makes a kept cursor useless once it is gone: no byte in use changes', () => {
    const world = watchedWorld()
    const ground = world.resource(Ground)
    world.removeResource(Ground)
    const handles = spawnMany(world, 20_000, [Position({ x: 3 })])
    const before = bytesOf(world).subarray(L.HEAP_ADDRESS)
    if (!isChecked) expect(ground.cells.length).toBe(0)
    useStale(() => (ground.cells = new Float32Array(131_072).fill(99)))
    expect(() => (ground.cells = new Float32Array(1))).toThrow(/Ground\.cells/)
    expectSameBytes(bytesOf(world).subarray(L.HEAP_ADDRESS), before)
    expect(world.isAlive(handles[19_999] as number)).toBe(true)
  })

  it('detaches the arrays over it when it is removed, and they cannot reach the next owner of its memory', () => {
    const ways: Record<string, (world: World, before: Snapshot) => void> = {
      removeResource: (world) => world.removeResource(Ground),
      reset: (world) => resetWorld(world),
      'a restore of a time before it': (world, before) => restoreChecked(world, before),
    }
    for (const [way, leave] of Object.entries(ways)) {
      const world = watchedWorld()
      const before = snapshotWorld(world)
      const { cells } = world.resource(Ground)
      leave(world, before)
      spawnMany(world, 20_000, [Position({ x: 3 })])
      const bytes = bytesOf(world).subarray(L.HEAP_ADDRESS)
      cells[5] = 99
      expectSameBytes(bytesOf(world).subarray(L.HEAP_ADDRESS), bytes)
      if (cells.length !== 0) expect.unreachable(way)
      expect(world.resource(Ground).cells[5]).toBe(0)
    }
  })

  it('leaves all arrays as they are when it is removed and its list was never read', () => {
    const world = watchedWorld()
    world.resource(Ground)
    const other = world.resource(resource('Other', { cells: vec(f32, 131_072) })).cells
    world.removeResource(Ground)
    if (isSteady) expect(other.length).toBe(131_072)
  })

  it('keeps them across a restore to a time when it had the same address', () => {
    const world = watchedWorld()
    const { cells } = world.resource(Ground)
    cells[5] = 1
    const before = snapshotWorld(world)
    cells[5] = 2
    spawnMany(world, 100, [Position])
    if (!isSteady) return
    restoreChecked(world, before)
    expect(cells[5]).toBe(1)
    expect(world.resource(Ground).cells[5]).toBe(1)
  })

  it('that is removed in a loop leaves the arrays of the loop as they are until it ends', () => {
    const world = watchedWorld()
    const entities = spawnMany(world, 10, [Position({ x: 3 })])
    const { cells } = world.resource(Ground)
    for (const chunk of world.query(Position)) {
      const { x } = chunk.write(Position)
      world.removeResource(Ground)
      for (let row = chunk.start; row < chunk.end; row++) x[row] += 1
    }
    expect(cells.length).toBe(0)
    expect(entities.every((entity) => world.get(entity, Position)?.x === 4)).toBe(true)
  })

  it('stays where a kept cursor finds it while memory grows; arrays taken before end there', () => {
    const world = watchedWorld({ memory: { initial: MIB } })
    const ground = world.resource(Ground)
    const { cells } = ground
    cells[131_071] = 12
    const { bytesReserved } = world.stats()
    spawnMany(world, 400_000, [Position])
    expect(world.stats().bytesReserved).toBeGreaterThan(bytesReserved)
    expect(cells.length).toBe(0)
    expect(ground.cells[131_071]).toBe(12)
    expect(ground.cells.length).toBe(131_072)
  })

  it('grows the memory when it is created, which leaves all other cursors valid', () => {
    const world = watchedWorld({ memory: { initial: MIB } })
    const Other = resource('Other', { cells: vec(f32, 131_072) })
    const ground = world.resource(Ground)
    ground.cells.fill(6)
    const entity = world.spawn(Position({ x: 1 }))
    const { bytesReserved } = world.stats()
    // The list lies in the memory that grows.
    world.setResource(Other, { cells: ground.cells })
    expect(world.stats().bytesReserved).toBeGreaterThan(bytesReserved)
    expect(world.resource(Other).cells.every((value) => value === 6)).toBe(true)
    expect(ground.cells.every((value) => value === 6)).toBe(true)
    expect(world.get(entity, Position)?.x).toBe(1)
    world.removeResource(Ground)
    expect(world.resource(Other).cells.every((value) => value === 6)).toBe(true)
  })

  it('has a change tick that each way of writing marks, and so does reading its list', () => {
    const world = watchedWorld()
    const ground = world.resource(Ground)
    const ticks: number[] = []
    const after = (act: () => void) => {
      world.advanceTick()
      act()
      ticks.push(resourceTickOf(world, Ground))
    }
    after(() => world.setResource(Ground, { cells: new Float32Array(131_072) }))
    after(() => void ground.cells)
    after(() => (ground.cells = new Float32Array(131_072)))
    after(() => world.getResource(Ground))
    expect(ticks).toEqual([2, 3, 4, 4])
  })

  it('has its change tick kept in range when ticks are aged', () => {
    const world = watchedWorld()
    world.resource(Ground).cells.fill(8)
    pokeWord(world, L.WORLD_TICK, 0x7fffffff)
    world.advanceTick()
    expect(resourceTickOf(world, Ground)).toBe(0x40000000)
    expect(world.getResource(Ground)?.cells.every((value) => value === 8)).toBe(true)
  })

  it('is refused inside a loop while it is missing', () => {
    const world = watchedWorld()
    world.spawn(Position)
    world.query(Position).each(() => {
      expect(() => world.resource(Ground)).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
    })
    expect(world.hasResource(Ground)).toBe(false)
  })

  it('keeps its values through whatever else happens in the memory', () => {
    const random = seededRandom(6)
    const world = watchedWorld({ memory: { initial: MIB, maximum: 16 * MIB } })
    const lengths = [4200, 16_384, 50_000, 131_072, 300_000]
    const kinds = lengths.map((length) => resource(`R${length}`, { cells: vec(f32.default(0.5), length) }))
    const held = new Map<(typeof kinds)[number], number>()
    for (let step = 0; step < 300; step++) {
      const one = kinds[Math.floor(random() * kinds.length)] as (typeof kinds)[number]
      const chance = random()
      if (chance < 0.3) spawnMany(world, Math.floor(random() * 3000), [Position])
      else if (chance < 0.4) destroyMany(world.query(Position))
      else if (chance < 0.6) expect(world.removeResource(one)).toBe(held.delete(one))
      else {
        const value = held.get(one) ?? 0.5
        expect(world.resource(one).cells.every((cell) => cell === value)).toBe(true)
        world.resource(one).cells.fill(step)
        held.set(one, step)
      }
      checkInvariants(world, 'tables')
    }
    for (const [one, value] of held)
      expect(world.resource(one).cells.every((cell) => cell === value)).toBe(true)
  })
})

describe('the limits of a wide resource', () => {
  it('a wide resource that finds no memory is not made, and can be made later, whatever is left', () => {
    const Land = resource('Land', { a: f32.default(1), b: vec(f64.default(2), 2500) })
    for (const hidesObjects of [false, true]) {
      const attempt = (kib: number) => {
        const world = testWorld({ memory: { maximum: MIB } })
        const ballast = spawnMany(world, 8000, [Position({ x: 4 })])
        leaveFree(world, kib)
        const made = succeeds(() => world.setResource(Land, { a: 7 }), hidesObjects ? world : undefined)
        checkInvariants(world)
        expect(world.hasResource(Land)).toBe(made)
        expect(world.query(Position).count).toBe(8000)
        if (!made) {
          destroyMany(world, ballast)
          world.setResource(Land, { a: 7 })
          checkInvariants(world)
        }
        expect(world.getResource(Land)).toEqual({ a: 7, b: new Float64Array(2500).fill(2) })
        return made
      }
      tryEveryAmount(attempt, { step: MEMORY_STEP, most: 200 })
    }
  })

  it('a memory that may not grow enough reports which resource has no room, and how large it is', () => {
    const world = watchedWorld({ memory: { maximum: MIB } })
    const { chunks, bytesUsed } = world.stats()
    expect(() => world.resource(Ground)).toThrow(/resource Ground, which takes 524288 bytes.*memory\.maximum/)
    expect(() => world.resource(Ground)).toThrow(expect.objectContaining({ code: 'MEMORY_LIMIT' }))
    expect(() => world.resource(Ground)).toThrow(LimitError)
    expect(world.hasResource(Ground)).toBe(false)
    expect(world.stats().chunks).toBe(chunks)
    expect(world.stats().bytesUsed - bytesUsed).toBeLessThan(16 * KIB)
  })

  it('a row that no block can hold is refused and not registered; one that just fits only lacks memory', () => {
    const eighth = vec(f64, 2 ** 24)
    const sevenEighths = { a: eighth, b: eighth, c: eighth, d: eighth, e: eighth, f: eighth, g: eighth }
    // The ticks and the handle, each rounded up to 16 bytes, come first.
    const room = (L.MAX_BLOCK_BYTES - 2 * L.COLUMN_ALIGNMENT) / 8 - 7 * 2 ** 24
    const world = watchedWorld({ memory: { maximum: MIB } })
    const { components } = world.stats()
    for (const more of [{ h: vec(f64, room + 1) }, { h: eighth }, { h: eighth, i: eighth, j: eighth }]) {
      const TooLarge = resource(`TooLarge${Object.keys(more).length}${more.h.length}`, {
        ...sevenEighths,
        ...more,
      })
      for (const call of [() => world.resource(TooLarge), () => world.setResource(TooLarge, {})]) {
        expect(call).toThrow(/TooLarge\d+ takes \d{10} bytes/)
        expect(call).toThrow(expect.objectContaining({ code: 'ROW_LIMIT' }))
        expect(call).toThrow(LimitError)
      }
      expect(world.hasResource(TooLarge)).toBe(false)
      expect(world.stats().components).toBe(components)
    }
    const Fits = resource('Fits', { ...sevenEighths, h: vec(f64, room) })
    expect(() => world.resource(Fits)).toThrow(expect.objectContaining({ code: 'MEMORY_LIMIT' }))
  })

  it('more fields than can be described are refused with their number', () => {
    const names = Array.from({ length: 5000 }, (_, k) => `f${k}`)
    const Many = resource('Many', Object.fromEntries(names.map((name) => [name, f64])))
    const world = watchedWorld()
    expect(() => world.resource(Many)).toThrow(
      /description of Many takes \d+ bytes, for 5000 fields; at most 65536 fit/,
    )
    expect(world.hasResource(Many)).toBe(false)
  })

  it.each([0, 1.5, 2 ** 24 + 1, Infinity])('a vec of %s values is refused when it is declared', (length) => {
    expect(() => vec(u8, length)).toThrow(/16,777,216/)
  })
})
