// Owns bundles: sets of components that are added or removed in one call, split by where they are stored. A bundle is made once
// and named by its id from then on. Loose bundles, whose components change from use to use, are in looseBundles.ts.

import { BUNDLES_ADDRESS } from '../memory/map'
import { allocate, release } from '../memory/objects'
import { List, createList } from '../memory/list'
import { HashTable, createHashTable, hashNumbers } from '../memory/hashTable'
import { Archetype } from './archetypes'
import { componentAt, isPooled } from '../components/components'

@unmanaged
export class Bundle {
  id: u32
  /** Ids of table components and tags, ascending. */
  tableIds: usize
  tableCount: u32
  /** Ids of sparse and stable components, ascending; they follow the table ids in memory. */
  sparseIds: usize
  sparseCount: u32
  /** The archetype of an entity spawned with this bundle, null until the first one. */
  spawnArchetype: Archetype
}

@unmanaged
export class Bundles {
  /** Addresses by id. */
  all: List
  byIds: HashTable
  /** The loose bundles, 0 until one is used (see looseBundles.ts). */
  loose: usize
}

export const bundles = changetype<Bundles>(BUNDLES_ADDRESS)

export function initBundles(): bool {
  bundles.all = createList()
  bundles.byIds = createHashTable()
  bundles.loose = 0
  return changetype<usize>(bundles.all) != 0 && changetype<usize>(bundles.byIds) != 0
}

@inline
export function bundleAt(id: u32): Bundle {
  return changetype<Bundle>(<usize>bundles.all.at(id))
}

@inline
export function tableIdAt(bundle: Bundle, index: u32): u32 {
  return load<u32>(bundle.tableIds + (<usize>index << 2))
}

@inline
export function sparseIdAt(bundle: Bundle, index: u32): u32 {
  return load<u32>(bundle.sparseIds + (<usize>index << 2))
}

/** The bundle of the `count` different component ids at `ids`, which are put in order; null without memory. */
export function findOrCreateBundle(ids: usize, count: u32): Bundle {
  sortIds(ids, count)
  const hash = hashNumbers(ids, count)
  const table = bundles.byIds
  for (let place = table.find(hash, table.start(hash)); place >= 0; place = table.find(hash, place + 1)) {
    const bundle = bundleAt(table.valueAt(place))
    const bytes = <usize>(bundle.tableCount + bundle.sparseCount) << 2
    if (bytes == <usize>count << 2 && memory.compare(bundle.tableIds, ids, bytes) == 0) return bundle
  }
  return createBundle(ids, count, hash)
}

function createBundle(ids: usize, count: u32, hash: u64): Bundle {
  const nothing = changetype<Bundle>(0)
  if (!bundles.all.reserve(1) || !bundles.byIds.reserve()) return nothing
  const address = allocate(offsetof<Bundle>())
  const kept = allocate(max(count, 1) << 2)
  if (address == 0 || kept == 0) {
    release(address, offsetof<Bundle>())
    release(kept, max(count, 1) << 2)
    return nothing
  }
  const bundle = changetype<Bundle>(address)
  bundle.id = bundles.all.count
  bundle.tableIds = kept
  writeIds(bundle, ids, count)
  bundles.byIds.insert(hash, bundle.id)
  bundles.all.push(<u32>address)
  return bundle
}

/** Frees all bundles. Addresses of bundles that were kept elsewhere are no longer valid. */
export function dropBundles(): void {
  for (let id: u32 = 0; id < bundles.all.count; id++) {
    const bundle = bundleAt(id)
    release(bundle.tableIds, max(bundle.tableCount + bundle.sparseCount, 1) << 2)
    release(changetype<usize>(bundle), offsetof<Bundle>())
  }
  bundles.all.count = 0
  bundles.all.tighten()
  bundles.byIds.restart(0)
}

/** Writes ids that are in order to where the bundle keeps them, and tells those of pools apart. */
export function writeIds(bundle: Bundle, ids: usize, count: u32): void {
  memory.copy(bundle.tableIds, ids, <usize>count << 2)
  let tableCount: u32 = 0
  while (tableCount < count && !isPooled(storageAt(ids, tableCount))) tableCount += 1
  bundle.tableCount = tableCount
  bundle.sparseIds = bundle.tableIds + (<usize>tableCount << 2)
  bundle.sparseCount = count - tableCount
}

@inline
function storageAt(ids: usize, index: u32): u32 {
  return componentAt(load<u32>(ids + (<usize>index << 2))).storage
}

/** Table components and tags first, then sparse ones, each ascending; insertion sort, bundles are short. */
export function sortIds(ids: usize, count: u32): void {
  for (let i: u32 = 1; i < count; i++) {
    const id = load<u32>(ids + (<usize>i << 2))
    const key = sortKey(id)
    let j = i
    while (j > 0) {
      const before = load<u32>(ids + (<usize>(j - 1) << 2))
      if (sortKey(before) <= key) break
      store<u32>(ids + (<usize>j << 2), before)
      j -= 1
    }
    store<u32>(ids + (<usize>j << 2), id)
  }
}

@inline
function sortKey(id: u32): u32 {
  return isPooled(componentAt(id).storage) ? id | 0x80000000 : id
}
