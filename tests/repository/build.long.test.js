// Shows, in a copy of its inputs, that a build runs what is out of date and nothing else.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PUBLISHED, STEPS, build } from '../../scripts/build.js'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCES = [
  'assembly',
  'bindings',
  ...PUBLISHED,
  'packages/inspector/tsconfig.json',
  'packages/kernels/tsconfig.json',
  'packages/ensemble/src',
  'packages/ensemble/package.json',
  'packages/ensemble/tsconfig.json',
  'packages/ensemble/tsconfig.build.json',
  'scripts',
  'examples/epidemic/kernels',
  'bench/kernels',
  'asconfig.json',
  'package.json',
  'package-lock.json',
  'rollup.config.js',
  'tsconfig.json',
]
const ALL_STEPS = Object.keys(STEPS)
const isMade = (path) => /^(?:build|dist)(?:\/|$)/.test(path)

let root
const pathOf = (file) => join(root, file)
const read = (file) => readFileSync(pathOf(file), 'utf8')
const write = (file, text) => {
  mkdirSync(dirname(pathOf(file)), { recursive: true })
  writeFileSync(pathOf(file), text)
}

/** What a step would make, and which: a text that is another one whenever `version` is. */
let version
const makeNothingReal = (_, { outputs }, name) => {
  const folders = {
    'build/small': ['build/small/checked.ts'],
    dist: ['dist/index.js', 'dist/kernelCompiler.js'],
    'packages/ensemble/dist': ['packages/ensemble/dist/index.js'],
  }
  for (const file of outputs.flatMap((path) => folders[path] ?? [path])) write(file, `${name} ${version}`)
}

/** The steps that compile kernels. */
const KERNELS = ['epidemic', 'bench']

/** Builds in the copy; returns the names of the steps that ran, and what was said. */
async function buildCopy({ names = ALL_STEPS, ...options } = {}) {
  const said = []
  const ran = await build({ root, names, run: makeNothingReal, say: (line) => said.push(line), ...options })
  return { ran, said }
}

/** The command itself, in the copy. */
const command = (...parameters) => [process.execPath, [pathOf('scripts/build.js'), ...parameters]]
const runCommand = (...parameters) => {
  const { status, stdout, stderr } = spawnSync(...command(...parameters), { encoding: 'utf8' })
  return { status, said: stdout.trim().split('\n'), complained: stderr }
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'strata-build-'))
  for (const source of SOURCES) cpSync(join(ROOT, source), pathOf(source), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), pathOf('node_modules'), 'junction')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it.each(Object.entries(STEPS))(
  '%s is made from every script that its own scripts import',
  (_, { inputs }) => {
    const scripts = inputs.filter((file) => file.endsWith('.js') && !isMade(file))
    for (const script of scripts) {
      const text = readFileSync(join(ROOT, script), 'utf8')
      const imported = [...text.matchAll(/^import (?!type).* from '(\.[^']+)'$/gm)].map(([, path]) =>
        join(dirname(script), path),
      )
      expect(inputs).toEqual(expect.arrayContaining(imported))
    }
  },
)

