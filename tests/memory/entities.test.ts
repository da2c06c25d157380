// Shows how entity handles are born, die, are recycled and retired, and what stale, foreign and garbage handles may do.

import { describe, expect, it } from 'vitest'
import {
  createAccessor,
  DeadEntityError,
  destroyMany,
  LimitError,
  NULL_ENTITY,
  sparse,
  spawnMany,
  StrataTypeError,
  component,
  entity,
  f32,
  f64,
  isNull,
  tag,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { MAX_ENTITIES, MIN_FREE_BEFORE_REUSE } from '../../build/layout'
import { generationOf, indexOf } from '../support/inside'
import { KINDS, STORAGES, declare, numbered } from '../support/kinds'
import { watchedWorld } from '../support/watched'

const GENERATIONS = 256

/** Spawns and destroys `count` entities, so that their indices wait for reuse. */
function freeIndices(world: World, count: number): Uint32Array {
  const handles = spawnMany(world, count, [])
  for (const handle of handles) expect(world.destroy(handle)).toBe(true)
  return handles
}

/** Runs the one slot of a world with maxEntities 1 through all its generations; returns the handles. */
function spendSlot(world: World): Entity[] {
  const spent: Entity[] = []
  for (let i = 0; i < GENERATIONS; i++) {
    const entity = world.spawn()
    spent.push(entity)
    expect(world.destroy(entity)).toBe(true)
  }
  return spent
}

describe('entity lifecycle', () => {
  it('the first entity of a new world is alive, has generation 0, and one is counted', () => {
    const world = watchedWorld()
    expect(world.stats().entities).toBe(0)
    const entity = world.spawn()
    expect(world.isAlive(entity)).toBe(true)
    expect(world.stats().entities).toBe(1)
    expect(indexOf(entity)).toBe(1)
    expect(generationOf(entity)).toBe(0)
  })

  it('handles are never 0 or NULL_ENTITY, so that a handle can be tested for truth', () => {
    const world = watchedWorld()
    for (const handle of spawnMany(world, 5000, [])) {
      expect(handle).not.toBe(0)
      expect(handle).not.toBe(NULL_ENTITY)
    }
  })

  it('a recycled index returns with the next generation; the old handle stays dead', () => {
    const world = watchedWorld({ maxEntities: 1 })
    const old = world.spawn()
    expect(world.destroy(old)).toBe(true)
    const fresh = world.spawn()
    expect(fresh).not.toBe(old)
    expect(indexOf(fresh)).toBe(indexOf(old))
    expect(generationOf(fresh)).toBe(generationOf(old) + 1)
    expect(world.isAlive(old)).toBe(false)
    expect(world.isAlive(fresh)).toBe(true)
  })

  it('freed indices return oldest first, each with a new generation', () => {
    const world = watchedWorld()
    const freed = freeIndices(world, MIN_FREE_BEFORE_REUSE)
    const first = world.spawn()
    world.destroy(first)
    const second = world.spawn()
    expect(indexOf(first)).toBe(indexOf(freed[0]))
    expect(indexOf(second)).toBe(indexOf(freed[1]))
    expect(generationOf(first)).toBe(1)
    expect(generationOf(second)).toBe(1)
  })

  it('freed indices return in the order of their destruction, not of their birth', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MIN_FREE_BEFORE_REUSE + 100, [])
    const order = [...handles].sort((a, b) => ((a * 7919) % 1127) - ((b * 7919) % 1127))
    for (const handle of order) world.destroy(handle)
    for (let i = 0; i <= 100; i++) expect(indexOf(world.spawn())).toBe(indexOf(order[i]))
  })

  it.each([
    [MIN_FREE_BEFORE_REUSE - 1, false],
    [MIN_FREE_BEFORE_REUSE, true],
    [MIN_FREE_BEFORE_REUSE + 1, true],
  ])('with %i free indices the next spawn reuses one: %s', (count, reuses) => {
    const world = watchedWorld()
    const freed = freeIndices(world, count)
    expect(world.stats().freeIds).toBe(count)
    const entity = world.spawn()
    expect(generationOf(entity)).toBe(reuses ? 1 : 0)
    expect([...freed].map(indexOf).includes(indexOf(entity))).toBe(reuses)
    expect(world.stats().freeIds).toBe(reuses ? count - 1 : count)
  })

  it('destroyMany and destroyMany free indices in the order of their list and of their rows', () => {
    const world = watchedWorld()
    const T = tag('T')
    const listed = spawnMany(world, MIN_FREE_BEFORE_REUSE, []).reverse()
    destroyMany(world, listed)
    expect(indexOf(world.spawn())).toBe(indexOf(listed[0]))

    const other = watchedWorld()
    const rows = spawnMany(other, MIN_FREE_BEFORE_REUSE, [T])
    expect(destroyMany(other.query(T))).toBe(MIN_FREE_BEFORE_REUSE)
    expect(indexOf(other.spawn())).toBe(indexOf(rows[0]))
  })

  it('a handle does not return before all others have been used', () => {
    const world = watchedWorld({ maxEntities: 1 })
    const spent = spendSlot(world)
    expect(new Set(spent).size).toBe(GENERATIONS)
    expect(world.stats()).toMatchObject({ entities: 0, retiredIds: 1, freeIds: 0 })
    expect(spent.some((handle) => world.isAlive(handle))).toBe(false)
    const again = world.spawn()
    expect(again).toBe(spent[0])
    expect(world.stats()).toMatchObject({ entities: 1, retiredIds: 0 })
  })

  it('slots whose generations are used up retire as long as fresh indices are left', () => {
    const world = watchedWorld()
    const first = freeIndices(world, MIN_FREE_BEFORE_REUSE)
    const seen = new Set<number>(first)
    for (let i = 0; i < MIN_FREE_BEFORE_REUSE * GENERATIONS; i++) {
      const entity = world.spawn()
      if (seen.has(entity)) expect.unreachable(`the handle ${entity} came back`)
      seen.add(entity)
      world.destroy(entity)
    }
    const { retiredIds, freeIds } = world.stats()
    const used = new Set([...seen].map(indexOf)).size
    // One is destroyed for each that is spawned, so that the queue never holds more than its minimum.
    expect(freeIds).toBe(MIN_FREE_BEFORE_REUSE)
    expect(retiredIds).toBe(used - freeIds)
    expect(retiredIds).toBeGreaterThan(MIN_FREE_BEFORE_REUSE / 4)
    for (const handle of seen) if (world.isAlive(handle)) expect.unreachable(`${handle} is alive`)
  })

  it('retired slots return oldest first, when the index space is used up', () => {
    const world = watchedWorld({ maxEntities: 3 })
    const retired: number[] = []
    // All three go through their generations side by side, in an order of their own.
    for (let round = 0; round < GENERATIONS; round++) {
      const three = [world.spawn(), world.spawn(), world.spawn()]
      if (round === GENERATIONS - 1) three.reverse()
      for (const entity of three) {
        world.destroy(entity)
        if (round === GENERATIONS - 1) retired.push(indexOf(entity))
      }
    }
    expect(world.stats()).toMatchObject({ retiredIds: 3, freeIds: 0 })
    const back = [world.spawn(), world.spawn(), world.spawn()]
    expect(back.map(indexOf)).toEqual(retired)
    expect(back.map(generationOf)).toEqual([0, 0, 0])
    expect(() => world.spawn()).toThrow(LimitError)
  })

  it('a free slot with generations left is used before any retired one', () => {
    const world = watchedWorld({ maxEntities: 2 })
    const other = world.spawn()
    for (let i = 0; i < GENERATIONS; i++) world.destroy(world.spawn())
    expect(world.stats().retiredIds).toBe(1)
    world.destroy(other)
    expect(indexOf(world.spawn())).toBe(indexOf(other))
    expect(world.stats().retiredIds).toBe(1)
  })

  it("with ids 'strict' a retired slot never returns: LimitError names the limit", () => {
    const world = watchedWorld({ maxEntities: 1, ids: 'strict' })
    const spent = spendSlot(world)
    expect(() => world.spawn()).toThrow(LimitError)
    expect(() => spawnMany(world, 1, [])).toThrow(/entity id/)
    expect(spawnMany(world, 0, []).length).toBe(0)
    expect(spent.some((handle) => world.isAlive(handle))).toBe(false)
    expect(world.stats()).toMatchObject({ entities: 0, retiredIds: 1 })
  })

  it("with ids 'strict' a world inside a batch refuses too, and goes on", () => {
    const world = watchedWorld({ maxEntities: 1, ids: 'strict' })
    spendSlot(world)
    world.batch(() => {
      expect(() => world.spawn()).toThrow(LimitError)
    })
    expect(world.stats().entities).toBe(0)
  })

  it.each([1, 2, 3, 1023, 1024, 1025])(
    'a world for %i entities refuses one more and stays usable',
    (most) => {
      const world = watchedWorld({ maxEntities: most })
      const handles: Entity[] = []
      for (let i = 0; i < most; i++) handles.push(world.spawn())
      const before = world.stats()
      let caught: unknown
      try {
        world.spawn()
      } catch (error) {
        caught = error
      }
      expect(caught).toBeInstanceOf(LimitError)
      expect(caught).toMatchObject({ code: 'ENTITY_LIMIT' })
      expect((caught as Error).message).toMatch(/maxEntities/)
      expect(world.stats()).toEqual(before)
      expect(handles.every((handle) => world.isAlive(handle))).toBe(true)
      expect(world.destroy(handles[0])).toBe(true)
      const replaced = world.spawn()
      expect(indexOf(replaced)).toBe(indexOf(handles[0]))
      expect(world.stats().entities).toBe(most)
    },
  )

  it('a bulk spawn that is too large by one spawns nothing', () => {
    const world = watchedWorld({ maxEntities: 100 })
    const T = tag('T')
    spawnMany(world, 40, [T])
    const before = world.stats()
    expect(() => spawnMany(world, 61, [T])).toThrow(LimitError)
    expect(world.stats()).toEqual(before)
    expect(world.query(T).count).toBe(40)
    expect(spawnMany(world, 60, [T]).length).toBe(60)
    expect(() => world.spawn()).toThrow(LimitError)
  })

  it('inside a batch the limit holds at the call, and what was made before it stays', () => {
    const world = watchedWorld({ maxEntities: 3 })
    const T = tag('T')
    const made: Entity[] = []
    world.batch(() => {
      for (let i = 0; i < 3; i++) made.push(world.spawn(T))
      expect(() => world.spawn(T)).toThrow(LimitError)
    })
    expect(world.query(T).entities()).toEqual(Uint32Array.from(made))
  })

  it.each([11, 2 ** 32, 2 ** 32 + 1, 2 ** 53])(
    'inside a batch a bulk spawn of %i in a world for 10 reserves nothing',
    (count) => {
      const world = watchedWorld({ maxEntities: 10 })
      const T = tag('T')
      world.batch(() => {
        expect(() => spawnMany(world, count, [T])).toThrow(LimitError)
        expect(world.stats().entities).toBe(0)
      })
      expect(world.stats()).toMatchObject({ entities: 0, freeIds: 0 })
      expect(spawnMany(world, 10, [T]).length).toBe(10)
    },
  )

  it('a spawn without memory for its row spends no id', () => {
    const world = watchedWorld()
    const Wide = component('Wide', { m: vec(f64, 4000) })
    const before = world.stats()
    for (let i = 0; i < 10; i++) expect(() => world.spawn(Wide)).toThrow(LimitError)
    expect(() => world.batch(() => spawnMany(world, 5, [Wide]))).toThrow(LimitError)
    expect(world.stats().entities).toBe(before.entities)
    expect(world.query().count).toBe(0)
  })

  it('a bulk spawn gives the recycled ids first and fresh ones after them, all distinct and alive', () => {
    const world = watchedWorld()
    const freed = freeIndices(world, MIN_FREE_BEFORE_REUSE + 9)
    const handles = spawnMany(world, 50, [])
    expect(new Set(handles).size).toBe(50)
    expect([...handles].every((handle) => world.isAlive(handle))).toBe(true)
    // Ten may be taken before fewer than 1,024 are free.
    expect([...handles.slice(0, 10)].map(indexOf)).toEqual([...freed.slice(0, 10)].map(indexOf))
    for (const handle of handles.slice(10)) expect(generationOf(handle)).toBe(0)
    expect(world.stats()).toMatchObject({ entities: 50, freeIds: MIN_FREE_BEFORE_REUSE - 1 })
  })

  it('a bulk spawn that needs the fresh and all freed ids gets every one of them once', () => {
    const world = watchedWorld({ maxEntities: 600 })
    freeIndices(world, 500)
    const handles = spawnMany(world, 600, [])
    expect(new Set([...handles].map(indexOf)).size).toBe(600)
    expect([...handles].every((handle) => world.isAlive(handle))).toBe(true)
    expect(() => world.spawn()).toThrow(LimitError)
  })

  it('a bulk spawn of 0 gives an empty list and changes nothing', () => {
    const world = watchedWorld()
    const before = world.stats()
    const handles = spawnMany(world, 0, [tag('T')], () => expect.unreachable('there is no run of rows'))
    expect(handles).toEqual(new Uint32Array(0))
    expect(world.stats().entities).toBe(before.entities)
    expect(world.stats().chunks).toBe(before.chunks)
  })

  it.each([-1, 0.5, NaN, Infinity, -Infinity, '3', undefined, null, 3n])(
    'a bulk spawn of %s is refused with a sentence and changes nothing',
    (count) => {
      const world = watchedWorld()
      const before = world.stats()
      expect(() => spawnMany(world, count as number, [])).toThrow(StrataTypeError)
      expect(() => spawnMany(world, count as number, [])).toThrow(/spawnMany.*count/)
      expect(world.stats()).toEqual(before)
    },
  )

  it.each([MAX_ENTITIES + 1, 2 ** 24, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 1e15, 2 ** 53])(
    'a bulk spawn of %i, more than there can be, is refused and changes nothing',
    (count) => {
      const world = watchedWorld()
      const C = numbered('C', 'table')
      world.spawn(C)
      const before = world.stats()
      for (const parts of [[], [C]])
        expect(() => spawnMany(world, count, parts)).toThrow(
          expect.objectContaining({ code: 'ENTITY_LIMIT' }),
        )
      expect(world.stats()).toEqual(before)
    },
  )

  it('an index never used has no living handle, whatever the generation', () => {
    const world = watchedWorld()
    world.spawn()
    for (let generation = 0; generation < GENERATIONS; generation++) {
      for (const index of [0, 2, 1023, 1024, 0xffffff]) {
        expect(world.isAlive(((generation << 24) | index) >>> 0)).toBe(false)
      }
    }
  })

  it('an index that was used and freed has no living handle, whatever the generation', () => {
    const world = watchedWorld()
    const index = indexOf(world.spawn())
    world.destroy(index)
    for (let generation = 0; generation < GENERATIONS; generation++) {
      expect(world.isAlive(((generation << 24) | index) >>> 0)).toBe(false)
    }
  })

  it.each([1, 63, 64, 65, 1023, 1024, 5000])(
    '%i handles reserved in a batch are alive at once; queries see them after it',
    (count) => {
      const world = watchedWorld()
      const T = tag('T')
      const all = world.query()
      const tagged = world.query(T)
      const before = world.spawn()
      const handles: Entity[] = []
      world.batch(() => {
        for (let i = 0; i < count; i++) handles.push(world.spawn(T))
        expect(handles.every((handle) => world.isAlive(handle))).toBe(true)
        expect(world.has(handles[0], T)).toBe(false)
        expect(world.stats().entities).toBe(count + 1)
        expect(all.entities()).toEqual(Uint32Array.of(before))
        expect(tagged.count).toBe(0)
      })
      expect(new Set(handles).size).toBe(count)
      expect(handles.every((handle) => world.isAlive(handle) && world.has(handle, T))).toBe(true)
      expect(tagged.entities()).toEqual(Uint32Array.from(handles))
      expect(all.count).toBe(count + 1)
    },
  )

  it('a handle reserved and destroyed in the same block is dead after it', () => {
    const world = watchedWorld()
    let gone = 0 as Entity
    world.batch(() => {
      gone = world.spawn()
      expect(world.destroy(gone)).toBe(true)
    })
    expect(world.isAlive(gone)).toBe(false)
    expect(world.stats().entities).toBe(0)
  })

  it('reserved handles use recycled indices like any other, with a new generation', () => {
    const world = watchedWorld()
    const freed = freeIndices(world, MIN_FREE_BEFORE_REUSE + 1)
    const handles: Entity[] = []
    world.batch(() => handles.push(world.spawn(), world.spawn(), world.spawn()))
    expect(handles.slice(0, 2).map(indexOf)).toEqual([...freed.slice(0, 2)].map(indexOf))
    expect(handles.map(generationOf)).toEqual([1, 1, 0])
    expect(world.query().entities().sort()).toEqual(Uint32Array.from(handles).sort())
  })

  it.each(['recycle', 'strict'] as const)(
    'a random script of 100,000 births and deaths keeps the same living set as a Set (ids %s)',
    (ids) => {
      const world = watchedWorld({ ids })
      const living = new Set<Entity>()
      const list: Entity[] = []
      const dead: Entity[] = []
      let seed = 12345
      const random = (below: number) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
        return Math.floor((seed / 2 ** 32) * below)
      }
      for (let step = 0; step < 100_000; step++) {
        // Waves: the population grows to a few thousand and shrinks again.
        const growing = Math.floor(step / 10_000) % 2 === 0
        if (list.length === 0 || random(100) < (growing ? 70 : 30)) {
          const entity = world.spawn()
          if (living.has(entity)) expect.unreachable(`step ${step}: ${entity} was given out twice`)
          living.add(entity)
          list.push(entity)
        } else {
          const at = random(list.length)
          const entity = list[at]
          list[at] = list[list.length - 1]
          list.pop()
          living.delete(entity)
          if (dead.length < 5000) dead.push(entity)
          if (!world.destroy(entity)) expect.unreachable(`step ${step}: ${entity} was dead already`)
        }
        if (world.stats().entities !== living.size) expect.unreachable(`step ${step}: the count is wrong`)
      }
      expect(world.query().entities().sort()).toEqual(Uint32Array.from(living).sort())
      for (const entity of dead) expect(world.isAlive(entity)).toBe(false)
      for (const entity of living) expect(world.isAlive(entity)).toBe(true)
    },
  )

  it('an entity without components is alive, is found by the query of all, and can be destroyed', () => {
    const world = watchedWorld()
    const C = component('C', { x: f32 })
    const T = tag('T')
    world.query(C)
    const empty = world.spawn()
    const full = world.spawn(C, T)
    expect(world.isAlive(empty)).toBe(true)
    expect(world.query().entities().sort()).toEqual(Uint32Array.of(empty, full).sort())
    expect(world.query(C).entities()).toEqual(Uint32Array.of(full))
    expect(world.query(T).entities()).toEqual(Uint32Array.of(full))
    expect(world.has(empty, C)).toBe(false)
    expect(world.get(empty, C)).toBeUndefined()
    expect(world.remove(empty, C, T)).toBe(false)
    expect(world.destroy(empty)).toBe(true)
    expect(world.query().entities()).toEqual(Uint32Array.of(full))
  })

  it('calls that name no component at all change nothing', () => {
    const world = watchedWorld()
    const entity = world.spawn()
    expect(world.add(entity)).toBe(false)
    expect(world.remove(entity)).toBe(false)
    expect(world.has(entity)).toBe(true)
    world.destroy(entity)
    expect(world.has(entity)).toBe(false)
  })
})

