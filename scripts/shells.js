// Owns the shells of other engines in which examples are replayed: finds them, and installs them where that is possible.
// It must never download from anywhere but the system's own packages.
//
// `node scripts/shells.js` installs what is missing, or says what is.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Firefox's engine and Safari's, by the packages that Debian has of them. */
export const SHELLS = {
  SpiderMonkey: {
    program: 'js102',
    paths: ['/usr/bin/js102'],
    package: 'libmozjs-102-dev',
    install: 'on Debian, apt-get install libmozjs-102-dev',
  },
  JavaScriptCore: {
    program: 'jsc',
    paths: ['/usr/bin/jsc', '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/jsc'],
    package: 'libjavascriptcoregtk-4.0-bin',
    install: 'on Debian, apt-get install libjavascriptcoregtk-4.0-bin',
  },
}

/** The path of an engine's shell; undefined where there is none. */
export function findShell(engine) {
  return SHELLS[engine].paths.find((path) => existsSync(path))
}

/** Installs the shells that are missing, where this is root on a system with apt. */
function installMissing() {
  for (const [engine, { program, package: name, install }] of Object.entries(SHELLS)) {
    if (findShell(engine) !== undefined) continue
    try {
      if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error('not root, or no apt')
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], {
        stdio: 'ignore',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    } catch {
      console.log(`${engine} is left out: there is no ${program} here; ${install}.`)
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) installMissing()
