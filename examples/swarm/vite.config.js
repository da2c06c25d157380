// Owns how the page is built and served. It must never know where the page will be put: all its addresses are relative.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import strataKernels from 'strata-ecs/rollup'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Where the page sends readers: the package's own page; while it has none, its README, which then lies beside the page. */
function readme() {
  const { homepage } = JSON.parse(readFileSync(path('../../package.json'), 'utf8'))
  let isBuild = false
  return {
    name: 'readme',
    configResolved: ({ command }) => void (isBuild = command === 'build'),
    transformIndexHtml: (html) =>
      html.replace('%README%', homepage ?? (isBuild ? './README.md' : `/@fs/${path('../../README.md')}`)),
    generateBundle() {
      if (homepage) return
      this.emitFile({ type: 'asset', fileName: 'README.md', source: readFileSync(path('../../README.md')) })
    },
  }
}

export default defineConfig({
  root: path('.'),
  base: './',
  publicDir: false,
  plugins: [strataKernels(), readme()],
  build: {
    outDir: path('../../build/swarm'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
