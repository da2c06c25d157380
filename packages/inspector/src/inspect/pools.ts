// Owns the list of pools, in which sparse and stable components lie, as the inspection shows it.

import {
  PAGE_LIVE,
  PAGE_RECORD_BYTES,
  PAGE_SHIFT,
  POOL_HOLE_COUNT,
  POOL_PAGES,
  POOL_PAGE_CAPACITY,
  TABLE_ROWS,
} from '../../../../build/layout'
import type { PooledStorage } from '../../../../bindings/components/schema'
import type { Heap } from '../../../../bindings/memory/heap'
import type { WorldState } from '../../../../bindings/state/worldState'
import { sizeOf } from './archetypes'
import { shownIn } from './source'

/** The rows of a component with storage of its own: 'sparse' or 'stable', an ordered tag, or a relation. */
export interface PoolInfo {
  readonly component: string
  readonly storage: PooledStorage
  /** Entities that have the component. */
  readonly entities: number
  /** Rows of stable storage that wait to be used again. */
  readonly holes: number
  /** Bytes of its chunks, and of the pages that lead from an entity to its row. */
  readonly bytes: number
}

const PAGE_BYTES = 4 << PAGE_SHIFT

export function poolsIn(state: WorldState): PoolInfo[] {
  const { heap } = state
  return shownIn(state)
    .filter(({ pooled }) => pooled)
    .map(({ definition, pool }) => ({
      component: definition.componentName,
      storage: definition.storage as PooledStorage,
      entities: poolRows(heap, pool),
      holes: heap.word(pool + POOL_HOLE_COUNT),
      bytes: poolBytes(heap, pool),
    }))
}

/** How many entities have a row in a pool. */
export function poolRows(heap: Heap, pool: number): number {
  return heap.word(pool + TABLE_ROWS) - heap.word(pool + POOL_HOLE_COUNT)
}

/** Bytes of a pool's chunks and pages. */
export function poolBytes(heap: Heap, pool: number): number {
  const pages = heap.word(pool + POOL_PAGES)
  const count = heap.word(pool + POOL_PAGE_CAPACITY)
  let used = 0
  for (let page = 0; page < count; page++)
    if (heap.word(pages + page * PAGE_RECORD_BYTES + PAGE_LIVE) !== 0) used++
  return sizeOf(heap, pool).bytes + used * PAGE_BYTES + count * PAGE_RECORD_BYTES
}
