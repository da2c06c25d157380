// Owns the proof that a world's linear memory is whole: a walk over all of it that believes nobody, neither the
// core nor the bindings' caches. It must never change a byte, and never take a number from what it checks
// where it can count for itself.

import * as L from '../../build/layout'
import type { World } from '../../bindings/index'

/**
 * 'all': every row, link and page entry. 'tables': everything but what costs time for each row; for worlds of
 * many entities between two full checks.
 */
export type Depth = 'all' | 'tables'

/** Throws an Error with one sentence when anything in the world's memory contradicts anything else. */
export function checkInvariants(world: World, depth: Depth = 'all'): void {
  new MemoryWalk(world, depth).run()
}

const INDEX_MASK = 2 ** L.ENTITY_INDEX_BITS - 1
const ROW_MASK = 2 ** L.ROW_BITS - 1
const PAGE_ENTRIES = 2 ** L.PAGE_SHIFT
const PAGE_BYTES = 4 * PAGE_ENTRIES
const NULL_ENTITY = 0xffffffff
const KIB = 1024
const COLUMN_ALIGNMENT = 16
const COVERAGE_PER_BITMAP_BYTE = 8 * KIB

const MAX_ORDER = 30

/** Small objects share slabs; what is larger has blocks of its own (see assembly/memory/objects.ts). */
const MIN_SHIFT = 4
const MAX_OBJECT_BYTES = 512
const SLAB_BYTES = 4 * KIB

/** Mark of a chunk that no location may name. */
const OF_RESOURCE = 4

const ALIVE = 1
const FREE = 2
const RETIRED = 3

function fail(sentence: string): never {
  throw new Error(`invariant broken: ${sentence}`)
}

function hex(address: number): string {
  return `0x${address.toString(16)}`
}

/** The bits above this power of two that a size needs: blocks are powers of two. */
function blockBytes(bytes: number): number {
  return bytes <= KIB ? KIB : 2 ** (32 - Math.clz32(bytes - 1))
}

/** A table of rows: an archetype's, or the pool of a sparse component. */
interface TableWalk {
  readonly address: number
  readonly owner: number
  readonly name: string
  readonly isPool: boolean
}

class MemoryWalk {
  private readonly u32: Uint32Array
  private readonly u16: Uint16Array
  private readonly end: number
  private readonly locked: boolean
  private readonly ledger: Ledger
  private readonly archetypes: number[]
  private readonly componentCount: number
  private readonly records: number
  private readonly fresh: number
  /** ALIVE, FREE or RETIRED for each index that was ever given out. */
  private readonly kinds: Uint8Array
  /** Which chunk ids a table has. */
  private readonly chunkSeen: Uint8Array
  private chunksSeen = 0

  constructor(
    world: World,
    private readonly depth: Depth,
  ) {
    const { state } = world as unknown as { state: { heap: { u32: Uint32Array }; locks: number } }
    const { buffer } = state.heap.u32
    this.u32 = new Uint32Array(buffer)
    this.u16 = new Uint16Array(buffer)
    this.locked = state.locks > 0
    this.end = this.word(L.BLOCKS_END)
    if (this.end !== buffer.byteLength)
      fail(`the heap ends at ${hex(this.end)}, the memory at ${hex(buffer.byteLength)}`)
    if (this.end > this.word(L.BLOCKS_MAXIMUM)) fail('the heap has grown beyond its maximum')
    this.ledger = new Ledger(this.u32, this.end)
    this.archetypes = this.listed(this.word(L.ARCHETYPES_ALL), 'the list of archetypes')
    this.componentCount = this.word(L.COMPONENTS_COUNT)
    this.records = this.word(L.ENTITIES_RECORDS)
    this.fresh = this.word(L.ENTITIES_FRESH)
    this.kinds = new Uint8Array(this.fresh)
    this.chunkSeen = new Uint8Array(this.word(L.CHUNKS_FRESH))
  }

