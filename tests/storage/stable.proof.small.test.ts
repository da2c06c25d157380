// Shows that row references lead to rows of stable storage for as long as their entity lives, and that stale, foreign and wild
// numbers are refused.

import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  createAccessor,
  destroyMany,
  NULL_ENTITY,
  resetWorld,
  spawnMany,
  stable,
  StrataError,
  StrataTypeError,
  component,
  f32,
  u32,
  type StableAccessor,
} from '../../bindings/index'
import { changeTickOf } from '../support/inside'
import { numbered } from '../support/kinds'
import { ROW_COUNTS } from '../support/rowCounts'
import { seededRandom } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Node = component('Node', { x: f32, parent: u32 }, { storage: stable })
const Other = component('Other', { value: u32 }, { storage: stable })
const Position = component('Position', { x: f32 })
const WILD = [0, 1, 4095, 4096, 0xffffffff, 0x7fffffff, 0x80000000, -1, 1.5, NaN, Infinity, 2 ** 32]
const NO_NUMBERS = [undefined, null, '4096', {}, true]

const anything = (value: unknown) => value as never

describe('a row of stable storage', () => {
  it.each(ROW_COUNTS)('leads from each of %i entities to its values and back', (count) => {
    const world = watchedWorld()
    const handles = spawnMany(world, count, [Node])
    const nodes = createAccessor(world, Node)
    handles.forEach((handle, i) => (nodes.of(handle).x = i))
    const rows = Array.from(handles, (handle) => nodes.rowOf(handle))
    expect(new Set(rows).size).toBe(count)
    expect(rows.includes(0)).toBe(false)
    expect(rows.every((row, i) => nodes.entityAt(row) === handles[i])).toBe(true)
    expect(rows.every((row, i) => nodes.at(row).x === i)).toBe(true)
  })

  it('stays the same while others come and go, memory grows and the entity moves', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20 } })
    const random = seededRandom(3)
    const nodes = createAccessor(world, Node)
    const kept = spawnMany(world, 500, [Node])
    const rows = Array.from(kept, (handle) => nodes.rowOf(handle))
    rows.forEach((row, i) => (nodes.at(row).x = i))
    for (let round = 0; round < 20; round++) {
      const others = spawnMany(world, 1000, [Node({ x: -1 }), Position])
      destroyMany(
        world,
        others.filter(() => random() < 0.8),
      )
      for (const handle of kept) {
        if (random() < 0.5) world.add(handle, Position)
        else world.remove(handle, Position)
      }
    }
    expect(Array.from(kept, (handle) => nodes.rowOf(handle))).toEqual(rows)
    expect(rows.every((row, i) => nodes.at(row).x === i)).toBe(true)
  })

  it('can be stored in a field: a tree is climbed from row to row', () => {
    const world = watchedWorld()
    const nodes = createAccessor(world, Node)
    let last = world.spawn(Node({ x: 1 }))
    for (let depth = 2; depth <= 100; depth++)
      last = world.spawn(Node({ x: depth, parent: nodes.rowOf(last) }))
    let sum = 0
    for (let row = nodes.rowOf(last); row !== 0; row = nodes.at(row).parent) sum += nodes.at(row).x
    expect(sum).toBe(5050)
  })

  it('is reused, oldest first, by later entities', () => {
    const world = watchedWorld()
    const nodes = createAccessor(world, Node)
    const handles = [...spawnMany(world, 10, [Node])]
    const rows = handles.map((handle) => nodes.rowOf(handle))
    for (const i of [7, 2, 5]) world.remove(handles[i], Node)
    const again = [1, 2, 3, 4].map(() => nodes.rowOf(world.spawn(Node)))
    expect(again.slice(0, 3)).toEqual([rows[7], rows[2], rows[5]])
    expect(rows).not.toContain(again[3])
  })

  it('marks the component changed when it is written to', () => {
    const world = watchedWorld()
    const ship = world.spawn(Node)
    const nodes = createAccessor(world, Node)
    world.advanceTick()
    nodes.at(nodes.rowOf(ship)).x = 1
    expect(changeTickOf(world, ship, Node)).toBe(2)
  })

  it('exists for components without fields', () => {
    const Bare = component('Bare', {}, { storage: stable })
    const world = watchedWorld()
    const ship = world.spawn(Bare)
    const bare = createAccessor(world, Bare)
    expect(bare.entityAt(bare.rowOf(ship))).toBe(ship)
    expect(bare.at(bare.rowOf(ship))).toEqual({})
  })
})

