// A world and the plain world side by side, with what steps of every family need: entities to choose, births and deaths,
// comparisons of one entity, and the way back to what was. The files in steps/ carry out the steps.

import { createGroup, type Commands, type Entity, type World } from '../../../bindings/index'
import { ConditionReaders, makeLossReaders, makeSubscribedReaders, makeVersionReaders } from './otherReaders'
import {
  HANDLES,
  LISTS,
  LOST,
  LOST_LINKS,
  Crate,
  NULL_ENTITY,
  OBJECT_SORTS,
  REVIVED,
  SORTS,
  Sprite,
  Health,
  Waiting,
  Weight,
  needsValue,
  sortByKind,
} from './kinds'
import { type Heard, listen } from './listening'
import { indexOf, mix, pickKinds } from './numbers'
import { To } from './plainLinks'
import { type Given, type Kind, PlainWorld, type Sort, type Values, sameValues } from './plainWorld'
import { makeReaders } from './readers'
import { LINK_SORTS, RELATIONS, RELATION_KINDS, hasCursor, isRelation, pairOf, relationOf } from './relations'
import { type PlainTerms, pickTerms, withLinks } from './terms'
import { WatchedTargets } from './watchedTargets'

/** What a session knew at one time. */
export interface Mark {
  readonly plain: PlainWorld
  readonly stale: readonly number[]
  readonly waiting: readonly number[] | undefined
  /** What each reader had seen. */
  readonly seen: readonly number[]
  readonly taken: readonly (number | undefined)[]
  readonly conditions: readonly number[]
  /** How many queries about targets were watched. */
  readonly watched: number
}

export class State {
  plain: PlainWorld
  performed = 0
  readonly stale: number[] = []
  depth = 0
  /** Indices of those that were destroyed in an open block, and are alive until its end. */
  readonly leaving = new Set<number>()
  /** How many of the open blocks are loops over queries, and whether the end of a frame waits for the outermost one. */
  loops = 0
  frameWaits = false
  /** How often anything was switched: a loop that is open sees that in the chunks to come. */
  switches = 0
  buffer: Commands | undefined
  /** How many more entities the world can take while nothing that was destroyed has come back. */
  room = 0
  /** Whether somebody listens in this script, and objects are among the components. */
  readonly heard: Heard | undefined
  /** In which order Waiting was added; undefined where that was left to the engine. */
  waiting: number[] | undefined = []
  /** Half of the scripts have a group. */
  isGrouped: boolean
  /** Half of the scripts have relations: a world that knows none goes ways of its own. */
  readonly isLinked: boolean
  readonly watched: WatchedTargets
  readonly readers
  readonly lossReaders
  readonly versions
  readonly subscribed
  readonly conditions

  constructor(
    readonly world: World,
    readonly limit: number,
    readonly querySeed: number,
    /** How many different queries the script may use. */
    readonly queryCount = 12,
    /** How many times more entities a spawnMany makes, and how many times rarer a clear is. */
    readonly growth = 1,
  ) {
    this.isLinked = (querySeed >>> 3) % 2 === 1
    const [lost, relations] = this.isLinked ? [[...LOST, ...LOST_LINKS], RELATIONS] : [LOST, []]
    this.plain = new PlainWorld((kind) => (sortByKind.get(kind) as Sort).defaults, new Set(lost), relations)
    this.heard = querySeed % 2 === 1 ? listen(world, this.isLinked) : undefined
    this.isGrouped = querySeed % 4 < 2
    if (this.isGrouped) createGroup(world, Health, Weight)
    this.readers = makeReaders(world, querySeed, this.isLinked)
    this.lossReaders = makeLossReaders(world, lost)
    this.versions = makeVersionReaders(world, this.isLinked)
    this.subscribed = (querySeed >>> 2) % 2 === 1 ? makeSubscribedReaders(world, this.isLinked) : []
    this.conditions = new ConditionReaders(world)
    this.watched = new WatchedTargets(world, this.heard !== undefined)
  }

  // ── the past ─────────────────────────────────────────────────────────────────────────────────────────────

