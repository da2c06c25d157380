// Owns query.subscribe.

import { observersOf } from '../events/observersOf'
import type { Listener } from '../events/subscribedQuery'
import { checkFunction } from '../memory/arguments'
import { refuseNarrowed } from './narrowing'
import type { AnyQuery } from './rows'

/** The function that query.subscribe is for one query. */
export function subscription(query: AnyQuery): (listener: Listener) => () => void {
  return (listener) => {
    const { state } = query.source
    state.refuseDisposed()
    checkFunction('query.subscribe', listener)
    refuseNarrowed(query, 'query.subscribe')
    return observersOf(state).subscribers.subscribe(query, listener)
  }
}
