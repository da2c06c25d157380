// Owns the structural change case: Velocity (0, 0, 0) added to n entities that have Position, then removed from
// all. Adapters must never skip the zeros, as in the spawn case, and keep the handles outside of the library.

/** What entity i has in x. No whole number: V8 would not take it for a float. */
export const placeOf = (i) => i + 0.5

const addRemove = {
  name: 'add-remove',
  title: 'Add + remove: one component of 3 x f32, by kept handles',
  sizes: [1_000, 100_000],
  beside: [{ name: 'piecs', library: 'piecs' }],
  /** After an add: how many have both, the sum of all velocities. After the remove: how many have both, every x. */
  reference(size) {
    const values = [size, 0, 0]
    for (let i = 0; i < size; i++) values.push(placeOf(i))
    return values
  },
}

export default addRemove

/** What the calls of ours are judged by: piecs is the fastest that changes one entity at a time. */
export const PIECS_ADD_REMOVE = {
  name: "piecs' add + remove",
  work: addRemove,
  size: 1_000,
  library: 'piecs',
}
