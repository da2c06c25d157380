// Shows that sources which crash the AssemblyScript compiler or keep it busy for ever give an error at a place, and that the
// process goes on.

import { describe, expect, it } from 'vitest'
import { KernelSourceError, compileKernels } from '../src/index'
import { MOVEMENT, kernelFile } from '../../../tests/support/kernelFiles'

const HEAD = `import { Column, Lanes, Rows } from 'strata-ecs/kernel'\n`

const body = (text: string) => `${HEAD}export function f(rows: Rows, x: Column<f32>): void {\n${text}\n}`
const nested = (open: string, inner: string, close: string, levels: number) =>
  open.repeat(levels) + inner + close.repeat(levels)

/** Functions each of which calls the one before twice, inlined. */
const DOUBLING = Array.from(
  { length: 28 },
  (_, i) =>
    `@inline function f${i}(a: f32): f32 { return ${i === 0 ? 'a' : `f${i - 1}(a) + f${i - 1}(a + 1)`} }`,
).join('\n')

async function problemOf(source: string, timeLimit?: number) {
  const error = await compileKernels(kernelFile(source), { timeLimit }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(KernelSourceError)
  return (error as KernelSourceError).problems[0]!
}

const worksStill = async () => {
  const { kernels } = await compileKernels(kernelFile(MOVEMENT))
  expect(kernels.map(({ kernel }) => kernel)).toEqual(['move'])
}

describe('a source that nests too deeply is refused at its place', () => {
  it.each([
    ['braces', body(nested('{', '', '}', 3000)), 3],
    ['parentheses', body(`x[0] = ${nested('(', '1', ')', 3000)}`), 3],
    ['parentheses without an end', body(`x[0] = ${'('.repeat(100_000)}`), 3],
    ['terms of a sum', body(`x[0] = ${Array(10_000).fill('x[1]').join(' + ')}`), 3],
    ['terms on lines of their own', body(`x[0] = ${Array(10_000).fill('x[1]').join(' +\n')}`), undefined],
    ['signs', body(`x[0] = ${'- '.repeat(20_000)}1`), 3],
    ['types', body(`const a: ${nested('Column<', 'f32', '>', 20_000)} = x`), 3],
    ['conditions', body(`x[0] = ${'x[1] > 0 ? 1 : '.repeat(5000)}2`), 3],
    ['branches', body(`${'if (x[1] > 0) x[0] = 1; else '.repeat(5000)}x[0] = 2`), 3],
    [
      'lanes',
      `${HEAD}export function f(rows: Lanes, x: Column<f32>): void {\nfor (let i = rows.start; i < rows.end; i++) x[i] = ${Array(3000).fill('x[i]').join(' * ')}\n}`,
      3,
    ],
  ])('%s', async (_, source, line) => {
    const problem = await problemOf(source)
    expect(problem.message).toMatch(/more than 1,000 levels deep.*Split it/)
    if (line !== undefined) expect(problem.line).toBe(line)
    if (line !== undefined) expect(problem.column).toBeGreaterThan(1)
    // A frame is for people, however long a line is.
    expect(problem.frame.length).toBeLessThan(1000)
    await worksStill()
  })

  it.each([
    ['Rows', `x[0] = ${Array(900).fill('x[1]').join(' + ')}`],
    ['Rows', nested('{', 'x[0] = 1', '}', 900)],
    ['Rows', `x[0] = ${nested('(', 'x[1]', ')', 900)}`],
    ['Lanes', `for (let i = rows.start; i < rows.end; i++) x[i] = ${Array(900).fill('x[i]').join(' + ')}`],
  ])('but a source that nests less is compiled, over %s: %#', async (rows, text) => {
    const { bytes } = await compileKernels(kernelFile(body(text).replace('rows: Rows', `rows: ${rows}`)))
    expect(WebAssembly.validate(bytes as BufferSource)).toBe(true)
  })
})

describe('a source that crashes the compiler', () => {
  it.each([
    [
      'types without end',
      'class A<T> {}\nfunction g<T>(n: i32): void {\n  if (n > 0) g<A<T>>(n - 1)\n}',
      'g<i32>(3)',
    ],
    [
      'twice as many types at each level',
      'class A<T> {}\nclass B<T> {}\nfunction g<T>(n: i32): void {\n  if (n > 0) { g<A<T>>(n - 1); g<B<T>>(n - 1) }\n}',
      'g<i32>(3)',
    ],
  ])('is refused at the statement where it crashed: %s', async (_, functions, call) => {
    const source = `${HEAD}${functions}\nexport function f(rows: Rows, x: Column<f32>): void {\n${call}\n}`
    const { message, line, file } = await problemOf(source)
    expect(message).toMatch(
      /compiler (?:crashed|took too much memory).* at this statement.*new types without end/,
    )
    expect(source.split('\n')[line - 1]).toContain('g<A<T>>')
    expect(file).toMatch(/test\.kernel\.ts$/)
    await worksStill()
  })
})

describe('a source that takes too long', () => {
  it('is abandoned after the time limit, with an error that says how to allow more', async () => {
    const source = `${HEAD}${DOUBLING}\nexport function f(rows: Rows, x: Column<f32>): void { x[0] = f27(x[1]) }`
    const { message, line, column } = await problemOf(source, 2)
    expect(message).toMatch(/not come to an end after 2 seconds.*timeLimit/)
    expect(line).toBeGreaterThan(0)
    expect(column).toBeGreaterThan(0)
    await worksStill()
  })

  it.each([0, -1, NaN])('has no time limit of %s', async (timeLimit) => {
    await expect(compileKernels(kernelFile(MOVEMENT), { timeLimit })).rejects.toThrow(RangeError)
  })
})

it('Compilations that are started together are told apart', async () => {
  const sources = Array.from({ length: 6 }, (_, k) =>
    k % 2 === 0 ? MOVEMENT.replace('move(', `move${k}(`) : MOVEMENT.replace('vx[i]', `v${k}[i]`),
  )
  const results = await Promise.allSettled(sources.map((source) => compileKernels(kernelFile(source))))
  expect(
    results.map((result) =>
      result.status === 'fulfilled'
        ? result.value.kernels[0]!.kernel
        : /Cannot find name '\w+'/.exec((result.reason as Error).message)![0],
    ),
  ).toEqual([
    'move0',
    "Cannot find name 'v1'",
    'move2',
    "Cannot find name 'v3'",
    'move4',
    "Cannot find name 'v5'",
  ])
})
