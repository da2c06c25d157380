// Owns what becomes of tests that need a browser on a machine without one: they are left out, and a run says so at its end; in CI
// it fails. It must never leave a test out without a word.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENGINES, MissingBrowserError, findBrowser, installOf, nameOf } from './browser.js'
import { needsOf } from './test-names.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

/** With this in its environment, vitest leaves out what needs a browser. `scripts/test.js` sets it. */
export const WITHOUT_BROWSER = { STRATA_BROWSER: 'none' }

/**
 * Whether this run goes without a browser. A test file of which only a part needs one skips that part by it; one named
 * `.browser.` is left out as a whole.
 */
export const withoutBrowser = process.env.STRATA_BROWSER === WITHOUT_BROWSER.STRATA_BROWSER

/** The engines besides Chromium's that a run goes without, in its environment as vitest takes it. */
export const withoutEngines = (engines) => ({ STRATA_WITHOUT_ENGINES: engines.join(' ') })

/** The engines that this run has a browser of. A test that says the same of each says it of these. */
export const enginesHere = ENGINES.filter((engine) =>
  engine === 'chromium'
    ? !withoutBrowser
    : !(process.env.STRATA_WITHOUT_ENGINES ?? '').split(' ').includes(engine),
)

/**
 * Why no browser could be installed here, as the end of a sentence, or undefined where there is one. Installs it if possible.
 *
 * @param {Record<string, string | undefined>} environment CI in it says that nothing may be left out
 * @param {() => string} find as `findBrowser`
 * @throws {Error} in CI where there is none, and everywhere when the environment names one that is not there
 */
export function whyWithoutBrowser(environment = process.env, find = findBrowser) {
  try {
    find()
    return undefined
  } catch (error) {
    const isCi = !['', '0', 'false'].includes(environment.CI ?? '')
    if (!(error instanceof MissingBrowserError)) throw error
    if (isCi) throw new Error(`${error.message} In CI no test is left out.`, { cause: error })
    return error.reason
  }
}

/**
 * How many test files are left out of a run without a browser. Starts vitest to list them, which takes seconds.
 *
 * @param {string} part as STRATA_TESTS
 * @param {string[]} filters what the run is limited to
 */
export function countLeftOut(part, filters) {
  // The last parameter, because vitest takes what follows --json for a file to write.
  const listed = execFileSync(process.execPath, [VITEST, 'list', '--filesOnly', ...filters, '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    // A run that goes without a browser may ask, too: what it leaves out is to be listed.
    env: { ...process.env, STRATA_TESTS: part, STRATA_BROWSER: '' },
    maxBuffer: 2 ** 26,
  })
  return JSON.parse(listed).filter(
    ({ file, projectName }) => projectName.startsWith('chromium') || needsOf(file).includes('browser'),
  ).length
}

/**
 * What a run without a browser says at its very end, in three lines: what was left out, why, and how to run it.
 *
 * @param {number} files how many test files were left out
 * @param {string} why as `whyWithoutBrowser` says
 * @param {string} command runs the tests again
 */
export function linesWithoutBrowser(files, why, command) {
  return [
    `Left out, because they need a browser: ${files} test ${files === 1 ? 'file' : 'files'}, and tests in others, counted as skipped.`,
    `Why: there is no Chromium here, and ${why.split('\n')[0]}.`,
    `To run them: install Chromium or Chrome (on Debian, apt-get install chromium), or set CHROMIUM_PATH to its program; then ${command}.`,
  ]
}

/**
 * What a run without Firefox or WebKit says at its very end: why, and how to run what was left out.
 *
 * @param {string} engine
 * @param {string} why as `whyWithoutBrowser` says
 * @param {string} command runs the tests again
 */
export function linesWithoutEngine(engine, why, command) {
  return [
    `Left out: what is tested in ${nameOf(engine)}, because there is none here, and ${why.split('\n')[0]}.`,
    `To run it: ${installOf(engine)}; then ${command}.`,
  ]
}
