// Shows that a snapshot copies what memory holds and nothing else: the pages in use, at any place, whatever lies free between them.

import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  component,
  destroyMany,
  f32,
  resetWorld,
  resource,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  u8,
  vec,
  type World,
} from '../../bindings/index'
import { LAYOUT } from '../support/layout'
import { checkInvariants } from '../support/invariants'
import { wordAt } from '../support/inside'
import { testWorld } from '../support/world'

const MIB = 2 ** 20
const PAGE = 65_536
const Position = component('Position', { x: f32, y: f32 })
const Wide = resource('Wide', { cells: vec(u8, 3 * 2 ** 20) })
const Wider = resource('Wider', { cells: vec(u8, 5 * 2 ** 20) })

describe('the size of a snapshot', () => {
  it.each([1, 8, 64, 160])('An empty world takes two pages, even with %s MiB of memory', (mebibytes) => {
    const world = testWorld({ memory: { initial: mebibytes * MIB } })
    expect(snapshotWorld(world).byteLength).toBeLessThan(3 * PAGE)
  })

  it('Free memory is not copied, and its place is the same after a restore', () => {
    const world = testWorld({ memory: { initial: 32 * MIB } })
    world.resource(Wide)
    world.resource(Wider).cells.fill(7)
    const large = snapshotWorld(world).byteLength
    expect(large).toBeGreaterThan(8 * MIB)
    world.removeResource(Wide)
    const before = snapshotWorld(world)
    expect(before.byteLength).toBeLessThan(large - 2 * MIB)
    world.resource(Wide).cells.fill(9)
    world.removeResource(Wider)
    restoreWorld(world, before)
    checkInvariants(world)
    expect(world.resource(Wider).cells.every((cell) => cell === 7)).toBe(true)
    expect(world.resource(Wide).cells.every((cell) => cell === 0)).toBe(true)
    checkInvariants(world)
  })

  it('Its size follows what is in use, not what was ever touched', () => {
    const world = testWorld({ memory: { initial: 64 * MIB } })
    const handles = spawnMany(world, 300_000, [Position])
    const full = snapshotWorld(world)
    destroyMany(world, handles)
    const { bytesUsed } = world.stats()
    const empty = snapshotWorld(world)
    expect(wordAt(world, LAYOUT.BLOCKS_TOUCHED)).toBeGreaterThan(bytesUsed)
    expect(empty.byteLength).toBeLessThan(bytesUsed + 4 * PAGE)
    restoreWorld(world, full)
    checkInvariants(world)
    expect(world.isAlive(handles[299_999] as never)).toBe(true)
  })

  it('It reports its bytes, its tick and how many entities there were', () => {
    const world = testWorld()
    spawnMany(world, 12, [Position])
    world.advanceTick()
    const taken = snapshotWorld(world)
    const { tick } = world
    spawnMany(world, 5, [Position])
    world.advanceTick()
    expect([taken.entities, taken.tick, taken.byteLength % 4]).toEqual([12, tick, 0])
    expect(String(taken)).toBe(`Snapshot(12 entities, tick ${tick}, ${taken.byteLength} bytes)`)
    expect(JSON.stringify(taken)).toBe(JSON.stringify(String(taken)))
  })
})

describe('a snapshot that is written again', () => {
  it('It is the same object, and holds the later state', () => {
    const world = testWorld()
    const taken = snapshotWorld(world)
    const handles = spawnMany(world, 30_000, [Position({ x: 1 })])
    expect(snapshotWorld(world, { into: taken })).toBe(taken)
    expect(taken.entities).toBe(30_000)
    clearWorld(world)
    restoreWorld(world, taken)
    checkInvariants(world)
    expect(world.get(handles[29_999] as never, Position)).toEqual({ x: 1, y: 0 })
    destroyMany(world, handles.subarray(10))
    snapshotWorld(world, { into: taken })
    clearWorld(world)
    restoreWorld(world, taken)
    checkInvariants(world)
    expect(world.query(Position).count).toBe(10)
  })

  it('It may belong to another world', () => {
    const [a, b] = [testWorld(), testWorld()]
    const e = a.spawn(Position({ x: 3 }))
    const taken = snapshotWorld(b)
    spawnMany(b, 100, [Position])
    snapshotWorld(a, { into: taken })
    restoreWorld(b, taken)
    expect(b.get(e, Position)?.x).toBe(3)
    checkInvariants(b)
  })

  it.each([
    ['a word', 'fast'],
    ['a list', []],
    ['another option', { onto: 1 }],
  ])('%s is refused', (_, options) => {
    expect(() => snapshotWorld(testWorld(), options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })
})

describe('memory beyond what the snapshot had touched', () => {
  it('It is zeros again, as a reset and growing memory expect', () => {
    const world = testWorld({ memory: { initial: 4 * MIB, maximum: 4 * MIB } })
    world.spawn(Position)
    const before = snapshotWorld(world)
    const touched = wordAt(world, LAYOUT.BLOCKS_TOUCHED)
    spawnMany(world, 100_000, [Position({ x: 1, y: 2 })])
    restoreWorld(world, before)
    const heapOf = (one: World) => (one as unknown as { state: { heap: { u32: Uint32Array } } }).state.heap
    const { u32 } = heapOf(world)
    const heads = new Set<number>()
    for (let page = Math.ceil(touched / PAGE); page * PAGE < 4 * MIB; page++)
      for (let word = 0; word < 3; word++) heads.add((page * PAGE) / 4 + word)
    const stray: number[] = []
    for (let word = Math.ceil(touched / PAGE) * (PAGE / 4); word < u32.length; word++)
      if (u32[word] !== 0 && !heads.has(word)) stray.push(word)
    expect(stray).toEqual([])
    resetWorld(world)
    checkInvariants(world)
    const fresh = testWorld({ memory: { initial: 4 * MIB, maximum: 4 * MIB } })
    resetWorld(fresh)
    const other = heapOf(fresh).u32
    expect(heapOf(world).u32.every((word, i) => word === other[i])).toBe(true)
  })
})
