// Owns chunk layouts: which columns a row has, and where each begins in a chunk of each size. Archetypes that differ in tags
// alone share one layout.
//
//            start of the block
//            ▼              ▼ Chunk.data
//   chunk    ┌──────────────┬──────────┬──────────┬──────────┬─ ─ ─ ─ ─ ─┬─────────────┐
//            │ change ticks │ entities │ column 0 │ column 1 │            │ toggle bits │
//            └──────────────┴──────────┴──────────┴──────────┴─ ─ ─ ─ ─ ─┴─────────────┘
//            ChunkTicks a component, first component last
//            rows, columns and bits start at multiples of 16
//
// One row of a resource may be larger than a chunk. Then its chunk is wide: as long as the row needs.

import { MAX_BLOCK_BYTES } from '../memory/blocks'
import { CHUNK_BYTES, LARGE_CHUNK_BYTES, MIN_ORDER, SMALL_CHUNK_BYTES } from '../memory/sizes'
import { LAYOUTS_ADDRESS } from '../memory/map'
import { allocate, release } from '../memory/objects'
import { List, createList } from '../memory/list'
import { HashTable, createHashTable, hashNumbers } from '../memory/hashTable'
import { COLUMN_TICK, ColumnShape, ORDER_INSERTION, STORAGE_TABLE, canToggle, componentAt } from '../components/components'
import { Chunk, FULL_CHUNK, LARGE_CHUNK, ROW_BITS, SIZE_BITS } from './chunks'

export const COLUMN_ALIGNMENT: u32 = 16
const ENTITY_BYTES: u32 = 4
/** A pool's rows carry a link beside the entity: column 0 of its layout (see sparseSets.ts). */
export const LINK_BYTES: u32 = 4

/** What each chunk remembers of each of its components. */
@unmanaged
export class ChunkTicks {
  /** The change tick at which a value was written last, or a row with the component came. */
  changed: u32
  /** The change tick at which an entity in this chunk got the component last. */
  added: u32
}

@unmanaged
export class Column {
  defaultWord: u64
  width: u32
  defaultBytes: usize
  /** Bytes from the start of a chunk, for each size. */
  smallOffset: u32
  fullOffset: u32
  largeOffset: u32
  /** What it holds (see components.ts). */
  kind: u32
}

@unmanaged
export class LayoutComponent {
  component: u32
  firstColumn: u32
  /** Columns, those with change ticks included. */
  columnCount: u32
  /** The column with each row's last change, when rows are tracked; the one behind it tells when it was added. */
  tickColumn: u32
  /** Bytes from the chunk's start to a bit for each row, set where the component is switched off; 0: no toggle. */
  smallToggle: u32
  fullToggle: u32
  largeToggle: u32
}

/** The tickColumn of a component whose rows are not tracked. */
export const NOT_TRACKED: u32 = 0x7fffffff

@unmanaged
export class Layout {
  id: u32
  componentCount: u32
  /** Array of LayoutComponent, sorted by component. */
  components: usize
  columnCount: u32
  /** Array of Column: a pool's link first, then those of the components in order. */
  columns: usize
  /** Rows of a small chunk; 0 when not one fits, then the first chunk is a full one. */
  smallCapacity: u32
  fullCapacity: u32
  /** Rows of a large chunk; 0 when it would hold hardly more than a full one. */
  largeCapacity: u32
  /**
   * Bytes from one column to the next when every column is 4 bytes wide, as most are: such rows are copied
   * without a look at any column. 0 otherwise. In the order of the sizes.
   */
  smallStride: u32
  fullStride: u32
  largeStride: u32
  /** How many components can be switched off, and how many have rows that are tracked. */
  toggleCount: u32
  trackedCount: u32
  /** Bytes of the one chunk when it is wide, of a resource only; else 0. */
  wideBytes: u32
}

@unmanaged
export class Layouts {
  all: List
  byComponents: HashTable
}

export const layouts = changetype<Layouts>(LAYOUTS_ADDRESS)

export function initLayouts(): bool {
  layouts.all = createList()
  layouts.byComponents = createHashTable()
  // Layout 0 has no columns: the chunk that no location names has it too.
  const empty = findOrCreateLayout(0, 0)
  return changetype<usize>(empty) != 0
}

@inline
export function layoutAt(id: u32): Layout {
  return changetype<Layout>(<usize>layouts.all.at(id))
}

/** The layout of a chunk. */
@inline
export function layoutOf(chunk: Chunk): Layout {
  return layoutAt(chunk.layoutKey >> SIZE_BITS)
}

/** Bytes of a chunk in front of its rows: the change ticks of its components. */
@inline
export function headBytes(layout: Layout): u32 {
  return alignColumn(layout.componentCount * offsetof<ChunkTicks>())
}

