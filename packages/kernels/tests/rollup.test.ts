// Shows that kernels can be imported in programs built by Rollup and Vite, and in Vite's dev server.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rollup, type Plugin } from 'rollup'
import { build, createServer, type Plugin as VitePlugin, type ViteDevServer } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import kernels, { type KernelsOptions } from '../src/rollup'
import type { KernelDescription } from '../src/index'
import { MOVEMENT, kernelFolder } from '../../../tests/support/kernelFiles'

const MAIN = `import { move } from './movement.kernel.ts'
export const name = move.kernel
export { move }
`
const BROKEN = MOVEMENT.replace('vx[i]', 'vx[j]')

async function bundleOf(
  folder: string,
  options?: KernelsOptions,
): Promise<{ code: string; watched: string[] }> {
  // That this compiles says that the plugin is one of Rollup's.
  const plugin: Plugin = kernels(options)
  const bundle = await rollup({ input: `${folder}/main.js`, plugins: [plugin] })
  const { output } = await bundle.generate({ format: 'es' })
  return { code: output[0].code, watched: bundle.watchFiles }
}

/** Runs a bundle in the folder that it was made of, where it finds the package. */
function run(folder: string, code: string): Promise<{ name: string; move: KernelDescription }> {
  const file = `${folder}/bundle.js`
  writeFileSync(file, code)
  return import(pathToFileURL(file).href)
}

describe('Rollup', () => {
  it('builds a program that holds the kernel', async () => {
    const folder = kernelFolder({ 'main.js': MAIN, 'movement.kernel.ts': MOVEMENT })
    const { code } = await bundleOf(folder)
    const { move, name } = await run(folder, code)
    expect(name).toBe('move')
    expect(move.parameters.map((parameter) => parameter.name)).toEqual(['px', 'vx', 'dt'])
    const bytes = Buffer.from(move.code.bytes, 'base64')
    expect(WebAssembly.validate(bytes)).toBe(true)
  })

  it('leaves out kernels that nothing uses', async () => {
    const folder = kernelFolder({
      'main.js': "import './movement.kernel.ts'\nexport const a = 1\n",
      'movement.kernel.ts': MOVEMENT,
    })
    expect((await bundleOf(folder)).code).not.toContain('bytes')
  })

  it('watches what the kernel imports', async () => {
    const folder = kernelFolder({
      'main.js': MAIN,
      'movement.kernel.ts': MOVEMENT.replace('\n', "\nimport { twice } from './twice.ts'\n").replace(
        '* dt',
        '* twice(dt)',
      ),
      'twice.ts': 'export function twice(x: f32): f32 { return 2 * x }',
    })
    expect((await bundleOf(folder)).watched).toContain(`${folder}/twice.ts`)
  })

  it('shows an error with its place and frame', async () => {
    const folder = kernelFolder({ 'main.js': MAIN, 'movement.kernel.ts': BROKEN })
    await expect(bundleOf(folder)).rejects.toMatchObject({
      plugin: 'strata-kernels',
      message: expect.stringContaining("Cannot find name 'j'"),
      loc: { file: `${folder}/movement.kernel.ts`, line: 8, column: 58 },
      frame: expect.stringContaining('> 8 |'),
    })
  })

  it('takes the files that the option names, and no others', async () => {
    const folder = kernelFolder({
      'main.js': MAIN.replaceAll('movement.kernel', 'fast'),
      'fast.ts': MOVEMENT,
    })
    expect((await run(folder, (await bundleOf(folder, { include: /fast\.ts$/ })).code)).name).toBe('move')
    await expect(bundleOf(folder)).rejects.toThrow()
  })

  it('includes every file of a pattern that remembers its last match', async () => {
    const folder = kernelFolder({
      'main.js': "export { move as a } from './a.fast.ts'\nexport { move as b } from './b.fast.ts'\n",
      'a.fast.ts': MOVEMENT,
      'b.fast.ts': MOVEMENT,
    })
    const { code } = await bundleOf(folder, { include: /fast\.ts$/g })
    expect(Object.keys(await run(folder, code))).toEqual(['a', 'b'])
  })

  it('writes declarations beside the source when asked to', async () => {
    const folder = kernelFolder({ 'main.js': MAIN, 'movement.kernel.ts': MOVEMENT })
    await bundleOf(folder, { declarations: true })
    expect(readFileSync(`${folder}/movement.kernel.types.ts`, 'utf8')).toContain(
      'export declare const move: Kernel<',
    )
  })

  it('gives each file with data a window of its own', async () => {
    const table = `import { Column, Rows } from 'strata-ecs/kernel'
      const TABLE: StaticArray<f32> = [1, 2, 3]
      export function look(rows: Rows, x: Column<f32>): void { x[0] = TABLE[i32(x[1])] }`
    const folder = kernelFolder({
      'main.js': "export { look as a } from './a.kernel.ts'\nexport { look as b } from './b.kernel.ts'\n",
      'a.kernel.ts': table,
      'b.kernel.ts': table,
    })
    const { a, b } = (await run(folder, (await bundleOf(folder)).code)) as unknown as Record<
      string,
      KernelDescription
    >
    expect(a!.code.bytes).not.toBe(b!.code.bytes)
  })
})

