// Owns the refusal of a function that cannot be compiled: what is wrong, where it stands in the source, and the error that
// shows both. What is wrong is decided where it is met.

import { StrataTypeError } from '../../../../bindings/memory/errors'

/** A place in a source. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** Columns of a source line that an error shows, and how many of them lie before the place. */
const SHOWN = 120
const BEFORE = 60

/** Thrown inside the compiler; `asError` turns it into what the program gets. */
export class Refusal extends Error {
  /** The function that the place is in, once that is known: the body, or a helper. */
  source: Source | undefined

  constructor(
    readonly place: Place,
    readonly sentence: string,
  ) {
    super(sentence)
  }
}

/** A function as text. */
export interface Source {
  readonly name: string
  readonly text: string
  /** Whether it is of the kernel library, and may read and make the bits of an f32: see functions/loopTexts.ts. */
  readonly isLibrary?: boolean
}

/** Whether a function shows no source: it is bound or built in, or the engine keeps none. */
export const isSourceless = (text: string): boolean => /\{\s*\[(?:native code|bytecode)\]\s*\}\s*$/.test(text)

/** Refuses what shows values while a loop runs. */
export function refuseToShow(place: Place, name: string): never {
  refuse(place, `'${name}' is not supported: to look at values, make the loop with { mode: 'javascript' }.`)
}

export function refuse(place: Place, sentence: string): never {
  throw new Refusal(place, sentence)
}

/** What `go` returns; a refusal that comes out of it is one of this source. */
export function within<T>(source: Source, go: () => T): T {
  try {
    return go()
  } catch (error) {
    if (error instanceof Refusal) error.source ??= source
    throw error
  }
}

/** The error that the program gets: the sentence, and the line with a caret under the place. */
export function asError({ place, sentence, source }: Refusal): StrataTypeError {
  const { name, text } = source as Source
  const before = text.slice(0, place.start)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = text.slice(lineStart).split('\n', 1)[0] as string
  const column = place.start - lineStart
  // A minified function is one line: show what is around the place.
  const from = Math.max(0, column - BEFORE)
  const carets = '^'.repeat(Math.max(1, Math.min(place.end - place.start, line.length - column, BEFORE)))
  const indent = line.slice(from, column).replace(/[^\t]/g, ' ')
  return refusedError(
    `line ${before.split('\n').length} of ${name}, column ${column + 1}: ${sentence}\n${line.slice(from, from + SHOWN)}\n${indent}${carets}`,
  )
}

/** The error for what cannot be compiled, wherever it stands. */
export function refusedError(sentence: string): StrataTypeError {
  return new StrataTypeError('COMPILE_REFUSED', `compile: ${sentence}`)
}
