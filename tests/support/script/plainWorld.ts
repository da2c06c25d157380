// The world as one would write it in an afternoon: a Map from handle to plain values, queries by asking every entity, and for
// each component of each entity when it was added and when it changed. An entity with a link has its relation, too.

import type { Component, Tag } from '../../../bindings/index'
import { PlainLinks, type PlainRelation, To } from './plainLinks'
import type { Alternative, LinkTerm, PlainTerms } from './terms'

export type Kind = Component<any, any> | Tag
export type Values = Record<string, unknown>
/** Values of a component, or a link of a relation; undefined for what a component starts with. */
export type Given = Values | To | undefined

/** A component as the plain world knows it: how to make up values, what each field starts with. */
export interface Sort {
  readonly kind: Kind
  /** Every field's default; empty for a tag. */
  readonly defaults: Values
  /** Some or all fields, made from a number. The same number gives the same values. */
  readonly make: (number: number) => Values
}

/**
 * When a component of an entity was added and changed. What is written inside a block is written at once or at its end: so
 * there is an earliest and a latest time for it. What is added in a block is added at its end.
 */
export interface Stamp {
  readonly added: number
  /** At this time or later it surely changed. */
  readonly changed: number
  /** After this time it surely did not change. */
  readonly changedBy: number
}

/** The end of the open block. */
const END = Infinity

/** That an entity lost a component, as readers of removals tell it. */
export interface Loss {
  readonly kind: Kind
  readonly handle: number
  /** Whether it died with the component; undefined where a block may tell either. */
  readonly died: boolean | undefined
  /** How often it is told: a block tells the net change of what it folds, and each of several where a bulk change is between. */
  readonly least: number
  readonly most: number
}

/** What an entity had before the open block, and how often it lost each component in the block. */
interface Touched {
  readonly had: ReadonlySet<Kind>
  readonly lost: Map<Kind, number>
}

export class PlainWorld {
  readonly entities = new Map<number, Map<Kind, Values>>()
  /** What is switched off, by entity. */
  readonly off = new Map<number, Set<Kind>>()
  /** What the end of the frame destroys. */
  readonly discarded = new Set<number>()
  /** The time now: it goes on with every step and every look. */
  now = 1
  /** When rows may last have moved from their places. */
  movedAt = 0
  /** Since when nothing of a component was added or changed. */
  readonly stampedAt = new Map<Kind, number>()
  /** All that entities lost, in order but for what one call took. */
  readonly losses: Loss[] = []
  private isBirth = false
  /** When each resource that is there changed. */
  readonly resources = new Map<unknown, number>()
  links: PlainLinks
  private readonly stamps = new Map<number, Map<Kind, Stamp>>()
  /** Entities that the open block changes; undefined while none is open. */
  private touched: Map<number, Touched> | undefined
  /** What rows of the open block pass through at its end. */
  private readonly passing = new Set<Kind>()

  constructor(
    private readonly defaultsOf: (kind: Kind) => Values,
    /** Whose losses are noted. */
    private readonly noted: ReadonlySet<Kind>,
    relations: readonly PlainRelation[] = [],
  ) {
    this.links = new PlainLinks(relations)
  }

  /** A world of its own with the same entities, in the same order, at the same time; they may have other names there. */
  copy(named = (handle: number) => handle): PlainWorld {
    const copy = new PlainWorld(this.defaultsOf, this.noted)
    for (const [handle, components] of this.entities) copy.entities.set(named(handle), new Map(components))
    for (const [handle, stamps] of this.stamps) copy.stamps.set(named(handle), new Map(stamps))
    for (const [handle, kinds] of this.off) copy.off.set(named(handle), new Set(kinds))
    for (const handle of this.discarded) copy.discarded.add(named(handle))
    copy.links = this.links.copy(named)
    for (const [kind, time] of this.stampedAt) copy.stampedAt.set(kind, time)
    for (const [resource, time] of this.resources) copy.resources.set(resource, time)
    copy.losses.push(...this.losses)
    copy.now = this.now
    copy.movedAt = this.movedAt
    return copy
  }

  // ── changes ──────────────────────────────────────────────────────────────────────────────────────────────

  spawn(handle: number, kinds: readonly Kind[], values: readonly Given[]): void {
    if (this.touched !== undefined && !this.touched.has(handle))
      this.touched.set(handle, { had: new Set(), lost: new Map() })
    this.entities.set(handle, new Map())
    this.stamps.set(handle, new Map())
    this.off.set(handle, new Set())
    this.give(handle, kinds, values)
  }

