// Owns the calls on a world that give a list or take one: what there is, and changes of listed entities.
// It must never change a row.

import { STORAGE_RESOURCE } from '../../build/layout'
import { addToList, removeFromList, takeColumns } from '../changes/lists'
import type { Component, ComponentLike } from '../components/component'
import { type Definition, definitionOf, isHidden } from '../components/definition'
import type { Field } from '../components/fields'
import type { Ingredient, Shared } from '../components/ingredients'
import { withoutFields } from '../components/notAComponent'
import type { Schema, Storage } from '../components/schema'
import { takeElements } from '../memory/arguments'
import type { Entity } from '../memory/entity'
import { refuseShared } from '../rows/objects'
import { WorldValues } from './values'

/**
 * What setMany takes: for each field a list of values, one after the other as in a column. A vec of n values takes n for each
 * handle.
 */
export type ValueLists<S extends Schema> = {
  readonly [K in keyof S]?: ArrayLike<S[K] extends Field<infer In> ? Item<In> : never> | undefined
}

/** What a list holds for a field: of a vec one of its values. */
type Item<In> = In extends string ? string : In extends boolean ? boolean | number : number

/** The part of a world for lists: see world.ts. */
export abstract class WorldLists extends WorldValues {
  /**
   * The components, tags, object components and relations that an entity has, in the order in which the world met them;
   * also those that are switched off. Inside a loop, queued changes are not seen. For tools: it looks at every component
   * of the world.
   *
   * @returns a new list, empty if the entity is dead or has none
   * @example for (const component of world.componentsOf(ship)) console.log(component.componentName)
   */
  componentsOf(entity: Entity | number): ComponentLike[] {
    const { state } = this
    return this.components().filter(
      (component) =>
        state.isAlive(entity) && state.known(component as unknown as Definition)?.isOn(entity) === true,
    )
  }

  /**
   * The components, tags, object components and relations that this world has met, by a spawn, an add or a query, in that
   * order. A reset forgets them.
   *
   * @returns a new list
   */
  components(): ComponentLike[] {
    this.state.refuseDisposed()
    return this.state.definitionsById().filter(isShown) as unknown as ComponentLike[]
  }

  /**
   * The component, tag, object component or relation with a name, if this world has met it. In one world a name stands for
   * one declaration.
   *
   * @example const component = world.componentNamed('Position')
   */
  componentNamed(name: string): ComponentLike | undefined {
    return this.components().find(({ componentName }) => componentName === name)
  }

  /**
   * Adds components to all entities of a list, in one call. What entities have already keeps its values, except for fields
   * that are given values. Stale handles and repeats are skipped. Inside a loop this waits until the loop ends.
   *
   * @param entities an array or typed array of handles
   * @param ingredients components, tags and components with values; no object components
   * @returns how many entities of the list are alive
   * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; LimitError. Nothing
   *   changes then, except with relations, and for entities that have no components yet: those before the one that
   *   failed have changed.
   * @example world.addMany(selected, Frozen, Health({ hp: 9 }))
   */
  addMany<const T extends readonly Ingredient[]>(
    entities: ArrayLike<number>,
    ...ingredients: Shared<T>
  ): number {
    const { state } = this
    state.refuseDisposed()
    // First, because a list may run code of the user's, and that may start the world over.
    const handles = takeElements('addMany', 'entities', entities)
    state.refuseDisposed()
    const bundle = state.bundles.followAll(ingredients, 'addMany')
    refuseShared(bundle.definitions, 'addMany')
    return addToList(state, handles, bundle, ingredients)
  }

  /**
   * Removes components from all entities of a list, in one call. Stale handles and repeats are skipped. Inside a loop this
   * waits until the loop ends.
   *
   * @param entities an array or typed array of handles
   * @returns how many entities of the list are alive
   * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT; LimitError. Nothing changes then,
   *   except for entities that have no components yet: those before the one that failed have changed.
   */
  removeMany(entities: ArrayLike<number>, ...components: ComponentLike[]): number {
    const { state } = this
    state.refuseDisposed()
    const handles = takeElements('removeMany', 'entities', entities)
    state.refuseDisposed()
    const bundle = state.bundles.withAll(components, 'removeMany')
    return removeFromList(state, handles, bundle)
  }

  /**
   * Writes values of one component to all entities of a list, as `set` does it for each: an entity that does not have the
   * component gets it. Stale handles are skipped, together with their values. All values are checked before the first is
   * written.
   *
   * @param entities an array or typed array of handles
   * @param lists for each field to write a list of values, the first one for the first handle, and so on
   * @returns how many entities of the list are alive
   * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_VALUE, also for a list that is too
   *   short: nothing changes then. LimitError where the component must be added: those before have changed.
   * @example world.setMany(ships, Position, { x: new Float32Array(ships.length), y: heights })
   */
  setMany<S extends Schema>(
    entities: ArrayLike<number>,
    component: Component<S, Storage>,
    lists: ValueLists<S>,
  ): number {
    const { state } = this
    state.refuseDisposed()
    const definition = definitionOf(component)
    if (definition?.kind !== 'component') throw withoutFields(component, 'setMany')
    // A copy: the list may be a view of this world's memory, which ends where adding a component lets memory grow.
    const handles = (takeElements('setMany', 'entities', entities) as unknown[]).slice()
    const valuesAt = takeColumns(definition, handles.length, lists)
    state.refuseDisposed()
    const living = state.livingOf(handles)
    state.together(() => {
      for (let i = 0; i < handles.length; i++) {
        const entity = handles[i] as number
        if (state.isAlive(entity)) this.setTaken(entity, definition, valuesAt(i))
      }
    })
    return living.length
  }
}

/** Whether users know it: no resource, and not what a relation keeps of targets. */
function isShown(definition: Definition): boolean {
  return definition.storageCode !== STORAGE_RESOURCE && !isHidden(definition)
}
