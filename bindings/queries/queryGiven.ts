// Owns the check of what a function that takes a query is given.

import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { Query } from './query'

/**
 * The query that a call was given.
 *
 * @throws StrataTypeError INVALID_QUERY for what is no query
 */
export function queryGiven(query: unknown, operation: string): Query {
  if (query instanceof Query) return query as Query
  throw new StrataTypeError(
    'INVALID_QUERY',
    `${operation} takes a query, world.query(…), not ${describe(query)}.`,
  )
}
