// Looks at what the public names do not show: words of linear memory, a component's pool, a handle's parts.

import {
  ARCHETYPES_HASH_MASK,
  ENTITY_INDEX_BITS,
  PAGE_LIVE,
  PAGE_LOCATIONS,
  PAGE_RECORD_BYTES,
  POOL_HOLE_COUNT,
  POOL_PAGES,
  POOL_PAGE_CAPACITY,
  RECORD_LOCATION,
  ENTITIES_RECORDS,
  RECORD_BYTES,
  ROW_BITS,
  CHUNK_OWNER,
  CHUNK_RECORD_BYTES,
  CHUNKS_TABLE,
  TABLE_ROWS,
  CHUNK_TICKS_ADDED,
  CHUNK_TICKS_CHANGED,
} from '../../build/layout'
import type { AnyResource, ComponentLike, World } from '../../bindings/index'
import { onlyRowOf } from '../../bindings/state/registration'

interface Registered {
  readonly pool: number
  readonly id: number
  locate(entity: number): Row | undefined
}

interface Row {
  readonly data: number
  readonly placement: { readonly tickOffset: number }
}

interface Inside {
  readonly heap: { readonly u32: Uint32Array; word(address: number): number }
  readonly texts: { forget(): void }
  known(component: unknown): Registered | undefined
}

function inside(world: World): Inside {
  return (world as unknown as { state: Inside }).state
}

/** The same world, with no text remembered outside of linear memory. */
export function forgetful(world: World): World {
  inside(world).texts.forget()
  return world
}

/** The 32-bit word at a byte address. */
export function wordAt(world: World, address: number): number {
  return inside(world).heap.word(address)
}

export function indexOf(entity: number): number {
  return entity & ((1 << ENTITY_INDEX_BITS) - 1)
}

export function generationOf(entity: number): number {
  return entity >>> ENTITY_INDEX_BITS
}

/** Lets all archetype signatures have the same hash. Call it before any archetype was made. */
export function makeSignaturesCollide(world: World): void {
  const words = inside(world).heap.u32
  words[ARCHETYPES_HASH_MASK >> 2] = 0
  words[(ARCHETYPES_HASH_MASK >> 2) + 1] = 0
}

/** The id of the archetype that an entity's row lies in. */
export function archetypeOf(world: World, entity: number): number {
  const location = wordAt(
    world,
    wordAt(world, ENTITIES_RECORDS) + indexOf(entity) * RECORD_BYTES + RECORD_LOCATION,
  )
  return wordAt(
    world,
    wordAt(world, CHUNKS_TABLE) + (location >>> ROW_BITS) * CHUNK_RECORD_BYTES + CHUNK_OWNER,
  )
}

/** When the component of this entity's chunk was written last. */
export function changeTickOf(world: World, entity: number, component: ComponentLike): number {
  const row = inside(world).known(component)?.locate(entity)
  if (row === undefined) throw new Error('the entity lacks the component')
  return inside(world).heap.word(row.data + row.placement.tickOffset + CHUNK_TICKS_CHANGED)
}

/** When the component was last added to an entity of this chunk. */
export function addedTickOf(world: World, entity: number, component: ComponentLike): number {
  const row = inside(world).known(component)?.locate(entity)
  if (row === undefined) throw new Error('the entity lacks the component')
  return inside(world).heap.word(row.data + row.placement.tickOffset + CHUNK_TICKS_ADDED)
}

/** When the fields of a resource that is there were written last. */
export function resourceTickOf(world: World, resource: AnyResource): number {
  const { data, placement } = rowOfResource(world, resource)
  return inside(world).heap.word(data + placement.tickOffset + CHUNK_TICKS_CHANGED)
}

/** The address of the chunk of a resource that is there. */
export function dataOfResource(world: World, resource: AnyResource): number {
  return rowOfResource(world, resource).data
}

function rowOfResource(world: World, resource: AnyResource): Row {
  const { definition } = resource as unknown as { definition: unknown }
  const row = onlyRowOf(inside(world).known(definition) as never)
  if (row === undefined) throw new Error('the resource is not there')
  return row
}

/** What the pool of a sparse or stable component looks like. */
export interface PoolFacts {
  /** Rows, holes included. */
  readonly rows: number
  readonly holes: number
  /** Entries of the page table. */
  readonly extent: number
  /** The pages that have memory, with how many entities each says it holds. */
  readonly pages: ReadonlyMap<number, number>
}

export function poolOf(world: World, component: ComponentLike): PoolFacts {
  const pool = inside(world).known(component)?.pool ?? 0
  if (pool === 0) throw new Error('this world keeps no pool for the component')
  const extent = wordAt(world, pool + POOL_PAGE_CAPACITY)
  const pages = new Map<number, number>()
  for (let page = 0; page < extent; page++) {
    const record = wordAt(world, pool + POOL_PAGES) + page * PAGE_RECORD_BYTES
    if (wordAt(world, record + PAGE_LOCATIONS) !== 0) pages.set(page, wordAt(world, record + PAGE_LIVE))
  }
  const rows = wordAt(world, pool + TABLE_ROWS)
  return { rows, holes: wordAt(world, pool + POOL_HOLE_COUNT), extent, pages }
}

/** Writes a 32-bit word: for ticks that would take years to count up to. */
export function pokeWord(world: World, address: number, value: number): void {
  inside(world).heap.u32[address >>> 2] = value
}
