// Owns group: the query over sparse components whose pools are kept in one order, and what it brings to find and walk them.

import type { PooledComponent } from '../components/queryTypes'
import { GroupedRows } from '../iteration/groupedRows'
import { formGroup, groupComponents, groupOfPools } from '../queryPlan/groups'
import { type GroupHooks, stateOf } from '../state/worldState'
import type { World } from '../world/world'
import type { Query } from './query'
import { queryOf } from './queryCache'

const GROUPING: GroupHooks = { addressOf: groupOfPools, Loop: GroupedRows }

/**
 * Groups sparse components: from now on, the entities that have all of them are kept at the front of each pool, in
 * the same order. A loop over the returned query then has all components as columns, as fast as an archetype.
 * `world.query` with exactly these components returns the same query.
 * Adding or removing one of the components exchanges one row per pool. The group survives clear; after a reset the
 * query rebuilds it. Inside a loop, only a group that exists already can be used.
 *
 * @param components two or more with storage 'sparse', each in no other group
 * @returns the query over exactly these components
 * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_GROUP; LimitError; StrataError
 *   WORLD_LOCKED. Nothing changes then.
 * @example for (const chunk of group(world, Position, Velocity)) { const p = chunk.write(Position) … }
 */
export function group<
  const T extends readonly [
    PooledComponent<'sparse'>,
    PooledComponent<'sparse'>,
    ...PooledComponent<'sparse'>[],
  ],
>(world: World, ...components: T): Query<T, true> {
  const state = stateOf(world, 'group')
  state.refuseDisposed()
  const definitions = groupComponents(components)
  const query = queryOf(world['queries'], components)
  state.grouping = GROUPING
  formGroup(state, definitions)
  query.source.formGroup = () => formGroup(state, definitions)
  return query as unknown as Query<T, true>
}
