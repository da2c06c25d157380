// Owns the cases of changes that somebody may listen to: nobody, somebody else, this component. The work is that of
// spawn (and destroy) and of add-remove. Listeners must count what they hear, and the counts are part of the result.
const starts = (size) => Array.from({ length: size }, (_, i) => i)

export default {
  name: 'observed-add-remove',
  title: 'Add + remove of one component by kept handles, listened to or not',
  sizes: [1_000, 10_000],
  /** After the adds: how many have both. After the removes: how many have it, every x. */
  reference: (size) => [size, 0, ...starts(size)],
}

export const observedSpawn = {
  name: 'observed-spawn',
  title: 'Spawn of two components, then destroy by query, listened to or not',
  sizes: [1_000, 10_000],
  /** How many there were, how many are left. */
  reference: (size) => [size, 0],
}
