// Owns the values of resources and objects in a save: what JSON can hold, and numbers, lists of numbers and bigints that it
// cannot. It must never drop anything: what a file cannot hold is an error.

import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { arrayKind, isPlain } from '../memory/realms'
import { listIn, stringIn } from './checkSaved'
import { refused } from './savedWorld'

/** The property of an object that stands for what JSON has not. An object that has it itself is written as a list. */
const MARK = '$'
/** Stands in the list of values for an entity without one. */
export const NONE = /* @__PURE__ */ Object.freeze({ [MARK]: 'none' })
/** Deeper values are taken for ones that hold themselves. */
const DEEPEST = 200

const ARRAYS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
] as const

/**
 * A value as JSON holds it.
 *
 * @throws StrataTypeError INVALID_VALUE; what a getter of the value throws
 */
export function plain(value: unknown, of: string, depth = 0): unknown {
  const inside = (item: unknown) => plain(item, of, depth + 1)
  if (depth > DEEPEST) throw unplain(of, 'something that holds itself, or more than 200 levels')
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { [MARK]: numberName(value) }
  if (typeof value === 'bigint') return { [MARK]: 'bigint', value: String(value) }
  if (value === undefined) return { [MARK]: 'undefined' }
  if (Array.isArray(value)) return Array.from(value as unknown[], inside)
  const kind = arrayKind(value)
  if (ARRAYS.some(({ name }) => name === kind))
    return { [MARK]: kind, values: Array.from(value as ArrayLike<unknown>, inside) }
  if (!isPlain(value)) throw unplain(of, describe(value))
  const entries = Object.entries(value).map(([key, item]) => [key, inside(item)] as const)
  return Object.hasOwn(value, MARK) ? { [MARK]: 'object', entries } : Object.fromEntries(entries)
}

/**
 * The value that plain was given.
 *
 * @throws StrataError SAVE_REFUSED
 */
export function revived(value: unknown, depth = 0): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw refused('a number is too large')
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) throw refused('a value has too many levels')
  const inside = (item: unknown) => revived(item, depth + 1)
  const joined = (entries: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries(entries.map(([key, item]) => [key, inside(item)]))
  if (Array.isArray(value)) return value.map(inside)
  if (!Object.hasOwn(value, MARK)) return joined(Object.entries(value))
  const { [MARK]: mark, ...rest } = value as Record<string, unknown>
  const name = stringIn(mark, 'the mark of a value')
  if (name === 'undefined') return undefined
  if (name === 'bigint' && /^-?\d{1,10000}$/.test(String(rest['value'])))
    return BigInt(rest['value'] as string)
  if (name === 'object') return joined(listIn(rest['entries'], 'the entries of an object').map(entryIn))
  const number = NUMBERS.get(name)
  if (number !== undefined) return number
  const array = ARRAYS.find((one) => one.name === name)
  if (array === undefined) throw refused(`a value is a ${name}, which is unknown`)
  const items = listIn(rest['values'], 'the values of a list').map(inside)
  const type = name.startsWith('Big') ? 'bigint' : 'number'
  if (items.some((item) => typeof item !== type)) throw refused(`a list of ${type}s has something else`)
  return (array as Uint32ArrayConstructor).from(items as number[])
}

/** Whether it stands in place of a value. */
export function isNone(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as Record<string, unknown>)[MARK] === 'none'
}

function entryIn(value: unknown): [string, unknown] {
  const [key, item] = listIn(value, 'an entry of an object')
  return [stringIn(key, 'a key of an object'), item]
}

/** Numbers that JSON has not, by what a save calls them. */
export const NUMBERS = /* @__PURE__ */ new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0],
])

export function numberName(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

function unplain(of: string, what: string): StrataTypeError {
  return new StrataTypeError(
    'INVALID_VALUE',
    `${of}: a file cannot hold ${what}. Let its save return plain objects, arrays, typed arrays, strings, numbers, booleans and null.`,
  )
}
