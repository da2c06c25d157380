// Owns add_remove of noctjs/ecs-benchmark: 1,000 entities with A; add B (value 0) to all, then remove it from all.
// Adapters must never keep handles between the halves: each half is found by a query.
export default {
  name: 'add_remove',
  title: 'add_remove (noctjs): add B to every A, remove it again',
  sizes: [1_000, 100_000],
  /** After the add: how many have B, the sum of all B. After the remove: how many have B, all A, sorted. */
  reference(size) {
    const values = [size, 0, 0]
    for (let i = 0; i < size; i++) values.push(i)
    return values
  },
}
