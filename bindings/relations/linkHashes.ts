// Owns the hash of a link for digests: what it says, wherever its record lies.
// It must never know how links are stored.

import { loadField } from '../components/fieldMemory'
import type { Field } from '../components/fields'
import type { RowRef } from '../cursors/rowRef'

const HASH_OF_NOTHING = 0x811c9dc5
const bytes = /* @__PURE__ */ new ArrayBuffer(8)
const doubles = /* @__PURE__ */ new Float64Array(bytes)
const words = /* @__PURE__ */ new Uint32Array(bytes)

function mix(hash: number, bits: number): number {
  const mixed = Math.imul(hash ^ bits, 0x9e3779b1)
  return (mixed << 13) | (mixed >>> 19)
}

/** All NaN are the same one here, as every number read from memory is. */
function mixNumber(hash: number, value: number): number {
  doubles[0] = Number.isNaN(value) ? NaN : value
  return mix(mix(hash, words[0] as number), words[1] as number)
}

function mixText(hash: number, text: string): number {
  let mixed = mix(hash, text.length)
  for (let i = 0; i < text.length; i++) mixed = mix(mixed, text.charCodeAt(i))
  return mixed
}

function mixValue(hash: number, value: unknown): number {
  if (typeof value === 'string') return mixText(hash, value)
  if (typeof value !== 'object') return mixNumber(hash, Number(value))
  let mixed = hash
  for (const item of value as Iterable<number>) mixed = mixNumber(mixed, item)
  return mixed
}

/** The hash of a link of a relation: whom it leads from and to, its neighbours in both lists, its values. */
export function hashOfLink(
  name: string,
  handles: readonly number[],
  { heap, definition, ...at }: RowRef,
): number {
  let hash = mixText(HASH_OF_NOTHING, name)
  for (const handle of handles) hash = mix(hash, handle)
  definition.fields.forEach((field: Field, k) => {
    const column = at.data + (at.placement.offsets[k] as number)
    hash = mixValue(hash, loadField(heap, field, column + ((at.row * field.length) << field.shift)))
  })
  return (hash ^ (hash >>> 15)) >>> 0
}
