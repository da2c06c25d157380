// Owns how the page is built and served. It must never know where the page will be put: all its addresses are relative.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import strataKernels from 'strata-ecs/rollup'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  publicDir: false,
  plugins: [strataKernels()],
  build: {
    outDir: fileURLToPath(new URL('../../build/swarm', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
  },
})
