// Owns how old entities are among each other: the order in which they were made.

import { ENTITIES_BIRTHS, ENTITIES_NEXT_BIRTH } from '../../build/layout'
import { INDEX_MASK } from './entity'
import type { Heap } from './heap'

/** How many entities were made since this one: the oldest has the greatest age. */
export function ageOf(heap: Heap, entity: number): number {
  const index = entity & INDEX_MASK
  return (heap.word(ENTITIES_NEXT_BIRTH) - heap.word(heap.word(ENTITIES_BIRTHS) + index * 4)) >>> 0
}
