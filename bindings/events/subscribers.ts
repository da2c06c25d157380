// Owns the subscribers of queries and of resources: they are called when the result, or the resource, has changed, once after
// the outermost change, however many entities it was about.
// It must never look at all entities of a query: versions and counts of rows tell, only of queries that a change concerns.
// Where one entity alone has changed it is asked whether it matches, before and after.
//
// The code that makes a change notes it directly before, and calls WorldState.settle when it is made:
//   spawning(…) | naming(…) | exchanging(…) | switching(…) | copying(…) | dying(…) | everything()
// Between a note and its change no loop may be opened: its end would settle.

import type { Definition } from '../components/definition'
import type { ResourceDeclaration } from '../components/resource'
import type { ParsedTerm } from '../components/terms'
import type { Related } from '../matching/filters'
import type { Plan } from '../matching/plan'
import type { Bundle } from '../rows/bundle'
import { type Notes, SEVERAL } from '../rows/reporting'
import { SUBSCRIBERS } from '../rows/session'
import type { WorldState } from '../rows/worldState'
import type { Observers } from './observers'
import { QueryWatch, watchable } from './queryWatch'

/** Called without arguments: what has changed can be read. */
export type Listener = () => void

interface Subscription {
  readonly listener: Listener
  /** The emission during which it was made: only later ones call it. */
  readonly since: number
}

/** No version, and no count: what was before is not known. */
const UNKNOWN = -1

/** A query, as far as its subscribers need it. */
interface Subscribable {
  readonly isEmpty: boolean
  /** What is asked of links in addition to the terms: no version tells whether that is another result. */
  readonly related: Related | undefined
  /** One object for all looks at the query. */
  readonly source: {
    readonly state: WorldState
    readonly terms: readonly ParsedTerm[]
    plan(): Plan
  }
}

/** A query with subscriptions. */
export class SubscribedQuery {
  /** In their order; one that is ended while they are called is passed over. */
  readonly subscriptions = new Set<Subscription>()
  readonly watch: QueryWatch
  /** What it was before the first change that concerns it; undefined when none did. */
  private version: number | undefined
  /** How many entities matched before the first one died; undefined when none did, or when counting is costly. */
  private count: number | undefined
  /** The one entity that all changes were about, and whether it matched before; undefined while there was none. */
  private entity: number | undefined
  private matched = false
  private readonly state: WorldState

  constructor(private readonly query: Subscribable) {
    const { state, terms } = query.source
    this.state = state
    this.watch = new QueryWatch(state, watchable(terms, 'query.subscribe'), query.related)
  }

  /** A change of an entity, or of SEVERAL, will be made that may decide about a match. */
  note(entity: number): void {
    if (this.query.related !== undefined) return this.query.related.remember()
    this.version ??= this.ask((plan) => plan.membersVersion())
    this.noteEntity(entity)
  }

  /** An entity will lose components and get them again. Where one is an ordered tag, the entity is the last one then. */
  noteRestart(entity: number, gains: Bundle, losses: Bundle): void {
    const { watch } = this
    if (gains.keepsInsertionOrder && watch.matches(entity) && watch.restarts(entity, gains, losses))
      this.note(SEVERAL)
  }

  /** An entity, or SEVERAL, will be destroyed. */
  noteDeath(entity: number): void {
    if (this.query.related !== undefined) return this.query.related.remember()
    // What comes in place of the dead is noted by itself. So the count tells, whatever other components come and go.
    this.count ??= this.ask((plan) => plan.wholeCount())
    if (this.count === undefined) this.version ??= this.ask((plan) => plan.membersVersion())
    this.noteEntity(entity)
  }

  private noteEntity(entity: number): void {
    if (this.entity === undefined) {
      this.entity = entity
      this.matched = this.matchesNow()
    } else if (this.entity !== entity) this.entity = SEVERAL
  }

  private matchesNow(): boolean {
    const entity = this.entity as number
    return entity !== SEVERAL && this.state.isAlive(entity) && this.watch.matches(entity)
  }

  /** The world starts over: without entities the result is empty. */
  noteEnd(): void {
    if (this.query.isEmpty) return
    this.version = UNKNOWN
    this.entity = SEVERAL
  }

  /** Memory went back to another time: what matched before is not known. */
  noteRestore(): void {
    this.version = UNKNOWN
    this.entity = SEVERAL
  }

  /** Whether the result is another one than before the first note. All notes are forgotten. */
  takeChange(): boolean {
    const { version, count, entity } = this
    const one = entity !== undefined && entity !== SEVERAL
    const differs = one && this.matchesNow() !== this.matched
    this.version = this.count = this.entity = undefined
    if (one) return differs
    const { related } = this.query
    const relates = related?.takeChange()
    if (version === UNKNOWN || count === UNKNOWN) return true
    if (relates !== undefined) return relates
    if (version !== undefined && version !== this.ask((plan) => plan.membersVersion())) return true
    return count !== undefined && count !== this.ask((plan) => plan.wholeCount())
  }

  private ask<R>(question: (plan: Plan) => R): R | typeof UNKNOWN {
    try {
      return question(this.query.source.plan())
    } catch {
      // No memory for the plan. Then whatever happens counts as a change.
      return UNKNOWN
    }
  }
}

