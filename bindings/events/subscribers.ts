// Owns the subscribers of queries and of resources: they are called when the result, or the resource, has changed, once after
// the outermost change, however many entities it was about.
// It must never note a query that a change does not concern.
//
// The code that makes a change notes it directly before, and calls WorldState.settle when it is made:
//   spawning(…) | copying(…), and once they are there made()
//   naming(…) | exchanging(…) | switching(…) | dying(…) | dyingMany(…) | everything()
// Between a note and its change no loop may be opened: its end would settle.

import type { Definition } from '../components/definition'
import type { ResourceDeclaration } from '../components/resource'
import type { Bundle } from '../rows/bundle'
import { archetypeOf, firstPooled, nextPooled } from '../rows/belongings'
import { type Notes, SEVERAL } from '../rows/reporting'
import { SUBSCRIBERS } from '../rows/session'
import type { Observers } from './observers'
import { QueryIndex, concerning, inOrder } from './queryIndex'
import { type Listener, type Subscribable, SubscribedQuery, type Subscription } from './subscribedQuery'

const NOTHING: readonly SubscribedQuery[] = []

export class Subscribers implements Notes {
  /** By the source, which all looks at a query share. */
  private readonly queries = new Map<object, SubscribedQuery>()
  readonly index = new QueryIndex<SubscribedQuery>()
  /** Those that ask for links: the death of a target concerns them all. */
  private readonly related = new Set<SubscribedQuery>()
  private subscribed = 0
  private readonly resources = new Map<ResourceDeclaration, Set<Subscription>>()
  /** Resources with subscribers that were given values, or removed. */
  private readonly written = new Set<ResourceDeclaration>()
  /** How many changes are open that consist of several: see WorldState.together. */
  held = 0
  private noted = false
  /** Those that were noted: no other is asked whether its result has changed. */
  private readonly touched: SubscribedQuery[] = []
  /** Those that entities enter as soon as they are made. */
  private entering: readonly SubscribedQuery[] = NOTHING

  constructor(private readonly observers: Observers) {}

  /**
   * Subscribes to the result of a query; returns the unsubscription.
   *
   * @throws StrataTypeError INVALID_QUERY
   */
  subscribe(query: Subscribable, listener: Listener): () => void {
    const key = query.related ?? query.source
    const known = this.queries.get(key)
    const subscribed = known ?? new SubscribedQuery(query, this.subscribed++)
    const subscription = { listener, since: this.observers.emission }
    subscribed.subscriptions.add(subscription)
    if (known === undefined) {
      this.queries.set(key, subscribed)
      this.index.add(subscribed)
      if (subscribed.isRelated) this.related.add(subscribed)
      this.changed()
    }
    return () => {
      const { subscriptions } = subscribed
      if (!subscriptions.delete(subscription) || subscriptions.size > 0) return
      if (!this.queries.delete(key)) return
      this.index.delete(subscribed)
      this.related.delete(subscribed)
      this.changed()
    }
  }

  /** Subscribes to what a resource is given; returns the unsubscription. */
  subscribeToResource(resource: ResourceDeclaration, listener: Listener): () => void {
    const subscriptions = this.resources.get(resource) ?? new Set()
    const subscription = { listener, since: this.observers.emission }
    this.resources.set(resource, subscriptions.add(subscription))
    return () => {
      if (!subscriptions.delete(subscription) || subscriptions.size > 0) return
      this.resources.delete(resource)
    }
  }

  /** The world is gone: no subscriber is called any more. */
  forget(): void {
    for (const { subscriptions } of this.index) subscriptions.clear()
    for (const subscriptions of this.resources.values()) subscriptions.clear()
    this.queries.clear()
    this.resources.clear()
  }

  private changed(): void {
    const { state } = this.observers
    if (this.queries.size > 0) state.watching |= SUBSCRIBERS
    else state.watching &= ~SUBSCRIBERS
    this.observers.forgetBundles()
  }

  // ── what will happen ───────────────────────────────────────────────────────────────────────────────────

