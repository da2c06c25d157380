// The queries that remember what they have seen, and what the plain world says that they still owe: each way to look, and the
// looks that only peek.

import { expect } from 'vitest'
import { type Query, type World, added, changed } from '../../../bindings/index'
import { isSteady } from '../world'
import { NUMBERS, TIMED, isTracked } from './kinds'
import { mix } from './numbers'
import type { Kind, PlainWorld } from './plainWorld'
import { RELATION_KINDS } from './relations'
import { ANY, type PlainTerms, pickTerms, queryTermsOf, withLevels, withLinks } from './terms'

export type Mode = 'changed' | 'added' | 'changed, not added'

export interface Asked {
  readonly kind: Kind
  readonly mode: Mode
}

/** A condition on a number, as the query takes it. */
interface Condition {
  readonly kind: Kind
  readonly field: string
  readonly most: number
}

/** How many queries with a memory a script has. */
export const READERS = 12

/** What a query found, and whether that counts as a look. */
export interface Found {
  readonly handles: readonly number[]
  readonly isLook: boolean
}

/** Each way to find all that a query has to find. */
export const WAYS: Readonly<Record<string, (query: Query) => Found>> = {
  entities: (query) => ({ handles: [...query.entities()], isLook: true }),
  each(query) {
    const handles: number[] = []
    query.each((handle) => void handles.push(handle))
    return { handles, isLook: true }
  },
  loop(query) {
    const handles: number[] = []
    for (const chunk of query)
      for (let i = chunk.start; i < chunk.end; i++) handles.push(chunk.entities[i] as number)
    return { handles, isLook: true }
  },
  page: (query) => ({ handles: [...query.slice(0, 1e6).entities()], isLook: false }),
  counts(query) {
    const handles = [...query.slice(0, 1e6).entities()]
    expect([query.count, query.isEmpty]).toEqual([handles.length, handles.length === 0])
    const first = query.first()
    expect(first === undefined ? handles.length === 0 : handles.includes(first)).toBe(true)
    return { handles, isLook: false }
  },
  parts(query) {
    const parts = [0, 1, 2].map((i) => [...query.partition(i, 3).entities()])
    return { handles: parts.flat(), isLook: false }
  },
  brokenLoop(query) {
    const handles = [...query.slice(0, 1e6).entities()]
    for (const _ of query) break
    // A loop over nothing has come to its end.
    return { handles, isLook: handles.length === 0 }
  },
}
const NAMES = Object.keys(WAYS)

/** A query with a memory, and what the plain world knows of what it has seen. */
export class Reader {
  /** The time up to which it has seen everything. */
  seen = -1
  private made: Query | undefined

  constructor(
    private readonly world: World,
    readonly asked: readonly Asked[],
    private readonly terms: PlainTerms,
    private readonly condition: Condition | undefined,
  ) {}

  get query(): Query {
    const { asked, terms, world } = this
    this.made ??= world.query(
      ...asked.map(({ kind, mode }) => {
        const only = kind as never
        if (mode === 'added') return added(only)
        return mode === 'changed' ? changed(only) : changed(only, { added: false })
      }),
      ...queryTermsOf(terms),
    ) as unknown as Query
    return this.made
  }

  get name(): string {
    const asked = this.asked.map(({ kind, mode }) => `${mode}(${kind.componentName})`)
    return `${asked.join(', ')}${this.condition === undefined ? '' : ' where'}: ${String(this.made)}`
  }

  /** The query, narrowed by its condition. */
  get narrowed(): Query {
    const { condition, query } = this
    if (condition === undefined) return query
    return query.where(
      condition.kind as never,
      condition.field as never,
      '<=',
      condition.most as never,
    ) as unknown as Query
  }

  /** Looks in the way of a number, and compares. */
  look(plain: PlainWorld, n: number): void {
    const way = WAYS[NAMES[n % NAMES.length] as string] as (query: Query) => Found
    const places = this.placesNow(plain)
    const { handles, isLook } = way(this.narrowed)
    this.check(plain, handles, NAMES[n % NAMES.length] as string, places)
    if (isLook) this.sawAll(plain)
  }

  sawAll(plain: PlainWorld): void {
    this.seen = plain.tick()
  }

  /** Entities that match, whether they changed or not. */
  private candidates(plain: PlainWorld): number[] {
    const { asked, condition, terms } = this
    const required = [...terms.required, ...asked.map(({ kind }) => kind)]
    const all = plain.matching({ ...terms, required })
    if (condition === undefined) return all
    const { kind, field, most } = condition
    return all.filter((handle) => (plain.componentsOf(handle).get(kind)?.[field] as number) <= most)
  }

  /** Whether an entity was surely found, or perhaps, if the plain world is right. */
  private isOwed(plain: PlainWorld, handle: number, surely: boolean): boolean {
    return this.asked.every(({ kind, mode }) => {
      const stamp = plain.stampOf(handle, kind)
      if (stamp === undefined) throw new Error(`no time of ${kind.componentName}`)
      const hasChanged = (surely ? stamp.changed : stamp.changedBy) > this.seen
      if (mode === 'changed') return hasChanged
      const isNew = stamp.added > this.seen
      return mode === 'added' ? isNew : hasChanged && !isNew
    })
  }

  private fail(way: string, what: string): never {
    expect.unreachable(`${way} of ${this.name} ${what}`)
  }

