// Shows how sparse and stable storage work: the paged index, the dense rows, swap-and-pop, holes. The same bodies run over both
// policies.

import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  component,
  createAccessor,
  destroyMany,
  f32,
  i32,
  removeMany,
  spawnMany,
  tag,
  u8,
  vec,
  type Entity,
  type Storage,
  type World,
} from '../../bindings/index'
import { PAGE_SHIFT } from '../../build/layout'
import { indexOf, poolOf } from '../support/inside'
import { numbered, type Numbered } from '../support/kinds'
import { watchedWorld } from '../support/watched'
import { STORED } from '../support/storages'

const PAGE = 1 << PAGE_SHIFT
const POOLED: readonly Storage[] = ['sparse', 'stable']

/** Living entities with the indices 1 to `highest`. */
function entitiesUpTo(world: World, highest: number): Entity[] {
  const handles = [...spawnMany(world, highest, [])]
  expect(indexOf(handles[highest - 1])).toBe(highest)
  return [0 as Entity, ...handles]
}

/** The pool's entities in the order of their rows. */
function rowsOf(world: World, C: Numbered): Entity[] {
  return [...world.query(C).entities()]
}

/** All handles and values of a loop over the pool. */
function contents(world: World, C: Numbered): Map<number, number> {
  const found = new Map<number, number>()
  world.query(C).each((entity, c) => {
    if (found.has(entity)) expect.unreachable(`${entity} was visited twice`)
    found.set(entity, c.value)
  })
  return found
}

/** How many rows a full chunk and the first chunk take. */
function capacities(C: Numbered): { first: number; full: number } {
  const world = watchedWorld()
  spawnMany(world, 5000, [C])
  const lengths: number[] = []
  for (const chunk of world.query(C)) lengths.push(chunk.entities.length)
  return { first: lengths[0], full: lengths[1] }
}

