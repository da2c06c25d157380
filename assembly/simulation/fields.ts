// Owns where a field lies, in a chunk and for one entity, and the marking of its change ticks.
// It must never keep an address: what it finds is good until the next structural change outside of loops.

import { Archetype, hasComponent } from '../archetypes/archetypes'
import { Chunk, chunkAt, chunkIdOf, rowOf } from '../tables/chunks'
import { valueAddress } from '../tables/addresses'
import { componentAt, components, isPooled } from '../components/components'
import { NO_LOCATION, indexOf, isAlive, recordOf } from '../memory/entities'
import { NOT_TRACKED, columnAt, layoutComponentAt, layoutOf, placeInLayout } from '../tables/layouts'
import { findRow, poolOf } from '../pools/sparseSets'
import { markChanged, markRowChanged } from '../tables/ticks'

/** Address of the value of row 0 in a field's column; 0 when the chunk has no such column. */
export function columnAddress(chunk: Chunk, component: u32, field: u32, bytes: u32): usize {
  return fieldAddress(chunk, component, field, 0, bytes)
}

/** The same for any row. `bytes` is what the caller takes one value of the field for. */
export function fieldAddress(chunk: Chunk, component: u32, field: u32, row: u32, bytes: u32): usize {
  const layout = layoutOf(chunk)
  const place = placeInLayout(layout, component)
  if (place < 0 || field >= componentAt(component).columnCount) return 0
  const column = columnAt(layout, layoutComponentAt(layout, place).firstColumn + field)
  assert(column.width % bytes == 0, 'a field is read and written with the type that its component declares')
  return valueAddress(chunk, column, row)
}

/** Notes that values of a component were written in the rows from `start` up to but without `end`. */
export function markRows(chunk: Chunk, component: u32, start: u32, end: u32, tick: u32): void {
  const layout = layoutOf(chunk)
  const place = placeInLayout(layout, component)
  if (place < 0) return
  markChanged(chunk, place, tick)
  const entry = layoutComponentAt(layout, place)
  if (entry.tickColumn == NOT_TRACKED) return
  for (let row = start; row < end; row++) markRowChanged(layout, entry, chunk, row, tick)
}

/** Where the entity's row with the component's columns is; 0 when it is dead, reserved, or lacks the component. */
export function findComponent(entity: u32, component: u32): u32 {
  if (!isAlive(entity) || component >= components.count) return 0
  const index = indexOf(entity)
  if (isPooled(componentAt(component).storage)) return findRow(poolOf(component), index)
  const location = recordOf(index).location
  if (location == NO_LOCATION) return 0
  const archetype = changetype<Archetype>(chunkAt(chunkIdOf(location)).table)
  return hasComponent(archetype, component) ? location : 0
}

/** Address of one entity's value of a field; 0 when there is none. `tick` not 0: notes that it is written. */
export function valueOf(entity: u32, component: u32, field: u32, bytes: u32, tick: u32, writes: bool): usize {
  const location = findComponent(entity, component)
  if (location == 0) return 0
  const chunk = chunkAt(chunkIdOf(location))
  const row = rowOf(location)
  const address = fieldAddress(chunk, component, field, row, bytes)
  if (writes && address != 0) markRows(chunk, component, row, row + 1, tick)
  return address
}
