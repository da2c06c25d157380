// Owns objectsOf: the entities that have an object component, with their values.

import type { ObjectComponent } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import type { Entity } from '../memory/entity'
import { notAnObject } from '../components/objectOptions'
import { type WorldState, stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { holdersOf, queryOf } from './queryCache'

/**
 * Iterates over the entities that have an object component, with their values. Entities that get the component
 * meanwhile are not visited, and those that have lost it are skipped. The pair is one reused array: destructure it.
 *
 * @throws StrataTypeError NOT_A_COMPONENT
 * @example for (const [entity, sprite] of objectsOf(world, Sprite)) sprite.draw()
 */
export function objectsOf<T>(
  world: World,
  component: ObjectComponent<T>,
): IterableIterator<readonly [entity: Entity, value: T]> {
  const state = stateOf(world, 'objectsOf')
  state.refuseDisposed()
  const definition = definitionOf(component)
  if (definition?.kind !== 'object') throw notAnObject(component, 'objectsOf')
  const queries = world['queries']
  const holders = state.hiding.length > 0 ? holdersOf(queries, component) : queryOf(queries, [component])
  return walkObjects<T>(state, definition, holders.list())
}

/** Yields [entity, value] for each listed entity that is alive and has the component. The pair is one reused array. */
function* walkObjects<T>(
  state: WorldState,
  definition: Definition,
  entities: Uint32Array,
): IterableIterator<readonly [entity: Entity, value: T]> {
  const pair: [Entity, T] = [0 as Entity, undefined as T]
  for (let i = 0; i < entities.length; i++) {
    const entity = entities[i] as Entity
    const value = state.isAlive(entity) ? state.known(definition)?.objects?.get(entity) : undefined
    if (value === undefined) continue
    pair[0] = entity
    pair[1] = value as T
    yield pair
  }
}
