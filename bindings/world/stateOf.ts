// Owns the check of what a function that takes a world is given.

import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import type { WorldState } from '../rows/worldState'
import { World } from './world'

/**
 * The state of the world that a call was given.
 *
 * @throws StrataTypeError INVALID_OPTION for what is no world
 */
export function stateOf(world: unknown, operation: string): WorldState {
  if (world instanceof World) return world['state']
  throw new StrataTypeError('INVALID_OPTION', `${operation} takes a world, not ${describe(world)}.`)
}