/** Rows of a chunk of a size. */
@inline
export function capacityOf(layout: Layout, size: u32): u32 {
  return load<u32>(changetype<usize>(layout) + (<usize>size << 2), offsetof<Layout>('smallCapacity'))
}

@inline
export function columnAt(layout: Layout, index: u32): Column {
  if (!ASC_NO_ASSERT) assert(index < layout.columnCount, 'a layout has the column')
  return changetype<Column>(layout.columns + <usize>index * offsetof<Column>())
}

@inline
export function layoutComponentAt(layout: Layout, index: u32): LayoutComponent {
  return changetype<LayoutComponent>(layout.components + <usize>index * offsetof<LayoutComponent>())
}

/** The place of a component among those of a layout, or -1. */
export function placeInLayout(layout: Layout, component: u32): i32 {
  for (let i: u32 = 0; i < layout.componentCount; i++) {
    if (layoutComponentAt(layout, i).component == component) return <i32>i
  }
  return -1
}

/** Whether a component of archetypes takes room in their rows. */
export function takesRoom(id: u32): bool {
  const component = componentAt(id)
  return component.storage == STORAGE_TABLE && (component.columnCount != 0 || canToggle(id))
}

/** The layout of `count` components that take room, sorted by id; null when memory ends. */
export function findOrCreateLayout(ids: usize, count: u32): Layout {
  const hash = hashNumbers(ids, count)
  const table = layouts.byComponents
  for (let place = table.find(hash, table.start(hash)); place >= 0; place = table.find(hash, place + 1)) {
    const layout = layoutAt(table.valueAt(place))
    if (hasComponents(layout, ids, count)) return layout
  }
  if (!table.reserve()) return changetype<Layout>(0)
  const layout = createLayout(ids, count, false)
  if (changetype<usize>(layout) != 0) table.insert(hash, layout.id)
  return layout
}

/** The layout of a pool: a link column, of an ordered tag its place, then the component's own. Null when memory ends. */
export function createPoolLayout(ids: usize): Layout {
  return createLayout(ids, 1, true)
}

/**
 * The layout of a resource: its columns and nothing else. Null when memory ends; without any capacity when no block can
 * hold the row.
 */
export function createResourceLayout(ids: usize): Layout {
  const layout = createLayout(ids, 1, false)
  if (changetype<usize>(layout) != 0 && layout.fullCapacity == 0) placeWide(layout)
  return layout
}

/** Takes back the layout that was made last, when what it was for cannot be. */
export function releaseLastLayout(): void {
  const layout = changetype<Layout>(<usize>layouts.all.pop())
  release(layout.components, layout.componentCount * offsetof<LayoutComponent>())
  release(layout.columns, layout.columnCount * offsetof<Column>())
  release(changetype<usize>(layout), offsetof<Layout>())
}

function hasComponents(layout: Layout, ids: usize, count: u32): bool {
  if (layout.componentCount != count) return false
  for (let i: u32 = 0; i < count; i++) {
    if (layoutComponentAt(layout, i).component != load<u32>(ids + (<usize>i << 2))) return false
  }
  return true
}

/** Columns that a pool's rows have before those of the component: the link, and a place in an order. */
function hiddenColumns(ids: usize): u32 {
  return componentAt(load<u32>(ids)).flags & ORDER_INSERTION ? 2 : 1
}

function createLayout(ids: usize, count: u32, linked: bool): Layout {
  const nothing = changetype<Layout>(0)
  let columnCount: u32 = linked ? hiddenColumns(ids) : 0
  for (let i: u32 = 0; i < count; i++) columnCount += componentAt(load<u32>(ids + (<usize>i << 2))).columnCount
  const componentBytes = count * offsetof<LayoutComponent>()
  const columnBytes = columnCount * offsetof<Column>()
  if (!layouts.all.reserve(1)) return nothing
  const address = allocate(offsetof<Layout>())
  const components = allocate(componentBytes)
  const columns = allocate(columnBytes)
  if (address == 0 || components == 0 || columns == 0) {
    release(address, offsetof<Layout>())
    release(components, componentBytes)
    release(columns, columnBytes)
    return nothing
  }
  const layout = changetype<Layout>(address)
  layout.id = layouts.all.count
  layout.componentCount = count
  layout.components = components
  layout.columnCount = columnCount
  layout.columns = columns
  fillColumns(layout, ids, linked)
  layout.smallCapacity = placeColumns(layout, SMALL_CHUNK_BYTES, 0)
  layout.fullCapacity = placeColumns(layout, CHUNK_BYTES, FULL_CHUNK)
  const largeCapacity = placeColumns(layout, LARGE_CHUNK_BYTES, LARGE_CHUNK)
  // A location can name 4,096 rows of a chunk. Where rows take few bytes, a large chunk would stay half empty.
  const isWorth = layout.fullCapacity > 0 && largeCapacity >= layout.fullCapacity + (layout.fullCapacity >> 1)
  layout.largeCapacity = isWorth ? largeCapacity : 0
  if (isAllWords(layout)) {
    layout.smallStride = alignColumn(layout.smallCapacity * ENTITY_BYTES)
    layout.fullStride = alignColumn(layout.fullCapacity * ENTITY_BYTES)
    layout.largeStride = alignColumn(layout.largeCapacity * ENTITY_BYTES)
  }
  layouts.all.push(<u32>address)
  return layout
}

