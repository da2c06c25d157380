// Owns the row-by-row walk over what a query matches, for bulk changes that cannot treat an archetype as a whole.
// It must never allocate. It goes from the last row to the first, so that a row which leaves disturbs none
// that is still to be visited. What is destroyed is listed first (see bulk.ts).

import { Archetype, hasComponent } from '../archetypes/archetypes'
import { Bundle, sparseIdAt, tableIdAt } from '../archetypes/bundles'
import { Chunk, chunkAt } from '../tables/chunks'
import { maskRows, maskWord, maskWords } from './masks'
import { NO_MATCH, matchAfter, matchedAt } from '../queries/matches'
import { noteOrder, turnOrder } from '../pools/orderedTags'
import { promiseEntity, promiseInserts } from './promises'
import { Query, drivingPool } from '../queries/queries'
import { add, remove } from './rows'
import { SparseSet, findRow, insertListed, poolOf } from '../pools/sparseSets'
import { indexOf } from '../memory/entities'
import { LIST_ADDRESS } from '../memory/map'
import { DONE } from '../memory/status'
import { entityAddress } from '../tables/addresses'
import { Table } from '../tables/tables'

/** What is done to each matching entity. */
export const ADD: u32 = 1
export const REMOVE: u32 = 2
/** Only counts what adding or removing would need (see promises.ts). */
export const PROMISE_ADD: u32 = 3
export const PROMISE_REMOVE: u32 = 4

/** Does the operation to every entity that matches and passes the filters; returns how many it changed. */
export function walkRows(query: Query, filterCount: u32, bundle: Bundle, tick: u32, operation: u32): u32 {
  if (query.walksPool != 0) {
    return walkTable(query, drivingPool(query), true, filterCount, bundle, tick, operation)
  }
  // First where no row moves: a row that comes brings its change ticks, and the chunk it comes to would pass for
  // one that changed.
  const settled = walkArchetypes(query, filterCount, bundle, tick, operation, true)
  return settled + walkArchetypes(query, filterCount, bundle, tick, operation, false)
}

/** Walks the archetypes that match; only those that are `settled`, or only the others. */
function walkArchetypes(
  query: Query,
  filterCount: u32,
  bundle: Bundle,
  tick: u32,
  operation: u32,
  settled: bool,
): u32 {
  let changed: u32 = 0
  let next: u32 = 0
  for (let place = query.first; place != NO_MATCH; place = next) {
    // An archetype that loses all rows leaves the chain.
    next = matchAfter(query, place)
    const archetype = matchedAt(query, place)
    if (isSettled(archetype, bundle, operation) == settled) {
      changed += walkTable(query, archetype, false, filterCount, bundle, tick, operation)
    }
  }
  return changed
}

/** Whether rows stay in the archetype: it has all table components and tags to be added, or none to be removed. */
function isSettled(archetype: Archetype, bundle: Bundle, operation: u32): bool {
  const adds = operation == ADD || operation == PROMISE_ADD
  for (let i: u32 = 0; i < bundle.tableCount; i++) {
    if (hasComponent(archetype, tableIdAt(bundle, i)) != adds) return false
  }
  return true
}

/**
 * Adding sparse components alone takes no row out of the table that is walked. Then the walk goes forward, which
 * ordered tags and groups need: a tag is added in the order of the rows, and who enters a group changes places with
 * an entity that was visited already.
 */
function walkTable(
  query: Query,
  table: Table,
  isPool: bool,
  filterCount: u32,
  bundle: Bundle,
  tick: u32,
  operation: u32,
): u32 {
  const inserts = (operation == ADD || operation == PROMISE_ADD) && bundle.tableCount == 0
  if (inserts) return insertForward(query, table, isPool, filterCount, bundle, tick, operation)
  if (operation == ADD && isPool) return walkForward(query, table, isPool, filterCount, bundle, tick)
  if (operation == ADD) noteOrders(bundle)
  const changed = walkBackward(query, table, isPool, filterCount, bundle, tick, operation)
  if (operation == ADD) turnOrders(bundle)
  return changed
}

/** Adds sparse components alone, or promises them, to all that are met in a chunk at once. */
function insertForward(
  query: Query,
  table: Table,
  isPool: bool,
  filterCount: u32,
  bundle: Bundle,
  tick: u32,
  operation: u32,
): u32 {
  let changed: u32 = 0
  for (let i: u32 = 0; i < table.chunks.count; i++) {
    const id = table.chunks.at(i)
    const chunk = chunkAt(id)
    const rows = maskRows(query, id, isPool, filterCount)
    if (rows == 0) continue
    // The rows of a pool may change places meanwhile, with their handles.
    const isGathered = isPool || rows != chunk.count
    if (isGathered) gather(chunk, LIST_ADDRESS)
    const list = isGathered ? LIST_ADDRESS : entityAddress(chunk, 0)
    changed += operation == ADD ? insertSparse(bundle, list, rows, tick) : promiseInserts(list, rows, bundle)
  }
  return changed
}

/** Writes the handles of a chunk's rows that are in the mask to a list. */
function gather(chunk: Chunk, list: usize): void {
  let end = list
  for (let word: u32 = 0; word < maskWords(chunk.count); word++) {
    for (let left = maskWord(word); left != 0; left &= left - 1) {
      store<u32>(end, load<u32>(entityAddress(chunk, (word << 6) + <u32>ctz(left))))
      end += 4
    }
  }
}

