// Shows that has, get and set of one handle see what is alive and what it has, whatever the storage and however it came there.

import { describe, expect, it } from 'vitest'
import {
  added,
  changed,
  component,
  f32,
  onSet,
  restoreWorld,
  snapshotWorld,
  tag,
  trimWorld,
  type Entity,
  type World,
} from '../../bindings/index'
import { INDEX_MASK } from '../../bindings/memory/entity'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Other = tag('Other')

/** Spawns until an entity gets the index of one that is gone; the others go again. */
function spawnAgain(world: World, gone: Entity, spawn: () => Entity): Entity {
  for (let i = 0; i < 5000; i++) {
    const entity = spawn()
    if ((entity & INDEX_MASK) === (gone & INDEX_MASK)) return entity
    world.destroy(entity)
  }
  throw new Error('No entity got that index.')
}

describe.each(STORAGES)('with %s storage, has, get and set', (storage) => {
  const One = component('One', { value: f32 }, { storage: STORED[storage] })
  const Two = component('Two', { x: f32, y: f32 }, { storage: STORED[storage] })
  const Three = component('Three', { x: f32, y: f32, z: f32 }, { storage: STORED[storage] })
  const Four = component('Four', { a: f32, b: f32, c: f32, d: f32 }, { storage: STORED[storage] })
  const Tracked = component('Tracked', { x: f32, y: f32 }, { storage: STORED[storage], trackChanges: 'row' })

  /** Asks twice, for the first look finds where the columns are. */
  function expectOf(world: World, entity: Entity, two: { x: number; y: number } | undefined): void {
    for (let i = 0; i < 2; i++) {
      expect(world.has(entity, Two)).toBe(two !== undefined)
      expect(world.get(entity, Two)).toEqual(two)
    }
  }

  it('distinguish an entity from the one that has its index now', () => {
    const world = watchedWorld()
    const first = world.spawn(Two({ x: 1, y: 2 }))
    expectOf(world, first, { x: 1, y: 2 })
    world.destroy(first)
    const second = spawnAgain(world, first, () => world.spawn(Two({ x: 3, y: 4 })))
    expectOf(world, first, undefined)
    expectOf(world, second, { x: 3, y: 4 })
    expect(() => world.set(first, Two, { x: 9 })).toThrow(expect.objectContaining({ code: 'DEAD_ENTITY' }))
    expectOf(world, second, { x: 3, y: 4 })
  })

  it('follow an entity from archetype to archetype', () => {
    const world = watchedWorld()
    const entity = world.spawn(Two({ x: 1, y: 2 }))
    const neighbour = world.spawn(Two({ x: 5, y: 6 }))
    for (let i = 0; i < 3; i++) {
      world.add(entity, Other)
      expectOf(world, entity, { x: 1, y: 2 })
      expectOf(world, neighbour, { x: 5, y: 6 })
      world.remove(entity, Other)
      expectOf(world, entity, { x: 1, y: 2 })
    }
    world.remove(entity, Two)
    expectOf(world, entity, undefined)
    world.set(entity, Two, { y: 7 })
    expectOf(world, entity, { x: 0, y: 7 })
    expectOf(world, neighbour, { x: 5, y: 6 })
  })

  it('write the given fields and leave the rest, of one to four fields', () => {
    const world = watchedWorld()
    const entity = world.spawn(
      One({ value: 1 }),
      Two({ x: 1, y: 2 }),
      Three({ x: 1, y: 2, z: 3 }),
      Four({ a: 1, b: 2, c: 3, d: 4 }),
    )
    const all = () => [
      world.get(entity, One),
      world.get(entity, Two),
      world.get(entity, Three),
      world.get(entity, Four),
    ]
    all()
    world.set(entity, One, { value: 0.5 })
    world.set(entity, Two, { y: 0.5 })
    world.set(entity, Three, { z: 0.5, x: -0 })
    world.set(entity, Four, { d: 0.5, b: NaN })
    world.set(entity, Four, {})
    world.set(entity, Four, { a: undefined as never })
    expect(all()).toEqual([
      { value: 0.5 },
      { x: 1, y: 0.5 },
      { x: -0, y: 2, z: 0.5 },
      { a: 1, b: NaN, c: 3, d: 0.5 },
    ])
    expect(() => world.set(entity, Two, { x: 7, y: 'two' as never })).toThrow(
      expect.objectContaining({ code: 'INVALID_VALUE' }),
    )
    expect(() => world.set(entity, Two, { x: 7, w: 1 } as never)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_FIELD' }),
    )
    expect(world.get(entity, Two)).toEqual({ x: 1, y: 0.5 })
  })

  it('mark the component changed, and the row where rows are tracked', () => {
    const world = watchedWorld()
    const [one, two, three] = [1, 2, 3].map((x) => world.spawn(Two({ x }), Tracked({ x })))
    const chunks = world.query(changed(Two))
    const rows = world.query(changed(Tracked))
    const seen = () => [chunks.entities().length > 0, [...rows.entities()]]
    seen()
    world.set(two as Entity, Tracked, { y: 1 })
    expect(seen()).toEqual([false, [two]])
    world.set(three as Entity, Two, { y: 1 })
    expect(seen()).toEqual([true, []])
    world.get(one as Entity, Two)
    world.has(one as Entity, Two)
    expect(seen()).toEqual([false, []])
  })

  it('notify the listeners of each event, and no others', () => {
    const world = watchedWorld()
    const entity = world.spawn(Two({ x: 1 }), Three({ x: 1 }))
    const told: string[] = []
    onSet(world, Three, () => told.push('Three'))
    world.set(entity, Two, { x: 2 })
    world.set(entity, Three, { x: 3 })
    expect(told).toEqual(['Three'])
    expect([world.get(entity, Two)?.x, world.get(entity, Three)?.x]).toEqual([2, 3])
  })

  it('see in a loop the current state, and the queued changes at its end', () => {
    const world = watchedWorld()
    const old = world.spawn(Two({ x: 1 }))
    const late = world.query(added(Two))
    late.entities()
    let fresh = old
    world.query(Two).each((entity) => {
      if (entity !== old) return
      fresh = world.spawn(Two({ x: 5 }))
      expectOf(world, fresh, undefined)
      expect(world.isAlive(fresh)).toBe(true)
      world.set(fresh, Two, { x: 6 })
      world.set(old, Two, { y: 8 })
      expectOf(world, old, { x: 1, y: 8 })
      world.remove(old, Two)
      world.set(old, Two, { y: 9 })
      expectOf(world, old, { x: 1, y: 8 })
    })
    expectOf(world, fresh, { x: 6, y: 0 })
    expectOf(world, old, { x: 0, y: 9 })
    expect([...late.entities()]).toContain(fresh)
  })

  it('go on in other archetypes after a trim and a restore', () => {
    const world = watchedWorld()
    const kinds = Array.from({ length: 70 }, (_, k) => tag(`Kind${k}`))
    const before = snapshotWorld(world)
    const others = kinds.map((kind) => world.spawn(kind))
    for (const other of others) world.has(other, Two)
    const entity = world.spawn(Two({ x: 1 }), kinds[69] as (typeof kinds)[number])
    expectOf(world, entity, { x: 1, y: 0 })
    for (const other of others) world.destroy(other)
    trimWorld(world)
    expectOf(world, entity, { x: 1, y: 0 })
    const kept = snapshotWorld(world)
    restoreWorld(world, before)
    expectOf(world, entity, undefined)
    expect(world.has(world.spawn(Other), Two)).toBe(false)
    restoreWorld(world, kept)
    expectOf(world, entity, { x: 1, y: 0 })
    world.set(entity, Two, { x: 2 })
    expectOf(world, entity, { x: 2, y: 0 })
  })
})
