// Owns the fragmentation cases: the work of the loop case over entities that lie in 1, 100 or 10,000 archetypes, told
// apart by tags that no system asks for. Entities of one archetype are not made one after another: a game does not either.
import loop from './loop.js'

const COUNTS = { 1: 0, 100: 7, 10_000: 14 }

/** The tags that the entities with a number have: one for each bit of it. */
export const tagsOf = (number, tags) => tags.filter((_, bit) => number & (1 << bit))

function fragmented(archetypes) {
  return {
    ...loop,
    name: `fragmented-${archetypes}`,
    title: `Fragmented: position += velocity * dt, 3 x f32, over ${archetypes.toLocaleString('en')} archetype${archetypes > 1 ? 's told apart by tags' : ''}`,
    // The smaller is, at 10,000 archetypes, one entity in each.
    sizes: [10_000, 100_000],
  }
}

export const fragmentedCases = Object.keys(COUNTS).map((archetypes) => fragmented(Number(archetypes)))

/**
 * The ways of the three cases.
 *
 * @param {Record<string, (size: number, tags: number, numberOf: (i: number) => number) => object>} works by name: how
 *   entities are made and moved, `numberOf(i)` being the number whose bits are the tags of entity i
 */
export function fragmentedWays(works) {
  const cases = Object.entries(COUNTS).map(([archetypes, tags]) => [
    `fragmented-${archetypes}`,
    Object.fromEntries(
      Object.entries(works).map(([way, work]) => [way, (size) => work(size, tags, (i) => i % archetypes)]),
    ),
  ])
  return Object.fromEntries(cases)
}
