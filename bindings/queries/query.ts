// Owns the Query that world.query returns, the declarations and documentation of its calls, and the check of a query that a call
// was given. What the calls do is in functions that take the query first: queryRows.ts, queryColumns.ts, queryChanges.ts,
// narrowedQueries.ts, queryListeners.ts. What walks rows is in iteration/.

import type {
  Chunk,
  ComparableFields,
  ComparisonOf,
  ComponentsWithData,
  ConditionValue,
  Cursors,
  NotAsync,
} from '../components/queryTypes'
import type { Term } from '../components/terms'
import type { Callback } from '../iteration/eachLoop'
import { type Strategy, type StrategyChoice, ownStrategy } from '../iteration/strategy'
import type { BoundKernel } from '../kernels/boundKernel'
import type { ScalarArguments } from '../kernels/kernelTypes'
import { MAKING, checkFunction, checkWhole, refuseByHand } from '../memory/arguments'
import { Shown, showEntities } from '../memory/consoleText'
import { describe } from '../memory/describe'
import type { Entity, EntityArray } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import type { QueryView, Related } from '../queryPlan/filters'
import { partition, slice, where } from './narrowedQueries'
import { eachRow, firstOf, listBy, runOver, singleOf } from './queryRows'
import { type QuerySource, endOwn } from './querySource'

const EVERYTHING: QueryView = { conditions: [], offset: 0, limit: Infinity, cut: undefined, consumes: true }

/**
 * All entities that have, and do not have, certain components. Made by world.query; keep it and reuse it. Once it is
 * disposed of, or its world is, every call throws.
 *
 * Its methods walk it and ask it. Functions that take the query first do the rest: addMany, removeMany, setMany, destroyMany,
 * enableMany, disableMany change all that match; onEnter, onExit, onChange listen; sumOf, minOf, maxOf, getColumn, setColumn,
 * sortedEntities read and write columns.
 */
export class Query<
  T extends readonly Term[] = readonly Term[],
  Grouped extends boolean = false,
