// Owns the answers to which components an entity has, of a bundle or of a list.

import { definitionOf } from '../components/definition'
import type { BundleNode } from './bundle'
import { relatingOfPair } from './relationHooks'
import type { WorldState } from './worldState'

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
