// Shows that rows that move along plans end as rows that move without: one world adds and removes, its twin exchanges, which
// always takes the general way, and both must agree about everything, the order of rows and the ticks included.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type World,
  added,
  bool,
  changed,
  clearWorld,
  component,
  entity,
  f32,
  f64,
  not,
  resetWorld,
  sparse,
  spawnMany,
  tag,
  toggle,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { addedTickOf, changeTickOf } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { testWorld } from '../support/world'

const First = component('First', { x: f32, y: f32, z: f32 })
const Second = component('Second', { value: u32 })
const Third = component('Third', { a: f32, b: f32, c: f32, d: f32, to: entity })
const Fourth = component('Fourth', { x: f32, y: f32 })
const Narrow = component('Narrow', { small: u8, on: bool })
const Wide = component('Wide', { big: f64, list: vec(f32, 3) })
const Tracked = component('Tracked', { value: u32 }, { trackChanges: 'row' })
const Toggled = component('Toggled', { value: u32 }, { toggle })
const Sparse = component('Sparse', { value: u32 }, { storage: sparse })
const Mark = tag('Mark')

const KINDS = [First, Second, Third, Fourth, Narrow, Wide, Tracked, Toggled, Sparse, Mark] as const
const TABLES = [First, Second, Third, Fourth, Narrow, Wide, Tracked, Toggled] as const
type AnyKind = typeof First
const valuesFor = (C: unknown, n: number): never =>
  (C === Wide
    ? { big: n, list: [n, n + 1, n + 2] }
    : C === Narrow
      ? { small: n & 255, on: (n & 1) === 1 }
      : C === Third
        ? { a: n, d: n + 1 }
        : C === First || C === Fourth
          ? { x: n, y: n + 1 }
          : { value: n }) as never

/** Everything that a program can see of a world. */
function seen(world: World, handles: readonly Entity[]): unknown {
  return {
    rows: KINDS.map((C) => [...world.query(C).entities()]),
    values: handles.map((e) =>
      world.isAlive(e) ? TABLES.map((C) => world.get(e, C as AnyKind) ?? null) : 'dead',
    ),
    ticks: handles.map((e) => TABLES.map((C) => (world.has(e, C) ? changeTickOf(world, e, C as never) : -1))),
  }
}

function twins(count: number): { moved: World; exchanged: World; handles: Entity[] } {
  const [moved, exchanged] = [testWorld(), testWorld()]
  const handles: Entity[] = []
  for (let i = 0; i < count; i++) {
    handles.push(moved.spawn(First({ x: i, y: -i })))
    exchanged.spawn(First({ x: i, y: -i }))
  }
  return { moved, exchanged, handles }
}

