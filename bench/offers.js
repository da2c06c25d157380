// Owns what is installed here and what each library offers, read for Node. It must never import a library that is
// measured: what one offers is read in a process of its own.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const urlOf = (path) => new URL(path, import.meta.url).href
const inBench = (path) => fileURLToPath(urlOf(path))

/** What has to be done before these options can be served, as a sentence, or undefined when all is there. */
export function missing({ libraries, results, report }) {
  if (!results && libraries.includes('strata')) {
    if (!existsSync(inBench('../dist/index.js'))) return 'strata-ecs is not built: run `npm run build` first.'
    if (!kernelsAreCompiled(inBench('kernels'), inBench('../build/bench'))) {
      return 'The kernels are not compiled, or older than their sources: run `npm run bench:kernels` first.'
    }
  }
  const packages = [...(results ? [] : ['bitecs']), ...(report ? ['echarts'] : [])]
  const installed = packages.every((name) => existsSync(inBench(`node_modules/${name}`)))
  return installed ? undefined : 'Run `npm ci --prefix bench` first.'
}

/**
 * Whether each kernel in the folder `sources` was compiled into `compiled` after it was written: an adapter cannot be
 * loaded without one that it imports.
 */
export function kernelsAreCompiled(sources, compiled) {
  const names = readdirSync(sources).filter((name) => name.endsWith('.kernel.ts'))
  return names.every((name) => {
    const made = join(compiled, name.replace(/ts$/, 'js'))
    return existsSync(made) && statSync(made).mtimeMs >= statSync(join(sources, name)).mtimeMs
  })
}

/** What a library says of itself: label, version, ways by case, `uses`, `largest`. Costs a process. */
export function readOffer(library) {
  const adapter = urlOf(`adapters/${library}.js`)
  const startup = existsSync(inBench(`startup/${library}.js`)) ? urlOf(`startup/${library}.js`) : adapter
  const script = `import * as adapter from '${adapter}'
    import * as startup from '${startup}'
    const names = Object.entries({ ...adapter.ways, ...startup.ways }).map(([name, way]) => [name, Object.keys(way)])
    const { label, packageName, uses, largest } = adapter
    process.stdout.write(JSON.stringify({ label, packageName, uses, largest, ways: Object.fromEntries(names) }))`
  const offered = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script]))
  return { library, ...offered, version: offered.packageName && versionOf(offered.packageName) }
}

/** The versions of strata-ecs and of what bench/package.json installs, by name. */
export function installedPackages() {
  const { dependencies } = JSON.parse(readFileSync(inBench('package.json'), 'utf8'))
  return Object.fromEntries(
    ['strata-ecs', ...Object.keys(dependencies)].map((name) => [name, versionOf(name)]),
  )
}

/** The version of an installed package; strata-ecs is this repository. */
function versionOf(packageName) {
  const path = packageName === 'strata-ecs' ? '../package.json' : `node_modules/${packageName}/package.json`
  return JSON.parse(readFileSync(inBench(path), 'utf8')).version
}

/** A digest of the built library, the kernels and everything here that is measured or measures. */
export function digestOfSources() {
  const folders = ['../dist', '../build/bench', '.', 'adapters', 'baselines', 'cases', 'native', 'startup']
  const hash = createHash('sha256')
  for (const folder of folders.filter((one) => existsSync(inBench(one)))) {
    for (const name of readdirSync(inBench(folder)).toSorted()) {
      if (/\.(?:js|wasm|node|c)$/.test(name))
        hash.update(name).update(readFileSync(inBench(`${folder}/${name}`)))
    }
  }
  return hash.digest('hex')
}
