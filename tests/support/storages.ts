// The places a component can be kept in, and how many rows fit into the chunks of one of them, measured rather than stated.

import { spawnMany, type Ingredient } from '../../bindings/index'
import { sparse, stable, table } from '../../bindings/components/storages'
import { testWorld } from './world'

/** Bodies that hold for every storage of components with data run over these. */
export const STORAGES = ['table', 'sparse', 'stable'] as const

/**
 * For bodies about values, declarations and events: what they look at asks only whether a component lies in a table or in a pool. Holes,
 * which 'stable' has besides, are looked at by what walks, moves or saves rows.
 */
export const TABLE_AND_POOL = ['table', 'sparse'] as const

/** What a declaration names for each of them. */
export const STORED = { table, sparse, stable } as const

/** Rows of the small first chunk, of a full one and of a large one, for entities with these components. */
export function capacitiesOf(...ingredients: Ingredient[]): { first: number; full: number; large: number } {
  const world = testWorld()
  spawnMany(world, 20_000, ingredients)
  const lengths = Array.from(world.query(), (chunk) => chunk.entities.length)
  world.dispose()
  return { first: lengths[0], full: lengths[1], large: lengths[4] }
}

/** A generator of numbers from 0 to below 1 that says the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000
  }
}
