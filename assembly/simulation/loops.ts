// Owns the walk of a loop over a query inside wasm: from chunk to chunk, and in a chunk from run to run of rows.
// It must never allocate on the way: a loop is taken from those that were used before, the first time it is made.

import { Chunk, chunkAt } from '../tables/chunks'
import { components } from '../components/components'
import { maskRows, maskWords, needsMask } from '../rows/masks'
import { NO_MATCH, matchAfter, matchedAt } from '../queries/matches'
import { MASK_ADDRESS, MASK_BYTES } from '../memory/map'
import { allocate } from '../memory/objects'
import { Query, asksSwitch, drivingPool, termAt } from '../queries/queries'
import { poolOf } from '../pools/sparseSets'
import { OUT_OF_MEMORY } from '../memory/status'
import { Table } from '../tables/tables'
import { applyCommands } from './commands'
import { noteFailure, simulation } from './state'

@unmanaged
export class Loop {
  /** The loop around this one, or the next spare one. */
  outer: usize
  query: Query
  /** What is walked: an archetype, or a pool. */
  table: Table
  isPool: u32
  /** Whether the rows of each chunk must be told apart. */
  asksRows: u32
  /** Place of the next archetype in the query's match list. */
  nextMatch: u32
  /** Place of the next chunk in the table. */
  nextChunk: u32
  /** Id of the chunk the loop stands on; 0 while it stands on none. */
  chunkId: u32
  /** The run: rows from start up to but without end. */
  start: u32
  end: u32
  /** Where the mask of the chunk's rows is kept, behind this struct: the core's own is good for one call. */
  mask: usize
}

export const LOOP_BYTES: u32 = offsetof<Loop>() + MASK_BYTES

/** Opens a loop: from here on changes wait. Without memory its first step is its end, and the failure is noted. */
export function openLoop(query: Query): void {
  lock()
  let address = simulation.spareLoop
  if (address != 0) simulation.spareLoop = changetype<Loop>(address).outer
  else address = allocate(LOOP_BYTES)
  if (address == 0) {
    simulation.missingLoops += 1
    noteFailure(OUT_OF_MEMORY)
    return
  }
  const loop = changetype<Loop>(address)
  loop.outer = simulation.openLoop
  simulation.openLoop = address
  loop.query = query
  loop.isPool = query.walksPool
  loop.table = changetype<Table>(query.walksPool != 0 ? changetype<usize>(drivingPool(query)) : 0)
  loop.asksRows = tellsRowsApart(query) ? 1 : 0
  loop.nextMatch = query.first
  loop.nextChunk = 0
  loop.chunkId = 0
  loop.end = 0
  loop.mask = address + offsetof<Loop>()
}

/** Whether some rows of the chunks that are walked may not be meant. */
export function tellsRowsApart(query: Query): bool {
  if (query.walksPool == 0) return needsMask(query, 0)
  // All rows of a pool match when nothing else is asked, it leaves no holes, and no tag keeps entities out.
  const only = termAt(query, 0)
  return query.termCount != 1 || components.hiding != 0 || asksSwitch(only) || poolOf(only.component).stable != 0
}

/** The innermost open loop over a query; null when there is none. */
export function loopOver(query: Query): Loop {
  let loop = changetype<Loop>(simulation.openLoop)
  while (changetype<usize>(loop) != 0 && loop.query != query) loop = changetype<Loop>(loop.outer)
  return loop
}

/** Goes to the next run of rows. At the end the loop is closed, and false. */
export function step(query: Query): bool {
  if (simulation.missingLoops != 0) {
    simulation.missingLoops -= 1
    unlock()
    return false
  }
  const loop = loopOver(query)
  if (changetype<usize>(loop) == 0) return false
  // Loops inside this one that were left early.
  while (simulation.openLoop != changetype<usize>(loop)) closeInnermost()
  if ((loop.asksRows != 0 && nextRun(loop)) || nextChunk(loop)) return true
  closeInnermost()
  return false
}

/** Closes the loop over a query, when it is left early, and those inside of it. */
export function leave(query: Query): void {
  const loop = loopOver(query)
  if (changetype<usize>(loop) == 0) return
  while (simulation.openLoop != changetype<usize>(loop)) closeInnermost()
  closeInnermost()
}

/** Takes all loops off, without applying anything. */
export function closeLoops(): void {
  while (simulation.openLoop != 0) takeOff()
  simulation.missingLoops = 0
}

function closeInnermost(): void {
  takeOff()
  unlock()
}

function takeOff(): void {
  const loop = changetype<Loop>(simulation.openLoop)
  simulation.openLoop = loop.outer
  loop.outer = simulation.spareLoop
  simulation.spareLoop = changetype<usize>(loop)
}

export function lock(): void {
  simulation.locks += 1
}

/** Closes a loop or block; the outermost one applies what waits. */
export function unlock(): void {
  simulation.locks -= 1
  if (simulation.locks == 0 && simulation.held == 0 && simulation.commandCount != 0) applyCommands()
}

function nextChunk(loop: Loop): bool {
  while (true) {
    while (changetype<usize>(loop.table) == 0 || loop.nextChunk >= loop.table.chunks.count) {
      if (loop.isPool != 0 || loop.nextMatch == NO_MATCH) return false
      loop.table = matchedAt(loop.query, loop.nextMatch)
      loop.nextMatch = matchAfter(loop.query, loop.nextMatch)
      loop.nextChunk = 0
    }
    const id = loop.table.chunks.at(loop.nextChunk++)
    const chunk = chunkAt(id)
    loop.chunkId = id
    loop.start = 0
    loop.end = chunk.count
    if (loop.asksRows == 0) return true
    if (maskRows(loop.query, id, loop.isPool != 0, 0) == 0) continue
    memory.copy(loop.mask, MASK_ADDRESS, maskWords(chunk.count) << 3)
    loop.end = 0
    if (nextRun(loop)) return true
  }
}

/** Cuts the next run of set bits off the mask, behind the present one. */
function nextRun(loop: Loop): bool {
  if (loop.chunkId == 0) return false
  const rows = chunkAt(loop.chunkId).count
  const start = nextBit(loop.mask, loop.end, rows, 0)
  if (start >= rows) return false
  loop.start = start
  loop.end = nextBit(loop.mask, start, rows, ~(<u64>0))
  return true
}

/** The first row from `row` on whose bit, turned over where `flip` is set, is set; `rows` when there is none. */
function nextBit(mask: usize, row: u32, rows: u32, flip: u64): u32 {
  while (row < rows) {
    const bits = (load<u64>(mask + ((row >> 6) << 3)) ^ flip) >> (row & 63)
    if (bits != 0) return min(row + <u32>ctz(bits), rows)
    row = (row | 63) + 1
  }
  return rows
}

/** The chunk that the innermost loop over a query stands on, which must be open. */
@inline
export function chunkOf(loop: Loop): Chunk {
  return chunkAt(loop.chunkId)
}

/** How many rows a query matches now. */
export function countMatching(query: Query): u32 {
  let count: u32 = 0
  if (query.walksPool != 0) return countRows(query, drivingPool(query), true)
  for (let place = query.first; place != NO_MATCH; place = matchAfter(query, place)) {
    count += countRows(query, matchedAt(query, place), false)
  }
  return count
}

function countRows(query: Query, table: Table, isPool: bool): u32 {
  if (!tellsRowsApart(query)) return table.rows
  let count: u32 = 0
  for (let i: u32 = 0; i < table.chunks.count; i++) count += maskRows(query, table.chunks.at(i), isPool, 0)
  return count
}
