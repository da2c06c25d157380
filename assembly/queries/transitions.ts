// Owns the transition graph: the archetype that an entity moves to when a bundle is added or removed. One lookup serves any
// number of components.

import { SCRATCH_ADDRESS } from '../memory/map'
import {
  ADD,
  Archetype,
  EMPTY_ARCHETYPE,
  MAX_SIGNATURE,
  REMOVE,
  archetypeAt,
  archetypes,
  createArchetype,
  fileArchetype,
  findArchetype,
  releaseArchetype,
  hasComponent,
  lastTransition,
  signatureAt,
} from '../archetypes/archetypes'
import { Bundle, tableIdAt } from '../archetypes/bundles'
import { findOrCreateMovePlan } from '../archetypes/movePlans'
import { LooseBundle, isLoose } from '../archetypes/looseBundles'
import { announce, prepareAnnouncement } from './announcements'
import { OUT_OF_MEMORY, SIGNATURE_TOO_LONG } from '../memory/status'

/** The archetype after adding; null, with archetypes.status set, when it cannot be made. */
@inline
export function archetypeWith(archetype: Archetype, bundle: Bundle): Archetype {
  const last = lastTransition(archetype, ADD)
  return last.bundle == bundle.id + 1 ? last.target : followEdge(archetype, bundle, ADD)
}

/** The archetype after removing; null, with archetypes.status set, when it cannot be made. */
@inline
export function archetypeWithout(archetype: Archetype, bundle: Bundle): Archetype {
  const last = lastTransition(archetype, REMOVE)
  return last.bundle == bundle.id + 1 ? last.target : followEdge(archetype, bundle, REMOVE)
}

/** The archetype of an entity spawned with the bundle; null like archetypeWith. */
@inline
export function archetypeOfSpawn(bundle: Bundle): Archetype {
  if (changetype<usize>(bundle.spawnArchetype) == 0) {
    bundle.spawnArchetype = archetypeWith(archetypeAt(EMPTY_ARCHETYPE), bundle)
  }
  return bundle.spawnArchetype
}

/**
 * The archetype after removing one loose bundle and adding the other, without a look at what would be in between.
 * Null like archetypeWith.
 */
export function archetypeExchanged(archetype: Archetype, removed: Bundle, added: Bundle): Archetype {
  return followLoose(changetype<LooseBundle>(added), archetype, removed, added)
}

/** Whether a component or tag of the bundle is in the archetype. */
export function holdsAny(archetype: Archetype, bundle: Bundle): bool {
  for (let i: u32 = 0; i < bundle.tableCount; i++) {
    if (hasComponent(archetype, tableIdAt(bundle, i))) return true
  }
  return false
}

/** Where a change of loose bundles leads. Nothing is filed: `memory` alone remembers where it led last. */
function followLoose(memory: LooseBundle, archetype: Archetype, removed: Bundle, added: Bundle): Archetype {
  if (memory.lastSource == archetype) return memory.lastTarget
  const target = findLooseTarget(archetype, removed, added)
  if (changetype<usize>(target) == 0) return target
  memory.lastSource = archetype
  memory.lastTarget = target
  return target
}

function findLooseTarget(archetype: Archetype, removed: Bundle, added: Bundle): Archetype {
  const most = archetype.signatureCount + (changetype<usize>(added) == 0 ? 0 : added.tableCount)
  if (most > MAX_SIGNATURE << 1) return tooLong()
  const count = writeExchange(archetype, removed, added, SCRATCH_ADDRESS)
  return count > MAX_SIGNATURE ? tooLong() : findOrCreateArchetype(SCRATCH_ADDRESS, count)
}

function followEdge(archetype: Archetype, bundle: Bundle, operation: u32): Archetype {
  if (isLoose(bundle)) {
    const none = changetype<Bundle>(0)
    return operation == ADD
      ? followLoose(changetype<LooseBundle>(bundle), archetype, none, bundle)
      : followLoose(changetype<LooseBundle>(bundle), archetype, bundle, none)
  }
  const key = edgeKey(archetype, bundle, operation)
  const edges = archetypes.transitions
  const place = edges.find(key, edges.start(key))
  const target = place >= 0 ? archetypeAt(edges.valueAt(place)) : findTarget(archetype, bundle, operation, key)
  if (changetype<usize>(target) == 0) return target
  const last = lastTransition(archetype, operation)
  last.bundle = bundle.id + 1
  last.target = target
  last.plan = place >= 0 ? <usize>edges.noteAt(place) : 0
  return target
}

@inline
function edgeKey(archetype: Archetype, bundle: Bundle, operation: u32): u64 {
  return ((<u64>archetype.owner) << 32) | ((<u64>bundle.id) << 1) | operation
}

