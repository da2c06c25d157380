// Owns how the core is asked to change the row of one entity, and to destroy those of a list. Listeners are for apply.ts.

import { CHANGE_ADD, CHANGE_REMOVE, SCRATCH_WORDS } from '../../build/layout'
import { NULL_ENTITY } from '../memory/entity'
import type { Bundle } from '../state/bundle'
import type { WorldState } from '../state/worldState'
import { ADD, EXCHANGE, REMOVE } from './commandLog'

/** Most bundles are known to the core: reading that is cheaper than a call. */
export function addressOf(state: WorldState, bundle: Bundle | undefined): number {
  if (bundle === undefined) return 0
  return bundle.address !== 0 ? bundle.address : bundle.addressIn(state)
}

/** The one place that knows how the core is asked for each kind of change. */
export function changeRow(
  state: WorldState,
  kind: number,
  entity: number,
  added: number,
  removed: number,
): number {
  const { core } = state
  let result: number
  if (kind === ADD) result = core.entityChange(entity, CHANGE_ADD, added)
  else if (kind === REMOVE) result = core.entityChange(entity, CHANGE_REMOVE, removed)
  else if (kind === EXCHANGE) result = core.entityExchange(entity, removed, added)
  else if (entity === NULL_ENTITY) result = core.entitySpawn(added) >>> 0
  else result = core.entityPlace(entity, added)
  state.heap.check()
  return result
}

/** Whether a status, or the handle of a new entity, says that the rows are changed. */
export const isMade = (result: number): boolean => result >= 0 && result !== NULL_ENTITY

/** Destroys those of a list that are alive, with nothing around it. */
export function destroyRows(state: WorldState, entities: ArrayLike<unknown>): void {
  let held = 0
  for (let done = 0; done < entities.length; done += SCRATCH_WORDS) {
    const count = state.listPart(entities, done)
    held = state.core.entitiesDestroy(count, false, held, done + count === entities.length)
  }
}
