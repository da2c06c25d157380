// Shows that what is not a number is refused where an entity is expected, and that any number is accepted.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  cloneEntity,
  createAccessor,
  createCommands,
  destroyMany,
  digestWorld,
  queueDestroy,
  cloneMany,
  StrataTypeError,
  component,
  f32,
  relation,
  tag,
  toggle,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Switch = tag('Switch', { toggle })
const Likes = relation('Likes', { weight: f32 })

function stage() {
  const world = watchedWorld()
  const ship = world.spawn(Position({ x: 1 }), Switch)
  world.spawn(Likes(ship))
  const [chunk] = world.query(Position)
  return { world, ship, chunk }
}

const { chunk: CHUNK } = stage()
const OTHERS: [string, unknown][] = [
  ['a chunk', CHUNK],
  ['an object', {}],
  ['a list', [1]],
  ['a string', '1'],
  ['a component', Position],
  ['a boolean', true],
  ['a function', () => 1],
  ['a bigint', 1n],
  ['a symbol', Symbol('entity')],
  ['null', null],
  ['nothing', undefined],
]

describe.each([
  ['destroy', (world, entity) => world.destroy(entity)],
  ['isAlive', (world, entity) => world.isAlive(entity)],
  ['queueDestroy', (world, entity) => queueDestroy(world, entity)],
  ['has', (world, entity) => world.has(entity, Position)],
  ['has', (world, entity) => world.has(entity, Likes(1))],
  ['get', (world, entity) => world.get(entity, Position)],
  ['get', (world, entity) => world.get(entity, Switch as never)],
  ['get', (world, entity) => world.get(entity, Likes(1))],
  ['remove', (world, entity) => world.remove(entity, Position)],
  ['remove', (world, entity) => world.remove(entity, Position, Switch)],
  ['remove', (world, entity) => world.remove(entity, Likes(1))],
  ['enable', (world, entity) => world.enable(entity, Switch)],
  ['disable', (world, entity) => world.disable(entity, Switch)],
  ['isEnabled', (world, entity) => world.isEnabled(entity, Switch)],
  ['add', (world, entity) => world.add(entity, Switch)],
  ['set', (world, entity) => world.set(entity, Position, { x: 5 })],
  ['set', (world, entity) => world.setIfDifferent(entity, Position, { x: 5 })],
  ['exchange', (world, entity) => world.exchange(entity, [Switch], [])],
  ['cloneEntity', (world, entity) => cloneEntity(world, entity)],
  ['cloneMany', (world, entity) => cloneMany(world, entity, 1)],
  ['accessor(Position).of', (world, entity) => createAccessor(world, Position).of(entity)],
  ['commands.destroy', (world, entity) => createCommands(world).destroy(entity)],
  ['commands.remove', (world, entity) => createCommands(world).remove(entity, Position)],
  ['destroyMany', (world, entity) => destroyMany(world, [entity])],
  ['addMany', (world, entity) => addMany(world, [entity], Switch)],
] satisfies [string, (world: ReturnType<typeof watchedWorld>, entity: never) => unknown][])(
  '%s',
  (name, call) => {
    it.each(OTHERS)('refuses %s, and nothing changes, in a loop and outside', (_, other) => {
      const { world } = stage()
      const before = [digestWorld(world), world.stats()]
      for (const refused of [
        () => call(world, other as never),
        () => world.batch(() => call(world, other as never)),
      ]) {
        expect(refused).toThrow(StrataTypeError)
        expect(refused).toThrow(expect.objectContaining({ code: 'NOT_AN_ENTITY' }))
        expect(refused).toThrow(`${name} takes an entity, not `)
      }
      expect([digestWorld(world), world.stats()]).toEqual(before)
    })

    it.each([0, -1, 1.5, NaN, Infinity, 2 ** 32, 0xffffffff, 77])(
      'treats %s as an entity that is not alive',
      (bits) => {
        const { world } = stage()
        const before = digestWorld(world)
        try {
          expect([false, undefined, 0]).toContain(call(world, bits as never))
        } catch (error) {
          expect(error).toMatchObject({ code: 'DEAD_ENTITY' })
        }
        expect(digestWorld(world)).toBe(before)
      },
    )
  },
)

it('The loop of other libraries over a query, which visits chunks here, gets an error that says what to write', () => {
  const { world } = stage()
  expect(() => {
    for (const entity of world.query(Position)) world.destroy(entity as never)
  }).toThrow('a loop over a query visits chunks, and their entities are chunk.entities[i].')
  expect(() => destroyMany(world, [...world.query(Position)] as never)).toThrow(/visits chunks/)
})
