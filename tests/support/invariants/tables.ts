// Checks tables and their chunks: change ticks, texts in columns, the chunk directory, resources. Whose rows these are is checked
// in archetypes.ts and pools.ts.

import { LAYOUT } from '../layout'
import type { Components, Texts } from './components'
import { fail } from './failure'
import { CHUNK_SIZES, type Layouts, headBytes } from './layouts'
import type { Memory } from './memory'

const L = LAYOUT

const ROW_MASK = 2 ** L.ROW_BITS - 1
const NULL_ENTITY = 0xffffffff

/** What a chunk was found to be. No location may name one of a resource. */
const OF_ARCHETYPE = 1
const OF_POOL = 2
const FREE = 3
const OF_RESOURCE = 4

/** A table of rows: an archetype's, or the pool of a sparse component. */
export interface TableWalk {
  readonly address: number
  readonly owner: number
  readonly name: string
  readonly isPool: boolean
}

export class Tables {
  /** Which chunk ids a table has. */
  private readonly chunkSeen: Uint8Array
  private chunksSeen = 0

  constructor(
    private readonly memory: Memory,
    private readonly components: Components,
    private readonly layouts: Layouts,
  ) {
    this.chunkSeen = new Uint8Array(memory.word(L.CHUNKS_FRESH))
  }

  rowOf(location: number): number {
    return location & ROW_MASK
  }

  /** Whether a row with this handle has no entity: a hole of a pool, or the row of a resource. */
  isVacant(handle: number): boolean {
    return handle === NULL_ENTITY
  }

  chunkAt(id: number): number {
    return this.memory.word(L.CHUNKS_TABLE) + id * L.CHUNK_RECORD_BYTES
  }

  /** Whether a chunk with this id was given out at some time. */
  isChunk(id: number): boolean {
    return id < this.chunkSeen.length
  }

  /** Whether an archetype was found to have the chunk. */
  isOfArchetype(id: number): boolean {
    return this.chunkSeen[id] === OF_ARCHETYPE
  }

  /** Whether a pool was found to have the chunk. */
  isOfPool(id: number): boolean {
    return this.chunkSeen[id] === OF_POOL
  }

  /** Checks a table's chunks; calls back for each one with its id and descriptor. */
  check(table: TableWalk, visit: (id: number, chunk: number) => void): void {
    const { memory } = this
    const { address, name, owner } = table
    const ids = memory.listed(memory.word(address + L.TABLE_CHUNKS), `the chunk list of ${name}`)
    const layout = memory.word(address + L.TABLE_LAYOUT)
    if (memory.word(address + L.TABLE_OWNER) !== owner)
      fail(`${name} says its owner is ${memory.word(address + L.TABLE_OWNER)}`)
    let rows = 0
    ids.forEach((id, position) => {
      if (id === 0 || id >= this.chunkSeen.length) fail(`${name} has the chunk ${id}, never given out`)
      if (this.chunkSeen[id] !== 0) fail(`chunk ${id} is in two tables, one of them ${name}`)
      this.chunkSeen[id] = table.isPool ? OF_POOL : OF_ARCHETYPE
      this.chunksSeen++
      const chunk = this.chunkAt(id)
      this.checkChunk(table, layout, id, chunk)
      if (table.isPool) this.checkPlace(table, layout, chunk, position)
      const count = memory.word(chunk + L.CHUNK_ROWS)
      if (position < ids.length - 1 && count !== memory.word(chunk + L.CHUNK_CAPACITY)) {
        fail(`chunk ${id} of ${name} is not the last one and not full`)
      }
      if (count === 0 && !memory.locked) fail(`${name} keeps the empty chunk ${id}`)
      rows += count
      visit(id, chunk)
    })
    if (rows !== memory.word(address + L.TABLE_ROWS)) {
      fail(`${name} counts ${memory.word(address + L.TABLE_ROWS)} rows and its chunks hold ${rows}`)
    }
    if (rows === 0 && ids.length > 0) fail(`${name} has no rows and ${ids.length} chunks`)
    if (memory.word(address + L.TABLE_TAIL_ID) !== (ids[ids.length - 1] ?? 0))
      fail(`the tail of ${name} is not its last chunk`)
  }

  /** The chunks of a pool never change hands: their sizes follow from their places, by which rows are counted. */
  private checkPlace(table: TableWalk, layout: number, chunk: number, position: number): void {
    const { memory } = this
    const isSmall = position === 0 && memory.word(layout + L.LAYOUT_SMALL_CAPACITY) > 0
    const isLarge = position >= L.LARGE_FROM && memory.word(layout + L.LAYOUT_LARGE_CAPACITY) > 0
    const size = isSmall ? 0 : isLarge ? 2 : 1
    if ((memory.word(chunk + L.CHUNK_LAYOUT_KEY) & L.SIZE_MASK) !== size)
      fail(`chunk ${position} of ${table.name} is not of the size that belongs there`)
  }

