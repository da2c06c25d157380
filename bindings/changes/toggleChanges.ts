// Owns switching a component of entities on and off, and the report of it. No row moves.

import type { ComponentLike } from '../components/component'
import type { Definition } from '../components/definition'
import type { EntityArray } from '../memory/entity'
import type { ChangeCalls } from '../state/changeHooks'
import { checkSwitch, isSwitchedOn } from '../values/toggles'
import type { WorldState } from '../state/worldState'
import { queueOf } from './commandQueue'

/** Switches a component on or off: world.enable and world.disable. */
export function switchComponent(
  state: WorldState,
  entity: number,
  component: ComponentLike,
  off: boolean,
  operation: string,
): boolean {
  const known = state.known(component as unknown as Definition)
  // What this world knows under its own name needs no other check.
  if (
    known !== undefined &&
    known.definition === component &&
    known.canToggle &&
    state.locks === 0 &&
    isIgnored(state, known.definition)
  ) {
    return known.switchHandle(entity, off) || state.refuse(entity, operation)
  }
  const definition = checkSwitch(component, operation)
  if (known === undefined) state.claim(definition)
  if (state.locks !== 0 && queueOf(state).count > 0 && queueOf(state).concerns(entity, definition)) {
    if (!state.isAlive(entity)) return false
    state.commands.later(() => void switchOne(state, entity, definition, off))
    return true
  }
  return switchOne(state, entity, definition, off) || state.refuse(entity, operation)
}

/** Whether no listener hears when a component is switched. */
function isIgnored({ reporting, watching }: WorldState, definition: Definition): boolean {
  return watching === 0 || reporting?.ignoresSwitch(definition) === true
}

/** Switches a component of a living entity. False when there is nothing to do: it lacks it, or is so already. */
export function switchOne(state: WorldState, entity: number, definition: Definition, off: boolean): boolean {
  const registration = state.known(definition)
  if (registration === undefined) return false
  if (state.watching === 0 || (!state.emitting && isIgnored(state, definition)))
    return registration.switchHandle(entity, off)
  const ref = registration.locateHandle(entity)
  if (ref === undefined || ref.isOff === off) return false
  return switchObserved(state, entity, definition, off)
}

/** Switches a component of those of a list that have it, one by one. Returns how many have it. */
export function switchEach(
  state: WorldState,
  entities: EntityArray,
  definition: Definition,
  off: boolean,
): number {
  const having = entities.filter((entity) => state.known(definition)?.isOn(entity) === true)
  state.together(() => {
    for (const entity of having) switchOne(state, entity, definition, off)
  })
  return having.length
}

/** Switches it where a listener may watch a query that the component decides about. Inside a listener it waits. */
function switchObserved(state: WorldState, entity: number, definition: Definition, off: boolean): true {
  if (state.emitting) {
    state.commands.later(() => void switchOne(state, entity, definition, off))
    return true
  }
  ;(state.changes as ChangeCalls).switchOver(state, [entity], definition, off)
  return true
}

/** Switches a component of many. `change` makes it in one call; what it returns is returned. */
export function switchAllObserved(
  state: WorldState,
  definition: Definition,
  off: boolean,
  change: () => number,
): number {
  const { reporting } = state
  if (reporting?.hearsSwitch(definition) !== true) return change()
  const registration = state.register(definition)
  const isOff = (entity: number) => !isSwitchedOn(state, entity, definition)
  const others = state.livingHandles().filter((entity) => registration.isOn(entity) && isOff(entity) !== off)
  // Only the core knows which ones are meant. They are bits: to find out, it is done and undone.
  const result = change()
  const switched = others.filter((entity) => isOff(entity) === off)
  for (const entity of switched) registration.switchHandle(entity, !off)
  ;(state.changes as ChangeCalls).switchOver(state, switched, definition, off)
  return result
}
