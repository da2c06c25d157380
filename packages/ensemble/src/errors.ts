// Owns the error that users see, a stable code and a sentence that says what to do; and the reading of any other value that is
// thrown.

import { inspect } from 'node:util'

/** Thrown for everything that a user can mend. `code` is stable; the sentence may be worded better one day. */
export class EnsembleError extends Error {
  override get name(): string {
    return 'EnsembleError'
  }
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** What is known of a run that failed. */
export interface Failure {
  code?: string | undefined
  message: string
  stack: string
  log: string
}

/** What a file system says when it takes no more: no space, a quota, a limit on the size of files. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Runs `write`, which writes to `path`.
 *
 * @throws EnsembleError DISK_FULL when there is no more space, CANNOT_WRITE for any other refusal of the file system
 */
export function writing<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
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
export function asError(thrown: unknown): Omit<Failure, 'log'> {
  if (typeof thrown === 'string') return { code: undefined, message: thrown, stack: '' }
  const textOf = (name: string) => {
    const value = attempt(() => (Object(thrown) as Record<string, unknown>)[name])
    return typeof value === 'string' ? value : undefined
  }
  return {
    code: textOf('code'),
    message: textOf('message') ?? `${attempt(() => inspect(thrown)) ?? 'What cannot be shown'} was thrown.`,
    stack: textOf('stack') ?? '',
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
