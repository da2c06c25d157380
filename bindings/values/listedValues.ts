// Owns writing lists of values, one for each entity of a list: along runs of rows column by column.
// It must never check a value: what it is given was checked when it was taken.

import { arrayOf } from '../components/fieldMemory'
import type { ListedColumn } from '../components/valueLists'
import type { RowRef } from '../cursors/rowRef'

/** Shorter runs are written value by value: to make a view costs more than a few stores. */
const LEAST_COPY = 8

/** Writes the values from the place `from` in the lists on to a row and those after it, `count` in all, and marks them. */
export function writeListed(
  ref: RowRef,
  count: number,
  columns: readonly ListedColumn[],
  from: number,
): void {
  const { heap, data, row } = ref
  const { offsets } = ref.placement
  for (let c = 0; c < columns.length; c++) {
    const { k, field, values } = columns[c] as ListedColumn
    const { length } = field
    const array = arrayOf(heap, field.kind)
    const first = ((data + (offsets[k] as number)) >> field.shift) + row * length
    const start = from * length
    const list = values as Uint8Array
    if (count >= LEAST_COPY) array.set(list.subarray(start, start + count * length), first)
    else for (let i = 0; i < count * length; i++) array[first + i] = list[start + i] as number
  }
  ref.markRows(count)
}