/** Call after a row was moved by adding or removing the bundle: plans how the next ones go, unless that is known. */
export function planNext(archetype: Archetype, bundle: Bundle, operation: u32): void {
  const last = lastTransition(archetype, operation)
  if (last.bundle != bundle.id + 1 || last.plan != 0) return
  const key = edgeKey(archetype, bundle, operation)
  const edges = archetypes.transitions
  const place = edges.find(key, edges.start(key))
  assert(place >= 0, 'an edge that was followed is in the table')
  last.plan = findOrCreateMovePlan(archetype.layout, last.target.layout)
  edges.setNote(place, <u32>last.plan)
}

/** Finds where the edge leads and remembers it; null, with archetypes.status set, when it cannot be. */
function findTarget(archetype: Archetype, bundle: Bundle, operation: u32, key: u64): Archetype {
  const ids = SCRATCH_ADDRESS
  const edges = archetypes.transitions
  if (archetype.signatureCount + bundle.tableCount > MAX_SIGNATURE << 1) return tooLong()
  const count = operation == ADD ? writeUnion(archetype, bundle, ids) : writeDifference(archetype, bundle, ids)
  if (count == archetype.signatureCount) {
    // Nothing changes. This is asked in the midst of bulk changes too, so it must not take memory.
    if (edges.hasRoom()) edges.insert(key, archetype.owner)
    return archetype
  }
  if (count > MAX_SIGNATURE) return tooLong()
  if (!edges.reserve()) {
    archetypes.status = OUT_OF_MEMORY
    return changetype<Archetype>(0)
  }
  const target = findOrCreateArchetype(ids, count)
  if (changetype<usize>(target) != 0) edges.insert(key, target.owner)
  return target
}

function findOrCreateArchetype(ids: usize, count: u32): Archetype {
  const known = findArchetype(ids, count)
  if (changetype<usize>(known) != 0) return known
  const made = createArchetype(ids, count)
  if (changetype<usize>(made) == 0) return made
  if (!prepareAnnouncement(made)) {
    releaseArchetype(made)
    return changetype<Archetype>(0)
  }
  fileArchetype(made)
  announce(made)
  return made
}

function tooLong(): Archetype {
  archetypes.status = SIGNATURE_TOO_LONG
  return changetype<Archetype>(0)
}

function writeUnion(archetype: Archetype, bundle: Bundle, ids: usize): u32 {
  let count: u32 = 0
  let i: u32 = 0
  let k: u32 = 0
  while (i < archetype.signatureCount || k < bundle.tableCount) {
    const own = i < archetype.signatureCount ? signatureAt(archetype, i) : u32.MAX_VALUE
    const added = k < bundle.tableCount ? load<u32>(bundle.tableIds + (<usize>k << 2)) : u32.MAX_VALUE
    store<u32>(ids + (<usize>count << 2), min(own, added))
    count += 1
    if (own <= added) i += 1
    if (added <= own) k += 1
  }
  return count
}

function writeDifference(archetype: Archetype, bundle: Bundle, ids: usize): u32 {
  let count: u32 = 0
  let k: u32 = 0
  for (let i: u32 = 0; i < archetype.signatureCount; i++) {
    const own = signatureAt(archetype, i)
    while (k < bundle.tableCount && load<u32>(bundle.tableIds + (<usize>k << 2)) < own) k += 1
    if (k < bundle.tableCount && load<u32>(bundle.tableIds + (<usize>k << 2)) == own) continue
    store<u32>(ids + (<usize>count << 2), own)
    count += 1
  }
  return count
}

/** What an archetype has, without one bundle and with another; either may be null. */
function writeExchange(archetype: Archetype, removed: Bundle, added: Bundle, ids: usize): u32 {
  const addedCount: u32 = changetype<usize>(added) == 0 ? 0 : added.tableCount
  const removedCount: u32 = changetype<usize>(removed) == 0 ? 0 : removed.tableCount
  let count: u32 = 0
  let i: u32 = 0
  let k: u32 = 0
  let gone: u32 = 0
  while (i < archetype.signatureCount || k < addedCount) {
    const own = i < archetype.signatureCount ? signatureAt(archetype, i) : u32.MAX_VALUE
    const next = k < addedCount ? tableIdAt(added, k) : u32.MAX_VALUE
    if (own <= next) i += 1
    if (next <= own) k += 1
    if (own < next) {
      while (gone < removedCount && tableIdAt(removed, gone) < own) gone += 1
      if (gone < removedCount && tableIdAt(removed, gone) == own) continue
    }
    store<u32>(ids + (<usize>count << 2), min(own, next))
    count += 1
  }
  return count
}
