// Owns the queries of one world: equal terms give the same one.

import type { ComponentLike } from '../components/component'
import { canToggle } from '../components/definition'
import { type Term, keyOf, parseTerms, relatedIn } from '../components/terms'
import type { EntityArrays } from '../iteration/chunkView'
import { changingIn } from '../queryPlan/plan'
import type { Relating } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import { Query } from './query'
import { QuerySource } from './querySource'

/** A world, as far as a query with targets comes back to it for the one without. */
interface QueriedWorld {
  query(...terms: never[]): object
}

/** What finding a query needs of a world. */
export interface WorldQueries {
  readonly state: WorldState
  readonly world: QueriedWorld
  readonly arrays: EntityArrays
  /** By their terms: all but those with a memory of their own. */
  readonly shared: Map<string, Query>
}

/** world.query */
export function queryOf(queries: WorldQueries, terms: readonly Term[]): Query {
  const { state, shared } = queries
  state.refuseDisposed()
  for (const term of terms) {
    const related = relatedIn(term)
    if (related !== undefined)
      return (related as Relating).query(state, queries.world, terms) as unknown as Query
  }
  const parsed = parseTerms(terms)
  const make = () => Query.make(new QuerySource(state, parsed, queries.arrays))
  if (changingIn(parsed) !== undefined) return make()
  const key = keyOf(parsed)
  let query = shared.get(key)
  // One from before a reset or a restore meets its components here, where a new one would.
  if (query !== undefined) query.source.plan()
  else shared.set(key, (query = make()))
  return query
}

/** All entities with a component, switched on or off, also those that a tag keeps out of queries. */
export function holdersOf({ state, arrays }: WorldQueries, component: ComponentLike): Query {
  const terms = parseTerms([component]).map((term) => ({ ...term, anyway: canToggle(term.definition) }))
  return Query.make(new QuerySource(state, terms, arrays, true))
}
