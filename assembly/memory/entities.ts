// Owns entity handles: which index is alive, its generation, the queue of freed indices, the retired ones. A location is a number
// that it keeps for the archetypes.
//
//   handle    31      24 23                             0
//            ┌──────────┬───────────────────────────────┐
//            │generation│ index                         │   all ones: NULL_ENTITY
//            └──────────┴───────────────────────────────┘
//
// The record of a dead index stores its next generation with an index of all ones, which no handle of that index can equal: so
// "alive" is one comparison, whatever bits it is asked about.
// Dead indices wait in one of two queues, linked in both directions, so that claimEntity can take one out of the middle:
//
//             first                                     last
//            ┌────────┐ location   ┌────────┐ location ┌────────┐
//            │ record ├───────────▶│ record ├─────────▶│ record │   the birth of a dead index is the index before it
//            └────────┘◀───────────┴────────┘◀─────────┴────────┘   in its queue; of the first one it means nothing
//                         birth                birth

import { ENTITIES_ADDRESS } from './map'
import { allocate, release } from './objects'
import { blocks } from './blocks'
import { movesNow } from './moving'
import { FIRST_ENTITIES } from './sizes'
import { DONE, OUT_OF_ENTITIES, OUT_OF_MEMORY } from './status'
import { noteStep } from './steps'

export const ENTITY_INDEX_BITS: u32 = 24
export const ENTITY_INDEX_MASK: u32 = (1 << ENTITY_INDEX_BITS) - 1
export const NULL_ENTITY: u32 = 0xffffffff
/** Index 0 is never given out, so that no handle is 0; the index of all ones belongs to NULL_ENTITY. */
export const FIRST_ENTITY_INDEX: u32 = 1
export const MAX_ENTITIES: u32 = ENTITY_INDEX_MASK - FIRST_ENTITY_INDEX
/** Freed indices rest until this many are free, so that a generation is not spent quickly. */
export const MIN_FREE_BEFORE_REUSE: u32 = 1024
const LAST_GENERATION: u32 = (1 << (32 - ENTITY_INDEX_BITS)) - 1
/** The location of an entity that is reserved but has no row yet; it has no sparse components either. */
export const NO_LOCATION: u32 = 0

@unmanaged
export class EntityRecord {
  /** The living handle; of a dead index the generation to come, with an index of all ones. */
  handle: u32
  /** Where the row is (see chunks.ts); of a dead index the next one in its queue. */
  location: u32
}

@unmanaged
class IndexQueue {
  first: u32
  last: u32
  count: u32
}

@unmanaged
export class EntityDirectory {
  records: usize
  /** How many records there is room for. */
  capacity: u32
  /** The lowest index never given out so far. Beyond the records it counts the promised ones, too: see reserving.ts. */
  fresh: u32
  alive: u32
  /** One more than the highest index this world may use. */
  limit: u32
  /** The lower one of limit and capacity: fresh indices end here unless the records grow. */
  usable: u32
  /** Not 0: retired indices never come back. */
  strict: u32
  freeFirst: u32
  freeLast: u32
  freeCount: u32
  retiredFirst: u32
  retiredLast: u32
  retiredCount: u32
  /**
   * For each living index when it was given out: a number that counts on with every entity, u32, and wraps. For each dead
   * one the index before it in its queue.
   */
  births: usize
  nextBirth: u32
  /**
   * Indices from here to `fresh` are promised: alive, and without a record until the records grow. Those between the capacity and
   * here were promised, and died when memory ran out. Never below the capacity.
   */
  promisedFrom: u32
  /** The birth of the first promised index; the others follow it. */
  promisedBirth: u32
  /** For each index the pool of its first sparse component plus one, u16; 0 while no sparse set is in use. */
  sparseHeads: usize
  /**
   * For each living index the highest generation it ever had, u8, where that is above the one it has: its handle was
   * named, and is an old one. Otherwise 0. Address 0 until the first handle is named.
   */
  peaks: usize
}

export const entities = changetype<EntityDirectory>(ENTITIES_ADDRESS)
const freeQueue = changetype<IndexQueue>(ENTITIES_ADDRESS + offsetof<EntityDirectory>('freeFirst'))
const retiredQueue = changetype<IndexQueue>(ENTITIES_ADDRESS + offsetof<EntityDirectory>('retiredFirst'))

export function initEntities(maxEntities: u32, strict: bool): bool {
  memory.fill(ENTITIES_ADDRESS, 0, offsetof<EntityDirectory>())
  entities.limit = FIRST_ENTITY_INDEX + min(maxEntities, MAX_ENTITIES)
  entities.strict = strict
  const isReady = ensureCapacity(FIRST_ENTITIES)
  entities.fresh = FIRST_ENTITY_INDEX
  return isReady
}

