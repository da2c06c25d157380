// Owns the listeners of one world, by component and by query, and what a bundle concerns.
// Sets are reported from here, and values of objects replaced; every other report is in report.ts. It must never change a row.
//
// Before a change: while `state.watching` is 0 there is nothing to report. Otherwise see report.ts.

import type { Definition } from '../components/definition'
import { Held, valuesIn } from '../components/ingredients'
import type { ParsedTerm } from '../components/terms'
import type { Entity } from '../memory/entity'
import type { Related } from '../matching/filters'
import type { Bundle } from '../rows/bundle'
import { type ObjectStore, disposeValue } from '../rows/objects'
import type { Registration } from '../rows/registration'
import { LISTENERS, SUBSCRIBERS } from '../rows/session'
import type { WorldState } from '../rows/worldState'
import { Calls, type Subscribed } from './calls'
import { QueryWatch } from './queryWatch'
import type { RemovalLog } from './removalReader'
import { Report } from './report'
import { Subscribers } from './subscribers'
import {
  BundleWatch,
  type ComponentEvent,
  ComponentWatch,
  type GivenList,
  type Handler,
  type HandlerWorld,
  Subscription,
} from './watches'

/** Is called after a restore, with what snapshots/restoring.ts says of it. */
type RestoreHandler = (world: HandlerWorld, report: unknown) => void

export class Observers {
  readonly report: Report
  readonly subscribers: Subscribers
  /** Calls the listeners. Only the inspection replaces it, while it measures. */
  calls: Calls
  /** Whether a handler is running: structural changes and the reports of sets wait until this report is over. */
  emitting = false
  /** Number of the report that is, or was last, made. */
  emission = 0
  /** Grows whenever other components or queries are watched: what was derived must be derived again. */
  private version = 1
  /** By the serial of the declaration. */
  private readonly components: (ComponentWatch | undefined)[] = []
  /** Those that a report has to look at: they have listeners or readers of removals, or need upkeep. */
  private readonly concerned = new Set<ComponentWatch>()
  /** Those that have listeners, or readers of removals. */
  private readonly listened = new Set<ComponentWatch>()
  private readonly queries = new Map<object, QueryWatch>()
  private readonly restored = new Set<Subscribed<Parameters<RestoreHandler>>>()
  private byId: ComponentWatch[] | undefined
  private byQuery: QueryWatch[] | undefined
  /** Sets that a handler made: the write is done, the report waits. */
  private readonly setEntities: number[] = []
  private readonly setWatches: ComponentWatch[] = []

  constructor(
    readonly state: WorldState,
    readonly world: HandlerWorld,
  ) {
    this.report = new Report(this)
    this.subscribers = new Subscribers(this)
    this.calls = new Calls(this)
  }

  // ── listeners ──────────────────────────────────────────────────────────────────────────────────────────

  /** Subscribes to one kind of event of a component; returns the unsubscription. */
  listen(definition: Definition, event: ComponentEvent, handler: Handler): () => void {
    const watch = this.watchOf(definition)
    const subscription = new Subscription(handler, this.emission)
    watch[event].add(subscription)
    this.follow(watch)
    return () => {
      if (!subscription.active) return
      watch[event].end(subscription)
      this.follow(watch)
    }
  }

  /** Subscribes to entities that begin or end to match a query. `key` is one object for each query. */
  listenToQuery(
    key: object,
    terms: readonly ParsedTerm[],
    event: 'enter' | 'exit',
    handler: Handler,
    related?: Related,
  ): () => void {
    let watch = this.queries.get(key)
    if (watch === undefined) {
      watch = new QueryWatch(this.state, terms, related)
      this.queries.set(key, watch)
      this.changed()
    }
    const watched = watch
    const subscription = new Subscription(handler, this.emission)
    watched[event].add(subscription)
    return () => {
      if (!subscription.active) return
      watched[event].end(subscription)
      if (!watched.idle || this.queries.get(key) !== watched) return
      this.queries.delete(key)
      this.changed()
    }
  }

  /** Changes where the removals of a component are noted. */
  changeLogs(definition: Definition, change: (logs: readonly RemovalLog[]) => readonly RemovalLog[]): void {
    const watch = this.watchOf(definition)
    watch.logs = change(watch.logs)
    this.follow(watch)
  }

  /** A component of this world was registered. */
  registered(registration: Registration): void {
    const { definition } = registration
    const watch = registration.needsUpkeep ? this.watchOf(definition) : this.components[definition.serial]
    if (watch === undefined) return
    watch.registration = registration
    // What was watched by name alone has an id from now on.
    this.byId = undefined
    this.follow(watch)
  }

  /** All registrations are gone. Subscriptions stay. */
  restart(): void {
    for (const watch of this.components) {
      if (watch === undefined) continue
      watch.registration = undefined
      this.follow(watch)
    }
    this.changed()
  }

  /** The names of what has listeners. Object components alone do not count. */
  get heard(): readonly string[] {
    const components = this.components.filter((watch) => watch !== undefined && watch.isHeard)
    const names = components.map((watch) => (watch as ComponentWatch).definition.componentName)
    return this.queries.size === 0 ? names : [...names, 'a watched query']
  }

  private watchOf(definition: Definition): ComponentWatch {
    const known = this.components[definition.serial]
    if (known !== undefined) return known
    this.state.claim(definition)
    const watch = new ComponentWatch(definition, this.state.known(definition))
    while (this.components.length <= definition.serial) this.components.push(undefined)
    this.components[definition.serial] = watch
    return watch
  }

  /** Notes whether a component is watched, and whether listeners are why. Does nothing while that stays as it was. */
  private follow(watch: ComponentWatch): void {
    const { idle, isHeard } = watch
    if (this.concerned.has(watch) !== idle && this.listened.has(watch) === isHeard) return
    note(this.concerned, watch, !idle)
    note(this.listened, watch, isHeard)
    this.changed()
  }

