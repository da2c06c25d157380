// Shows that a copy of a tree has everything below it, and that links inside the tree lead inside the copy.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  destroyMany,
  digestWorld,
  NULL_ENTITY,
  component,
  descendants,
  entity,
  f32,
  onAdd,
  relation,
  sparse,
  spawnAt,
  cloneTree,
  tag,
  toggle,
  vec,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Marked = tag('Marked')
const Aim = component('Aim', { at: entity, others: vec(entity, 2) })
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const Follows = relation('Follows', { exclusive: true })
const Knows = relation('Knows')

describe('cloneTree', () => {
  it('gives overrides to the copies of the model alone, in a loop as well, and refuses wrong ones', () => {
    const world = watchedWorld()
    const tank = world.spawn(Position({ x: 1 }))
    const gun = world.spawn(Position({ x: 2 }), ChildOf(tank))
    const before = [digestWorld(world), world.stats().entities]
    for (const wrong of [[Position({ x: 1 }), Position], [5]])
      expect(() => cloneTree(world, tank, 2, ...(wrong as never[]))).toThrow(TypeError)
    expect([digestWorld(world), world.stats().entities]).toEqual(before)
    for (const make of [
      () => cloneTree(world, tank, 2, Position({ x: 9 }), Marked),
      () => world.batch(() => cloneTree(world, tank, 2, Position({ x: 9 }), Marked)),
    ]) {
      for (const copy of make()) {
        expect([world.get(copy, Position)?.x, world.has(copy, Marked)]).toEqual([9, true])
        const [below] = world.sources(copy, ChildOf)
        expect([world.get(below as Entity, Position)?.x, world.has(below as Entity, Marked)]).toEqual([
          2,
          false,
        ])
      }
    }
    expect([world.get(tank, Position)?.x, world.get(gun, Position)?.x]).toEqual([1, 2])
    const alone = watchedWorld()
    const [copy] = cloneTree(alone, alone.spawn(Position), 1, Position({ x: 7 }))
    expect(alone.get(copy as Entity, Position)).toEqual({ x: 7 })
  })

  it.each(['without relations', 'with them'])(
    'refuses invalid counts, and more copies than a world can have: %s',
    (relations) => {
      const world = watchedWorld()
      const tank = world.spawn(Position)
      if (relations === 'with them') world.spawn(ChildOf(tank))
      const before = [digestWorld(world), world.stats().entities]
      for (const count of [-1, 0.5, NaN]) {
        const refused = expect.objectContaining({ code: 'INVALID_OPTION' }) as Error
        expect(() => cloneTree(world, tank, count)).toThrow(refused)
        expect(() => cloneTree(world, tank, count)).toThrow('cloneTree: the count')
      }
      const limit = expect.objectContaining({ code: 'ENTITY_LIMIT' }) as Error
      for (const count of [2 ** 24, 2 ** 40]) expect(() => cloneTree(world, tank, count)).toThrow(limit)
      expect([digestWorld(world), world.stats().entities]).toEqual(before)
    },
  )

  it('copies everything below, with links and fields inside the tree leading inside each copy', () => {
    const world = watchedWorld()
    const [garage, enemy] = [world.spawn(), world.spawn()]
    const tank = world.spawn(Position({ x: 1 }), ChildOf(garage))
    const turret = world.spawn(Position({ x: 2 }), ChildOf(tank))
    const gun = world.spawn(Position({ x: 3 }), ChildOf(turret), Aim({ at: enemy, others: [tank, enemy] }))
    const hatch = world.spawn(Position({ x: 4 }), ChildOf(turret), Follows(enemy))
    world.add(turret, Follows(gun), Aim({ at: hatch }))
    const copies = cloneTree(world, tank, 3)
    expect(copies).toHaveLength(3)
    expect(Array.from(world.sources(garage, ChildOf))).toEqual([tank, ...copies])
    for (const copy of copies) {
      const below = Array.from(descendants(world, copy, ChildOf)) as [Entity, Entity, Entity]
      const [turret2, gun2, hatch2] = below
      expect(below.map((e) => world.get(e, Position)?.x)).toEqual([2, 3, 4])
      expect(below.some((e) => [turret, gun, hatch].includes(e))).toBe(false)
      expect(world.get(gun2, Aim)).toEqual({ at: enemy, others: Uint32Array.of(copy, enemy) })
      expect(world.target(turret2, Follows)).toBe(gun2)
      expect(world.get(turret2, Aim)?.at).toBe(hatch2)
      expect(world.target(hatch2, Follows)).toBe(enemy)
    }
    expect(Array.from(descendants(world, tank, ChildOf))).toEqual([turret, gun, hatch])
    world.destroy(copies[1] as Entity)
    expect(world.sourceCount(garage, ChildOf)).toBe(3)
  })

  it('leaves links and fields given by the call as they are, even if they lead inside the model', () => {
    for (const waits of [false, true]) {
      const world = watchedWorld()
      const tank = world.spawn(Position, ChildOf(world.spawn()))
      const turret = world.spawn(ChildOf(tank))
      world.add(tank, Knows(turret), Follows(turret))
      let copies: readonly Entity[] = []
      const copy = () => {
        copies = [
          ...cloneTree(world, tank, 2, ChildOf(tank), Knows(tank), Follows(turret), Aim({ at: tank })),
        ]
      }
      if (waits) world.batch(copy)
      else copy()
      expect([...world.sources(tank, ChildOf)]).toEqual([turret, ...copies])
      for (const copy of copies) {
        const [turret2] = descendants(world, copy, ChildOf)
        expect(world.target(copy, ChildOf)).toBe(tank)
        expect([...world.targets(copy, Knows)].sort()).toEqual([tank, turret2].sort())
        expect(world.target(copy, Follows)).toBe(turret)
        expect(world.get(copy, Aim)?.at).toBe(tank)
      }
    }
  })

  it('copies a single entity with nothing below it, even in a world without relations', () => {
    const world = watchedWorld()
    const e = world.spawn(Position({ x: 5 }))
    expect(cloneTree(world, e, 0)).toHaveLength(0)
    const [copy] = cloneTree(world, e, 1)
    expect(world.get(copy as Entity, Position)).toEqual({ x: 5 })
    world.spawn(ChildOf(e))
    expect(cloneTree(world, e, 0)).toHaveLength(0)
  })

  it('waits for the end of a loop, with handles that are alive at once', () => {
    const world = watchedWorld()
    const garage = world.spawn()
    const tank = world.spawn(Position({ x: 1 }), ChildOf(garage))
    const turret = world.spawn(ChildOf(tank))
    const gun = world.spawn(ChildOf(turret), Aim({ at: tank, others: [turret, garage] }))
    let copies: Entity[] = []
    let lost: Entity[] = []
    let late: Entity = NULL_ENTITY
    world.query(Position).each((entity) => {
      copies = [...cloneTree(world, entity, 2)] as Entity[]
      expect(copies.map((copy) => world.isAlive(copy))).toEqual([true, true])
      expect(world.sourceCount(copies[0] as Entity, ChildOf)).toBe(0)
      // What is queued before the end comes before or after the copies, as it was called.
      late = world.spawn(ChildOf(tank))
      world.add(copies[1] as Entity, Position({ x: 7 }))
    })
    expect([...world.sources(garage, ChildOf)]).toEqual([tank, ...copies])
    for (const copy of copies) {
      const [turret2, gun2, ...more] = descendants(world, copy, ChildOf) as Iterable<Entity> as Entity[]
      expect(more).toEqual([])
      expect(world.get(gun2 as Entity, Aim)).toEqual({
        at: copy,
        others: Uint32Array.of(turret2 as Entity, garage),
      })
    }
    expect(copies.map((copy) => world.get(copy, Position)?.x)).toEqual([1, 7])
    expect([...world.sources(tank, ChildOf)]).toEqual([turret, late])
    world.batch(() => {
      world.destroy(tank)
      lost = [...cloneTree(world, tank, 2)] as Entity[]
    })
    expect(lost.map((copy) => world.isAlive(copy))).toEqual([false, false])
    expect([world.isAlive(gun), world.sourceCount(garage, ChildOf)]).toEqual([false, 2])
  })

  it.each([false, true])(
    'is complete before any change that its listeners make, in a block %s',
    (isQueued) => {
      const acts: [string, (world: World, child: Entity, root: Entity, copy: Entity) => unknown, number[]][] =
        [
          ['nothing', () => {}, [2, 2]],
          ['the death of what is below', (world, child) => world.destroy(child), [1, 2]],
          ['the death of the model', (world, _, root) => world.destroy(root), [0, 2]],
          ['the death of the copy', (world, _child, _root, copy) => world.destroy(copy), [2, 0]],
          ['a tag for what is below', (world, child) => world.add(child, Marked), [2, 2]],
        ]
      for (const [name, act, [models, copies]] of acts) {
        const world = watchedWorld()
        const root = world.spawn(Position({ x: 1 }))
        const child = world.spawn(Position({ x: 2 }), ChildOf(root))
        let heard = 0
        onAdd(world, Position, (one) => {
          if (heard++ === 0) act(world, child, root, one)
        })
        const make = () => cloneTree(world, root, 1)
        const [copy] = (isQueued ? world.batch(make) : make()) as unknown as [Entity]
        const sizeOf = (one: Entity) => (world.isAlive(one) ? 1 + world.sourceCount(one, ChildOf) : 0)
        expect([name, sizeOf(root), sizeOf(copy)]).toEqual([name, models, copies])
        expect(world.stats().entities).toBe(Number(models) + Number(copies))
        if (world.isAlive(copy))
          expect(world.sources(copy, ChildOf).some((one) => world.has(one, Marked))).toBe(false)
        checkInvariants(world)
      }
    },
  )

  it('leaves a whole world and no copies in a block without room for all of them', () => {
    const small = testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const model = small.spawn(Position)
    for (let i = 0; i < 50; i++) small.spawn(Position, ChildOf(model))
    let copies: Entity[] = []
    expect(() => small.batch(() => (copies = [...cloneTree(small, model, 2000)] as Entity[]))).toThrow(
      /memory/,
    )
    checkInvariants(small)
    expect(copies.some((copy) => small.isAlive(copy))).toBe(false)
    expect([small.stats().entities, small.sourceCount(model, ChildOf)]).toEqual([51, 50])
    small.dispose()
  })

  it('refuses a stale model and a wrong count, and leaves nothing behind where memory ends', () => {
    const world = watchedWorld()
    const root = world.spawn(Position)
    for (let i = 0; i < 100; i++) world.spawn(Position, ChildOf(root))
    expect(() => cloneTree(world, NULL_ENTITY, 1)).toThrow(/not alive/)
    expect(() => cloneTree(world, root, -1)).toThrow(/whole number/)
    expect(() => world.batch(() => cloneTree(world, root, -1))).toThrow(/whole number/)
    const small = testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const model = small.spawn(Position)
    for (let i = 0; i < 50; i++) small.spawn(Position, ChildOf(model))
    const before = digestWorld(small)
    expect(() => cloneTree(small, model, 2000)).toThrow(/memory/)
    checkInvariants(small)
    expect(small.stats().entities).toBe(51)
    expect(small.sourceCount(model, ChildOf)).toBe(50)
    destroyMany(small, [])
    expect(digestWorld(small)).toBe(before)
  })
})

