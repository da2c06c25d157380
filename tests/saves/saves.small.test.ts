// Shows who can save: every world.

import { expect, it } from 'vitest'
import { component, f32, forkWorld, mergeWorld, saveToJSON, saveWorld } from '../../bindings/index'
import { load, loadJSON } from '../support/loaded'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })

it('Worlds that are loaded, and forks, can save and merge', () => {
  const world = testWorld()
  world.spawn(Position)
  const bytes = saveWorld(world)
  for (const one of [
    load(bytes, [Position]).world,
    loadJSON(saveToJSON(world), [Position]).world,
    forkWorld(world),
  ]) {
    expect(saveWorld(one)).toEqual(bytes)
    mergeWorld(one, bytes)
    expect(saveWorld(forkWorld(one))).toEqual(saveWorld(one))
    expect(one.stats().entities).toBe(2)
  }
})

it('A world can be loaded while another one is locked, and options of createWorld are passed on', () => {
  const world = testWorld()
  world.spawn(Position)
  const bytes = saveWorld(world)
  world.batch(() => {
    const { world: loaded } = load(bytes, [Position], { memory: { initial: 2 ** 21, maximum: 2 ** 22 } })
    expect(loaded.stats().bytesReserved).toBe(2 ** 21)
  })
  expect(() => load(bytes, [Position], { memoy: {} })).toThrow(
    "no option 'memoy': the options are components, memory",
  )
  expect(() => load(bytes, undefined as never)).toThrow('an array of components and resources')
  expect(() => saveToJSON({} as never)).toThrow('saveToJSON takes a world')
})
