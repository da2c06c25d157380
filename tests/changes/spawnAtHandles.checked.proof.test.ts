// Shows what happens to handles that a program names itself: spawnAt, spawnManyAt and commands.spawnAt.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  createCommands,
  destroyMany,
  digestWorld,
  forkWorld,
  LimitError,
  NULL_ENTITY,
  onAdd,
  onEnter,
  onSet,
  restoreWorld,
  snapshotWorld,
  sortedEntities,
  sparse,
  spawnAt,
  spawnMany,
  spawnManyAt,
  StrataError,
  StrataTypeError,
  component,
  entity,
  f32,
  object,
  relation,
  sweepReferences,
  tag,
  text,
  u32,
  type Entity,
  type World,
} from '../../bindings/index'
import { MAX_ENTITIES, MIN_FREE_BEFORE_REUSE } from '../../build/layout'
import { generationOf, indexOf } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { leaveFree } from '../support/scarcity'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { isSteady, testWorld } from '../support/world'

const LAST_GENERATION = 255
const handleOf = (index: number, generation = 0) => ((generation << 24) | index) >>> 0

const Count = component('Count', { n: u32.default(3) })
const Marked = tag('Marked')

/** What the world is like, as far as a refused call could change it. */
function stateOf(world: World): object {
  return { ...world.stats(), digest: digestWorld(world) }
}

/** Spawns and destroys one entity in a world for one until its index has lived under every generation. */
function spendIndex(world: World): void {
  for (let i = 0; i <= LAST_GENERATION; i++) world.destroy(world.spawn())
}

