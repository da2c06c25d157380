// Owns the creation case: n entities with Position (i, 0, 0) and Velocity (0, 0, 0), handles kept. Adapters must
// never skip the zeros: a slot that was used before holds what was left there, and the check leaves it soiled.
export default {
  name: 'spawn',
  title: 'Spawn: two components of 3 x f32, handle kept',
  sizes: [1_000, 100_000],
  /** How many entities a query finds, then x, y + z and velocity x + y + z of each, in order of creation. */
  reference(size) {
    const values = [size]
    for (let i = 0; i < size; i++) values.push(i, 0, 0)
    return values
  },
}
