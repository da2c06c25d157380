// Shows which entities a place, a page and a part of a query are, together and one by one. The order of a loop over the whole
// query is the reference.

import { describe, expect, it } from 'vitest'
import {
  added,
  any,
  changed,
  component,
  f32,
  not,
  tag,
  u32,
  type ComponentLike,
  type Query,
  type World,
} from '../../bindings/index'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Marked = tag('Marked')
const Rare = component('Rare', { n: u32 }, { storage: 'sparse' })

function loopOver(query: Query): number[] {
  const found: number[] = []
  for (const chunk of query) {
    expect(chunk.start).toBeLessThan(chunk.end)
    for (let row = chunk.start; row < chunk.end; row++) found.push(chunk.entities[row] as number)
  }
  return found
}

/** A page says the same in every way it can be asked. */
function pageOf(query: Query, offset: number, limit: number): number[] {
  const page = query.page(offset, limit)
  const found = loopOver(page)
  expect(page.count).toBe(found.length)
  expect(page.isEmpty).toBe(found.length === 0)
  expect(page.first()).toBe(found[0])
  expect([...page.entities()]).toEqual(found)
  const each: number[] = []
  page.each((entity) => each.push(entity))
  expect(each).toEqual(found)
  return found
}

interface Case {
  readonly name: string
  readonly make: (world: World, C: ComponentLike) => Query
}

/** Every way in which a query is walked. C has `n` counting up. */
const CASES: readonly Case[] = [
  { name: 'a query of one component', make: (world, C) => world.query(C) as Query },
  { name: 'a query of all entities', make: (world) => world.query() as unknown as Query },
  { name: 'a query of several', make: (world, C) => world.query(Position, C) as Query },
  { name: 'a query with a tag', make: (world, C) => world.query(C, Marked) as Query },
  { name: 'a query with an excluded tag', make: (world, C) => world.query(C, not(Marked)) as Query },
  { name: 'a query of alternatives', make: (world, C) => world.query(any(C, Rare)) as Query },
  { name: 'a query led by a small pool', make: (world, C) => world.query(Position, C, Rare) as Query },
  {
    name: 'a filtered query',
    make: (world, C) => (world.query(C) as Query).where(C as never, 'n' as never, '!=', 70 as never),
  },
  {
    name: 'a finely filtered query',
    make: (world, C) =>
      (world.query(Position, C) as Query).where(Position as never, 'x' as never, '<', 0 as never),
  },
  { name: 'a query for changes', make: (world, C) => world.query(changed(C)) as unknown as Query },
  {
    name: 'a query for what is new',
    make: (world, C) => world.query(Position, added(C)) as unknown as Query,
  },
]

