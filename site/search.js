// Owns what the search of the site knows beside the words of its pages: what people call things elsewhere, and that a guide
// comes before the reference and before pages for contributors. It runs in the page.

/** What a word of other libraries is called here. The words themselves are searched for, too. */
export const SYNONYMS = {
  blueprint: ['prefab', 'spawnFrom'],
  child: ['relation', 'childof'],
  children: ['relation', 'sources'],
  delete: ['destroy'],
  despawn: ['destroy'],
  deserialize: ['loadworld'],
  devtools: ['inspector'],
  foreach: ['each'],
  global: ['resource'],
  hierarchy: ['relation', 'cascade'],
  iterate: ['loop'],
  kill: ['destroy'],
  load: ['loadworld'],
  multiplayer: ['rollback', 'replicas'],
  netcode: ['rollback', 'replicas'],
  network: ['rollback', 'replicas'],
  networking: ['rollback', 'replicas'],
  observer: ['listener'],
  online: ['rollback'],
  parent: ['relation', 'childof'],
  persist: ['save'],
  redo: ['undo', 'goto'],
  replay: ['rollback', 'checkreplay'],
  scene: ['relation'],
  serialize: ['save'],
  signal: ['listener'],
  singleton: ['resource'],
  string: ['text'],
  template: ['prefab', 'spawnFrom'],
  thread: ['worker'],
  trait: ['component'],
  undo: ['history', 'rewind'],
  update: ['set', 'system'],
}

/** Words that say nothing of what is looked for: nearly every page has them. */
const SMALL = new Set(
  'a an and are at can do does for from how i if in is it my of on or the this to use what when where why with'.split(
    ' ',
  ),
)

/** Pages that tell rather than list come first. */
const WEIGHTS = [
  [/\/docs\/(?:internals\/|benchmarks\b)/, 0.3],
  [/\/docs\/(?:errors|recipes|coming-from)\b/, 0.4],
  [/\/docs\//, 1],
  [/\/examples\//, 0.5],
  [/\/api\//, 0.3],
  [/\/(?:CONTRIBUTING|CHANGELOG)\b/, 0.1],
]

const lower = (word) => word.toLowerCase()

export const searchOptions = {
  /** The words that are searched for in place of one that was typed. */
  processTerm(term) {
    const word = lower(term)
    if (SMALL.has(word)) return null
    return Object.hasOwn(SYNONYMS, word) ? [word, ...SYNONYMS[word].map(lower)] : word
  },
  boostDocument: (id) => WEIGHTS.find(([pattern]) => pattern.test(id))?.[1] ?? 1,
}
