// Owns the hunt for faults that no test of a room notices: it breaks one place after the other and runs the room's tests over
// each. The places of mutants/ come first; StrykerJS then changes every expression of a room in bindings/. It is for
// people who work in a room, not for CI. It must never change a file of the checkout.
//
//   node scripts/mutants.js assembly/pools                      the places of a room, or of a file
//   node scripts/mutants.js bindings/relations                  the same, then StrykerJS
//   node scripts/mutants.js bindings/relations/levels.ts --only stryker
//   node scripts/mutants.js bindings/relations --share 0.05     a twentieth of its lines, where the whole would take a day
//   node scripts/mutants.js assembly --quick                    the tests alone that each place names
//   node scripts/mutants.js assembly/order --tests tests/whole/model.checked.proof.small.test.ts --place 'NaN first'
//                                                          more tests than the room's, and one place only

import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import asc from 'assemblyscript/asc'
import { BINDING_PLACES } from '../mutants/bindingPlaces.js'
import { CORE_PLACES } from '../mutants/corePlaces.js'
import { coreText } from './core-text.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TOOLS = 'mutants'
const OUT = 'build/mutants'
const VITEST = 'node_modules/vitest/vitest.mjs'

/** Time is in no plain model of a room: this proof stands beside the tests of each. */
const ALWAYS = 'tests/whole/owed.proof.test.ts'

/** The rooms of tests/ that test a room of the core; those of the bindings have the same name there. */
const TESTS_OF_CORE = {
  memory: ['memory'],
  components: ['components', 'rows'],
  tables: ['rows', 'matching', 'world'],
  archetypes: ['rows', 'queries'],
  pools: ['rows', 'loops'],
  queries: ['queries', 'matching'],
  rows: ['rows', 'changes', 'matching'],
  order: ['queries'],
}

/** The tests of the room that a source file is in. */
export function testsOfRoom(file) {
  const [house, room] = file.split('/')
  const rooms = house === 'assembly' ? TESTS_OF_CORE[room] : [room]
  if (rooms === undefined)
    throw new Error(`No tests are known for ${house}/${room}: give it a line in TESTS_OF_CORE.`)
  return [...rooms.map((name) => `tests/${name}/`), ALWAYS]
}

/**
 * The places in a house, a room or a file.
 *
 * @throws {Error} when the text of a place is not in its file exactly once
 */
export function placesIn(target, places = [...CORE_PLACES, ...BINDING_PLACES], read = textOf) {
  const chosen = places.filter(({ file }) => file === target || file.startsWith(`${target}/`))
  for (const { file, find, breaks } of chosen) {
    const times = read(file).split(find).length - 1
    if (times === 1) continue
    const found = times === 0 ? 'is no longer' : `is ${times} times`
    throw new Error(`This text ${found} in ${file}, where it must be once for '${breaks}': ${find.trim()}`)
  }
  return chosen
}

function textOf(file) {
  return readFileSync(join(ROOT, file), 'utf8')
}

/**
 * Compiles a core with one place broken and returns the path of its text. Only the release core is made, with little
 * optimizing, for that takes most of the time of a build. The layout stays that of the whole core: no place may change it.
 */
async function breakCore({ file, find, replace }, folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(ROOT, 'assembly'), join(folder, 'assembly'), { recursive: true })
  const config = JSON.parse(textOf('asconfig.json'))
  Object.assign(config.targets.release, { outFile: 'core.wasm', optimizeLevel: 1, shrinkLevel: 0 })
  Object.assign(config.targets.release, { converge: false, runPasses: [], textFile: '' })
  writeFileSync(join(folder, 'asconfig.json'), JSON.stringify(config))
  writeFileSync(
    join(folder, file),
    textOf(file).replace(find, () => replace),
  )
  const parameters = [
    'assembly/core.ts',
    '--baseDir',
    folder,
    '--config',
    'asconfig.json',
    '--target',
    'release',
  ]
  const { error, stderr } = await asc.main(parameters)
  if (error) throw new Error(`The core does not compile with this place broken:\n${stderr}`)
  const { text: core } = coreText(readFileSync(join(folder, 'core.wasm')))
  const text = join(folder, 'base.ts')
  // It is whole: no part is asked for then.
  writeFileSync(text, `export function baseText(): string {\n  return '${core}'\n}\n`)
  return text
}

/**
 * Runs tests until the first failure.
 *
 * @returns the failure: the file and the title of a test, or what else ended the run; undefined when all pass
 */
async function firstFailure(tests, broken, folder, seconds) {
  const [results, settings] = [join(folder, 'results.json'), join(folder, 'broken.json')]
  rmSync(results, { force: true })
  writeFileSync(settings, JSON.stringify(broken))
  const config = ['--config', `${TOOLS}/vitest.config.js`, '--bail', '1']
  const reports = ['--reporter', 'json', '--outputFile', results]
  const child = spawn(process.execPath, [VITEST, 'run', ...tests, ...config, ...reports], {
    cwd: ROOT,
    stdio: 'ignore',
    // A group of its own, so that a loop without an end in a worker ends with it.
    detached: true,
    env: { ...process.env, STRATA_BROKEN: settings },
  })
  let late = false
  const stop = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
  const timer = setTimeout(() => {
    late = true
    stop()
  }, seconds * 1000)
  process.once('exit', stop)
  const code = await new Promise((resolve) => child.once('exit', resolve))
  process.off('exit', stop)
  clearTimeout(timer)
  if (late) return { title: `no end within ${seconds} s` }
  if (code === 0) return undefined
  if (!existsSync(results)) return { title: 'the tests do not run' }
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'))
  if (testResults.length === 0) throw new Error(`There are no tests in ${tests.join(', ')}.`)
  for (const { name, message, assertionResults } of testResults) {
    const file = name.slice(ROOT.length)
    const failed = assertionResults.find(({ status }) => status === 'failed')
    if (failed) return { file, title: failed.fullName }
    if (message) return { file, title: message.split('\n')[0] }
  }
  return { title: 'an error outside of tests' }
}

