// Owns writing taken values into the rows of an entity, and reading a row as a copy.
// It must never run a user's code: between locating a row and writing it nothing else may happen.

import { loadField, storeField } from '../components/fieldMemory'
import { type Field, type List, SHIFT_OF, isVec } from '../components/fields'
import type { ComponentValue, Ingredient } from '../components/ingredients'
import type { Taken } from '../components/taking'
import type { Bundle } from './bundle'
import type { Registration } from './registration'
import type { RowRef } from './rowRef'

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
  if (values === undefined) return
  const registration = bundle.registrations[place] as Registration
  // The value of an object component has no row: report.ts keeps it.
  if (registration.objects !== undefined) return
  const ref = registration.locate(entity)
  if (ref !== undefined) writeRow(ref, values as Taken)
}

/** Writes values to a row, and marks the component changed. */
export function writeRow(ref: RowRef, values: Taken): void {
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

/** Whether a row has these values already. */
export function equalsRow(ref: RowRef, values: Taken): boolean {
  const { heap, definition, placement } = ref
  return definition.fields.every((field, k) => {
    const value = values[k]
    if (value === undefined) return true
    const stored = loadField(heap, field, addressOf(ref, field, placement.offsets[k] as number))
    if (!isVec(field)) return Object.is(stored, field.kind === 'f32' ? Math.fround(value as number) : value)
    const list = value as List
    for (let i = 0; i < field.length; i++) {
      const item = list[i] as number
      if (!Object.is((stored as List)[i], field.kind === 'f32' ? Math.fround(item) : item)) return false
    }
    return true
  })
}

/** A copy of a row. */
export function readRow(ref: RowRef): Record<string, unknown> {
  const { heap, placement } = ref
  const { fields, fieldNames } = ref.definition
  const { offsets } = placement
  const copy: Record<string, unknown> = {}
  for (let k = 0; k < fields.length; k++) {
    const field = fields[k] as Field
    copy[fieldNames[k] as string] = loadField(heap, field, addressOf(ref, field, offsets[k] as number))
  }
  return copy
}

function addressOf(ref: RowRef, field: Field, offset: number): number {
  return ref.data + offset + ((ref.row * field.length) << SHIFT_OF[field.kind])
}
