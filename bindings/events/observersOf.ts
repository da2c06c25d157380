// Owns the way from a world's state to its observers, which are made at the first call that listens.

import type { WorldState } from '../state/worldState'
import { Observers } from './observers'

/** The observers of a world, for the calls that listen. A change asks state.reporting, which may be undefined. */
export function observersOf(state: WorldState): Observers {
  if (state.reporting === undefined) {
    const observers = new Observers(state)
    state.reporting = observers
    state.participants.add(observers)
  }
  return state.reporting as Observers
}