@inline
export function indexOf(handle: u32): u32 {
  return handle & ENTITY_INDEX_MASK
}

@inline
export function recordOf(index: u32): EntityRecord {
  if (!ASC_NO_ASSERT) assert(noteStep() && index < entities.capacity, 'an entity index has a record')
  return changetype<EntityRecord>(entities.records + (<usize>index << 3))
}

@inline
export function isAlive(handle: u32): bool {
  const index = indexOf(handle)
  return index < entities.capacity && recordOf(index).handle == handle
}

/** How many handles can still be given out. */
export function availableEntities(): u32 {
  return entities.limit - entities.fresh + restingIndices()
}

/** How many indices that were used before can be used again. */
export function restingIndices(): u32 {
  return entities.freeCount + (entities.strict ? 0 : entities.retiredCount)
}

/** Makes sure that `count` handles can be given out without failing. */
@inline
export function prepareEntities(count: u32): i32 {
  const needed = entities.fresh + count
  // Indices that wait in the queues serve before fresh ones or after them: room for all is never too little.
  if (!ASC_NO_ASSERT && movesNow(entities.capacity << 3)) moveRecords(entities.capacity)
  if (needed <= entities.usable) return DONE
  return prepareEntitiesSlowly(count)
}

function prepareEntitiesSlowly(count: u32): i32 {
  if (availableEntities() < count) return OUT_OF_ENTITIES
  const recycled =
    entities.freeCount >= MIN_FREE_BEFORE_REUSE ? entities.freeCount - MIN_FREE_BEFORE_REUSE + 1 : 0
  const fresh = count > recycled ? count - recycled : 0
  const needed = min(entities.fresh + fresh, entities.limit)
  if (ensureCapacity(needed)) return DONE
  // Without memory for more records, indices that rest in the queues serve early.
  const left = entities.fresh < entities.usable ? entities.usable - entities.fresh : 0
  return left + restingIndices() >= count ? DONE : OUT_OF_MEMORY
}

/** Gives out a handle whose row is at `location`. prepareEntities must have succeeded. */
@inline
export function createEntity(location: u32): u32 {
  entities.alive += 1
  if (entities.freeCount >= MIN_FREE_BEFORE_REUSE || entities.fresh >= entities.usable) {
    return reviveEntity(location)
  }
  const index = entities.fresh
  entities.fresh = index + 1
  const record = recordOf(index)
  if (!ASC_NO_ASSERT) assert(record.handle == ENTITY_INDEX_MASK, 'an index that is given out was never used')
  record.handle = index
  record.location = location
  noteBirth(index)
  return index
}

/** Obtains what claimEntity needs: DONE, or OUT_OF_MEMORY. Promised handles get their records first: they are born in a row. */
export function prepareClaim(index: u32): i32 {
  if (entities.peaks == 0) {
    entities.peaks = allocate(entities.capacity)
    if (entities.peaks == 0) return OUT_OF_MEMORY
    memory.fill(entities.peaks, 0, entities.capacity)
  }
  return ensureCapacity(max(index + 1, entities.fresh)) ? DONE : OUT_OF_MEMORY
}

/** Makes this very handle of a dead index alive; its row is at `location`. prepareClaim must have succeeded. */
export function claimEntity(handle: u32, location: u32): void {
  const index = indexOf(handle)
  // Those that are passed over are free from now on, as if each had lived once.
  for (; entities.fresh <= index; entities.fresh++) {
    recordOf(entities.fresh).handle = (1 << ENTITY_INDEX_BITS) | ENTITY_INDEX_MASK
    enqueue(freeQueue, entities.fresh)
  }
  const record = recordOf(index)
  const generation = handle >> ENTITY_INDEX_BITS
  const next = record.handle >> ENTITY_INDEX_BITS
  takeOut(next == 0 ? retiredQueue : freeQueue, index)
  const peak = next == 0 ? LAST_GENERATION : next - 1
  store<u8>(entities.peaks + index, <u8>(peak > generation ? peak : 0))
  record.handle = handle
  record.location = location
  noteBirth(index)
  entities.alive += 1
}

@inline
export function noteBirth(index: u32): void {
  store<u32>(entities.births + (<usize>index << 2), entities.nextBirth++)
}

/** Orders living entities by creation: the older of two has the larger age. Right for the last 2^32 creations. */
@inline
export function ageOf(index: u32): u32 {
  return entities.nextBirth - load<u32>(entities.births + (<usize>index << 2))
}

