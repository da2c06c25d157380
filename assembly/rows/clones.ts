// Owns copies of an entity: new entities in its archetype and its sparse sets, with its values. All memory is obtained before
// anything changes.

import { Archetype, EMPTY_ARCHETYPE, archetypeAt } from '../archetypes/archetypes'
import { chunkAt, chunkIdOf, endPromise, locationOf, rowOf } from '../tables/chunks'
import { entityAddress } from '../tables/addresses'
import { fillCopies } from '../tables/columns'
import { createEntities, createEntity, indexOf, isAlive, nextIndex, prepareEntities, recordOf } from '../memory/entities'
import { refreshActivity } from '../queries/matches'
import { promiseCopies } from './promises'
import { archetypeOfRow } from './rows'
import {
  SparseSet,
  cancelInsert,
  firstInChain,
  insertCopy,
  nextInChain,
  poolOf,
  prepareInsert,
  preparePage,
} from '../pools/sparseSets'
import { DEAD, DONE, OUT_OF_MEMORY } from '../memory/status'
import { prepareRow, releaseEmptyTail } from '../tables/tables'

/** The handle that clone made last. Not simulation state: it is read at once by the caller. */
export let clonedEntity: u32 = 0

/** Makes an entity with what `source` has. DONE, or a negative status. */
export function clone(source: u32, tick: u32): i32 {
  if (!isAlive(source)) return DEAD
  const prepared = prepareEntities(1)
  if (prepared < 0) return prepared
  if (!prepareCopy(source, nextIndex())) return OUT_OF_MEMORY
  const target = archetypeOf(source)
  clonedEntity = createEntity(locationOf(target.tailId, chunkAt(target.tailId).count))
  store<u32>(entityAddress(chunkAt(target.tailId), chunkAt(target.tailId).count), clonedEntity)
  fillRows(target, indexOf(source), 1, tick)
  copySparse(indexOf(source), clonedEntity, tick)
  return DONE
}

/** Gives a reserved entity what `source` has. DONE, or a negative status; then the entity is still reserved. */
export function placeClone(entity: u32, source: u32, tick: u32): i32 {
  if (!isAlive(entity) || !isAlive(source)) return DEAD
  if (!prepareCopy(source, indexOf(entity))) return OUT_OF_MEMORY
  const target = archetypeOf(source)
  const chunk = chunkAt(target.tailId)
  recordOf(indexOf(entity)).location = locationOf(target.tailId, chunk.count)
  store<u32>(entityAddress(chunk, chunk.count), entity)
  fillRows(target, indexOf(source), 1, tick)
  copySparse(indexOf(source), entity, tick)
  return DONE
}

/**
 * Makes `count` entities with what `source` has. Their rows are the last ones of its archetype, in order. DONE, or
 * a negative status.
 */
export function cloneMany(source: u32, count: u32, tick: u32): i32 {
  if (!isAlive(source)) return DEAD
  const prepared = prepareEntities(count)
  if (prepared < 0) return prepared
  const target = archetypeOf(source)
  if (!promiseCopies(indexOf(source), target, count)) return OUT_OF_MEMORY
  let missing = count
  while (missing > 0) {
    prepareRow(target)
    missing -= cloneRun(target, source, missing, tick)
  }
  endPromise()
  return DONE
}

/** Fills the tail of the archetype with up to `count` copies; returns how many. */
function cloneRun(target: Archetype, source: u32, count: u32, tick: u32): u32 {
  const chunk = chunkAt(target.tailId)
  const first = chunk.count
  const run = min(count, chunk.capacity - first)
  const location = locationOf(target.tailId, first)
  const handles = entityAddress(chunk, first)
  createEntities(handles, run, location)
  fillRows(target, indexOf(source), run, tick)
  for (let head = firstInChain(indexOf(source)); head != 0; ) {
    const set = poolOf(head - 1)
    for (let i: u32 = 0; i < run; i++) insertPromised(set, load<u32>(handles + (<usize>i << 2)), indexOf(source), tick)
    head = nextInChain(set, indexOf(source))
  }
  return run
}

function insertPromised(set: SparseSet, entity: u32, source: u32, tick: u32): void {
  preparePage(set, indexOf(entity))
  if (set.holeCount == 0) prepareRow(set)
  insertCopy(set, entity, source, tick)
}

/** Where copies of a living entity go. A reserved one has no row yet, and so nothing that could be copied. */
function archetypeOf(source: u32): Archetype {
  const location = recordOf(indexOf(source)).location
  return location == 0 ? archetypeAt(EMPTY_ARCHETYPE) : archetypeOfRow(location)
}

/** Counts the next `count` rows of the archetype's tail, whose entities are written, and copies values into them. */
function fillRows(target: Archetype, source: u32, count: u32, tick: u32): void {
  const chunk = chunkAt(target.tailId)
  const first = chunk.count
  const from = recordOf(source).location
  if (from != 0) fillCopies(target.layout, chunkAt(chunkIdOf(from)), rowOf(from), chunk, first, count, tick)
  chunk.count = first + count
  target.rows += count
  target.version += 1
  if (first == 0) refreshActivity(target)
}

/** Obtains all that one copy for the entity of an index needs; all or nothing. */
function prepareCopy(source: u32, index: u32): bool {
  const target = archetypeOf(source)
  if (!prepareRow(target)) return false
  for (let head = firstInChain(indexOf(source)); head != 0; ) {
    const set = poolOf(head - 1)
    if (!prepareInsert(set, index)) {
      cancelCopy(target, source, index)
      return false
    }
    head = nextInChain(set, indexOf(source))
  }
  return true
}

function cancelCopy(target: Archetype, source: u32, index: u32): void {
  releaseEmptyTail(target)
  for (let head = firstInChain(indexOf(source)); head != 0; ) {
    const set = poolOf(head - 1)
    cancelInsert(set, index)
    head = nextInChain(set, indexOf(source))
  }
}

/** Gives an entity a row in each sparse set that the entity of an index is in. */
function copySparse(source: u32, entity: u32, tick: u32): void {
  for (let head = firstInChain(source); head != 0; ) {
    const set = poolOf(head - 1)
    insertCopy(set, entity, source, tick)
    head = nextInChain(set, source)
  }
}
