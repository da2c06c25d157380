// Owns the checks of lists and arrays that a program gives: what a list is, how long it is, that each element is read once, and
// that an array to be filled has room. It must never reserve memory for a length, or trust a class or an element, before it has
// seen them.

import { MAX_ENTITIES } from '../../build/layout'
import { refuseOther } from './arguments'
import { describe } from './describe'
import { type Entity, type EntityArray, NULL_ENTITY, entityArray, isHandle } from './entity'
import { StrataTypeError } from './errors'
import { arrayKind, lengthOf } from './realms'

/** As many elements as an array can have. */
const MOST_ELEMENTS = 0xffffffff
/** More components, systems or fields than a world knows; only lists of those are copied whole. */
const MOST_NAMED = 0xffff
/** The length of what only looks like a list. */
const NONE = -1

/** Whether it is an array of numbers over memory: of the views of memory a DataView alone has no length. */
export function isTypedArray(value: unknown): value is { [index: number]: number; readonly length: number } {
  return ArrayBuffer.isView(value) && 'length' in value
}

/** Whether it is an array or a typed array: what a vec takes. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || isTypedArray(value)
}

/**
 * How many elements a list has: every call that takes one asks here first, and asks once. A list is an array, a typed array of
 * numbers whose memory is there, or another object with a length. `of` says what it lists.
 *
 * @param most how many the call can make use of, where it copies them all
 * @throws StrataTypeError INVALID_OPTION
 */
export function listLength(operation: string, of: string, list: unknown, most = MOST_ELEMENTS): number {
  const kind = arrayKind(list)
  let length: unknown
  try {
    // Every method of typed arrays asks first whether their memory was transferred.
    if (kind !== undefined) Uint8Array.prototype.at.call(list as Uint8Array, 0)
    if (typeof list === 'object')
      length = kind === undefined ? (list as ArrayLike<unknown>).length : lengthOf(list)
  } catch {
    // Then it is not a list. A Proxy of a typed array, for one, is not a typed array.
  }
  const isLength = Number.isInteger(length) && (length as number) >= 0 && (length as number) <= most
  if (isLength && kind?.[0] !== 'B') return length as number
  throw new StrataTypeError(
    'INVALID_OPTION',
    `${operation} takes an array of ${of}, not ${kind === undefined ? describe(list) : `a ${kind} of length ${String(length)}`}.`,
  )
}

/** What an array lists, such as components: the array stays the user's. Throws for anything else. */
export function takeArray<T>(operation: string, of: string, list: readonly T[]): readonly T[] {
  const length = listLength(operation, of, list, Array.isArray(list) ? MOST_NAMED : NONE)
  const taken: T[] = []
  for (let i = 0; i < length; i++) taken.push(list[i] as T)
  return taken
}

/**
 * The handles of a list, which are read before any other code runs: a Uint32Array as it is, and a copy of anything else.
 *
 * @throws StrataTypeError INVALID_OPTION, NOT_AN_ENTITY
 */
export function readHandles(operation: string, list: unknown): EntityArray {
  const length = listLength(operation, 'entities', list, MAX_ENTITIES)
  if (isPlain(list)) return list
  return copyHandles(operation, list as ArrayLike<unknown>, length, refuseOther)
}

/**
 * A copy of the handles of a list; NULL_ENTITY, which is never alive, in place of numbers that are not handles. `refuse` throws for
 * what is refused.
 *
 * @throws StrataTypeError INVALID_OPTION, NOT_AN_ENTITY
 */
export function takeHandles(
  operation: string,
  list: unknown,
  refuse: (value: unknown, operation: string) => unknown = refuseOther,
  of = 'entities',
): EntityArray<ArrayBuffer> {
  const length = listLength(operation, of, list, MAX_ENTITIES)
  if (isPlain(list)) return new Uint32Array(list) as EntityArray<ArrayBuffer>
  return copyHandles(operation, list as ArrayLike<unknown>, length, refuse)
}

/** A Uint32Array and nothing else: no class that extends it, whose properties run code. */
function isPlain(list: unknown): list is EntityArray {
  return Object.getPrototypeOf(list) === Uint32Array.prototype && !Object.hasOwn(list as object, 'length')
}

function copyHandles(
  operation: string,
  given: ArrayLike<unknown>,
  length: number,
  refuse: (value: unknown, operation: string) => unknown,
): EntityArray<ArrayBuffer> {
  const handles = entityArray(length)
  for (let i = 0; i < length; i++) {
    const element = given[i]
    if (isHandle(element)) handles[i] = element as Entity
    else {
      refuse(element, operation)
      handles[i] = NULL_ENTITY
    }
  }
  return handles
}

/**
 * Throws unless it is an array of this class, of whichever realm, with room for so many elements.
 *
 * @throws StrataTypeError INVALID_OPTION
 */
export function checkInto(
  operation: string,
  into: unknown,
  { name }: { readonly name: string },
  count: number,
): asserts into is ArrayLike<number> {
  const room = arrayKind(into) === name ? listLength(`${operation}: into`, 'numbers', into) : undefined
  if (room !== undefined && room >= count) return
  const problem = room !== undefined ? `has room for ${room} of ${count} values` : `is ${describe(into)}`
  throw new StrataTypeError(
    'INVALID_OPTION',
    `${operation}: into ${problem}: give a ${name} of at least ${count} elements.`,
  )
}
