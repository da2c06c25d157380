// Owns a world and the plain world side by side, with what steps of every family need: entities to choose, births and deaths,
// comparisons of one entity, and the way back to what was.
// It must never carry out a step: the files in steps/ do, and session.ts calls them.

import type { Commands, World } from '../../../bindings/index'
import { ConditionReaders, makeLossReaders, makeSubscribedReaders, makeVersionReaders } from './otherReaders'
import {
  LISTS,
  LOST,
  NULL_ENTITY,
  OBJECT_SORTS,
  REVIVED,
  SORTS,
  Sprite,
  Health,
  Waiting,
  Weight,
  isObject,
  sortByKind,
} from './kinds'
import { type Heard, listen } from './listening'
import { indexOf, mix, pickKinds } from './numbers'
import { type Kind, PlainWorld, type Sort, type Values, sameValues } from './plainWorld'
import { makeReaders } from './readers'
import { type PlainTerms, pickTerms } from './terms'

/** What a session knew at one time. */
export interface Mark {
  readonly plain: PlainWorld
  readonly stale: readonly number[]
  readonly waiting: readonly number[] | undefined
  /** What each reader had seen. */
  readonly seen: readonly number[]
  readonly taken: readonly (number | undefined)[]
  readonly conditions: readonly number[]
}

export class State {
  plain = new PlainWorld((kind) => (sortByKind.get(kind) as Sort).defaults, new Set(LOST))
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
  readonly isGrouped: boolean
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
    this.heard = querySeed % 2 === 1 ? listen(world) : undefined
    this.isGrouped = querySeed % 4 < 2
    if (this.isGrouped) world.group(Health, Weight)
    this.readers = makeReaders(world, querySeed)
    this.lossReaders = makeLossReaders(world)
    this.versions = makeVersionReaders(world)
    this.subscribed = (querySeed >>> 2) % 2 === 1 ? makeSubscribedReaders(world) : []
    this.conditions = new ConditionReaders(world)
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
      for (const [handle, components] of this.plain.entities) {
        if (!components.has(kind)) continue
        const kept = before[i]?.get(handle)
        if (kept !== undefined) components.set(kind, kept)
        else if ((kind as unknown) === Sprite) components.set(kind, { n: REVIVED })
        else this.plain.remove(handle, [kind])
      }
    })
    this.heard?.rebuild(this.plain)
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

  /** Readers that the world itself keeps are there no longer. */
  end(): void {
    for (const reader of [...this.lossReaders, ...this.subscribed]) reader.end()
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

  valuesFor(kinds: readonly Kind[], n: number): (Values | undefined)[] {
    return kinds.map((kind, i) =>
      mix(n, i) % 2 || isObject(kind) ? (sortByKind.get(kind) as Sort).make(mix(n, i + 5)) : undefined,
    )
  }

  ingredients(kinds: readonly Kind[], values: readonly (Values | undefined)[]) {
    return kinds.map((kind, i) => (values[i] === undefined || kind.kind === 'tag' ? kind : kind(values[i])))
  }

  /** Components for one entity: with objects, where somebody listens. */
  pickAny(n: number): Kind[] {
    const kinds = pickKinds(n)
    if (this.heard === undefined || mix(n, 7) % 3 !== 0) return kinds
    return [(OBJECT_SORTS[mix(n, 8) % 2] as Sort).kind, ...kinds]
  }

  termsOf(n: number): PlainTerms {
    return pickTerms(mix(this.querySeed, n % this.queryCount))
  }

  get free(): number {
    return this.depth > 0 ? this.room : this.limit - this.plain.entities.size
  }

  // ── births and deaths ────────────────────────────────────────────────────────────────────────────────────

  /** Keeps in mind in which order Waiting came and went. */
  noteWaiting(handle: number, kinds: readonly Kind[], added: boolean): void {
    if (this.waiting === undefined || !kinds.includes(Waiting)) return
    const place = this.waiting.indexOf(handle)
    if (added && place < 0) this.waiting.push(handle)
    if (!added && place >= 0) this.waiting.splice(place, 1)
  }

  born(handle: number, kinds: readonly Kind[], values: readonly (Values | undefined)[]): void {
    if (this.plain.entities.has(handle)) throw new Error(`handle ${handle} was given out while it is alive`)
    if (!this.world.isAlive(handle)) throw new Error(`handle ${handle} is not alive after spawn`)
    this.plain.spawn(handle, kinds, values)
    this.noteWaiting(handle, kinds, true)
    this.room--
  }

  died(handle: number): void {
    this.noteWaiting(handle, [Waiting], false)
    this.plain.destroy(handle)
    this.stale.push(handle)
    if (this.depth > 0) this.leaving.add(indexOf(handle))
    if (this.depth === 0 && this.world.isAlive(handle))
      throw new Error(`handle ${handle} is alive after destroy`)
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

  compareEntity(handle: number): void {
    if (this.depth > 0) return
    const components = this.plain.componentsOf(handle)
    for (const { kind } of this.heard === undefined ? SORTS : [...SORTS, ...OBJECT_SORTS]) {
      const expected = components.get(kind)
      if (this.world.has(handle, kind) !== (expected !== undefined))
        throw new Error(`has(${handle}, ${kind.componentName}) is wrong`)
      if (this.world.isEnabled(handle, kind) !== (expected !== undefined && !this.plain.isOff(handle, kind)))
        throw new Error(`isEnabled(${handle}, ${kind.componentName}) is wrong`)
      if (kind.kind === 'tag') continue
      const found = this.world.get(handle, kind) as Values | undefined
      if (!sameValues(found, expected)) {
        throw new Error(
          `get(${handle}, ${kind.componentName}) gives ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
        )
      }
    }
  }

  /** A cursor read a component: its lists count as written. */
  sawThrough(handle: number, kind: Kind): void {
    if (LISTS.has(kind)) this.plain.stampChanged(handle, kind)
  }
}
