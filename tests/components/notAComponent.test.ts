// Shows the errors for something that is not a component where one is expected: each names what was given and says what to write.

import { describe, expect, it } from 'vitest'
import {
  component,
  createGroup,
  createAccessor,
  createCommands,
  f32,
  object,
  relation,
  removeMany,
  resource,
  spawnMany,
  tag,
  u8,
} from '../../bindings/index'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Health = component('Health', { hp: u8 })
const Frozen = tag('Frozen')
const Sprite = object<object>('Sprite')
const Time = resource('Time', { dt: f32 })
const Recalls = relation('Recalls', { since: f32 })

const stage = () => {
  // Wrong arguments are compile errors: here they are given all the same.
  const world: any = testWorld()
  const ship = world.spawn(Position, Health)
  return { world, ship, query: world.query(Position), commands: createCommands(world) as any }
}
type Stage = ReturnType<typeof stage>

describe('a call given something other than a component', () => {
  const given = Position({ x: 1 })

  it.each<[string, (stage: Stage) => unknown, string]>([
    [
      'setIfDifferent of a component with values',
      ({ world, ship }) => world.setIfDifferent(ship, given),
      'write setIfDifferent(entity, Position, { … }), not',
    ],
    [
      'commands.set of a component with values',
      ({ commands, ship }) => commands.set(ship, given),
      'write commands.set(entity, Position, { … }), not',
    ],
    [
      'set of the values of another component with values',
      ({ world, ship }) => world.set(ship, Position, given),
      'Position takes an object of values by field name, not Position({ … }).',
    ],
    [
      'set of a tag',
      ({ world, ship }) => world.set(ship, Frozen, true),
      'Frozen is a tag and takes no values, so not true either: give it with world.add(entity, Frozen).',
    ],
    [
      'remove of a component with values',
      ({ world, ship }) => world.remove(ship, given),
      'remove takes components without values: write Position, not Position({ … }).',
    ],
    [
      'removeMany of one',
      ({ query }) => removeMany(query, given as never),
      'removeMany takes components without',
    ],
    [
      'commands.remove of one',
      ({ commands, ship }) => commands.remove(ship, given),
      'commands.remove takes components without values',
    ],
    [
      'exchange that removes one',
      ({ world, ship }) => world.exchange(ship, [given], [Frozen]),
      'exchange: the first list takes components without values: write Position,',
    ],
    [
      'commands.exchange that removes one',
      ({ commands, ship }) => commands.exchange(ship, [given], [Frozen]),
      'commands.exchange: the first list takes components without values: write Position,',
    ],
    ['get of one', ({ world, ship }) => world.get(ship, given), 'write Position, not Position({ … }).'],
    ['has of one', ({ world, ship }) => world.has(ship, given), 'write Position, not Position({ … }).'],
    ['where of one', ({ query }) => query.where(given, 'x', '>', 1), 'write Position, not Position({ … }).'],
    [
      'get with its arguments swapped',
      ({ world, ship }) => world.get(Position, ship),
      'get takes the entity first, get(entity, Position); in place of a component it got',
    ],
    [
      'add with its arguments swapped',
      ({ world, ship }) => world.add(Position, ship),
      'add takes the entity first, add(entity, Position); in place of a component it got',
    ],
    [
      'has with its arguments swapped',
      ({ world, ship }) => world.has(Position, ship),
      'has takes an entity, not the component Position: ',
    ],
    [
      'spawn of a list',
      ({ world }) => world.spawn([Position, Health]),
      'spawn takes components one by one, not a list: spread it, spawn(...list).',
    ],
    [
      'createGroup of a list',
      ({ world }) => createGroup(world, [Position, Frozen] as never, Position as never),
      'createGroup takes components one by one, not a list: spread it, createGroup(...list).',
    ],
    [
      'add of a list',
      ({ world, ship }) => world.add(ship, [Frozen]),
      'add takes components one by one, not a list: spread it, add(entity, ...list).',
    ],
    [
      'spawnMany of no list',
      ({ world }) => spawnMany(world, 2, Position as never),
      'spawnMany takes an array of components, not the component Position.',
    ],
    [
      'spawnMany of nothing',
      ({ world }) => (spawnMany as (...given: unknown[]) => void)(world, 2),
      'spawnMany takes an array of components, not undefined.',
    ],
    [
      'exchange of no lists',
      ({ world, ship }) => world.exchange(ship, Frozen, []),
      'exchange takes an array of components to remove, not the tag Frozen.',
    ],
    ['spawn of a resource', ({ world }) => world.spawn(Time), '; got the resource Time.'],
    ['resource of a component', ({ world }) => world.resource(Position), 'got the component Position.'],
    ['a field given a component', () => Position({ x: Sprite as never }), 'not the object component Sprite.'],
    [
      'the accessor of a tag',
      ({ world }) => createAccessor(world, Frozen as never),
      'createAccessor takes a component with fields, and the tag Frozen has none: ask world.has(entity, Frozen).',
    ],
    [
      'the accessor of a relation',
      ({ world }) => createAccessor(world, Recalls as never),
      'and the relation Recalls is none: use world.get(entity, Recalls(target)).',
    ],
    [
      'the accessor of an object component',
      ({ world }) => createAccessor(world, Sprite as never),
      'and the object component Sprite holds a JavaScript value: use world.get(entity, Sprite).',
    ],
    [
      'the accessor of one with values',
      ({ world }) => createAccessor(world, given as never),
      'write Position, not Position(',
    ],
  ])('says what to write instead: %s', (_, call, sentence) => {
    const stagedIn = stage()
    expect(() => call(stagedIn)).toThrow(sentence)
  })

  it('touches a proxy in no way that could prevent the sentence', () => {
    const hostile = new Proxy(() => {}, {
      get: () => {
        throw new Error('hands off')
      },
    })
    expect(() => spawnMany(stage().world, hostile as never, [Position])).toThrow('not a function.')
  })
})
