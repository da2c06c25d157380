// Owns writing values to many entities, the same ones to all or one to each: a column at a time along every run of rows that lie
// side by side. It must never run a user's code: between locating a row and writing it nothing else may happen.

import type { ComponentValue, ValuesByComponent } from '../components/componentValues'
import type { CopiedValue, CopiedValues } from '../components/copiedValues'
import { arrayOf } from '../components/fieldMemory'
import { type Field, type List, isVec } from '../components/fields'
import type { ListedColumn } from '../components/valueLists'
import { type RowRef, runLength } from '../cursors/rowRef'
import type { Heap } from '../memory/heap'
import type { Bundle } from '../state/bundle'
import type { Registration } from '../state/registration'
import { writeRow } from './rowValues'

/** Shorter runs are written row by row: to call fill costs more than a few stores. */
const LEAST_FILL = 8

/**
 * Writes what was named in a call to all entities of a list that are alive and have the components; `given` stands in the order
 * of the bundle and may be longer.
 */
export function writeShared(bundle: Bundle, entities: ArrayLike<number>, given: ValuesByComponent): void {
  const tables: Registration[] = []
  const lists: CopiedValues[] = []
  writeElsewhere(bundle, entities, given, tables, lists)
  if (tables.length > 0) writeRuns(tables, entities, lists)
}

/**
 * writeShared for entities whose rows follow one another in a chunk of an archetype, from the row `first` on; its descriptor is so
 * many words from Heap.chunks.
 */
export function writeSharedRows(
  bundle: Bundle,
  chunkOffset: number,
  first: number,
  entities: ArrayLike<number>,
  given: ValuesByComponent,
): void {
  const tables: Registration[] = []
  const lists: CopiedValues[] = []
  writeElsewhere(bundle, entities, given, tables, lists)
  for (let i = 0; i < tables.length; i++) {
    const ref = (tables[i] as Registration).locateIn(chunkOffset, first)
    if (ref !== undefined) writeRun(ref, entities.length, lists[i] as CopiedValues)
  }
}

/** Writes what lies elsewhere than in rows of archetypes, and lists the components that lie there, with their values. */
function writeElsewhere(
  { registrations }: Bundle,
  entities: ArrayLike<number>,
  given: ValuesByComponent,
  tables: Registration[],
  lists: CopiedValues[],
): void {
  if (given === undefined) return
  for (let i = 0; i < registrations.length; i++) {
    // What is no function was found to be a component with values when the bundle was.
    const ingredient = given[i] as ComponentValue
    if (typeof ingredient !== 'object') continue
    const registration = registrations[i] as Registration
    // The value of an object component has no row: upkeep.ts keeps it.
    if (registration.needsUpkeep) writeLinks(registration, entities, ingredient)
    else if (ingredient.values !== undefined) {
      const values = ingredient.values as CopiedValues
      if (registration.pooled) writeRuns([registration], entities, [values])
      else {
        tables.push(registration)
        lists.push(values)
      }
    }
  }
}

function writeLinks({ links }: Registration, entities: ArrayLike<number>, ingredient: ComponentValue): void {
  for (let i = 0; i < entities.length; i++) links?.write(entities[i] as number, ingredient)
}

/** Writes components of one row, or one of a pool: a run that is found for the first of them is one for all. */
function writeRuns(
  registrations: Registration[],
  entities: ArrayLike<number>,
  lists: readonly CopiedValues[],
): void {
  for (let i = 0; i < entities.length;) {
    const entity = entities[i] as number
    const found = (registrations[0] as Registration).locateHandle(entity)
    const count = found === undefined ? 1 : runLength(found, entities, i)
    for (let k = 0; k < registrations.length; k++) {
      const ref = (registrations[k] as Registration).locateHandle(entity)
      if (ref !== undefined) writeRun(ref, count, lists[k] as CopiedValues)
    }
    i += count
  }
}

/** writeRow for a row and those after it, `count` in all. */
function writeRun(ref: RowRef, count: number, values: CopiedValues): void {
  if (count < LEAST_FILL) {
    for (let k = 0; k < count; k++, ref.row++) writeRow(ref, values)
    return
  }
  const { heap, definition, data, row } = ref
  const { fields } = definition
  for (let k = 0; k < fields.length; k++) {
    const field = fields[k] as Field
    const column = data + (ref.placement.offsets[k] as number)
    if (values[k] !== undefined)
      fillColumn(heap, field, (column >> field.shift) + row * field.length, count, values[k])
  }
  ref.markRows(count)
}

/** Gives `count` rows of a column the same value. */
function fillColumn(heap: Heap, field: Field, first: number, count: number, value: CopiedValue): void {
  if (isVec(field)) {
    fillLists(arrayOf(heap, field.kind), first, count * field.length, value as List)
    return
  }
  // Interning may replace the arrays: the id first.
  const stored = field.kind === 'text' ? heap.texts.intern(value as string) : Number(value)
  arrayOf(heap, field.kind).fill(stored, first, first + count)
}

/** Repeats a list until there are `length` numbers: each copy doubles what is there. */
function fillLists(array: ReturnType<typeof arrayOf>, first: number, length: number, list: List): void {
  array.set(list, first)
  for (let done = list.length; done < length; done *= 2)
    array.copyWithin(first + done, first, first + Math.min(done, length - done))
}

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
