// Owns closing the holes that rows leave which listed entities have left, all at once: runs of rows from the end of a table take
// their places, column by column. It must never need memory.
//
// A row is a hole when the record of the entity that it names names another place, or another entity. So rows at the end of
// a table that have left as well are not moved first, and a table that all have left is emptied without a copy.

import { Archetype } from '../archetypes/archetypes'
import { indexOf, recordOf } from '../memory/entities'
import { refreshActivity } from '../queries/matches'
import { entityAddress } from '../tables/addresses'
import { Chunk, chunkAt, chunkIdOf, locationOf, rowOf } from '../tables/chunks'
import { copyRows } from '../tables/columns'
import { dropTail, fillFromLast } from '../tables/tables'
import { mergeTicks } from '../tables/ticks'

/** Fewer rows are copied one by one: memory.copy is a call out of wasm. */
const LEAST_BLOCK: u32 = 4

/**
 * Closes the holes at the `count` locations of a list, each named once; 0 names none. Nothing else may have come or gone since they
 * were left, in the tables of these rows.
 */
export function closeHoles(list: usize, count: u32): void {
  let left = count
  while (left > 0) {
    left -= 1
    const last = locationAt(list, left)
    if (last == 0) continue
    let first = last
    // From the last one back: where a list follows the rows, all that are at the end of a table go first.
    while (left > 0 && rowOf(first) != 0 && locationAt(list, left - 1) == first - 1) {
      first -= 1
      left -= 1
    }
    closeRun(chunkAt(chunkIdOf(first)), first, last + 1 - first)
  }
}

@inline
function locationAt(list: usize, place: u32): u32 {
  return load<u32>(list + (<usize>place << 2))
}

/** Closes `holes` holes that lie side by side from a location on. A chunk that has gone by now has no rows. */
function closeRun(chunk: Chunk, location: u32, holes: u32): void {
  const table = changetype<Archetype>(chunk.table)
  const end = rowOf(location) + holes
  let row = rowOf(location)
  while (row < end && row < chunk.count) {
    const tail = chunkAt(table.tailId)
    if (tail == chunk && end >= tail.count) {
      drop(table, tail, tail.count - row)
      return
    }
    const most = tail == chunk ? min(end - row, tail.count - end) : min(end - row, tail.count)
    const rows = livingAtEnd(table.tailId, tail, most)
    if (rows != 0) {
      fill(table, chunk, row, location - rowOf(location), tail, rows)
      row += rows
    }
    drop(table, tail, max(rows, 1))
  }
}

/** How many of the last `most` rows of a tail are no holes, back to the first that is one. */
function livingAtEnd(tailId: u32, tail: Chunk, most: u32): u32 {
  let row = tail.count
  const first = row - most
  while (row > first && !isHole(load<u32>(entityAddress(tail, row - 1)), locationOf(tailId, row - 1))) row -= 1
  return tail.count - row
}

@inline
function isHole(entity: u32, location: u32): bool {
  const record = recordOf(indexOf(entity))
  return (record.location ^ location) != 0 || record.handle != entity
}

/** The last `rows` rows of a table move to `row` of a chunk, whose row 0 has the location `base`, and to those after it. */
function fill(table: Archetype, chunk: Chunk, row: u32, base: u32, tail: Chunk, rows: u32): void {
  const first = tail.count - rows
  const inBlock = rows >= LEAST_BLOCK
  if (inBlock) copyRows(table.layout, tail, first, chunk, row, rows)
  if (inBlock && tail != chunk) mergeTicks(table.layout, tail, chunk, chunk.count)
  for (let i: u32 = 0; i < rows; i++) {
    const entity = load<u32>(entityAddress(tail, first + i))
    if (!inBlock) fillFromLast(table.layout, tail, first + i, chunk, row + i, entity)
    recordOf(indexOf(entity)).location = base + row + i
  }
}

/** Takes the last rows of a table away, which are holes or have moved. */
function drop(table: Archetype, tail: Chunk, rows: u32): void {
  tail.count -= rows
  table.rows -= rows
  table.version += 1
  if (tail.count == 0) dropTail(table)
  if (table.rows == 0) refreshActivity(table)
}
