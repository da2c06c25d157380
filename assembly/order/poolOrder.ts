// Owns reordering: the rows of a sparse pool by a field or like another pool, and an ordered tag by a field. The rows of a stable
// pool do not move. A group's part is ordered in all its pools at once.

import { chunkAt, chunkIdOf, rowOf } from '../tables/chunks'
import { entityAddress } from '../tables/addresses'
import { NULL_ENTITY, indexOf } from '../memory/entities'
import { Group, moveTo } from '../pools/groups'
import { orderOf, squeezeOrder, writePlaces } from '../pools/orderedTags'
import { beginSort, endSort, keyAddress, pushKey, restartSort, sortPairs, sortedAt, sortedCount } from './sort'
import { SparseSet, findRow, locationAt, swapRows } from '../pools/sparseIndex'
import { DONE, NOTHING, OUT_OF_MEMORY } from '../memory/status'

/**
 * Orders the rows by a field of the pool's component, ascending, equal ones in the order of creation. The part
 * that belongs to a group and the rest are sorted apart. Only the first `limit` need to be in their places.
 * DONE, or OUT_OF_MEMORY with nothing changed.
 */
export function sortPool(set: SparseSet, field: u32, kind: u32, limit: u32): i32 {
  if (limit == 0) return DONE
  if (!beginSort(set.rows, limit, set.owner, field, kind)) return OUT_OF_MEMORY
  const grouped = groupedRows(set)
  sortPart(set, 0, grouped)
  if (limit > grouped) {
    restartSort(limit - grouped)
    sortPart(set, grouped, set.rows)
  }
  endSort()
  return DONE
}

/** Rows in front that a group holds in order. */
@inline
function groupedRows(set: SparseSet): u32 {
  return set.group == 0 ? 0 : changetype<Group>(set.group).size
}

/** Sorts the rows from `first` to below `end`, as far as they are wanted. */
function sortPart(set: SparseSet, first: u32, end: u32): void {
  for (let place = first; place < end; place++) {
    const entity = entityAt(set, place)
    pushKey(keyAddress(indexOf(entity)), entity)
  }
  sortPairs(true)
  const sorted = sortedCount()
  for (let i: u32 = 0; i < sorted; i++) bring(set, indexOf(sortedAt(i)), first + i)
}

/** Puts the `count` entities of a list at the places from `first` on. All have rows, and those of a group stay in its part. */
export function arrangePool(set: SparseSet, first: u32, list: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) bring(set, indexOf(load<u32>(list + (<usize>i << 2))), first + i)
}

/** Moves an entity's row to a place; of a group's entity the rows in all its pools. */
function bring(set: SparseSet, index: u32, place: u32): void {
  if (place < groupedRows(set)) moveTo(changetype<Group>(set.group), index, place)
  else swapRows(set, locationAt(set, place), findRow(set, index))
}

@inline
function entityAt(set: SparseSet, place: u32): u32 {
  const location = locationAt(set, place)
  return load<u32>(entityAddress(chunkAt(chunkIdOf(location)), rowOf(location)))
}

/**
 * Puts the entities of `set` that are in `like`, too, in front and in the order of `like`. DONE; NOTHING when
 * the set belongs to a group and would have to change, for then it was left as it is.
 */
export function sortPoolLike(set: SparseSet, like: SparseSet): i32 {
  if (like.order != 0) squeezeOrder(like)
  let place: u32 = 0
  for (let i: u32 = 0; i < like.rows; i++) {
    const entity = like.order != 0 ? orderOf(like).at(i) : entityAt(like, i)
    if (entity == NULL_ENTITY) continue
    const location = findRow(set, indexOf(entity))
    if (location == 0) continue
    const wanted = locationAt(set, place++)
    if (location == wanted) continue
    if (set.group != 0) return NOTHING
    swapRows(set, wanted, location)
  }
  return DONE
}

/**
 * Orders a tag of the order of insertion by a field: entities without the component come last, those and equal
 * ones in the order in which they were. DONE, or OUT_OF_MEMORY with nothing changed.
 */
export function sortOrder(set: SparseSet, component: u32, field: u32, kind: u32): i32 {
  squeezeOrder(set)
  const list = orderOf(set)
  if (!beginSort(list.count, list.count, component, field, kind)) return OUT_OF_MEMORY
  let without: u32 = 0
  for (let place: u32 = 0; place < list.count; place++) {
    const index = list.at(place)
    const key = keyAddress(index)
    if (key != 0) pushKey(key, index)
    else list.set(without++, index)
  }
  sortPairs(false)
  const sorted = sortedCount()
  memory.copy(list.items + (<usize>sorted << 2), list.items, without << 2)
  for (let place: u32 = 0; place < sorted; place++) list.set(place, sortedAt(place))
  endSort()
  writePlaces(set, 0)
  set.version += 1
  return DONE
}
