// Owns the functions that the core exports for a world: start, reset, the change tick, and one for each change. Each function
// finds its bundle or query and hands over to one room.

import { initArchetypes } from './archetypes/archetypes'
import { Bundle, findOrCreateBundle, initBundles } from './archetypes/bundles'
import {
  addMatching,
  destroyAll,
  destroyListed,
  destroyMatching,
  gatherUpkeep,
  removeMatching,
  spawnMany,
} from './rows/bulk'
import { initChunks } from './tables/chunks'
import { clearComponent } from './rows/clearing'
import { clone, cloneMany, clonedEntity, placeClone } from './rows/clones'
import {
  ComponentDescription,
  STORAGE_RESOURCE,
  initComponents,
  isPooled,
  registerComponent,
  unregisterLastComponent,
} from './components/components'
import {
  NO_LOCATION,
  NULL_ENTITY,
  availableEntities,
  claimEntity,
  initEntities,
  prepareClaim,
  prepareEntities,
} from './memory/entities'
import { adoptReserved, createReserved, reserveEntity } from './memory/reserving'
import { findOrCreateGroup } from './pools/groups'
import { initLayouts } from './tables/layouts'
import { allowGrowth, eraseBlocks, forbidGrowth, initBlocks } from './memory/blocks'
import { BLOCKS_ADDRESS, HEAP_ADDRESS, SCRATCH_ADDRESS } from './memory/map'
import { initObjects } from './memory/objects'
import { fillLoose } from './archetypes/looseBundles'
import { beginList, changeEach, changeListed, endList } from './rows/lists'
import { maskOrder, maskRows } from './rows/masks'
import { readOrderPlaces, squeezeOrder, writeOrderPlaces } from './pools/orderedTags'
import { reduceValues } from './order/numbers'
import { arrangePool, sortOrder, sortPool, sortPoolLike } from './order/poolOrder'
import { initAnnouncements } from './queries/announcements'
import { Query, findOrCreateQuery, initQueries, probeArchetypes, probeQuery } from './queries/queries'
import { exchange, place } from './rows/rows'
import { endSort, sortMatching } from './order/sort'
import { createResource, makeResource, removeResource } from './tables/resources'
import { createSparseSet, poolOf } from './pools/sparseSets'
import { DONE, OUT_OF_MEMORY } from './memory/status'
import { world } from './memory/world'
import { switchMatching } from './rows/switching'
import { trimArchetypes } from './rows/trimming'
import { ageTicks } from './tables/ticks'
import { clearUnknownTexts, sweepReferences, sweepTexts } from './tables/sweeps'
import { findText, initTexts, internText, releaseText } from './components/texts'
import { ageSeenTicks, makeSeenTick, releaseSeenTick } from './queries/seenTicks'
import { archetypeOfSpawn } from './queries/transitions'

/** Starts an empty world. DONE or a negative status. */
export function worldInit(maximumBytes: u32, maxEntities: u32, strictIds: bool): i32 {
  world.tick = 1
  world.status = DONE
  world.maximumBytes = maximumBytes
  world.maxEntities = maxEntities
  world.strictIds = strictIds
  initBlocks(maximumBytes)
  initObjects()
  initComponents()
  initTexts()
  const ready =
    initLayouts() &&
    initChunks() &&
    initEntities(maxEntities, strictIds) &&
    initBundles() &&
    initArchetypes() &&
    initQueries() &&
    initAnnouncements()
  return ready ? DONE : OUT_OF_MEMORY
}

/** Forgets everything and starts over; the memory keeps its size and is all zeros but for the new start. */
export function worldReset(): i32 {
  const maximumBytes = world.maximumBytes
  const maxEntities = world.maxEntities
  const strictIds = world.strictIds != 0
  eraseBlocks()
  memory.fill(BLOCKS_ADDRESS, 0, HEAP_ADDRESS - BLOCKS_ADDRESS)
  return worldInit(maximumBytes, maxEntities, strictIds)
}

