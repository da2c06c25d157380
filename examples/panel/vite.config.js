// Owns how the page is built and served. All its addresses are relative, so it works in any folder of any server.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  root: path('.'),
  base: './',
  publicDir: false,
  build: {
    outDir: path('../../build/panel'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
