// Shows what is said of a core that cannot start: a policy or a lack of memory, where it is one, and otherwise what was thrown.

import { afterEach, expect, it, vi } from 'vitest'
import { releaseText } from '../../build/release'
import { type StrataError, createWorld } from '../../bindings/index'
import { compileText } from '../../bindings/memory/coreText'
import { caughtFrom } from '../support/caught'

afterEach(() => void vi.unstubAllGlobals())

/** The error of a start in which a part of WebAssembly throws. */
function startThrowing(part: 'Module' | 'Memory' | 'Instance', cause: unknown) {
  class Failing {
    constructor() {
      throw cause
    }
  }
  vi.stubGlobal('WebAssembly', { ...parts(), [part]: Failing })
  try {
    compileText(releaseText())
  } catch (error) {
    return error as StrataError
  }
  throw new Error('It started.')
}

const parts = () => {
  const { Module, Memory, Instance, CompileError } = WebAssembly
  return { Module, Memory, Instance, CompileError }
}

/** An error of another realm: of this name, and an instance of none of our classes. */
const foreign = (name: string, message: string) =>
  ({ name, message, toString: () => `${name}: ${message}` }) as Error

it.each([
  ['the engine', new WebAssembly.CompileError('Refused to compile')],
  ['an engine that calls it an evaluation', new EvalError('call to WebAssembly.Module() blocked by CSP')],
  ['another realm', foreign('CompileError', 'Wasm code generation disallowed by embedder')],
])('A policy is named if %s blames one', (_, cause) => {
  const error = startThrowing('Module', cause)
  expect([error.name, error.code, error.cause]).toEqual(['StrataError', 'WASM_REFUSED', cause])
  expect(error.message).toContain("'wasm-unsafe-eval'")
})

it.each(['Memory', 'Instance'] as const)('A lack of memory for a %s is a limit', (part) => {
  const causes = [
    new RangeError('could not allocate memory'),
    foreign('RangeError', 'Out of memory'),
    // As Firefox throws it: no error at all.
    'out of memory',
  ]
  for (const cause of causes) {
    const error = startThrowing(part, cause)
    expect([error.name, error.code, error.cause]).toEqual(['LimitError', 'MEMORY_LIMIT', cause])
    expect(error.message).toContain('address space')
  }
})

it.each([
  new ReferenceError('atob is not defined'),
  new TypeError('x is not a function'),
  new RangeError('Maximum call stack size exceeded'),
  new WebAssembly.LinkError('no import'),
  new WebAssembly.RuntimeError('unreachable'),
])('Any other error keeps its name and its message: %s', (cause) => {
  expect(startThrowing('Module', cause)).toBe(cause)
})

it('A world without room for its memory is refused, and the next one is created', () => {
  const { Memory } = WebAssembly
  const makes = vi.fn(function (this: unknown, descriptor: WebAssembly.MemoryDescriptor) {
    if (makes.mock.calls.length > 1) return new Memory(descriptor)
    throw new RangeError('could not allocate memory')
  })
  const core = compileText(releaseText())
  vi.stubGlobal('WebAssembly', { ...parts(), Memory: makes })
  expect(caughtFrom(() => createWorld({ core })).code).toBe('MEMORY_LIMIT')
  expect(createWorld({ core }).stats().entities).toBe(0)
})

it('A core is decoded where the host has no TextEncoder and no atob', () => {
  for (const name of ['TextEncoder', 'TextDecoder', 'atob', 'btoa']) vi.stubGlobal(name, undefined)
  const world = createWorld({ core: compileText(releaseText()) })
  expect(world.isAlive(world.spawn())).toBe(true)
})
