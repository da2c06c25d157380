// Shows what the command strata-kernels does, run as a process from the built package.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { KernelDescription } from '../src/index'
import { MOVEMENT, kernelFolder } from '../../../tests/support/kernelFiles'

const COMMAND = fileURLToPath(new URL('../../../dist/strata-kernels.js', import.meta.url))

function command(folder: string, ...args: string[]): { status: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, out: stdout, error: stderr }
}

describe('strata-kernels build', () => {
  it('writes a module and its declarations for each file, and says so', async () => {
    const folder = kernelFolder({ 'src/movement.kernel.ts': MOVEMENT, 'src/other.ts': MOVEMENT })
    const { status, out, error } = command(
      folder,
      'build',
      'src/movement.kernel.ts',
      'src/other.ts',
      '--out',
      'out/kernels',
    )
    expect({ status, error }).toEqual({ status: 0, error: '' })
    expect(out).toMatch(
      /^src\/movement\.kernel\.ts -> out\/kernels\/movement\.kernel\.js {2}\d+ bytes {2}move\nsrc\/other\.ts -> out\/kernels\/other\.kernel\.js {2}\d+ bytes {2}move\n$/,
    )
    const module = (await import(pathToFileURL(`${folder}/out/kernels/movement.kernel.js`).href)) as {
      move: KernelDescription
    }
    expect(module.move.parameters).toHaveLength(3)
    expect(readFileSync(`${folder}/out/kernels/movement.kernel.d.ts`, 'utf8')).toContain(
      'export declare const move',
    )
    expect(existsSync(`${folder}/src/movement.kernel.types.ts`)).toBe(false)
  })

  it('writes declarations beside the sources when asked to', () => {
    const folder = kernelFolder({ 'movement.kernel.ts': MOVEMENT })
    expect(command(folder, 'build', 'movement.kernel.ts', '--out', 'out', '--types-beside').status).toBe(0)
    expect(readFileSync(`${folder}/movement.kernel.types.ts`, 'utf8')).toContain('export declare const move')
  })

  it('prints what is wrong with its frame, builds the others, and ends with 1', () => {
    const folder = kernelFolder({
      'bad.kernel.ts': MOVEMENT.replace('vx[i]', 'vx[j]'),
      'good.kernel.ts': MOVEMENT,
    })
    const { status, error } = command(folder, 'build', 'bad.kernel.ts', 'good.kernel.ts', '--out', 'out')
    expect(status).toBe(1)
    expect(error).toMatch(/^bad\.kernel\.ts:8:59: Cannot find name 'j'/)
    expect(error).toContain('> 8 |')
    expect(existsSync(`${folder}/out/bad.kernel.js`)).toBe(false)
    expect(existsSync(`${folder}/out/good.kernel.js`)).toBe(true)
  })

  it('builds the others after a source that makes the compiler crash, or nests too deep', () => {
    const folder = kernelFolder({
      'a.kernel.ts': `class A<T> {}\nfunction g<T>(): void { g<A<T>>() }\n${MOVEMENT.replace('px[i] +=', 'g<i32>(); px[i] +=')}`,
      'b.kernel.ts': MOVEMENT.replace('vx[i]', `${'('.repeat(3000)}1${')'.repeat(3000)}`),
      'c.kernel.ts': MOVEMENT,
    })
    const files = ['a.kernel.ts', 'b.kernel.ts', 'c.kernel.ts']
    const { status, out, error } = command(folder, 'build', ...files, '--out', 'out')
    expect(status).toBe(1)
    expect(error).toMatch(/^a\.kernel\.ts:2:25: The AssemblyScript compiler crashed at this statement/)
    expect(error).toMatch(/^b\.kernel\.ts:8:\d+: This nests more than 1,000 levels deep/m)
    expect(error).not.toMatch(/^ +at /m)
    expect(out).toMatch(/^c\.kernel\.ts -> /)
  })

  it('ends with 1 if a file does not exist', () => {
    const { status, error } = command(kernelFolder({}), 'build', 'none.kernel.ts', '--out', 'out')
    expect(status).toBe(1)
    expect(error).toContain('none.kernel.ts')
  })

  it('puts data where --memory-base says', () => {
    const folder = kernelFolder({
      'a.kernel.ts': `import { Column, Rows } from 'strata-ecs/kernel'
        const TABLE: StaticArray<f32> = [1, 2, 3]
        export function look(rows: Rows, x: Column<f32>): void { x[0] = TABLE[i32(x[1])] }`,
    })
    command(folder, 'build', 'a.kernel.ts', '--out', 'low')
    command(folder, 'build', 'a.kernel.ts', '--out', 'high', '--memory-base', '32768')
    expect(readFileSync(`${folder}/low/a.kernel.js`)).not.toEqual(readFileSync(`${folder}/high/a.kernel.js`))
  })

  it.each([
    [[], /Say what to do: build/],
    [['bake', 'a.kernel.ts'], /no command 'bake'/],
    [['build', '--out', 'out'], /Name the files/],
    [['build', 'a.kernel.ts'], /Say with --out/],
    [['build', 'a.kernel.ts', '--out', 'out', '--fast'], /Unknown option '--fast'/],
    [['build', 'a.kernel.ts', '--out', 'out', '--memory-base', 'x'], /memory base must be a whole number/],
    [['build', 'a.kernel.ts', '--out', 'out', '--time-limit', 'x'], /time limit must be a number of seconds/],
    [['build', 'a.kernel.ts', 'b/a.kernel.ts', '--out', 'out'], /would both become/],
  ])('refuses %j', (args, message) => {
    const { status, error } = command(kernelFolder({ 'a.kernel.ts': MOVEMENT }), ...args)
    expect(status).toBe(2)
    expect(error).toMatch(message)
  })

  it('shows its help', () => {
    const { status, out } = command(kernelFolder({}), '--help')
    expect(status).toBe(0)
    expect(out).toContain('strata-kernels build <files...> --out <dir>')
  })

  it('rebuilds what depends on a changed file, with --watch', async () => {
    const folder = kernelFolder({
      'a.kernel.ts': MOVEMENT.replace('\n', "\nimport { SPEED } from './speed.ts'\n").replace(
        '* dt',
        '* SPEED',
      ),
      'b.kernel.ts': MOVEMENT,
      'speed.ts': 'export const SPEED: f32 = 1',
    })
    const { out, error } = watching(folder, 'build', 'a.kernel.ts', 'b.kernel.ts', '--out', 'out', '--watch')
    const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 50 })
    await until(() => expect(out()).toContain('Watching'))
    const a = readFileSync(`${folder}/out/a.kernel.js`, 'utf8')

    writeFileSync(`${folder}/speed.ts`, 'export const SPEED: f32 = 3')
    await until(() => expect(readFileSync(`${folder}/out/a.kernel.js`, 'utf8')).not.toBe(a))

    writeFileSync(`${folder}/speed.ts`, 'export const SPEED: f32 = nothing')
    await until(() => expect(error()).toContain("Cannot find name 'nothing'"))

    writeFileSync(`${folder}/speed.ts`, 'export const SPEED: f32 = 1')
    await until(() => expect(readFileSync(`${folder}/out/a.kernel.js`, 'utf8')).toBe(a))
    expect(out().match(/^b\.kernel\.ts/gm)).toHaveLength(1)
  })
})

/** The command as it runs on, and what it has printed. */
function watching(folder: string, ...args: string[]): { out: () => string; error: () => string } {
  const child: ChildProcess = spawn(process.execPath, [COMMAND, ...args], { cwd: folder })
  onTestFinished(() => void child.kill())
  let out = ''
  let error = ''
  child.stdout!.on('data', (text: Buffer) => (out += text.toString()))
  child.stderr!.on('data', (text: Buffer) => (error += text.toString()))
  return { out: () => out, error: () => error }
}
