// Owns the way from components to the queries that they concern, so that a change asks those alone, however many others there
// are. It must never ask whether an entity matches.

import { type Definition, isHiding } from '../components/definition'
import { archetypeOf, firstPooled, nextPooled, signatureOf } from '../rows/belongings'
import type { Registration } from '../rows/registration'
import type { WorldState } from '../rows/worldState'
import type { QueryWatch } from './queryWatch'

/** A query that is listened or subscribed to. */
export interface Indexed {
  readonly watch: QueryWatch
  /** Its place among the others: the lower, the earlier its first listener came. */
  readonly order: number
}

export class QueryIndex<Q extends Indexed> {
  /** In their order. */
  private readonly all = new Set<Q>()
  private readonly byNamed = new Map<Definition, Set<Q>>()
  /** Each query under one of its keys. */
  private readonly byKey = new Map<Definition, Set<Q>>()
  private readonly withoutKey = new Set<Q>()
  private readonly keys = new Map<Q, readonly Definition[]>()

  add(query: Q): void {
    const { decisive } = query.watch
    const key = this.keyOf(query)
    this.all.add(query)
    this.keys.set(query, key)
    for (const definition of decisive) enter(this.byNamed, definition, query)
    for (const definition of key) enter(this.byKey, definition, query)
    if (key.length === 0) this.withoutKey.add(query)
  }

  delete(query: Q): void {
    this.all.delete(query)
    for (const definition of query.watch.decisive) leave(this.byNamed, definition, query)
    for (const definition of this.keys.get(query) ?? NONE) leave(this.byKey, definition, query)
    this.keys.delete(query)
    this.withoutKey.delete(query)
  }

  /** The components of which an entity that matches has one: the fewer queries have the same, the fewer are asked. */
  private keyOf({ watch: { keys } }: Q): readonly Definition[] {
    let best: readonly Definition[] = NONE
    let least = Infinity
    for (const key of keys) {
      let shared = 0
      for (const definition of key) shared += this.byKey.get(definition)?.size ?? 0
      if (shared >= least) continue
      best = key
      least = shared
    }
    return best
  }

  /** All of them, in their order. */
  [Symbol.iterator](): Iterator<Q> {
    return this.all.values()
  }

  /** Those that a component decides about, in their order. */
  private naming(definition: Definition): Iterable<Q> {
    // It keeps entities out of all queries that do not name it.
    if (isHiding(definition)) return [...this.all].filter(({ watch }) => watch.names(definition))
    return this.byNamed.get(definition) ?? NONE
  }

  /** Those that a component of a list decides about, in their order. */
  namingAny(definitions: readonly Definition[]): readonly Q[] {
    return inOrder(definitions.map((definition) => this.naming(definition)))
  }

  /** The same, told apart by what an entity must have for each to matter. */
  namedBy(definitions: readonly Definition[]): NamedQueries<Q> {
    const always: Q[] = []
    const byKey = new Map<Definition, Q[]>()
    for (const query of this.namingAny(definitions)) {
      const key = this.keys.get(query) ?? NONE
      if (key.length === 0 || key.some((definition) => definitions.includes(definition))) always.push(query)
      else for (const definition of key) listOf(byKey, definition).push(query)
    }
    return { always, byKey }
  }

  /**
   * Those that have a component as their key. An entity that matches a query has its key: so all that an entity has leads to
   * every query that it matches but those without a key, to some by several ways.
   */
  keyedBy(definition: Definition): readonly Q[] {
    return [...(this.byKey.get(definition) ?? NONE)]
  }

  /** Those that an entity with these components, and what it has in pools, may match; without those that pools lead to. */
  possible(definitions: readonly Definition[]): readonly Q[] {
    const lists = definitions.map((definition): Iterable<Q> => this.byKey.get(definition) ?? NONE)
    return inOrder([...lists, this.withoutKey])
  }
}

const NONE: readonly [] = []

/** Queries that components decide about which an entity gets or loses. */
export interface NamedQueries<Q> {
  /** Those that may match whatever else the entity has, in their order. */
  readonly always: readonly Q[]
  /** Those that matter only if it has a component besides, by that. */
  readonly byKey: ReadonlyMap<Definition, readonly Q[]>
}

/** Those of them that matter to some entities, in their order. */
export function concerning<Q extends Indexed>(
  state: WorldState,
  { always, byKey }: NamedQueries<Q>,
  entities: ArrayLike<number>,
): readonly Q[] {
  if (byKey.size === 0) return always
  const { heap, byId } = state
  const lists: Iterable<Q>[] = [always]
  const enter = (id: number): void => {
    const list = byKey.get((byId[id] as Registration).definition)
    if (list !== undefined && !lists.includes(list)) lists.push(list)
  }
  let last = -1
  for (let k = 0; k < entities.length; k++) {
    const entity = entities[k] as number
    const archetype = archetypeOf(heap, entity)
    if (archetype >= 0 && archetype !== last) {
      const signature = signatureOf(heap, archetype)
      for (let i = 0; i < signature.length; i++) enter(signature[i] as number)
    }
    last = archetype
    for (let id = firstPooled(heap, entity); id >= 0; id = nextPooled(heap, id, entity)) enter(id)
  }
  return lists.length === 1 ? always : inOrder(lists)
}

/** The queries of several lists, each once and in their order. */
export function inOrder<Q extends Indexed>(lists: readonly Iterable<Q>[]): Q[] {
  const found = new Set<Q>()
  for (const list of lists) for (const query of list) found.add(query)
  return [...found].sort((a, b) => a.order - b.order)
}

function enter<Q>(index: Map<Definition, Set<Q>>, definition: Definition, query: Q): void {
  const known = index.get(definition)
  if (known === undefined) index.set(definition, new Set([query]))
  else known.add(query)
}

function listOf<Q>(lists: Map<Definition, Q[]>, definition: Definition): Q[] {
  const known = lists.get(definition)
  if (known !== undefined) return known
  const list: Q[] = []
  lists.set(definition, list)
  return list
}

function leave<Q>(index: Map<Definition, Set<Q>>, definition: Definition, query: Q): void {
  const known = index.get(definition)
  known?.delete(query)
  if (known?.size === 0) index.delete(definition)
}
