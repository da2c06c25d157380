// Owns the check of all types: every tsconfig of the repository by TypeScript 6, which the tools need; what users write by
// TypeScript 7 as well, which most of them have. It must never emit anything but what tsc remembers of a check.
//
//   npm run types
//   npm run types -- tests compiler          some folders alone

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** `tsc` of TypeScript 6. */
export const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** `tsc` of TypeScript 7. */
export const TSC_7 = join(ROOT, 'node_modules/typescript7/bin/tsc')

/** The language of the core is not TypeScript: its own compiler checks it. */
const CORE = 'assembly/tsconfig.json'

/** What others have made, or nobody keeps. */
const PASSED_OVER = new Set(['.git', 'node_modules', 'build', 'dist', 'coverage', 'out'])

/** Every tsconfig below a folder, by its path from the root. */
function tsconfigsBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return PASSED_OVER.has(entry.name) ? [] : tsconfigsBelow(path)
    return /^tsconfig.*\.json$/.test(entry.name) ? [path.replaceAll('\\', '/')] : []
  })
}

/** The projects of these folders, or of all. */
function projectsIn(folders) {
  return tsconfigsBelow('').filter(
    (file) => file !== CORE && (folders.length === 0 || folders.some((one) => file.startsWith(`${one}/`))),
  )
}

function check(tsc, options) {
  const { status } = spawnSync(process.execPath, [tsc, ...options], { cwd: ROOT, stdio: 'inherit' })
  return status === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const projects = projectsIn(process.argv.slice(2))
  const ofUsers = projects.filter((file) => dirname(file) === 'tests/types')
  const results = [
    check(TSC, ['-b', ...projects, '--noEmit', '--incremental']),
    ...ofUsers.map((file) => check(TSC_7, ['--noEmit', '-p', file])),
  ]
  if (results.includes(false)) process.exitCode = 1
}