describe('a handle that is named', () => {
  it.each(STORAGES)('comes alive with its components and their values (%s)', (storage) => {
    const Position = component('Position', { x: f32, y: f32.default(7) }, { storage: STORED[storage] })
    const world = watchedWorld()
    const handle = handleOf(20, 5)
    expect(spawnAt(world, handle, Position({ x: 2 }), Marked)).toBe(handle)
    expect(world.isAlive(handle)).toBe(true)
    expect(world.get(handle, Position)).toEqual({ x: 2, y: 7 })
    expect(world.has(handle, Marked)).toBe(true)
    expect([...world.query(Position, Marked).entities()]).toEqual([handle])
    expect(world.stats().entities).toBe(1)
  })

  it('can have no components, and is found by the query of all', () => {
    const world = watchedWorld()
    const handle = spawnAt(world, 9)
    expect([...world.query().entities()]).toEqual([handle])
  })

  it('is refused where its index is alive, under whatever generation, and nothing changes', () => {
    const world = watchedWorld()
    const living = world.spawn(Count)
    const before = stateOf(world)
    for (const handle of [living, handleOf(indexOf(living), 1), handleOf(indexOf(living), LAST_GENERATION)]) {
      for (const refused of [
        () => spawnAt(world, handle, Count),
        () => spawnManyAt(world, [500, handle], [Count]),
        () => createCommands(world).spawnAt(handle, Count),
        () => world.batch(() => spawnAt(world, handle, Count)),
      ]) {
        expect(refused).toThrow(expect.objectContaining({ code: 'HANDLE_TAKEN' }))
        expect(refused).toThrow(StrataError)
        expect(refused).toThrow(/index 1, generation 0\): destroy that one first/)
      }
    }
    expect(stateOf(world)).toEqual(before)
  })

  it.each([
    0,
    1.5,
    -1,
    2 ** 32,
    2 ** 32 + 5,
    NaN,
    Infinity,
    NULL_ENTITY,
    0x00ffffff,
    0x01ffffff,
    0x05000000,
    '7',
    null,
    undefined,
    {},
  ])('is refused with a sentence when it is not a handle: %s', (garbage) => {
    const world = watchedWorld()
    const before = stateOf(world)
    const wrong = garbage as Entity
    for (const refused of [
      () => spawnAt(world, wrong, Count),
      () => spawnManyAt(world, [wrong], [Count]),
      () => createCommands(world).spawnAt(wrong),
      () => world.batch(() => spawnAt(world, wrong)),
    ]) {
      expect(refused).toThrow(StrataTypeError)
      expect(refused).toThrow(/is not a handle: pass one that a spawn returned/)
    }
    expect(stateOf(world)).toEqual(before)
  })

  it('is refused beyond maxEntities, and the last index is not', () => {
    const world = watchedWorld({ maxEntities: 10 })
    const before = stateOf(world)
    for (const refused of [
      () => spawnAt(world, 11),
      () => spawnManyAt(world, [3, 11], []),
      () => world.batch(() => spawnAt(world, 11)),
    ]) {
      expect(refused).toThrow(LimitError)
      expect(refused).toThrow(/maxEntities/)
    }
    expect(stateOf(world)).toEqual(before)
    spawnAt(world, 10)
    expect(new Set(spawnMany(world, 9, [])).size).toBe(9)
    expect(() => world.spawn()).toThrow(LimitError)
  })

  it('can have the very last index, if memory suffices for the records', () => {
    const world = testWorld()
    const handle = spawnAt(world, handleOf(MAX_ENTITIES, 3), Count)
    expect(world.isAlive(handle)).toBe(true)
    expect(world.stats()).toMatchObject({ entities: 1, freeIds: MAX_ENTITIES - 1 })
    world.dispose()
  })

  it.each([1, 2, 1022, 1023, 1024, 1025, 4095, 4096, 5000])(
    'leaves the %i indices before it free, and all of them are given out',
    (passed) => {
      const world = watchedWorld({ maxEntities: passed + 1 })
      const handle = spawnAt(world, handleOf(passed + 1), Count)
      expect(world.stats()).toMatchObject({ entities: 1, freeIds: passed })
      const others = spawnMany(world, passed, [Count])
      expect(new Set([...others, handle].map(indexOf)).size).toBe(passed + 1)
      expect(() => world.spawn()).toThrow(LimitError)
    },
  )

  it('is refused while its destruction waits in the same block or buffer, and the sentence says so', () => {
    const world = watchedWorld()
    const living = world.spawn(Count)
    const commands = createCommands(world)
    commands.destroy(living)
    for (const refused of [
      () => commands.spawnAt(living, Marked),
      () => world.batch(() => [world.destroy(living), spawnAt(world, living, Marked)]),
    ])
      expect(refused).toThrow(/destroy that one first; in a loop or buffer destruction waits/)
    expect([world.isAlive(living), commands.size]).toEqual([false, 1])
  })

  it('comes alive again in the next buffer, or after the first was applied', () => {
    const world = watchedWorld()
    const living = world.spawn(Count)
    const commands = createCommands(world)
    for (const Next of [Marked, Count]) {
      commands.destroy(living)
      commands.apply()
      commands.spawnAt(living, Next)
      commands.apply()
      expect([world.has(living, Marked), world.has(living, Count)]).toEqual([Next === Marked, Next === Count])
    }
  })

  it('refuses what spawn refuses, and nothing changes', () => {
    const world = watchedWorld()
    const Sprite = object<object>('Sprite')
    const before = world.stats().entities
    expect(() => spawnAt(world, 5, Count, Count)).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_COMPONENT' }),
    )
    expect(() => spawnAt(world, 5, 'x' as never)).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
    )
    expect(() => spawnAt(world, 5, Sprite as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_VALUE' }),
    )
    expect(() => spawnManyAt(world, 'x' as never, [])).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
    expect(() => spawnManyAt(world, [5], [], 3 as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
    expect(world.stats()).toMatchObject({ entities: before, freeIds: 0 })
    world.dispose()
    expect(() => spawnAt(world, 5)).toThrow(expect.objectContaining({ code: 'WORLD_DISPOSED' }))
    expect(() => spawnManyAt(world, [5], [])).toThrow(expect.objectContaining({ code: 'WORLD_DISPOSED' }))
  })

  it('is younger than all entities made before it, whatever its index', () => {
    const world = watchedWorld()
    const old = world.spawn(Count)
    world.destroy(old)
    const first = world.spawn(Count)
    const second = spawnAt(world, old, Count)
    expect([...sortedEntities(world.query(Count), Count, 'n')]).toEqual([first, second])
  })
})

