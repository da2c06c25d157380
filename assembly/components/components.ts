// Owns the registry of component types: storage, columns with their defaults, and their names. It keeps the lists in which rows
// and archetypes are filed under a component.

import { COMPONENTS_ADDRESS } from '../memory/map'
import { allocate, release } from '../memory/objects'
import { List, createList } from '../memory/list'
import { blocks } from '../memory/blocks'
import { movesNow } from '../memory/moving'
import { FIRST_COMPONENTS } from '../memory/sizes'
import { OUT_OF_COMPONENTS, OUT_OF_MEMORY } from '../memory/status'
import { noteStep } from '../memory/steps'

/** No data: part of an archetype's signature only. */
export const STORAGE_TAG: u32 = 0
/** Columns in the chunks of archetypes. */
export const STORAGE_TABLE: u32 = 1
/** Columns in a pool of its own; removal swaps with the last row. */
export const STORAGE_SPARSE: u32 = 2
/** Columns in a pool of its own; rows never move, holes are reused. */
export const STORAGE_STABLE: u32 = 3
/** One row for the whole world, on no entity (see resources.ts). */
export const STORAGE_RESOURCE: u32 = 4

/** What a column holds, where the core must know: sweeps look for handles and for text ids. */
export const COLUMN_PLAIN: u32 = 0
export const COLUMN_ENTITY: u32 = 1
export const COLUMN_TEXT: u32 = 2
/** A change tick a row, hidden from users: of a component that tracks rows, the last change, then the adding. */
export const COLUMN_TICK: u32 = 3

/** Rows of this component can be switched off: a bit for each row of a chunk. */
export const FLAG_TOGGLE: u32 = 1
/** Entities with this tag are in no query that does not name it. */
export const FLAG_EXCLUDED: u32 = 2

/** Flag of an ordered tag: visited in the order in which it was added. */
export const ORDER_INSERTION: u32 = 1 << 8
/** A bit of flags: all entities lose the component when the frame ends. */
export const FLAG_FRAME: u32 = 4
/** A bit of flags: what an entity has of it is more than a row, and TypeScript has to end the rest when it dies. */
export const FLAG_UPKEEP: u32 = 8

/** Ids are kept in 16 bits beside each entity (see entities.ts). */
export const MAX_COMPONENTS: u32 = 65535

@unmanaged
export class ColumnShape {
  /** The default value, when it fits. */
  defaultWord: u64
  /** Bytes of one row of this column. */
  width: u32
  /** Address of the default value of a wider row; 0 when that is all zeros. */
  defaultBytes: usize
  /** One of COLUMN_PLAIN, COLUMN_ENTITY, COLUMN_TEXT, COLUMN_TICK. */
  kind: u32
}

@unmanaged
export class Component {
  storage: u32
  /** Bits such as FLAG_TOGGLE. */
  flags: u32
  columnCount: u32
  /** Array of ColumnShape. */
  columns: usize
  /** The text by which TypeScript finds this component again, UTF-8. */
  text: usize
  textBytes: u32
  /** The table of its own: the pool of a sparse or stable component, the one row of a resource; else 0. */
  pool: usize
  /** Ids of the archetypes that have this component. */
  archetypes: List
  /** Queries that look at new archetypes with this component. */
  queries: List
}

@unmanaged
export class Components {
  records: usize
  count: u32
  capacity: u32
  /** How many of them are tags with FLAG_EXCLUDED. */
  hiding: u32
  /** How many of them have FLAG_UPKEEP, and a pool. */
  upkeepPools: u32
}

/** What TypeScript writes into scratch to register a component; ColumnDescriptions and bytes follow. */
@unmanaged
export class ComponentDescription {
  storage: u32
  flags: u32
  columnCount: u32
  textBytes: u32
  /** Where in scratch the text lies, counted from its beginning. */
  textOffset: u32
}

@unmanaged
export class ColumnDescription {
  width: u32
  kind: u32
  /** Where in scratch the default value lies, counted from its beginning; 0: it is all zeros. */
  defaultOffset: u32
}

export const components = changetype<Components>(COMPONENTS_ADDRESS)

export function initComponents(): void {
  memory.fill(COMPONENTS_ADDRESS, 0, offsetof<Components>())
}

@inline
export function componentAt(id: u32): Component {
  if (!ASC_NO_ASSERT) assert(noteStep() && id < components.count, 'a component id was registered')
  return changetype<Component>(components.records + <usize>id * offsetof<Component>())
}

@inline
export function canToggle(id: u32): bool {
  return (componentAt(id).flags & FLAG_TOGGLE) != 0
}

/** Whether its entities are only in queries that name it. */
@inline
export function isHiding(id: u32): bool {
  return (componentAt(id).flags & FLAG_EXCLUDED) != 0
}