/** How many times smaller than the archetypes' rows a pool is that is walked in their place. */
export const POOL_ADVANTAGE: u32 = 4

/** How many match and pass the filters. Their handles, in the order of a loop, go to a list, unless it is 0. */
export function listRows(query: Query, filterCount: u32, list: usize): u32 {
  const pool = drivingPool(query)
  if (changetype<usize>(pool) != 0 && (query.walksPool != 0 || isMuchSmaller(pool, query))) {
    return listTable(query, pool, true, filterCount, list)
  }
  let count: u32 = 0
  for (let place = query.first; place != NO_MATCH; place = matchAfter(query, place)) {
    const rest = list == 0 ? 0 : list + (<usize>count << 2)
    count += listTable(query, matchedAt(query, place), false, filterCount, rest)
  }
  return count
}

/** Whether a loop goes along the pool, though the query asks for archetypes, too: see bindings/iteration/maskedRuns.ts. */
function isMuchSmaller(pool: SparseSet, query: Query): bool {
  let rows: u32 = 0
  for (let place = query.first; place != NO_MATCH; place = matchAfter(query, place)) rows += matchedAt(query, place).rows
  return <u64>pool.rows * POOL_ADVANTAGE < rows
}

function listTable(query: Query, table: Table, isPool: bool, filterCount: u32, list: usize): u32 {
  let count: u32 = 0
  for (let i: u32 = 0; i < table.chunks.count; i++) {
    const id = table.chunks.at(i)
    const rows = maskRows(query, id, isPool, filterCount)
    if (list != 0 && rows != 0) gather(chunkAt(id), list + (<usize>count << 2))
    count += rows
  }
  return count
}

/** Inserts listed entities into all sparse sets of a bundle. How many of them lacked one. */
function insertSparse(bundle: Bundle, list: usize, count: u32, tick: u32): u32 {
  let changed: u32 = 0
  for (let i: u32 = 0; i < count && bundle.sparseCount > 1; i++) {
    changed += <u32>lacksSparse(bundle, indexOf(load<u32>(list + (<usize>i << 2))))
  }
  for (let i: u32 = 0; i < bundle.sparseCount; i++) {
    const inserted = insertListed(poolOf(sparseIdAt(bundle, i)), list, count, tick)
    if (bundle.sparseCount == 1) changed = inserted
  }
  return changed
}

function lacksSparse(bundle: Bundle, index: u32): bool {
  for (let i: u32 = 0; i < bundle.sparseCount; i++) if (findRow(poolOf(sparseIdAt(bundle, i)), index) == 0) return true
  return false
}

function walkForward(
  query: Query,
  table: Table,
  isPool: bool,
  filterCount: u32,
  bundle: Bundle,
  tick: u32,
): u32 {
  let changed: u32 = 0
  for (let i: u32 = 0; i < table.chunks.count; i++) {
    const id = table.chunks.at(i)
    const chunk = chunkAt(id)
    const words = maskRows(query, id, isPool, filterCount) != 0 ? maskWords(chunk.count) : 0
    for (let word: u32 = 0; word < words; word++) {
      for (let left = maskWord(word); left != 0; left &= left - 1) {
        const entity = load<u32>(entityAddress(chunk, (word << 6) + <u32>ctz(left)))
        if (apply(entity, bundle, tick, ADD)) changed += 1
      }
    }
  }
  return changed
}

/** Notes how long the orders of the bundle's tags are, for turnOrders. */
function noteOrders(bundle: Bundle): void {
  for (let i: u32 = 0; i < bundle.sparseCount; i++) {
    const set = poolOf(sparseIdAt(bundle, i))
    if (set.order != 0) noteOrder(set)
  }
}

/** Turns round what a backward walk has added to orders since noteOrders. */
function turnOrders(bundle: Bundle): void {
  for (let i: u32 = 0; i < bundle.sparseCount; i++) {
    const set = poolOf(sparseIdAt(bundle, i))
    if (set.order != 0) turnOrder(set)
  }
}

function walkBackward(
  query: Query,
  table: Table,
  isPool: bool,
  filterCount: u32,
  bundle: Bundle,
  tick: u32,
  operation: u32,
): u32 {
  let changed: u32 = 0
  for (let i = table.chunks.count; i > 0; i--) {
    // A stable pool gives back all its chunks at once with its last row.
    if (i > table.chunks.count) continue
    const id = table.chunks.at(i - 1)
    const chunk = chunkAt(id)
    // A row that leaves is replaced by one that was visited already, so the mask stays good for those to come.
    let words = maskRows(query, id, isPool, filterCount) != 0 ? maskWords(chunk.count) : 0
    while (words-- > 0) {
      let left = maskWord(words)
      while (left != 0) {
        const bit = 63 - <u32>clz(left)
        left &= ~((<u64>1) << bit)
        const entity = load<u32>(entityAddress(chunk, (words << 6) + bit))
        if (apply(entity, bundle, tick, operation)) changed += 1
      }
    }
  }
  return changed
}

function apply(entity: u32, bundle: Bundle, tick: u32, operation: u32): bool {
  let status: i32
  if (operation == ADD) status = add(entity, bundle, tick)
  else if (operation == REMOVE) status = remove(entity, bundle, tick)
  else status = promiseEntity(entity, bundle, operation == PROMISE_ADD)
  assert(status >= 0, 'the memory of a bulk change was promised')
  return status == DONE
}