describe('generations', () => {
  it('an entity whose destruction is undone lives on under its handle, and dies for good afterwards', () => {
    const world = watchedWorld({ maxEntities: 1 })
    const ship = world.spawn(Count({ n: 1 }))
    world.destroy(ship)
    spawnAt(world, ship, Count({ n: 2 }))
    expect(world.get(ship, Count)).toEqual({ n: 2 })
    world.destroy(ship)
    expect(generationOf(world.spawn())).toBe(1)
    expect(world.isAlive(ship)).toBe(false)
  })

  it('after an old handle was brought back and destroyed, no handle given out before comes alive', () => {
    const world = watchedWorld({ maxEntities: 1 })
    const given = Array.from({ length: 6 }, () => {
      const handle = world.spawn()
      world.destroy(handle)
      return handle
    })
    spawnAt(world, given[2])
    world.destroy(given[2])
    const next = world.spawn()
    expect(generationOf(next)).toBe(6)
    expect(given.some((handle) => world.isAlive(handle))).toBe(false)
  })

  it('a handle of a later generation skips the generations in between, and the index goes on after it', () => {
    const world = watchedWorld({ maxEntities: 1 })
    world.destroy(spawnAt(world, handleOf(1, 200)))
    expect(generationOf(world.spawn())).toBe(201)
  })

  it.each(['recycle', 'strict'] as const)(
    'an index that was retired retires again after any of its handles was brought back (ids %s)',
    (ids) => {
      const world = watchedWorld({ maxEntities: 1, ids })
      spendIndex(world)
      for (const generation of [0, 1, 128, LAST_GENERATION]) {
        expect(world.stats().retiredIds).toBe(1)
        spawnAt(world, handleOf(1, generation), Marked)
        expect(world.stats()).toMatchObject({ entities: 1, retiredIds: 0, freeIds: 0 })
        world.destroy(handleOf(1, generation))
      }
      expect(world.stats()).toMatchObject({ entities: 0, retiredIds: 1, freeIds: 0 })
      if (ids === 'strict') expect(() => world.spawn()).toThrow(LimitError)
      else expect(generationOf(world.spawn())).toBe(0)
    },
  )

  it('an index with generations left that lives under the last one retires when it dies', () => {
    const world = watchedWorld()
    world.destroy(spawnAt(world, handleOf(1, LAST_GENERATION)))
    expect(world.stats()).toMatchObject({ retiredIds: 1, freeIds: 0 })
  })

  it('a clear and a destroyMany keep the highest generations, too', () => {
    for (const end of [
      (world: World) => clearWorld(world),
      (world: World) => void destroyMany(world, [handleOf(1, 2)]),
    ]) {
      const world = watchedWorld({ maxEntities: 1 })
      world.destroy(spawnAt(world, handleOf(1, 9)))
      spawnAt(world, handleOf(1, 2), Count)
      end(world)
      expect(generationOf(world.spawn())).toBe(10)
    }
  })
})

describe('free indices', () => {
  it.each([0, 1, 1022, 1023])('come back in their order after the one at place %i was taken out', (place) => {
    const world = watchedWorld()
    const freed = [...spawnMany(world, MIN_FREE_BEFORE_REUSE + 20, [])]
    destroyMany(world, freed)
    spawnAt(world, handleOf(indexOf(freed[place]), 7))
    checkInvariants(world)
    const left = freed.filter((_, i) => i !== place)
    const back = Array.from({ length: 20 }, () => world.spawn())
    expect(back.map(indexOf)).toEqual(left.slice(0, 20).map(indexOf))
  })

  it('can be taken out in any order, the first and the last ones included, until the list is empty', () => {
    const world = watchedWorld()
    const freed = [...spawnMany(world, 300, [])]
    destroyMany(world, freed)
    const order = freed.map((_, i) => (i * 7919) % 300)
    for (const i of order) {
      spawnAt(world, freed[i], Count)
      if (i % 50 === 0) checkInvariants(world)
    }
    expect(world.stats()).toMatchObject({ entities: 300, freeIds: 0 })
    destroyMany(world, freed)
    expect(world.stats().freeIds).toBe(300)
  })
})

