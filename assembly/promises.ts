// Owns the promise of memory before a bulk change: everything that could be needed is obtained first, by an
// upper bound, so that the change itself cannot fail half-way. It must never move a row.

import { Archetype, archetypeAt, archetypes } from './archetypes'
import { Bundle, sparseIdAt } from './bundles'
import { promiseChunks } from './chunks'
import { entities, indexOf, recordOf } from './entities'
import { matchAt } from './matches'
import { Query } from './queries'
import { archetypeOfRow } from './rows'
import { PAGE_SHIFT, findRow, poolOf, preparePage, releaseUnusedPages } from './sparseSets'
import { DONE, NOTHING, OUT_OF_MEMORY } from './status'
import { Table, chunksFor } from './tables'
import { archetypeWith, archetypeWithout } from './transitions'
import { PROMISE_ADD, PROMISE_REMOVE, isRowByRow, walkRows } from './walk'

// What one promise has gathered; meaningless between two calls.
let firstIncoming: usize = 0
let failure: i32 = DONE

/** Makes sure that `count` more rows can be appended, one after another, without failing. */
export function promiseRows(table: Table, count: u32): bool {
  const chunks = chunksFor(table, count)
  return table.chunks.reserve(chunks) && promiseChunks(chunks)
}

/**
 * Makes sure that `count` entities about to be made can enter `target` and the bundle's sparse sets. Which
 * indices they get is not known yet, so a page for every part of the directory is promised.
 */
export function promiseSparse(bundle: Bundle, target: Table, count: u32): bool {
  const pages = min(count, ((entities.capacity - 1) >> PAGE_SHIFT) + 1)
  let blocks = chunksFor(target, count)
  for (let i: u32 = 0; i < bundle.sparseCount; i++) {
    const set = poolOf(sparseIdAt(bundle, i))
    // The page of the largest index makes the page directory large enough for all.
    const prepared = preparePage(set, entities.capacity - 1)
    releaseUnusedPages(set)
    if (!prepared || !set.chunks.reserve(chunksFor(set, count))) return false
    blocks += chunksFor(set, count) + pages
  }
  return promiseChunks(blocks)
}

/** Obtains the memory that adding or removing the bundle wherever the query matches could need. */
export function promiseChange(query: Query, bundle: Bundle, adds: bool): i32 {
  firstIncoming = 0
  failure = DONE
  let changes: u32 = 0
  if (isRowByRow(query) || bundle.sparseCount != 0) {
    changes = walkRows(query, bundle, 0, adds ? PROMISE_ADD : PROMISE_REMOVE)
  } else {
    // Making an archetype adds empty ones behind the active ones and so leaves this walk alone.
    for (let i: u32 = 0; i < query.active && failure == DONE; i++) {
      const archetype = archetypeAt(matchAt(query, i).archetype)
      promiseMove(archetype, archetype.rows, bundle, adds)
    }
  }
  const blocks = blocksForIncoming() + (adds ? blocksForPools(bundle, changes) : 0)
  if (failure == DONE && !promiseChunks(blocks)) failure = OUT_OF_MEMORY
  if (failure != DONE) {
    for (let i: u32 = 0; i < bundle.sparseCount; i++) releaseUnusedPages(poolOf(sparseIdAt(bundle, i)))
  }
  return failure
}

/** Counts what one entity's change would need. DONE when it would change, else NOTHING. */
export function promiseEntity(entity: u32, bundle: Bundle, adds: bool): i32 {
  if (failure != DONE) return NOTHING
  const index = indexOf(entity)
  const changes = promiseMove(archetypeOfRow(recordOf(index).location), 1, bundle, adds)
  let inserts = false
  for (let i: u32 = 0; adds && i < bundle.sparseCount; i++) {
    const set = poolOf(sparseIdAt(bundle, i))
    if (findRow(set, index) != 0) continue
    inserts = true
    if (!preparePage(set, index)) failure = OUT_OF_MEMORY
  }
  return changes || inserts ? DONE : NOTHING
}

/** Notes that `rows` rows will leave `source` for its target; true when there is something to move. */
function promiseMove(source: Archetype, rows: u32, bundle: Bundle, adds: bool): bool {
  const target = adds ? archetypeWith(source, bundle) : archetypeWithout(source, bundle)
  if (changetype<usize>(target) == 0) {
    failure = archetypes.status
    return false
  }
  if (target == source) return false
  if (target.incomingChunks == 0) {
    target.nextIncoming = firstIncoming
    firstIncoming = changetype<usize>(target)
  }
  if (rows == source.rows && target.layout == source.layout) {
    // The chunks themselves change hands, and there may be many small ones among them.
    target.incomingChunks += source.chunks.count + 1
  } else {
    target.incomingRows += rows
    // Rows that come one by one follow each other into the same chunks.
    if (target.incomingChunks == 0) target.incomingChunks = 1
  }
  return true
}

/** Chunks for all noted moves; makes room in the targets' lists and forgets the notes. */
function blocksForIncoming(): u32 {
  let blocks: u32 = 0
  while (firstIncoming != 0) {
    const target = changetype<Archetype>(firstIncoming)
    const copied = chunksFor(target, target.incomingRows)
    if (!target.chunks.reserve(copied + target.incomingChunks)) failure = OUT_OF_MEMORY
    blocks += copied
    firstIncoming = target.nextIncoming
    target.nextIncoming = 0
    target.incomingRows = 0
    target.incomingChunks = 0
  }
  return blocks
}

function blocksForPools(bundle: Bundle, inserts: u32): u32 {
  let blocks: u32 = 0
  for (let i: u32 = 0; i < bundle.sparseCount; i++) {
    const set = poolOf(sparseIdAt(bundle, i))
    const chunks = chunksFor(set, inserts)
    if (!set.chunks.reserve(chunks)) failure = OUT_OF_MEMORY
    blocks += chunks
  }
  return blocks
}
