// Shows that digests and saves take as many steps as there are rows, however many empty archetypes and other types exist.

import { describe, expect, it, vi } from 'vitest'
import {
  type World,
  component,
  createWorld,
  digestWorld,
  f32,
  object,
  saveWorld,
  tag,
} from '../../bindings/index'

const Position = component('Position', { x: f32 })
const Sprite = object<number>('Sprite', { revive: () => 2 })
const tags = Array.from({ length: 10 }, (_, i) => tag(`T${i}`))

/** How often a call reads a word of memory by its address. */
function readsOf(world: World, call: () => unknown): number {
  const { heap } = (world as unknown as { state: { heap: { word(address: number): number } } }).state
  const word = vi.spyOn(heap, 'word')
  call()
  const { length } = word.mock.calls
  word.mockRestore()
  expect(length).toBeGreaterThan(0)
  return length
}

/** A world of three entities, after so many archetypes were used once. */
function worldWith(empty: number): World {
  const world = createWorld()
  for (let bits = 0; bits < empty; bits++) {
    world.destroy(world.spawn(Position, ...tags.filter((_, i) => (bits >> i) & 1)))
  }
  world.spawn(Position({ x: 1 }))
  world.spawn(Position({ x: 2 }), ...tags.slice(0, 3))
  world.spawn(Sprite(1))
  return world
}

describe('Beside 1,000 empty archetypes as beside 10', () => {
  it.each([
    ['a digest', (world: World) => digestWorld(world)],
    ['a digest of one component', (world: World) => digestWorld(world, Position)],
    ['a save', (world: World) => saveWorld(world)],
  ])('%s takes the same number of steps', (_, call) => {
    const counts = [10, 1000].map((empty) => {
      const world = worldWith(empty)
      digestWorld(world)
      return readsOf(world, () => call(world))
    })
    expect(counts[1]).toBe(counts[0])
  })
})

it('A digest takes as many steps for each type with 1,000 types in archetypes of their own as with 100', () => {
  const [few, many] = [100, 1000].map((count) => {
    const world = createWorld()
    for (let i = 0; i < count; i++) world.spawn(component(`C${i}`, { x: f32 })({ x: i }))
    digestWorld(world)
    return readsOf(world, () => digestWorld(world)) / count
  }) as [number, number]
  expect(many).toBeLessThanOrEqual(few)
})

it('A digest that names a component twice counts it twice', () => {
  const world = worldWith(5)
  const once = digestWorld(world, Position)
  expect(digestWorld(world, Position, Position)).toBe((once * 2) >>> 0)
})
