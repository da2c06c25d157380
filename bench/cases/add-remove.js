// Owns the structural change case: Velocity (0, 0, 0) added to n entities that have Position, then removed from
// all. Adapters must never skip the zeros, as in the spawn case, and keep the handles outside of the library.
export default {
  name: 'add-remove',
  title: 'Add + remove: one component of 3 x f32, by kept handles',
  sizes: [1_000, 100_000],
  /** After an add: how many have both, the sum of all velocities. After the remove: how many have both, every x. */
  reference(size) {
    const values = [size, 0, 0]
    for (let i = 0; i < size; i++) values.push(i)
    return values
  },
}
