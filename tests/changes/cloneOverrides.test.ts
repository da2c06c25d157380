// Shows what copies get in addition to what their model has, and what they drop: excluded tags, and what without names.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  cloneEntity,
  component,
  digestWorld,
  f32,
  NULL_ENTITY,
  not,
  object,
  onAdd,
  onEnter,
  onRemove,
  optional,
  relation,
  createRemovalReader,
  cloneMany,
  cloneTree,
  onChange,
  tag,
  u8,
  omit,
  type World,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { checkInvariants } from '../support/invariants'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'
import { STORED } from '../support/storages'

const anything = (value: unknown) => value as never
const Prefab = tag('Prefab', { excludeFromQueries: true })
const Hidden = tag('Hidden', { excludeFromQueries: true })
const Frozen = tag('Frozen')
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })

/** The calls that copy, each giving its copies. */
const CALLS: [string, (world: World, model: Entity, ...overrides: never[]) => ArrayLike<Entity>][] = [
  ['clone', (world, model, ...overrides) => [cloneEntity(world, model, ...overrides)]],
  ['spawnFrom of 1', (world, model, ...overrides) => cloneMany(world, model, 1, ...overrides)],
  ['spawnFrom of 65', (world, model, ...overrides) => cloneMany(world, model, 65, ...overrides)],
  ['spawnFrom of 0', (world, model, ...overrides) => cloneMany(world, model, 0, ...overrides)],
  ['spawnTree of 3', (world, model, ...overrides) => cloneTree(world, model, 3, ...overrides)],
]
const COUNTS: Record<string, number> = {
  clone: 1,
  'spawnFrom of 1': 1,
  'spawnFrom of 65': 65,
  'spawnTree of 3': 3,
}

describe('Copies that lack what keeps their model out of a query', () => {
  it('enter it', () => {
    const world = watchedWorld()
    const Speed = component('Speed', { x: f32 })
    const Parked = tag('Parked')
    const model = world.spawn(Speed, Hidden, Parked)
    const log: unknown[] = []
    onEnter(world.query(Speed, not(Hidden)), (e) => log.push(['shown', e]))
    onEnter(world.query(Speed, not(Parked), optional(Hidden)), (e) => log.push(['moving', e]))
    const shown = cloneEntity(world, model)
    const moving = cloneEntity(world, model, omit(Parked))
    const several = cloneMany(world, model, 2, omit(Parked))
    expect(log).toEqual([
      ['shown', shown],
      ['shown', moving],
      ['moving', moving],
      ...[...several].map((e) => ['shown', e]),
      ...[...several].map((e) => ['moving', e]),
    ])
  })
})

