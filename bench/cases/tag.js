// Owns the bulk case: a tag added to all of n entities that have a component. Adapters must never prepare the list of
// entities for this: which ones they are is found by a query, in the timed run.
export default {
  name: 'tag',
  title: 'Tag: added to every entity that a query finds',
  sizes: [10_000, 1_000_000],
  /** How many have the tag after the run, how many after it was removed again, and every value. */
  reference(size) {
    const values = [size, 0]
    for (let i = 0; i < size; i++) values.push(i)
    return values
  },
}
