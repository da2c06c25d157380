// The events of one change: who is told, in which order, and what is seen. This is docs/events.md, "The order", in code.

import { type Ear, type Entry, type Queries, nameOf, sentenceOf } from './calls'
import type { Kind, Thing, Values } from './kinds'
import { PlainEntity, described, matches } from './plain'

/** What a change does to one entity. */
export interface Effect {
  readonly entity: number
  /** Undefined before it was made, and after it died. */
  readonly before: PlainEntity | undefined
  readonly after: PlainEntity | undefined
  readonly lost: ReadonlySet<Kind>
  readonly gained: ReadonlySet<Kind>
  readonly given: ReadonlySet<Kind>
  /** What it does to an entity whose values listeners have written meanwhile. */
  readonly make: (now: PlainEntity) => PlainEntity
}

export interface Change {
  readonly effects: readonly Effect[]
  /** In which order components are told of. */
  readonly order: readonly Kind[]
  /** Whether nothing says in which order the entities come: then it is that of the log, the same for all components. */
  readonly isLoose?: boolean
  /** Handles to which kept links lead, and which come or go. */
  readonly targets?: readonly number[]
}

interface Heard extends Ear {
  /** The number of the change during which it subscribed: it is called from the next one on. */
  readonly since: number
}

/** A reader of removals, and what it has to tell. */
export interface Reader {
  readonly kind: Kind
  /** Those of one group come in an order that nothing promises. */
  waiting: { readonly entity: number; readonly died: boolean; readonly group: number | undefined }[]
}

export abstract class Telling {
  readonly entities = new Map<number, PlainEntity>()
  /** Handles that were made alive before they have rows: links to them that were kept lead nowhere until that is told. */
  protected readonly returning = new Set<number>()
  readonly listeners: Heard[] = []
  /** The queries with listeners, in the order of their first ones; those with subscribers, and what they found last. */
  watched: number[] = []
  readonly subscribed = new Map<number, Set<number>>()
  readonly readers: Reader[] = []
  locks = 0
  emitting = false
  emission = 0
  /** How many entities the calls of this step have changed, one after the other. */
  changes = 0
  /** Whether there was a change that may concern many, or by which a component starts over. */
  protected isOfMany = false
  private isLoose = false
  /** Of changes that are made one by one in an order that nothing promises: readers may have them in any order. */
  protected group: number | undefined
  private late: (() => void)[] | undefined
  at = 0

  constructor(
    readonly kinds: readonly Kind[],
    readonly queries: Queries,
    readonly log: readonly Entry[],
  ) {}

  protected abstract perform(entry: Entry): void
  abstract settle(): void

  /** The next calls are made. */
  begin(): void {
    this.changes = 0
    this.isOfMany = false
  }

  isAlive = (handle: number): boolean => this.entities.has(handle)

  /** Whether links to a target count: a kept one leads nowhere until its target has components again. */
  private holds = (handle: number): boolean =>
    this.entities.get(handle)?.hasRow === true && !this.returning.has(handle)

  matches(entity: PlainEntity | undefined, query: number, holds = this.holds): boolean {
    return entity !== undefined && matches(entity, this.queries[query] as never, this.kinds, holds)
  }

  result(query: number): number[] {
    return [...this.entities].filter(([, entity]) => this.matches(entity, query)).map(([handle]) => handle)
  }

  // ── the log ────────────────────────────────────────────────────────────────────────────────────────────

  /** The next entry of the log must be this one. What the listener called is called here, too. */
  meet(by: string, entity: number, seen: string): Entry {
    const entry = this.log[this.at]
    if (entry?.by !== by || entry.entity !== entity || entry.seen !== seen)
      throw this.difference(`${by} of ${entity}, seeing ${seen}`)
    this.at++
    this.perform(entry)
    return entry
  }

  difference(expected: string): Error {
    const lineOf = (entry: Entry | undefined) =>
      entry === undefined
        ? 'nothing'
        : `${entry.by} of ${entry.entity}, seeing ${entry.seen}${entry.calls.length > 0 ? `, calling ${entry.calls.map(sentenceOf).join('; ')}` : ''}`
    const before = this.log.slice(Math.max(this.at - 6, 0), this.at).map((entry) => `  ${lineOf(entry)}`)
    return new Error(
      `heard differs at ${this.at}\nexpected: ${expected}\nheard:    ${lineOf(this.log[this.at])}\nafter:\n${before.join('\n')}`,
    )
  }

