// Owns group: which components may be one, the call that forms it, the query over them, and what the call brings to find and walk
// groups.

import {
  GROUP_COUNT,
  POOL_GROUP,
  SCRATCH_ADDRESS_WORD,
  STATUS_OUT_OF_MEMORY,
  STORAGE_SPARSE,
} from '../../build/layout'
import { type Definition, canToggle, definitionOf } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import type { PooledComponent } from '../components/queryTypes'
import { GroupedRows } from '../iteration/groupedRows'
import { rareOf } from '../memory/coreParts'
import { describe } from '../memory/describe'
import { StrataTypeError, limitError } from '../memory/errors'
import type { Registration } from '../state/registration'
import { type GroupHooks, type WorldState, stateOf } from '../state/worldState'
import type { World } from '../world/world'
import type { Query } from './query'
import { queryOf } from './queryCache'

const GROUPING: GroupHooks = { addressOf: groupOfPools, Loop: GroupedRows }

/**
 * Groups sparse components: from now on, the entities that have all of them are kept at the front of each pool, in
 * the same order. A loop over the returned query then has all components as columns, as fast as an archetype.
 * `world.query` with exactly these components returns the same query.
 * Adding or removing one of the components exchanges one row per pool. The group survives clearWorld; after a reset the
 * query rebuilds it. Inside a loop, only a group that exists already can be used.
 *
 * @param components two or more with storage 'sparse', each in no other group
 * @returns the query over exactly these components
 * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_GROUP; LimitError; StrataError
 *   WORLD_LOCKED. Nothing changes then.
 * @example for (const chunk of createGroup(world, Position, Velocity)) { const p = chunk.write(Position) … }
 */
export function createGroup<
  const T extends readonly [
    PooledComponent<'sparse'>,
    PooledComponent<'sparse'>,
    ...PooledComponent<'sparse'>[],
  ],
>(world: World, ...components: T): Query<T, true> {
  const state = stateOf(world, 'createGroup')
  state.refuseDisposed()
  const definitions = groupComponents(components)
  const query = queryOf(world['queries'], components)
  state.grouping = GROUPING
  formGroup(state, definitions)
  query.source.formGroup = () => formGroup(state, definitions)
  return query as unknown as Query<T, true>
}

/**
 * The components that are to be a group, checked.
 *
 * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_GROUP
 */
function groupComponents(components: readonly unknown[]): Definition[] {
  const definitions = components.map((component) => {
    const definition = definitionOf(component)
    if (definition === undefined) throw notAComponent(component, 'createGroup')
    return definition
  })
  definitions.forEach((definition, i) => {
    const name = definition.componentName
    if (definitions.indexOf(definition) !== i) {
      throw new StrataTypeError('DUPLICATE_COMPONENT', `createGroup names ${name} twice.`)
    }
    if (canToggle(definition)) {
      throw new StrataTypeError(
        'INVALID_GROUP',
        `createGroup: ${name} was declared with { toggle }, and every row of a group must be on: declare it without.`,
      )
    }
    if (definition.storageCode !== STORAGE_SPARSE || definition.kind === 'tag') {
      throw new StrataTypeError(
        'INVALID_GROUP',
        `createGroup takes components that are declared with { storage: sparse }, and ${describe(definition)} is not.`,
      )
    }
  })
  if (definitions.length < 2) {
    throw new StrataTypeError('INVALID_GROUP', 'createGroup takes two components or more.')
  }
  return definitions
}

/** The address of the group that consists of exactly these pools, 0 when there is none. */
function groupOfPools(state: WorldState, pools: readonly Registration[]): number {
  const [first] = pools
  if (first === undefined || pools.length < 2) return 0
  const group = state.heap.word(first.pool + POOL_GROUP)
  if (group === 0 || state.heap.word(group + GROUP_COUNT) !== pools.length) return 0
  return pools.every(({ pool }) => state.heap.word(pool + POOL_GROUP) === group) ? group : 0
}

/** Makes the group unless it is there. Rows move: refused inside a loop. */
function formGroup(state: WorldState, definitions: readonly Definition[]): void {
  const known = definitions.map((definition) => state.known(definition))
  if (known.every((registration) => registration !== undefined) && groupOfPools(state, known) !== 0) return
  state.refuseWhileLocked('createGroup')
  const pools = definitions.map((definition) => state.register(definition))
  for (const { pool, definition } of pools) {
    if (state.heap.word(pool + POOL_GROUP) === 0) continue
    throw new StrataTypeError(
      'INVALID_GROUP',
      `createGroup: ${definition.componentName} is in another group already: a component can be in one group only.`,
    )
  }
  const ids = pools.map(({ id }) => id).sort((a, b) => a - b)
  state.heap.u32.set(ids, SCRATCH_ADDRESS_WORD)
  const address = rareOf(state).groupOf(ids.length)
  state.heap.check()
  if (address === 0) throw limitError(STATUS_OUT_OF_MEMORY, '')
  state.groupings++
}
