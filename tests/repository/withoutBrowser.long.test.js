// Shows that tests run without a browser, leave out all that needs one and say so at the end, and that CI fails there. The
// systems are made up.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  WITHOUT_BROWSER,
  countLeftOut,
  linesWithoutBrowser,
  whyWithoutBrowser,
} from '../../scripts/browser-tests.js'
import { findBrowser } from '../../scripts/browser.js'
import { needsOf } from '../../scripts/test-names.js'

const ROOT = resolve(import.meta.dirname, '../..')

/** A machine with these files, on which apt-get fails. */
const machine = (files, { environment = {}, isRoot = false } = {}) => ({
  environment,
  platform: 'linux',
  isRoot,
  exists: (path) => files.includes(path),
  run() {
    throw new Error('Command failed: apt-get update\nno network')
  },
})
const whyOn = (system, environment = {}) =>
  whyWithoutBrowser(environment, () => findBrowser('chromium', system))

const NOTHING = machine([])
const DEBIAN_AS_ROOT = machine(['/etc/debian_version', '/usr/bin/apt-get'], { isRoot: true })

describe('a run of the tests', () => {
  it('uses a browser if there is one', () => {
    expect(whyOn(machine(['/usr/bin/chromium']))).toBeUndefined()
  })

  it('works without one if none exists and none can be installed, and knows why', () => {
    expect(whyOn(NOTHING)).toBe('one is installed automatically only on Debian, as root')
    expect(whyOn(DEBIAN_AS_ROOT)).toMatch(/^apt-get could not install it: Command failed/)
    for (const CI of ['', '0', 'false']) expect(whyOn(NOTHING, { CI })).toBeTypeOf('string')
  })

  it.each([NOTHING, DEBIAN_AS_ROOT])('fails without one in CI', (system) => {
    for (const CI of ['true', '1', 'woodpecker'])
      expect(() => whyOn(system, { CI })).toThrow(/There is no Chromium here.* In CI no test is left out\.$/s)
  })

  it('fails if the environment names one that does not exist: that is a mistake', () => {
    const system = machine([], { environment: { CHROMIUM_PATH: '/opt/gone' } })
    expect(() => whyOn(system)).toThrow('CHROMIUM_PATH names /opt/gone, where nothing is')
  })

  it('reports in three lines what it left out, why, and how to run it', () => {
    const lines = linesWithoutBrowser(3, whyOn(DEBIAN_AS_ROOT), 'npm test')
    expect(lines).toEqual([
      expect.stringMatching(/^Left out, because they need a browser: 3 test files/),
      'Why: there is no Chromium here, and apt-get could not install it: Command failed: apt-get update.',
      expect.stringMatching(/install Chromium.*CHROMIUM_PATH.*; then npm test\.$/),
    ])
    expect(linesWithoutBrowser(1, 'so', 'npm test')[0]).toContain('1 test file,')
  })
})

describe('the tests that need a browser', () => {
  it('are in no project of vitest then, and nothing runs in Chromium', () => {
    const listed = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'],
      {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, ...WITHOUT_BROWSER, STRATA_TESTS: 'all' },
        maxBuffer: 2 ** 26,
      },
    )
    const tests = JSON.parse(listed.stdout)
    expect(tests.length).toBeGreaterThan(300)
    expect(
      tests.filter(
        ({ file, projectName }) => /chromium/.test(projectName) || needsOf(file).includes('browser'),
      ),
    ).toEqual([])
  })

  it('are counted', () => {
    expect(countLeftOut('rest', [])).toBeGreaterThan(100)
    expect(countLeftOut('quick', [])).toBe(0)
  })
})

describe('scripts/test.js', () => {
  let scratch
  beforeAll(() => (scratch = mkdtempSync(join(tmpdir(), 'strata-without-browser-'))))
  afterAll(() => rmSync(scratch, { recursive: true }))

  /** What this run of the tests may have been told about browsers is not that one's. */
  const UNSET = { CI: '', CHROMIUM_PATH: '', CHROME_PATH: '', STRATA_BROWSER: '' }

  /** Runs one test file, in a process that finds no browser and is not root. */
  function runBlind(environment) {
    const blindfold = join(scratch, 'blindfold.mjs')
    writeFileSync(
      blindfold,
      `import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const { existsSync } = fs
      fs.existsSync = (path) => !/chrom[^/\\\\]*$/.test(path) && existsSync(path)
      process.getuid = () => 1000
      syncBuiltinESMExports()`,
    )
    return spawnSync(process.execPath, ['scripts/test.js', 'quick', 'tests/tools/browser.test.js'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, ...UNSET, NODE_OPTIONS: `--import=${blindfold}`, ...environment },
    })
  }

  it('passes without a browser, skips what needs one, and ends with the three lines', () => {
    const { status, stdout } = runBlind({})
    expect(status).toBe(0)
    expect(stdout).toMatch(/1 skipped/)
    const [passed, empty, ...lines] = stdout.trimEnd().split('\n').slice(-5)
    expect([passed, empty]).toEqual([expect.stringMatching(/^Passed in \d+ s\.$/), ''])
    expect(lines).toEqual(linesWithoutBrowser(0, whyOn(NOTHING), 'npm test'))
  })

  it('runs no test in CI without a browser, and ends with 1 and a sentence', () => {
    const { status, stdout, stderr } = runBlind({ CI: 'true' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^There is no Chromium here: install .* In CI no test is left out\.\n$/)
  })
})