describe('many named handles', () => {
  it.each(ROW_COUNTS)('%i of them come alive in one call, with rows in the order of the list', (count) => {
    const world = watchedWorld()
    world.spawn(Count)
    const list = Uint32Array.from({ length: count }, (_, i) =>
      handleOf(2 + ((i * 7) % (count * 7 || 1)), i % 5),
    )
    const handles = spawnManyAt(world, list, [Count, Marked], (chunk) => {
      const { n } = chunk.write(Count)
      for (let i = chunk.start; i < chunk.end; i++) n[i] = chunk.entities[i] as number
    })
    expect([...handles]).toEqual([...list])
    expect([...world.query(Count, Marked).entities()]).toEqual([...list])
    for (const handle of list) expect(world.get(handle, Count)).toEqual({ n: handle })
  })

  it.each(STORAGES)('have their values, and are found by their handles (%s)', (storage) => {
    const Name = component('Name', { first: text, n: u32 }, { storage: STORED[storage] })
    const world = watchedWorld()
    const handles = spawnManyAt(world, [9, handleOf(4, 2), 3000], [Name({ first: 'ann', n: 4 })])
    for (const handle of handles) expect(world.get(handle, Name)).toEqual({ first: 'ann', n: 4 })
    expect(world.stats().entities).toBe(3)
  })

  it('are refused, all of them, if one is taken, invalid, or named twice', () => {
    const world = watchedWorld()
    const living = world.spawn(Count)
    const before = stateOf(world)
    for (const [list, code] of [
      [[5, 6, living], 'HANDLE_TAKEN'],
      [[5, 6, handleOf(5, 1)], 'HANDLE_TAKEN'],
      [[5, NULL_ENTITY], 'INVALID_OPTION'],
    ] as const) {
      expect(() => spawnManyAt(world, list, [Count])).toThrow(expect.objectContaining({ code }))
      expect(() => world.batch(() => spawnManyAt(world, list, [Count]))).toThrow(
        expect.objectContaining({ code }),
      )
    }
    expect(stateOf(world)).toEqual(before)
  })

  it('of an empty list change nothing', () => {
    const world = watchedWorld()
    expect(spawnManyAt(world, [], [Count])).toHaveLength(0)
    expect(world.stats().entities).toBe(0)
  })

  it('for which there is no memory do not come alive, and the world goes on', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    world.spawn(Count, Marked)
    leaveFree(world, 40)
    const before = stateOf(world)
    const list = Array.from({ length: 20_000 }, (_, i) => i + 2)
    expect(() => spawnManyAt(world, list, [Count])).toThrow(LimitError)
    expect(() => spawnAt(world, 100_000, Count)).toThrow(LimitError)
    expect(digestWorld(world)).toBe((before as { digest: number }).digest)
    expect(world.stats()).toMatchObject({ entities: 1, freeIds: 0 })
    spawnAt(world, 2, Count)
    expect(world.stats().entities).toBe(2)
  })
})

describe('inside a loop', () => {
  it.each(STORAGES)('a named handle is alive at once, and has its components at the end (%s)', (storage) => {
    const Position = component('Position', { x: f32 }, { storage: STORED[storage] })
    const world = watchedWorld()
    world.spawn(Position)
    const handle = handleOf(77, 3)
    for (const _ of world.query(Position)) {
      expect(spawnAt(world, handle, Position({ x: 5 }))).toBe(handle)
      expect(world.isAlive(handle)).toBe(true)
      expect(world.get(handle, Position)).toBeUndefined()
      expect(() => spawnAt(world, handle)).toThrow(expect.objectContaining({ code: 'HANDLE_TAKEN' }))
    }
    expect(world.get(handle, Position)).toEqual({ x: 5 })
    expect(world.query(Position).count).toBe(2)
  })

  it.runIf(isSteady)(
    "named handles, promised ones and handles beyond the records do not get in each other's way",
    () => {
      const world = watchedWorld()
      const made: number[] = []
      world.batch(() => {
        for (let i = 0; i < 1200; i++) made.push(world.spawn(Count({ n: i })))
        made.push(spawnAt(world, 5000, Count({ n: 1200 })))
        made.push(...spawnManyAt(world, [4000, 3999, handleOf(9000, 2)], [Count({ n: 1201 })]))
        for (let i = 0; i < 1500; i++) made.push(world.spawn(Count({ n: 1202 })))
        expect(made.every((handle) => world.isAlive(handle))).toBe(true)
        expect(() => spawnAt(world, 1100)).toThrow(expect.objectContaining({ code: 'HANDLE_TAKEN' }))
      })
      expect(new Set(made.map(indexOf)).size).toBe(made.length)
      expect(world.stats().entities).toBe(made.length)
      made.forEach((handle, i) => {
        expect(world.get(handle, Count)).toEqual({ n: i > 1201 ? (i > 1203 ? 1202 : 1201) : i })
      })
    },
  )

  it('an entity that is destroyed in the same loop is alive until its end, and so its index is taken', () => {
    const world = watchedWorld()
    const ship = world.spawn(Count)
    world.batch(() => {
      world.destroy(ship)
      expect(() => spawnAt(world, ship)).toThrow(expect.objectContaining({ code: 'HANDLE_TAKEN' }))
    })
    expect(world.isAlive(ship)).toBe(false)
  })

  it('a named handle that is destroyed in the same loop is dead after it, and the index goes on', () => {
    const world = watchedWorld({ maxEntities: 1 })
    world.batch(() => {
      spawnAt(world, handleOf(1, 4), Count)
      world.destroy(handleOf(1, 4))
    })
    expect(world.stats().entities).toBe(0)
    expect(generationOf(world.spawn())).toBe(5)
  })

  it('a named handle beyond what memory holds without growing is refused in a loop, and accepted after it', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 26 } })
    world.spawn(Count)
    const digested = digestWorld(world)
    world.batch(() => {
      for (const refused of [() => spawnAt(world, 1_000_000), () => spawnManyAt(world, [7, 1_000_000], [])]) {
        expect(refused).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
      }
    })
    expect(digestWorld(world)).toBe(digested)
    expect(world.stats()).toMatchObject({ entities: 1, freeIds: 0 })
    spawnAt(world, 1_000_000)
    expect(world.stats().entities).toBe(2)
  })
})

