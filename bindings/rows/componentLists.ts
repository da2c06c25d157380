// Owns the lists of components that a world has met, as users are shown them.

import { STORAGE_RESOURCE } from '../../build/layout'
import type { ComponentLike } from '../components/component'
import { type Definition, isHidden } from '../components/definition'
import type { WorldState } from './worldState'

/** world.components */
export function componentsIn(state: WorldState): ComponentLike[] {
  state.refuseDisposed()
  return state.definitionsById().filter(isShown) as unknown as ComponentLike[]
}

/** world.componentsOf */
export function componentsOf(state: WorldState, entity: number): ComponentLike[] {
  return componentsIn(state).filter(
    (component) =>
      state.isAlive(entity) && state.known(component as unknown as Definition)?.isOn(entity) === true,
  )
}

/** Whether users know it: no resource, and not what a relation keeps of targets. */
function isShown(definition: Definition): boolean {
  return definition.storageCode !== STORAGE_RESOURCE && !isHidden(definition)
}
