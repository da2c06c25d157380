// Owns the hook about the target of an entity: useTarget.

import * as React from 'react'
import { type AnyExclusiveRelation, type Entity, NULL_ENTITY, type World } from '../../../bindings/index'
import { storeOf, unlessDisposed } from './store'
import { isLeaving, watch } from './watch'

/**
 * The entity that an entity points at in an exclusive relation. Renders the calling component again when it points at another one,
 * or at none, also because its link ends with the target; not for the values of the link: see useComponent.
 * Cost: as of useComponent.
 *
 * @param world the world of the entity
 * @param entity a handle; undefined for none
 * @param relation an exclusive relation. For the sources of a target use a query, `useQuery(world.query(ChildOf(car)))`
 * @returns undefined without a target, for an entity that is dead, and once the world is disposed. Where
 *   links are kept, the handle of a target that died, as world.target gives it
 * @throws StrataTypeError NOT_A_RELATION
 * @example const parent = useTarget(world, wheel, ChildOf)
 */
export function useTarget(
  world: World,
  entity: Entity | number | undefined,
  relation: AnyExclusiveRelation,
): Entity | undefined {
  const handle = entity ?? NULL_ENTITY
  const store = React.useMemo(() => {
    const read = () => {
      const target = world.target(handle, relation)
      return target === NULL_ENTITY || isLeaving(world, handle, relation) ? undefined : target
    }
    return storeOf(
      (listener) => watch(world, handle, relation, listener),
      () => unlessDisposed(read, undefined),
      Object.is,
    )
  }, [world, handle, relation])
  return React.useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot)
}
