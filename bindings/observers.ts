// Owns the listeners of one world, by component and by query, the lists of removals, and what a bundle concerns.
// It must never change the world; what is told, and when, is in report.ts.
//
// For whoever makes a change: while `state.watching` is 0 nobody is concerned by anything. Otherwise see report.ts.

import type { BundleNode } from './bundle'
import { type Definition, Held, valuesIn } from './component'
import type { Entity } from './entity'
import { StrataError } from './errors'
import type { ObjectStore } from './objects'
import { QueryWatch } from './queryWatch'
import type { Registration } from './registration'
import { type GivenList, Report } from './report'
import type { ParsedTerm } from './terms'
import {
  BundleWatch,
  type ComponentEvent,
  ComponentWatch,
  type Handler,
  Subscription,
  type Subscriptions,
} from './watches'
import type { World } from './world'
import type { WorldState } from './worldState'

export class Observers {
  readonly report: Report
  /** Whether a handler is running: changes of any kind wait until the report is over. */
  emitting = false
  /** Number of the report that is, or was last, made. */
  emission = 0
  /** Grows whenever other components or queries are watched: what was derived must be derived again. */
  private version = 1
  /** By the serial of the declaration. */
  private readonly components: (ComponentWatch | undefined)[] = []
  private readonly queries = new Map<object, QueryWatch>()
  private byId: ComponentWatch[] | undefined
  private byQuery: QueryWatch[] | undefined
  /** Sets that a handler made: the write is done, the report waits. */
  private readonly setEntities: number[] = []
  private readonly setWatches: ComponentWatch[] = []

  constructor(
    readonly state: WorldState,
    readonly world: World,
  ) {
    this.report = new Report(this)
  }

  // ── who listens ────────────────────────────────────────────────────────────────────────────────────────

  /** Subscribes to one kind of event of a component; returns the unsubscription. */
  listen(definition: Definition, event: ComponentEvent, handler: Handler): () => void {
    const watch = this.watchOf(definition)
    const subscription = new Subscription(handler, this.emission)
    watch[event] = [...watch[event], subscription]
    this.changed()
    return () => {
      if (!subscription.active) return
      subscription.active = false
      watch[event] = watch[event].filter((other) => other !== subscription)
      this.changed()
    }
  }

  /** Subscribes to entities that begin or end to match a query. `key` is one object for each query. */
  listenToQuery(
    key: object,
    terms: readonly ParsedTerm[],
    event: 'enter' | 'exit',
    handler: Handler,
  ): () => void {
    let watch = this.queries.get(key)
    if (watch === undefined) {
      watch = new QueryWatch(this.state, terms)
      this.queries.set(key, watch)
    }
    const watched = watch
    const subscription = new Subscription(handler, this.emission)
    watched[event] = [...watched[event], subscription]
    this.changed()
    return () => {
      if (!subscription.active) return
      subscription.active = false
      watched[event] = watched[event].filter((other) => other !== subscription)
      if (watched.idle && this.queries.get(key) === watched) this.queries.delete(key)
      this.changed()
    }
  }

  /** The list of removals of a component, kept from the first call on. */
  removalsOf(definition: Definition): readonly Entity[] {
    const watch = this.watchOf(definition)
    if (watch.removals === undefined) {
      watch.removals = []
      this.changed()
    }
    return watch.removals
  }

  /** Empties all lists of removals: the frame is over. */
  forgetRemovals(): void {
    for (const watch of this.components) {
      if (watch?.removals !== undefined) watch.removals.length = 0
    }
  }

  /** A component of this world was registered. */
  registered(registration: Registration): void {
    const { definition } = registration
    const watch =
      registration.objects === undefined ? this.components[definition.serial] : this.watchOf(definition)
    if (watch === undefined) return
    watch.registration = registration
    this.changed()
  }

  /** All registrations are gone. Subscriptions stay. */
  restart(): void {
    for (const watch of this.components) {
      if (watch !== undefined) watch.registration = undefined
    }
    this.forgetRemovals()
    this.changed()
  }

  /** What somebody listens to, by name; empty while nobody does. Object components alone do not count. */
  get heard(): readonly string[] {
    const components = this.components.filter((watch) => watch !== undefined && watch.isHeard)
    const names = components.map((watch) => (watch as ComponentWatch).definition.componentName)
    return this.queries.size === 0 ? names : [...names, 'a watched query']
  }

  private watchOf(definition: Definition): ComponentWatch {
    const known = this.components[definition.serial]
    if (known !== undefined) return known
    const watch = new ComponentWatch(definition, this.state.known(definition))
    while (this.components.length <= definition.serial) this.components.push(undefined)
    this.components[definition.serial] = watch
    return watch
  }

  private changed(): void {
    this.version++
    this.byId = undefined
    this.byQuery = undefined
    const watched = this.components.some((watch) => watch !== undefined && !watch.idle)
    this.state.watching = watched || this.queries.size > 0 ? 1 : 0
  }

  // ── who is concerned ───────────────────────────────────────────────────────────────────────────────────

  /** Who is concerned by a bundle; remembered in the bundle until others listen. */
  watchOfBundle(bundle: BundleNode): BundleWatch {
    const known = bundle.watch
    return known !== undefined && known.version === this.version ? known : this.findWatch(bundle)
  }

  private findWatch(bundle: BundleNode): BundleWatch {
    const { definitions } = bundle
    const queries = this.watchedQueries
    const watch = new BundleWatch(
      this.version,
      definitions.map((definition) => this.watched(definition)),
      queries.filter((query) => definitions.some((definition) => query.names(definition))),
      queries.filter((query) => query.matchesNew(bundle)),
    )
    bundle.watch = watch
    return watch
  }

