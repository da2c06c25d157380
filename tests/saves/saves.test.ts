// Shows who can save and when: worlds with `saves`, outside of loops.

import { describe, expect, it } from 'vitest'
import { type World, component, createWorld, f32, onAdd, saveToJSON, saves } from '../../bindings/index'
import { load, loadJSON } from '../support/loaded'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })

const CALLS: [string, (world: World) => unknown][] = [
  ['save', (world) => world.save()],
  ['merge', (world) => world.merge(new Uint8Array(1))],
  ['saveToJSON', (world) => saveToJSON(world)],
]

describe('a world without saves', () => {
  it('The sentence says what to write', () => {
    const world = testWorld()
    for (const call of ['save', 'merge'] as const)
      expect(() => world[call](new Uint8Array(1) as never)).toThrow(
        expect.objectContaining({
          code: 'MISSING_SAVES',
          message: `world.${call}: this world was made without saves. Write import { createWorld, saves } from 'strata-ecs', and createWorld({ saves }).`,
        }),
      )
  })

  it('JSON needs none', () => {
    expect(saveToJSON(testWorld())).toContain('"format": "strata-save"')
  })

  it('Something else in its place is refused when the world is made', () => {
    for (const wrong of [null, true, {}, () => 1])
      expect(() => createWorld({ saves: wrong as never })).toThrow('saves must be what strata-ecs exports')
  })
})

it('Worlds that are loaded, and forks, can save and merge', () => {
  const world = testWorld({ saves })
  world.spawn(Position)
  const bytes = world.save()
  for (const one of [
    load(bytes, [Position]).world,
    loadJSON(saveToJSON(world), [Position]).world,
    world.fork(),
  ]) {
    expect(one.save()).toEqual(bytes)
    one.merge(bytes)
    expect(one.fork().save()).toEqual(one.save())
    expect(one.stats().entities).toBe(2)
  }
})

describe.each(CALLS)('%s', (_, call) => {
  it('It is refused inside a loop, a block and a listener', () => {
    const world = testWorld({ saves })
    world.spawn(Position)
    const locked = expect.objectContaining({ code: 'WORLD_LOCKED' }) as Error
    for (const chunk of world.query(Position)) {
      expect(chunk.end).toBe(1)
      expect(() => call(world)).toThrow(locked)
    }
    world.defer(() => expect(() => call(world)).toThrow(locked))
    onAdd(world, Position, () => expect(() => call(world)).toThrow(locked))
    world.spawn(Position)
  })

  it('It is refused after dispose', () => {
    const world = testWorld({ saves })
    world.dispose()
    expect(() => call(world)).toThrow(expect.objectContaining({ code: 'WORLD_DISPOSED' }))
  })
})

it('A world can be loaded while another one is locked, and options of createWorld are passed on', () => {
  const world = testWorld({ saves })
  world.spawn(Position)
  const bytes = world.save()
  world.defer(() => {
    const { world: loaded } = load(bytes, [Position], { memory: { initial: 2 ** 21, maximum: 2 ** 22 } })
    expect(loaded.stats().bytesReserved).toBe(2 ** 21)
  })
  expect(() => load(bytes, [Position], { memoy: {} })).toThrow(
    "no option 'memoy': the options are components, memory",
  )
  expect(() => load(bytes, undefined as never)).toThrow('an array of components and resources')
  expect(() => saveToJSON({} as never)).toThrow('saveToJSON takes a world')
})
