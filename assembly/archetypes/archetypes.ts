// Owns archetypes: one table of rows for each set of table components and tags that ever occurred. A new archetype is filed under
// its components; queries and transitions find it there.

import { ARCHETYPES_ADDRESS, SCRATCH_ADDRESS, SCRATCH_BYTES } from '../memory/map'
import { allocate, release } from '../memory/objects'
import { List, createList, destroyList } from '../memory/list'
import { HashTable, createHashTable, hashNumbers } from '../memory/hashTable'
import { componentAt, isHiding, needsUpkeep } from '../components/components'
import { Layout, findOrCreateLayout, takesRoom } from '../tables/layouts'
import { Table } from '../tables/tables'
import { OUT_OF_MEMORY, ROW_TOO_LARGE } from '../memory/status'

/** The archetype of entities without table components and tags. */
export const EMPTY_ARCHETYPE: u32 = 0
/** Most table components and tags of one entity: their ids take half of scratch. */
export const MAX_SIGNATURE: u32 = SCRATCH_BYTES >> 3

@unmanaged
export class Archetype extends Table {
  /** Component ids, ascending: the archetype's identity. */
  signature: usize
  signatureCount: u32
  /** One bit for each component (see bloomBit): a quick "certainly not". */
  bloom: u64
  /** How many of the components are tags with FLAG_EXCLUDED: queries match that name all of those. */
  hidingCount: u32
  /** Not 0 where a component has FLAG_UPKEEP. */
  upkeep: u32
  /** Pairs (query, position in its match list) for every query that matches this archetype. */
  matches: List
  /** Not 0 while those match lists count this archetype among the ones that have rows. */
  active: u32
  /** Its version when it lost its last row; 0 while `active`. */
  emptyVersion: u32
  /** Used by promises.ts during one bulk change, else 0: rows to be copied here, chunks to come, next target. */
  incomingRows: u32
  incomingChunks: u32
  nextIncoming: usize
}

/** What a row's move does to its components. */
export const ADD: u32 = 0
export const REMOVE: u32 = 1
const OPERATIONS: usize = 2

/** The transition that rows of an archetype took last by one operation. One for each stands behind every archetype. */
@unmanaged
export class Transition {
  /** The bundle's id plus one; 0 while there is none. */
  bundle: u32
  target: Archetype
  /** How a row goes there: a MovePlan, NOT_PLAIN, or 0 while none was made (see movePlans.ts). */
  plan: usize
}

/** Bytes of an archetype with its transitions. */
export const ARCHETYPE_BYTES: usize = offsetof<Archetype>() + OPERATIONS * offsetof<Transition>()

@unmanaged
export class Archetypes {
  /** Addresses by id. */
  all: List
  bySignature: HashTable
  transitions: HashTable
  /** Plans by the ids of both layouts (see movePlans.ts). */
  movePlans: HashTable
  /** All ones; tests set it to 0 to make all signatures collide. */
  hashMask: u64
  /** Why the last archetype could not be made. */
  status: i32
}

export const archetypes = changetype<Archetypes>(ARCHETYPES_ADDRESS)

export function initArchetypes(): bool {
  archetypes.all = createList()
  archetypes.bySignature = createHashTable()
  archetypes.transitions = createHashTable()
  archetypes.movePlans = createHashTable()
  archetypes.hashMask = u64.MAX_VALUE
  const empty = createArchetype(0, 0)
  if (changetype<usize>(empty) == 0) return false
  fileArchetype(empty)
  return true
}

@inline
export function archetypeAt(id: u32): Archetype {
  return changetype<Archetype>(<usize>archetypes.all.at(id))
}

@inline
export function lastTransition(archetype: Archetype, operation: u32): Transition {
  const behind = changetype<usize>(archetype) + offsetof<Archetype>()
  return changetype<Transition>(behind + <usize>operation * offsetof<Transition>())
}

/** Forgets where rows of the archetype went last. */
export function forgetTransitions(archetype: Archetype): void {
  memory.fill(changetype<usize>(archetype) + offsetof<Archetype>(), 0, OPERATIONS * offsetof<Transition>())
}

@inline
export function signatureAt(archetype: Archetype, index: u32): u32 {
  return load<u32>(archetype.signature + (<usize>index << 2))
}

@inline
export function bloomBit(component: u32): u64 {
  return (<u64>1) << ((component * 0x9e3779b1) >> 26)
}