  run(): void {
    this.checkEntities()
    this.checkLayouts()
    this.checkComponents()
    this.checkArchetypes()
    this.checkPools()
    this.checkResources()
    this.checkChunkDirectory()
    this.checkTexts()
    if (this.depth === 'all' && !this.locked) this.checkRecordsPointAtRows()
    this.checkBundles()
    this.checkTransitions()
    this.checkQueries()
    this.claimTables()
    this.checkSimulation()
    this.ledger.balance()
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────────────────

  private word(address: number): number {
    return this.u32[address >>> 2] as number
  }

  /** The items of a List; its memory is entered into the ledger. */
  private listed(list: number, name: string): number[] {
    this.ledger.claim(list, L.LIST_BYTES, name)
    const items = this.word(list + L.LIST_ITEMS)
    const count = this.word(list + L.LIST_COUNT)
    const capacity = this.word(list + L.LIST_CAPACITY)
    if (count > capacity) fail(`${name} counts ${count} items and has room for ${capacity}`)
    if (capacity > 0) this.ledger.claim(items, capacity * 4, `the items of ${name}`)
    const numbers: number[] = []
    for (let i = 0; i < count; i++) numbers.push(this.word(items + i * 4))
    return numbers
  }

  /** The entries (low key, high key, value) of a HashTable; its memory is entered into the ledger. */
  private hashed(table: number, name: string): [number, number, number][] {
    this.ledger.claim(table, L.HASH_TABLE_BYTES, name)
    const capacity = this.word(table + L.HASH_CAPACITY)
    const first = this.word(table + L.HASH_ENTRIES)
    if (capacity > 0) this.ledger.claim(first, capacity * L.HASH_ENTRY_BYTES, `the entries of ${name}`)
    if ((capacity & (capacity - 1)) !== 0) fail(`${name} has a capacity of ${capacity}, no power of two`)
    const entries: [number, number, number][] = []
    for (let i = 0; i < capacity; i++) {
      const entry = first + i * L.HASH_ENTRY_BYTES
      const stored = this.word(entry + 8)
      if (stored !== 0) entries.push([this.word(entry), this.word(entry + 4), stored - 1])
    }
    const count = this.word(table + L.HASH_COUNT)
    if (entries.length !== count) fail(`${name} counts ${count} entries and holds ${entries.length}`)
    if (count * 2 > capacity) fail(`${name} is more than half full`)
    return entries
  }

  /** Each of the numbers below `count` must be a value once: whatever is filed can be found again. */
  private checkFiled(table: number, count: number, name: string): void {
    const values = this.hashed(table, name).map(([, , value]) => value)
    if (values.length !== count) fail(`${name} files ${values.length} of ${count}`)
    values
      .sort((a, b) => a - b)
      .forEach((value, i) => {
        if (value !== i) fail(`${name} does not file number ${i} once`)
      })
  }

  // ── entities ─────────────────────────────────────────────────────────────────────────────────────────────

  private handleOf(index: number): number {
    return this.word(this.records + index * L.RECORD_BYTES + L.RECORD_HANDLE)
  }

  private locationOf(index: number): number {
    return this.word(this.records + index * L.RECORD_BYTES + L.RECORD_LOCATION)
  }

  private checkEntities(): void {
    const capacity = this.word(L.ENTITIES_CAPACITY)
    const limit = this.word(L.ENTITIES_LIMIT)
    if (this.fresh > capacity) fail(`the fresh index ${this.fresh} is beyond the ${capacity} records`)
    if (this.fresh > limit) fail(`the fresh index ${this.fresh} is beyond the limit ${limit}`)
    const alive = this.countLiving()
    if (alive !== this.word(L.ENTITIES_ALIVE)) {
      fail(`${this.word(L.ENTITIES_ALIVE)} entities are said to be alive and ${alive} are`)
    }
    this.walkQueue(FREE, L.ENTITIES_FREE_FIRST, L.ENTITIES_FREE_LAST, L.ENTITIES_FREE_COUNT, 'free queue')
    this.walkQueue(
      RETIRED,
      L.ENTITIES_RETIRED_FIRST,
      L.ENTITIES_RETIRED_LAST,
      L.ENTITIES_RETIRED_COUNT,
      'retired queue',
    )
    for (let index = L.FIRST_ENTITY_INDEX; index < this.fresh; index++) {
      if (this.kinds[index] === 0) fail(`index ${index} is neither alive nor in a queue`)
    }
    if (this.depth !== 'all') return
    this.checkUnusedRecords(capacity)
    this.checkBirths()
  }

  /** Every living entity was born before the next one will be, and no two at once. */
  private checkBirths(): void {
    const births = this.word(L.ENTITIES_BIRTHS)
    const next = this.word(L.ENTITIES_NEXT_BIRTH)
    const seen = new Set<number>()
    for (let index = L.FIRST_ENTITY_INDEX; index < this.fresh; index++) {
      if (this.kinds[index] !== ALIVE) continue
      const birth = this.word(births + index * 4)
      if (birth >= next) fail(`index ${index} has birth ${birth}, and the next one is ${next}`)
      if (seen.has(birth)) fail(`index ${index} has birth ${birth}, like another one`)
      seen.add(birth)
    }
  }

  private countLiving(): number {
    let alive = 0
    for (let index = L.FIRST_ENTITY_INDEX; index < this.fresh; index++) {
      const own = this.handleOf(index) & INDEX_MASK
      if (own === index) {
        this.kinds[index] = ALIVE
        alive++
      } else if (own !== INDEX_MASK) fail(`the record of index ${index} holds a handle of index ${own}`)
    }
    return alive
  }

  private walkQueue(kind: number, firstAt: number, lastAt: number, countAt: number, name: string): void {
    const count = this.word(countAt)
    let index = this.word(firstAt)
    for (let i = 0; i < count; i++) {
      if (index < L.FIRST_ENTITY_INDEX || index >= this.fresh)
        fail(`the ${name} names the index ${index}, never given out`)
      if (this.kinds[index] === ALIVE) fail(`the ${name} names the living index ${index}`)
      if (this.kinds[index] !== 0) fail(`index ${index} is queued twice, the second time in the ${name}`)
      // A retired index starts over with generation 0; a free one never had its generations used up.
      if ((this.handleOf(index) >>> L.ENTITY_INDEX_BITS === 0) !== (kind === RETIRED)) {
        fail(
          `index ${index} is in the ${name} with generation ${this.handleOf(index) >>> L.ENTITY_INDEX_BITS}`,
        )
      }
      this.kinds[index] = kind
      if (i === count - 1 && index !== this.word(lastAt))
        fail(`the ${name} ends with index ${index}, not with its last`)
      index = this.locationOf(index)
    }
  }

  private checkUnusedRecords(capacity: number): void {
    const last = Math.min(capacity, INDEX_MASK)
    for (let index = this.fresh; index < last; index++) {
      if (this.handleOf(index) !== INDEX_MASK)
        fail(`the record of index ${index}, never given out, is not dead`)
    }
    if (this.handleOf(0) !== INDEX_MASK) fail('the record of index 0 is not dead')
    if (capacity > INDEX_MASK && this.handleOf(INDEX_MASK) !== 0)
      fail('the record of the last index reads like a handle')
  }

  /** Rows were found to point at their records; the other way round it is enough to look at each location. */
  private checkRecordsPointAtRows(): void {
    for (let index = L.FIRST_ENTITY_INDEX; index < this.fresh; index++) {
      if (this.kinds[index] !== ALIVE) continue
      const location = this.locationOf(index)
      const chunkId = location >>> L.ROW_BITS
      if (location === 0) {
        // A reserved entity: it has no row yet, in no table. Those in an archetype were found to be named by it.
        const heads = this.word(L.ENTITIES_SPARSE_HEADS)
        if (heads !== 0 && this.u16[(heads >>> 1) + index] !== 0)
          fail(`the living index ${index} has sparse components and no row`)
        continue
      }
      if (chunkId >= this.chunkSeen.length || this.chunkSeen[chunkId] !== 1) {
        fail(`the living index ${index} points at chunk ${chunkId}, which no archetype has`)
      }
      const chunk = this.chunkAt(chunkId)
      const row = location & ROW_MASK
      if (row >= this.word(chunk + L.CHUNK_ROWS))
        fail(`the living index ${index} points behind the rows of chunk ${chunkId}`)
      if (this.word(this.word(chunk + L.CHUNK_DATA) + row * 4) !== this.handleOf(index)) {
        fail(`the living index ${index} points at a row of another entity`)
      }
    }
  }

  // ── chunks and tables ────────────────────────────────────────────────────────────────────────────────────

  private chunkAt(id: number): number {
    return this.word(L.CHUNKS_TABLE) + id * L.CHUNK_RECORD_BYTES
  }

  /** Checks a table's chunks; calls back for each one with its id and descriptor. */
  private checkTable(table: TableWalk, visit: (id: number, chunk: number) => void): void {
    const { address, name, owner } = table
    const ids = this.listed(this.word(address + L.TABLE_CHUNKS), `the chunk list of ${name}`)
    const layout = this.word(address + L.TABLE_LAYOUT)
    if (this.word(address + L.TABLE_OWNER) !== owner)
      fail(`${name} says its owner is ${this.word(address + L.TABLE_OWNER)}`)
    let rows = 0
    ids.forEach((id, position) => {
      if (id === 0 || id >= this.chunkSeen.length) fail(`${name} has the chunk ${id}, never given out`)
      if (this.chunkSeen[id] !== 0) fail(`chunk ${id} is in two tables, one of them ${name}`)
      this.chunkSeen[id] = table.isPool ? 2 : 1
      this.chunksSeen++
      const chunk = this.chunkAt(id)
      this.checkChunk(table, layout, id, chunk)
      const count = this.word(chunk + L.CHUNK_ROWS)
      if (position < ids.length - 1 && count !== this.word(chunk + L.CHUNK_CAPACITY)) {
        fail(`chunk ${id} of ${name} is not the last one and not full`)
      }
      if (count === 0 && !this.locked) fail(`${name} keeps the empty chunk ${id}`)
      rows += count
      visit(id, chunk)
    })
    if (rows !== this.word(address + L.TABLE_ROWS)) {
      fail(`${name} counts ${this.word(address + L.TABLE_ROWS)} rows and its chunks hold ${rows}`)
    }
    if (rows === 0 && ids.length > 0) fail(`${name} has no rows and ${ids.length} chunks`)
    if (this.word(address + L.TABLE_TAIL_ID) !== (ids[ids.length - 1] ?? 0))
      fail(`the tail of ${name} is not its last chunk`)
  }

  private checkChunk(table: TableWalk, layout: number, id: number, chunk: number): void {
    const where = `chunk ${id} of ${table.name}`
    const full = this.word(chunk + L.CHUNK_LAYOUT_KEY) & L.FULL_CHUNK
    const bytes = full ? L.CHUNK_BYTES : L.SMALL_CHUNK_BYTES
    const key = this.word(layout + L.LAYOUT_ID) * 2 + full
    if (this.word(chunk + L.CHUNK_LAYOUT_KEY) !== key)
      fail(`${where} has the layout key ${this.word(chunk + L.CHUNK_LAYOUT_KEY)}, not ${key}`)
    const capacity = this.word(layout + (full ? L.LAYOUT_FULL_CAPACITY : L.LAYOUT_SMALL_CAPACITY))
    if (this.word(chunk + L.CHUNK_CAPACITY) !== capacity)
      fail(`${where} has another capacity than its layout`)
    if (this.word(chunk + L.CHUNK_ROWS) > capacity) fail(`${where} holds more rows than its capacity`)
    if (this.word(chunk + L.CHUNK_OWNER) !== table.owner)
      fail(`${where} names the owner ${this.word(chunk + L.CHUNK_OWNER)}`)
    if (this.word(chunk + L.CHUNK_TABLE) !== table.address) fail(`${where} points at another table`)
    if (!table.isPool && this.word(chunk + L.CHUNK_HOLES) !== 0)
      fail(`${where} counts holes, which only a stable pool has`)
    const wideBytes = this.word(layout + L.LAYOUT_WIDE_BYTES)
    if (wideBytes === 0) this.ledger.claim(this.word(chunk + L.CHUNK_DATA), bytes, 'a chunk', true)
    else this.ledger.claimPart(this.word(chunk + L.CHUNK_DATA), wideBytes, 'a wide chunk')
    this.checkTicks(layout, where, chunk, bytes)
  }

  /** No tick of a chunk with rows lies in the future, and none is later than the descriptor's summary says. */
  private checkTicks(layout: number, where: string, chunk: number, bytes: number): void {
    if (this.word(chunk + L.CHUNK_ROWS) === 0) return
    const now = this.word(L.WORLD_TICK)
    const summary = this.word(chunk + L.CHUNK_CHANGED)
    const data = this.word(chunk + L.CHUNK_DATA)
    if (((now - summary) | 0) < 0) fail(`${where} changed in tick ${summary}, after the present one, ${now}`)
    for (let i = 0; i < this.word(layout + L.LAYOUT_COMPONENT_COUNT); i++) {
      const ticks = data + bytes - (i + 1) * L.CHUNK_TICKS_BYTES
      const changed = this.word(ticks + L.CHUNK_TICKS_CHANGED)
      const added = this.word(ticks + L.CHUNK_TICKS_ADDED)
      if (((summary - changed) | 0) < 0)
        fail(`component ${i} of ${where} changed in tick ${changed}, after the chunk, ${summary}`)
      if (((changed - added) | 0) < 0)
        fail(`component ${i} of ${where} was added in tick ${added}, after its last change, ${changed}`)
      if (this.depth === 'all') this.checkRowTicks(layout, i, where, chunk, { changed, added })
    }
  }

  /** No row that is tracked changed, or came, later than its chunk says. */
  private checkRowTicks(
    layout: number,
    i: number,
    where: string,
    chunk: number,
    { changed, added }: { changed: number; added: number },
  ): void {
    const entry = this.word(layout + L.LAYOUT_COMPONENTS) + i * L.LAYOUT_COMPONENT_BYTES
    const tickColumn = this.word(entry + L.LAYOUT_COMPONENT_TICK_COLUMN)
    if (tickColumn === L.NOT_TRACKED) return
    const full = (this.word(chunk + L.CHUNK_LAYOUT_KEY) & L.FULL_CHUNK) !== 0
    const data = this.word(chunk + L.CHUNK_DATA)
    const ticksOf = (k: number) => {
      const column = this.word(layout + L.LAYOUT_COLUMNS) + (tickColumn + k) * L.COLUMN_BYTES
      if (this.word(column + L.COLUMN_KIND) !== L.COLUMN_TICK)
        fail(`column ${tickColumn + k} of ${where} should hold ticks`)
      return data + this.word(column + (full ? L.COLUMN_FULL_OFFSET : L.COLUMN_SMALL_OFFSET))
    }
    const [changes, addings] = [ticksOf(0), ticksOf(1)]
    for (let row = 0; row < this.word(chunk + L.CHUNK_ROWS); row++) {
      const rowChanged = this.word(changes + row * 4)
      const rowAdded = this.word(addings + row * 4)
      if (((changed - rowChanged) | 0) < 0)
        fail(
          `row ${row} of component ${i} of ${where} changed in tick ${rowChanged}, its chunk in ${changed}`,
        )
      if (((added - rowAdded) | 0) < 0)
        fail(`row ${row} of component ${i} of ${where} was added in tick ${rowAdded}, its chunk in ${added}`)
      if (((rowChanged - rowAdded) | 0) < 0)
        fail(
          `row ${row} of component ${i} of ${where} was added in tick ${rowAdded}, changed in ${rowChanged}`,
        )
    }
  }

  private checkChunkDirectory(): void {
    const fresh = this.word(L.CHUNKS_FRESH)
    if (fresh > this.word(L.CHUNKS_CAPACITY))
      fail('the chunk directory has given out more ids than it has room for')
    if (this.word(L.CHUNKS_COUNT) !== this.chunksSeen) {
      fail(
        `the chunk directory counts ${this.word(L.CHUNKS_COUNT)} chunks and the tables have ${this.chunksSeen}`,
      )
    }
    let id = this.word(L.CHUNKS_FREE_FIRST)
    let free = 0
    for (; id !== 0; free++) {
      if (id >= fresh) fail(`the free chunk id ${id} was never given out`)
      if (this.chunkSeen[id] !== 0)
        fail(`chunk ${id} is free and ${this.chunkSeen[id] === 3 ? 'free again' : 'in a table'}`)
      if (this.word(this.chunkAt(id) + L.CHUNK_CAPACITY) !== 0)
        fail(`the free chunk id ${id} says it has room`)
      this.chunkSeen[id] = 3
      id = this.word(this.chunkAt(id) + L.CHUNK_DATA)
    }
    if (free !== this.word(L.CHUNKS_FREE_COUNT))
      fail(`the chunk directory counts ${this.word(L.CHUNKS_FREE_COUNT)} free ids and lists ${free}`)
    if (free + this.chunksSeen !== fresh - 1)
      fail(`a chunk is lost: ${fresh - 1} ids were given out, ${this.chunksSeen} are in use, ${free} free`)
  }

  // ── layouts and components ───────────────────────────────────────────────────────────────────────────────

  private layouts: number[] = []

  private checkLayouts(): void {
    const layouts = this.listed(this.word(L.LAYOUTS_ALL), 'the list of layouts')
    this.layouts = layouts
    layouts.forEach((layout, id) => {
      this.ledger.claim(layout, L.LAYOUT_RECORD_BYTES, 'a layout')
      if (this.word(layout + L.LAYOUT_ID) !== id)
        fail(`layout ${id} says it is ${this.word(layout + L.LAYOUT_ID)}`)
      const components = this.word(layout + L.LAYOUT_COMPONENT_COUNT)
      const columns = this.word(layout + L.LAYOUT_COLUMN_COUNT)
      this.ledger.claim(
        this.word(layout + L.LAYOUT_COMPONENTS),
        components * L.LAYOUT_COMPONENT_BYTES,
        'the components of a layout',
      )
      this.ledger.claim(
        this.word(layout + L.LAYOUT_COLUMNS),
        columns * L.COLUMN_BYTES,
        'the columns of a layout',
      )
      this.checkLayoutCounts(layout, id)
      if (this.word(layout + L.LAYOUT_WIDE_BYTES) !== 0) {
        this.checkWide(layout, id)
        return
      }
      this.checkColumns(layout, id, L.COLUMN_SMALL_OFFSET, L.LAYOUT_SMALL_CAPACITY, L.SMALL_CHUNK_BYTES)
      this.checkColumns(layout, id, L.COLUMN_FULL_OFFSET, L.LAYOUT_FULL_CAPACITY, L.CHUNK_BYTES)
    })
    this.hashed(this.word(L.LAYOUTS_BY_COMPONENTS), 'the table of layouts')
  }

  /** The numbers by which copies of rows find out that there is nothing to do. */
  private checkLayoutCounts(layout: number, id: number): void {
    const components = this.word(layout + L.LAYOUT_COMPONENTS)
    let toggles = 0
    let tracked = 0
    for (let i = 0; i < this.word(layout + L.LAYOUT_COMPONENT_COUNT); i++) {
      const entry = components + i * L.LAYOUT_COMPONENT_BYTES
      if (this.canToggle(this.word(entry + L.LAYOUT_COMPONENT_ID))) toggles++
      if (this.word(entry + L.LAYOUT_COMPONENT_TICK_COLUMN) !== L.NOT_TRACKED) tracked++
    }
    if (toggles !== this.word(layout + L.LAYOUT_TOGGLE_COUNT))
      fail(`layout ${id} counts ${this.word(layout + L.LAYOUT_TOGGLE_COUNT)} toggles and has ${toggles}`)
    if (tracked !== this.word(layout + L.LAYOUT_TRACKED_COUNT))
      fail(
        `layout ${id} counts ${this.word(layout + L.LAYOUT_TRACKED_COUNT)} tracked components and has ${tracked}`,
      )
  }

  /** Columns follow each other without overlap, aligned, and end before the change ticks. */
  private checkColumns(
    layout: number,
    id: number,
    offsetField: number,
    capacityField: number,
    bytes: number,
  ): void {
    const capacity = this.word(layout + capacityField)
    if (capacity === 0) return
    const columns = this.word(layout + L.LAYOUT_COLUMNS)
    let end = capacity * 4
    for (let i = 0; i < this.word(layout + L.LAYOUT_COLUMN_COUNT); i++) {
      const column = columns + i * L.COLUMN_BYTES
      const offset = this.word(column + offsetField)
      if (offset % COLUMN_ALIGNMENT !== 0)
        fail(`column ${i} of layout ${id} begins at ${offset}, not aligned to 16`)
      if (offset < end) fail(`column ${i} of layout ${id} begins inside the one before it`)
      end = offset + capacity * this.word(column + L.COLUMN_WIDTH)
    }
    const components = this.word(layout + L.LAYOUT_COMPONENTS)
    const toggleField =
      offsetField === L.COLUMN_FULL_OFFSET ? L.LAYOUT_COMPONENT_FULL_TOGGLE : L.LAYOUT_COMPONENT_SMALL_TOGGLE
    for (let i = 0; i < this.word(layout + L.LAYOUT_COMPONENT_COUNT); i++) {
      const entry = components + i * L.LAYOUT_COMPONENT_BYTES
      const offset = this.word(entry + toggleField)
      if ((offset !== 0) !== this.canToggle(this.word(entry + L.LAYOUT_COMPONENT_ID)))
        fail(`component ${i} of layout ${id} has toggle bits at ${offset} against its declaration`)
      if (offset === 0) continue
      if (offset % COLUMN_ALIGNMENT !== 0 || offset < end)
        fail(`the toggle bits of component ${i} of layout ${id} begin at ${offset}`)
      end = offset + Math.ceil(capacity / 8)
    }
    if (end > bytes - this.word(layout + L.LAYOUT_COMPONENT_COUNT) * L.CHUNK_TICKS_BYTES)
      fail(`the columns of layout ${id} reach into its change ticks`)
  }

  /** One row of a resource: its columns follow each other behind a small chunk, to the last KiB of the wide one. */
  private checkWide(layout: number, id: number): void {
    const name = `the wide layout ${id}`
    const bytes = this.word(layout + L.LAYOUT_WIDE_BYTES)
    const component = this.word(this.word(layout + L.LAYOUT_COMPONENTS) + L.LAYOUT_COMPONENT_ID)
    if (
      this.word(layout + L.LAYOUT_COMPONENT_COUNT) !== 1 ||
      this.storageOf(component) !== L.STORAGE_RESOURCE
    )
      fail(`${name} is not of a resource`)
    if (this.word(layout + L.LAYOUT_SMALL_CAPACITY) !== 1 || this.word(layout + L.LAYOUT_FULL_CAPACITY) !== 0)
      fail(`${name} has room for something else than one row`)
    let end = L.SMALL_CHUNK_BYTES
    for (let i = 0; i < this.word(layout + L.LAYOUT_COLUMN_COUNT); i++) {
      const column = this.word(layout + L.LAYOUT_COLUMNS) + i * L.COLUMN_BYTES
      const offset = this.word(column + L.COLUMN_SMALL_OFFSET)
      if (offset % COLUMN_ALIGNMENT !== 0 || offset < end) fail(`column ${i} of ${name} begins at ${offset}`)
      end = offset + this.word(column + L.COLUMN_WIDTH)
    }
    if (bytes !== Math.ceil(end / KIB) * KIB) fail(`${name} ends at ${end}, and its chunk has ${bytes} bytes`)
    if (bytes <= L.CHUNK_BYTES || bytes > L.MAX_BLOCK_BYTES) fail(`${name} has ${bytes} bytes`)
  }

  private componentAt(id: number): number {
    return this.word(L.COMPONENTS_RECORDS) + id * L.COMPONENT_BYTES
  }

  private storageOf(id: number): number {
    return this.word(this.componentAt(id) + L.COMPONENT_STORAGE)
  }

  private isPooled(id: number): boolean {
    return this.storageOf(id) === L.STORAGE_SPARSE || this.storageOf(id) === L.STORAGE_STABLE
  }

  private canToggle(id: number): boolean {
    return (this.word(this.componentAt(id) + L.COMPONENT_FLAGS) & L.FLAG_TOGGLE) !== 0
  }

  /** Whether it has columns besides those with change ticks. */
  private hasFields(id: number): boolean {
    const shapes = this.word(this.componentAt(id) + L.COMPONENT_COLUMNS)
    const count = this.word(this.componentAt(id) + L.COMPONENT_COLUMN_COUNT)
    for (let i = 0; i < count; i++)
      if (this.word(shapes + i * L.SHAPE_BYTES + L.SHAPE_KIND) !== L.COLUMN_TICK) return true
    return false
  }

  private checkComponents(): void {
    for (let id = 0; id < this.componentCount; id++) {
      const component = this.componentAt(id)
      this.claimShapes(component)
      this.ledger.claim(
        this.word(component + L.COMPONENT_TEXT),
        this.word(component + L.COMPONENT_TEXT_BYTES),
        'the text of a component',
      )
      const hasTable = this.isPooled(id) || this.storageOf(id) === L.STORAGE_RESOURCE
      if (hasTable !== (this.word(component + L.COMPONENT_POOL) !== 0))
        fail(`component ${id} has a pool although it is not sparse, or none`)
      this.checkArchetypesOf(id, component)
    }
  }

  private claimShapes(component: number): void {
    const count = this.word(component + L.COMPONENT_COLUMN_COUNT)
    if (count === 0) return
    const shapes = this.word(component + L.COMPONENT_COLUMNS)
    this.ledger.claim(shapes, count * L.SHAPE_BYTES, 'the columns of a component')
    for (let i = 0; i < count; i++) {
      const bytes = this.word(shapes + i * L.SHAPE_BYTES + L.SHAPE_DEFAULT_BYTES)
      if (bytes !== 0)
        this.ledger.claim(
          bytes,
          this.word(shapes + i * L.SHAPE_BYTES + L.SHAPE_WIDTH),
          'the default of a column',
        )
    }
  }

  /** The component's list must be exactly the archetypes whose signature names it. */
  private checkArchetypesOf(id: number, component: number): void {
    const ids = this.listed(
      this.word(component + L.COMPONENT_ARCHETYPES),
      `the archetype list of component ${id}`,
    )
    let previous = -1
    for (const archetype of ids) {
      if (archetype <= previous) fail(`the archetype list of component ${id} is not ascending`)
      previous = archetype
      if (archetype >= this.archetypes.length || !this.hasComponent(archetype, id)) {
        fail(`component ${id} lists archetype ${archetype}, which does not have it`)
      }
    }
    this.listings += ids.length
  }

  private listings = 0

  // ── archetypes ───────────────────────────────────────────────────────────────────────────────────────────

  private addressOf(archetype: number): number {
    return this.archetypes[archetype] as number
  }

  private signatureOf(archetype: number): number[] {
    const address = this.addressOf(archetype)
    const first = this.word(address + L.ARCHETYPE_SIGNATURE)
    const count = this.word(address + L.ARCHETYPE_SIGNATURE_COUNT)
    const ids: number[] = []
    for (let i = 0; i < count; i++) ids.push(this.word(first + i * 4))
    return ids
  }

  private hasComponent(archetype: number, component: number): boolean {
    const address = this.addressOf(archetype)
    const first = this.word(address + L.ARCHETYPE_SIGNATURE) >>> 2
    const count = this.word(address + L.ARCHETYPE_SIGNATURE_COUNT)
    for (let i = 0; i < count; i++) if (this.u32[first + i] === component) return true
    return false
  }

  private checkArchetypes(): void {
    const signatures = new Map<string, number>()
    let named = 0
    this.archetypes.forEach((address, id) => {
      const name = `archetype ${id}`
      this.ledger.claim(address, L.ARCHETYPE_BYTES, name)
      const signature = this.signatureOf(id)
      this.ledger.claim(
        this.word(address + L.ARCHETYPE_SIGNATURE),
        Math.max(signature.length, 1) * 4,
        `the signature of ${name}`,
      )
      this.checkSignature(signature, name)
      named += signature.length
      const key = signature.join()
      if (signatures.has(key)) fail(`archetypes ${signatures.get(key)} and ${id} have the same signature`)
      signatures.set(key, id)
      this.checkArchetypeRows({ address, owner: id, name, isPool: false })
      this.checkArchetypeState(address, name)
    })
    if (this.listings !== named) fail('a component does not list all archetypes that have it')
    this.checkFiled(this.word(L.ARCHETYPES_BY_SIGNATURE), this.archetypes.length, 'the table of archetypes')
  }

  private checkSignature(signature: number[], name: string): void {
    signature.forEach((id, i) => {
      if (id >= this.componentCount) fail(`${name} has the component ${id}, never registered`)
      if (this.isPooled(id)) fail(`${name} has the sparse component ${id} in its signature`)
      if (this.storageOf(id) === L.STORAGE_RESOURCE) fail(`${name} has the resource ${id} in its signature`)
      if (i > 0 && id <= (signature[i - 1] as number)) fail(`the signature of ${name} is not ascending`)
    })
  }

  private checkArchetypeRows(table: TableWalk): void {
    this.checkTable(table, (id, chunk) => {
      if (this.depth !== 'all') return
      const data = this.word(chunk + L.CHUNK_DATA)
      const rows = this.word(chunk + L.CHUNK_ROWS)
      for (let row = 0; row < rows; row++) {
        const entity = this.word(data + row * 4)
        const index = entity & INDEX_MASK
        if (index >= this.fresh || this.handleOf(index) !== entity)
          fail(`row ${row} of chunk ${id} holds the dead handle ${entity}`)
        if (this.locationOf(index) !== id * 2 ** L.ROW_BITS + row)
          fail(`the entity in row ${row} of chunk ${id} has its record point elsewhere`)
      }
    })
  }

  private checkArchetypeState(address: number, name: string): void {
    const active = this.word(address + L.ARCHETYPE_ACTIVE) !== 0
    if (active !== (this.word(address + L.TABLE_ROWS) !== 0))
      fail(`${name} is ${active ? '' : 'not '}marked active`)
    if (
      this.word(address + L.ARCHETYPE_INCOMING_ROWS) !== 0 ||
      this.word(address + L.ARCHETYPE_INCOMING_CHUNKS) !== 0
    ) {
      fail(`${name} still expects rows of a bulk change that is over`)
    }
  }

  // ── sparse sets ──────────────────────────────────────────────────────────────────────────────────────────

  private checkPools(): void {
    const heads = this.word(L.ENTITIES_SPARSE_HEADS)
    if (heads !== 0) this.ledger.claim(heads, this.word(L.ENTITIES_CAPACITY) * 2, 'the sparse heads')
    this.ledger.claim(this.word(L.ENTITIES_BIRTHS), this.word(L.ENTITIES_CAPACITY) * 4, 'the births')
    let members = 0
    for (let id = 0; id < this.componentCount; id++) {
      const pool = this.word(this.componentAt(id) + L.COMPONENT_POOL)
      if (!this.isPooled(id)) continue
      if (heads === 0) fail(`component ${id} has a pool and no entity has a sparse head`)
      this.ledger.claim(pool, L.POOL_BYTES, 'a pool')
      if ((this.word(pool + L.POOL_STABLE) !== 0) !== (this.storageOf(id) === L.STORAGE_STABLE))
        fail(`the pool of component ${id} has the wrong deletion policy`)
      members += this.checkPool(id, pool)
    }
    if (this.depth === 'all' && heads !== 0) this.checkChains(heads, members)
    this.checkGroups()
    this.checkOrders()
  }

  // ── ordered tags ─────────────────────────────────────────────────────────────────────────────────────────

  private checkOrders(): void {
    for (let id = 0; id < this.componentCount; id++) {
      const component = this.componentAt(id)
      const pool = this.word(component + L.COMPONENT_POOL)
      if (!this.isPooled(id)) continue
      const list = this.word(pool + L.POOL_ORDER)
      const flags = this.word(component + L.COMPONENT_FLAGS) & (L.ORDER_ENTITY | L.ORDER_INSERTION)
      const name = `the order of component ${id}`
      if ((list !== 0) !== (flags !== 0))
        fail(`${name} is ${list === 0 ? 'missing' : 'there'} against its flags`)
      if (list === 0) continue
      const byInsertion = this.word(list + L.ORDER_LIST_BY_INSERTION) !== 0
      if (byInsertion !== (flags === L.ORDER_INSERTION)) fail(`${name} is of the wrong kind`)
      this.checkOrder(pool, list, byInsertion, name)
    }
  }

  private checkOrder(pool: number, list: number, byInsertion: boolean, name: string): void {
    const rows = this.word(pool + L.TABLE_ROWS)
    const count = this.word(list + L.LIST_COUNT)
    const capacity = this.word(list + L.LIST_CAPACITY)
    this.ledger.claim(list, L.ORDER_LIST_BYTES, name)
    if (capacity > 0)
      this.ledger.claim(this.word(list + L.LIST_ITEMS), capacity * 4, `the entries of ${name}`)
    if (rows > capacity || count > capacity) fail(`${name} has room for ${capacity} of ${rows} entities`)
    if (rows === 0 && count > 0) fail(`${name} names ${count} entities of an empty pool`)
    if (this.word(list + L.ORDER_LIST_UNSORTED) !== 0) {
      if (byInsertion) fail(`${name} is marked unsorted`)
      return
    }
    if (count - this.word(list + L.ORDER_LIST_STALE) !== rows) fail(`${name} counts its stale entries wrong`)
    if (this.depth === 'all') this.checkEntries(pool, list, byInsertion, name)
  }

  private checkEntries(pool: number, list: number, byInsertion: boolean, name: string): void {
    let living = 0
    let previous = -1
    this.numbersAt(this.word(list + L.LIST_ITEMS), this.word(list + L.LIST_COUNT)).forEach((index, place) => {
      if (!byInsertion && index <= previous) fail(`${name} is not ascending at place ${place}`)
      previous = index
      const location = this.findRow(pool, index)
      if (location === 0) return
      if (!byInsertion || this.word(this.hiddenAddress(pool, location, 1)) === place) living++
    })
    if (living !== this.word(pool + L.TABLE_ROWS)) fail(`${name} names ${living} entities of its pool`)
  }

  // ── groups ───────────────────────────────────────────────────────────────────────────────────────────────

  private checkGroups(): void {
    const groups = new Map<number, number[]>()
    for (let id = 0; id < this.componentCount; id++) {
      const pool = this.word(this.componentAt(id) + L.COMPONENT_POOL)
      const group = this.isPooled(id) ? this.word(pool + L.POOL_GROUP) : 0
      if (group !== 0) groups.set(group, [...(groups.get(group) ?? []), id])
    }
    for (const [group, ids] of groups) {
      const name = `the group of components ${ids.join()}`
      const count = this.word(group + L.GROUP_COUNT)
      const components = this.word(group + L.GROUP_COMPONENTS)
      this.ledger.claim(group, L.GROUP_BYTES, name)
      this.ledger.claim(components, count * 4, `the ids of ${name}`)
      if (this.numbersAt(components, count).join() !== ids.join()) fail(`${name} names other components`)
      if (this.depth === 'all') this.checkGroupOrder(group, ids, name)
    }
  }

  /** The first rows hold the same entities in all pools, and no other entity is in all of them. */
  private checkGroupOrder(group: number, ids: number[], name: string): void {
    const rows = ids.map((id) => this.poolEntities(this.word(this.componentAt(id) + L.COMPONENT_POOL)))
    const sets = rows.map((entities) => new Set(entities))
    const common = (rows[0] as number[]).filter((entity) => sets.every((set) => set.has(entity)))
    const size = this.word(group + L.GROUP_SIZE)
    if (common.length !== size)
      fail(`${name} has the size ${size} and ${common.length} entities in all pools`)
    for (let place = 0; place < size; place++) {
      if (rows.some((entities) => entities[place] !== common[place]))
        fail(`${name} has different entities at place ${place}`)
    }
  }

  /** The entities of a pool's rows, in their order. */
  private poolEntities(pool: number): number[] {
    const list = this.word(pool + L.TABLE_CHUNKS)
    const ids = this.numbersAt(this.word(list + L.LIST_ITEMS), this.word(list + L.LIST_COUNT))
    return ids.flatMap((id) => {
      const chunk = this.chunkAt(id)
      return this.numbersAt(this.word(chunk + L.CHUNK_DATA), this.word(chunk + L.CHUNK_ROWS))
    })
  }

  /** Checks one pool; how many entities it holds. */
  private checkPool(id: number, pool: number): number {
    const name = `the pool of component ${id}`
    const holes = this.word(pool + L.POOL_HOLE_COUNT)
    let holesInChunks = 0
    let rows = 0
    this.checkTable({ address: pool, owner: id, name, isPool: true }, (chunkId, chunk) => {
      rows += this.word(chunk + L.CHUNK_ROWS)
      holesInChunks += this.word(chunk + L.CHUNK_HOLES)
      if (this.depth === 'all') this.checkPoolRows(id, pool, chunkId, chunk)
    })
    if (holes !== holesInChunks) fail(`${name} counts ${holes} holes and its chunks ${holesInChunks}`)
    if (holes > 0 && this.word(pool + L.POOL_STABLE) === 0) fail(`${name} has holes and is not stable`)
    if (holes > 0 && holes === rows) fail(`${name} keeps chunks with nothing but holes`)
    this.checkHoles(pool, name)
    const listed = this.checkPages(id, pool, name)
    if (listed !== rows - holes)
      fail(`the pages of component ${id} name ${listed} rows and its chunks hold ${rows - holes}`)
    return rows - holes
  }

  private checkPoolRows(id: number, pool: number, chunkId: number, chunk: number): void {
    const data = this.word(chunk + L.CHUNK_DATA)
    const rows = this.word(chunk + L.CHUNK_ROWS)
    let holes = 0
    for (let row = 0; row < rows; row++) {
      const entity = this.word(data + row * 4)
      const where = `row ${row} of chunk ${chunkId} of component ${id}`
      if (entity === NULL_ENTITY) {
        holes++
        continue
      }
      const index = entity & INDEX_MASK
      if (index >= this.fresh || this.handleOf(index) !== entity)
        fail(`${where} holds the dead handle ${entity}`)
      if (this.findRow(pool, index) !== chunkId * 2 ** L.ROW_BITS + row)
        fail(`the page of component ${id} sends index ${index} elsewhere than to ${where}`)
    }
    if (holes !== this.word(chunk + L.CHUNK_HOLES))
      fail(
        `chunk ${chunkId} of component ${id} counts ${this.word(chunk + L.CHUNK_HOLES)} holes and has ${holes}`,
      )
  }

  /** Walks the queue of holes: each is a row without an entity, named once, of this pool. */
  private checkHoles(pool: number, name: string): void {
    const count = this.word(pool + L.POOL_HOLE_COUNT)
    const seen = new Set<number>()
    let location = this.word(pool + L.POOL_HOLE_FIRST)
    for (let i = 0; i < count; i++) {
      const chunkId = location >>> L.ROW_BITS
      if (location === 0 || chunkId >= this.chunkSeen.length)
        fail(`${name} queues the hole ${location}, which is nowhere`)
      if (seen.has(location)) fail(`${name} queues the hole ${location} twice`)
      seen.add(location)
      const chunk = this.chunkAt(chunkId)
      if (
        this.chunkSeen[chunkId] !== 2 ||
        this.word(chunk + L.CHUNK_OWNER) !== this.word(pool + L.TABLE_OWNER)
      )
        fail(`${name} queues a hole in chunk ${chunkId} of another table`)
      if (this.word(this.word(chunk + L.CHUNK_DATA) + (location & ROW_MASK) * 4) !== NULL_ENTITY)
        fail(`${name} queues the row ${location} as a hole, and an entity is in it`)
      if (i === count - 1 && location !== this.word(pool + L.POOL_HOLE_LAST))
        fail(`the queue of holes of ${name} does not end with its last`)
      location = this.word(this.linkAddress(pool, location))
    }
  }

  /** Address of the link of a pool's row: column 0. */
  private linkAddress(pool: number, location: number): number {
    return this.hiddenAddress(pool, location, 0)
  }

  /** Address of a 4-byte value of a pool's row that is not the component's. */
  private hiddenAddress(pool: number, location: number, place: number): number {
    const chunk = this.chunkAt(location >>> L.ROW_BITS)
    const column = this.word(this.word(pool + L.TABLE_LAYOUT) + L.LAYOUT_COLUMNS) + place * L.COLUMN_BYTES
    const full = (this.word(chunk + L.CHUNK_LAYOUT_KEY) & L.FULL_CHUNK) !== 0
    const offset = this.word(column + (full ? L.COLUMN_FULL_OFFSET : L.COLUMN_SMALL_OFFSET))
    return this.word(chunk + L.CHUNK_DATA) + offset + (location & ROW_MASK) * 4
  }

  /** Checks each page's count; how many rows all pages name. */
  private checkPages(id: number, pool: number, name: string): number {
    const capacity = this.word(pool + L.POOL_PAGE_CAPACITY)
    const pages = this.word(pool + L.POOL_PAGES)
    if (capacity > 0) this.ledger.claim(pages, capacity * L.PAGE_RECORD_BYTES, 'a page directory')
    let total = 0
    for (let page = 0; page < capacity; page++) {
      const locations = this.word(pages + page * L.PAGE_RECORD_BYTES + L.PAGE_LOCATIONS)
      const live = this.word(pages + page * L.PAGE_RECORD_BYTES + L.PAGE_LIVE)
      total += live
      if ((live === 0) !== (locations === 0))
        fail(
          `page ${page} of component ${id} counts ${live} and ${locations === 0 ? 'has no memory' : 'is kept'}`,
        )
      if (locations === 0) continue
      this.ledger.claim(locations, PAGE_BYTES, 'a sparse page', true)
      if (this.depth === 'all') this.checkPage(id, page, locations, live, name)
    }
    return total
  }

  private checkPage(id: number, page: number, locations: number, live: number, name: string): void {
    let count = 0
    const first = locations >>> 2
    for (let i = 0; i < PAGE_ENTRIES; i++) {
      const location = this.u32[first + i] as number
      if (location === 0) continue
      count++
      const index = page * PAGE_ENTRIES + i
      const chunkId = location >>> L.ROW_BITS
      if (
        chunkId >= this.chunkSeen.length ||
        this.chunkSeen[chunkId] !== 2 ||
        this.word(this.chunkAt(chunkId) + L.CHUNK_OWNER) !== id
      ) {
        fail(`${name} sends index ${index} to chunk ${chunkId}, which is not its own`)
      }
      const chunk = this.chunkAt(chunkId)
      if ((location & ROW_MASK) >= this.word(chunk + L.CHUNK_ROWS))
        fail(`${name} sends index ${index} behind the rows of chunk ${chunkId}`)
      const entity = this.word(this.word(chunk + L.CHUNK_DATA) + (location & ROW_MASK) * 4)
      if (entity === NULL_ENTITY || (entity & INDEX_MASK) !== index)
        fail(`${name} sends index ${index} to a row of another entity`)
    }
    if (count !== live) fail(`page ${page} of component ${id} counts ${live} and names ${count}`)
  }

  private findRow(pool: number, index: number): number {
    const page = index >>> L.PAGE_SHIFT
    if (page >= this.word(pool + L.POOL_PAGE_CAPACITY)) return 0
    const locations = this.word(
      this.word(pool + L.POOL_PAGES) + page * L.PAGE_RECORD_BYTES + L.PAGE_LOCATIONS,
    )
    return locations === 0 ? 0 : this.word(locations + (index % PAGE_ENTRIES) * 4)
  }

  /** Each living entity's chain names the pools that hold it, each once; dead ones have no chain. */
  private checkChains(heads: number, members: number): void {
    let links = 0
    for (let index = 0; index < this.word(L.ENTITIES_CAPACITY); index++) {
      let head = this.u16[(heads >>> 1) + index] as number
      if (head === 0) continue
      if (index >= this.fresh || this.kinds[index] !== ALIVE)
        fail(`the dead index ${index} has a chain of sparse components`)
      for (let steps = 0; head !== 0; steps++) {
        const id = head - 1
        if (steps > this.componentCount) fail(`the chain of sparse components of index ${index} does not end`)
        if (id >= this.componentCount || !this.isPooled(id))
          fail(`the chain of index ${index} names component ${id}, which is not sparse`)
        const pool = this.word(this.componentAt(id) + L.COMPONENT_POOL)
        const location = this.findRow(pool, index)
        if (location === 0) fail(`the chain of index ${index} names component ${id}, which does not hold it`)
        links++
        head = this.word(this.linkAddress(pool, location))
      }
    }
    // Each chain visits a pool at most once (it would never end), so equal sums mean equal sets.
    if (links !== members) fail(`the chains of sparse components have ${links} links for ${members} rows`)
  }

  // ── resources ────────────────────────────────────────────────────────────────────────────────────────────

  /** A resource is a table of one row, or of none, that belongs to no entity. */
  private checkResources(): void {
    for (let id = 0; id < this.componentCount; id++) {
      if (this.storageOf(id) !== L.STORAGE_RESOURCE) continue
      const name = `resource ${id}`
      const table = this.word(this.componentAt(id) + L.COMPONENT_POOL)
      this.ledger.claim(table, L.TABLE_BYTES, name)
      const rows = this.word(table + L.TABLE_ROWS)
      if (rows > 1) fail(`${name} has ${rows} rows`)
      this.checkTable({ address: table, owner: id, name, isPool: false }, (chunkId, chunk) => {
        this.chunkSeen[chunkId] = OF_RESOURCE
        const entity = this.word(this.word(chunk + L.CHUNK_DATA))
        if (entity !== NULL_ENTITY) fail(`the row of ${name} holds the entity ${entity}`)
      })
    }
  }

  // ── bundles, transitions, queries ────────────────────────────────────────────────────────────────────────

  private checkBundles(): void {
    const bundles = this.listed(this.word(L.BUNDLES_ALL), 'the list of bundles')
    this.bundles = bundles
    bundles.forEach((bundle, id) => {
      this.ledger.claim(bundle, L.BUNDLE_BYTES, `bundle ${id}`)
      const total = this.checkBundle(bundle, `bundle ${id}`)
      this.ledger.claim(this.word(bundle + L.BUNDLE_TABLE_IDS), Math.max(total, 1) * 4, 'the ids of a bundle')
    })
    this.checkFiled(this.word(L.BUNDLES_BY_IDS), bundles.length, 'the table of bundles')
    this.checkLooseBundles()
  }

  /** Looks at the components of a bundle; how many there are. */
  private checkBundle(bundle: number, name: string): number {
    const tables = this.word(bundle + L.BUNDLE_TABLE_COUNT)
    const total = tables + this.word(bundle + L.BUNDLE_SPARSE_COUNT)
    const ids = this.numbersAt(this.word(bundle + L.BUNDLE_TABLE_IDS), total)
    ids.forEach((component, i) => {
      if (this.isPooled(component) !== i >= tables) fail(`${name} mixes table and sparse components`)
      if (this.storageOf(component) === L.STORAGE_RESOURCE) fail(`${name} names the resource ${component}`)
      if (i !== 0 && i !== tables && component <= (ids[i - 1] as number)) fail(`${name} is not ascending`)
    })
    const spawns = this.word(bundle + L.BUNDLE_SPAWN_ARCHETYPE)
    if (spawns !== 0 && this.signatureAt(spawns) !== ids.slice(0, tables).join())
      fail(`${name} spawns into an archetype of other components`)
    return total
  }

  /** Each pair is what a change removes, and what it adds; both remember where the change led last. */
  private checkLooseBundles(): void {
    const first = this.word(L.BUNDLES_LOOSE)
    if (first === 0) return
    const bytes = L.LOOSE_BUNDLE_BYTES + L.LOOSE_BUNDLE_IDS * 4
    this.ledger.claim(first, bytes * L.LOOSE_BUNDLES, 'the loose bundles')
    const tablesOf = (bundle: number) =>
      this.numbersAt(this.word(bundle + L.BUNDLE_TABLE_IDS), this.word(bundle + L.BUNDLE_TABLE_COUNT))
    for (let number = 0; number < L.LOOSE_BUNDLES; number++) {
      const bundle = first + number * bytes
      const total = this.checkBundle(bundle, `loose bundle ${number}`)
      const capacity = this.word(bundle + L.LOOSE_BUNDLE_CAPACITY)
      const ids = this.word(bundle + L.BUNDLE_TABLE_IDS)
      if (total > capacity) fail(`loose bundle ${number} has more components than room`)
      if (capacity > L.LOOSE_BUNDLE_IDS) this.ledger.claim(ids, capacity * 4, 'the ids of a loose bundle')
      else if (ids !== bundle + L.LOOSE_BUNDLE_BYTES) fail(`loose bundle ${number} has its ids elsewhere`)
      const source = this.word(bundle + L.LOOSE_BUNDLE_LAST_SOURCE)
      if (source === 0) continue
      const removed = tablesOf(first + (number & ~1) * bytes)
      const added = tablesOf(first + (number | 1) * bytes)
      const rest = this.signatureOf(this.word(source + L.TABLE_OWNER)).filter(
        (id) => !removed.includes(id) && !added.includes(id),
      )
      const expected = [...rest, ...added].sort((a, b) => a - b).join()
      if (this.signatureAt(this.word(bundle + L.LOOSE_BUNDLE_LAST_TARGET)) !== expected)
        fail(`loose bundle ${number} remembers a way to an archetype of other components`)
    }
  }

  private bundles: number[] = []

  private numbersAt(address: number, count: number): number[] {
    return Array.from(this.u32.subarray(address >>> 2, (address >>> 2) + count))
  }

  /** The signature of the archetype at an address, as text. */
  private signatureAt(address: number): string {
    return this.signatureOf(this.word(address + L.TABLE_OWNER)).join()
  }

  /** Every edge of the transition graph, and every cached one, must lead where adding or removing leads. */
  private checkTransitions(): void {
    for (const [low, source, target] of this.hashed(
      this.word(L.ARCHETYPES_TRANSITIONS),
      'the table of transitions',
    )) {
      if (source >= this.archetypes.length || target >= this.archetypes.length)
        fail('a transition names an archetype that is not there')
      this.checkEdge(source, low >>> 1, (low & 1) === 0, target)
    }
    this.archetypes.forEach((address, id) => {
      const added = this.word(address + L.ARCHETYPE_ADD_BUNDLE)
      const removed = this.word(address + L.ARCHETYPE_REMOVE_BUNDLE)
      if (added !== 0)
        this.checkEdge(
          id,
          added - 1,
          true,
          this.word(this.word(address + L.ARCHETYPE_ADD_TARGET) + L.TABLE_OWNER),
        )
      if (removed !== 0)
        this.checkEdge(
          id,
          removed - 1,
          false,
          this.word(this.word(address + L.ARCHETYPE_REMOVE_TARGET) + L.TABLE_OWNER),
        )
    })
  }

  private checkEdge(source: number, bundle: number, adds: boolean, target: number): void {
    const address = this.bundles[bundle]
    if (address === undefined)
      fail(`a transition of archetype ${source} names bundle ${bundle}, which is not there`)
    const own = this.signatureOf(source)
    const named = this.numbersAt(
      this.word(address + L.BUNDLE_TABLE_IDS),
      this.word(address + L.BUNDLE_TABLE_COUNT),
    )
    const rest = own.filter((id) => !named.includes(id))
    const expected = adds ? [...rest, ...named].sort((a, b) => a - b) : rest
    if (this.signatureOf(target).join() !== expected.join()) {
      fail(
        `${adds ? 'adding' : 'removing'} bundle ${bundle} leads from archetype ${source} to archetype ${target}, which has other components`,
      )
    }
  }

  private checkQueries(): void {
    const queries = this.listed(this.word(L.QUERIES_ALL), 'the list of queries')
    this.checkFiled(this.word(L.QUERIES_BY_TERMS), queries.length, 'the table of queries')
    const filed = this.readAudiences()
    let pairs = 0
    queries.forEach((query, id) => {
      const terms = new QueryTerms(
        this.u32,
        query,
        (component) => this.isPooled(component),
        (component) => !this.isPooled(component) && this.hasFields(component),
        (component) => this.canToggle(component),
      )
      this.ledger.claim(query, L.QUERY_BYTES, `query ${id}`)
      this.ledger.claim(
        this.word(query + L.QUERY_TERMS),
        Math.max(terms.count, 1) * L.TERM_BYTES,
        `the terms of query ${id}`,
      )
      if (terms.walksPool !== (this.word(query + L.QUERY_WALKS_POOL) !== 0))
        fail(`query ${id} is wrong about walking a pool`)
      pairs += this.checkMatchList(query, id, terms)
      this.checkSubscription(id, terms, filed.get(query) ?? [])
    })
    this.checkBackPairs(pairs)
  }

  /** Checks that a query lists exactly what matches, those with rows in front; how many it lists. */
  private checkMatchList(query: number, id: number, terms: QueryTerms): number {
    const count = this.word(query + L.MATCHES_COUNT)
    const active = this.word(query + L.MATCHES_ACTIVE)
    const items = this.word(query + L.MATCHES_ITEMS)
    const capacity = this.word(query + L.MATCHES_CAPACITY)
    if (capacity > 0) this.ledger.claim(items, capacity * L.MATCH_BYTES, `the matches of query ${id}`)
    if (count > capacity || active > count)
      fail(`query ${id} counts ${active} active of ${count} matches in room for ${capacity}`)
    if (terms.walksPool) return count === 0 ? 0 : fail(`query ${id} walks a pool and lists archetypes`)
    const listed = new Uint8Array(this.archetypes.length)
    for (let i = 0; i < count; i++) {
      const archetype = this.word(items + i * L.MATCH_BYTES + L.MATCH_ARCHETYPE)
      if (archetype >= listed.length) fail(`query ${id} lists archetype ${archetype}, which is not there`)
      if (listed[archetype] !== 0) fail(`query ${id} lists archetype ${archetype} twice`)
      listed[archetype] = 1
      const address = this.addressOf(archetype)
      if ((this.word(address + L.TABLE_ROWS) !== 0) !== i < active)
        fail(`query ${id} has archetype ${archetype} on the wrong side of its active matches`)
      const pairs =
        this.word(this.word(address + L.ARCHETYPE_MATCHES) + L.LIST_ITEMS) +
        this.word(items + i * L.MATCH_BYTES + L.MATCH_PAIR) * 8
      if (this.word(pairs) !== query || this.word(pairs + 4) !== i)
        fail(`archetype ${archetype} does not point back at its match in query ${id}`)
    }
    for (let archetype = 0; archetype < listed.length; archetype++) {
      const matches = terms.match((component) => this.hasComponent(archetype, component))
      if (matches !== (listed[archetype] === 1))
        fail(
          `archetype ${archetype} ${matches ? 'matches query ' + id + ' and is not listed' : 'is listed by query ' + id + ' and does not match'}`,
        )
    }
    return count
  }

  /** Which lists name a query: component ids, or -1 for the list of queries that look at everything. */
  private readAudiences(): Map<number, number[]> {
    const filed = new Map<number, number[]>()
    const read = (list: number, owner: number, name: string) => {
      for (const query of this.listed(list, name)) filed.set(query, [...(filed.get(query) ?? []), owner])
    }
    for (let id = 0; id < this.componentCount; id++) {
      read(this.word(this.componentAt(id) + L.COMPONENT_QUERIES), id, `the query list of component ${id}`)
    }
    read(this.word(L.QUERIES_EVERYWHERE), -1, 'the list of queries that look at everything')
    return filed
  }

  /** A new archetype that matches must reach the query, and no query is told twice by one list. */
  private checkSubscription(id: number, terms: QueryTerms, filed: number[]): void {
    if (terms.walksPool) {
      if (filed.length > 0) fail(`query ${id} walks a pool and asks to hear of archetypes`)
      return
    }
    if (new Set(filed).size !== filed.length) fail(`query ${id} is filed twice in one list`)
    if (filed.length === 1 && filed[0] === -1) return
    if (filed.length === 1 && terms.requires(filed[0] as number)) return
    if (!terms.isGroup(filed))
      fail(`query ${id} is filed under components ${filed.join()}, where a match can pass it by`)
  }

  private checkBackPairs(matches: number): void {
    let pairs = 0
    this.archetypes.forEach((address, id) => {
      const list = this.listed(this.word(address + L.ARCHETYPE_MATCHES), `the match pairs of archetype ${id}`)
      if (list.length % 2 !== 0) fail(`the match pairs of archetype ${id} are not pairs`)
      pairs += list.length / 2
    })
    if (pairs !== matches) fail(`archetypes point back at ${pairs} matches and queries have ${matches}`)
  }

  // ── texts ────────────────────────────────────────────────────────────────────────────────────────────────

  private textAt(id: number): number {
    return this.word(L.TEXTS_RECORDS) + id * L.TEXT_BYTES
  }

  private isText(id: number): boolean {
    if (id === L.EMPTY_TEXT) return true
    return id < this.word(L.TEXTS_FRESH) && (this.word(this.textAt(id) + L.TEXT_STATE) & L.TEXT_LIVE) !== 0
  }

  /** Every text is there once and can be found; every other id below the fresh one is free, once. */
  private checkTexts(): void {
    const capacity = this.word(L.TEXTS_CAPACITY)
    const fresh = this.word(L.TEXTS_FRESH)
    if (capacity > 0) this.ledger.claim(this.word(L.TEXTS_RECORDS), capacity * L.TEXT_BYTES, 'the texts')
    if ((capacity & (capacity - 1)) !== 0) fail(`there is room for ${capacity} texts, no power of two`)
    if (fresh > Math.max(capacity, 1)) fail(`the fresh text ${fresh} is beyond the ${capacity} records`)
    const known = new Map<string, number>()
    for (let id = L.EMPTY_TEXT + 1; id < capacity; id++) this.checkText(id, fresh, known)
    if (known.size !== this.word(L.TEXTS_COUNT))
      fail(`${this.word(L.TEXTS_COUNT)} texts are counted and there are ${known.size}`)
    this.checkTextBuckets(capacity, known.size)
    this.checkFreeTexts(fresh, known.size)
    if (!this.locked) this.checkTextColumns()
    this.checkTextDefaults()
  }

  private checkText(id: number, fresh: number, known: Map<string, number>): void {
    const record = this.textAt(id)
    const state = this.word(record + L.TEXT_STATE)
    if (state === 0) return
    if (id >= fresh) fail(`text ${id}, never given out, has the state ${state}`)
    if ((state & ~L.TEXT_WIDE) !== L.TEXT_LIVE) fail(`text ${id} has the state ${state}`)
    const wide = (state & L.TEXT_WIDE) !== 0
    const length = this.word(record + L.TEXT_LENGTH)
    const units = this.word(record + L.TEXT_UNITS)
    if (length === 0 || length > L.MAX_TEXT_LENGTH) fail(`text ${id} has ${length} units`)
    this.ledger.claim(units, wide ? length * 2 : length, 'the units of a text')
    const bytes = new Uint8Array(this.u32.buffer)
    const read = Array.from({ length }, (_, i) =>
      wide ? (this.u16[(units >>> 1) + i] as number) : (bytes[units + i] as number),
    )
    if (wide && read.every((unit) => unit < 256)) fail(`text ${id} takes two bytes a unit and needs one`)
    const key = read.join()
    if (known.has(key)) fail(`texts ${known.get(key)} and ${id} are the same`)
    known.set(key, id)
  }

  private checkTextBuckets(capacity: number, count: number): void {
    let found = 0
    for (let bucket = 0; bucket < capacity; bucket++) {
      let id = this.word(this.textAt(bucket) + L.TEXT_BUCKET)
      for (; id !== 0; id = this.word(this.textAt(id) + L.TEXT_NEXT)) {
        if (++found > count) fail(`the buckets of texts name more than the ${count} there are`)
        if (!this.isText(id)) fail(`bucket ${bucket} names text ${id}, which is none`)
        if ((this.word(this.textAt(id) + L.TEXT_HASH) & (capacity - 1)) !== bucket)
          fail(`text ${id} is in bucket ${bucket}, where its hash does not lead`)
      }
    }
    // Each bucket names texts of its own hash, and no chain runs in a circle: equal counts mean equal sets.
    if (found !== count) fail(`the buckets name ${found} of ${count} texts`)
  }

  private checkFreeTexts(fresh: number, count: number): void {
    let free = 0
    let id = this.word(L.TEXTS_FREE_FIRST)
    for (; id !== 0; id = this.word(this.textAt(id) + L.TEXT_NEXT)) {
      if (id >= fresh || this.isText(id)) fail(`the list of free texts names ${id}, which is not free`)
      if (++free > fresh) fail('the list of free texts does not end')
    }
    if (free + count + 1 !== fresh) fail(`a text id is lost: ${fresh} ids, ${count} texts, ${free} free`)
  }

  /** A promised id names no text until the loop ends, so this holds outside of loops. */
  private checkTextColumns(): void {
    this.chunkSeen.forEach((seen, chunkId) => {
      if (seen !== 1 && seen !== 2) return
      const chunk = this.chunkAt(chunkId)
      const data = this.word(chunk + L.CHUNK_DATA)
      const full = (this.word(chunk + L.CHUNK_LAYOUT_KEY) & L.FULL_CHUNK) !== 0
      const layout = this.layouts[this.word(chunk + L.CHUNK_LAYOUT_KEY) >>> 1] as number
      const columns = this.word(layout + L.LAYOUT_COLUMNS)
      for (let i = 0; i < this.word(layout + L.LAYOUT_COLUMN_COUNT); i++) {
        const column = columns + i * L.COLUMN_BYTES
        if (this.word(column + L.COLUMN_KIND) !== L.COLUMN_TEXT) continue
        const first = data + this.word(column + (full ? L.COLUMN_FULL_OFFSET : L.COLUMN_SMALL_OFFSET))
        for (let row = 0; row < this.word(chunk + L.CHUNK_ROWS); row++) {
          if (this.word(data + row * 4) === NULL_ENTITY) continue
          const id = this.word(first + row * 4)
          if (!this.isText(id)) fail(`row ${row} of chunk ${chunkId} holds the text ${id}, which is none`)
        }
      }
    })
  }

  private checkTextDefaults(): void {
    for (let id = 0; id < this.componentCount; id++) {
      const component = this.componentAt(id)
      const shapes = this.word(component + L.COMPONENT_COLUMNS)
      for (let i = 0; i < this.word(component + L.COMPONENT_COLUMN_COUNT); i++) {
        const shape = shapes + i * L.SHAPE_BYTES
        if (this.word(shape + L.SHAPE_KIND) !== L.COLUMN_TEXT) continue
        if (!this.isText(this.word(shape + L.SHAPE_DEFAULT_WORD)))
          fail(`the default of column ${i} of component ${id} is a text that is none`)
      }
    }
  }

  // ── the rest of memory ───────────────────────────────────────────────────────────────────────────────────

  private claimTables(): void {
    this.ledger.claim(this.records, this.word(L.ENTITIES_CAPACITY) * L.RECORD_BYTES, 'the entity records')
    this.ledger.claim(
      this.word(L.CHUNKS_TABLE),
      this.word(L.CHUNKS_CAPACITY) * L.CHUNK_RECORD_BYTES,
      'the chunk directory',
    )
    const components = this.word(L.COMPONENTS_CAPACITY)
    if (components > 0)
      this.ledger.claim(
        this.word(L.COMPONENTS_RECORDS),
        components * L.COMPONENT_BYTES,
        'the component records',
      )
  }

  /** Loops and waiting changes of a simulation inside wasm: between two calls nothing is open and nothing waits. */
  private checkSimulation(): void {
    if (this.word(L.SIMULATION_LOCKS) !== 0) fail('a loop inside wasm is open between two calls')
    if (this.word(L.SIMULATION_OPEN_LOOP) !== 0) fail('a loop inside wasm was not taken off')
    if (this.word(L.SIMULATION_COMMAND_COUNT) !== 0) fail('changes wait inside wasm between two calls')
    let loop = this.word(L.SIMULATION_SPARE_LOOP)
    for (; loop !== 0; loop = this.word(loop + L.SIMULATION_LOOP_OUTER))
      this.ledger.claim(loop, L.SIMULATION_LOOP_BYTES, 'a loop to be used again')
    const commands = this.word(L.SIMULATION_COMMAND_CAPACITY)
    if (commands > 0)
      this.ledger.claim(
        this.word(L.SIMULATION_COMMANDS),
        commands * L.COMMAND_BYTES,
        'the queue of changes inside wasm',
      )
    const waiting = this.word(L.SIMULATION_WAITING)
    const bytes = this.word(L.SIMULATION_WAITING_BYTES)
    if (bytes > 0) this.ledger.claim(waiting, bytes, 'the marks of entities that wait')
    for (let i = 0; i < bytes; i += 4)
      if (this.word(waiting + i) !== 0) fail('an entity is marked as waiting between two calls')
  }
}

/** Alternatives: one of the first must be there, or one of the second must not. */
interface Group {
  readonly present: number[]
  readonly absent: number[]
}

/** A query's terms as they stand in memory, evaluated once more without the core. */
class QueryTerms {
  readonly count: number
  readonly walksPool: boolean
  private readonly required: number[] = []
  private readonly excluded: number[] = []
  private readonly groups: Group[] = []

