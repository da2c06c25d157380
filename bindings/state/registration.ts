// Owns what one world knows of one component: its id in the core, where its columns lie in each layout, and the typed arrays over
// the chunks seen so far. All of it is a cache that linear memory can rebuild.

import {
  ARCHETYPES_ALL,
  ARCHETYPE_SIGNATURE,
  ARCHETYPE_SIGNATURE_COUNT,
  CHUNKS_FRESH_WORD,
  CHUNK_CAPACITY_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_OWNER_WORD,
  CHUNK_ROWS_WORD,
  CHUNK_TABLE_WORD,
  CHUNK_TICKS_BYTES,
  COLUMN_BYTES,
  COLUMN_SMALL_OFFSET,
  LAYOUTS_ALL,
  LAYOUT_COLUMNS,
  LAYOUT_COMPONENTS,
  LAYOUT_COMPONENT_BYTES,
  LAYOUT_COMPONENT_COUNT,
  LAYOUT_COMPONENT_FIRST_COLUMN,
  LAYOUT_COMPONENT_ID,
  LAYOUT_COMPONENT_SMALL_TOGGLE,
  LAYOUT_COMPONENT_TICK_COLUMN,
  LIST_ITEMS,
  NOT_TRACKED,
  PAGE_LOCATIONS_WORD,
  PAGE_RECORD_BYTES,
  PAGE_SHIFT,
  POOL_PAGES,
  POOL_PAGE_CAPACITY,
  ROW_BITS,
  SIZE_BITS,
  SIZE_MASK,
  STORAGE_SPARSE,
  STORAGE_STABLE,
  STORAGE_TAG,
  TABLE_TAIL_ID,
  TABLE_VERSION,
} from '../../build/layout'
import { canToggle, type Definition, needsUpkeep } from '../components/definition'
import { arrayOf } from '../components/fieldMemory'
import type { Field } from '../components/fields'
import type { ObjectBox } from '../components/componentValues'
import { INDEX_MASK, NULL_ENTITY } from '../memory/entity'
import { HandleList } from '../memory/handleList'
import { CHUNK_WORDS_SHIFT, type Heap, ROW_MASK } from '../memory/heap'
import { ABSENT, ChunkColumns, NO_COLUMNS, Placement } from '../cursors/placement'
import type { CursorPool, CursorPools } from '../cursors/cursor'
import { type AnyOptions, makeStore } from '../components/objectOptions'
import { type RegisteredLinks, relatingOf } from './relationHooks'
import { RowRef } from '../cursors/rowRef'
import { NumberMap } from './numberMap'

const PAGE_MASK = (1 << PAGE_SHIFT) - 1
/** log2 of the u32 in one sparse page record. */
const PAGE_WORDS_SHIFT = /* @__PURE__ */ Math.log2(PAGE_RECORD_BYTES / 4)

/** The values of one object component in one world: objects/objectStore.ts, which object() brings. */
export interface ObjectValues {
  readonly definition: Definition
  readonly options: AnyOptions
  get(entity: number): unknown
  /** Keeps a value; returns the one it replaces, or undefined. */
  put(entity: number, held: ObjectBox): unknown
  /** Takes a value out and returns it. */
  take(entity: number): unknown
  /** The handles with a value for which `isGone` holds, by index. */
  ownersThat(isGone: (entity: number) => boolean): number[]
  /** Whether copies of an entity get the component, too. */
  readonly clones: boolean
  cloneTo(source: number, copy: number): void
  /** Puts the values of some rows into an array, at the numbers of the rows. */
  fill(array: unknown[], entities: Uint32Array, firstEntity: number, start: number, end: number): void
}

/** Stands where no archetype has been looked up yet: no id is half of it. */
const NO_ARCHETYPE: number = -1