describe.each(KINDS)('dead handles, a %s component', (kind) => {
  const C = declare('C', kind)

  /** A world in which the dead handle's index belongs to another entity that has the component. */
  function recycled(): { world: World; dead: Entity; living: Entity } {
    const world = watchedWorld({ maxEntities: 1 })
    const dead = world.spawn(C)
    world.destroy(dead)
    const living = world.spawn(C)
    expect(indexOf(living)).toBe(indexOf(dead))
    return { world, dead, living }
  }

  it('has of a dead handle is false and does not throw, before and after the index is recycled', () => {
    const { world, dead, living } = recycled()
    expect(world.has(dead, C)).toBe(false)
    expect(world.has(dead)).toBe(false)
    world.destroy(living)
    expect(world.has(dead, C)).toBe(false)
    expect(world.has(living, C)).toBe(false)
  })

  it('add to a dead handle throws DeadEntityError; remove and destroy return false; nothing changes', () => {
    const { world, dead, living } = recycled()
    const D = declare('D', kind)
    world.add(living, D)
    world.remove(living, D)
    const before = world.stats()
    expect(() => world.add(dead, D)).toThrow(DeadEntityError)
    expect(() => world.add(dead, C)).toThrow(DeadEntityError)
    expect(() => world.add(dead)).toThrow(DeadEntityError)
    expect(world.remove(dead, C)).toBe(false)
    expect(world.destroy(dead)).toBe(false)
    expect(world.stats()).toEqual(before)
    expect(world.has(living, C)).toBe(true)
    expect(world.has(living, D)).toBe(false)
  })

  it('inside a batch a dead handle is refused at the call', () => {
    const { world, dead, living } = recycled()
    world.batch(() => {
      expect(() => world.add(dead, C)).toThrow(DeadEntityError)
      expect(world.remove(dead, C)).toBe(false)
      expect(world.destroy(dead)).toBe(false)
    })
    expect(world.has(living, C)).toBe(true)
  })

  it('destroy twice: the second call does nothing and returns false', () => {
    const world = watchedWorld()
    const other = world.spawn(C)
    const entity = world.spawn(C)
    expect(world.destroy(entity)).toBe(true)
    const before = world.stats()
    expect(world.destroy(entity)).toBe(false)
    expect(world.stats()).toEqual(before)
    expect(world.has(other, C)).toBe(true)
  })

  it('destroyMany over a list with dead handles destroys the living ones and says how many', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 200, [C])
    for (let i = 0; i < 200; i += 3) world.destroy(handles[i])
    const living = world.stats().entities
    expect(destroyMany(world, handles)).toBe(living)
    expect(world.stats().entities).toBe(0)
    expect(world.query(C).count).toBe(0)
    expect(destroyMany(world, handles)).toBe(0)
  })

  it('destroyMany with the same handle twice destroys it once', () => {
    const world = watchedWorld()
    const kept = spawnMany(world, 5, [C])
    const entity = world.spawn(C)
    const other = world.spawn(C)
    expect(destroyMany(world, [entity, entity, other, entity])).toBe(2)
    expect(world.query(C).entities().sort()).toEqual(kept)
    world.batch(() => {
      expect(destroyMany(world, [kept[0], kept[0], kept[1]])).toBe(2)
    })
    expect(world.query(C).count).toBe(3)
    expect(world.stats().entities).toBe(3)
  })
})

