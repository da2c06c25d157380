// Owns the listeners of one world, by component and by query, and what a bundle concerns.
// Sets are reported from here; every other report is in report.ts. It must never change a row.
//
// A world has them from the first call that listens on: observersOf.ts. Before a change: while `state.watching` is 0 there is
// nothing to report. Otherwise see report.ts.

import type { Definition } from '../components/definition'
import type { ParsedTerm } from '../components/terms'
import type { Entity } from '../memory/entity'
import type { Related } from '../matching/filters'
import { archetypeOf, firstPooled, nextPooled } from '../rows/belongings'
import type { Bundle } from '../rows/bundle'
import type { Registration } from '../rows/registration'
import type { Reporting } from '../rows/reporting'
import type { Room } from '../rows/rooms'
import { LISTENERS, SUBSCRIBERS } from '../rows/session'
import type { WorldState } from '../rows/worldState'
import { Calls, type Subscribed } from './calls'
import { type NamedQueries, QueryIndex, inOrder } from './queryIndex'
import { QueryWatch } from './queryWatch'
import type { RemovalLog } from './removalReader'
import { Report } from './report'
import { Subscribers } from './subscribers'
import { AllSurroundings } from './surroundings'
import {
  BundleWatch,
  type ComponentEvent,
  ComponentWatch,
  type Handler,
  type HandlerWorld,
  Subscription,
} from './watches'

/** Is called after a restore, with what snapshots/restoring.ts says of it. */
type RestoreHandler = (world: HandlerWorld, report: unknown) => void

export class Observers implements Reporting, Room {
  readonly report: Report
  readonly subscribers: Subscribers
  /** Calls the listeners. Only the inspection replaces it, while it measures. */
  calls: Calls
  /** Number of the report that is, or was last, made. */
  emission = 0
  /** Grows whenever other components or queries are watched: what was derived must be derived again. Session.listening. */
  version = 1
  /** By the serial of the declaration. */
  private readonly components: (ComponentWatch | undefined)[] = []
  /** Those that have listeners, or readers of removals. */
  private readonly concerned = new Set<ComponentWatch>()
  private readonly queries = new Map<object, QueryWatch>()
  readonly index = new QueryIndex<QueryWatch>()
  /** Queries that name a target whose links are kept when it dies, by that target. */
  private readonly byKeptTarget = new Map<number, Set<QueryWatch>>()
  private queriesMade = 0
  private readonly ofRestores = new Set<Subscribed<Parameters<RestoreHandler>>>()
  /** What is watched of entities, by what they have. */
  readonly surroundings: AllSurroundings
  /** Sets that a handler made: the write is done, the report waits. */
  private readonly setEntities: number[] = []
  private readonly setWatches: ComponentWatch[] = []

  readonly world: HandlerWorld

