// Owns the deferral cases: changes of n entities that wait for the end of a block, one for each entity or four.
// Adapters must never use bulk changes of a query: what is measured is the cost of one command.
const reference = (size) => {
  const values = [size, 0]
  for (let i = 0; i < size; i++) values.push(i)
  return values
}

export default {
  name: 'deferred',
  title: 'Deferred: one component added to every entity, removed again',
  sizes: [1_000, 10_000],
  /** After the adds: how many have all that was added. After the removes: how many have any, every x. */
  reference,
}

export const deferredFour = {
  name: 'deferred-four',
  title: 'Deferred: four components added to every entity, one by one, removed again',
  sizes: [1_000, 10_000],
  reference,
}
