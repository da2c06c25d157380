// Owns `npm run check`: it formats, lints and type-checks what has changed since the branch left the main one, committed or not, and
// builds only what that needs. CI checks everything: a file that did not change can still break.
//
//   npm run check
//   npm run check -- --since v0.1.0

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from './build.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const bin = (path) => join(ROOT, 'node_modules', path)
const TOOLS = {
  eslint: bin('eslint/bin/eslint.js'),
  prettier: bin('prettier/bin/prettier.cjs'),
  tsc: bin('typescript/bin/tsc'),
  vitest: bin('vitest/vitest.mjs'),
}

/** These tests read sources alone, in seconds: rooms and imports, headers and lengths, names of tests. */
const READERS = ['rooms', 'sources', 'testNames', 'keptAddresses'].map(
  (name) => `tests/repository/${name}.test.js`,
)

const LINTED = /\.(?:js|tsx?)$/
const TYPED = /\.tsx?$/
/** AssemblyScript has a compiler of its own, which the build runs. */
const IS_ASSEMBLY = /^assembly\/|\.kernel\.ts$/
/** What is written against the types of the package. */
const USES_DIST = /^(?:bench|examples|tests\/types)\//

const git = (...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim()

/** The commit that changes are counted from: where this branch left the main one, or the last commit on it. */
function baseOf() {
  for (const main of ['origin/main', 'main'])
    try {
      return git('merge-base', 'HEAD', main)
    } catch {
      // There is no such branch.
    }
  return 'HEAD'
}

/** Files that differ from a commit and are still there, those that git does not know among them. */
export function changedSince(base) {
  const known = git('diff', '--name-only', '--diff-filter=d', base)
  const added = git('ls-files', '--others', '--exclude-standard')
  return [...new Set(`${known}\n${added}`.split('\n'))].filter((file) => file !== '').sort()
}

/** The project that a TypeScript file is checked in: tests have one, any other file that of the nearest folder above it. */
export function projectOf(file) {
  if (file.startsWith('packages/compile/src/ahead/')) return 'packages/kernels/tsconfig.json'
  if (/^packages\/\w+\/tests\//.test(file)) return 'tests/tsconfig.json'
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const project = join(folder, 'tsconfig.json').replaceAll('\\', '/')
    if (existsSync(join(ROOT, project))) return project
    if (folder === '.') return undefined
  }
}

/**
 * What is to be done about changed files.
 *
 * @param {string[]} files paths from the root
 * @returns `steps`, of the build; `linted` and `formatted`, files; `projects`, each a tsconfig.json
 */
export function planOf(files) {
  const linted = files.filter((file) => LINTED.test(file))
  const typed = files.filter((file) => TYPED.test(file) && !IS_ASSEMBLY.test(file))
  const projects = new Set(typed.map(projectOf).filter(Boolean))
  // Tests use the sources of the library.
  if (projects.has('tsconfig.json')) projects.add('tests/tsconfig.json')
  const steps = typed.some((file) => USES_DIST.test(file)) ? ['modules'] : ['core', 'each', 'worker']
  const isCode = linted.length > 0 || files.some((file) => file.startsWith('assembly/'))
  return { steps: isCode ? steps : [], linted, formatted: files, projects: [...projects].sort() }
}

/** Runs a tool of Node. Resolves to its name and whether it passed, and prints what it said if it did not. */
async function run(name, words) {
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const [code] = await once(child, 'close')
  console.log(`${code === 0 ? 'passed' : 'FAILED'}: ${name}`)
  if (code !== 0) console.log(said)
  return code === 0
}

async function check(base) {
  const began = performance.now()
  const files = changedSince(base)
  const { steps, linted, formatted, projects } = planOf(files)
  console.log(`${files.length} changed ${files.length === 1 ? 'file' : 'files'} since ${base.slice(0, 8)}.`)
  if (files.length === 0) return true
  const passed = [await run('format', [TOOLS.prettier, '--write', '--ignore-unknown', ...formatted])]
  if (steps.length > 0) await build({ names: steps })
  // Two at a time, because each takes a processor.
  const jobs = [
    ...projects.map(
      (project) => () => run(`types of ${project}`, [TOOLS.tsc, '--noEmit', '--incremental', '-p', project]),
    ),
    ...(linted.length > 0 ? [() => run('lint', [TOOLS.eslint, '--no-warn-ignored', ...linted])] : []),
    () => run('words', ['scripts/words.js']),
    () => run('rooms, headers and names', [TOOLS.vitest, 'run', ...READERS]),
  ]
  const worker = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) passed.push(await job())
  }
  await Promise.all([worker(), worker()])
  console.log(`${Math.round((performance.now() - began) / 1000)} s.`)
  return passed.every(Boolean)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { since: { type: 'string' } } })
  if (!(await check(values.since ?? baseOf()))) process.exitCode = 1
}
