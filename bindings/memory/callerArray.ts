// Owns the check of an array that the caller owns and a call fills. It must never write to it.

import { describe } from './describe'
import { StrataTypeError } from './errors'
import { listLength } from './givenLists'
import { arrayKind } from './realms'

/**
 * Throws unless it is an array of this class, of whichever realm, with room for so many elements.
 *
 * @throws StrataTypeError INVALID_OPTION
 */
export function checkInto(
  operation: string,
  into: unknown,
  { name }: { readonly name: string },
  count: number,
): asserts into is ArrayLike<number> {
  const room = arrayKind(into) === name ? listLength(`${operation}: into`, 'numbers', into) : undefined
  if (room !== undefined && room >= count) return
  const problem = room !== undefined ? `has room for ${room} of ${count} values` : `is ${describe(into)}`
  throw new StrataTypeError(
    'INVALID_OPTION',
    `${operation}: into ${problem}: give a ${name} of at least ${count} elements.`,
  )
}
