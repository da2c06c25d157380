// Owns the installation of TypeScript 7, which most users have, beside the version that the tools need: `npm run types` and
// the tests check the types with both. It must never install what is installed already: tests may be running.
//
// `node scripts/typescript7.js` installs it, with arguments it also runs its tsc: `node scripts/typescript7.js -p tests/types`.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'tests/types/typescript7')
const PACKAGE = join(FOLDER, 'node_modules/typescript')

/** The file to run with Node, as `tsc` of TypeScript 7. */
export const TSC = join(PACKAGE, 'bin/tsc')

const versionIn = (file, read) =>
  existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : undefined

/** Whether the version that the folder asks for is there. */
export function isInstalled() {
  const wanted = versionIn(join(FOLDER, 'package.json'), ({ devDependencies }) => devDependencies.typescript)
  return versionIn(join(PACKAGE, 'package.json'), ({ version }) => version) === wanted
}

function install() {
  if (isInstalled()) return
  execFileSync('npm', ['ci', '--prefix', FOLDER, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  install()
  const options = argv.slice(2)
  if (options.length > 0)
    process.exitCode = spawnSync(process.execPath, [TSC, ...options], { stdio: 'inherit' }).status ?? 1
}
