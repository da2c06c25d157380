// Owns how the program ends: a code, and a sentence for every error. A stack is printed only on request.

import { debuglog, inspect } from 'node:util'
import { CommanderError } from 'commander'
import { EnsembleError } from './errors.js'

/** What the program ends with: everything is done; runs failed or gave NaN; a mistake; stopped before all was done. */
export const EXIT: Readonly<Record<'done' | 'failed' | 'mistake' | 'stopped', number>> = {
  done: 0,
  failed: 1,
  mistake: 2,
  stopped: 3,
}

const debug = debuglog('strata-ensemble')

/**
 * Says what became of a call that an error ended.
 *
 * @returns what the program ends with
 */
export function endOf(error: unknown): number {
  // Commander has said what it is about: an option that it does not know, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.mistake
  debug('%o', error)
  console.error(`\n${sentenceOf(error)}`)
  return error instanceof EnsembleError && error.code === 'STOPPED' ? EXIT.stopped : EXIT.mistake
}

function sentenceOf(error: unknown): string {
  if (error instanceof EnsembleError) return error.message
  const { code, syscall, path } = (error ?? {}) as NodeJS.ErrnoException
  if (syscall !== undefined && path !== undefined) return `${path} cannot be read (${code}).`
  const [line] = textOf(error).split('\n')
  return `Something happened that was not foreseen: ${line} (NODE_DEBUG=strata-ensemble says where).`
}

/** Anything can be thrown, with anything as its message. */
function textOf(error: unknown): string {
  const { message = error as object | string } = Object(error) as { message?: object | string }
  return typeof message === 'object' ? inspect(message) : String(message)
}
