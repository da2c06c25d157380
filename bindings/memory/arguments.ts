// Owns the check of arguments by their shape: options, functions, numbers. What is wrong with a component or a query is for the
// code that takes one.

import { describe } from './describe'
import { StrataTypeError } from './errors'

/** For a list of names `as const`: true if it has every property of T; otherwise those that it lacks. */
export type HasEach<T, List extends readonly unknown[]> = [keyof T] extends [List[number]]
  ? true
  : Exclude<keyof T, List[number]>

/** Throws unless it is an object with options, or nothing. With `names`, others than these are refused. */
export function checkOptions(what: string, options: unknown, names?: readonly string[]): void {
  if (options === undefined || options === null) return
  if (typeof options === 'object' && !Array.isArray(options)) {
    if (names === undefined) return
    // Without a list of the names: calls that allocate nothing take options, too.
    for (const name in options) {
      if (names.includes(name) || !Object.hasOwn(options, name)) continue
      throw new StrataTypeError(
        'INVALID_OPTION',
        `${what}: there is no option '${name}': the options are ${names.join(', ')}.`,
      )
    }
    return
  }
  throw new StrataTypeError(
    'INVALID_OPTION',
    `${what}: the options must be an object, not ${describe(options)}.`,
  )
}

/** Throws unless it is a whole number from `least`; `what` says what the operation takes it for. */
export function checkWhole(operation: string, what: string, value: unknown, least = 0): void {
  if (Number.isInteger(value) && (value as number) >= least) return
  throw new StrataTypeError(
    'INVALID_OPTION',
    `${operation}: ${what} must be a whole number from ${least}, not ${describe(value)}.`,
  )
}

/** The key that a constructor wants of its caller. Programs cannot have it. */
export const MAKING = /* @__PURE__ */ Symbol('making')

/** Throws where a program called a constructor. To the compiler it is private; JavaScript does not ask. */
export function refuseByHand(key: unknown, name: string, instead: string): void {
  if (key === MAKING) return
  throw new StrataTypeError('INVALID_OPTION', `new ${name}(…) cannot be called: use ${instead}.`)
}

/** Throws unless it can be called. */
export function checkFunction(operation: string, action: unknown): void {
  if (typeof action === 'function') return
  throw new StrataTypeError('INVALID_OPTION', `${operation} takes a function, not ${describe(action)}.`)
}

/** Throws unless it can be called, and is no async function: `refusePromise` meets what returns a promise otherwise. */
export function checkCallback(operation: string, action: unknown): void {
  checkFunction(operation, action)
  if ((action as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === 'AsyncFunction')
    throw asyncCallback(operation)
}

/** Throws when a callback returned a promise. Its rejection is handled here, because the program never sees the promise. */
export function refusePromise(operation: string, result: unknown): void {
  if (typeof result !== 'object' || result === null) return
  if (typeof (result as { then?: unknown }).then !== 'function') return
  Promise.resolve(result).catch(() => {})
  throw asyncCallback(operation)
}

function asyncCallback(operation: string): StrataTypeError {
  return new StrataTypeError(
    'ASYNC_CALLBACK',
    `${operation} cannot wait for a callback that is async or returns a promise: await before or after ${operation}.`,
  )
}

/** The error for what is to come alive and is no handle. */
export function notAHandle(value: unknown, operation: string): StrataTypeError {
  return new StrataTypeError(
    'INVALID_OPTION',
    `${operation}: ${describe(value)} is not a handle: pass one that a spawn returned.`,
  )
}

/** Throws for what cannot be an entity: a chunk most often, because loops over queries visit chunks. Returns false. */
export function refuseOther(value: unknown, operation: string): false {
  if (typeof value === 'number') return false
  const why =
    value === undefined
      ? 'query.first(), or a look-up of yours, may have found none'
      : 'a loop over a query visits chunks, and their entities are chunk.entities[i]'
  throw new StrataTypeError('NOT_AN_ENTITY', `${operation} takes an entity, not ${describe(value)}: ${why}.`)
}
