// Owns the promise of memory before a bulk change: it first obtains an upper bound of all that may be needed, so that the change
// itself cannot fail halfway.

import { Archetype, archetypes } from '../archetypes/archetypes'
import { Bundle, sparseIdAt } from '../archetypes/bundles'
import { chunkAt, chunkIdOf, promiseChunks, rowOf } from '../tables/chunks'
import { entities, indexOf, recordOf } from '../memory/entities'
import { runLength } from './listMoves'
import { archetypeOfRow } from './rows'
import { PAGE_SHIFT } from '../memory/sizes'
import {
  SparseSet,
  findRow,
  firstInChain,
  nextInChain,
  poolOf,
  prepareOrder,
  preparePage,
  preparePages,
  releaseUnusedPages,
} from '../pools/sparseSets'
import { DONE, NOTHING, OUT_OF_MEMORY } from '../memory/status'
import { Table, fullChunksFor, largeChunksFor, startsSmall } from '../tables/tables'
import { archetypeWith, archetypeWithout } from '../queries/transitions'

// What one promise has gathered; meaningless between two calls.
let firstIncoming: usize = 0
let smallChunks: u32 = 0
let fullChunks: u32 = 0
let largeChunks: u32 = 0
let failure: i32 = 0

/** Begins the promise of a change by query; note what it needs, then finishPromise. */
export function startPromise(): void {
  firstIncoming = 0
  smallChunks = 0
  fullChunks = 0
  largeChunks = 0
  failure = DONE
}

/** Notes `rows` rows to come, and `adopted` chunks that change hands; makes room in the table's list. */
function count(table: Table, rows: u32, adopted: u32): void {
  if (rows == 0) {
    if (!table.chunks.reserve(adopted)) failure = OUT_OF_MEMORY
    return
  }
  const small = <u32>startsSmall(table)
  let full = fullChunksFor(table, rows)
  let large = largeChunksFor(table, rows)
  if (adopted > 0) {
    // Chunks that arrive in between may leave less room in the tail than there is now, and more of the next ones large.
    full += 1
    if (table.layout.largeCapacity > 0) {
      large += full
      full = 0
    }
  }
  if (!table.chunks.reserve(small + full + large + adopted)) failure = OUT_OF_MEMORY
  smallChunks += small
  fullChunks += full
  largeChunks += large
}

/**
 * Makes sure that `rows` entities about to be made can enter `target` and the bundle's sparse sets. Which
 * indices they get is not known yet, so a page for every part of the directory is promised.
 */
export function promiseSparse(bundle: Bundle, target: Table, rows: u32): bool {
  startPromise()
  count(target, rows, 0)
  for (let i: u32 = 0; i < bundle.sparseCount; i++) noteMembers(poolOf(sparseIdAt(bundle, i)), rows)
  return obtain()
}

/** The same for entities that get what the entity of an index has. */
export function promiseCopies(source: u32, target: Table, rows: u32): bool {
  startPromise()
  count(target, rows, 0)
  for (let head = firstInChain(source); head != 0; head = nextInChain(poolOf(head - 1), source)) {
    noteMembers(poolOf(head - 1), rows)
  }
  return obtain()
}

/** Notes that so many entities about to be made will enter a sparse set. */
function noteMembers(set: SparseSet, rows: u32): void {
  // The page of the largest index makes the page directory large enough for all.
  if (!preparePage(set, entities.capacity - 1) || !prepareOrder(set, rows)) failure = OUT_OF_MEMORY
  releaseUnusedPages(set)
  count(set, rows - min(rows, set.holeCount), 0)
  // A page is as large as a full chunk.
  fullChunks += min(rows, ((entities.capacity - 1) >> PAGE_SHIFT) + 1)
}

function obtain(): bool {
  return failure == DONE && promiseChunks(smallChunks, fullChunks, largeChunks, false)
}

/**
 * Obtains the memory for all that was noted since startPromise. `inserts` is how many entities get a row in
 * each of the bundle's sparse sets. DONE, or a negative status; then nothing was obtained.
 *
 * @param holds whether other memory may be taken before the change is made
 */
