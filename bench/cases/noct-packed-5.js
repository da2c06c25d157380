// Owns packed_5 of noctjs/ecs-benchmark: entities with A..E, one number each; five systems, one for each component.
// Values must grow by 1, not be doubled as there: doubled numbers overflow, and then an idle library looks right.

/** The largest integer below which an f32 counts exactly. */
const EXACT = 2 ** 24

export const LETTERS = ['A', 'B', 'C', 'D', 'E']

/** What entity i starts with in the k-th component. */
export const startOf = (i, k) => (i % 7) + 8 * k

export default {
  name: 'packed_5',
  title: 'packed_5 (noctjs): five systems, each adds 1 to its component',
  sizes: [1_000, 100_000],
  runsPerSample: (size) => Math.max(1, Math.floor(16_000 / size)),
  /** A, B, C, D, E of every entity, in order of creation. */
  reference(size, runs) {
    if (startOf(6, 4) + runs >= EXACT)
      throw new RangeError(`${runs} runs leave the range in which f32 is exact.`)
    const values = []
    for (let i = 0; i < size; i++) for (let k = 0; k < 5; k++) values.push(startOf(i, k) + runs)
    return values
  },
}
