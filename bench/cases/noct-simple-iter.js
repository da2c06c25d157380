// Owns simple_iter of noctjs/ecs-benchmark: a quarter of the entities each has AB, ABC, ABCD, ABCE; three systems swap
// A and B, C and D, C and E. It must be looked at after an odd number of runs, too: two swaps look like none.

const KINDS = ['AB', 'ABC', 'ABCD', 'ABCE'].map((letters) => [...letters])

export const LETTERS = ['A', 'B', 'C', 'D', 'E']

/** The components of entity i, as letters; the four kinds are created in turn, as there. */
export const lettersOf = (i) => KINDS[i % KINDS.length]

export const startOf = (i, letter) => (i % 7) + 8 * LETTERS.indexOf(letter)

export default {
  name: 'simple_iter',
  title: 'simple_iter (noctjs): three systems swap two components, over four archetypes',
  sizes: [4_000, 400_000],
  runsPerSample: (size) => Math.max(1, Math.floor(32_000 / size)),
  /** The values of every entity, by letter, in order of creation. measure.js looks after the first run. */
  reference(size, runs) {
    const values = []
    for (let i = 0; i < size; i++) {
      const [a, b, c, last] = lettersOf(i).map((letter) => startOf(i, letter))
      values.push(...(runs % 2 ? [b, a] : [a, b]))
      if (last !== undefined) values.push(...(runs % 2 ? [last, c] : [c, last]))
      else if (c !== undefined) values.push(c)
    }
    return values
  },
}
