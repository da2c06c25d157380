// Owns what is to be measured: every library, way, case and size that was chosen, and what they are judged by. It must
// never import a library that is measured, nor anything that only Node or only a browser has.

/** The files in bench/adapters, in the order of the tables. */
export const LIBRARIES = [
  'raw',
  'c',
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

/** Those that a browser can load: not what a compiler of this machine made. */
export const LIBRARIES_IN_PAGE = LIBRARIES.filter((library) => library !== 'c')

/**
 * A job for each row; measuring.js fills in what comes out.
 *
 * @param offers what offers.js read of the libraries
 * @param choice.cases those of cases/index.js; what they are judged by (`beside`) is measured, too, as far as the
 *   libraries were chosen
 * @param choice.sizes only these, for all cases or by the name of a case; without them each case has its own
 * @param choice.quick the smallest size of each case, which is enough for a right result
 * @returns `leftOut` holds what a library is too slow for, as its adapter says
 */
export function plan(offers, { cases, sizes, quick }) {
  const chosen = cases.flatMap((work) =>
    (chosenSizesOf(work, sizes) ?? (quick ? [Math.min(...work.sizes)] : work.sizes)).map((size) => ({
      work,
      size,
    })),
  )
  const yardsticks = quick ? [] : chosen.flatMap(yardsticksOf)
  const jobs = new Map()
  const leftOut = []
  for (const { work, size, only } of [...chosen, ...yardsticks]) {
    for (const { library, label, version, ways, largest } of offers) {
      if (only && library !== only) continue
      const tooLarge = size > (largest?.[work.name] ?? Infinity)
      for (const way of ways[work.name] ?? []) {
        const job = { work, size, library, label, version, way }
        const key = JSON.stringify([work.name, size, library, way])
        if (!tooLarge && !jobs.has(key)) jobs.set(key, job)
        else if (tooLarge && !only) leftOut.push(job)
      }
    }
  }
  return { offers, jobs: [...jobs.values()], leftOut }
}

const chosenSizesOf = ({ name }, sizes) => (Array.isArray(sizes) ? sizes : sizes?.[name])

/** The rows of other cases beside which the rows of a case are shown. */
const yardsticksOf = ({ work, size }) =>
  (work.beside ?? [])
    .filter((yardstick) => yardstick.work)
    .map((yardstick) => ({
      work: yardstick.work,
      size: yardstick.size ?? size,
      only: yardstick.library ?? 'strata',
    }))
