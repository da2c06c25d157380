// Shows that a sweep turns stale references into NULL_ENTITY wherever they are stored, keeps living ones, and marks no column
// that did not change. What sweepTexts frees is tested in texts/texts.proof.test.ts.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createAccessor,
  destroyMany,
  internText,
  NULL_ENTITY,
  changed,
  component,
  entity,
  spawnMany,
  sweepReferences,
  sweepTexts,
  text,
  u32,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { changeTickOf, poolOf } from '../support/inside'
import { proofLength } from '../support/proofs'
import { ROW_COUNTS } from '../support/rowCounts'
import { capacitiesOf, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const TARGETS = STORAGES.map((storage) => ({
  storage,
  Target: component(
    `Target ${storage}`,
    { who: entity, since: u32, others: vec(entity, 3) },
    { storage: STORED[storage] },
  ),
  Other: component(`Other ${storage}`, { n: u32, who: entity }, { storage: STORED[storage] }),
}))
const NONE = [NULL_ENTITY, NULL_ENTITY, NULL_ENTITY]

type Target = (typeof TARGETS)[number]['Target']

function who(world: World, handle: number, Target: Target): number | undefined {
  return world.get(handle as Entity, Target)?.who
}

describe('sweepReferences', () => {
  it.each(TARGETS)('turns dead handles into NULL_ENTITY and no others ($storage)', ({ Target }) => {
    for (const count of ROW_COUNTS) {
      const world = watchedWorld()
      const targets = spawnMany(world, count + 1, [])
      const handles = spawnMany(world, count, [Target])
      handles.forEach((handle, i) => (createAccessor(world, Target).of(handle).who = targets[i]))
      const dead = targets.filter((_, i) => i % 3 === 0 && i < count)
      destroyMany(world, dead)
      handles.forEach((handle, i) => expect(who(world, handle, Target)).toBe(targets[i]))
      expect(sweepReferences(world)).toBe(dead.length)
      const wrong = [...handles].filter(
        (handle, i) => who(world, handle, Target) !== (i % 3 === 0 ? NULL_ENTITY : targets[i]),
      )
      expect(wrong).toEqual([])
      expect(sweepReferences(world)).toBe(0)
    }
  })

  it.each(TARGETS)('looks at every value of a vec and at every field ($storage)', ({ Target, Other }) => {
    const world = watchedWorld()
    const [alive, dead] = [world.spawn(), world.spawn()]
    const rows = [world.spawn(Target), world.spawn(Target({ since: dead, others: [dead, alive, dead] }))]
    const both = world.spawn(
      Target({ who: dead, others: [alive, NULL_ENTITY, dead] }),
      Other({ n: dead, who: dead }),
    )
    world.destroy(dead)
    expect(sweepReferences(world)).toBe(5)
    expect([...(world.get(rows[0], Target)?.others ?? [])]).toEqual(NONE)
    expect([...(world.get(rows[1], Target)?.others ?? [])]).toEqual([NULL_ENTITY, alive, NULL_ENTITY])
    expect([...(world.get(both, Target)?.others ?? [])]).toEqual([alive, NULL_ENTITY, NULL_ENTITY])
    expect(world.get(both, Other)).toEqual({ n: dead, who: NULL_ENTITY })
    expect(world.get(rows[1], Target)?.since).toBe(dead)
  })

  it.each(TARGETS)('treats a recycled index and any garbage as dead ($storage)', ({ Target }) => {
    const world = watchedWorld({ maxEntities: 8 })
    const old = world.spawn()
    world.destroy(old)
    const garbage = [0, 7, 0x00ffffff, 0xff000001, 0xfffffffe, old]
    const rows = garbage.map((handle) => world.spawn(Target({ who: handle as Entity })))
    expect(sweepReferences(world)).toBe(garbage.filter((handle) => !world.isAlive(handle)).length)
    rows.forEach((row, i) => {
      const handle = garbage[i] as number
      expect(who(world, row, Target)).toBe(world.isAlive(handle) ? handle : NULL_ENTITY)
    })
  })

  it.each(TARGETS)(
    'marks the chunks and components in which it found one, and no others ($storage)',
    (of) => {
      const { Target, Other } = of
      const world = watchedWorld()
      const { first } = capacitiesOf(Target)
      const [alive, dead] = [world.spawn(), world.spawn()]
      const handles = spawnMany(world, 4 * first, [Target({ who: alive }), Other({ who: alive })])
      const last = handles[4 * first - 1]
      world.set(last, Target, { who: dead })
      world.destroy(dead)
      const before = world.tick
      world.advanceTick()
      expect(sweepReferences(world)).toBe(1)
      expect(changeTickOf(world, last, Target)).toBe(before + 1)
      expect(changeTickOf(world, last, Other)).toBe(before)
      expect(changeTickOf(world, handles[0], Target)).toBe(before)
      world.advanceTick()
      expect(sweepReferences(world)).toBe(0)
      expect(changeTickOf(world, last, Target)).toBe(before + 1)
    },
  )

  it('skips the holes of a stable pool', () => {
    const { Target } = TARGETS[2] as (typeof TARGETS)[number]
    const world = watchedWorld()
    const dead = world.spawn()
    const rows = Array.from({ length: 70 }, () => world.spawn(Target({ who: dead })))
    for (const row of rows.slice(0, 64)) world.remove(row, Target)
    world.destroy(dead)
    expect(poolOf(world, Target).holes).toBe(64)
    expect(sweepReferences(world)).toBe(6)
    for (const row of rows.slice(0, 64)) world.add(row, Target)
    expect(rows.every((row) => who(world, row, Target) === NULL_ENTITY)).toBe(true)
  })

  it.each(TARGETS)(
    'in a loop it takes effect at once and knows the handles spawned there ($storage)',
    ({ Target }) => {
      const world = watchedWorld()
      const [alive, dead, doomed] = [world.spawn(), world.spawn(), world.spawn()]
      world.destroy(dead)
      const handles = spawnMany(world, 1200, [Target({ who: dead })])
      let next = 0
      const spawned: Entity[] = []
      world.query(Target).each((_, target) => {
        if (next === 0) world.destroy(doomed)
        if (next < 1100) spawned.push((target.who = world.spawn()))
        else if (next === 1100) target.who = alive
        else if (next === 1101) target.who = doomed
        if (++next === 1200) expect(sweepReferences(world)).toBe(98)
      })
      expect(spawned.every((handle, i) => who(world, handles[i] as number, Target) === handle)).toBe(true)
      expect(spawned.every((handle) => world.isAlive(handle))).toBe(true)
      expect(who(world, handles[1100] as number, Target)).toBe(alive)
      expect(who(world, handles[1101] as number, Target)).toBe(doomed)
      expect(sweepReferences(world)).toBe(1)
    },
  )

  it('leaves a world without entity fields as it is, and is refused by a disposed one', () => {
    const world = testWorld()
    world.spawn(component('Count', { n: u32 })({ n: 5 }))
    expect(sweepReferences(world)).toBe(0)
    world.dispose()
    expect(() => sweepReferences(world)).toThrow(/disposed/)
  })

  it('equals a model: living handles stay, dead ones go, whatever was stored', () => {
    const step = fc.tuple(fc.nat(3), fc.nat(200), fc.nat(200))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (script) => {
        const world = testWorld()
        const entities = Array.from({ length: 12 }, (_, i) => {
          const { Target } = TARGETS[i % 3] as (typeof TARGETS)[number]
          return { Target, handle: world.spawn(Target), who: NULL_ENTITY as number }
        })
        for (const [operation, a, b] of script) {
          const one = entities[a % entities.length] as (typeof entities)[number]
          const other = entities[b % entities.length] as (typeof entities)[number]
          if (operation === 0) {
            world.destroy(one.handle)
            one.handle = world.spawn(one.Target)
            one.who = NULL_ENTITY
          } else if (operation === 3) {
            const dead = entities.filter(({ who: to }) => to !== NULL_ENTITY && !world.isAlive(to))
            expect(sweepReferences(world)).toBe(dead.length)
            for (const each of dead) each.who = NULL_ENTITY
          } else {
            world.set(one.handle, one.Target, { who: other.handle })
            one.who = other.handle
          }
        }
        for (const { handle, Target, who: expected } of entities)
          expect(who(world, handle, Target)).toBe(expected)
      }),
      { seed: 3, numRuns: proofLength(100) },
    )
  })
})

