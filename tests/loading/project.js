// A stranger's project: the packed tarball installed into an empty folder outside of this repository, with the programs of this
// folder copied into it.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const HERE = import.meta.dirname
const ROOT = resolve(HERE, '../..')

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

/**
 * A new project. `copied` are paths of this folder, `written` texts by path.
 *
 * @param tools packages of the repository that a user would install besides: they are linked
 */
export function createProject(copied, { written = {}, tools = [] } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), 'strata-loading-'))
  const folder = join(scratch, 'project')
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'stranger', private: true, type: 'module' }),
  )
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], ROOT),
  )
  const install = ['install', '--offline', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error']
  run('npm', [...install, join(scratch, filename)], folder)
  for (const path of copied) cpSync(join(HERE, path), join(folder, path), { recursive: true })
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const tool of tools) symlinkSync(join(ROOT, 'node_modules', tool), join(folder, 'node_modules', tool))
  return { folder, remove: () => rmSync(scratch, { recursive: true, force: true }) }
}

/** What one of the project's programs answers in a Node, this one unless another is given. */
export const answerOfNode = (folder, program = PROGRAM, node = process.execPath) =>
  execFileSync(node, ['--input-type=module', '--eval', program], { cwd: folder, encoding: 'utf8' })

const PROGRAM = `import { simulate } from './program.js'
process.stdout.write(simulate())`
/** The program with a compiled loop. */
export const LOOPS = `import { simulateWithLoops } from './loops.js'
process.stdout.write(simulateWithLoops())`
