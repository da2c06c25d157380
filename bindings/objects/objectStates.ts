// Owns what a snapshot or a fork keeps of the values of object components, by the `save` and `load` of their declarations.
// It must never decide which entity has a component: memory says that, see revival.ts.

import type { Definition } from '../components/definition'
import { type ObjectBox, hold } from '../components/componentValues'
import type { ObjectCalls } from '../state/objectCalls'
import type { ObjectValues, Registration } from '../state/registration'
import type { ParticipantState, WorldParticipant } from '../state/worldParticipants'
import type { WorldState } from '../state/worldState'

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
export class KeptObjects implements ParticipantState {
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
export function objectsIn(kept: readonly ParticipantState[]): KeptObjects | undefined {
  for (let i = 0; i < kept.length; i++) if (kept[i] instanceof KeptObjects) return kept[i] as KeptObjects
  return undefined
}