describe('sweepTexts', () => {
  it.each(STORAGES)('marks a column only if it held a number that names no text (%s)', (storage) => {
    const Label = component('Label', { value: text }, { storage: STORED[storage] })
    const world = watchedWorld()
    const ship = world.spawn(Label({ value: 'a' }))
    const tick = world.tick
    internText(world, 'free')
    world.advanceTick()
    expect(sweepTexts(world)).toBe(1)
    expect(changeTickOf(world, ship, Label)).toBe(tick)
    for (const chunk of world.query(Label)) (chunk as unknown as Writable).read(Label).value.fill(77)
    expect(sweepTexts(world)).toBe(1)
    expect(changeTickOf(world, ship, Label)).toBe(tick + 1)
    expect(world.get(ship, Label)).toEqual({ value: '' })
  })
})

it.each(STORAGES)(
  'A sweep marks each tracked row whose reference it clears, and no other (%s)',
  (storage) => {
    const Tracked = component('Tracked', { who: entity }, { storage: STORED[storage], trackChanges: 'row' })
    const world = watchedWorld()
    const [dying, living] = [world.spawn(), world.spawn()]
    const [one] = [dying, living, NULL_ENTITY].map((to) => world.spawn(Tracked({ who: to })))
    const query = world.query(changed(Tracked))
    expect(query.entities().length).toBe(3)
    world.advanceTick()
    world.destroy(dying)
    expect(sweepReferences(world)).toBe(1)
    expect([...query.entities()]).toEqual([one])
  },
)

/** Columns of a component that may lie anywhere, without marking them. */
interface Writable {
  read(of: unknown): { readonly value: Uint32Array }
}
