// Owns the read of all values that one entity has for a component.

import { type Definition, definitionOf } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import { refuseUntargeted } from '../components/untargeted'
import type { Registration } from './registration'
import { type ReadWorld, relatingOfPair } from './relating'
import { readRow } from './values'
import type { WorldState } from './worldState'

/** world.get. A pair comes back to the world, with its relation. */
export function getValue(state: WorldState, world: ReadWorld, entity: number, component: unknown): unknown {
  if (typeof component === 'object')
    return relatingOfPair(component, 'get').getOfPair(state, world, entity, component)
  const definition = component as Definition
  const registration = registrationOf(state, definition, 'get')
  if (registration?.gives === true) {
    if (!registration.isTag) {
      const ref = registration.locateHandle(entity)
      if (ref !== undefined) return readRow(ref)
    } else if (state.isAlive(entity)) {
      if (registration.objects !== undefined) return registration.objects.get(entity)
      // A component without fields is kept like a tag: being there is all it can tell.
      if (registration.isOn(entity)) return {}
    }
  }
  state.refuse(entity, 'get')
  refuseUntargeted(definition)
  return undefined
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
