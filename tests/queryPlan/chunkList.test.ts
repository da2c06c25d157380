// Shows that a loop sees the chunks that there are when it begins, whatever came and went since the last one.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  changed,
  component,
  f32,
  optional,
  removeMany,
  resetWorld,
  spawnMany,
  tag,
  u32,
  type Component,
  type Entity,
  type Query,
  type World,
} from '../../bindings/index'
import { CHUNKS_VERSION } from '../../build/layout'
import { wordAt } from '../support/inside'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const A = component('A', { n: u32 })
const B = component('B', { x: f32, y: f32 })
const Mark = tag('Mark')
/** One tag for each archetype. */
const KINDS = Array.from({ length: 300 }, (_, k) => tag(`Kind${k}`))

/** The handle and value of each row, through the columns. */
function rowsOf(query: Query<[typeof A]>): [number, number][] {
  const rows: [number, number][] = []
  for (const chunk of query) {
    const { n } = chunk.read(A)
    for (let i = chunk.start; i < chunk.end; i++) rows.push([chunk.entities[i] as number, n[i] as number])
  }
  return rows.sort(([a], [b]) => a - b)
}

/** The same, by handle. */
function expectedOf(world: World, handles: Iterable<number>): [number, number][] {
  const living = [...handles].filter((entity) => world.has(entity, A))
  return living
    .map((entity): [number, number] => [entity, world.get(entity, A)?.n ?? -1])
    .sort(([a], [b]) => a - b)
}

describe('a loop sees the chunks that exist when it begins', () => {
  it('after entities were spawned and destroyed, in hundreds of archetypes', () => {
    const world = watchedWorld()
    const query = world.query(A)
    const handles: Entity[] = []
    let seed = 7
    const random = (below: number) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below
    for (let round = 0; round < 40; round++) {
      for (let i = 0; i < 100; i++)
        handles.push(
          world.spawn(A({ n: handles.length }), KINDS[random(KINDS.length)] as (typeof KINDS)[number]),
        )
      for (let i = 0; i < 60; i++) world.destroy(handles[random(handles.length)])
      for (let i = 0; i < 20; i++) {
        const entity = handles[random(handles.length)]
        if (world.isAlive(entity)) world.add(entity, B)
      }
      expect(rowsOf(query)).toEqual(expectedOf(world, handles))
    }
  })

  it('after all rows of an archetype were moved to another one, and back', () => {
    const world = watchedWorld()
    const query = world.query(A)
    const marked = world.query(A, Mark)
    const handles = spawnMany(world, 5000, [A], (chunk) => {
      const { n } = chunk.write(A)
      for (let i = chunk.start; i < chunk.end; i++) n[i] = i
    })
    const before = rowsOf(query)
    expect(marked.count).toBe(0)
    for (const chunk of marked) expect.unreachable(`rows ${chunk.start} to ${chunk.end}`)
    addMany(query, Mark)
    expect(rowsOf(marked as unknown as Query<[typeof A]>)).toEqual(before)
    removeMany(query, Mark)
    for (const chunk of marked) expect.unreachable(`rows ${chunk.start} to ${chunk.end}`)
    expect(rowsOf(query)).toEqual(expectedOf(world, handles))
  })

  it('after a chunk was freed and reused by another archetype', () => {
    const world = watchedWorld()
    const query = world.query(A)
    const first = world.spawn(A({ n: 1 }))
    expect(rowsOf(query)).toEqual([[first, 1]])
    world.destroy(first)
    const other = world.spawn(A({ n: 2 }), B({ x: 3, y: 4 }))
    expect(rowsOf(query)).toEqual([[other, 2]])
  })

  it('after the memory grew, with arrays over the new memory', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20 } })
    const query = world.query(A)
    const handles = [world.spawn(A({ n: 5 }))]
    expect(rowsOf(query)).toEqual(expectedOf(world, handles))
    spawnMany(world, 200_000, [B])
    expect(rowsOf(query)).toEqual(expectedOf(world, handles))
    for (const chunk of query) chunk.write(A).n[chunk.start] = 9
    expect(world.get(handles[0], A)).toEqual({ n: 9 })
  })

  it('after the world was reset', () => {
    const world = watchedWorld()
    const query = world.query(A)
    for (let k = 0; k < 50; k++) world.spawn(A({ n: k }), KINDS[k] as (typeof KINDS)[number])
    expect(rowsOf(query)).toHaveLength(50)
    resetWorld(world)
    expect(rowsOf(query)).toEqual([])
    const entity = world.spawn(A({ n: 6 }))
    expect(rowsOf(query)).toEqual([[entity, 6]])
  })

  it.each(STORAGES)('in a pool or in archetypes: storage %s', (storage) => {
    const world = watchedWorld()
    const Number = component('Number', { n: u32 }, { storage: STORED[storage] }) as Component<
      { n: typeof u32 },
      'table'
    >
    const query = world.query(Number)
    const visited = () => {
      const numbers: number[] = []
      for (const chunk of query) {
        const { n } = chunk.read(Number)
        for (let i = chunk.start; i < chunk.end; i++) numbers.push(n[i] as number)
      }
      return numbers.sort((a, b) => a - b)
    }
    const handles = Array.from({ length: 9000 }, (_, n) => world.spawn(Number({ n })))
    expect(visited()).toEqual(handles.map((_, n) => n))
    for (const handle of handles.splice(100)) world.destroy(handle)
    expect(visited()).toEqual(handles.map((_, n) => n))
    for (let n = 100; n < 9000; n++) handles.push(world.spawn(Number({ n })))
    expect(visited()).toEqual(handles.map((_, n) => n))
  })
})

