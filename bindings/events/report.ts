// Owns the report of one change: which entities gain and lose what, reported to listeners before and after it, in the order that
// docs/events.md promises. It must never run inside another report.
//
// A change that is reported goes like this. changes/apply.ts makes the calls:
//   report.begin(…) | destroying | toggling    what will happen; nothing has yet
//   report.leave()            onExit, onRemove
//   the change, values written
//   report.finish(…)          dispose, init, onAdd, onSet, onEnter; then what handlers queued is applied
// What makes entities needs spawned(…) or born(…), and finish() alone.

import type { Definition } from '../components/definition'
import { valuesIn } from '../components/componentValues'
import type { Bundle } from '../state/bundle'
import type { ChangeParts, ChangeReport, GivenList } from '../state/changeObserver'
import type { HandleList } from '../memory/handleList'
import type { Subscribed } from './listenerCalls'
import type { Observers } from './observers'
import type { QueryWatch } from './queryWatch'
import { type ComponentWatch, type Subscriptions, byDeclaration, inOrder } from './watches'

export class Report implements ChangeReport {
  /** The watches that this change concerns, in the order in which their listeners are called. */
  private components: ComponentWatch[] = []
  private queries: QueryWatch[] = []
  private entities: ArrayLike<number> = []
  private given: GivenList
  /** Whether the entities die. */
  private dying = false
  /** While listeners are told what the change takes away: those to call once it is made. */
  private late: Subscribed<[]>[] | undefined
  /** What `late` held at the end of that. */
  private waiting: readonly Subscribed<[]>[] = NONE

  constructor(private readonly observers: Observers) {}

  // ── what the change is ─────────────────────────────────────────────────────────────────────────────────

  /** Entities were made with the components of a bundle. */
  spawned(entities: ArrayLike<number>, bundle: Bundle, given: GivenList): void {
    this.open(entities)
    this.given = given
    const { components, entered } = this.observers.watchOfBundle(bundle)
    for (let i = 0; i < components.length; i++) {
      const watch = components[i]
      if (watch === undefined) continue
      this.components.push(watch)
      for (let k = 0; k < entities.length; k++) watch.gained.push(entities[k] as number)
      if (valuesIn(given?.[i]) !== undefined) this.giveAll(watch)
    }
    for (const query of entered) {
      this.queries.push(query)
      for (let k = 0; k < entities.length; k++) {
        // The terms are met; links are asked of each.
        const entity = entities[k] as number
        if (query.related === undefined || query.matches(entity)) query.entering.push(entity)
      }
    }
  }

  /** Entities were made with whatever they have now, such as copies, and the values that the call gave them. */
  born(
    entities: ArrayLike<number>,
    bundle?: Bundle,
    given?: GivenList,
    makers?: readonly Definition[],
  ): void {
    this.open(entities)
    this.collectAll()
    if (bundle === undefined) return
    const { components } = this.observers.watchOfBundle(bundle)
    for (let i = 0; i < components.length; i++) {
      const watch = components[i]
      if (watch === undefined) continue
      if (valuesIn(given?.[i]) !== undefined || makers?.includes(watch.definition)) this.giveAll(watch)
    }
  }

  /** Entities will get the components of one bundle, some with values, and lose those of another in the same move. */
  begin({ entities, gains, losses, given }: ChangeParts): void {
    this.open(entities)
    const { observers } = this
    const lost = losses && observers.watchOfBundle(losses)
    const gained = gains && observers.watchOfBundle(gains)
    if (lost !== undefined) this.collectLosses(lost.components)
    if (gained !== undefined) this.collectGains(gained.components, given, losses)
    const queriesOf = (bundle: Bundle, other: Bundle | undefined) =>
      observers.named(bundle, other, entities).queries
    const queries =
      losses === undefined || gains === undefined
        ? queriesOf((gains ?? losses) as Bundle, undefined)
        : // In the order in which they were watched.
          inOrder([...queriesOf(losses, gains), ...queriesOf(gains, losses)])
    this.collectQueries(queries, gains, losses)
  }

