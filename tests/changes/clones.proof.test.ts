// Shows that clone and cloneMany copy what the source has, in every storage, at the right time.

import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  cloneEntity,
  DeadEntityError,
  destroyMany,
  LimitError,
  NULL_ENTITY,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  object,
  relation,
  cloneMany,
  sparse,
  spawnMany,
  cloneTree,
  stable,
  tag,
  text,
  u16,
  u8,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { bytesOf, expectSameBytes } from '../support/bytes'
import { changeTickOf } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { Frozen, Health, Position, Red, numbered } from '../support/kinds'
import { MEMORY_STEP } from '../support/proofs'
import { leaveFree, succeeds, tryEveryAmount } from '../support/scarcity'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, capacitiesOf } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const MIB = 2 ** 20
const Mixed = component('Mixed', {
  a: i8,
  b: u16,
  c: f64,
  d: bool,
  e: entity,
  f: vec(u8, 3),
  g: vec(f32, 40),
})
const Score = component('Score', { points: i32, ratio: f64 }, { storage: sparse })
const Slot = component('Slot', { number: i16, marks: vec(u8, 3) }, { storage: stable })
const ALL = [Position, Mixed, Health, Score, Slot, Frozen, Red] as const

const anything = (value: unknown) => value as never
const MIXED = { a: -3, b: 7, c: 1e9, d: true, f: [1, 2, 3], g: Array.from({ length: 40 }, (_, i) => i / 2) }

function rich(world: World): Entity {
  const friend = world.spawn()
  return world.spawn(
    Position({ x: 1, y: 2 }),
    Mixed({ ...MIXED, e: friend }),
    Health({ hp: 9 }),
    Score({ points: -4, ratio: 0.5 }),
    Slot({ number: 5, marks: [7, 8, 9] }),
    Frozen,
  )
}

/** All that an entity has, as plain values. */
function contents(world: World, of: number): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const kind of ALL) {
    if (!world.has(of as Entity, kind)) continue
    found[kind.componentName] = kind.kind === 'tag' ? true : world.get(of as Entity, kind as typeof Position)
  }
  return found
}

