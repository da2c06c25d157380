// Checks pools: rows, holes and pages of sparse sets, the chains that lead from an entity to its pools, ordered tags, groups.
// Their chunks are checked in tables.ts.

import { LAYOUT } from '../layout'
import type { Components } from './components'
import type { Entities } from './entities'
import { fail } from './failure'
import type { Memory } from './memory'
import type { Tables } from './tables'

const L = LAYOUT

const PAGE_ENTRIES = 2 ** L.PAGE_SHIFT
const PAGE_BYTES = 4 * PAGE_ENTRIES

export class Pools {
  constructor(
    private readonly memory: Memory,
    private readonly entities: Entities,
    private readonly components: Components,
    private readonly tables: Tables,
  ) {}

  // ── sparse sets ───────────────────────────────────────────────────────────────────────────────────────────

  claimHeads(): void {
    const { memory } = this
    const heads = memory.word(L.ENTITIES_SPARSE_HEADS)
    if (heads !== 0) memory.ledger.claim(heads, memory.word(L.ENTITIES_CAPACITY) * 2, 'the sparse heads')
  }

  check(): void {
    const { components, memory } = this
    const heads = memory.word(L.ENTITIES_SPARSE_HEADS)
    let members = 0
    for (let id = 0; id < components.count; id++) {
      const pool = memory.word(components.addressOf(id) + L.COMPONENT_POOL)
      if (!components.isPooled(id)) continue
      if (heads === 0) fail(`component ${id} has a pool and no entity has a sparse head`)
      memory.ledger.claim(pool, L.POOL_BYTES, 'a pool')
      if ((memory.word(pool + L.POOL_STABLE) !== 0) !== (components.storageOf(id) === L.STORAGE_STABLE))
        fail(`the pool of component ${id} has the wrong deletion policy`)
      members += this.checkPool(id, pool)
    }
    if (memory.depth === 'all' && heads !== 0) this.checkChains(heads, members)
    this.checkGroups()
    this.checkOrders()
  }

  /** Checks one pool; how many entities it holds. */
  private checkPool(id: number, pool: number): number {
    const { memory, tables } = this
    const name = `the pool of component ${id}`
    const holes = memory.word(pool + L.POOL_HOLE_COUNT)
    let holesInChunks = 0
    let rows = 0
    tables.check({ address: pool, owner: id, name, isPool: true }, (chunkId, chunk) => {
      rows += memory.word(chunk + L.CHUNK_ROWS)
      holesInChunks += memory.word(chunk + L.CHUNK_HOLES)
      if (memory.depth === 'all') this.checkRows(id, pool, chunkId, chunk)
    })
    if (holes !== holesInChunks) fail(`${name} counts ${holes} holes and its chunks ${holesInChunks}`)
    if (holes > 0 && memory.word(pool + L.POOL_STABLE) === 0) fail(`${name} has holes and is not stable`)
    if (holes > 0 && holes === rows) fail(`${name} keeps chunks with nothing but holes`)
    this.checkHoles(pool, name)
    const listed = this.checkPages(id, pool, name)
    if (listed !== rows - holes)
      fail(`the pages of component ${id} name ${listed} rows and its chunks hold ${rows - holes}`)
    return rows - holes
  }

  private checkRows(id: number, pool: number, chunkId: number, chunk: number): void {
    const { entities, memory, tables } = this
    const data = memory.word(chunk + L.CHUNK_DATA)
    const rows = memory.word(chunk + L.CHUNK_ROWS)
    let holes = 0
    for (let row = 0; row < rows; row++) {
      const entity = memory.word(data + row * 4)
      const where = `row ${row} of chunk ${chunkId} of component ${id}`
      if (tables.isVacant(entity)) {
        holes++
        continue
      }
      const index = entities.indexOf(entity)
      if (index >= entities.fresh || entities.handleOf(index) !== entity)
        fail(`${where} holds the dead handle ${entity}`)
      if (this.findRow(pool, index) !== chunkId * 2 ** L.ROW_BITS + row)
        fail(`the page of component ${id} sends index ${index} elsewhere than to ${where}`)
    }
    if (holes !== memory.word(chunk + L.CHUNK_HOLES))
      fail(
        `chunk ${chunkId} of component ${id} counts ${memory.word(chunk + L.CHUNK_HOLES)} holes and has ${holes}`,
      )
  }

