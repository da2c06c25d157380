// Owns the sources of the functions that a program has given. Those of the kernel library are told by identity, since a
// minifier may have changed their code. Only the compiler needs sources: loops that were compiled ahead come without.

import { cos, exp, random, randomFloat, rsqrt, sin } from '../kernelLibrary/functions'
import { LIBRARY } from '../loopCompiler/library'
import type { Source } from '../loopCompiler/refusal'

const FUNCTIONS = { cos, exp, random, randomFloat, rsqrt, sin }

/** The source of a function, whatever its own toString says. */
export function sourceOf(given: object, name: string): Source {
  return { name, text: Function.prototype.toString.call(given) }
}

/** The source of a function that a body calls. */
export function calledSource(given: object, name: string): Source {
  for (const [known, called] of Object.entries(FUNCTIONS))
    if (called === given) return LIBRARY[known as keyof typeof FUNCTIONS]
  return sourceOf(given, name)
}
