// Owns subscribe: listeners that are told that a query has another result.

import { observersOf } from '../events/observersOf'
import { checkFunction } from '../memory/arguments'
import { refuseNarrowed } from './narrowedQueries'
import type { Query } from './query'
import { queryGiven } from './queryGiven'

/**
 * Calls a listener when a different set of entities matches than before, or the program gave the set another order
 * (docs/queries.md): once after each outermost change, that is when a loop, a `defer` block, a command buffer or a listener that
 * changes the world has ended, and once for a bulk change. The listener sees the world after the change. While listeners run, the world is locked; the changes
 * that they make are applied afterwards and reported in turn. Writing values, and changes of components that the
 * query does not name, do not call it.
 * Cost: nothing without subscriptions. With them, every outermost change that names a component of the query,
 * spawns a match or destroys an entity compares the number of matching archetypes. Unsubscribing takes constant
 * time.
 *
 * @param listener called without arguments
 * @returns a function that unsubscribes; after that the listener is no longer called
 * @throws StrataTypeError INVALID_QUERY for queries with where, page, partition, changed or added; INVALID_OPTION
 * @example const stop = subscribe(ships, () => label.textContent = `${ships.count} ships`)
 */
export function subscribe(query: Query, listener: () => void): () => void {
  const { state } = queryGiven(query, 'subscribe').source
  state.refuseDisposed()
  checkFunction('subscribe', listener)
  refuseNarrowed(query, 'subscribe')
  return observersOf(state).subscribers.subscribe(query, listener)
}
