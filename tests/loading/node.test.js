// Owns the proof that the packed package runs in every line of Node it names, by import and by require.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOfNode, createProject } from './project.js'

/** Binaries from the registry; they are for Linux on x64, elsewhere only this Node is tried. */
const lines = ['node22', 'node24', 'node26']
  .map((name) => join(import.meta.dirname, 'node_modules', name, 'bin/node'))
  .filter((path) => existsSync(path))
const nodes = [process.execPath, ...lines].map((path) => ({
  path,
  version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(),
}))

let project, expected

beforeAll(() => {
  project = createProject(['program.js'])
  expected = answerOfNode(project.folder)
})

afterAll(() => project?.remove())

it('has the newer lines to try, where they can run', () => {
  const expectedLines = process.platform === 'linux' && process.arch === 'x64' ? 3 : 0
  expect(lines).toHaveLength(expectedLines)
})

describe.each(nodes)('Node $version', ({ path }) => {
  it('gives the same answer', () => {
    expect(answerOfNode(project.folder, path)).toBe(expected)
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
