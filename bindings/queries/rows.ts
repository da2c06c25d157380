// Owns what looks at the rows of a query: loops, kernels, counts, lists and the order of values.
// It must never change a row's place.

import type { Definition } from '../components/definition'
import type { Term } from '../components/terms'
import type {
  Chunk,
  ColumnIn,
  Cursors,
  FieldsOf,
  NotAsync,
  OrderedFields,
  RequiredData,
  SortableFields,
} from '../components/types'
import type { BoundKernel } from '../kernels/binding'
import { requireBound } from '../kernels/runtime'
import type { ScalarArguments } from '../kernels/types'
import type { Callback } from '../loops/rowLoop'
import type { Walk, WalkChoice } from '../loops/walk'
import type { Look } from '../matching/filters'
import { checkCallback } from '../memory/arguments'
import { type Entity, type EntityArray, entityArray } from '../memory/entity'
import { StrataError, StrataTypeError } from '../memory/errors'
import type { Registration } from '../rows/registration'
import {
  REDUCE_LEAST,
  REDUCE_MOST,
  REDUCE_SUM,
  type Reduction,
  columnFor,
  copyRows,
  reduceRows,
} from './numbers'
import {
  type SortKey,
  type SortedOptions,
  fieldKey,
  sortHere,
  sortInCore,
  sortKey,
  sortedKeys,
} from './sorting'
import type { QuerySource } from './source'

/** The first part of a query: see query.ts. */
export abstract class QueryRows<
  T extends readonly Term[] = readonly Term[],
  Grouped extends boolean = false,