  /** Other components or queries are watched than before. */
  private changed(): void {
    this.forgetBundles()
    this.byId = undefined
    this.byQuery = undefined
    const listeners = this.listened.size + this.queries.size > 0 ? LISTENERS : 0
    this.state.watching = listeners | (this.state.watching & SUBSCRIBERS)
  }

  /** Forgets which watches a bundle concerns. */
  forgetBundles(): void {
    this.version++
  }

  // ── what is watched ────────────────────────────────────────────────────────────────────────────────────

  /** The watches that a bundle concerns; remembered in the bundle until the listeners change. */
  watchOfBundle(bundle: Bundle): BundleWatch {
    const known = bundle.watch as BundleWatch | undefined
    return known !== undefined && known.version === this.version ? known : this.findWatch(bundle)
  }

  private findWatch(bundle: Bundle): BundleWatch {
    const { definitions } = bundle
    const queries = this.watchedQueries
    const watch = new BundleWatch(
      this.version,
      definitions.map((definition) => this.watched(definition)),
      queries.filter((query) => definitions.some((definition) => query.names(definition))),
      queries.filter((query) => query.matchesNew(bundle)),
      this.subscribers.namedBy(bundle),
      this.subscribers.enteredBy(bundle),
    )
    bundle.watch = watch
    return watch
  }

  /** The watch of a component, if it is watched. */
  watched(definition: Definition): ComponentWatch | undefined {
    const watch = this.components[definition.serial]
    return watch === undefined || watch.idle ? undefined : watch
  }

  /** Watched components that the world has met, in the order in which they were registered. */
  get watchedComponents(): readonly ComponentWatch[] {
    this.byId ??= [...this.concerned]
      .filter((watch) => watch.registration !== undefined)
      .sort((a, b) => (a.registration as Registration).id - (b.registration as Registration).id)
    return this.byId
  }

  /** Watched queries in the order in which they were first subscribed to. */
  get watchedQueries(): readonly QueryWatch[] {
    this.byQuery ??= [...this.queries.values()]
    return this.byQuery
  }

  // ── calling them ───────────────────────────────────────────────────────────────────────────────────────

  /** Reports values given to a component that was there. Inside a handler the report waits for its end. */
  reportSet(definition: Definition, entity: number): void {
    const watch = this.components[definition.serial]
    if (watch === undefined || watch.set.length === 0) return
    if (this.emitting) {
      this.setEntities.push(entity)
      this.setWatches.push(watch)
    } else {
      this.tellSet(watch, entity)
      this.state.settle()
    }
  }

  private tellSet(watch: ComponentWatch, entity: number): void {
    this.begin()
    try {
      this.calls.tell(watch.set, entity)
    } finally {
      this.end()
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
    this.state.release()
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
      this.tellSet(watch, entity)
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
      try {
        this.disposeOf(definition, entity, old)
        this.initialise(store, entity, held.value)
      } finally {
        this.emitting = nested
        this.state.release()
      }
    }
    this.reportSet(definition, entity)
    if (!this.emitting) this.state.settle()
  }

  /** Disposes of a value, whether a store has had it or not. */
  disposeOf(definition: Definition, entity: number, value: unknown): void {
    try {
      disposeValue(definition, value, entity)
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
      try {
        for (const entity of dead) this.disposeOf(store.definition, entity, store.take(entity))
      } finally {
        this.end()
      }
    }
  }

  initialise(store: ObjectStore, entity: number, value: unknown): void {
    try {
      store.options.init?.(value, entity as Entity, this.world)
    } catch (error) {
      this.state.fail(error)
    }
  }

  /** Calls back after every restore; returns the unsubscription. */
  listenToRestore(handler: RestoreHandler): () => void {
    const subscription = { listener: handler, since: this.emission }
    const { restored } = this
    restored.add(subscription)
    return () => void restored.delete(subscription)
  }

  /** Tells presentation that memory is that of another time: once, and in place of all events. */
  tellRestored(report: unknown): void {
    this.subscribers.restored()
    if (this.restored.size === 0) return
    this.begin()
    try {
      this.calls.tellAll(this.restored, this.world, report)
    } finally {
      this.end()
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
    } finally {
      this.emitting = nested
      state.release()
    }
    return store.get(copy) !== undefined
  }

  /** Disposes of the values of a command that came to nothing. What lives on the entity already is left alone. */
  abandon(entity: number, bundle: Bundle, given: GivenList): void {
    if (given === undefined) return
    const { definitions } = bundle
    const unusedOf: Definition[] = []
    const unused: unknown[] = []
    for (let i = 0; i < definitions.length; i++) {
      const definition = definitions[i] as Definition
      const held = valuesIn(given[i])
      if (!(held instanceof Held)) continue
      const store = this.state.known(definition)?.objects
      if (this.state.isAlive(entity) && store?.get(entity) === held.value) continue
      unusedOf.push(definition)
      unused.push(held.value)
    }
    if (unused.length > 0) this.disposeUnused(entity, unusedOf, unused)
  }

  /** Disposes of values that were given and never came to live: they were not initialised, and no listener is called. */
  disposeUnused(entity: number, definitions: readonly Definition[], values: readonly unknown[]): void {
    const nested = this.emitting
    this.state.lock()
    this.emitting = true
    try {
      for (let i = 0; i < values.length; i++) this.disposeOf(definitions[i] as Definition, entity, values[i])
    } finally {
      this.emitting = nested
      this.state.release()
    }
  }
}

function note(set: Set<ComponentWatch>, watch: ComponentWatch, isIn: boolean): void {
  if (isIn) set.add(watch)
  else set.delete(watch)
}
