// What remembers the sources of single targets in a script: versions, subscribers and listeners of queries with a link to a
// target, or without one, each begun at some step of the script. It compares outside of blocks, where the plain world is not
// ahead.

import { expect } from 'vitest'
import { onEnter, onExit, onChange, type Query, type World } from '../../../bindings/index'
import { ascending } from './numbers'
import { VersionReader } from './otherReaders'
import type { PlainWorld } from './plainWorld'
import { type PlainTerms, queryTermsOf } from './terms'

/** So many are watched in a script; those that come then are not. */
const MOST = 10

interface Watched {
  readonly terms: PlainTerms
  readonly version: VersionReader
  /** What a subscriber found when it was last called, in order. */
  told: readonly number[]
  readonly query: Query
  /** Who has entered and not yet left; undefined where nobody listens, or listeners cannot follow. */
  readonly members: Set<number> | undefined
  readonly ends: readonly (() => void)[]
}

/** Sources in their order where one living target is all that decides it. */
function inOrder(terms: PlainTerms): boolean {
  const [link] = terms.links
  return terms.links.length === 1 && link?.absent === false && typeof link.target === 'number'
}

export class WatchedTargets {
  private readonly watched: Watched[] = []

  constructor(
    private readonly world: World,
    private readonly isHeard: boolean,
  ) {}

  watch(terms: PlainTerms): void {
    const { world } = this
    if (this.watched.length === MOST) return
    const query = world.query(...queryTermsOf(terms)) as unknown as Query
    const canFollow = terms.links.every(({ target }) => typeof target === 'number')
    const members = this.isHeard && canFollow ? new Set<number>(query.entities()) : undefined
    const watched: Watched = {
      terms,
      version: new VersionReader(world, terms),
      told: [...query.entities()],
      query,
      members,
      ends: [
        onChange(query, () => void (watched.told = [...query.entities()])),
        ...(members === undefined ? [] : this.follow(query, members)),
      ],
    }
    this.watched.push(watched)
  }

  private follow(query: Query, members: Set<number>): (() => void)[] {
    const enter = onEnter(query, (handle) => {
      if (members.has(handle)) throw new Error(`${handle} entered ${String(query)} twice`)
      members.add(handle)
    })
    const exit = onExit(query, (handle) => {
      if (!members.delete(handle)) throw new Error(`${handle} left ${String(query)} and never entered`)
    })
    return [enter, exit]
  }

  compare(plain: PlainWorld): void {
    for (const { terms, version, told, query, members } of this.watched) {
      version.compare(plain)
      const expected = ascending(plain.matching(terms))
      const now = [...query.entities()]
      if (inOrder(terms)) expect(told, `what a subscriber of ${String(query)} was told`).toEqual(now)
      else expect(ascending(told), `what a subscriber of ${String(query)} was told`).toEqual(expected)
      if (members !== undefined) expect(ascending(members), `who entered ${String(query)}`).toEqual(expected)
    }
  }

  get count(): number {
    return this.watched.length
  }

  /** The world is another one than before, when so many were watched: this is what there is now. */
  rebuild(plain: PlainWorld, count: number): void {
    for (const { ends } of this.watched.splice(count)) ends.forEach((end) => end())
    for (const { terms, members } of this.watched) {
      members?.clear()
      for (const handle of plain.matching(terms)) members?.add(handle)
    }
  }

  end(): void {
    for (const { ends } of this.watched) ends.forEach((end) => end())
  }
}
