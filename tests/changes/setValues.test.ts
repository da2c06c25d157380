// Shows world.set of several components at once, and the values before that onSet tells: in every storage, at once and in loops.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  addMany,
  component,
  digestWorld,
  entity,
  f32,
  f64,
  NULL_ENTITY,
  object,
  onAdd,
  onSet,
  relation,
  setMany,
  tag,
  text,
  u8,
  vec,
  type World,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'
import { STORED } from '../support/storages'

const STORAGES = ['table', 'sparse', 'stable'] as const
const anything = (value: unknown) => value as never

describe.each(STORAGES)('set of several components, in %s storage', (storage) => {
  const Position = component('Position', { x: f32, y: f32.default(4) }, { storage: STORED[storage] })
  const Health = component('Health', { hp: u8.default(5), max: u8.default(9) }, { storage: STORED[storage] })
  const Name = component(
    'Name',
    { value: text, who: entity, at: vec(f32, 2), long: f64, n: u8 },
    { storage: STORED[storage] },
  )
  const Frozen = tag('Frozen')

  it.each(['at once', 'in a loop'])('writes named fields, and adds what is missing: %s', (when) => {
    const world = testWorld()
    const ship = world.spawn(Position({ x: 1, y: 2 }), Frozen)
    const set = () => world.set(ship, Position({ x: 3 }), Health({ hp: 7 }), Name({ value: 'Ann', n: 2 }))
    if (when === 'at once') set()
    else
      world.batch(() => {
        set()
        // What is there is written at once, as by a set of it alone.
        expect(world.get(ship, Position)).toEqual({ x: 3, y: 2 })
        expect(world.has(ship, Health)).toBe(false)
      })
    expect(world.get(ship, Position)).toEqual({ x: 3, y: 2 })
    expect(world.get(ship, Health)).toEqual({ hp: 7, max: 9 })
    expect(world.get(ship, Name)).toMatchObject({ value: 'Ann', who: NULL_ENTITY, n: 2 })
    checkInvariants(world)
    world.set(ship, Health({ max: 3 }))
    expect(world.get(ship, Health)).toEqual({ hp: 7, max: 3 })
    world.batch(() => {
      world.remove(ship, Health)
      world.set(ship, Health({ max: 4 }), Position({ y: 8 }))
    })
    expect(world.get(ship, Health)).toEqual({ hp: 5, max: 4 })
    expect(world.get(ship, Position)).toEqual({ x: 3, y: 8 })
    checkInvariants(world)
  })

  it('takes objects and links, too', () => {
    const disposed: unknown[] = []
    const Sprite = object<string>('Sprite', { dispose: (value) => disposed.push(value) })
    const Likes = relation('Likes', { weight: f32 })
    const world = testWorld()
    const [ann, bob] = [world.spawn(Sprite('old')), world.spawn()]
    world.set(ann, Sprite('new'), Position({ x: 1 }), Likes(bob, { weight: 3 }))
    expect([world.get(ann, Sprite), world.get(ann, Likes(bob))]).toEqual(['new', { weight: 3 }])
    world.batch(() => world.set(ann, Likes(bob, { weight: 4 }), Sprite('newest'), Position({ x: 2 })))
    expect([world.get(ann, Sprite), world.get(ann, Likes(bob))]).toEqual(['newest', { weight: 4 }])
    expect(disposed).toEqual(['old', 'new'])
    checkInvariants(world)
  })

  it('is refused as a whole', () => {
    const Likes = relation('Likes')
    const world = testWorld()
    const [ship, dead] = [world.spawn(Position), world.spawn()]
    world.destroy(dead)
    const before = digestWorld(world)
    for (const [code, call] of [
      ['DEAD_ENTITY', () => world.set(dead, Position({ x: 1 }), Health({ hp: 2 }))],
      ['DEAD_ENTITY', () => world.set(NULL_ENTITY, Position({ x: 1 }))],
      ['DEAD_ENTITY', () => world.set(ship, Position({ x: 1 }), Likes(dead))],
      ['DUPLICATE_COMPONENT', () => world.set(ship, Position({ x: 1 }), Position({ y: 1 }))],
      ['NOT_A_COMPONENT', () => world.set(ship, Position({ x: 1 }), anything(Health))],
      ['NOT_A_COMPONENT', () => world.set(ship, Position({ x: 1 }), Health({ hp: 1 }), anything({ hp: 1 }))],
      ['UNKNOWN_FIELD', () => world.set(ship, Position({ x: 1 }), Health(anything({ z: 1 })))],
      ['NOT_A_COMPONENT', () => world.set(anything('ship'), anything(7))],
    ] as [string, () => void][]) {
      expect(codeOf(call), String(call)).toBe(code)
      expect(
        codeOf(() => world.batch(call)),
        String(call),
      ).toBe(code)
    }
    expect(digestWorld(world)).toBe(before)
    checkInvariants(world)
  })
})

