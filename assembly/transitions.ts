// Owns the transition graph: the archetype that an entity moves to when a bundle is added or removed. One lookup serves any number of components. It must never touch rows.

import { SCRATCH_ADDRESS } from './memory/map'
import {
  Archetype,
  EMPTY_ARCHETYPE,
  MAX_SIGNATURE,
  archetypeAt,
  archetypes,
  createArchetype,
  fileArchetype,
  findArchetype,
  releaseArchetype,
  signatureAt,
} from './archetypes'
import { Bundle } from './bundles'
import { announce, prepareAnnouncement } from './queries'
import { OUT_OF_MEMORY, SIGNATURE_TOO_LONG } from './status'

const ADD: u32 = 0
const REMOVE: u32 = 1

/** The archetype after adding; null, with archetypes.status set, when it cannot be made. */
@inline
export function archetypeWith(archetype: Archetype, bundle: Bundle): Archetype {
  if (archetype.addBundle == bundle.id + 1) return archetype.addTarget
  return followEdge(archetype, bundle, ADD)
}

/** The archetype after removing; null, with archetypes.status set, when it cannot be made. */
@inline
export function archetypeWithout(archetype: Archetype, bundle: Bundle): Archetype {
  if (archetype.removeBundle == bundle.id + 1) return archetype.removeTarget
  return followEdge(archetype, bundle, REMOVE)
}

/** The archetype of an entity spawned with the bundle; null like archetypeWith. */
@inline
export function archetypeOfSpawn(bundle: Bundle): Archetype {
  if (changetype<usize>(bundle.spawnArchetype) == 0) {
    bundle.spawnArchetype = archetypeWith(archetypeAt(EMPTY_ARCHETYPE), bundle)
  }
  return bundle.spawnArchetype
}

function followEdge(archetype: Archetype, bundle: Bundle, operation: u32): Archetype {
  const key = ((<u64>archetype.owner) << 32) | ((<u64>bundle.id) << 1) | operation
  const edges = archetypes.transitions
  const place = edges.find(key, edges.start(key))
  const target = place >= 0 ? archetypeAt(edges.valueAt(place)) : findTarget(archetype, bundle, operation, key)
  if (changetype<usize>(target) == 0) return target
  if (operation == ADD) {
    archetype.addBundle = bundle.id + 1
    archetype.addTarget = target
  } else {
    archetype.removeBundle = bundle.id + 1
    archetype.removeTarget = target
  }
  return target
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
