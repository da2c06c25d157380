// Owns the calls of a world by which listeners subscribe to a query: docs/events.md.

import type { ParsedTerm } from '../components/terms'
import { type ExistingOption, LISTEN_OPTIONS, tellExisting } from '../events/listening'
import { observersOf } from '../events/observersOf'
import { watchable } from '../events/queryWatch'
import type { Handler } from '../events/watches'
import { checkFunction, checkOptions } from '../memory/arguments'
import { StrataTypeError } from '../memory/errors'
import type { WorldState } from '../rows/worldState'
import { refuseNarrowed } from './narrowing'
import { Query } from './query'

/** world.onEnter */
export function onEnter(
  state: WorldState,
  query: Query,
  handler: Handler,
  options: ExistingOption,
): () => void {
  const terms = watchableTerms(state, query, handler, 'onEnter')
  checkOptions('onEnter', options, LISTEN_OPTIONS)
  const { related, source } = query
  const stop = observersOf(state).listenToQuery(related ?? source, terms, 'enter', handler, related)
  return options?.existing === true ? tellExisting(state, query, handler, stop) : stop
}

/** world.onExit */
export function onExit(state: WorldState, query: Query, handler: Handler): () => void {
  const terms = watchableTerms(state, query, handler, 'onExit')
  const { related, source } = query
  return observersOf(state).listenToQuery(related ?? source, terms, 'exit', handler, related)
}

function watchableTerms(
  state: WorldState,
  query: Query,
  handler: Handler,
  operation: string,
): readonly ParsedTerm[] {
  state.refuseDisposed()
  checkFunction(operation, handler)
  if (query instanceof Query && query.source.state === state) {
    refuseNarrowed(query, operation)
    query.related?.refuseListeners(operation)
    return watchable(query.source.terms, operation)
  }
  throw new StrataTypeError('INVALID_QUERY', `${operation} takes a query of this world, world.query(…).`)
}