  add(handle: number, kinds: readonly Kind[], values: readonly Given[]): boolean {
    this.touch(handle)
    const added = this.give(handle, kinds, values)
    if (added) this.movedAt = this.now
    return added
  }

  private give(handle: number, kinds: readonly Kind[], values: readonly Given[]): boolean {
    let added = false
    kinds.forEach((kind, i) => {
      const given = values[i]
      const isNew =
        given instanceof To ? this.link(handle, kind, given) : this.giveValues(handle, kind, given)
      added ||= isNew
    })
    return added
  }

  private giveValues(handle: number, kind: Kind, values: Values | undefined): boolean {
    const components = this.componentsOf(handle)
    const isNew = !components.has(kind)
    if (isNew) this.stampNew(handle, kind)
    else if (values !== undefined && kind.kind !== 'tag')
      this.stampChanged(handle, kind, Object.keys(values).length > 0)
    const all = { ...(components.get(kind) ?? this.defaultsOf(kind)), ...values }
    components.set(kind, all)
    // The values of a component that is a relation are those of its one link.
    for (const target of this.links.targetsOf(kind, handle).keys()) this.links.link(kind, handle, target, all)
    return isNew
  }

  /** Whether the entity did not have the relation. With one target, it starts over with another one. */
  private link(handle: number, kind: Kind, { target, values }: To): boolean {
    const { isExclusive } = this.links.relationOf(kind)
    const links = this.links.targetsOf(kind, handle)
    const before = links.get(target)
    if (isExclusive && before === undefined) this.remove(handle, [kind])
    const all = { ...(before ?? this.defaultsOf(kind)), ...values }
    this.links.link(kind, handle, target, all)
    // What is copied while its target is dead comes back with it, and nobody says in which order.
    if (!this.entities.has(target)) this.links.leaveOrder(kind, target)
    const components = this.componentsOf(handle)
    const isNew = !components.has(kind)
    if (isNew) this.stampNew(handle, kind)
    else this.stampChanged(handle, kind, before === undefined || Object.keys(values ?? {}).length > 0)
    components.set(kind, isExclusive ? all : {})
    return isNew
  }

  /** Ends the links to some targets. Whether there was one. */
  unlink(handle: number, kind: Kind, targets: readonly number[]): boolean {
    const links = this.links.targetsOf(kind, handle)
    const ended = targets.filter((target) => links.has(target))
    if (ended.length === 0) return false
    if (ended.length === links.size) return this.remove(handle, [kind])
    for (const target of ended) this.links.unlink(kind, handle, target)
    this.stampChanged(handle, kind)
    return true
  }

  /** All links of an entity in a relation become these, in their order. */
  relink(handle: number, kind: Kind, given: readonly To[]): void {
    if (given.length === 0) return void this.remove(handle, [kind])
    if (this.links.relationOf(kind).isExclusive) return void this.add(handle, [kind], given)
    this.touch(handle)
    const before = this.links.targetsOf(kind, handle)
    const valuesOf = ({ target, values }: To) => ({
      ...(before.get(target) ?? this.defaultsOf(kind)),
      ...values,
    })
    this.links.relink(kind, handle, new Map(given.map((to) => [to.target, valuesOf(to)])))
    const isSame = before.size === given.length && given.every(({ target }) => before.has(target))
    const isWritten = given.some(({ values }) => values !== undefined)
    if (this.componentsOf(handle).has(kind)) return this.stampChanged(handle, kind, !isSame || isWritten)
    this.stampNew(handle, kind)
    this.componentsOf(handle).set(kind, {})
    this.movedAt = this.now
  }

  /** The values of one link are written. */
  writeLink(handle: number, kind: Kind, target: number, values: Values): void {
    this.links.link(kind, handle, target, values)
    this.stampChanged(handle, kind, false)
  }

  /** A copy has the links of what was copied, at the ends of the lists of their targets. */
  copyLinks(source: number, copy: number, isCopied: (kind: Kind) => boolean): void {
    for (const { kind } of this.links.relations.filter(({ kind }) => isCopied(kind)))
      for (const [target, values] of this.links.targetsOf(kind, source))
        this.link(copy, kind, new To(target, values))
  }

  /** The living sources of a living target, in order. */
  sourcesOf(kind: Kind, target: number): number[] {
    return this.entities.has(target) ? [...this.links.sourcesOf(kind, target)] : []
  }

