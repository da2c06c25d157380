// Owns the lists of ordered tags: the order in which the entities of a pool are visited, by their index or by when they
// got the tag. It must never decide who has the tag: that is membership in the pool, and a list may name
// entities that have lost it (*) until it is squeezed.
//
//   'entity'      list  ┌───┬───┬───┬───┐     ascending; an entry whose entity is not in the pool is stale. Adding
//                       │ 3 │ 5*│ 8 │ 9 │     takes the entity's own stale place or one beside it; where there is
//                       └───┴───┴───┴───┘     none the list is marked unsorted, and read off the pages when a loop
//                                             begins: they are in the order of the index.
//   'insertion'   list  ┌───┬───┬───┬───┐     each row of the pool names its place; an entry that its row does not
//                       │ 9 │ 3*│ 8 │ 3 │     name is stale. Adding appends.
//                       └───┴───┴───┴───┘

import { List } from '../memory/list'
import { allocate, release } from '../memory/objects'
import { chunkAt, chunkIdOf, rowOf } from '../tables/chunks'
import { valueAddress } from '../tables/addresses'
import { columnAt } from '../tables/layouts'
import { indexOf } from '../memory/entities'
import { PAGE_SHIFT } from '../memory/sizes'
import { SparseSet, findRow, pageAt } from './sparseIndex'

/** Behind the link (see sparseSets.ts), a row of a tag in the order of insertion names its place in the list. */
const PLACE_COLUMN: u32 = 1

@unmanaged
export class OrderList extends List {
  /** Entries whose entity has lost the tag, or has it at another place. */
  stale: u32
  /** Not 0: entities were added that the list does not name; its entries mean nothing. */
  unsorted: u32
  /** Not 0: in the order in which the tag was added; else by entity index. */
  byInsertion: u32
  /** How long it was when a walk that adds backwards began (see walk.ts). */
  noted: u32
}

/** A new empty list, or null when memory ends. */
export function createOrder(byInsertion: bool): OrderList {
  const list = changetype<OrderList>(allocate(offsetof<OrderList>()))
  if (changetype<usize>(list) != 0) list.byInsertion = byInsertion ? 1 : 0
  return list
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
  if (list.byInsertion != 0) {
    store<u32>(placeAddress(set, location), list.count)
    list.push(index)
  } else if (list.unsorted == 0) enterSorted(set, list, index)
}

function enterSorted(set: SparseSet, list: OrderList, index: u32): void {
  if (list.count == 0 || list.at(list.count - 1) < index) {
    list.push(index)
    return
  }
  const place = lowerBound(list, index)
  const free = place > 0 && isStaleIndex(set, list.at(place - 1)) ? place - 1 : place
  if (list.at(place) == index) list.stale -= 1
  else if (isStaleIndex(set, list.at(free))) {
    list.set(free, index)
    list.stale -= 1
  } else list.unsorted = 1
}

/** The first place whose entry is not below the index; there is one. */
function lowerBound(list: OrderList, index: u32): u32 {
  let low: u32 = 0
  let high = list.count - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (list.at(middle) < index) low = middle + 1
    else high = middle
  }
  return low
}

@inline
function isStaleIndex(set: SparseSet, index: u32): bool {
  return findRow(set, index) == 0
}

/** Moves an entity, whose row is at `location`, to the end of an order of insertion. reserveOrder must have succeeded. */
export function moveToEnd(set: SparseSet, index: u32, location: u32): void {
  const list = orderOf(set)
  if (list.byInsertion == 0) return
  const named = placeAddress(set, location)
  if (load<u32>(named) + 1 == list.count) return
  store<u32>(named, list.count)
  list.push(index)
  list.stale += 1
}

/** Replaces the `count` handles at `handles`, all of the pool, by their places in the order of insertion. */
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
  list.unsorted = 0
}

/** Takes out what is stale, so that the list names the pool's entities and no other. Needs no memory. */
export function squeezeOrder(set: SparseSet): void {
  const list = orderOf(set)
  if (list.unsorted != 0) readPages(set, list)
  else if (list.stale != 0) dropStale(set, list)
  list.stale = 0
  list.unsorted = 0
  assert(list.count == set.rows, 'an order list names each entity of its pool once')
}

function dropStale(set: SparseSet, list: OrderList): void {
  let kept: u32 = 0
  for (let place: u32 = 0; place < list.count; place++) {
    const index = list.at(place)
    const location = findRow(set, index)
    if (location == 0) continue
    if (list.byInsertion != 0) {
      const named = placeAddress(set, location)
      if (load<u32>(named) != place) continue
      store<u32>(named, kept)
    }
    list.set(kept++, index)
  }
  list.count = kept
}

/** Lists the pool's entities off its pages, which are in the order of the index. */
function readPages(set: SparseSet, list: OrderList): void {
  list.count = 0
  for (let number: u32 = 0; number < set.pageCapacity; number++) {
    const page = pageAt(set, number)
    let left = page.live
    for (let slot: u32 = 0; left > 0; slot += 4) {
      const at = page.locations + (<usize>slot << 2)
      if (!v128.any_true(v128.load(at))) continue
      for (let k: u32 = 0; k < 4; k++) {
        if (load<u32>(at + (<usize>k << 2)) == 0) continue
        list.push((number << PAGE_SHIFT) + slot + k)
        left -= 1
      }
    }
  }
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
  if (list.byInsertion == 0 || list.count < list.noted + 2) return
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
