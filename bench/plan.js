// Owns what is to be measured: every library, way, case and size that was chosen. It must never import a library that
// is measured, nor anything that only Node or only a browser has.

/** The files in bench/adapters, in the order of the tables. */
export const LIBRARIES = [
  'raw',
  'baselines',
  'strata',
  'bitecs',
  'piecs',
  'koota',
  'miniplex',
  'elics',
  'wolf',
  'oecs',
  'becsy',
  'woven',
]

/**
 * A job for each row; measuring.js fills in what comes out.
 *
 * @param offers what offers.js read of the libraries
 * @param choice.cases those of cases/index.js
 * @param choice.sizes only these; without them each case has its own
 * @param choice.quick the smallest size of each case, which is enough for a right result
 * @returns `leftOut` holds what a library is too slow for, as its adapter says
 */
export function plan(offers, { cases, sizes, quick }) {
  const jobs = []
  const leftOut = []
  for (const work of cases) {
    for (const size of sizes ?? (quick ? [Math.min(...work.sizes)] : work.sizes)) {
      for (const { library, label, version, ways, largest } of offers) {
        const names = ways[work.name] ?? []
        const target = size > (largest?.[work.name] ?? Infinity) ? leftOut : jobs
        for (const way of names) target.push({ work, size, library, label, version, way })
      }
    }
  }
  return { offers, jobs, leftOut }
}
