// Owns the check of an array that the caller owns and a call fills. It must never write to it.

import { describe } from './describe'
import { StrataTypeError } from './errors'

/**
 * Throws unless it is an array of this class with room for so many elements.
 *
 * @throws StrataTypeError INVALID_OPTION
 */
export function checkInto(
  operation: string,
  into: unknown,
  Column: new (count: number) => ArrayLike<number>,
  count: number,
): asserts into is ArrayLike<number> {
  const isColumn = into instanceof Column
  if (isColumn && into.length >= count) return
  const problem = isColumn ? `has room for ${into.length} of ${count} values` : `is ${describe(into)}`
  throw new StrataTypeError(
    'INVALID_OPTION',
    `${operation}: into ${problem}: give a ${Column.name} of at least ${count} elements.`,
  )
}
