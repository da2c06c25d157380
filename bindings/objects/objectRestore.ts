// Owns what a snapshot or a fork keeps of the values of object components, by the `save` and `load` of their declarations, and
// what happens to the values after a restore: memory says which entities have the component, and missing values are made. A
// restore reports no events.

import { CHANGE_REMOVE } from '../../build/layout'
import type { AnyObject } from '../components/component'
import { type ObjectBox, hold } from '../components/componentValues'
import type { Definition } from '../components/definition'
import { eachArchetype, eachChunk } from '../memory/coreTables'
import type { Entity } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { ObjectCalls } from '../state/objectCalls'
import type { ObjectValues, Registration } from '../state/registration'
import { calling } from '../state/session'
import type { AbsentObject, ParticipantState, WorldParticipant } from '../state/worldParticipants'
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
  const bundle = state.bundles.with(definition, 'restoreWorld')
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

/** What `save` returned for the values of one component. */
interface States {
  readonly definition: Definition
  readonly entities: readonly number[]
  readonly states: readonly unknown[]
}

const NOTHING: readonly States[] = []

/** Those of one world, while a snapshot is made. */
export class ObjectStates implements WorldParticipant {
  private prepared = NOTHING

  /** @param upkeep knows the stores of the world */
  constructor(private readonly upkeep: { readonly stores: readonly ObjectValues[] }) {}

  prepare(isFork: boolean): void {
    this.prepared = NOTHING
    this.prepared = this.upkeep.stores.flatMap((store) => {
      const { save, snapshots } = store.options
      if (save === undefined || !(isFork || snapshots === true)) return []
      const entities = store.ownersThat(() => true)
      const states = entities.map((entity): unknown => save(store.get(entity)))
      return [{ definition: store.definition, entities, states }]
    })
  }

  keep(kept: ParticipantState | undefined): KeptObjects {
    const objects = kept instanceof KeptObjects ? kept : new KeptObjects(this)
    objects.all = this.prepared
    this.prepared = NOTHING
    return objects
  }
}

/** The values of object components as a snapshot holds them. */
class KeptObjects implements ParticipantState {
  all = NOTHING

  constructor(readonly participant: WorldParticipant) {}

  /** They came back before: whether an entity keeps the component depends on them. */
  restore(): void {}

  /** Gives the entities values as they had then. Where `load` throws, an entity keeps what it has. */
  giveBack(state: WorldState, store: ObjectValues, registration: Registration, calls: ObjectCalls): void {
    const { definition, options } = store
    const kept = this.all.find((one) => one.definition === definition)
    kept?.entities.forEach((entity, i) => {
      if (!state.isAlive(entity) || !registration.isOn(entity)) return
      let held: ObjectBox
      try {
        held = hold(definition.componentName, options.load?.(kept.states[i]))
      } catch (error) {
        state.fail(error)
        return
      }
      const old = store.put(entity, held)
      if (old === held.value) return
      if (old !== undefined) calls.disposeOf(definition, entity, old)
      calls.initialise(store, entity, held.value)
    })
  }
}

/** What a snapshot, of this world or another one, has of objects. */
function objectsIn(kept: readonly ParticipantState[]): KeptObjects | undefined {
  for (let i = 0; i < kept.length; i++) if (kept[i] instanceof KeptObjects) return kept[i] as KeptObjects
  return undefined
}
