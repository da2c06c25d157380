// Owns which function of the kernel library a program has given: they are told by identity, since a minifier may have
// changed their code.

import { cos, exp, random, randomFloat, rsqrt, sin } from '../kernelLibrary/functions'
import { LIBRARY } from '../loopCompiler/library'
import type { Source } from '../loopCompiler/refusal'

const SOURCES = /* @__PURE__ */ new Map<unknown, Source>([
  [cos, LIBRARY.cos],
  [exp, LIBRARY.exp],
  [random, LIBRARY.random],
  [randomFloat, LIBRARY.randomFloat],
  [rsqrt, LIBRARY.rsqrt],
  [sin, LIBRARY.sin],
])

/** The source of a function of the kernel library; undefined for any other function. */
export function librarySource(given: unknown): Source | undefined {
  return SOURCES.get(given)
}
