// Owns the walks over the tables of the core: which archetypes have rows, a version of all that a match list names, the chunks of
// a table, and where the block of a chunk begins. A user's loop does not walk here: it has a list of its chunks.

import {
  ARCHETYPE_SIGNATURE,
  ARCHETYPE_SIGNATURE_COUNT,
  ARCHETYPES_ALL,
  CHUNK_BYTES,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_ROWS_WORD,
  CHUNK_TICKS_BYTES,
  COLUMN_ALIGNMENT,
  LARGE_CHUNK_BYTES,
  LAYOUT_COMPONENT_COUNT,
  LAYOUTS_ALL,
  LIST_COUNT,
  LIST_ITEMS,
  MATCH_BYTES,
  MATCH_NEXT,
  MATCH_WORDS,
  MATCHES_ACTIVE,
  MATCHES_COUNT,
  MATCHES_EMPTY_VERSIONS,
  MATCHES_FIRST,
  MATCHES_ITEMS,
  NO_MATCH,
  QUERIES_ARCHETYPES,
  SIZE_BITS,
  SMALL_CHUNK_BYTES,
  TABLE_CHUNKS,
  TABLE_VERSION,
} from '../../build/layout'
import { CHUNK_WORDS_SHIFT, type Heap } from './heap'

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
function archetypesWithRows(heap: Heap): number[] {
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

/** Is given the chunk's address, its layout and size, and how many rows it has. */
type ChunkVisitor = (data: number, layoutKey: number, rows: number) => void

/** Visits the archetypes that have rows, in the order in which they got their first rows, with the ids of their components. */
export function eachArchetype(heap: Heap, visit: (table: number, components: Uint32Array) => void): void {
  for (const table of archetypesWithRows(heap)) {
    const first = heap.word(table + ARCHETYPE_SIGNATURE) >> 2
    visit(table, heap.u32.subarray(first, first + heap.word(table + ARCHETYPE_SIGNATURE_COUNT)))
  }
}

/** Visits the chunks of an archetype, or of a pool, in their order. */
export function eachChunk(heap: Heap, table: number, visit: ChunkVisitor): void {
  const list = heap.word(table + TABLE_CHUNKS)
  const count = heap.word(list + LIST_COUNT)
  for (let i = 0; i < count; i++) {
    const { u32 } = heap
    const id = heap.word(heap.word(list + LIST_ITEMS) + i * 4)
    const descriptor = heap.chunks + (id << CHUNK_WORDS_SHIFT)
    visit(
      u32[descriptor + CHUNK_DATA_WORD] as number,
      u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number,
      u32[descriptor + CHUNK_ROWS_WORD] as number,
    )
  }
}

/** Bytes of a chunk by its size, with which a layout key ends. Wide ones are as long as their layout says. */
export const CHUNK_SIZES: readonly number[] = [SMALL_CHUNK_BYTES, CHUNK_BYTES, LARGE_CHUNK_BYTES]

/** Address of the first byte of a chunk, by the index of its descriptor. */
export function blockOf(heap: Heap, descriptor: number): number {
  const layoutKey = heap.u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
  const layout = heap.word(heap.word(heap.word(LAYOUTS_ALL) + LIST_ITEMS) + (layoutKey >> SIZE_BITS) * 4)
  const ticks = heap.word(layout + LAYOUT_COMPONENT_COUNT) * CHUNK_TICKS_BYTES
  const head = Math.ceil(ticks / COLUMN_ALIGNMENT) * COLUMN_ALIGNMENT
  return (heap.u32[descriptor + CHUNK_DATA_WORD] as number) - head
}
