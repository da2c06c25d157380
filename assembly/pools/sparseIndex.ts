// Owns the index of a sparse set: which row an entity has, which row is at a place, and the exchange of two rows. How many rows
// there are, and the chains, are in sparseSets.ts.

import { chunkAt, chunkIdOf, locationOf, rowOf } from '../tables/chunks'
import { entityAddress, valueAddress } from '../tables/addresses'
import { swapColumns } from '../tables/columns'
import { componentAt } from '../components/components'
import { indexOf } from '../memory/entities'
import { PAGE_SHIFT } from '../memory/sizes'
import { columnAt } from '../tables/layouts'
import { LARGE_FROM, Table } from '../tables/tables'

const PAGE_MASK: u32 = (1 << PAGE_SHIFT) - 1

@unmanaged
export class SparsePage {
  /** Address of 1 << PAGE_SHIFT locations, 0 for absent; 0 while the page holds none. */
  locations: usize
  live: u32
}

@unmanaged
export class SparseSet extends Table {
  stable: u32
  /** Array of SparsePage. */
  pages: usize
  pageCapacity: u32
  /** Queue of holes, oldest first; locations, 0 when there is none. */
  holeFirst: u32
  holeLast: u32
  holeCount: u32
  /** The group that keeps its front in order (see groups.ts); 0 when there is none. */
  group: usize
  /** The order in which an ordered tag is visited (see orderedTags.ts); 0 for any other component. */
  order: usize
}

@inline
export function poolOf(component: u32): SparseSet {
  return changetype<SparseSet>(componentAt(component).pool)
}

@inline
export function pageAt(set: SparseSet, page: u32): SparsePage {
  return changetype<SparsePage>(set.pages + (<usize>page << 3))
}

/** Location of the entity's row, 0 when it has none. */
@inline
export function findRow(set: SparseSet, index: u32): u32 {
  const page = index >> PAGE_SHIFT
  if (page >= set.pageCapacity) return 0
  const locations = pageAt(set, page).locations
  return locations == 0 ? 0 : load<u32>(locations + (<usize>(index & PAGE_MASK) << 2))
}

@inline
export function setRow(set: SparseSet, index: u32, location: u32): void {
  store<u32>(pageAt(set, index >> PAGE_SHIFT).locations + (<usize>(index & PAGE_MASK) << 2), location)
}

@inline
export function linkAddress(set: SparseSet, location: u32): usize {
  return valueAddress(chunkAt(chunkIdOf(location)), columnAt(set.layout, 0), rowOf(location))
}

/** Location of the row at a place, counted over all chunks. There must be one: a set's chunks are those of tables.ts. */
export function locationAt(set: SparseSet, place: u32): u32 {
  assert(place < set.rows, 'a row is looked for where there is one')
  const firstId = set.chunks.at(0)
  const first = chunkAt(firstId).capacity
  if (place < first) return locationOf(firstId, place)
  const layout = set.layout
  const rest = place - first
  const inFull = (LARGE_FROM - 1) * layout.fullCapacity
  if (layout.largeCapacity == 0 || rest < inFull) {
    return locationOf(set.chunks.at(1 + rest / layout.fullCapacity), rest % layout.fullCapacity)
  }
  const behind = rest - inFull
  return locationOf(set.chunks.at(LARGE_FROM + behind / layout.largeCapacity), behind % layout.largeCapacity)
}

/** Two rows change places, with their entities, links and values. Chunks keep the later of their change ticks. */
export function swapRows(set: SparseSet, a: u32, b: u32): void {
  if (a == b) return
  const chunkA = chunkAt(chunkIdOf(a))
  const chunkB = chunkAt(chunkIdOf(b))
  const atA = entityAddress(chunkA, rowOf(a))
  const atB = entityAddress(chunkB, rowOf(b))
  const entityA = load<u32>(atA)
  const entityB = load<u32>(atB)
  store<u32>(atA, entityB)
  store<u32>(atB, entityA)
  setRow(set, indexOf(entityA), b)
  setRow(set, indexOf(entityB), a)
  swapColumns(set.layout, chunkA, rowOf(a), chunkB, rowOf(b))
  set.version += 1
}