describe('several looks at one list', () => {
  function inArchetypes(count: number) {
    const world = watchedWorld()
    for (let k = 0; k < count; k++) world.spawn(A({ n: k }), KINDS[k] as (typeof KINDS)[number])
    return { world, query: world.query(A) }
  }

  it('a loop left early leaves the next one complete', () => {
    const { query } = inArchetypes(100)
    for (const left of [1, 3, 4, 5, 50]) {
      let steps = 0
      for (const chunk of query) {
        chunk.read(A)
        if (++steps === left) break
      }
    }
    expect(rowsOf(query)).toHaveLength(100)
  })

  it('nested loops each see every pair', () => {
    const { query } = inArchetypes(30)
    let pairs = 0
    for (const outer of query) {
      const own = outer.read(A).n
      for (const inner of query) {
        pairs++
        expect(outer.read(A).n).toBe(own)
        if (inner.entities[0] === outer.entities[0]) expect(inner.read(A).n).toBe(own)
      }
    }
    expect(pairs).toBe(900)
  })

  it('a component that only some chunks have is undefined in the others, in every loop', () => {
    const { world } = inArchetypes(40)
    const query = world.query(A, optional(B))
    const some = [...world.query(A).entities()].filter((_, i) => i % 3 === 0)
    for (const entity of some) world.add(entity, B({ x: 1 }))
    for (let loop = 0; loop < 3; loop++) {
      let present = 0
      for (const chunk of query) {
        const b = chunk.write(B)
        for (let i = chunk.start; i < chunk.end; i++) {
          expect(b !== undefined).toBe(world.has(chunk.entities[i], B))
          if (b !== undefined && b.x[i] === 1) present++
        }
      }
      expect(present).toBe(some.length)
    }
  })

  it('what is written in one chunk counts as changed there alone', () => {
    const { world, query } = inArchetypes(60)
    const watch = world.query(changed(A))
    for (const chunk of watch) expect(chunk.end).toBe(1)
    let place = 0
    const written: number[] = []
    for (const chunk of query) {
      if (place++ % 7 !== 3) continue
      chunk.write(A).n[0] = 1000 + place
      written.push(chunk.entities[0] as number)
    }
    const seen: number[] = []
    for (const chunk of watch) seen.push(chunk.entities[chunk.start] as number)
    expect(seen.sort((a, b) => a - b)).toEqual(written.sort((a, b) => a - b))
  })
})

it('the counter changes when chunks appear, disappear or change owners, and not when rows do', () => {
  const world = watchedWorld()
  const version = () => wordAt(world, CHUNKS_VERSION)
  const first = world.spawn(A)
  let before = version()
  const second = world.spawn(A)
  world.set(first, A, { n: 3 })
  world.destroy(second)
  expect(version()).toBe(before)
  world.add(first, B)
  expect(version()).toBeGreaterThan(before)
  before = version()
  addMany(world.query(A), Mark)
  expect(version()).toBeGreaterThan(before)
  before = version()
  world.destroy(first)
  expect(version()).toBeGreaterThan(before)
})
