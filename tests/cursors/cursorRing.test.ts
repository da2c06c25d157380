// Shows what holds while several cursors of one accessor are in use, and after the row of one belongs to another entity.

import { describe, expect, it } from 'vitest'
import {
  createAccessor,
  NULL_ENTITY,
  changed,
  component,
  f32,
  f64,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  tag,
  text,
  u32,
  u8,
  vec,
  type Component,
  type Entity,
  type World,
} from '../../bindings/index'
import { RING_SIZE } from '../../bindings/cursors/cursorRing'
import { expectSameBytes, bytesOf } from '../support/bytes'
import { useStale } from '../support/stale'
import { checkInvariants } from '../support/invariants'
import { STORAGES } from '../support/kinds'
import { isChecked } from '../support/world'
import { watchedWorld } from '../support/watched'
import * as L from '../../build/layout'
import { STORED } from '../support/storages'

type Numbered = Component<{ n: typeof u32 }>

/** A component with a field n, in every form that finds its rows by another way. */
const SHAPES: Record<string, (storage: (typeof STORAGES)[number]) => unknown> = {
  'one field': (storage) => component('One', { n: u32 }, { storage: STORED[storage] }),
  'fields of one width': (storage) => component('Even', { m: f32, n: u32 }, { storage: STORED[storage] }),
  'fields of many widths': (storage) =>
    component('Mixed', { a: u8, b: f64, n: u32 }, { storage: STORED[storage] }),
  'rows that are tracked': (storage) =>
    component('Tracked', { a: f32, n: u32 }, { storage: STORED[storage], trackChanges: 'row' }),
  'a list and a text': (storage) =>
    component('Rich', { list: vec(f32, 5), name: text, n: u32 }, { storage: STORED[storage] }),
}
const marks = [tag('A'), tag('B'), tag('C')]

function populate(world: World, C: Numbered, count = 20): Entity[] {
  return Array.from({ length: count }, (_, i) =>
    world.spawn(C({ n: 100 + i }), ...marks.filter((_mark, bit) => (i >> bit) & 1)),
  )
}

