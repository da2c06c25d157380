// Owns the calls of the functions that object components are declared with: init, dispose and clone, over the life of a value.
// While one runs the world is locked, and an error in one does not stop the others.

import type { Definition } from '../components/definition'
import { ObjectBox, valuesIn } from '../components/componentValues'
import type { Entity } from '../memory/entity'
import type { Bundle } from './bundle'
import { disposeValue } from '../components/objectOptions'
import type { ObjectValues } from './registration'
import type { GivenList } from './changeObserver'
import { calling } from './session'
import type { WorldState } from './worldState'

export class ObjectCalls {
  constructor(private readonly state: WorldState) {}

  initialise(store: ObjectValues, entity: number, value: unknown): void {
    try {
      store.options.init?.(value, entity as Entity, this.state.world as never)
    } catch (error) {
      this.state.fail(error)
    }
  }

  /** Disposes of a value, whether a store has had it or not. */
  disposeOf(definition: Definition, entity: number, value: unknown): void {
    try {
      disposeValue(definition, value, entity)
    } catch (error) {
      this.state.fail(error)
    }
  }

  /** Replaces the value that the entity has. At once, like any set of what is there. */
  replace(definition: Definition, store: ObjectValues, entity: number, held: ObjectBox): void {
    const old = store.put(entity, held)
    if (old === held.value) return
    calling(this.state, () => {
      this.disposeOf(definition, entity, old)
      this.initialise(store, entity, held.value)
    })
  }

  /** Gives a copy of an entity a value of its own. False when it gets none. */
  clone(store: ObjectValues, source: number, copy: number): boolean {
    calling(this.state, () => {
      try {
        store.cloneTo(source, copy)
      } catch (error) {
        this.state.fail(error)
      }
    })
    return store.get(copy) !== undefined
  }

  /** Disposes of the values of a command that came to nothing. What lives on the entity already is left alone. */
  abandon(entity: number, bundle: Bundle, given: GivenList): void {
    if (given === undefined) return
    const { definitions } = bundle
    const unusedOf: Definition[] = []
    const unused: unknown[] = []
    for (let i = 0; i < definitions.length; i++) {
      const definition = definitions[i] as Definition
      const held = valuesIn(given[i])
      if (!(held instanceof ObjectBox)) continue
      const store = this.state.known(definition)?.objects
      if (this.state.isAlive(entity) && store?.get(entity) === held.value) continue
      unusedOf.push(definition)
      unused.push(held.value)
    }
    if (unused.length > 0) this.disposeUnused(entity, unusedOf, unused)
  }

  /** Disposes of values that never took effect. `init` was not called for them, and no listener runs. */
  disposeUnused(entity: number, definitions: readonly Definition[], values: readonly unknown[]): void {
    calling(this.state, () => {
      for (let i = 0; i < values.length; i++) this.disposeOf(definitions[i] as Definition, entity, values[i])
    })
  }
}
