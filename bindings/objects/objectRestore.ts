// Owns what becomes of an object component's values after a restore: memory says again who has the component, and the
// values are those of the time that was left. It must never report an event: a restore is none.

import { CHANGE_REMOVE } from '../../build/layout'
import type { AnyObject } from '../components/component'
import { type ObjectBox, hold } from '../components/componentValues'
import type { Entity } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { ObjectCalls } from '../state/objectCalls'
import { objectsIn } from './objectStates'
import type { ObjectValues, Registration } from '../state/registration'
import type { AbsentObject, ParticipantState } from '../state/worldParticipants'
import { calling } from '../state/session'
import { eachArchetype, eachChunk } from '../memory/coreTables'
import type { WorldState } from '../state/worldState'

/**
 * Keeps the values of entities that have the component in memory as it is now; disposes of the others; makes those that
 * are missing by `revive`. From entities for which that is not possible the component is removed.
 *
 * @param registration undefined for a component that this world does not know any longer
 * @param absent gets the entities that have lost it
 * @param kept what rooms have kept in the snapshot: values of the component, if its declaration says so
 */
export function reviveObjects(
  state: WorldState,
  store: ObjectValues,
  registration: Registration | undefined,
  calls: ObjectCalls,
  absent: AbsentObject[],
  kept: readonly ParticipantState[] = [],
): void {
  const isGone = (entity: number) => !state.isAlive(entity) || registration?.isOn(entity) !== true
  const { definition } = store
  const lost: number[] = []
  calling(state, () => {
    for (const entity of store.ownersThat(isGone)) calls.disposeOf(definition, entity, store.take(entity))
    if (registration === undefined) return
    objectsIn(kept)?.giveBack(state, store, registration, calls)
    for (const entity of entitiesWithout(state, store, registration))
      if (!revive(state, store, calls, entity)) lost.push(entity)
  })
  if (lost.length === 0) return
  const bundle = state.bundles.with(definition, 'restore')
  const address = bundle.addressIn(state)
  for (const entity of lost) {
    const status = state.core.entityChange(entity, CHANGE_REMOVE, address)
    state.heap.check()
    if (status < 0) state.fail(limitError(status, ''))
    absent.push({ entity: entity as Entity, component: definition as unknown as AnyObject })
  }
}

/** The entities that have the component and no value. */
function entitiesWithout(state: WorldState, store: ObjectValues, registration: Registration): number[] {
  const { heap } = state
  const missing: number[] = []
  eachArchetype(heap, (table, components) => {
    if (!components.includes(registration.id)) return
    eachChunk(heap, table, (data, _, rows) => {
      for (let row = 0; row < rows; row++) {
        const entity = heap.u32[(data >> 2) + row] as number
        if (store.get(entity) === undefined) missing.push(entity)
      }
    })
  })
  return missing
}

/** Makes a value for an entity again; false when it gets none. */
function revive(state: WorldState, store: ObjectValues, calls: ObjectCalls, entity: number): boolean {
  const { options, definition } = store
  if (options.revive === undefined) return false
  let held: ObjectBox
  try {
    held = hold(definition.componentName, options.revive(entity as Entity, state.world as never))
  } catch (error) {
    state.fail(error)
    return false
  }
  store.put(entity, held)
  calls.initialise(store, entity, held.value)
  return true
}