describe('The plugin', () => {
  it('needs no AssemblyScript before it meets a kernel', () => {
    const dist = fileURLToPath(new URL('../../../dist', import.meta.url))
    const folder = kernelFolder({})
    // Beside these files there is no other package.
    mkdirSync(`${folder}/alone`)
    for (const file of ['rollup.js', 'loopCompiler.js']) cpSync(`${dist}/${file}`, `${folder}/alone/${file}`)
    writeFileSync(`${folder}/alone/package.json`, '{ "type": "module" }')
    const program = "import kernels from './rollup.js'; process.stdout.write(kernels().name)"
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: `${folder}/alone`,
      encoding: 'utf8',
    })
    expect([stderr, stdout]).toEqual(['', 'strata-kernels'])
  })

  it('ignores modules of other plugins, which represent no file', async () => {
    const folder = kernelFolder({ 'main.js': "import { a } from 'virtual.kernel.ts'\nexport const b = a\n" })
    const virtual: Plugin = {
      name: 'virtual',
      resolveId: (id) => (id === 'virtual.kernel.ts' ? '\0virtual.kernel.ts' : null),
      load: (id) => (id === '\0virtual.kernel.ts' ? 'export const a = 1234' : null),
    }
    const bundle = await rollup({ input: `${folder}/main.js`, plugins: [kernels(), virtual] })
    expect((await bundle.generate({ format: 'es' })).output[0].code).toContain('1234')
  })

  it.each([
    [null, /options .* are an object, not null/],
    ['x', /options .* are an object, not x/],
    [{ includes: /x/ }, /no option 'includes'\. It has include, memoryBase, timeLimit, declarations, ahead/],
    [{ include: 'x' }, /include .* is a regular expression/],
    [{ declarations: 'yes' }, /declarations .* is true or false/],
    [{ ahead: 'some' }, /ahead .* is true, false or 'all'/],
    [{ memoryBase: 'low' }, /memory base must be a whole number/],
    [{ timeLimit: 0 }, /time limit must be a number of seconds above 0, not 0/],
  ])('refuses the options %j', (options, sentence) => {
    expect(() => kernels(options as unknown as KernelsOptions)).toThrow(sentence)
  })
})

describe('Vite', () => {
  const plugins = (options?: KernelsOptions): VitePlugin[] => [kernels(options)]

  async function serverOf(folder: string): Promise<ViteDevServer> {
    const server = await createServer({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      appType: 'custom',
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true },
      plugins: plugins(),
    })
    onTestFinished(() => server.close())
    return server
  }

  it('survives a source that crashes the compiler, and shows where', async () => {
    const folder = kernelFolder({
      'main.ts': MAIN,
      'movement.kernel.ts': `class A<T> {}\nfunction g<T>(): void {\n  g<A<T>>()\n}\n${MOVEMENT.replace('px[i] +=', 'g<i32>(); px[i] +=')}`,
    })
    const server = await serverOf(folder)
    await expect(server.ssrLoadModule('/main.ts')).rejects.toMatchObject({
      message: expect.stringMatching(/compiler crashed at this statement/),
      loc: { line: 3, column: 2 },
    })
    writeFileSync(`${folder}/movement.kernel.ts`, MOVEMENT)
    await vi.waitFor(async () => expect((await moveOf(server)).kernel).toBe('move'), { timeout: 60_000 })
  })

  const moveOf = async (server: ViteDevServer) =>
    ((await server.ssrLoadModule('/main.ts')) as { move: KernelDescription }).move

  it('builds a program that holds the kernel', async () => {
    const folder = kernelFolder({ 'main.ts': MAIN, 'movement.kernel.ts': MOVEMENT })
    const result = (await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins: plugins(),
      build: { write: false, lib: { entry: 'main.ts', formats: ['es'] } },
    })) as unknown as { output: { code: string }[] }[]
    expect((await run(folder, result[0]!.output[0]!.code)).name).toBe('move')
  })

  it('serves the kernel, and serves it again when its source changes', async () => {
    const folder = kernelFolder({ 'main.ts': MAIN, 'movement.kernel.ts': MOVEMENT })
    const server = await serverOf(folder)
    expect((await moveOf(server)).parameters).toHaveLength(3)
    writeFileSync(`${folder}/movement.kernel.ts`, MOVEMENT.replace('dt: f32', 'dt: f32, more: f64'))
    await vi.waitFor(async () => expect((await moveOf(server)).parameters).toHaveLength(4), {
      timeout: 20_000,
    })
  })

  it('serves the kernel again when a file that it imports changes', async () => {
    const folder = kernelFolder({
      'main.ts': MAIN,
      'movement.kernel.ts': MOVEMENT.replace('\n', "\nimport { SPEED } from './speed.ts'\n").replace(
        '* dt',
        '* SPEED',
      ),
      'speed.ts': 'export const SPEED: f32 = 1',
    })
    const server = await serverOf(folder)
    const before = (await moveOf(server)).code.bytes
    writeFileSync(`${folder}/speed.ts`, 'export const SPEED: f32 = 3')
    await vi.waitFor(async () => expect((await moveOf(server)).code.bytes).not.toBe(before), {
      timeout: 20_000,
    })
  })

  it('shows an error with its place and frame, and recovers', async () => {
    const folder = kernelFolder({ 'main.ts': MAIN, 'movement.kernel.ts': BROKEN })
    const server = await serverOf(folder)
    await expect(server.transformRequest('/movement.kernel.ts')).rejects.toMatchObject({
      plugin: 'strata-kernels',
      message: expect.stringContaining("Cannot find name 'j'"),
      loc: { file: `${folder}/movement.kernel.ts`, line: 8, column: 58 },
      frame: expect.stringContaining('> 8 |'),
    })
    writeFileSync(`${folder}/movement.kernel.ts`, MOVEMENT)
    await vi.waitFor(async () => expect((await moveOf(server)).kernel).toBe('move'), { timeout: 20_000 })
  })

  it('ignores a kernel that is requested as text', async () => {
    const folder = kernelFolder({
      'main.ts': "export { default as move } from './movement.kernel.ts?raw'",
      'movement.kernel.ts': MOVEMENT,
    })
    expect(await moveOf(await serverOf(folder))).toBe(MOVEMENT)
  })
})
