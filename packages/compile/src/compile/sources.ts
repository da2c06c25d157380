// Owns the sources of the functions that a program has given. Those of the kernel library carry a text, since a minifier may
// have changed their code. Only the compiler needs sources: loops that were compiled ahead come without.

import { LOOP_TEXT } from '../functions/loopTexts'
import type { Source } from '../loopCompiler/refusal'

/** The source of a function, whatever its own toString says. */
export function sourceOf(given: object, name: string): Source {
  return { name, text: Function.prototype.toString.call(given) }
}

/** The source of a function that a body calls. */
export function calledSource(given: object, name: string): Source {
  const text: unknown = (given as { readonly [LOOP_TEXT]?: unknown })[LOOP_TEXT]
  return typeof text === 'string' ? { name, text, isLibrary: true } : sourceOf(given, name)
}