/** Destroys every entity; components, archetypes and queries stay. */
export function worldClear(): void {
  destroyAll()
}

/** Gives back what is kept of archetypes without rows, and if there were any, all bundles. How many archetypes there were. */
export function worldTrim(): u32 {
  return trimArchetypes()
}

/** Registers the component described in scratch: its id, or a negative status. */
export function componentRegister(): i32 {
  const storage = changetype<ComponentDescription>(SCRATCH_ADDRESS).storage
  const id = registerComponent(SCRATCH_ADDRESS)
  if (id < 0) return id
  let status = DONE
  if (isPooled(storage)) status = createSparseSet(id, SCRATCH_ADDRESS)
  else if (storage == STORAGE_RESOURCE) status = createResource(id, SCRATCH_ADDRESS)
  if (status < 0) {
    unregisterLastComponent()
    return status
  }
  return id
}

/** Gives a resource its row, with the defaults: DONE, NOTHING when it has one, or a negative status. */
export function resourceMake(id: u32): i32 {
  return makeResource(id, world.tick)
}

/** Takes a resource's row away: DONE, or NOTHING when it has none. */
export function resourceRemove(id: u32): i32 {
  return removeResource(id)
}

/** The bundle of the `count` different component ids in scratch: its address, or 0 when memory ends. */
export function bundleOf(count: u32): u32 {
  return <u32>changetype<usize>(findOrCreateBundle(SCRATCH_ADDRESS, count))
}

/** Fills the loose bundle of a number with the `count` different component ids in scratch: its address, or 0. */
export function bundleFill(number: u32, count: u32): u32 {
  return <u32>changetype<usize>(fillLoose(number, SCRATCH_ADDRESS, count))
}

/** Address of the archetype of entities spawned with the bundle, 0 when it cannot be made. */
export function bundleArchetype(bundle: u32): u32 {
  return <u32>changetype<usize>(archetypeOfSpawn(bundleAt(bundle)))
}

/** Removes one bundle and adds another. */
export function entityExchange(entity: u32, removed: u32, added: u32): i32 {
  return exchange(entity, bundleAt(removed), bundleAt(added), world.tick)
}

/** A new entity with what another one has, or NULL_ENTITY with world.status set. */
export function entityClone(source: u32): u32 {
  const status = clone(source, world.tick)
  if (status == DONE) return clonedEntity
  world.status = status
  return NULL_ENTITY
}

/** Gives a reserved entity what another one has. */
export function entityPlaceClone(entity: u32, source: u32): i32 {
  return placeClone(entity, source, world.tick)
}

export function entitiesClone(source: u32, count: u32): i32 {
  return cloneMany(source, count, world.tick)
}

/** A living handle without a row, or NULL_ENTITY where all indices are in use; see reserving.ts. Never needs memory. */
export function entityReserve(): u32 {
  return reserveEntity()
}

/**
 * A living handle without a row, or NULL_ENTITY with world.status set. The records may grow: for `count` handles,
 * this one and those that the caller asks for next.
 */
export function entityCreate(count: u32): u32 {
  const status = prepareEntities(count)
  if (status == DONE) return createReserved()
  world.status = status
  return NULL_ENTITY
}

/** How many more entities can be made. */
export function entitiesAvailable(): u32 {
  return availableEntities()
}

/** Gives the handles their records that were promised while memory must not grow: DONE, or they die. */
export function entitiesAdopt(): i32 {
  return adoptReserved()
}

/** Obtains what entityClaim needs for handles of indices up to this one. `mayGrow`: the memory may. DONE, or a negative status. */
export function claimsPrepare(index: u32, mayGrow: bool): i32 {
  const maximum = forbidGrowth()
  if (mayGrow) allowGrowth(maximum)
  const status = prepareClaim(index)
  allowGrowth(maximum)
  return status
}

/** Makes this very handle, of a dead index, alive and without a row. */
export function entityClaim(entity: u32): void {
  claimEntity(entity, NO_LOCATION)
}