describe.each(['table', 'sparse', 'stable'] as const)('Copies in %s storage', (storage) => {
  const Position = component(
    'Position',
    { x: f32.default(1), y: f32.default(2) },
    { storage: STORED[storage] },
  )
  const Health = component('Health', { hp: u8.default(9) }, { storage: STORED[storage] })

  describe.each(CALLS)('by %s', (name, copy) => {
    const count = COUNTS[name] ?? 0

    it.each(['at once', 'in a loop', 'with listeners'])('drop excluded tags: %s', (when) => {
      const world = testWorld()
      const model = world.spawn(Prefab, Position({ x: 5 }), Health, Hidden, Frozen)
      const told: unknown[] = []
      let changes = 0
      if (when === 'with listeners') {
        for (const one of [Prefab, Hidden]) {
          onAdd(world, one, () => told.push('add'))
          onRemove(world, one, () => told.push('remove'))
        }
        onEnter(world.query(Position), (entity) => told.push(entity))
        onChange(world.query(Position), () => changes++)
      }
      const lost = createRemovalReader(world, Prefab)
      const copies = when === 'in a loop' ? world.batch(() => copy(world, model)) : copy(world, model)
      expect(copies).toHaveLength(count)
      expect(Array.from(world.query(Position).entities())).toEqual(Array.from(copies))
      for (const one of Array.from(copies)) {
        expect([world.has(one, Prefab), world.has(one, Hidden), world.has(one, Frozen)]).toEqual([
          false,
          false,
          true,
        ])
        expect(world.get(one, Position)).toEqual({ x: 5, y: 2 })
      }
      expect(world.has(model, Prefab, Hidden)).toBe(true)
      expect(lost.read()).toEqual([])
      if (when === 'with listeners') {
        expect([...told].sort()).toEqual(Array.from(copies).sort())
        expect(changes).toBe(count > 0 ? 1 : 0)
      }
      checkInvariants(world)
      // A prefab of a prefab is made by naming the tag.
      for (const one of Array.from(copy(world, model, anything(Prefab))))
        expect(world.has(one, Prefab)).toBe(true)
      checkInvariants(world)
    })

    it.each(['at once', 'in a loop'])(
      'get overrides, but none of the components that without() names: %s',
      (when) => {
        const world = testWorld()
        const model = world.spawn(Position({ x: 5 }), Health({ hp: 3 }), Frozen)
        const Extra = component('Extra', { n: u8 }, { storage: STORED[storage] })
        const overrides = [Position({ y: 7 }), omit(Health, Frozen, Prefab), Extra({ n: 4 }), omit(ChildOf)]
        const make = () => copy(world, model, ...(overrides as never[]))
        const copies = when === 'at once' ? make() : world.batch(make)
        expect(copies).toHaveLength(count)
        for (const one of Array.from(copies)) {
          expect(
            world
              .componentsOf(one)
              .map((each) => each.componentName)
              .sort(),
          ).toEqual(['Extra', 'Position'])
          expect([world.get(one, Position), world.get(one, Extra)]).toEqual([{ x: 5, y: 7 }, { n: 4 }])
        }
        expect(world.get(model, Health)).toEqual({ hp: 3 })
        checkInvariants(world)
        // What is dropped and given starts over.
        for (const one of Array.from(
          copy(world, model, ...([omit(Position), Position({ y: 3 })] as never[])),
        ))
          expect(world.get(one, Position)).toEqual({ x: 1, y: 3 })
        checkInvariants(world)
      },
    )

    it('drop objects and links, and call no listener for them', () => {
      const told: string[] = []
      const Sprite = object<{ n: number }>('Sprite', {
        clone: (value) => (told.push('clone'), { ...value }),
        init: () => told.push('init'),
        dispose: () => told.push('dispose'),
      })
      const Likes = relation('Likes')
      const world = testWorld()
      const [car, friend] = [world.spawn(), world.spawn()]
      const model = world.spawn(Position, Sprite({ n: 1 }), ChildOf(car), Likes(friend), Likes(car))
      told.length = 0
      onAdd(world, Likes, () => told.push('add'))
      const copies = copy(world, model, ...([omit(Sprite, ChildOf, Likes)] as never[]))
      expect(told).toEqual([])
      for (const one of Array.from(copies))
        expect(world.componentsOf(one).map((each) => each.componentName)).toEqual(['Position'])
      expect([world.sourceCount(car, ChildOf), world.sourceCount(friend, Likes)]).toEqual([1, 1])
      checkInvariants(world)
      for (const one of Array.from(copy(world, model))) expect(world.get(one, Sprite)).toEqual({ n: 1 })
      checkInvariants(world)
    })

    it('are not made when an argument is wrong', () => {
      const world = testWorld()
      const Sprite = object('Sprite')
      const [model, dead] = [world.spawn(Position), world.spawn()]
      world.destroy(dead)
      const before = digestWorld(world)
      for (const [code, ...overrides] of [
        ['DUPLICATE_COMPONENT', Position, Position],
        ['DUPLICATE_COMPONENT', omit(Position, Position)],
        ['NOT_A_COMPONENT', { x: 1 }],
        ['NOT_A_COMPONENT', omit(anything(Position({ x: 1 })))],
        ['NOT_A_COMPONENT', omit(anything(undefined))],
        ['INVALID_VALUE', Sprite],
        ['INVALID_VALUE', ChildOf],
        ['DEAD_ENTITY', ChildOf(dead)],
      ] as unknown as [string, ...never[]][]) {
        expect(codeOf(() => copy(world, model, ...overrides))).toBe(code)
        expect(codeOf(() => world.batch(() => copy(world, model, ...overrides)))).toBe(code)
      }
      for (const gone of [dead, NULL_ENTITY]) {
        expect(codeOf(() => copy(world, gone as Entity, ...([omit(Position)] as never[])))).toBe(
          'DEAD_ENTITY',
        )
      }
      expect(digestWorld(world)).toBe(before)
      checkInvariants(world)
    })
  })

  describe.each(['remove', 'destroy'] as const)(
    'with a link to a target that has died while they waited',
    (policy) => {
      const Leans = relation('Leans', { exclusive: true, onTargetDestroy: policy })
      it.each(CALLS)(`${policy === 'destroy' ? 'die with it' : 'come without it'}: %s`, (_, copy) => {
        const world = watchedWorld()
        const model = world.spawn(Frozen)
        world.spawn(Frozen, ChildOf(model))
        const target = world.spawn()
        const told: Entity[] = []
        onAdd(world, Frozen, (entity) => told.push(entity))
        let copies: Entity[] = []
        world.batch(() => {
          world.destroy(target)
          copies = [...Array.from(copy(world, model, anything(Leans(target))))]
        })
        expect(copies.map((entity) => world.isAlive(entity))).toEqual(copies.map(() => policy === 'remove'))
        for (const entity of copies.filter((each) => world.isAlive(each)))
          expect([world.has(entity, Frozen), world.has(entity, Leans), told.includes(entity)]).toEqual([
            true,
            false,
            true,
          ])
        if (policy === 'destroy') expect([told, world.stats().entities]).toEqual([[], 2])
      })
    },
  )

  it.each(CALLS)(
    'with a link to their model are its sources, and not targets themselves: %s in a block',
    (_, copy) => {
      const Leans = relation('Leans', { onTargetDestroy: 'destroy' })
      const world = watchedWorld()
      const model = world.spawn(Frozen)
      let copies: Entity[] = []
      world.batch(() => (copies = [...Array.from(copy(world, model, anything(Leans(model))))]))
      checkInvariants(world)
      expect([...world.sources(model, Leans)].sort()).toEqual([...copies].sort())
      expect(copies.flatMap((entity) => [...world.sources(entity, Leans)])).toEqual([])
    },
  )

  it('of a tree drop excluded tags at every depth, and what without() names at the top', () => {
    const world = testWorld()
    const model = world.spawn(Prefab, Position, Frozen)
    const wheel = world.spawn(Prefab, Position, Frozen, ChildOf(model))
    const [copy] = cloneTree(world, model, 1, omit(Frozen))
    const [below] = world.sources(copy as Entity, ChildOf)
    expect([...world.query(Position).entities()].sort()).toEqual([copy, below].sort())
    expect([world.has(copy as Entity, Frozen), world.has(below as Entity, Frozen)]).toEqual([false, true])
    expect(world.has(wheel, Prefab)).toBe(true)
    checkInvariants(world)
  })
})

it('clone uses the object it is given for its only copy', () => {
  const world = testWorld()
  const disposed: unknown[] = []
  const Sprite = object<string>('Sprite', {
    clone: (value) => `${value} again`,
    dispose: (value) => disposed.push(value),
  })
  const model = world.spawn(Sprite('first'))
  expect(world.get(cloneEntity(world, model), Sprite)).toBe('first again')
  expect(world.get(cloneEntity(world, model, Sprite('second'), omit(Sprite)), Sprite)).toBe('second')
  expect(disposed).toEqual([])
  checkInvariants(world)
})
