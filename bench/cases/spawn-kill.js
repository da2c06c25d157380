// Owns the case of a population that comes and goes: n entities with Position (i, 0, 0) and Velocity (0, 0, 0) made,
// then all destroyed in order of creation. Adapters must never skip the zeros, and keep the handles between the halves.
export default {
  name: 'spawn-kill',
  title: 'Spawn and kill: two components of 3 x f32, handle kept, then destroyed',
  sizes: [1_000, 10_000, 100_000],
  /** Between the halves what `spawn` asks for; then how many there are, and how many old handles are still alive. */
  reference(size) {
    const values = [size]
    for (let i = 0; i < size; i++) values.push(i, 0, 0)
    return [...values, 0, 0]
  },
}
