// Owns what the search of the site knows beside the words of its pages: that a guide comes before the reference and before
// pages for contributors, and what a whole page is about before its sections. What people call things elsewhere is on the pages,
// in a line of other words each. It runs in the page.

/** Words that say nothing of what is looked for: nearly every page has them. */
const SMALL = new Set(
  'a an and are at can do does for from how i if in is it my of on or the this to use what when where why with'.split(
    ' ',
  ),
)

/** Pages that tell rather than list come first. */
const WEIGHTS = [
  [/\/docs\/(?:internals\/|benchmarks\b)|\/packages\/(?!ensemble\/)/, 0.3],
  [/\/docs\/(?:errors|recipes|coming-from)\b/, 0.4],
  [/\/docs\//, 1],
  [/\/examples\//, 0.5],
  [/\/api\//, 0.15],
  [/\/(?:CONTRIBUTING|CHANGELOG)\b/, 0.1],
]

const BEGINNING = 2

export const searchOptions = {
  /** The word that is searched for in place of one that was typed; null for none. */
  processTerm(term) {
    const word = term.toLowerCase()
    return SMALL.has(word) ? null : word
  },
  /** The beginning of a page, below no other heading, says what all of it is about, and has its line of other words. */
  boostDocument: (id, _term, { titles } = {}) =>
    (WEIGHTS.find(([pattern]) => pattern.test(id))?.[1] ?? 1) * (titles?.length === 0 ? BEGINNING : 1),
}