describe('a row that moves', () => {
  it.each(KINDS.map((C) => [C.componentName, C] as const))(
    'keeps its values and ticks, and the others their places, when %s is added and removed',
    (_, C) => {
      const { moved, exchanged, handles } = twins(700)
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < handles.length; i++) {
          const e = handles[(i * 37) % handles.length] as Entity
          expect(moved.add(e, C as AnyKind)).toBe(exchanged.exchange(e, [], [C as AnyKind]))
        }
        moved.advanceTick()
        exchanged.advanceTick()
        expect(seen(moved, handles)).toEqual(seen(exchanged, handles))
        for (let i = 0; i < handles.length; i++) {
          const e = handles[(i * 53) % handles.length] as Entity
          expect(moved.remove(e, C)).toBe(exchanged.exchange(e, [C], []))
        }
        expect(seen(moved, handles)).toEqual(seen(exchanged, handles))
      }
      checkInvariants(moved)
    },
  )

  it('moves by several components one after another as in one exchange', () => {
    const { moved, exchanged, handles } = twins(300)
    for (const e of handles) {
      for (const C of [Fourth, Second, Third] as unknown as AnyKind[]) {
        expect(moved.add(e, C)).toBe(true)
        exchanged.exchange(e, [], [C])
      }
      expect(moved.remove(e, Second)).toBe(true)
      exchanged.exchange(e, [Second], [])
    }
    expect(seen(moved, handles)).toEqual(seen(exchanged, handles))
    checkInvariants(moved)
  })

  it('does so after a reset and a clear, which drop all earlier plans', () => {
    const { moved, handles } = twins(100)
    for (const e of handles) moved.add(e, Second)
    clearWorld(moved)
    const again = Array.from({ length: 100 }, (_, i) => moved.spawn(First({ x: i })))
    for (const e of again) expect(moved.add(e, Second)).toBe(true)
    resetWorld(moved)
    const anew = Array.from({ length: 100 }, (_, i) => moved.spawn(Fourth({ x: i })))
    for (const e of anew) expect(moved.add(e, Second)).toBe(true)
    expect(anew.map((e) => moved.get(e, Fourth)?.x)).toEqual(anew.map((_, i) => i))
    checkInvariants(moved)
  })

  it('ends the same whatever happens to two worlds', () => {
    const step = fc.tuple(fc.nat(5), fc.nat(0xffff), fc.nat(KINDS.length - 1), fc.nat(0xffff))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 150 }), (steps, count) => {
        const { moved, exchanged, handles } = twins(count)
        for (const [kind, which, k, n] of steps) {
          const e = handles[which % handles.length] as Entity
          const C = KINDS[k] as unknown as AnyKind
          if (kind === 0 && moved.isAlive(e)) {
            expect(moved.add(e, C)).toBe(exchanged.exchange(e, [], [C]))
          } else if (kind === 1) {
            const removed = moved.remove(e, C)
            if (exchanged.isAlive(e)) expect(exchanged.exchange(e, [C], [])).toBe(removed)
          } else if (kind === 2) expect(moved.destroy(e)).toBe(exchanged.destroy(e))
          else if (kind === 3) {
            handles.push(moved.spawn(C))
            exchanged.spawn(C)
          } else if (kind === 4 && moved.isAlive(e)) {
            const D = TABLES[k % TABLES.length] as unknown as AnyKind
            moved.set(e, D, valuesFor(D, n))
            exchanged.set(e, D, valuesFor(D, n))
          } else {
            moved.advanceTick()
            exchanged.advanceTick()
          }
        }
        expect(seen(moved, handles)).toEqual(seen(exchanged, handles))
        checkInvariants(moved)
        moved.dispose()
        exchanged.dispose()
      }),
      { numRuns: proofLength(60) },
    )
  })
})

describe('a query that has seen the chunk', () => {
  /** A world in which the next add of Second follows a plan: it neither begins an archetype nor empties one. */
  function withPlan(): { world: World; left: Entity[]; last: Entity } {
    const world = testWorld()
    const entities = Array.from({ length: 8 }, (_, i) => world.spawn(First({ x: i })))
    for (const one of entities.slice(0, 4)) world.add(one, Second)
    return { world, left: entities.slice(4), last: entities[7] as Entity }
  }

  it.each([
    ['changed', changed],
    ['added', added],
  ])('finds by %s an entity whose row is moved there later', (_, term) => {
    const { world, left } = withPlan()
    const query = world.query(term(Second))
    expect(query.entities().length).toBe(4)
    world.advanceTick()
    const tick = world.tick
    world.add(left[0] as Entity, Second)
    expect([...query.entities()]).toContain(left[0])
    expect(addedTickOf(world, left[0] as Entity, Second)).toBe(tick)
    expect([...query.entities()]).toEqual([])
  })

  it('finds an entity that was changed and then fills a hole there', () => {
    const world = testWorld()
    const handles = [...spawnMany(world, 5000, [First, Second])] as Entity[]
    for (const one of handles.slice(0, 3)) world.remove(one, Second)
    const query = world.query(Second, changed(First))
    expect(query.entities().length).toBe(handles.length - 3)
    world.advanceTick()
    const last = world.query(First, Second).entities().at(-1) as Entity
    world.set(last, First, { x: 7 })
    const tick = changeTickOf(world, last, First)
    world.remove(handles[10] as Entity, Second)
    expect(changeTickOf(world, last, First)).toBe(tick)
    expect([...query.entities()]).toContain(last)
  })

  it('has another version when a row leaves it along a plan', () => {
    const { world, left } = withPlan()
    const query = world.query(First, not(Second))
    const { version } = query
    world.add(left[0] as Entity, Second)
    expect(query.version).not.toBe(version)
    expect([...query.entities()]).not.toContain(left[0])
  })
})
