// Shows that what a callback of each writes by its cursors is marked as changed for every look, wherever in the loop that is.

import { describe, expect, it } from 'vitest'
import {
  bool,
  changed,
  component,
  createAccessor,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  sparse,
  u16,
  u32,
  u8,
} from '../../bindings/index'
import { proofLength } from '../support/proofs'
import { capacitiesOf, seededRandom } from '../support/storages'
import { watchedWorld } from '../support/watched'

const A = component('A', { x: f32 })
const B = component('B', { y: f32 })
const Tracked = component('Tracked', { z: f32 }, { trackChanges: 'row' })
const { first, full } = capacitiesOf(A, B)

/** A world with rows in two chunks and a query for what changed in A, which has seen all. */
function twoChunks() {
  const world = watchedWorld()
  const ships = Array.from({ length: first + full }, () => world.spawn(A, B))
  const both = world.query(A, B)
  const news = world.query(changed(A))
  news.entities()
  expect(news.count).toBe(0)
  return { world, ships, both, news }
}

describe('a write in a callback of each', () => {
  it('is found by a look within the same call', () => {
    const { both, news } = twoChunks()
    let calls = 0
    both.each((_, a) => {
      a.x = 1
      if (calls++ === 0) expect(news.count).toBe(first)
    })
    expect(news.count).toBe(first + full)
  })

  it('is not found where nothing was written', () => {
    const { both, news } = twoChunks()
    let row = 0
    both.each((_, a, b) => {
      b.y = a.x
      if (row++ === first) a.x = 1
    })
    expect(news.count).toBe(full)
  })

  it('bears the tick at which it was made, even if that advances within the call', () => {
    const { world, both, news } = twoChunks()
    let done = false
    both.each((_, a) => {
      if (done) return
      done = true
      a.x = 1
      // The end of this loop moves the tick on: it has seen what was written before.
      news.each(() => {
        a.x = 2
      })
      expect(news.count).toBe(0)
      // And so has that of a first loop.
      const others = world.query(changed(A))
      others.each(() => {
        a.x = 3
      })
      expect(others.count).toBe(0)
    })
    expect(news.entities().length).toBe(first)
  })

  it('is found after the tick was advanced by hand', () => {
    const { world, both, news } = twoChunks()
    const seen: number[] = []
    both.each((_, a) => {
      a.x = 1
      world.advanceTick()
      if (seen.length < 2) seen.push(news.entities().length)
    })
    expect(seen).toEqual([first, first])
    expect(news.entities().length).toBe(first + full)
    expect(news.count).toBe(0)
  })

  it('is seen by the look that ends within the call, and later writes by the next', () => {
    const { both, news } = twoChunks()
    const found: number[] = []
    let row = 0
    both.each((_, a) => {
      if (row === 0 || row === 2 || row === first) a.x = row + 1
      if (row === 1 || row === 3 || row === first + 1) found.push(news.entities().length)
      row++
    })
    expect(found).toEqual([first, first, full])
    expect(news.count).toBe(0)
  })

  it('stays marked when the callback throws', () => {
    const { both, news } = twoChunks()
    const thrown = new Error('enough')
    expect(() =>
      both.each((_, a) => {
        a.x = 1
        throw thrown
      }),
    ).toThrow(thrown)
    expect(news.entities().length).toBe(first)
    both.each((_, a) => a.x)
    expect(news.count).toBe(0)
  })

  it('is found in a loop over changes that is stepped by hand within the call', () => {
    const { both, news } = twoChunks()
    both.first()
    const steps = news[Symbol.iterator]()
    let found = 0
    both.each((_, a) => {
      a.x = 1
      if (found === 0) found = steps.next().value?.entities.length ?? -1
    })
    expect(found).toBe(first)
    steps.return?.()
  })

  it('is found in such a loop over a pool', () => {
    const { world, ships, both } = twoChunks()
    const Sparse = component('Sparse', { n: u8 }, { storage: sparse })
    for (const ship of ships.slice(0, 3)) world.add(ship, Sparse)
    const news = world.query(Sparse, changed(A))
    news.entities()
    const steps = news[Symbol.iterator]()
    const found: number[] = []
    both.each((handle, a) => {
      if (handle === ships[0]) a.x++
      if (handle !== ships[1]) return
      for (let step = steps.next(); !step.done; step = steps.next()) {
        const { entities, start, end } = step.value
        found.push(...entities.subarray(start, end))
      }
    })
    expect(found).toEqual(ships.slice(0, 3))
  })

  it('is found when a cursor of the outer loop is written to in an inner one', () => {
    const { both, news } = twoChunks()
    let done = false
    both.each((_, outer) => {
      if (done) return
      done = true
      both.each((__, inner) => {
        outer.x = inner.x + 1
      })
    })
    expect(news.count).toBe(first)
  })

  it('marks only its row where rows are tracked', () => {
    const world = watchedWorld()
    const ships = Array.from({ length: 65 }, () => world.spawn(Tracked))
    const news = world.query(changed(Tracked))
    news.entities()
    world.query(Tracked).each((handle, tracked) => {
      if (handle === ships[63]) tracked.z = 1
    })
    expect([...news.entities()]).toEqual([ships[63]])
  })

  it('after the loop, with a cursor that was kept, marks nothing of the next loop', () => {
    const { both, news } = twoChunks()
    let kept: { x: number } | undefined
    both.each((_, a) => {
      kept = a
    })
    if (kept) kept.x = 1
    both.each((_, a) => a.x)
    expect(news.count).toBe(0)
  })
})

