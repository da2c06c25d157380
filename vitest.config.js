// Owns how the tests run: the same suite twice, once over the release core and once over the checked one.
// It must never leave a test out of one of them that could run in both.

import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const suite = (core) => ({
  test: {
    name: core,
    include: ['tests/**/*.test.{ts,js}'],
    // These look at files and processes, not at a core: once is enough.
    exclude: [
      // These have a command of their own: check:loading.
      'tests/loading/**',
      ...(core === 'checked'
        ? [
            'tests/package.test.js',
            'tests/baselines.test.js',
            'tests/bench*.test.js',
            'tests/kernelGuide.test.js',
            'tests/epidemic.test.js',
            'tests/exponential.test.js',
            // Run both cores by themselves.
            'tests/colony.test.js',
            'tests/particles.test.js',
            'tests/docs.test.js',
            'tests/core.test.js',
            'tests/kernelFuzz.test.ts',
            'tests/kernelModule.test.ts',
            // Makes worlds over the checked core by itself.
            'tests/kernelGuard.test.ts',
            'tests/compiler*.test.ts',
            'tests/lanes*.test.ts',
            'tests/kernelFunctions.test.ts',
            'tests/kernelLanes.test.ts',
            'tests/kernelLibrary.test.ts',
            'tests/kernelRuns.test.ts',
            'tests/kernelText.test.ts',
          ]
        : []),
    ],
    env: { STRATA_CORE: core },
    // No test is about time. On a busy machine the random ones take minutes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})

// Vitest leaves one processor to itself, which on a machine of two is half of it.
const maxWorkers = Math.max(1, availableParallelism())

export default defineConfig({ test: { maxWorkers, projects: [suite('release'), suite('checked')] } })
