// Shows that what JavaScript keeps of components follows what is used, not how many entities, archetypes or types there are.

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  type Entity,
  clearWorld,
  component,
  createWorld,
  f32,
  object,
  sparse,
  spawnMany,
  tag,
  type World,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'
import { STORED } from '../support/storages'

interface Slots {
  readonly list: readonly unknown[]
  readonly all: ReadonlyMap<number, unknown> | undefined
}

interface Registered {
  readonly objects: { readonly values: unknown[]; readonly owners: unknown[]; readonly starts: unknown[] }
  readonly placements: Slots
  readonly columns: Slots
  readonly membership: Slots
}

interface Inside {
  readonly heap: { word(address: number): number }
  readonly byId: readonly Registered[]
  known(definition: unknown): Registered | undefined
}

const inside = (world: World) => (world as unknown as { state: Inside }).state

describe('An object component', () => {
  const Kind = object<number>('Kind')
  const PAGE = 1024

  /** How many places the values take up. */
  function placesOf(world: World): number {
    const { values, owners } = inside(world).known(Kind)?.objects ?? { values: [], owners: [] }
    expect(owners.length).toBe(values.length)
    return values.length
  }

  it.each([10_000, 100_000])('on the last of %i entities takes one page', (count) => {
    const world = createWorld()
    spawnMany(world, count, [])
    const last = world.spawn(Kind(1))
    expect([world.get(last, Kind), placesOf(world)]).toEqual([1, PAGE])
    world.destroy(last)
    expect(placesOf(world)).toBe(PAGE)
  })

  it('frees the pages of values that were removed, destroyed or cleared away', () => {
    const world = createWorld()
    const fill = () => Array.from({ length: 20 * PAGE }, (_, i) => world.spawn(Kind(i)))
    const entities = fill()
    expect(placesOf(world)).toBeGreaterThanOrEqual(20 * PAGE)
    for (const entity of entities.slice(0, -PAGE)) world.remove(entity, Kind)
    expect(placesOf(world)).toBeLessThanOrEqual(4 * PAGE)
    for (let i = 19 * PAGE; i < 20 * PAGE; i++) expect(world.get(entities[i] as Entity, Kind)).toBe(i)
    for (const entity of entities) world.destroy(entity)
    expect(placesOf(world)).toBeLessThanOrEqual(2 * PAGE)
    fill()
    clearWorld(world)
    expect(placesOf(world)).toBeLessThanOrEqual(2 * PAGE)
  })

  it('keeps its pages while thousands of values are added and removed', () => {
    const world = createWorld()
    for (let i = 0; i < 8 * PAGE; i++) world.spawn(Kind(i))
    const turn = () => {
      const entities = Array.from({ length: 3 * PAGE }, (_, i) => world.spawn(Kind(i)))
      const places = placesOf(world)
      for (const entity of entities) world.destroy(entity)
      return places - placesOf(world)
    }
    turn()
    expect([turn(), turn()]).toEqual([0, 0])
  })

  it('has the values that it was given, whichever pages were allocated and freed', () => {
    const step = fc.tuple(fc.boolean(), fc.nat(11), fc.nat(PAGE * 12 - 1))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = watchedWorld()
        const entities = spawnMany(world, 12 * PAGE, [])
        const model = new Map<number, number>()
        steps.forEach(([gives, page, index], turn) => {
          const entity = entities[index] as Entity
          if (gives) {
            world.set(entity, Kind, turn)
            model.set(entity, turn)
          } else {
            // All of a page at once, so that pages go.
            for (const other of entities.subarray(page * PAGE, (page + 1) * PAGE)) {
              expect(world.remove(other as Entity, Kind)).toBe(model.delete(other))
            }
          }
        })
        for (const [entity, value] of model) expect(world.get(entity as Entity, Kind)).toBe(value)
        expect(world.query(Kind).count).toBe(model.size)
        expect(placesOf(world)).toBeLessThanOrEqual((2 * model.size + 2) * PAGE)
        for (const entity of entities) {
          if (!model.has(entity)) expect(world.get(entity as Entity, Kind)).toBeUndefined()
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('Component types, each in an archetype of its own', () => {
  /** Places that the world keeps for all of them, after each was asked for, and looped over. */
  function placesOf(count: number): number {
    const world = createWorld()
    const types = Array.from({ length: count }, (_, i) => component(`C${i}`, { x: f32 }))
    types.forEach((type, i) => {
      const entity = world.spawn(type({ x: i }))
      expect(world.has(entity, type)).toBe(true)
      expect(world.get(entity, type)).toEqual({ x: i })
      for (const chunk of world.query(type)) expect(chunk.read(type).x[chunk.start]).toBe(i)
    })
    let places = 0
    for (const { placements, columns, membership } of inside(world).byId)
      for (const { list, all } of [placements, columns, membership]) places += list.length + (all?.size ?? 0)
    return places / count
  }

  it('take memory for themselves, however many there are', () => {
    const [few, many] = [placesOf(300), placesOf(1200)]
    expect(many).toBeLessThanOrEqual(few)
  })

  it('are found wherever their archetypes are: near the first, far off, or among many', () => {
    const world = createWorld()
    const First = component('First', { x: f32 })
    const tags = Array.from({ length: 9 }, (_, i) => tag(`T${i}`))
    const Late = component('Late', { y: f32 })
    const entities: Entity[] = []
    // 512 archetypes without Late, then 512 with it: its first one is far off, and in the end they fill an array.
    for (const late of [[], [Late({ y: 5 })]]) {
      for (let bits = 0; bits < 512; bits++) {
        const entity = world.spawn(First({ x: bits }), ...late)
        tags.forEach((each, i) => (bits >> i) & 1 && world.add(entity, each))
        entities.push(entity)
      }
    }
    const check = (entity: Entity, i: number) => {
      expect(world.has(entity, Late)).toBe(i >= 512)
      expect(world.get(entity, Late)).toEqual(i >= 512 ? { y: 5 } : undefined)
      tags.forEach((each, k) => expect(world.has(entity, each)).toBe(((i >> k) & 1) === 1))
    }
    for (const i of [1023, 700, 3, 600, 511]) check(entities[i] as Entity, i)
    entities.forEach(check)
    entities.forEach(check)
  })
})

describe('A question about the components of a world', () => {
  /** How often memory is read. */
  function readsOf(count: number, call: (world: World, entity: Entity) => unknown): number {
    const world = createWorld()
    const [First, Sparse] = [component('First', { x: f32 }), component('S', { x: f32 }, { storage: sparse })]
    const entity = world.spawn(First, Sparse)
    for (let i = 0; i < count; i++)
      world.spawn(component(`C${i}`, { x: f32 }, { storage: STORED[i % 2 === 0 ? 'table' : 'sparse'] }))
    const state = inside(world)
    const word = vi.spyOn(state.heap, 'word')
    const filter = vi.spyOn(Array.prototype, 'filter')
    expect(call(world, entity)).toBeTruthy()
    const longest = Math.max(0, ...filter.mock.contexts.map((list) => (list as unknown[]).length))
    const reads = word.mock.calls.length
    vi.restoreAllMocks()
    return reads + longest
  }

  it.each([
    ['componentsOf', (world: World, entity: Entity) => world.componentsOf(entity)],
    ['componentByName', (world: World) => world.componentByName('First')],
    ['stats', (world: World) => world.stats()],
  ])('%s takes as many steps with 20 types as with 2,000', (_, call) => {
    expect(readsOf(2000, call)).toBe(readsOf(20, call))
  })
})
