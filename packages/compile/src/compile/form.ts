// Owns the decision whether a body runs compiled or as JavaScript, and why.

import type { CompileOptions } from './declared'
import { type Source, isSourceless, refusedError } from '../loopCompiler/refusal'

/**
 * What tools leave in code that they watch: coverage, tests by mutation, and playgrounds that end endless loops. Such a body runs as it
 * is, and is watched.
 */
const INSTRUMENTED =
  /\bcov_\w+\s*\(\)|__cov_|__coverage__|\bstry(?:MutAct|Cov)_|\b(?:loopProtect|_LP\d*)\b|\bwindow\.(?:CP|runnerWindow)\b/

const ASKED_FOR = 'it was asked for'

/** The empty module. A place with a world has SIMD, because the core needs it. */
const PROBE = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
let isPossible: boolean | undefined

/** Whether this place compiles wasm: a policy can forbid it. */
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
export function whyJavaScript({ name, text }: Source, options: CompileOptions): string | undefined {
  if (options.mode === 'javascript') return ASKED_FOR
  const why = whyNotCompilable(text)
  return why === undefined ? whyNotHere(name, options) : insist(name, options, why)
}

/** Why the source of a body says nothing of what the body does; undefined where it does. */
export function whyNotCompilable(text: string): string | undefined {
  if (INSTRUMENTED.test(text))
    return 'a tool has instrumented its code, for coverage or against endless loops'
  if (isSourceless(text))
    return 'its source text is not available: the function is bound or built in, or the engine keeps none'
  return undefined
}

/**
 * Why a body that has been compiled, or can be, runs as JavaScript in this place; undefined where it runs compiled.
 *
 * @throws StrataTypeError COMPILE_REFUSED where it must be compiled and cannot be
 */
export function whyNotHere(name: string, options: CompileOptions): string | undefined {
  if (options.mode === 'javascript') return ASKED_FOR
  return compilesWasm()
    ? undefined
    : insist(name, options, 'a policy forbids compiling WebAssembly here: it must allow wasm-unsafe-eval')
}

function insist(name: string, { mode }: CompileOptions, why: string): string {
  if (mode === 'compiled') throw refusedError(`${name} cannot be compiled: ${why}.`)
  return why
}