describe.each(POOLED)('a %s pool', (storage) => {
  const C = numbered('C', storage)

  it('entities get consecutive rows; entities without the component are not in it', () => {
    const world = watchedWorld()
    const e = entitiesUpTo(world, 4)
    world.add(e[1], C({ value: 11 }))
    world.add(e[3], C({ value: 33 }))
    expect(world.query(C).count).toBe(2)
    expect(rowsOf(world, C)).toEqual([e[1], e[3]])
    expect([1, 2, 3, 4].map((i) => world.has(e[i], C))).toEqual([true, false, true, false])
    expect(world.get(e[1], C)).toEqual({ value: 11 })
    expect(world.get(e[2], C)).toBeUndefined()
    expect(poolOf(world, C)).toMatchObject({ rows: 2, holes: 0 })
  })

  it.each([
    [PAGE - 1, [0]],
    [PAGE, [1]],
    [PAGE + 1, [1]],
    [2 * PAGE - 1, [1]],
    [2 * PAGE, [2]],
    [2 * PAGE + 1, [2]],
  ])('the entity with index %i allocates page %j and no other', (index, pages) => {
    const world = watchedWorld()
    const e = entitiesUpTo(world, 2 * PAGE + 1)
    world.add(e[index], C({ value: index }))
    expect([...poolOf(world, C).pages.keys()]).toEqual(pages)
    for (const other of [1, 2, PAGE - 2, PAGE - 1, PAGE, PAGE + 1, PAGE + 2, 2 * PAGE, 2 * PAGE + 1]) {
      expect(world.has(e[other], C)).toBe(other === index)
    }
    expect(world.get(e[index], C)).toEqual({ value: index })
  })

  it('ids one page apart make two pages; each is released when its last entity leaves', () => {
    const world = watchedWorld()
    const e = entitiesUpTo(world, PAGE + 1)
    world.add(e[PAGE - 1], C)
    world.add(e[PAGE], C)
    world.add(e[PAGE + 1], C)
    expect(poolOf(world, C).pages).toEqual(
      new Map([
        [0, 1],
        [1, 2],
      ]),
    )
    expect(world.has(e[1], C)).toBe(false)
    expect(world.has(e[PAGE - 2], C)).toBe(false)
    const used = world.stats().bytesUsed
    world.remove(e[PAGE - 1], C)
    expect(poolOf(world, C).pages).toEqual(new Map([[1, 2]]))
    expect(world.stats().bytesUsed).toBeLessThan(used)
    world.destroy(e[PAGE])
    expect(poolOf(world, C).pages).toEqual(new Map([[1, 1]]))
    world.remove(e[PAGE + 1], C)
    expect(poolOf(world, C).pages.size).toBe(0)
    expect(poolOf(world, C).rows).toBe(0)
    world.add(e[PAGE + 1], C({ value: 5 }))
    expect(world.get(e[PAGE + 1], C)).toEqual({ value: 5 })
    expect(world.has(e[PAGE - 1], C)).toBe(false)
  })

  it('a far index makes one page only, and the table of pages grows to it', () => {
    const world = watchedWorld()
    const e = entitiesUpTo(world, 40 * PAGE + 3)
    world.add(e[1], C({ value: 1 }))
    world.add(e[40 * PAGE + 3], C({ value: 2 }))
    expect([...poolOf(world, C).pages.keys()]).toEqual([0, 40])
    expect(world.get(e[1], C)).toEqual({ value: 1 })
    expect(world.get(e[40 * PAGE + 3], C)).toEqual({ value: 2 })
    expect(world.has(e[20 * PAGE], C)).toBe(false)
  })

  it.each(['remove', 'destroy'] as const)(
    '%s works on the only one, on the last one and on the first one',
    (how) => {
      const world = watchedWorld()
      const e = entitiesUpTo(world, 3)
      const takeOut = (entity: Entity) => (how === 'remove' ? world.remove(entity, C) : world.destroy(entity))
      world.add(e[1], C({ value: 1 }))
      expect(takeOut(e[1])).toBe(true)
      expect(world.query(C).count).toBe(0)
      expect(world.has(e[1], C)).toBe(false)
      world.add(e[2], C({ value: 2 }))
      world.add(e[3], C({ value: 3 }))
      expect(takeOut(e[3])).toBe(true)
      expect(contents(world, C)).toEqual(new Map([[e[2], 2]]))
      const third = world.spawn(C({ value: 4 }))
      expect(takeOut(e[2])).toBe(true)
      expect(contents(world, C)).toEqual(new Map([[third, 4]]))
      expect(takeOut(third)).toBe(true)
      expect(poolOf(world, C)).toMatchObject({ rows: 0, holes: 0 })
      expect(poolOf(world, C).pages.size).toBe(0)
    },
  )

  it('adding what exists returns false, keeps the value, and makes no second row', () => {
    const world = watchedWorld()
    const entity = world.spawn(C({ value: 7 }))
    expect(world.add(entity, C)).toBe(false)
    expect(world.get(entity, C)).toEqual({ value: 7 })
    expect(world.add(entity, C({ value: 8 }))).toBe(false)
    expect(world.get(entity, C)).toEqual({ value: 8 })
    expect(poolOf(world, C).rows).toBe(1)
    expect(world.query(C).count).toBe(1)
  })

  it.each(['removeMany', 'destroyMany', 'clear'] as const)(
    'emptying a pool by %s leaves nothing, and adding works again',
    (how) => {
      const world = watchedWorld()
      const handles = [...spawnMany(world, PAGE + 100, [C])]
      if (how === 'removeMany') expect(removeMany(world.query(C), C)).toBe(PAGE + 100)
      else if (how === 'destroyMany') expect(destroyMany(world.query(C))).toBe(PAGE + 100)
      else clearWorld(world)
      expect(world.query(C).count).toBe(0)
      expect(handles.some((handle) => world.has(handle, C))).toBe(false)
      expect(poolOf(world, C)).toMatchObject({ rows: 0, holes: 0 })
      expect(poolOf(world, C).pages.size).toBe(0)
      const again = [...spawnMany(world, PAGE + 100, [C])]
      again.forEach((handle, i) => world.set(handle, C, { value: i }))
      expect(contents(world, C)).toEqual(new Map(again.map((handle, i) => [handle, i])))
      expect(world.stats().entities).toBe(how === 'removeMany' ? 2 * (PAGE + 100) : PAGE + 100)
    },
  )

  it('rows keep their address while the pool grows over many chunks and pages', () => {
    const world = watchedWorld()
    const first = world.spawn(C({ value: 1234 }))
    const address = () => {
      for (const chunk of world.query(C)) return chunk.index(C as never, 'value' as never)
      return -1
    }
    const before = address()
    spawnMany(world, 5 * PAGE, [C])
    expect(address()).toBe(before)
    for (const chunk of world.query(C)) {
      expect(chunk.heap.i32[before]).toBe(1234)
      break
    }
    expect(world.get(first, C)).toEqual({ value: 1234 })
  })

  it('removing each while iterating visits and removes every one', () => {
    const world = watchedWorld()
    const count = 3000
    spawnMany(world, count, [C])
    let visited = 0
    world.query(C).each((entity) => {
      visited++
      world.remove(entity, C)
    })
    expect(visited).toBe(count)
    expect(world.query(C).count).toBe(0)
    expect(world.stats().entities).toBe(count)
    expect(poolOf(world, C)).toMatchObject({ rows: 0, holes: 0 })
  })

  it('removing a part while iterating leaves exactly the others', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 1000, [C])]
    handles.forEach((handle, i) => world.set(handle, C, { value: i }))
    for (const chunk of world.query(C)) {
      const values = (chunk as unknown as { read(of: Numbered): { value: Int32Array } }).read(C).value
      for (let i = chunk.start; i < chunk.end; i++)
        if (values[i] % 3 === 0) world.remove(chunk.entities[i], C)
    }
    const expected = handles.map((handle, i) => [handle, i] as const).filter(([, i]) => i % 3 !== 0)
    expect(contents(world, C)).toEqual(new Map(expected))
  })

  it('an entity that gets a recycled index inherits no membership and no value', () => {
    const world = watchedWorld({ maxEntities: 1 })
    const old = world.spawn(C({ value: 5 }))
    world.destroy(old)
    const fresh = world.spawn()
    expect(indexOf(fresh)).toBe(indexOf(old))
    expect(world.has(fresh, C)).toBe(false)
    expect(world.get(fresh, C)).toBeUndefined()
    expect(world.query(C).count).toBe(0)
    world.add(fresh, C)
    expect(world.get(fresh, C)).toEqual({ value: 0 })
    expect(rowsOf(world, C)).toEqual([fresh])
  })

  it('two entities die and one index is reused: nothing of them is found', () => {
    const world = watchedWorld({ maxEntities: 3 })
    const [a, b, c] = [
      world.spawn(C({ value: 1 })),
      world.spawn(C({ value: 2 })),
      world.spawn(C({ value: 3 })),
    ]
    world.destroy(a)
    world.destroy(b)
    const reused = world.spawn()
    expect(indexOf(reused)).toBe(indexOf(a))
    expect(contents(world, C)).toEqual(new Map([[c, 3]]))
    world.add(reused, C({ value: 9 }))
    expect(contents(world, C)).toEqual(
      new Map([
        [c, 3],
        [reused, 9],
      ]),
    )
    expect(world.get(b, C)).toBeUndefined()
  })

  it('rows around the capacity of the first and of a full chunk are all found', () => {
    const { first, full } = capacities(C)
    for (const count of [1, first - 1, first, first + 1, first + full - 1, first + full, first + full + 1]) {
      const world = watchedWorld()
      const handles = [...spawnMany(world, count, [])]
      handles.forEach((handle, i) => world.add(handle, C({ value: i })))
      expect(contents(world, C)).toEqual(new Map(handles.map((handle, i) => [handle, i])))
      expect(world.stats().chunks).toBeGreaterThan(0)
      // Taken out from the front, so that a row moves (or a hole is left) each time.
      handles.forEach((handle, i) => {
        if (i % 2 === 0) world.remove(handle, C)
      })
      const odd = handles.map((handle, i) => [handle, i] as const).filter(([, i]) => i % 2 === 1)
      expect(contents(world, C)).toEqual(new Map(odd))
    }
  })

  it('an entity in many pools loses all its rows when it is destroyed, and only its own', () => {
    const world = watchedWorld()
    const pools = Array.from({ length: 70 }, (_, i) => numbered(`P${i}`, POOLED[i % 2]))
    const doomed = world.spawn(...pools.map((P, i) => P({ value: i })))
    const kept = world.spawn(...pools.map((P, i) => P({ value: 100 + i })))
    // Out of the middle, the beginning and the end of the entity's chain of pools.
    for (const i of [0, 35, 69, 1]) expect(world.remove(doomed, pools[i])).toBe(true)
    world.add(doomed, pools[35])
    expect(world.has(doomed, pools[34], pools[35], pools[36])).toBe(true)
    expect(world.destroy(doomed)).toBe(true)
    pools.forEach((P, i) => {
      expect(world.query(P).count).toBe(1)
      expect(world.get(kept, P)).toEqual({ value: 100 + i })
    })
  })

  it('a random script of adds, removals and deaths agrees with a Map', () => {
    const world = watchedWorld()
    const e = entitiesUpTo(world, 2 * PAGE)
    const model = new Map<Entity, number>()
    let seed = 4711
    const random = (below: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      return Math.floor((seed / 2 ** 32) * below)
    }
    for (let step = 0; step < 20_000; step++) {
      const at = 1 + random(2 * PAGE)
      const entity = e[at]
      if (random(2) === 0) {
        world.add(entity, C({ value: step }))
        model.set(entity, step)
      } else if (random(10) === 0) {
        world.destroy(entity)
        model.delete(entity)
        e[at] = world.spawn()
      } else {
        expect(world.remove(entity, C)).toBe(model.delete(entity))
      }
    }
    expect(contents(world, C)).toEqual(model)
    expect(world.query(C).count).toBe(model.size)
    for (const entity of e.slice(1)) {
      const value = model.get(entity)
      expect(world.get(entity, C)).toEqual(value === undefined ? undefined : { value })
    }
  })

  it('a wide row of a vec with several columns keeps all its parts when rows move', () => {
    const W = component('W', { a: u8, m: vec(f32, 16), b: i32 }, { storage: STORED[storage] })
    const world = watchedWorld()
    const list = (i: number) => Array.from({ length: 16 }, (_, k) => i * 100 + k)
    const handles = Array.from({ length: 700 }, (_, i) => world.spawn(W({ a: i % 256, m: list(i), b: -i })))
    for (let i = 0; i < 700; i += 2) world.remove(handles[i], W)
    for (let i = 1; i < 700; i += 2) {
      expect(world.get(handles[i], W)).toEqual({ a: i % 256, m: Float32Array.from(list(i)), b: -i })
    }
  })
})

