// Owns the hooks about one entity: useComponent and useHas.

import { useMemo, useSyncExternalStore } from 'react'
import {
  type Component,
  type ComponentLike,
  type Entity,
  NULL_ENTITY,
  type ObjectComponent,
  type Schema,
  type Storage,
  type Value,
  type World,
} from '../index'
import { haveSameFields, storeOf, unlessDisposed } from './store'
import { isLeaving, watch } from './watch'

/**
 * A copy of the values that an entity has for a component; for an object component the value itself. Renders the calling
 * component again when spawn, add, set, remove, destroy or a restore has given it other values, and for nothing else. The copy
 * is the same object until its values change, so it can be a dependency of effects and a prop of memo.
 *
 * Writes through columns, cursors, accessors and kernels do not cause a render; the next render for another reason sees them.
 * Cost: a `world.get` in each render and each time the component of this entity is given values. All hooks about one component
 * of a world share four listeners.
 *
 * @param world the world of the entity, for example by useWorld
 * @param entity a handle; undefined for none
 * @param component a component, or an object component. Tags: see useHas
 * @returns undefined if the entity is dead or lacks the component, and once the world is disposed
 * @throws StrataTypeError NOT_A_COMPONENT
 * @example const health = useComponent(world, ship, Health); return <b>{health?.hp}</b>
 */
export function useComponent<T>(
  world: World,
  entity: Entity | number | undefined,
  component: ObjectComponent<T>,
): T | undefined
export function useComponent<S extends Schema>(
  world: World,
  entity: Entity | number | undefined,
  component: Component<S, Storage>,
): Readonly<Value<S>> | undefined
export function useComponent(
  world: World,
  entity: Entity | number = NULL_ENTITY,
  component: Component | ObjectComponent<unknown>,
): unknown {
  const store = useMemo(() => {
    const read = () =>
      isLeaving(world, entity, component) ? undefined : world.get(entity, component as Component)
    return storeOf<unknown>(
      (listener) => watch(world, entity, component, listener),
      () => unlessDisposed(read, undefined),
      component.kind === 'object' ? Object.is : haveSameFields,
    )
  }, [world, entity, component])
  return useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot)
}

/**
 * Whether an entity has a component or tag, switched on or off. Renders the calling component again when that has changed,
 * and for nothing else. Cost: as of useComponent.
 *
 * @param world the world of the entity
 * @param entity a handle; undefined for none
 * @param component a component or tag of any kind
 * @returns false for an entity that is dead, and once the world is disposed
 * @throws StrataTypeError NOT_A_COMPONENT
 * @example const done = useHas(world, task, Done)
 */
export function useHas(world: World, entity: Entity | number | undefined, component: ComponentLike): boolean {
  const handle = entity ?? NULL_ENTITY
  const store = useMemo(() => {
    const read = () => !isLeaving(world, handle, component) && world.has(handle, component)
    return storeOf(
      (listener) => watch(world, handle, component, listener),
      () => unlessDisposed(read, false),
      Object.is,
    )
  }, [world, handle, component])
  return useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot)
}