  /** Walks the queue of holes: each is a row without an entity, named once, of this pool. */
  private checkHoles(pool: number, name: string): void {
    const { memory, tables } = this
    const count = memory.word(pool + L.POOL_HOLE_COUNT)
    const seen = new Set<number>()
    let location = memory.word(pool + L.POOL_HOLE_FIRST)
    for (let i = 0; i < count; i++) {
      const chunkId = location >>> L.ROW_BITS
      if (location === 0 || !tables.isChunk(chunkId))
        fail(`${name} queues the hole ${location}, which is nowhere`)
      if (seen.has(location)) fail(`${name} queues the hole ${location} twice`)
      seen.add(location)
      const chunk = tables.chunkAt(chunkId)
      if (
        !tables.isOfPool(chunkId) ||
        memory.word(chunk + L.CHUNK_OWNER) !== memory.word(pool + L.TABLE_OWNER)
      )
        fail(`${name} queues a hole in chunk ${chunkId} of another table`)
      if (!tables.isVacant(memory.word(memory.word(chunk + L.CHUNK_DATA) + tables.rowOf(location) * 4)))
        fail(`${name} queues the row ${location} as a hole, and an entity is in it`)
      if (i === count - 1 && location !== memory.word(pool + L.POOL_HOLE_LAST))
        fail(`the queue of holes of ${name} does not end with its last`)
      location = memory.word(this.linkAddress(pool, location))
    }
  }

  /** Checks each page's count; how many rows all pages name. */
  private checkPages(id: number, pool: number, name: string): number {
    const { memory } = this
    const capacity = memory.word(pool + L.POOL_PAGE_CAPACITY)
    const pages = memory.word(pool + L.POOL_PAGES)
    if (capacity > 0) memory.ledger.claim(pages, capacity * L.PAGE_RECORD_BYTES, 'a page directory')
    let total = 0
    for (let page = 0; page < capacity; page++) {
      const locations = memory.word(pages + page * L.PAGE_RECORD_BYTES + L.PAGE_LOCATIONS)
      const live = memory.word(pages + page * L.PAGE_RECORD_BYTES + L.PAGE_LIVE)
      total += live
      if ((live === 0) !== (locations === 0))
        fail(
          `page ${page} of component ${id} counts ${live} and ${locations === 0 ? 'has no memory' : 'is kept'}`,
        )
      if (locations === 0) continue
      memory.ledger.claim(locations, PAGE_BYTES, 'a sparse page', true)
      if (memory.depth === 'all') this.checkPage(id, page, locations, live, name)
    }
    return total
  }

  private checkPage(id: number, page: number, locations: number, live: number, name: string): void {
    const { entities, memory, tables } = this
    let count = 0
    const first = locations >>> 2
    for (let i = 0; i < PAGE_ENTRIES; i++) {
      const location = memory.u32[first + i] as number
      if (location === 0) continue
      count++
      const index = page * PAGE_ENTRIES + i
      const chunkId = location >>> L.ROW_BITS
      if (!tables.isOfPool(chunkId) || memory.word(tables.chunkAt(chunkId) + L.CHUNK_OWNER) !== id) {
        fail(`${name} sends index ${index} to chunk ${chunkId}, which is not its own`)
      }
      const chunk = tables.chunkAt(chunkId)
      if (tables.rowOf(location) >= memory.word(chunk + L.CHUNK_ROWS))
        fail(`${name} sends index ${index} behind the rows of chunk ${chunkId}`)
      const entity = memory.word(memory.word(chunk + L.CHUNK_DATA) + tables.rowOf(location) * 4)
      if (tables.isVacant(entity) || entities.indexOf(entity) !== index)
        fail(`${name} sends index ${index} to a row of another entity`)
    }
    if (count !== live) fail(`page ${page} of component ${id} counts ${live} and names ${count}`)
  }

