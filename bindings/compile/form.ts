// Owns the decision whether a body runs compiled or as JavaScript, and why.

import type { CompileOptions } from './declared'
import { refusedError } from '../loopCompiler/refusal'

/** What instruments code for coverage leaves in it: such a body runs as it is, and is counted. */
const INSTRUMENTED = /\bcov_\w+\s*\(\)|__cov_|__coverage__/
/** What stands for the body of a function whose source is not kept. */
const SOURCELESS = /\{\s*\[(?:native code|bytecode)\]\s*\}\s*$/

/** A module with one instruction of SIMD. */
const PROBE = [
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x11,
  0x0b,
]
let isPossible: boolean | undefined

/** Whether this place compiles wasm with SIMD: a policy can forbid it. */
function compilesWasm(): boolean {
  if (isPossible === undefined) {
    try {
      new WebAssembly.Module(Uint8Array.from(PROBE))
      isPossible = true
    } catch {
      isPossible = false
    }
  }
  return isPossible
}

/**
 * Why a body runs as JavaScript; undefined where it runs compiled.
 *
 * @throws StrataTypeError COMPILE_REFUSED where it must be compiled and cannot be
 */
export function whyJavaScript(name: string, text: string, { as }: CompileOptions): string | undefined {
  if (as === 'javascript') return 'it was asked for'
  const why = INSTRUMENTED.test(text)
    ? 'its code is instrumented for coverage'
    : SOURCELESS.test(text)
      ? 'its source is not kept: the function is bound or built in, or the engine keeps none'
      : compilesWasm()
        ? undefined
        : 'this place compiles no WebAssembly with SIMD: the policy of a page must allow wasm-unsafe-eval'
  if (why !== undefined && as === 'compiled') throw refusedError(`${name} cannot be compiled: ${why}.`)
  return why
}
