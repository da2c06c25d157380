// Shows that randomly changed copies of the repository's own kernels give an error at a place or a module that a world accepts,
// and that the process goes on.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkKernelExport, checkKernelModule } from '../../../bindings/kernels/kernelModule'
import { KernelSourceError, compileKernels, type KernelSourceProblem } from '../src/index'
import { parseSource } from '../src/syntax'
import { MOVEMENT, kernelFolder } from '../../../tests/support/kernelFiles'
import { proofLength } from '../../../tests/support/proofs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TOKEN = /\s+|\/\/.*|\/\*[\s\S]*?\*\/|'[^'\n]*'|[\w$]+|=>|[=!]==?|<=|>=|&&|\|\||[-+*/]=|\+\+|--|./gu

/** The kernels of the repository, which are whole by themselves; short ones first, since time goes by length. */
const KERNELS = ['examples', 'bench', 'tests'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.kernel.ts') && !name.includes('node_modules'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
    .filter((text) => text.length < 8000 && !/from '\.\.?\//.test(text)),
)

/** What is put in places where it does not belong: the traps of this compiler among it. */
const PIECES = [
  'let n: i32 = 0',
  'const A: StaticArray<f32> = [1, 2]',
  'namespace N { export let n: i32 = 0 }',
  'class C { static n: i32 = 0 }',
  'declare function g(): void',
  'memory.data(16)',
  'memory.grow(1)',
  'new C()',
  '[1, 2]',
  '"text"',
  '`a${1}b`',
  'null',
  'this',
  'super',
  'export',
  'import',
  'type',
  'static',
  'readonly',
  '@inline',
  '@lazy',
  '@external("env", "f")',
  'function g<T>(): void { g<Array<T>>() }',
  'while (true) {}',
  'for (;;) {}',
  'throw new Error("")',
  'store<u8>(0, 1)',
  'changetype<usize>(0)',
  'unreachable()',
  'trace("x")',
  'Math.random()',
  'f32',
  'v128',
  'Lanes',
  'Rows',
  'Column<f32>',
  'Sum<f32>',
  'x => x',
  '/*',
  '*/',
  '//',
  '/a/',
  '0x',
  '1e999',
  '9'.repeat(40),
  '\u2028',
  '\0',
  '\\u{41}',
  '🚀',
  '\ufeff',
  '#',
  '?',
  '??',
  '?.',
  '...',
  '!',
  '<',
  '>',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ';',
  ',',
  ':',
  '=',
]

type Change = { at: number; kind: number; other: number }

const changes = fc.array(fc.record({ at: fc.nat(), kind: fc.nat({ max: 9 }), other: fc.nat() }), {
  minLength: 1,
  maxLength: 4,
})

/** A source with its tokens changed: left out, doubled, exchanged, in place of others, nested, cut. */
function changed(source: string, list: readonly Change[]): string {
  let tokens: string[] = source.match(TOKEN) ?? []
  for (const { at, kind, other } of list) {
    const i = at % Math.max(tokens.length, 1)
    const j = other % Math.max(tokens.length, 1)
    const piece = PIECES[other % PIECES.length]!
    if (kind === 0) tokens.splice(i, 1 + (other % 3))
    else if (kind === 1) tokens.splice(i, 0, tokens[j] ?? '')
    else if (kind === 2) [tokens[i], tokens[j]] = [tokens[j] ?? '', tokens[i] ?? '']
    else if (kind === 3) tokens.splice(i, 1, piece)
    else if (kind === 4) tokens.splice(i, 0, `\n${piece}\n`)
    else if (kind === 5) tokens.splice(i, 0, '({[<'[other % 4]!.repeat(other % 2000))
    else if (kind === 6) tokens = tokens.slice(0, i)
    else exchangeAlike(tokens, i, j)
  }
  return tokens.join('')
}

/** Puts a token in place of the next one of its kind, so that what comes of it is often a source. */
function exchangeAlike(tokens: string[], i: number, j: number): void {
  const kindOf = (token = '') =>
    /^[\d.]/.test(token) ? 0 : /^[\w$]/.test(token) ? 1 : /^\s|^\//.test(token) ? 2 : 3
  const wanted = kindOf(tokens[j])
  const place = tokens.findIndex((token, at) => at >= i && at !== j && kindOf(token) === wanted)
  if (place >= 0) tokens[place] = tokens[j]!
}

let file = ''
beforeAll(() => {
  expect(KERNELS.length).toBeGreaterThan(5)
})

/** Whether a source is compiled; what it is refused for has a place in it. */
async function isCompiled(source: string): Promise<boolean> {
  writeFileSync(file, source)
  let compiled
  try {
    compiled = await compileKernels(file, { timeLimit: 30 })
  } catch (error) {
    if (!(error instanceof KernelSourceError)) throw error
    expect(error.problems.length).toBeGreaterThan(0)
    for (const problem of error.problems) expectPlace(problem, source)
    return false
  }
  const module = checkKernelModule(compiled.bytes, 'fuzz.kernel.ts')
  for (const { kernel, result } of compiled.kernels) checkKernelExport(module, kernel, result !== 'none')
  return true
}

function expectPlace({ line, column, message, frame }: KernelSourceProblem, source: string): void {
  const lines = source.split('\n')
  expect(line >= 1 && line <= lines.length).toBe(true)
  expect(column >= 1 && column <= lines[line - 1]!.length + 1).toBe(true)
  expect(message.length).toBeGreaterThan(0)
  expect(frame).toContain('^')
}

describe('Changed copies of kernels', () => {
  it('are refused at a place, or become modules that a world accepts', async () => {
    file = join(kernelFolder({}), 'fuzz.kernel.ts')
    const cases = fc.sample(fc.tuple(fc.nat(), changes), { numRuns: proofLength(400), seed: 43 })
    let compiled = 0
    for (const [number, list] of cases) {
      const source = changed(KERNELS[number % KERNELS.length]!, list)
      if (await isCompiled(source)) compiled++
    }
    console.log(`${cases.length} sources: ${compiled} compiled, ${cases.length - compiled} refused`)
    expect(cases.length).toBe(proofLength(400))
    expect(cases.length - compiled).toBeGreaterThan(cases.length / 4)
    expect(await isCompiled(MOVEMENT)).toBe(true)
  })

  it('never keep the parser busy, and end it only with a place', () => {
    const cases = fc.sample(fc.tuple(fc.nat(), changes), { numRuns: proofLength(4000), seed: 44 })
    let parsed = 0
    for (const [number, list] of cases) {
      const source = changed(KERNELS[number % KERNELS.length]!, list)
      try {
        parseSource('/fuzz.kernel.ts', source)
        parsed++
      } catch (error) {
        if (!(error instanceof KernelSourceError)) throw error
        for (const problem of error.problems) expectPlace(problem, source)
      }
    }
    console.log(`${cases.length} sources: ${parsed} parsed, ${cases.length - parsed} refused`)
    expect(cases.length).toBe(proofLength(4000))
    expect(parsed).toBeGreaterThan(0)
  })
})
