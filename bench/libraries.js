// Who is measured: the libraries in the order of the tables, and which versions of them are installed.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LIBRARIES } from './plan.js'

const inBench = (path) => fileURLToPath(new URL(path, import.meta.url))
const manifestOf = (name) => (name === 'strata-ecs' ? '../package.json' : `node_modules/${name}/package.json`)
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
  if (!kernelsAreCompiled(inBench('kernels'), inBench('../build/bench'))) {
    return 'The kernels are not compiled, or older than their sources: run `npm run bench:kernels` first.'
  }
  return isThere('node_modules/bitecs') ? undefined : 'Run `npm ci --prefix bench` first.'
}

/** Whether each kernel in the folder `sources` was compiled into `compiled` after it was written. */
export function kernelsAreCompiled(sources, compiled) {
  const names = readdirSync(sources).filter((name) => name.endsWith('.kernel.ts'))
  return names.every((name) => {
    const made = join(compiled, name.replace(/ts$/, 'js'))
    return existsSync(made) && statSync(made).mtimeMs >= statSync(join(sources, name)).mtimeMs
  })
}
