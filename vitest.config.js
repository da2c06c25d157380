// Owns how the tests run: which files over which core, in which engine, at which length. A file's name and folder say what it
// needs: scripts/test-names.js. STRATA_TESTS chooses a part, STRATA_BROWSER and STRATA_WITHOUT_ENGINES say which browser is missing.

import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { enginesHere, withoutBrowser } from './scripts/browser-tests.js'
import { presentBrowser } from './scripts/browser.js'
import { engineProvider } from './scripts/engine-tests.js'
import { COMPILED, compiledLibrary } from './scripts/test-library.js'
import { ALL, needing, withoutWord } from './scripts/test-names.js'
import { TestOrder } from './scripts/test-order.js'

/**
 * What is to run: `all`; `quick`, which is what `npm test` has time for; `rest`, which is what `quick` leaves out; or `named`, which is
 * `npx vitest run tests/queries`: any files over the release core, with proofs as short as those of `quick`.
 */
const isNamed = !process.argv.some((word) => word.startsWith('--project'))
const PART = process.env.STRATA_TESTS ?? (isNamed ? 'named' : 'all')

/** The share of each random proof that a part makes; `all` makes all of them. The checked core is several times slower. */
const SHARES = {
  named: { release: 1 / 16 },
  quick: { release: 1 / 16, checked: 0.04 },
  rest: { release: 0.5, checked: 0.2, stress: 0.2, small: 0.2, chromium: 0.2, engines: 0.2 },
}

// These have a command of their own: check:loading. Without a browser, nothing that starts one is run.
const APART = ['tests/loading/**', ...(withoutBrowser ? needing('browser') : [])]

const ALONE = needing('alone')
const LONG = needing('long')
const PROOFS = needing('proof')
/** These have a project of their own. */
const MEASURED = needing('measured')
/** These run over the release core alone. */
const ONCE = [...needing('once'), ...MEASURED]

/** What V8 says of bytes and of code must not depend on what else the machine does. */
const PREDICTABLE = ['--predictable', '--no-flush-bytecode']

const EXPECT = fileURLToPath(new URL('tests/support/expect.ts', import.meta.url))

/** Gives tests an `expect` that compares before it asks that of vitest. */
const quickExpect = {
  name: 'quick-expect',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === 'vitest' && importer?.includes('/tests/') && !importer.startsWith(EXPECT) ? EXPECT : undefined,
}

/** `STRATA_PROOFS=4` makes the random proofs of a run four times as long. */
const LENGTHENED = Number(process.env.STRATA_PROOFS ?? 1)

const common = (core, files, share = SHARES[PART]?.[core] ?? 1) => ({
  ...files,
  provide: { core, proofs: share * LENGTHENED, workers: 'none' },
  // What fails, fails where the test asks, not in the helper that asks on.
  onStackTrace: (_, { file }) => !file.endsWith('tests/support/expect.ts'),
  // No test is about time. On a busy machine the random ones take minutes.
  testTimeout: 600_000,
  hookTimeout: 600_000,
})

const inBuild = (file) => fileURLToPath(new URL(`build/${file}.ts`, import.meta.url))
/** Tests over the small core have its layout, and the core itself. */
const SMALL_BUILD = {
  [inBuild('layout')]: inBuild('small/layout'),
  [inBuild('checked')]: inBuild('small/checked'),
}

const isWatching = !process.argv.includes('run')
const library = compiledLibrary('library', {}, isWatching)
const smallLibrary = compiledLibrary('small', SMALL_BUILD, isWatching)

/** The swarm imports kernels by their sources. Tests of a room need no build but `npm run build core each worker`. */
const KERNEL_PLUGIN = new URL('dist/rollup.js', import.meta.url)
const kernelPlugins = async () =>
  existsSync(KERNEL_PLUGIN) ? [(await import(KERNEL_PLUGIN.href)).default()] : []

const suite = (core, name, files, isolate = true) => ({
  plugins: [quickExpect, core === 'small' ? smallLibrary : library, kernelPlugins()],
  test: { name, isolate, server: { deps: { external: [COMPILED] } }, ...common(core, files) },
})

/**
 * The release core in Node. `all` gives each file a process of its own; the parts share one among the files that do not need that,
 * which spares each the loading of compilers and of the library.
 */
