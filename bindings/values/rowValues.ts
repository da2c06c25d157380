// Owns writing taken values into the rows of an entity, and reading a row as a copy.
// It must never run a user's code: between locating a row and writing it nothing else may happen.

import { INHERITED, VALUE, XY, XYZ } from '../components/definition'
import { loadField, storeField } from '../components/fieldMemory'
import { type Field, type List, isVec } from '../components/fields'
import { rounded } from '../components/fieldKinds'
import type { ComponentValue, Ingredient } from '../components/componentValues'
import type { CopiedValues } from '../components/copiedValues'
import {
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  NEW_ROW_LAYOUT_KEY_WORD,
  NEW_ROW_WORD,
} from '../../build/layout'
import { INDEX_MASK } from '../memory/entity'
import { ROW_MASK } from '../memory/heap'
import type { Bundle } from '../state/bundle'
import type { Registration } from '../state/registration'
import type { RowRef } from '../cursors/rowRef'

/** Writes what was named in a call; `ingredients` stands in the order of the bundle and may be longer. */
export function writeIngredients(
  bundle: Bundle,
  entity: number,
  ingredients: readonly (Ingredient | undefined)[],
): void {
  const { length } = bundle.registrations
  for (let i = 0; i < length; i++) writeGiven(bundle, i, entity, ingredients[i])
}

/** Writes the values of the argument at `place`, if it has any. */
export function writeGiven(bundle: Bundle, place: number, entity: number, ingredient: unknown): void {
  if (typeof ingredient !== 'object') return
  // What is no function was found to be a component with values when the bundle was.
  const { values } = ingredient as ComponentValue
  const registration = bundle.registrations[place] as Registration
  // The value of an object component has no row: upkeep.ts keeps it.
  if (registration.needsUpkeep) return registration.links?.write(entity, ingredient)
  if (values === undefined) return
  const ref = registration.locate(entity)
  if (ref !== undefined) writeRow(ref, values as CopiedValues)
}

/**
 * Writes what the first three arguments of a call named, for an entity that lives in the chunk of an archetype: one look at
 * where it is serves all of them. Components that came by the call are marked by then; `marks` says whether some were there.
 *
 * @param isNew whether this call gave the entity its row, which the core has noted then
 */
export function writeNamed(
  bundle: Bundle,
  entity: number,
  isNew: boolean,
  marks: boolean,
  a: unknown,
  b: unknown,
  c: unknown,
): void {
  const { heap } = bundle.registrations[0] as Registration
  const { u32 } = heap
  let row = (u32[NEW_ROW_WORD] as number) >> 2
  let layoutKey = u32[NEW_ROW_LAYOUT_KEY_WORD] as number
  if (!isNew) {
    const location = heap.locationAt(entity & INDEX_MASK)
    const descriptor = heap.descriptorAt(location)
    row = ((u32[descriptor + CHUNK_DATA_WORD] as number) >> 2) + (location & ROW_MASK)
    layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
  }
  if (typeof a === 'object') writeFloatsOf(bundle, entity, marks, 0, a, row, layoutKey)
  if (typeof b === 'object') writeFloatsOf(bundle, entity, marks, 1, b, row, layoutKey)
  if (typeof c === 'object') writeFloatsOf(bundle, entity, marks, 2, c, row, layoutKey)
}

function writeFloatsOf(
  bundle: Bundle,
  entity: number,
  marks: boolean,
  place: number,
  ingredient: unknown,
  row: number,
  layoutKey: number,
): void {
  const { floats } = ingredient as ComponentValue
  const registration = bundle.registrations[place] as Registration
  if (floats === undefined || registration.pooled) return writeGiven(bundle, place, entity, ingredient)
  const { f32 } = registration.heap
  const { first, distance } = registration.placement(layoutKey)
  const { length } = floats
  const index = row + first
  f32[index] = floats[0] as number
  if (length > 1) f32[index + distance] = floats[1] as number
  if (length > 2) f32[index + 2 * distance] = floats[2] as number
  if (length > 3) f32[index + 3 * distance] = floats[3] as number
  if (marks) registration.locate(entity)?.mark()
}