> extends Shown {
  /**
   * A look at the same rows that does not count as one: counting and peeking leave what has changed to be found.
   *
   * @internal
   */
  readonly peek: QueryView
  /** @internal What it asks in addition to its source, targets and an order: equal in queries that ask the same. */
  asks: string | undefined

  /** @internal Use world.query. */
  static make(source: QuerySource): Query {
    return new Query(source, EVERYTHING, ownStrategy, MAKING)
  }

  private constructor(
    /** @internal */
    readonly source: QuerySource,
    /** @internal */
    readonly view: QueryView,
    /** @internal */
    readonly strategyOf: StrategyChoice,
    key: symbol,
  ) {
    super()
    refuseByHand(key, 'Query', 'world.query(…)')
    this.peek = view.consumes ? { ...view, consumes: false } : view
  }

  // ── loops and kernels ───────────────────────────────────────────────────────────────────────────────────

  /**
   * Loops over the matching rows, one run of rows of a chunk at each step. The chunk is one reused object, valid for
   * one step. Structural changes made inside the loop are queued, and applied when the outermost loop ends: at its
   * last row, or by break, return or a throw. Do not `await` inside the loop.
   * Cost: one step per run; nothing is allocated once the chunks are known. Where rows must be told apart (sparse
   * terms, toggles, `where`, tracked rows) the core is called once per chunk, when the loop reaches it.
   *
   * @throws LimitError if there is no memory to match the query in
   * @example for (const chunk of moving) { const { x } = chunk.write(Position) … }
   */
  [Symbol.iterator](): Iterator<Chunk<T, Grouped>> {
    return this.iterate(this.view) as unknown as Iterator<Chunk<T, Grouped>>
  }

  /** @internal */
  iterate(view: QueryView): ReturnType<Strategy['begin']> {
    return this.strategyOf(this.source.walk()).begin(view)
  }

  /**
   * Calls back for every matching entity, with one reused cursor for each component that has data, in the order of
   * the terms; undefined for an optional component that the entity does not have. Do not keep the cursors. Structural
   * changes made by the callback are queued, and applied when the outermost loop ends.
   *
   * @param callback called with the entity and the cursors; not async
   * @throws StrataTypeError INVALID_OPTION, ASYNC_CALLBACK
   * @example moving.each((entity, position, velocity) => { position.x += velocity.x })
   */
  each<R = void>(callback: (entity: Entity, ...cursors: Cursors<T>) => R & NotAsync<R>): void {
    eachRow(this, callback as Callback)
  }

  /**
   * Runs a kernel over the rows that a loop would visit. The columns that it may write are marked as changed, as by
   * `chunk.write`; onSet listeners are not called.
   * Cost: one call into the kernel's module for up to hundreds of chunks, or of runs of rows where rows must be told
   * apart; nothing is allocated once the query is known.
   *
   * @param kernel returned by createKernel of the same world, for a kernel that takes rows
   * @param scalars a value for each scalar parameter; leave it out for a kernel without any
   * @returns the result of a reduction, joined over all rows; otherwise undefined
   * @throws StrataTypeError INVALID_BINDING, NOT_A_COLUMN or StrataError MISSING_RESOURCE before anything runs;
   *   StrataError KERNEL_FAILED if it traps or grows the memory: what it has written until then stays written
   * @example moving.run(step, { dt: 1 / 60 })
   */
  run<S, R>(kernel: BoundKernel<S, R>, ...scalars: ScalarArguments<S>): R
  run(kernel: BoundKernel, scalars?: unknown): unknown {
    return runOver(this, kernel, scalars)
  }

  // ── counts and lists ────────────────────────────────────────────────────────────────────────────────────

  /** How many entities match. Cost: the number of matching archetypes, or of rows where they must be told apart. */
  get count(): number {
    return this.strategyOf(this.source.walk()).count(this.peek)
  }

  /** Whether no entity matches. Looks at most at the first match. */
  get isEmpty(): boolean {
    return this.first() === undefined
  }

  /**
   * A number that is different after any entity began or ceased to match, was switched on or off, started over in an
   * exchange, or got another place in the order of a loop. Writing values does not change it; other changes may. Wraps
   * around after 2^32. `where`, `changed` and `added` have no influence on it, because they ask about values.
   * Cost: the number of matching archetypes, or of all archetypes for a query that walks a pool.
   */
  get version(): number {
    return (this.source.plan().version() + (this.view.related?.version() ?? 0)) >>> 0
  }

  /** The first entity that a loop would visit, or undefined if none matches. */
  first(): Entity | undefined {
    return firstOf(this)
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
    return this.slice(index, index + 1).first()
  }

  /**
   * The only entity that matches.
   *
   * @throws StrataError NOT_SINGLE if none or several match
   */
  single(): Entity {
    return singleOf(this)
  }

  /**
   * A copy of the handles of all matching entities, in the order in which a loop visits them. For `changed` and
   * `added` this counts as a look, as a loop that runs to its end does.
   */
  entities(): EntityArray<ArrayBuffer> {
    return listBy(this, this.view)
  }

  /**
   * Calls a function for each matching entity, in the order in which a loop visits them, and lists what it returns: an array of
   * any values, where `entities().map(…)` gives numbers. The entities are listed first, so what the function changes takes effect
   * at once. For `changed` and `added` this counts as a look.
   *
   * @param action called with the entity, and its place in the list
   * @returns a new array
   * @throws StrataTypeError INVALID_OPTION if it is not a function
   * @example const names = query.map((entity) => world.get(entity, Name)?.value)
   */
  map<R>(action: (entity: Entity, index: number) => R): R[] {
    checkFunction('map', action)
    return Array.from(listBy(this, this.view), action)
  }

  /** @internal The same list for the library's own use, which must leave what has changed to be found. */
  list(): EntityArray<ArrayBuffer> {
    return listBy(this, this.peek)
  }

  // ── narrower queries ────────────────────────────────────────────────────────────────────────────────────

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
    return where(this, component, field, comparison, value) as Query<T, Grouped>
  }

  /**
   * A query for some of its entities: from place `start` up to, but not including, place `end` in the order in which a loop visits
   * them, as `slice` of an array. Changes between two slices shift the places. For `changed` and `added`, a slice does not count
   * as a look.
   *
   * @param start a whole number from 0
   * @param end a whole number from 0; default: to the last one
   * @throws StrataTypeError INVALID_OPTION
   * @example const page = ships.slice(40, 60)
   */
  slice(start: number, end = Infinity): Query<T, Grouped> {
    return slice(this, start, end) as Query<T, Grouped>
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
    return partition(this, index, count) as Query<T, Grouped>
  }

  /** @internal A query for those of its entities that have links, or in their order, by the walk that follows it. */
  relate(related: Related, asks: string, walk: StrategyChoice): Query<T, Grouped> {
    const query = this.narrowed({ ...this.view, related }, walk)
    query.asks = asks
    return query
  }

  /** @internal What else listeners must follow than its terms. */
  get related(): Related | undefined {
    return this.view.related
  }

  /** @internal */
  narrowed(view: QueryView, walk: StrategyChoice = this.strategyOf): Query<T, Grouped> {
    this.source.refuseDisposed()
    return new Query<T, Grouped>(this.source, view, walk, MAKING)
  }

  // ── the end ──────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Frees what a query with `changed` or `added` remembers. Afterwards every use of the query, and of queries made
   * from it by `where`, `slice` or `partition`, throws StrataError QUERY_DISPOSED. Without this call the memory is
   * freed after the program has dropped the query and the garbage collector has found it. A second call does nothing.
   *
   * @throws StrataTypeError INVALID_QUERY for a query without `changed` and `added`: it is shared by every call with
   *   the same terms
   */
  dispose(): void {
    endOwn(this.source)
  }

  // ── names that programs bring from elsewhere: declared, so that an editor says where it is, and nothing at run time ──

  /** @deprecated It is `query.slice(start, end)`. */
  declare readonly page: never
  /** @deprecated It is a function: `addMany(query, C)`. */
  declare readonly add: never
  /** @deprecated It is a function: `removeMany(query, C)`. */
  declare readonly remove: never
  /** @deprecated It is a function: `destroyMany(query)`. */
  declare readonly destroy: never
  /** @deprecated It is a function: `enableMany(query, C)`. */
  declare readonly enable: never
  /** @deprecated It is a function: `disableMany(query, C)`. */
  declare readonly disable: never
  /** @deprecated It is a function: `onChange(query, listener)`. */
  declare readonly subscribe: never
  /** @deprecated It is a function: `onEnter(query, listener)`. */
  declare readonly onAdd: never
  /** @deprecated It is a function: `onExit(query, listener)`. */
  declare readonly onRemove: never
  /** @deprecated It is a function: `sortedEntities(query, C, field)`. */
  declare readonly sort: never
  /** @deprecated It is `query.each(callback)`. */
  declare readonly forEach: never
  /** @deprecated It is `query.each(callback)`. */
  declare readonly updateEach: never
  /** @deprecated Write `not(C)` among the terms of world.query. */
  declare readonly without: never

  /** @internal */
  line(): string {
    const { state } = this.source
    if (state.disposed) return 'Query(of a disposed world)'
    const part = this.strategyOf === ownStrategy ? '' : ', narrowed'
    return `Query(${showEntities(this.count)} of ${this.source.plan().describe()}${part})`
  }
}

/**
 * The query that a call was given.
 *
 * @throws StrataTypeError INVALID_QUERY for what is no query
 */
export function queryGiven(query: unknown, operation: string): Query {
  if (query instanceof Query) return query as Query
  throw new StrataTypeError(
    'INVALID_QUERY',
    `${operation} takes a query, world.query(…), not ${describe(query)}.`,
  )
}
