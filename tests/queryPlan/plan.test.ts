// Shows that a query made inside a loop finds what it finds outside, though the core may keep no list for it there.

import { describe, expect, it } from 'vitest'
import { any, not, tag } from '../../bindings/index'
import { testWorld } from '../support/world'

describe('a query that is made in a loop', () => {
  it('treats components that the world has not met as missing, even as alternatives', () => {
    const world = testWorld()
    const [Known, A, B] = [tag('Known'), tag('A'), tag('B')]
    world.spawn(Known)
    const found: number[] = []
    world.query(Known).each(() => {
      for (const term of [any(A, B), any(A, Known), any(Known, A), any(A, not(B)), any(not(B), A)])
        found.push(world.query(term).count)
    })
    expect(found).toEqual([0, 1, 1, 1, 1])
  })

  it('finds entities in any number of archetypes', () => {
    const world = testWorld({ maxEntities: 5000 })
    const Known = tag('Known')
    const bits = Array.from({ length: 13 }, (_, i) => tag(`Bit ${i}`))
    for (let i = 0; i < 4200; i++) world.spawn(Known, ...bits.filter((_, bit) => ((i >> bit) & 1) === 1))
    let found = 0
    world.batch(() => (found = world.query(Known).count))
    expect(found).toBe(4200)
  })
})
