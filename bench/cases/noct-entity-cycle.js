// Owns entity_cycle of noctjs/ecs-benchmark: 1,000 entities with A; spawn one with B for each (value copied), then
// destroy all that have B. Adapters must never keep handles between the halves: the second is found by a query.
export default {
  name: 'entity_cycle',
  title: 'entity_cycle (noctjs): spawn one B for every A, destroy all B',
  sizes: [1_000, 100_000],
  /** After the spawn: the values of all B, sorted. After the destroy: how many B and how many A. */
  reference(size) {
    const values = []
    for (let i = 0; i < size; i++) values.push(i)
    values.push(0, size)
    return values
  },
}
