// Shows that a program whose loops are compiled ahead computes what it computes when it compiles them itself, built by Vite, by
// Rollup and by Rolldown, and that it carries neither parser nor emitter.

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import terser from '@rollup/plugin-terser'
import { build as buildByEsbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { type Plugin, rollup } from 'rollup'
import { type InlineConfig, build, createServer } from 'vite'
import { describe, it, onTestFinished } from 'vitest'
import kernels, { type KernelsOptions } from '../../../kernels/src/rollup'
import { expect } from '../../../../tests/support/expect'
import { kernelFolder } from '../../../../tests/support/kernelFiles'

const PARTS = `import { component, f32, f64, resource, u32, vec } from 'strata-ecs'
export const Position = component('Position', { x: f32, y: f32 })
export const Velocity = component('Velocity', { x: f32, y: f32 })
export const Scale = component('Scale', { value: f32.default(2) })
export const Out = component('Out', { a: f64, seed: u32, v: vec(f32, 3) })
export const Time = resource('Time', { dt: f32 })
export const GRAVITY = -9.81
export function clamp(x, least, most) { return x < least ? least : x > most ? most : x }
`
const LOOPS = `import { f64, optional } from 'strata-ecs'
import { compile, read } from 'strata-ecs/compile'
import { random, sin } from 'strata-ecs/kernel'
import { GRAVITY, Out, Position, Scale, Time, Velocity, clamp } from './parts.js'

export const loops = {
  move: compile([Position, read(Velocity)], { dt: f64 }, (position, velocity, { dt }) => {
    position.x += velocity.x * dt
    position.y += Math.fround(velocity.y * dt)
  }),
  fall: compile([Velocity], { time: Time, GRAVITY, clamp }, (velocity, { time, GRAVITY, clamp }) => {
    velocity.y = clamp(velocity.y + GRAVITY * time.dt, -50, 50)
  }),
  scale: compile([Position, optional(Scale)], (position, scale) => {
    if (scale) {
      position.x *= scale.value
      scale.value = Math.fround(scale.value * 0.5)
    } else position.y -= 1
  }),
  wave: compile([read(Position), Out], { sin, random }, (position, out, { sin, random }) => {
    out.a = sin(position.x) * 2
    out.seed = random(out.seed, 7)
    out.v[1] += Math.floor(position.y) * 0.3
  }),
  total: compile([read(Position)], (position) => position.x * position.y, { result: 'sum' }),
}
`
const MAIN = `import { createWorld, digestWorld, optional } from 'strata-ecs'
import { loops } from './loops.js'
import { Out, Position, Scale, Time, Velocity } from './parts.js'

const world = createWorld()
world.resource(Time).dt = 0.016
for (let i = 0; i < 1003; i++) {
  const ship = world.spawn(Position({ x: i / 7, y: i * 1.1 }), Velocity({ x: i % 13, y: -i / 3 }), Out({ seed: i }))
  if (i % 3 === 0) world.add(ship, Scale)
}
const all = world.query(Position, Velocity, Out, optional(Scale))
const totals = []
for (let frame = 0; frame < 5; frame++) {
  all.run(loops.move, { dt: 1 / 60 })
  for (const name of ['fall', 'scale', 'wave']) all.run(loops[name])
  totals.push(all.run(loops.total))
}
console.log(JSON.stringify({ digest: digestWorld(world), totals, forms: Object.values(loops).map(({ mode }) => mode) }))
`
const FILES = { 'main.js': MAIN, 'loops.js': LOOPS, 'parts.js': PARTS }
/** What only programs say that compile while they run. */
const COMPILER = /is not expected here|cannot be a generator/

/** Rollup finds no packages by itself, and these are files beside each other. */
const packageItself: Plugin = {
  name: 'package-itself',
  resolveId(id) {
    const [, entry] = /^strata-ecs(?:\/(\w+))?$/.exec(id) ?? []
    return id.startsWith('strata-ecs') ? `${PACKAGE}/dist/${entry ?? 'index'}.js` : null
  },
}
const PACKAGE = new URL('../../../..', import.meta.url).pathname.replace(/\/$/, '')

const BUILDERS: Record<string, (folder: string, options: KernelsOptions) => Promise<string>> = {
  async Vite(folder, options) {
    const config: InlineConfig = {
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [kernels(options)],
      build: { write: false, rollupOptions: { input: `${folder}/main.js` } },
    }
    return ((await build(config)) as unknown as { output: { code: string }[] }).output[0]!.code
  },
  async Rollup(folder, options) {
    const bundle = await rollup({ input: `${folder}/main.js`, plugins: [packageItself, kernels(options)] })
    const minified = terser({ ecma: 2022, mangle: { module: true } })
    return (await bundle.generate({ format: 'es', plugins: [minified] })).output[0].code
  },
  async Rolldown(folder, options) {
    const bundle = await rolldown({ input: `${folder}/main.js`, plugins: [kernels(options) as never] })
    return (await bundle.generate({ format: 'es', minify: true })).output[0].code
  },
}

function answerOf(folder: string, code: string): { digest: number; totals: number[]; forms: string[] } {
  mkdirSync(`${folder}/out`, { recursive: true })
  writeFileSync(`${folder}/out/program.mjs`, code)
  const { stdout, stderr } = spawnSync(process.execPath, [`${folder}/out/program.mjs`], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as ReturnType<typeof answerOf>
}

describe.each(Object.entries(BUILDERS))('Built by %s', (_, builder) => {
  it('a program has the same result, compiled ahead and while it runs', async () => {
    const folder = kernelFolder(FILES)
    const ahead = await builder(folder, { ahead: 'all' })
    const atRun = await builder(folder, { ahead: false })
    expect([COMPILER.test(ahead), COMPILER.test(atRun)]).toEqual([false, true])
    const [first, second] = [answerOf(folder, ahead), answerOf(folder, atRun)]
    expect(first).toEqual(second)
    expect(new Set(first.forms)).toEqual(new Set(['compiled']))
    expect(first.totals.every((total) => Number.isFinite(total))).toBe(true)
  })
})

describe("Vite's dev server", () => {
  it('leaves the loops to the program', async () => {
    const folder = kernelFolder(FILES)
    const server = await createServer({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      appType: 'custom',
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true },
      plugins: [kernels({ ahead: 'all' })],
    })
    onTestFinished(() => server.close())
    expect((await server.transformRequest('/loops.js'))?.code).toMatch(/move: compile\(/)
  })
})

describe('A program without the compiler', () => {
  /** What stands for the loops in a program that has all but what runs them. */
  const STUBS = `import { createKernel, kernelRuntime } from 'strata-ecs'
const compiledAhead = (...given) => ({ mode: [createKernel, kernelRuntime], given })
const compiledVariantsAhead = compiledAhead
`

  async function weights(folder: string, files: Record<string, string>): Promise<number[]> {
    for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
    const { outputFiles } = await buildByEsbuild({
      entryPoints: [`${folder}/main.js`],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      logLevel: 'error',
    })
    const byRollup = await BUILDERS.Rollup!(folder, { ahead: false })
    return [outputFiles[0]!.text, byRollup].map((code) => gzipSync(code, { level: 9 }).length)
  }

  it('carries at most 2.8 KB more than what runs kernels, and 3.3 KB with optional components', async () => {
    const folder = kernelFolder(FILES)
    let transformed = ''
    const outside: Plugin = {
      name: 'outside',
      resolveId: (id) => (id.startsWith('strata-ecs') ? { id, external: true } : null),
    }
    const keep: Plugin = {
      name: 'keep',
      transform: {
        order: 'post',
        handler: (code, id) => void (id.endsWith('loops.js') && (transformed = code)),
      },
    }
    await rollup({ input: `${folder}/main.js`, plugins: [outside, kernels({ ahead: 'all' }), keep] })
    // Without optional components, which only programs with them pay for.
    const scale = /  scale: [^]*?\n  \}\),\n/
    const plain = transformed
      .replace(scale, '')
      .replace(/compiledVariantsAhead, |, compiledVariantsAhead/, '')
    expect(plain).not.toBe(transformed)
    const weighed = async (loops: string): Promise<number[]> => {
      const stubbed = loops.replace(/import \{[^}]*Ahead[^}]*\} from 'strata-ecs\/compile'/, '')
      const ahead = await weights(folder, { 'loops.js': loops })
      const without = await weights(folder, { 'loops.js': STUBS + stubbed })
      return ahead.map((bytes, k) => bytes - without[k]!)
    }
    const main = MAIN.replace("'scale', ", '')
    writeFileSync(`${folder}/main.js`, main)
    const bytes = await weighed(plain)
    for (const each of bytes) expect(each).toBeLessThanOrEqual(2800)
    writeFileSync(`${folder}/main.js`, MAIN)
    const withOptional = await weighed(transformed)
    for (const each of withOptional) expect(each).toBeLessThanOrEqual(3300)
  })
})
