// What is to be measured: every library, way, case and size that was chosen.

/** In the order of the tables. A page has no C: what a compiler of this machine made cannot be loaded there. */
export const LIBRARIES = {
  raw: { label: 'hand-written arrays' },
  c: { label: 'C' },
  plain: { label: 'plain JavaScript' },
  strata: { label: 'strata-ecs', packageName: 'strata-ecs' },
  bitecs: { label: 'bitECS', packageName: 'bitecs' },
  piecs: { label: 'piecs', packageName: 'piecs' },
  koota: { label: 'koota', packageName: 'koota' },
  miniplex: { label: 'miniplex', packageName: 'miniplex' },
  wolf: { label: 'wolf-ecs', packageName: 'wolf-ecs' },
}

/**
 * A job for each row, in which measuring.js fills in what comes out; `leftOut` holds what a library is too slow for. `sizes`
 * are for all cases or by the name of a case; `quick` takes the smallest of each, which is enough for a right result.
 */
export function plan({ cases, libraries, sizes, quick }, packages = {}) {
  const [jobs, leftOut] = [[], []]
  for (const work of cases) {
    for (const size of sizesOf(work, sizes, quick)) {
      for (const library of libraries) {
        const { label = library, packageName } = LIBRARIES[library] ?? {}
        const isTooLarge = size > (work.largest?.[library] ?? Infinity)
        for (const way of Object.keys(work.ways[library] ?? {})) {
          const job = { work, size, library, label, version: packages[packageName], way }
          ;(isTooLarge ? leftOut : jobs).push(job)
        }
      }
    }
  }
  return { jobs, leftOut }
}

function sizesOf(work, sizes, quick) {
  const chosen = Array.isArray(sizes) ? sizes : sizes?.[work.name]
  return chosen ?? (quick ? [Math.min(...work.sizes)] : work.sizes)
}