export class Subscribers implements Notes {
  /** By the source, which all looks at a query share. */
  private readonly queries = new Map<object, SubscribedQuery>()
  private readonly resources = new Map<ResourceDeclaration, Set<Subscription>>()
  /** Resources with subscribers that were given values, or removed. */
  private readonly written = new Set<ResourceDeclaration>()
  /** How many changes are open that consist of several: see WorldState.together. */
  held = 0
  private noted = false
  /** The entity that is to die, SEVERAL when there are more. */
  private dead: number | undefined

  constructor(private readonly observers: Observers) {}

  /**
   * Subscribes to the result of a query; returns the unsubscription.
   *
   * @throws StrataTypeError INVALID_QUERY
   */
  subscribe(query: Subscribable, listener: Listener): () => void {
    const key = query.related ?? query.source
    const known = this.queries.get(key)
    const subscribed = known ?? new SubscribedQuery(query)
    const subscription = { listener, since: this.observers.emission }
    subscribed.subscriptions.add(subscription)
    if (known === undefined) {
      this.queries.set(key, subscribed)
      this.changed()
    }
    return () => {
      const { subscriptions } = subscribed
      if (!subscriptions.delete(subscription) || subscriptions.size > 0) return
      this.queries.delete(key)
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
    for (const { subscriptions } of this.queries.values()) subscriptions.clear()
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

  /** Those that an entity enters when it is made with the components of a bundle. */
  enteredBy(bundle: Bundle): readonly SubscribedQuery[] {
    return this.those((watch) => watch.matchesNew(bundle))
  }

  /** Those that a component of the bundle decides about. */
  namedBy(bundle: Bundle): readonly SubscribedQuery[] {
    return this.those((watch) => bundle.definitions.some((definition) => watch.names(definition)))
  }

  private those(concerned: (watch: QueryWatch) => boolean): readonly SubscribedQuery[] {
    return [...this.queries.values()].filter(({ watch }) => concerned(watch))
  }

  /** Entities will be made with the components of a bundle. */
  spawning(bundle: Bundle): void {
    if (this.queries.size > 0) this.note(this.observers.watchOfBundle(bundle).enteredSubscribed, SEVERAL)
  }

  /** An entity, or SEVERAL, will get or lose the components of a bundle. */
  naming(bundle: Bundle, entity: number): void {
    if (this.queries.size > 0) this.note(this.observers.watchOfBundle(bundle).namedSubscribed, entity)
  }

  /** An entity will lose the components of one bundle and get those of another. */
  exchanging(losses: Bundle, gains: Bundle, entity: number): void {
    this.naming(losses, entity)
    this.naming(gains, entity)
    this.noteEach(this.queries.values(), (query) => query.noteRestart(entity, gains, losses))
  }

  /** A component of an entity, or of SEVERAL, will be switched on or off. */
  switching(definition: Definition, entity: number): void {
    if (this.queries.size > 0)
      this.note(
        this.those((watch) => watch.names(definition)),
        entity,
      )
  }

  /** Copies of an entity will be made. */
  copying(source: number): void {
    if (this.queries.size === 0) return
    const { state } = this.observers
    // Copies need not get the objects of their source, and one that has no row yet is in no query.
    const differ = state.upkeep?.all.some((one) => one.objects !== undefined && one.isOn(source)) === true
    this.note(
      this.those((watch) => differ || !state.hasRow(source) || watch.matches(source)),
      SEVERAL,
    )
  }

  /** An entity, or SEVERAL, will be destroyed. */
  dying(entity: number): void {
    if (this.dead === SEVERAL || this.queries.size === 0) return
    // From the second one on nothing more can be learnt.
    this.dead = this.dead === undefined ? entity : SEVERAL
    const { dead } = this
    this.noteEach(this.queries.values(), (query) => query.noteDeath(dead))
    this.hasNotes()
  }

  /** Anything may change. */
  everything(): void {
    if (this.queries.size > 0) this.note([...this.queries.values()], SEVERAL)
  }

  /** The world will start over. */
  ending(): void {
    for (const query of this.queries.values()) query.noteEnd()
    this.allWritten()
    if (this.queries.size + this.written.size > 0) this.hasNotes()
  }

  /** Memory went back to another time. */
  restored(): void {
    for (const query of this.queries.values()) query.noteRestore()
    this.allWritten()
    if (this.queries.size + this.written.size > 0) this.hasNotes()
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
  }

  private note(queries: readonly SubscribedQuery[], entity: number): void {
    if (queries.length === 0) return
    this.noteEach(queries, (query) => query.note(entity))
    this.hasNotes()
  }

  private hasNotes(): void {
    this.noted = true
    this.observers.state.owed = true
  }

  /** A query with targets walks its result to remember it. The end of that walk must not take earlier notes for a change. */
  private noteEach(queries: Iterable<SubscribedQuery>, note: (query: SubscribedQuery) => void): void {
    this.held++
    try {
      for (const query of queries) note(query)
    } finally {
      this.held--
      this.observers.state.owed = true
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
    this.noted = false
    this.dead = undefined
    const changed: Iterable<Subscription>[] = []
    for (const query of this.queries.values()) if (query.takeChange()) changed.push(query.subscriptions)
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
    for (const query of this.queries.values()) query.takeChange()
    this.written.clear()
    this.noted = false
  }
}
