// Owns digests: one number for what entities have, the same wherever their rows lie and in whatever order. It depends on handles,
// names of components, and values, not on addresses, ids of components or change ticks.

import {
  ENTITIES_FRESH,
  FIRST_ENTITY_INDEX,
  ROW_BITS,
  STORAGE_RESOURCE,
  TABLE_ROWS,
  TEXTS_FRESH,
  TEXTS_RECORDS,
  TEXT_BYTES,
  TEXT_HASH,
  TEXT_LIVE,
  TEXT_STATE,
} from '../../build/layout'
import type { ComponentLike, AnyComponent } from '../components/component'
import { type Definition, definitionOf, isHidden } from '../components/definition'
import type { Field } from '../components/fields'
import type { KindIn } from '../components/fieldKinds'
import { notAComponent } from '../components/notAComponent'
import { type Resource, ResourceDeclaration } from '../components/resourceDeclaration'
import { INDEX_MASK, NULL_ENTITY } from '../memory/entity'
import type { Heap } from '../memory/heap'
import type { Registration } from '../state/registration'
import { type WorldState, stateOf } from '../state/worldState'
import { eachArchetype, eachChunk } from '../memory/coreTables'
import type { World } from '../world/world'

type HashVisitor = (entity: number, hash: number) => void

/** Is given what the row is of, its entity, NULL_ENTITY for a resource, and the hash of what it has. */
type RowHashVisitor = (registration: Registration, entity: number, hash: number) => void

/** A NaN has many bit patterns, and engines differ in which one an operation gives. */
const NAN_32 = 0x7fc00000
const NAN_64 = 0x7ff80000
const HASH_OF_NOTHING = 0x811c9dc5
const HASH_OF_ENTITIES = 0x2545f491

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

/**
 * A number from 0 to 2^32 - 1 for what entities have: handles, names of components, values, and what is switched off;
 * for object components only who has them. Order of rows, change ticks and memory have no influence, so worlds that
 * went the same way have equal digests, also in different browsers.
 * Cost: a visit to every value, about 10 ns each. Allocates little. Allowed inside a loop.
 *
 * @param of components, or resources with fields; without any, all entities, components and resources
 * @throws StrataTypeError NOT_A_COMPONENT
 * @example if (digestWorld(world, Position, Health) !== message.digest) resynchronise()
 */
export function digestWorld(world: World, ...of: (ComponentLike | AnyComponent | Resource)[]): number {
  const state = stateOf(world, 'digestWorld')
  state.refuseDisposed()
  if (of.length === 0) return digestAll(state)
  return digestOf(state, of.map(digestible))
}

function digestible(given: unknown): Definition {
  const definition = given instanceof ResourceDeclaration ? given.definition : definitionOf(given)
  if (definition === undefined) throw notAComponent(given, 'digestWorld')
  return definition
}

/** The digest of the living entities and of everything that this world knows. */
function digestAll(state: WorldState): number {
  let sum = 0
  eachEntityHash(state, (_, hash) => (sum = (sum + hash) | 0))
  for (const each of digestsById(state)) sum += each
  return sum >>> 0
}

/** The digest of some components, or resources with fields. */
export function digestOf(state: WorldState, definitions: readonly Definition[]): number {
  const wanted = definitions.map((definition) => state.known(definition))
  const digests = digestsById(state, new Set(wanted))
  // One that is named twice counts twice.
  return (
    wanted.reduce((sum, known) => sum + (known === undefined ? 0 : (digests[known.id] as number)), 0) >>> 0
  )
}

/** The digest of each component and resource by its id, or of some of them. */
export function digestsById(state: WorldState, wanted?: ReadonlySet<Registration | undefined>): Int32Array {
  const digests = new Int32Array(state.byId.length)
  eachRowHash(state, wanted, ({ id }, _, hash) => (digests[id] = (digests[id] as number) + hash))
  return digests
}

/** Visits every living entity. */
export function eachEntityHash({ heap }: WorldState, visit: HashVisitor): void {
  const fresh = Math.min(heap.word(ENTITIES_FRESH), heap.entityCapacity)
  for (let index = FIRST_ENTITY_INDEX; index < fresh; index++) {
    const handle = heap.handleAt(index)
    if ((handle & INDEX_MASK) === index) visit(handle, finish(mix(HASH_OF_ENTITIES, handle)))
  }
}

