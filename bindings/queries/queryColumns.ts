// Owns the numbers and columns that are asked of a query: which rows and which field, before columnNumbers.ts reads them.

import type { Field } from '../components/fields'
import { KINDS } from '../components/fieldKinds'
import type { Term } from '../components/terms'
import type { RequiredData, SortableFields, FieldsOf, ColumnIn } from '../components/queryTypes'
import { takeColumns } from '../components/valueLists'
import { checkOptions } from '../memory/arguments'
import { StrataTypeError } from '../memory/errors'
import { checkInto } from '../memory/givenLists'
import {
  copyRows,
  REDUCE_LEAST,
  REDUCE_MOST,
  REDUCE_SUM,
  reduceRows,
  type ReductionCode,
  writeRows,
} from './columnNumbers'
import { type Query, queryGiven } from './query'
import { requiredIn } from './queryRows'
import { fieldKey, sortKey } from './sortQuery'

/**
 * The sum of a field over all matching entities, 0 if none matches. Whether integers or floats, it is added up as f64, so
 * it is exact for whole numbers up to 2^53; of floats, it does not depend on the machine, but on the order of the rows.
 * For `changed` and `added` this does not count as a look. Allowed inside a loop.
 * Cost: one call into the core for each run of rows, and less than a nanosecond a row.
 *
 * @param component one that the query requires
 * @param field any field that holds one number
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER
 * @example const damage = sumOf(hits, Hit, 'damage')
 */
export function sumOf<T extends readonly Term[], C extends RequiredData<T>>(
  query: Query<T, boolean>,
  component: C,
  field: SortableFields<C>,
): number {
  return reduce(query, component, field, REDUCE_SUM, 'sumOf')
}

/**
 * The least value of a field over all matching entities, Infinity if none matches, NaN if a value is NaN. The rest as
 * for sumOf.
 *
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER
 */
export function minOf<T extends readonly Term[], C extends RequiredData<T>>(
  query: Query<T, boolean>,
  component: C,
  field: SortableFields<C>,
): number {
  return reduce(query, component, field, REDUCE_LEAST, 'minOf')
}

/**
 * The greatest value of a field over all matching entities, -Infinity if none matches, NaN if a value is NaN. The rest
 * as for sumOf.
 *
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER
 */
export function maxOf<T extends readonly Term[], C extends RequiredData<T>>(
  query: Query<T, boolean>,
  component: C,
  field: SortableFields<C>,
): number {
  return reduce(query, component, field, REDUCE_MOST, 'maxOf')
}

/**
 * A copy of a field of all matching entities as one typed array, in the order in which a loop visits them; of a vec
 * its values one after the other, of a text its ids. It stays valid whatever becomes of the world: for plots, messages
 * and files. With `into` they are written to the beginning of an array of yours, and no other one is made. For `changed` and
 * `added` this does not count as a look. Allowed inside a loop.
 *
 * @param component one that the query requires
 * @param options `{ into: array }`: a typed array of the class that the call would make
 * @returns the array; with `into`, how many values were written
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER; INVALID_OPTION for an array of another class, or one that
 *   is too short: nothing is written then
 * @example plot(getColumn(people, Person, 'age'))
 * @example const count = getColumn(boids, Position, 'x', { into: xs })
 */
export function getColumn<T extends readonly Term[], C extends RequiredData<T>, F extends FieldsOf<C>>(
  query: Query<T, boolean>,
  component: C,
  field: F,
): ColumnIn<C, F>
export function getColumn<T extends readonly Term[], C extends RequiredData<T>, F extends FieldsOf<C>>(
  query: Query<T, boolean>,
  component: C,
  field: F,
  options: { readonly into: ColumnIn<C, F> },
): number
export function getColumn(
  query: unknown,
  component: unknown,
  field: unknown,
  options?: { readonly into?: unknown },
): unknown {
  const given = queryGiven(query, 'getColumn')
  const { source } = given
  checkOptions('getColumn', options, ['into'])
  const key = fieldKey(component, field, 'getColumn')
  const known = requiredIn(given, key.definition, 'getColumn')
  // Before the loop is open: an array that is too long for the host throws.
  const { kind, length } = key.definition.fields[key.place] as Field
  const count = known ? given.count * length : 0
  const into = options?.into
  const { Column } = KINDS[kind]
  if (into !== undefined) checkInto('getColumn', into, Column, count)
  const copy = into ?? new Column(count)
  if (known) copyRows(source.state, given.iterate(given.peek), source.plan(), known, key, copy as never)
  return into === undefined ? copy : count
}

/**
 * Writes a field of all matching entities from one array, in the order in which getColumn reads it and a loop visits them; of a
 * vec its values one after the other. Marks the component as changed, and calls no listener, as a write to a column does.
 * Allowed inside a loop. Cost: a copy of the array; where it is of another class than the column's, a check of each value.
 *
 * @param component one that the query requires
 * @param field any field but a text: write texts with setMany
 * @param values at least one for each entity, or for each item of a vec
 * @returns how many entities match
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER, INVALID_OPTION for what is no list, INVALID_VALUE, also for
 *   a list that is too short: nothing is written then
 * @example setColumn(boids, Position, 'x', xs)
 */
export function setColumn<T extends readonly Term[], C extends RequiredData<T>, F extends FieldsOf<C>>(
  query: Query<T, boolean>,
  component: C,
  field: F,
  values: ArrayLike<number | boolean>,
): number {
  const given = queryGiven(query, 'setColumn')
  const { source } = given
  const key = fieldKey(component, field, 'setColumn')
  const known = requiredIn(given, key.definition, 'setColumn')
  const { componentName, fieldNames } = key.definition
  if (key.definition.fields[key.place]?.kind === 'text') {
    throw new StrataTypeError(
      'INVALID_VALUE',
      `setColumn: ${componentName}.${String(field)} is a text: write it with setMany, or with world.set.`,
    )
  }
  const count = known ? given.count : 0
  const [column] = takeColumns('setColumn', key.definition, count, {
    [fieldNames[key.place] as string]: values ?? null,
  })
  // To read the list may run code of the user's.
  source.state.refuseDisposed()
  if (known && column) writeRows(given.iterate(given.peek), source.plan(), known, key, column)
  return count
}

function reduce(
  query: unknown,
  component: unknown,
  field: unknown,
  operation: ReductionCode,
  name: string,
): number {
  const given = queryGiven(query, name)
  const { source } = given
  const key = sortKey(component, field, name)
  const known = requiredIn(given, key.definition, name)
  return reduceRows(
    source.state,
    known ? given.iterate(given.peek) : [],
    source.plan(),
    known,
    key,
    operation,
  )
}
