// Owns the case of finding a component by its type: every entity has eight, and one of them is asked for its value. It
// must never visit in another order than that of creation: what is measured is the search, not the memory.

/** How many each entity has, and which of them is asked. */
export const TYPES = 8
export const ASKED = 5

/** The value of a component, by the number of its type. */
export const valueOf = (i, type) => i + 0.25 * type

export default {
  name: 'lookup',
  title: 'Lookup: one component of eight by its type, one field of it read',
  unit: 'lookup',
  units: 'lookups',
  sizes: [1_000, 100_000],
  runsPerSample: (size) => Math.max(1, Math.floor(64_000 / size)),
  /** The sum that every run returns. */
  reference: (size) => [(size * (size - 1)) / 2 + size * 0.25 * ASKED],
}