  /** Living entities, each named once, will be destroyed. */
  destroying(entities: ArrayLike<number>): void {
    this.open(entities)
    this.dying = true
    this.noteKept(entities, true)
    this.collectAll()
  }

  /** A component that the entities have will be switched on or off. */
  toggling(entities: ArrayLike<number>, definition: Definition, on: boolean): void {
    this.open(entities)
    for (const query of this.observers.queriesSwitchedBy(definition)) {
      this.queries.push(query)
      for (let k = 0; k < entities.length; k++) {
        const entity = entities[k] as number
        this.compare(query, entity, query.matchesToggled(entity, definition, on))
      }
    }
  }

  /** Targets are back, and links to them that were kept hold again. */
  returned(targets: ArrayLike<number>): void {
    this.open(NONE)
    this.noteKept(targets, false)
  }

  private noteKept(targets: ArrayLike<number>, die: boolean): void {
    for (const query of this.observers.queriesKeeping(targets)) {
      query.related?.noteKept(query, targets, die)
      if (query.entering.count + query.leaving.count > 0) this.queries.push(query)
    }
  }

  private open(entities: ArrayLike<number>): void {
    this.clear()
    this.entities = entities
  }

  /** Collects what all entities have, as far as it is watched: lost if they die, gained if they were made. */
  private collectAll(): void {
    const { entities, observers, dying } = this
    for (let k = 0; k < entities.length; k++) {
      const entity = entities[k] as number
      const { components, queries } = observers.around(entity)
      for (const watch of components) {
        const list = dying ? watch.lost : watch.gained
        if (list.count === 0) this.components.push(watch)
        list.push(entity)
      }
      for (const query of queries) {
        if ((dying && query.exit.length === 0) || !query.matches(entity)) continue
        if (query.entering.count + query.leaving.count === 0) this.queries.push(query)
        ;(dying ? query.leaving : query.entering).push(entity)
      }
    }
    if (entities.length > 1 || observers.hearsLinks) this.sort()
  }

  /** Entities that have different things may have brought what is watched in any order. */
  private sort(): void {
    this.components.sort(byDeclaration)
    this.queries = inOrder(this.queries)
  }

  private collectGains(
    watches: readonly (ComponentWatch | undefined)[],
    given: GivenList,
    losses?: Bundle,
  ): void {
    const { entities } = this
    this.given = given
    for (let i = 0; i < watches.length; i++) {
      const watch = watches[i]
      if (watch === undefined) continue
      if (!this.components.includes(watch)) this.components.push(watch)
      const startsOver = losses?.contains(watch.definition) === true
      const isGiven = valuesIn(given?.[i]) !== undefined
      for (let k = 0; k < entities.length; k++) {
        const entity = entities[k] as number
        if (startsOver || !watch.isOn(entity)) watch.gained.push(entity)
        else if (isGiven && watch.befores > 0) watch.before.set(entity, watch.valuesOf(entity))
      }
      if (isGiven) this.giveAll(watch)
    }
  }

  private giveAll(watch: ComponentWatch): void {
    for (let k = 0; k < this.entities.length; k++) watch.given.push(this.entities[k] as number)
  }

  private collectLosses(watches: readonly (ComponentWatch | undefined)[]): void {
    const { entities } = this
    for (const watch of watches) {
      if (watch === undefined) continue
      this.components.push(watch)
      for (let k = 0; k < entities.length; k++) {
        const entity = entities[k] as number
        if (watch.isOn(entity)) watch.lost.push(entity)
      }
    }
  }

  private collectQueries(
    queries: readonly QueryWatch[],
    gains: Bundle | undefined,
    losses: Bundle | undefined,
  ): void {
    for (const query of queries) {
      this.queries.push(query)
      for (let k = 0; k < this.entities.length; k++) {
        const entity = this.entities[k] as number
        const will = query.matchesAfter(entity, gains, losses, this.given)
        const stays = this.compare(query, entity, will) && will
        if (stays && gains !== undefined && losses !== undefined && query.restarts(entity, gains, losses)) {
          query.leaving.push(entity)
          query.entering.push(entity)
        }
      }
    }
  }

