// Owns the life of one entity's rows: spawn, move between archetypes, sparse insert and removal, destruction.
// A move whose plan is kept is made by moves.ts; bulk.ts moves all rows of an archetype.
// It must never change anything before all it needs is obtained.

import { Archetype, archetypes } from '../archetypes/archetypes'
import { Bundle, sparseIdAt, tableIdAt } from '../archetypes/bundles'
import { Chunk, chunkAt, chunkIdOf, locationOf, rowOf } from '../tables/chunks'
import {
  NO_LOCATION,
  NULL_ENTITY,
  createEntity,
  entities,
  indexOf,
  isAlive,
  nextIndex,
  prepareEntities,
  recordOf,
  retireEntity,
} from '../memory/entities'
import { components } from '../components/components'
import { refreshActivity } from '../queries/matches'
import {
  anyNeedsUpkeep,
  cancelInsert,
  findRow,
  insertRow,
  poolOf,
  prepareInsert,
  prepareOrder,
  removeFrom,
  removeFromAll,
} from '../pools/sparseSets'
import { NEW_ROW_ADDRESS } from '../memory/map'
import { DEAD, DONE, NOTHING, OUT_OF_MEMORY, UPKEEP } from '../memory/status'
import { world } from '../memory/world'
import { entityAddress } from '../tables/addresses'
import { fillDefaults, moveRow, writeDefaults } from '../tables/columns'
import { layoutComponentAt } from '../tables/layouts'
import { prepareRow, releaseEmptyTail, removeRow, removeRowSeldom } from '../tables/tables'
import { isLoose } from '../archetypes/looseBundles'
import { moveToEnd } from '../pools/orderedTags'
import {
  archetypeExchanged,
  archetypeOfSpawn,
  archetypeWith,
  archetypeWithout,
  holdsAny,
} from '../queries/transitions'

@inline
export function archetypeOfRow(location: u32): Archetype {
  return changetype<Archetype>(chunkAt(chunkIdOf(location)).table)
}

/** Makes an entity with the bundle's components at their defaults: its handle, or NULL_ENTITY with world.status set. */
export function spawn(bundle: Bundle): u32 {
  const target = archetypeOfSpawn(bundle)
  if (changetype<usize>(target) == 0) return notSpawned(archetypes.status)
  const prepared = prepareEntities(1)
  if (prepared < 0) return notSpawned(prepared)
  if (!prepareRow(target)) return notSpawned(OUT_OF_MEMORY)
  if (bundle.sparseCount != 0 && !prepareSparse(bundle, nextIndex())) {
    releaseEmptyTail(target)
    return notSpawned(OUT_OF_MEMORY)
  }
  const id = target.tailId
  const chunk = chunkAt(id)
  const row = chunk.count
  const address = entityAddress(chunk, row)
  const entity = createEntity(locationOf(id, row))
  noteNewRow(chunk, address)
  fillNewRow(target, chunk, row, entity, world.tick)
  if (bundle.sparseCount != 0) insertSparse(bundle, entity, world.tick)
  return entity
}

function notSpawned(status: i32): u32 {
  world.status = status
  return NULL_ENTITY
}

/**
 * The row of the last spawn, or of the last add that moved an entity along a plan. The bindings read it at once, to write
 * values there. Not simulation state either.
 */
@unmanaged
export class NewRow {
  /** Its address in the column of handles. */
  address: u32
  layoutKey: u32
}

const newRow = changetype<NewRow>(NEW_ROW_ADDRESS)

@inline
export function noteNewRow(chunk: Chunk, address: usize): void {
  newRow.address = <u32>address
  newRow.layoutKey = chunk.layoutKey
}

/** Appends the row of an entity whose record names it already. */
@inline
function fillNewRow(target: Archetype, chunk: Chunk, row: u32, entity: u32, tick: u32): void {
  if (!ASC_NO_ASSERT) assert(row < chunk.capacity, 'a row is appended where there is room')
  store<u32>(entityAddress(chunk, row), entity)
  chunk.count = row + 1
  target.rows += 1
  target.version += 1
  writeDefaults(target.layout, chunk, row, tick)
  if (row == 0) refreshActivity(target)
}

/**
 * Gives a reserved entity its row; adds where it has one by now. DONE, NOTHING, or a negative status; then the
 * entity is as it was.
 */
