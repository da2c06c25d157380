// Owns the lists of ordered tags: the order in which the entities of a pool got the tag, or were sorted. Who has the tag is
// membership in the pool, and a list may name entities that have lost it (*) until it is squeezed.
//
//   list  ┌───┬───┬───┬───┐     each row of the pool names its place; an entry that its row does not name is stale.
//         │ 9 │ 3*│ 8 │ 3 │     Adding appends.
//         └───┴───┴───┴───┘

import { List } from '../memory/list'
import { allocate, release } from '../memory/objects'
import { chunkAt, chunkIdOf, rowOf } from '../tables/chunks'
import { valueAddress } from '../tables/addresses'
import { columnAt } from '../tables/layouts'
import { indexOf } from '../memory/entities'
import { SparseSet, findRow } from './sparseIndex'

/** Behind the link (see sparseSets.ts), a row of an ordered tag names its place in the list. */
const PLACE_COLUMN: u32 = 1

@unmanaged
export class OrderList extends List {
  /** Entries whose entity has lost the tag, or has it at another place. */
  stale: u32
  /** How long it was when a walk that adds backwards began (see walk.ts). */
  noted: u32
}

/** A new empty list, or null when memory ends. */
export function createOrder(): OrderList {
  return changetype<OrderList>(allocate(offsetof<OrderList>()))
}

export function destroyOrder(address: usize): void {
  release(address, offsetof<OrderList>())
}

@inline
export function orderOf(set: SparseSet): OrderList {
  return changetype<OrderList>(set.order)
}

/** Makes room for `extra` more members; false when memory ends. */
export function reserveOrder(set: SparseSet, extra: u32): bool {
  const list = orderOf(set)
  if (max(list.count, set.rows) + extra <= list.capacity) return true
  // Rather than let a list grow that is half stale.
  if (list.stale > list.count >> 1) squeezeOrder(set)
  return list.reserve(max(list.count, set.rows) + extra - list.count)
}

/** Tells the list that an entity's row was added at `location`. reserveOrder must have succeeded. */
export function enterOrder(set: SparseSet, index: u32, location: u32): void {
  const list = orderOf(set)
  store<u32>(placeAddress(set, location), list.count)
  list.push(index)
}

/** Moves an entity, whose row is at `location`, to the end. reserveOrder must have succeeded. */
export function moveToEnd(set: SparseSet, index: u32, location: u32): void {
  const list = orderOf(set)
  const named = placeAddress(set, location)
  if (load<u32>(named) + 1 == list.count) return
  store<u32>(named, list.count)
  list.push(index)
  list.stale += 1
}

/** Replaces the `count` handles at `handles`, all of the pool, by their places in the order. */
export function readOrderPlaces(set: SparseSet, handles: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const at = handles + (<usize>i << 2)
    store<u32>(at, load<u32>(placeAddress(set, findRow(set, indexOf(load<u32>(at))))))
  }
}

/**
 * Lets `count` entities of the pool change places: at `pairs` are handles, each with the place it shall have, which is
 * that of another one. All pairs of such a round together name each place once. Needs no memory.
 */
export function writeOrderPlaces(set: SparseSet, pairs: usize, count: u32): void {
  const list = orderOf(set)
  for (let i: u32 = 0; i < count; i++) {
    const index = indexOf(load<u32>(pairs + (<usize>i << 3)))
    const place = load<u32>(pairs + (<usize>i << 3), 4)
    list.set(place, index)
    store<u32>(placeAddress(set, findRow(set, index)), place)
  }
  set.version += 1
}

/** Tells the list that an entity is about to lose its row. */
export function leaveOrder(set: SparseSet): void {
  const list = orderOf(set)
  list.stale += 1
  if (set.rows == 1) clearOrder(set)
}

/** Tells the list that the pool has no rows. */
export function clearOrder(set: SparseSet): void {
  const list = orderOf(set)
  list.count = 0
  list.stale = 0
}

/** Takes out what is stale, so that the list names the pool's entities and no other. Needs no memory. */
export function squeezeOrder(set: SparseSet): void {
  const list = orderOf(set)
  if (list.stale != 0) dropStale(set, list)
  list.stale = 0
  assert(list.count == set.rows, 'an order list names each entity of its pool once')
}

function dropStale(set: SparseSet, list: OrderList): void {
  let kept: u32 = 0
  for (let place: u32 = 0; place < list.count; place++) {
    const index = list.at(place)
    const location = findRow(set, index)
    if (location == 0) continue
    const named = placeAddress(set, location)
    if (load<u32>(named) != place) continue
    store<u32>(named, kept)
    list.set(kept++, index)
  }
  list.count = kept
}

@inline
function placeAddress(set: SparseSet, location: u32): usize {
  return valueAddress(chunkAt(chunkIdOf(location)), columnAt(set.layout, PLACE_COLUMN), rowOf(location))
}

/** Notes where the list ends, for turnOrder. */
export function noteOrder(set: SparseSet): void {
  orderOf(set).noted = orderOf(set).count
}

/** Turns round the entries added since noteOrder: a walk that moves rows goes from the last one to the first. */
export function turnOrder(set: SparseSet): void {
  const list = orderOf(set)
  if (list.count < list.noted + 2) return
  for (let low = list.noted, high = list.count - 1; low < high; low++, high--) {
    const index = list.at(low)
    list.set(low, list.at(high))
    list.set(high, index)
  }
  writePlaces(set, list.noted)
}

/** Writes into the pool's rows at which places the list names their entities. */
export function writePlaces(set: SparseSet, from: u32): void {
  const list = orderOf(set)
  for (let place = from; place < list.count; place++) {
    store<u32>(placeAddress(set, findRow(set, list.at(place))), place)
  }
}