  /** Notes whether the entity begins or ends to match. True when neither. */
  private compare(query: QueryWatch, entity: number, will: boolean): boolean {
    if (query.matches(entity) === will) return true
    if (will) query.entering.push(entity)
    else query.leaving.push(entity)
    return false
  }

  // ── telling ────────────────────────────────────────────────────────────────────────────────────────────

  /** Tells of what will end. Returns whether a listener was called. What handlers queued waits for finish(). */
  leave(): boolean {
    return this.hearsEnds() && this.tellEnds()
  }

  private tellEnds(): true {
    const { observers } = this
    observers.begin()
    const late: Subscribed<[]>[] = []
    this.late = late
    try {
      for (const { leaving, exit } of this.queries) tellOf(observers, leaving, exit)
      for (const { lost, removed } of this.components) tellOf(observers, lost, removed)
    } finally {
      observers.end()
      // It is one report: a listener that is added in its first half is not called in its second.
      observers.emission--
      this.late = undefined
      this.waiting = late
    }
    return true
  }

  /** Calls a listener for what is there: at once, or when the change is made whose ends are being told. */
  whenMade(existing: Subscribed<[]>): void {
    if (this.late !== undefined) this.late.push(existing)
    else existing.listener()
  }

  hearsEnds(): boolean {
    for (const { leaving, exit } of this.queries) if (leaving.count > 0 && exit.length > 0) return true
    for (const { lost, removed } of this.components) if (lost.count > 0 && removed.length > 0) return true
    return false
  }

  /**
   * The change is made: tells of what began, then applies what handlers queued and throws the first error.
   *
   * @param called functions of declarations, which come before the listeners
   */
  finish(called: { call(): void } | undefined): void {
    for (const { lost, logs } of this.components) for (const log of logs) log.note(lost, this.dying)
    const { observers } = this
    observers.begin()
    try {
      called?.call()
      this.tellBegun()
    } finally {
      this.close()
    }
  }

  private tellBegun(): void {
    const { observers } = this
    for (const { gained, added } of this.components) tellOf(observers, gained, added)
    for (const { given, set, before } of this.components) {
      if (before.size === 0) tellOf(observers, given, set)
      for (let k = 0; k < given.count && before.size > 0; k++) {
        observers.before = before.get(given.items[k] as number)
        observers.calls.tell(set, given.items[k] as number)
      }
      observers.before = undefined
    }
    for (const { entering, enter } of this.queries) tellOf(observers, entering, enter)
  }

  /** The world starts over or goes: values of objects end while handlers may still look at it. */
  endOfWorld(called: { call(): void } | undefined): void {
    this.observers.begin()
    try {
      called?.call()
    } finally {
      this.observers.end()
      this.clear()
    }
  }

  private close(): void {
    const { observers } = this
    observers.calls.tellAll(this.waiting)
    observers.end()
    this.clear()
    observers.state.settle()
  }

  private clear(): void {
    for (const { gained, lost, given, before } of this.components) {
      gained.clear()
      lost.clear()
      given.clear()
      if (before.size > 0) before.clear()
    }
    for (const { entering, leaving } of this.queries) {
      entering.clear()
      leaving.clear()
    }
    if (this.components.length > 0) this.components = []
    if (this.queries.length > 0) this.queries = []
    this.entities = NONE
    this.waiting = NONE
    this.dying = false
    this.given = undefined
  }
}

const NONE: readonly never[] = []

function tellOf({ calls }: Observers, handles: HandleList, subscriptions: Subscriptions): void {
  for (let k = 0; k < handles.count; k++) calls.tell(subscriptions, handles.items[k] as number)
}
