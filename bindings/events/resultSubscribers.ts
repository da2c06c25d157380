// Owns the subscribers of queries and of resources: they are called when the result, or the resource, has changed, once after the
// outermost change, however many entities it concerned.
//
// The code that makes a change notes it directly before, and calls WorldState.settle when it is made:
//   spawning(…) | copying(…), and once they are there made()
//   leave(…) | naming(…) | switching(…) | dying(…) | dyingMany(…) | everything()
// Between a note and its change no loop may be opened: its end would settle.

import type { Definition } from '../components/definition'
import type { ResourceDeclaration } from '../components/resourceDeclaration'
import type { Bundle } from '../state/bundle'
import { type ChangeParts, type Notes, SEVERAL } from '../state/changeObserver'
import { SUBSCRIBERS } from '../state/session'
import type { Observers } from './observers'
import { type Listener, type Subscribable, SubscribedQuery, type ResultSubscription } from './subscribedQuery'
import { inOrder } from './watches'

const NOTHING: readonly SubscribedQuery[] = []

export class Subscribers implements Notes {
  /** By the source, which all looks at a query share. */
  private readonly queries = new Map<object, SubscribedQuery>()
  /** All of them, in the order of their first subscriptions. */
  all: readonly SubscribedQuery[] = NOTHING
  /** Those that ask for links: the death of a target concerns them all. */
  private related: readonly SubscribedQuery[] = NOTHING
  private subscribed = 0
  private readonly resources = new Map<ResourceDeclaration, Set<ResultSubscription>>()
  /** Resources with subscribers that were given values, or removed. */
  private readonly written = new Set<ResourceDeclaration>()
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
      this.changed()
    }
    return () => {
      const { subscriptions } = subscribed
      if (!subscriptions.delete(subscription) || subscriptions.size > 0) return
      if (!this.queries.delete(key)) return
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
    for (const { subscriptions } of this.all) subscriptions.clear()
    for (const subscriptions of this.resources.values()) subscriptions.clear()
    this.queries.clear()
    this.resources.clear()
  }

  private changed(): void {
    const { state } = this.observers
    this.all = [...this.queries.values()]
    this.related = this.all.filter(({ isRelated }) => isRelated)
    if (this.queries.size > 0) state.watching |= SUBSCRIBERS
    else state.watching &= ~SUBSCRIBERS
    this.observers.forgetBundles()
  }

  // ── what will happen ───────────────────────────────────────────────────────────────────────────────────

  /** Entities will be made with the components of a bundle. */
  spawning(bundle: Bundle): void {
    this.entering = this.all.length === 0 ? NOTHING : this.observers.watchOfBundle(bundle).enteredSubscribed
    this.remember(this.entering)
  }

  /** Those that ask for links remember their result. The others need not: what comes is asked when it is there. */
  private remember(queries: readonly SubscribedQuery[]): void {
    if (this.related.length > 0)
      this.note(
        queries.filter(({ isRelated }) => isRelated),
        SEVERAL,
      )
  }

  /** The entities that were to be made with the components of a bundle are there. */
  made(): void {
    this.noteEach(this.entering, (query) => query.noteCertain())
    this.entering = NOTHING
  }

  /** Entities will get or lose the components of a bundle; undefined where it is not known which ones. */
  naming(bundle: Bundle, entities: ArrayLike<number> | undefined, other?: Bundle): void {
    const { observers } = this
    // What is being made in steps is asked when it is there: see copied.
    if (this.all.length === 0 || observers.state.completing) return
    const { namedSubscribed } =
      entities === undefined ? observers.watchOfBundle(bundle) : observers.named(bundle, other, entities)
    this.note(namedSubscribed, entities?.length === 1 ? (entities[0] as number) : SEVERAL)
  }

  private namedBy(bundle: Bundle): readonly SubscribedQuery[] {
    return this.observers.watchOfBundle(bundle).namedSubscribed
  }

  /** A change is about to be made. */
  leave({ entities, gains, losses }: ChangeParts): void {
    if (gains !== undefined && losses !== undefined) this.exchanging(losses, gains, entities[0] as number)
    else this.naming((gains ?? losses) as Bundle, entities)
  }

  /** An entity will lose the components of one bundle and get those of another. */
  private exchanging(losses: Bundle, gains: Bundle, entity: number): void {
    this.naming(losses, [entity], gains)
    this.naming(gains, [entity], losses)
    // Queries that name none of them match as before.
    if (this.all.length > 0 && gains.keepsInsertionOrder)
      this.noteEach(inOrder([...this.namedBy(losses), ...this.namedBy(gains)]), (query) =>
        query.noteRestart(entity, gains, losses),
      )
  }

  /** A component of an entity, or of SEVERAL, will be switched on or off. */
  switching(definition: Definition, entity: number): void {
    this.naming(
      this.observers.state.bundles.with(definition, 'enable'),
      entity === SEVERAL ? undefined : [entity],
    )
  }

  /** Copies of an entity will be made, which `differ` where they get more than it has, or less. */
  copying(source: number, differ: boolean): void {
    // Copies need not get the objects of their source.
    this.remember(
      differ || this.observers.state.upkeep?.mayConcern(source) === true
        ? this.related
        : this.observers.around(source).subscribed,
    )
  }

  /** Copies of an entity are there, with all that they get. */
  copied(copies: ArrayLike<number>): void {
    this.ask(copies, (query, copy) => query.noteMatching(copy))
  }

  /** Those of a list that are alive will be destroyed. */
  dying(entities: ArrayLike<number>): void {
    this.ask(entities, (query, entity) => query.noteMatching(entity))
    const { relations } = this.observers.state
    if (this.related.length > 0 && Array.from(entities).some((entity) => relations?.isTarget(entity)))
      this.note(this.related, SEVERAL)
  }

  /** Asks the queries that living entities may match. */
  private ask(entities: ArrayLike<number>, note: (query: SubscribedQuery, entity: number) => void): void {
    const { observers } = this
    for (let i = 0; i < entities.length && this.all.length > 0; i++) {
      const entity = entities[i] as number
      if (observers.state.isAlive(entity))
        this.noteEach(observers.around(entity).subscribed, (query) => note(query, entity))
    }
  }

  /** All entities will be destroyed. */
  dyingAll(): void {
    this.noteEach(this.all, (query) => query.noteEnd())
  }

  /** Anything may change. */
  everything(): void {
    this.noteEach(this.all, (query) => query.note(SEVERAL))
  }

  /** The world will start over. */
  ending(): void {
    this.noteEach(this.all, (query) => query.noteEnd())
    this.allWritten()
  }

  /** Memory went back to another time. */
  restored(): void {
    this.noteEach(this.all, (query) => query.noteRestore())
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

  /**
   * A query with targets walks its result to remember it. The end of that walk must not take earlier notes for a change, nor apply
   * what listeners have queued: the change that they listen to comes first.
   */
  private noteEach(queries: Iterable<SubscribedQuery>, note: (query: SubscribedQuery) => void): void {
    const { touched } = this
    const { state } = this.observers
    state.lock()
    try {
      for (const query of queries) {
        note(query)
        if (query.isNoted) continue
        query.isNoted = true
        touched.push(query)
      }
    } finally {
      // Not unlock: what waits is applied when the change is made.
      state.release()
      if (this.noted || touched.length > 0) this.hasNotes()
    }
  }

  // ── telling ────────────────────────────────────────────────────────────────────────────────────────────

  /** Whether something was noted. */
  get pending(): boolean {
    return this.noted
  }

  /**
   * Calls those whose result has changed; returns false if there are none. The world is locked meanwhile: what they change
   * waits, and its subscribers are called afterwards.
   */
  tell(): boolean {
    if (!this.pending) return false
    const changed: Iterable<ResultSubscription>[] = []
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
    return inOrder(taken)
  }
}
