// Owns the hooks about the entities that match a query: useQuery, useCount and useFirst.

import * as React from 'react'
import { type Entity, type EntityArray, type Query, onChange } from '../../../bindings/index'
import { areSameLists, unlessDisposed } from './store'

/** A query, whatever its terms, as far as hooks need it. */
export type WatchedQuery = Query

/** The handles of a query when they were last asked for: one list for all components that show it. */
const lists = /* @__PURE__ */ new WeakMap<WatchedQuery, { version: number; handles: EntityArray }>()
const NOBODY: EntityArray = /* @__PURE__ */ new Uint32Array() as EntityArray

/**
 * The handles of the entities that match a query, in the order of a loop. Renders the calling component again when other
 * entities match than before: once for each outermost change, however many entities it is about. All components that use one
 * query share the list, and it is the same array until the result changes, so it can be a dependency of effects and a prop of memo.
 *
 * Values are not watched: see useComponent. `world.query(…)` may stand in the call: queries with the same terms share their list.
 * Cost: a copy of the handles after each change, 4 bytes an entity. For a number alone use useCount.
 *
 * @param query of terms that ask only which components an entity has: no where, page, partition, changed or added
 * @returns a list to read: do not write to it. Empty once the world is disposed
 * @throws StrataTypeError INVALID_QUERY in the effect that subscribes, for other queries
 * @example useQuery(world.query(Task, not(Done)))
 */
export function useQuery(query: WatchedQuery): EntityArray {
  const shared = sharedOf(query)
  const snapshot = () => unlessDisposed(() => handlesOf(shared), NOBODY)
  return React.useSyncExternalStore(subscriptionOf(shared), snapshot, snapshot)
}

/**
 * How many entities match a query. Renders the calling component again when the number has changed, and for nothing else.
 * Copies no handles: the cost is that of `query.count`.
 *
 * @param query as for useQuery
 * @returns 0 once the world is disposed
 * @throws StrataTypeError INVALID_QUERY in the effect that subscribes, for queries that depend on values or places
 * @example const left = useCount(world.query(Task, not(Done)))
 */
export function useCount(query: WatchedQuery): number {
  const shared = sharedOf(query)
  const snapshot = () => unlessDisposed(() => shared.count, 0)
  return React.useSyncExternalStore(subscriptionOf(shared), snapshot, snapshot)
}

/**
 * The first entity that matches a query: for a query of which there is one, such as the player. Renders the calling component again
 * when another entity is the first, and for nothing else. Copies no handles.
 *
 * @param query as for useQuery
 * @returns undefined if none matches, and once the world is disposed
 * @throws StrataTypeError INVALID_QUERY in the effect that subscribes, for queries that depend on values or places
 * @example const player = useFirst(world.query(Player))
 */
export function useFirst(query: WatchedQuery): Entity | undefined {
  const shared = sharedOf(query)
  const snapshot = () => unlessDisposed(() => shared.first(), undefined)
  return React.useSyncExternalStore(subscriptionOf(shared), snapshot, snapshot)
}

/** One function for each query: React subscribes again when it is given another. */
const subscriptions = /* @__PURE__ */ new WeakMap<WatchedQuery, (listener: () => void) => () => void>()

function subscriptionOf(query: WatchedQuery): (listener: () => void) => () => void {
  const known = subscriptions.get(query)
  if (known !== undefined) return known
  const made = (listener: () => void) => onChange(query, listener)
  subscriptions.set(query, made)
  return made
}

/**
 * One query for all that ask the same: with a target or an order, each call of world.query makes another one, and lists and
 * subscriptions belong to one query. A component that is mounted keeps it by its subscription.
 */
function sharedOf(query: WatchedQuery): WatchedQuery {
  const { source, asks } = query as WatchedQuery & { source: object; asks?: string }
  if (asks === undefined) return query
  const ofSource = sharedQueries.get(source) ?? new SharedQueries()
  sharedQueries.set(source, ofSource)
  return ofSource.of(asks, query)
}

/** The queries over one source, by what they ask in addition. */
class SharedQueries {
  private readonly queries = new Map<string, WeakRef<WatchedQuery>>()
  /** With so many, those that are gone are cleared away. */
  private most = 64

  of(asks: string, query: WatchedQuery): WatchedQuery {
    const { queries } = this
    const known = queries.get(asks)?.deref()
    if (known !== undefined) return known
    if (queries.size >= this.most) {
      for (const [other, one] of queries) if (one.deref() === undefined) queries.delete(other)
      this.most = Math.max(64, queries.size * 2)
    }
    queries.set(asks, new WeakRef(query))
    return query
  }
}

const sharedQueries = /* @__PURE__ */ new WeakMap<object, SharedQueries>()

function handlesOf(query: WatchedQuery): EntityArray {
  const { version } = query
  const known = lists.get(query)
  if (known?.version === version) return known.handles
  // eslint-disable-next-line no-restricted-syntax -- a component looks for its user
  const handles = query.entities()
  if (known !== undefined && areSameLists(known.handles, handles)) {
    known.version = version
    return known.handles
  }
  lists.set(query, { version, handles })
  return handles
}
