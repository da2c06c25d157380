// Shows the limits of rows and declarations at their edges: what just fits works, what just does not is refused with its size.
// How chunks are laid out is tested in layouts.proof.test.ts.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  component,
  f32,
  i32,
  LimitError,
  resource,
  sparse,
  spawnMany,
  stable,
  tag,
  toggle,
  u8,
  vec,
  type Entity,
  type Field,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

/** A chunk has 16,384 bytes; the entity takes 16 of them, a component of one small field 8 and 16. */
const SINGLE_FIELDS = Math.floor((16384 - 16) / 24)

const singles = Array.from({ length: SINGLE_FIELDS + 1 }, (_, i) => component(`C${i}`, { value: i32 }))
const fitting = singles.slice(0, SINGLE_FIELDS)
const oneMore = singles[SINGLE_FIELDS]

const fields = (count: number): Record<string, Field> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, u8]))

function caughtFrom(call: () => unknown): LimitError {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(LimitError)
    return error as LimitError
  }
  return expect.unreachable('the call throws')
}

describe('the components of one entity', () => {
  it('of one small field each are 682', () => {
    expect(SINGLE_FIELDS).toBe(682)
    const world = watchedWorld({ memory: { maximum: 2 ** 27 } })
    const entity = world.spawn(...fitting)
    expect(fitting.every((each) => world.has(entity, each))).toBe(true)
  })

  const ADDS: [string, (world: ReturnType<typeof watchedWorld>, entity: Entity) => unknown][] = [
    ['add', (world, entity) => world.add(entity, oneMore)],
    ['set', (world, entity) => world.set(entity, oneMore, {})],
    ['exchange', (world, entity) => world.exchange(entity, [Frozen], [oneMore])],
    ['add in a block', (world, entity) => world.batch(() => world.add(entity, oneMore))],
    ['spawn', (world) => world.spawn(...fitting, oneMore)],
    ['spawnMany', (world) => spawnMany(world, 2, [...fitting, oneMore])],
  ]
  const Frozen = tag('Frozen')

  it.each(ADDS)('are refused if one too many is added by %s, with their sizes and sum', (_, call) => {
    const world = watchedWorld({ memory: { maximum: 2 ** 27 } })
    const entity = world.spawn(...fitting, Frozen)
    const { message, code } = caughtFrom(() => call(world, entity))
    expect(code).toBe('ROW_LIMIT')
    expect(message).toContain(`it takes ${16 + 683 * 24} bytes`)
    expect(message).toMatch(/Of that, (C\d+ takes 24 bytes, ){5}678 more take no more than that each\./)
    for (const part of ['16384', "storage 'sparse'", 'vec']) expect(message).toContain(part)
    expect(message.length).toBeLessThan(600)
    expect(world.has(entity, oneMore)).toBe(false)
    expect(world.has(entity, Frozen, ...fitting)).toBe(true)
  })

  it('that the call adds are named first among those of equal size', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 27 } })
    const entity = world.spawn(...fitting)
    expect(caughtFrom(() => world.add(entity, oneMore)).message).toContain('Of that, C682 takes 24 bytes')
  })

  it('are not counted if they leave in the same move', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 27 } })
    const entity = world.spawn(...fitting)
    expect(world.exchange(entity, [fitting[0]], [oneMore])).toBe(true)
    const error = caughtFrom(() =>
      world.exchange(entity, [fitting[1]], [component('D', { a: i32, b: i32 }), fitting[0]]),
    )
    expect(error.message).toContain(`it takes ${16 + 682 * 24 + 40} bytes`)
  })

  it('that do not fit for some entities of a query are refused with what is known', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 27 } })
    world.spawn(...fitting)
    const { message } = caughtFrom(() => addMany(world.query(fitting[0]), oneMore))
    expect(message).toContain('with what entities have already it takes more. Of that, C682 takes 24 bytes')
  })

  it('may include as many tags as exist', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 27 } })
    const tags = Array.from({ length: 500 }, (_, i) => tag(`T${i}`))
    const entity = world.spawn(...fitting)
    world.add(entity, ...tags)
    expect(world.has(entity, ...tags, ...fitting)).toBe(true)
  })

  it('may include as many sparse components as exist', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 27 } })
    const pooled = Array.from({ length: 300 }, (_, i) => component(`S${i}`, { v: i32 }, { storage: sparse }))
    const entity = world.spawn(...fitting)
    world.add(entity, ...pooled)
    expect(world.has(entity, ...pooled, ...fitting)).toBe(true)
  })
})

