// Owns the hooks about what one entity has: useComponent, useComponentEffect and useHas.

import * as React from 'react'
import {
  type Component,
  type ComponentLike,
  type Entity,
  NULL_ENTITY,
  type ObjectComponent,
  type Pair,
  type Relation,
  type Schema,
  type Storage,
  type Value,
  type World,
} from '../../../bindings/index'
import { type Store, haveSameFields, storeOf, unlessDisposed } from './store'
import { type Asked, componentOf, isLeaving, targetOf, watch } from './watch'

/**
 * A copy of the values that an entity has for a component, or for its link to a target; for an object component the value
 * itself. Renders the calling component again when spawn, add, set, remove, destroy or a restore has given it other values, and
 * for nothing else. The copy is the same object until its values change, so it can be a dependency of effects and a prop of memo.
 *
 * Writes through columns, cursors, accessors and kernels do not cause a render; the next render for another reason sees them.
 * Cost: a `world.get` in each render and each time the component of this entity is given values. All hooks about one component
 * of a world share four listeners, and so do those about one target of a relation.
 *
 * @param world the world of the entity, for example by useWorld
 * @param entity a handle; undefined for none
 * @param component a component, an object component, an exclusive relation, or a relation with a target, `Likes(bob)`. Tags: see
 *   useHas
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
export function useComponent<S extends Schema>(
  world: World,
  entity: Entity | number | undefined,
  relation: Relation<S> | Pair<S, Schema>,
): Readonly<Value<S>> | undefined
export function useComponent(
  world: World,
  entity: Entity | number = NULL_ENTITY,
  component: Valued,
): unknown {
  const store = React.useMemo(
    () => valuesOf(world, entity, component),
    // Each render makes another pair.
    [world, entity, componentOf(component), targetOf(component)],
  )
  return React.useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot)
}

/**
 * Calls a function with the values that an entity has for a component, and again whenever useComponent would return others.
 * Renders nothing: for what moves a DOM node, plays a sound or follows with a camera. The first call is made when the calling
 * component is mounted; later ones are made like those of a listener, so that what they change in the world waits until the change
 * is complete. The function of the latest render is called. If a component starts over, it is called with undefined in between.
 *
 * Writes through columns, cursors, accessors and kernels do not cause a call. Cost: as of useComponent.
 *
 * @param world the world of the entity
 * @param entity a handle; undefined for none
 * @param component as for useComponent
 * @param effect is given what useComponent would return
 * @throws StrataTypeError NOT_A_COMPONENT, in an effect of React
 * @example useComponentEffect(world, ship, Position, (at) => { if (at) mark.current!.style.left = `${at.x}px` })
 */
export function useComponentEffect<T>(
  world: World,
  entity: Entity | number | undefined,
  component: ObjectComponent<T>,
  effect: (value: T | undefined) => void,
): void
export function useComponentEffect<S extends Schema>(
  world: World,
  entity: Entity | number | undefined,
  component: Component<S, Storage>,
  effect: (value: Readonly<Value<S>> | undefined) => void,
): void
export function useComponentEffect<S extends Schema>(
  world: World,
  entity: Entity | number | undefined,
  relation: Relation<S> | Pair<S, Schema>,
  effect: (value: Readonly<Value<S>> | undefined) => void,
): void
export function useComponentEffect(
  world: World,
  entity: Entity | number = NULL_ENTITY,
  component: Valued,
  effect: (value: never) => void,
): void {
  const latest = React.useRef(effect)
  React.useInsertionEffect(() => {
    latest.current = effect
  })
  React.useEffect(
    () => {
      const store = valuesOf(world, entity, component)
      let last = store.snapshot()
      const stop = store.subscribe(() => {
        const value = store.snapshot()
        if (value === last) return
        last = value
        latest.current(value as never)
      })
      latest.current(last as never)
      return stop
    },
    // As for useComponent.
    [world, entity, componentOf(component), targetOf(component)],
  )
}

/** What has values on an entity. */
type Valued = Component | ObjectComponent<unknown> | Relation | Pair

function valuesOf(world: World, entity: Entity | number, component: Valued): Store<unknown> {
  const asked = component as Asked
  const read = () => (isLeaving(world, entity, asked) ? undefined : world.get(entity, component as Component))
  return storeOf<unknown>(
    (listener) => watch(world, entity, asked, listener),
    () => unlessDisposed(read, undefined),
    componentOf(asked).kind === 'object' ? Object.is : haveSameFields,
  )
}

/**
 * Whether an entity has a component or tag, switched on or off, or a link to a target. Renders the calling component again when
 * that has changed, and for nothing else. Cost: as of useComponent.
 *
 * @param world the world of the entity
 * @param entity a handle; undefined for none
 * @param component a component or tag of any kind, a relation for any link, or a relation with a target, `Likes(bob)`
 * @returns false for an entity that is dead, and once the world is disposed
 * @throws StrataTypeError NOT_A_COMPONENT
 * @example const done = useHas(world, task, Done)
 */
export function useHas(
  world: World,
  entity: Entity | number | undefined,
  component: ComponentLike | Pair,
): boolean {
  const handle = entity ?? NULL_ENTITY
  const store = React.useMemo(
    () => {
      const read = () => !isLeaving(world, handle, component) && world.has(handle, component)
      return storeOf(
        (listener) => watch(world, handle, component, listener),
        () => unlessDisposed(read, false),
        Object.is,
      )
    },
    // As for useComponent.
    [world, handle, componentOf(component), targetOf(component)],
  )
  return React.useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot)
}
