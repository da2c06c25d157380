// Owns the listeners of one world, by component and by query, and what a bundle concerns. Sets are reported by setEvents.ts;
// every other report is in report.ts.
//
// A world has them from the first call that listens: observersOf. Before a change: while `state.watching` is 0 there is nothing
// to report. Otherwise see report.ts.

import { changeCalls } from '../changes/apply'
import { CHUNK_OWNER_WORD, ENTITIES_SPARSE_HEADS_WORD, TABLE_OWNER } from '../../build/layout'
import type { Definition } from '../components/definition'
import type { ParsedTerm } from '../components/terms'
import type { RowRef } from '../cursors/rowRef'
import { type Entity, INDEX_MASK } from '../memory/entity'
import type { Bundle } from '../state/bundle'
import type { Reporting } from '../state/changeObserver'
import { archetypeOf, firstPooled, nextPooled } from '../state/entityComponents'
import type { Registration } from '../state/registration'
import type { WatchedLinks } from '../state/relationHooks'
import { LISTENERS, SUBSCRIBERS, calling } from '../state/session'
import type { WorldParticipant } from '../state/worldParticipants'
import type { WorldState } from '../state/worldState'
import { ListenerCalls, type Subscribed } from './listenerCalls'
import { QueryWatch } from './queryWatch'
import type { RemovalLog } from './removals'
import { Report } from './report'
import { Subscribers } from './resultSubscribers'
import { SetEvents } from './setEvents'
import {
  ArchetypeWatch,
  BundleWatch,
  type ComponentEvent,
  ComponentWatch,
  type ConcernedQueries,
  type Handler,
  type HandlerWorld,
  Subscription,
  byDeclaration,
} from './watches'

/** Is called after a restore, with what snapshots/restore.ts says of it. */
type RestoreHandler = (world: HandlerWorld, report: unknown) => void

const QUIET = /* @__PURE__ */ new ArchetypeWatch([], [], [])

export class Observers implements Reporting, WorldParticipant {
  readonly report: Report
  readonly subscribers: Subscribers
  /** Calls the listeners. */
  readonly calls: ListenerCalls
  /** Number of the report that is, or was last, made. */
  emission = 0
  /** Grows whenever other components or queries are watched: what was derived must be derived again. Session.listening. */
  version = 1
  /** By the serial of the declaration. */
  private readonly components: (ComponentWatch | undefined)[] = []
  /** Those that have listeners, or readers of removals. */
  private readonly concerned = new Set<ComponentWatch>()
  private readonly queries = new Map<object | string, QueryWatch>()
  private queriesMade = 0
  private readonly ofRestores = new Set<Subscribed<Parameters<RestoreHandler>>>()
  /**
   * What is watched of entities: of archetypes, and of what entities have in pools, by twice their id; dropped when ids may
   * mean something else.
   */
  private surroundings: (ArchetypeWatch | undefined)[] = []
  private generation = 0
  /** Whether what lies in pools decides about anything that is listened for; undefined until that is asked. */
  private watchesPools: boolean | undefined
  /** Queries that name targets whose links are kept when they die. */
  private keeping: QueryWatch[] = []
  private readonly sets: SetEvents
  /** What values were before the set whose listeners are called. */
  before: unknown

  readonly world: HandlerWorld

