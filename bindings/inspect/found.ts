// Owns what `find` returns: how many entities match, and pages of them. It must never keep a list of entities.

import { arrayOf } from '../components/fieldMemory'
import { type Query, StrataTypeError, type World } from '../index'
import { describe } from '../memory/describe'
import type { Entity } from '../memory/entity'
import type { WorldState } from '../rows/worldState'
import { ComponentLists } from './entity'
import { InspectError } from './filterError'
import { type Meaning, type Subject, meaningOf } from './filterMeaning'
import { type FilterQuery, fieldName, queryFor } from './filterQuery'
import { type Filter, parseFilter } from './filterSyntax'
import { type Rank, Ranking } from './ranking'
import { valueOf } from './rowTest'
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
   * for. Copies no more than these. Cost: without an order, that of passing over the chunks before them, or over their rows
   * where rows must be told apart; with one, a look at the value of every match, and beyond the first 4,096 places a sort.
   *
   * @param offset a whole number from 0
   * @param limit a whole number from 0
   * @throws StrataTypeError INVALID_OPTION
   */
  page(offset: number, limit: number): Entity[]
  /** The same entities with the names of their components, for a list. */
  rows(offset: number, limit: number): FoundRow[]
}

/** Up to which place the first in an order are picked out; beyond, all are sorted, which costs less then. */
const MOST_PICKED = 4096

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
  readonly meaning: Meaning | undefined
}

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
    return this.current().test !== undefined
  }

  get count(): number {
    const { query, test } = this.current()
    if (query === undefined) return 0
    if (test === undefined) return query.count
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
    const { query, test, meaning } = this.current()
    if (query === undefined || limit === 0) return []
    if (meaning?.order !== undefined) return this.ordered(query, meaning.order, offset, limit)
    const entities: Entity[] = []
    if (test === undefined) {
      for (const { start, end, entities: handles } of query.page(offset, limit))
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
    const { query, test } = this.current()
    if (query === undefined) return
    for (const { start, end, entities } of query) {
      for (let row = start; row < end; row++) {
        const entity = entities[row] as Entity
        if ((test === undefined || test(entity)) && !visit(entity)) return
      }
    }
  }

  // ── order ──────────────────────────────────────────────────────────────────────────────────────────────

  private ordered(
    query: Query,
    { subject, descending }: NonNullable<Meaning['order']>,
    offset: number,
    limit: number,
  ): Entity[] {
    const end = offset + limit
    const isSortable = this.current().test === undefined && !subject.isVec
    if (isSortable && end > MOST_PICKED) {
      const order = descending ? 'descending' : 'ascending'
      const { definition } = subject.registration
      const sorted = query.sorted(definition as never, fieldName(subject) as never, { order, limit: end })
      return Array.from(sorted.subarray(offset))
    }
    const state = stateOf(this.world)
    const ranking = new Ranking(state.heap, descending, end)
    const offer = (rank: Rank, entity: number) => ranking.offer(rank, entity)
    if (this.current().test === undefined && this.isColumn(query, subject))
      offerColumn(state, query, subject, offer)
    else {
      const value = valueOf(subject, state)
      this.each((entity) => {
        offer(value(entity) as Rank, entity)
        return true
      })
    }
    return ranking.from(offset) as Entity[]
  }

  /** Whether every run of the query has the field as a column of numbers. */
  private isColumn(query: Query, { registration, kind }: Subject): boolean {
    return kind !== 'text' && query.source.plan().requiredColumn(registration.definition) >= 0
  }

  // ── what the filter means now ──────────────────────────────────────────────────────────────────────────

  private current(): Resolved {
    const state = stateOf(this.world)
    if (this.resolved.generation !== state.generation)
      this.resolved = this.resolve(state, this.meaningNow(state))
    return this.resolved
  }

  /** Undefined while the world does not know what the filter names: it started over, or went back. */
  private meaningNow(state: WorldState): Meaning | undefined {
    try {
      return meaningOf(this.filter, state)
    } catch (error) {
      if (error instanceof InspectError) return undefined
      throw error
    }
  }

  private resolve(state: WorldState, meaning: Meaning | undefined): Resolved {
    const { generation } = state
    if (meaning === undefined) return { generation: -1, meaning, query: undefined, test: undefined }
    return { generation, meaning, ...queryFor(meaning, this.world, state) }
  }
}

/** Offers the values of a column, which every run of the query has. */
function offerColumn(
  state: WorldState,
  query: Query,
  { registration, field, kind, place }: Subject,
  offer: (rank: number, entity: number) => void,
): void {
  const { definition } = registration
  const { length } = definition.fields[field] as { readonly length: number }
  const name = definition.fieldNames[field] as string
  for (const chunk of query) {
    const { start, end, entities } = chunk
    const array = arrayOf(state.heap, kind)
    const first = (chunk as unknown as IndexedChunk).index(definition, name) + place
    for (let row = start; row < end; row++)
      offer(array[first + row * length] as number, entities[row] as number)
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
