// Owns the search for faults that no test of a room notices: StrykerJS changes every expression of a room of bindings/ or of
// packages/compile, or of a file in it, and runs the tests of the room over each change. It is for people who work in a room; CI does not run it.
//
//   node packages/mutants/run.js bindings/queries
//   node packages/mutants/run.js bindings/relations/cascadeLevels.ts --concurrency 2
//   node packages/mutants/run.js bindings/relations --share 0.05     a twentieth of its lines, where the whole would take a day

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js'

/**
 * Run beside the tests of every room of bindings/: the models that these compare with know nothing of time, and what a call does in a
 * loop, in a listener or in a disposed world is in one table.
 */
const ALWAYS = ['tests/whole/owed.*test.ts', 'tests/whole/calls.*test.ts']

/**
 * The tests of the room that a target is, or is in.
 *
 * @throws {Error} when the target is neither such a room nor a file in one
 */
export function testsOfRoom(target) {
  const [, house, room] = /^(bindings|packages\/compile\/src)\/(\w+)(?:\/|$)/.exec(target) ?? []
  const tests = house === 'bindings' ? `tests/${room}` : `packages/compile/tests/${room}`
  if (room === undefined || !existsSync(join(ROOT, target)) || !existsSync(join(ROOT, tests)))
    throw new Error(
      'Name a room of bindings/ or packages/compile, or a file in one: node packages/mutants/run.js bindings/relations',
    )
  return house === 'bindings' ? [`${tests}/**/*.test.ts`, ...ALWAYS] : [`${tests}/**/*.test.ts`]
}

/** The files of a room, or the one file that a target is. */
function filesIn(target) {
  if (!statSync(join(ROOT, target)).isDirectory()) return [target]
  const names = readdirSync(join(ROOT, target), { recursive: true }).sort()
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${target}/${name.replaceAll('\\', '/')}`)
}

/**
 * Chooses some lines of files at random; the same seed chooses the same lines. StrykerJS makes only changes that lie within one of
 * them, so it never removes a block of several lines.
 *
 * @returns ranges as StrykerJS takes them: 'bindings/queries/seenTick.ts:12-12'
 */
export function someLines(files, share, seed, read = (file) => readFileSync(join(ROOT, file), 'utf8')) {
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

function run() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      concurrency: { type: 'string', default: '1' },
      share: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
    },
  })
  const target = positionals.length === 1 ? positionals[0].replace(/\/$/, '') : ''
  const tests = testsOfRoom(target)
  const share = Number(values.share)
  if (!(share > 0 && share <= 1))
    throw new Error(`--share takes a number from 0 to 1, not '${values.share}'.`)
  const files = filesIn(target)
  const mutate = share < 1 ? someLines(files, share, Number(values.seed)) : files
  const what = ['--mutate', mutate.join(','), '--concurrency', values.concurrency]
  const { status, signal } = spawnSync(
    process.execPath,
    [STRYKER, 'run', 'packages/mutants/stryker.config.js', ...what],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, STRATA_ROOM_TESTS: tests.join(',') },
    },
  )
  if (status !== 0) throw new Error(`StrykerJS ended early: ${signal ?? `exit code ${status}`}.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    run()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