describe.each(STORAGES)('onSet with before, in %s storage', (storage) => {
  const Position = component('Position', { x: f32, y: f32 }, { storage: STORED[storage] })
  const Card = component(
    'Card',
    { name: text, at: vec(f32, 2), n: u8, a: u8, b: u8 },
    { storage: STORED[storage] },
  )

  it('gives the previous values, for every call that sets', () => {
    const world = testWorld()
    const told: unknown[] = []
    const stop = onSet(
      world,
      Position,
      (one, before, same) => {
        expect(same).toBe(world)
        told.push([one, before, world.get(one, Position)?.x])
      },
      { before: true },
    )
    const heard = (call: () => unknown) => {
      told.length = 0
      call()
      checkInvariants(world)
      return [...told]
    }
    let ship = NULL_ENTITY as Entity
    expect(heard(() => (ship = world.spawn(Position({ x: 1 }))))).toEqual([[ship, undefined, 1]])
    expect(heard(() => world.set(ship, Position, { x: 2 }))).toEqual([[ship, { x: 1, y: 0 }, 2]])
    expect(heard(() => world.set(ship, Position({ x: 3, y: 4 })))).toEqual([[ship, { x: 2, y: 0 }, 3]])
    expect(heard(() => world.add(ship, Position({ x: 5 })))).toEqual([[ship, { x: 3, y: 4 }, 5]])
    expect(heard(() => world.setIfDifferent(ship, Position, { x: 5 }))).toEqual([])
    expect(heard(() => world.setIfDifferent(ship, Position, { x: 6 }))).toEqual([[ship, { x: 5, y: 4 }, 6]])
    expect(heard(() => setMany(world, [ship], Position, { x: [7] }))).toEqual([[ship, { x: 6, y: 4 }, 7]])
    expect(heard(() => addMany(world.query(Position), Position({ x: 8 })))).toEqual([
      [ship, { x: 7, y: 4 }, 8],
    ])
    expect(
      heard(() =>
        world.batch(() => {
          world.set(ship, Position, { x: 9 })
          world.set(ship, Position, { x: 10 })
        }),
      ),
    ).toEqual([
      [ship, { x: 8, y: 4 }, 9],
      [ship, { x: 9, y: 4 }, 10],
    ])
    const other = world.spawn()
    expect(heard(() => world.set(other, Position, { x: 1 }))).toEqual([[other, undefined, 1]])
    expect(heard(() => addMany(world.query(Position), Position({ y: 1 })))).toEqual([
      [ship, { x: 10, y: 4 }, 10],
      [other, { x: 1, y: 0 }, 1],
    ])
    // What starts over had nothing before.
    expect(heard(() => world.exchange(ship, [Position], [Position({ x: 2 })]))).toEqual([
      [ship, undefined, 2],
    ])
    stop()
    stop()
    expect(heard(() => world.set(ship, Position, { x: 2 }))).toEqual([])
  })

  it('gives fields of each kind, and leaves other listeners alone', () => {
    const world = testWorld()
    const told: unknown[] = []
    onSet(world, Card, (one, second) => told.push(['plain', one, second]))
    const stop = onSet(world, Card, (_, before) => told.push(before), { before: true })
    const ace = world.spawn(Card({ name: 'ace', at: [1, 2], n: 3 }))
    world.set(ace, Card, { name: 'king', n: 4 })
    expect(told).toEqual([
      ['plain', ace, world],
      undefined,
      ['plain', ace, world],
      { name: 'ace', at: Float32Array.of(1, 2), n: 3, a: 0, b: 0 },
    ])
    told.length = 0
    stop()
    world.set(ace, Card, { a: 1 })
    expect(told).toEqual([['plain', ace, world]])
  })

  it('gives each set that a listener makes its own previous value', () => {
    const world = testWorld()
    const told: unknown[] = []
    const Marked = tag('Marked')
    onSet(world, Position, (_, before) => told.push(before), { before: true })
    const ship = world.spawn(Position({ x: 1 }))
    told.length = 0
    onAdd(world, Marked, (one) => {
      world.set(one, Position, { x: 2 })
      world.set(one, Position, { x: 3 })
    })
    world.add(ship, Marked)
    expect(told).toEqual([
      { x: 1, y: 0 },
      { x: 2, y: 0 },
    ])
    checkInvariants(world)
  })
})

it('onSet with before gives the previous value of an object component', () => {
  const world = testWorld()
  const told: unknown[] = []
  const Sprite = object<string>('Sprite')
  onSet(world, Sprite, (one, before) => told.push([one, before]), { before: true })
  const ship = world.spawn(Sprite('a'))
  world.set(ship, Sprite, 'b')
  world.add(ship, Sprite('c'))
  expect(told).toEqual([
    [ship, undefined],
    [ship, 'a'],
    [ship, 'b'],
  ])
})

it('onSet with before refuses components without values of their own, and unknown options', () => {
  const world: World = testWorld()
  const listener = () => {}
  expect(codeOf(() => onSet(world, anything(tag('Frozen')), listener, { before: true }))).toBe(
    'NOT_A_COMPONENT',
  )
  expect(codeOf(() => onSet(world, anything(relation('Likes')), listener, { before: true }))).toBe(
    'NOT_A_COMPONENT',
  )
  expect(codeOf(() => onSet(world, component('A', { x: f32 }), listener, anything({ after: true })))).toBe(
    'INVALID_OPTION',
  )
})
