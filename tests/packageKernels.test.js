// Owns the proof that a stranger can add a kernel by the guide alone: to a fresh Vite project and to a Node script, with
// the packed tarball. It must never reach into this repository from there but for tools that npm would install.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

const KERNEL = `import { Column, Lanes, ReadonlyColumn, Rows, Sum } from 'strata-ecs/kernel'

/** Moves all rows on by \`dt\` seconds. */
export function move(rows: Lanes, px: Column<f32>, vx: ReadonlyColumn<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) px[i] += vx[i] * dt
}

export function total(rows: Rows, px: ReadonlyColumn<f32>): Sum<f32> {
  let sum: f32 = 0
  for (let i = rows.start; i < rows.end; i++) sum += px[i]
  return sum
}
export function beyond(rows: Rows, px: Column<f32>): void {
  px[rows.end] = 1
}
`
// The guard is in one bundle, and the classes of errors are in the other.
const GUARDED = `import { StrataError, component, createWorld, f32 } from 'strata-ecs'
import { checkedCore } from 'strata-ecs/checked'
import { beyond } from './kernels/movement.kernel.js'

const Position = component('Position', { x: f32 })
const world = createWorld({ module: checkedCore() })
world.spawnMany(3, [Position])
try {
  world.query(Position).run(world.kernel(beyond, { px: [Position, 'x'] }))
} catch (error) {
  console.log(error instanceof StrataError, error.code, error.message.includes('overwrote Position.x of row 3'))
}
`
const program = (kernels) => `import { component, createWorld, f32 } from 'strata-ecs'
import { move, total } from '${kernels}'

const Position = component('Position', { x: f32 })
const Velocity = component('Velocity', { x: f32 })
const world = createWorld()
world.spawnMany(1000, [Position, Velocity({ x: 2 })])

const moving = world.query(Position, Velocity)
const step = world.kernel(move, { px: [Position, 'x'], vx: [Velocity, 'x'] })
moving.run(step, { dt: 0.5 })
console.log(moving.run(world.kernel(total, { px: [Position, 'x'] })))
`
const ANSWER = '1000\n'

let scratch = ''
let tarball = ''

function run(command, args, cwd) {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`, { cause: error })
  }
}

/** A project with the tarball installed, and tools as npm would install them. */
function project(name, tools, files) {
  const folder = join(scratch, name)
  for (const [path, text] of Object.entries({
    'package.json': JSON.stringify({ name, version: '1.0.0', type: 'module', private: true }),
    ...files,
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball], folder)
  for (const tool of tools)
    symlinkSync(join(ROOT, 'node_modules', tool), join(folder, 'node_modules', tool), 'dir')
  return folder
}

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'strata-kernels-'))
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], ROOT),
  )
  tarball = join(scratch, filename)
})

afterAll(() => {
  if (scratch !== '') rmSync(scratch, { recursive: true, force: true })
})

it('a Node script runs a kernel that the command has built', () => {
  const folder = project('script', ['assemblyscript'], {
    'src/movement.kernel.ts': KERNEL,
    'main.js': program('./kernels/movement.kernel.js'),
    'guarded.js': GUARDED,
  })
  const command = ['strata-kernels', 'build', 'src/movement.kernel.ts', '--out', 'kernels']
  expect(run('npx', ['--no-install', ...command], folder)).toMatch(
    /movement\.kernel\.js {2}\d+ bytes {2}move, total, beyond/,
  )
  expect(run('node', ['main.js'], folder)).toBe(ANSWER)
  expect(run('node', ['guarded.js'], folder)).toBe('true KERNEL_FAILED true\n')
})

it('the command says what to install where AssemblyScript is missing', () => {
  const folder = project('bare', [], { 'a.kernel.ts': KERNEL })
  expect(() =>
    run('npx', ['--no-install', 'strata-kernels', 'build', 'a.kernel.ts', '--out', 'out'], folder),
  ).toThrow(/npm install --save-dev assemblyscript/)
})

it('a Vite project imports a kernel from its source, and TypeScript knows its type', () => {
  const folder = project('page', ['assemblyscript', 'vite', 'typescript'], {
    'index.html': '<script type="module" src="/src/main.ts"></script>',
    'src/movement.kernel.ts': KERNEL,
    'src/main.ts': program('./movement.kernel.ts'),
    'vite.config.ts': `import kernels from 'strata-ecs/rollup'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [kernels({ declarations: true })] })
`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        module: 'ESNext',
        moduleResolution: 'bundler',
        lib: ['ES2022', 'DOM'],
        types: [],
        moduleSuffixes: ['.types', ''],
        allowImportingTsExtensions: true,
        verbatimModuleSyntax: true,
        strict: true,
        skipLibCheck: true,
        noEmit: true,
      },
      include: ['src'],
    }),
  })
  run('node', ['node_modules/vite/bin/vite.js', 'build'], folder)
  const [script] = readdirSync(join(folder, 'dist/assets')).filter((name) => name.endsWith('.js'))
  // Vite puts a loader for the page's links before the program, which needs a page.
  const page = 'globalThis.document = { createElement: () => ({ relList: { supports: () => true } }) }'
  writeFileSync(join(folder, 'run.mjs'), `${page}\nawait import('./dist/assets/${script}')\n`)
  expect(run('node', ['run.mjs'], folder)).toBe(ANSWER)
  run('node', ['node_modules/typescript/bin/tsc', '-p', '.'], folder)
})
