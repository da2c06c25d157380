// Shows that what became known after a snapshot does no harm: components, archetypes, bundles, groups, texts, names.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type Query,
  type World,
  any,
  component,
  endFrame,
  f32,
  forkWorld,
  createGroup,
  not,
  optional,
  restoreWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  sweepTexts,
  textId,
  textOf,
  toggle,
  u16,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { Health, Name, Position, Red, Slot, Velocity } from '../support/kinds'
import { restoreChecked } from '../support/restoring'
import { testWorld } from '../support/world'

const Weight = component('Weight', { kg: f32 }, { storage: sparse })
const Brief = component('Brief', { left: u16 }, { lifetime: 'frame' })
const Lit = component('Lit', { watts: f32 }, { toggle })

/** How often the world has resolved everything anew. */
const generationOf = (world: World) =>
  (world as unknown as { state: { generation: number } }).state.generation

describe('what was registered since', () => {
  it('Components, tags and queries first used after the snapshot can be used again', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 1 }))
    const before = snapshotWorld(world)
    const both = world.query(Position, Health, not(Red), optional(Velocity))
    const either = world.query(any(Red, Slot))
    world.add(e, Health({ hp: 3 }), Slot, Name({ value: 'e' }), Lit)
    expect([both.count, either.count]).toEqual([1, 1])
    restoreChecked(world, before)
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

  it('Archetypes created since do no harm to what was resolved about them', () => {
    const world = testWorld()
    world.spawn(Position, Velocity)
    world.query(Position)
    world.spawn(Red)
    const before = snapshotWorld(world)
    const first = world.spawn(Position, Red)
    expect(world.has(first, Velocity)).toBe(false)
    restoreChecked(world, before)
    // The same number of an archetype, other components.
    const second = world.spawn(Velocity, Red)
    expect([world.has(second, Velocity), world.has(second, Position)]).toEqual([true, false])
    expect(world.get(second, Velocity)).toEqual({ x: 0, y: 0 })
    checkInvariants(world)
  })

  it('Bundles registered with the core since are requested again', () => {
    const world = testWorld()
    world.spawn(Position)
    const before = snapshotWorld(world)
    const bundles = [[Position, Red], [Red, Velocity], [Health, Position], [Slot]] as const
    for (const bundle of bundles) world.spawn(...(bundle as unknown as [typeof Position]))
    restoreChecked(world, before)
    for (const bundle of [...bundles].reverse()) {
      const e = world.spawn(...(bundle as unknown as [typeof Position]))
      for (const each of bundle) expect(world.has(e, each)).toBe(true)
      expect(world.has(e, Name)).toBe(false)
    }
    checkInvariants(world)
  })

  it('A group created since is created again when its query is used, and an existing one stays', () => {
    const world = testWorld()
    const ungrouped = snapshotWorld(world)
    const pair = createGroup(world, Health, Weight)
    const both = world.spawn(Health({ hp: 1 }), Weight({ kg: 2 }))
    const grouped = snapshotWorld(world)
    spawnMany(world, 20, [Health, Weight])
    restoreChecked(world, grouped)
    expect([...pair.entities()]).toEqual([both])
    restoreChecked(world, ungrouped)
    expect(pair.count).toBe(0)
    world.spawn(Weight)
    const again = world.spawn(Weight({ kg: 7 }), Health({ hp: 6 }))
    for (const chunk of pair) {
      expect([...chunk.entities.subarray(chunk.start, chunk.end)]).toEqual([again])
      expect(chunk.read(Health).hp[chunk.start]).toBe(6)
    }
    checkInvariants(world)
  })

  it.each([
    ['fork', (world: World) => forkWorld(world)],
    [
      'restore',
      (world: World) => {
        const other = testWorld()
        // A plan from before the memory had a group.
        expect(other.query(Health, Weight).count).toBe(0)
        restoreWorld(other, snapshotWorld(world))
        return other
      },
    ],
  ])('A world whose memory comes by %s from one with a group walks the group', (_, takeOver) => {
    const world = testWorld()
    createGroup(world, Health, Weight)
    for (let i = 0; i < 9; i++) {
      if (i % 3 > 0) world.spawn(Health)
      if (i % 3 < 2) world.spawn(Weight)
      world.spawn(Weight({ kg: i }), Health({ hp: 2 * i }))
    }
    const twin = takeOver(world)
    world.dispose()
    const pair = twin.query(Health, Weight) as unknown as Query<[typeof Health, typeof Weight], true>
    const found: number[][] = []
    for (const chunk of pair) {
      const { hp } = chunk.read(Health)
      const { kg } = chunk.read(Weight)
      for (let i = chunk.start; i < chunk.end; i++) found.push([kg[i] as number, hp[i] as number])
    }
    expect(found.sort(([a], [b]) => (a as number) - (b as number))).toEqual(
      Array.from({ length: 9 }, (_, i) => [i, 2 * i]),
    )
    checkInvariants(twin)
    twin.dispose()
  })

  it('Texts that were stored or freed since read as what they were then', () => {
    const world = testWorld()
    const e = world.spawn(Name({ value: 'first' }))
    const before = snapshotWorld(world)
    world.set(e, Name, { value: 'second' })
    sweepTexts(world)
    const f = world.spawn(Name({ value: 'third' }))
    expect(textId(world, 'third')).not.toBe(undefined)
    restoreChecked(world, before)
    expect(world.get(e, Name)).toEqual({ value: 'first' })
    expect([textId(world, 'second'), textId(world, 'third')]).toEqual([undefined, undefined])
    expect(world.isAlive(f)).toBe(false)
    world.set(e, Name, { value: 'fourth' })
    expect([textId(world, 'fourth'), textOf(world, textId(world, 'fourth') as number)]).toEqual([
      textId(world, 'fourth'),
      'fourth',
    ])
    checkInvariants(world)
  })

  it('Names used since are free again, and earlier ones are taken', () => {
    const world = testWorld()
    const Other = component('Other', { a: f32 })
    const OtherToo = component('Other', { b: u16 })
    world.spawn(Position)
    const before = snapshotWorld(world)
    world.spawn(Other)
    expect(() => world.spawn(OtherToo)).toThrow(expect.objectContaining({ code: 'DUPLICATE_NAME' }))
    restoreChecked(world, before)
    world.spawn(OtherToo)
    const PositionToo = component('Position', { a: f32 })
    expect(() => world.spawn(PositionToo)).toThrow(expect.objectContaining({ code: 'DUPLICATE_NAME' }))
  })

  it('Frame components are the ones that the world knew then', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const before = snapshotWorld(world)
    world.add(e, Brief)
    restoreChecked(world, before)
    endFrame(world)
    world.add(e, Brief({ left: 4 }))
    endFrame(world)
    expect(world.has(e, Brief)).toBe(false)
    checkInvariants(world)
  })

  it('Changes that are folded find the current bundles', () => {
    const world = testWorld()
    const fold = (e: Entity) =>
      world.batch(() => {
        world.remove(e, Position)
        world.add(e, Red, Velocity)
      })
    // Whatever the change needs is known; only the loose bundles of this change were not filled yet.
    world.spawn(Red, Velocity)
    world.destroy(world.spawn(Position))
    const other = world.spawn(Red)
    world.batch(() => {
      world.add(other, Velocity)
      world.remove(other, Red)
    })
    const e = world.spawn(Position)
    world.remove(world.spawn(Position, Red), Position)
    const before = snapshotWorld(world)
    const generation = generationOf(world)
    for (let round = 0; round < 3; round++) {
      fold(e)
      expect([Position, Red, Velocity].map((kind) => world.has(e, kind))).toEqual([false, true, true])
      restoreChecked(world, before)
      expect(generationOf(world)).toBe(generation)
    }
  })
})