function overRelease() {
  const apart = [...APART, ...MEASURED]
  if (PART === 'all') return [suite('release', 'release', { include: ALL, exclude: apart })]
  const [files, alone] = {
    named: [
      { include: ALL, exclude: [...apart, ...ALONE] },
      { include: ALONE, exclude: apart },
    ],
    quick: [
      { include: ALL, exclude: [...apart, ...LONG, ...ALONE] },
      { include: ALONE, exclude: [...apart, ...LONG] },
    ],
    rest: [
      { include: [...LONG, ...PROOFS], exclude: [...apart, ...ALONE] },
      { include: [...LONG, ...needing('alone', 'proof')], exclude: [...apart, withoutWord('alone')] },
    ],
  }[PART]
  return [suite('release', 'release alone', alone), suite('release', 'release', files, false)]
}

/** The checked core in Node: of what `quick` has run over it, `rest` makes the proofs that were made in part. */
function overChecked() {
  const apart = [...APART, ...ONCE]
  return {
    all: () => suite('checked', 'checked', { include: ALL, exclude: apart }),
    quick: () =>
      suite('checked', 'checked', { include: needing('checked'), exclude: [...apart, ...LONG] }, false),
    rest: () => suite('checked', 'checked', { include: needing('checked', 'proof'), exclude: apart }),
  }[PART]()
}

/** The stress core in Node, which `quick` leaves out. */
function overRestless() {
  const apart = [...APART, ...ONCE]
  if (PART === 'all') return [suite('stress', 'stress', { include: ALL, exclude: apart })]
  return [
    suite('stress', 'stress', { include: ALL, exclude: [...apart, ...ALONE] }, false),
    suite('stress', 'stress alone', { include: ALONE, exclude: apart }),
  ]
}

const measured = suite('release', 'measured', {
  include: PART === 'rest' ? needing('long', 'measured') : MEASURED,
  exclude: PART === 'quick' ? LONG : [],
})
measured.test.execArgv = PREDICTABLE

/** Kernels and compiled loops once more in worlds with workers, where everything is divided that can be. */
const divided = suite('release', 'divided', {
  include: ['tests/kernels/**/*.test.ts', 'packages/compile/tests/compile/**/*.test.ts'],
  exclude: [...ONCE, ...needing('unshared')],
})
divided.test.setupFiles = ['packages/workers/tests/support/withWorkers.ts']
divided.test.provide.workers = 'divided'

/**
 * Every random proof over memories that threads could share, whose typed arrays are of another kind. The proofs make every call; single
 * tests of a call would make it once more.
 */
const sharing = (name, include, exclude, isolate) => {
  const made = suite(
    'release',
    name,
    { include, exclude: [...APART, ...ONCE, 'packages/**', ...needing('unshared'), ...exclude] },
    isolate,
  )
  made.test.setupFiles = divided.test.setupFiles
  Object.assign(made.test.provide, { workers: 'sharing', proofs: SHARES.quick.release * LENGTHENED })
  return made
}
const shared = [
  sharing('shared', PROOFS, ALONE, false),
  sharing('shared alone', needing('alone', 'proof'), [], true),
]

/**
 * Chromium runs the engine that Node has: what a page lacks or has besides shows in single tests, so of the random proofs it makes
 * those alone whose bytes must be equal in every engine.
 */
const chromium = {
  plugins: [quickExpect],
  test: {
    name: 'chromium',
    ...common(
      'release',
      {
        include: [withoutWord('proof'), ...needing('engines')],
        exclude: [...APART, ...ONCE, ...needing('node')],
      },
      SHARES[PART]?.chromium,
    ),
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath: presentBrowser() } }),
      instances: [{ browser: 'chromium' }],
    },
  },
}

/** The same in Firefox or WebKit, of what must come to the same bytes. */
const inEngine = (engine) => ({
  plugins: [quickExpect],
  test: {
    name: engine,
    ...common('release', { include: needing('engines') }, SHARES[PART]?.engines),
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: engineProvider(engine),
      instances: [{ browser: engine }],
    },
  },
})

// Vitest leaves one processor to itself, which on a machine of two is half of it.
const maxWorkers = Math.max(1, availableParallelism())

/** What runs in `rest` and `all` alone: over the cores that move or grow more than the published one, with workers, in browsers. */
const inFull = () => [
  divided,
  ...shared,
  ...overRestless(),
  suite('small', 'small', { include: needing('small'), exclude: [...APART, ...ONCE] }, PART === 'all'),
  ...(withoutBrowser ? [] : [chromium]),
  ...enginesHere.filter((engine) => engine !== 'chromium').map(inEngine),
]

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: TestOrder },
    projects: [
      ...overRelease(),
      measured,
      ...(PART === 'named' ? [] : [overChecked(), ...(PART === 'quick' ? [] : inFull())]),
    ],
  },
})
