// The other readers of a script, each with a memory of its own: readers of removals, versions of queries, subscribers, and
// systems whose condition is that a resource has changed. They compare outside of blocks, where the plain world is not ahead.

import { expect } from 'vitest'
import {
  type Query,
  type Removal,
  type RemovalReader,
  type Schedule,
  type World,
  changed,
  createSchedule,
  inCreationOrder,
  createRemovalReader,
  onChange,
} from '../../../bindings/index'
import { Ground, Health, Picked, Position, Score, Slot, Waiting, Weight, Wind } from './kinds'
import { ascending } from './numbers'
import type { Kind, Loss, PlainWorld } from './plainWorld'
import { RELATION_KINDS } from './relations'
import { ANY, type PlainTerms, pickTerms, queryTermsOf, withLinks } from './terms'

/** Takes what was removed of one component. */
export class LossReader {
  /** How much of what the plain world lost it has taken; undefined before it was made. */
  taken: number | undefined
  private made: RemovalReader | undefined

  constructor(
    private readonly world: World,
    private readonly kind: Kind,
  ) {}

  take(plain: PlainWorld): void {
    this.made ??= createRemovalReader(this.world, this.kind as never)
    const told = this.made.read()
    const lost = plain.losses.slice(this.taken ?? Infinity).filter(({ kind }) => kind === this.kind)
    const byHandle = new Map<number, [told: Removal[], lost: Loss[]]>()
    const of = (handle: number) => {
      const both = byHandle.get(handle) ?? [[], []]
      byHandle.set(handle, both)
      return both
    }
    for (const removal of told) of(removal.entity)[0].push(removal)
    for (const loss of lost) of(loss.handle)[1].push(loss)
    for (const [handle, [toldOf, lostOf]] of byHandle)
      compareLosses(toldOf, lostOf, `removals of ${this.kind.componentName} from ${handle}`)
    this.taken = plain.losses.length
  }

  end(): void {
    this.made?.dispose()
  }

  /** The world went back: a reader that did not exist then is empty. In a fork it goes on, and notes nothing before it is made. */
  goBack(taken: number | undefined, plain: PlainWorld): void {
    if (taken !== undefined) this.made ??= createRemovalReader(this.world, this.kind as never)
    this.taken = taken ?? (this.made === undefined ? undefined : plain.losses.length)
  }
}

/** What was told of one entity, and what it lost. */
function compareLosses(told: readonly Removal[], lost: readonly Loss[], what: string): void {
  const least = lost.reduce((sum, loss) => sum + loss.least, 0)
  const most = lost.reduce((sum, loss) => sum + loss.most, 0)
  if (told.length < least || told.length > most)
    expect.unreachable(`${what}: told ${told.length} times, not ${least} to ${most} times`)
  if (lost.every(({ died, least, most }) => died !== undefined && least === most))
    expect(
      told.map(({ died }) => died),
      what,
    ).toEqual(lost.map(({ died }) => died))
}

/** What a query asks; it does not say which links. */
function nameOf(query: Query, { links }: PlainTerms): string {
  const named = links.map(({ kind, target, absent }) => {
    const to = typeof target === 'number' ? target : target.componentName
    return `${absent ? 'not ' : ''}${kind.componentName}(${to})`
  })
  return [String(query), ...named].join(', ')
}

/** A query's version, and what a loop visited at each version that was seen, in which order. */
export class VersionReader {
  private readonly known = new Map<number, string>()
  private readonly query: Query

  constructor(
    world: World,
    private readonly terms: PlainTerms,
    private readonly isOldestFirst = false,
  ) {
    const order = isOldestFirst ? [inCreationOrder()] : []
    this.query = world.query(...queryTermsOf(terms), ...order) as unknown as Query
  }