  constructor(
    u32: Uint32Array,
    query: number,
    private readonly isPooled: (component: number) => boolean,
    hasColumns: (component: number) => boolean,
    private readonly canToggle: (component: number) => boolean,
  ) {
    const word = (address: number) => u32[address >>> 2] as number
    const first = word(query + L.QUERY_TERMS)
    this.count = word(query + L.QUERY_TERM_COUNT)
    for (let i = 0; i < this.count; i++) {
      const component = word(first + i * L.TERM_BYTES + L.TERM_COMPONENT)
      const operator = word(first + i * L.TERM_BYTES + L.TERM_OPERATOR)
      if (operator === L.TERM_REQUIRED) this.required.push(component)
      else if (operator === L.TERM_EXCLUDED) this.excluded.push(component)
      else {
        const group = (this.groups[Math.floor((operator - L.TERM_ANY) / L.TERM_GROUP_STEP)] ??= {
          present: [],
          absent: [],
        })
        ;(operator & L.TERM_NEGATED ? group.absent : group.present).push(component)
      }
    }
    const requiresTable = this.required.some(hasColumns)
    this.walksPool = !requiresTable && this.required.some(isPooled)
  }

  /** Whether rows of an archetype can match: sparse terms, and what is switched off, are left to each row. */
  match(has: (component: number) => boolean): boolean {
    for (const component of this.required) if (!this.isPooled(component) && !has(component)) return false
    // A component that is switched off counts as missing, and that each row says for itself.
    for (const component of this.excluded)
      if (!this.isPooled(component) && !this.canToggle(component) && has(component)) return false
    const canBePresent = (component: number) => this.isPooled(component) || has(component)
    const canBeAbsent = (component: number) =>
      this.isPooled(component) || this.canToggle(component) || !has(component)
    for (const { present, absent } of this.groups)
      if (!present.some(canBePresent) && !absent.some(canBeAbsent)) return false
    return true
  }