describe('a command buffer', () => {
  it('makes a named handle alive at once, and gives it its components when it is applied', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const handle = commands.spawnAt(handleOf(3000, 9), Count({ n: 8 }))
    expect(world.isAlive(handle)).toBe(true)
    expect(world.query(Count).count).toBe(0)
    commands.add(handle, Marked)
    commands.apply()
    expect(world.get(handle, Count)).toEqual({ n: 8 })
    expect(world.has(handle, Marked)).toBe(true)
  })

  it('that is cleared lets its named handles die', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const handle = commands.spawnAt(40, Count)
    commands.clear()
    expect(world.isAlive(handle)).toBe(false)
    expect(world.stats()).toMatchObject({ entities: 0, freeIds: 40 })
  })
})

describe('listeners, objects and relations', () => {
  it('treat named handles like any others', () => {
    const world = watchedWorld()
    const heard: string[] = []
    onAdd(world, Count, (e) => heard.push(`add ${e}`))
    onSet(world, Count, (e) => heard.push(`set ${e}`))
    onEnter(world.query(Count, Marked), (e) => heard.push(`enter ${e}`))
    spawnAt(world, 30, Count({ n: 1 }), Marked)
    spawnManyAt(world, [50, 40], [Count, Marked])
    world.batch(() => spawnAt(world, 60, Count))
    expect(heard).toEqual([
      'add 30',
      'set 30',
      'enter 30',
      'add 50',
      'add 40',
      'enter 50',
      'enter 40',
      'add 60',
    ])
  })

  it('listeners are called once for a handle whose row a buffer makes before many get theirs', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    spawnAt(world, 50)
    commands.add(50, Count({ n: 1 }))
    world.destroy(50)
    const heard: string[] = []
    onAdd(world, Count, (e) => heard.push(`count ${e}`))
    onAdd(world, Marked, (e) => heard.push(`marked ${e}`))
    onEnter(world.query(Count), (e) => heard.push(`enter ${e}`))
    const filled: number[] = []
    world.batch(() => {
      commands.apply()
      spawnManyAt(world, [50, 60], [Count({ n: 2 }), Marked], (chunk) => {
        filled.push(...chunk.entities.subarray(chunk.start, chunk.end))
      })
    })
    expect(heard).toEqual(['count 50', 'enter 50', 'marked 50', 'count 60', 'marked 60', 'enter 60'])
    expect(filled.sort()).toEqual([50, 60])
    expect([50, 60].map((e) => world.get(e, Count))).toEqual([{ n: 2 }, { n: 2 }])
  })

  it('an object lives with the handle that was named, inside a loop and outside of one', () => {
    const world = watchedWorld()
    const disposed: number[] = []
    const Sprite = object<{ n: number }>('Sprite', { dispose: ({ n }) => disposed.push(n) })
    spawnAt(world, 8, Sprite({ n: 1 }))
    world.batch(() => spawnAt(world, 9, Sprite({ n: 2 })))
    expect(world.get(8, Sprite)).toEqual({ n: 1 })
    expect(world.get(9, Sprite)).toEqual({ n: 2 })
    destroyMany(world, [8, 9])
    expect(disposed).toEqual([1, 2])
  })

  it('an object is refused for many named handles', () => {
    const world = watchedWorld()
    const Sprite = object<{ n: number }>('Sprite')
    expect(() => spawnManyAt(world, [8], [Sprite({ n: 1 })] as never)).toThrow(StrataTypeError)
    expect(world.isAlive(8)).toBe(false)
  })

  it('a named handle can have a target, and be one', () => {
    const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
    const world = watchedWorld()
    const parent = spawnAt(world, 70, Count)
    spawnAt(world, 71, ChildOf(parent))
    spawnManyAt(world, [73, 72], [ChildOf(parent)])
    world.batch(() => spawnAt(world, 74, ChildOf(parent)))
    expect([...world.sources(parent, ChildOf)]).toEqual([71, 73, 72, 74])
    world.destroy(parent)
    expect(world.stats().entities).toBe(0)
    expect(() => spawnAt(world, 70, ChildOf(70 as Entity))).toThrow(
      expect.objectContaining({ code: 'DEAD_ENTITY' }),
    )
    expect(world.stats().entities).toBe(0)
  })

  it('references to a handle are valid again once it is brought back', () => {
    const Target = component('Target', { who: entity })
    const world = watchedWorld()
    const goal = world.spawn()
    const seeker = world.spawn(Target({ who: goal }))
    world.destroy(goal)
    spawnAt(world, goal)
    expect(sweepReferences(world)).toBe(0)
    expect(world.isAlive(world.get(seeker, Target)?.who as Entity)).toBe(true)
  })
})

