// Owns switching a component of one entity on and off: a bit beside its row, read and written from here.
// It must never move a row; whole queries are switched by the core.

import { canToggle, type Definition, definitionOf } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import { StrataTypeError } from '../memory/errors'
import type { WorldState } from '../rows/worldState'
import { observersOf } from './observersOf'

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
      `${operation}: ${name} cannot be switched: declare it with { toggle: true }, or add and remove it.`,
    )
  }
  return definition
}

/** Switches a component of a living entity. False when there is nothing to do: it lacks it, or is so already. */
export function switchOne(state: WorldState, entity: number, definition: Definition, off: boolean): boolean {
  const registration = state.known(definition)
  if (registration === undefined) return false
  if (state.watching === 0) return registration.switchHandle(entity, off)
  const ref = registration.locateHandle(entity)
  if (ref === undefined || ref.isOff === off) return false
  return switchObserved(state, entity, definition, off)
}

/** Switches it where a listener may watch a query that the component decides about. Inside a listener it waits. */
function switchObserved(state: WorldState, entity: number, definition: Definition, off: boolean): true {
  const { emitting, report, subscribers } = observersOf(state)
  if (emitting) {
    state.commands.later(() => void switchOne(state, entity, definition, off))
    return true
  }
  report.toggling(report.one(entity), definition, !off)
  report.before()
  subscribers.switching(definition, entity)
  state.known(definition)?.switchHandle(entity, off)
  report.after()
  return true
}

/** Whether a living entity has the component, and has it switched on. */
export function isSwitchedOn(state: WorldState, entity: number, definition: Definition): boolean {
  const registration = state.known(definition)
  if (registration === undefined) return false
  if (!canToggle(definition)) return registration.isOn(entity)
  return registration.locateHandle(entity)?.isOff === false
}
