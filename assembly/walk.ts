// Owns the row-by-row walk over what a query matches, for bulk changes that cannot treat an archetype as one.
// It must never allocate. It goes from the last row to the first, so that a row which leaves disturbs none
// that is still to be visited.

import { Archetype, archetypeAt } from './archetypes'
import { Bundle, sparseIdAt } from './bundles'
import { chunkAt } from './chunks'
import { indexOf, isAlive, recordOf } from './entities'
import { matchAt } from './matches'
import { SCRATCH_ADDRESS } from './memory/map'
import { orderOf, reverseOrder } from './orderedTags'
import { promiseEntity } from './promises'
import { Query, drivingPool, matches, rowMatches } from './queries'
import { add, archetypeOfRow, destroy, remove } from './rows'
import { poolOf } from './sparseSets'
import { DONE } from './status'
import { entityAddress } from './columns'
import { Table } from './tables'

/** What is done to each matching entity. */
export const DESTROY: u32 = 0
export const ADD: u32 = 1
export const REMOVE: u32 = 2
/** Only counts what adding or removing would need (see promises.ts). */
export const PROMISE_ADD: u32 = 3
export const PROMISE_REMOVE: u32 = 4

/** Whether the query's matches must be looked at one by one. */
@inline
export function isRowByRow(query: Query): bool {
  return query.hasSparseTerms != 0
}

/** Does the operation to every entity that matches; returns how many it changed. */
export function walkRows(query: Query, bundle: Bundle, tick: u32, operation: u32): u32 {
  if (query.walksPool != 0) return walkTable(query, poolOf(drivingPool(query)), true, bundle, tick, operation)
  let changed: u32 = 0
  let i: u32 = 0
  while (i < query.active) {
    const archetype = archetypeAt(matchAt(query, i).archetype)
    changed += walkTable(query, archetype, false, bundle, tick, operation)
    // An archetype that lost all rows left the front of the list, and another one is at i.
    if (archetype.rows != 0) i += 1
  }
  return changed
}

/** Walks a table backwards; ordered tags get the entities in the order of the rows all the same. */
function walkTable(query: Query, table: Table, isPool: bool, bundle: Bundle, tick: u32, operation: u32): u32 {
  if (operation != ADD || !addsOrdered(bundle)) return walkBackwards(query, table, isPool, bundle, tick, operation)
  const before = SCRATCH_ADDRESS
  for (let i: u32 = 0; i < bundle.sparseCount; i++) store<u32>(before + (<usize>i << 2), orderLength(bundle, i))
  const changed = walkBackwards(query, table, isPool, bundle, tick, operation)
  for (let i: u32 = 0; i < bundle.sparseCount; i++) {
    const set = poolOf(sparseIdAt(bundle, i))
    if (set.order != 0) reverseOrder(set, load<u32>(before + (<usize>i << 2)))
  }
  return changed
}

function addsOrdered(bundle: Bundle): bool {
  for (let i: u32 = 0; i < bundle.sparseCount; i++) if (poolOf(sparseIdAt(bundle, i)).order != 0) return true
  return false
}

function orderLength(bundle: Bundle, place: u32): u32 {
  const set = poolOf(sparseIdAt(bundle, place))
  return set.order != 0 ? orderOf(set).count : 0
}

function walkBackwards(query: Query, table: Table, isPool: bool, bundle: Bundle, tick: u32, operation: u32): u32 {
  let changed: u32 = 0
  for (let i = table.chunks.count; i > 0; i--) {
    // A stable pool gives back all its chunks at once with its last row.
    if (i > table.chunks.count) continue
    const chunk = chunkAt(table.chunks.at(i - 1))
    for (let row = chunk.count; row > 0; row--) {
      const entity = load<u32>(entityAddress(chunk, row - 1))
      const passes = isPool
        ? entityMatches(query, entity)
        : rowMatches(query, changetype<Archetype>(changetype<usize>(table)), indexOf(entity))
      if (passes && apply(entity, bundle, tick, operation)) changed += 1
      // Entering a group brings another row here, from a place that is still to come: it must not be missed.
      if (operation == ADD && isPool && load<u32>(entityAddress(chunk, row - 1)) != entity) row += 1
    }
  }
  return changed
}

/** Whether the entity of a pool's row matches; false for a hole, whose handle is NULL_ENTITY. */
function entityMatches(query: Query, entity: u32): bool {
  if (!isAlive(entity)) return false
  const archetype = archetypeOfRow(recordOf(indexOf(entity)).location)
  return matches(query, archetype) && rowMatches(query, archetype, indexOf(entity))
}

function apply(entity: u32, bundle: Bundle, tick: u32, operation: u32): bool {
  let status: i32
  if (operation == DESTROY) status = destroy(entity)
  else if (operation == ADD) status = add(entity, bundle, tick)
  else if (operation == REMOVE) status = remove(entity, bundle, tick)
  else status = promiseEntity(entity, bundle, operation == PROMISE_ADD)
  assert(status >= 0, 'the memory of a bulk change was promised')
  return status == DONE
}