  /** The next entries must be these, in any order. Returns them in the order given. */
  meetAll(wanted: readonly { by: string; entity: number; seen: string }[]): Entry[] {
    const found: Entry[] = []
    for (let n = 0; n < wanted.length; n++) {
      const entry = this.log[this.at]
      const place = wanted.findIndex(
        ({ by, entity, seen }, i) =>
          found[i] === undefined && entry?.by === by && entry.entity === entity && entry.seen === seen,
      )
      if (place < 0) {
        const open = wanted.filter((_, i) => found[i] === undefined)
        throw this.difference(
          `one of ${open.map(({ by, entity, seen }) => `${by} of ${entity} ${seen}`).join(', ')}`,
        )
      }
      found[place] = entry as Entry
      this.at++
    }
    return found
  }

  // ── one change ─────────────────────────────────────────────────────────────────────────────────────────

  tell(change: Change): void {
    const { order } = change
    const dying = new Set(
      change.effects.filter(({ after }) => after === undefined).map(({ entity }) => entity),
    )
    const effects = change.isLoose === true ? this.arranged(change.effects) : change.effects
    const number = ++this.emission
    const isLoose = change.isLoose === true
    this.isLoose = isLoose
    const queries = this.watched.map((query) => ({ query, ...this.turns(query, change, effects, dying) }))
    this.changes += effects.length
    if (effects.some(({ lost, gained }) => [...lost].some((kind) => gained.has(kind)))) this.isOfMany = true
    this.late = []
    const values = this.valuesBefore(effects)
    this.calling(() => {
      for (const { query, leaving } of queries) this.tellQuery('onExit', query, leaving, number)
      for (const kind of order) this.tellKind('onRemove', kind, effects, number)
    })
    const { late } = this
    this.late = undefined
    const made = effects.map((effect) => this.apply(effect))
    for (const kind of order)
      for (const { entity, lost } of effects)
        if (lost.has(kind))
          for (const reader of this.readers)
            if (reader.kind === kind)
              reader.waiting.push({
                entity,
                died: dying.has(entity),
                group: change.isLoose === true ? number : this.group,
              })
    this.isLoose = isLoose
    this.calling(() => {
      this.tellLives(made)
      for (const kind of order) this.tellKind('onAdd', kind, effects, number)
      for (const kind of order) this.tellKind('onSet', kind, effects, number, values)
      for (const { query, entering } of queries) this.tellQuery('onEnter', query, entering, number)
      for (const existing of late) existing()
    })
    this.isLoose = false
    this.settle()
  }

  /** Which entities begin and end to match a query. */
  private turns(query: number, change: Change, effects: readonly Effect[], dying: ReadonlySet<number>) {
    const leaving: number[] = []
    const entering: number[] = []
    const targets = new Set(change.targets)
    const holdsAfter = (handle: number) =>
      !dying.has(handle) &&
      (this.holds(handle) ||
        (effects.some(({ entity, after }) => entity === handle && after?.hasRow) &&
          !this.returning.has(handle)))
    for (const [entity, plain] of targets.size === 0 ? [] : this.entities) {
      if (dying.has(entity) || !(this.queries[query]?.links ?? []).some(({ target }) => targets.has(target)))
        continue
      if (!this.keepsLinkTo(plain, targets)) continue
      const before = this.matches(
        plain,
        query,
        (handle) => this.holds(handle) && (dying.size > 0 || !targets.has(handle)),
      )
      const after = this.matches(plain, query, holdsAfter)
      if (before && !after) leaving.push(entity)
      if (after && !before) entering.push(entity)
    }
    const some = change.targets === undefined ? [] : this.inLog(leaving.splice(0))
    leaving.push(...some)
    for (const effect of effects) {
      const { entity, before, after, lost, gained } = effect
      const did = this.matches(before, query)
      const will = this.matches(after, query, after === undefined ? undefined : holdsAfter)
      const restarts =
        did && will && this.restarts(query, before as PlainEntity, after as PlainEntity, lost, gained)
      if (did && (!will || restarts)) leaving.push(entity)
      if (will && (!did || restarts)) entering.push(entity)
    }
    return { leaving, entering }
  }

