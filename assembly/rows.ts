// Owns the life of one entity's rows: spawn, move between archetypes, sparse insert and removal, destruction.
// This is the one place where a row moves. It must never change anything before all it needs is obtained.

import { Archetype, archetypes } from './archetypes'
import { Bundle, sparseIdAt } from './bundles'
import { Chunk, chunkAt, chunkIdOf, locationOf, rowOf } from './chunks'
import {
  NULL_ENTITY,
  createEntity,
  entities,
  indexOf,
  isAlive,
  nextIndex,
  prepareEntities,
  recordOf,
  retireEntity,
} from './entities'
import { refreshActivity } from './matches'
import { cancelInsert, findRow, insertRow, poolOf, prepareInsert, removeFrom, removeFromAll } from './sparseSets'
import { DEAD, DONE, NOTHING, OUT_OF_MEMORY } from './status'
import { entityAddress, moveRow, writeDefaults } from './columns'
import { prepareRow, releaseEmptyTail, removeRow } from './tables'
import { archetypeOfSpawn, archetypeWith, archetypeWithout } from './transitions'

@inline
export function archetypeOfRow(location: u32): Archetype {
  return changetype<Archetype>(chunkAt(chunkIdOf(location)).table)
}

/** Makes an entity with the bundle's components at their defaults. DONE, or a negative status. */
export function spawn(bundle: Bundle, tick: u32): i32 {
  const target = archetypeOfSpawn(bundle)
  if (changetype<usize>(target) == 0) return archetypes.status
  const prepared = prepareEntities(1)
  if (prepared < 0) return prepared
  if (!prepareRow(target)) return OUT_OF_MEMORY
  if (bundle.sparseCount != 0) return spawnWithSparse(bundle, target, tick)
  spawnedEntity = spawnInto(target, tick)
  return DONE
}

/** The handle that spawn made last. Not simulation state: it is read at once by the caller. */
export let spawnedEntity: u32 = NULL_ENTITY

@inline
function spawnInto(target: Archetype, tick: u32): u32 {
  const id = target.tailId
  const chunk = chunkAt(id)
  const row = chunk.count
  const entity = createEntity(locationOf(id, row))
  fillNewRow(target, chunk, row, entity, tick)
  return entity
}

/** Appends the row of an entity whose record names it already. */
@inline
function fillNewRow(target: Archetype, chunk: Chunk, row: u32, entity: u32, tick: u32): void {
  assert(row < chunk.capacity, 'a row is appended where there is room')
  store<u32>(entityAddress(chunk, row), entity)
  chunk.count = row + 1
  target.rows += 1
  target.version += 1
  writeDefaults(target.layout, chunk, row, tick)
  if (row == 0) refreshActivity(target)
}

function spawnWithSparse(bundle: Bundle, target: Archetype, tick: u32): i32 {
  if (!prepareSparse(bundle, nextIndex())) {
    releaseEmptyTail(target)
    return OUT_OF_MEMORY
  }
  spawnedEntity = spawnInto(target, tick)
  insertSparse(bundle, spawnedEntity, tick)
  return DONE
}

/** Gives a reserved entity its row. DONE, or a negative status; then the entity is still reserved. */
export function place(entity: u32, bundle: Bundle, tick: u32): i32 {
  if (!isAlive(entity)) return DEAD
  const target = archetypeOfSpawn(bundle)
  if (changetype<usize>(target) == 0) return archetypes.status
  if (!prepareRow(target)) return OUT_OF_MEMORY
  if (bundle.sparseCount != 0 && !prepareSparse(bundle, indexOf(entity))) {
    releaseEmptyTail(target)
    return OUT_OF_MEMORY
  }
  const chunk = chunkAt(target.tailId)
  const row = chunk.count
  recordOf(indexOf(entity)).location = locationOf(target.tailId, row)
  fillNewRow(target, chunk, row, entity, tick)
  if (bundle.sparseCount != 0) insertSparse(bundle, entity, tick)
  return DONE
}