describe.each(STORAGES)('alternating cursors of an accessor, in %s storage', (storage) => {
  describe.each(Object.entries(SHAPES))('%s', (_, declare) => {
    const C = declare(storage) as Numbered
    const valuesOf = (world: World, entities: Entity[]) => entities.map((entity) => world.get(entity, C)?.n)

    it('reading one row and writing another leaves each cursor in place', () => {
      const world = watchedWorld()
      const [a, b] = populate(world, C) as [Entity, Entity]
      const at = createAccessor(world, C)
      at.of(a).n += at.of(b).n
      expect(valuesOf(world, [a, b])).toEqual([201, 101])
    })

    it('two rows swap places', () => {
      const world = watchedWorld()
      const [a, b] = populate(world, C) as [Entity, Entity]
      const at = createAccessor(world, C)
      const [one, other] = [at.of(a), at.of(b)]
      ;[one.n, other.n] = [other.n, one.n]
      expect(valuesOf(world, [a, b])).toEqual([101, 100])
    })

    it('a function called within an expression uses the same accessor', () => {
      const world = watchedWorld()
      const entities = populate(world, C)
      const sumOf = (world: World, list: Entity[]) =>
        list.reduce((sum, entity) => sum + createAccessor(world, C).of(entity).n, 0)
      createAccessor(world, C).of(entities[0] as Entity).n += sumOf(world, entities.slice(1, RING_SIZE))
      expect(world.get(entities[0] as Entity, C)?.n).toBe(100 + 7 * 100 + 28)
      expect(valuesOf(world, entities.slice(1))).toEqual(entities.slice(1).map((_, i) => 101 + i))
    })

    it(`a cursor stays in place for the next ${RING_SIZE - 1} calls, and is reused by the one after`, () => {
      const world = watchedWorld()
      const entities = populate(world, C)
      const at = createAccessor(world, C)
      const held = entities.slice(0, RING_SIZE).map((entity) => at.of(entity))
      expect(held.map((cursor) => cursor.n)).toEqual(held.map((_, i) => 100 + i))
      expect(new Set(held).size).toBe(RING_SIZE)
      held.forEach((cursor) => (cursor.n += 1000))
      expect(valuesOf(world, entities.slice(0, RING_SIZE))).toEqual(held.map((_, i) => 1100 + i))
      const next = at.of(entities[RING_SIZE] as Entity)
      if (isChecked) {
        expect(() => held[0]?.n).toThrow(expect.objectContaining({ code: 'STALE_CURSOR' }))
        expect(() => ((held[0] as { n: number }).n = 1)).toThrow(/Ask for it anew/)
      } else {
        expect(next).toBe(held[0])
      }
      expect(next.n).toBe(100 + RING_SIZE)
      expect(held[1]?.n).toBe(1101)
    })

    it('a refused call reuses no cursor', () => {
      const world = watchedWorld()
      const [a] = populate(world, C) as [Entity]
      const at = createAccessor(world, C)
      const held = at.of(a)
      const bare = world.spawn()
      for (let i = 0; i < 2 * RING_SIZE; i++) {
        expect(() => at.of(bare)).toThrow(expect.objectContaining({ code: 'MISSING_COMPONENT' }))
        expect(() => at.of(NULL_ENTITY)).toThrow(expect.objectContaining({ code: 'DEAD_ENTITY' }))
      }
      held.n = 7
      expect(world.get(a, C)?.n).toBe(7)
    })

    it('only what was written counts as changed', () => {
      const world = watchedWorld()
      const entities = populate(world, C)
      const query = world.query(changed(C))
      query.entities()
      const at = createAccessor(world, C)
      const [one, other] = [at.of(entities[3] as Entity), at.of(entities[11] as Entity)]
      one.n = other.n + 1
      const found = [...query.entities()]
      expect(found).toContain(entities[3])
      // Where rows are not tracked the others of its chunk are found with it.
      if (C.componentName === 'Tracked') expect(found).toEqual([entities[3]])
      checkInvariants(world)
    })

    it.each(['restore', 'reset'] as const)('a cursor kept across a %s reads and writes no entity', (way) => {
      const world = watchedWorld()
      const at = createAccessor(world, C)
      const before = snapshotWorld(world)
      const [a] = populate(world, C, 300) as [Entity]
      const held = at.of(a)
      if (way === 'restore') restoreWorld(world, before)
      else resetWorld(world)
      const entities = populate(world, C, 300)
      const bytes = bytesOf(world).subarray(L.HEAP_ADDRESS)
      useStale(() => held.n)
      useStale(() => (held.n = 5))
      expectSameBytes(bytesOf(world).subarray(L.HEAP_ADDRESS), bytes)
      expect(at.of(entities[0] as Entity).n).toBe(100)
    })

    it.runIf(isChecked)(
      'the checked core refuses a cursor whose entity has died, lost the component or moved',
      () => {
        const ways: ((world: World, entity: Entity) => void)[] = [
          (world, entity) => world.destroy(entity),
          (world, entity) => world.remove(entity, C),
        ]
        // Rows of pools stay where they are when their entity gets more.
        if (storage === 'table') ways.push((world, entity) => world.add(entity, tag('D')))
        for (const change of ways) {
          const world = watchedWorld()
          const [a] = populate(world, C) as [Entity]
          const held = createAccessor(world, C).of(a)
          expect(held.n).toBe(100)
          change(world, a)
          expect(() => held.n).toThrow(expect.objectContaining({ code: 'STALE_CURSOR' }))
          expect(() => (held.n = 5)).toThrow(expect.objectContaining({ code: 'STALE_CURSOR' }))
        }
      },
    )
  })

  it('several rows of a chunk can be reached at once, too', () => {
    const P = component('P', { n: u32 }, { storage: STORED[storage] })
    const world = watchedWorld()
    const entities = Array.from({ length: 6 }, (_, i) => world.spawn(P({ n: i }), marks[0] as never))
    for (const chunk of world.query(P, marks[0] as never)) {
      const at = chunk.cursor(P)
      for (let row = chunk.start + 1; row < chunk.end; row++)
        (at.at(row) as { n: number }).n += (at.at(chunk.start) as { n: number }).n + 10
    }
    expect(entities.map((entity) => world.get(entity, P)?.n).sort()).toEqual([0, 11, 12, 13, 14, 15])
  })
})

describe('a field', () => {
  it('has no name that begins with a zero character: such names are reserved for cursors', () => {
    for (const declare of [() => component('Odd', { '\0seat': f32 })])
      expect(declare).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }))
  })
})
