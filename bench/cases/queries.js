// Owns the cases of one rare entity among 10,000 archetypes, told apart by tags, one entity in each: what a query costs
// that finds nobody else, when it is new and when it is repeated. Adapters must never ask a new query twice: the second
// would be answered from what a library keeps.

export const ARCHETYPES = 10_000
export const TAGS = 20

/** The entity that has the rare component, with a value to begin with. */
export const RARE = 7_777
export const START = 5

/** Below this, each number is another choice of tags. */
const CHOICES = 2 ** TAGS

/**
 * What the n-th new query asks for beside the rare component: of the tags that n chooses, those that the rare entity has,
 * and of the others that they are not there. Counted from 1.
 */
export function choiceOf(n, tags) {
  if (n >= CHOICES) throw new RangeError(`There are no more than ${CHOICES} queries; shorten --milliseconds.`)
  const present = []
  const absent = []
  for (let bit = 0; bit < TAGS; bit++) {
    if ((n & (1 << bit)) === 0) continue
    if ((RARE & (1 << bit)) !== 0) present.push(tags[bit])
    else absent.push(tags[bit])
  }
  return { present, absent }
}

const shared = { unit: 'query', units: 'query among 10,000 archetypes', sizes: [1] }

export const queryCases = [
  {
    ...shared,
    name: 'query-new',
    title: 'New query: one that nobody asked before and that finds one entity, which is counted',
    runsPerSample: () => 16,
    /** How many entities all of them found. */
    reference: (size, runs) => [runs],
  },
  {
    ...shared,
    name: 'query-rare',
    title: 'Rare query: one component of the only entity found grows by 1',
    runsPerSample: () => 256,
    /** What the component of the rare entity has. */
    reference: (size, runs) => [START + runs],
  },
]
