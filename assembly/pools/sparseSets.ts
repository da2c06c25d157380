// Owns sparse sets: for each sparse component a paged index from entity to row, and the rows in chunks. An entity's sparse
// components are chained through its rows, so that destroying it visits what it has and nothing else.
//
//   entity index ──▶ page [index >> 12] ──▶ location ──▶ row ┌────────┬──────┬─────────────┐
//                                                           │ entity │ link │ columns …   │
//                                                           └────────┴──────┴─────────────┘
//   link: the entity's next sparse component plus one; of a hole the location of the next younger hole.

import { allocate, release } from '../memory/objects'
import { allocateBlock, releaseBlock } from '../memory/blocks'
import { createList, destroyList } from '../memory/list'
import { Chunk, chunkAt, chunkIdOf, locationOf, rowOf } from '../tables/chunks'
import { ORDER_INSERTION, STORAGE_STABLE, components, componentAt, isPooled, needsUpkeep } from '../components/components'
import { createPoolLayout, releaseLastLayout } from '../tables/layouts'
import {
  NULL_ENTITY,
  ensureSparseHeads,
  entities,
  indexOf,
  setSparseHead,
  sparseHeadOf,
} from '../memory/entities'
import { entityAddress } from '../tables/addresses'
import { fillCopies, fillDefaults, writeDefaults } from '../tables/columns'
import { appendRow, dropRows, prepareRow, releaseEmptyTail, removeRowSeldom } from '../tables/tables'
import { Group, enterGroup, leaveGroup } from './groups'
import { clearOrder, createOrder, destroyOrder, enterOrder, leaveOrder, reserveOrder } from './orderedTags'
import {
  SparsePage,
  SparseSet,
  findRow,
  linkAddress,
  pageAt,
  poolOf,
  setRow,
} from './sparseIndex'
import { movesNow } from '../memory/moving'
import { FIRST_PAGES, PAGE_SHIFT } from '../memory/sizes'
import { OUT_OF_MEMORY, ROW_TOO_LARGE, DONE } from '../memory/status'

export { SparsePage, SparseSet, findRow, poolOf } from './sparseIndex'

const PAGE_BYTES: u32 = 4 << PAGE_SHIFT

/** Makes the pool of a component that was just registered; DONE or a negative status. */
export function createSparseSet(id: u32, scratch: usize): i32 {
  store<u32>(scratch, id)
  const layout = createPoolLayout(scratch)
  if (changetype<usize>(layout) == 0) return OUT_OF_MEMORY
  if (layout.fullCapacity == 0) {
    releaseLastLayout()
    return ROW_TOO_LARGE
  }
  const address = allocate(offsetof<SparseSet>())
  const chunks = createList()
  const component = componentAt(id)
  const ordered = (component.flags & ORDER_INSERTION) != 0
  const order = ordered ? changetype<usize>(createOrder()) : 0
  if (address == 0 || changetype<usize>(chunks) == 0 || (ordered && order == 0) || !ensureSparseHeads()) {
    release(address, offsetof<SparseSet>())
    destroyList(chunks)
    destroyOrder(order)
    releaseLastLayout()
    return OUT_OF_MEMORY
  }
  const set = changetype<SparseSet>(address)
  set.layout = layout
  set.chunks = chunks
  set.owner = id
  set.order = order
  set.stable = component.storage == STORAGE_STABLE ? 1 : 0
  component.pool = address
  return DONE
}

/** Obtains everything that one insert needs; false when memory ends. Undo with cancelInsert. */
export function prepareInsert(set: SparseSet, index: u32): bool {
  return preparePage(set, index) && (set.holeCount > 0 || prepareRow(set)) && prepareOrder(set, 1)
}

/** Makes sure that an ordered tag has room for `extra` more entities in its order; false when memory ends. */
@inline
export function prepareOrder(set: SparseSet, extra: u32): bool {
  return set.order == 0 || reserveOrder(set, extra)
}

/** Makes sure that the index has a page; false when memory ends. */
export function preparePage(set: SparseSet, index: u32): bool {
  const page = index >> PAGE_SHIFT
  if (!ASC_NO_ASSERT && movesNow(set.pageCapacity << 3)) growPages(set, set.pageCapacity)
  if (page >= set.pageCapacity && !growPages(set, page + 1)) return false
  const entry = pageAt(set, page)
  if (entry.locations != 0) return true
  const locations = allocateBlock(PAGE_BYTES)
  if (locations == 0) return false
  memory.fill(locations, 0, PAGE_BYTES)
  entry.locations = locations
  return true
}

/** Makes sure that all listed entities that are not in the set have a page. How many these are, or -1 when memory ends. */
export function preparePages(set: SparseSet, list: usize, count: u32): i32 {
  let missing: i32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const index = indexOf(load<u32>(list + (<usize>i << 2)))
    if (findRow(set, index) != 0) continue
    if (!preparePage(set, index)) return -1
    missing += 1
  }
  return missing
}

