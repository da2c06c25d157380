// Shows what the checked core refuses where the release core wraps and cuts off: what is written through cursors, accessors and
// resources.

import { describe, expect, it } from 'vitest'
import { checkedCore } from '../../bindings/checked'
import {
  bool,
  component,
  createAccessor,
  createWorld,
  entity,
  f32,
  forkWorld,
  i16,
  i32,
  i8,
  resource,
  u16,
  u32,
  u8,
  type World,
} from '../../bindings/index'
import { STORED } from '../support/storages'

const module = checkedCore()
const KINDS = { i8, u8, i16, u16, i32, u32, entity, bool, f32 }
type KindName = keyof typeof KINDS

/** Values that the kind takes, and for each that it does not, what the release core keeps of it. */
const VALUES: Record<KindName, { fit: unknown[]; kept: [unknown, unknown][] }> = {
  i8: {
    fit: [-128, 127],
    kept: [
      [128, -128],
      [0.5, 0],
    ],
  },
  u8: {
    fit: [0, 255],
    kept: [
      [256, 0],
      [-1, 255],
    ],
  },
  i16: {
    fit: [-32768, 32767],
    kept: [
      [32768, -32768],
      [-1.5, -1],
    ],
  },
  u16: {
    fit: [0, 65535],
    kept: [
      [-5, 65531],
      [65536, 0],
    ],
  },
  i32: {
    fit: [-(2 ** 31), 2 ** 31 - 1],
    kept: [
      [2 ** 31, -(2 ** 31)],
      [NaN, 0],
    ],
  },
  u32: {
    fit: [0, 2 ** 32 - 1],
    kept: [
      [-1, 2 ** 32 - 1],
      [2 ** 32, 0],
    ],
  },
  entity: {
    fit: [0, 2 ** 32 - 1],
    kept: [
      [-1, 2 ** 32 - 1],
      [Infinity, 0],
    ],
  },
  bool: {
    fit: [true, false],
    kept: [
      [1, true],
      [0, false],
    ],
  },
  f32: { fit: [-5, 0.5, NaN, Infinity], kept: [] },
}

type Row = { value: unknown; other: number }

describe.each(['table', 'sparse'] as const)('over the checked core, in %s storage', (storage) => {
  const refusal = expect.objectContaining({
    code: 'INVALID_VALUE',
    message: expect.stringContaining('Gauge.value takes'),
  })

  describe.each(Object.keys(KINDS) as KindName[])('a field of %s', (kind) => {
    const Gauge = component(
      'Gauge',
      { value: KINDS[kind] as typeof f32, other: f32 },
      { storage: STORED[storage] },
    )
    const { fit, kept } = VALUES[kind]

    /** Each way to write to one row. */
    const WAYS: Record<string, (world: World, write: (row: Row) => void) => void> = {
      each: (world, write) => world.query(Gauge).each((_, gauge) => write(gauge as Row)),
      'a chunk': (world, write) => {
        for (const chunk of world.query(Gauge)) write(chunk.cursor(Gauge).at(chunk.start) as Row)
      },
      'an accessor': (world, write) => {
        write(createAccessor(world, Gauge).of(world.query(Gauge).first() as never) as Row)
      },
    }

    it.each(Object.keys(WAYS))(
      'accepts by %s what set accepts, and refuses the rest with nothing changed',
      (way) => {
        const world = createWorld({ core: module })
        const row = world.spawn(Gauge({ other: 1 }))
        const write = WAYS[way] as (typeof WAYS)[string]
        for (const value of fit) {
          write(world, (gauge) => void (gauge.value = value))
          expect(world.get(row, Gauge)).toEqual({ value, other: 1 })
        }
        for (const [value] of kept) {
          expect(() => write(world, (gauge) => void (gauge.value = value))).toThrow(refusal)
          expect(() => world.set(row, Gauge, { value: value as number })).toThrow(refusal)
          expect(world.get(row, Gauge)).toEqual({ value: fit.at(-1), other: 1 })
        }
        world.dispose()
      },
    )

    it('is stored by the release core as a typed array stores it', () => {
      const world = createWorld()
      const row = world.spawn(Gauge)
      for (const [value, left] of kept) {
        world.query(Gauge).each((_, gauge) => void ((gauge as Row).value = value))
        // true and false are what a bool takes, 1 and 0 are not; kept they are the same.
        expect((world.get(row, Gauge) as Row | undefined)?.value).toBe(left)
      }
      world.dispose()
    })
  })
})

describe('over the checked core', () => {
  it('a resource refuses what set refuses, too', () => {
    const Score = resource('Score', { points: u16 })
    const world = createWorld({ core: module })
    world.setResource(Score, { points: 1 })
    const score = world.resource(Score) as { points: number }
    expect(() => (score.points -= 5)).toThrow(
      expect.objectContaining({
        code: 'INVALID_VALUE',
        message: expect.stringContaining('Score.points takes'),
      }),
    )
    expect(score.points).toBe(1)
    world.dispose()
  })

  it('a fork checks as the world does', () => {
    const Health = component('Health', { hp: u16 })
    const world = createWorld({ core: module })
    world.spawn(Health)
    const twin = forkWorld(world)
    expect(() => twin.query(Health).each((_, health) => void (health.hp -= 5))).toThrow(/Health\.hp takes/)
    twin.dispose()
    world.dispose()
  })
})
