// Owns the command for who changes assembly/ while tests run over and over: it builds the core anew whenever a file there has changed.
// It must never end because a build has failed: the next change may mend it.
//
//   npm run dev                    beside it: npx vitest tests/rows

import { watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.js'

const ASSEMBLY = join(fileURLToPath(new URL('..', import.meta.url)), 'assembly')

/** An editor writes a file in several steps: what comes within so many milliseconds is one change. */
const SETTLE_MS = 100

const STEPS = ['core', 'each']

let running = Promise.resolve()

/** Builds after the build that is under way. */
function buildNext() {
  running = running.then(() => build({ names: STEPS })).catch((error) => console.error(error.message))
}

let timer
watch(ASSEMBLY, { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(buildNext, SETTLE_MS)
})
buildNext()
