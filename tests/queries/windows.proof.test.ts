// Shows which entities a place, a page and a part of a query are, together and one by one. The order of a loop over the whole
// query is the reference.

import { describe, expect, it } from 'vitest'
import {
  added,
  addMany,
  any,
  changed,
  component,
  destroyMany,
  f32,
  not,
  removeMany,
  sparse,
  spawnMany,
  tag,
  toggle,
  u32,
  type ComponentLike,
  type Query,
  type World,
} from '../../bindings/index'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Marked = tag('Marked')
const Rare = component('Rare', { n: u32 }, { storage: sparse })

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
  const page = query.slice(offset, offset + limit)
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
  const C = component('C', { n: u32 }, { storage: STORED[storage], toggle })

  /** Rows in several archetypes, with every second one off, some marked, few rare. */
  function filled(count: number): { world: World; handles: Uint32Array } {
    const world = watchedWorld()
    const handles = spawnMany(world, count, [Position, C])
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
      const order = loopOver(query.slice(0, count))
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
        const order = [...query.slice(0, 1_000_000).entities()]
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
      const order = [...query.slice(0, 1_000_000).entities()]
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
    expect(pageOf(query.slice(10, 110), 20, 30)).toEqual(order.slice(30, 60))
    expect(pageOf(query.slice(10, 110), 90, 30)).toEqual(order.slice(100, 110))
    expect(pageOf(query.slice(10, 110), 100, 30)).toEqual([])
    expect(pageOf(query.slice(10, 110), 500, 30)).toEqual([])
    expect(query.slice(300, 1_300).at(5)).toBe(order[305])
    const parts = [0, 1, 2].map((i) => loopOver(query.slice(50, 150).partition(i, 3)))
    expect(parts.flat()).toEqual(order.slice(50, 150))
    const quarter = query.partition(1, 2).partition(0, 2)
    expect(loopOver(quarter)).toEqual(order.slice(Math.floor(order.length / 2)).slice(0, quarter.count))
  })

  it('a page and a part refuse a condition, because it is unclear which entities it applies to', () => {
    const { world } = filled(20)
    const query = world.query(C) as unknown as Query
    const narrow = (one: Query) => one.where(C as never, 'n' as never, '<', 5 as never)
    for (const one of [
      query.slice(5, 15),
      query.slice(0, 10),
      query.slice(5, 5 + 1e6),
      query.partition(1, 2),
    ])
      expect(() => narrow(one)).toThrow('state the conditions before slice() or partition()')
    expect(() => narrow(query)).not.toThrow()
  })

  it('bulk changes affect the entities of a page, and no others', () => {
    const { world } = filled(300)
    const query = world.query(Position) as unknown as Query
    const order = loopOver(query)
    const page = () => query.slice(100, 150)
    expect(addMany(page(), Rare({ n: 500 }), Marked)).toBe(50)
    const rich = world.query(Rare).where(Rare, 'n', '==', 500)
    expect([...rich.entities()].sort((a, b) => a - b)).toEqual(order.slice(100, 150).sort((a, b) => a - b))
    const rare = world.query(Rare) as unknown as Query
    const first = loopOver(rare).slice(0, 5)
    expect(removeMany(rare.slice(0, 5), Rare, Marked)).toBe(5)
    expect(first.map((entity) => world.has(entity, Rare))).toEqual([false, false, false, false, false])
    const doomed = loopOver(page())
    expect(destroyMany(page())).toBe(50)
    expect(query.count).toBe(250)
    expect(doomed.filter((entity) => world.isAlive(entity))).toEqual([])
    expect(destroyMany(query.partition(0, 2))).toBe(125)
    expect(destroyMany(query.slice(1000, 1_005))).toBe(0)
    expect(query.count).toBe(125)
  })

  it('a bulk change called in a loop affects the page as it is after the loop', () => {
    const { world } = filled(300)
    const query = world.query(C) as unknown as Query
    const order = loopOver(query)
    world.batch(() => {
      expect(destroyMany(query.slice(0, 10))).toBe(10)
      expect(query.slice(0, 10).count).toBe(10)
    })
    expect(order.slice(0, 10).filter((entity) => world.isAlive(entity))).toEqual([])
    expect(query.count).toBe(order.length - 10)
  })
})

describe('places', () => {
  it.each(ROW_COUNTS)('are right at the edges of chunks, over %i rows', (count) => {
    const C = component('C', { n: u32 })
    const world = watchedWorld()
    const handles = spawnMany(world, count, [C])
    const query = world.query(C) as unknown as Query
    for (const place of ROW_COUNTS) {
      expect(query.at(place)).toBe(handles[place])
      expect(loopOver(query.slice(place, place + 2))).toEqual([...handles.subarray(place, place + 2)])
    }
  })

  it('must be whole numbers from 0, and parts must exist', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    const refusal = expect.objectContaining({ code: 'INVALID_OPTION' }) as Error
    for (const wrong of [-1, 0.5, NaN, Infinity, '1', undefined] as number[]) {
      expect(() => query.at(wrong)).toThrow(refusal)
      expect(() => query.slice(wrong)).toThrow(refusal)
      // Without an end, and to infinity, a slice goes to the last one.
      if (wrong !== Infinity && wrong !== undefined) expect(() => query.slice(0, wrong)).toThrow(refusal)
      expect(() => query.partition(wrong, 3)).toThrow(refusal)
      expect(() => query.partition(0, wrong)).toThrow(refusal)
    }
    expect(() => query.partition(3, 3)).toThrow(/of 3 parts there is no part 3/)
    expect(() => query.partition(0, 0)).toThrow(refusal)
    expect(query.partition(0, 1).count).toBe(0)
  })

  it('can be looped over in nested loops', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 200, [Position])
    const query = world.query(Position) as unknown as Query
    const pairs: number[][] = []
    for (const outer of query.slice(10, 13)) {
      for (let row = outer.start; row < outer.end; row++) {
        for (const inner of query.slice(198, 207)) {
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
