// Owns changes of many entities in one call: spawn n, destroy a list, and add, remove, destroy by query.
// All memory is obtained before the first row changes, so that a bulk change happens wholly or not at all.

import { Archetype, archetypes } from '../archetypes/archetypes'
import { Bundle, sparseIdAt } from '../archetypes/bundles'
import { chunkAt, chunkIdOf, endPromise, locationOf, releaseHeld, rowOf } from '../tables/chunks'
import {
  NO_LOCATION,
  claimEntity,
  createEntities,
  entities,
  indexOf,
  prepareEntities,
  recordOf,
  retireAllEntities,
  retireEntity,
} from '../memory/entities'
import { NO_MATCH, matchAfter, matchedAt, refreshActivity } from '../queries/matches'
import { holdBlock } from '../memory/blocks'
import { LIST_ADDRESS, LIST_HANDLES, SCRATCH_ADDRESS } from '../memory/map'
import { closeHoles } from './holes'
import { finishPromise, promiseAll, promiseSparse, startPromise } from './promises'
import { Query, drivingPool, queries } from '../queries/queries'
import { needsUpkeep, takeLife } from './rows'
import { SparseSet, clearAllSparseSets, emptySparseSet, insertListed, poolOf, removeFromAll } from '../pools/sparseSets'
import { DONE, OUT_OF_MEMORY } from '../memory/status'
import { entityAddress } from '../tables/addresses'
import { fillDefaults } from '../tables/columns'
import { Table, adoptChunks, copyRows, dropRows, prepareRow } from '../tables/tables'
import { archetypeOfSpawn, archetypeWith, archetypeWithout } from '../queries/transitions'
import { needsMask } from './masks'
import { markChunk } from '../tables/ticks'
import { beginList, endList } from './lists'
import { ADD, PROMISE_ADD, PROMISE_REMOVE, REMOVE, listRows, walkRows } from './walk'

// ── spawn ────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Makes `count` entities with the bundle's components at their defaults. Their rows are the last ones of the
 * bundle's archetype, in order. DONE, or a negative status.
 *
 * @param list handles to make alive, for which prepareClaim has succeeded; 0 for any
 */
export function spawnMany(bundle: Bundle, count: u32, list: usize, tick: u32): i32 {
  const target = archetypeOfSpawn(bundle)
  if (changetype<usize>(target) == 0) return archetypes.status
  const prepared = list == 0 ? prepareEntities(count) : DONE
  if (prepared < 0) return prepared
  if (!promiseSparse(bundle, target, count)) return OUT_OF_MEMORY
  let missing = count
  while (missing > 0) {
    prepareRow(target)
    missing -= spawnRun(target, missing, list == 0 ? 0 : list + (<usize>(count - missing) << 2), tick)
  }
  if (count != 0) target.version += 1
  refreshActivity(target)
  for (let i: u32 = 0; i < bundle.sparseCount; i++) {
    insertLastRows(poolOf(sparseIdAt(bundle, i)), target, count, tick)
  }
  endPromise()
  return DONE
}

/** Fills the tail of the archetype with up to `count` new entities; returns how many. */
function spawnRun(target: Archetype, count: u32, list: usize, tick: u32): u32 {
  const id = target.tailId
  const chunk = chunkAt(id)
  const first = chunk.count
  const run = min(count, chunk.capacity - first)
  const handles = entityAddress(chunk, first)
  const location = locationOf(id, first)
  if (list == 0) createEntities(handles, run, location)
  else claimEntities(list, handles, run, location)
  for (let i: u32 = 0; i < target.layout.componentCount; i++) {
    fillDefaults(target.layout, chunk, i, first, run, tick)
  }
  markChunk(chunk, tick)
  chunk.count = first + run
  target.rows += run
  return run
}

/** Makes the handles of a list alive, and writes them to `handles`. Their rows follow one another from `location` on. */
function claimEntities(list: usize, handles: usize, count: u32, location: u32): void {
  memory.copy(handles, list, count << 2)
  for (let i: u32 = 0; i < count; i++) claimEntity(load<u32>(handles + (<usize>i << 2)), location + i)
}