/** Gives back what prepareInsert obtained and nobody used. */
export function cancelInsert(set: SparseSet, index: u32): void {
  const page = index >> PAGE_SHIFT
  if (page < set.pageCapacity) releaseUnusedPage(pageAt(set, page))
  releaseEmptyTail(set)
}

/** Gives back every page that no entity uses. */
export function releaseUnusedPages(set: SparseSet): void {
  for (let page: u32 = 0; page < set.pageCapacity; page++) releaseUnusedPage(pageAt(set, page))
}

function releaseUnusedPage(page: SparsePage): void {
  if (page.live != 0 || page.locations == 0) return
  releaseBlock(page.locations, PAGE_BYTES)
  page.locations = 0
}

/** Adds a row with the defaults for an entity that has none. prepareInsert must have succeeded. */
export function insertRow(set: SparseSet, entity: u32, tick: u32): void {
  const location = takeRow(set, entity)
  writeDefaults(set.layout, chunkAt(chunkIdOf(location)), rowOf(location), tick)
  enterRow(set, entity, location)
}

/** The same with the values of the row that the entity of another index has. */
export function insertCopy(set: SparseSet, entity: u32, source: u32, tick: u32): void {
  const location = takeRow(set, entity)
  const from = findRow(set, source)
  const chunk = chunkAt(chunkIdOf(location))
  fillCopies(set.layout, chunkAt(chunkIdOf(from)), rowOf(from), chunk, rowOf(location), 1, tick)
  // The link came along with the values; now it is overwritten.
  enterRow(set, entity, location)
}

/**
 * insertRow for all entities of a list that are not in the set, in the order of the list. Chunks and pages must have been promised.
 * How many there are.
 */
export function insertListed(set: SparseSet, list: usize, count: u32, tick: u32): u32 {
  let inserted: u32 = 0
  let i: u32 = 0
  while (i < count) {
    const entity = load<u32>(list + (<usize>i << 2))
    if (findRow(set, indexOf(entity)) != 0) {
      i += 1
      continue
    }
    if (set.holeCount == 0) prepareRow(set)
    // A group changes places of rows, and holes lie anywhere: then each entity looks for its own.
    if (set.holeCount != 0 || set.group != 0) {
      preparePage(set, indexOf(entity))
      insertRow(set, entity, tick)
      inserted += 1
      i += 1
      continue
    }
    const chunk = chunkAt(set.tailId)
    const rows = min(count - i, chunk.capacity - chunk.count)
    inserted += appendListed(set, chunk, list + (<usize>i << 2), rows, tick)
    i += rows
  }
  return inserted
}

/** Appends rows to the tail, which has room for all, for those of `count` entities that are not in the set: the first, at least. */
function appendListed(set: SparseSet, chunk: Chunk, list: usize, count: u32, tick: u32): u32 {
  const first = chunk.count
  // Before any row is entered: an ordered tag keeps places in its column. What is written for an entity that has a row is overwritten, or lies
  // beyond the last row.
  fillDefaults(set.layout, chunk, 0, first, count, tick)
  let row = first
  for (let i: u32 = 0; i < count; i++) {
    const entity = load<u32>(list + (<usize>i << 2))
    const index = indexOf(entity)
    if (findRow(set, index) != 0) continue
    preparePage(set, index)
    store<u32>(entityAddress(chunk, row), entity)
    enterRow(set, entity, locationOf(set.tailId, row))
    row += 1
  }
  chunk.count = row
  set.rows += row - first
  set.version += 1
  return row - first
}

@inline
function takeRow(set: SparseSet, entity: u32): u32 {
  return set.holeCount > 0 ? fillHole(set, entity) : appendRow(set, entity)
}

/** Lets the entity's page and chain lead to its new row, and tells who keeps an order: a group may move the row. */
@inline
function enterRow(set: SparseSet, entity: u32, location: u32): void {
  const index = indexOf(entity)
  store<u32>(linkAddress(set, location), sparseHeadOf(index))
  setSparseHead(index, set.owner + 1)
  setRow(set, index, location)
  pageAt(set, index >> PAGE_SHIFT).live += 1
  if (set.order != 0) enterOrder(set, index, location)
  if (set.group != 0) enterGroup(set.group, index)
}

/** Which sparse component comes first in the chain of an index, plus one; 0 when there is none. */
@inline
export function firstInChain(index: u32): u32 {
  return entities.sparseHeads == 0 ? 0 : sparseHeadOf(index)
}

/** The same for the one that follows the set's in the chain of an index that is in the set. */
@inline
export function nextInChain(set: SparseSet, index: u32): u32 {
  return load<u32>(linkAddress(set, findRow(set, index)))
}

/** Whether one of the sparse sets that the entity is in has FLAG_UPKEEP. */
export function anyNeedsUpkeep(index: u32): bool {
  let head = sparseHeadOf(index)
  while (head != 0) {
    if (needsUpkeep(head - 1)) return true
    head = nextInChain(poolOf(head - 1), index)
  }
  return false
}