  /** Notes what the plain world holds, to go back to it when the world does. */
  mark(): Mark {
    const { conditions, lossReaders, readers, waiting } = this
    return {
      plain: this.plain.copy(),
      stale: [...this.stale],
      waiting: waiting && [...waiting],
      seen: readers.map(({ seen }) => seen),
      taken: lossReaders.map(({ taken }) => taken),
      conditions: [...conditions.seen],
      watched: this.watched.count,
    }
  }

  /** Lets the world go back by `restore`, and the plain world to what it was then. Values that are there stay. */
  goBack(mark: Mark, restore: () => void): void {
    const before = OBJECT_SORTS.map(({ kind }) => {
      const having = [...this.plain.entities].filter(([, components]) => components.has(kind))
      return new Map(having.map(([handle]) => [handle, this.world.get(handle, kind as never) as Values]))
    })
    restore()
    this.take(mark)
    OBJECT_SORTS.forEach(({ kind }, i) => {
      // Its values are in the snapshot.
      if ((kind as unknown) === Crate) return
      for (const [handle, components] of this.plain.entities) {
        if (!components.has(kind)) continue
        const kept = before[i]?.get(handle)
        if (kept !== undefined) components.set(kind, kept)
        else if ((kind as unknown) === Sprite) components.set(kind, { n: REVIVED })
        else this.plain.remove(handle, [kind])
      }
    })
    this.heard?.rebuild(this.plain)
    this.watched.rebuild(this.plain, mark.watched)
  }

  /** Knows again what it knew. */
  private take(mark: Mark): void {
    this.plain = mark.plain.copy()
    this.stale.splice(0, Infinity, ...mark.stale)
    this.waiting = mark.waiting && [...mark.waiting]
    this.readers.forEach((reader, i) => (reader.seen = mark.seen[i] as number))
    this.lossReaders.forEach((reader, i) => reader.goBack(mark.taken[i], this.plain))
    this.conditions.seen = [...mark.conditions]
  }

  /** Begins in a world that holds this already. */
  begin(plain: PlainWorld, waiting: number[] | undefined): void {
    this.plain = plain
    this.waiting = waiting
    for (const resource of plain.resources.keys()) plain.resources.set(resource, plain.now)
    this.heard?.rebuild(plain)
  }

  /** Readers that the world itself keeps are there no longer. */
  end(): void {
    for (const reader of [...this.lossReaders, ...this.subscribed, this.watched]) reader.end()
  }

  // ── choices ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Where changes of one entity go. */
  get target(): World | Commands {
    return this.buffer ?? this.world
  }

  pick(n: number): number | undefined {
    const size = this.plain.entities.size
    if (size === 0) return undefined
    let skip = n % size
    for (const handle of this.plain.entities.keys()) if (skip-- === 0) return handle
    return undefined
  }

  /** Some of the living, each once, and the same with dead ones and repeats. */
  pickMany(a: number, b: number): { living: number[]; listed: number[] } {
    const living = [...this.plain.entities.keys()].filter((_, i) => mix(a, i) % 3 === 0).slice(0, b % 60)
    // In a block who died in it is alive.
    const dead = this.depth === 0 ? [NULL_ENTITY, ...this.stale.slice(0, 3)] : [NULL_ENTITY]
    return { living, listed: [...living.slice(0, 2), ...dead, ...living] }
  }

  /** Values of a component, or of a link. Handles in them are often those of entities, alive or dead. */
  make(kind: Kind, n: number): Values {
    const values = (sortByKind.get(kind) as Sort).make(n)
    const name = HANDLES.get(kind)
    if (name === undefined || !(name in values) || n % 8 === 0) return values
    const dead = this.stale[mix(n, 3) % Math.max(this.stale.length, 1)]
    const handle = mix(n, 2) % 4 === 0 ? dead : this.pick(mix(n, 4))
    return { ...values, [name]: handle ?? NULL_ENTITY }
  }

  /** For relations, links: to living entities, some of them to the same ones again. */
  valuesFor(kinds: readonly Kind[], n: number): Given[] {
    return kinds.map((kind, i) => {
      const values = mix(n, i) % 2 || needsValue(kind) ? this.make(kind, mix(n, i + 5)) : undefined
      if (!isRelation(kind)) return values
      return new To(this.pick(mix(n, i + 8)) as number, values)
    })
  }

