// Owns digests: one number for what entities have, the same wherever their rows lie and in whatever order. What decides
// is handles, names of components, and values; addresses, ids of components and change ticks do not.
// It must never change a byte.

import {
  ARCHETYPES_ALL,
  ARCHETYPE_SIGNATURE,
  ARCHETYPE_SIGNATURE_COUNT,
  ENTITIES_FRESH,
  FIRST_ENTITY_INDEX,
  LIST_COUNT,
  LIST_ITEMS,
  STORAGE_RESOURCE,
  TABLE_ROWS,
  TEXTS_FRESH,
  TEXTS_RECORDS,
  TEXT_BYTES,
  TEXT_HASH,
  TEXT_LIVE,
  TEXT_STATE,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import type { Field } from '../components/fields'
import { INDEX_MASK, NULL_ENTITY } from '../memory/entity'
import type { Heap } from '../memory/heap'
import type { Registration } from '../rows/registration'
import { eachChunk } from '../rows/tableRows'
import type { WorldState } from '../rows/worldState'

/** Is given each row's entity, NULL_ENTITY for a resource, and the hash of what it has. */
export type HashVisitor = (entity: number, hash: number) => void

/** A NaN has many bit patterns, and engines differ in which one an operation gives. */
const NAN_32 = 0x7fc00000
const NAN_64 = 0x7ff80000
const HASH_OF_NOTHING = 0x811c9dc5
const HASH_OF_ENTITIES = 0x2545f491

/** The hashes of the rows of one chunk, in the making. */
const hashes: number[] = []

function mix(hash: number, bits: number): number {
  const mixed = Math.imul(hash ^ bits, 0x9e3779b1)
  return (mixed << 13) | (mixed >>> 19)
}

/** Spreads what was mixed over all bits: digests are sums. */
function finish(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function hashOfName(name: string): number {
  let hash = HASH_OF_NOTHING
  for (let i = 0; i < name.length; i++) hash = mix(hash, name.charCodeAt(i))
  return hash
}

/** The digest of the living entities and of everything that this world knows. */
export function digestAll(state: WorldState): number {
  let sum = 0
  const add: HashVisitor = (_, hash) => (sum = (sum + hash) | 0)
  eachEntityHash(state, add)
  for (const registration of state.allKnown()) eachRowHash(state, registration, add)
  return sum >>> 0
}

/** The digest of some components, or resources with fields. */
export function digestOf(state: WorldState, definitions: readonly Definition[]): number {
  let sum = 0
  const add: HashVisitor = (_, hash) => (sum = (sum + hash) | 0)
  for (const definition of definitions) {
    const registration = state.known(definition)
    if (registration !== undefined) eachRowHash(state, registration, add)
  }
  return sum >>> 0
}

/** Visits every living entity. */
export function eachEntityHash({ heap }: WorldState, visit: HashVisitor): void {
  const fresh = heap.word(ENTITIES_FRESH)
  for (let index = FIRST_ENTITY_INDEX; index < fresh; index++) {
    const handle = heap.handleAt(index)
    if ((handle & INDEX_MASK) === index) visit(handle, finish(mix(HASH_OF_ENTITIES, handle)))
  }
}

/** Visits every row of a component: what its fields hold, and whether it is switched off. */
export function eachRowHash(state: WorldState, registration: Registration, visit: HashVisitor): void {
  const { heap } = state
  const { definition } = registration
  const name = hashOfName(definition.componentName)
  const rowsOf = (table: number) =>
    eachChunk(heap, table, (data, layoutKey, rows) => {
      hashChunk(heap, registration, name, data, layoutKey, rows)
      for (let row = 0; row < rows; row++) {
        const entity = heap.u32[(data >> 2) + row] as number
        if (entity !== NULL_ENTITY) visit(entity, finish(hashes[row] as number))
      }
    })
  if (definition.storageCode === STORAGE_RESOURCE) {
    if (heap.word(registration.pool + TABLE_ROWS) === 0) return
    eachChunk(heap, registration.pool, (data, layoutKey, rows) => {
      hashChunk(heap, registration, name, data, layoutKey, rows)
      visit(NULL_ENTITY, finish(hashes[0] as number))
    })
  } else if (registration.pooled) rowsOf(registration.pool)
  else eachArchetypeWith(heap, registration.id, rowsOf)
}

function eachArchetypeWith(heap: Heap, component: number, visit: (table: number) => void): void {
  const all = heap.word(ARCHETYPES_ALL)
  const count = heap.word(all + LIST_COUNT)
  for (let id = 0; id < count; id++) {
    const archetype = heap.word(heap.word(all + LIST_ITEMS) + id * 4)
    const signature = heap.word(archetype + ARCHETYPE_SIGNATURE) >> 2
    const length = heap.word(archetype + ARCHETYPE_SIGNATURE_COUNT)
    for (let i = 0; i < length; i++) if (heap.u32[signature + i] === component) visit(archetype)
  }
}

/** Leaves a hash for each row of a chunk in `hashes`. */
function hashChunk(
  heap: Heap,
  registration: Registration,
  name: number,
  data: number,
  layoutKey: number,
  rows: number,
): void {
  const { u8, u32 } = heap
  const { offsets, toggleOffset } = registration.placement(layoutKey)
  for (let row = 0; row < rows; row++) hashes[row] = mix(name, u32[(data >> 2) + row] as number)
  registration.definition.fields.forEach((field, k) => {
    hashColumn(heap, field, data + (offsets[k] as number), rows)
  })
  if (toggleOffset === 0) return
  for (let row = 0; row < rows; row++) {
    const isOff = ((u8[data + toggleOffset + (row >> 3)] as number) >> (row & 7)) & 1
    hashes[row] = mix(hashes[row] as number, isOff)
  }
}

function hashColumn(heap: Heap, { kind, length }: Field, address: number, rows: number): void {
  const { u8, u16, u32 } = heap
  const count = rows * length
  switch (kind) {
    case 'f32':
      return mixEach(count, length, (i) => canonical(u32[(address >> 2) + i] as number))
    case 'f64':
      mixEach(count, length, (i) => highWord(u32, (address >> 2) + 2 * i))
      return mixEach(count, length, (i) => lowWord(u32, (address >> 2) + 2 * i))
    case 'text':
      return mixEach(count, length, (i) => hashOfText(heap, u32[(address >> 2) + i] as number))
    case 'bool':
      return mixEach(count, length, (i) => Number(u8[address + i] !== 0))
    case 'i8':
    case 'u8':
      return mixEach(count, length, (i) => u8[address + i] as number)
    case 'i16':
    case 'u16':
      return mixEach(count, length, (i) => u16[(address >> 1) + i] as number)
    default:
      return mixEach(count, length, (i) => u32[(address >> 2) + i] as number)
  }
}

/** Mixes values into the hashes of their rows; each row has `length` of them. */
function mixEach(count: number, length: number, bitsOf: (i: number) => number): void {
  for (let i = 0, row = 0; i < count; row++)
    for (const end = i + length; i < end; i++) hashes[row] = mix(hashes[row] as number, bitsOf(i))
}

function canonical(bits: number): number {
  return (bits & 0x7fffffff) > 0x7f800000 ? NAN_32 : bits
}

/** Whether the 64-bit float in two words is no number. */
function isNaN64(u32: Uint32Array, word: number): boolean {
  const high = (u32[word + 1] as number) & 0x7fffffff
  return high > 0x7ff00000 || (high === 0x7ff00000 && u32[word] !== 0)
}

function highWord(u32: Uint32Array, word: number): number {
  return isNaN64(u32, word) ? NAN_64 : (u32[word + 1] as number)
}

function lowWord(u32: Uint32Array, word: number): number {
  return isNaN64(u32, word) ? 0 : (u32[word] as number)
}

/** The hash of a string that a column names by its id; an id that names none reads as ''. */
function hashOfText(heap: Heap, id: number): number {
  if (id === 0 || id >= heap.word(TEXTS_FRESH)) return 0
  const record = heap.word(TEXTS_RECORDS) + id * TEXT_BYTES
  return (heap.word(record + TEXT_STATE) & TEXT_LIVE) === 0 ? 0 : heap.word(record + TEXT_HASH)
}