describe('cloneEntity', () => {
  it('has the components, the tags and the values of the source, in all storages', () => {
    const world = watchedWorld()
    const source = rich(world)
    const copy = cloneEntity(world, source)
    expect(copy).not.toBe(source)
    expect(contents(world, copy)).toEqual(contents(world, source))
    expect(Object.keys(contents(world, copy)).length).toBe(6)
  })

  it('of an entity without components has no components', () => {
    const world = watchedWorld()
    const copy = cloneEntity(world, world.spawn())
    expect(world.isAlive(copy)).toBe(true)
    expect(contents(world, copy)).toEqual({})
    expect(world.query().count).toBe(2)
  })

  it('is found by queries like the source', () => {
    const world = watchedWorld()
    const source = rich(world)
    const copy = cloneEntity(world, source)
    for (const kind of ALL.slice(0, 6)) {
      expect([...world.query(kind).entities()].sort((a, b) => a - b)).toEqual([source, copy])
    }
  })

  it('lives apart from the source', () => {
    const world = watchedWorld()
    const source = rich(world)
    const copy = cloneEntity(world, source)
    world.set(copy, Position, { x: 100 })
    world.set(copy, Health, { hp: 100 })
    world.set(source, Slot, { number: 100 })
    world.remove(copy, Score)
    expect(world.get(source, Position)?.x).toBe(1)
    expect(world.get(source, Health)?.hp).toBe(9)
    expect(world.get(copy, Slot)?.number).toBe(5)
    expect(world.has(source, Score)).toBe(true)
    world.destroy(source)
    expect(world.get(copy, Mixed)?.b).toBe(7)
    expect(world.get(copy, Slot)?.marks).toEqual(new Uint8Array([7, 8, 9]))
  })

  it('of a clone of a clone still has everything, and each can be destroyed in any order', () => {
    const world = watchedWorld()
    const handles = [rich(world)]
    for (let i = 0; i < 10; i++) handles.push(cloneEntity(world, handles[i]))
    const expected = contents(world, handles[0])
    for (const i of [3, 0, 10, 7, 1]) world.destroy(handles[i])
    for (const i of [2, 4, 5, 6, 8, 9]) expect(contents(world, handles[i])).toEqual(expected)
  })

  it('counts as changed now, in every storage', () => {
    const world = watchedWorld()
    const source = rich(world)
    world.advanceTick()
    world.advanceTick()
    const copy = cloneEntity(world, source)
    for (const kind of [Position, Mixed, Health, Score, Slot]) expect(changeTickOf(world, copy, kind)).toBe(3)
  })

  it.each(['dead', 'NULL_ENTITY', 'garbage'])(
    'of a source that is %s throws, and nothing is made',
    (which) => {
      const world = watchedWorld()
      const dead = world.spawn(Position)
      world.destroy(dead)
      const source = which === 'dead' ? dead : which === 'garbage' ? anything(1.5) : NULL_ENTITY
      expect(() => cloneEntity(world, source)).toThrow(DeadEntityError)
      expect(() => cloneMany(world, source, 3)).toThrow(DeadEntityError)
      world.batch(() => expect(() => cloneEntity(world, source)).toThrow(DeadEntityError))
      expect(world.stats().entities).toBe(0)
    },
  )

  it('meets the limit of entities like spawn', () => {
    const world = watchedWorld({ maxEntities: 3 })
    const source = world.spawn(Position, Health)
    cloneEntity(world, source)
    expect(() => cloneMany(world, source, 2)).toThrow(LimitError)
    cloneEntity(world, source)
    expect(() => cloneEntity(world, source)).toThrow(LimitError)
    world.batch(() => expect(() => cloneEntity(world, source)).toThrow(LimitError))
    expect(world.stats().entities).toBe(3)
  })

  it('takes an index that was used before, and leaves none of its old values', () => {
    const world = watchedWorld({ maxEntities: 2 })
    const source = world.spawn(Position({ x: 1 }))
    const old = world.spawn(Position({ x: 9 }), Health({ hp: 9 }), Frozen)
    world.destroy(old)
    const copy = cloneEntity(world, source)
    expect(contents(world, copy)).toEqual({ Position: { x: 1, y: 0 } })
  })
})

describe.each(STORAGES)('cloneMany of a source in %s storage', (storage) => {
  const Number = numbered('Number', storage)

  it.each(ROW_COUNTS)('makes %i copies in one call, in the order of their rows', (count) => {
    const world = watchedWorld()
    const others = spawnMany(world, 3, [Number({ value: 5 })])
    const source = world.spawn(Number({ value: 42 }), Frozen)
    const handles = cloneMany(world, source, count)
    expect(handles).toBeInstanceOf(Uint32Array)
    expect(new Set(handles).size).toBe(count)
    expect([...handles].every((handle) => world.get(handle, Number)?.value === 42)).toBe(true)
    expect([...handles].every((handle) => world.has(handle, Frozen))).toBe(true)
    expect(world.stats().entities).toBe(count + 4)
    expect([...world.query(Frozen).entities()]).toEqual([source, ...handles])
    expect([...others].every((handle) => world.get(handle, Number)?.value === 5)).toBe(true)
  })

  it('gives overrides to the copies alone', () => {
    const world = watchedWorld()
    const source = world.spawn(Number({ value: 42 }))
    const copies = cloneMany(world, source, 3, Number({ value: 7 }), Frozen)
    expect([...copies].map((copy) => world.get(copy, Number)?.value)).toEqual([7, 7, 7])
    expect([...world.query(Frozen).entities()]).toEqual([...copies])
    expect(world.get(source, Number)).toEqual({ value: 42 })
  })

  it('fills holes and chunks that others left', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 500, [Number({ value: 1 })])
    destroyMany(
      world,
      handles.filter((_, i) => i % 3 === 0),
    )
    const source = handles[1]
    world.set(source, Number, { value: 77 })
    const copies = cloneMany(world, source, 400)
    expect([...copies].every((copy) => world.get(copy, Number)?.value === 77)).toBe(true)
    destroyMany(world, copies)
    expect(world.query(Number).count).toBe(333)
  })
})