> {
  /**
   * A look at the same rows that does not count as one: counting and peeking leave what has changed to be found.
   *
   * @internal
   */
  protected readonly peek: Look

  /** @internal */
  protected constructor(
    /** @internal */
    readonly source: QuerySource,
    /** @internal */
    protected readonly look: Look,
    /** @internal */
    protected readonly walkOf: WalkChoice,
  ) {
    this.peek = look.consumes ? { ...look, consumes: false } : look
  }

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
    return this.iterate(this.look) as unknown as Iterator<Chunk<T, Grouped>>
  }

  /** @internal */
  protected iterate(look: Look): ReturnType<Walk['begin']> {
    return this.walkOf(this.source.walk()).begin(look)
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
    checkCallback('each', callback)
    const loop = this.iterate(this.look)
    try {
      loop.each(callback as Callback)
    } finally {
      loop.return()
    }
  }

  /**
   * Runs a kernel over the rows that a loop would visit. The columns that it may write are marked as changed, as by
   * `chunk.write`; onSet listeners are not called.
   * Cost: one call into the kernel's module for up to hundreds of chunks, or of runs of rows where rows must be told
   * apart; nothing is allocated once the query is known.
   *
   * @param kernel returned by world.kernel of the same world, for a kernel that takes rows
   * @param scalars a value for each scalar parameter; leave it out if there are none
   * @returns the result of a reduction, joined over all rows; otherwise undefined
   * @throws StrataTypeError INVALID_BINDING, NOT_A_COLUMN or StrataError MISSING_RESOURCE before anything runs;
   *   StrataError KERNEL_FAILED if it traps or grows the memory: what it has written until then stays written
   * @example moving.run(step, { dt: 1 / 60 })
   */
  run<S, R>(kernel: BoundKernel<S, R>, ...scalars: ScalarArguments<S>): R
  run(kernel: BoundKernel, scalars?: unknown): unknown {
    const { source } = this
    source.plan()
    requireBound(kernel, 'query.run')
    const taken = kernel.check(source.state, 'query.run', scalars)
    // Asked for anew: reading the scalars may have run any code.
    const run = kernel.over(source.plan(), this.look.related)
    const loop = this.iterate(this.look)
    try {
      run.begin(taken)
      loop.callKernel(run)
    } finally {
      loop.return()
    }
    return run.result
  }

  /** How many entities match. Cost: the number of matching archetypes, or of rows where they must be told apart. */
  get count(): number {
    return this.walkOf(this.source.walk()).count(this.peek)
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
    return (this.source.plan().version() + (this.look.related?.version() ?? 0)) >>> 0
  }

  /** The first entity that a loop would visit, or undefined if none matches. */
  first(): Entity | undefined {
    for (const run of this.iterate(this.peek)) return run.entities[run.start]
    return undefined
  }

  /**
   * The only entity that matches.
   *
   * @throws StrataError NOT_SINGLE if none or several match
   */
  single(): Entity {
    const count = this.count
    if (count !== 1) {
      throw new StrataError(
        'NOT_SINGLE',
        `single: ${count} entities match ${this.source.plan().describe()}, not exactly one.`,
      )
    }
    return this.first() as Entity
  }

  /**
   * A copy of the handles of all matching entities, in the order in which a loop visits them. For `changed` and
   * `added` this counts as a look, as a loop that runs to its end does.
   */
  entities(): EntityArray<ArrayBuffer> {
    return this.listBy(this.look)
  }

  /** @internal The same list for the library's own use, which must leave what has changed to be found. */
  list(): EntityArray<ArrayBuffer> {
    return this.listBy(this.peek)
  }

  private listBy(look: Look): EntityArray<ArrayBuffer> {
    const handles = entityArray(this.count)
    let filled = 0
    for (const run of this.iterate(look)) {
      handles.set(run.entities.subarray(run.start, run.end), filled)
      filled += run.end - run.start
    }
    return handles
  }

  /**
   * A copy of the handles of all matching entities, sorted by a field, ascending unless the options say otherwise. NaN
   * comes last, -0 equals 0, and false comes before true; texts are compared by their UTF-16 units. Entities with equal
   * values are sorted by the next field, if several are named; then they keep the order in which they were created.
   * Cost: a radix sort, linear in the number of entities; by a text, by several fields, and inside a loop, where memory
   * must not grow, a slower comparison sort in JavaScript.
   *
   * @param component one that the query requires
   * @param field any field that holds one value, or a list of such fields
   * @param options order and limit: see SortedOptions
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER, INVALID_OPTION; LimitError if there is no
   *   memory to sort in
   * @example for (const entity of visible.sorted(Position, 'z')) draw(entity)
   * @example const best = players.sorted(Score, ['points', 'name'], { order: ['descending', 'ascending'], limit: 10 })
   */
  sorted<C extends RequiredData<T>>(
    component: C,
    field: OrderedFields<C> | readonly [OrderedFields<C>, ...OrderedFields<C>[]],
    options?: SortedOptions,
  ): EntityArray<ArrayBuffer> {
    const { keys, limit } = sortedKeys(component, field, options)
    const sorted = this.sortedBy(keys)
    return limit < sorted.length ? sorted.slice(0, limit) : sorted
  }

  private sortedBy(keys: readonly [SortKey, ...SortKey[]]): EntityArray<ArrayBuffer> {
    const [key] = keys
    const { source } = this
    const { state } = source
    const plan = source.plan()
    const registration = this.required(key.definition, 'sorted')
    if (registration === undefined) return entityArray(0)
    if (state.locks !== 0 || this.isWindow || plan.address === 0 || keys.length > 1 || key.kind === undefined)
      return sortHere(state, this as Iterable<Chunk<readonly Term[]>>, registration, keys)
    return sortInCore(state, key, (place, kind) =>
      this.change((query, filters) => state.core.querySort(query, filters, registration.id, place, kind)),
    )
  }

  /**
   * The sum of a field over all matching entities, 0 if none matches. Whether integers or floats, it is added up as f64, so
   * it is exact for whole numbers up to 2^53; of floats, it does not depend on the machine, but on the order of the rows.
   * For `changed` and `added` this does not count as a look. Allowed inside a loop.
   * Cost: one call into the core for each run of rows, and less than a nanosecond a row.
   *
   * @param component one that the query requires
   * @param field any field that holds one number
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER
   * @example const damage = hits.sum(Hit, 'damage')
   */
  sum<C extends RequiredData<T>>(component: C, field: SortableFields<C>): number {
    return this.reduce(component, field, REDUCE_SUM, 'sum')
  }

  /**
   * The least value of a field over all matching entities, Infinity if none matches, NaN if a value is NaN. The rest as
   * for `sum`.
   *
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER
   */
  min<C extends RequiredData<T>>(component: C, field: SortableFields<C>): number {
    return this.reduce(component, field, REDUCE_LEAST, 'min')
  }

  /**
   * The greatest value of a field over all matching entities, -Infinity if none matches, NaN if a value is NaN. The rest
   * as for `sum`.
   *
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER
   */
  max<C extends RequiredData<T>>(component: C, field: SortableFields<C>): number {
    return this.reduce(component, field, REDUCE_MOST, 'max')
  }

  private reduce(component: unknown, field: unknown, operation: Reduction, name: string): number {
    const { source } = this
    const key = sortKey(component, field, name)
    const known = this.required(key.definition, name)
    return reduceRows(
      source.state,
      known ? this.iterate(this.peek) : [],
      source.plan(),
      known,
      key,
      operation,
    )
  }

  /**
   * A copy of a field of all matching entities as one typed array, in the order in which a loop visits them; of a vec
   * its values one after the other, of a text its ids. It stays valid whatever becomes of the world: for plots, messages
   * and files. For `changed` and `added` this does not count as a look. Allowed inside a loop.
   *
   * @param component one that the query requires
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER
   * @example plot(people.column(Person, 'age'))
   */
  column<C extends RequiredData<T>, F extends FieldsOf<C>>(component: C, field: F): ColumnIn<C, F> {
    const { source } = this
    const key = fieldKey(component, field, 'column')
    const known = this.required(key.definition, 'column')
    // Before the loop is open: an array that is too long for the host throws.
    const copy = columnFor(key, known ? this.count : 0)
    if (known) copyRows(source.state, this.iterate(this.peek), source.plan(), known, key, copy)
    return copy as never
  }

  /** What the world knows of a component that every match has; undefined while nothing can match. */
  private required(definition: Definition, operation: string): Registration | undefined {
    const { source } = this
    const plan = source.plan()
    if (!source.terms.some((term) => term.definition === definition && term.role === 'required')) {
      throw new StrataTypeError(
        'INVALID_ORDER',
        `${operation}: ${definition.componentName} is not required by ${plan.describe()}: entities without it have no value.`,
      )
    }
    return plan.impossible ? undefined : source.state.known(definition)
  }

  /** @internal Whether the query is limited to a range of places, or by links: what the core cannot tell. */
  protected get isWindow(): boolean {
    const { related, limit } = this.look
    return related !== undefined || limit !== Infinity
  }

  /** @internal Runs a bulk change in the core for all entities that match and pass the filters. Returns what the core returns. */
  protected change(call: (query: number, filterCount: number) => number): number {
    const { source, look } = this
    const { state } = source
    const plan = source.plan()
    const { bulkFilters: filters } = source
    filters.gather(plan, look.conditions, source.remembers ? source.seen : undefined)
    if (filters.impossible && look.consumes && source.remembers) source.markSeen()
    if (filters.impossible) return 0
    const result = call(plan.address, filters.write())
    state.heap.check()
    if (look.consumes && source.remembers && result >= 0) source.markSeen()
    return result
  }
}
