// Owns what can be switched off and on, and whether it is: a bit beside the row of an entity. changes/toggleChanges.ts changes
// the bit, or the core.

import { canToggle, type Definition, definitionOf } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import { StrataTypeError } from '../memory/errors'
import type { WorldState } from '../state/worldState'

/**
 * The component to switch.
 *
 * @throws StrataTypeError NOT_A_COMPONENT, NOT_A_TOGGLE
 */
export function checkSwitch(component: unknown, operation: string): Definition {
  const definition = definitionOf(component)
  if (definition === undefined) throw notAComponent(component, operation)
  if (!canToggle(definition)) {
    const name = definition.componentName
    throw new StrataTypeError(
      'NOT_A_TOGGLE',
      `${operation}: ${name} cannot be switched: declare it with { toggle }, or add and remove it.`,
    )
  }
  return definition
}

/** Whether a living entity has the component, and has it switched on. */
export function isSwitchedOn(state: WorldState, entity: number, definition: Definition): boolean {
  const registration = state.known(definition)
  if (registration === undefined) return false
  if (!canToggle(definition)) return registration.isOn(entity)
  return registration.locateHandle(entity)?.isOff === false
}

/** world.isEnabled */
export function isEnabled(state: WorldState, entity: number, component: unknown): boolean {
  const known = state.known(component as Definition)
  if (known !== undefined && known.definition === component && known.canToggle)
    return known.locateHandle(entity)?.isOff === false || state.refuse(entity, 'isEnabled')
  const definition = definitionOf(component)
  if (definition === undefined) throw notAComponent(component, 'isEnabled')
  if (known === undefined) state.claim(definition)
  return (
    (state.isAlive(entity) && isSwitchedOn(state, entity, definition)) || state.refuse(entity, 'isEnabled')
  )
}
