// Owns taking the lists that a program gives: what a list is, how long it is, and that each element is read once.
// It must never reserve memory for what a list only says that it holds, nor trust a length, a class or an element that it has not seen.

import { MAX_ENTITIES } from '../../build/layout'
import { describe } from './describe'
import { type Entity, type EntityArray, NULL_ENTITY, entityArray, isHandle } from './entity'
import { StrataTypeError, notAHandle, refuseOther } from './errors'

/** As many elements as an array can have. */
const MOST_ELEMENTS = 0xffffffff
/** More components, systems or fields than a world knows; only lists of those are copied whole. */
const MOST_NAMED = 0xffff

/** What typed arrays are, whatever their class or an own property says, and from whichever realm they are. */
const typedArrays = /* @__PURE__ */ Object.getPrototypeOf(Uint8Array.prototype) as object
const lengthProperty = /* @__PURE__ */ Object.getOwnPropertyDescriptor(
  typedArrays,
  'length',
) as PropertyDescriptor
const kindProperty = /* @__PURE__ */ Object.getOwnPropertyDescriptor(
  typedArrays,
  Symbol.toStringTag,
) as PropertyDescriptor

/** The length that a typed array really has. */
export function lengthOf(array: unknown): number {
  return lengthProperty.get?.call(array) as number
}

/** The name of its class; undefined for what is no typed array. */
export function kindOfArray(value: unknown): string | undefined {
  return kindProperty.get?.call(value) as string | undefined
}

export function isTypedArray(value: unknown): value is { [index: number]: number; readonly length: number } {
  return ArrayBuffer.isView(value) && !(value instanceof DataView)
}

/** Whether it is an array or a typed array: what a vec takes. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || isTypedArray(value)
}

/**
 * How many elements a list has: every call that takes one asks here first, and asks once. A list is an array, a typed array of
 * numbers whose memory is there, or another object with a length. `of` says what it lists.
 *
 * @throws StrataTypeError INVALID_OPTION
 */
export function listLength(operation: string, of: string, list: unknown): number {
  if (ArrayBuffer.isView(list)) {
    const kind = kindOfArray(list)
    if (kind === undefined || kind.startsWith('Big')) throw noList(operation, of, `a ${kind ?? 'DataView'}`)
    const length = lengthOf(list)
    if (length > 0 || hasMemory(list)) return length
    throw noList(operation, of, `a ${kind} whose memory was transferred or taken away`)
  }
  if (typeof list !== 'object' || list === null) throw noList(operation, of, describe(list))
  let length: unknown
  try {
    ;({ length } = list as ArrayLike<unknown>)
  } catch (cause) {
    throw noList(operation, of, 'an object whose length cannot be read', cause)
  }
  if (Number.isInteger(length) && (length as number) >= 0 && (length as number) <= MOST_ELEMENTS)
    return length as number
  if (length !== undefined) throw noList(operation, of, `an object of length ${describe(length)}`)
  throw noList(
    operation,
    of,
    Symbol.iterator in list ? `${describe(list)}: spread it, [...list]` : describe(list),
  )
}

/** Whether an empty typed array is one because it has no elements, and not because its memory was transferred. */
function hasMemory(array: object): boolean {
  try {
    // Every method of typed arrays asks first.
    Uint8Array.prototype.at.call(array as Uint8Array, 0)
    return true
  } catch {
    return false
  }
}

function noList(operation: string, of: string, given: string, cause?: unknown): StrataTypeError {
  return new StrataTypeError(
    'INVALID_OPTION',
    `${operation} takes an array of ${of}, not ${given}.`,
    cause === undefined ? undefined : { cause },
  )
}

/** What an array lists, such as components: the array stays the user's. Throws for anything else. */
export function takeArray<T>(operation: string, of: string, list: readonly T[]): readonly T[] {
  if (!Array.isArray(list)) throw noList(operation, of, describe(list))
  const length = listLength(operation, of, list)
  if (length > MOST_NAMED) throw noList(operation, of, `one of ${length}`)
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
  const length = listLength(operation, 'entities', list)
  if (isPlain(list)) return list
  return copyHandles(operation, list as ArrayLike<unknown>, length, false)
}

/**
 * A copy of the handles of a list; NULL_ENTITY, which is never alive, in place of numbers that are none. `named`: they are to come
 * alive, so whatever is no handle is refused.
 *
 * @throws StrataTypeError INVALID_OPTION, NOT_AN_ENTITY
 */
export function takeHandles(
  operation: string,
  list: unknown,
  named = false,
  of = 'entities',
): EntityArray<ArrayBuffer> {
  const length = listLength(operation, of, list)
  if (isPlain(list)) return new Uint32Array(list) as EntityArray<ArrayBuffer>
  return copyHandles(operation, list as ArrayLike<unknown>, length, named)
}

/** A Uint32Array and nothing else: no class that extends it, whose properties run code. */
function isPlain(list: unknown): list is EntityArray {
  return Object.getPrototypeOf(list) === Uint32Array.prototype && !Object.hasOwn(list as object, 'length')
}

function copyHandles(
  operation: string,
  given: ArrayLike<unknown>,
  length: number,
  named: boolean,
): EntityArray<ArrayBuffer> {
  let handles = entityArray(Math.min(length, MAX_ENTITIES))
  for (let i = 0; i < length; i++) {
    const element = given[i]
    if (i === handles.length) handles = lengthened(handles, Math.min(length, 2 * i))
    if (isHandle(element)) handles[i] = element as Entity
    else {
      if (named) throw notAHandle(element, operation)
      refuseOther(element, operation)
      handles[i] = NULL_ENTITY
    }
  }
  return handles
}

/** There are more elements than entities, with repeats among them: room is made for what was seen. */
function lengthened(handles: EntityArray, length: number): EntityArray<ArrayBuffer> {
  const longer = entityArray(length)
  longer.set(handles)
  return longer
}
