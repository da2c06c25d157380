// Owns who has which blocks of the heap: a walk over every structure of the core that can be larger than a small object. It
// must never miss one: a block that no structure claims counts as a block of small objects.

import {
  ARCHETYPES_ALL,
  ARCHETYPES_BY_SIGNATURE,
  ARCHETYPES_MOVE_PLANS,
  ARCHETYPES_TRANSITIONS,
  ARCHETYPE_MATCHES,
  ARCHETYPE_SIGNATURE,
  ARCHETYPE_SIGNATURE_COUNT,
  BLOCKS_BITMAP,
  BLOCKS_COVERAGE,
  BUNDLES_ALL,
  BUNDLES_BY_IDS,
  BUNDLES_LOOSE,
  BUNDLE_SPARSE_COUNT,
  BUNDLE_TABLE_COUNT,
  BUNDLE_TABLE_IDS,
  CHUNKS_CAPACITY,
  CHUNKS_FRESH,
  CHUNKS_TABLE,
  CHUNK_CAPACITY_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_RECORD_BYTES,
  CHUNK_ROWS_WORD,
  COLUMN_BYTES,
  COMPONENTS_CAPACITY,
  COMPONENTS_COUNT,
  COMPONENTS_RECORDS,
  COMPONENT_ARCHETYPES,
  COMPONENT_BYTES,
  COMPONENT_COLUMNS,
  COMPONENT_COLUMN_COUNT,
  COMPONENT_POOL,
  COMPONENT_QUERIES,
  COMPONENT_STORAGE,
  COMPONENT_TEXT,
  COMPONENT_TEXT_BYTES,
  ENTITIES_BIRTHS,
  ENTITIES_CAPACITY,
  ENTITIES_FRESH,
  ENTITIES_PEAKS,
  ENTITIES_RECORDS,
  ENTITIES_SPARSE_HEADS,
  FIRST_BITMAP_ADDRESS,
  GROUP_COMPONENTS,
  GROUP_COUNT,
  HASH_CAPACITY,
  HASH_COUNT,
  HASH_ENTRIES,
  HASH_ENTRY_BYTES,
  LAYOUTS_ALL,
  LAYOUTS_BY_COMPONENTS,
  LAYOUT_COLUMNS,
  LAYOUT_COLUMN_COUNT,
  LAYOUT_COMPONENTS,
  LAYOUT_COMPONENT_BYTES,
  LAYOUT_COMPONENT_COUNT,
  LAYOUT_WIDE_BYTES,
  LIST_CAPACITY,
  LIST_COUNT,
  LIST_ITEMS,
  LOOKS_CAPACITY,
  LOOKS_COUNT,
  LOOKS_ITEMS,
  LOOK_BYTES,
  LOOSE_BUNDLES,
  LOOSE_BUNDLE_BYTES,
  LOOSE_BUNDLE_CAPACITY,
  LOOSE_BUNDLE_IDS,
  MATCHES_CAPACITY,
  MATCHES_COUNT,
  MATCHES_ITEMS,
  MATCH_BYTES,
  MAX_OBJECT_BYTES,
  MIN_ORDER,
  PAGE_LIVE,
  PAGE_LOCATIONS,
  PAGE_RECORD_BYTES,
  PAGE_SHIFT,
  POOL_GROUP,
  POOL_ORDER,
  POOL_PAGES,
  POOL_PAGE_CAPACITY,
  QUERIES_ALL,
  QUERIES_BY_TERMS,
  QUERIES_EVERYWHERE,
  QUERY_TERMS,
  QUERY_TERM_COUNT,
  RECORD_BYTES,
  SHAPE_BYTES,
  SHAPE_DEFAULT_BYTES,
  SHAPE_WIDTH,
  SIZE_MASK,
  STORAGE_RESOURCE,
  STORAGE_SPARSE,
  STORAGE_STABLE,
  TABLE_CHUNKS,
  TABLE_LAYOUT,
  TERM_BYTES,
  TEXTS_CAPACITY,
  TEXTS_FRESH,
  TEXTS_RECORDS,
  TEXT_BYTES,
  TEXT_LENGTH,
  TEXT_STATE,
  TEXT_UNITS,
  TEXT_WIDE,
} from '../../build/layout'
import { CHUNK_SIZES, blockOf } from '../memory/chunkBlock'
import { CHUNK_WORDS_SHIFT, type Heap } from '../memory/heap'
import { allArchetypes } from '../memory/matchLists'
import type { WorldState } from '../rows/worldState'
import { archetypeAt, signatureAt } from './source'

