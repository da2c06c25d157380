// Owns the numbers and columns that are asked of a query: which rows and which field, before numbers.ts reads them.

import { columnFor, copyRows, reduceRows, type Reduction } from './numbers'
import { type AnyQuery, requiredIn } from './rows'
import { fieldKey, sortKey } from './sorting'

/** query.sum, query.min and query.max */
export function reduce(
  query: AnyQuery,
  component: unknown,
  field: unknown,
  operation: Reduction,
  name: string,
): number {
  const { source } = query
  const key = sortKey(component, field, name)
  const known = requiredIn(query, key.definition, name)
  return reduceRows(
    source.state,
    known ? query.iterate(query.peek) : [],
    source.plan(),
    known,
    key,
    operation,
  )
}

/** query.column */
export function columnOf(query: AnyQuery, component: unknown, field: unknown): unknown {
  const { source } = query
  const key = fieldKey(component, field, 'column')
  const known = requiredIn(query, key.definition, 'column')
  // Before the loop is open: an array that is too long for the host throws.
  const copy = columnFor(key, known ? query.count : 0)
  if (known) copyRows(source.state, query.iterate(query.peek), source.plan(), known, key, copy)
  return copy
}
