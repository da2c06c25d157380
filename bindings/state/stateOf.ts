// Owns the check of what a function that takes a world is given.

import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { WorldState } from './worldState'

/**
 * The state of the world that a call was given.
 *
 * @throws StrataTypeError INVALID_OPTION for what is no world
 */
export function stateOf(world: unknown, operation: string): WorldState {
  const state = (world as { readonly state?: unknown } | null | undefined)?.state
  if (state instanceof WorldState) return state
  throw new StrataTypeError('INVALID_OPTION', `${operation} takes a world, not ${describe(world)}.`)
}
