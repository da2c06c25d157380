// Owns how the tests of a room run over code that StrykerJS has changed: as `npm test` runs them over the release core, with a
// sixteenth of each random proof. STRATA_ROOM_TESTS has the files, as run.js names them.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { COMPILED_LIBRARY } from '../../scripts/test-library.js'

process.env.STRATA_TESTS = 'quick'
process.env.STRATA_BROWSER = 'none'
const { default: config } = await import('../../vitest.config.js')

const { plugins, test } = config.test.projects.find((project) => project.test.name === 'release')

/** `npm test` leaves the packages out. Here their tests run when their own sources are changed. */
const isPackage = (pattern) => pattern.startsWith('packages/')

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // Vitest must load the sources, which StrykerJS changes.
  plugins: plugins.filter((plugin) => plugin?.name !== COMPILED_LIBRARY),
  test: {
    ...test,
    include: process.env.STRATA_ROOM_TESTS.split(','),
    exclude: test.exclude.filter((pattern) => !isPackage(pattern)),
  },
})
