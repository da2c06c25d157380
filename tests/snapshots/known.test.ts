// Shows that what became known after a snapshot does no harm: components, archetypes, bundles, groups, texts, names.

import { describe, expect, it } from 'vitest'
import { type Entity, type World, any, component, f32, not, optional, u16 } from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { Health, Name, Position, Red, Slot, Velocity } from '../support/kinds'
import { restore } from '../support/restoring'
import { testWorld } from '../support/world'

const Weight = component('Weight', { kg: f32 }, { storage: 'sparse' })
const Brief = component('Brief', { left: u16 }, { lifetime: 'frame' })
const Lit = component('Lit', { watts: f32 }, { toggle: true })

/** How often the world has resolved everything anew. */
const generationOf = (world: World) =>
  (world as unknown as { state: { generation: number } }).state.generation

describe('what became known since', () => {
  it('Components, tags and queries that were first met after the snapshot can be used again', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 1 }))
    const before = world.snapshot()
    const both = world.query(Position, Health, not(Red), optional(Velocity))
    const either = world.query(any(Red, Slot))
    world.add(e, Health({ hp: 3 }), Slot, Name({ value: 'e' }), Lit)
    expect([both.count, either.count]).toEqual([1, 1])
    restore(world, before)
    expect([both.count, either.count]).toEqual([0, 0])
    expect([world.has(e, Health), world.has(e, Red), world.get(e, Name)]).toEqual([false, false, undefined])
    // In another order than before, so that ids mean something else.
    world.add(e, Lit, Name({ value: 'other' }))
    world.add(e, Slot({ n: 4 }))
    world.add(e, Health({ hp: 5 }))
    expect([both.count, either.count]).toEqual([1, 1])
    expect(both.each((_, position, health) => expect([position.x, health.hp]).toEqual([1, 5])))
    expect([world.get(e, Slot), world.get(e, Name)]).toEqual([{ n: 4 }, { value: 'other' }])
    checkInvariants(world)
  })

  it('Archetypes that were made since do no harm to what was resolved about them', () => {
    const world = testWorld()
    world.spawn(Position, Velocity)
    world.query(Position)
    world.spawn(Red)
    const before = world.snapshot()
    const first = world.spawn(Position, Red)
    expect(world.has(first, Velocity)).toBe(false)
    restore(world, before)
    // The same number of an archetype, other components.
    const second = world.spawn(Velocity, Red)
    expect([world.has(second, Velocity), world.has(second, Position)]).toEqual([true, false])
    expect(world.get(second, Velocity)).toEqual({ x: 0, y: 0 })
    checkInvariants(world)
  })

  it('Bundles that lead to the core since are asked for anew', () => {
    const world = testWorld()
    world.spawn(Position)
    const before = world.snapshot()
    const bundles = [[Position, Red], [Red, Velocity], [Health, Position], [Slot]] as const
    for (const bundle of bundles) world.spawn(...(bundle as unknown as [typeof Position]))
    restore(world, before)
    for (const bundle of [...bundles].reverse()) {
      const e = world.spawn(...(bundle as unknown as [typeof Position]))
      for (const each of bundle) expect(world.has(e, each)).toBe(true)
      expect(world.has(e, Name)).toBe(false)
    }
    checkInvariants(world)
  })

  it('A group that was made since is made again when its query is used, and one that was there stays', () => {
    const world = testWorld()
    const ungrouped = world.snapshot()
    const pair = world.group(Health, Weight)
    const both = world.spawn(Health({ hp: 1 }), Weight({ kg: 2 }))
    const grouped = world.snapshot()
    world.spawnMany(20, [Health, Weight])
    restore(world, grouped)
    expect([...pair.entities()]).toEqual([both])
    restore(world, ungrouped)
    expect(pair.count).toBe(0)
    world.spawn(Weight)
    const again = world.spawn(Weight({ kg: 7 }), Health({ hp: 6 }))
    for (const chunk of pair) {
      expect([...chunk.entities.subarray(chunk.start, chunk.end)]).toEqual([again])
      expect(chunk.read(Health).hp[chunk.start]).toBe(6)
    }
    checkInvariants(world)
  })

  it('Texts that were stored or freed since read as what they were then', () => {
    const world = testWorld()
    const e = world.spawn(Name({ value: 'first' }))
    const before = world.snapshot()
    world.set(e, Name, { value: 'second' })
    world.sweepTexts()
    const f = world.spawn(Name({ value: 'third' }))
    expect(world.textId('third')).not.toBe(undefined)
    restore(world, before)
    expect(world.get(e, Name)).toEqual({ value: 'first' })
    expect([world.textId('second'), world.textId('third')]).toEqual([undefined, undefined])
    expect(world.isAlive(f)).toBe(false)
    world.set(e, Name, { value: 'fourth' })
    expect([world.textId('fourth'), world.textOf(world.textId('fourth') as number)]).toEqual([
      world.textId('fourth'),
      'fourth',
    ])
    checkInvariants(world)
  })

  it('Names that were used since are free again, and those of then are taken', () => {
    const world = testWorld()
    const Other = component('Other', { a: f32 })
    const OtherToo = component('Other', { b: u16 })
    world.spawn(Position)
    const before = world.snapshot()
    world.spawn(Other)
    expect(() => world.spawn(OtherToo)).toThrow(expect.objectContaining({ code: 'DUPLICATE_NAME' }))
    restore(world, before)
    world.spawn(OtherToo)
    const PositionToo = component('Position', { a: f32 })
    expect(() => world.spawn(PositionToo)).toThrow(expect.objectContaining({ code: 'DUPLICATE_NAME' }))
  })

  it('Components that live for a frame are those that the world knew then', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const before = world.snapshot()
    world.add(e, Brief)
    restore(world, before)
    world.endFrame()
    world.add(e, Brief({ left: 4 }))
    world.endFrame()
    expect(world.has(e, Brief)).toBe(false)
    checkInvariants(world)
  })

  it('Changes that are folded find the bundles of now', () => {
    const world = testWorld()
    const fold = (e: Entity) =>
      world.defer(() => {
        world.remove(e, Position)
        world.add(e, Red, Velocity)
      })
    // Whatever the change needs is known; only the loose bundles of this change were not filled yet.
    world.spawn(Red, Velocity)
    world.destroy(world.spawn(Position))
    const other = world.spawn(Red)
    world.defer(() => {
      world.add(other, Velocity)
      world.remove(other, Red)
    })
    const e = world.spawn(Position)
    world.remove(world.spawn(Position, Red), Position)
    const before = world.snapshot()
    const generation = generationOf(world)
    for (let round = 0; round < 3; round++) {
      fold(e)
      expect([Position, Red, Velocity].map((kind) => world.has(e, kind))).toEqual([false, true, true])
      restore(world, before)
      expect(generationOf(world)).toBe(generation)
    }
  })
})
