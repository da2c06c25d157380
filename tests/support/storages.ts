// The places a component can be kept in, and the row counts at which something changes in each of them, measured rather than
// stated.

import { component, u32, type Ingredient } from '../../bindings/index'
import { testWorld } from './world'

/** Bodies that hold for every storage of components with data run over these. */
export const STORAGES = ['table', 'sparse', 'stable'] as const

/** Slots covered by one page of a sparse set's index. */
const SPARSE_PAGE = 4096

/** Rows of the small first chunk, of a full one and of a large one, for entities with these components. */
export function capacitiesOf(...ingredients: Ingredient[]): { first: number; full: number; large: number } {
  const world = testWorld()
  world.spawnMany(20_000, ingredients)
  const lengths = Array.from(world.query(), (chunk) => chunk.entities.length)
  world.dispose()
  return { first: lengths[0], full: lengths[1], large: lengths[4] }
}

const { first, full } = capacitiesOf(component('Counted', { n: u32 }))

/** Numbers of rows around every boundary of a component of one u32: words, chunks, pages. */
export const ROW_COUNTS = [
  0,
  1,
  2,
  63,
  64,
  65,
  // Behind three full chunks the large ones begin.
  ...[first, first + full, first + 3 * full, SPARSE_PAGE].flatMap((edge) => [edge - 1, edge, edge + 1]),
]

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