/**
 * Gives out `count` handles, as so many calls of createEntity would, into the list at `handles`; their rows are at
 * `location` and behind it. prepareEntities must have succeeded. The counts are kept apart from memory meanwhile.
 */
export function createEntities(handles: usize, count: u32, location: u32): void {
  let made: u32 = 0
  while (made < count) {
    const reuses = entities.freeCount >= MIN_FREE_BEFORE_REUSE || entities.fresh >= entities.usable
    const left = count - made
    const list = handles + (<usize>made << 2)
    if (!reuses) made += createFresh(list, min(left, entities.usable - entities.fresh), location + made)
    else if (entities.freeCount == 0) store<u32>(list, createSeldom(location + made++))
    else {
      const spare = entities.fresh >= entities.usable ? 0 : MIN_FREE_BEFORE_REUSE - 1
      made += reviveFree(list, min(left, entities.freeCount - spare), location + made)
    }
  }
}

function createFresh(handles: usize, count: u32, location: u32): u32 {
  const first = entities.fresh
  const birth = entities.nextBirth
  const births = entities.births + (<usize>first << 2)
  for (let i: u32 = 0; i < count; i++) {
    const record = recordOf(first + i)
    if (!ASC_NO_ASSERT) assert(record.handle == ENTITY_INDEX_MASK, 'an index that is given out was never used')
    record.handle = first + i
    record.location = location + i
    store<u32>(births + (<usize>i << 2), birth + i)
    store<u32>(handles + (<usize>i << 2), first + i)
  }
  entities.fresh = first + count
  entities.nextBirth = birth + count
  entities.alive += count
  return count
}

function reviveFree(handles: usize, count: u32, location: u32): u32 {
  const birth = entities.nextBirth
  const births = entities.births
  let index = entities.freeFirst
  for (let i: u32 = 0; i < count; i++) {
    const record = recordOf(index)
    const next = record.location
    const handle = (record.handle & ~ENTITY_INDEX_MASK) | index
    record.handle = handle
    record.location = location + i
    store<u32>(births + (<usize>index << 2), birth + i)
    store<u32>(handles + (<usize>i << 2), handle)
    index = next
  }
  entities.freeFirst = index
  entities.freeCount -= count
  entities.nextBirth = birth + count
  entities.alive += count
  return count
}

/** The index that createEntity will give out next. prepareEntities must have succeeded. */
export function nextIndex(): u32 {
  if (entities.freeCount < MIN_FREE_BEFORE_REUSE && entities.fresh < entities.usable) return entities.fresh
  return entities.freeCount > 0 ? entities.freeFirst : entities.retiredFirst
}

/** Gives out a handle for a freed index, oldest first; when none is left, for a retired one. */
@inline
export function reviveEntity(location: u32): u32 {
  const index = entities.freeCount > 0 ? dequeue(freeQueue) : dequeue(retiredQueue)
  const record = recordOf(index)
  const handle = (record.handle & ~ENTITY_INDEX_MASK) | index
  record.handle = handle
  record.location = location
  noteBirth(index)
  return handle
}

/** The highest generation that a living index ever had. */
function takePeak(index: u32, generation: u32): u32 {
  const peak = <u32>load<u8>(entities.peaks + index)
  store<u8>(entities.peaks + index, 0)
  return max(peak, generation)
}

/** Makes the handle of a living index dead for ever; the index waits for its next use or retires. */
@inline
export function retireEntity(index: u32): void {
  const record = recordOf(index)
  const own = record.handle >> ENTITY_INDEX_BITS
  const generation = entities.peaks == 0 ? own : takePeak(index, own)
  entities.alive -= 1
  // After the last generation comes 0 again.
  const next = (generation + 1) & LAST_GENERATION
  record.handle = (next << ENTITY_INDEX_BITS) | ENTITY_INDEX_MASK
  enqueue(next == 0 ? retiredQueue : freeQueue, index)
}

/** createEntity where it is not worth its length. */
export function createSeldom(location: u32): u32 {
  return createEntity(location)
}

/** Makes every living handle dead, in the order of their indices. */
export function retireAllEntities(): void {
  for (let index = FIRST_ENTITY_INDEX; index < entities.fresh; index++) {
    if (indexOf(recordOf(index).handle) == index) retireEntity(index)
  }
  if (entities.sparseHeads != 0) memory.fill(entities.sparseHeads, 0, entities.capacity << 1)
}

/** Makes room for the links between an entity's sparse components; false when memory ends. */
export function ensureSparseHeads(): bool {
  if (entities.sparseHeads != 0) return true
  entities.sparseHeads = allocate(entities.capacity << 1)
  return entities.sparseHeads != 0
}

