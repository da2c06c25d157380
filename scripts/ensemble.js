// Owns the installation of the packages that ensemble/ needs, and the link by which it finds the library of this repository.
// It must never install what is installed already: tests of that folder may be running.
//
// `node scripts/ensemble.js` is what the scripts of package.json run first.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'ensemble')
const MODULES = join(FOLDER, 'node_modules')

/** Holds the lock file of what is installed. */
const INSTALLED = join(MODULES, '.installed')

/** Installs the packages that the lock file names unless they are there, and links strata-ecs. Takes some seconds. */
function installEnsemble() {
  const lock = readFileSync(join(FOLDER, 'package-lock.json'), 'utf8')
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lock) return
  execFileSync('npm', ['ci', '--prefix', FOLDER, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  const link = join(MODULES, 'strata-ecs')
  rmSync(link, { recursive: true, force: true })
  symlinkSync(ROOT, link, 'junction')
  writeFileSync(INSTALLED, lock)
}

installEnsemble()