/** Writes values to a row, and marks the component changed. */
export function writeRow(ref: RowRef, values: CopiedValues): void {
  const { heap, definition, data, row } = ref
  const { fields } = definition
  const { offsets } = ref.placement
  for (let k = 0; k < fields.length; k++) {
    const value = values[k]
    if (value === undefined) continue
    const field = fields[k] as Field
    const column = data + (offsets[k] as number)
    if (field.isNumber && field.kind === 'f32') heap.f32[(column >> 2) + row] = value as number
    else storeField(heap, field, column + ((row * field.length) << field.shift), value)
  }
  ref.mark()
}

/**
 * writeRow for values that lie side by side among numbers.
 *
 * @param listed a bit for each field that was given
 * @param first where the value of the first field lies, given or not
 */
export function writeNumbers(ref: RowRef, listed: number, numbers: Float64Array, first: number): void {
  const { heap, definition, data, row } = ref
  const { fields } = definition
  const { offsets } = ref.placement
  for (let k = 0; k < fields.length; k++) {
    if (((listed >> k) & 1) === 0) continue
    const field = fields[k] as Field
    const column = data + (offsets[k] as number)
    const value = numbers[first + k] as number
    if (field.isNumber && field.kind === 'f32') heap.f32[(column >> 2) + row] = value
    else storeField(heap, field, column + (row << field.shift), value)
  }
  ref.mark()
}

/** writeRow for the values of some fields, whose places are given. */
export function writeSome(ref: RowRef, places: readonly number[], values: CopiedValues): void {
  const { heap, definition, placement } = ref
  places.forEach((k, i) => {
    const value = values[i]
    const field = definition.fields[k] as Field
    if (value !== undefined)
      storeField(heap, field, addressOf(ref, field, placement.offsets[k] as number), value)
  })
  ref.mark()
}

/** Whether a row has these values already. */
export function equalsRow(ref: RowRef, values: CopiedValues): boolean {
  const { heap, definition, placement } = ref
  return definition.fields.every((field, k) => {
    const value = values[k]
    if (value === undefined) return true
    const stored = loadField(heap, field, addressOf(ref, field, placement.offsets[k] as number))
    if (!isVec(field)) return Object.is(stored, rounded(field.kind, value))
    const list = value as List
    for (let i = 0; i < field.length; i++) {
      if (!Object.is((stored as List)[i], rounded(field.kind, list[i]))) return false
    }
    return true
  })
}

/** A copy of a row. Written out for few fields: a store by the key of a loop sees all names of the program. */
export function readRow(ref: RowRef): Record<string, unknown> {
  const { fieldNames, details } = ref.definition
  switch (details.usualNames) {
    case VALUE:
      return { value: readField(ref, 0) }
    case XY:
      return { x: readField(ref, 0), y: readField(ref, 1) }
    case XYZ:
      return { x: readField(ref, 0), y: readField(ref, 1), z: readField(ref, 2) }
    case INHERITED:
      return Object.fromEntries(fieldNames.map((name, k) => [name, readField(ref, k)]))
  }
  const copy: Record<string, unknown> = {}
  const { length } = fieldNames
  if (length > 0) copy[fieldNames[0] as string] = readField(ref, 0)
  if (length > 1) copy[fieldNames[1] as string] = readField(ref, 1)
  if (length > 2) copy[fieldNames[2] as string] = readField(ref, 2)
  if (length > 3) copy[fieldNames[3] as string] = readField(ref, 3)
  for (let k = 4; k < length; k++) copy[fieldNames[k] as string] = readField(ref, k)
  return copy
}

function readField(ref: RowRef, k: number): unknown {
  const field = ref.definition.fields[k] as Field
  return loadField(ref.heap, field, addressOf(ref, field, ref.placement.offsets[k] as number))
}

function addressOf(ref: RowRef, field: Field, offset: number): number {
  return ref.data + offset + ((ref.row * field.length) << field.shift)
}