describe.each(STORAGES)('dead handles, data in %s storage', (storage) => {
  const C = numbered('C', storage)

  it('get of a dead handle is undefined, even if its index belongs to another entity now', () => {
    const world = watchedWorld({ maxEntities: 1 })
    const dead = world.spawn(C({ value: 1 }))
    world.destroy(dead)
    expect(world.get(dead, C)).toBeUndefined()
    const living = world.spawn(C({ value: 2 }))
    expect(world.get(dead, C)).toBeUndefined()
    expect(world.get(living, C)).toEqual({ value: 2 })
  })

  it('set of a dead handle throws DeadEntityError and changes no entity', () => {
    const world = watchedWorld({ maxEntities: 1 })
    const dead = world.spawn(C({ value: 1 }))
    world.destroy(dead)
    const living = world.spawn(C({ value: 2 }))
    expect(() => world.set(dead, C, { value: 9 })).toThrow(DeadEntityError)
    expect(() => world.add(dead, C({ value: 9 }))).toThrow(DeadEntityError)
    expect(world.get(living, C)).toEqual({ value: 2 })
  })

  it('the error carries the handle, a code and a sentence with the operation', () => {
    const world = watchedWorld({ maxEntities: 1 })
    const dead = world.spawn()
    world.destroy(dead)
    for (const [operation, call] of [
      ['set', () => world.set(dead, C, { value: 9 })],
      ['add', () => world.add(dead, C)],
      ['accessor(C).of', () => createAccessor(world, C).of(dead)],
    ] as const) {
      let caught: unknown
      try {
        call()
      } catch (error) {
        caught = error
      }
      expect(caught).toMatchObject({ code: 'DEAD_ENTITY', entity: dead, name: 'DeadEntityError' })
      expect((caught as Error).message).toContain(operation)
      expect((caught as Error).message).toContain(String(dead))
    }
  })

  it('an accessor finds nothing for a dead handle, even after its index was recycled', () => {
    const world = watchedWorld({ maxEntities: 1 })
    const accessor = createAccessor(world, C)
    const dead = world.spawn(C({ value: 1 }))
    expect(accessor.of(dead).value).toBe(1)
    world.destroy(dead)
    expect(() => accessor.of(dead)).toThrow(DeadEntityError)
    const living = world.spawn(C({ value: 2 }))
    expect(() => accessor.of(dead)).toThrow(DeadEntityError)
    expect(accessor.of(living).value).toBe(2)
  })
})

