// Owns writing a user's values into the rows of an entity, and reading them as a copy.
// It must never be given values that were not checked.

import type { BundleNode } from './bundle'
import { type ComponentValue, type Definition, type Ingredient, placeOf } from './component'
import { type Field, SHIFT_OF, isVec, loadField, storeField } from './fields'
import type { Heap } from './heap'
import type { Registration } from './registration'

type Values = Record<string, unknown> | undefined

/** Writes values of several components; `values` stands in the order of the bundle. */
export function writeValues(bundle: BundleNode, entity: number, values: readonly Values[]): void {
  for (let i = 0; i < values.length; i++) {
    const given = values[i]
    if (given !== undefined) writeComponent(bundle.registrations[i] as Registration, entity, given)
  }
}

/** The same for what was named in a call; `ingredients` stands in the order of the bundle and may be longer. */
export function writeIngredients(
  bundle: BundleNode,
  entity: number,
  ingredients: readonly (Ingredient | undefined)[],
): void {
  const { length } = bundle.registrations
  for (let i = 0; i < length; i++) writeGiven(bundle, i, entity, ingredients[i])
}

/** The same for the argument at `place` alone. */
export function writeGiven(bundle: BundleNode, place: number, entity: number, ingredient: unknown): void {
  if (typeof ingredient !== 'object') return
  // What is no function was found to be a component with values when the bundle was.
  const { values } = ingredient as ComponentValue
  if (values !== undefined) writeComponent(bundle.registrations[place] as Registration, entity, values)
}

/** Writes the named fields of one component and marks it changed. The entity must have the component. */
export function writeComponent(
  registration: Registration,
  entity: number,
  values: Record<string, unknown>,
): void {
  if (registration.locate(entity)) writeLocated(registration, values)
}

/** The same where Registration.locate has just found the row. */
export function writeLocated(registration: Registration, values: Record<string, unknown>): void {
  const { heap, definition, data, row } = registration
  const { fields, fieldNames } = definition
  const { offsets } = registration.found
  let k = -1
  // Reading by the key of the loop costs a few nanoseconds whatever the shape of the object; any other way, many.
  for (const name in values) {
    const value = values[name]
    k = placeOf(fieldNames, name, k + 1)
    if (value === undefined) continue
    const field = fields[k] as Field
    const column = data + (offsets[k] as number)
    if (field.isNumber && field.kind === 'f32') heap.f32[(column >> 2) + row] = value as number
    else storeField(heap, field, column + ((row * field.length) << field.shift), value)
  }
  registration.markLocated()
}

/** Whether the named fields have these values already, where Registration.locate has just found the row. */
export function equalsLocated(registration: Registration, values: Record<string, unknown>): boolean {
  const { heap, definition, found } = registration
  return definition.fields.every((field, k) => {
    const value = values[definition.fieldNames[k] as string]
    if (value === undefined) return true
    const stored = loadField(heap, field, addressOf(registration, field, found.offsets[k] as number))
    if (!isVec(field)) return Object.is(stored, field.kind === 'f32' ? Math.fround(value as number) : value)
    const list = value as ArrayLike<number>
    const rounded = field.kind === 'f32' ? Array.from(list, Math.fround) : Array.from(list, Number)
    return rounded.every((item, i) => Object.is((stored as ArrayLike<number>)[i], item))
  })
}

/** A copy of what Registration.locate has just found. */
export function readLocated(
  registration: Registration,
  heap: Heap,
  definition: Definition,
): Record<string, unknown> {
  const { fields, fieldNames } = definition
  const offsets = registration.found.offsets
  const copy: Record<string, unknown> = {}
  for (let k = 0; k < fields.length; k++) {
    const field = fields[k] as Field
    copy[fieldNames[k] as string] = loadField(
      heap,
      field,
      addressOf(registration, field, offsets[k] as number),
    )
  }
  return copy
}

function addressOf(registration: Registration, field: Field, offset: number): number {
  return registration.data + offset + ((registration.row * field.length) << SHIFT_OF[field.kind])
}
