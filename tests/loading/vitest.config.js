// How the loading tests run: one after the other, because they share browsers, a tarball and two processors.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.js'],
    globalSetup: './engines.js',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
