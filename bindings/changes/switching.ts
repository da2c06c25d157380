// Owns switching a component of one entity on and off.
// It must never move a row; whole queries are switched by the core.

import type { Definition } from '../components/definition'
import type { Reporting } from '../rows/reporting'
import type { WorldState } from '../rows/worldState'

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
  if (state.emitting) {
    state.commands.later(() => void switchOne(state, entity, definition, off))
    return true
  }
  const { report, subscribers } = state.reporting as Reporting
  report.toggling([entity], definition, !off)
  report.before()
  subscribers.switching(definition, entity)
  state.known(definition)?.switchHandle(entity, off)
  report.after(undefined)
  return true
}
