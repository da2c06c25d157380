// Owns taking what a user gives for fields: the object is read once, each value is checked, and what is kept is ours. It must
// never be called between locating a row and writing it: reading a user's object may run any code.
//
// An inherited property that is not a field is ignored: other scripts of a page may have extended Object.prototype. A loop lists
// inherited names last, and stops there, so that names of usual objects are never asked for their owner: that would take 9 ns of
// the 43 of a set.

import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import type { Definition } from './definition'
import { type Field, type List, accepts, invalidValue, isVec, takeList } from './fields'
import { refuseUntargeted } from './needsTarget'

/** Up to so many values are read one by one, each in its own place of the code. */
export const FEW = 4

/**
 * Values in the order of a component's fields, undefined where none was given: numbers, booleans, strings and lists
 * that nothing else holds. They were checked and do not change: they can be written later, to any number of rows.
 */
export type CopiedValues = readonly CopiedValue[]
export type CopiedValue = number | boolean | string | List | undefined

/**
 * Takes the enumerable properties of an object, as for…in lists them. Each is read once.
 *
 * @throws StrataTypeError INVALID_VALUE, UNKNOWN_FIELD; whatever the object's own code throws
 */
export function takeValues(definition: Definition, given: unknown): CopiedValues {
  if (typeof given !== 'object' || given === null) throw noValues(definition, given)
  const values = given as Record<string, unknown>
  const { fieldNames: names } = definition
  const { length } = names
  if (length === 0 || length > FEW) return takeMany(definition, values)
  // Reading by the names of the fields is several times faster than by the key of a loop, where the fields are few.
  const a = values[names[0] as string]
  const b = length > 1 ? values[names[1] as string] : undefined
  const c = length > 2 ? values[names[2] as string] : undefined
  const d = length > 3 ? values[names[3] as string] : undefined
  return takeFew(definition, listedIn(definition, values), a, b, c, d)
}

/**
 * takeValues for values that were read already, of one to four fields in their order.
 *
 * @param listed a bit for each field that the object lists: what it inherits unlisted, such as `constructor`, was not given
 */
export function takeFew(
  definition: Definition,
  listed: number,
  a: unknown,
  b: unknown,
  c: unknown,
  d: unknown,
): CopiedValues {
  const { length } = definition.fieldNames
  const first = takeListed(definition, 0, a, listed)
  if (length === 1) return [first]
  const second = takeListed(definition, 1, b, listed)
  if (length === 2) return [first, second]
  const third = takeListed(definition, 2, c, listed)
  return length === 3 ? [first, second, third] : [first, second, third, takeListed(definition, 3, d, listed)]
}

/** Whether an object lists the fields of a component, all of them and in their order, as most objects do. */
export function listsAll({ fieldNames }: Definition, given: unknown): given is Record<string, unknown> {
  if (typeof given !== 'object' || given === null) return false
  let count = 0
  for (const name in given) {
    if (fieldNames[count] === name) count++
    else if (Object.hasOwn(given, name)) return false
    else break
  }
  return count === fieldNames.length
}

/** Takes values that were read already, one for each field. */
export function takeRead(definition: Definition, read: readonly unknown[]): CopiedValues {
  return definition.fieldNames.map((_, k) => takeValue(definition, k, read[k]))
}

/** A bit for each field that the object lists. Throws for a name that is no field. */
export function listedIn(definition: Definition, values: object): number {
  const { fieldNames } = definition
  let listed = 0
  let k = -1
  for (const name in values) {
    k = placeOf(fieldNames, name, k + 1)
    if (k < 0) {
      refuseOwn(definition, values, name)
      break
    }
    listed |= 1 << k
  }
  return listed
}

function takeListed(definition: Definition, k: number, value: unknown, listed: number): CopiedValue {
  return ((listed >> k) & 1) !== 0 ? takeValue(definition, k, value) : undefined
}

function takeMany(definition: Definition, values: Record<string, unknown>): CopiedValues {
  const taken = new Array<CopiedValue>(definition.fieldNames.length).fill(undefined)
  takeEach(definition, values, taken, undefined)
  return taken
}

/** Whether an object lists a few of the fields of a component that has many. */
export function listsFew({ fieldNames }: Definition, given: unknown): given is Record<string, unknown> {
  if (fieldNames.length <= 2 * FEW || typeof given !== 'object' || given === null) return false
  const most = Math.max(FEW, fieldNames.length >> 3)
  let count = 0
  for (const _ in given) if (++count > most) return false
  return true
}

/** Takes values as takeValues does, but lists no others. `places` gets the places of their fields. */
export function takeSome(
  definition: Definition,
  values: Record<string, unknown>,
  places: number[],
): CopiedValue[] {
  const taken: CopiedValue[] = []
  takeEach(definition, values, taken, places)
  return taken
}

function takeEach(
  definition: Definition,
  values: Record<string, unknown>,
  taken: CopiedValue[],
  places: number[] | undefined,
): void {
  const { fieldNames } = definition
  let k = -1
  for (const name in values) {
    const value = values[name]
    k = placeOf(fieldNames, name, k + 1)
    if (k < 0) return refuseOwn(definition, values, name)
    taken[places === undefined ? k : places.push(k) - 1] = takeValue(definition, k, value)
  }
}

function takeValue(definition: Definition, k: number, value: unknown): CopiedValue {
  const field = definition.fields[k] as Field
  if (field.isNumber && typeof value === 'number') return value
  if (value === undefined) return undefined
  const { componentName, fieldNames } = definition
  if (isVec(field)) return takeList(field, value, componentName, fieldNames[k] as string)
  if (accepts(field, value)) return value as CopiedValue
  throw invalidValue(field, value, `${componentName}.${fieldNames[k]}`)
}

/** The values of both; the later ones win. */
export function joinTaken(earlier: CopiedValues, later: CopiedValues): CopiedValues {
  return later.map((value, k) => (value === undefined ? earlier[k] : value))
}

/** The place of a field by its name, -1 for none; most objects have them in the order of the schema: first at `guess`. */
function placeOf(fieldNames: readonly string[], name: string, guess: number): number {
  if (fieldNames[guess] === name) return guess
  for (let k = 0; k < fieldNames.length; k++) if (fieldNames[k] === name) return k
  return -1
}

export function noValues({ componentName: name, kind }: Definition, given: unknown): StrataTypeError {
  return new StrataTypeError(
    'INVALID_VALUE',
    kind === 'tag'
      ? `${name} is a tag and takes no values, so not ${describe(given)} either: give it with world.add(entity, ${name}).`
      : `${name} takes an object of values by field name, not ${describe(given)}.`,
  )
}

/** Throws for a name that is no field, unless it is inherited. Perhaps the object is another component with values. */
function refuseOwn(definition: Definition, values: object, name: string): void {
  if (!Object.hasOwn(values, name)) return
  throw name === 'component' && describe(values) !== 'an object'
    ? noValues(definition, values)
    : unknownField(definition, name)
}

/** The error for a name that is no field. */
export function unknownField(
  definition: Partial<Definition> & Pick<Definition, 'componentName' | 'fieldNames'>,
  name: string,
): StrataTypeError {
  refuseUntargeted(definition)
  const { componentName, fieldNames } = definition
  const known = fieldNames.length > 0 ? `its fields are ${fieldNames.join(', ')}` : 'it has no fields'
  return new StrataTypeError('UNKNOWN_FIELD', `${componentName} has no field '${name}': ${known}.`)
}