  /** Entities will be made with the components of a bundle. */
  spawning(bundle: Bundle): void {
    this.noteEntrance(
      this.queries.size === 0 ? NOTHING : this.observers.watchOfBundle(bundle).enteredSubscribed,
    )
  }

  private noteEntrance(queries: readonly SubscribedQuery[]): void {
    this.entering = queries
    if (this.related.size > 0 && queries.length > 0) this.noteEach(queries, (query) => query.noteEntrance())
  }

  /** The entities that were to be made are there. */
  made(): void {
    const { entering } = this
    if (entering.length === 0) return
    this.entering = NOTHING
    this.noteEach(entering, (query) => query.noteCertain())
  }

  /** An entity, or SEVERAL, all of a list if that is known, will get or lose the components of a bundle. */
  naming(bundle: Bundle, entity: number, all?: ArrayLike<number>): void {
    if (this.queries.size > 0) this.note(this.namedBy(bundle, entity, all), entity)
  }

  /** Those that a component of the bundle decides about, as far as they matter to the entities. */
  private namedBy(bundle: Bundle, entity: number, all?: ArrayLike<number>): readonly SubscribedQuery[] {
    const { state } = this.observers
    const { namedSubscribed: named } = this.observers.watchOfBundle(bundle)
    if (named.byKey.size === 0) return named.always
    if (entity === SEVERAL && all === undefined) return this.index.namingAny(bundle.definitions)
    return concerning(state, named, all ?? state.around.one(entity))
  }

  /** An entity will lose the components of one bundle and get those of another. */
  exchanging(losses: Bundle, gains: Bundle, entity: number): void {
    this.naming(losses, entity)
    this.naming(gains, entity)
    // Queries that name none of them match as before.
    if (this.queries.size > 0 && gains.keepsInsertionOrder)
      this.noteEach(inOrder([this.namedBy(losses, entity), this.namedBy(gains, entity)]), (query) =>
        query.noteRestart(entity, gains, losses),
      )
  }

  /** A component of an entity, or of SEVERAL, will be switched on or off. */
  switching(definition: Definition, entity: number): void {
    this.naming(this.observers.state.bundles.with(definition, 'enable'), entity)
  }

  /** Copies of an entity will be made. */
  copying(source: number): void {
    if (this.queries.size === 0) return
    const { state } = this.observers
    // Copies of one that has no row yet are entities without components.
    if (!state.hasRow(source)) return this.spawning(state.bundles)
    const objects = state.upkeep?.keptOf(source).filter((one) => one.objects !== undefined) ?? []
    const matching = new Set<SubscribedQuery>()
    for (const query of this.possible(source)) if (query.watch.matches(source)) matching.add(query)
    if (objects.length > 0) {
      // Copies need not get the objects of their source.
      const named = this.index.namingAny(objects.map(({ definition }) => definition))
      this.note(named, SEVERAL)
      for (const query of named) matching.delete(query)
    }
    this.noteEntrance([...matching])
  }

  /** An entity will be destroyed. */
  dying(entity: number): void {
    if (this.queries.size === 0) return
    this.noteDeath(entity)
    if (this.related.size > 0) this.noteTarget(entity)
  }

  /** An entity will be destroyed that may be a target: what that does to other entities, all queries that ask for links note. */
  private noteTarget(entity: number): boolean {
    const isTarget = this.observers.state.relations?.isTarget(entity) === true
    if (isTarget) this.note([...this.related], SEVERAL)
    return isTarget
  }

  /** Those of a list that are alive will be destroyed. */
  dyingMany(entities: ArrayLike<unknown>): void {
    if (this.queries.size === 0) return
    const { state } = this.observers
    let isDone = this.related.size === 0
    for (let i = 0; i < entities.length; i++) {
      const entity = entities[i] as number
      if (!state.isAlive(entity)) continue
      this.noteDeath(entity)
      isDone ||= this.noteTarget(entity)
    }
  }

