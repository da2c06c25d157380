// Owns the walks over all columns of one kind: stale handles become NULL_ENTITY, unused texts are freed. No row moves and no
// memory is needed: only values change, and their columns are marked.

import { Chunk, chunkAt, directory } from './chunks'
import { entityAddress, valueAddress } from './addresses'
import { COLUMN_ENTITY, COLUMN_TEXT, ColumnShape, componentAt, components } from '../components/components'
import { NULL_ENTITY, isAlive } from '../memory/entities'
import { isPromised } from '../memory/reserving'
import { Column, Layout, columnAt, layoutComponentAt, layoutOf } from './layouts'
import { markChanged, markRowChanged } from './ticks'
import { EMPTY_TEXT, freeUnmarkedTexts, isText, markText } from '../components/texts'

/** What is done with the values of a walk. */
const CLEAR_DEAD_REFERENCES: u32 = 0
const KEEP_TEXTS: u32 = 1
const CLEAR_UNKNOWN_TEXTS: u32 = 2

/** Turns every handle in an `entity` column whose entity is dead into NULL_ENTITY. Returns how many. */
export function sweepReferences(tick: u32): u32 {
  return visitColumns(COLUMN_ENTITY, CLEAR_DEAD_REFERENCES, tick)
}

/** Frees every text that no row and no default holds. Returns how many. */
export function sweepTexts(tick: u32): u32 {
  visitColumns(COLUMN_TEXT, KEEP_TEXTS, tick)
  keepDefaults()
  return freeUnmarkedTexts()
}

/** Empties what text columns hold under ids that name no text. Returns how many values that were. */
export function clearUnknownTexts(tick: u32): u32 {
  return visitColumns(COLUMN_TEXT, CLEAR_UNKNOWN_TEXTS, tick)
}

/** Whether the value at the address was changed. */
@inline
function visit(operation: u32, address: usize): bool {
  if (operation == CLEAR_DEAD_REFERENCES) return clearDeadReference(address)
  return operation == KEEP_TEXTS ? keepText(address) : clearUnknownText(address)
}

function clearDeadReference(address: usize): bool {
  const handle = load<u32>(address)
  if (handle == NULL_ENTITY || isAlive(handle) || isPromised(handle)) return false
  store<u32>(address, NULL_ENTITY)
  return true
}

/** A number that names no text, written by hand into a column, would become another text's id one day. */
function keepText(address: usize): bool {
  if (clearUnknownText(address)) return true
  markText(load<u32>(address))
  return false
}

function clearUnknownText(address: usize): bool {
  if (isText(load<u32>(address))) return false
  store<u32>(address, EMPTY_TEXT)
  return true
}

/** Visits every value of one kind in the rows of all chunks; marks what changed. Returns how many did. */
function visitColumns(kind: u32, operation: u32, tick: u32): u32 {
  let changed: u32 = 0
  for (let id: u32 = 1; id < directory.fresh; id++) {
    const chunk = chunkAt(id)
    if (chunk.capacity != 0 && chunk.count != 0) changed += visitChunk(chunk, kind, operation, tick)
  }
  return changed
}

function visitChunk(chunk: Chunk, kind: u32, operation: u32, tick: u32): u32 {
  const layout = layoutOf(chunk)
  let changed: u32 = 0
  for (let i: u32 = 0; i < layout.componentCount; i++) {
    const inComponent = visitComponent(chunk, layout, i, kind, operation, tick)
    if (inComponent != 0) markChanged(chunk, i, tick)
    changed += inComponent
  }
  return changed
}

/** The columns of the component at `index` of a chunk's layout. */
function visitComponent(chunk: Chunk, layout: Layout, index: u32, kind: u32, operation: u32, tick: u32): u32 {
  const component = layoutComponentAt(layout, index)
  let changed: u32 = 0
  for (let k: u32 = 0; k < component.columnCount; k++) {
    const column = columnAt(layout, component.firstColumn + k)
    if (column.kind == kind) changed += visitColumn(chunk, layout, index, column, operation, tick)
  }
  return changed
}

/** Rows that a stable pool left empty are passed over: nobody reads what they hold. */
function visitColumn(
  chunk: Chunk,
  layout: Layout,
  index: u32,
  column: Column,
  operation: u32,
  tick: u32,
): u32 {
  let changed: u32 = 0
  for (let row: u32 = 0; row < chunk.count; row++) {
    if (chunk.holes != 0 && load<u32>(entityAddress(chunk, row)) == NULL_ENTITY) continue
    const first = valueAddress(chunk, column, row)
    let inRow: u32 = 0
    for (let value = first; value < first + column.width; value += sizeof<u32>()) inRow += visit(operation, value)
    if (inRow != 0) markRowChanged(layout, layoutComponentAt(layout, index), chunk, row, tick)
    changed += inRow
  }
  return changed
}

function keepDefaults(): void {
  for (let id: u32 = 0; id < components.count; id++) {
    const component = componentAt(id)
    for (let k: u32 = 0; k < component.columnCount; k++) {
      const shape = changetype<ColumnShape>(component.columns + <usize>k * offsetof<ColumnShape>())
      if (shape.kind == COLUMN_TEXT) markText(<u32>shape.defaultWord)
    }
  }
}
