// Owns the Query that world.query returns. Its calls are spread over three classes, each built on the one before:
//
//   QueryRows     rows.ts    loops, each, run; count, isEmpty, first, single, entities, sorted, version
//   QueryChanges  bulk.ts    add, remove, destroy, enable, disable
//   Query         below      where, page, partition, at; subscribe, dispose
//
// It must never walk anything by itself: that is the part of loops/.

import { definitionOf } from '../components/definition'
import { refuseUntargeted } from '../components/untargeted'
import { notAComponent } from '../components/notAComponent'
import type { Term } from '../components/terms'
import type { ComparableFields, ComparisonOf, ComponentsWithData, ConditionValue } from '../components/types'
import { observersOf } from '../events/observersOf'
import type { Listener } from '../events/subscribers'
import { parseCondition } from '../matching/conditions'
import { cutToWindow } from '../loops/window'
import { type WalkChoice, narrowedWalk, ownWalk } from '../loops/walk'
import type { Look, Related } from '../matching/filters'
import { hasData } from '../matching/plan'
import { MAKING, checkFunction, checkWhole, refuseByHand } from '../memory/arguments'
import type { Entity } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { INSPECT, showEntities } from '../memory/inspection'
import { QueryChanges } from './bulk'
import type { QuerySource } from './source'

const EVERYTHING: Look = { conditions: [], offset: 0, limit: Infinity, cut: undefined, consumes: true }

/**
 * All entities that have, and do not have, certain components. Made by world.query; keep it and reuse it. Once it is
 * disposed of, or its world is, every call throws.
 */
export class Query<
  T extends readonly Term[] = readonly Term[],
  Grouped extends boolean = false,
