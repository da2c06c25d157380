// Owns the way from a world's state to its observers, of which the state itself knows only a small interface.

import type { WorldState } from '../rows/worldState'
import type { Observers } from './observers'

/** The observers of a world, for the parts that tell them of changes. */
export function observersOf(state: WorldState): Observers {
  return state.listeners as Observers
}