export class Registration {
  /** Whether rows lie in a pool of the component's own. */
  readonly pooled: boolean
  /** Whether no field of it lies in memory. */
  readonly isTag: boolean
  /** Whether world.get can give an entity's value. */
  readonly gives: boolean
  readonly canToggle: boolean
  /** Which of the usual names its fields have, where all are f32 and lie in archetypes; else -1. */
  readonly usualFloats: number
  /** The one reference that every call of locate returns: it holds until the next one. */
  private readonly ref: RowRef
  /** Cursors for loops, shared with components of the same fields. */
  readonly cursors: CursorPool
  /** The values of an object component; undefined for any other. */
  readonly objects: ObjectValues | undefined
  /** The links of a relation, set when it becomes known. */
  links: RegisteredLinks | undefined = undefined
  /** Whether what an entity has of it is more than a row: of objects and relations. */
  readonly needsUpkeep: boolean
  /** Of what needs upkeep: the entities that lose it in the change under way. */
  readonly lost: HandleList | undefined
  /** Archetypes that were looked up: twice the id, and 1 more where it has the component. Only for what lives in archetypes. */
  private membership = new NumberMap(NO_ARCHETYPE)
  /** By layout key. */
  readonly placements = new NumberMap(ABSENT)
  /** By chunk id. */
  private columns = new NumberMap(NO_COLUMNS)

  constructor(
    readonly heap: Heap,
    readonly definition: Definition,
    readonly id: number,
    /** Address of the table of its own: a pool, or the row of a resource; 0 when there is none. */
    readonly pool: number,
    pools: CursorPools,
    /** The values of an object component that this world has had before. */
    objects?: ObjectValues,
  ) {
    this.ref = new RowRef(heap, definition)
    this.cursors = pools.poolOf(definition, heap)
    this.pooled = definition.storageCode === STORAGE_SPARSE || definition.storageCode === STORAGE_STABLE
    this.isTag = definition.storageCode === STORAGE_TAG || definition.kind === 'object'
    this.gives = definition.kind !== 'tag' && relatingOf(definition)?.isExclusive !== false
    this.objects = objects ?? (makeStore(definition) as ObjectValues | undefined)
    this.needsUpkeep = needsUpkeep(definition)
    this.lost = this.needsUpkeep ? new HandleList() : undefined
    this.canToggle = canToggle(definition)
    const { hasFewFloats, usualNames } = definition.details
    this.usualFloats = hasFewFloats && !this.pooled ? usualNames : -1
  }

  /** Forgets all typed arrays: memory grew. */
  dropArrays(): void {
    this.columns = new NumberMap(NO_COLUMNS)
  }

  /** Forgets which archetypes have it: their ids are others' now. */
  forgetArchetypes(): void {
    this.membership = new NumberMap(NO_ARCHETYPE)
  }

  /** Notes that a living entity was given a new value, where rows keep that: of an object component. */
  noteGiven(entity: number): void {
    if (this.definition.details.tracksRows) this.locate(entity)?.mark()
  }

  /** Whether a living entity has the component. */
  isOn(entity: number): boolean {
    const heap = this.heap
    const index = entity & INDEX_MASK
    if (this.pooled) return this.findRow(index) !== 0
    // A handle promised in a loop may lie beyond the records; it has no row yet.
    if (index >= heap.entityCapacity) return false
    const location = heap.locationAt(index)
    return location !== 0 && this.isIn(heap.u32[heap.descriptorAt(location) + CHUNK_OWNER_WORD] as number)
  }

  /** Whether an archetype has the component (never true for a pooled one). */
  isIn(archetype: number): boolean {
    const { list, mask } = this.membership
    const known = list[archetype & mask] as number
    return known >> 1 === archetype ? known % 2 > 0 : this.findMembership(archetype)
  }

  /** The row of a living entity; undefined when it does not have the component. Allocates nothing. */
  locate(entity: number): RowRef | undefined {
    const index = entity & INDEX_MASK
    if (this.pooled) return this.locateAt(this.findRow(index))
    const { heap } = this
    return index < heap.entityCapacity ? this.locateAt(heap.locationAt(index)) : undefined
  }

  /**
   * The row of any handle; undefined when it is not alive or does not have the component: one look at the record
   * serves both questions.
   */
  locateHandle(entity: number): RowRef | undefined {
    if (typeof entity !== 'number') return undefined
    const { heap } = this
    const index = entity & INDEX_MASK
    if (index >= heap.entityCapacity || heap.handleAt(index) !== entity) return undefined
    return this.locateAt(this.pooled ? this.findRow(index) : heap.locationAt(index))
  }

  /** The row at a location of the pool, whatever number it is; undefined for a hole and for what is no row of this pool. */
  locateRow(location: number): RowRef | undefined {
    return this.entityAt(location) === NULL_ENTITY ? undefined : this.locateAt(location)
  }

