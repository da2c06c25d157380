// What a call throws, which must be an error of the library.

import { expect } from 'vitest'
import { StrataError, type SystemError } from '../../bindings/index'

export function caughtFrom(call: () => unknown): StrataError & Partial<SystemError> {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(StrataError)
    return error as StrataError
  }
  return expect.unreachable('the call throws')
}

/** The code of what a call throws, or 'nothing thrown'. */
export function codeOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(StrataError)
    return (error as StrataError).code
  }
  return 'nothing thrown'
}
