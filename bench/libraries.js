// Who is measured: the libraries in the order of the tables, and which versions of them are installed.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LIBRARIES } from './plan.js'

const inBench = (path) => fileURLToPath(new URL(path, import.meta.url))
const manifestOf = (name) => `../node_modules/${name}/package.json`
const isThere = (path) => existsSync(inBench(path))

/** The versions by the name of the package. */
export function installedPackages() {
  const names = Object.values(LIBRARIES).flatMap(({ packageName }) => packageName ?? [])
  const versionOf = (name) => JSON.parse(readFileSync(inBench(manifestOf(name)), 'utf8')).version
  return Object.fromEntries(names.map((name) => [name, versionOf(name)]))
}

/** What has to be done before anything can be measured, as a sentence, or undefined when all is there. */
export function missing() {
  if (!isThere('../dist/index.js')) return 'strata-ecs is not built: run `npm run build` first.'
  const kernels = ['loop', 'tree'].map((name) => `../build/bench/${name}.kernel.js`)
  if (!kernels.every(isThere)) return 'The kernels are not compiled: run `node scripts/build.js bench` first.'
  return isThere(manifestOf('bitecs')) ? undefined : 'Run `npm ci` first.'
}