/** Adds what the entity lacks of the bundle, at defaults. DONE, NOTHING, or a negative status. */
export function add(entity: u32, bundle: Bundle, tick: u32): i32 {
  if (!isAlive(entity)) return DEAD
  const record = recordOf(indexOf(entity))
  const source = archetypeOfRow(record.location)
  const target = archetypeWith(source, bundle)
  if (changetype<usize>(target) == 0) return archetypes.status
  const moves = target != source
  if (moves && !prepareRow(target)) return OUT_OF_MEMORY
  let inserted = false
  if (bundle.sparseCount != 0) {
    if (!prepareSparse(bundle, indexOf(entity))) {
      if (moves) releaseEmptyTail(target)
      return OUT_OF_MEMORY
    }
    inserted = insertSparse(bundle, entity, tick)
  }
  if (moves) moveEntity(entity, source, target, tick)
  return moves || inserted ? DONE : NOTHING
}

/** Removes what the entity has of the bundle. DONE, NOTHING, or a negative status. */
export function remove(entity: u32, bundle: Bundle, tick: u32): i32 {
  if (!isAlive(entity)) return DEAD
  const record = recordOf(indexOf(entity))
  const source = archetypeOfRow(record.location)
  const target = archetypeWithout(source, bundle)
  if (changetype<usize>(target) == 0) return archetypes.status
  const moves = target != source
  if (moves && !prepareRow(target)) return OUT_OF_MEMORY
  let removed = false
  for (let i: u32 = 0; i < bundle.sparseCount; i++) {
    if (removeFrom(poolOf(sparseIdAt(bundle, i)), indexOf(entity))) removed = true
  }
  if (moves) moveEntity(entity, source, target, tick)
  return moves || removed ? DONE : NOTHING
}

/** Removes the entity and all its rows. DONE or DEAD; needs no memory. */
export function destroy(entity: u32): i32 {
  if (!isAlive(entity)) return DEAD
  const index = indexOf(entity)
  const location = recordOf(index).location
  if (entities.sparseHeads != 0) removeFromAll(index)
  // A reserved entity has no row yet.
  if (location != 0) {
    const chunk = chunkAt(chunkIdOf(location))
    const archetype = changetype<Archetype>(chunk.table)
    recordOf(indexOf(removeRow(archetype, chunk, location))).location = location
    if (archetype.rows == 0) refreshActivity(archetype)
  }
  retireEntity(index)
  return DONE
}

/** Moves an entity into a row of `target`, for which prepareRow has succeeded. */
export function moveEntity(entity: u32, source: Archetype, target: Archetype, tick: u32): void {
  const record = recordOf(indexOf(entity))
  const from = record.location
  const fromChunk = chunkAt(chunkIdOf(from))
  const toId = target.tailId
  const toChunk = chunkAt(toId)
  const toRow = toChunk.count
  assert(toRow < toChunk.capacity, 'a row is appended where there is room')
  store<u32>(entityAddress(toChunk, toRow), entity)
  toChunk.count = toRow + 1
  target.rows += 1
  target.version += 1
  moveRow(target.layout, toChunk, toRow, source.layout, fromChunk, rowOf(from), tick)
  // The row that fills the hole is told first: when it is the entity itself, its new location wins.
  recordOf(indexOf(removeRow(source, fromChunk, from))).location = from
  record.location = locationOf(toId, toRow)
  if (source.rows == 0) refreshActivity(source)
  if (toRow == 0) refreshActivity(target)
}

/** Obtains memory for all sparse components of the bundle that the entity lacks; all or nothing. */
function prepareSparse(bundle: Bundle, index: u32): bool {
  for (let i: u32 = 0; i < bundle.sparseCount; i++) {
    const set = poolOf(sparseIdAt(bundle, i))
    if (findRow(set, index) != 0 || prepareInsert(set, index)) continue
    for (let k: u32 = 0; k <= i; k++) cancelInsert(poolOf(sparseIdAt(bundle, k)), index)
    return false
  }
  return true
}

/** Inserts the sparse components that the entity lacks; true when there was one. */
function insertSparse(bundle: Bundle, entity: u32, tick: u32): bool {
  let inserted = false
  for (let i: u32 = 0; i < bundle.sparseCount; i++) {
    const set = poolOf(sparseIdAt(bundle, i))
    if (findRow(set, indexOf(entity)) != 0) continue
    insertRow(set, entity, tick)
    inserted = true
  }
  return inserted
}