/**
 * Breaks each place and runs its tests: those that it names, then all of its room.
 *
 * @returns how many places no test noticed
 */
async function runTable(places, { more, quick, seconds, say }) {
  const folder = join(ROOT, OUT, `table-${process.pid}`)
  const whole = new Map()
  /** Whether a file fails although nothing is broken: then it proves nothing. */
  const failsAnyway = async (file) => {
    if (file === undefined) return false
    if (!whole.has(file)) whole.set(file, await firstFailure([file], {}, folder, seconds))
    return whole.get(file) !== undefined
  }
  let survivors = 0
  try {
    for (const place of places) {
      const began = performance.now()
      const { file, find, replace } = place
      mkdirSync(folder, { recursive: true })
      const broken = file.startsWith('assembly/')
        ? { core: await breakCore(place, folder) }
        : { file, find, replace }
      let failure
      const named = place.tests.map((name) => `tests/${name}.`)
      for (const tests of quick ? [named] : [named, [...testsOfRoom(file), ...more]]) {
        failure = await firstFailure(tests, broken, folder, seconds)
        if (failure) break
      }
      if (await failsAnyway(failure?.file))
        throw new Error(`${failure.file} fails although nothing is broken: '${failure.title}'.`)
      if (!failure) survivors++
      const by = failure && `\n         ${[failure.file, failure.title].filter(Boolean).join(': ')}`
      const took = Math.round((performance.now() - began) / 1000)
      say(`${failure ? 'noticed ' : 'SURVIVED'} ${file}: ${place.breaks}${by ?? ''} (${took} s)`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return survivors
}

/** The files of a room, or the one file that a target is. */
function filesIn(target) {
  if (!statSync(join(ROOT, target)).isDirectory()) return [target]
  const names = readdirSync(join(ROOT, target), { recursive: true }).sort()
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${target}/${name.replaceAll('\\', '/')}`)
}

/**
 * Chooses some lines of files by chance; the same seed chooses the same lines. What StrykerJS changes must lie within one of them,
 * so that the removal of a block of several lines is never among it.
 *
 * @returns ranges as StrykerJS takes them: 'bindings/queries/look.ts:12-12'
 */
export function someLines(files, share, seed, read = textOf) {
  let state = seed >>> 0
  const chance = () => {
    state = (state + 0x9e3779b9) >>> 0
    const mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    return ((Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
  return files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) => (line.trim() !== '' && chance() < share ? [`${file}:${i + 1}-${i + 1}`] : [])),
  )
}

/** Runs StrykerJS over the files of a target, or over a share of their lines. */
function runStryker(target, { concurrency, share, seed }) {
  const files = filesIn(target)
  const mutate = share < 1 ? someLines(files, share, seed) : files
  const tests = testsOfRoom(target).map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : path))
  const program = 'node_modules/@stryker-mutator/core/bin/stryker.js'
  const what = ['--mutate', mutate.join(','), '--concurrency', concurrency]
  const { status, signal } = spawnSync(
    process.execPath,
    [program, 'run', `${TOOLS}/stryker.config.js`, ...what],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, STRATA_ROOM_TESTS: tests.join(',') },
    },
  )
  if (status !== 0) throw new Error(`StrykerJS ended early: ${signal ?? `exit code ${status}`}.`)
}

async function run() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      tests: { type: 'string', multiple: true, default: [] },
      place: { type: 'string', multiple: true },
      seconds: { type: 'string', default: '300' },
      concurrency: { type: 'string', default: '1' },
      share: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [target] = positionals.map((path) => path.replace(/\/$/, ''))
  if (
    positionals.length !== 1 ||
    !/^(assembly|bindings)(\/|$)/.test(target) ||
    !existsSync(join(ROOT, target))
  )
    throw new Error('Name a room or a file to break: node scripts/mutants.js bindings/relations')
  if (values.only !== undefined && values.only !== 'table' && values.only !== 'stryker')
    throw new Error(`--only takes 'table' or 'stryker', not '${values.only}'.`)
  const share = Number(values.share)
  if (!(share > 0 && share <= 1))
    throw new Error(`--share takes a number from 0 to 1, not '${values.share}'.`)
  if (values.only !== 'stryker') {
    const wanted = (breaks) => values.place?.some((words) => breaks.includes(words)) ?? true
    const places = placesIn(target).filter(({ breaks }) => wanted(breaks))
    const settings = {
      more: values.tests,
      quick: values.quick,
      seconds: Number(values.seconds),
      say: console.log,
    }
    const survivors = await runTable(places, settings)
    console.log(`\n${places.length} places broken, ${survivors} of them unnoticed`)
    if (survivors > 0) process.exitCode = 1
  }
  if (values.only !== 'table' && !values.quick && target.startsWith('bindings/'))
    runStryker(target, {
      concurrency: values.concurrency,
      share,
      seed: Number(values.seed),
    })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // The tests are a group of their own: what ends this program ends them by its 'exit'.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  try {
    await run()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