  constructor(readonly state: WorldState) {
    this.world = state.world as HandlerWorld
    this.report = new Report(this)
    this.subscribers = new Subscribers(this)
    this.calls = new Calls(this)
    this.surroundings = new AllSurroundings(this)
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
      watch = new QueryWatch(this.state, terms, related, this.queriesMade++)
      this.queries.set(key, watch)
      this.enterQuery(watch)
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
      this.leaveQuery(watched)
      this.changed()
    }
  }

  private enterQuery(query: QueryWatch): void {
    this.index.add(query)
    for (const target of query.related?.keptTargets ?? []) {
      const known = this.byKeptTarget.get(target)
      if (known === undefined) this.byKeptTarget.set(target, new Set([query]))
      else known.add(query)
    }
  }

  private leaveQuery(query: QueryWatch): void {
    this.index.delete(query)
    for (const target of query.related?.keptTargets ?? []) {
      const known = this.byKeptTarget.get(target)
      known?.delete(query)
      if (known?.size === 0) this.byKeptTarget.delete(target)
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
    const watch = this.components[registration.definition.serial]
    if (watch === undefined) return
    watch.registration = registration
  }

  /** All registrations are gone. Subscriptions stay. */
  restart(): void {
    for (const watch of this.components) {
      if (watch === undefined) continue
      watch.registration = undefined
    }
    this.changed()
  }

  /** The world is gone, after its listeners were told so. */
  dispose(): void {
    this.subscribers.forget()
  }

  /** The names of what has listeners. */
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

  /** Notes whether a component is watched. Does nothing while that stays as it was. */
  private follow(watch: ComponentWatch): void {
    if (this.concerned.has(watch) === watch.isHeard) return
    if (watch.isHeard) this.concerned.add(watch)
    else this.concerned.delete(watch)
    this.changed()
  }

  /** Other components or queries are watched than before. */
  private changed(): void {
    this.forgetBundles()
    const listeners = this.concerned.size + this.queries.size > 0 ? LISTENERS : 0
    this.state.watching = listeners | (this.state.watching & SUBSCRIBERS)
  }

  /** Forgets which watches a bundle concerns. */
  forgetBundles(): void {
    this.version++
    this.state.listening = this.version
  }

  // ── what is watched ────────────────────────────────────────────────────────────────────────────────────

  /** The watches that a bundle concerns; remembered in the bundle until the listeners change. */
  watchOfBundle(bundle: Bundle): BundleWatch {
    const known = bundle.watch as BundleWatch | undefined
    return known !== undefined && known.version === this.version ? known : this.findWatch(bundle)
  }

  private findWatch(bundle: Bundle): BundleWatch {
    const { definitions } = bundle
    const { index, subscribers } = this
    const watch = new BundleWatch(
      this.version,
      definitions.map((definition) => this.watched(definition)),
      index.namedBy(definitions),
      index.possible(definitions).filter((query) => query.matchesNew(bundle)),
      subscribers.index.namedBy(definitions),
      subscribers.index.possible(definitions).filter(({ watch }) => watch.matchesNew(bundle)),
    )
    bundle.watch = watch
    return watch
  }

  hears(bundle: Bundle): boolean {
    return this.watchOfBundle(bundle).concerns
  }

  hearsSpawn(bundle: Bundle): boolean {
    return this.watchOfBundle(bundle).hearsSpawn
  }

  hearsNamed(bundle: Bundle): boolean {
    return this.watchOfBundle(bundle).hearsNamed
  }

  hearsSwitch(definition: Definition): boolean {
    const { always, byKey } = this.queriesSwitchedBy(definition)
    return always.length + byKey.size > 0
  }

  /** Queries that it concerns whether a component is switched on. */
  queriesSwitchedBy(definition: Definition): NamedQueries<QueryWatch> {
    return this.watchOfBundle(this.state.bundles.with(definition, 'enable')).queries
  }

  ignores(bundle: Bundle): boolean {
    const { hearsSpawn, hearsNamed } = this.watchOfBundle(bundle)
    const ignores = !hearsSpawn && !hearsNamed
    if (ignores) bundle.ignoredAt = this.version
    return ignores
  }

  ignoresEntity(entity: number): boolean {
    const archetype = archetypeOf(this.state.heap, entity)
    return archetype >= 0 && this.ignoresArchetype(archetype) && this.ignoresPooled(entity)
  }

  ignoresAll(entities: ArrayLike<unknown>): boolean {
    const { state } = this
    const { heap } = state
    let last = -1
    for (let i = 0; i < entities.length; i++) {
      const entity = entities[i] as number
      if (!state.isAlive(entity)) continue
      const archetype = archetypeOf(heap, entity)
      if (archetype !== last && (archetype < 0 || !this.ignoresArchetype(archetype))) return false
      last = archetype
      if (!this.ignoresPooled(entity)) return false
    }
    return true
  }

  /** Whether no listener hears when an entity dies because of what it has in pools. */
  private ignoresPooled(entity: number): boolean {
    const { heap } = this.state
    for (let id = firstPooled(heap, entity); id >= 0; id = nextPooled(heap, id, entity))
      if (!this.surroundings.ofPool(id).isQuiet) return false
    return true
  }

  ignoresArchetype(archetype: number): boolean {
    return this.surroundings.ofArchetype(archetype).isQuiet
  }

  get ignoresPools(): boolean {
    return this.surroundings.arePoolsQuiet
  }

  get hearsLinks(): boolean {
    return this.byKeptTarget.size > 0
  }

  /** Queries that name some of these as targets whose links are kept when they die. */
  queriesKeeping(targets: ArrayLike<number>): readonly QueryWatch[] {
    const { byKeptTarget } = this
    if (byKeptTarget.size === 0) return []
    return inOrder(Array.from(targets, (target): Iterable<QueryWatch> => byKeptTarget.get(target) ?? []))
  }

  /** The watch of a component, if it is watched. */
  watched(definition: Definition): ComponentWatch | undefined {
    const watch = this.components[definition.serial]
    return watch?.isHeard === true ? watch : undefined
  }

  // ── calling them ───────────────────────────────────────────────────────────────────────────────────────

  /** Reports values given to a component that was there. Inside a handler the report waits for its end. */
  reportSet(definition: Definition, entity: number): void {
    const watch = this.components[definition.serial]
    if (watch === undefined || watch.set.length === 0) return
    if (this.state.emitting) {
      this.setEntities.push(entity)
      this.setWatches.push(watch)
      this.state.owed = true
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
    this.state.beginCalls()
    this.emission++
  }

  /** Unlocks the world. What handlers queued waits for WorldState.settle. */
  end(): void {
    this.state.endCalls(false)
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
    const { state, world } = this
    try {
      state.calling(() => {
        for (let i = 0; i < entities.length; i++) handler(entities[i] as Entity, world)
      })
    } finally {
      state.settle()
    }
  }

  /** Calls back after every restore; returns the unsubscription. */
  listenToRestore(handler: RestoreHandler): () => void {
    const subscription = { listener: handler, since: this.emission }
    const { ofRestores } = this
    ofRestores.add(subscription)
    return () => void ofRestores.delete(subscription)
  }

  /** Calls the onRestore listeners, once, instead of reporting every change; and notes the restore for subscribers. */
  tellRestored(report: unknown): void {
    this.subscribers.restored()
    if (this.ofRestores.size === 0) return
    this.begin()
    try {
      this.calls.tellAll(this.ofRestores, this.world, report)
    } finally {
      this.end()
    }
  }
}
