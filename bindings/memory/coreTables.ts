// Owns reading the core's match lists, of a query or of all archetypes: those with rows, and a version of the whole.
// It must never look at an empty archetype: a world can have many.

import {
  ARCHETYPES_ALL,
  LIST_ITEMS,
  MATCHES_ACTIVE,
  MATCHES_COUNT,
  MATCHES_EMPTY_VERSIONS,
  MATCHES_FIRST,
  MATCHES_ITEMS,
  MATCH_BYTES,
  MATCH_NEXT,
  MATCH_WORDS,
  NO_MATCH,
  QUERIES_ARCHETYPES,
  TABLE_VERSION,
} from '../../build/layout'
import type { Heap } from './heap'

/** A number that grows whenever a row comes, goes, changes its place or is switched in an archetype that is listed. Wraps around. */
export function versionOfList(heap: Heap, list: number): number {
  const { u32 } = heap
  const addresses = heap.word(heap.word(ARCHETYPES_ALL) + LIST_ITEMS) >> 2
  const items = heap.word(list + MATCHES_ITEMS) >> 2
  let version = heap.word(list + MATCHES_EMPTY_VERSIONS)
  for (let place = heap.word(list + MATCHES_FIRST); place !== NO_MATCH;) {
    const at = items + place * MATCH_WORDS
    version += u32[((u32[addresses + (u32[at] as number)] as number) + TABLE_VERSION) >> 2] as number
    place = u32[at + (MATCH_NEXT >> 2)] as number
  }
  return version
}

/** The list of all archetypes. */
export const allArchetypes = (heap: Heap): number => heap.word(QUERIES_ARCHETYPES)

/** How many archetypes have no rows. */
export function emptyArchetypes(heap: Heap): number {
  const list = allArchetypes(heap)
  return heap.word(list + MATCHES_COUNT) - heap.word(list + MATCHES_ACTIVE)
}

/** The addresses of all archetypes with rows, in the order in which they got the first of these. */
export function archetypesWithRows(heap: Heap): number[] {
  const list = allArchetypes(heap)
  const items = heap.word(list + MATCHES_ITEMS)
  const addresses = heap.word(heap.word(ARCHETYPES_ALL) + LIST_ITEMS)
  const found: number[] = []
  for (let place = heap.word(list + MATCHES_FIRST); place !== NO_MATCH;) {
    const match = items + place * MATCH_BYTES
    found.push(heap.word(addresses + heap.word(match) * 4))
    place = heap.word(match + MATCH_NEXT)
  }
  return found
}