  /** What must be found is found. */
  checkComplete(plain: PlainWorld, found: ReadonlySet<number>, way: string): void {
    for (const handle of this.candidates(plain))
      if (!plain.isUnsure(handle, this.terms) && !found.has(handle) && this.isOwed(plain, handle, true))
        this.fail(way, `misses ${handle}`)
  }

  /** What must be found is found, and where rows are tracked nothing else. */
  check(plain: PlainWorld, found: readonly number[], way: string, places?: Places): void {
    const list = new Set(found)
    if (list.size !== found.length) this.fail(way, 'finds an entity twice')
    this.checkComplete(plain, list, way)
    this.checkLevels(plain, found, way)
    const candidates = new Set(this.candidates(plain))
    for (const handle of list) {
      if (plain.isUnsure(handle, this.terms)) continue
      if (!candidates.has(handle)) this.fail(way, `finds ${handle}, which does not match`)
      if (this.isOwed(plain, handle, false)) continue
      for (const one of this.asked) {
        const alone = new Reader(this.world, [one], ANY, undefined)
        alone.seen = this.seen
        if (!alone.isOwed(plain, handle, false) && alone.isVain(plain, handle, one.kind, places))
          this.fail(way, `finds ${handle} in vain`)
      }
    }
  }

  /** A target comes before its sources, where links cannot lead in a circle. */
  private checkLevels(plain: PlainWorld, found: readonly number[], way: string): void {
    const { levels } = this.terms
    if (levels === undefined || plain.isInBlock) return
    const places = new Map(found.map((handle, place) => [handle, place]))
    for (const [handle, place] of places)
      for (const target of plain.links.targetsOf(levels, handle).keys())
        if ((places.get(target) ?? -1) > place) this.fail(way, `finds ${handle} before its target`)
  }

  /** Whether nothing can have marked the chunk in which an entity's component lies. */
  private isVain(plain: PlainWorld, handle: number, kind: Kind, places: Places | undefined): boolean {
    if (isTracked(kind)) return true
    if ((plain.stampedAt.get(kind) ?? 0) <= this.seen) return true
    const places_ = places?.get(kind)
    // Rows that move bring the time of their chunks along.
    if (places_ === undefined || plain.movedAt > this.seen || !isSteady) return false
    const chunk = places_.get(handle)
    for (const [other, place] of places_)
      if (place === chunk && this.isOwed(plain, other, false)) return false
    return true
  }

  /** In which chunk the component of each entity lies, for those that are tracked by chunk. */
  private placesNow(plain: PlainWorld): Places {
    const places: Places = new Map()
    if (plain.movedAt > this.seen) return places
    for (const { kind } of this.asked) {
      if (isTracked(kind)) continue
      const place = new Map<number, number>()
      for (const chunk of this.world.query(kind as never))
        for (let i = chunk.start; i < chunk.end; i++)
          place.set(chunk.entities[i] as number, chunk.entities.byteOffset)
      places.set(kind, place)
    }
    return places
  }
}

type Places = Map<Kind, Map<number, number>>

/** The readers of a script: alone and with other terms, in every mode, some with a condition. */
export function makeReaders(world: World, seed: number, isLinked: boolean): Reader[] {
  const timed = isLinked ? [...TIMED, ...RELATION_KINDS] : TIMED
  return Array.from({ length: READERS }, (_, i) => {
    const n = mix(seed, 200 + i)
    const kinds = [timed[mix(n, 1) % timed.length] as Kind, timed[mix(n, 2) % timed.length] as Kind]
    const asked = [...new Set(i % 4 === 3 ? kinds : kinds.slice(0, 1))].map((kind, k) => ({
      kind,
      mode: pickMode(kind, mix(n, 3 + k)),
    }))
    const isAsked = (kind: Kind) => asked.some((one) => one.kind === kind)
    const number = NUMBERS.find(([kind]) => isAsked(kind))
    const condition =
      number !== undefined && mix(n, 7) % 3 === 0
        ? { kind: number[0], field: number[1], most: mix(n, 8) % 40_000 }
        : undefined
    const others = i % 2 === 0 ? ANY : pickOthers(mix(n, 9), isAsked, isLinked)
    const terms = isLinked && mix(n, 10) % 3 === 0 ? withLevels(others) : others
    return new Reader(world, asked, terms, condition)
  })
}

function pickMode(kind: Kind, n: number): Mode {
  if (!isTracked(kind) || kind.kind === 'tag') return n % 2 === 0 || kind.kind === 'tag' ? 'added' : 'changed'
  return (['changed', 'added', 'changed, not added'] as const)[n % 3] as Mode
}

/** Other terms, not about what is asked already, and few enough that something matches. */
function pickOthers(n: number, isAsked: (kind: Kind) => boolean, isLinked: boolean): PlainTerms {
  const { required, excluded, anyOf } = pickTerms(n, isLinked)
  const others = (kinds: readonly Kind[], most: number) =>
    kinds.filter((kind) => !isAsked(kind)).slice(0, most)
  const groups = anyOf.filter((group) => group.length > 1 && !group.some(({ kind }) => isAsked(kind)))
  const terms = {
    ...ANY,
    required: others(required, n % 2),
    excluded: others(excluded, 1),
    anyOf: n % 4 === 0 ? groups.slice(0, 1) : [],
  }
  if (!isLinked || mix(n, 1) % 3 !== 0) return terms
  const { links } = withLinks(terms, n, [])
  return { ...terms, links: links.filter(({ kind }) => !isAsked(kind)) }
}
