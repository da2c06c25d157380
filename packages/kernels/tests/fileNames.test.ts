// Shows that files and kernels with awkward names are compiled, or refused at their line.

import { renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Kernel,
  component,
  createKernel,
  createWorld,
  f32,
  kernelRuntime,
} from '../../../bindings/index'
import { KernelSourceError, compileKernels } from '../src/index'
import { kernelFile, kernelFolder } from '../../../tests/support/kernelFiles'

const HEAD = `import { Column, Rows } from 'strata-ecs/kernel'\n`
const called = (name: string) =>
  `export function ${name}(rows: Rows, x: Column<f32>): void { x[rows.start] = value() }\n`
const SOURCE = `${HEAD}function value(): f32 { return 7 }\n${called('set')}`

/** Its columns are known here alone. */
type AnyKernel = Kernel<{ x: 'f32' }, Record<never, never>, void>

const P = component('P', { x: f32 })

/** What the first kernel of a file writes. */
async function written(file: string) {
  const { kernels } = await compileKernels(file)
  const world = createWorld()
  const entity = world.spawn(P)
  const kernel = { ...kernels[0]!, runtime: kernelRuntime } as unknown as AnyKernel
  world.query(P).run(createKernel(world, kernel, { x: [P, 'x'] }))
  return world.get(entity, P)?.x
}

describe('a kernel runs, whatever the name of its file', () => {
  it.each([
    "it's",
    'two\nlines',
    'a"b`c$',
    'back\\slash',
    'memory.grow',
    '(memory.grow',
    ' (start $a)',
    'a\u2028b',
    '--help',
    '-O0',
    '__entry',
    '__kernels',
    '~lib',
    'größe 🚀',
    'x.entry',
    'constructor',
  ])('%j', async (name) => {
    const file = kernelFile(SOURCE)
    const path = join(dirname(file), `${name}.kernel.ts`)
    renameSync(file, path)
    expect(await written(path)).toBe(7)
    const { module, declarations } = await compileKernels(path)
    for (const text of [module, declarations]) expect(text.split('\n')[1]).toMatch(/^import /)
  })

  it('even if a file that it imports imports it', async () => {
    const folder = kernelFolder({
      "it's.kernel.ts": `${HEAD}import { value } from './__kernels.ts'\nfunction seven(): f32 { return 7 }\n${called('set')}`,
      '__kernels.ts': 'export function value(): f32 { return 7 }\n',
    })
    expect(await written(join(folder, "it's.kernel.ts"))).toBe(7)
  })
})

describe('a kernel', () => {
  it.each([
    'load',
    'changetype',
    'select',
    'Kernel',
    'memory',
    'isNaN',
    'constructor',
    'Map',
    'entry',
    'unreachable',
  ])('may be called %s', async (name) => {
    const file = kernelFile(`${HEAD}function value(): f32 { return 7 }\n${called(name)}`)
    expect(await written(file)).toBe(7)
    const { declarations } = await compileKernels(file)
    if (name === 'Kernel')
      expect(declarations).toMatch(/type Kernel as Kernel_ \}[\s\S]*const Kernel: Kernel_</)
  })

  it.each(['f32', 'i32', 'usize'])(
    'that is called %s runs, or is refused at a line of its own',
    async (name) => {
      const file = kernelFile(`${HEAD}function value(): f32 { return 7 }\n\n${called(name)}`)
      const result = await written(file).catch((error: unknown) => error)
      if (result === 7) return
      expect(result).toBeInstanceOf(KernelSourceError)
      const [problem] = (result as KernelSourceError).problems
      expect(basename(problem!.file)).toBe('test.kernel.ts')
      expect(problem!.line).toBeGreaterThan(1)
    },
  )

  it('that has the name of another one is refused at its name', async () => {
    const file = kernelFile(`${HEAD}function value(): f32 { return 7 }\n${called('set')}${called('set')}`)
    const error = (await compileKernels(file).catch((error: unknown) => error)) as KernelSourceError
    expect(error.problems.map(({ line, column, message }) => [line, column, message])).toEqual([
      [4, 17, "There is another kernel 'set' in this file. Give one of them another name."],
    ])
  })
})

describe('names that the bindings would refuse are refused here', () => {
  it.each([
    [
      'a function of JavaScript in a namespace',
      'namespace N { «@external("env", "abort") export declare function g(): void» }',
      'N.g()',
    ],
    ['one in a namespace that is declared', 'declare namespace N { «function g(): void» }', 'N.g()'],
    ['a method of JavaScript', 'declare class C { «static g(): void» }', 'C.g()'],
    ['a variable of JavaScript', '«declare const g: i32»', 'x[0] = f32(g)'],
    [
      'a variable of JavaScript in a namespace',
      'namespace N { «export declare const g: i32» }',
      'x[0] = f32(N.g)',
    ],
  ])('%s', async (_, text, body) => {
    const at = text.indexOf('«')
    const source = `${HEAD}${text.replace(/[«»]/g, '')}\nexport function f(rows: Rows, x: Column<f32>): void { ${body} }`
    const error = (await compileKernels(kernelFile(source)).catch(
      (error: unknown) => error,
    )) as KernelSourceError
    expect(error).toBeInstanceOf(KernelSourceError)
    expect(error.message).toMatch(/cannot call functions of JavaScript/)
    const [{ line, column }] = error.problems as [KernelSourceError['problems'][number]]
    // The parser counts a declaration from its modifiers or from its decorators.
    expect(line).toBe(2)
    expect(column).toBeGreaterThan(at)
  })
})