/** What a piece of memory is for: see MemoryRegion. */
export type MemoryKind =
  | 'kernels'
  | 'state'
  | 'scratch'
  | 'chunk'
  | 'table'
  | 'pool'
  | 'records'
  | 'texts'
  | 'objects'
  | 'free'
  | 'reserved'

/** Is given a piece of the heap. */
export type OwnerVisitor = (
  start: number,
  bytes: number,
  kind: MemoryKind,
  owner: string,
  fill: number,
) => void

/** Visits everything in the heap that has blocks of its own, in no order. */
export function eachOwner(state: WorldState, visit: OwnerVisitor): void {
  const owners = new Owners(state, visit)
  owners.entities()
  owners.archetypes()
  owners.components()
  owners.texts()
  owners.layouts()
  owners.bundles()
  owners.queries()
  owners.allocator()
}

const PAGE_ENTRIES = 1 << PAGE_SHIFT
/** One bit for each KiB: see assembly/memory/blocks.ts. */
const COVERAGE_PER_BITMAP_BYTE = 8192

/** Bytes of the block for so many bytes: a power of two. */
function blockBytes(bytes: number): number {
  return 2 ** Math.max(MIN_ORDER, Math.ceil(Math.log2(bytes)))
}

class Owners {
  private readonly heap: Heap
  private readonly names: readonly (string | undefined)[]

  constructor(
    private readonly state: WorldState,
    private readonly visit: OwnerVisitor,
  ) {
    this.heap = state.heap
    this.names = state.definitionsById().map(({ componentName }) => componentName)
  }

  entities(): void {
    const { heap } = this
    const capacity = heap.word(ENTITIES_CAPACITY)
    const used = Math.min(heap.word(ENTITIES_FRESH), capacity)
    const records = (address: number, bytes: number, owner: string) =>
      this.enter(heap.word(address), capacity * bytes, 'records', owner, used * bytes)
    records(ENTITIES_RECORDS, RECORD_BYTES, 'the records of entities')
    records(ENTITIES_BIRTHS, 4, 'the order in which entities were created')
    records(ENTITIES_SPARSE_HEADS, 2, 'the first sparse component of each entity')
    records(ENTITIES_PEAKS, 1, 'the peaks of generations')
  }

  archetypes(): void {
    const { heap, state } = this
    this.list(heap.word(ARCHETYPES_ALL), 'the list of archetypes')
    this.hash(heap.word(ARCHETYPES_BY_SIGNATURE), 'the table of archetypes')
    this.hash(heap.word(ARCHETYPES_TRANSITIONS), 'the table of transitions')
    this.hash(heap.word(ARCHETYPES_MOVE_PLANS), 'the table of move plans')
    const count = heap.word(heap.word(ARCHETYPES_ALL) + LIST_COUNT)
    for (let id = 0; id < count; id++) {
      const address = archetypeAt(state, id)
      const components = Array.from(signatureAt(state, address), (component) => this.nameOf(component))
      const owner = components.length === 0 ? 'entities without components' : components.join(', ')
      this.table(address, owner)
      this.enter(
        heap.word(address + ARCHETYPE_SIGNATURE),
        heap.word(address + ARCHETYPE_SIGNATURE_COUNT) * 4,
        'table',
        `the components of ${owner}`,
      )
      this.list(heap.word(address + ARCHETYPE_MATCHES), `the queries that match ${owner}`)
    }
  }

  components(): void {
    const { heap } = this
    const records = heap.word(COMPONENTS_RECORDS)
    const count = heap.word(COMPONENTS_COUNT)
    const room = heap.word(COMPONENTS_CAPACITY) * COMPONENT_BYTES
    this.enter(records, room, 'table', 'the list of components', count * COMPONENT_BYTES)
    for (let id = 0; id < count; id++) {
      const component = records + id * COMPONENT_BYTES
      const name = this.nameOf(id)
      this.shapes(component, name)
      const text = heap.word(component + COMPONENT_TEXT_BYTES)
      this.enter(heap.word(component + COMPONENT_TEXT), text, 'table', `the description of ${name}`)
      this.list(heap.word(component + COMPONENT_ARCHETYPES), `the archetypes with ${name}`)
      this.list(heap.word(component + COMPONENT_QUERIES), `the queries for ${name}`)
      const storage = heap.word(component + COMPONENT_STORAGE)
      const table = heap.word(component + COMPONENT_POOL)
      if (storage === STORAGE_RESOURCE) this.table(table, `the resource ${name}`)
      if (storage === STORAGE_SPARSE || storage === STORAGE_STABLE) this.pool(table, name)
    }
    this.list(heap.word(QUERIES_EVERYWHERE), 'the queries for every archetype')
  }