  private checkChunk(table: TableWalk, layout: number, id: number, chunk: number): void {
    const { memory } = this
    const where = `chunk ${id} of ${table.name}`
    const size = memory.word(chunk + L.CHUNK_LAYOUT_KEY) & L.SIZE_MASK
    const bytes = CHUNK_SIZES[size] ?? fail(`${where} has no size`)
    const key = (memory.word(layout + L.LAYOUT_ID) << L.SIZE_BITS) + size
    if (memory.word(chunk + L.CHUNK_LAYOUT_KEY) !== key)
      fail(`${where} has the layout key ${memory.word(chunk + L.CHUNK_LAYOUT_KEY)}, not ${key}`)
    const capacity = memory.word(layout + L.LAYOUT_SMALL_CAPACITY + size * 4)
    if (memory.word(chunk + L.CHUNK_CAPACITY) !== capacity)
      fail(`${where} has another capacity than its layout`)
    if (memory.word(chunk + L.CHUNK_ROWS) > capacity) fail(`${where} holds more rows than its capacity`)
    if (memory.word(chunk + L.CHUNK_OWNER) !== table.owner)
      fail(`${where} names the owner ${memory.word(chunk + L.CHUNK_OWNER)}`)
    if (memory.word(chunk + L.CHUNK_TABLE) !== table.address) fail(`${where} points at another table`)
    if (!table.isPool && memory.word(chunk + L.CHUNK_HOLES) !== 0)
      fail(`${where} counts holes, which only a stable pool has`)
    const wideBytes = memory.word(layout + L.LAYOUT_WIDE_BYTES)
    const block = memory.word(chunk + L.CHUNK_DATA) - headBytes(memory, layout)
    if (wideBytes === 0) memory.ledger.claim(block, bytes, 'a chunk', true)
    else memory.ledger.claimPart(block, wideBytes, 'a wide chunk')
    this.checkTicks(layout, where, chunk)
  }