> extends QueryChanges<T, Grouped> {
  /** The function that `subscribe` returns, made when it is first asked for. */
  private bound: ((listener: Listener) => () => void) | undefined
  /** @internal What it asks in addition to its source, targets and an order: equal in queries that ask the same. */
  asks: string | undefined

  /** @internal Use world.query. */
  static make(source: QuerySource): Query {
    return new Query(source, EVERYTHING, ownWalk, MAKING)
  }

  private constructor(source: QuerySource, look: Look, walkOf: WalkChoice, key: symbol) {
    refuseByHand(key, 'Query', 'world.query(…)')
    super(source, look, walkOf)
  }

  /**
   * The entity at place `index` in the order in which a loop visits the matches, or undefined past the last one.
   * Cost: the number of chunks, or of rows where they must be told apart.
   *
   * @param index a whole number from 0
   * @throws StrataTypeError INVALID_OPTION
   */
  at(index: number): Entity | undefined {
    checkWhole('at', 'the index', index)
    return this.page(index, 1).first()
  }

  /**
   * A query for those of its entities whose field compares with a value as given. Conditions can be chained; all of
   * them must hold. They are evaluated in the core with SIMD when a loop reaches a chunk. The result works like any
   * query: loop over it, count it, destroy what it matches.
   *
   * @param component one of the query's components that has data, not an excluded one
   * @param field a field that holds one value
   * @param comparison '<', '<=', '>', '>=', '==' or '!='; only the last two for texts
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_VALUE, INVALID_QUERY
   * @example const far = moving.where(Position, 'x', '>', 100)
   */
  where<C extends ComponentsWithData<T>, F extends ComparableFields<C>>(
    component: C,
    field: F,
    comparison: ComparisonOf<C, F>,
    value: ConditionValue<C, F>,
  ): Query<T, Grouped> {
    const definition = definitionOf(component)
    if (definition === undefined) throw notAComponent(component, 'where')
    if (!this.source.terms.some((term) => term.definition === definition && hasData(term))) {
      refuseUntargeted(definition)
      throw new StrataTypeError(
        'INVALID_QUERY',
        `where: ${definition.componentName} has no data in ${this.source.plan().describe()}: add it to the query.`,
      )
    }
    if (this.look.limit !== Infinity) {
      throw new StrataTypeError('INVALID_QUERY', 'where: state the conditions before page() or partition().')
    }
    const condition = parseCondition(definition, field, comparison, value)
    const conditions = [...this.look.conditions, condition]
    return this.narrowed({ ...this.look, conditions }, narrowedWalk(this.walkOf))
  }

  /**
   * A query for at most `limit` of its entities, from place `offset` on in the order in which a loop visits them.
   * Changes between two pages shift the places. For `changed` and `added`, a page does not count as a look.
   *
   * @param offset a whole number from 0
   * @param limit a whole number from 0
   * @throws StrataTypeError INVALID_OPTION
   * @example const page = ships.page(40, 20)
   */
  page(offset: number, limit: number): Query<T, Grouped> {
    checkWhole('page', 'the offset', offset)
    checkWhole('page', 'the limit', limit)
    const { look } = this
    const part = {
      ...look,
      offset: look.offset + offset,
      limit: Math.max(0, Math.min(limit, look.limit - offset)),
      cut: cutToWindow,
      consumes: false,
    }
    return this.narrowed(part, narrowedWalk(this.walkOf))
  }

  /**
   * A query for part `index` of `count` parts of about equal size. Together the parts are the whole query, and no
   * entity is in two of them. For work that is split into pieces.
   *
   * @param index a whole number from 0 to count - 1
   * @param count a whole number from 1
   * @throws StrataTypeError INVALID_OPTION
   */
  partition(index: number, count: number): Query<T, Grouped> {
    checkWhole('partition', 'the index', index)
    checkWhole('partition', 'the count', count)
    if (index >= count) {
      throw new StrataTypeError('INVALID_OPTION', `partition: of ${count} parts there is no part ${index}.`)
    }
    const total = this.count
    const first = Math.floor((total * index) / count)
    return this.page(first, Math.floor((total * (index + 1)) / count) - first)
  }

  /** @internal A query for those of its entities that have links, or in their order, by the walk that follows it. */
  relate(related: Related, asks: string, walk: WalkChoice): Query<T, Grouped> {
    const query = this.narrowed({ ...this.look, related }, walk)
    query.asks = asks
    return query
  }

  /** @internal What else listeners must follow than its terms. */
  get related(): Related | undefined {
    return this.look.related
  }

  /** @internal */
  protected override narrowed(look: Look, walk: WalkChoice = this.walkOf): Query<T, Grouped> {
    this.source.refuseDisposed()
    return new Query<T, Grouped>(this.source, look, walk, MAKING)
  }

  /**
   * Calls a listener when a different set of entities matches than before, or the program gave the set another order
   * (docs/queries.md): once after each outermost change, that is when a loop, a `defer` block, a command buffer or a listener that changes the world has ended, and once for a
   * bulk change. The listener sees the world after the change. While listeners run, the world is locked; the changes
   * that they make are applied afterwards and reported in turn. Writing values, and changes of components that the
   * query does not name, do not call it.
   * The function is bound and always the same one: `useSyncExternalStore(query.subscribe, () => query.version)`.
   * Cost: nothing without subscriptions. With them, every outermost change that names a component of the query,
   * spawns a match or destroys an entity compares the number of matching archetypes. Unsubscribing takes constant
   * time.
   *
   * @param listener called without arguments
   * @returns a function that unsubscribes; after that the listener is no longer called
   * @throws StrataTypeError INVALID_QUERY for queries with where, page, partition, changed or added; INVALID_OPTION
   * @example const stop = ships.subscribe(() => label.textContent = `${ships.count} ships`)
   */
  get subscribe(): (listener: () => void) => () => void {
    this.bound ??= (listener) => {
      const { state } = this.source
      state.refuseDisposed()
      checkFunction('query.subscribe', listener)
      this.refuseNarrowed('query.subscribe')
      return observersOf(state).subscribers.subscribe(this, listener)
    }
    return this.bound
  }

  /**
   * Frees what a query with `changed` or `added` remembers. Afterwards every use of the query, and of queries made
   * from it by `where`, `page` or `partition`, throws StrataError QUERY_DISPOSED. Without this call the memory is
   * freed after the program has dropped the query and the garbage collector has found it. A second call does nothing.
   *
   * @throws StrataTypeError INVALID_QUERY for a query without `changed` and `added`: it is shared by every call with
   *   the same terms
   */
  dispose(): void {
    const { source } = this
    if (source.remembers) {
      source.dispose()
      return
    }
    throw new StrataTypeError(
      'INVALID_QUERY',
      `query.dispose: ${source.plan().describe()} is shared by every world.query(…) with the same terms. Only a query with changed() or added() has memory of its own to free.`,
    )
  }

  /** @internal Throws for a query by where(), page() or partition(). */
  refuseNarrowed(operation: string): void {
    const { conditions, limit } = this.look
    if (conditions.length === 0 && limit === Infinity) return
    throw new StrataTypeError(
      'INVALID_QUERY',
      `${operation} takes a query without where(), page() or partition(): listeners cannot follow values or places.`,
    )
  }

  /** @internal */
  [INSPECT](): string {
    const { state } = this.source
    if (state.disposed) return 'Query(of a disposed world)'
    const part = this.walkOf === ownWalk ? '' : ', narrowed'
    return `Query(${showEntities(this.count)} of ${this.source.plan().describe()}${part})`
  }

  /** @internal */
  override toString(): string {
    return this[INSPECT]()
  }

  /** @internal */
  toJSON(): string {
    return this[INSPECT]()
  }
}