it('cloneTree copies an entity linked to the model in two ways once, with both links inside the copy', () => {
  const Needs = relation('Needs', { n: f32 }, { onTargetDestroy: 'destroy' })
  const world = watchedWorld()
  const outside = world.spawn()
  const root = world.spawn(Position({ x: 0 }))
  const arm = world.spawn(Position({ x: 1 }), ChildOf(root), Needs(root, { n: 1 }))
  const hand = world.spawn(
    Position({ x: 2 }),
    Aim({ at: arm, others: [root, outside] }),
    ChildOf(arm),
    Needs(root, { n: 2 }),
  )
  world.add(hand, Needs(arm, { n: 3 }))
  const before = world.stats().entities
  const copies = cloneTree(world, root, 2)
  expect(world.stats().entities).toBe(before + 6)
  for (const copy of copies) {
    const [arm2] = world.sources(copy, ChildOf) as unknown as [Entity]
    const [hand2] = world.sources(arm2, ChildOf) as unknown as [Entity]
    expect(Array.from(world.sources(copy, Needs))).toEqual([arm2, hand2])
    expect([world.get(hand2, Needs(copy)), world.get(hand2, Needs(arm2))]).toEqual([{ n: 2 }, { n: 3 }])
    const aim = world.get(hand2, Aim)
    expect([aim?.at, Array.from(aim?.others ?? [])]).toEqual([arm2, [copy, outside]])
  }
  world.destroy(copies[0] as Entity)
  expect([world.stats().entities, world.sourceCount(root, Needs)]).toEqual([before + 3, 2])
})

