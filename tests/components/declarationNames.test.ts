// Shows that a name stands for one declaration in a world.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  component,
  createAccessor,
  createCommands,
  f32,
  object,
  onAdd,
  resetWorld,
  resource,
  sparse,
  spawnMany,
  StrataTypeError,
  tag,
  type Entity,
  type World,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
/** What a module that is evaluated again declares: the same, and yet another. */
const PositionAgain = component('Position', { x: f32 })

const Other = tag('Other')

const OTHERS = {
  'a component': PositionAgain,
  'a sparse component': component('Position', { x: f32 }, { storage: sparse }),
  'a tag': tag('Position'),
  'an ordered tag': tag('Position', { order: 'insertion' }),
  'an object component': object<number>('Position'),
} as const

const named = expect.objectContaining({
  code: 'DUPLICATE_NAME',
  message: expect.stringMatching(/another component named 'Position': rename.*hot reload/),
})

type Use = (world: World, entity: Entity, other: typeof PositionAgain) => unknown

const USES: Record<string, Use> = {
  spawn: (world, _, other) => world.spawn(other),
  spawnMany: (world, _, other) => spawnMany(world, 3, [other]),
  'spawn in a block': (world, _, other) => world.batch(() => world.spawn(other)),
  add: (world, entity, other) => world.add(entity, other),
  'add in a block': (world, entity, other) => world.batch(() => world.add(entity, other)),
  remove: (world, entity, other) => world.remove(entity, other),
  exchange: (world, entity, other) => world.exchange(entity, [], [other]),
  has: (world, entity, other) => world.has(entity, other),
  get: (world, entity, other) => world.get(entity, other),
  set: (world, entity, other) => world.set(entity, other, {}),
  setIfDifferent: (world, entity, other) => world.setIfDifferent(entity, other, {}),
  accessor: (world, _, other) => createAccessor(world, other),
  query: (world, _, other) => world.query(other),
  'query beside others': (world, _, other) => world.query(Other, other),
  addMany: (world, _, other) => addMany(world.query(Position), other),
  onAdd: (world, _, other) => onAdd(world, other, () => {}),
  commands: (world, entity, other) => createCommands(world).add(entity, other),
  isEnabled: (world, entity, other) => world.isEnabled(entity, other),
}

describe('the second declaration of a name in a world', () => {
  it.each(Object.entries(USES))('is refused at its first use, by %s, and changes nothing', (_, use) => {
    const world = watchedWorld()
    const entity = world.spawn(Position({ x: 1 }))
    const before = world.stats()
    expect(() => use(world, entity, PositionAgain)).toThrow(named)
    expect(() => use(world, entity, PositionAgain)).toThrow(StrataTypeError)
    expect(world.stats()).toEqual(before)
    expect(world.get(entity, Position)).toEqual({ x: 1 })
    use(world, entity, Position)
  })

  it.each(Object.entries(OTHERS))('is refused when it is %s', (_, other) => {
    const world = watchedWorld()
    world.spawn(Position)
    expect(() => world.query(other)).toThrow(named)
    expect(() => world.has(world.spawn(), other)).toThrow(named)
  })

  it('is refused even if the first was only queried so far', () => {
    for (const use of [USES.has, USES.get, USES.query, USES.accessor, USES.onAdd, USES.isEnabled]) {
      const world = watchedWorld()
      const entity = world.spawn()
      use(world, entity, Position)
      expect(() => world.spawn(PositionAgain)).toThrow(named)
      expect(world.stats().entities).toBe(1)
    }
  })

  it('can be the first one of another world', () => {
    watchedWorld().spawn(Position)
    const world = watchedWorld()
    expect(world.get(world.spawn(PositionAgain({ x: 5 })), PositionAgain)).toEqual({ x: 5 })
  })

  it('may replace the first after a reset, and the first is refused then', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    world.spawn(Position)
    resetWorld(world)
    world.spawn(PositionAgain)
    expect(world.query(PositionAgain).count).toBe(1)
    expect(() => world.spawn(Position)).toThrow(named)
    expect(() => query.count).toThrow(named)
  })
})

describe('the name of a resource', () => {
  const Time = resource('Time', { dt: f32 })
  const TimeAgain = resource('Time', { dt: f32 })
  const TimeValue = resource<number>('Time')
  const taken = expect.objectContaining({
    code: 'DUPLICATE_NAME',
    message: expect.stringContaining("another resource named 'Time'"),
  })

  it('belongs to one resource in a world', () => {
    const world = watchedWorld()
    world.resource(Time).dt = 2
    expect(() => world.resource(TimeAgain)).toThrow(taken)
    expect(() => world.setResource(TimeAgain, { dt: 1 })).toThrow(taken)
    expect(() => world.setResource(TimeValue, 1)).toThrow(taken)
    expect(() => world.hasResource(TimeValue)).toThrow(taken)
    expect(world.getResource(Time)).toEqual({ dt: 2 })
    expect(watchedWorld().hasResource(TimeAgain)).toBe(false)
  })

  it('may be used by another one after a reset', () => {
    const world = watchedWorld()
    world.resource(Time).dt = 2
    resetWorld(world)
    world.setResource(TimeValue, 7)
    expect(world.getResource(TimeValue)).toBe(7)
    expect(() => world.resource(Time)).toThrow(taken)
  })

  it('does not collide with that of a component', () => {
    const world = watchedWorld()
    const TimeTag = tag('Time')
    world.resource(Time).dt = 2
    expect(world.has(world.spawn(TimeTag), TimeTag)).toBe(true)
    expect(world.resource(Time).dt).toBe(2)
  })
})