export function hasComponent(archetype: Archetype, component: u32): bool {
  if ((archetype.bloom & bloomBit(component)) == 0) return false
  let low: u32 = 0
  let high = archetype.signatureCount
  while (low < high) {
    const middle = (low + high) >> 1
    if (signatureAt(archetype, middle) < component) low = middle + 1
    else high = middle
  }
  return low < archetype.signatureCount && signatureAt(archetype, low) == component
}

/** The archetype with exactly these `count` ascending ids, or null. */
export function findArchetype(ids: usize, count: u32): Archetype {
  const hash = hashNumbers(ids, count) & archetypes.hashMask
  const table = archetypes.bySignature
  for (let place = table.find(hash, table.start(hash)); place >= 0; place = table.find(hash, place + 1)) {
    const archetype = archetypeAt(table.valueAt(place))
    if (
      archetype.signatureCount == count &&
      memory.compare(archetype.signature, ids, <usize>count << 2) == 0
    ) {
      return archetype
    }
  }
  return changetype<Archetype>(0)
}

/**
 * Makes the archetype of these `count` ascending ids, not yet filed anywhere; null, with archetypes.status set,
 * when it cannot be. Follow with fileArchetype or with releaseArchetype.
 */
export function createArchetype(ids: usize, count: u32): Archetype {
  const nothing = changetype<Archetype>(0)
  archetypes.status = OUT_OF_MEMORY
  const layout = layoutOf(ids, count)
  if (changetype<usize>(layout) == 0) return nothing
  if (layout.fullCapacity == 0) {
    archetypes.status = ROW_TOO_LARGE
    return nothing
  }
  if (!archetypes.all.reserve(1) || !archetypes.bySignature.reserve()) return nothing
  for (let i: u32 = 0; i < count; i++) {
    if (!componentAt(load<u32>(ids + (<usize>i << 2))).archetypes.reserve(1)) return nothing
  }
  const address = allocate(ARCHETYPE_BYTES)
  const signature = allocate(max(count, 1) << 2)
  const chunks = createList()
  const matches = createList()
  if (address == 0 || signature == 0 || changetype<usize>(chunks) == 0 || changetype<usize>(matches) == 0) {
    release(address, ARCHETYPE_BYTES)
    release(signature, max(count, 1) << 2)
    destroyList(chunks)
    destroyList(matches)
    return nothing
  }
  const archetype = changetype<Archetype>(address)
  archetype.owner = archetypes.all.count
  archetype.layout = layout
  archetype.chunks = chunks
  archetype.matches = matches
  archetype.signature = signature
  archetype.signatureCount = count
  memory.copy(signature, ids, <usize>count << 2)
  for (let i: u32 = 0; i < count; i++) {
    const id = signatureAt(archetype, i)
    archetype.bloom |= bloomBit(id)
    if (isHiding(id)) archetype.hidingCount += 1
    if (needsUpkeep(id)) archetype.upkeep = 1
  }
  return archetype
}

/** Files the archetype made last under its id, its signature and its components. */
export function fileArchetype(archetype: Archetype): void {
  const count = archetype.signatureCount
  for (let i: u32 = 0; i < count; i++) componentAt(signatureAt(archetype, i)).archetypes.push(archetype.owner)
  fileSignature(archetype)
  archetypes.all.push(<u32>changetype<usize>(archetype))
}

/** Lets findArchetype find it. There must be room. */
export function fileSignature(archetype: Archetype): void {
  const hash = hashNumbers(archetype.signature, archetype.signatureCount) & archetypes.hashMask
  archetypes.bySignature.insert(hash, archetype.owner)
}

/** Gives back an archetype without rows that is filed nowhere, or nowhere any more. */
export function releaseArchetype(archetype: Archetype): void {
  release(archetype.signature, max(archetype.signatureCount, 1) << 2)
  destroyList(archetype.chunks)
  destroyList(archetype.matches)
  release(changetype<usize>(archetype), ARCHETYPE_BYTES)
}

/** The layout of those among the components that take room in a row. */
function layoutOf(ids: usize, count: u32): Layout {
  // The ids may lie in the first half of scratch; the second half takes the filtered list.
  const filtered = SCRATCH_ADDRESS + (SCRATCH_BYTES >> 1)
  let kept: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const id = load<u32>(ids + (<usize>i << 2))
    if (!takesRoom(id)) continue
    store<u32>(filtered + (<usize>kept << 2), id)
    kept += 1
  }
  return findOrCreateLayout(filtered, kept)
}