  /** The same for a bulk change, which often gives no values; links always lead somewhere. */
  sharedValues(kinds: readonly Kind[], n: number, hasValues: boolean): Given[] {
    const values = this.valuesFor(kinds, n)
    return hasValues ? values : values.map((given) => (given instanceof To ? given : undefined))
  }

  ingredients(kinds: readonly Kind[], values: readonly Given[]) {
    return kinds.map((kind, i) => {
      const given = values[i]
      if (given instanceof To) return pairOf(kind, given.target, given.values) as unknown as Kind
      return given === undefined || kind.kind === 'tag' ? kind : kind(given)
    })
  }

  /** Whether a relation refuses links, because something would depend on itself. */
  isRefused(handles: readonly number[], kinds: readonly Kind[], values: readonly Given[]): boolean {
    return kinds.some((kind, i) => {
      const given = values[i]
      if (!(given instanceof To)) return false
      return handles.some((handle) => this.plain.links.isCircle(kind, handle, given.target))
    })
  }

  /** Components for many entities: with relations, where there are any. */
  pickShared(n: number): Kind[] {
    const kinds = pickKinds(n)
    // Without an entity there is none to lead to.
    if (!this.isLinked || mix(n, 9) % 3 !== 0 || this.plain.entities.size === 0) return kinds
    const count = 1 + (mix(n, 10) % 4 === 0 ? 1 : 0)
    const relations = Array.from({ length: count }, (_, i) => RELATION_KINDS[(mix(n, 11) + i) % 6] as Kind)
    return mix(n, 12) % 2 === 0 ? [...relations, ...kinds] : [...kinds, ...relations]
  }

  /** Components for one entity: with objects, where somebody listens. */
  pickAny(n: number): Kind[] {
    const kinds = this.pickShared(n)
    if (this.heard === undefined || mix(n, 7) % 3 !== 0) return kinds
    return [(OBJECT_SORTS[mix(n, 8) % OBJECT_SORTS.length] as Sort).kind, ...kinds]
  }

  /** One of the queries of the script; where there are relations, often with links to a target. */
  termsOf(n: number): PlainTerms {
    const terms = this.someTerms(mix(this.querySeed, n % this.queryCount))
    return this.isLinked && mix(n, 13) % 4 === 0 ? this.linkedTerms(terms, mix(n, 14)) : terms
  }

  someTerms(n: number): PlainTerms {
    return pickTerms(n, this.isLinked)
  }

  linkedTerms(terms: PlainTerms, n: number): PlainTerms {
    const dead = this.stale[mix(n, 3) % Math.max(this.stale.length, 1)]
    const target = n % 8 === 0 ? dead : this.pick(mix(n, 1))
    return withLinks(terms, n, [target ?? NULL_ENTITY, this.pick(mix(n, 2)) ?? NULL_ENTITY])
  }

  get free(): number {
    return this.depth > 0 ? this.room : this.limit - this.plain.entities.size
  }

  /** In which order sources are where that was left to the engine: what follows depends on it. */
  takeOrders(): void {
    if (this.depth > 0) return
    const { plain, world } = this
    plain.links.takeOrders((kind, target) =>
      plain.entities.has(target) ? [...world.sources(target, relationOf(kind))] : undefined,
    )
  }

  // ── births and deaths ────────────────────────────────────────────────────────────────────────────────────

  /** Keeps in mind in which order Waiting came and went. */
  noteWaiting(handle: number, kinds: readonly Kind[], added: boolean): void {
    if (this.waiting === undefined || !kinds.includes(Waiting)) return
    const place = this.waiting.indexOf(handle)
    if (added && place < 0) this.waiting.push(handle)
    if (!added && place >= 0) this.waiting.splice(place, 1)
  }

