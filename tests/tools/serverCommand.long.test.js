// Shows what the commands that serve pages answer to options that make no sense, and to addresses that do not exist.

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMMANDS = ['examples/rollback/serve.js', 'packages/site/serve.js']

const run = (command, ...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, command), ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, said: stdout, complained: stderr }
}

const temporary = () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-served-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

for (const command of COMMANDS) {
  it.each([
    [['--port', 'abc'], /^--port is a whole number from 1 to 65535, not 'abc'\.\n/],
    [['--port', '70000'], /not '70000'/],
    [['--port', '80.5'], /not '80\.5'/],
    [['--port', '0'], /not '0'/],
    [['--port='], /not ''/],
    [['--bogus'], /^Unknown option '--bogus'/],
    [['something'], /^Unexpected argument 'something'/],
  ])(`${command} refuses %j with a sentence`, (args, sentence) => {
    const { status, said, complained } = run(command, ...args)
    expect([status, said]).toEqual([2, ''])
    expect(complained).toMatch(sentence)
    expect(complained).not.toMatch(/^ +at /m)
  })
}

it('A page that was not built is not served', () => {
  const { status, said, complained } = run(COMMANDS[0], '--no-build', '--folder', join(temporary(), 'none'))
  expect([status, said]).toEqual([1, ''])
  expect(complained).toMatch(/^There is no page in .*none: leave --no-build out/)
})

it('A page is not built into a file', () => {
  const file = join(temporary(), 'file')
  writeFileSync(file, '')
  const { status, complained } = run(COMMANDS[0], '--folder', file)
  expect(status).toBe(1)
  expect(complained).toMatch(/file is no folder: name another one with --folder/)
})

it('A server without a free port reports it', async () => {
  const taken = createServer().listen(65_535, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await new Promise((done) => taken.on('listening', done).on('error', done))
  const folder = temporary()
  writeFileSync(join(folder, 'index.html'), 'page')
  const child = spawn(process.execPath, [
    join(ROOT, COMMANDS[0]),
    '--no-build',
    '--folder',
    folder,
    '--port',
    '65535',
  ])
  onTestFinished(() => void child.kill())
  let complained = ''
  child.stderr.on('data', (text) => (complained += text))
  const status = await new Promise((done) => child.on('exit', done))
  expect([status, complained]).toEqual([
    1,
    'No port from 65535 to 65535 is free: choose another one with --port.\n',
  ])
})

it('A served page is reachable on this machine only, and a missing one is 404', async () => {
  const folder = temporary()
  writeFileSync(join(folder, 'index.html'), 'page')
  writeFileSync(join(folder, 'asset.js'), 'asset')
  const child = spawn(process.execPath, [
    join(ROOT, COMMANDS[0]),
    '--no-build',
    '--folder',
    folder,
    '--port',
    '4396',
  ])
  onTestFinished(() => void child.kill())
  const addresses = await new Promise((done, fail) => {
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
      if (/ is at \S+\n/.test(said)) done([...said.matchAll(/ is at (\S+)/g)].map(([, address]) => address))
    })
    child.on('exit', () => fail(new Error(said)))
  })
  expect(addresses).toEqual([expect.stringMatching(/^http:\/\/localhost:\d+\/$/)])
  const answer = async (path, headers = {}) => {
    const response = await globalThis.fetch(addresses[0] + path, { headers })
    return [response.status, await response.text()]
  }
  expect(await answer('')).toEqual([200, 'page'])
  expect(await answer('asset.js')).toEqual([200, 'asset'])
  for (const path of ['nothing', 'assets/nothing.js', 'nothing.html', 'a/b/c'])
    expect((await answer(path))[0], path).toBe(404)
  // A range that ends before it begins.
  await answer('asset.js', { range: 'bytes=5-1' }).catch(() => undefined)
  expect(await answer('')).toEqual([200, 'page'])
})