  private noteDeath(entity: number): void {
    const { surroundings, state } = this.observers
    const { heap } = state
    const archetype = archetypeOf(heap, entity)
    if (archetype < 0) return
    const { subscribed } = surroundings.ofArchetype(archetype)
    if (subscribed.length > 0) this.noteEach(subscribed, (query) => query.noteDeath(entity))
    for (let id = firstPooled(heap, entity); id >= 0; id = nextPooled(heap, id, entity)) {
      const { subscribed } = surroundings.ofPool(id)
      if (subscribed.length > 0) this.noteEach(subscribed, (query) => query.noteDeath(entity))
    }
  }

  /** Those that an entity with a row may match, some of them twice. */
  private possible(entity: number): SubscribedQuery[] {
    const { surroundings, state } = this.observers
    const { heap } = state
    const found = [...surroundings.ofArchetype(archetypeOf(heap, entity)).subscribed]
    for (let id = firstPooled(heap, entity); id >= 0; id = nextPooled(heap, id, entity))
      found.push(...surroundings.ofPool(id).subscribed)
    return found
  }

  /** All entities will be destroyed. */
  dyingAll(): void {
    this.noteEach(this.index, (query) => query.noteDeaths())
  }

  /** Anything may change. */
  everything(): void {
    this.noteEach(this.index, (query) => query.note(SEVERAL))
  }

  /** The world will start over. */
  ending(): void {
    this.noteEach(this.index, (query) => query.noteEnd())
    this.allWritten()
  }

  /** Memory went back to another time. */
  restored(): void {
    this.noteEach(this.index, (query) => query.noteRestore())
    this.allWritten()
  }

  /** A resource was given values, or removed. Whoever says so settles, if this is true. */
  wrote(resource: ResourceDeclaration): boolean {
    if (!this.resources.has(resource)) return false
    this.written.add(resource)
    this.hasNotes()
    return true
  }

  private allWritten(): void {
    for (const resource of this.resources.keys()) this.written.add(resource)
    if (this.written.size > 0) this.hasNotes()
  }

  private note(queries: readonly SubscribedQuery[], entity: number): void {
    if (queries.length > 0) this.noteEach(queries, (query) => query.note(entity))
  }

  private hasNotes(): void {
    this.noted = true
    this.observers.state.owed = true
  }

  /** A query with targets walks its result to remember it. The end of that walk must not take earlier notes for a change. */
  private noteEach(queries: Iterable<SubscribedQuery>, note: (query: SubscribedQuery) => void): void {
    const { touched } = this
    this.held++
    try {
      for (const query of queries) {
        note(query)
        if (query.isNoted) continue
        query.isNoted = true
        touched.push(query)
      }
    } finally {
      this.held--
      if (this.noted || touched.length > 0) this.hasNotes()
    }
  }

  // ── telling ────────────────────────────────────────────────────────────────────────────────────────────

  /** Whether something was noted, and may be told. */
  get pending(): boolean {
    return this.noted && this.held === 0
  }

  /**
   * Calls those whose result has changed; returns false if there are none. The world is locked meanwhile: what they change
   * waits, and its subscribers are called afterwards.
   */
  tell(): boolean {
    if (!this.pending) return false
    const changed: Iterable<Subscription>[] = []
    for (const query of this.takeTouched()) if (query.takeChange()) changed.push(query.subscriptions)
    for (const resource of this.written) changed.push(this.resources.get(resource) ?? [])
    this.written.clear()
    if (changed.length === 0) return false
    const { observers } = this
    observers.begin()
    for (const subscriptions of changed) observers.calls.tellAll(subscriptions)
    observers.end()
    observers.state.settle()
    return true
  }

  /** Drops the notes, because listeners keep triggering each other. */
  drop(): void {
    for (const query of this.takeTouched()) query.takeChange()
    this.written.clear()
  }

  /** Those that were noted, in their order. */
  private takeTouched(): readonly SubscribedQuery[] {
    const { touched } = this
    this.noted = false
    if (touched.length === 0) return NOTHING
    const taken = touched.splice(0)
    return taken.length > 1 ? taken.sort((a, b) => a.order - b.order) : taken
  }
}
