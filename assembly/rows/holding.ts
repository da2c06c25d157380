// Owns the holding of all memory that a change of one entity will need, whatever else is allocated until it is made, so that a change
// that was announced cannot fail. It changes nothing that can be read.

import { Archetype, archetypes } from '../archetypes/archetypes'
import { Bundle, sparseIdAt } from '../archetypes/bundles'
import { isLoose } from '../archetypes/looseBundles'
import { NO_LOCATION, indexOf, isAlive, recordOf } from '../memory/entities'
import { DEAD, DONE, OUT_OF_MEMORY } from '../memory/status'
import { cancelInsert, findRow, poolOf, prepareOrder, preparePage } from '../pools/sparseSets'
import { archetypeExchanged, archetypeWith, archetypeWithout } from '../queries/transitions'
import { releaseHeld } from '../tables/chunks'
import { holdRow } from '../tables/tables'
import { archetypeOfRow, isSparseIn } from './rows'

/**
 * Holds what add, remove or exchange needs for an entity that has a row. DONE, or a negative status with nothing held.
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
  return OUT_OF_MEMORY
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