@inline
export function sparseHeadOf(index: u32): u32 {
  return <u32>load<u16>(entities.sparseHeads + (<usize>index << 1))
}

@inline
export function setSparseHead(index: u32, head: u32): void {
  store<u16>(entities.sparseHeads + (<usize>index << 1), <u16>head)
}

export function ensureCapacity(count: u32): bool {
  if (!ASC_NO_ASSERT && movesNow(entities.capacity << 3)) moveRecords(entities.capacity)
  if (count <= entities.capacity) return true
  const needed = max(count, entities.fresh)
  let capacity = max(entities.capacity, FIRST_ENTITIES)
  while (capacity < needed) capacity <<= 1
  return moveRecords(capacity)
}

/** Gives the tables of all indices another place, with room for so many; false, and they stay, when memory ends. */
@inline
function moveRecords(capacity: u32): bool {
  const records = allocate(capacity << 3)
  const births = allocate(capacity << 2)
  const heads = entities.sparseHeads != 0 ? allocate(capacity << 1) : 0
  const peaks = entities.peaks != 0 ? allocate(capacity) : 0
  const lacksHeads = heads == 0 && entities.sparseHeads != 0
  if (records == 0 || births == 0 || lacksHeads || (peaks == 0 && entities.peaks != 0)) {
    release(records, capacity << 3)
    release(births, capacity << 2)
    release(heads, capacity << 1)
    release(peaks, capacity)
    return false
  }
  if (peaks != 0) {
    memory.fill(peaks, 0, capacity)
    memory.copy(peaks, entities.peaks, entities.capacity)
    release(entities.peaks, entities.capacity)
    entities.peaks = peaks
  }
  if (heads != 0) {
    memory.copy(heads, entities.sparseHeads, entities.capacity << 1)
    release(entities.sparseHeads, entities.capacity << 1)
    entities.sparseHeads = heads
  }
  memory.copy(births, entities.births, entities.capacity << 2)
  release(entities.births, entities.capacity << 2)
  entities.births = births
  if (entities.capacity == 0) changetype<EntityRecord>(records).handle = ENTITY_INDEX_MASK
  memory.copy(records, entities.records, entities.capacity << 3)
  release(entities.records, entities.capacity << 3)
  entities.records = records
  // A record never used must not look like the handle of its index: generation 0 of index i is the number i.
  for (let index = max(entities.capacity, FIRST_ENTITY_INDEX); index < capacity; index++) {
    changetype<EntityRecord>(records + (<usize>index << 3)).handle = ENTITY_INDEX_MASK
  }
  // The last index of all is never given out: its unused record would read like the handle 0x00ffffff.
  if (capacity > ENTITY_INDEX_MASK) {
    changetype<EntityRecord>(records + (<usize>ENTITY_INDEX_MASK << 3)).handle = 0
  }
  const first = entities.capacity
  entities.capacity = capacity
  entities.usable = min(capacity, entities.limit)
  if (capacity > first) recordPromised(first)
  blocks.epoch += 1
  return true
}

/** Gives the promised indices their records, which begin at `first` and have just been made. */
function recordPromised(first: u32): void {
  for (let index = first; index < entities.fresh; index++) {
    const record = recordOf(index)
    if (index < entities.promisedFrom) {
      // Its handle was given out, and died: it is free, as if it had lived once.
      record.handle = (1 << ENTITY_INDEX_BITS) | ENTITY_INDEX_MASK
      enqueue(freeQueue, index)
    } else {
      record.handle = index
      record.location = NO_LOCATION
      const birth = entities.promisedBirth + (index - entities.promisedFrom)
      store<u32>(entities.births + (<usize>index << 2), birth)
    }
  }
  entities.promisedFrom = entities.capacity
}

@inline
function enqueue(queue: IndexQueue, index: u32): void {
  recordOf(index).location = 0
  if (queue.count == 0) queue.first = index
  else recordOf(queue.last).location = index
  store<u32>(entities.births + (<usize>index << 2), queue.last)
  queue.last = index
  queue.count += 1
}

@inline
function dequeue(queue: IndexQueue): u32 {
  const index = queue.first
  queue.first = recordOf(index).location
  queue.count -= 1
  return index
}

/** Takes an index out of the queue in which it is, wherever in it that is. */
function takeOut(queue: IndexQueue, index: u32): void {
  if (queue.first == index) {
    dequeue(queue)
    return
  }
  const before = load<u32>(entities.births + (<usize>index << 2))
  const after = recordOf(index).location
  recordOf(before).location = after
  if (queue.last == index) queue.last = before
  else store<u32>(entities.births + (<usize>after << 2), before)
  queue.count -= 1
}
