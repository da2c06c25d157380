// Shows that a stranger can add a kernel with the guide alone: its files and commands, typed into a fresh Node project and a
// fresh Vite project, with the packed tarball.

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packInto, unpackInto } from '../support/packed.js'
import { typeCheck } from '../support/typeCheck'

const ROOT = resolve(import.meta.dirname, '../..')
const GUIDE = readFileSync(join(ROOT, 'docs/kernels.md'), 'utf8')
const ANSWER = '{"x":1,"y":0.5}'

/** The files that the guide shows, by path. */
const shown = new Map(
  [...GUIDE.matchAll(/^```\w+ file (\S+)\n([\s\S]*?)^```$/gm)].map(([, path, text]) => [path, text]),
)
/** The lines of its shell blocks. */
const commands = [...GUIDE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, text]) =>
  text.trim().split('\n'),
)

let scratch = ''
let tarball = ''

function run(command, args, cwd) {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`, { cause: error })
  }
}

/** A new project with the package from the tarball. The tools are those of this repository: nothing is downloaded. */
function project(name, tools, files) {
  const folder = join(scratch, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }))
  unpackInto(folder, tarball)
  for (const tool of tools) symlinkSync(join(ROOT, 'node_modules', tool), join(folder, 'node_modules', tool))
  for (const [path, from] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), shown.get(from))
  }
  return folder
}

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'strata-guide-'))
  ;({ tarball } = packInto(scratch))
})

afterAll(() => {
  if (scratch !== '') rmSync(scratch, { recursive: true, force: true })
})

describe('a Node script, by the guide', () => {
  let folder = ''
  beforeAll(() => {
    folder = project('script', ['assemblyscript'], {
      'movement.kernel.ts': 'movement.kernel.ts',
      'simulation.js': 'simulation.js',
    })
  })

  it('builds its kernel and runs it with the commands that the guide shows', () => {
    const build = commands.find((line) => line.startsWith('npx strata-kernels build'))
    const [npx, ...rest] = build.split(' ')
    run(npx, ['--offline', ...rest], folder)
    expect(readdirSync(join(folder, 'kernels')).sort()).toEqual([
      'movement.kernel.d.ts',
      'movement.kernel.js',
    ])
    expect(commands).toContain('node simulation.js')
    expect(run('node', ['simulation.js'], folder).trim()).toBe('{ x: 1, y: 0.5 }')
  })

  it('reports what to install where AssemblyScript is missing', () => {
    const bare = project('bare', [], { 'movement.kernel.ts': 'movement.kernel.ts' })
    const build = ['--offline', 'strata-kernels', 'build', 'movement.kernel.ts', '--out', 'kernels']
    expect(() => run('npx', build, bare)).toThrow(/npm install --save-dev assemblyscript/)
  })

  it('gets an error from the type checker when a column or a scalar is missing', () => {
    const compilerOptions = { target: 'es2022', module: 'nodenext', types: [], strict: true, noEmit: true }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
    const check = (text) => {
      // The script prints; nothing else of it asks for types of Node.
      writeFileSync(join(folder, 'typed.ts'), `declare const console: { log(what: unknown): void }\n${text}`)
      return typeCheck(join(folder, 'tsconfig.json'))
    }
    const right = shown.get('simulation.js').replace('moving.first()', 'moving.first()!')
    expect(check(right)).toBe('')
    expect(check(right.replace("  vx: [Velocity, 'x'],\n", ''))).toMatch(/vx/)
    expect(check(right.replace("vx: [Velocity, 'x']", "vx: [Velocity, 'z']"))).toMatch(/z/)
    expect(check(right.replace('{ dt: 1 / 64 }', '{}'))).toMatch(/dt/)
  })
})

describe('resources in kernels, by the guide', () => {
  it('are built and run with the commands that the guide shows', () => {
    const folder = project('herd', ['assemblyscript'], {
      'ground.kernel.ts': 'ground.kernel.ts',
      'herd.js': 'herd.js',
    })
    const [npx, ...rest] = commands.find((line) => line.includes('ground.kernel.ts')).split(' ')
    run(npx, ['--offline', ...rest], folder)
    expect(commands).toContain('node herd.js')
    expect(run('node', ['herd.js'], folder).trim().split('\n')).toEqual([
      '0 0 0 0 3 0 1 0 0 0 0 0 0 0 0 0',
      ...['1 3', '2 3', '3 3', '20 1'],
    ])
    // What the guide promises in comments is what was printed.
    const promised = [...shown.get('herd.js').matchAll(/ \/\/ (.*)$/gm)].map(([, text]) => text)
    expect(promised).toEqual(['0 0 0 0 3 0 1 0 0 0 0 0 0 0 0 0', '1 3, 2 3, 3 3, 20 1'])
  })
})

describe('a kernel that overruns, over the checked core of the package', () => {
  // The guard is in one bundle, and the classes of errors are in the other.
  const KERNEL = `import { Column, Rows } from 'strata-ecs/kernel'
export function beyond(rows: Rows, px: Column<f32>): void {
  px[rows.end] = 1
}
`
  const SCRIPT = `import { component, createKernel, createWorld, f32, spawnMany, StrataError } from 'strata-ecs'
import { checkedCore } from 'strata-ecs/checked'
import { beyond } from './kernels/beyond.kernel.js'

const Position = component('Position', { x: f32 })
const world = createWorld({ core: checkedCore() })
spawnMany(world, 3, [Position])
try {
  world.query(Position).run(createKernel(world, beyond, { px: [Position, 'x'] }))
} catch (error) {
  console.log(error instanceof StrataError, error.code, error.message.includes('overwrote Position.x of row 3'))
}
`

  it('is reported by an error of the package', () => {
    const folder = project('overrun', ['assemblyscript'], {})
    writeFileSync(join(folder, 'beyond.kernel.ts'), KERNEL)
    writeFileSync(join(folder, 'script.js'), SCRIPT)
    run('npx', ['--offline', 'strata-kernels', 'build', 'beyond.kernel.ts', '--out', 'kernels'], folder)
    expect(run('node', ['script.js'], folder)).toBe('true KERNEL_FAILED true\n')
  })
})

describe('a Vite project, by the guide', () => {
  let folder = ''
  beforeAll(() => {
    folder = project('page', ['assemblyscript', 'vite'], {
      'vite.config.js': 'vite.config.js',
      'index.html': 'index.html',
      'tsconfig.json': 'tsconfig.json',
      'src/main.ts': 'src/main.ts',
      'src/movement.kernel.ts': 'movement.kernel.ts',
    })
  })

  /** What the page shows in the end, where frames follow each other at once and the body is a plain object. */
  const PAGE = `
    const link = { relList: { supports: () => true } }
    globalThis.document = { body: {}, createElement: () => link }
    globalThis.requestAnimationFrame = (frame) => setTimeout(frame)
    const shown = async () => {
      while (document.body.textContent === undefined) await new Promise((resolve) => setTimeout(resolve))
      return document.body.textContent
    }`

  it('is built into files that run', () => {
    run('node', ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], folder)
    const [script] = readdirSync(join(folder, 'dist/assets'))
    cpSync(join(folder, 'dist/assets', script), join(folder, 'built.mjs'))
    const program = `${PAGE}\nawait import('./built.mjs')\nconsole.log(await shown())`
    expect(run('node', ['--input-type=module', '--eval', program], folder).trim()).toBe(ANSWER)
  })

  it('runs in the dev server', () => {
    const program = `${PAGE}
      const { createServer } = await import('vite')
      const server = await createServer({ server: { middlewareMode: true }, appType: 'custom', logLevel: 'warn' })
      await server.ssrLoadModule('/src/main.ts')
      console.log(await shown())
      await server.close()`
    expect(run('node', ['--input-type=module', '--eval', program], folder).trim()).toBe(ANSWER)
  })

  it('hands the browser of the dev server plain JavaScript', () => {
    const program = `
      const { createServer } = await import('vite')
      const server = await createServer({ server: { middlewareMode: true }, appType: 'custom', logLevel: 'warn' })
      const { code } = await server.transformRequest('/src/movement.kernel.ts')
      console.log(JSON.stringify(code))
      await server.close()`
    const code = JSON.parse(run('node', ['--input-type=module', '--eval', program], folder))
    expect(code).toMatch(/export const move/)
    expect(code).not.toMatch(/f32>|ReadonlyColumn/)
  })

  it('passes the type checker with the configuration shown', () => {
    expect(typeCheck(join(folder, 'tsconfig.json'))).toBe('')
  })

  it('shows where a kernel is wrong', () => {
    const path = join(folder, 'src/movement.kernel.ts')
    const right = readFileSync(path, 'utf8')
    writeFileSync(path, right.replace('px[i] += vx[i] * dt', 'px[i] += vx[i] * speed'))
    expect(() => run('node', ['node_modules/vite/bin/vite.js', 'build'], folder)).toThrow(
      /movement\.kernel\.ts[\s\S]*13:\d+[\s\S]*speed|speed[\s\S]*movement\.kernel\.ts:13/,
    )
    writeFileSync(path, right)
  })
})