export function finishPromise(bundle: Bundle, inserts: u32, holds: bool): i32 {
  countIncoming()
  for (let i: u32 = 0; i < bundle.sparseCount && inserts > 0; i++) {
    const set = poolOf(sparseIdAt(bundle, i))
    count(set, inserts - min(inserts, set.holeCount), 0)
    if (!prepareOrder(set, inserts)) failure = OUT_OF_MEMORY
  }
  if (failure == DONE && !promiseChunks(smallChunks, fullChunks, largeChunks, holds)) failure = OUT_OF_MEMORY
  if (failure != DONE) {
    for (let i: u32 = 0; i < bundle.sparseCount; i++) releaseUnusedPages(poolOf(sparseIdAt(bundle, i)))
  }
  return failure
}

/** Notes what one entity's change would need. DONE when it would change, else NOTHING. */
export function promiseEntity(entity: u32, bundle: Bundle, adds: bool): i32 {
  if (failure != DONE) return NOTHING
  const index = indexOf(entity)
  const source = archetypeOfRow(recordOf(index).location)
  const target = targetOf(source, bundle, adds)
  let changes = false
  if (changetype<usize>(target) != 0 && target != source) {
    noteIncoming(target)
    target.incomingRows += 1
    changes = true
  }
  for (let i: u32 = 0; adds && i < bundle.sparseCount; i++) {
    const set = poolOf(sparseIdAt(bundle, i))
    if (findRow(set, index) != 0) continue
    changes = true
    if (!preparePage(set, index)) failure = OUT_OF_MEMORY
  }
  return changes ? DONE : NOTHING
}

/** Notes where the rows of listed entities will move, each of which is named once. Returns how many will. */
export function promiseMoves(list: usize, count: u32, bundle: Bundle, adds: bool): u32 {
  let moves: u32 = 0
  let source = changetype<Archetype>(0)
  let target = changetype<Archetype>(0)
  let done: u32 = 0
  while (done < count && failure == DONE) {
    const at = list + (<usize>done << 2)
    const location = recordOf(indexOf(load<u32>(at))).location
    const chunk = chunkAt(chunkIdOf(location))
    if (chunk.table != changetype<usize>(source)) {
      source = changetype<Archetype>(chunk.table)
      target = targetOf(source, bundle, adds)
    }
    const rows = runLength(chunk, rowOf(location), at, count - done)
    done += rows
    if (changetype<usize>(target) == 0 || target == source) continue
    noteIncoming(target)
    target.incomingRows += rows
    moves += rows
  }
  return moves
}

/**
 * Makes room in the index of each sparse set of the bundle for those of a list that it lacks. Returns for how many at most in one set.
 */
export function promiseInserts(list: usize, count: u32, bundle: Bundle): u32 {
  let most: u32 = 0
  for (let i: u32 = 0; i < bundle.sparseCount && failure == DONE; i++) {
    const inserts = preparePages(poolOf(sparseIdAt(bundle, i)), list, count)
    if (inserts < 0) failure = OUT_OF_MEMORY
    else most = max(most, inserts)
  }
  return most
}

/** Notes that all rows of an archetype will move: its chunks change hands, or its rows are copied. */
export function promiseAll(source: Archetype, bundle: Bundle, adds: bool): void {
  if (failure != DONE) return
  const target = targetOf(source, bundle, adds)
  if (changetype<usize>(target) == 0 || target == source) return
  noteIncoming(target)
  if (target.layout == source.layout) target.incomingChunks += source.chunks.count
  else target.incomingRows += source.rows
}

/** Where the change leads; null, with the failure noted, when that archetype cannot be made. */
function targetOf(source: Archetype, bundle: Bundle, adds: bool): Archetype {
  const target = adds ? archetypeWith(source, bundle) : archetypeWithout(source, bundle)
  if (changetype<usize>(target) == 0) failure = archetypes.status
  return target
}

/** Chains the target to those whose needs are summed up in the end. */
function noteIncoming(target: Archetype): void {
  if (target.incomingRows != 0 || target.incomingChunks != 0) return
  target.nextIncoming = firstIncoming
  firstIncoming = changetype<usize>(target)
}

/** Sums up what the noted targets need and forgets the notes. */
function countIncoming(): void {
  while (firstIncoming != 0) {
    const target = changetype<Archetype>(firstIncoming)
    count(target, target.incomingRows, target.incomingChunks)
    firstIncoming = target.nextIncoming
    target.nextIncoming = 0
    target.incomingRows = 0
    target.incomingChunks = 0
  }
}