describe('a build', () => {
  beforeEach(async () => {
    version = 1
    await buildCopy()
  })

  it('runs nothing when nothing has changed, and says so of each step', async () => {
    expect(await buildCopy()).toEqual({ ran: [], said: ALL_STEPS.map((name) => `${name}: up to date`) })
  })

  it.each([
    ['assembly/memory/sizes.ts', ['core', 'worker', 'modules', ...KERNELS]],
    ['bindings/world/world.ts', ['modules', ...KERNELS]],
    ['packages/workers/src/worker.ts', ['worker', 'modules', ...KERNELS]],
    ['packages/inspector/src/element/dom.ts', ['modules', ...KERNELS]],
    ['packages/ensemble/src/plan.ts', ['ensemble']],
    ['asconfig.json', ['core', 'worker', 'modules', ...KERNELS]],
    ['rollup.config.js', ['modules', ...KERNELS]],
    ['scripts/build-each.js', ['each', 'modules', ...KERNELS]],
    ['examples/epidemic/kernels/random.ts', ['epidemic']],
    ['package-lock.json', ALL_STEPS],
    ['scripts/build.js', ALL_STEPS],
  ])('runs, after a change in %s, what is made from it, directly or not', async (file, steps) => {
    const before = read(file)
    version = 2
    appendFileSync(pathOf(file), '\n// touched\n')
    const { ran, said } = await buildCopy()
    expect(ran).toEqual(steps)
    expect(said).toContain(`${steps[0]}: building, because ${file} has changed`)
    expect((await buildCopy()).ran).toEqual([])
    write(file, before)
  })

  it('stops where a change makes no difference: the result is the same as before', async () => {
    appendFileSync(pathOf('assembly/core.ts'), '\n// a comment\n')
    expect((await buildCopy({ names: ['modules'] })).ran).toEqual(['core'])
  })

  it('notices files that were added and removed', async () => {
    write('assembly/memory/added.ts', '// Owns nothing yet.\n')
    expect((await buildCopy()).said[0]).toBe('core: building, because assembly/memory/added.ts is new')
    rmSync(pathOf('assembly/memory/added.ts'))
    expect((await buildCopy()).said[0]).toBe('core: building, because assembly/memory/added.ts is gone')
  })

  it('treats a file with another time and the same content as unchanged', async () => {
    utimesSync(pathOf('bindings/index.ts'), new Date(), new Date(Date.now() + 3_600_000))
    expect((await buildCopy()).ran).toEqual([])
  })

  it.each([
    ['core', 'build/release.wasm'],
    ['core', 'build/small/checked.ts'],
    ['modules', 'dist/index.js'],
    ['epidemic', 'build/epidemic/places.kernel.d.ts'],
  ])('runs %s again where %s was deleted or overwritten', async (step, file) => {
    const before = read(file)
    rmSync(pathOf(file))
    expect((await buildCopy()).ran).toEqual([step])
    expect(read(file)).toBe(before)
    write(file, 'something else')
    expect((await buildCopy()).ran).toEqual([step])
    expect(read(file)).toBe(before)
  })

  it('runs every step when forced to, and a single one when asked to', async () => {
    expect((await buildCopy({ force: true })).ran).toEqual(ALL_STEPS)
    appendFileSync(pathOf('assembly/core.ts'), '\n// a comment\n')
    expect((await buildCopy({ names: ['epidemic'], alone: true })).ran).toEqual(['epidemic'])
    expect((await buildCopy({ names: ['modules'] })).ran).toEqual(['core'])
  })

  it('does not consider a step done that failed, left a file out, or whose sources changed meanwhile', async () => {
    const file = 'bindings/index.ts'
    appendFileSync(pathOf(file), '// one\n')
    const failing = () => Promise.reject(new Error('a tool failed'))
    await expect(buildCopy({ run: failing })).rejects.toThrow('a tool failed')

    const forgetful = () => rmSync(pathOf('dist'), { recursive: true, force: true })
    await expect(buildCopy({ run: forgetful })).rejects.toThrow('modules was built, and dist is missing')

    const late = (...parameters) => {
      makeNothingReal(...parameters)
      appendFileSync(pathOf(file), '// two\n')
    }
    const { said } = await buildCopy({ names: ['modules'], run: late })
    expect(said.at(-1)).toBe(
      `modules: ${file} has changed while it was built, so the next build runs it again`,
    )
    expect((await buildCopy({ names: ['modules'] })).ran).toEqual(['modules'])
  })

  it('refuses a step that does not exist, and names the existing ones', async () => {
    await expect(buildCopy({ names: ['swarm'] })).rejects.toThrow(/There is no step 'swarm'.*core, each/)
  })
})