/** Inserts the last `count` entities of the archetype, in their order, into a sparse set. */
function insertLastRows(set: SparseSet, archetype: Archetype, count: u32, tick: u32): void {
  const chunks = archetype.chunks
  // Back to the chunk of the first one: the chunks before it may be many.
  let first = chunks.count
  let rows: u32 = 0
  while (rows < count) rows += chunkAt(chunks.at(--first)).count
  let row = rows - count
  for (let i = first; i < chunks.count; i++) {
    const chunk = chunkAt(chunks.at(i))
    insertListed(set, entityAddress(chunk, row), chunk.count - row, tick)
    row = 0
  }
}

// ── destroy ──────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Destroys the `count` handles of a list. Dead ones, repeats, and in how many calls a list is destroyed make no difference to the
 * places of the rows that stay: holes are closed when so many are there, and the rest with the last call.
 *
 * @param held how many holes the call before has left
 * @returns how many holes are left for the next call
 */
export function destroyListed(list: usize, count: u32, held: u32, isLast: bool): u32 {
  let holes = held
  for (let i: u32 = 0; i < count; i++) {
    const location = takeLife(load<u32>(list + (<usize>i << 2)))
    if (location == NO_LOCATION) continue
    store<u32>(LIST_ADDRESS + (<usize>holes << 2), location)
    holes += 1
    if (holes < LIST_HANDLES) continue
    closeHoles(LIST_ADDRESS, holes)
    holes = 0
  }
  if (!isLast) return holes
  closeHoles(LIST_ADDRESS, holes)
  return 0
}

/** Moves those of the `count` handles in scratch whose death needs upkeep to its front. Returns how many there are. */
export function gatherUpkeep(count: u32): u32 {
  let gathered: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const entity = load<u32>(SCRATCH_ADDRESS + (<usize>i << 2))
    if (!needsUpkeep(entity)) continue
    store<u32>(SCRATCH_ADDRESS + (<usize>gathered << 2), entity)
    gathered += 1
  }
  return gathered
}

/**
 * Destroys every entity that matches and passes the filters: whole archetypes where all their rows do, and otherwise as the list of
 * them would be, which needs memory for the list. How many, or OUT_OF_MEMORY.
 */
export function destroyMatching(query: Query, filterCount: u32): i32 {
  if (query.walksPool != 0 || needsMask(query, filterCount)) return destroyFound(query, filterCount)
  let destroyed: u32 = 0
  // An archetype without rows leaves the chain, so the first one is always the next.
  while (query.first != NO_MATCH) {
    const archetype = matchedAt(query, query.first)
    destroyed += archetype.rows
    destroyRows(archetype)
  }
  return <i32>destroyed
}

function destroyFound(query: Query, filterCount: u32): i32 {
  const pool = drivingPool(query)
  const hasPool = changetype<usize>(pool) != 0
  // No more than a pool has. Without one they are counted first: a list of all rows may be far too long.
  const most = hasPool ? pool.rows : listRows(query, filterCount, 0)
  if (most == 0) return 0
  const list = beginList(most)
  if (list == 0) return OUT_OF_MEMORY
  const count = listRows(query, filterCount, list)
  // A pool of which nothing stays: one by one, rows that go as well would move into the places of others.
  if (hasPool && pool.group == 0 && pool.rows - pool.holeCount == count) emptySparseSet(pool)
  destroyListed(list, count, 0, true)
  endList(list, most)
  return <i32>count
}

/** Destroys all entities of an archetype and gives back its chunks. */
function destroyRows(archetype: Archetype): void {
  const hasSparse = entities.sparseHeads != 0
  for (let i: u32 = 0; i < archetype.chunks.count; i++) {
    const chunk = chunkAt(archetype.chunks.at(i))
    for (let row: u32 = 0; row < chunk.count; row++) {
      const index = indexOf(load<u32>(entityAddress(chunk, row)))
      if (hasSparse) removeFromAll(index)
      retireEntity(index)
    }
  }
  dropRows(archetype)
  refreshActivity(archetype)
}

/** Destroys every entity; generations go on counting. */
export function destroyAll(): void {
  const all = queries.archetypes
  while (all.first != NO_MATCH) {
    const archetype = matchedAt(all, all.first)
    dropRows(archetype)
    refreshActivity(archetype)
  }
  clearAllSparseSets()
  retireAllEntities()
}

