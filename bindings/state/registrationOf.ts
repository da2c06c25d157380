// Owns the look-up of a component that a call names.

import { type Definition, definitionOf } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import type { Registration } from './registration'
import type { WorldState } from './worldState'

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