describe('cloneMany', () => {
  it('copies all kinds of fields over chunk boundaries', () => {
    const world = watchedWorld()
    const source = rich(world)
    const { full } = capacitiesOf(Position, Mixed)
    const expected = contents(world, source)
    const handles = cloneMany(world, source, full * 2 + 1)
    for (const handle of handles) expect(contents(world, handle)).toEqual(expected)
  })

  it('of an entity without components makes empty ones', () => {
    const world = watchedWorld()
    const handles = cloneMany(world, world.spawn(), 1000)
    expect(world.query().count).toBe(1001)
    expect([...handles].every((handle) => world.isAlive(handle))).toBe(true)
  })

  it('marks all copies changed', () => {
    const world = watchedWorld()
    const source = rich(world)
    world.advanceTick()
    const handles = cloneMany(world, source, 300)
    for (const kind of [Position, Health, Slot]) {
      expect([...handles].every((handle) => changeTickOf(world, handle, kind) === 2)).toBe(true)
    }
  })

  it.each([-1, 0.5, NaN, Infinity, '3', undefined])('refuses the count %s', (count) => {
    const world = watchedWorld()
    const source = world.spawn()
    const act = () => cloneMany(world, source, anything(count))
    expect(act).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(act).toThrow(/cloneMany: the count/)
  })

  it('refuses more than all ids', () => {
    const world = watchedWorld()
    const source = world.spawn()
    expect(() => cloneMany(world, source, 20_000_000)).toThrow(
      expect.objectContaining({ code: 'ENTITY_LIMIT' }),
    )
  })
})