  private shapes(component: number, name: string): void {
    const { heap } = this
    const shapes = heap.word(component + COMPONENT_COLUMNS)
    const count = heap.word(component + COMPONENT_COLUMN_COUNT)
    this.enter(shapes, count * SHAPE_BYTES, 'table', `the columns of ${name}`)
    for (let k = 0; k < count; k++) {
      const shape = shapes + k * SHAPE_BYTES
      const width = heap.word(shape + SHAPE_WIDTH)
      this.enter(heap.word(shape + SHAPE_DEFAULT_BYTES), width, 'table', `the defaults of ${name}`)
    }
  }

  private pool(pool: number, name: string): void {
    const { heap } = this
    this.table(pool, `the pool of ${name}`)
    const pages = heap.word(pool + POOL_PAGES)
    const count = heap.word(pool + POOL_PAGE_CAPACITY)
    this.enter(pages, count * PAGE_RECORD_BYTES, 'pool', `the pages of ${name}`)
    for (let page = 0; page < count; page++) {
      const record = pages + page * PAGE_RECORD_BYTES
      const locations = heap.word(record + PAGE_LOCATIONS)
      const live = heap.word(record + PAGE_LIVE)
      this.enter(locations, PAGE_ENTRIES * 4, 'pool', `a page of ${name}`, live * 4)
    }
    const order = heap.word(pool + POOL_ORDER)
    if (order !== 0) this.items(order, 'pool', `the order of ${name}`)
    const group = heap.word(pool + POOL_GROUP)
    // A group is listed once, with the first of its pools.
    const named = group === 0 ? 0 : heap.word(group + GROUP_COMPONENTS)
    if (named !== 0 && this.poolOf(heap.word(named)) === pool)
      this.enter(named, heap.word(group + GROUP_COUNT) * 4, 'pool', `the group of ${name}`)
  }

  private poolOf(component: number): number {
    return this.heap.word(this.heap.word(COMPONENTS_RECORDS) + component * COMPONENT_BYTES + COMPONENT_POOL)
  }

  texts(): void {
    const { heap } = this
    const records = heap.word(TEXTS_RECORDS)
    const fresh = heap.word(TEXTS_FRESH)
    const room = heap.word(TEXTS_CAPACITY) * TEXT_BYTES
    this.enter(records, room, 'texts', 'the table of texts', fresh * TEXT_BYTES)
    for (let id = 1; id < fresh; id++) {
      const record = records + id * TEXT_BYTES
      const state = heap.word(record + TEXT_STATE)
      if (state === 0) continue
      const bytes = heap.word(record + TEXT_LENGTH) * ((state & TEXT_WIDE) !== 0 ? 2 : 1)
      this.enter(heap.word(record + TEXT_UNITS), bytes, 'texts', 'a long text')
    }
  }

  layouts(): void {
    const { heap } = this
    this.list(heap.word(LAYOUTS_ALL), 'the list of layouts')
    this.hash(heap.word(LAYOUTS_BY_COMPONENTS), 'the table of layouts')
    this.each(heap.word(LAYOUTS_ALL), (layout) => {
      const components = heap.word(layout + LAYOUT_COMPONENT_COUNT) * LAYOUT_COMPONENT_BYTES
      const columns = heap.word(layout + LAYOUT_COLUMN_COUNT) * COLUMN_BYTES
      this.enter(heap.word(layout + LAYOUT_COMPONENTS), components, 'table', 'the components of a layout')
      this.enter(heap.word(layout + LAYOUT_COLUMNS), columns, 'table', 'the columns of a layout')
    })
    const chunks = heap.word(CHUNKS_CAPACITY) * CHUNK_RECORD_BYTES
    const used = heap.word(CHUNKS_FRESH) * CHUNK_RECORD_BYTES
    this.enter(heap.word(CHUNKS_TABLE), chunks, 'table', 'the list of chunks', used)
  }

  bundles(): void {
    const { heap } = this
    this.list(heap.word(BUNDLES_ALL), 'the list of bundles')
    this.hash(heap.word(BUNDLES_BY_IDS), 'the table of bundles')
    this.each(heap.word(BUNDLES_ALL), (bundle) => {
      const count = heap.word(bundle + BUNDLE_TABLE_COUNT) + heap.word(bundle + BUNDLE_SPARSE_COUNT)
      this.enter(heap.word(bundle + BUNDLE_TABLE_IDS), count * 4, 'table', 'the components of a bundle')
    })
    const first = heap.word(BUNDLES_LOOSE)
    const bytes = LOOSE_BUNDLE_BYTES + LOOSE_BUNDLE_IDS * 4
    this.enter(first, bytes * LOOSE_BUNDLES, 'table', 'the bundles of mixed changes')
    for (let number = 0; first !== 0 && number < LOOSE_BUNDLES; number++) {
      const bundle = first + number * bytes
      const capacity = heap.word(bundle + LOOSE_BUNDLE_CAPACITY)
      if (capacity > LOOSE_BUNDLE_IDS)
        this.enter(heap.word(bundle + BUNDLE_TABLE_IDS), capacity * 4, 'table', 'the components of a bundle')
    }
  }

