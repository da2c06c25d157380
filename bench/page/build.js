// The page as files and as a server of them.
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { installedPackages } from '../libraries.js'

/** With these a page is isolated from others, and its clock may have finer steps. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

const rolldownOptions = { checks: { pluginTimings: false } }

const config = (folder, plugins = []) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative: the folder can be put anywhere on a static server.
  base: './',
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  plugins,
  define: { PACKAGES: JSON.stringify(installedPackages()) },
  // A reader of a profile should find the names of the cases.
  build: { outDir: folder, emptyOutDir: true, minify: false, target: 'es2022', rolldownOptions },
  worker: { format: 'es', rolldownOptions },
})

/**
 * Writes the page into `folder`. Needs the built library, the kernels of `npm run bench:kernels` and the peers.
 *
 * @param {import('vite').Plugin[]} plugins are added to those of the page
 */
export const buildPage = (folder, plugins) => build(config(folder, plugins))

/**
 * Serves the page in `folder`.
 *
 * @param port one that is free; the next free one is taken if it is not
 * @returns its address
 */
export async function servePage(folder, port) {
  const server = await preview({ ...config(folder), preview: { port, headers: ISOLATION } })
  return server.resolvedUrls.local[0]
}
