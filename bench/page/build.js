// The page as files and, as a command, as a server of them: `node bench/page/build.js [--port N] [--folder PATH]`.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, preview } from 'vite'
import { ISOLATION } from '../../examples/servePage.js'
import { installedPackages, missing } from '../libraries.js'
import { fail } from '../options.js'

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
 * Writes the page into `folder`. Needs the built library, the kernels of `node scripts/build.js bench` and the peers.
 *
 * @param {import('vite').Plugin[]} plugins are added to those of the page
 */
export const buildPage = (folder, plugins) => build(config(folder, plugins))

/** How vite serves what is in `folder`, at this port or the next free one; at 0, at any. */
export const served = (folder, port) => ({ ...config(folder), preview: { port, headers: ISOLATION } })

/** Builds and serves it until it is interrupted; the next free port is taken if this one is not. */
async function command() {
  const folder = fileURLToPath(new URL('../../build/bench-page', import.meta.url))
  const options = { port: { type: 'string', default: '4173' }, folder: { type: 'string', default: folder } }
  const { values } = parseArgs({ options })
  const reason = missing()
  if (reason) fail(reason)
  await buildPage(values.folder)
  const server = await preview(served(values.folder, Number(values.port)))
  console.log(`The page is at ${server.resolvedUrls.local[0]}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await command()