  /** No tick of a chunk with rows lies in the future, and none is later than the descriptor's summary says. */
  private checkTicks(layout: number, where: string, chunk: number): void {
    const { memory } = this
    if (memory.word(chunk + L.CHUNK_ROWS) === 0) return
    const now = memory.word(L.WORLD_TICK)
    const summary = memory.word(chunk + L.CHUNK_CHANGED)
    const data = memory.word(chunk + L.CHUNK_DATA)
    if (((now - summary) | 0) < 0) fail(`${where} changed in tick ${summary}, after the present one, ${now}`)
    for (let i = 0; i < memory.word(layout + L.LAYOUT_COMPONENT_COUNT); i++) {
      const ticks = data - (i + 1) * L.CHUNK_TICKS_BYTES
      const changed = memory.word(ticks + L.CHUNK_TICKS_CHANGED)
      const added = memory.word(ticks + L.CHUNK_TICKS_ADDED)
      if (((summary - changed) | 0) < 0)
        fail(`component ${i} of ${where} changed in tick ${changed}, after the chunk, ${summary}`)
      if (((changed - added) | 0) < 0)
        fail(`component ${i} of ${where} was added in tick ${added}, after its last change, ${changed}`)
      if (memory.depth === 'all') this.checkRowTicks(layout, i, where, chunk, { changed, added })
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
    const { memory } = this
    const entry = memory.word(layout + L.LAYOUT_COMPONENTS) + i * L.LAYOUT_COMPONENT_BYTES
    const tickColumn = memory.word(entry + L.LAYOUT_COMPONENT_TICK_COLUMN)
    if (tickColumn === L.NOT_TRACKED) return
    const size = memory.word(chunk + L.CHUNK_LAYOUT_KEY) & L.SIZE_MASK
    const data = memory.word(chunk + L.CHUNK_DATA)
    const ticksOf = (k: number) => {
      const column = memory.word(layout + L.LAYOUT_COLUMNS) + (tickColumn + k) * L.COLUMN_BYTES
      if (memory.word(column + L.COLUMN_KIND) !== L.COLUMN_TICK)
        fail(`column ${tickColumn + k} of ${where} should hold ticks`)
      return data + memory.word(column + L.COLUMN_SMALL_OFFSET + size * 4)
    }
    const [changes, addings] = [ticksOf(0), ticksOf(1)]
    for (let row = 0; row < memory.word(chunk + L.CHUNK_ROWS); row++) {
      const rowChanged = memory.word(changes + row * 4)
      const rowAdded = memory.word(addings + row * 4)
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

  /** A resource is a table of one row, or of none, that belongs to no entity. */
  checkResources(): void {
    const { components, memory } = this
    for (let id = 0; id < components.count; id++) {
      if (components.storageOf(id) !== L.STORAGE_RESOURCE) continue
      const name = `resource ${id}`
      const table = memory.word(components.addressOf(id) + L.COMPONENT_POOL)
      memory.ledger.claim(table, L.TABLE_BYTES, name)
      const rows = memory.word(table + L.TABLE_ROWS)
      if (rows > 1) fail(`${name} has ${rows} rows`)
      this.check({ address: table, owner: id, name, isPool: false }, (chunkId, chunk) => {
        this.chunkSeen[chunkId] = OF_RESOURCE
        const entity = memory.word(memory.word(chunk + L.CHUNK_DATA))
        if (!this.isVacant(entity)) fail(`the row of ${name} holds the entity ${entity}`)
      })
    }
  }

  /** Every chunk id that was given out is in one table, or free, once. */
  checkDirectory(): void {
    const { memory } = this
    const fresh = memory.word(L.CHUNKS_FRESH)
    if (fresh > memory.word(L.CHUNKS_CAPACITY))
      fail('the chunk directory has given out more ids than it has room for')
    if (memory.word(L.CHUNKS_COUNT) !== this.chunksSeen) {
      fail(
        `the chunk directory counts ${memory.word(L.CHUNKS_COUNT)} chunks and the tables have ${this.chunksSeen}`,
      )
    }
    let id = memory.word(L.CHUNKS_FREE_FIRST)
    let free = 0
    for (; id !== 0; free++) {
      if (id >= fresh) fail(`the free chunk id ${id} was never given out`)
      if (this.chunkSeen[id] !== 0)
        fail(`chunk ${id} is free and ${this.chunkSeen[id] === FREE ? 'free again' : 'in a table'}`)
      if (memory.word(this.chunkAt(id) + L.CHUNK_CAPACITY) !== 0)
        fail(`the free chunk id ${id} says it has room`)
      this.chunkSeen[id] = FREE
      id = memory.word(this.chunkAt(id) + L.CHUNK_DATA)
    }
    if (free !== memory.word(L.CHUNKS_FREE_COUNT))
      fail(`the chunk directory counts ${memory.word(L.CHUNKS_FREE_COUNT)} free ids and lists ${free}`)
    if (free + this.chunksSeen !== fresh - 1)
      fail(`a chunk is lost: ${fresh - 1} ids were given out, ${this.chunksSeen} are in use, ${free} free`)
  }

  /** A promised id names no text until the loop ends, so this holds outside of loops. */
  checkTextColumns(texts: Texts): void {
    const { layouts, memory } = this
    this.chunkSeen.forEach((seen, chunkId) => {
      if (seen !== OF_ARCHETYPE && seen !== OF_POOL) return
      const chunk = this.chunkAt(chunkId)
      const data = memory.word(chunk + L.CHUNK_DATA)
      const size = memory.word(chunk + L.CHUNK_LAYOUT_KEY) & L.SIZE_MASK
      const layout = layouts.addressOf(memory.word(chunk + L.CHUNK_LAYOUT_KEY) >>> L.SIZE_BITS)
      const columns = memory.word(layout + L.LAYOUT_COLUMNS)
      for (let i = 0; i < memory.word(layout + L.LAYOUT_COLUMN_COUNT); i++) {
        const column = columns + i * L.COLUMN_BYTES
        if (memory.word(column + L.COLUMN_KIND) !== L.COLUMN_TEXT) continue
        const first = data + memory.word(column + L.COLUMN_SMALL_OFFSET + size * 4)
        for (let row = 0; row < memory.word(chunk + L.CHUNK_ROWS); row++) {
          if (this.isVacant(memory.word(data + row * 4))) continue
          const id = memory.word(first + row * 4)
          if (!texts.isText(id)) fail(`row ${row} of chunk ${chunkId} holds the text ${id}, which is none`)
        }
      }
    })
  }

  claimDirectory(): void {
    const { memory } = this
    memory.ledger.claim(
      memory.word(L.CHUNKS_TABLE),
      memory.word(L.CHUNKS_CAPACITY) * L.CHUNK_RECORD_BYTES,
      'the chunk directory',
    )
  }
}
