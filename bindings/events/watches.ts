// Owns the records of listeners: for a handler, a watched component, and a watched bundle. listenerCalls.ts calls them.

import type { Definition } from '../components/definition'
import type { Entity } from '../memory/entity'
import { HandleList } from '../memory/handleList'
import { archetypeOf } from '../state/entityComponents'
import type { Bundle } from '../state/bundle'
import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'
import type { RowRef } from '../cursors/rowRef'
import type { World } from '../world/world'
import type { QueryWatch } from './queryWatch'
import type { RemovalLog } from './removals'
import type { SubscribedQuery } from './subscribedQuery'

/** A listener for onAdd, onRemove, onSet, onEnter and onExit. It is called with the entity and the world. */
export type Handler = (entity: Entity, world: World) => void

/** What a handler is given. */
export type HandlerWorld = Parameters<Handler>[1]

/** A handler that was subscribed. */
export class Subscription {
  active = true
  constructor(
    public handler: Handler,
    /** The emission during which it was made: only later ones call it. */
    readonly since: number,
  ) {}

  /** Ends the subscription and drops the handler, so that its closure can be collected. */
  end(): void {
    this.active = false
    this.handler = IGNORE
  }
}

const IGNORE: Handler = () => {}

/** The listeners of one kind of event, in the order in which they subscribed. */
export class Subscriptions {
  /** How many listen. */
  length = 0
  /**
   * All of them, and some that have ended: those are cleared away once they are half of the list, into a new one, so
   * that a walk over the old one is not disturbed. A walk goes as far as the list was long when it began.
   */
  items: readonly Subscription[] = []

  /** Cost: nothing that grows with their number. */
  add(subscription: Subscription): void {
    ;(this.items as Subscription[]).push(subscription)
    this.length++
  }

  /** Ends one that was added, once. Cost: nothing that grows with their number, over many calls. */
  end(subscription: Subscription): void {
    subscription.end()
    this.length--
    if (this.length * 2 <= this.items.length) this.items = this.items.filter(({ active }) => active)
  }
}

const NO_LOGS: readonly RemovalLog[] = []

export type ComponentEvent = 'added' | 'removed' | 'set'

/** The listeners of one component, and what a report that is under way has to say about it. */
export class ComponentWatch {
  readonly added = new Subscriptions()
  readonly removed = new Subscriptions()
  readonly set = new Subscriptions()
  /** Where readers of removals note them: changed by Observers.changeLogs alone. */
  logs: readonly RemovalLog[] = NO_LOGS
  /** Entities that get it, lose it, get values of it, in the change that is reported. */
  readonly gained = new HandleList()
  readonly lost = new HandleList()
  readonly given = new HandleList()
  /** How many listeners ask what values were before they were set. */
  befores = 0
  /** What reads a row: the first of these listeners brings it. */
  read: ((ref: RowRef) => unknown) | undefined
  /** By entity in `given`, what they were, if anyone asks. */
  readonly before = new Map<number, unknown>()

  constructor(
    readonly definition: Definition,
    /** Undefined while the world has not met the component. */
    public registration: Registration | undefined,
  ) {}

  /** Whether it has listeners, or readers of removals. */
  get isHeard(): boolean {
    const { added, removed, set, logs } = this
    return added.length + removed.length + set.length + logs.length !== 0
  }

  /** The values that an entity has now: undefined if no listener asks for them, or it has none. */
  valuesOf(entity: number): unknown {
    const { registration } = this
    if (this.befores === 0 || registration === undefined || !registration.isOn(entity)) return undefined
    if (registration.objects !== undefined) return registration.objects.get(entity)
    const ref = registration.isTag ? undefined : registration.locate(entity)
    return ref === undefined ? {} : this.read?.(ref)
  }

  /** Whether an entity that is alive has the component. */
  isOn(entity: number): boolean {
    return this.registration !== undefined && this.registration.isOn(entity)
  }
}

/** What is watched of entities that have something. */
export class ArchetypeWatch {
  constructor(
    /** Components that they have, in the order in which they were declared. */
    readonly components: readonly ComponentWatch[],
    /** Queries that they may match, and subscribed ones, in the order of their first listeners. */
    readonly queries: readonly QueryWatch[],
    readonly subscribed: readonly SubscribedQuery[],
  ) {
    this.isQuiet = components.length + queries.length + subscribed.length === 0
  }

