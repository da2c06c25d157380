// Owns the promises of resources that are larger than a chunk: one row in a block of its own size.
// It must never state where in the block a column lies: what it reads, it reads as a user does, or by its layout.

import { describe, expect, it } from 'vitest'
import { f32, resource, vec } from '../bindings/index'
import { watchedWorld } from './support/watched'

describe('a resource larger than a chunk', () => {
  it('holds what is written into it', () => {
    const Ground = resource('Ground', { cells: vec(f32, 131_072) })
    const world = watchedWorld()
    const { cells } = world.resource(Ground)
    expect(cells.length).toBe(131_072)
    expect(cells.every((value) => value === 0)).toBe(true)
    cells[131_071] = 5
    expect(world.getResource(Ground)?.cells[131_071]).toBe(5)
    expect(world.removeResource(Ground)).toBe(true)
    expect(world.resource(Ground).cells[131_071]).toBe(0)
  })
})