  /** The row at a location; undefined for 0, and where the chunk lacks the component. */
  locateAt(location: number): RowRef | undefined {
    if (location === 0) return undefined
    const { heap, ref } = this
    const { u32 } = heap
    // Without descriptorAt and placement: with calls the compiler would not put this into get and set.
    const chunkOffset = (location >>> ROW_BITS) << CHUNK_WORDS_SHIFT
    const descriptor = heap.chunks + chunkOffset
    const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
    const { list, mask } = this.placements
    let placement = list[layoutKey & mask] as Placement
    if (placement.layoutKey !== layoutKey) placement = this.findPlacement(layoutKey)
    if (!placement.present) return undefined
    ref.chunkOffset = chunkOffset
    ref.data = u32[descriptor + CHUNK_DATA_WORD] as number
    ref.row = location & ROW_MASK
    ref.placement = placement
    return ref
  }

  /** A row of the chunk whose descriptor is so many words from Heap.chunks; undefined where it lacks the component. */
  locateIn(chunkOffset: number, row: number): RowRef | undefined {
    return this.locateAt(((chunkOffset >> CHUNK_WORDS_SHIFT) << ROW_BITS) | row)
  }

  /** The entity in a row of the pool; NULL_ENTITY for a hole and for any number that is no row of this pool. */
  entityAt(location: number): number {
    if (typeof location !== 'number' || location >>> 0 !== location) return NULL_ENTITY
    const heap = this.heap
    const u32 = heap.u32
    const chunkId = location >>> ROW_BITS
    // A chunk given back still names its last table, but has no rows; chunk 0 is in no table.
    if (chunkId >= (u32[CHUNKS_FRESH_WORD] as number)) return NULL_ENTITY
    const descriptor = heap.descriptorAt(location)
    if (u32[descriptor + CHUNK_TABLE_WORD] !== this.pool) return NULL_ENTITY
    const row = location & ROW_MASK
    if (row >= (u32[descriptor + CHUNK_ROWS_WORD] as number)) return NULL_ENTITY
    return u32[((u32[descriptor + CHUNK_DATA_WORD] as number) >> 2) + row] as number
  }

  /**
   * Switches a component that can be off or on, for any handle; false when there is nothing to do. One walk to the
   * bit: no reference is made.
   */
  switchHandle(entity: number, off: boolean): boolean {
    if (typeof entity !== 'number') return false
    const { heap } = this
    const { u32, u8 } = heap
    const index = entity & INDEX_MASK
    if (index >= heap.entityCapacity || heap.handleAt(index) !== entity) return false
    const location = this.pooled ? this.findRow(index) : heap.locationAt(index)
    if (location === 0) return false
    const descriptor = heap.descriptorAt(location)
    const offset = this.placement(u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number).toggleOffset
    // No layout that has the component has its bits at 0: the entity lacks it.
    if (offset === 0) return false
    const row = location & ROW_MASK
    const address = (u32[descriptor + CHUNK_DATA_WORD] as number) + offset + (row >> 3)
    const byte = u8[address] as number
    const bit = 1 << (row & 7)
    if (((byte & bit) !== 0) === off) return false
    u8[address] = byte ^ bit
    // What matches has changed, as if the row had come or gone.
    const version = ((u32[descriptor + CHUNK_TABLE_WORD] as number) + TABLE_VERSION) >> 2
    u32[version] = (u32[version] as number) + 1
    return true
  }

  placement(layoutKey: number): Placement {
    const { list, mask } = this.placements
    const placement = list[layoutKey & mask] as Placement
    return placement.layoutKey === layoutKey ? placement : this.findPlacement(layoutKey)
  }

  /** The arrays of this component in a chunk. */
  columnsOf(chunkId: number, data: number, layoutKey: number): ChunkColumns {
    const { list, mask } = this.columns
    // What lies at the same place in the same way is the same, whatever chunk it was made for.
    const near = list[chunkId & mask] as ChunkColumns
    if (near.data === data && near.layoutKey === layoutKey) return near
    const known = this.columns.get(chunkId)
    if (known?.data === data && known.layoutKey === layoutKey) return known
    return this.makeColumns(chunkId, data, layoutKey)
  }

