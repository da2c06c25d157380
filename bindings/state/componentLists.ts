// Owns the lists of components that a world has met, as users are shown them.

import { STORAGE_RESOURCE } from '../../build/layout'
import type { ComponentLike } from '../components/component'
import { type Definition, isHidden } from '../components/definition'
import type { Heap } from '../memory/heap'
import { archetypeOf, firstPooled, nextPooled, signatureOf } from './entityComponents'
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
