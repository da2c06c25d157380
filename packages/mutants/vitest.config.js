// Owns how tests run over a broken library: the release project, with a sixteenth of its random proofs, as `npm test` runs it.
// STRATA_BROKEN names a JSON file that says what is broken: { file, find, replace } in bindings/, or { core }, the text of
// a core to use in place of the built one. It must never change a file of the checkout.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { COMPILED_LIBRARY } from '../scripts/test-library.js'

process.env.STRATA_TESTS = 'quick'
process.env.STRATA_BROWSER = 'none'
const { default: config } = await import('../vitest.config.js')

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const broken = process.env.STRATA_BROKEN ? JSON.parse(readFileSync(process.env.STRATA_BROKEN, 'utf8')) : {}

/** `quick` has no time for whole rooms that are about compilers; who breaks their sources needs them. */
const isRoom = (pattern) => /^tests\/(?:kernelLibrary|loopCompiler)\/\*\*/.test(pattern)
const excludedFrom = ({ exclude = [] }) => exclude.filter((pattern) => !isRoom(pattern))

/** Puts what is broken in the place of what is whole, in what the tests are given alone. */
const breaks = {
  name: 'breaks',
  enforce: 'pre',
  resolveId: (id) => (broken.core && id.endsWith('/build/base') ? broken.core : undefined),
  transform: (text, id) => {
    if (!broken.file || id !== ROOT + broken.file) return undefined
    if (!text.includes(broken.find)) throw new Error(`The text to break is not in ${broken.file}.`)
    return text.replace(broken.find, () => broken.replace)
  },
}

const projects = config.test.projects
  .filter(({ test }) => ['release', 'release alone', 'measured'].includes(test.name))
  .map((project) => ({
    ...project,
    root: ROOT,
    // Vitest must load the sources, or nothing would be broken.
    plugins: [breaks, ...project.plugins.filter((plugin) => plugin?.name !== COMPILED_LIBRARY)],
    // It compares the core with the built one, and would notice anything.
    test: { ...project.test, exclude: [...excludedFrom(project.test), 'tests/memory/core.once.test.js'] },
  }))

/** Stryker runs one project, and the files that it is given alone. */
const [release] = projects.filter(({ test }) => test.name === 'release')
const filesOfRoom = process.env.STRATA_ROOM_TESTS?.split(',')

export default defineConfig(
  filesOfRoom
    ? { ...release, test: { ...release.test, include: filesOfRoom } }
    : { root: ROOT, test: { maxWorkers: 1, projects } },
)
