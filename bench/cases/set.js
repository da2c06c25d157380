// Owns the random write case: write one field of every entity by its handle, in the shuffled order of the case `get`. It
// must never write what was there before: every run has other values.
import { shuffledOrder } from './get.js'

/** Below this an f32 has every half. */
const EXACT = 2 ** 23

/** What is written in the k-th place of the order; rounds are counted from 1. */
export const valueOf = (k, round) => k + round + 0.5

export default {
  name: 'set',
  title: 'Set: one field by handle, shuffled order',
  sizes: [1_000, 100_000],
  runsPerSample: (size) => Math.max(1, Math.floor(64_000 / size)),
  /** The field of every entity, in order of creation. */
  reference(size, runs) {
    if (valueOf(size, runs) >= EXACT)
      throw new RangeError(`${runs} runs leave the range in which f32 is exact.`)
    const values = new Array(size)
    shuffledOrder(size).forEach((i, k) => (values[i] = valueOf(k, runs)))
    return values
  },
}
