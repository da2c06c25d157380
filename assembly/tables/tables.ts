// Owns tables, rows in chunks: append, swap removal, handing chunks or all rows to another table. Archetypes and sparse sets are
// tables both. Which entity moved is returned to the caller.
//
// Invariants: every chunk of a table but the last, its tail, is full; a table without rows has no chunk. The first chunk is
// a small one, the next ones hold 16 KiB, and those from LARGE_FROM on are large, so that at most half of what a table takes
// is empty, and loops over many rows meet few chunks.

import { List } from '../memory/list'
import {
  Chunk,
  FULL_CHUNK,
  LARGE_CHUNK,
  SIZE_BITS,
  chunkAt,
  createChunk,
  createWideChunk,
  destroyChunk,
  destroyWideChunk,
  directory,
  holdChunk,
  locationOf,
  rowOf,
} from './chunks'
import { entityAddress } from './addresses'
import { copyColumns, copyRun } from './columns'
import { Layout, capacityOf, headBytes } from './layouts'
import { mergeTicks } from './ticks'

/** Place in a table's list from which on its chunks are large. */
export const LARGE_FROM: u32 = 4

@unmanaged
export class Table {
  layout: Layout
  /** Ids of the chunks, in the order of the rows. */
  chunks: List
  /** Rows in all chunks, holes included. */
  rows: u32
  /** The last chunk, which takes the next row; 0 while there is none. */
  tailId: u32
  /** The archetype's id, or the sparse component's. */
  owner: u32
  /** Counts on whenever a row comes, goes, changes its place or is switched, not when values are written. Wraps. */
  version: u32
}

/** Makes sure that one row can be appended; false when memory ends. Undo with releaseEmptyTail. */
@inline
export function prepareRow(table: Table): bool {
  const tailId = table.tailId
  if (tailId != 0) {
    const chunk = chunkAt(tailId)
    if (chunk.count < chunk.capacity) return true
  }
  return addChunk(table)
}

function addChunk(table: Table): bool {
  const chunks = table.chunks
  if (!chunks.reserve(1)) return false
  const id = table.layout.wideBytes == 0 ? chunkFor(table) : wideChunkFor(table)
  if (id == 0) return false
  chunks.push(id)
  findTail(table)
  return true
}

/** Makes sure that one row can be appended, also after other memory was taken; false when memory ends. */
export function holdRow(table: Table): bool {
  const tail = chunkAt(table.tailId)
  // Chunk 0 stands for a tail that is not there; it has no room.
  return tail.count < tail.capacity || (table.chunks.reserve(1) && holdChunk(nextSize(table)))
}

/** The size of the chunk that is made next. */
@inline
function nextSize(table: Table): u32 {
  const large = table.chunks.count >= LARGE_FROM && table.layout.largeCapacity > 0
  return startsSmall(table) ? 0 : large ? LARGE_CHUNK : FULL_CHUNK
}

function chunkFor(table: Table): u32 {
  const layout = table.layout
  const size = nextSize(table)
  const layoutKey = (layout.id << SIZE_BITS) | size
  return createChunk(headBytes(layout), capacityOf(layout, size), layoutKey, table.owner, changetype<usize>(table))
}

function wideChunkFor(table: Table): u32 {
  const layout = table.layout
  return createWideChunk(headBytes(layout), layout.wideBytes, layout.id << SIZE_BITS, table.owner, changetype<usize>(table))
}

/** Gives back a tail that prepareRow made and nobody used. */
export function releaseEmptyTail(table: Table): void {
  if (table.tailId == 0 || chunkAt(table.tailId).count != 0) return
  destroyChunk(table.chunks.pop(), headBytes(table.layout))
  findTail(table)
}

/** Derives the tail from the list of chunks. */
function findTail(table: Table): void {
  const count = table.chunks.count
  table.tailId = count > 0 ? table.chunks.at(count - 1) : 0
}

/** Adds a row for `entity`, its columns not yet written. prepareRow must have succeeded. */
@inline
export function appendRow(table: Table, entity: u32): u32 {
  const id = table.tailId
  const chunk = chunkAt(id)
  const row = chunk.count
  if (!ASC_NO_ASSERT) assert(row < chunk.capacity, 'a row is appended where there is room')
  store<u32>(entityAddress(chunk, row), entity)
  chunk.count = row + 1
  table.rows += 1
  table.version += 1
  return locationOf(id, row)
}

/** Whether the next chunk of the table would be its small first one. */
@inline
export function startsSmall(table: Table): bool {
  return table.chunks.count == 0 && table.layout.smallCapacity > 0
}

/** Rows for which neither the tail nor a small first chunk has room, when `count` are appended. */
function rowsBeyond(table: Table, count: u32): u32 {
  let room: u32 = 0
  if (startsSmall(table)) room = table.layout.smallCapacity
  else if (table.tailId != 0) {
    const tail = chunkAt(table.tailId)
    room = tail.capacity - tail.count
  }
  return count <= room ? 0 : count - room
}

/** How many rows of those would go into full chunks, the others into large ones. */
function rowsInFull(table: Table, beyond: u32): u32 {
  const layout = table.layout
  if (layout.largeCapacity == 0) return beyond
  const next = table.chunks.count + <u32>startsSmall(table)
  return next < LARGE_FROM ? min(beyond, (LARGE_FROM - next) * layout.fullCapacity) : 0
}