  queries(): void {
    const { heap } = this
    this.list(heap.word(QUERIES_ALL), 'the list of queries')
    this.hash(heap.word(QUERIES_BY_TERMS), 'the table of queries')
    this.each(heap.word(QUERIES_ALL), (query) => {
      const terms = heap.word(query + QUERY_TERM_COUNT) * TERM_BYTES
      this.enter(heap.word(query + QUERY_TERMS), terms, 'table', 'the terms of a query')
      this.matches(query, 'the matches of a query')
    })
    this.matches(allArchetypes(heap), 'the archetypes by whether they have rows')
    const looks = heap.word(LOOKS_CAPACITY) * LOOK_BYTES
    const seen = heap.word(LOOKS_COUNT) * LOOK_BYTES
    this.enter(heap.word(LOOKS_ITEMS), looks, 'table', 'what queries have seen', seen)
  }

  private matches(list: number, owner: string): void {
    const { heap } = this
    const room = heap.word(list + MATCHES_CAPACITY) * MATCH_BYTES
    const used = heap.word(list + MATCHES_COUNT) * MATCH_BYTES
    this.enter(heap.word(list + MATCHES_ITEMS), room, 'table', owner, used)
  }

  allocator(): void {
    const { heap } = this
    const bitmap = heap.word(BLOCKS_BITMAP)
    if (bitmap === FIRST_BITMAP_ADDRESS) return
    const bytes = heap.word(BLOCKS_COVERAGE) / COVERAGE_PER_BITMAP_BYTE
    this.visit(bitmap, bytes, 'table', 'the map of free blocks', 1)
  }

  // ── pieces ─────────────────────────────────────────────────────────────────────────────────────────────

  /** A piece of memory, unless it is so small that it shares a block with others. */
  private enter(start: number, bytes: number, kind: MemoryKind, owner: string, used = bytes): void {
    if (start === 0 || bytes <= MAX_OBJECT_BYTES) return
    const size = blockBytes(bytes)
    this.visit(start, size, kind, owner, used / size)
  }

  private list(list: number, owner: string): void {
    this.items(list, 'table', owner)
  }

  private items(list: number, kind: MemoryKind, owner: string): void {
    const { heap } = this
    const room = heap.word(list + LIST_CAPACITY) * 4
    this.enter(heap.word(list + LIST_ITEMS), room, kind, owner, heap.word(list + LIST_COUNT) * 4)
  }

  private each(list: number, look: (item: number) => void): void {
    const { heap } = this
    const items = heap.word(list + LIST_ITEMS)
    for (let i = 0; i < heap.word(list + LIST_COUNT); i++) look(heap.word(items + i * 4))
  }

  private hash(table: number, owner: string): void {
    const { heap } = this
    const room = heap.word(table + HASH_CAPACITY) * HASH_ENTRY_BYTES
    const used = heap.word(table + HASH_COUNT) * HASH_ENTRY_BYTES
    this.enter(heap.word(table + HASH_ENTRIES), room, 'table', owner, used)
  }

  /** The chunks of an archetype, a pool or a resource. */
  private table(table: number, owner: string): void {
    const { heap } = this
    const { u32, chunks } = heap
    const list = heap.word(table + TABLE_CHUNKS)
    this.list(list, `the chunks of ${owner}`)
    const wide = heap.word(heap.word(table + TABLE_LAYOUT) + LAYOUT_WIDE_BYTES)
    this.each(list, (id) => {
      const descriptor = chunks + (id << CHUNK_WORDS_SHIFT)
      const size = (u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number) & SIZE_MASK
      const rows = u32[descriptor + CHUNK_ROWS_WORD] as number
      const fill = rows / (u32[descriptor + CHUNK_CAPACITY_WORD] as number)
      const bytes = wide === 0 ? (CHUNK_SIZES[size] as number) : wide
      this.visit(blockOf(heap, descriptor), bytes, 'chunk', owner, fill)
    })
  }

  private nameOf(component: number): string {
    return this.names[component] ?? `component ${component}`
  }
}