  constructor(readonly state: WorldState) {
    this.world = state.world as HandlerWorld
    this.report = new Report(this)
    this.sets = new SetEvents(this)
    this.subscribers = new Subscribers(this)
    this.calls = new ListenerCalls(this)
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

  /** Subscribes to entities that begin or end to match a query, or to have a link. `key` is one for each query and link. */
  listenToQuery(
    key: object | string,
    terms: readonly ParsedTerm[],
    event: 'enter' | 'exit',
    handler: Handler,
    related?: WatchedLinks,
  ): () => void {
    let watch = this.queries.get(key)
    if (watch === undefined) {
      watch = new QueryWatch(this.state, terms, related, this.queriesMade++)
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
    this.keeping = [...this.queries.values()].filter(({ related }) => related?.keeps === true)
    const listeners = this.concerned.size + this.queries.size > 0 ? LISTENERS : 0
    this.state.watching = listeners | (this.state.watching & SUBSCRIBERS)
  }

  /** Forgets which watches a bundle concerns. */
  forgetBundles(): void {
    this.version++
    this.forgetSurroundings()
    this.watchesPools = undefined
    this.state.listening = this.version
  }

  // ── what is watched ────────────────────────────────────────────────────────────────────────────────────

  /** The watches that a bundle concerns; remembered in the bundle until the listeners change. */
  watchOfBundle(bundle: Bundle): BundleWatch {
    const known = bundle.watch as BundleWatch | undefined
    return known !== undefined && known.version === this.version ? known : this.findWatch(bundle)
  }

  /** Queries that may be another matter for some entities when components of a bundle come or go, and others of `other`. */
  named(bundle: Bundle, other: Bundle | undefined, entities: ArrayLike<number>): ConcernedQueries {
    const watch = this.watchOfBundle(bundle)
    return entities.length === 1
      ? watch.near(this.state, bundle, other, entities[0] as number)
      : watch.nearAll(this.state, bundle, other, entities)
  }

  private findWatch(bundle: Bundle): BundleWatch {
    const { definitions } = bundle
    const names = (query: QueryWatch) => definitions.some((definition) => query.names(definition))
    const queries = [...this.queries.values()]
    const subscribed = this.subscribers.all
    const watch = new BundleWatch(
      this.version,
      definitions.map((definition) => this.watched(definition)),
      queries.filter(names),
      queries.filter((query) => query.matchesNew(bundle)),
      subscribed.filter(({ watch }) => names(watch)),
      subscribed.filter(({ watch }) => watch.matchesNew(bundle)),
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
    return this.queriesSwitchedBy(definition).length > 0
  }

  /** Queries that it concerns whether a component is switched on. */
  queriesSwitchedBy(definition: Definition): readonly QueryWatch[] {
    return this.watchOfBundle(this.state.bundles.with(definition, 'enable')).queries
  }

  ignores(bundle: Bundle): boolean {
    const { hearsSpawn, hearsNamed } = this.watchOfBundle(bundle)
    const ignores = !hearsSpawn && !hearsNamed
    if (ignores) bundle.ignoredAt = this.version
    return ignores
  }

  /** What is watched of an entity that is alive. */
  around(entity: number): ArchetypeWatch {
    const { state } = this
    const { heap } = state
    if (this.generation !== state.generation) this.forgetSurroundings()
    const key = archetypeOf(heap, entity) * 2
    let found = this.surroundings[key] ?? this.find(key)
    for (let id = firstPooled(heap, entity); id >= 0; id = nextPooled(heap, id, entity)) {
      const more = this.surroundings[id * 2 + 1] ?? this.find(id * 2 + 1)
      if (!more.isQuiet) found = found.with(more)
    }
    return found
  }

  private find(key: number): ArchetypeWatch {
    const { surroundings } = this
    const id = key >> 1
    const isPool = (key & 1) !== 0
    const isOf = ({ registration }: ComponentWatch) =>
      registration?.pooled === isPool && (isPool ? registration.id === id : registration.isIn(id))
    const isPossible = (query: QueryWatch) => (isPool ? query.mayMatchBy(id) : query.mayMatchIn(id))
    const found = new ArchetypeWatch(
      [...this.concerned].filter(isOf).sort(byDeclaration),
      [...this.queries.values()].filter(isPossible),
      this.subscribers.all.filter(({ watch }) => isPossible(watch)),
    )
    // Filled without gaps, so that the array stays a dense one.
    while (surroundings.length < key) surroundings.push(undefined)
    return (surroundings[key] = found.isQuiet ? QUIET : found)
  }

  private forgetSurroundings(): void {
    this.surroundings = []
    this.generation = this.state.generation
  }

  ignoresSwitch(definition: Definition): boolean {
    const { queries, namedSubscribed } = this.watchOfBundle(this.state.bundles.with(definition, 'enable'))
    return queries.length + namedSubscribed.length === 0
  }

  /** Written out: every destroy asks it while anything is listened for. */
  ignoresEntity(entity: number): boolean {
    const { state } = this
    const { heap } = state
    if (typeof entity !== 'number') return true
    const index = entity & INDEX_MASK
    if (index >= heap.entityCapacity || heap.handleAt(index) !== entity) return !state.isAlive(entity)
    const location = heap.locationAt(index)
    const { u32 } = heap
    const archetype = location === 0 ? 0 : (u32[heap.descriptorAt(location) + CHUNK_OWNER_WORD] as number)
    if (this.generation !== state.generation || this.surroundings[archetype * 2] !== QUIET)
      return this.around(entity).isQuiet
    const heads = u32[ENTITIES_SPARSE_HEADS_WORD] as number
    return heads === 0 || heap.u16[(heads >> 1) + index] === 0 || this.around(entity).isQuiet
  }

  ignoresAll(entities: ArrayLike<number>): boolean {
    for (let i = 0; i < entities.length; i++) if (!this.ignoresEntity(entities[i] as number)) return false
    return true
  }

  ignoresArchetypes(addresses: readonly number[]): boolean {
    if (this.generation !== this.state.generation) this.forgetSurroundings()
    this.watchesPools ??=
      [...this.concerned].some(({ definition }) => definition.storage !== 'table') ||
      [...this.queries.values(), ...this.subscribers.all.map(({ watch }) => watch)].some(
        ({ isOfTables }) => !isOfTables,
      )
    if (this.watchesPools) return false
    for (const address of addresses) {
      const key = this.state.heap.word(address + TABLE_OWNER) * 2
      if (!(this.surroundings[key] ?? this.find(key)).isQuiet) return false
    }
    return true
  }

  get hearsLinks(): boolean {
    return this.keeping.length > 0
  }

  /** Queries that targets concern because their links are kept when they die. */
  queriesKeeping(targets: ArrayLike<number>): readonly QueryWatch[] {
    const { keeping, state } = this
    if (keeping.length === 0) return keeping
    return Array.from(targets).some((target) => state.relations?.isTarget(target) === true) ? keeping : []
  }

  /** The watch of a component, if it is watched. */
  watched(definition: Definition): ComponentWatch | undefined {
    const watch = this.components[definition.serial]
    return watch?.isHeard === true ? watch : undefined
  }

  // ── calling them ───────────────────────────────────────────────────────────────────────────────────────

  hearsSet({ serial }: Definition): boolean {
    const watch = this.components[serial]
    return watch !== undefined && watch.set.length > 0
  }

  noteBefore({ serial }: Definition, entity: number): void {
    this.sets.noted = this.components[serial]?.valuesOf(entity)
  }

  reportSet({ serial }: Definition, entity: number): void {
    const watch = this.components[serial]
    if (watch !== undefined && watch.set.length > 0) this.sets.report(watch, entity)
  }

  /**
   * Subscribes to values that are set, with what they were: the listener is called while `before` says it, and `read` reads
   * it. Returns the unsubscription.
   */
  listenBefore(definition: Definition, handler: Handler, read: (ref: RowRef) => unknown): () => void {
    const watch = this.watchOf(definition)
    watch.read = read
    watch.befores++
    const stop = this.listen(definition, 'set', handler)
    let active = true
    return () => {
      if (active) watch.befores--
      active = false
      stop()
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

  get pending(): boolean {
    return this.sets.pending
  }

  forgetPending(): void {
    this.sets.forget()
  }

  reportPending(): void {
    this.sets.reportAll()
  }

  /** Calls one handler at once for entities that are there already. */
  tellExisting(handler: Handler, entities: ArrayLike<number>): void {
    const { state, world } = this
    try {
      calling(state, () => {
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

/** The observers of a world, for the calls that listen. A change asks state.reporting, which may be undefined. */
export function observersOf(state: WorldState): Observers {
  if (state.reporting === undefined) {
    const observers = new Observers(state)
    state.changes = changeCalls
    state.reporting = observers
    state.participants.add(observers)
  }
  return state.reporting as Observers
}