describe('swap-and-pop', () => {
  const C = numbered('C', 'sparse')

  it('removing from the middle puts the last row in its place; the rest stay', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 5, [C])]
    handles.forEach((handle, i) => world.set(handle, C, { value: i }))
    world.remove(handles[1], C)
    expect(rowsOf(world, C)).toEqual([handles[0], handles[4], handles[2], handles[3]])
    expect(handles.map((handle) => world.get(handle, C)?.value)).toEqual([0, undefined, 2, 3, 4])
    expect(poolOf(world, C)).toMatchObject({ rows: 4, holes: 0 })
  })

  it('the row moved into the hole may come from another chunk and another page', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, PAGE + 10, [C])]
    handles.forEach((handle, i) => world.set(handle, C, { value: i }))
    world.destroy(handles[3])
    const last = handles[handles.length - 1]
    expect(rowsOf(world, C)[3]).toBe(last)
    expect(world.get(last, C)).toEqual({ value: PAGE + 9 })
    world.remove(last, C)
    expect(rowsOf(world, C)[3]).toBe(handles[handles.length - 2])
    expect(world.get(handles[handles.length - 2], C)).toEqual({ value: PAGE + 8 })
  })
})

describe('stable deletion', () => {
  const C = numbered('C', 'stable')
  const addressOf = (world: World, entity: Entity): number => {
    for (const chunk of world.query(C)) {
      for (let i = chunk.start; i < chunk.end; i++) {
        if (chunk.entities[i] === entity) return chunk.index(C as never, 'value' as never) + i
      }
    }
    return -1
  }

  it('rows never move: after removals each survivor is where it was', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 1000, [C])]
    handles.forEach((handle, i) => world.set(handle, C, { value: i }))
    const before = new Map([10, 500, 999].map((i) => [i, addressOf(world, handles[i])]))
    handles.forEach((handle, i) => {
      if (!before.has(i) && i % 2 === 0) world.remove(handle, C)
      else if (!before.has(i) && i % 5 === 0) world.destroy(handle)
    })
    for (const [i, address] of before) {
      expect(addressOf(world, handles[i])).toBe(address)
      expect(world.get(handles[i], C)).toEqual({ value: i })
    }
    expect(poolOf(world, C).holes).toBeGreaterThan(0)
    expect(world.query(C).count).toBe(poolOf(world, C).rows - poolOf(world, C).holes)
  })

  it('holes are reused, oldest first, before the pool grows', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 100, [C])]
    const places = [70, 20, 50].map((i) => addressOf(world, handles[i]))
    for (const i of [70, 20, 50]) world.remove(handles[i], C)
    expect(poolOf(world, C)).toMatchObject({ rows: 100, holes: 3 })
    const fresh = [1, 2, 3, 4].map((value) => world.spawn(C({ value })))
    expect(fresh.slice(0, 3).map((entity) => addressOf(world, entity))).toEqual(places)
    expect(poolOf(world, C)).toMatchObject({ rows: 101, holes: 0 })
    expect(fresh.map((entity) => world.get(entity, C)?.value)).toEqual([1, 2, 3, 4])
  })

  it('a reused hole starts with the defaults, not with its old values', () => {
    const world = watchedWorld()
    const [first, second] = [world.spawn(C({ value: 5 })), world.spawn(C({ value: 6 }))]
    world.remove(first, C)
    const third = world.spawn(C)
    expect(world.get(third, C)).toEqual({ value: 0 })
    expect(world.get(second, C)).toEqual({ value: 6 })
  })

  it('loops step over holes: a chunk is split into runs, and no hole is visited', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 20, [C])]
    for (const i of [0, 4, 5, 19]) world.remove(handles[i], C)
    const runs: [number, number][] = []
    const visited: number[] = []
    for (const chunk of world.query(C)) {
      runs.push([chunk.start, chunk.end])
      for (let i = chunk.start; i < chunk.end; i++) visited.push(chunk.entities[i])
    }
    expect(runs).toEqual([
      [1, 4],
      [6, 19],
    ])
    expect(visited).toEqual(handles.filter((_, i) => ![0, 4, 5, 19].includes(i)))
    expect(world.query(C).count).toBe(16)
  })

  it('a pool of only holes frees its memory', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 5000, [C])
    const chunks = world.stats().chunks
    for (const handle of handles) world.remove(handle, C)
    expect(poolOf(world, C)).toMatchObject({ rows: 0, holes: 0 })
    expect(world.stats().chunks).toBeLessThan(chunks)
    const entity = world.spawn(C({ value: 3 }))
    expect(world.get(entity, C)).toEqual({ value: 3 })
    expect(poolOf(world, C)).toMatchObject({ rows: 1, holes: 0 })
  })
})

