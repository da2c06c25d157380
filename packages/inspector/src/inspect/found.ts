// Owns what `find` returns: how many entities match, and pages of them. It must never keep a list of entities.

import { arrayOf } from '../../../../bindings/components/fieldMemory'
import {
  type Entity,
  type Query,
  sortedEntities,
  StrataTypeError,
  type World,
} from '../../../../bindings/index'
import { describe } from '../../../../bindings/memory/describe'
import type { WorldState } from '../../../../bindings/state/worldState'
import { ComponentLists } from './entity'
import { InspectError } from './filterError'
import { type FilterCondition, type FilterMeaning, type Subject, meaningOf } from './filterMeaning'
import { type FilterQuery, NOTHING, fieldName, queryFor } from './filterQuery'
import { type Filter, parseFilter } from './filterSyntax'
import { type Rank, Ranking } from './ranking'
import { testOf, valueOf } from './rowTest'
import { stateOf } from './source'

/** An entity that was found, with the names of its components. */
export interface FoundRow {
  readonly entity: Entity
  readonly components: readonly string[]
}

/** The order that a filter asks for. */
export interface FoundOrder {
  readonly component: string
  readonly field: string
  readonly descending: boolean
}

/**
 * The entities that match a filter, at the time of each call: keep it, and ask again after the world has changed. After a
 * reset nothing matches until the world has met the components again.
 */
export interface Found {
  /** The filter as it was given. */
  readonly text: string
  /** What the filter says of the order; undefined for that of a loop. */
  readonly order: FoundOrder | undefined
  /**
   * How many entities match. Cost: next to nothing for terms over table components and tags; for sparse terms, switches and
   * comparisons, that of looking at every row in the core; where `isByRow`, a call of JavaScript for each candidate.
   */
  readonly count: number
  /** Whether a part of the filter is evaluated in JavaScript, entity by entity: see `find`. */
  readonly isByRow: boolean
  /**
   * The handles of at most `limit` entities from place `offset` on, in the order of a loop or in that which the filter asks
   * for. Copies only the handles that it returns. Cost: without an order, that of passing over the chunks before them, or over their rows
   * where rows must be told apart; with one, a look at the value of every match, and beyond the first 4,096 places a sort.
   *
   * @param offset a whole number from 0
   * @param limit a whole number from 0
   * @throws StrataTypeError INVALID_OPTION
   */
  page(offset: number, limit: number): Entity[]
  /** The entities of such a page, each with the names of its components: for a list. */
  rows(offset: number, limit: number): FoundRow[]
}

/** Up to which place the first in an order are picked out; beyond, all are sorted, which costs less then. */
const MOST_PICKED = 4096
/** One match in so many candidates is few. */
const FEW = 16

/** @throws InspectError, StrataTypeError INVALID_OPTION */
export function findIn(world: World, text: unknown): Found {
  if (typeof text !== 'string') {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `find takes a filter such as 'Position & !Frozen', not ${describe(text)}.`,
    )
  }
  return new FoundEntities(world, parseFilter(text))
}

/** What a filter means, and how it is carried out, until the world starts over. */
interface Resolved extends FilterQuery {
  readonly generation: number
  readonly meaning: FilterMeaning | undefined
}

type Order = NonNullable<FilterMeaning['order']>

class FoundEntities implements Found {
  readonly text: string
  readonly order: FoundOrder | undefined
  private resolved: Resolved

  constructor(
    private readonly world: World,
    private readonly filter: Filter,
  ) {
    this.text = filter.text
    this.order = filter.order && {
      component: filter.order.subject.component.name,
      field: filter.order.subject.field.name,
      descending: filter.order.descending,
    }
    const state = stateOf(world)
    this.resolved = this.resolve(state, meaningOf(filter, state))
  }

  get isByRow(): boolean {
    const { rows, candidates } = this.current()
    return rows !== undefined && candidates === undefined
  }

  get count(): number {
    const { query, rows } = this.current()
    if (rows === undefined) return query?.count ?? 0
    let count = 0
    this.each(() => {
      count++
      return true
    })
    return count
  }

  page(offset: number, limit: number): Entity[] {
    checkPlace('the offset', offset)
    checkPlace('the limit', limit)
    const { query, rows, meaning } = this.current()
    if (limit === 0 || (query === undefined && rows === undefined)) return []
    if (meaning?.order !== undefined) return this.ordered(query, meaning.order, offset, limit)
    const entities: Entity[] = []
    if (rows === undefined && query !== undefined) {
      for (const { start, end, entities: handles } of query.slice(offset, offset + limit))
        for (let row = start; row < end; row++) entities.push(handles[row] as Entity)
      return entities
    }
    let place = 0
    this.each((entity) => {
      if (place++ >= offset) entities.push(entity)
      return entities.length < limit
    })
    return entities
  }