@inline
export function needsUpkeep(id: u32): bool {
  return (componentAt(id).flags & FLAG_UPKEEP) != 0
}

/** Whether it has columns besides those with change ticks, which are the last ones. */
export function hasFields(id: u32): bool {
  const component = componentAt(id)
  return component.columnCount != 0 && changetype<ColumnShape>(component.columns).kind != COLUMN_TICK
}

@inline
export function isPooled(storage: u32): bool {
  return storage == STORAGE_SPARSE || storage == STORAGE_STABLE
}

/** Registers what the description at `scratch` says; the new id, or a negative status. */
export function registerComponent(scratch: usize): i32 {
  const description = changetype<ComponentDescription>(scratch)
  if (components.count >= MAX_COMPONENTS) return OUT_OF_COMPONENTS
  if (!ensureRecord()) return OUT_OF_MEMORY
  const columnBytes = description.columnCount * offsetof<ColumnShape>()
  const columns = description.columnCount ? allocate(columnBytes) : 0
  const text = allocate(description.textBytes)
  const archetypes = createList()
  const queries = createList()
  const enough =
    (columns != 0 || description.columnCount == 0) &&
    text != 0 &&
    changetype<usize>(archetypes) != 0 &&
    changetype<usize>(queries) != 0
  if (!enough || !readColumns(scratch, columns)) {
    if (columns != 0) releaseColumns(columns, description.columnCount)
    release(text, description.textBytes)
    release(changetype<usize>(archetypes), offsetof<List>())
    release(changetype<usize>(queries), offsetof<List>())
    return OUT_OF_MEMORY
  }
  memory.copy(text, scratch + description.textOffset, description.textBytes)
  const id = components.count++
  const component = componentAt(id)
  component.storage = description.storage
  component.flags = description.flags
  component.columnCount = description.columnCount
  component.columns = columns
  component.text = text
  component.textBytes = description.textBytes
  component.pool = 0
  component.archetypes = archetypes
  component.queries = queries
  if (isHiding(id)) components.hiding += 1
  if (needsUpkeep(id) && isPooled(component.storage)) components.upkeepPools += 1
  return <i32>id
}

/** Takes back the component registered last, when what belongs to it could not be made. */
export function unregisterLastComponent(): void {
  const component = componentAt(components.count - 1)
  if (isHiding(components.count - 1)) components.hiding -= 1
  if (needsUpkeep(components.count - 1) && isPooled(component.storage)) components.upkeepPools -= 1
  if (component.columns != 0) releaseColumns(component.columns, component.columnCount)
  release(component.text, component.textBytes)
  release(changetype<usize>(component.archetypes), offsetof<List>())
  release(changetype<usize>(component.queries), offsetof<List>())
  components.count -= 1
}

/** Fills the column shapes; false when memory ends. */
function readColumns(scratch: usize, columns: usize): bool {
  const description = changetype<ComponentDescription>(scratch)
  for (let i: u32 = 0; i < description.columnCount; i++) {
    const from = changetype<ColumnDescription>(
      scratch + offsetof<ComponentDescription>() + <usize>i * offsetof<ColumnDescription>(),
    )
    const column = changetype<ColumnShape>(columns + <usize>i * offsetof<ColumnShape>())
    column.width = from.width
    column.kind = from.kind
    if (from.defaultOffset == 0) continue
    const source = scratch + from.defaultOffset
    if (from.width <= 8) memory.copy(columns + <usize>i * offsetof<ColumnShape>(), source, from.width)
    else if (!isZero(source, from.width)) {
      column.defaultBytes = allocate(from.width)
      if (column.defaultBytes == 0) return false
      memory.copy(column.defaultBytes, source, from.width)
    }
  }
  return true
}

function releaseColumns(columns: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const column = changetype<ColumnShape>(columns + <usize>i * offsetof<ColumnShape>())
    release(column.defaultBytes, column.width)
  }
  release(columns, count * offsetof<ColumnShape>())
}

function isZero(address: usize, bytes: u32): bool {
  for (let i: u32 = 0; i < bytes; i++) if (load<u8>(address + i) != 0) return false
  return true
}

function ensureRecord(): bool {
  if (!ASC_NO_ASSERT && movesNow(components.capacity * offsetof<Component>())) moveRecords(components.capacity)
  if (components.count < components.capacity) return true
  return moveRecords(max(components.capacity << 1, FIRST_COMPONENTS))
}

/** Gives the records another place, with room for so many; false, and they stay, when memory ends. */
function moveRecords(capacity: u32): bool {
  const records = allocate(capacity * offsetof<Component>())
  if (records == 0) return false
  memory.copy(records, components.records, components.count * offsetof<Component>())
  release(components.records, components.capacity * offsetof<Component>())
  components.records = records
  components.capacity = capacity
  blocks.epoch += 1
  return true
}
