// Owns the objects of a save whose entities are built: it gives them the values that were loaded, makes others by `revive`, and
// takes the component from entities for which there is no value. Memory may be built in another world than the one that gets them.

import { CHANGE_REMOVE } from '../../build/layout'
import type { AnyObject } from '../components/component'
import { hold } from '../components/componentValues'
import type { Definition } from '../components/definition'
import { objectOptionsOf } from '../components/objectOptions'
import type { Entity } from '../memory/entity'
import { limitError } from '../memory/errors'
import { calling } from '../state/session'
import type { AbsentObject } from '../state/worldParticipants'
import type { WorldState } from '../state/worldState'
import type { FittedRows } from './migrate'

/** Components for some entities: what is left to do when all of them have their rows. */
export interface Filling {
  readonly rows: FittedRows
  /** In the order of the rows. */
  readonly entities: Uint32Array
}

export class BuiltObjects {
  /** Entities for which no value could be made. */
  readonly absent: AbsentObject[] = []

  constructor(private readonly fillings: readonly Filling[]) {}

  /** Gives entities the objects that were loaded. */
  giveLoaded(state: WorldState): void {
    for (const { rows, entities } of this.fillings)
      rows.values?.forEach((values, i) => {
        const definition = rows.definitions[i] as Definition
        const store = state.known(definition)?.objects
        values?.forEach((value, row) => {
          if (value !== undefined) store?.put(entities[row] as number, hold(definition.componentName, value))
        })
      })
  }

  /** Makes the objects that were not loaded, as far as possible. What `revive` throws is kept for the end. */
  makeOthers(state: WorldState): void {
    const attempt = (action: () => boolean) => {
      try {
        return action()
      } catch (error) {
        state.fail(error)
        return false
      }
    }
    calling(state, () => {
      this.eachWithoutValue((definition, entity, isThere) => {
        if (revives(definition) && attempt(() => revive(state, definition, entity) !== undefined)) return
        attempt(() => this.lose(state, definition, entity, isThere))
      })
    })
  }

  /**
   * Removes object components from the entities for which no value can be made.
   *
   * @throws LimitError
   */
  loseAbsent(state: WorldState): void {
    this.eachWithoutValue((definition, entity, isThere) => {
      if (!revives(definition)) this.lose(state, definition, entity, isThere)
    })
  }

  /** Whether values are yet to be made by `revive`. */
  get isToRevive(): boolean {
    let found = false
    this.eachWithoutValue((definition) => (found ||= revives(definition)))
    return found
  }

  /**
   * Makes the objects that were not loaded.
   *
   * @param made gets the component and the value of each
   * @throws what `revive` throws
   */
  reviveAll(state: WorldState, made: unknown[]): void {
    this.eachWithoutValue((definition, entity) => {
      if (revives(definition)) made.push(definition, revive(state, definition, entity))
    })
  }

  /** Calls back for each object that was not loaded; `isThere` where its entity has the component. */
  private eachWithoutValue(
    visit: (definition: Definition, entity: Entity, isThere: boolean) => unknown,
  ): void {
    for (const { rows, entities } of this.fillings)
      rows.definitions.forEach((definition, i) => {
        if (definition.kind !== 'object') return
        const values = rows.values?.[i]
        const isThere = values !== undefined || revives(definition)
        for (let row = 0; row < entities.length; row++)
          if (values?.[row] === undefined) visit(definition, entities[row] as Entity, isThere)
      })
  }

  /** No value can be made for an entity: it loses the component, where it has that. */
  private lose(state: WorldState, definition: Definition, entity: Entity, isThere: boolean): boolean {
    this.absent.push({ entity, component: definition as unknown as AnyObject })
    if (!isThere) return false
    const bundle = state.bundles.with(definition, 'load')
    const status = state.core.entityChange(entity, CHANGE_REMOVE, bundle.addressIn(state))
    state.heap.check()
    if (status < 0) throw limitError(status, '')
    return true
  }
}

/** Whether a declaration says how a value is made that is not in a save. */
export function revives(definition: Definition): boolean {
  return objectOptionsOf(definition)?.revive !== undefined
}

function revive(state: WorldState, definition: Definition, entity: Entity): unknown {
  const value = objectOptionsOf(definition)?.revive?.(entity, state.world as never)
  const held = hold(definition.componentName, value)
  state.known(definition)?.objects?.put(entity, held)
  return held.value
}
