// Owns the sorting case: the ids of all entities in the order of one f32, equal values in the order of creation.
// It must never be handed values in order: a sort that looks first would have nothing to do.
export default {
  name: 'sorted',
  title: 'Sorted: ids in the order of one f32, stable',
  sizes: [1_000, 100_000],
  runsPerSample: (size) => Math.max(1, Math.floor(16_000 / size)),
  /** The numbers of the entities, in order. */
  reference(size) {
    const numbers = Array.from({ length: size }, (_, i) => i)
    return numbers.sort((a, b) => depthOf(a) - depthOf(b) || a - b)
  },
}

/** A value for each entity that looks random, is exact in f32, on both sides of 0, and comes now and then twice. */
export function depthOf(i) {
  let mixed = Math.imul(i + 1, 0x9e3779b1)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x85ebca77)
  mixed ^= mixed >>> 13
  return ((mixed >>> 8) % 1_000_000) / 64 - 5_000
}
