// Shows what the compiler refuses, and at which place it says so.

import { describe, expect, it } from 'vitest'
import { KernelSourceError, compileKernels } from '../src/index'
import { kernelFile, kernelFolder } from '../../../tests/support/kernelFiles'

async function problemsOf(file: string) {
  const error = await compileKernels(file).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(KernelSourceError)
  expect((error as KernelSourceError).code).toBe('KERNEL_SOURCE')
  return (error as KernelSourceError).problems
}

/** The source without its mark «…», and what stands in the mark: the place where the error is expected. */
function marked(text: string): { source: string; line: number; column: number; length: number } {
  const start = text.indexOf('«')
  const before = text.slice(0, start)
  return {
    source: text.replace(/[«»]/g, ''),
    line: before.split('\n').length,
    column: start - before.lastIndexOf('\n'),
    length: text.indexOf('»') - start - 1,
  }
}

const IMPORTS = `import { Column, Entities, Lanes, ParentColumn, ReadonlyColumn, Resource, Rows, Sum } from 'strata-ecs/kernel'\n`

describe('a refusal names the place and what to write', () => {
  it.each([
    ['no kernel', '«»const A = 1\n', /no kernel in this file.*Export a function/],
    ['no parameters', 'export function «f»(): void {}', /'f' has no parameters.*`rows: Rows`/],
    [
      'other first parameter',
      'export function f(«x: f32»): void {}',
      /first parameter.*not 'f32'.*remove its `export`/,
    ],
    [
      'rows not first',
      'export function f(rows: Rows, more: «Rows»): void {}',
      /'more': only the first parameter/,
    ],
    [
      'parents in lanes',
      'export function f(rows: Lanes, x: Column<f32>, «up: ParentColumn<f32>»): void {}',
      /'up' reads the rows of parents.*`Rows` instead of `Lanes`/,
    ],
    [
      'parents of a wide number',
      'export function f(rows: Rows, up: ParentColumn<«i64»>): void {}',
      /'up': a column holds one of .*, not 'i64'/,
    ],
    [
      'a store into a parent',
      'export function f(rows: Rows, up: ParentColumn<f32>): void {\n  «up[rows.start][0]» = 1\n}',
      /only permits reading/,
    ],
    [
      'a store in place of a parent',
      'export function f(rows: Rows, x: Column<f32>, up: ParentColumn<f32>): void {\n  «up[rows.start]» = x\n}',
      /only permits reading/,
    ],
    [
      'an unknown type',
      'export function f(rows: Rows, s: «string»): void {}',
      /'s' cannot be of type 'string'.*Column<f32>/,
    ],
    [
      'a wide number',
      'export function f(rows: Rows, n: «i64»): void {}',
      /'n' cannot be of type 'i64'.*f32, f64, i32, u32, bool/,
    ],
    [
      'a column of wide numbers',
      'export function f(rows: Rows, x: Column<«i64»>): void {}',
      /'x': a column holds one of .*, not 'i64'/,
    ],
    [
      'a column of nothing',
      'export function f(rows: Rows, x: «Column»): void {}',
      /'x': a column holds one of .*`Column<f32>`/,
    ],
    [
      'a type not imported',
      'export function f(rows: Rows, x: «Vec2Column<f32>»): void {}',
      /import Vec2Column from 'strata-ecs\/kernel'/,
    ],
    [
      'an element not imported',
      'export function f(rows: Rows, x: Column<«Entity»>): void {}',
      /import Entity from 'strata-ecs\/kernel'/,
    ],
    [
      'columns without rows',
      'export function f(«x: Column<f32>», cells: Resource<f32>): void {}',
      /first parameter.*not 'Column<f32>'; only one that takes nothing but resources and scalars has no rows/,
    ],
    [
      'numbers alone',
      'export function f(«a: f32», b: f32): Sum<f32> { return a + b }',
      /first parameter.*remove its `export`/,
    ],
    [
      'an unknown type without rows',
      'export function f(cells: Resource<f32>, s: «string»): void {}',
      /'s' cannot be of type 'string'.*`Resource<f32>`/,
    ],
    [
      'a resource of wide numbers',
      'export function f(rows: Rows, cells: Resource<«i64»>): void {}',
      /'cells': a resource holds one of .*, not 'i64'.*`Resource<f32>`/,
    ],
    [
      'a resource not imported',
      'export function f(cells: «ReadonlyResource<f32>»): void {}',
      /import ReadonlyResource from 'strata-ecs\/kernel'/,
    ],
    [
      'a default value without rows',
      'export function f(cells: Resource<f32>, «dt: f32 = 1»): void {}',
      /'dt' is always handed over/,
    ],
    [
      'a resource in lanes',
      'export function f(rows: Lanes, x: Column<f32>, «cells: Resource<f32>»): void {}',
      /'cells' is a resource.*Take `Rows` instead of `Lanes`/,
    ],
    ['a vec of 17', 'export function f(rows: Rows, x: «Vec17Column<f32>»): void {}', /'x' cannot be of type/],
    [
      'a default value',
      'export function f(rows: Rows, «dt: f32 = 1»): void {}',
      /'dt' is always handed over/,
    ],
    [
      'an optional parameter',
      'export function f(rows: Rows, «dt?: f32»): void {}',
      /'dt' is always handed over/,
    ],
    [
      'a bare result',
      'export function f(rows: Rows): «f32» { return 0 }',
      /returns `void`, `Count`.*not 'f32'/,
    ],
    [
      'a result of bools',
      'export function f(rows: Rows): «Sum<bool>» { return 0 }',
      /T one of f32, f64, i32, u32, not 'Sum<bool>'/,
    ],
    [
      'a generic kernel',
      'export function «f»<T>(rows: Rows, x: Column<f32>): void {}',
      /generic.*Export a function for each type/,
    ],
    [
      'a name of JavaScript',
      'export function «arguments»(rows: Rows): void {}',
      /cannot be called 'arguments'/,
    ],
    ['a name of the entry', 'export function «__runs»(rows: Rows): void {}', /cannot be called '__runs'/],
    ['an exported constant', 'export const «A»: f32 = 1', /Remove `export` from 'A'/],
    ['an exported class', 'export class «A» {}', /Remove `export` from 'A'/],
    ['an export list', 'function f(rows: Rows): void {}\n«export { f }»', /write `export function`/],
    [
      'a default export',
      '«export default function f(rows: Rows): void {}»',
      /exported by name: write `export function/,
    ],
    ['a statement', 'let a = 1\n', /variable at the top level is state.*component.*`const`/],
    ['a call at the top level', '«trace("x")»', /would run when the module starts.*Move it into a function/],
    ['a function of JavaScript', '«declare function f(): void»', /cannot call functions of JavaScript/],
    ['an import of types', `import «type» { X } from './there'`, /Remove the word `type`/],
    ['a type among imports', `import { a, «type» X } from './there'`, /Remove the word `type`/],
    [
      'a comparison with a condition in parentheses',
      'function f(a: i32, b: bool): bool {\n  return a < (b ?«» 1 : 2)\n}',
      /takes what follows `name < \(` for types.*`\(name\) < \(…\)`/,
    ],
    [
      'a comparison with bits in parentheses',
      'function f(a: i32, b: i32): bool {\n  return a <\n    (b | «7»)\n}',
      /takes what follows `name < \(` for types/,
    ],
    [
      'a name in parentheses before the colon of a condition',
      'function f(a: i32, b: StaticArray<i32>, i: i32): i32 {\n  return a > 1 ? (a) : a | b«[»i]\n}',
      /takes `\(name\) : …` for a function.*`\? name : …`/,
    ],
    ['a package', `import { x } from «'three'»`, /'three' is neither/],
    ['a file that is not there', `import { x } from «'./there'»`, /no file '\.\/there'/],
  ])('%s', async (_, text, message) => {
    const { source, line, column } = marked(text.includes('«') ? IMPORTS + text : `${IMPORTS}«${text}`)
    const file = kernelFile(source)
    const [problem] = await problemsOf(file)
    expect(problem!.message).toMatch(message)
    expect({ file: problem!.file, line: problem!.line, column: problem!.column }).toEqual({
      file,
      // A file without a kernel is wrong as a whole.
      ...(text.startsWith('«»') ? { line: 1, column: 1 } : { line, column }),
    })
  })

  it('asks for the type of a parameter without one', async () => {
    const problems = await problemsOf(
      kernelFile(`${IMPORTS}export function f(rows: Rows, dt = 1.5): void {}`),
    )
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/'dt' is always handed over/),
      expect.stringMatching(/'dt' needs a type/),
    ])
  })

  it('reports everything that is wrong with signatures at once', async () => {
    const problems = await problemsOf(
      kernelFile(
        `${IMPORTS}export function f(rows: Rows, a: string, b: i64): f32 { return 0 }\nexport const A = 1\n`,
      ),
    )
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 34],
      [2, 45],
      [2, 51],
      [3, 14],
    ])
  })

  it('shows the line with a mark under the place', async () => {
    const [problem] = await problemsOf(
      kernelFile(`${IMPORTS}\n\texport function f(rows: Rows, a: string): void {}\n`),
    )
    expect(problem!.frame).toBe(
      '  2 |\n> 3 | \texport function f(rows: Rows, a: string): void {}\n    | \t                                 ^^^^^^',
    )
  })

  it('counts columns after a line ending of Windows', async () => {
    const [problem] = await problemsOf(
      kernelFile(`${IMPORTS}\r\nexport function f(rows: Rows, a: string): void {}\r\n`),
    )
    expect([problem!.line, problem!.column]).toEqual([3, 34])
  })
})

/** Expects the first problem of a source to have this message and to stand where the source is marked. */
async function expectAtPlace(_: string, text: string, message: RegExp): Promise<void> {
  const { source, line, column } = marked(IMPORTS + text)
  const [problem] = await problemsOf(kernelFile(source))
  expect(problem!.message).toMatch(message)
  expect([problem!.line, problem!.column]).toEqual([line, column])
}

describe('an error of the AssemblyScript compiler', () => {
  it.each([
    ['of syntax', 'export function f(rows: Rows«,» {}): void {}', /Identifier expected/],
    [
      'of names',
      'export function f(rows: Rows, x: Column<f32>): void { x[0] = «y» }',
      /Cannot find name 'y'/,
    ],
    [
      'of types',
      'export function f(rows: Rows, x: Column<f32>, d: f64): void { x[0] = «d» }',
      /Conversion from type 'f64' to 'f32'/,
    ],
    [
      'of writing to a column that is only read',
      'export function f(rows: Rows, x: ReadonlyColumn<f32>): void { «x[0]» = 1 }',
      /Index signature in type .* only permits reading/,
    ],
    [
      'of writing to a resource that is only read',
      'import { ReadonlyResource } from "strata-ecs/kernel"\nexport function f(x: ReadonlyResource<f32>): void { «x[0]» = 1 }',
      /Index signature in type .* only permits reading/,
    ],
  ])('%s arrives with its place', expectAtPlace)

  it('without a place is at the start of the file', async () => {
    const text = `const A: StaticArray<u8> = [${Array(70_000).fill(7).join()}]\nexport function f(rows: Rows, x: Column<f32>): void { x[0] = A[i32(x[1])] }`
    const [problem] = await problemsOf(kernelFile(IMPORTS + text))
    expect(problem!.message).toMatch(/up to address 71\d{3}, .*Make tables smaller/)
    expect([problem!.line, problem!.column]).toEqual([1, 1])
  })

  it('is reported for the file that it is in', async () => {
    const folder = kernelFolder({
      'a.kernel.ts': `${IMPORTS}import { g } from './g.ts'\nexport function f(rows: Rows): void { g() }`,
      'g.ts': '\nexport function g(): void { h() }\n',
    })
    const [problem] = await problemsOf(`${folder}/a.kernel.ts`)
    expect([problem!.file, problem!.line, problem!.column]).toEqual([`${folder}/g.ts`, 2, 29])
  })
})

describe('a declaration that needs more than the memory', () => {
  it.each([
    [
      'Math.random',
      'export function f(rows: Rows, x: Column<f64>): void { x[0] = «Math.random()» }',
      /randomFloat\(key, counter\)/,
    ],
    [
      'an array',
      'export function f(rows: Rows, x: Column<f32>): void { const a: f32[] = «[x[0], x[1]]»; x[0] = a[i32(x[1])] }',
      /no heap inside a kernel/,
    ],
    [
      'an object',
      'class P { x: f32 = 0 }\nlet\nexport function f(rows: Rows, x: Column<f32>): void { const p = new «P»(); x[0] = p.x }'.replace(
        'let\n',
        '',
      ),
      /no heap inside a kernel/,
    ],
    ['growth', 'export function f(rows: Rows): void { «memory.grow»(1) }', /cannot grow the memory/],
    [
      'a computed constant',
      'const A: f64 = «Math.sin(rand())»\nfunction rand(): f64 { return load<f64>(0) }\nexport function f(rows: Rows, x: Column<f64>): void { x[0] = A }',
      /computed when the module starts/,
    ],
    ['the console', 'export function f(rows: Rows): void { «console».log("x") }', /cannot reach 'console'/],
  ])('%s is refused where it is written', expectAtPlace)
})
