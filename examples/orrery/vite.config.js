// Owns how the page is built and served. All its addresses are relative, so it works in any folder of any server.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import strataKernels from 'strata-ecs/rollup'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  root: path('.'),
  base: './',
  publicDir: false,
  plugins: [strataKernels()],
  build: {
    outDir: path('../../build/orrery'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
