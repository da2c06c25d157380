// Owns the answers to which components a world and an entity have: the look-up of one component, has() for several, the walk over
// the components of one entity, and the lists that users see. The walk costs what the entity has, not what the world knows; it
// must never begin with a stale handle.

import {
  ARCHETYPE_SIGNATURE,
  ARCHETYPE_SIGNATURE_COUNT,
  ARCHETYPE_UPKEEP,
  ARCHETYPES_ALL_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_OWNER_WORD,
  COLUMN_SMALL_OFFSET,
  COMPONENT_BYTES,
  COMPONENT_POOL,
  COMPONENTS_RECORDS,
  ENTITIES_SPARSE_HEADS_WORD,
  LAYOUT_COLUMNS,
  LAYOUTS_ALL,
  LIST_ITEMS,
  PAGE_LOCATIONS_WORD,
  PAGE_RECORD_BYTES,
  PAGE_SHIFT,
  POOL_PAGES,
  SIZE_BITS,
  SIZE_MASK,
  STORAGE_RESOURCE,
} from '../../build/layout'
import type { ComponentLike } from '../components/component'
import { type Definition, definitionOf, isHidden } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import { INDEX_MASK } from '../memory/entity'
import { type Heap, ROW_MASK } from '../memory/heap'
import type { BundleNode } from './bundle'
import type { Registration } from './registration'
import { relatingOfPair } from './relationHooks'
import type { WorldState } from './worldState'

const PAGE_MASK = (1 << PAGE_SHIFT) - 1

/** The archetype in which an entity has its row; that without components where it has no row yet. */
export function archetypeOf(heap: Heap, entity: number): number {
  const index = entity & INDEX_MASK
  const location = index < heap.entityCapacity ? heap.locationAt(index) : 0
  return location === 0 ? 0 : (heap.u32[heap.descriptorAt(location) + CHUNK_OWNER_WORD] as number)
}

/** The ids of the components of an archetype, ascending: a view that holds until memory is allocated. */
export function signatureOf(heap: Heap, archetype: number): Uint32Array {
  const address = addressOf(heap, archetype)
  const first = heap.word(address + ARCHETYPE_SIGNATURE) >> 2
  return heap.u32.subarray(first, first + heap.word(address + ARCHETYPE_SIGNATURE_COUNT))
}

/** Whether rows of an archetype have values that are more than a row. */
export function hasUpkeep(heap: Heap, archetype: number): boolean {
  return heap.word(addressOf(heap, archetype) + ARCHETYPE_UPKEEP) !== 0
}

function addressOf(heap: Heap, archetype: number): number {
  return heap.word(heap.word((heap.u32[ARCHETYPES_ALL_WORD] as number) + LIST_ITEMS) + archetype * 4)
}

/** The id of an entity's first pooled component, or -1 if it has no such component. */
export function firstPooled(heap: Heap, entity: number): number {
  const heads = heap.u32[ENTITIES_SPARSE_HEADS_WORD] as number
  const index = entity & INDEX_MASK
  return heads === 0 || index >= heap.entityCapacity ? -1 : (heap.u16[(heads >> 1) + index] as number) - 1
}

/** The id of the pooled component after one that an entity has; -1 after the last one. */
export function nextPooled(heap: Heap, id: number, entity: number): number {
  const { u32 } = heap
  const index = entity & INDEX_MASK
  const pool = heap.word(heap.word(COMPONENTS_RECORDS) + id * COMPONENT_BYTES + COMPONENT_POOL)
  const page = heap.word(pool + POOL_PAGES) + (index >>> PAGE_SHIFT) * PAGE_RECORD_BYTES
  const locations = u32[(page >> 2) + PAGE_LOCATIONS_WORD] as number
  const location = u32[(locations >> 2) + (index & PAGE_MASK)] as number
  const descriptor = heap.descriptorAt(location)
  const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
  const layout = heap.word(heap.word(heap.word(LAYOUTS_ALL) + LIST_ITEMS) + (layoutKey >> SIZE_BITS) * 4)
  // The first column of every pool leads to the next pool, by its id plus one.
  const column = heap.word(layout + LAYOUT_COLUMNS) + COLUMN_SMALL_OFFSET + (layoutKey & SIZE_MASK) * 4
  const first = (u32[descriptor + CHUNK_DATA_WORD] as number) + heap.word(column)
  return (u32[(first >> 2) + (location & ROW_MASK)] as number) - 1
}

/** world.components */
export function componentsIn(state: WorldState): ComponentLike[] {
  state.refuseDisposed()
  return state.definitionsById().filter(isShown) as unknown as ComponentLike[]
}

/** world.componentByName */
export function componentByName(state: WorldState, name: string): ComponentLike | undefined {
  state.refuseDisposed()
  const owner = state.names.ownerOf(name) as Definition | undefined
  return state.known(owner as Definition) === undefined || !isShown(owner as Definition)
    ? undefined
    : (owner as unknown as ComponentLike)
}

/** world.componentsOf */
export function componentsOf(state: WorldState, entity: number): ComponentLike[] {
  state.refuseDisposed()
  return (state.isAlive(entity) ? idsOf(state.heap, entity) : [])
    .map((id) => (state.byId[id] as Registration).definition)
    .filter(isShown) as unknown as ComponentLike[]
}

/** The ids of what a living entity has, ascending. */
function idsOf(heap: Heap, entity: number): number[] {
  const ids = [...signatureOf(heap, archetypeOf(heap, entity))]
  for (let id = firstPooled(heap, entity); id >= 0; id = nextPooled(heap, id, entity)) ids.push(id)
  return ids.sort((a, b) => a - b)
}

/** Whether users know it: no resource, and not what a relation keeps of targets. */
function isShown(definition: Definition): boolean {
  return definition.storageCode !== STORAGE_RESOURCE && !isHidden(definition)
}

/** Whether an entity has all components of a bundle. */
export function hasAll(state: WorldState, entity: number, node: BundleNode): boolean {
  const known = node.knownIn(state)
  for (let i = 0; i < known.length; i++) if (known[i]?.isOn(entity) !== true) return false
  return true
}

/** Whether an entity has a component of a bundle. */
export function hasSome(state: WorldState, entity: number, node: BundleNode): boolean {
  const known = node.knownIn(state)
  for (let i = 0; i < known.length; i++) if (known[i]?.isOn(entity) === true) return true
  return false
}

/** Whether an entity has components some of which the world has not met, or that come with a target; false where it is not alive. */
export function hasUnknown(state: WorldState, entity: number, components: readonly unknown[]): boolean {
  if (!state.isAlive(entity)) return state.refuse(entity, 'has')
  let all = true
  for (const component of components) {
    const definition = definitionOf(component)
    if (definition !== undefined) state.claim(definition)
    all =
      (definition === undefined
        ? relatingOfPair(component, 'has').holds(state, entity, component)
        : state.known(definition)?.isOn(entity) === true) && all
  }
  return all
}

/** The registration of a component in a world; undefined if the world has not met it. */
export function registrationOf(
  state: WorldState,
  component: Definition,
  operation: string,
): Registration | undefined {
  const registration = state.known(component)
  if (registration !== undefined && registration.definition === component) return registration
  if (definitionOf(component) === undefined) throw notAComponent(component, operation)
  state.claim(component)
  return undefined
}
