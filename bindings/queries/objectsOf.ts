// Owns objectsOf: the entities that have an object component, with their values.

import type { ObjectComponent } from '../components/component'
import { definitionOf } from '../components/definition'
import type { Entity } from '../memory/entity'
import { notAnObject, walkObjects } from '../rows/objects'
import { stateOf } from '../rows/stateOf'
import type { World } from '../world/world'
import { holdersOf, queryOf } from './shared'

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