describe('a tree that was destroyed', () => {
  const Switch = component('Switch', { on: f32 }, { storage: sparse, toggle })
  const Wire = relation('Wire', { volts: f32 })

  /** What the calls of the guide tell of a tree, to make it anew. */
  function keep(world: World, root: Entity) {
    const family = [root, ...descendants(world, root, ChildOf)]
    const inside = new Set(family)
    return family.map((one) => ({
      one,
      ingredients: ([Position, Switch, Aim] as (typeof Position)[])
        .filter((C) => world.has(one, C))
        .map((C) => C(world.get(one, C) as { x: number })),
      isOff: world.has(one, Switch) && !world.isEnabled(one, Switch),
      parent: world.target(one, ChildOf) as Entity,
      children: [...world.sources(one, ChildOf)],
      out: [...world.targets(one, Wire)].map((to) => [to, world.get(one, Wire(to))] as const),
      into: [...world.sources(one, Wire)]
        .filter((from) => !inside.has(from))
        .map((from) => [from, world.get(from, Wire(one))] as const),
    }))
  }

  function bringBack(world: World, kept: ReturnType<typeof keep>): void {
    for (const { one, ingredients, isOff } of kept) {
      spawnAt(world, one, ...ingredients)
      if (isOff) world.disable(one, Switch)
    }
    for (const { one, parent, out, into } of kept) {
      world.add(one, ChildOf(parent))
      for (const [to, value] of out) world.add(one, Wire(to, value))
      for (const [from, value] of into) world.add(from, Wire(one, value))
    }
    for (const { children } of kept)
      for (let i = children.length - 2; i >= 0; i--)
        world.reorder(children[i] as Entity, ChildOf, { before: children[i + 1] as Entity })
  }

  it('comes back under its handles, again and again: links, their order, references and switches are as before', () => {
    const world = watchedWorld()
    const scene = world.spawn()
    const house = world.spawn(Position({ x: 1 }), ChildOf(scene))
    const [door, room, attic] = [2, 3, 4].map((x) => world.spawn(Position({ x }), ChildOf(house))) as [
      Entity,
      Entity,
      Entity,
    ]
    const desk = world.spawn(Position({ x: 5 }), Switch({ on: 7 }), ChildOf(room))
    world.disable(desk, Switch)
    world.reorder(attic, ChildOf, { before: door })
    const watcher = world.spawn(Aim({ at: desk, others: [house, scene] }))
    world.add(attic, Aim({ at: watcher, others: [desk, NULL_ENTITY] }))
    world.add(door, Wire(desk, { volts: 1 }))
    world.add(door, Wire(watcher, { volts: 2 }))
    world.add(watcher, Wire(desk, { volts: 3 }))
    const kept = keep(world, house)
    const aims = () => [watcher, attic].map((one) => world.get(one, Aim))
    const before = aims()
    for (let round = 0; round < 3; round++) {
      world.destroy(house)
      expect(kept.some(({ one }) => world.isAlive(one))).toBe(false)
      expect([...world.targets(watcher, Wire)]).toEqual([])
      bringBack(world, kept)
      expect(keep(world, house)).toEqual(kept)
      expect(aims()).toEqual(before)
      expect([...world.sources(house, ChildOf)]).toEqual([attic, door, room])
    }
  })
})
