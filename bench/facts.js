// Owns what a run of all cases finds out beside the times: the size of the package. It must never time anything.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** `bundle`: bytes of the gzipped entry. Nothing for a part of the cases. */
export function factsOf({ whole, quick, libraries }) {
  if (!whole || quick || !libraries.includes('strata')) return undefined
  const entry = readFileSync(new URL('../dist/strata-ecs.min.js', import.meta.url))
  return { bundle: gzipSync(entry, { level: 9 }).length }
}
