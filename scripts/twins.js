// Owns the comparison of this library with an earlier state of it: the same random scripts are played over both, and what calls return
// and throw, what listeners are told and see, the order of rows and the next handles must be equal line by line. A change of how
// something works shows here what nobody thought to test.
//
//   npm run twins -- main~3                    a commit to compare with
//   npm run twins -- main~3 --seeds 1000 --steps 200
//   npm run twins -- main~3 --first 585        from this seed on
//   npm run twins -- main~3 --scarce           worlds whose memory ends
//   npm run twins -- main~3 --memory           the bytes of memory as well, where the core is the same

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'build/twins')
const SCRIPT = join(ROOT, 'tests/support/twins.ts')
/** Lines that are shown before a difference, and after it. */
const BEFORE = 12
const AFTER = 3
/** The most KiB that a scarce world has. */
const MOST_FREE = 160

/** In place of vitest: the script asks nothing of it. */
const NO_TESTS =
  'export const expect = () => ({ toBe() {}, toEqual() {} }); export const inject = () => undefined'

const git = (...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim()

/** A checkout of a commit with the core built. It stays for the next time. */
function checkout(commit) {
  const folder = join(FOLDER, commit)
  if (!existsSync(join(folder, 'package.json'))) {
    mkdirSync(FOLDER, { recursive: true })
    git('worktree', 'prune')
    git('worktree', 'add', '--detach', '--force', folder, commit)
  }
  if (!existsSync(join(folder, 'node_modules')))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { status } = spawnSync(process.execPath, ['scripts/build.js', 'core', 'each', 'worker'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`The library of ${commit} could not be built.`)
  return folder
}

/** The script of this checkout, over the library of a folder. */
async function bundle(folder, name) {
  const outfile = join(FOLDER, `${name}.mjs`)
  const library = {
    name: 'library',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^vitest$/ }, () => ({ path: 'vitest', namespace: 'none' }))
      onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: NO_TESTS }))
      onResolve({ filter: /^\..*\/(?:bindings|build)\// }, ({ path, resolveDir }) => {
        const file = relative(ROOT, resolve(resolveDir, path))
        return /^(?:bindings|build)\//.test(file) && resolveDir.startsWith(join(ROOT, 'tests'))
          ? { path: `${join(folder, file)}.ts` }
          : undefined
      })
    },
  }
  await build({
    entryPoints: [SCRIPT],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    plugins: [library],
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}

function showDifference(seed, old, now) {
  const at = old.findIndex((line, i) => line !== now[i])
  const place = at < 0 ? Math.min(old.length, now.length) : at
  console.log(`Seed ${seed} differs at line ${place}:`)
  for (const line of old.slice(Math.max(0, place - BEFORE), place)) console.log(`    ${line}`)
  for (const line of old.slice(place, place + AFTER)) console.log(`  - ${line}`)
  for (const line of now.slice(place, place + AFTER)) console.log(`  + ${line}`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '200' },
    steps: { type: 'string', default: '120' },
    first: { type: 'string', default: '1' },
    scarce: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
  },
})
if (positionals.length !== 1) throw new Error('Name a commit to compare with: npm run twins -- main~1')
const commit = git('rev-parse', '--short=12', `${positionals[0]}^{commit}`)
const [first, count] = [Number(values.first), Number(values.seeds)]
const [older, newer] = [await bundle(checkout(commit), `of-${commit}`), await bundle(ROOT, 'of-now')]

let lines = 0
for (let seed = first; seed < first + count; seed++) {
  const free = values.scarce ? seed % MOST_FREE : -1
  const [old, now] = [older, newer].map(({ play }) => play(seed, Number(values.steps), free, values.memory))
  if (old.length !== now.length || old.some((line, i) => line !== now[i])) {
    showDifference(seed, old, now)
    process.exit(1)
  }
  lines += old.length
}
console.log(`${count} scripts of ${values.steps} steps: ${lines} lines are equal to those of ${commit}.`)