  private keepsLinkTo(plain: PlainEntity, targets: ReadonlySet<number>): boolean {
    return [...plain.links].some(
      ([kind, links]) => kind.policy === 'keep' && [...links.keys()].some((target) => targets.has(target)),
    )
  }

  /** Whether it matches before or after only by a component that starts over. */
  private restarts(
    query: number,
    before: PlainEntity,
    after: PlainEntity,
    lost: ReadonlySet<Kind>,
    gained: ReadonlySet<Kind>,
  ): boolean {
    const over = [...lost].filter((kind) => gained.has(kind))
    if (over.length === 0) return false
    return [before, after].some((plain) => {
      const without = plain.copy()
      for (const kind of over) without.lose(kind)
      return !this.matches(without, query)
    })
  }

  private valuesBefore(effects: readonly Effect[]): Map<string, unknown> {
    const values = new Map<string, unknown>()
    for (const { entity, before, given, gained } of effects)
      for (const kind of given)
        if (!gained.has(kind) && kind.sort !== 'relation')
          values.set(`${entity} ${kind.name}`, before?.components.get(kind))
    return values
  }

  /** Makes the change of one entity. Returns what it did. */
  private apply(effect: Effect): Effect {
    const { entity, before, make } = effect
    if (effect.after === undefined) {
      this.entities.delete(entity)
      return effect
    }
    const after = before === undefined ? effect.after : make(this.entities.get(entity) as PlainEntity)
    this.entities.set(entity, after)
    return { ...effect, after }
  }

  /** Values of JavaScript end, and others begin: before listeners are told. */
  private tellLives(effects: readonly Effect[]): void {
    const ending: { by: string; entity: number; seen: string }[] = []
    const starting: { by: string; entity: number; seen: string }[] = []
    for (const { entity, before, after } of effects)
      for (const kind of this.kinds) {
        if (kind.sort !== 'object') continue
        const [old, fresh] = [before?.components.get(kind), after?.components.get(kind)]
        if (old === fresh) continue
        if (old !== undefined)
          ending.push({ by: `dispose ${kind.name}`, entity, seen: `${(old as Thing).n}` })
        if (fresh !== undefined)
          starting.push({ by: `init ${kind.name}`, entity, seen: `${(fresh as Thing).n}` })
      }
    this.meetAll(ending)
    this.meetAll(starting)
  }

  // ── listeners ──────────────────────────────────────────────────────────────────────────────────────────

  calling(action: () => void): void {
    const nested = this.emitting
    this.locks++
    this.emitting = true
    action()
    this.emitting = nested
    this.locks--
  }

  private tellKind(
    event: 'onAdd' | 'onRemove' | 'onSet',
    kind: Kind,
    effects: readonly Effect[],
    number: number,
    values?: ReadonlyMap<string, unknown>,
  ): void {
    for (const { entity, gained, lost, given } of this.inTurn(effects, ({ entity: one }) => one)) {
      if (!(event === 'onAdd' ? gained : event === 'onRemove' ? lost : given).has(kind)) continue
      this.tellOne(event, kind, entity, number, values?.get(`${entity} ${kind.name}`))
    }
  }

  /** Calls the listeners of one component for one entity: those that there are, or some of them. */
  tellOne(
    event: string,
    kind: Kind,
    entity: number,
    number: number,
    before?: unknown,
    ears: readonly Ear[] = this.listeners,
  ): void {
    for (const ear of ears.slice() as Heard[])
      if (ear.event === event && ear.kind === kind && this.isCalled(ear, number))
        this.meet(nameOf(ear), entity, this.seenBy(ear, entity, before))
  }

  private tellQuery(
    event: 'onEnter' | 'onExit',
    query: number,
    entities: readonly number[],
    number: number,
  ): void {
    for (const entity of this.inTurn(entities, (one) => one))
      for (const ear of this.listeners.slice())
        if (ear.event === event && ear.query === query && this.isCalled(ear, number))
          this.meet(nameOf(ear), entity, this.seenBy(ear, entity))
  }

  isCalled(ear: Heard, number: number): boolean {
    return ear.since < number && this.listeners.includes(ear)
  }

  seenBy(ear: Ear, entity: number, before?: unknown): string {
    const told = ear.before === true ? `${before === undefined ? 'nothing' : JSON.stringify(before)} → ` : ''
    return told + this.described(entity)
  }

