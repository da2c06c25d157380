// Shows that resources go back with their world: those with fields, and those with `save` and `load`.

import { describe, expect, it } from 'vitest'
import {
  component,
  f32,
  resetWorld,
  resource,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  tag,
  u32,
  vec,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { restoreChecked } from '../support/restoring'
import { useStale } from '../support/stale'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Red = tag('Red')
const Time = resource('Time', { now: f32 })
const Ground = resource('Ground', { cells: vec(f32, 64) })

describe('resources', () => {
  interface Rng {
    state: number
  }
  const Random = resource<Rng>('Random', { save: (rng) => rng.state, load: (state: number) => ({ state }) })
  const Settings = resource<{ volume: number }>('Settings')

  it('Fields go back with the memory, and a cursor that was kept shows them', () => {
    const world = testWorld()
    const time = world.resource(Time)
    time.now = 3
    world.resource(Ground).cells[5] = 2
    const before = snapshotWorld(world)
    time.now = 8
    world.removeResource(Ground)
    spawnMany(world, 3000, [Position, Red])
    restoreChecked(world, before)
    expect(time.now).toBe(3)
    expect(world.resource(Ground).cells[5]).toBe(2)
    time.now = 4
    expect(world.getResource(Time)).toEqual({ now: 4 })
  })

  it('A resource with fields that was created after the snapshot is gone, and its cursor writes nowhere', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 1 }))
    const before = snapshotWorld(world)
    const time = world.resource(Time)
    time.now = 5
    restoreChecked(world, before)
    expect(world.hasResource(Time)).toBe(false)
    useStale(() => (time.now = 6))
    expect(world.get(e, Position)?.x).toBe(1)
    expect(world.resource(Time).now).toBe(0)
    checkInvariants(world)
  })

  it('Names of resources used since the snapshot are free again, and earlier ones are taken', () => {
    const world = testWorld()
    const [one, two] = [resource('Same', { n: u32 }), resource('Same', { m: u32 })]
    const kept = resource<number>('Kept')
    world.setResource(kept, 7)
    const before = snapshotWorld(world)
    world.setResource(one, { n: 1 })
    restoreChecked(world, before)
    world.setResource(two, { m: 2 })
    expect(world.getResource(two)).toEqual({ m: 2 })
    expect(() => world.setResource(one, { n: 1 })).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_NAME' }),
    )
    expect(() => world.setResource(resource<number>('Kept'), 8)).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_NAME' }),
    )
    const other = testWorld()
    other.setResource(one, { n: 5 })
    restoreChecked(world, snapshotWorld(other))
    expect([world.getResource(one), world.getResource(kept)]).toEqual([{ n: 5 }, 7])
  })

  it('A save that would change the world is refused, and the world goes on', () => {
    const world = testWorld()
    const Counter = resource<{ n: number }>('Counter', {
      save: (value) => {
        world.spawn(Red)
        return value.n
      },
      load: (n: number) => ({ n }),
    })
    world.setResource(Counter, { n: 1 })
    expect(() => snapshotWorld(world)).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
    expect(world.query(Red).count).toBe(0)
    expect(world.has(world.spawn(Red), Red)).toBe(true)
  })

  it('A value with save and load goes back, any number of times; one without stays', () => {
    const world = testWorld()
    world.setResource(Random, { state: 1 })
    world.setResource(Settings, { volume: 3 })
    const before = snapshotWorld(world)
    const rng = world.resource(Random) as Rng
    rng.state = 2
    world.setResource(Settings, { volume: 9 })
    for (let round = 0; round < 2; round++) {
      restoreChecked(world, before)
      const now = world.resource(Random) as Rng
      expect([now.state, now === rng]).toEqual([1, false])
      now.state = 7
      expect(world.resource(Settings)).toEqual({ volume: 9 })
      world.spawn(Red)
    }
  })

  it('A value that was set or removed since is missing or restored', () => {
    const world = testWorld()
    const without = snapshotWorld(world)
    world.setResource(Random, { state: 4 })
    const having = snapshotWorld(world)
    world.removeResource(Random)
    restoreChecked(world, having)
    expect(world.resource(Random)).toEqual({ state: 4 })
    restoreChecked(world, without)
    expect(world.hasResource(Random)).toBe(false)
    restoreChecked(world, having)
    expect(world.resource(Random)).toEqual({ state: 4 })
    resetWorld(world)
    expect(world.hasResource(Random)).toBe(false)
  })

  it('A save that throws leaves the snapshot it was to write as it was', () => {
    const world = testWorld()
    let broken = false
    const Fragile = resource<Rng>('Fragile', {
      save: ({ state }) => {
        if (broken) throw new Error('cannot be saved')
        return state
      },
      load: (state: number) => ({ state }),
    })
    world.setResource(Fragile, { state: 1 })
    const e = world.spawn(Position({ x: 1 }))
    const before = snapshotWorld(world)
    world.set(e, Position, { x: 2 })
    spawnMany(world, 5000, [Position])
    broken = true
    expect(() => snapshotWorld(world, { into: before })).toThrow('cannot be saved')
    restoreWorld(world, before)
    expect(world.get(e, Position)?.x).toBe(1)
    expect(world.resource(Fragile)).toEqual({ state: 1 })
  })

  it('An error of load is thrown when everything is done, and the other values are restored', () => {
    const world = testWorld()
    const Broken = resource<Rng>('Broken', {
      save: () => 1,
      load: () => {
        throw new Error('cannot be loaded')
      },
    })
    world.setResource(Broken, { state: 1 })
    world.setResource(Random, { state: 5 })
    const before = snapshotWorld(world)
    world.removeResource(Random)
    expect(() => restoreWorld(world, before)).toThrow('cannot be loaded')
    expect(world.resource(Random)).toEqual({ state: 5 })
  })

  const wrong: [string, unknown, string][] = [
    ['only save', { save: () => 1 }, 'load must be a function'],
    ['only load', { load: () => 1 }, 'save must be a function'],
    ['another option', { save: () => 1, load: () => 1, store: 1 }, "no option 'store'"],
  ]

  it.each(wrong)('%s is refused', (_, options, sentence) => {
    expect(() => resource('Wrong', options as never)).toThrow(sentence)
  })
})