describe('a world that follows another one', () => {
  const Position = component('Position', { x: f32, y: f32 })
  const Health = component('Health', { hp: u32 }, { storage: sparse })

  it('has the same digest through any spawns, changes and destructions, each sent by its handle', () => {
    const step = fc.tuple(fc.nat(9), fc.nat(), fc.nat(1000))
    const property = fc.property(fc.array(step, { minLength: 20, maxLength: 300, size: 'max' }), (script) => {
      const leader = testWorld({ memory: { initial: 2 ** 20 }, maxEntities: 80 })
      const follower = testWorld({ memory: { initial: 2 ** 20 }, maxEntities: 80 })
      const living: Entity[] = []
      for (const [kind, a, b] of script) {
        const chosen = living[a % (living.length || 1)]
        if (kind < 4 && living.length < 80) {
          const made = leader.spawn(Position({ x: b, y: 1 }), Health)
          spawnAt(follower, made, Health, Position({ x: b, y: 1 }))
          living.push(made)
        } else if (kind === 4 && living.length < 70) {
          const made = spawnMany(leader, b % 10, [Position({ y: b })])
          spawnManyAt(follower, made, [Position({ y: b })])
          living.push(...made)
        } else if (chosen !== undefined && kind < 8) {
          for (const world of [leader, follower]) world.destroy(chosen)
          living.splice(living.indexOf(chosen), 1)
        } else if (chosen !== undefined) {
          for (const world of [leader, follower]) world.set(chosen, Health, { hp: b })
        }
      }
      expect(digestWorld(follower)).toBe(digestWorld(leader))
      checkInvariants(follower)
      // It can take over at any time: nothing that was alive once is given out again.
      const spawned = follower.stats().entities < 80 ? [follower.spawn()] : []
      for (const handle of spawned) expect(living).not.toContain(handle)
    })
    fc.assert(property, { seed: 20_261_123, numRuns: proofLength(100) })
  })

  it('goes back and forward with its snapshots, forks and saves', () => {
    const world = watchedWorld({ maxEntities: 3 })
    for (let i = 0; i < 4; i++) world.destroy(world.spawn())
    spawnAt(world, handleOf(1, 0), Count)
    const before = snapshotWorld(world)
    const digested = digestWorld(world)
    world.destroy(handleOf(1, 0))
    spawnAt(world, handleOf(3, 6))
    restoreWorld(world, before)
    expect(digestWorld(world)).toBe(digested)
    const twin = forkWorld(world)
    for (const each of [world, twin]) {
      checkInvariants(each)
      expect(each.isAlive(handleOf(1, 0))).toBe(true)
      each.destroy(handleOf(1, 0))
      for (let i = 0; i < 3; i++) each.spawn()
      expect(each.isAlive(handleOf(1, 1))).toBe(false)
    }
    expect(digestWorld(twin)).toBe(digestWorld(world))
  })
})
