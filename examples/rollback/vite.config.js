// Owns how the page is built and served. All its addresses are relative, so it works in any folder of any server.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Puts the page of the guide beside the page, which links to it. */
const guide = {
  name: 'guide',
  generateBundle() {
    const source = readFileSync(path('../../docs/rollback.md'))
    this.emitFile({ type: 'asset', fileName: 'rollback.md', source })
  },
}

export default defineConfig({
  root: path('.'),
  base: './',
  publicDir: false,
  plugins: [guide],
  build: {
    outDir: path('../../build/rollback'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