  requires(component: number): boolean {
    return this.required.includes(component) && !this.isPooled(component)
  }

  /** Whether the components are all of one group of alternatives, none of them sparse and none to be absent. */
  isGroup(components: readonly number[]): boolean {
    const sorted = [...components].sort((a, b) => a - b).join()
    return this.groups.some(
      ({ present, absent }) =>
        absent.length === 0 && present.join() === sorted && !present.some(this.isPooled),
    )
  }
}

/** Who owns which piece of the heap: every byte must have one owner, or be free. */
class Ledger {
  /** For each KiB of memory the number of its claim plus one. */
  private readonly owners: Uint32Array
  private readonly claims: string[] = []
  private claimed = 0
  /** For each slab of small objects: how large they are, and which places are taken. */
  private readonly slabs = new Map<number, { shift: number; taken: Uint8Array; count: number }>()

  constructor(
    private readonly u32: Uint32Array,
    private readonly end: number,
  ) {
    this.owners = new Uint32Array(end / KIB)
  }

  private word(address: number): number {
    return this.u32[address >>> 2] as number
  }

  /** Enters a piece of memory in use. `isBlock`: taken from the block allocator, however small. */
  claim(address: number, bytes: number, name: string, isBlock = false): void {
    if (isBlock || bytes > MAX_OBJECT_BYTES) this.claimBlock(address, blockBytes(bytes), name)
    else this.claimObject(address, bytes, name)
  }