describe('invalid handles', () => {
  const garbage: readonly number[] = [
    NULL_ENTITY,
    0,
    -0,
    -1,
    1.5,
    0.5,
    NaN,
    Infinity,
    -Infinity,
    2 ** 24 - 1,
    2 ** 24,
    2 ** 31,
    2 ** 32,
    2 ** 32 + 1,
    2 ** 53,
    -(2 ** 31),
    0x00ffffff,
    0x7fffffff,
    0xff000001,
    1025,
    0xfffffffe,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
  ]
  const C = component('C', { x: f32 })
  const P = component('P', { x: f32 }, { storage: sparse })

  it.each(garbage.map((handle) => [handle]))(
    '%s is not alive: no trap, no growth, no entity changed',
    (handle) => {
      const world = watchedWorld()
      const witness = world.spawn(C({ x: 1 }), P({ x: 2 }))
      const before = world.stats()
      const wrong = handle as Entity
      expect(world.isAlive(wrong)).toBe(false)
      expect(world.has(wrong, C)).toBe(false)
      expect(world.has(wrong, P)).toBe(false)
      expect(world.get(wrong, C)).toBeUndefined()
      expect(world.get(wrong, P)).toBeUndefined()
      expect(world.destroy(wrong)).toBe(false)
      expect(world.remove(wrong, C, P)).toBe(false)
      expect(() => world.add(wrong, C)).toThrow(DeadEntityError)
      expect(() => world.set(wrong, P, { x: 9 })).toThrow(DeadEntityError)
      expect(() => createAccessor(world, C).of(wrong)).toThrow(DeadEntityError)
      expect(() => createAccessor(world, P).of(wrong)).toThrow(DeadEntityError)
      expect(world.stats()).toEqual(before)
      expect(world.get(witness, C)).toEqual({ x: 1 })
      expect(world.get(witness, P)).toEqual({ x: 2 })
    },
  )

  it('destroyMany skips everything that is not a living handle', () => {
    const world = watchedWorld()
    const [first, second] = spawnMany(world, 2, [C])
    expect(destroyMany(world, [...garbage, second])).toBe(1)
    expect(world.isAlive(first)).toBe(true)
    expect(destroyMany(world, [])).toBe(0)
  })

  it('invalid handles are not alive inside a batch with promised handles either', () => {
    const world = watchedWorld({ maxEntities: 5000 })
    world.batch(() => {
      const made = Array.from({ length: 2000 }, () => world.spawn(C))
      expect(world.isAlive(made[1999])).toBe(true)
      for (const handle of garbage.filter((value) => value !== 1025)) {
        expect(world.isAlive(handle as Entity)).toBe(false)
      }
      expect(world.isAlive((made[1999] + 1) as Entity)).toBe(false)
      expect(world.isAlive((made[1999] + 0.5) as Entity)).toBe(false)
      expect(world.isAlive((made[1999] + 2 ** 24) as Entity)).toBe(false)
      expect(world.isAlive((made[1999] + 2 ** 32) as Entity)).toBe(false)
    })
  })

  it('of 100,000 random numbers only handles that were given out are alive', () => {
    const world = watchedWorld()
    const handles = new Set<number>(spawnMany(world, 1000, [C]))
    let seed = 99
    for (let i = 0; i < 100_000; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      const near = seed & 0x010007ff
      if (world.isAlive(seed) !== handles.has(seed)) expect.unreachable(`${seed}`)
      if (world.isAlive(near) !== handles.has(near)) expect.unreachable(`${near}`)
    }
  })

  it('a handle of another world does no damage: it names whatever its bits name here, or nothing', () => {
    const here = watchedWorld()
    const there = watchedWorld()
    const mine = here.spawn(C({ x: 1 }))
    const [, foreign] = [there.spawn(), there.spawn(C({ x: 7 }))]
    expect(here.isAlive(foreign)).toBe(false)
    expect(here.get(foreign, C)).toBeUndefined()
    expect(here.destroy(foreign)).toBe(false)
    expect(here.get(mine, C)).toEqual({ x: 1 })
    expect(there.get(foreign, C)).toEqual({ x: 7 })
  })
})

describe('isNull', () => {
  it('is true only for NULL_ENTITY, which is truthy, and false for dead handles', () => {
    const world = watchedWorld()
    const Target = component('Target', { who: entity })
    const ship = world.spawn(Target)
    const unset = world.get(ship, Target)?.who as Entity
    expect(Boolean(unset)).toBe(true)
    expect(isNull(unset)).toBe(true)
    expect(isNull(NULL_ENTITY)).toBe(true)
    expect(world.isAlive(unset)).toBe(false)
    expect(isNull(ship)).toBe(false)
    world.destroy(ship)
    expect(isNull(ship)).toBe(false)
    for (const other of [0, -1, 1, 2 ** 32, NaN]) expect(isNull(other)).toBe(false)
  })
})
