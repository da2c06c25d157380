// Shows that the README of the package works as written: its program and its five commands, in a fresh project.

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { readResults } from '../src/index.ts'
import { run, scratch, start, startRedis, withoutRedis } from './support/ensemble.js'

const ROOT = resolve(import.meta.dirname, '../../..')
const README = readFileSync(join(ROOT, 'packages/ensemble/README.md'), 'utf8')
const PROGRAM = /^```js\n(.*?)^```$/ms.exec(README)[1]
const COMMANDS = README.match(/^npx strata-ensemble .*$/gm)

/** A project that has installed both packages, with the README's program. */
function project() {
  const folder = scratch()
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(ROOT, join(folder, 'node_modules/strata-ecs'), 'junction')
  symlinkSync(join(ROOT, 'packages/ensemble'), join(folder, 'node_modules/strata-ensemble'), 'junction')
  symlinkSync('../strata-ensemble/bin/strata-ensemble.js', join(folder, 'node_modules/.bin/strata-ensemble'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "type": "module" }')
  writeFileSync(join(folder, 'walk.run.js'), PROGRAM)
  return folder
}

const commandOf = (name) => COMMANDS.filter((line) => line.startsWith(`npx strata-ensemble ${name} `))
const shell = (line, cwd) => run([], { command: ['npx', ...line.split(' ').slice(1)], cwd })

it('names five commands', () => {
  expect(COMMANDS.map((line) => line.split(' ')[2])).toEqual(['run', 'show', 'export', 'run', 'work'])
})

it('runs, shows and exports as it says', async () => {
  const cwd = project()
  expect((await shell(commandOf('run')[0], cwd)).output).toContain('300 of 300 runs are done.')
  expect((await shell(commandOf('run')[0], cwd)).output).toContain(
    '300 of 300 runs are done, 300 of them before.',
  )
  expect((await shell(commandOf('show')[0], cwd)).output).toContain(
    'walk.run: 300 runs, 9,000 rows, 0 failed',
  )
  expect(readFileSync(join(cwd, 'runs/report.html'), 'utf8')).toContain('far by day')
  await shell(commandOf('export')[0], cwd)
  expect(['all.parquet', 'all.csv'].map((file) => existsSync(join(cwd, file)))).toEqual([true, true])
})

it.skipIf(withoutRedis)('hands runs to a queue, and works on it, as it says', async () => {
  const cwd = project()
  const redis = await startRedis()
  const line = (name, at) => commandOf(name).at(at).replace('redis://127.0.0.1:6379', redis.url)
  // Without npx, which would outlive the test: it does not pass its end on.
  start(line('work', 0).split(' ').slice(2), { cwd })
  const handing = shell(line('run', 1), cwd)
  expect((await handing).output).toContain('200 of 200 runs are done.')
  expect(readResults(join(cwd, 'queued')).table.numRows).toBe(6000)
})

it('works in a clone with the commands that it names', () => {
  const commands = /In a clone of the repository.*?```sh\n(.*?)```/s.exec(README)[1].trim().split('\n')
  expect(commands).toEqual(['npm ci', 'npm run build epidemic ensemble'])
})