  compare(plain: PlainWorld): void {
    const visited = [...this.query.entities()]
    const matching = plain.matching(this.terms)
    const { version } = this.query
    // The plain world knows its entities in the order in which they were made.
    if (this.isOldestFirst) expect(visited, 'the oldest entity first').toEqual(matching)
    else expect(ascending(visited), nameOf(this.query, this.terms)).toEqual(ascending(matching))
    const order = visited.join()
    const before = this.known.get(version)
    if (before !== undefined && before !== order)
      expect.unreachable(`the version of ${String(this.query)} is ${version} for two results`)
    this.known.set(version, order)
  }
}

/** A subscriber, and what matched when it was last called. */
export class SubscribedReader {
  readonly end: () => void
  private members: number[]
  private readonly query: Query

  constructor(
    world: World,
    private readonly terms: PlainTerms,
  ) {
    const query = world.query(...queryTermsOf(terms)) as unknown as Query
    this.query = query
    this.members = ascending(query.entities())
    this.end = onChange(query, () => void (this.members = ascending(query.entities())))
  }

  compare(plain: PlainWorld): void {
    const now = ascending(plain.matching(this.terms))
    expect(this.members, `what a subscriber of ${String(this.query)} was told`).toEqual(now)
  }
}

const CONDITIONS = [[Ground], [Wind], [Ground, Wind]] as const

/** Systems that run when a resource has changed. */
export class ConditionReaders {
  /** The time up to which each has seen everything. */
  seen: number[] = CONDITIONS.map(() => -1)
  private schedule: Schedule | undefined
  private readonly ran = new Set<number>()

  constructor(private readonly world: World) {}

  run(plain: PlainWorld): void {
    this.schedule ??= this.make()
    this.ran.clear()
    this.schedule.run(0)
    const expected = CONDITIONS.flatMap((resources, i) =>
      resources.every((resource) => (plain.resources.get(resource) ?? -Infinity) > (this.seen[i] as number))
        ? [i]
        : [],
    )
    expect([...this.ran], 'systems whose resources have changed').toEqual(expected)
    this.seen.fill(plain.tick())
  }

  private make(): Schedule {
    const schedule = createSchedule(this.world)
    CONDITIONS.forEach((resources, i) => {
      const run = () => void this.ran.add(i)
      schedule.add(run, { name: `system ${i}`, runIf: changed(...(resources as readonly [typeof Ground])) })
    })
    return schedule
  }
}

export function makeLossReaders(world: World, lost: readonly Kind[]): LossReader[] {
  return lost.map((kind) => new LossReader(world, kind))
}

const WATCHED = [11, 12, 13, 14, 15]

/** What programs bring into an order: tags, a pool that is sorted, one that is sorted as another, pools of a group. */
const ORDERED: readonly (readonly Kind[])[] = [
  [Waiting],
  [Picked],
  [Health],
  [Score],
  [Health, Weight],
  [Waiting, Position],
  [Slot],
]

/** Readers of random terms first, then one for each order. */
export function makeVersionReaders(world: World, isLinked: boolean): VersionReader[] {
  const oldestFirst = [{ ...ANY, required: [Position] }, pickTerms(16, isLinked)]
  const relations = isLinked ? RELATION_KINDS.map((kind) => [kind]) : []
  const linked = isLinked ? [17, 18, 19].map((n) => withLinks(pickTerms(n, true), n, [])) : []
  return [
    ...WATCHED.map((n) => new VersionReader(world, pickTerms(n, isLinked))),
    ...[...ORDERED, ...relations].map((required) => new VersionReader(world, { ...ANY, required })),
    ...linked.map((terms) => new VersionReader(world, terms)),
    ...oldestFirst.map((terms) => new VersionReader(world, terms, true)),
  ]
}

export function makeSubscribedReaders(world: World, isLinked: boolean): SubscribedReader[] {
  const linked = isLinked ? [17, 18].map((n) => withLinks(pickTerms(n, true), n, [])) : []
  return [...WATCHED.map((n) => pickTerms(n, isLinked)), ...linked].map(
    (terms) => new SubscribedReader(world, terms),
  )
}