  remove(handle: number, kinds: readonly Kind[]): boolean {
    this.touch(handle)
    const components = this.componentsOf(handle)
    for (const kind of kinds) this.off.get(handle)?.delete(kind)
    const gone = kinds.filter((kind) => components.delete(kind))
    for (const kind of gone) {
      if (this.links.knows(kind)) this.links.unlinkAll(kind, handle)
      this.stamps.get(handle)?.delete(kind)
      this.lose(handle, kind, false)
    }
    if (gone.length > 0) this.movedAt = this.now
    return gone.length > 0
  }

  /** Switches what is there; whether that was a change. */
  switch(handle: number, kind: Kind, off: boolean): boolean {
    this.touch(handle)
    if (!this.componentsOf(handle).has(kind) || this.isOff(handle, kind) === off) return false
    if (off) this.off.get(handle)?.add(kind)
    else this.off.get(handle)?.delete(kind)
    return true
  }

  isOff(handle: number, kind: Kind): boolean {
    return this.off.get(handle)?.has(kind) === true
  }

  /** Entities die together, with all that depends on them. Returns who died. */
  destroy(handles: Iterable<number>): number[] {
    const { links } = this
    const dying = links.dependents([...handles].filter((handle) => this.entities.has(handle)))
    for (const relation of links.relations)
      for (const [source, targets] of links.orphans(relation, dying)) {
        this.touch(source)
        this.unlink(source, relation.kind, targets)
      }
    for (const handle of dying) this.die(handle)
    return [...dying]
  }

  private die(handle: number): void {
    this.touch(handle)
    for (const kind of this.componentsOf(handle).keys()) this.lose(handle, kind, true)
    this.links.forget(handle)
    this.stamps.delete(handle)
    this.off.delete(handle)
    this.discarded.delete(handle)
    this.movedAt = this.now
    this.entities.delete(handle)
  }

  /** Rows may be in other places than they were. */
  rowsMoved(): void {
    this.movedAt = this.now
  }

  /** The entities of another world come after those that are there, as new ones. Resources that are there stay. */
  takeIn(other: PlainWorld): void {
    for (const [handle, components] of other.entities) this.entities.set(handle, components)
    for (const [handle, kinds] of other.off) this.off.set(handle, kinds)
    for (const handle of other.discarded) this.discarded.add(handle)
    this.links.takeIn(other.links)
    for (const resource of other.resources.keys())
      if (!this.resources.has(resource)) this.resources.set(resource, this.now)
    this.startTime(other.entities.keys())
  }

  /** An entity is without a component, as if it had never had it. */
  forget(handle: number, kind: Kind): void {
    this.componentsOf(handle).delete(kind)
  }

  // ── time ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** The next moment. Returns the one that is past. */
  tick(): number {
    return this.now++
  }

  /** All that some entities have counts as made now. */
  startTime(handles: Iterable<number> = this.entities.keys()): void {
    for (const handle of handles) {
      this.stamps.set(handle, new Map())
      for (const kind of this.componentsOf(handle).keys()) this.stampNew(handle, kind)
    }
    this.movedAt = this.now
  }

  stampOf(handle: number, kind: Kind): Stamp | undefined {
    return this.stamps.get(handle)?.get(kind)
  }

  private stampNew(handle: number, kind: Kind): void {
    const at = this.touched === undefined ? this.now : END
    this.stampedAt.set(kind, this.now)
    this.stamps.get(handle)?.set(kind, { added: at, changed: at, changedBy: at })
  }

  /** Values of a component were written; or perhaps none, where nobody says that this counts. */
  stampChanged(handle: number, kind: Kind, surely = true): void {
    const stamp = this.stampOf(handle, kind)
    if (stamp === undefined) throw new Error(`the plain world has no time of ${kind.componentName}`)
    this.touch(handle)
    const { added, changed } = stamp
    this.stampedAt.set(kind, this.now)
    this.stamps.get(handle)?.set(kind, {
      added,
      changed: surely ? Math.max(changed, this.now) : changed,
      changedBy: this.touched === undefined ? this.now : END,
    })
  }

  /** Chunks of components were marked for rows that are there no longer, and nobody's values changed. */
  passedThrough(kinds: readonly Kind[]): void {
    for (const kind of kinds) {
      this.stampedAt.set(kind, this.now)
      if (this.touched !== undefined) this.passing.add(kind)
    }
  }

  /** Adds what is a part of the birth of an entity: what it replaces was never there. */
  addAtBirth(handle: number, kinds: readonly Kind[], values: readonly Given[]): void {
    this.isBirth = true
    this.add(handle, kinds, values)
    this.isBirth = false
  }

