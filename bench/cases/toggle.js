// Owns the switching case: a component of n entities switched off, then on again, in an order that is not that of
// the rows. Adapters must never move or destroy anything: what is off keeps its values.
export default {
  name: 'toggle',
  title: 'Toggle: a component switched off and on again, shuffled order',
  sizes: [100_000],
  /** When all are off: how many are found. When all are on again: how many, and every value. */
  reference(size) {
    const values = [0, size]
    for (let i = 0; i < size; i++) values.push(i)
    return values
  },
}