// ── add and remove ───────────────────────────────────────────────────────────────────────────────────────

/** Adds the bundle to every entity that matches. How many changed, or a negative status. */
export function addMatching(query: Query, filterCount: u32, bundle: Bundle, tick: u32): i32 {
  return changeMatching(query, filterCount, bundle, tick, true)
}

/** Removes the bundle from every entity that matches. How many changed, or a negative status. */
export function removeMatching(query: Query, filterCount: u32, bundle: Bundle, tick: u32): i32 {
  return changeMatching(query, filterCount, bundle, tick, false)
}

function changeMatching(query: Query, filterCount: u32, bundle: Bundle, tick: u32, adds: bool): i32 {
  const promised = promiseChange(query, filterCount, bundle, adds, false)
  if (promised < 0) return promised
  if (needsMask(query, filterCount) || bundle.sparseCount != 0) {
    const walked = <i32>walkRows(query, filterCount, bundle, tick, adds ? ADD : REMOVE)
    endPromise()
    return walked
  }
  let changed: u32 = 0
  let next: u32 = 0
  for (let place = query.first; place != NO_MATCH; place = next) {
    // The archetype may leave the chain; what comes to its end meanwhile stays as it is.
    next = matchAfter(query, place)
    const archetype = matchedAt(query, place)
    const target = adds ? archetypeWith(archetype, bundle) : archetypeWithout(archetype, bundle)
    if (target == archetype) continue
    changed += archetype.rows
    moveAllRows(archetype, target, tick)
  }
  endPromise()
  return <i32>changed
}

/**
 * Holds what addMatching or removeMatching needs, and so many bytes for the list of what matches now. DONE, or a negative status with
 * nothing held.
 */
export function prepareMatching(query: Query, filterCount: u32, bundle: Bundle, adds: bool, listBytes: u32): i32 {
  releaseHeld()
  const promised = promiseChange(query, filterCount, bundle, adds, true)
  if (promised < 0 || listBytes == 0 || holdBlock(listBytes)) return promised
  releaseHeld()
  return OUT_OF_MEMORY
}

/** Obtains the memory that adding or removing the bundle wherever the query matches could need. */
function promiseChange(query: Query, filterCount: u32, bundle: Bundle, adds: bool, holds: bool): i32 {
  startPromise()
  if (needsMask(query, filterCount) || bundle.sparseCount != 0) {
    const changes = walkRows(query, filterCount, bundle, 0, adds ? PROMISE_ADD : PROMISE_REMOVE)
    return finishPromise(bundle, adds ? changes : 0, holds)
  }
  // An archetype that is made has no rows, and is not in the chain.
  for (let place = query.first; place != NO_MATCH; place = matchAfter(query, place)) {
    promiseAll(matchedAt(query, place), bundle, adds)
  }
  return finishPromise(bundle, 0, holds)
}

/** Moves every row of an archetype: its chunks are relabelled when only tags differ, else columns are copied. */
export function moveAllRows(source: Archetype, target: Archetype, tick: u32): void {
  if (source.layout == target.layout) {
    const moved = adoptChunks(target, source)
    if (moved != 0) rewriteLocations(moved)
  } else {
    const count = source.rows
    copyRows(target, source, tick)
    dropRows(source)
    rewriteLastLocations(target, count)
  }
  refreshActivity(source)
  refreshActivity(target)
}

/** Writes the present location into the records of all rows of a chunk from the given one on. */
function rewriteLocations(location: u32): void {
  const chunk = chunkAt(chunkIdOf(location))
  const base = locationOf(chunkIdOf(location), 0)
  for (let row = rowOf(location); row < chunk.count; row++) {
    recordOf(indexOf(load<u32>(entityAddress(chunk, row)))).location = base + row
  }
}

/** The same for the last `count` rows of a table. */
function rewriteLastLocations(table: Table, count: u32): void {
  for (let i = table.chunks.count; count > 0; i--) {
    const id = table.chunks.at(i - 1)
    const rows = chunkAt(id).count
    const changed = min(rows, count)
    rewriteLocations(locationOf(id, rows - changed))
    count -= changed
  }
}
