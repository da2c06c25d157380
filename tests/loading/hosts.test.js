// Shows that the packed package does the same in hosts that people run it in: contexts of node:vm, Jest, frozen and extended
// prototypes, processes under restrictions, and two copies of it in one program. What runs in each is everywhere.js.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from './project.js'

/** Made here, as the newer lines of Node are: it weighs 70 MB, and only this file needs it. */
const JEST = { jest: '30.5.2', 'jest-environment-jsdom': '30.5.2' }

let project, expected

beforeAll(() => {
  project = createProject(['everywhere.js', 'hosts'], {
    tools: ['react', 'react-dom', 'three', 'apache-arrow'],
  })
  expected = answerIn('plain.mjs')
  writeFileSync(join(project.folder, 'expected.json'), expected)
})

afterAll(() => project?.remove())

/** What the program answers in a host, a file of hosts/, in a Node with these options. */
function answerIn(host, ...options) {
  const parameters = ['--no-warnings', ...options, join('hosts', host)]
  return execFileSync(process.execPath, parameters, { cwd: project.folder, encoding: 'utf8' })
}

const knowsPermission = process.allowedNodeEnvironmentFlags.has('--permission')

it('The program uses each room, and none of it fails', () => {
  const { told, seen } = JSON.parse(expected)
  expect(told).toContain('step')
  expect(seen).toContain('as expected')
  expect(seen).toContain('StrataTypeError UNKNOWN_FIELD')
})

describe('The program answers the same', () => {
  it.each([
    ['in a context of node:vm', 'context.mjs', '--experimental-vm-modules'],
    ['where the host has nothing but the language: no TextEncoder, no atob, no performance', 'bare.mjs'],
    ['where everything of the language is frozen', 'frozen.mjs'],
    ['under --frozen-intrinsics', 'plain.mjs', '--frozen-intrinsics'],
    ['where prototypes have enumerable methods', 'extended.mjs'],
    ['in a server component of React', 'plain.mjs', '--conditions=react-server'],
    [
      'under the permission model of Node',
      'plain.mjs',
      knowsPermission ? '--permission' : '--experimental-permission',
      '--allow-fs-read=*',
    ],
    ['where no code may be made from texts', 'plain.mjs', '--disallow-code-generation-from-strings'],
    ['without __proto__', 'plain.mjs', '--disable-proto=throw'],
  ])('%s', (_, host, ...options) => {
    expect(answerIn(host, ...options)).toBe(expected)
  })
})

it('The entry of hooks is marked for the client, for bundlers of server components', () => {
  const folder = join(project.folder, 'node_modules/strata-ecs')
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const [onServers, hooks] = ['react-server', 'default'].map((condition) =>
    readFileSync(join(folder, exports['./react'][condition]), 'utf8'),
  )
  expect(onServers.startsWith("'use client'")).toBe(true)
  expect(onServers).toContain(" from './react.js'")
  // A component of a server gets a reference to each by its name.
  const namesIn = (code) =>
    /export \{([^}]*)\}[^}]*$/
      .exec(code)[1]
      .split(',')
      .map((name) => name.trim())
  expect(namesIn(onServers).sort()).toEqual(namesIn(hooks).sort())
})

it('The entry of hooks can be loaded where React has no hooks, as in server components', () => {
  const load = `const { default: React } = await import('react')
const hooks = await import('strata-ecs/react')
process.stdout.write(JSON.stringify([typeof React.createContext, Object.keys(hooks).length]))`
  const parameters = ['--conditions=react-server', '--input-type=module', '--eval', load]
  const answer = execFileSync(process.execPath, parameters, { cwd: project.folder, encoding: 'utf8' })
  expect(JSON.parse(answer)).toEqual(['undefined', 10])
})

it('Two copies in one program each work, and each refuses what the other has made and says so', () => {
  cpSync(join(project.folder, 'node_modules/strata-ecs/dist'), join(project.folder, 'copy'), {
    recursive: true,
  })
  const { answers, silent, wrong, results } = JSON.parse(answerIn('copies.mjs'))
  expect(answers).toEqual([expected, expected])
  expect([silent, wrong]).toEqual([[], 0])
  // These go by what a query or a world has, whichever copy made it.
  expect(results).toEqual({
    'a loop compiled by theirs, as JavaScript': 2,
    'a table of theirs': 1,
    'a hook of theirs about a query': '2',
    'their workers': 0,
  })
})

it.skipIf(process.platform !== 'linux')('Without address space for a memory, the error says so', () => {
  // Node itself runs in this much.
  const limited = `ulimit -v 6000000 && exec "${process.execPath}" hosts/space.mjs`
  const { stdout } = spawnSync('bash', ['-c', limited], { cwd: project.folder, encoding: 'utf8' })
  expect(stdout).toMatch(/^LimitError MEMORY_LIMIT .*address space/)
})

it.skipIf(process.platform !== 'linux')('A worker takes half a GB of address space at most', () => {
  const [workers, megabytes] = answerIn('workerSpace.mjs').split(' ').map(Number)
  expect(workers).toBe(1)
  // 730 to 860 with the room that Node gives a thread for machine code; where little is left, a world needs the difference.
  expect(megabytes).toBeLessThan(512)
})

describe('In Jest, with modules, the program answers the same, and hooks show a world', () => {
  let folder
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'strata-jest-'))
    const packages = Object.entries(JEST).map(([name, version]) => `${name}@${version}`)
    const how = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', [...how, ...packages])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(['node', 'jsdom'])('in the environment %s', (environment) => {
    const installed = createRequire(join(folder, 'package.json'))
    const config = {
      rootDir: project.folder,
      testMatch: ['**/*.jest.mjs'],
      testEnvironment: installed.resolve(`jest-environment-${environment}`),
      transform: {},
      cacheDirectory: join(folder, 'cache'),
    }
    const jest = [join(folder, 'node_modules/jest/bin/jest.js'), '--json', '--config', JSON.stringify(config)]
    const { stdout, stderr } = spawnSync(process.execPath, ['--experimental-vm-modules', ...jest], {
      cwd: project.folder,
      encoding: 'utf8',
      env: { ...process.env, STRATA_HAS_PAGE: String(environment === 'jsdom') },
    })
    const { numPassedTests, numTotalTests } = JSON.parse(stdout)
    expect([numPassedTests, numTotalTests], stderr).toEqual([2, 2])
  })
})