  /** Each living entity's chain names the pools that hold it, each once; dead ones have no chain. */
  private checkChains(heads: number, members: number): void {
    const { components, entities, memory } = this
    let links = 0
    for (let index = 0; index < memory.word(L.ENTITIES_CAPACITY); index++) {
      let head = memory.u16[(heads >>> 1) + index] as number
      if (head === 0) continue
      if (index >= entities.fresh || !entities.isAlive(index))
        fail(`the dead index ${index} has a chain of sparse components`)
      for (let steps = 0; head !== 0; steps++) {
        const id = head - 1
        if (steps > components.count) fail(`the chain of sparse components of index ${index} does not end`)
        if (id >= components.count || !components.isPooled(id))
          fail(`the chain of index ${index} names component ${id}, which is not sparse`)
        const pool = memory.word(components.addressOf(id) + L.COMPONENT_POOL)
        const location = this.findRow(pool, index)
        if (location === 0) fail(`the chain of index ${index} names component ${id}, which does not hold it`)
        links++
        head = memory.word(this.linkAddress(pool, location))
      }
    }
    // Each chain visits a pool at most once (it would never end), so equal sums mean equal sets.
    if (links !== members) fail(`the chains of sparse components have ${links} links for ${members} rows`)
  }

  findRow(pool: number, index: number): number {
    const { memory } = this
    const page = index >>> L.PAGE_SHIFT
    if (page >= memory.word(pool + L.POOL_PAGE_CAPACITY)) return 0
    const locations = memory.word(
      memory.word(pool + L.POOL_PAGES) + page * L.PAGE_RECORD_BYTES + L.PAGE_LOCATIONS,
    )
    return locations === 0 ? 0 : memory.word(locations + (index % PAGE_ENTRIES) * 4)
  }

  /** Address of the link of a pool's row: column 0. */
  private linkAddress(pool: number, location: number): number {
    return this.hiddenAddress(pool, location, 0)
  }

  /** Address of a 4-byte value of a pool's row that is not the component's. */
  hiddenAddress(pool: number, location: number, place: number): number {
    const { memory, tables } = this
    const chunk = tables.chunkAt(location >>> L.ROW_BITS)
    const column = memory.word(memory.word(pool + L.TABLE_LAYOUT) + L.LAYOUT_COLUMNS) + place * L.COLUMN_BYTES
    const size = memory.word(chunk + L.CHUNK_LAYOUT_KEY) & L.SIZE_MASK
    const offset = memory.word(column + L.COLUMN_SMALL_OFFSET + size * 4)
    return memory.word(chunk + L.CHUNK_DATA) + offset + tables.rowOf(location) * 4
  }

  // ── ordered tags ──────────────────────────────────────────────────────────────────────────────────────────

  private checkOrders(): void {
    const { components, memory } = this
    for (let id = 0; id < components.count; id++) {
      const component = components.addressOf(id)
      const pool = memory.word(component + L.COMPONENT_POOL)
      if (!components.isPooled(id)) continue
      const list = memory.word(pool + L.POOL_ORDER)
      const flags = memory.word(component + L.COMPONENT_FLAGS) & L.ORDER_INSERTION
      const name = `the order of component ${id}`
      if ((list !== 0) !== (flags !== 0))
        fail(`${name} is ${list === 0 ? 'missing' : 'there'} against its flags`)
      if (list === 0) continue
      this.checkOrder(pool, list, name)
    }
  }