  born(handle: number, kinds: readonly Kind[], values: readonly Given[]): void {
    if (this.plain.entities.has(handle)) throw new Error(`handle ${handle} was given out while it is alive`)
    if (!this.world.isAlive(handle)) throw new Error(`handle ${handle} is not alive after spawn`)
    this.plain.spawn(handle, kinds, values)
    this.noteWaiting(handle, kinds, true)
    this.room--
  }

  /** Entities died in one call, and what depends on them. */
  died(handles: Iterable<number>): void {
    for (const handle of this.plain.destroy(handles)) {
      this.noteWaiting(handle, [Waiting], false)
      this.stale.push(handle)
      if (this.depth > 0) this.leaving.add(indexOf(handle))
      if (this.depth === 0 && this.world.isAlive(handle))
        throw new Error(`handle ${handle} is alive after destroy`)
    }
  }

  isTaken(handle: number): boolean {
    if (this.depth === 0) this.leaving.clear()
    const index = indexOf(handle)
    if (this.leaving.has(index)) return true
    for (const living of this.plain.entities.keys()) if (indexOf(living) === index) return true
    return false
  }

  /** A handle may be stale no longer. */
  cameBack(handle: number): void {
    for (let at = this.stale.indexOf(handle); at >= 0; at = this.stale.indexOf(handle))
      this.stale.splice(at, 1)
  }

  // ── comparing ────────────────────────────────────────────────────────────────────────────────────────────

  /** All that entities of this script may have. */
  get sorts(): readonly Sort[] {
    return [...SORTS, ...(this.heard === undefined ? [] : OBJECT_SORTS), ...(this.isLinked ? LINK_SORTS : [])]
  }

  compareEntity(handle: number): void {
    if (this.depth > 0) return
    const components = this.plain.componentsOf(handle)
    for (const { kind } of this.sorts) {
      const expected = components.get(kind)
      if (this.world.has(handle, kind) !== (expected !== undefined))
        throw new Error(`has(${handle}, ${kind.componentName}) is wrong`)
      if (this.world.isEnabled(handle, kind) !== (expected !== undefined && !this.plain.isOff(handle, kind)))
        throw new Error(`isEnabled(${handle}, ${kind.componentName}) is wrong`)
      if (isRelation(kind)) this.compareTargets(handle, kind)
      if (kind.kind === 'tag' || (isRelation(kind) && !hasCursor(kind))) continue
      const found = this.world.get(handle, kind) as Values | undefined
      if (!sameValues(found, expected)) {
        throw new Error(
          `get(${handle}, ${kind.componentName}) gives ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
        )
      }
    }
  }

  /** The targets of an entity are in their order, and each link has its values. */
  private compareTargets(handle: number, kind: Kind): void {
    const { plain, world } = this
    const links = plain.links.targetsOf(kind, handle)
    // Who was gone already when the world was saved has no name.
    const named = [...links.keys()].map((target) => (target < 0 ? NULL_ENTITY : target))
    const isListed = (target: number) => target !== NULL_ENTITY || !plain.links.relationOf(kind).isExclusive
    const targets = [...world.targets(handle, relationOf(kind))]
    if (targets.join() !== named.filter(isListed).join())
      throw new Error(
        `the targets of ${handle} in ${kind.componentName} are ${targets.join()}, not ${named.join()}`,
      )
    if (world.target(handle, relationOf(kind)) !== (named[0] ?? NULL_ENTITY))
      throw new Error(`target(${handle}, ${kind.componentName}) is not the first of ${named.join()}`)
    for (const [target, values] of links) {
      if (target < 0) continue
      const pair = pairOf(kind, target)
      if (!world.has(handle, pair))
        throw new Error(`has(${handle}, ${kind.componentName}(${target})) is wrong`)
      const found = world.get(handle as Entity, pair as never) as Values | undefined
      if (!sameValues(found, values)) {
        const expected = JSON.stringify(values)
        throw new Error(
          `the link of ${handle} to ${target} in ${kind.componentName} has ${JSON.stringify(found)}, not ${expected}`,
        )
      }
    }
  }

  /** A cursor read a component: its lists count as written. */
  sawThrough(handle: number, kind: Kind): void {
    if (LISTS.has(kind)) this.plain.stampChanged(handle, kind)
  }
}
