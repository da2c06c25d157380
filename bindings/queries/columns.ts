// Owns the numbers and columns that are asked of a query: which rows and which field, before numbers.ts reads them.

import type { Term } from '../components/terms'
import type { RequiredData, SortableFields, FieldsOf, ColumnIn } from '../components/types'
import {
  columnFor,
  copyRows,
  REDUCE_LEAST,
  REDUCE_MOST,
  REDUCE_SUM,
  reduceRows,
  type Reduction,
} from './numbers'
import type { Query } from './query'
import { queryGiven } from './queryGiven'
import { requiredIn } from './rows'
import { fieldKey, sortKey } from './sorting'

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
 * and files. For `changed` and `added` this does not count as a look. Allowed inside a loop.
 *
 * @param component one that the query requires
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER
 * @example plot(columnOf(people, Person, 'age'))
 */
export function columnOf<T extends readonly Term[], C extends RequiredData<T>, F extends FieldsOf<C>>(
  query: Query<T, boolean>,
  component: C,
  field: F,
): ColumnIn<C, F> {
  const given = queryGiven(query, 'columnOf')
  const { source } = given
  const key = fieldKey(component, field, 'columnOf')
  const known = requiredIn(given, key.definition, 'columnOf')
  // Before the loop is open: an array that is too long for the host throws.
  const copy = columnFor(key, known ? given.count : 0)
  if (known) copyRows(source.state, given.iterate(given.peek), source.plan(), known, key, copy)
  return copy as never
}

function reduce(
  query: unknown,
  component: unknown,
  field: unknown,
  operation: Reduction,
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
