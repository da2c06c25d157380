// Owns values that are given by column: for each field a list of them, checked and copied before anything is written.
// It must never know where they go.

import { takeElements } from '../memory/arguments'
import { StrataTypeError } from '../memory/errors'
import type { Definition } from './definition'
import { type Field, accepts, invalidValue, isVec, lengthOf, takeList } from './fields'
import { KINDS } from './kinds'
import type { Schema } from './schema'
import { type TakenValue, noValues, unknownField } from './taking'

/**
 * What setMany and setTargets take: for each field a list of values, one after the other as in a column. A vec of n values
 * takes n for each handle.
 */
export type ValueLists<S extends Schema> = {
  readonly [K in keyof S]?: ArrayLike<S[K] extends Field<infer In> ? Item<In> : never> | undefined
}

/** What a list holds for a field: of a vec one of its values. */
type Item<In> = In extends string ? string : In extends boolean ? boolean | number : number

/** Values of one field, one after the other as in a column. */
export interface ListedColumn {
  /** The place of the field. */
  readonly k: number
  readonly field: Field
  readonly values: Listed
}

/** In the typed array of the column; texts, which no run is written with, in a plain one. */
export type Listed = Uint8Array | string[]

/** The values at one place of the lists, by field. */
export function valuesAt(
  { fields }: Definition,
  columns: readonly ListedColumn[],
  place: number,
): TakenValue[] {
  const taken = fields.map((): TakenValue => undefined)
  for (const { k, field, values } of columns) {
    const first = place * field.length
    if (isVec(field)) taken[k] = (values as Uint8Array).slice(first, first + field.length)
    else taken[k] = field.kind === 'bool' ? values[first] === 1 : values[first]
  }
  return taken
}

/**
 * What is given for each field, checked and copied.
 *
 * @throws StrataTypeError INVALID_VALUE, UNKNOWN_FIELD, INVALID_OPTION
 */
export function takeColumns(
  operation: string,
  definition: Definition,
  count: number,
  lists: unknown,
): ListedColumn[] {
  if (typeof lists !== 'object' || lists === null) throw noValues(definition, lists)
  const columns: ListedColumn[] = []
  const { componentName, fieldNames, fields } = definition
  for (const [name, list] of Object.entries(lists)) {
    if (list === undefined) continue
    const k = fieldNames.indexOf(name)
    if (k < 0) throw unknownField(definition, name)
    const field = fields[k] as Field
    const where = `${componentName}.${name}`
    const given = takeElements(operation, `values for ${where}`, list)
    const length = count * field.length
    if (given.length < length) {
      throw new StrataTypeError(
        'INVALID_VALUE',
        `${operation}: ${where} has ${given.length} values for ${count} handles: give ${length}.`,
      )
    }
    columns.push({ k, field, values: takeColumn(field, given, length, componentName, name) })
  }
  return columns
}

function takeColumn(
  field: Field,
  given: ArrayLike<unknown>,
  length: number,
  component: string,
  name: string,
): Listed {
  const { kind } = field
  const { Column } = KINDS[kind]
  const values = kind === 'text' ? new Array<string>(length) : (new Column(length) as Uint8Array)
  // Its numbers are what the column can hold, but for 2 and more among booleans.
  const fits = kind !== 'text' && kind !== 'bool' && given instanceof Column && lengthOf(given) === length
  if (fits) (values as Uint8Array).set(given)
  else for (let i = 0; i < length; i++) values[i] = takeItem(field, given, i, component, name)
  return values
}

function takeItem(
  field: Field,
  given: ArrayLike<unknown>,
  i: number,
  component: string,
  name: string,
): number | string {
  const value = given[i]
  if (field.isNumber && typeof value === 'number' && !isVec(field)) return value
  if (isVec(field)) {
    if (accepts(field, value)) return Number(value)
    // The vec itself says what else it takes, and refuses the rest.
    const { length } = field
    const first = i - (i % length)
    const items = Array.from({ length }, (_, item) => given[first + item])
    return takeList(field, items, component, name)[i - first] as number
  }
  if (field.kind === 'bool' && typeof value === 'number') return value === 1 ? 1 : 0
  if (!accepts(field, value)) throw invalidValue(field, value, `${component}.${name}[${i}]`)
  return typeof value === 'string' ? value : Number(value)
}
