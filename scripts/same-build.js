// Owns the proof that a change of the sources leaves what is published as it was: it builds another commit beside this one and
// compares dist/ file by file. For commits that move, rename or merge files.
//
//   node scripts/same-build.js HEAD~1

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minify } from 'terser'
import { build } from './build.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A module without comments and layout, and with other names for what it does not export. */
async function withoutNames(code) {
  return (await minify(code, { module: true, compress: false, mangle: true })).code
}

/**
 * Compares what two builds have written. Maps are left out: they name the sources.
 *
 * @param {string} before a folder
 * @param {string} after a folder
 * @returns {Promise<{ file: string, how: 'equal' | 'equal but for names and comments' | 'different' | 'missing' | 'new' }[]>} by name
 */
export async function compareBuilds(before, after) {
  const [old, now] = [before, after].map((folder) =>
    readdirSync(folder).filter((file) => !file.endsWith('.map')),
  )
  const files = [...new Set([...old, ...now])].sort()
  return Promise.all(
    files.map(async (file) => {
      if (!now.includes(file)) return { file, how: 'missing' }
      if (!old.includes(file)) return { file, how: 'new' }
      const [one, other] = [before, after].map((folder) => readFileSync(join(folder, file)))
      if (one.equals(other)) return { file, how: 'equal' }
      if (!file.endsWith('.js')) return { file, how: 'different' }
      const [a, b] = await Promise.all([one, other].map((bytes) => withoutNames(bytes.toString())))
      return { file, how: a === b ? 'equal but for names and comments' : 'different' }
    }),
  )
}

async function compareWith(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-same-build-'))
  const git = (...words) => execFileSync('git', words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  git('worktree', 'add', '--detach', folder, commit)
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
    execFileSync(process.execPath, ['scripts/build.js', 'modules'], { cwd: folder, stdio: 'ignore' })
    await build({ names: ['modules'] })
    return await compareBuilds(join(folder, 'dist'), join(ROOT, 'dist'))
  } finally {
    git('worktree', 'remove', '--force', folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [commit] = process.argv.slice(2)
  if (commit === undefined)
    throw new Error('Name the commit to compare with: node scripts/same-build.js HEAD~1')
  const found = await compareWith(commit)
  for (const { file, how } of found) console.log(`${how}: ${file}`)
  if (found.some(({ how }) => !how.startsWith('equal'))) process.exitCode = 1
}
