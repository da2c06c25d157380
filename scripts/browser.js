// Owns the browsers that tests drive, one of each engine: finds them, installs them where that is possible, and starts Chromium. It
// must never download a browser from anywhere but the system's own packages, nor start one with the profile of a person.
//
// `node scripts/browser.js` prints where Chromium is, `node scripts/browser.js firefox webkit` where others are. scripts/test.js
// finds them before any test runs, so that no two of them install at once; scripts/browser-tests.js says what becomes of tests
// where there is none; scripts/engines.js drives all of them in the same way.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

/**
 * Each browser: the variables that name its program (what they name is taken or nothing), where that is looked for, what it cannot
 * run without, the packages of Debian that have all of it, and what to do where it is missing.
 */
const BROWSERS = {
  chromium: {
    name: 'Chromium',
    variables: ['CHROMIUM_PATH', 'CHROME_PATH'],
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe'],
    paths: {
      linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/opt/google/chrome/chrome', '/snap/bin/chromium'], // prettier-ignore
      darwin: [
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      ],
      win32: [
        'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
        'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
        'C:\\Program Files\\Chromium\\Application\\chrome.exe',
      ],
    },
    packages: ['chromium'],
    install: 'install Chromium or Chrome, or set CHROMIUM_PATH to the program of one that is installed',
  },
  firefox: {
    name: 'Firefox',
    variables: ['FIREFOX_PATH'],
    programs: ['firefox-esr', 'firefox', 'firefox.exe'],
    paths: {
      linux: ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/snap/bin/firefox'],
      darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
      win32: ['C:\\Program Files\\Mozilla Firefox\\firefox.exe'],
    },
    packages: ['firefox-esr', 'xvfb'],
    install: 'install Firefox, or set FIREFOX_PATH to the program of one that is installed',
  },
  webkit: {
    name: 'WebKit',
    variables: ['WEBKIT_DRIVER_PATH'],
    programs: ['WebKitWebDriver'],
    paths: { linux: ['/usr/bin/WebKitWebDriver'] },
    // Its browser has no mode without a window, and speaks to its driver over a bus.
    needs: ['Xvfb', 'dbus-run-session'],
    packages: ['webkit2gtk-driver', 'xvfb', 'dbus-daemon'],
    install:
      'install the driver of WebKitGTK, Xvfb and dbus-run-session (on Debian, apt-get install webkit2gtk-driver xvfb dbus-daemon)',
  },
}

/** The engines that tests can ask for, by the browsers that have them. */
export const ENGINES = Object.keys(BROWSERS)

/** What people call the browser of an engine. */
export const nameOf = (engine) => BROWSERS[engine].name

/** What to do where the browser of an engine is missing: the second half of a sentence. */
export const installOf = (engine) => BROWSERS[engine].install

/** There is no browser, and none could be installed. The message says what to do, `reason` why none was installed. */
export class MissingBrowserError extends Error {
  constructor(engine, reason, cause) {
    const sentence = `There is no ${nameOf(engine)} here: ${installOf(engine)}.`
    super(cause ? `${sentence} (${reason})` : sentence, { cause })
    this.reason = reason
  }
}

/** What is asked of the machine; tests ask another. */
const thisSystem = {
  environment: process.env,
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  exists: existsSync,
  run: (program, ...parameters) =>
    execFileSync(program, parameters, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }),
}

/**
 * The path of a browser's program: the one that a variable names (CHROMIUM_PATH or CHROME_PATH, FIREFOX_PATH, WEBKIT_DRIVER_PATH),
 * one in a usual place, one in PATH; on Debian as root one that is installed now. WebKit's is the driver that starts it.
 *
 * @param {'chromium' | 'firefox' | 'webkit'} engine
 * @throws {MissingBrowserError} when there is none: one sentence that says what to install
 * @throws {Error} when the environment names one that is not there
 */
export function findBrowser(engine = 'chromium', system = thisSystem) {
  return presentBrowser(engine, system) ?? installBrowser(engine, system)
}

/** As `findBrowser`, but nothing is installed: undefined when there is none. */
export function presentBrowser(engine = 'chromium', system = thisSystem) {
  return namedBrowser(engine, system) ?? installedBrowser(engine, system)
}

function namedBrowser(engine, { environment, exists }) {
  const { name, variables } = BROWSERS[engine]
  const variable = variables.find((each) => environment[each])
  if (!variable) return undefined
  const path = environment[variable]
  if (exists(path)) return path
  throw new Error(
    `${variable} names ${path}, where nothing is: set it to the program of a ${name}, or unset it.`,
  )
}

function installedBrowser(engine, { environment, platform, exists }) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const inPath = (programs) => folders.flatMap((folder) => programs.map((program) => join(folder, program)))
  const { programs, paths, needs = [] } = BROWSERS[engine]
  const lacks = needs.some((program) => ![`/usr/bin/${program}`, ...inPath([program])].some(exists))
  return lacks ? undefined : [...(paths[platform] ?? []), ...inPath(programs)].find(exists)
}

function installBrowser(engine, system) {
  const { isRoot, exists, run } = system
  if (!isRoot || !exists('/etc/debian_version') || !exists('/usr/bin/apt-get'))
    throw new MissingBrowserError(engine, 'one is installed automatically only on Debian, as root')
  try {
    run('/usr/bin/apt-get', 'update', '--quiet')
    // Another program may be installing: its lock is waited for.
    run('/usr/bin/apt-get', 'install', '--quiet', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', ...BROWSERS[engine].packages) // prettier-ignore
  } catch (cause) {
    throw new MissingBrowserError(engine, `apt-get could not install it: ${cause.message}`, cause)
  }
  const installed = installedBrowser(engine, system)
  if (!installed)
    throw new MissingBrowserError(engine, 'what apt-get installed is not where it is looked for')
  return installed
}

/**
 * How a page draws with WebGL. In software: Chromium's own rasteriser, which gives the same picture on every machine and is
 * there where no graphics card is; Chromium wants to be told so twice. It shows pages in the same way then: without, it
 * reads every canvas back, and says that this stalls. None: as where a person's browser has no WebGL.
 */
const GRAPHICS = {
  usual: ['--disable-gpu'],
  software: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  none: ['--disable-gpu', '--disable-3d-apis'],
}

/**
 * A new Chromium without a window and without what calls home, with a profile that is gone when it is closed.
 *
 * @param options what Playwright's `launch` takes; `args` are added; and `webgl`: 'usual', 'software' or 'none'
 * @returns Playwright's browser; who asked for it closes it. Costs a second.
 * @throws {Error} as `findBrowser`
 */
export function launchBrowser({ args = [], webgl = 'usual', ...options } = {}) {
  return chromium.launch({
    executablePath: findBrowser(),
    args: [...GRAPHICS[webgl], '--disable-quic', '--no-first-run', ...args],
    ...options,
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const engines = process.argv.slice(2)
    for (const engine of engines.length === 0 ? ['chromium'] : engines) console.log(findBrowser(engine))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
