// Owns loose bundles: a fixed number of bundles whose components are given again whenever they are needed, for changes
// that are put together from several. They are not filed, nothing is remembered of them but where they led last, and so
// no number of different changes uses memory. Each is good until it is filled again.
//
//   block   ┌───────────────┬─────────┬───────────────┬─────────┬─ ─ ─
//           │ LooseBundle 0 │ its ids │ LooseBundle 1 │ its ids │          more than OWN_IDS lie in memory of their own
//           └───────────────┴─────────┴───────────────┴─────────┴─ ─ ─

import { allocate, release } from '../memory/objects'
import { Archetype } from './archetypes'
import { Bundle, bundles, sortIds, writeIds } from './bundles'

/** How many there are. TypeScript fills them in pairs: what a change removes, and what it adds. */
export const LOOSE_BUNDLES: u32 = 64
/** For how many ids each has room without asking for memory. */
export const OWN_IDS: u32 = 16
/** The id of all of them. No transition is filed under it. */
export const LOOSE: u32 = 0xfffffffe

@unmanaged
export class LooseBundle extends Bundle {
  /** The archetype that was asked for last, and where the change led from there; null at first. */
  lastSource: Archetype
  lastTarget: Archetype
  /** For how many ids there is room. */
  capacity: u32
}

const PLACE_BYTES: u32 = offsetof<LooseBundle>() + (OWN_IDS << 2)
const BLOCK_BYTES: u32 = LOOSE_BUNDLES * PLACE_BYTES

@inline
function looseAt(number: u32): LooseBundle {
  return changetype<LooseBundle>(bundles.loose + <usize>(number * PLACE_BYTES))
}

@inline
function ownIds(bundle: LooseBundle): usize {
  return changetype<usize>(bundle) + offsetof<LooseBundle>()
}

@inline
export function isLoose(bundle: Bundle): bool {
  return bundle.id == LOOSE
}

/** Fills a loose bundle with the `count` different ids at `ids`, which are put in order; null when memory ends. */
export function fillLoose(number: u32, ids: usize, count: u32): Bundle {
  const nothing = changetype<Bundle>(0)
  if (bundles.loose == 0 && !makeAll()) return nothing
  const bundle = looseAt(number)
  bundle.spawnArchetype = changetype<Archetype>(0)
  bundle.lastSource = changetype<Archetype>(0)
  if (!makeRoom(bundle, count)) return nothing
  sortIds(ids, count)
  writeIds(bundle, ids, count)
  return bundle
}

/** Forgets where changes by loose bundles led last. */
export function forgetLoosePaths(): void {
  for (let number: u32 = 0; bundles.loose != 0 && number < LOOSE_BUNDLES; number++) {
    looseAt(number).spawnArchetype = changetype<Archetype>(0)
    looseAt(number).lastSource = changetype<Archetype>(0)
  }
}

/** Makes all of them at once, empty: how much memory is used does not tell how many were ever filled. */
function makeAll(): bool {
  bundles.loose = allocate(BLOCK_BYTES)
  if (bundles.loose == 0) return false
  for (let number: u32 = 0; number < LOOSE_BUNDLES; number++) {
    const bundle = looseAt(number)
    bundle.id = LOOSE
    useOwnIds(bundle)
  }
  return true
}

function useOwnIds(bundle: LooseBundle): void {
  bundle.tableIds = ownIds(bundle)
  bundle.capacity = OWN_IDS
  writeIds(bundle, bundle.tableIds, 0)
}

/** Makes room for `count` ids, and gives back what was needed for more; false, and it is empty, when memory ends. */
function makeRoom(bundle: LooseBundle, count: u32): bool {
  if (bundle.capacity > OWN_IDS) {
    release(bundle.tableIds, bundle.capacity << 2)
    useOwnIds(bundle)
  }
  if (count <= OWN_IDS) return true
  const ids = allocate(count << 2)
  if (ids == 0) return false
  bundle.tableIds = ids
  bundle.capacity = count
  return true
}