/** Gives a reserved entity its components. */
export function entityPlace(entity: u32, bundle: u32): i32 {
  return place(entity, bundleAt(bundle), world.tick)
}

/** Makes `count` entities: with the handles of a list, after claimsPrepare, or with any where that is 0. Ends the list. */
export function entitiesSpawn(bundle: u32, count: u32, list: usize): i32 {
  const status = spawnMany(bundleAt(bundle), count, list, world.tick)
  if (list != 0) endList(list, count)
  return status
}

/**
 * Destroys the `count` handles in scratch, a part of a list. With `spares`, all live on where the death of some needs upkeep, and in
 * any case if another part follows: those that need it are moved to the front of scratch.
 *
 * @param held what the call for the part before has returned; 0 for the first part
 * @returns how many need upkeep; or what the call for the next part is to be given
 */
export function entitiesDestroy(count: u32, spares: bool, held: u32, isLast: bool): u32 {
  const gathered = spares ? gatherUpkeep(count) : 0
  if (gathered != 0 || (spares && !isLast)) return gathered
  return destroyListed(SCRATCH_ADDRESS, count, held, isLast)
}

/** Memory for a list of `count` handles, which listChange and entitiesSpawn give back; 0 when memory ends. */
export function listBegin(count: u32): u32 {
  return <u32>beginList(count)
}

/** Adds a bundle to the living entities of a list, each named once, or removes it from them: DONE, or a negative status. */
export function listChange(list: usize, count: u32, bundle: u32, adds: bool): i32 {
  return changeListed(list, count, bundleAt(bundle), world.tick, adds)
}

/** Changes the `count` entities at LIST_ADDRESS one after the other: how many are done before one that met a limit. */
export function entitiesChange(count: u32, kind: u32, bundle: u32): u32 {
  return changeEach(count, kind, bundleAt(bundle), world.tick)
}

/** Takes the one component of a bundle from every entity: how many had it, or a negative status. */
export function componentClear(bundle: u32): i32 {
  return clearComponent(bundleAt(bundle), world.tick)
}

/** The query of the `count` sorted terms in scratch: its address, or 0 when memory ends. */
export function queryOf(count: u32): u32 {
  return <u32>changetype<usize>(findOrCreateQuery(SCRATCH_ADDRESS, count))
}

// `filterCount` filters lie at FILTERS_ADDRESS (see masks.ts).

export function queryAdd(query: u32, filterCount: u32, bundle: u32): i32 {
  return addMatching(queryAt(query), filterCount, bundleAt(bundle), world.tick)
}

export function queryRemove(query: u32, filterCount: u32, bundle: u32): i32 {
  return removeMatching(queryAt(query), filterCount, bundleAt(bundle), world.tick)
}

export function queryDestroy(query: u32, filterCount: u32): i32 {
  return destroyMatching(queryAt(query), filterCount)
}

export function querySwitch(query: u32, filterCount: u32, component: u32, off: bool): u32 {
  return switchMatching(queryAt(query), filterCount, component, off)
}

/** Writes the row mask of a chunk; 0 for a query that is not open means the `termCount` terms in scratch. */
export function queryMask(query: u32, termCount: u32, filterCount: u32, chunk: u32, isPool: bool): u32 {
  return maskRows(query != 0 ? queryAt(query) : probeQuery(termCount), chunk, isPool, filterCount)
}

export function queryProbe(count: u32, skip: u32, limit: u32): u32 {
  return probeArchetypes(count, skip, limit)
}

/** Keeps the order of all ticks right (see ticks.ts). */
export function ticksAge(): void {
  ageTicks(world.tick)
  ageSeenTicks()
}

/** The number of a new seen tick (see seenTicks.ts), or OUT_OF_MEMORY. */
export function seenTickMake(mayGrow: bool): i32 {
  return makeSeenTick(mayGrow)
}

export function seenTickRelease(number: u32): void {
  releaseSeenTick(number)
}

