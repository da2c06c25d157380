// Owns how the tests run: the same suite over the release core, over the checked one, over a restless one, which checks as much and
// moves at every occasion what may move, and over the release core in a real browser; random scripts also over a small core, whose
// tables grow in a few steps. It must never leave a test out of one of them that could run in it, unless STRATA_TESTS asks
// for a part, or STRATA_BROWSER says that there is no browser.

import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { enginesHere, withoutBrowser } from './scripts/browser-tests.js'
import { presentBrowser } from './scripts/browser.js'
import { engineProvider } from './scripts/engine-tests.js'
import { COMPILED, compiledLibrary } from './scripts/test-library.js'
import { inRoom, named, ROOMS_ALONE, ROOMS_IN_NODE, ROOMS_ONCE } from './scripts/test-names.js'
import { TestOrder } from './scripts/test-order.js'

/**
 * What is to run: `all`; `quick`, which is what `npm test` has time for; or `rest`, which is what `quick` leaves out. What a
 * file needs is in its name, or in that of its room: scripts/test-names.js. The lists below are choices of time alone: a new
 * file is in all suites but the small one, and `quick` runs it over the release core.
 */
const PART = process.env.STRATA_TESTS ?? 'all'

/** `npx vitest run tests/queries/query.test.ts` is about the release core: the other suites are run by who asks for them. */
const isForOneCore =
  process.env.STRATA_TESTS === undefined && !process.argv.some((word) => word.startsWith('--project'))

/** The share of each random proof that a part makes; `all` makes all of them. The checked core is several times slower. */
const SHARES = {
  quick: { release: 1 / 16, checked: 0.04, chromium: 1 / 16 },
  rest: { release: 1, checked: 0.2, restless: 0.2, small: 0.4, chromium: 0.2, engines: 0.4 },
}

/**
 * Left out of `quick`: what is about the repository and the tools around the engine, most of which starts programs of its own, and
 * what looks for seconds at what other files look at in short.
 */
const LONG = [
  'tests/changes/alike.test.ts',
  'tests/compile/hostile.test.ts',
  'tests/kernels/together.test.ts',
  'tests/rows/{listMoves,wideResources}.*test.ts',
  'tests/bench/**/*.test.js',
  'tests/compiler/**/*.test.ts',
  'tests/ensemble/**/*.test.js',
  'tests/examples/**/*.test.{ts,js}',
  'tests/inspector/**/*.test.{ts,js}',
  'tests/kernelLibrary/**/*.test.ts',
  'tests/loopCompiler/**/*.test.ts',
  'tests/repository/{build,docs,docsTypes,kernelGuide,kinds,package,release,seeds,size,smallerCore,splitCore,withoutBrowser}.test.js',
  'tests/site/**/*.test.js',
  'tests/tools/{expect,serverCommand}.test.*',
  'tests/workers/{model.proof,pressure.alone}.test.ts',
  'tests/whole/{determinism,epidemic,exponential,fountain,replay,rollback,rollbackSession,scarceTogether,scenario,steadyState,swarm,swarmPast}.*test.{ts,js}',
]

/** What `quick` runs over the checked core, whose asserts are worth most where storage and memory are pushed. */
const CHECKED_QUICK = [
  'tests/memory/**/*.test.ts',
  'tests/rows/{archetypes,sparseSets}.*test.ts',
  'tests/whole/{model,stress,together}.*test.ts',
]

/**
 * What `rest` runs over the checked core, besides the proofs of which `quick` made a part: what says how memory is used where nothing
 * moves without need. Everything runs over the restless core, with the same checks.
 */
const STEADY = [
  'tests/changes/namedHandles.*test.ts',
  'tests/kernels/run.*test.ts',
  'tests/rows/{textsInLoops,wideResources}.*test.ts',
  'tests/whole/exhaustion.*test.ts',
  'tests/world/world.*test.ts',
]

