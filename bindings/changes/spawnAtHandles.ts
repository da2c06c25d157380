// Owns handles that a program names: whether they can come alive, and what that needs.

import { ENTITIES_LIMIT, STATUS_DONE, STATUS_OUT_OF_ENTITIES } from '../../build/layout'
import { rareOf } from '../memory/coreParts'
import { INDEX_MASK, type Entity, type EntityArray, entityArray, isHandle } from '../memory/entity'
import { notAHandle } from '../memory/arguments'
import { handleTaken, limitError } from '../memory/errors'
import { arrayKind } from '../memory/realms'
import type { WorldState } from '../state/worldState'

/**
 * The handles of a list, which can all come alive from now on without failing: by core.entityClaim, or by spawnRows.
 *
 * @throws StrataTypeError INVALID_OPTION, StrataError HANDLE_TAKEN, StrataError WORLD_LOCKED where memory would have to grow
 *   inside a loop, LimitError. Nothing has changed then
 */
export function takeNamed(
  state: WorldState,
  list: ArrayLike<unknown>,
  operation: string,
): EntityArray<ArrayBuffer> {
  const { heap } = state
  state.refuseDisposed()
  state.refuseSealed()
  // A copy that was made for this call, where there are many.
  const handles =
    arrayKind(list) === 'Uint32Array' ? (list as EntityArray<ArrayBuffer>) : entityArray(list.length)
  let highest = 0
  for (let i = 0; i < list.length; i++) {
    const entity = list[i] as Entity
    highest = Math.max(highest, freeIndexOf(state, entity, operation))
    handles[i] = entity
  }
  if (handles.length > 1) refuseRepeats(handles, highest, operation)
  const status = rareOf(state).claimsPrepare(highest, state.locks === 0)
  heap.check()
  if (status < 0) state.refuseWhileLocked(operation)
  if (status < 0) throw limitError(status, '')
  return handles
}

/** The index of a handle that can come alive. */
export function freeIndexOf(state: WorldState, entity: Entity, operation: string): number {
  const { heap } = state
  // First: some values are no number, and cannot be made one.
  const index = isHandle(entity) ? entity & INDEX_MASK : 0
  if (index === 0 || index === INDEX_MASK) throw notAHandle(entity, operation)
  if (index >= heap.word(ENTITIES_LIMIT)) throw limitError(STATUS_OUT_OF_ENTITIES, '')
  // Of a dead index the record holds no handle of it; beyond the records there are promised handles, of generation 0.
  const living = index < heap.entityCapacity ? heap.handleAt(index) : index
  if ((living & INDEX_MASK) === index && state.isAlive(living)) throw handleTaken(entity, living, operation)
  return index
}

/** Throws if two handles have the same index. */
function refuseRepeats(handles: EntityArray, highest: number, operation: string): void {
  const seen = new Uint8Array((highest >> 3) + 1)
  for (let i = 0; i < handles.length; i++) {
    const index = (handles[i] as number) & INDEX_MASK
    const bits = seen[index >> 3] as number
    const bit = 1 << (index & 7)
    if ((bits & bit) !== 0) {
      const other = handles.find((entity) => (entity & INDEX_MASK) === index)
      throw handleTaken(handles[i] as number, other as number, operation)
    }
    seen[index >> 3] = bits | bit
  }
}

/**
 * Makes the handles of a list alive at once, without rows. Returns them. Throws as takeNamed does. What is queued for them is
 * applied before kept links to them are restored, because a restored link gives its target a row.
 */
export function reserveNamed(
  state: WorldState,
  list: ArrayLike<unknown>,
  operation: string,
  queue?: () => void,
): EntityArray<ArrayBuffer> {
  const handles = takeNamed(state, list, operation)
  for (let i = 0; i < handles.length; i++) state.core.entityClaim(handles[i] as number)
  queue?.()
  const status = state.relations?.returned(handles) ?? STATUS_DONE
  if (status < 0) throw limitError(status, '')
  return handles
}
