// Owns the lists of components that a world has met, as users are shown them.

import {
  ARCHETYPES_ALL,
  ARCHETYPE_SIGNATURE,
  ARCHETYPE_SIGNATURE_COUNT,
  CHUNK_OWNER_WORD,
  ENTITIES_SPARSE_HEADS,
  LIST_ITEMS,
  STORAGE_RESOURCE,
} from '../../build/layout'
import type { ComponentLike } from '../components/component'
import { type Definition, isHidden } from '../components/definition'
import { INDEX_MASK } from '../memory/entity'
import type { Registration } from './registration'
import type { WorldState } from './worldState'

/** world.components */
export function componentsIn(state: WorldState): ComponentLike[] {
  state.refuseDisposed()
  return state.definitionsById().filter(isShown) as unknown as ComponentLike[]
}

/** world.componentNamed */
export function componentNamed(state: WorldState, name: string): ComponentLike | undefined {
  state.refuseDisposed()
  const owner = state.names.ownerOf(name) as Definition | undefined
  return state.known(owner as Definition) === undefined || !isShown(owner as Definition)
    ? undefined
    : (owner as unknown as ComponentLike)
}

/** world.componentsOf */
export function componentsOf(state: WorldState, entity: number): ComponentLike[] {
  state.refuseDisposed()
  return (state.isAlive(entity) ? idsOf(state, entity & INDEX_MASK) : [])
    .map((id) => (state.registrationsById[id] as Registration).definition)
    .filter(isShown) as unknown as ComponentLike[]
}

/** The ids of what the living entity of an index has, ascending. */
function idsOf({ heap, registrationsById }: WorldState, index: number): number[] {
  // A handle promised in a loop may lie beyond the records; it has no row yet.
  const location = index < heap.entityCapacity ? heap.locationAt(index) : 0
  if (location === 0) return []
  const archetypes = heap.word(heap.word(ARCHETYPES_ALL) + LIST_ITEMS)
  const owner = heap.u32[heap.descriptorAt(location) + CHUNK_OWNER_WORD] as number
  const archetype = heap.word(archetypes + owner * 4)
  const first = heap.word(archetype + ARCHETYPE_SIGNATURE) >> 2
  const ids = [...heap.u32.subarray(first, first + heap.word(archetype + ARCHETYPE_SIGNATURE_COUNT))]
  const heads = heap.word(ENTITIES_SPARSE_HEADS)
  let next = heads === 0 ? 0 : (heap.u16[(heads >> 1) + index] as number)
  while (next !== 0) {
    ids.push(next - 1)
    next = (registrationsById[next - 1] as Registration).nextInChain(index)
  }
  return ids.sort((a, b) => a - b)
}

/** Whether users know it: no resource, and not what a relation keeps of targets. */
function isShown(definition: Definition): boolean {
  return definition.storageCode !== STORAGE_RESOURCE && !isHidden(definition)
}
