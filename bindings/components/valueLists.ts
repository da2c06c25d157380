// Owns values that are given by column: for each field a list of them, checked and copied before anything is written.

import { StrataTypeError } from '../memory/errors'
import { listLength } from '../memory/givenLists'
import { arrayKind, lengthOf } from '../memory/realms'
import type { Definition } from './definition'
import { type Field, isVec, takeItem } from './fields'
import { KINDS } from './fieldKinds'
import type { Schema } from './schema'
import { type CopiedValue, noValues, unknownField } from './copiedValues'

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
): CopiedValue[] {
  const taken = fields.map((): CopiedValue => undefined)
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
    // Before anything is made for it: a list may say that it has more than memory holds.
    const found = listLength(operation, `values for ${where}`, list)
    const length = count * field.length
    if (found < length) {
      throw new StrataTypeError(
        'INVALID_VALUE',
        `${operation}: ${where} has ${found} values for ${count} handles: give ${length}.`,
      )
    }
    columns.push({ k, field, values: takeColumn(field, list as ArrayLike<unknown>, length, where) })
  }
  return columns
}

/** The first values of a list, each read once. */
function takeColumn(field: Field, given: ArrayLike<unknown>, length: number, where: string): Listed {
  const { kind } = field
  const { Column } = KINDS[kind]
  const values = kind === 'text' ? new Array<string>(length) : (new Column(length) as Uint8Array)
  // Its numbers are what the column can hold, but for 2 and more among booleans.
  const fits =
    kind !== 'text' && kind !== 'bool' && arrayKind(given) === Column.name && lengthOf(given) === length
  if (fits) (values as Uint8Array).set(given as InstanceType<typeof Column>)
  else for (let i = 0; i < length; i++) values[i] = takeItem(field, given[i], where, i)
  return values
}
