// Shows that a prepared spawn makes, tells and refuses what spawn with the same values does: in a twin world whose every byte is
// compared.

import { describe, expect, it } from 'vitest'
import {
  bool,
  changed,
  component,
  createSpawner,
  destroyMany,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  object,
  onAdd,
  onEnter,
  relation,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  tag,
  text,
  trimWorld,
  u16,
  u32,
  u8,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { bytesOf, expectSameBytes } from '../support/bytes'
import { codeOf } from '../support/caught'
import { checkInvariants } from '../support/invariants'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Turn = component('Turn', { a: f32, b: f32, c: f32, d: f32, e: f32 })
const Health = component('Health', { hp: u8, max: u16 })
const Frozen = tag('Frozen')
const Sprite = object<string>('Sprite')
const ChildOf = relation('ChildOf', { exclusive: true })
const Likes = relation('Likes', { weight: f32, since: u32 })

/** Does the same in two worlds, with a spawner in one and with spawn in the other, and compares all of memory. */
function expectTwins(prepared: (world: World) => unknown, plain: (world: World) => unknown): void {
  const [a, b] = [testWorld(), testWorld()]
  expect(prepared(a)).toEqual(plain(b))
  checkInvariants(a)
  expectSameBytes(bytesOf(a), bytesOf(b))
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

describe('a spawner', () => {
  it.each(ROW_COUNTS)('makes %i entities equal to those of spawn', (count) => {
    expectTwins(
      (world) => {
        const ship = createSpawner(world, [Position, 'x', 'y'], [Velocity, 'y'], Frozen)
        return times(count, (i) => ship(i, -i, i / 3))
      },
      (world) => times(count, (i) => world.spawn(Position({ x: i, y: -i }), Velocity({ y: i / 3 }), Frozen)),
    )
  })

  it('takes one to eight floats, and more', () => {
    const give = [
      (world: World) => createSpawner(world, [Turn, 'c']),
      (world: World) => createSpawner(world, [Turn, 'c', 'a']),
      (world: World) => createSpawner(world, [Turn, 'c', 'a', 'e']),
      (world: World) => createSpawner(world, [Turn, 'c', 'a', 'e', 'b']),
      (world: World) => createSpawner(world, [Turn, 'c', 'a', 'e', 'b', 'd']),
      (world: World) => createSpawner(world, [Turn, 'c', 'a', 'e', 'b', 'd'], [Position, 'y']),
      (world: World) => createSpawner(world, [Turn, 'c', 'a', 'e', 'b', 'd'], [Position, 'y', 'x']),
      (world: World) =>
        createSpawner(world, [Turn, 'c', 'a', 'e', 'b', 'd'], [Position, 'y', 'x'], [Velocity, 'y']),
      (world: World) =>
        createSpawner(world, [Turn, 'c', 'a', 'e', 'b', 'd'], [Position, 'y', 'x'], [Velocity, 'y', 'x']),
    ] as ((world: World) => (...values: number[]) => Entity)[]
    give.forEach((make, k) => {
      const value = (n: number, i: number) => (k >= n ? i * 16 + n : undefined) as number
      expectTwins(
        (world) => {
          const spawn = make(world)
          return times(70, (i) => spawn(...times(k + 1, (n) => i * 16 + n)))
        },
        (world) =>
          times(70, (i) => {
            const turn = Turn({
              c: value(0, i),
              a: value(1, i),
              e: value(2, i),
              b: value(3, i),
              d: value(4, i),
            })
            if (k < 5) return world.spawn(turn)
            const position = Position({ y: value(5, i), x: value(6, i) })
            if (k < 7) return world.spawn(turn, position)
            return world.spawn(turn, position, Velocity({ y: value(7, i), x: value(8, i) }))
          }),
      )
    })
  })

  it('without fields is a spawn, and components with values give them to all', () => {
    expectTwins(
      (world) => {
        const rock = createSpawner(world, Position({ x: 3 }), Frozen, Health)
        return times(3, () => rock())
      },
      (world) => times(3, () => world.spawn(Position({ x: 3 }), Frozen, Health)),
    )
    expectTwins(
      (world) => times(3, createSpawner(world, Position({ x: 3 }), [Health, 'hp'])),
      (world) => times(3, (i) => world.spawn(Position({ x: 3 }), Health({ hp: i }))),
    )
    expectTwins(
      (world) => times(3, createSpawner(world, [Velocity, 'x'], Health({ max: 9 }))),
      (world) => times(3, (i) => world.spawn(Velocity({ x: i }), Health({ max: 9 }))),
    )
    expectTwins(
      (world) => createSpawner(world)(),
      (world) => world.spawn(),
    )
  })

  describe.each(STORAGES)('of a %s component', (storage) => {
    const All = component(
      'All',
      { a: i8, b: u8, c: i16, d: u16, e: i32, f: u32, g: f32, h: f64, on: bool, who: entity },
      { storage: STORED[storage] },
    )
    const Long = component('Long', { name: text, at: vec(f32, 3), n: u8 }, { storage: STORED[storage] })
    const Tracked = component('Tracked', { n: f32, m: u8 }, { storage: STORED[storage], trackChanges: 'row' })

    it('stores every kind of field', () => {
      expectTwins(
        (world) => {
          const spawn = createSpawner(
            world,
            [All, 'who', 'on', 'h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'],
            Frozen,
          )
          return times(70, (i) =>
            spawn(
              (i + 1) as Entity,
              i % 2 === 1,
              i / 7,
              i / 3,
              2 ** 32 - 1 - i,
              -i * 1000,
              i * 100,
              -i * 100,
              i,
              -i,
            ),
          )
        },
        (world) =>
          times(70, (i) =>
            world.spawn(
              All({
                a: -i, b: i, c: -i * 100, d: i * 100, e: -i * 1000, f: 2 ** 32 - 1 - i, g: i / 3, h: i / 7, on: i % 2 === 1, who: (i + 1) as Entity,
              }), // prettier-ignore
              Frozen,
            ),
          ),
      )
    })

    it('takes texts and vecs', () => {
      expectTwins(
        (world) => times(9, (i) => createSpawner(world, [Long, 'at', 'name'])([i, 2, 3], `ship ${i}`)),
        (world) => times(9, (i) => world.spawn(Long({ at: [i, 2, 3], name: `ship ${i}` }))),
      )
    })

    it('marks rows where they are tracked', () => {
      const world = testWorld()
      const query = world.query(changed(Tracked))
      const spawn = createSpawner(world, [Tracked, 'n', 'm'])
      const [first] = [spawn(1, 2)]
      expect([...query.entities()]).toEqual([first])
      const second = spawn(3, 4)
      expect([...query.entities()]).toEqual([second])
      expect(world.get(second, Tracked)).toEqual({ n: 3, m: 4 })
    })
  })

  it('gives values to objects, and targets and values to links', () => {
    expectTwins(
      (world) => {
        const base = world.spawn()
        const spawn = createSpawner(
          world,
          [Sprite, 'value'],
          [ChildOf, 'target'],
          [Likes, 'target', 'since'],
          [Position, 'y'],
        )
        return times(3, (i) => {
          const made = spawn(`picture ${i}`, base, base, i, i)
          return [world.get(made, Sprite), world.target(made, ChildOf), world.get(made, Likes(base))]
        })
      },
      (world) => {
        const base = world.spawn()
        return times(3, (i) => {
          const made = world.spawn(
            Sprite(`picture ${i}`),
            ChildOf(base),
            Likes(base, { since: i }),
            Position({ y: i }),
          )
          return [world.get(made, Sprite), world.target(made, ChildOf), world.get(made, Likes(base))]
        })
      },
    )
  })

  it('waits inside a loop as spawn does', () => {
    const run = (world: World, spawn: (i: number) => Entity) => {
      const made: Entity[] = []
      spawnMany(world, 5, [Position])
      world.query(Position).each((_, position) => {
        position.x = 1
        made.push(spawn(made.length))
        expect(world.has(made.at(-1) as Entity, Position)).toBe(false)
      })
      world.batch(() => made.push(spawn(7)))
      return made.map((handle) => [handle, world.get(handle, Position)])
    }
    expectTwins(
      (world) => {
        const spawn = createSpawner(world, [Position, 'x', 'y'])
        return run(world, (i) => spawn(i, i + 1))
      },
      (world) => run(world, (i) => world.spawn(Position({ x: i, y: i + 1 }))),
    )
  })

  it('runs listeners, which see the values', () => {
    const run = (world: World, spawn: (i: number) => Entity) => {
      const heard: unknown[] = []
      spawn(0)
      onAdd(world, Position, (handle) => heard.push([handle, world.get(handle, Position)]))
      onEnter(world.query(Frozen), (handle) => heard.push(handle))
      return [times(3, (i) => spawn(i + 1)), heard]
    }
    expectTwins(
      (world) => {
        const spawn = createSpawner(world, [Position, 'x'], Frozen)
        return run(world, (i) => spawn(i))
      },
      (world) => run(world, (i) => world.spawn(Position({ x: i }), Frozen)),
    )
  })

  it('goes on after a reset, a restore and a trim', () => {
    const run = (world: World, spawn: (i: number) => Entity) => {
      const before = snapshotWorld(world)
      const [first] = times(3, spawn)
      restoreWorld(world, before)
      expect(world.isAlive(first as Entity)).toBe(false)
      const second = times(3, spawn)
      destroyMany(world.query())
      trimWorld(world)
      world.spawn(Health, Turn)
      const third = times(3, spawn)
      resetWorld(world)
      world.spawn(Turn, Velocity)
      return [second, third, times(200, spawn).map((handle) => world.get(handle, Position))]
    }
    expectTwins(
      (world) => {
        const spawn = createSpawner(world, [Position, 'x', 'y'], [Velocity, 'x'])
        return run(world, (i) => spawn(i, -i, i))
      },
      (world) => run(world, (i) => world.spawn(Position({ x: i, y: -i }), Velocity({ x: i }))),
    )
  })

  it('refuses what spawn refuses, and changes nothing', () => {
    const world = testWorld()
    const ship = createSpawner(world, [Position, 'x', 'y'])
    const tank = createSpawner(world, [Health, 'hp'])
    ship(1, 2)
    tank(3)
    const before = bytesOf(world)
    for (const value of ['1', null, {}, true, 1n, Symbol('x')]) {
      expect(codeOf(() => ship(1, value as never))).toBe('INVALID_VALUE')
      expect(codeOf(() => tank(value as never))).toBe('INVALID_VALUE')
    }
    expect(codeOf(() => tank(256))).toBe(codeOf(() => Health({ hp: 256 })))
    expect(codeOf(() => tank(0.5))).toBe(codeOf(() => Health({ hp: 0.5 })))
    expectSameBytes(bytesOf(world), before)
    // What is left out has its default.
    expect(world.get((ship as (x: number) => Entity)(5), Position)).toEqual({ x: 5, y: 0 })
    expect(world.get((tank as () => Entity)(), Health)).toEqual({ hp: 0, max: 0 })
    world.dispose()
    expect(codeOf(() => ship(1, 2))).toBe('WORLD_DISPOSED')
    expect(codeOf(() => tank(1))).toBe('WORLD_DISPOSED')
  })

  it('reports that there is no room, and a repeated call makes the entity', () => {
    const world = testWorld({ maxEntities: 2 })
    const ship = createSpawner(world, [Position, 'x'])
    const [first] = [ship(1), ship(2)]
    expect(codeOf(() => ship(3))).toBe('ENTITY_LIMIT')
    world.destroy(first)
    expect(world.get(ship(3), Position)).toEqual({ x: 3, y: 0 })
  })

  it.each([
    ['anything but a component', 'NOT_A_COMPONENT', ['Position']],
    ['a list of anything else', 'NOT_A_COMPONENT', [[{}, 'x']]],
    ['an empty list', 'NOT_A_COMPONENT', [[]]],
    ['a component twice', 'DUPLICATE_COMPONENT', [Position, [Position, 'x']]],
    ['a field that there is not', 'UNKNOWN_FIELD', [[Position, 'z']]],
    ['a field of a tag', 'UNKNOWN_FIELD', [[Frozen, 'x']]],
    ['a field twice', 'INVALID_OPTION', [[Position, 'x', 'x']]],
    ['an object without its value', 'INVALID_VALUE', [Sprite]],
    ['a list of an object alone', 'INVALID_VALUE', [[Sprite]]],
    ['another field of an object', 'INVALID_OPTION', [[Sprite, 'x']]],
    ['a relation without its target', 'INVALID_VALUE', [ChildOf]],
    ['a field of a link without its target', 'INVALID_OPTION', [[Likes, 'weight']]],
    ['a field that links do not have', 'UNKNOWN_FIELD', [[Likes, 'target', 'x']]],
  ])('cannot be made of %s', (_, code, parts) => {
    const world = testWorld()
    expect(codeOf(() => createSpawner(world, ...(parts as never[])))).toBe(code)
  })

  it('can only be made in a living world', () => {
    const world = testWorld()
    world.dispose()
    expect(codeOf(() => createSpawner(world, Position))).toBe('WORLD_DISPOSED')
    expect(codeOf(() => createSpawner({} as never, Position))).toBe('INVALID_OPTION')
  })
})
