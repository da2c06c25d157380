// Owns the error that users see: a stable code, and a sentence that says what to do; and what is known of anything thrown.

import { inspect } from 'node:util'

/** Thrown for everything that a user can mend. `code` is stable; the sentence may be worded better one day. */
export class EnsembleError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options)
    this.name = 'EnsembleError'
    this.code = code
  }
}

/** What a file system says when it takes no more: no space, a quota, a limit on the size of files. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Runs `write`, which writes to `path`.
 *
 * @template T
 * @param {string} path
 * @param {() => T} write
 * @returns {T}
 * @throws {EnsembleError} DISK_FULL when there is no more space, CANNOT_WRITE for any other refusal of the file system
 */
export function writing(path, write) {
  try {
    return write()
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause)
    if (code === undefined || cause instanceof EnsembleError) throw cause
    if (FULL.has(code)) {
      throw new EnsembleError(
        'DISK_FULL',
        `The disk is full (${code} in ${path}). Every run that is done is kept: make room, then give the same command again.`,
        { cause },
      )
    }
    throw new EnsembleError('CANNOT_WRITE', `${path} cannot be written (${code}).`, { cause })
  }
}

/** What is known of a thing that was thrown: it may be null, or an error whose message is no text and whose stack cannot be read. */
export function asError(thrown) {
  if (typeof thrown === 'string') return { code: undefined, message: thrown, stack: '' }
  const textOf = (name) => {
    const value = attempt(() => Object(thrown)[name])
    return typeof value === 'string' ? value : undefined
  }
  return {
    code: textOf('code'),
    message: textOf('message') ?? `${attempt(() => inspect(thrown)) ?? 'What cannot be shown'} was thrown.`,
    stack: textOf('stack') ?? '',
  }
}

function attempt(read) {
  try {
    return read()
  } catch {
    return undefined
  }
}