/**
 * What runs over the small core: random scripts, and what grows. A test that says at which size something happens has no
 * place here.
 */
const SMALL = [
  'tests/events/removalReader.*test.ts',
  'tests/loops/groupedRows.*test.ts',
  'tests/queries/{inOrder,sorting}.*test.ts',
  'tests/relations/!(calls*).test.ts',
  'tests/rows/{orderedTags,stable,toggles}.*test.ts',
  'tests/saves/{making,model,saves}.*test.ts',
  'tests/snapshots/restoring.test.ts',
  'tests/tools/freeMemory.test.ts',
  'tests/whole/{determinism,model,stress,timeTravel,together}.*test.ts',
]

/** What `quick` runs in Chromium. */
const CHROMIUM_QUICK = [
  'tests/memory/entities.test.ts',
  'tests/queries/query.test.ts',
  'tests/world/world.alone.test.ts',
]

/** What runs in Firefox and WebKit: the bytes must be those of every other engine. */
const IN_ENGINES = [
  'tests/compile/{bits,random}.proof.test.ts',
  'tests/events/heard.proof.test.ts',
  'tests/queries/{inOrder,numbers,sorting}.*test.ts',
  'tests/whole/determinism.test.ts',
  'tests/whole/lookers.proof.test.ts',
]

// These have a command of their own: check:loading. Without a browser, nothing that starts one is run.
const APART = ['tests/loading/**', ...(withoutBrowser ? [named('browser')] : [])]

/** What runs once is in the suites over the release core, and what is measured has a project of its own. */
const MEASURED = [named('measured')]
/**
 * Of that, what takes too long for `quick`: it counts the steps of each call beside each thing that there may be more of, or waits
 * for the garbage collector many times.
 */
const MEASURED_LONG = [
  'tests/{events,whole}/growth.measured.test.{ts,js}',
  'tests/memory/leaks.measured.test.ts',
]
const ONCE = [...ROOMS_ONCE.map(inRoom), named('once'), ...MEASURED]
const IN_NODE = [...ROOMS_IN_NODE.map(inRoom), named('node')]
const PROOFS = [named('proof')]
const PROOFS_ALONE = [
  'tests/**/*.alone.*proof.*test.{ts,js}',
  ...ROOMS_ALONE.map((room) => `tests/${room}/**/*.proof.*test.{ts,js}`),
]
const WITHOUT_PROOFS = 'tests/**/!(*.proof*).test.{ts,js}'

/**
 * The parts give these a process of their own; other files share theirs there, which spares each the loading of compilers and
 * of the library.
 */
const ALONE = [...ROOMS_ALONE.map((room) => `tests/${room}/**/*.test.{ts,js}`), named('alone')]
const NOT_ALONE = 'tests/**/!(*.alone*).test.{ts,js}'

/** What V8 says of bytes and of code must not depend on what else the machine does. */
const PREDICTABLE = ['--predictable', '--no-flush-bytecode']

const ALL = ['tests/**/*.test.{ts,js}']

/** The files of a suite in the part that is asked for, `quick` being those of its files that are in `quickly`. */
const filesOf = (quickly, apart) =>
  ({
    all: { include: ALL, exclude: apart },
    quick: { include: quickly, exclude: [...apart, ...LONG] },
    rest: { include: ALL, exclude: [...apart, ...quickly] },
  })[PART]

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

/** The release core in Node. `all` gives each file a process of its own, the parts what is about its process. */
function overRelease(apart) {
  const suiteOf = (name, files, isolate) => suite('release', name, files, isolate)
  if (PART === 'all') return [suiteOf('release', filesOf(ALL, apart))]
  if (PART === 'quick')
    return [
      suiteOf('release alone', { include: ALONE, exclude: [...apart, ...LONG] }),
      suiteOf('release', filesOf(ALL, [...apart, ...ALONE]), false),
    ]
  return [
    suiteOf('release alone', { include: [...LONG, ...PROOFS_ALONE], exclude: [...apart, NOT_ALONE] }),
    suiteOf('release', { include: [...LONG, ...PROOFS], exclude: [...apart, ...ALONE] }, false),
  ]
}

