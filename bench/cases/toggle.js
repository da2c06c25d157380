// Owns the switching case: a component of n entities switched off, then on again, in an order that is not that of
// the rows. Adapters must never move or destroy anything: what is off keeps its values.
import { PIECS_ADD_REMOVE } from './add-remove.js'

export default {
  name: 'toggle',
  title: 'Toggle: a component switched off and on again, shuffled order',
  sizes: [1_000, 100_000],
  runsPerSample: (size) => Math.max(1, Math.floor(16_000 / size)),
  beside: [PIECS_ADD_REMOVE],
  /** When all are off: how many are found. When all are on again: how many, and every value. */
  reference(size) {
    const values = [0, size]
    for (let i = 0; i < size; i++) values.push(i)
    return values
  },
}
