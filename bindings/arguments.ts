// Owns the check of arguments by their shape: options, functions, lists.
// It must never look into a component or a query: what takes one knows better what is wrong with it.

import { StrataTypeError } from './errors'
import { describe } from './fields'

/** Throws unless it is an object with options, or nothing. With `names`, others than these are refused. */
export function checkOptions(what: string, options: unknown, names?: readonly string[]): void {
  if (options === undefined || options === null) return
  if (typeof options === 'object' && !Array.isArray(options)) {
    const unknown = names && Object.keys(options).find((name) => !names.includes(name))
    if (unknown === undefined) return
    throw new StrataTypeError(
      'INVALID_OPTION',
      `${what}: there is no option '${unknown}': the options are ${names?.join(', ')}.`,
    )
  }
  throw new StrataTypeError(
    'INVALID_OPTION',
    `${what}: the options must be an object, not ${describe(options)}.`,
  )
}

/** What createWorld and createSchedule hand to a constructor: nobody else has it. */
export const MAKING = Symbol('making')

/** Throws where a constructor was called by hand. */
export function refuseByHand(key: unknown, name: string): void {
  if (key === MAKING) return
  throw new StrataTypeError('INVALID_OPTION', `new ${name}(…) cannot be called: use create${name}(…).`)
}

/** Throws unless it can be called. */
export function checkFunction(operation: string, action: unknown): void {
  if (typeof action === 'function') return
  throw new StrataTypeError('INVALID_OPTION', `${operation} takes a function, not ${describe(action)}.`)
}

/** Throws unless it is an array; `of` says what it lists. */
export function checkArray(operation: string, of: string, list: unknown): void {
  if (Array.isArray(list)) return
  throw new StrataTypeError('INVALID_OPTION', `${operation} takes an array of ${of}, not ${describe(list)}.`)
}

/** Throws unless it has elements by number: an array, or a typed array. */
export function checkElements(operation: string, of: string, list: unknown): void {
  if (typeof list === 'object' && list !== null && typeof (list as { length?: unknown }).length === 'number')
    return
  throw new StrataTypeError('INVALID_OPTION', `${operation} takes an array of ${of}, not ${describe(list)}.`)
}