describe('the list of steps', () => {
  it('names only existing sources', () => {
    const named = Object.values(STEPS).flatMap(({ inputs }) => inputs.filter((path) => !isMade(path)))
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('names every file of build/ that the modules are made from, and what makes it', () => {
    const houses = STEPS.modules.inputs.filter((path) => /^(?:bindings|packages\/\w+\/src)$/.test(path))
    const texts = houses.flatMap((house) =>
      readdirSync(join(ROOT, house), { recursive: true })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(ROOT, house, file), 'utf8')),
    )
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/from '(?:\.\.\/)+(build\/\w+)'/g)].map(([, path]) => `${path}.ts`),
    )
    const made = [...STEPS.core.outputs, ...STEPS.each.outputs, ...STEPS.worker.outputs]
    expect(imported.length).toBeGreaterThan(10)
    // The minified file carries the whole core.
    imported.push('build/release.ts')
    expect(new Set(imported)).toEqual(
      new Set(STEPS.modules.inputs.filter((path) => /^build\/.*\.ts$/.test(path))),
    )
    for (const path of STEPS.modules.inputs.filter(isMade)) expect(made).toContain(path)
  })
})

describe('the command', () => {
  it('makes what is missing or was deleted, and otherwise nothing', () => {
    rmSync(pathOf('build'), { recursive: true, force: true })
    expect(runCommand('each')).toMatchObject({
      status: 0,
      said: ['each: building, because no build of it was finished here'],
    })
    const loops = read('build/eachLoops.ts')
    expect(loops).toBe(readFileSync(join(ROOT, 'build/eachLoops.ts'), 'utf8'))
    expect(runCommand('each')).toMatchObject({ status: 0, said: ['each: up to date'] })
    rmSync(pathOf('build/eachLoops.ts'))
    expect(runCommand('each').said).toEqual(['each: building, because build/eachLoops.ts is gone'])
    expect(read('build/eachLoops.ts')).toBe(loops)
  })

  it('compiles the kernels of an example again after a change in one of their files', () => {
    for (const file of ['strata-kernels.js', 'kernelCompiler.js', 'kernelWorker.js', 'loopCompiler.js'])
      cpSync(join(ROOT, 'dist', file), pathOf(`dist/${file}`))
    const compile = () => runCommand('--alone', 'epidemic')
    expect(compile()).toMatchObject({ status: 0, complained: '' })
    const before = read('build/epidemic/places.kernel.js')
    expect(compile().said).toEqual(['epidemic: up to date'])
    const source = 'examples/epidemic/kernels/places.kernel.ts'
    write(source, read(source).replaceAll('total', 'whole'))
    const { status, said } = compile()
    expect([status, said[0]]).toEqual([0, `epidemic: building, because ${source} has changed`])
    expect(read('build/epidemic/places.kernel.js')).not.toBe(before)
  })

  it('ends with 1 and a sentence if a step fails, which is not up to date afterwards', () => {
    const source = 'examples/epidemic/kernels/places.kernel.ts'
    appendFileSync(pathOf(source), '\nlet wrong = 1\n')
    for (let run = 0; run < 2; run++) {
      const { status, said, complained } = runCommand('--alone', 'epidemic')
      expect([status, said.length]).toEqual([1, 1])
      expect(complained).toContain('dist/strata-kernels.js failed.')
    }
  })

  it('builds once if two run at the same time: the second waits, and finds everything done', async () => {
    rmSync(pathOf('build'), { recursive: true, force: true })
    const two = [1, 2].map(async () => {
      const child = spawn(...command('each'), { stdio: ['ignore', 'pipe', 'inherit'] })
      let said = ''
      child.stdout.on('data', (part) => (said += part))
      const [status] = await once(child, 'close')
      return { status, said }
    })
    const both = await Promise.all(two)
    expect(both.map(({ status }) => status)).toEqual([0, 0])
    const all = both.map(({ said }) => said).join('')
    expect(all.match(/each: building/g)).toHaveLength(1)
    expect(all.match(/each: up to date/g)).toHaveLength(1)
  })

  it('does not wait for a build that died', () => {
    const { pid } = spawnSync(process.execPath, ['--eval', ''])
    write('build/stamps/lock', String(pid))
    expect(runCommand('--force', 'each')).toMatchObject({
      status: 0,
      said: ['each: building, because you ask for it'],
    })
    expect(existsSync(pathOf('build/stamps/lock'))).toBe(false)
  })
})
