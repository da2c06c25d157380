// Owns the destruction case: n entities with two components, destroyed in order of creation. An adapter must
// check in `before` that all n are there: an empty world also ends empty.
export default {
  name: 'destroy',
  title: 'Destroy: entities with two components of 3 x f32',
  sizes: [1_000, 100_000],
  /** How many entities a query still finds, and how many of the old handles are still alive. */
  reference: () => [0, 0],
}
