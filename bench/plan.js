// Owns what is to be measured: every library, way, case and size that was chosen, with what each library says of
// itself. It must never import a library that is measured: what one offers is read in a process of its own.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The files in bench/adapters, in the order of the tables. */
export const LIBRARIES = [
  'raw',
  'baselines',
  'strata',
  'bitecs',
  'piecs',
  'koota',
  'miniplex',
  'elics',
  'wolf',
]

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
  const packages = [...(results ? [] : ['mitata']), ...(report ? ['echarts'] : [])]
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

/** The libraries with what they offer, and a job for each row; `measuring.js` fills in what comes out. */
export function plan({ cases, sizes, libraries, quick }) {
  const offers = libraries.map(readOffer)
  const jobs = []
  for (const work of cases) {
    // A right result at the smallest size is what a quick run is about.
    for (const size of sizes ?? (quick ? [Math.min(...work.sizes)] : work.sizes)) {
      for (const { library, label, version, ways, largest } of offers) {
        if (size > (largest?.[work.name] ?? Infinity)) {
          console.error(`left out: ${work.name} ${size}, ${label}: see its adapter`)
          continue
        }
        for (const way of ways[work.name] ?? []) jobs.push({ work, size, library, label, version, way })
      }
    }
  }
  return { offers, jobs }
}

function readOffer(library) {
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

/** The version of an installed package; strata-ecs is this repository. */
export function versionOf(packageName) {
  const path = packageName === 'strata-ecs' ? '../package.json' : `node_modules/${packageName}/package.json`
  return JSON.parse(readFileSync(inBench(path), 'utf8')).version
}