describe('a cursor of a loop', () => {
  const KINDS = { f32, f64, i32, u32, i16, u16, i8, u8, bool, entity }

  it.each(Object.keys(KINDS))('stores a %s as set does, marks it, and refuses invalid values', (kind) => {
    const Value = component('Value', { before: u8, v: KINDS[kind as 'f64'] })
    const world = watchedWorld()
    const ship = world.spawn(Value)
    const news = world.query(changed(Value))
    news.entities()
    const value = (kind === 'bool' ? true : kind === 'entity' ? ship : 7) as number
    world.query(Value).each((_, cursor) => {
      cursor.v = value
      expect(cursor.v).toBe(value)
    })
    expect(news.count).toBe(1)
    expect(world.get(ship, Value)).toEqual({ before: 0, v: value })
    if (kind === 'bool') return
    news.entities()
    world.query(Value).each((_, cursor) => {
      expect(() => (cursor.v = 'seven' as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_VALUE' }) as Error,
      )
    })
    expect(news.count).toBe(0)
  })
})

it('Random writes, looks, ticks and nested loops are found as if each write were marked at once', () => {
  const random = seededRandom(11)
  const dice = (sides: number) => Math.floor(random() * sides)
  for (let round = 0; round < proofLength(160); round++) {
    const world = watchedWorld()
    const C = component('C', { z: f32 })
    const many = 1 + dice(first + full)
    for (let i = 0; i < many; i++) world.spawn(A, B)
    for (let i = 0; i < dice(70); i++) world.spawn(A, B, C)
    const [both, ones, others] = [world.query(A, B), world.query(A), world.query(B, C)]
    const news = [world.query(changed(A)), world.query(changed(B))]
    // The same, marked at once: by accessors, in a twin world.
    const twin = watchedWorld()
    for (const handle of world.query(A).entities()) twin.spawn(A, B, ...(world.has(handle, C) ? [C] : []))
    const twins = [twin.query(changed(A)), twin.query(changed(B))]
    const handles = world.query(A).entities()
    const pairs = new Map(Array.from(twin.query(A).entities(), (one, i) => [handles[i] as number, one]))
    const inTwin = [createAccessor(twin, A), createAccessor(twin, B)] as const
    let steps = 0
    const act = (handle: number, x: { x: number } | undefined, y: { y: number } | undefined) => {
      if (++steps > 400) return
      const other = pairs.get(handle) as never
      switch (dice(12)) {
        case 0:
          if (x) x.x = inTwin[0].of(other).x = steps
          break
        case 1:
          if (y) y.y = inTwin[1].of(other).y = steps
          break
        case 2: {
          const which = dice(2)
          const found = news[which]?.entities().length
          expect(found).toBe(twins[which]?.entities().length)
          break
        }
        case 3: {
          const which = dice(2)
          expect(news[which]?.count).toBe(twins[which]?.count)
          break
        }
        case 4:
          world.advanceTick()
          twin.advanceTick()
          break
        case 5:
          if (dice(8) === 0) loop()
          break
        default:
      }
    }
    const loop = () => {
      const which = dice(3)
      if (which === 0) both.each((handle, a, b) => act(handle, a, b))
      else if (which === 1) ones.each((handle, a) => act(handle, a, undefined))
      else others.each((handle, b) => act(handle, undefined, b))
    }
    for (let i = 0; i < 6; i++) {
      steps = 0
      loop()
      news.forEach((one, which) => expect(one.count).toBe(twins[which]?.count))
    }
  }
})