/** Removes the entity's row; false when it has none. */
export function removeFrom(set: SparseSet, index: u32): bool {
  const location = findRow(set, index)
  if (location == 0) return false
  unlink(set, index, location)
  takeOut(set, index, location)
  return true
}

/** Removes the entity's rows from all sparse sets it is in. */
export function removeFromAll(index: u32): void {
  let head = sparseHeadOf(index)
  setSparseHead(index, 0)
  while (head != 0) {
    const set = poolOf(head - 1)
    const location = findRow(set, index)
    assert(location != 0, 'the chain of sparse components names only pools that hold the entity')
    head = load<u32>(linkAddress(set, location))
    takeOut(set, index, location)
  }
}

/** Removes all rows; the entities keep their other sparse components. Returns how many there were. */
export function emptySparseSet(set: SparseSet): u32 {
  const members = set.rows - set.holeCount
  if (members == 0) return 0
  for (let i: u32 = 0; i < set.chunks.count; i++) {
    const id = set.chunks.at(i)
    const chunk = chunkAt(id)
    for (let row: u32 = 0; row < chunk.count; row++) {
      const entity = load<u32>(entityAddress(chunk, row))
      if (entity != NULL_ENTITY) unlink(set, indexOf(entity), locationOf(id, row))
    }
  }
  clearSparseSet(set)
  return members
}

/** Forgets all rows and pages. The chains of the entities must be reset by the caller. */
export function clearSparseSet(set: SparseSet): void {
  for (let page: u32 = 0; page < set.pageCapacity; page++) {
    pageAt(set, page).live = 0
    releaseUnusedPage(pageAt(set, page))
  }
  dropAllRows(set)
}

export function clearAllSparseSets(): void {
  for (let id: u32 = 0; id < components.count; id++) {
    if (isPooled(componentAt(id).storage)) clearSparseSet(poolOf(id))
  }
}

/** Removes the row without touching the entity's chain. */
function takeOut(set: SparseSet, index: u32, at: u32): void {
  let location = at
  if (set.order != 0) leaveOrder(set)
  if (set.group != 0) {
    leaveGroup(set.group, index)
    location = findRow(set, index)
  }
  const page = pageAt(set, index >> PAGE_SHIFT)
  setRow(set, index, 0)
  page.live -= 1
  releaseUnusedPage(page)
  if (set.stable != 0) {
    leaveHole(set, location)
    return
  }
  const moved = removeRowSeldom(set, chunkAt(chunkIdOf(location)), location)
  if (indexOf(moved) != index) setRow(set, indexOf(moved), location)
}

/** Takes this set out of the entity's chain of sparse components. */
function unlink(set: SparseSet, index: u32, location: u32): void {
  const next = load<u32>(linkAddress(set, location))
  let head = sparseHeadOf(index)
  if (head == set.owner + 1) {
    setSparseHead(index, next)
    return
  }
  while (true) {
    const other = poolOf(head - 1)
    const link = linkAddress(other, findRow(other, index))
    head = load<u32>(link)
    if (head == set.owner + 1) {
      store<u32>(link, next)
      return
    }
  }
}

function leaveHole(set: SparseSet, location: u32): void {
  const chunk = chunkAt(chunkIdOf(location))
  store<u32>(entityAddress(chunk, rowOf(location)), NULL_ENTITY)
  store<u32>(linkAddress(set, location), 0)
  if (set.holeCount == 0) set.holeFirst = location
  else store<u32>(linkAddress(set, set.holeLast), location)
  set.holeLast = location
  set.holeCount += 1
  set.version += 1
  chunk.holes += 1
  if (set.holeCount == set.rows) dropAllRows(set)
}

function fillHole(set: SparseSet, entity: u32): u32 {
  const location = set.holeFirst
  const chunk = chunkAt(chunkIdOf(location))
  set.holeFirst = load<u32>(linkAddress(set, location))
  set.holeCount -= 1
  set.version += 1
  chunk.holes -= 1
  store<u32>(entityAddress(chunk, rowOf(location)), entity)
  return location
}

function dropAllRows(set: SparseSet): void {
  dropRows(set)
  set.holeFirst = 0
  set.holeLast = 0
  set.holeCount = 0
  if (set.group != 0) changetype<Group>(set.group).size = 0
  if (set.order != 0) clearOrder(set)
}

function growPages(set: SparseSet, count: u32): bool {
  let capacity = max(set.pageCapacity, FIRST_PAGES)
  while (capacity < count) capacity <<= 1
  const pages = allocate(capacity << 3)
  if (pages == 0) return false
  memory.copy(pages, set.pages, set.pageCapacity << 3)
  release(set.pages, set.pageCapacity << 3)
  set.pages = pages
  set.pageCapacity = capacity
  return true
}