describe('the fields of one component', () => {
  const ways: [string, object, number, number][] = [
    ['a table', {}, 1022, 16],
    ['a table, which tracks rows', { trackChanges: 'row' }, 1020, 48],
    ['a table, which can be switched off', { toggle }, 1021, 32],
    ['a pool', { storage: sparse }, 1021, 32],
    ['stable storage', { storage: stable }, 1021, 32],
    [
      'a pool, which tracks rows and can be switched off',
      { storage: sparse, trackChanges: 'row', toggle },
      1018,
      80,
    ],
  ]

  it.each(ways)('in %s with %o are as many as a row has room for', (_, options, most, besides) => {
    expect(8 + besides + most * 16).toBeLessThanOrEqual(16384)
    expect(8 + besides + (most + 1) * 16).toBeGreaterThan(16384)
    const world = watchedWorld()
    const Fits = component('Fits', fields(most), options)
    const entity = world.spawn(Fits({ f0: 3 }))
    expect(world.get(entity, Fits)).toMatchObject({ f0: 3, f1: 0 })
    const Large = component('Large', fields(most + 1), options)
    const { message, code } = caughtFrom(() => world.spawn(Large))
    expect(code).toBe('ROW_LIMIT')
    expect(message).toContain('16384')
    expect(message).toContain('Large')
    expect(message).toContain(`takes ${8 + besides + (most + 1) * 16}`)
    expect(world.has(entity, Fits)).toBe(true)
  })

  it('are refused for their size in a row, not for the size of their description, if both are too large', () => {
    const Huge = component('Huge', fields(3000))
    const { message } = caughtFrom(() => watchedWorld().spawn(Huge))
    expect(message).toContain(`Huge takes ${24 + 3000 * 16} bytes a row, in 3000 fields`)
  })

  it('may be one vec that fills a row', () => {
    const world = watchedWorld()
    const entity = world.spawn(component('Fits', { m: vec(f32, 4088) }))
    expect(world.isAlive(entity)).toBe(true)
    const { message } = caughtFrom(() => world.spawn(component('Large', { m: vec(f32, 4089) })))
    expect(message).toContain(`it takes ${16 + 8 + 4090 * 4 + 8} bytes`)
  })
})

describe('the description of a declaration', () => {
  // 20 bytes, the name, and two braces.
  const longest = 'n'.repeat(65536 - 20 - 2)

  it('has room for a name of 65,514 bytes and not one more', () => {
    const world = watchedWorld()
    const Longest = tag(longest)
    expect(world.has(world.spawn(Longest), Longest)).toBe(true)
    const { message, code } = caughtFrom(() => world.spawn(tag(`${longest}n`)))
    expect(code).toBe('ROW_LIMIT')
    expect(message).toContain('The description of nnn')
    expect(message).toContain('takes 65537 bytes, for 0 fields; at most 65536 fit')
    expect(message.length).toBeLessThan(500)
  })

  it('has room for the fields of a component as long as their names leave it', () => {
    const named = (letters: number) => {
      const entries = Array.from({ length: 500 }, (_, i) => [`${i}`.padStart(letters, 'x'), f32] as const)
      return component('Wordy', Object.fromEntries(entries))
    }
    const world = watchedWorld()
    // A field: 12 bytes, 8 for where its default value may begin, 4 of value, the name, ":f32" and a comma.
    const letters = Math.floor((65536 - 20 - 6) / 500) - 29
    expect(world.isAlive(world.spawn(named(letters)))).toBe(true)
    const { message } = caughtFrom(() => watchedWorld().spawn(named(letters + 1)))
    expect(message).toMatch(/description of Wordy takes \d+ bytes, .*500 fields.*shorten the names/)
  })

  it('of a resource is limited as well, whatever memory its fields take', () => {
    const world = watchedWorld()
    const Many = resource('Many', fields(3000))
    const { message } = caughtFrom(() => world.resource(Many))
    expect(message).toMatch(/description of Many takes \d+ bytes, for 3000 fields; at most 65536 fit/)
    expect(world.hasResource(Many)).toBe(false)
  })
})
