// Owns reading the core's match lists, of a query or of all archetypes: those with rows, and a version of the whole.
// It must never look at an empty archetype: a world can have many.

import {
  ARCHETYPES_ALL,
  LIST_ITEMS,
  MATCHES_ACTIVE,
  MATCHES_COUNT,
  MATCHES_EMPTY_VERSIONS,
  MATCHES_ITEMS,
  MATCH_BYTES,
  MATCH_WORDS,
  QUERIES_ARCHETYPES,
  TABLE_VERSION,
} from '../../build/layout'
import type { Heap } from './heap'

/** A number that grows whenever a row comes, goes, changes its place or is switched in an archetype that is listed. Wraps around. */
export function versionOfList(heap: Heap, list: number): number {
  const { u32 } = heap
  const addresses = heap.word(heap.word(ARCHETYPES_ALL) + LIST_ITEMS) >> 2
  const active = heap.word(list + MATCHES_ACTIVE)
  let at = heap.word(list + MATCHES_ITEMS) >> 2
  let version = heap.word(list + MATCHES_EMPTY_VERSIONS)
  for (let i = 0; i < active; i++, at += MATCH_WORDS)
    version += u32[((u32[addresses + (u32[at] as number)] as number) + TABLE_VERSION) >> 2] as number
  return version
}

/** The list of all archetypes. */
export const allArchetypes = (heap: Heap): number => heap.word(QUERIES_ARCHETYPES)

/** How many archetypes have no rows. */
export function emptyArchetypes(heap: Heap): number {
  const list = allArchetypes(heap)
  return heap.word(list + MATCHES_COUNT) - heap.word(list + MATCHES_ACTIVE)
}

/** The addresses of all archetypes with rows, in the order of their ids. */
export function archetypesWithRows(heap: Heap): Uint32Array {
  const list = allArchetypes(heap)
  const items = heap.word(list + MATCHES_ITEMS)
  const ids = new Uint32Array(heap.word(list + MATCHES_ACTIVE))
  for (let i = 0; i < ids.length; i++) ids[i] = heap.word(items + i * MATCH_BYTES)
  const addresses = heap.word(heap.word(ARCHETYPES_ALL) + LIST_ITEMS)
  return ids.sort().map((id) => heap.word(addresses + id * 4))
}