describe.each(STORAGES)('over a %s component', (storage) => {
  const C = component('C', { n: u32 }, { storage, toggle: true })

  /** Rows in several archetypes, with every second one off, some marked, few rare. */
  function filled(count: number): { world: World; handles: Uint32Array } {
    const world = watchedWorld()
    const handles = world.spawnMany(count, [Position, C])
    handles.forEach((entity, i) => {
      world.set(entity, C, { n: i })
      world.set(entity, Position, { x: (i % 4) - 2 })
      if (i % 3 === 0) world.add(entity, Marked)
      if (i % 7 === 2) world.disable(entity, C)
      if (i % 40 === 0) world.add(entity, Rare)
    })
    return { world, handles }
  }

  describe.each(CASES)('$name', ({ make }) => {
    it('gives at each place the entity of the loop, and nothing after the last', () => {
      const { world } = filled(400)
      const query = make(world, C)
      // Pages and places are not a look: asked before the loop, they are about the same changes.
      const places = [0, 1, 2, 63, 64, 65, 100]
      const before = places.map((place) => query.at(place))
      const count = query.count
      expect(query.at(count)).toBe(undefined)
      expect(query.at(count + 1000)).toBe(undefined)
      const last = query.at(count - 1)
      const order = loopOver(query.page(0, count))
      expect(order.length).toBe(count)
      expect(before).toEqual(places.map((place) => order[place]))
      expect(last).toBe(order[count - 1])
      expect(loopOver(query)).toEqual(order)
    })

    it.each([1, 2, 63, 64, 65, 399, 400, 401])(
      'is split into pages of %i that together are the whole',
      (limit) => {
        const { world } = filled(400)
        const query = make(world, C)
        const order = [...query.page(0, 1_000_000).entities()]
        const pages: number[] = []
        for (let offset = 0; offset <= order.length; offset += limit) {
          const page = pageOf(query, offset, limit)
          expect(page).toEqual(order.slice(offset, offset + limit))
          pages.push(...page)
        }
        expect(pages).toEqual(order)
        expect(pageOf(query, order.length, limit)).toEqual([])
        expect(pageOf(query, 0, 0)).toEqual([])
      },
    )

    it('is split into n parts without an entity in two, for any n', () => {
      const { world } = filled(130)
      const query = make(world, C)
      const order = [...query.page(0, 1_000_000).entities()]
      for (let n = 1; n <= order.length + 1; n++) {
        const parts = Array.from({ length: n }, (_, i) => [...query.partition(i, n).entities()])
        expect(parts.flat()).toEqual(order)
        const sizes = parts.map(({ length }) => length)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      }
    })
  })

  it('gives pages of pages, and parts of pages and of parts', () => {
    const { world } = filled(400)
    const query = world.query(C) as unknown as Query
    const order = loopOver(query)
    expect(pageOf(query.page(10, 100), 20, 30)).toEqual(order.slice(30, 60))
    expect(pageOf(query.page(10, 100), 90, 30)).toEqual(order.slice(100, 110))
    expect(pageOf(query.page(10, 100), 100, 30)).toEqual([])
    expect(pageOf(query.page(10, 100), 500, 30)).toEqual([])
    expect(query.page(300, 1000).at(5)).toBe(order[305])
    const parts = [0, 1, 2].map((i) => loopOver(query.page(50, 100).partition(i, 3)))
    expect(parts.flat()).toEqual(order.slice(50, 150))
    const quarter = query.partition(1, 2).partition(0, 2)
    expect(loopOver(quarter)).toEqual(order.slice(Math.floor(order.length / 2)).slice(0, quarter.count))
  })

  it('a page and a part refuse a condition, because it is unclear which entities it applies to', () => {
    const { world } = filled(20)
    const query = world.query(C) as unknown as Query
    const narrow = (one: Query) => one.where(C as never, 'n' as never, '<', 5 as never)
    for (const one of [query.page(5, 10), query.page(0, 10), query.page(5, 1e6), query.partition(1, 2)])
      expect(() => narrow(one)).toThrow('state the conditions before page() or partition()')
    expect(() => narrow(query)).not.toThrow()
  })

  it('bulk changes affect the entities of a page, and no others', () => {
    const { world } = filled(300)
    const query = world.query(Position) as unknown as Query
    const order = loopOver(query)
    const page = () => query.page(100, 50)
    expect(page().add(Rare({ n: 500 }), Marked)).toBe(50)
    const rich = world.query(Rare).where(Rare, 'n', '==', 500)
    expect([...rich.entities()].sort((a, b) => a - b)).toEqual(order.slice(100, 150).sort((a, b) => a - b))
    const rare = world.query(Rare) as unknown as Query
    const first = loopOver(rare).slice(0, 5)
    expect(rare.page(0, 5).remove(Rare, Marked)).toBe(5)
    expect(first.map((entity) => world.has(entity, Rare))).toEqual([false, false, false, false, false])
    const doomed = loopOver(page())
    expect(page().destroy()).toBe(50)
    expect(query.count).toBe(250)
    expect(doomed.filter((entity) => world.isAlive(entity))).toEqual([])
    expect(query.partition(0, 2).destroy()).toBe(125)
    expect(query.page(1000, 5).destroy()).toBe(0)
    expect(query.count).toBe(125)
  })

  it('a bulk change called in a loop affects the page as it is after the loop', () => {
    const { world } = filled(300)
    const query = world.query(C) as unknown as Query
    const order = loopOver(query)
    world.defer(() => {
      expect(query.page(0, 10).destroy()).toBe(10)
      expect(query.page(0, 10).count).toBe(10)
    })
    expect(order.slice(0, 10).filter((entity) => world.isAlive(entity))).toEqual([])
    expect(query.count).toBe(order.length - 10)
  })
})

describe('places', () => {
  it.each(ROW_COUNTS)('are right at the edges of chunks, over %i rows', (count) => {
    const C = component('C', { n: u32 })
    const world = watchedWorld()
    const handles = world.spawnMany(count, [C])
    const query = world.query(C) as unknown as Query
    for (const place of ROW_COUNTS) {
      expect(query.at(place)).toBe(handles[place])
      expect(loopOver(query.page(place, 2))).toEqual([...handles.subarray(place, place + 2)])
    }
  })

  it('must be whole numbers from 0, and parts must exist', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    const refusal = expect.objectContaining({ code: 'INVALID_OPTION' }) as Error
    for (const wrong of [-1, 0.5, NaN, Infinity, '1', undefined] as number[]) {
      expect(() => query.at(wrong)).toThrow(refusal)
      expect(() => query.page(wrong, 1)).toThrow(refusal)
      expect(() => query.page(0, wrong)).toThrow(refusal)
      expect(() => query.partition(wrong, 3)).toThrow(refusal)
      expect(() => query.partition(0, wrong)).toThrow(refusal)
    }
    expect(() => query.partition(3, 3)).toThrow(/of 3 parts there is no part 3/)
    expect(() => query.partition(0, 0)).toThrow(refusal)
    expect(query.partition(0, 1).count).toBe(0)
  })

  it('can be looped over in nested loops', () => {
    const world = watchedWorld()
    const handles = world.spawnMany(200, [Position])
    const query = world.query(Position) as unknown as Query
    const pairs: number[][] = []
    for (const outer of query.page(10, 3)) {
      for (let row = outer.start; row < outer.end; row++) {
        for (const inner of query.page(198, 9)) {
          for (let other = inner.start; other < inner.end; other++) {
            pairs.push([outer.entities[row] as number, inner.entities[other] as number])
          }
        }
      }
    }
    const expected = [10, 11, 12].flatMap((i) => [198, 199].map((k) => [handles[i], handles[k]]))
    expect(pairs).toEqual(expected)
  })
})