  described(entity: number): string {
    const plain = this.entities.get(entity)
    return plain === undefined ? 'dead' : described(plain, this.kinds)
  }

  /** A listener subscribes; with `existing` it is called for what there is: at once, or when the change is made. */
  listen(ear: Ear): void {
    const heard = { ...ear, since: this.emission }
    this.listeners.push(heard)
    const { query } = ear
    if (query !== undefined && ear.event !== 'subscribe' && !this.watched.includes(query))
      this.watched.push(query)
    if (query !== undefined && ear.event === 'subscribe' && !this.subscribed.has(query))
      this.subscribed.set(query, new Set(this.result(query)))
    if (ear.existing !== true) return
    const tellThem = () => {
      if (!this.listeners.includes(heard)) return
      const found = [...this.entities].filter(([, plain]) =>
        query === undefined ? plain.has(ear.kind as Kind) : this.matches(plain, query),
      )
      this.calling(() => {
        for (const entity of this.inLog(found.map(([handle]) => handle)))
          this.meet(nameOf(ear), entity, this.seenBy(ear, entity))
      })
      this.settle()
    }
    if (this.late !== undefined) this.late.push(tellThem)
    else tellThem()
  }

  stop({ id, query, event }: Ear): void {
    const place = this.listeners.findIndex((ear) => ear.id === id)
    if (place >= 0) this.listeners.splice(place, 1)
    if (query === undefined) return
    const isSubscribed = event === 'subscribe'
    if (this.listeners.some((ear) => ear.query === query && (ear.event === 'subscribe') === isSubscribed))
      return
    if (isSubscribed) this.subscribed.delete(query)
    else this.watched = this.watched.filter((one) => one !== query)
  }

  /** Some in their order; where none is promised, whoever the log goes on with comes first. */
  private inTurn<T>(all: readonly T[], entityOf: (one: T) => number): Iterable<T> {
    return this.isLoose ? this.byTurns(all, entityOf) : all
  }

  /** Some in the order in which the log goes on about them: behind targets that their links give rows. */
  *byTurns<T>(all: readonly T[], entityOf: (one: T) => number): Iterable<T> {
    const left = [...all]
    while (left.length > 0) {
      let { at } = this
      const isOf = (one: T) => entityOf(one) === this.log[at]?.entity
      while (!left.some(isOf) && this.entities.get(this.log[at]?.entity ?? -1)?.hasRow === false) at++
      yield left.splice(Math.max(left.findIndex(isOf), 0), 1)[0] as T
    }
  }

  // ── orders that nothing promises ───────────────────────────────────────────────────────────────────────

  private arranged(effects: readonly Effect[]): readonly Effect[] {
    const order = this.inLog(effects.map(({ entity }) => entity))
    return order.map((entity) => effects.find((effect) => effect.entity === entity) as Effect)
  }

  /** Some entities in the order in which the log goes on about them: one order that all listeners there agree with, if there is one. */
  inLog(entities: readonly number[]): number[] {
    const some = new Set(entities)
    const after = new Map(entities.map((entity) => [entity, new Set<number>()]))
    const reaches = (from: number, to: number, seen = new Set<number>()): boolean =>
      from === to ||
      (!seen.has(from) &&
        [...(seen.add(from), after.get(from) ?? [])].some((next) => reaches(next, to, seen)))
    const lastBy = new Map<string, number>()
    for (let i = this.at; i < this.log.length && some.size > 1 && i < this.at + some.size * 60; i++) {
      const entry = this.log[i] as Entry
      if (!some.has(entry.entity)) continue
      const by = entry.by.split(' #')[0] as string
      const last = lastBy.get(by) ?? entry.entity
      if (last !== entry.entity && !reaches(entry.entity, last)) after.get(last)?.add(entry.entity)
      lastBy.set(by, entry.entity)
    }
    const sorted: number[] = []
    const visit = (entity: number): void => {
      if (sorted.includes(entity)) return
      for (const next of [...(after.get(entity) ?? [])].reverse()) visit(next)
      if (!sorted.includes(entity)) sorted.unshift(entity)
    }
    for (const entity of [...entities].reverse()) visit(entity)
    return sorted
  }

  /** The values of a component of an entity. */
  valuesOf(entity: number, kind: Kind): Values | Thing | undefined {
    return this.entities.get(entity)?.components.get(kind)
  }
}