describe('rowOf', () => {
  it('is 0 for an entity that is dead, lacks the component or never existed', () => {
    const world = watchedWorld()
    const nodes = createAccessor(world, Node)
    expect(nodes.rowOf(5)).toBe(0)
    const [ship, wreck, bare] = [world.spawn(Node), world.spawn(Node), world.spawn(Other)]
    world.destroy(wreck)
    for (const entity of [wreck, bare, NULL_ENTITY, ...WILD.filter((wild) => wild !== ship), ...NO_NUMBERS]) {
      expect(nodes.rowOf(anything(entity))).toBe(0)
    }
    expect(nodes.rowOf(ship)).toBeGreaterThan(0)
  })

  it('is 0 for a handle that waits for the end of a loop', () => {
    const world = watchedWorld()
    const nodes = createAccessor(world, Node)
    world.spawn(Node)
    const born = world.batch(() => {
      const handles = spawnMany(world, 3000, [Node])
      expect([...handles].every((handle) => nodes.rowOf(handle) === 0)).toBe(true)
      return handles
    })
    expect([...born].every((handle) => nodes.entityAt(nodes.rowOf(handle)) === handle)).toBe(true)
  })
})

describe('a reference that leads nowhere', () => {
  function expectNowhere(nodes: StableAccessor<typeof Node>, row: unknown): void {
    expect(nodes.entityAt(anything(row))).toBe(NULL_ENTITY)
    expect(() => nodes.at(anything(row))).toThrow(StrataError)
    expect(() => nodes.at(anything(row))).toThrow(expect.objectContaining({ code: 'MISSING_ROW' }))
    expect(() => nodes.at(anything(row))).toThrow(/accessor\(Node\)\.at/)
  }

  it('is refused before the world knows the component', () => {
    const world = watchedWorld()
    for (const row of [...WILD, ...NO_NUMBERS]) expectNowhere(createAccessor(world, Node), row)
  })

  it('is refused when the number is out of range', () => {
    const world = watchedWorld()
    const nodes = createAccessor(world, Node)
    const row = nodes.rowOf(world.spawn(Node, Position))
    for (const wild of [...WILD, ...NO_NUMBERS, row + 1, row + 4096, row + 0.5, -row, `${row}`]) {
      if (wild !== row) expectNowhere(nodes, wild)
    }
  })

  it('is refused when the row is a hole, and when it is past the last one', () => {
    const world = watchedWorld()
    const nodes = createAccessor(world, Node)
    const handles = [...spawnMany(world, 5, [Node])]
    const rows = handles.map((handle) => nodes.rowOf(handle))
    world.destroy(handles[1])
    world.remove(handles[4], Node)
    for (const row of [rows[1], rows[4], (rows[4] as number) + 1]) expectNowhere(nodes, row)
    expect(nodes.entityAt(rows[2] as number)).toBe(handles[2])
  })

  it('is refused in rows of other pools and of archetypes', () => {
    const world = watchedWorld()
    const ship = world.spawn(Node)
    const others = spawnMany(world, 2000, [Other({ value: 3 }), Position({ x: 3 })])
    const foreign = createAccessor(world, Other)
    for (const other of others) expectNowhere(createAccessor(world, Node), foreign.rowOf(other))
    const chunks = world.stats().chunks
    const nodes = createAccessor(world, Node)
    // Every row of every chunk that there is or was: only one of them is a Node's.
    const found: number[] = []
    for (let row = 0; row < (chunks + 3) * 4096; row++)
      if (nodes.entityAt(row) !== NULL_ENTITY) found.push(row)
    expect(found).toEqual([nodes.rowOf(ship)])
  })

  it('is refused after the pool freed its chunks, even if others use them now', () => {
    const world = watchedWorld()
    const nodes = createAccessor(world, Node)
    const handles = spawnMany(world, 3000, [Node])
    const rows = Array.from(handles, (handle) => nodes.rowOf(handle))
    destroyMany(world, handles)
    expect(rows.every((row) => nodes.entityAt(row) === NULL_ENTITY)).toBe(true)
    spawnMany(world, 3000, [Other, Position])
    expect(rows.every((row) => nodes.entityAt(row) === NULL_ENTITY)).toBe(true)
    expectNowhere(nodes, rows[0])
  })

  it('is refused after clear and after reset', () => {
    const world = watchedWorld()
    const nodes = createAccessor(world, Node)
    const row = nodes.rowOf(world.spawn(Node))
    clearWorld(world)
    expectNowhere(nodes, row)
    resetWorld(world)
    expectNowhere(nodes, row)
    const ship = world.spawn(Node({ x: 4 }))
    expect(nodes.at(nodes.rowOf(ship)).x).toBe(4)
  })
})

describe.each(['table', 'sparse'] as const)('rows of %s storage', (storage) => {
  it('move, and are refused by a TypeError that says so', () => {
    const Moving = numbered('Moving', storage)
    const world = watchedWorld()
    const ship = world.spawn(Moving({ value: 1 }))
    const accessor = createAccessor(world, Moving) as unknown as StableAccessor<typeof Node>
    const calls = [() => accessor.rowOf(ship), () => accessor.at(4096), () => accessor.entityAt(4096)]
    for (const call of calls) {
      expect(call).toThrow(StrataTypeError)
      expect(call).toThrow(expect.objectContaining({ code: 'NOT_STABLE' }))
      expect(call).toThrow(new RegExp(`Moving.*'${storage}'.*stable`))
    }
    expect(createAccessor(world, Moving).of(ship).value).toBe(1)
  })
})