  private claimBlock(address: number, bytes: number, name: string): void {
    if (address % bytes !== 0) fail(`${name} at ${hex(address)} is not aligned to its ${bytes} bytes`)
    this.claimRange(address, bytes, name)
    this.claimed += bytes
  }

  /** The first bytes of a block: what they leave of it is free, or in use by others. */
  claimPart(address: number, bytes: number, name: string): void {
    if (address % blockBytes(bytes) !== 0)
      fail(`${name} at ${hex(address)} is not aligned to a block of ${blockBytes(bytes)} bytes`)
    this.claimRange(address, bytes, name)
    this.claimed += bytes
  }

  private claimRange(address: number, bytes: number, name: string): void {
    if (address < L.HEAP_ADDRESS || address + bytes > this.end)
      fail(`${name} at ${hex(address)} lies outside of the heap`)
    this.claims.push(name)
    for (let kib = address / KIB; kib < (address + bytes) / KIB; kib++) {
      const other = this.owners[kib] as number
      if (other !== 0) fail(`${name} at ${hex(address)} overlaps ${this.claims[other - 1]}`)
      this.owners[kib] = this.claims.length
    }
  }

  private claimObject(address: number, bytes: number, name: string): void {
    const shift = bytes <= 2 ** MIN_SHIFT ? MIN_SHIFT : 32 - Math.clz32(bytes - 1)
    const start = address - (address % SLAB_BYTES)
    let slab = this.slabs.get(start)
    if (slab === undefined) {
      this.claimBlock(start, SLAB_BYTES, `the slab of ${name}`)
      slab = { shift, taken: new Uint8Array(SLAB_BYTES >>> MIN_SHIFT), count: 0 }
      this.slabs.set(start, slab)
    }
    if (slab.shift !== shift)
      fail(`${name} at ${hex(address)} lies among objects of ${2 ** slab.shift} bytes`)
    if ((address - start) % 2 ** shift !== 0) fail(`${name} at ${hex(address)} begins inside another object`)
    const place = (address - start) >>> shift
    if (slab.taken[place] !== 0) fail(`${name} at ${hex(address)} is in use twice, or free and in use`)
    slab.taken[place] = 1
    slab.count++
  }

