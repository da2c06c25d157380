// Owns what a run of the tests consists of, and says it: which part is run, what that part leaves out, and how long it took.
// It must never call a part the whole.
//
// `node scripts/test.js quick | rest | all`: what they are, vitest.config.js says.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import {
  WITHOUT_BROWSER,
  countLeftOut,
  linesWithoutBrowser,
  linesWithoutEngine,
  whyWithoutBrowser,
  withoutEngines,
} from './browser-tests.js'
import { findBrowser } from './browser.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

const PARTS = {
  quick: {
    command: 'npm test',
    describe:
      () => `What was tested: every behaviour of the core over the release core in Node, what pushes storage and memory
also over the checked core; a sixteenth of each random proof, over the checked core a twenty-fifth, half of
the numbers of rows, and every fourth amount of memory that can run out.
What was left out: the proofs in full, the rest over the checked core, everything over a stress core and a
small one and in browsers, the longest files, and what stands around the core: the packages, the build, the
packed package and what it weighs, the docs and their programs, the examples, the benchmark.
\`.ci/run rest\` makes up for it, \`npm run test:all\` runs everything.`,
  },
  rest: {
    command: '.ci/run rest',
    describe: (inChromium) =>
      `What \`npm test\` leaves out${inChromium ? '' : ', but for what needs a browser'}: the proofs in full over the release core,
and a fifth of them or more over the others. Most of it runs over the stress core in place of the checked
one, since that checks as much. \`npm run test:all\` runs everything over both, and makes all proofs in full.`,
  },
  all: {
    command: 'npm run test:all',
    describe: (inChromium) => `Everything${inChromium ? '' : ' but what needs a browser'}, at full length.`,
  },
}

/** What tests need besides Node, the packages and a build: each is installed where that is possible, and says what is missing. */
const PREPARATIONS = ['scripts/shells.js', 'scripts/redis.js', ['scripts/build.js', 'bench']]

const [part, ...filters] = process.argv.slice(2)
if (!Object.hasOwn(PARTS, part)) throw new Error(`Say what to test: ${Object.keys(PARTS).join(', ')}.`)
const { command, describe } = PARTS[part]

try {
  if (part !== 'quick') for (const one of PREPARATIONS) prepare(...[one].flat())
  const why = whyWithoutBrowser()
  process.exitCode = runTests(why, part === 'quick' ? {} : whyWithoutEngines())
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

function prepare(...program) {
  const { status } = spawnSync(process.execPath, program, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program.join(' ')} failed.`)
}

/** Firefox and WebKit are for what `quick` leaves out: why each is missing that is. */
function whyWithoutEngines() {
  const reasons = ['firefox', 'webkit'].map((engine) => [
    engine,
    whyWithoutBrowser(process.env, () => findBrowser(engine)),
  ])
  return Object.fromEntries(reasons.filter(([, why]) => why !== undefined))
}

/**
 * Runs the tests, without those that need a browser where there is a reason to; returns the exit code.
 *
 * @param {string | undefined} why there is no Chromium
 * @param {Record<string, string>} whyNot why there is none of other engines, by their names
 */
function runTests(why, whyNot) {
  const began = performance.now()
  const { status, signal } = spawnSync(process.execPath, [VITEST, 'run', ...filters], {
    stdio: 'inherit',
    env: {
      ...process.env,
      STRATA_TESTS: part,
      ...(why && WITHOUT_BROWSER),
      ...withoutEngines(Object.keys(whyNot)),
    },
  })
  const seconds = Math.round((performance.now() - began) / 1000)
  const outcome = signal === null ? (status === 0 ? 'Passed' : 'FAILED') : `ENDED by ${signal}`
  console.log(`\n${describe(why === undefined)}\n${outcome} in ${seconds} s.`)
  if (why) console.log(`\n${linesWithoutBrowser(countLeftOut(part, filters), why, command).join('\n')}`)
  for (const [engine, reason] of Object.entries(whyNot))
    console.log(`\n${linesWithoutEngine(engine, reason, command).join('\n')}`)
  return status ?? 1
}