export function place(entity: u32, bundle: Bundle, tick: u32): i32 {
  if (!isAlive(entity)) return DEAD
  if (recordOf(indexOf(entity)).location != NO_LOCATION) return add(entity, bundle, tick)
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
  if (record.location == NO_LOCATION) return addFirst(entity, bundle, tick)
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

/** Adds to an entity that is reserved and gets its row by this. */
function addFirst(entity: u32, bundle: Bundle, tick: u32): i32 {
  const status = place(entity, bundle, tick)
  return status == DONE && bundle.tableCount + bundle.sparseCount == 0 ? NOTHING : status
}

/** Removes what the entity has of the bundle. DONE, NOTHING, or a negative status. */
export function remove(entity: u32, bundle: Bundle, tick: u32): i32 {
  if (!isAlive(entity)) return DEAD
  const record = recordOf(indexOf(entity))
  // A reserved entity has nothing yet.
  if (record.location == NO_LOCATION) return NOTHING
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

/**
 * Removes one bundle and adds another in one move; both are loose, or none is. What is in both starts over: it is at
 * its defaults, in the row where it was, and last in the order of insertion. DONE, NOTHING, or a negative status.
 */
export function exchange(entity: u32, removed: Bundle, added: Bundle, tick: u32): i32 {
  if (!isAlive(entity)) return DEAD
  const record = recordOf(indexOf(entity))
  if (record.location == NO_LOCATION) return addFirst(entity, added, tick)
  const source = archetypeOfRow(record.location)
  const loose = isLoose(added)
  const between = loose ? source : archetypeWithout(source, removed)
  if (changetype<usize>(between) == 0) return archetypes.status
  const target = loose ? archetypeExchanged(source, removed, added) : archetypeWith(between, added)
  if (changetype<usize>(target) == 0) return archetypes.status
  const moves = target != source
  if (moves && !prepareRow(target)) return OUT_OF_MEMORY
  if (added.sparseCount != 0 && !prepareExchange(removed, added, indexOf(entity))) {
    if (moves) releaseEmptyTail(target)
    return OUT_OF_MEMORY
  }
  const takes = loose ? holdsAny(source, removed) : between != source
  let changed = takes || moves
  if (removed.sparseCount != 0 && removeOrReset(removed, added, entity, tick)) changed = true
  if (added.sparseCount != 0 && insertSparse(added, entity, tick)) changed = true
  if (moves) moveEntity(entity, source, target, tick)
  if (takes) resetColumns(record.location, removed, added, tick)
  // What starts over in its row ends to match and begins again.
  if (takes && !moves) source.version += 1
  return changed ? DONE : NOTHING
}

/** Writes the defaults into the columns of the table components that are in both bundles. */
function resetColumns(location: u32, removed: Bundle, added: Bundle, tick: u32): void {
  const chunk = chunkAt(chunkIdOf(location))
  const layout = archetypeOfRow(location).layout
  let i: u32 = 0
  let k: u32 = 0
  for (let at: u32 = 0; at < layout.componentCount; at++) {
    const id = layoutComponentAt(layout, at).component
    while (i < removed.tableCount && tableIdAt(removed, i) < id) i += 1
    while (k < added.tableCount && tableIdAt(added, k) < id) k += 1
    if (i == removed.tableCount || k == added.tableCount) return
    if (tableIdAt(removed, i) != id || tableIdAt(added, k) != id) continue
    fillDefaults(layout, chunk, at, rowOf(location), 1, tick)
  }
}

/** Takes the entity out of the pools of `removed`; where `added` names one too, its row gets the defaults. */
function removeOrReset(removed: Bundle, added: Bundle, entity: u32, tick: u32): bool {
  let changed = false
  let k: u32 = 0
  for (let i: u32 = 0; i < removed.sparseCount; i++) {
    const id = sparseIdAt(removed, i)
    const set = poolOf(id)
    while (k < added.sparseCount && sparseIdAt(added, k) < id) k += 1
    if (k == added.sparseCount || sparseIdAt(added, k) != id) {
      if (removeFrom(set, indexOf(entity))) changed = true
      continue
    }
    const location = findRow(set, indexOf(entity))
    if (location == 0) continue
    fillDefaults(set.layout, chunkAt(chunkIdOf(location)), 0, rowOf(location), 1, tick)
    if (set.order != 0) moveToEnd(set, indexOf(entity), location)
    set.version += 1
    changed = true
  }
  return changed
}

/**
 * Removes the entity and all its rows. DONE or DEAD; needs no memory. With `spares`, an entity whose death needs upkeep
 * stays as it is: UPKEEP.
 */
export function destroy(entity: u32, spares: bool): i32 {
  const index = indexOf(entity)
  if (index >= entities.capacity) return DEAD
  const record = recordOf(index)
  if (record.handle != entity) return DEAD
  const location = record.location
  if (spares && components.upkeepPools != 0 && anyNeedsUpkeep(index)) return UPKEEP
  // A reserved entity has no row yet.
  if (location != NO_LOCATION) {
    const chunk = chunkAt(chunkIdOf(location))
    const archetype = changetype<Archetype>(chunk.table)
    if (spares && archetype.upkeep != 0) return UPKEEP
    if (entities.sparseHeads != 0) removeFromAll(index)
    recordOf(indexOf(removeRow(archetype, chunk, location))).location = location
    if (archetype.rows == 0) refreshActivity(archetype)
  } else if (entities.sparseHeads != 0) removeFromAll(index)
  retireEntity(index)
  return DONE
}

/** Whether an entity is alive, and its death needs upkeep. */
export function needsUpkeep(entity: u32): bool {
  const index = indexOf(entity)
  if (index >= entities.capacity) return false
  const record = recordOf(index)
  if (record.handle != entity) return false
  if (components.upkeepPools != 0 && anyNeedsUpkeep(index)) return true
  return record.location != NO_LOCATION && archetypeOfRow(record.location).upkeep != 0
}

/**
 * The first half of destroy, for entities of a list: all but the removal of the row. Where the row was, for closeHoles; 0 for none,
 * and for what is not alive.
 */
export function takeLife(entity: u32): u32 {
  const index = indexOf(entity)
  if (index >= entities.capacity) return NO_LOCATION
  const record = recordOf(index)
  if (record.handle != entity) return NO_LOCATION
  const location = record.location
  if (entities.sparseHeads != 0) removeFromAll(index)
  retireEntity(index)
  return location
}

/** Moves an entity into a row of `target`, for which prepareRow has succeeded. */
export function moveEntity(entity: u32, source: Archetype, target: Archetype, tick: u32): void {
  const record = recordOf(indexOf(entity))
  const from = record.location
  const fromChunk = chunkAt(chunkIdOf(from))
  const to = appendMoved(entity, target, source, fromChunk, rowOf(from), tick)
  // The row that fills the hole is told first: when it is the entity itself, its new location wins.
  recordOf(indexOf(removeRowSeldom(source, fromChunk, from))).location = from
  record.location = to
  if (source.rows == 0) refreshActivity(source)
  if (rowOf(to) == 0) refreshActivity(target)
}

/** The first half of a move: appends a row to a table, with what the entity has in a row of another. Where the new row is. */
export function appendMoved(
  entity: u32,
  target: Archetype,
  source: Archetype,
  chunk: Chunk,
  row: u32,
  tick: u32,
): u32 {
  const toId = target.tailId
  const toChunk = chunkAt(toId)
  const toRow = toChunk.count
  if (!ASC_NO_ASSERT) assert(toRow < toChunk.capacity, 'a row is appended where there is room')
  store<u32>(entityAddress(toChunk, toRow), entity)
  toChunk.count = toRow + 1
  target.rows += 1
  target.version += 1
  moveRow(target.layout, toChunk, toRow, source.layout, chunk, row, tick)
  return locationOf(toId, toRow)
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

/** The same for an exchange: ordered tags in both bundles also need a new entry in their order. */
function prepareExchange(removed: Bundle, added: Bundle, index: u32): bool {
  for (let i: u32 = 0; i < added.sparseCount; i++) {
    const set = poolOf(sparseIdAt(added, i))
    if (set.order == 0 || !isSparseIn(removed, sparseIdAt(added, i)) || findRow(set, index) == 0) continue
    if (!prepareOrder(set, 1)) return false
  }
  return prepareSparse(added, index)
}

export function isSparseIn(bundle: Bundle, id: u32): bool {
  for (let i: u32 = 0; i < bundle.sparseCount; i++) if (sparseIdAt(bundle, i) == id) return true
  return false
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

