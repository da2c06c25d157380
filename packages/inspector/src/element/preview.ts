// Owns how any JavaScript value is written for people, in one line. It must never run code of the value's own, such as a getter,
// nor take longer for a large value than for a small one: properties are read by their descriptors, texts are cut first.

import { NULL_ENTITY } from '../../../../bindings/index'
import { EDITED_AS, type FieldType } from './fieldTypes'
import { grouped, handleText, numberText, shortNumber } from './format'

const MOST_CHARACTERS = 400
const MOST_OF_A_PART = 40
const MOST_ITEMS = 16
const MOST_KEYS = 24
/** Prototypes that are asked for a name. */
const MOST_PROTOTYPES = 4
/** Milliseconds that listing the keys of an object may take at each look: JavaScript lists all of them, or none. */
const QUICK_LISTING = 1

/** A text of at most so many characters, and what is missing of it. */
export function cut(text: string, most = MOST_CHARACTERS): string {
  if (text.length <= most) return text
  // Half of a pair is no character.
  const end = /[\ud800-\udbff]/.test(text[most - 1] as string) ? most - 1 : most
  return `${text.slice(0, end)}… (${grouped(text.length)} characters)`
}

/** What an error says, that of a frame, too, or whatever else was thrown; never throws. The library's own is no public name. */
export function messageOf(error: unknown): string {
  try {
    const { message } = Object(error) as { readonly message?: unknown }
    return typeof message === 'string' ? message : String(error)
  } catch {
    return 'something that cannot be turned into text'
  }
}

/** A value in a line; never throws. */
export function preview(value: unknown): string {
  try {
    if (typeof value === 'string') return cut(value)
    if (Array.isArray(value)) return listed(value)
    if (ArrayBuffer.isView(value) && 'length' in value) return listed(value as never)
    return typeof value === 'object' && value !== null ? described(value) : brief(value)
  } catch {
    // A proxy of the user's.
    return 'a value that cannot be read'
  }
}

/** A value of a field among others: an entity as its handle, numbers with few digits. */
export function fieldText(value: unknown, type: FieldType): string {
  if (EDITED_AS[type] === 'handle' && typeof value === 'number')
    return value === NULL_ENTITY ? 'no entity' : handleText(value)
  if (typeof value === 'number') return shortNumber(value)
  return typeof value === 'string' ? cut(value, MOST_OF_A_PART) : preview(value)
}

/** The first items of a list: '1, 2, 3, … (1,000)'. */
function listed(list: ArrayLike<unknown> & object): string {
  const { length } = list
  const items = Array.from({ length: Math.min(length, MOST_ITEMS) }, (_, i) => property(list, String(i)))
  return length > MOST_ITEMS ? `${items.join(', ')}, … (${grouped(length)})` : items.join(', ')
}

function described(object: object): string {
  const inShort = builtIn(object)
  if (inShort !== undefined) return inShort
  const name = classOf(object)
  const { first, count, isOld } = keysOf(object)
  const parts = first
    .filter((key) => Object.getOwnPropertyDescriptor(object, key) !== undefined)
    .map((key) => `${cut(key, MOST_OF_A_PART)}: ${property(object, key)}`)
  if (count > first.length) parts.push(`… (${grouped(count)} keys${isOld ? ' when first listed' : ''})`)
  const inside = parts.length === 0 ? '{ }' : `{ ${parts.join(', ')} }`
  return cut(name === '' ? inside : `${name} ${inside}`, 2 * MOST_CHARACTERS)
}

/** A property, of which a getter is named and not run. */
function property(object: object, key: string): string {
  const descriptor = Object.getOwnPropertyDescriptor(object, key)
  if (descriptor === undefined) return 'nothing'
  return 'value' in descriptor ? brief(descriptor.value) : descriptor.get ? '(getter)' : '(setter)'
}

/** A value inside of another one. */
function brief(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${cut(value, MOST_OF_A_PART)}'`
    case 'number':
      return numberText(value)
    case 'bigint':
      // To write a long one down takes time that grows with the square of its length.
      return BigInt.asIntN(256, value) === value ? `${value}n` : 'a bigint of more than 256 bits'
    case 'function':
      return `function ${cut(ownName(value), MOST_OF_A_PART)}`.trimEnd()
    case 'object':
      return value === null ? 'null' : briefObject(value)
    default:
      return cut(String(value), MOST_OF_A_PART)
  }
}

function briefObject(object: object): string {
  if (Array.isArray(object)) return `[${grouped(object.length)}]`
  return builtIn(object) ?? (classOf(object) || 'object')
}

/** A Map, a Set or a Date in short, that of a frame, too; undefined for all else. */
function builtIn(object: object): string | undefined {
  const names = classesOf(object)
  try {
    if (names.includes('Map')) return `Map of ${grouped(sizeOf(Map.prototype, object))}`
    if (names.includes('Set')) return `Set of ${grouped(sizeOf(Set.prototype, object))}`
    if (!names.includes('Date')) return undefined
    const time = Date.prototype.getTime.call(object)
    return Number.isNaN(time) ? 'Invalid Date' : new Date(time).toISOString()
  } catch {
    // A class of the user's has that name.
    return undefined
  }
}

/** The size as the language tells it: a class of the user's may have another `size`. */
function sizeOf(prototype: object, collection: object): number {
  return Object.getOwnPropertyDescriptor(prototype, 'size')?.get?.call(collection) as number
}

/** The name of an object's class; '' for a plain object, and where there is none. */
function classOf(object: object): string {
  const name = classesOf(object).find((one) => one !== '') ?? ''
  return name === 'Object' ? '' : cut(name, MOST_OF_A_PART)
}

/** The names of an object's class and of its parents; '' where one does not have any. Runs no code but that of a proxy. */
function classesOf(object: object): string[] {
  const names: string[] = []
  let prototype: unknown = Object.getPrototypeOf(object)
  for (let i = 0; i < MOST_PROTOTYPES && typeof prototype === 'object' && prototype !== null; i++) {
    const made: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value
    names.push(typeof made === 'function' ? ownName(made) : '')
    prototype = Object.getPrototypeOf(prototype)
  }
  return names
}

function ownName(made: object): string {
  const name: unknown = Object.getOwnPropertyDescriptor(made, 'name')?.value
  return typeof name === 'string' ? name : ''
}

interface Keys {
  readonly first: readonly string[]
  readonly count: number
  /** Whether they were listed before, and not now. */
  readonly isOld: boolean
}

/** Objects whose keys took long to list, with what was found: their values are read at each look, their keys are not. */
const large = new WeakMap<object, Keys>()

function keysOf(object: object): Keys {
  const known = large.get(object)
  if (known !== undefined) return known
  const began = performance.now()
  const keys = Object.keys(object)
  const found = { first: keys.slice(0, MOST_KEYS), count: keys.length, isOld: false }
  if (performance.now() - began > QUICK_LISTING && keys.length > MOST_KEYS)
    large.set(object, { ...found, isOld: true })
  return found
}