  /** Location of the entity's row in the pool, 0 when it has none. */
  findRow(index: number): number {
    const u32 = this.heap.u32
    const page = index >>> PAGE_SHIFT
    if (page >= (u32[(this.pool + POOL_PAGE_CAPACITY) >> 2] as number)) return 0
    const pages = (u32[(this.pool + POOL_PAGES) >> 2] as number) >> 2
    const locations = u32[pages + (page << PAGE_WORDS_SHIFT) + PAGE_LOCATIONS_WORD] as number
    return locations === 0 ? 0 : (u32[(locations >> 2) + (index & PAGE_MASK)] as number)
  }

  private findMembership(archetype: number): boolean {
    const { heap } = this
    const known = this.membership.get(archetype)
    if (known !== undefined) return known % 2 > 0
    const address = heap.word(heap.word(heap.word(ARCHETYPES_ALL) + LIST_ITEMS) + archetype * 4)
    const first = heap.word(address + ARCHETYPE_SIGNATURE) >> 2
    const signature = heap.u32.subarray(first, first + heap.word(address + ARCHETYPE_SIGNATURE_COUNT))
    return this.membership.put(archetype, archetype * 2 + (signature.includes(this.id) ? 1 : 0)) % 2 > 0
  }

  private findPlacement(layoutKey: number): Placement {
    const { placements } = this
    return placements.get(layoutKey) ?? placements.put(layoutKey, this.readPlacement(layoutKey))
  }

  /** Looks the component up in the core's description of a layout. */
  private readPlacement(layoutKey: number): Placement {
    const heap = this.heap
    const layout = heap.word(heap.word(heap.word(LAYOUTS_ALL) + LIST_ITEMS) + (layoutKey >> SIZE_BITS) * 4)
    const count = heap.word(layout + LAYOUT_COMPONENT_COUNT)
    const entries = heap.word(layout + LAYOUT_COMPONENTS)
    const columns = heap.word(layout + LAYOUT_COLUMNS)
    const size = layoutKey & SIZE_MASK
    const offsetField = COLUMN_SMALL_OFFSET + size * 4
    for (let i = 0; i < count; i++) {
      const entry = entries + i * LAYOUT_COMPONENT_BYTES
      if (heap.word(entry + LAYOUT_COMPONENT_ID) !== this.id) continue
      const first = heap.word(entry + LAYOUT_COMPONENT_FIRST_COLUMN)
      const offsets = this.definition.details.columns.map((_, k) =>
        heap.word(columns + (first + k) * COLUMN_BYTES + offsetField),
      )
      const tickColumn = heap.word(entry + LAYOUT_COMPONENT_TICK_COLUMN)
      return new Placement(
        layoutKey,
        true,
        Int32Array.from(offsets),
        -(i + 1) * CHUNK_TICKS_BYTES,
        tickColumn === NOT_TRACKED ? 0 : heap.word(columns + tickColumn * COLUMN_BYTES + offsetField),
        heap.word(entry + LAYOUT_COMPONENT_SMALL_TOGGLE + size * 4),
      )
    }
    return new Placement(layoutKey)
  }

  private makeColumns(chunkId: number, data: number, layoutKey: number): ChunkColumns {
    const placement = this.placement(layoutKey)
    if (!placement.present)
      return this.columns.put(chunkId, new ChunkColumns(data, layoutKey, 0, undefined, []))
    const heap = this.heap
    const descriptor = heap.chunks + (chunkId << CHUNK_WORDS_SHIFT)
    const capacity = heap.u32[descriptor + CHUNK_CAPACITY_WORD] as number
    const arrays: Record<string, unknown> = {}
    const indices: number[] = []
    const { fields, fieldNames } = this.definition
    for (let k = 0; k < fields.length; k++) {
      const field = fields[k] as Field
      const first = (data + (placement.offsets[k] as number)) >> field.shift
      arrays[fieldNames[k] as string] = arrayOf(heap, field.kind).subarray(
        first,
        first + capacity * field.length,
      )
      indices.push(first)
    }
    const ticks = (data + placement.rowTickOffset) >> 2
    const rowTicks = placement.rowTickOffset === 0 ? undefined : heap.u32.subarray(ticks, ticks + capacity)
    const tick = (data + placement.tickOffset) >> 2
    return this.columns.put(chunkId, new ChunkColumns(data, layoutKey, tick, arrays, indices, rowTicks))
  }
}

/** The only row of a resource; undefined if the resource is missing, or unknown to this world. */
export function onlyRowOf(resource: Registration | undefined): RowRef | undefined {
  return resource?.locateAt(resource.heap.word(resource.pool + TABLE_TAIL_ID) << ROW_BITS)
}