describe('inside a loop', () => {
  it('the handle is alive at once and has its components when the loop ends', () => {
    const world = watchedWorld()
    const source = rich(world)
    const copies: Entity[] = []
    for (const _ of world.query(Position)) {
      copies.push(cloneEntity(world, source), ...[...cloneMany(world, source, 5)])
      for (const copy of copies) {
        expect(world.isAlive(copy)).toBe(true)
        expect(world.has(copy, Position)).toBe(false)
      }
    }
    for (const copy of copies) expect(contents(world, copy)).toEqual(contents(world, source))
    expect(world.query(Position).count).toBe(7)
  })

  it('the source is copied as it is when its turn comes', () => {
    const world = watchedWorld()
    const source = world.spawn(Position({ x: 1 }))
    const [first, second, third] = world.batch(() => {
      const before = cloneEntity(world, source)
      world.add(source, Health({ hp: 4 }))
      world.set(source, Position, { x: 2 })
      const between = cloneEntity(world, source)
      world.remove(source, Position)
      return [before, between, cloneEntity(world, source)] as const
    })
    expect(contents(world, first)).toEqual({ Position: { x: 1, y: 0 } })
    expect(contents(world, second)).toEqual({ Position: { x: 2, y: 0 }, Health: { hp: 4 } })
    expect(contents(world, third)).toEqual({ Health: { hp: 4 } })
  })

  it('what was spawned in the same block can be copied', () => {
    const world = watchedWorld()
    const copies = world.batch(() => {
      const born = world.spawn(Position({ x: 3 }), Slot({ number: 2 }), Frozen)
      return [cloneEntity(world, born), ...cloneMany(world, born, 3)]
    })
    for (const copy of copies) {
      expect(contents(world, copy)).toMatchObject({ Position: { x: 3 }, Slot: { number: 2 }, Frozen: true })
    }
  })

  it('a copy whose source is destroyed before it is made is dead; one whose source is destroyed after it lives', () => {
    const world = watchedWorld()
    const [early, late] = [world.spawn(Position), world.spawn(Position({ x: 6 }))]
    const [dead, alive, many] = world.batch(() => {
      world.destroy(early)
      const made = [cloneEntity(world, early), cloneEntity(world, late), cloneMany(world, early, 4)] as const
      world.destroy(late)
      return made
    })
    expect(world.isAlive(dead)).toBe(false)
    expect([...many].some((handle) => world.isAlive(handle))).toBe(false)
    expect(world.get(alive, Position)?.x).toBe(6)
    expect(world.stats().entities).toBe(1)
  })

  it('changes to the copy are applied after it was made', () => {
    const world = watchedWorld()
    const source = world.spawn(Position({ x: 1, y: 1 }), Health)
    const [changed, gone] = world.batch(() => {
      const copy = cloneEntity(world, source)
      world.set(copy, Position, { x: 8 })
      world.add(copy, Frozen)
      world.remove(copy, Health)
      const doomed = cloneEntity(world, source)
      world.destroy(doomed)
      return [copy, doomed] as const
    })
    expect(contents(world, changed)).toEqual({ Position: { x: 8, y: 1 }, Frozen: true })
    expect(world.isAlive(gone)).toBe(false)
  })

  it('clear destroys copies that are queued before it, and spares copies queued after it', () => {
    const world = watchedWorld()
    const source = world.spawn(Position)
    const [before, after] = world.batch(() => {
      const first = cloneEntity(world, source)
      clearWorld(world)
      return [first, world.spawn(Position)] as const
    })
    expect(world.isAlive(before)).toBe(false)
    expect(world.isAlive(after)).toBe(true)
  })

  it('more copies than there are records get their handles', () => {
    const world = watchedWorld()
    const source = world.spawn(Position({ x: 2 }), Health({ hp: 3 }), Slot)
    const handles = world.batch(() => cloneMany(world, source, 3000))
    expect([...handles].every((handle) => world.get(handle, Health)?.hp === 3)).toBe(true)
    expect(world.query(Position).count).toBe(3001)
  })

  it('copies for which there is no memory are dead, and the error is thrown at the end', () => {
    const world = testWorld({ memory: { maximum: MIB } })
    const source = world.spawn(Mixed)
    let handles: Uint32Array = new Uint32Array(0)
    expect(() => world.batch(() => (handles = cloneMany(world, source, 20_000)))).toThrow(LimitError)
    const alive = [...handles].filter((handle) => world.isAlive(handle))
    expect(alive.length).toBeGreaterThan(1000)
    expect(alive.length).toBe(world.query(Mixed).count - 1)
    checkInvariants(world)
  })
})

describe('copies made when memory is used up', () => {
  const acts: [string, (world: World, source: Entity) => unknown][] = [
    ['clone', (world, source) => cloneEntity(world, source)],
    ['cloneMany', (world, source) => cloneMany(world, source, 700)],
  ]
  for (const [name, act] of acts) {
    for (const hidesObjects of [false, true]) {
      it(`${name} makes all or nothing, whatever is left${hidesObjects ? ' and every small object needs a block' : ''}`, () => {
        const attempt = (kib: number) => {
          const world = testWorld({ memory: { maximum: MIB } })
          const ballast = spawnMany(world, 6000, [Position])
          const { small, entities } = fullWorld(world)
          leaveFree(world, kib)
          const made = succeeds(() => act(world, small), hidesObjects ? world : undefined)
          checkInvariants(world)
          if (!made) {
            expect(world.stats().entities).toBe(6000 + entities)
            destroyMany(world, ballast)
            act(world, small)
            checkInvariants(world)
          }
          return made
        }
        tryEveryAmount(attempt, { step: MEMORY_STEP, most: 200 })
      })
    }
  }

  /** Entities that fill the last chunk of each of their tables, so that one more needs another everywhere. */
  function fullWorld(world: World) {
    const entities = capacitiesOf(Position, Frozen).first
    const handles = spawnMany(world, entities, [Position, Frozen, Score, Slot])
    return { small: handles[0], entities }
  }
})

