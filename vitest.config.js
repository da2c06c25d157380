// Owns how the tests run: the same suite over the release core, over the checked one, and over the release core in a real
// browser. It must never leave a test out of one of them that could run in it.

import { availableParallelism } from 'node:os'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import strataKernels from './dist/rollup.js'
import { presentBrowser } from './scripts/browser.js'

// These have a command of their own: check:loading.
const APART = ['tests/loading/**']

// They look at files and processes, not at a core: once is enough.
const ONCE = [
  'tests/baselines.test.js',
  'tests/bench*.test.js',
  'tests/browser.test.js',
  'tests/disposed.test.js',
  'tests/epidemic.test.js',
  'tests/exponential.test.js',
  'tests/kernelGuide.test.js',
  'tests/package.test.js',
  'tests/scenario.test.js',
  // Run both cores by themselves, or make worlds over the checked one by themselves.
  'tests/colony.test.js',
  'tests/core.test.js',
  'tests/docs.test.js',
  'tests/kernelFuzz.test.ts',
  'tests/kernelGuard.test.ts',
  'tests/kernelModule.test.ts',
  'tests/particles.test.js',
  // About what the compiler makes of a kernel.
  'tests/compiler*.test.ts',
  'tests/kernelFunctions.test.ts',
  'tests/kernelLanes.test.ts',
  'tests/kernelLibrary.test.ts',
  'tests/kernelRuns.test.ts',
  'tests/kernelText.test.ts',
  'tests/lanes*.test.ts',
  // About what JavaScript keeps, and about React in a document of its own.
  'tests/leaks.test.ts',
  'tests/react.test.ts',
  // About the page of the swarm, whatever is under it.
  'tests/swarmAddress.test.ts',
  'tests/swarmAppearance.test.ts',
  'tests/swarmCamera.test.ts',
  'tests/swarmFrames.test.ts',
  'tests/swarmPage*.test.js',
  'tests/swarmPopulation.test.ts',
  // Counts how often pieces of the bindings run.
  'tests/work.test.ts',
]

// They need Node: to compile AssemblyScript, to look at its console, to measure its heap.
const IN_NODE = [
  'tests/console.test.ts',
  'tests/fastProperties.test.ts',
  'tests/kernel*.test.ts',
  'tests/oneModule.test.ts',
  'tests/swarm.test.ts',
]

// No test is about time. On a busy machine the random ones take minutes.
const patience = { testTimeout: 600_000, hookTimeout: 600_000 }

const suite = (core, apart) => ({
  // The swarm imports kernels by their sources.
  plugins: [strataKernels()],
  test: {
    name: core,
    include: ['tests/**/*.test.{ts,js}'],
    exclude: [...APART, ...apart],
    provide: { core },
    ...patience,
  },
})

const chromium = {
  test: {
    name: 'chromium',
    include: ['tests/**/*.test.{ts,js}'],
    exclude: [...APART, ...ONCE, ...IN_NODE],
    provide: { core: 'release' },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath: presentBrowser() } }),
      instances: [{ browser: 'chromium' }],
    },
    ...patience,
  },
}

// Vitest leaves one processor to itself, which on a machine of two is half of it.
const maxWorkers = Math.max(1, availableParallelism())

export default defineConfig({
  test: { maxWorkers, projects: [suite('release', []), suite('checked', ONCE), chromium] },
})
