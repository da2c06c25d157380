// Owns what a run of all cases finds out beside the times: the size of the package, and the garbage of a frame. It must
// never time anything.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** `bundle`: bytes of the gzipped entry; `garbage`: by kind of frame. Nothing for a part of the cases. */
export function factsOf({ whole, quick, libraries }) {
  if (!whole || quick || !libraries.includes('strata')) return undefined
  const entry = readFileSync(new URL('../dist/strata-ecs.min.js', import.meta.url))
  const allocation = fileURLToPath(new URL('allocation.js', import.meta.url))
  const garbage = execFileSync(process.execPath, [allocation, '--json'], { encoding: 'utf8' })
  return { bundle: gzipSync(entry, { level: 9 }).length, garbage: JSON.parse(garbage) }
}