  private lose(handle: number, kind: Kind, died: boolean): void {
    if (this.isBirth || !this.noted.has(kind)) return
    const lost = this.touched?.get(handle)?.lost
    if (lost === undefined) this.losses.push({ kind, handle, died, least: 1, most: 1 })
    else lost.set(kind, (lost.get(kind) ?? 0) + 1)
  }

  private touch(handle: number): void {
    if (this.touched === undefined || this.touched.has(handle)) return
    this.touched.set(handle, { had: new Set(this.componentsOf(handle).keys()), lost: new Map() })
  }

  /** Whether the open block changes an entity: then nobody can say what a query finds of it until the end. */
  isTouched(handle: number): boolean {
    return this.touched?.has(handle) === true
  }

  /** The same where a query asks something of targets, too. */
  isUnsure(handle: number, { links }: PlainTerms): boolean {
    if (this.touched === undefined) return false
    if (this.isTouched(handle)) return true
    return links.some(({ kind }) =>
      [...this.links.targetsOf(kind, handle).keys()].some((target) => this.isTouched(target)),
    )
  }

  get isInBlock(): boolean {
    return this.touched !== undefined
  }

  openBlock(): void {
    this.touched = new Map()
  }

  /** What was to be made at the end of the block is made now. */
  closeBlock(): void {
    const { touched } = this
    this.touched = undefined
    for (const [handle, { had, lost }] of touched ?? []) {
      const isDead = !this.entities.has(handle)
      for (const [kind, most] of lost) {
        const died = isDead ? undefined : false
        this.losses.push({ kind, handle, died, least: had.has(kind) ? 1 : 0, most })
      }
      for (const [kind, stamp] of this.stamps.get(handle) ?? []) {
        const atEnd = (time: number) => (time === END ? this.now : time)
        const { added, changed, changedBy } = stamp
        this.stamps
          .get(handle)
          ?.set(kind, { added: atEnd(added), changed: atEnd(changed), changedBy: atEnd(changedBy) })
        if (changedBy === END) this.stampedAt.set(kind, this.now)
      }
    }
    for (const kind of this.passing) this.stampedAt.set(kind, this.now)
    this.passing.clear()
    if (touched !== undefined && touched.size > 0) this.movedAt = this.now
    this.now++
  }

  // ── questions ────────────────────────────────────────────────────────────────────────────────────────────

  matching(terms: PlainTerms): number[] {
    const found: number[] = []
    for (const [handle, components] of this.entities) {
      const isOn = (kind: Kind) => components.has(kind) && !this.isOff(handle, kind)
      if (!terms.required.every(isOn) || terms.excluded.some(isOn)) continue
      if (!terms.links.every((term) => this.leads(handle, term))) continue
      const holds = ({ kind, absent }: Alternative) => isOn(kind) !== absent
      if (terms.anyOf.every((alternatives) => alternatives.some(holds))) found.push(handle)
    }
    return found
  }

  /** Whether an entity has a link to a living target, or to one with a component, or has none. */
  private leads(handle: number, { kind, target, absent }: LinkTerm): boolean {
    const targets = [...this.links.targetsOf(kind, handle).keys()].filter((one) => this.entities.has(one))
    const isMeant = (one: number) =>
      typeof target === 'number'
        ? one === target
        : this.componentsOf(one).has(target) && !this.isOff(one, target)
    return targets.some(isMeant) !== absent
  }

  /** Those whom a bulk change switches: they have the component, and match when the terms ask only whether it is there. */
  matchingSwitch(terms: PlainTerms, kind: Kind): number[] {
    // Beside a target a query is looked at as a loop would.
    if (terms.links.length > 0)
      return this.matching(terms).filter((handle) => this.componentsOf(handle).has(kind))
    const off = [...this.off].filter(([, kinds]) => kinds.delete(kind)).map(([handle]) => handle)
    const found = this.matching(terms).filter((handle) => this.componentsOf(handle).has(kind))
    for (const handle of off) this.off.get(handle)?.add(kind)
    return found
  }

  componentsOf(handle: number): Map<Kind, Values> {
    const components = this.entities.get(handle)
    if (components === undefined) throw new Error(`the plain world has no entity ${handle}`)
    return components
  }
}

/** Whether two values of a component are the same, lists by their items. */
export function sameValues(a: Values | undefined, b: Values | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => sameValue(a[name], b[name]))
}

function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b)
  const [left, right] = [Array.from(a as ArrayLike<number>), Array.from(b as ArrayLike<number>)]
  return left.length === right.length && left.every((value, i) => Object.is(value, right[i]))
}