/** The checked core in Node: of what `quick` has run over it, `rest` makes the proofs that were made in part. */
function overChecked(apart) {
  if (PART !== 'rest') return [suite('checked', 'checked', filesOf(CHECKED_QUICK, apart), PART === 'all')]
  return [
    suite('checked', 'checked', { include: STEADY, exclude: apart }),
    suite('checked', 'checked proofs', { include: CHECKED_QUICK, exclude: [...apart, WITHOUT_PROOFS] }),
  ]
}

/** The restless core in Node, which `quick` leaves out. */
function overRestless(apart) {
  if (PART === 'all') return [suite('restless', 'restless', { include: ALL, exclude: apart })]
  return [
    suite('restless', 'restless', { include: ALL, exclude: [...apart, ...ALONE] }, false),
    suite('restless', 'restless alone', { include: ALONE, exclude: apart }),
  ]
}

const measured = suite('release', 'measured', {
  include: PART === 'rest' ? MEASURED_LONG : MEASURED,
  exclude: PART === 'quick' ? MEASURED_LONG : [],
})
measured.test.execArgv = PREDICTABLE

// These count calls and modules, or what shared memories have more of.
const COUNTED = [named('once'), ...MEASURED, 'tests/kernels/{chunks.proof,instances}.test.ts']

/** Kernels and compiled loops once more in worlds with workers, where everything is divided that can be. */
const divided = suite('release', 'divided', {
  include: ['tests/{kernels,compile}/**/*.test.ts'],
  exclude: COUNTED,
})
divided.test.setupFiles = ['tests/support/withWorkers.ts']
divided.test.provide.workers = 'divided'

/** What `npm test` runs over the release core, over memories that threads could share: their typed arrays are of another kind. */
const ONCE_MORE = [...APART, ...ONCE, ...LONG, ...COUNTED]
const shared = [
  suite('release', 'shared', { include: ALL, exclude: [...ONCE_MORE, ...ALONE] }, false),
  suite('release', 'shared alone', { include: ALONE, exclude: ONCE_MORE }),
]
for (const { test } of shared) {
  test.setupFiles = divided.test.setupFiles
  Object.assign(test.provide, { workers: 'sharing', proofs: SHARES.quick.release * LENGTHENED })
}

const chromium = {
  plugins: [quickExpect],
  test: {
    name: 'chromium',
    ...common('release', filesOf(CHROMIUM_QUICK, [...APART, ...ONCE, ...IN_NODE]), SHARES[PART]?.chromium),
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath: presentBrowser() } }),
      instances: [{ browser: 'chromium' }],
    },
  },
}

/** The same in Firefox or WebKit, of what depends on how an engine compiles and counts. */
const inEngine = (engine) => ({
  plugins: [quickExpect],
  test: {
    name: engine,
    ...common('release', { include: IN_ENGINES }, SHARES[PART]?.engines),
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

/** `quick` leaves to `rest` what runs over a core that moves or grows more than the one that is published. */
function otherSuites() {
  const apart = [...APART, ...ONCE]
  return [
    ...overChecked(apart),
    ...(PART === 'quick'
      ? []
      : [...overRestless(apart), suite('small', 'small', { include: SMALL }, PART === 'all')]),
    ...(withoutBrowser ? [] : [chromium]),
    ...(PART === 'quick' ? [] : enginesHere.filter((engine) => engine !== 'chromium').map(inEngine)),
  ]
}

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: TestOrder },
    projects: [
      ...overRelease([...APART, ...MEASURED]),
      measured,
      ...(isForOneCore || PART === 'quick' ? [] : [divided, ...shared]),
      ...(isForOneCore ? [] : otherSuites()),
    ],
  },
})