  rows(offset: number, limit: number): FoundRow[] {
    const page = this.page(offset, limit)
    if (page.length === 0) return []
    const lists = new ComponentLists(stateOf(this.world))
    return page.map((entity) => ({
      entity,
      components: lists.of(entity).map(({ definition }) => definition.componentName),
    }))
  }

  /** Visits the entities that match, in the order of a loop, until the visitor returns false. */
  private each(visit: (entity: Entity) => boolean): void {
    const { query, rows, candidates } = this.current()
    const state = stateOf(this.world)
    // Before arrays over the memory are kept: to plan a query may let it grow.
    query?.source.plan()
    const test = rows && testOf(rows, state)
    for (const entity of candidates ?? [])
      if (state.isAlive(entity) && test?.(entity) === true && !visit(entity as Entity)) return
    if (query === undefined) return
    for (const { start, end, entities } of query) {
      for (let row = start; row < end; row++) {
        const entity = entities[row] as Entity
        if ((test === undefined || test(entity)) && !visit(entity)) return
      }
    }
  }

  // ── order ──────────────────────────────────────────────────────────────────────────────────────────────

  private ordered(query: Query | undefined, order: Order, offset: number, limit: number): Entity[] {
    const { subject, descending } = order
    const end = offset + limit
    const { rows } = this.current()
    if (query !== undefined && rows === undefined && !subject.isVec && end > MOST_PICKED) {
      const direction = descending ? 'descending' : 'ascending'
      const { definition } = subject.registration
      const options = { order: direction, limit: end } as const
      const ordered = sortedEntities(query, definition as never, fieldName(subject) as never, options)
      return Array.from(ordered.subarray(offset))
    }
    const state = stateOf(this.world)
    const ranking = new Ranking(state.heap, descending, end)
    if (query !== undefined && this.picksFromColumns(query, subject)) this.pick(ranking, order)
    else {
      query?.source.plan()
      const value = valueOf(subject, state)
      this.each((entity) => {
        const rank = value(entity) as Rank
        if (ranking.wants(rank, entity)) ranking.take(rank, entity)
        return true
      })
    }
    return ranking.from(offset) as Entity[]
  }

  /**
   * Whether it pays to look at the column of all candidates, and to ask only those for the rest of the filter that would be
   * among the first: not where few match, for then almost all are asked.
   */
  private picksFromColumns(query: Query, { registration, kind }: Subject): boolean {
    const { base, rows } = this.current() as { base: Query; rows: FilterCondition | undefined }
    if (kind === 'text' || base.source.plan().requiredColumn(registration.definition) < 0) return false
    return rows !== undefined || query === base || query.count * FEW > base.count
  }

  private pick(ranking: Ranking, { subject, descending }: Order): void {
    const { base, compared, rows } = this.current()
    const state = stateOf(this.world)
    const parts = rows === undefined ? [compared] : [compared, rows]
    const test = testOf({ kind: 'and', parts }, state)
    const { definition } = subject.registration
    const { length } = definition.fields[subject.field] as { readonly length: number }
    const array = arrayOf(state.heap, subject.kind)
    // What the last of the first has; nothing is beyond NaN, so all are looked at until there are enough.
    let bar = NaN
    for (const chunk of base as Query) {
      const { start, end, entities } = chunk
      const first = (chunk as unknown as IndexedChunk).index(definition, fieldName(subject)) + subject.place
      for (let row = start; row < end; row++) {
        const rank = array[first + row * length] as number
        // Most end here.
        if (descending ? rank < bar : rank > bar) continue
        const entity = entities[row] as number
        if (!ranking.wants(rank, entity) || !test(entity)) continue
        ranking.take(rank, entity)
        if (ranking.isFull) bar = ranking.last as number
      }
    }
  }

  // ── what the filter means now ──────────────────────────────────────────────────────────────────────────

  private current(): Resolved {
    const state = stateOf(this.world)
    if (this.resolved.generation !== state.generation)
      this.resolved = this.resolve(state, this.meaningNow(state))
    return this.resolved
  }

  /** Undefined while the world does not know what the filter names: it started over, or went back. */
  private meaningNow(state: WorldState): FilterMeaning | undefined {
    try {
      return meaningOf(this.filter, state)
    } catch (error) {
      if (error instanceof InspectError) return undefined
      throw error
    }
  }

  private resolve(state: WorldState, meaning: FilterMeaning | undefined): Resolved {
    const { generation } = state
    if (meaning === undefined) return { generation: -1, meaning, ...NOTHING }
    return { generation, meaning, ...queryFor(meaning, this.world) }
  }
}

interface IndexedChunk {
  index(component: unknown, field: string): number
}

function checkPlace(what: string, value: unknown): void {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return
  throw new StrataTypeError(
    'INVALID_OPTION',
    `find: ${what} of a page is a whole number from 0, not ${describe(value)}.`,
  )
}