  /** With everything in use entered: adds what is free, and finds what is lost. */
  balance(): void {
    this.claimFreeObjects()
    for (const [start, slab] of this.slabs) {
      const places = SLAB_BYTES >>> slab.shift
      if (slab.count !== places)
        fail(`an object of ${2 ** slab.shift} bytes is lost in the slab at ${hex(start)}`)
    }
    this.claimBitmap()
    const used = this.word(L.BLOCKS_USED)
    if (this.claimed !== used) fail(`${used} bytes of blocks are in use and ${this.claimed} have an owner`)
    const free = this.claimFreeBlocks() + this.claimResting()
    if (used + free !== this.end - L.HEAP_ADDRESS)
      fail(`${used} bytes in use and ${free} free are not the whole heap`)
  }

  private claimFreeObjects(): void {
    for (let shift = MIN_SHIFT; 2 ** shift <= MAX_OBJECT_BYTES; shift++) {
      let object = this.word(L.OBJECTS_ADDRESS + (shift - MIN_SHIFT) * 4)
      for (; object !== 0; object = this.word(object)) {
        if (object < L.HEAP_ADDRESS || object >= this.end)
          fail(`a free object of ${2 ** shift} bytes at ${hex(object)} lies outside of the heap`)
        this.claim(object, 2 ** shift, `a free object of ${2 ** shift} bytes`)
      }
    }
  }

