// Shows that the lint rules of the house refuse what they are there for, in each folder whose code runs in other people's hosts.
// ESLint is asked which rules a file has, and these alone are run over a text: a type check would take seconds.

import { fileURLToPath } from 'node:url'
import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A file for each block of eslint.config.js that has the rules. It need not be there. */
const FILES = [
  'bindings/state/session.ts',
  'bindings/values/rowValues.ts',
  'packages/kernels/src/compileKernels.ts',
  'packages/ensemble/src/runner.ts',
  'packages/inspector/src/element/element.ts',
  'examples/page/page.ts',
  'examples/swarm/src/swarm.tsx',
]

const INSTANCES = [
  'value instanceof Error',
  'value instanceof TypeError',
  'value instanceof Array',
  'value instanceof Float32Array',
  'value instanceof Uint8ClampedArray',
  'value instanceof BigInt64Array',
  'value instanceof ArrayBuffer',
  'value instanceof SharedArrayBuffer',
  'value instanceof Object',
  'value instanceof Function',
  'value instanceof Map',
  'value instanceof WeakRef',
  'value instanceof Promise',
  'value instanceof Date',
  'value instanceof RegExp',
  'value instanceof URL',
  'value instanceof WebAssembly.Module',
  'value instanceof WebAssembly.CompileError',
  'value instanceof globalThis.Error',
  'value instanceof Intl.NumberFormat',
]

const ASSIGNMENTS = [
  'value.toString = () => text',
  'value.valueOf = one',
  'value.constructor = Own',
  'value.hasOwnProperty = () => true',
  'value.toLocaleString ??= one',
  'Object.assign(value, { toString() { return text } })',
  'class Own extends Error { name = "Own" }',
  'class Own extends RangeError { message = text }',
  'class Own extends Error { constructor() { super(); this.name = "Own" } }',
  'class Own extends StrataError { set() { this.name = "Own" } }',
]

/** What has the same looks and is right. */
const ALLOWED = [
  'value instanceof World',
  'value instanceof StrataError',
  'value instanceof ErrorOfMine',
  'value instanceof drawing.Map',
  'value.text = text',
  'value.name = text',
  'const own = { toString() { return text } }',
  'const own = Object.assign(value, { text })',
  'class Own extends Error { get name() { return "Own" } }',
  'class Own extends Error { declare readonly name: string }',
  'class Own { name = "Own" }',
  'class Own { toString() { return text } }',
  'Object.defineProperty(value, "toString", { value: one })',
]

const linter = new Linter()

describe.each(FILES)('in %s', (file) => {
  let rules
  beforeAll(async () => {
    const config = await new ESLint({ cwd: ROOT }).calculateConfigForFile(ROOT + file)
    rules = { 'no-restricted-syntax': config.rules['no-restricted-syntax'] }
  })

  /** What is said of a text; of one that cannot be read, why. */
  const said = (text) =>
    linter
      .verify(
        text,
        { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, rules },
        { filename: 'one.ts' },
      )
      .map(({ message }) => message.split(':')[0])

  it('a value is never tested with instanceof against a class of the language', () => {
    expect(INSTANCES.map((text) => [text, said(text)])).toEqual(
      INSTANCES.map((text) => [text, ['A value of another realm is no instance of this class']]),
    )
  })

  it('no assignment is made to a name that objects or errors inherit', () => {
    expect(ASSIGNMENTS.map((text) => [text, said(text)])).toEqual(
      ASSIGNMENTS.map((text) => [text, ['All objects inherit this name, and a host may have frozen it']]),
    )
  })

  it('code that only looks similar is allowed', () => {
    expect(ALLOWED.map((text) => [text, said(text)])).toEqual(ALLOWED.map((text) => [text, []]))
  })

  it('the rule is an error', () => {
    expect(rules['no-restricted-syntax'][0]).toBe(2)
  })
})