  readonly isQuiet: boolean

  /** What is watched of entities to which both of these apply. */
  with({ components, queries, subscribed }: ArchetypeWatch): ArchetypeWatch {
    return new ArchetypeWatch(
      [...this.components, ...components].sort(byDeclaration),
      inOrder([...this.queries, ...queries]),
      inOrder([...this.subscribed, ...subscribed]),
    )
  }
}

/** By the order in which the components were declared: which one the world met first may depend on who looked. */
export const byDeclaration = (a: ComponentWatch, b: ComponentWatch): number =>
  a.definition.serial - b.definition.serial

/** Queries, each once and in their order. */
export function inOrder<Q extends { readonly order: number }>(queries: readonly Q[]): Q[] {
  return [...new Set(queries)].sort((a, b) => a.order - b.order)
}

/** Queries that are concerned when components of a bundle come or go, in the order of their first listeners. */
export interface ConcernedQueries {
  readonly queries: readonly QueryWatch[]
  readonly namedSubscribed: readonly SubscribedQuery[]
}

/** So many queries are asked sooner than it is found which of them an archetype concerns. */
const FEW_QUERIES = 8

/** The watches that are concerned when the components of a bundle come or go. */
export class BundleWatch implements ConcernedQueries {
  /** Those that an archetype concerns: by the other bundle of the change, then by the archetype's id, of one generation. */
  private readonly byOther = new Map<Bundle | undefined, Map<number, ConcernedQueries>>()
  private generation = 0

  constructor(
    readonly version: number,
    /** In the order of the bundle; undefined for a component that is not watched. */
    readonly components: readonly (ComponentWatch | undefined)[],
    /** Queries that name one of the components. */
    readonly queries: readonly QueryWatch[],
    /** Queries that an entity enters when it is spawned with the bundle. */
    readonly entered: readonly QueryWatch[],
    /** Subscribed queries that name one of the components, and those that an entity enters when it is spawned. */
    readonly namedSubscribed: readonly SubscribedQuery[],
    readonly enteredSubscribed: readonly SubscribedQuery[],
  ) {
    const heard = components.some((watch) => watch !== undefined)
    this.concerns = heard || queries.length + entered.length > 0
    this.hearsSpawn = heard || entered.length + enteredSubscribed.length > 0
    this.hearsNamed = heard || queries.length + namedSubscribed.length > 0
  }

  /** Of many queries, what the archetypes of some entities do not rule out; `other` comes or goes in the same change. */
  nearAll(
    state: WorldState,
    bundle: Bundle,
    other: Bundle | undefined,
    entities: ArrayLike<number>,
  ): ConcernedQueries {
    if (this.queries.length + this.namedSubscribed.length < FEW_QUERIES) return this
    const all = new Set<ConcernedQueries>()
    for (let i = 0; i < entities.length; i++) all.add(this.near(state, bundle, other, entities[i] as number))
    return {
      queries: inOrder([...all].flatMap(({ queries }) => queries)),
      namedSubscribed: inOrder([...all].flatMap(({ namedSubscribed }) => namedSubscribed)),
    }
  }

  /** Of many queries, what the archetype of one entity does not rule out. */
  near(state: WorldState, bundle: Bundle, other: Bundle | undefined, entity: number): ConcernedQueries {
    const { byOther, queries, namedSubscribed } = this
    if (queries.length + namedSubscribed.length < FEW_QUERIES) return this
    if (this.generation !== state.generation) byOther.clear()
    this.generation = state.generation
    const archetype = archetypeOf(state.heap, entity)
    const known = byOther.get(other) ?? new Map<number, ConcernedQueries>()
    byOther.set(other, known)
    let found = known.get(archetype)
    if (found === undefined) {
      const may = (query: QueryWatch) => query.mayMatchNear(archetype, bundle, other)
      found = {
        queries: queries.filter(may),
        namedSubscribed: namedSubscribed.filter(({ watch }) => may(watch)),
      }
      known.set(archetype, found)
    }
    return found
  }

  readonly concerns: boolean
  /** Whether a listener or a subscriber asks for spawns with the bundle; the same for entities that get or lose it. */
  readonly hearsSpawn: boolean
  readonly hearsNamed: boolean
}
