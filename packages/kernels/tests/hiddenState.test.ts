// Shows that whatever a kernel could keep from one call to the next, outside of the world, is refused where it is written.

import { describe, expect, it } from 'vitest'
import { KernelSourceError, compileKernels } from '../src/index'
import { kernelFile, kernelFolder } from '../../../tests/support/kernelFiles'

const HEAD = `import { Column, Rows } from 'strata-ecs/kernel'\n`
const TABLE = 'const A: StaticArray<f32> = [0, 1]\n'

const kernel = (body: string) => `export function f(rows: Rows, x: Column<f32>): void { ${body} }`

async function problemsOf(file: string) {
  const error = await compileKernels(file).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(KernelSourceError)
  return (error as KernelSourceError).problems
}

describe('state of a module is refused at its place', () => {
  it.each([
    ['a variable', `«let n: f32 = 0»\n${kernel('n += 1; x[0] = n')}`],
    ['a var', `«var n: f32 = 0»\n${kernel('n += 1; x[0] = n')}`],
    ['a variable for all files', `«@global let n: f32 = 0»\n${kernel('n += 1; x[0] = n')}`],
    [
      'a variable of a namespace',
      `namespace S { «export let n: f32 = 0» }\n${kernel('S.n += 1; x[0] = S.n')}`,
    ],
    [
      'one deeper',
      `namespace S { export namespace T { «export let n: f32 = 0» } }\n${kernel('S.T.n += 1; x[0] = S.T.n')}`,
    ],
    ['a static field', `class C { «static n: f32 = 0» }\n${kernel('C.n += 1; x[0] = C.n')}`],
    [
      'a static field in a namespace',
      `namespace S { export class C { «static n: f32 = 0» } }\n${kernel('S.C.n += 1; x[0] = S.C.n')}`,
    ],
    [
      'a static field of a class for all files',
      `@global class C { «private static n: f32 = 0» }\n${kernel('x[0] = 1')}`,
    ],
    ['memory of the module', `const P = «memory.data»(16)\n${kernel('store<f32>(P, 1)')}`],
    ['memory of the module in a function', kernel('store<f32>(«memory.data»(16), 1)')],
    [
      'memory of the module with values',
      `const P = «memory.data»<f32>([1, 2])\n${kernel('x[0] = load<f32>(P)')}`,
    ],
    ['a store into a table', `${TABLE}${kernel('A[0] += «1»; x[0] = A[0]')}`],
    ['a store into a table without checks', `${TABLE}${kernel('unchecked(«A[0]» = 1); x[0] = A[0]')}`],
    ['an increment in a table', `${TABLE}${kernel('«A[0]»++; x[0] = A[0]')}`],
    ['a store by another name', `${TABLE}${kernel('const b = A; «b[0]» = 1; x[0] = A[0]')}`],
    [
      'a store by a parameter',
      `${TABLE}function g(t: StaticArray<f32>): void { «t[0]» = 1 }\n${kernel('g(A); x[0] = A[0]')}`,
    ],
    [
      'a store into a constant table of a class',
      `class C { static readonly A: StaticArray<f32> = [0] }\n${kernel('«C.A[0]» = 1; x[0] = C.A[0]')}`,
    ],
    [
      'a raw store into a table',
      `${TABLE}${kernel('«store<f32>(changetype<usize>(A) + 4, 1)»; x[0] = A[1]')}`,
    ],
    [
      'a raw store at a moving place of a table',
      `${TABLE}${kernel('«f32.store(changetype<usize>(A) + (usize(rows.start) << 2), 1)»; x[0] = A[1]')}`,
    ],
    [
      'a vector stored into a table',
      `${TABLE}${kernel('«v128.store(changetype<usize>(A), f32x4.splat(1))»; x[0] = A[1]')}`,
    ],
    ['a fill of a table', `${TABLE}${kernel('«memory.fill(changetype<usize>(A), 1, 8)»; x[0] = A[1]')}`],
    ['a store at a fixed address', kernel('«store<u8>(64, 1)»; x[0] = load<u8>(64)')],
    [
      'a store at a constant address',
      `const P: usize = 64\n${kernel('«store<u8>(P + 4, 1)»; x[0] = load<u8>(P)')}`,
    ],
  ])('%s', async (_, text) => {
    const at = text.indexOf('«')
    const before = HEAD + text.slice(0, at)
    const problems = await problemsOf(kernelFile((HEAD + text).replace(/[«»]/g, '')))
    const [{ message, line, column }] = problems as [KernelSourceError['problems'][number]]
    expect(message).toMatch(/neither in the world nor in its snapshots/)
    expect([line, column]).toEqual([before.split('\n').length, before.length - before.lastIndexOf('\n')])
  })

  it.each(['fill(1)', 'sort()', 'reverse()', 'copyWithin(0, 1)'])(
    'a table that %s would change',
    async (call) => {
      const [problem] = await problemsOf(kernelFile(`${HEAD}${TABLE}${kernel(`A.${call}; x[0] = A[0]`)}`))
      expect(problem!.message).toMatch(/neither in the world nor in its snapshots/)
      expect([problem!.line, problem!.column]).toEqual([3, expect.any(Number)])
    },
  )

  it('in the file that it is in', async () => {
    const folder = kernelFolder({
      'a.kernel.ts': `${HEAD}import { S } from './s.ts'\n${kernel('S.n += 1; x[0] = S.n')}`,
      's.ts': '\nexport namespace S { export let n: f32 = 0 }\n',
    })
    const [problem] = await problemsOf(`${folder}/a.kernel.ts`)
    expect([problem!.file, problem!.line, problem!.column]).toEqual([`${folder}/s.ts`, 2, 22])
  })
})

describe('code without state is compiled', () => {
  it.each([
    ['tables that are read', `${TABLE}${kernel('x[0] = A[i32(x[1])] + f32(A.length)')}`],
    [
      'a table that a function is given',
      `${TABLE}function g(t: StaticArray<f32>, i: i32): f32 { return t[i] }\n${kernel('x[0] = g(A, 1)')}`,
    ],
    [
      'a table that is read as vectors',
      `const A: StaticArray<f32> = [0, 1, 2, 3]\n${kernel('x[0] = f32x4.extract_lane(v128.load(changetype<usize>(A)), 2)')}`,
    ],
    [
      'constants of namespaces and classes',
      `namespace S { export const n: f32 = 2 }\nclass C { static readonly n: f32 = 3 }\nenum E { a = 4 }\n${kernel('x[0] = S.n + C.n + f32(E.a)')}`,
    ],
    [
      'raw stores into columns',
      `const STEP: usize = 4\n${kernel('store<f32>(changetype<usize>(x) + STEP, 1)')}`,
    ],
    [
      'variables of functions',
      kernel('let n: f32 = 0; for (let i = rows.start; i < rows.end; i++) n += x[i]; x[0] = n'),
    ],
    [
      'functions with a parameter left out',
      `function g(a: f32, b: f32 = 2): f32 { return a + b }\n${kernel('x[0] = g(x[1])')}`,
    ],
    ['functions of Math that keep halves of numbers', kernel('x[0] = f32(Math.sin(x[1]))')],
  ])('%s', async (_, text) => {
    const { bytes } = await compileKernels(kernelFile(HEAD + text))
    expect(WebAssembly.validate(bytes as BufferSource)).toBe(true)
  })
})
