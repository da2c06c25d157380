// Owns the list of a world's queries, as the inspection shows it. It must never plan a query: after a reset that would make
// components known, and memory for its matches.

import {
  MATCHES_ACTIVE,
  MATCHES_COUNT,
  QUERIES_ALL,
  LIST_COUNT,
  LIST_ITEMS,
  QUERY_TERMS,
  QUERY_TERM_COUNT,
  TERM_ANY,
  TERM_BYTES,
  TERM_COMPONENT,
  TERM_GROUP_STEP,
  TERM_NEGATED,
  TERM_OPERATOR,
  TERM_PRESENT,
} from '../../../../build/layout'
import { describeTerms } from '../../../../bindings/components/terms'
import type { Query, World } from '../../../../bindings/index'
import type { Plan } from '../../../../bindings/queryPlan/plan'
import type { WorldState } from '../../../../bindings/state/worldState'
import { heardIn } from './heard'

/** A query of a world. Queries with the same terms are one. */
export interface QueryInfo {
  /** Its terms as they are written in world.query, without the order of entities; '' for that of all entities. */
  readonly terms: string
  /**
   * How many entities match. Found when it is read: at the cost of `query.count`, which is next to nothing unless rows must
   * be told apart, because of sparse terms or switches. Undefined for a query that was not used since the last reset, and
   * for one with `changed` or `added`, whose matches are a matter of who asks.
   */
  readonly matches: number | undefined
  /** How many archetypes match, with entities or without; 0 where a pool is walked. */
  readonly archetypes: number
  /** Those among them that have entities. */
  readonly active: number
  /** How many subscribers and listeners for entering and leaving entities it has. */
  readonly subscribers: number
}

export function queriesIn(world: World, state: WorldState): QueryInfo[] {
  const addresses = new Set<number>()
  const shared = [...world['queries'].shared.values()].map((query) => {
    const plan = planOf(query, state)
    if (plan !== undefined) addresses.add(plan.address)
    return infoOf(query, plan, state)
  })
  return [...shared, ...unshared(state, addresses)]
}

/** How a query is carried out now; undefined while it was not used since the world started over. */
function planOf({ source }: Query, state: WorldState): Plan | undefined {
  const plan = source['planned']
  return plan?.generation === state.generation && plan.address !== 0 ? plan : undefined
}

function infoOf(query: Query, plan: Plan | undefined, state: WorldState): QueryInfo {
  return {
    terms: describeTerms(query.source.terms),
    get matches() {
      return planOf(query, state) === undefined ? undefined : query.count
    },
    ...archetypesOf(state, plan?.address ?? 0),
    subscribers: subscribersOf(query, state),
  }
}

/** How many archetypes a query of the core has. */
function archetypesOf({ heap }: WorldState, query: number): Pick<QueryInfo, 'archetypes' | 'active'> {
  if (query === 0) return { archetypes: 0, active: 0 }
  return { archetypes: heap.word(query + MATCHES_COUNT), active: heap.word(query + MATCHES_ACTIVE) }
}

function subscribersOf({ source }: Query, state: WorldState): number {
  const heard = heardIn(state)
  const watch = heard?.queries.get(source)
  const subscribed = heard?.subscribers.queries.get(source)?.subscriptions.size ?? 0
  return subscribed + (watch === undefined ? 0 : watch.enter.length + watch.exit.length)
}

/** Those that the core has and no shared query: of queries with `changed` and `added`, and of listeners. */
function unshared(state: WorldState, known: ReadonlySet<number>): QueryInfo[] {
  const { heap } = state
  const list = heap.word(QUERIES_ALL)
  const infos: QueryInfo[] = []
  for (let i = 0; i < heap.word(list + LIST_COUNT); i++) {
    const query = heap.word(heap.word(list + LIST_ITEMS) + i * 4)
    if (known.has(query)) continue
    infos.push({
      terms: termsAt(state, query),
      matches: undefined,
      ...archetypesOf(state, query),
      subscribers: 0,
    })
  }
  return infos
}

/** The terms of a query of the core, as they could be written. */
function termsAt(state: WorldState, query: number): string {
  const { heap } = state
  const definitions = state.definitionsById()
  const first = heap.word(query + QUERY_TERMS)
  const groups = new Map<number, string[]>()
  const names: (string | string[])[] = []
  for (let i = 0; i < heap.word(query + QUERY_TERM_COUNT); i++) {
    const component = heap.word(first + i * TERM_BYTES + TERM_COMPONENT)
    const operator = heap.word(first + i * TERM_BYTES + TERM_OPERATOR)
    const bare = definitions[component]?.componentName as string
    const name = (operator & TERM_PRESENT) !== 0 ? `present(${bare})` : bare
    const written = (operator & TERM_NEGATED) !== 0 ? `not(${name})` : name
    if (operator < TERM_ANY) {
      names.push(written)
      continue
    }
    const number = Math.floor(operator / TERM_GROUP_STEP)
    let group = groups.get(number)
    if (group === undefined) {
      groups.set(number, (group = []))
      names.push(group)
    }
    group.push(written)
  }
  return names.map((name) => (typeof name === 'string' ? name : `any(${name.join(', ')})`)).join(', ')
}