/** The number of full chunks needed to append `count` rows, besides the small first one. */
export function fullChunksFor(table: Table, count: u32): u32 {
  return chunksOf(table.layout.fullCapacity, rowsInFull(table, rowsBeyond(table, count)))
}

/** The number of large chunks needed after those. */
export function largeChunksFor(table: Table, count: u32): u32 {
  const beyond = rowsBeyond(table, count)
  return chunksOf(table.layout.largeCapacity, beyond - rowsInFull(table, beyond))
}

@inline
function chunksOf(capacity: u32, rows: u32): u32 {
  return rows == 0 ? 0 : (rows - 1) / capacity + 1
}

/**
 * Removes the row at `location`, which lies in `chunk`: the table's last row takes its place. Returns the entity
 * of that last row, whose location is `location` now unless it is the removed one itself.
 */
@inline
export function removeRow(table: Table, chunk: Chunk, location: u32): u32 {
  const last = chunkAt(table.tailId)
  const lastRow = last.count - 1
  last.count = lastRow
  table.rows -= 1
  table.version += 1
  const moved = load<u32>(entityAddress(last, lastRow))
  const row = rowOf(location)
  if (last != chunk) fillFromLast(table.layout, last, lastRow, chunk, row, moved)
  else if (row != lastRow) {
    store<u32>(entityAddress(chunk, row), moved)
    copyColumns(table.layout, last, lastRow, chunk, row)
  }
  if (lastRow == 0) dropTail(table)
  return moved
}

/** Fills the hole at `row` of a chunk with a row of the last one, and lets the chunk know of its changes. */
export function fillFromLast(layout: Layout, last: Chunk, lastRow: u32, chunk: Chunk, row: u32, moved: u32): void {
  store<u32>(entityAddress(chunk, row), moved)
  copyColumns(layout, last, lastRow, chunk, row)
  mergeTicks(layout, last, chunk, chunk.count)
}

/** removeRow where it is not worth its length. */
export function removeRowSeldom(table: Table, chunk: Chunk, location: u32): u32 {
  return removeRow(table, chunk, location)
}

/** Gives back the tail, whose last row is gone. */
export function dropTail(table: Table): void {
  destroyChunk(table.chunks.pop(), headBytes(table.layout))
  findTail(table)
}

/**
 * Copies all rows of `from` to the end of `to`, column by column. The chunks must have been promised before;
 * `from` keeps its own for dropRows.
 */
export function copyRows(to: Table, from: Table, tick: u32): void {
  for (let i: u32 = 0; i < from.chunks.count; i++) {
    const source = chunkAt(from.chunks.at(i))
    let row: u32 = 0
    while (row < source.count) {
      const ready = prepareRow(to)
      assert(ready, 'the chunks of a bulk change were promised')
      const target = chunkAt(to.tailId)
      const count = min(source.count - row, target.capacity - target.count)
      copyRun(to.layout, target, target.count, from.layout, source, row, count, tick)
      target.count += count
      to.rows += count
      row += count
    }
  }
  to.version += 1
}

/** Releases all chunks of a table. */
export function dropRows(table: Table): void {
  const head = headBytes(table.layout)
  const wideBytes = table.layout.wideBytes
  while (table.chunks.count > 0) {
    const id = table.chunks.pop()
    if (wideBytes == 0) destroyChunk(id, head)
    else destroyWideChunk(id, head, wideBytes)
  }
  table.rows = 0
  table.version += 1
  findTail(table)
}

/**
 * Hands all chunks of `from` to `to`, which has the same layout: no row is copied but those of one partly
 * filled chunk. `to.chunks` must have room for all of them. Returns the location of the first row that was
 * copied, 0 when none was: it and the rows behind it in its chunk have a new location.
 */
export function adoptChunks(to: Table, from: Table): u32 {
  const tailId = to.chunks.count > 0 ? to.chunks.pop() : 0
  for (let i: u32 = 0; i < from.chunks.count; i++) {
    const id = from.chunks.at(i)
    const chunk = chunkAt(id)
    chunk.owner = to.owner
    chunk.table = changetype<usize>(to)
    to.chunks.push(id)
  }
  directory.version += 1
  to.rows += from.rows
  to.version += 1
  from.chunks.count = 0
  from.rows = 0
  from.version += 1
  findTail(from)
  const moved = tailId == 0 ? 0 : joinTail(to, tailId)
  findTail(to)
  return moved
}

/** Puts a partly filled chunk back into a table whose tail is partly filled too: one fills up the other. */
function joinTail(table: Table, extraId: u32): u32 {
  const lastId = table.chunks.pop()
  const last = chunkAt(lastId)
  const extra = chunkAt(extraId)
  // Only the tail may be partly filled, so the chunk with less room is filled from the end of the other one.
  const extraStays = extra.capacity - extra.count <= last.capacity - last.count
  const stays = extraStays ? extra : last
  const gives = extraStays ? last : extra
  const staysId = extraStays ? extraId : lastId
  const givesId = extraStays ? lastId : extraId
  table.chunks.push(staysId)
  const first = stays.count
  const count = min(stays.capacity - first, gives.count)
  if (count > 0) {
    const layout = table.layout
    copyRun(layout, stays, first, layout, gives, gives.count - count, count, 0)
    stays.count += count
    gives.count -= count
  }
  if (gives.count == 0) destroyChunk(givesId, headBytes(table.layout))
  else table.chunks.push(givesId)
  return count > 0 ? locationOf(staysId, first) : 0
}
