// Owns the page as files and as a server of them. It must never list a case, a library or a way by itself.
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { installedPackages, readOffer } from '../offers.js'
import { LIBRARIES_IN_PAGE } from '../plan.js'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** With these a page is isolated from others, and its clock may have finer steps. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/** What each library offers is read in Node, so that the page loads none of them. */
const offers = () =>
  virtualModule('virtual:offers', () => {
    const read = LIBRARIES_IN_PAGE.map(readOffer)
    return `export const offers = ${JSON.stringify(read)}
    export const packages = ${JSON.stringify(installedPackages())}`
  })

/** A file of its own for each adapter, which only the worker that measures it loads. */
const adapters = () =>
  virtualModule('virtual:adapters', () => {
    const entries = LIBRARIES_IN_PAGE.map(
      (name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(path(`../adapters/${name}.js`))})`,
    )
    return `export const adapters = { ${entries.join(', ')} }`
  })

function virtualModule(name, source) {
  const resolved = `\0${name}`
  return {
    name,
    resolveId: (id) => (id === name ? resolved : undefined),
    load: (id) => (id === resolved ? source() : undefined),
  }
}

const rolldownOptions = { checks: { pluginTimings: false } }

const config = (folder, plugins = []) => ({
  root: path('.'),
  // Relative: the folder can be put anywhere on a static server.
  base: './',
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [offers(), ...plugins],
  // A reader of a profile should find the names of the adapters.
  build: { outDir: folder, emptyOutDir: true, minify: false, target: 'es2022', rolldownOptions },
  worker: { format: 'es', plugins: () => [adapters()], rolldownOptions },
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