describe('tags and components without fields', () => {
  it('a tag is contained, costs no column, and has no value to get', () => {
    const world = watchedWorld()
    const T = tag('T')
    const P = component('P', { x: f32 })
    const plain = watchedWorld()
    const capacity = (of: World) => {
      for (const chunk of of.query(P)) return chunk.entities.length
      return 0
    }
    const tagged = world.spawn(P({ x: 1 }), T)
    plain.spawn(P({ x: 1 }))
    expect(world.has(tagged, T)).toBe(true)
    expect(world.get(tagged, T as never)).toBeUndefined()
    expect(capacity(world)).toBe(capacity(plain))
    expect(world.remove(tagged, T)).toBe(true)
    expect(world.has(tagged, T)).toBe(false)
    expect(world.get(tagged, P)).toEqual({ x: 1 })
  })

  it.each(['table', 'sparse', 'stable'] as const)(
    'a component without fields in %s storage is contained and its value is an empty object',
    (storage) => {
      const world = watchedWorld()
      const E = component('E', {}, { storage: STORED[storage] })
      const entity = world.spawn(E)
      const other = world.spawn()
      expect(world.has(entity, E)).toBe(true)
      expect(world.has(other, E)).toBe(false)
      expect(world.query(E).entities()).toEqual(Uint32Array.of(entity))
      expect(world.get(entity, E)).toEqual({})
      expect(world.get(other, E)).toBeUndefined()
      expect(() => createAccessor(world, E).of(entity)).not.toThrow()
      world.set(other, E, {})
      expect(world.has(other, E)).toBe(true)
      expect(world.remove(entity, E)).toBe(true)
      expect(world.has(entity, E)).toBe(false)
    },
  )
})
