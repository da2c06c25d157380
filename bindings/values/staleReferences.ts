// Owns sweepReferences: stale handles in `entity` fields are replaced.

import { textsOf } from '../memory/coreParts'
import type { World } from '../world/world'
import { stateOf } from '../state/worldState'

/**
 * Replaces every stale handle in an `entity` field with NULL_ENTITY, in all storages, and marks the columns in
 * which it found one as changed. Links of relations stay as they are. Allowed inside a loop.
 * Cost: a visit to every row with an entity field.
 *
 * @returns how many stale handles it found
 */
export function sweepReferences(world: World): number {
  const state = stateOf(world, 'sweepReferences')
  state.refuseDisposed()
  return textsOf(state).referencesSweep()
}
