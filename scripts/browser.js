// Owns the Chromium that tests drive: finds one, installs it where that is possible, starts it. It must never download a
// browser from anywhere but the system's own packages, nor start one with the profile of a person.
//
// `node scripts/browser.js` prints where it is. scripts/test.js finds it before any test runs, so that no two of them install
// at once; scripts/browser-tests.js says what becomes of tests where there is none.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

/** These name a browser; what they name is taken or nothing. */
const VARIABLES = ['CHROMIUM_PATH', 'CHROME_PATH']

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe']

const USUAL_PATHS = {
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
}

const INSTALL =
  'There is no Chromium here: install Chromium or Chrome, or set CHROMIUM_PATH to the program of one that is installed.'

/** There is no browser, and none could be installed. The message says what to do, `reason` why none was installed. */
export class MissingBrowserError extends Error {
  constructor(reason, message = INSTALL, options = {}) {
    super(message, options)
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
 * The path of a Chromium or Chrome: the one that CHROMIUM_PATH or CHROME_PATH names, one in a usual place, one in PATH; on
 * Debian as root one that is installed now.
 *
 * @throws {MissingBrowserError} when there is none: one sentence that says what to install
 * @throws {Error} when the environment names one that is not there
 */
export function findBrowser(system = thisSystem) {
  return presentBrowser(system) ?? installBrowser(system)
}

/** As `findBrowser`, but nothing is installed: undefined when there is none. */
export function presentBrowser(system = thisSystem) {
  return namedBrowser(system) ?? installedBrowser(system)
}

function namedBrowser({ environment, exists }) {
  const variable = VARIABLES.find((name) => environment[name])
  if (!variable) return undefined
  const path = environment[variable]
  if (exists(path)) return path
  throw new Error(
    `${variable} names ${path}, where nothing is: set it to the program of a Chromium, or unset it.`,
  )
}

function installedBrowser({ environment, platform, exists }) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const inPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...(USUAL_PATHS[platform] ?? []), ...inPath].find(exists)
}

function installBrowser(system) {
  const { isRoot, exists, run } = system
  if (!isRoot || !exists('/etc/debian_version') || !exists('/usr/bin/apt-get'))
    throw new MissingBrowserError('one is installed automatically only on Debian, as root')
  try {
    run('/usr/bin/apt-get', 'update', '--quiet')
    // Another program may be installing: its lock is waited for.
    run('/usr/bin/apt-get', 'install', '--quiet', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', 'chromium') // prettier-ignore
  } catch (cause) {
    const reason = `apt-get could not install it: ${cause.message}`
    throw new MissingBrowserError(reason, `${INSTALL} (${reason})`, { cause })
  }
  const installed = installedBrowser(system)
  if (!installed) throw new MissingBrowserError('what apt-get installed is not where it is looked for')
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
 * A new browser without a window and without what calls home, with a profile that is gone when it is closed.
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
    console.log(findBrowser())
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
