// Shows who can save and when: every world, outside of loops.

import { describe, expect, it } from 'vitest'
import {
  type World,
  component,
  f32,
  fork,
  mergeWorld,
  onAdd,
  saveToJSON,
  saveWorld,
} from '../../bindings/index'
import { load, loadJSON } from '../support/loaded'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })

const CALLS: [string, (world: World) => unknown][] = [
  ['saveWorld', (world) => saveWorld(world)],
  ['mergeWorld', (world) => mergeWorld(world, new Uint8Array(1))],
  ['saveToJSON', (world) => saveToJSON(world)],
]

it('Worlds that are loaded, and forks, can save and merge', () => {
  const world = testWorld()
  world.spawn(Position)
  const bytes = saveWorld(world)
  for (const one of [
    load(bytes, [Position]).world,
    loadJSON(saveToJSON(world), [Position]).world,
    fork(world),
  ]) {
    expect(saveWorld(one)).toEqual(bytes)
    mergeWorld(one, bytes)
    expect(saveWorld(fork(one))).toEqual(saveWorld(one))
    expect(one.stats().entities).toBe(2)
  }
})

describe.each(CALLS)('%s', (_, call) => {
  it('It is refused inside a loop, a block and a listener', () => {
    const world = testWorld()
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
    const world = testWorld()
    world.dispose()
    expect(() => call(world)).toThrow(expect.objectContaining({ code: 'WORLD_DISPOSED' }))
  })
})

it('A world can be loaded while another one is locked, and options of createWorld are passed on', () => {
  const world = testWorld()
  world.spawn(Position)
  const bytes = saveWorld(world)
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
