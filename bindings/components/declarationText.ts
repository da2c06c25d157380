// Owns the lines that Node's console shows for fields, components and values, in place of thousands of characters.

import { describe } from '../memory/describe'
import { shorten } from '../memory/consoleText'
import type { Definition } from './definition'
import type { FieldDefinition } from './fields'
import type { ObjectBox } from './componentValues'
import { KINDS } from './fieldKinds'
import type { Schema } from './schema'
import type { CopiedValues, CopiedValue } from './copiedValues'

/** A component, tag or object component; a method of each of them. */
export function showDefinition(this: Definition): string {
  const { kind, componentName, storage } = this
  if (kind === 'tag') return `tag ${componentName}`
  if (kind === 'object') return `object ${componentName}`
  if (kind === 'relation') return `relation ${componentName}`
  return `component ${componentName} ${showSchema(this.schema)}${storage === 'table' ? '' : `, ${storage}`}`
}

/** A component with values, as it was written. */
export function showValues(
  { componentName, fieldNames }: Definition,
  values: CopiedValues | ObjectBox | undefined,
): string {
  if (values === undefined) return `${componentName}()`
  if (!Array.isArray(values)) return `${componentName}(${describe((values as ObjectBox).value)})`
  const given = (values as CopiedValues).flatMap((value, k) =>
    value === undefined ? [] : `${fieldNames[k]}: ${showValue(value)}`,
  )
  return `${componentName}(${given.length === 0 ? '{}' : `{ ${shorten(given).join(', ')} }`})`
}

function showValue(value: CopiedValue): string {
  return typeof value === 'object' ? `[${shorten(Array.from(value)).join(', ')}]` : describe(value)
}

/** A field: f32, vec(u8, 4), f32.default(1). */
export function showField({ kind, length, isVec, given }: FieldDefinition): string {
  const field = isVec ? `vec(${kind}, ${length})` : kind
  if (given === KINDS[kind].usual) return field
  return `${field}.default(${Array.isArray(given) ? `[${shorten(given).join(', ')}]` : describe(given)})`
}

export function showSchema(schema: Schema): string {
  const fields = Object.entries(schema).map(([name, { kind, length }]) => {
    return `${name}: ${length === 1 ? kind : `vec(${kind}, ${length})`}`
  })
  const named = shorten(fields)
  return named.length === 0 ? '{}' : `{ ${named.join(', ')} }`
}