/** Visits every row of all components and resources, or of some: what its fields hold, and whether it is switched off. */
export function eachRowHash(
  state: WorldState,
  wanted: ReadonlySet<Registration | undefined> | undefined,
  visit: RowHashVisitor,
): void {
  const { heap, byId } = state
  const hashes = new Int32Array(1 << ROW_BITS)
  /** By id, of those with rows in archetypes. */
  const names: number[] = []
  for (const registration of wanted ?? byId) {
    if (registration === undefined || isHidden(registration.definition)) continue
    const { definition, pool, links, id } = registration
    if (links?.hash((entity, hash) => visit(registration, entity, hash)) === true) continue
    const name = hashOfName(definition.componentName)
    if (!registration.pooled && definition.storageCode !== STORAGE_RESOURCE) names[id] = name
    else if (heap.word(pool + TABLE_ROWS) > 0) hashRows(hashes, registration, name, pool, visit)
  }
  eachArchetype(heap, (table, components) => {
    for (const id of components) {
      const name = names[id]
      if (name !== undefined) hashRows(hashes, byId[id] as Registration, name, table, visit)
    }
  })
}

function hashRows(
  hashes: Int32Array,
  registration: Registration,
  name: number,
  table: number,
  visit: RowHashVisitor,
): void {
  const { heap, definition } = registration
  const isResource = definition.storageCode === STORAGE_RESOURCE
  eachChunk(heap, table, (data, layoutKey, rows) => {
    const handles = data >> 2
    for (let row = 0; row < rows; row++)
      hashes[row] = mix(name, isResource ? NULL_ENTITY : (heap.u32[handles + row] as number))
    hashChunk(hashes, heap, registration, data, layoutKey, rows)
    for (let row = 0; row < rows; row++) {
      const entity = isResource ? NULL_ENTITY : (heap.u32[handles + row] as number)
      // Stable storage has holes.
      if (isResource || entity !== NULL_ENTITY) visit(registration, entity, finish(hashes[row] as number))
    }
  })
}

/** Mixes what the rows of a chunk hold into their hashes. */
function hashChunk(
  hashes: Int32Array,
  heap: Heap,
  registration: Registration,
  data: number,
  layoutKey: number,
  rows: number,
): void {
  const { offsets, toggleOffset } = registration.placement(layoutKey)
  registration.definition.details.columns.forEach((field, k) => {
    hashColumn(hashes, heap, field, data + (offsets[k] as number), rows)
  })
  if (toggleOffset === 0) return
  for (let row = 0; row < rows; row++) {
    const bits = heap.u8[data + toggleOffset + (row >> 3)] as number
    hashes[row] = mix(hashes[row] as number, (bits >> (row & 7)) & 1)
  }
}

function hashColumn(
  hashes: Int32Array,
  heap: Heap,
  { kind, length, shift }: Field,
  address: number,
  rows: number,
): void {
  if (kind === 'f64') return mixDoubles(hashes, heap.u32, address >> 2, rows, length)
  if (kind === 'text') return mixTexts(hashes, heap, address >> 2, rows)
  mixValues(hashes, [heap.u8, heap.u16, heap.u32][shift] as Uint32Array, address >> shift, rows, length, kind)
}

/** Mixes the values of a column into the hashes of their rows; each row has `length` of them. */
function mixValues(
  hashes: Int32Array,
  values: Uint32Array,
  first: number,
  rows: number,
  length: number,
  kind: KindIn<'integer' | 'bool' | 'entity'> | 'f32',
): void {
  const isFloat = kind === 'f32'
  const isBool = kind === 'bool'
  let at = first
  for (let row = 0; row < rows; row++) {
    let hash = hashes[row] as number
    for (let lane = 0; lane < length; lane++) {
      let bits = values[at++] as number
      if (isFloat && (bits & 0x7fffffff) > 0x7f800000) bits = NAN_32
      else if (isBool && bits !== 0) bits = 1
      hash = mix(hash, bits)
    }
    hashes[row] = hash
  }
}

function mixDoubles(hashes: Int32Array, u32: Uint32Array, first: number, rows: number, length: number): void {
  let at = first
  for (let row = 0; row < rows; row++) {
    let hash = hashes[row] as number
    for (let lane = 0; lane < length; lane++, at += 2) {
      let low = u32[at] as number
      let high = u32[at + 1] as number
      const exponent = high & 0x7fffffff
      if (exponent > 0x7ff00000 || (exponent === 0x7ff00000 && low !== 0)) {
        low = 0
        high = NAN_64
      }
      hash = mix(mix(hash, low), high)
    }
    hashes[row] = hash
  }
}

function mixTexts(hashes: Int32Array, heap: Heap, first: number, rows: number): void {
  for (let row = 0; row < rows; row++)
    hashes[row] = mix(hashes[row] as number, hashOfText(heap, heap.u32[first + row] as number))
}

/** The hash of a string that a column names by its id; an id that names none reads as ''. */
function hashOfText(heap: Heap, id: number): number {
  if (id === 0 || id >= heap.word(TEXTS_FRESH)) return 0
  const record = heap.word(TEXTS_RECORDS) + id * TEXT_BYTES
  return (heap.word(record + TEXT_STATE) & TEXT_LIVE) === 0 ? 0 : heap.word(record + TEXT_HASH)
}
