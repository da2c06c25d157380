// Owns a change of one entity in two halves: the first one holds all memory that the second one will need, whatever else is allocated
// in between, so that a change that was announced cannot fail. The first half changes nothing that can be read.

import { ADD, Archetype, REMOVE, archetypes } from '../archetypes/archetypes'
import { Bundle, sparseIdAt } from '../archetypes/bundles'
import { isLoose } from '../archetypes/looseBundles'
import { NO_LOCATION, indexOf, isAlive, recordOf } from '../memory/entities'
import { DEAD, DONE, OUT_OF_MEMORY } from '../memory/status'
import { world } from '../memory/world'
import { cancelInsert, findRow, poolOf, prepareOrder, preparePage } from '../pools/sparseSets'
import { archetypeExchanged, archetypeWith, archetypeWithout } from '../queries/transitions'
import { endPromise, releaseHeld } from '../tables/chunks'
import { holdRow } from '../tables/tables'
import { addOrRemove } from './moves'
import { archetypeOfRow, exchange, isSparseIn } from './rows'

/**
 * Holds what commitEntity needs for an entity that has a row. DONE, or a negative status with nothing held.
 *
 * @param added what it gets, or null
 * @param removed what it loses, or null
 */
export function prepareEntity(entity: u32, added: Bundle, removed: Bundle): i32 {
  releaseHeld()
  if (!isAlive(entity)) return DEAD
  const location = recordOf(indexOf(entity)).location
  assert(location != NO_LOCATION, 'only an entity with a row has what can end')
  const source = archetypeOfRow(location)
  const target = targetOf(source, added, removed)
  if (changetype<usize>(target) == 0) return archetypes.status
  const isHeld = (target == source || holdRow(target)) && holdInserts(added, removed, indexOf(entity))
  if (isHeld) return DONE
  releaseHeld()
  endPromise()
  return OUT_OF_MEMORY
}

/** Makes a change that was prepared: what add, remove or exchange returns, and never a failure. */
export function commitEntity(entity: u32, added: Bundle, removed: Bundle): i32 {
  releaseHeld()
  let status: i32
  if (changetype<usize>(removed) == 0) status = addOrRemove(entity, ADD, added)
  else if (changetype<usize>(added) == 0) status = addOrRemove(entity, REMOVE, removed)
  else status = exchange(entity, removed, added, world.tick)
  endPromise()
  assert(status >= 0, 'a change that was prepared is made')
  return status
}

/** Where the change leads, by the same steps; null, with archetypes.status set, when one of them cannot be made. */
function targetOf(source: Archetype, added: Bundle, removed: Bundle): Archetype {
  if (changetype<usize>(removed) == 0) return archetypeWith(source, added)
  if (changetype<usize>(added) != 0 && isLoose(added)) return archetypeExchanged(source, removed, added)
  const between = archetypeWithout(source, removed)
  return changetype<usize>(added) == 0 || changetype<usize>(between) == 0 ? between : archetypeWith(between, added)
}

/** Holds the rows in all sparse sets of a bundle that the entity lacks, and a new place in the order of a tag that starts over. */
function holdInserts(added: Bundle, removed: Bundle, index: u32): bool {
  for (let i: u32 = 0; changetype<usize>(added) != 0 && i < added.sparseCount; i++) {
    const id = sparseIdAt(added, i)
    const set = poolOf(id)
    const isThere = findRow(set, index) != 0
    const startsOver = isThere && changetype<usize>(removed) != 0 && isSparseIn(removed, id)
    if (isThere && !startsOver) continue
    if (prepareOrder(set, 1) && (isThere || (preparePage(set, index) && (set.holeCount > 0 || holdRow(set))))) continue
    for (let k: u32 = 0; k <= i; k++) cancelInsert(poolOf(sparseIdAt(added, k)), index)
    return false
  }
  return true
}
