// Shows that the map of memory covers every byte once, in order, and agrees with the independent walk of
// tests/support/invariants.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type World,
  changed,
  component,
  f32,
  f64,
  relation,
  resource,
  restore,
  snapshot,
  tag,
  text,
  u32,
  u8,
  vec,
} from '../../../../bindings/index'
import { type MemoryRegion, inspect } from '../../src/inspect/inspect'
import { ledgerOf } from '../../../../tests/support/invariants'
import { proofLength } from '../../../../tests/support/proofs'
import { Session, steps } from '../../../../tests/support/script/session'
import { testWorld } from '../../../../tests/support/world'
import { watchedWorld } from '../../../../tests/support/watched'

const KIB = 1024
const HEAP = 3 * 65_536

/** What the ledger calls pieces of each kind; a table has any other name. */
const NAMES: Partial<Record<MemoryRegion['kind'], RegExp>> = {
  free: /^a (?:free block|resting block)/,
  objects: /^the slab of /,
  chunk: /^a (?:wide )?chunk$/,
  pool: /^(?:a sparse page|a page directory|the entries of the order|the ids of the group)/,
  records: /^the (?:entity records|births|sparse heads|peaks of generations)/,
  texts: /^the (?:texts|units of a text)/,
}

/** The kind that a region should have by what the ledger calls it. */
function kindOf(name: string): MemoryRegion['kind'] {
  for (const [kind, pattern] of Object.entries(NAMES)) if (pattern.test(name)) return kind as never
  return 'table'
}

/** Throws unless the map is whole, and says what the ledger says. */
function checkMap(world: World): MemoryRegion[] {
  const regions = inspect(world).memory()
  const { bytesReserved, bytesUsed } = world.stats()
  let at = 0
  for (const { start, bytes, fill } of regions) {
    expect(start).toBe(at)
    expect(bytes).toBeGreaterThan(0)
    expect(fill).toBeGreaterThanOrEqual(0)
    expect(fill).toBeLessThanOrEqual(1)
    at += bytes
  }
  expect(at).toBe(bytesReserved)
  const used = regions.filter(({ kind }) => kind !== 'free' && kind !== 'reserved')
  expect(used.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(bytesUsed)

  const ledger = ledgerOf(world)
  for (const { start, bytes, kind } of regions) {
    if (start < HEAP || kind === 'reserved') continue
    for (let address = start; address < start + bytes; address += KIB)
      expect(kindOf(ledger.ownerAt(address) as string), `at ${address}`).toBe(kind)
  }
  return regions
}

describe('the map of memory', () => {
  it('covers every byte once, and names what has it as the walk over all memory does, after any script', () => {
    let maps = 0
    fc.assert(
      fc.property(steps(50, 400), fc.nat(), (script, querySeed) => {
        const session = new Session(testWorld(), 0x7fffffff, querySeed)
        let count = 0
        session.run(script, () => {
          if (++count % 40 !== 0) return
          checkMap(session.world)
          maps++
        })
        checkMap(session.world)
        session.world.dispose()
      }),
      { numRuns: proofLength(30), seed: 18 },
    )
    expect(maps).toBeGreaterThan(0)
  })

  it('names what is too large to share a block: wide resources, long texts, links, many components and queries', () => {
    const world = watchedWorld()
    const Grid = resource('Grid', { cells: vec(f32, 10_000) })
    const Name = component('Name', { value: text })
    const Likes = relation('Likes', { much: f64 })
    const Wide = component('Wide', { list: vec(f32, 400).default(Array.from({ length: 400 }, (_, i) => i)) })
    const Slot = component('Slot', { n: u8 }, { storage: 'stable' })
    const Listed = tag('Listed', { order: 'insertion' })
    world.resource(Grid)
    const all = Array.from({ length: 3000 }, (_, i) =>
      world.spawn(Name({ value: 'x'.repeat(i % 7 === 0 ? 2000 + i : 3) }), Slot, Listed, Wide),
    )
    for (let i = 1; i < 1000; i++) world.add(all[i], Likes(all[i - 1]))
    const many = Array.from({ length: 300 }, (_, i) => tag(`Tag ${i}`))
    for (let i = 0; i < 300; i++) world.add(all[i], ...(many.slice(0, i) as []))
    world.spawn(...(many as []))
    for (let i = 0; i < 200; i++) world.query(many[i], Name)
    for (let i = 0; i < 100; i++) for (const _ of world.query(changed(Name))) void _
    world.destroyMany(all.slice(500, 2500))
    const regions = checkMap(world)
    const ownersOf = (kind: string) =>
      new Set(regions.filter((one) => one.kind === kind).map(({ owner }) => owner))
    expect(ownersOf('chunk')).toContain('the resource Grid')
    expect(ownersOf('chunk')).toContain('the pool of Likes')
    expect([...ownersOf('chunk')].some((owner) => /^the resource links \d+ of Likes$/.test(owner))).toBe(true)
    expect(ownersOf('pool')).toContain('a page of Slot')
    expect(ownersOf('pool')).toContain('the order of Listed')
    expect(ownersOf('texts')).toContain('a long text')
    expect(ownersOf('table')).toContain('the list of chunks')
    expect(ownersOf('records')).toContain('the records of entities')
  })

  it('says how full chunks are, and how much of the blocks of small objects is in use', () => {
    const world = watchedWorld()
    const Count = component('Count', { n: u32 })
    world.spawnMany(2000, [Count])
    const view = inspect(world)
    const chunks = view.memory().filter(({ owner }) => owner === 'Count')
    const [archetype] = view.archetypes().filter(({ components }) => components[0] === 'Count')
    expect(chunks.map(({ bytes, fill }) => ({ bytes, fill }))).toEqual(
      view.chunks(archetype.id).map(({ bytes, fill }) => ({ bytes, fill })),
    )
    const filled = (of: World) => {
      const objects = inspect(of)
        .memory()
        .filter(({ kind }) => kind === 'objects')
      return objects.reduce((sum, { bytes, fill }) => sum + bytes * fill, 0)
    }
    const before = filled(world)
    // A short list of four terms, in 32 bytes, and the query, in 64.
    world.query(Count, tag('A'), tag('B'), tag('C'))
    expect(filled(world)).toBeGreaterThan(before)
  })

  it('stays whole over a reset, a restore and a clear, and inside of a loop', () => {
    const world = watchedWorld()
    const Count = component('Count', { n: u32 }, { storage: 'sparse' })
    const Position = component('Position', { x: f32 })
    world.spawnMany(5000, [Count, Position])
    const before = snapshot(world)
    world.spawnMany(20_000, [Count])
    checkMap(world)
    restore(world, before)
    checkMap(world)
    world.clear()
    checkMap(world)
    world.reset()
    checkMap(world)
    world.spawnMany(100, [Position])
    for (const chunk of world.query(Position)) {
      world.spawn(Position, Count)
      expect(chunk.entities.length).toBeGreaterThan(0)
      const regions = inspect(world).memory()
      expect(regions.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(world.stats().bytesReserved)
    }
  })
})
