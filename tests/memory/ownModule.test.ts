// Shows that a page which may have a core and not run it is told what to allow, as WebKit has it under a policy.

import { afterEach, expect, it, vi } from 'vitest'
import { releaseText } from '../../build/release'
import { createWorld } from '../../bindings/index'
import { decodeText } from '../../bindings/memory/decoding'
import { caughtFrom } from '../support/caught'

afterEach(() => void vi.unstubAllGlobals())

/** The error for a core of which no instance can be made. */
function refusedWith(cause: Error) {
  const core = new WebAssembly.Module(decodeText(releaseText()))
  class Instance {
    constructor() {
      throw cause
    }
  }
  const { Module, Memory, CompileError } = WebAssembly
  vi.stubGlobal('WebAssembly', { Module, Memory, CompileError, Instance })
  return caughtFrom(() => createWorld({ core }))
}

it('A core that a policy keeps from running is WASM_REFUSED, with what to allow', () => {
  const cause = new WebAssembly.CompileError('Refused to create a WebAssembly object')
  const error = refusedWith(cause)
  expect(error.code).toBe('WASM_REFUSED')
  expect(error.message).toContain("script-src 'wasm-unsafe-eval'")
  expect(error.cause).toBe(cause)
})

it('A core that cannot be linked is INVALID_OPTION, with the flags that it wants', () => {
  const { code, message } = refusedWith(new WebAssembly.LinkError('no memory'))
  expect([code, message]).toEqual(['INVALID_OPTION', expect.stringContaining('--importMemory')])
})