/** The mask of entities by their places in a list of `count` handles or indices; how many are meant. */
export function queryMaskOrder(query: u32, termCount: u32, filterCount: u32, list: usize, count: u32): u32 {
  return maskOrder(query == 0 ? probeQuery(termCount) : queryAt(query), list, count, filterCount)
}

/**
 * Address of the handles of the first `limit` that match, in the order of a field, with their number in scratch; or a negative
 * status. Follow with sortEnd.
 */
export function querySort(
  query: u32,
  filterCount: u32,
  component: u32,
  field: u32,
  kind: u32,
  limit: u32,
): i32 {
  return sortMatching(queryAt(query), filterCount, component, field, kind, limit)
}

/** Gives back the memory of the last querySort. */
export function sortEnd(): void {
  endSort()
}

/** The sum, least or greatest of `count` values in a column; see numbers.ts. */
export function valuesReduce(from: usize, count: u32, kind: u32, wide: bool, operation: u32): f64 {
  return reduceValues(from, count, kind, wide, operation)
}

/** Orders a sparse component's rows by a field; see poolOrder.ts. */
export function poolSort(component: u32, field: u32, kind: u32, limit: u32): i32 {
  return sortPool(poolOf(component), field, kind, limit)
}

/** Puts the `count` handles in scratch at the places of a pool from `first` on; see poolOrder.ts. */
export function poolArrange(component: u32, first: u32, count: u32): void {
  arrangePool(poolOf(component), first, SCRATCH_ADDRESS, count)
}

export function poolSortAs(component: u32, like: u32): i32 {
  return sortPoolLike(poolOf(component), poolOf(like))
}

/** Takes out of an ordered tag's list what has lost the tag. Needs no memory. */
export function orderSqueeze(component: u32): void {
  squeezeOrder(poolOf(component))
}

/** Replaces the handles in scratch, all with the tag, by their places in its order of insertion. */
export function orderRead(component: u32, count: u32): void {
  readOrderPlaces(poolOf(component), SCRATCH_ADDRESS, count)
}

/** Lets entities change places in an order of insertion: `count` handles in scratch, each with its new place. */
export function orderWrite(component: u32, count: u32): void {
  writeOrderPlaces(poolOf(component), SCRATCH_ADDRESS, count)
}

/** Orders an ordered tag by a field of a component; see poolOrder.ts. */
export function orderSort(tag: u32, component: u32, field: u32, kind: u32): i32 {
  return sortOrder(poolOf(tag), component, field, kind)
}

/** The group of the `count` sorted sparse component ids in scratch: its address, or 0 when memory ends. */
export function groupOf(count: u32): u32 {
  return <u32>changetype<usize>(findOrCreateGroup(SCRATCH_ADDRESS, count))
}

/** The id of the text in scratch, made when there is none yet; or OUT_OF_MEMORY. */
export function textIntern(length: u32, wide: bool, mayGrow: bool): i32 {
  if (mayGrow) return internText(SCRATCH_ADDRESS, length, wide)
  // Views that a running loop holds must stay valid: TypeScript promises the id and asks again after the loop.
  const maximum = forbidGrowth()
  const id = internText(SCRATCH_ADDRESS, length, wide)
  allowGrowth(maximum)
  return id
}

/** The id of the text in scratch, or NO_TEXT. */
export function textFind(length: u32, wide: bool): i32 {
  return findText(SCRATCH_ADDRESS, length, wide)
}

/** Takes back texts interned for what could not be made: the last one first. */
export function textRelease(id: u32): void {
  releaseText(id)
}

export function textsSweep(): u32 {
  return sweepTexts(world.tick)
}

export function textsClearUnknown(): u32 {
  return clearUnknownTexts(world.tick)
}

export function referencesSweep(): u32 {
  return sweepReferences(world.tick)
}

@inline
function bundleAt(address: u32): Bundle {
  return changetype<Bundle>(<usize>address)
}

@inline
function queryAt(address: u32): Query {
  return changetype<Query>(<usize>address)
}