  /** The watch of a component, if anybody is concerned. */
  watched(definition: Definition): ComponentWatch | undefined {
    const watch = this.components[definition.serial]
    return watch === undefined || watch.idle ? undefined : watch
  }

  /** Watched components that the world has met, in the order in which they were registered. */
  get watchedComponents(): readonly ComponentWatch[] {
    this.byId ??= this.components
      .filter((watch) => watch !== undefined && !watch.idle && watch.registration !== undefined)
      .map((watch) => watch as ComponentWatch)
      .sort((a, b) => (a.registration as Registration).id - (b.registration as Registration).id)
    return this.byId
  }

  /** Watched queries in the order in which they were first subscribed to. */
  get watchedQueries(): readonly QueryWatch[] {
    this.byQuery ??= [...this.queries.values()]
    return this.byQuery
  }

  // ── calling them ───────────────────────────────────────────────────────────────────────────────────────

  /** Calls everyone who listened before this emission began. Errors are kept for the end. */
  tell(subscriptions: Subscriptions, entity: number): void {
    for (let i = 0; i < subscriptions.length; i++) {
      const subscription = subscriptions[i] as Subscription
      if (!subscription.active || subscription.since >= this.emission) continue
      try {
        subscription.handler(entity as Entity, this.world)
      } catch (error) {
        this.state.fail(error)
      }
    }
  }

  /** Reports values given to a component that was there. Inside a handler the report waits for its end. */
  reportSet(definition: Definition, entity: number): void {
    const watch = this.components[definition.serial]
    if (watch === undefined || watch.set.length === 0) return
    if (this.emitting) {
      this.setEntities.push(entity)
      this.setWatches.push(watch)
    } else {
      this.begin()
      this.tell(watch.set, entity)
      this.end()
      this.state.settle()
    }
  }

  /** From here to end() handlers are called: the world is locked. */
  begin(): void {
    this.state.lock()
    this.emitting = true
    this.emission++
  }

  /** Unlocks the world. What handlers queued waits for WorldState.settle. */
  end(): void {
    this.emitting = false
    this.state.locks--
  }

  /** Whether sets wait to be reported. */
  get pending(): boolean {
    return this.setEntities.length > 0
  }

  forgetPending(): void {
    this.setEntities.length = 0
    this.setWatches.length = 0
  }

  /** Reports the sets that handlers made; those may make more. */
  reportPending(): void {
    const entities = this.setEntities.splice(0)
    const watches = this.setWatches.splice(0)
    for (let i = 0; i < entities.length; i++) {
      const entity = entities[i] as number
      const watch = watches[i] as ComponentWatch
      if (!this.state.isAlive(entity) || !watch.isOn(entity)) continue
      this.begin()
      this.tell(watch.set, entity)
      this.end()
    }
  }

  /** Calls one handler at once for entities that are there already. */
  tellExisting(handler: Handler, entities: ArrayLike<number>): void {
    const { state } = this
    state.lock()
    const nested = this.emitting
    this.emitting = true
    try {
      for (let i = 0; i < entities.length; i++) handler(entities[i] as Entity, this.world)
    } finally {
      this.emitting = nested
      state.unlock()
    }
  }

  /** Replaces the value of an object component that the entity has. At once, like any set of what is there. */
  replaceObject(definition: Definition, store: ObjectStore, entity: number, held: Held): void {
    const old = store.put(entity, held)
    if (old !== held.value) {
      const nested = this.emitting
      this.state.lock()
      this.emitting = true
      this.disposeOf(store, entity, old)
      this.initialise(store, entity, held.value)
      this.emitting = nested
      this.state.locks--
    }
    this.reportSet(definition, entity)
    if (!this.emitting) this.state.settle()
  }

  disposeOf(store: ObjectStore, entity: number, value: unknown): void {
    try {
      store.options.dispose?.(value, entity as Entity)
    } catch (error) {
      this.state.fail(error)
    }
  }

  /** Disposes of the values whose entities died without a report: inside wasm. */
  endObjectsOfDead(): void {
    for (const { registration } of this.watchedComponents) {
      const store = registration?.objects
      const dead = store?.ownersThat((entity) => !this.state.isAlive(entity)) ?? []
      if (store === undefined || dead.length === 0) continue
      this.begin()
      for (const entity of dead) this.disposeOf(store, entity, store.take(entity))
      this.end()
    }
  }

  initialise(store: ObjectStore, entity: number, value: unknown): void {
    try {
      store.options.init?.(value, entity as Entity, this.world)
    } catch (error) {
      this.state.fail(error)
    }
  }

  /** Gives a copy of an entity a value of its own. False when it gets none. */
  cloneObject(store: ObjectStore, source: number, copy: number): boolean {
    const { state } = this
    const nested = this.emitting
    state.lock()
    this.emitting = true
    try {
      store.cloneTo(source, copy)
    } catch (error) {
      state.fail(error)
    }
    this.emitting = nested
    state.locks--
    return store.get(copy) !== undefined
  }

  /** Disposes of values that found their entity dead when they came. */
  abandon(entity: number, bundle: BundleNode, given: GivenList): void {
    if (given === undefined || !bundle.holdsObjects) return
    const nested = this.emitting
    this.state.lock()
    this.emitting = true
    bundle.definitions.forEach((definition, i) => {
      const held = valuesIn(given[i])
      if (!(held instanceof Held)) return
      const store = this.state.register(definition).objects as ObjectStore
      this.disposeOf(store, entity, held.value)
    })
    this.emitting = nested
    this.state.locks--
  }
}

/** The error for handlers that go on causing each other's events. */
export function endlessEvents(rounds: number): StrataError {
  return new StrataError(
    'ENDLESS_EVENTS',
    `Handlers went on queueing changes for ${rounds} rounds: one of them causes its own event. What was still queued is dropped.`,
  )
}