describe('the same calls', () => {
  it('give the same bytes', () => {
    const bytes = [0, 1].map(() => {
      const world = testWorld({ memory: { initial: MIB } })
      const source = rich(world)
      cloneMany(world, source, 100)
      world.batch(() => cloneEntity(world, source))
      destroyMany(world, cloneMany(world, cloneEntity(world, source), 50))
      return bytesOf(world)
    })
    expectSameBytes(bytes[0]!, bytes[1]!)
  })
})

describe('a clone function', () => {
  it('sees earlier copies as they are, even if making one grew tables', () => {
    const { chunks } = testWorld().stats()
    // The table of chunks has room for 64 at first: the copy that fails needs one more, whatever there were.
    for (let spare = 0; spare < 4; spare++) {
      const world = watchedWorld()
      const seen: unknown[] = []
      let first: number | undefined
      const Fails = object<object>('Fails', {
        clone: (_value: object, copy: number) => {
          if (first !== undefined) seen.push(world.get(first, Position))
          else {
            first = copy
            throw new Error('the first one')
          }
          return {}
        },
      })
      const source = world.spawn(Position({ x: 7, y: 8 }), Fails({}))
      for (let i = 0; world.stats().chunks < chunks + 64 - spare; i++) world.spawn(Position, tag(`Own ${i}`))
      expect(() => cloneMany(world, source, 3)).toThrow('the first one')
      expect(seen).toEqual([
        { x: 7, y: 8 },
        { x: 7, y: 8 },
      ])
    }
  })
})

describe('copies with a link made when memory is used up', () => {
  const Leans = relation('Leans', { exclusive: true })
  const Note = component('Note', { value: text })
  const LONG = 'x'.repeat(20_000)
  const acts: [string, (world: World, source: Entity) => unknown][] = [
    ['clone', (world, source) => cloneEntity(world, source, Leans(source))],
    ['cloneMany', (world, source) => cloneMany(world, source, 700, Leans(source))],
    ['clone in a block', (world, source) => world.batch(() => cloneEntity(world, source, Leans(source)))],
    ['spawnMany', (world, source) => spawnMany(world, 700, [Leans(source)])],
    ['spawnMany with a text', (world, source) => spawnMany(world, 7, [Leans(source), Note({ value: LONG })])],
  ]
  it.each(acts)('leave no empty row for the target, whatever is left: %s', (_, act) => {
    const attempt = (kib: number) => {
      const world = testWorld({ memory: { maximum: MIB } })
      const small = world.spawn(Position, Health)
      leaveFree(world, kib)
      const made = succeeds(() => act(world, small))
      checkInvariants(world)
      expect(world.sources(small, Leans).length > 0).toBe(made)
      return made
    }
    tryEveryAmount(attempt, { step: MEMORY_STEP, most: 200 })
  })

  const waiting: [string, (world: World, model: Entity, target: Entity) => ArrayLike<Entity>][] = [
    ['spawnMany', (world, _, target) => spawnMany(world, 70, [Leans(target)])],
    ['cloneMany', (world, model, target) => cloneMany(world, model, 70, Leans(target))],
    ['spawnTree', (world, model, target) => cloneTree(world, model, 70, Leans(target))],
  ]
  it.each(waiting)('leave neither such a row nor an entity without its link in a block: %s', (_, make) => {
    const attempt = (kib: number) => {
      const world = testWorld({ memory: { maximum: MIB } })
      const [model, target] = [world.spawn(Position), world.spawn(Position, Health)]
      // The relation is known, and its target has no row any more.
      world.destroy(world.spawn(Leans(target)))
      leaveFree(world, kib)
      let made: ArrayLike<Entity> = []
      const all = succeeds(() => world.batch(() => void (made = make(world, model, target))))
      checkInvariants(world)
      const alive = Array.from(made).filter((entity) => world.isAlive(entity))
      expect(alive.every((entity) => world.has(entity, Leans(target)))).toBe(true)
      expect(all).toBe(alive.length === 70)
      expect([world.sources(target, Leans).length, world.stats().entities]).toEqual([
        alive.length,
        alive.length + 2,
      ])
      return all
    }
    tryEveryAmount(attempt, { step: MEMORY_STEP, most: 200 })
  })
})