  private checkOrder(pool: number, list: number, name: string): void {
    const { memory } = this
    const rows = memory.word(pool + L.TABLE_ROWS)
    const count = memory.word(list + L.LIST_COUNT)
    const capacity = memory.word(list + L.LIST_CAPACITY)
    memory.ledger.claim(list, L.ORDER_LIST_BYTES, name)
    if (capacity > 0)
      memory.ledger.claim(memory.word(list + L.LIST_ITEMS), capacity * 4, `the entries of ${name}`)
    if (rows > capacity || count > capacity) fail(`${name} has room for ${capacity} of ${rows} entities`)
    if (rows === 0 && count > 0) fail(`${name} names ${count} entities of an empty pool`)
    if (count - memory.word(list + L.ORDER_LIST_STALE) !== rows)
      fail(`${name} counts its stale entries wrong`)
    if (memory.depth === 'all') this.checkEntries(pool, list, name)
  }

  private checkEntries(pool: number, list: number, name: string): void {
    const { memory } = this
    let living = 0
    memory
      .numbersAt(memory.word(list + L.LIST_ITEMS), memory.word(list + L.LIST_COUNT))
      .forEach((index, place) => {
        const location = this.findRow(pool, index)
        if (location === 0) return
        if (memory.word(this.hiddenAddress(pool, location, 1)) === place) living++
      })
    if (living !== memory.word(pool + L.TABLE_ROWS)) fail(`${name} names ${living} entities of its pool`)
  }

  // ── groups ────────────────────────────────────────────────────────────────────────────────────────────────

  private checkGroups(): void {
    const { components, memory } = this
    const groups = new Map<number, number[]>()
    for (let id = 0; id < components.count; id++) {
      const pool = memory.word(components.addressOf(id) + L.COMPONENT_POOL)
      const group = components.isPooled(id) ? memory.word(pool + L.POOL_GROUP) : 0
      if (group !== 0) groups.set(group, [...(groups.get(group) ?? []), id])
    }
    for (const [group, ids] of groups) {
      const name = `the group of components ${ids.join()}`
      const count = memory.word(group + L.GROUP_COUNT)
      const named = memory.word(group + L.GROUP_COMPONENTS)
      memory.ledger.claim(group, L.GROUP_BYTES, name)
      memory.ledger.claim(named, count * 4, `the ids of ${name}`)
      if (memory.numbersAt(named, count).join() !== ids.join()) fail(`${name} names other components`)
      if (memory.depth === 'all') this.checkGroupOrder(group, ids, name)
    }
  }

  /** The first rows hold the same entities in all pools, and no other entity is in all of them. */
  private checkGroupOrder(group: number, ids: number[], name: string): void {
    const { components, memory } = this
    const rows = ids.map((id) => this.poolEntities(memory.word(components.addressOf(id) + L.COMPONENT_POOL)))
    const sets = rows.map((entities) => new Set(entities))
    const common = (rows[0] as number[]).filter((entity) => sets.every((set) => set.has(entity)))
    const size = memory.word(group + L.GROUP_SIZE)
    if (common.length !== size)
      fail(`${name} has the size ${size} and ${common.length} entities in all pools`)
    for (let place = 0; place < size; place++) {
      if (rows.some((entities) => entities[place] !== common[place]))
        fail(`${name} has different entities at place ${place}`)
    }
  }

  /** The entities of a pool's rows, in their order. */
  poolEntities(pool: number): number[] {
    const { memory, tables } = this
    const list = memory.word(pool + L.TABLE_CHUNKS)
    const ids = memory.numbersAt(memory.word(list + L.LIST_ITEMS), memory.word(list + L.LIST_COUNT))
    return ids.flatMap((id) => {
      const chunk = tables.chunkAt(id)
      return memory.numbersAt(memory.word(chunk + L.CHUNK_DATA), memory.word(chunk + L.CHUNK_ROWS))
    })
  }
}