  private claimBitmap(): void {
    const bitmap = this.word(L.BLOCKS_BITMAP)
    const bytes = this.word(L.BLOCKS_COVERAGE) / COVERAGE_PER_BITMAP_BYTE
    if (this.end > this.word(L.BLOCKS_COVERAGE)) fail('the bitmap of free blocks does not cover the heap')
    if (bitmap === L.FIRST_BITMAP_ADDRESS) return
    this.claimRange(bitmap, bytes, 'the bitmap of free blocks')
    this.claimed += bytes
  }

  /** Bytes in the free lists. */
  private claimFreeBlocks(): number {
    let free = 0
    let starts = 0
    for (let order = L.MIN_ORDER; order <= MAX_ORDER; order++) {
      const head = L.BLOCKS_FIRST_LIST + order * 4
      if (((this.word(L.BLOCKS_ORDERS) >>> order) & 1) !== (this.word(head) === 0 ? 0 : 1))
        fail(`the mark of the free list of order ${order} is wrong`)
      let previous = 0
      for (let block = this.word(head); block !== 0; block = this.word(block + L.FREE_BLOCK_NEXT)) {
        this.checkFreeBlock(block, order, previous)
        previous = block
        free += 2 ** order
        starts++
      }
    }
    this.checkBitmap(starts)
    return free
  }

