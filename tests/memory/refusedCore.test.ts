// Shows that a core which a policy keeps from running is refused with what to allow, as WebKit has it, which lets a page have one.

import { afterEach, expect, it, vi } from 'vitest'
import { releaseText } from '../../build/release'
import { createWorld } from '../../bindings/index'
import { decodeText } from '../../bindings/memory/coreText'
import { caughtFrom } from '../support/caught'

afterEach(() => void vi.unstubAllGlobals())

it('A core that a policy keeps from running is WASM_REFUSED, with what to allow', () => {
  const core = new WebAssembly.Module(decodeText(releaseText()))
  const cause = new WebAssembly.CompileError('Refused to create a WebAssembly object')
  class Instance {
    constructor() {
      throw cause
    }
  }
  const { Module, Memory, CompileError } = WebAssembly
  vi.stubGlobal('WebAssembly', { Module, Memory, CompileError, Instance })
  const error = caughtFrom(() => createWorld({ core }))
  expect(error.code).toBe('WASM_REFUSED')
  expect(error.message).toContain("script-src 'wasm-unsafe-eval'")
  expect(error.cause).toBe(cause)
})
