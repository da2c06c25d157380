// Owns the hook about a resource: useResource.

import * as React from 'react'
import {
  type AnyResource,
  onResource,
  type Resource,
  type Schema,
  type Value,
  type ValueResource,
  type World,
} from '../../../bindings/index'
import { haveSameFields, storeOf, unlessDisposed } from './store'

/**
 * A copy of the fields of a resource, or the value of one without a schema. Renders the calling component again when
 * setResource, removeResource, a reset or a restore has given it another value. The copy is the same object until then.
 *
 * Writes through the cursor that `world.resource` returns do not cause a render, nor does a value that is changed in place:
 * use setResource for what is shown. Cost: a copy of the fields in each render, so not for resources of megabytes.
 *
 * @param world the world of the resource
 * @param resource of either kind; it is not created
 * @returns undefined while the resource is missing, and once the world is disposed
 * @throws StrataTypeError NOT_A_RESOURCE
 * @example const settings = useResource(world, Settings)
 */
export function useResource<S extends Schema>(
  world: World,
  resource: Resource<S>,
): Readonly<Value<S>> | undefined
export function useResource<T>(world: World, resource: ValueResource<T>): T | undefined
export function useResource(world: World, resource: AnyResource): unknown {
  const store = React.useMemo(
    () =>
      storeOf<unknown>(
        (listener) => onResource(world, resource, listener),
        () => unlessDisposed<unknown>(() => world.getResource(resource as ValueResource), undefined),
        resource.schema === undefined ? Object.is : haveSameFields,
      ),
    [world, resource],
  )
  return React.useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot)
}