function isAllWords(layout: Layout): bool {
  for (let i: u32 = 0; i < layout.columnCount; i++) {
    if (columnAt(layout, i).width != ENTITY_BYTES) return false
  }
  return true
}

function fillColumns(layout: Layout, ids: usize, linked: bool): void {
  let next: u32 = 0
  if (linked) while (next < hiddenColumns(ids)) columnAt(layout, next++).width = LINK_BYTES
  for (let i: u32 = 0; i < layout.componentCount; i++) {
    const id = load<u32>(ids + (<usize>i << 2))
    const component = componentAt(id)
    const entry = layoutComponentAt(layout, i)
    entry.component = id
    entry.firstColumn = next
    entry.columnCount = component.columnCount
    entry.tickColumn = NOT_TRACKED
    if (canToggle(id)) layout.toggleCount += 1
    for (let k: u32 = 0; k < component.columnCount; k++) {
      const shape = changetype<ColumnShape>(component.columns + <usize>k * offsetof<ColumnShape>())
      const column = columnAt(layout, next++)
      column.width = shape.width
      column.kind = shape.kind
      column.defaultWord = shape.defaultWord
      column.defaultBytes = shape.defaultBytes
      if (shape.kind == COLUMN_TICK && entry.tickColumn == NOT_TRACKED) entry.tickColumn = next - 1
    }
    if (entry.tickColumn != NOT_TRACKED) layout.trackedCount += 1
  }
}

/**
 * Finds the most rows that fit into `bytes`, going down from the number that would fit without any padding,
 * and writes where each column begins. Returns that number, 0 when not one row fits.
 */
function placeColumns(layout: Layout, bytes: u32, size: u32): u32 {
  const head = headBytes(layout)
  if (head >= bytes) return 0
  let rowBytes = ENTITY_BYTES
  for (let i: u32 = 0; i < layout.columnCount; i++) rowBytes += columnAt(layout, i).width
  let capacity = min((bytes - head) / rowBytes, <u32>1 << ROW_BITS)
  while (capacity > 0 && columnsEnd(layout, capacity, size) > bytes - head) capacity -= 1
  return capacity
}

/** Writes the offsets for `capacity` rows; returns where the last column, or the last toggle's bits, end. */
function columnsEnd(layout: Layout, capacity: u32, size: u32): u32 {
  let offset = alignColumn(capacity * ENTITY_BYTES)
  for (let i: u32 = 0; i < layout.columnCount; i++) {
    const column = columnAt(layout, i)
    store<u32>(changetype<usize>(column) + (<usize>size << 2), offset, offsetof<Column>('smallOffset'))
    offset += alignColumn(capacity * column.width)
  }
  for (let i: u32 = 0; layout.toggleCount != 0 && i < layout.componentCount; i++) {
    const entry = layoutComponentAt(layout, i)
    if (!canToggle(entry.component)) continue
    store<u32>(changetype<usize>(entry) + (<usize>size << 2), offset, offsetof<LayoutComponent>('smallToggle'))
    offset += alignColumn((capacity + 7) >> 3)
  }
  return offset
}

/** Places the columns of one row, unless no block has room for them. */
function placeWide(layout: Layout): void {
  let end: u64 = alignColumn(ENTITY_BYTES)
  for (let i: u32 = 0; i < layout.columnCount; i++) {
    const column = columnAt(layout, i)
    column.smallOffset = <u32>end
    end += alignColumn(column.width)
  }
  end += headBytes(layout)
  if (end > MAX_BLOCK_BYTES) return
  layout.smallCapacity = 1
  layout.wideBytes = ((<u32>end - 1) | ((1 << MIN_ORDER) - 1)) + 1
}

@inline
function alignColumn(bytes: u32): u32 {
  return (bytes + COLUMN_ALIGNMENT - 1) & ~(COLUMN_ALIGNMENT - 1)
}
