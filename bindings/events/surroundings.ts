// Owns what is watched of entities, by what they have: by their archetype, and by each component that they have in a pool. It is
// found out once, and dropped when listeners change or ids in the core may mean something else.
// It must never be asked for an entity that has no row yet: that one is in no query, and has nothing.

import type { Definition } from '../components/definition'
import { signatureOf } from '../rows/belongings'
import type { Registration } from '../rows/registration'
import type { WorldState } from '../rows/worldState'
import type { QueryIndex } from './queryIndex'
import type { QueryWatch } from './queryWatch'
import type { SubscribedQuery } from './subscribedQuery'
import type { ComponentWatch } from './watches'

/** What is watched of entities that have something. */
export class Surroundings {
  constructor(
    /** Components that they have, in the order in which the world met them. */
    readonly components: readonly ComponentWatch[],
    /** Queries that they may match, and subscribed ones. */
    readonly queries: readonly QueryWatch[],
    readonly subscribed: readonly SubscribedQuery[],
  ) {
    this.isQuiet = components.length + queries.length + subscribed.length === 0
  }

  readonly isQuiet: boolean
}

/** The watches of a world, as they are asked for once. */
interface Watching {
  readonly state: WorldState
  /** Grows whenever others are watched. */
  readonly version: number
  watched(definition: Definition): ComponentWatch | undefined
  readonly index: QueryIndex<QueryWatch>
  readonly subscribers: { readonly index: QueryIndex<SubscribedQuery> }
}

const QUIET = /* @__PURE__ */ new Surroundings([], [], [])

export class AllSurroundings {
  private archetypes: (Surroundings | undefined)[] = []
  private pools: (Surroundings | undefined)[] = []
  /** Nothing is watched of components with lower ids. */
  private quietPools = 0
  /** For what they were found out. */
  private version = 0
  private generation = 0

  constructor(private readonly watching: Watching) {}

  ofArchetype(archetype: number): Surroundings {
    this.check()
    return this.archetypes[archetype] ?? this.findArchetype(archetype)
  }

  /** What is watched of entities because they have a pooled component. */
  ofPool(id: number): Surroundings {
    this.check()
    return this.pools[id] ?? this.findPool(id)
  }

  /** Whether nothing is watched that lies in pools. */
  get arePoolsQuiet(): boolean {
    this.check()
    const { byId } = this.watching.state
    for (; this.quietPools < byId.length; this.quietPools++)
      if ((byId[this.quietPools] as Registration).pooled && !this.ofPool(this.quietPools).isQuiet)
        return false
    return true
  }

  private check(): void {
    const { version, state } = this.watching
    if (this.version === version && this.generation === state.generation) return
    this.version = version
    this.generation = state.generation
    this.archetypes = []
    this.pools = []
    this.quietPools = 0
  }

  private findArchetype(archetype: number): Surroundings {
    const { state, index, subscribers } = this.watching
    const definitions = Array.from(signatureOf(state.heap, archetype), (id) => this.definitionOf(id))
    const found = this.make(
      definitions,
      index.possible(definitions).filter((query) => query.mayMatchIn(archetype)),
      subscribers.index.possible(definitions).filter(({ watch }) => watch.mayMatchIn(archetype)),
    )
    return keep(this.archetypes, archetype, found)
  }

  private findPool(id: number): Surroundings {
    const definition = this.definitionOf(id)
    const { index, subscribers } = this.watching
    const found = this.make([definition], index.keyedBy(definition), subscribers.index.keyedBy(definition))
    return keep(this.pools, id, found)
  }

  private definitionOf(id: number): Definition {
    return (this.watching.state.byId[id] as Registration).definition
  }

  private make(
    definitions: readonly Definition[],
    queries: readonly QueryWatch[],
    subscribed: readonly SubscribedQuery[],
  ): Surroundings {
    const watches = definitions.map((definition) => this.watching.watched(definition))
    const components = watches.filter((watch) => watch !== undefined)
    const found = new Surroundings(components, queries, subscribed)
    return found.isQuiet ? QUIET : found
  }
}

function keep(list: (Surroundings | undefined)[], at: number, found: Surroundings): Surroundings {
  // Filled without gaps, so that the array stays a dense one.
  while (list.length <= at) list.push(undefined)
  list[at] = found
  return found
}