  /** Bytes in freed blocks that rest before they join. */
  private claimResting(): number {
    let count = 0
    let block = this.word(L.BLOCKS_RESTING)
    for (; block !== 0; block = this.word(block), count++) {
      if (block % KIB !== 0) fail(`a resting block at ${hex(block)} is not aligned`)
      this.claimRange(block, KIB, 'a resting block')
      if (this.isFreeStart(block)) fail(`the resting block at ${hex(block)} is marked in the bitmap`)
    }
    if (count !== this.word(L.BLOCKS_RESTING_COUNT)) fail(`${count} blocks rest, not as many as are counted`)
    return count * KIB
  }

  private checkFreeBlock(block: number, order: number, previous: number): void {
    const name = `a free block of ${2 ** order} bytes`
    if (block % 2 ** order !== 0) fail(`${name} at ${hex(block)} is not aligned`)
    this.claimRange(block, 2 ** order, name)
    if (this.word(block + L.FREE_BLOCK_ORDER) !== order) fail(`${name} at ${hex(block)} says another order`)
    if (this.word(block + L.FREE_BLOCK_PREVIOUS) !== previous)
      fail(`${name} at ${hex(block)} does not point back in its list`)
    if (!this.isFreeStart(block)) fail(`${name} at ${hex(block)} is not marked in the bitmap`)
    // AssemblyScript's order is at most 30: two's complement of the exclusive or stays positive.
    const buddy = (block ^ (2 ** order)) >>> 0
    if (order === MAX_ORDER || buddy < L.HEAP_ADDRESS || buddy + 2 ** order > this.end) return
    if (this.isFreeStart(buddy) && this.word(buddy + L.FREE_BLOCK_ORDER) === order)
      fail(`the free blocks at ${hex(block)} and ${hex(buddy)} are buddies and not joined`)
  }

  private isFreeStart(address: number): boolean {
    const kib = address / KIB
    return ((this.word(this.word(L.BLOCKS_BITMAP) + (kib >>> 5) * 4) >>> (kib & 31)) & 1) === 1
  }

  /** As many marks as free blocks, each of which has its mark: no mark is left over. */
  private checkBitmap(starts: number): void {
    let marks = 0
    const words = this.word(L.BLOCKS_COVERAGE) / COVERAGE_PER_BITMAP_BYTE / 4
    const first = this.word(L.BLOCKS_BITMAP) >>> 2
    for (let i = 0; i < words; i++) {
      for (let bits = this.u32[first + i] as number; bits !== 0; bits &= bits - 1) marks++
    }
    if (marks !== starts) fail(`the bitmap marks ${marks} free blocks and the lists have ${starts}`)
  }
}
