// Owns frag_iter of noctjs/ecs-benchmark: types of entities that share Data only and have a component of their own;
// one system adds 1 to all Data, one to the last type's own. Values must not be doubled as there: they would overflow.

/** The largest integer below which an f32 counts exactly. */
const EXACT = 2 ** 24

/**
 * The type of entity i; they are created in turn, as there. All of one type at once would leave gaps in arrays by id, which
 * make slow objects of JavaScript arrays.
 */
export const typeOf = (i, types) => i % types

/** What entity i starts with in Data. Its own component starts with the number of its type. */
export const startOf = (i) => i % 7

function fragCase(name, types, entitiesOfType) {
  return {
    name,
    title: `frag_iter (noctjs): add 1 to Data of ${types} archetypes, then to the component of one`,
    sizes: [types * entitiesOfType, types * entitiesOfType * 100],
    runsPerSample: (size) => Math.max(1, Math.floor(32_000 / size)),
    beside: [{ name: 'wolf-ecs', library: 'wolf' }],
    /** Data and the own component of every entity, in order of creation. */
    reference(size, runs) {
      if (types + runs >= EXACT) throw new RangeError(`${runs} runs leave the range in which f32 is exact.`)
      const values = []
      for (let i = 0; i < size; i++) {
        const type = typeOf(i, types)
        values.push(startOf(i) + runs, type === types - 1 ? type + runs : type)
      }
      return values
    },
  }
}

/** The second has as many entities as the first, in ten times as many archetypes. */
export const fragCases = [fragCase('frag_iter', 26, 100), fragCase('frag_iter_256', 256, 10)]
