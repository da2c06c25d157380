// Owns groups: pools that keep the entities they share at their front, in the same order. Row k of one pool and row k of another
// are then the same entity's, so that a loop reads them side by side. sparseSets.ts reports each entity that came and each that
// is about to go.
//
//   A  ┌───┬───┬───┬───┬───┐
//      │ 7 │ 3 │ 9 │ 4 │ 5 │     size 3: entities 7, 3 and 9 are in A and in B
//   B  ├───┼───┼───┼───┴───┘
//      │ 7 │ 3 │ 9 │ 8 │
//      └───┴───┴───┴───┘

import { allocate, release } from '../memory/objects'
import { chunkAt, chunkIdOf, rowOf } from '../tables/chunks'
import { entityAddress } from '../tables/addresses'
import { indexOf } from '../memory/entities'
import { SparseSet, findRow, locationAt, poolOf, swapRows } from './sparseIndex'

@unmanaged
export class Group {
  /** How many entities are in all pools: those rows lie in front of each. */
  size: u32
  count: u32
  /** Array of component ids, ascending. */
  components: usize
}

@inline
export function memberOf(group: Group, place: u32): SparseSet {
  return poolOf(load<u32>(group.components + (<usize>place << 2)))
}

/**
 * The group of the `count` sparse components, none of which is in another one, ids ascending at `ids`; made when
 * it is not there. Null when memory ends.
 */
export function findOrCreateGroup(ids: usize, count: u32): Group {
  const first = poolOf(load<u32>(ids))
  if (first.group != 0) return changetype<Group>(first.group)
  const address = allocate(offsetof<Group>())
  const components = allocate(count << 2)
  if (address == 0 || components == 0) {
    release(address, offsetof<Group>())
    release(components, count << 2)
    return changetype<Group>(0)
  }
  memory.copy(components, ids, count << 2)
  const group = changetype<Group>(address)
  group.count = count
  group.components = components
  for (let i: u32 = 0; i < count; i++) memberOf(group, i).group = address
  gather(group)
  return group
}

/** Brings the entities that are in all pools to the front, in the order of the smallest. */
function gather(group: Group): void {
  let smallest = memberOf(group, 0)
  for (let i: u32 = 1; i < group.count; i++) {
    if (memberOf(group, i).rows < smallest.rows) smallest = memberOf(group, i)
  }
  for (let place: u32 = 0; place < smallest.rows; place++) {
    const location = locationAt(smallest, place)
    enterGroup(changetype<usize>(group), indexOf(load<u32>(entityAddress(chunkAt(chunkIdOf(location)), rowOf(location)))))
  }
}

/** Whether the entity is in all pools of the group. */
export function isMember(group: Group, index: u32): bool {
  for (let i: u32 = 0; i < group.count; i++) if (findRow(memberOf(group, i), index) == 0) return false
  return true
}

/** Tells the group at `address` that an entity came into one of its pools. */
export function enterGroup(address: usize, index: u32): void {
  const group = changetype<Group>(address)
  if (!isMember(group, index)) return
  moveTo(group, index, group.size)
  group.size += 1
}

/** Tells the group that an entity is about to leave one of its pools. */
export function leaveGroup(address: usize, index: u32): void {
  const group = changetype<Group>(address)
  if (!isMember(group, index)) return
  group.size -= 1
  moveTo(group, index, group.size)
}

/** Moves an entity that is in all pools to a place, the same one in each. */
export function moveTo(group: Group, index: u32, place: u32): void {
  for (let i: u32 = 0; i < group.count; i++) {
    const set = memberOf(group, i)
    swapRows(set, locationAt(set, place), findRow(set, index))
  }
}
