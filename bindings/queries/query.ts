// Owns the calls on a query: loops, each, counting, single entities, bulk changes, and narrower queries.
// It must never hold a match list: that is in linear memory, or in the plan of a loop that is still open.

import { GROUP_SIZE } from '../../build/layout'
import { MAKING, checkCallback, checkFunction, refuseByHand } from '../memory/arguments'
import {
  ComponentValue,
  type Definition,
  type ComponentLike,
  type Ingredient,
  type Shared,
  definitionOf,
} from '../components/component'
import { parseCondition } from '../matching/conditions'
import type { BundleNode } from '../rows/bundle'
import type { ChunkIterator } from '../loops/chunkLoop'
import { describe } from '../memory/describe'
import { type Entity, type EntityArray, entityArray } from '../memory/entity'
import { StrataError, StrataTypeError, limitError } from '../memory/errors'
import type { Look } from '../matching/filters'
import { GroupIterator } from '../loops/groupLoop'
import { INSPECT, showEntities } from '../memory/inspection'
import type { QueryIterator } from '../loops/runLoop'
import { type BoundKernel, checkBound } from '../kernels/binding'
import type { ScalarArguments } from '../kernels/types'
import { notAComponent } from '../components/notAComponent'
import { refuseShared } from '../rows/objects'
import {
  type Matching,
  observedAddToAll,
  observedDestroyAll,
  observedRemoveFromAll,
  observedSwitchAll,
} from '../events/observedMany'
import { type Plan, hasData } from '../matching/plan'
import type { QuerySource } from './source'
import { sortHere, sortInCore, sortKey } from './sorting'
import { checkSwitch, switchOne } from '../events/switching'
import { type Listener, SEVERAL } from '../events/subscribers'
import type { Term } from '../components/terms'
import type {
  Chunk,
  ComparableFields,
  ComparisonOf,
  ComponentsWithData,
  ConditionValue,
  Cursors,
  NotAsync,
  RequiredData,
  SortableFields,
} from '../components/types'
import { observersOf } from '../events/observersOf'
import { destroyMany } from '../changes/many'
import { addComponents, changeError, removeComponents } from '../changes/one'

const EVERYTHING: Look = { conditions: [], offset: 0, limit: Infinity, consumes: true }

/**
 * All entities that have, and do not have, certain components. Made by world.query; keep it and reuse it. Once it is
 * disposed of, or its world is, every call throws.
 */
export class Query<T extends readonly Term[] = readonly Term[], Grouped extends boolean = false> {
  /** A look at the same rows that does not count as one: counting and peeking leave what has changed to be found. */
  private readonly peek: Look
  /** The function that `subscribe` returns, made when it is first asked for. */
  private bound: ((listener: Listener) => () => void) | undefined

  /** @internal Use world.query. */
  static make(source: QuerySource): Query {
    return new Query(source, EVERYTHING, MAKING)
  }

  private constructor(
    /** @internal */
    readonly source: QuerySource,
    private readonly look: Look,
    key: symbol,
  ) {
    refuseByHand(key, 'Query', 'world.query(…)')
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

  private iterate(look: Look): ChunkIterator | QueryIterator | GroupIterator {
    const { source } = this
    const plan = source.plan()
    if (!plan.walksWhole || plan.group !== 0 || this.isNarrowed) return this.iterateRuns(plan, look)
    const iterator = source.idleChunkIterator(plan)
    iterator.begin()
    return iterator
  }

  private iterateRuns(plan: Plan, look: Look): QueryIterator | GroupIterator {
    const { source } = this
    if (plan.group !== 0) {
      const iterator = source.idleGroupIterator(plan)
      iterator.begin(look)
      return iterator
    }
    const iterator = source.idleIterator(plan)
    iterator.begin(plan, source, look)
    return iterator
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
    const { source } = this
    const call = callback as (entity: Entity, ...cursors: unknown[]) => unknown
    const loop = source.takeRowLoop()
    let iterator: ChunkIterator | QueryIterator | GroupIterator | undefined
    try {
      iterator = this.iterate(this.look)
      if (iterator instanceof GroupIterator) iterator.each(call)
      else loop.run(iterator, source.plan(), call)
    } finally {
      try {
        source.giveBack(loop)
      } finally {
        iterator?.return()
      }
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
    const plan = source.plan()
    checkBound(kernel, source.state, 'query.run')
    kernel.scalars.check(scalars)
    kernel.resources.check()
    const run = kernel.over(plan)
    let iterator: ChunkIterator | QueryIterator | GroupIterator | undefined
    try {
      iterator = this.iterate(this.look)
      run.begin(scalars)
      iterator.callKernel(run)
    } finally {
      iterator?.return()
    }
    return run.result
  }

  /** How many entities match. Cost: the number of matching archetypes, or of rows where they must be told apart. */
  get count(): number {
    const { source, look } = this
    const plan = source.plan()
    if (plan.impossible) return 0
    const whole = look.conditions.length === 0 && look.offset === 0 && look.limit === Infinity
    if (whole && plan.group !== 0) return source.state.heap.word(plan.group + GROUP_SIZE)
    if (whole && !plan.filtersRows && plan.changes.length === 0) {
      return plan.walksPool ? plan.rowsOf(plan.smallestPool()) : plan.archetypeRows()
    }
    return this.iterateRuns(plan, this.peek).countRows()
  }

  /** Whether no entity matches. Looks at most at the first match. */
  get isEmpty(): boolean {
    return this.first() === undefined
  }

  /**
   * A number that is different after any entity began or ceased to match, was switched on or off, or moved to another
   * row. Writing values does not change it; other changes may. Wraps around after 2^32. `where`, `changed` and
   * `added` have no influence on it, because they ask about values.
   * Cost: the number of matching archetypes, or of all archetypes for a query that walks a pool.
   */
  get version(): number {
    return this.source.plan().version()
  }

  /**
   * Calls a listener when a different set of entities matches than before: once after each outermost change, that is
   * when a loop, a `defer` block, a command buffer or a listener that changes the world has ended, and once for a
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
      `query.dispose: ${source.plan().describe()} is shared by every world.query(…) with the same terms, so it cannot be disposed of. Only a query with changed() or added() has memory of its own to free.`,
    )
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
   * The entity at place `index` in the order in which a loop visits the matches, or undefined past the last one.
   * Cost: the number of chunks, or of rows where they must be told apart.
   *
   * @param index a whole number from 0
   * @throws StrataTypeError INVALID_OPTION
   */
  at(index: number): Entity | undefined {
    checkPlace('at', 'the index', index)
    return this.page(index, 1).first()
  }

  /**
   * A copy of the handles of all matching entities, in the order in which a loop visits them. For `changed` and
   * `added` this counts as a look, as a loop that runs to its end does.
   */
  entities(): EntityArray<ArrayBuffer> {
    const handles = entityArray(this.count)
    let filled = 0
    for (const run of this.iterate(this.look)) {
      handles.set(run.entities.subarray(run.start, run.end), filled)
      filled += run.end - run.start
    }
    return handles
  }

  /**
   * A copy of the handles of all matching entities, sorted by a field, ascending. NaN comes last, -0 equals 0, and
   * false comes before true. Entities with equal values keep the order in which they were created.
   * Cost: a radix sort, linear in the number of entities; inside a loop a slower comparison sort in JavaScript,
   * because memory must not grow then.
   *
   * @param component one that the query requires
   * @param field any field that holds one number
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER; LimitError if there is no memory to sort
   *   in
   * @example for (const entity of visible.sorted(Position, 'z')) draw(entity)
   */
  sorted<C extends RequiredData<T>>(component: C, field: SortableFields<C>): EntityArray<ArrayBuffer> {
    const { source } = this
    const { state } = source
    state.refuseDisposed()
    const key = sortKey(component, field, 'sorted')
    const plan = source.plan()
    if (!source.terms.some(({ definition, role }) => definition === key.definition && role === 'required')) {
      throw new StrataTypeError(
        'INVALID_ORDER',
        `sorted: ${key.definition.componentName} is not required by ${plan.describe()}: entities without it have no place in its order.`,
      )
    }
    const registration = state.known(key.definition)
    if (plan.impossible || registration === undefined) return entityArray(0)
    if (state.locks !== 0 || this.isWindow || plan.address === 0)
      return sortHere(state, this as Iterable<Chunk<readonly Term[]>>, registration, key)
    return sortInCore(state, key, (place, kind) =>
      this.change((query, filters) => state.core.querySort(query, filters, registration.id, place, kind)),
    )
  }

  // ── narrower queries ───────────────────────────────────────────────────────────────────────────────────

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
      throw new StrataTypeError(
        'INVALID_QUERY',
        `where: ${definition.componentName} has no data in ${this.source.plan().describe()}: add it to the query.`,
      )
    }
    if (this.look.offset !== 0 || this.look.limit !== Infinity) {
      throw new StrataTypeError('INVALID_QUERY', 'where: state the conditions before page() or partition().')
    }
    const condition = parseCondition(definition, field, comparison, value)
    return this.narrowed({ ...this.look, conditions: [...this.look.conditions, condition] })
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
    checkPlace('page', 'the offset', offset)
    checkPlace('page', 'the limit', limit)
    const { look } = this
    return this.narrowed({
      conditions: look.conditions,
      offset: look.offset + offset,
      limit: Math.max(0, Math.min(limit, look.limit - offset)),
      consumes: false,
    })
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
    checkPlace('partition', 'the index', index)
    checkPlace('partition', 'the count', count)
    if (index >= count) {
      throw new StrataTypeError('INVALID_OPTION', `partition: of ${count} parts there is no part ${index}.`)
    }
    const total = this.count
    const first = Math.floor((total * index) / count)
    return this.page(first, Math.floor((total * (index + 1)) / count) - first)
  }

  private narrowed(look: Look): Query<T, Grouped> {
    this.source.refuseDisposed()
    return new Query<T, Grouped>(this.source, look, MAKING)
  }

  // ── bulk changes ───────────────────────────────────────────────────────────────────────────────────────

  /**
   * Adds components to every matching entity in one call. An entity that has a component already keeps its values,
   * unless values are given. Adding tags copies no row. Inside a loop this waits until the loop ends, and then
   * applies to what matches at that time.
   *
   * @param ingredients one or more components, tags or components with values; no object components
   * @returns how many entities matched; inside a loop, how many match now
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; LimitError. Nothing changes then,
   *   except for a page, whose earlier entities may have changed.
   */
  add<const I extends readonly Ingredient[]>(...ingredients: Shared<I>): number {
    const bundle = this.bundleOf(ingredients, 'query.add')
    const { state } = this.source
    if (bundle.holdsObjects) refuseShared(bundle.definitions, 'query.add')
    const matched = this.count
    if (state.locks !== 0) {
      state.commands.later(() => void this.add(...ingredients))
      return matched
    }
    const address = bundle.addressIn(state)
    if (this.isIdle(matched)) return 0
    if (state.reports) {
      const matching = this.matching((query, filters) => state.core.queryAdd(query, filters, address))
      return observedAddToAll(state, matching, bundle, ingredients)
    }
    if (this.isWindow || ingredients.some(hasValues)) {
      return state.together(() => this.addOneByOne(bundle, ingredients))
    }
    const watched = state.watching !== 0
    if (watched) observersOf(state).subscribers.naming(bundle, SEVERAL)
    const status = this.change((query, filters) => state.core.queryAdd(query, filters, address))
    if (status < 0) throw limitError(status, bundle.describeRows())
    if (watched) state.settle()
    return matched
  }

  /**
   * Whether a bulk change of so many entities has nothing to do. Counting has evaluated the conditions already: once
   * is enough.
   */
  private isIdle(matched: number): boolean {
    return matched === 0 && !(this.look.consumes && this.source.remembers)
  }

  /** Adds the components in bulk, then writes the values entity by entity. */
  private addOneByOne(bundle: BundleNode, ingredients: readonly Ingredient[]): number {
    const { state } = this.source
    bundle.addressIn(state)
    const texts = state.texts.prepareIngredients(ingredients)
    const peeking = this.narrowed(this.peek)
    const matching = peeking.entities()
    if (!this.isWindow) {
      const bare = ingredients.map((ingredient) =>
        ingredient instanceof ComponentValue ? ingredient.component : ingredient,
      )
      try {
        peeking.add(...bare)
      } catch (error) {
        state.texts.takeBack(texts)
        throw error
      }
    }
    for (let i = 0; i < matching.length; i++) {
      const entity = matching[i] as Entity
      const status = addComponents(state, entity, bundle, ingredients)
      if (status < 0) throw changeError(state, status, bundle, entity, 'add')
    }
    if (this.look.consumes && this.source.remembers) this.source.markSeen()
    return matching.length
  }

  /**
   * Removes components from every matching entity in one call. Inside a loop this waits until the loop ends, and then
   * applies to what matches at that time.
   *
   * @param components one or more components or tags
   * @returns how many entities matched; inside a loop, how many match now
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT; LimitError. Nothing changes then, except for a
   *   page, whose earlier entities may have changed.
   */
  remove(...components: ComponentLike[]): number {
    const bundle = this.bundleOf(components, 'query.remove')
    const { state } = this.source
    const matched = this.count
    if (state.locks !== 0) {
      state.commands.later(() => void this.remove(...components))
      return matched
    }
    const address = bundle.addressIn(state)
    if (this.isIdle(matched)) return 0
    if (state.reports) {
      const matching = this.matching((query, filters) => state.core.queryRemove(query, filters, address))
      return observedRemoveFromAll(state, matching, bundle)
    }
    if (this.isWindow) {
      state.together(() => {
        for (const entity of this.entities()) {
          const status = removeComponents(state, entity, bundle)
          if (status < 0) throw limitError(status, bundle.describeRows())
        }
      })
      return matched
    }
    const watched = state.watching !== 0
    if (watched) observersOf(state).subscribers.naming(bundle, SEVERAL)
    const status = this.change((query, filters) => state.core.queryRemove(query, filters, address))
    if (status < 0) throw limitError(status, bundle.describeRows())
    if (watched) state.settle()
    return matched
  }

  /**
   * Destroys every matching entity in one call. Inside a loop this waits until the loop ends, and then applies to
   * what matches at that time.
   *
   * @returns how many entities matched; inside a loop, how many match now
   */
  destroy(): number {
    const { state } = this.source
    state.refuseDisposed()
    if (state.locks !== 0) {
      state.commands.later(() => void this.destroy())
      return this.count
    }
    if (this.isWindow) return destroyMany(state, this.entities())
    const inOneCall = () => this.change((query, filters) => state.core.queryDestroy(query, filters))
    if (state.reports) return observedDestroyAll(state, this.entities(), inOneCall)
    if (state.watching === 0) return inOneCall()
    observersOf(state).subscribers.dying(SEVERAL)
    const destroyed = inOneCall()
    state.settle()
    return destroyed
  }

  /**
   * Switches a component on for every matching entity that has it, in one call that moves no rows. A term of the
   * query on that component asks only whether it is there, so `world.query(Burning).enable(Burning)` reaches all
   * entities with Burning. Inside a loop this waits until the loop ends.
   *
   * @returns how many matching entities have the component; inside a loop, how many entities match now
   * @throws StrataTypeError NOT_A_TOGGLE, NOT_A_COMPONENT
   */
  enable(component: ComponentLike): number {
    return this.switch(component, false, 'query.enable')
  }

  /**
   * Switches a component off for every matching entity that has it, in one call that moves no rows. A term of the
   * query on that component asks only whether it is there. Inside a loop this waits until the loop ends.
   *
   * @returns how many matching entities have the component; inside a loop, how many entities match now
   * @throws StrataTypeError NOT_A_TOGGLE, NOT_A_COMPONENT
   */
  disable(component: ComponentLike): number {
    return this.switch(component, true, 'query.disable')
  }

  private switch(component: unknown, off: boolean, operation: string): number {
    const definition = checkSwitch(component, operation)
    const { state } = this.source
    state.refuseDisposed()
    if (state.locks !== 0) {
      state.commands.later(() => void this.switch(component, off, operation))
      return this.count
    }
    if (this.isWindow) {
      const known = state.known(definition)
      const matching = this.entities().filter((entity) => known?.isOn(entity) === true)
      state.together(() => {
        for (const entity of matching) switchOne(state, entity, definition, off)
      })
      return matching.length
    }
    const { id } = state.register(definition)
    const inOneCall = () =>
      this.change((query, filters) => state.core.querySwitch(query, filters, id, off ? 1 : 0))
    if (state.watching === 0) return inOneCall()
    observersOf(state).subscribers.switching(definition, SEVERAL)
    const switched = state.reports ? observedSwitchAll(state, definition, off, inOneCall) : inOneCall()
    state.settle()
    return switched
  }

  /** @internal */
  [INSPECT](): string {
    const { state } = this.source
    if (state.disposed) return 'Query(of a disposed world)'
    const part = this.isNarrowed ? ', narrowed' : ''
    return `Query(${showEntities(this.count)} of ${this.source.plan().describe()}${part})`
  }

  /** @internal */
  toString(): string {
    return this[INSPECT]()
  }

  /** @internal */
  toJSON(): string {
    return this[INSPECT]()
  }

  /** @internal Throws where values or places decide besides the terms. */
  refuseNarrowed(operation: string): void {
    if (!this.isNarrowed) return
    throw new StrataTypeError(
      'INVALID_QUERY',
      `${operation} takes a query without where(), page() or partition(): listeners cannot follow values or places.`,
    )
  }

  /** Whether values or places decide in addition to the terms. */
  private get isNarrowed(): boolean {
    return this.isWindow || this.look.conditions.length > 0
  }

  /** Whether the query is limited to a range of places. */
  private get isWindow(): boolean {
    return this.look.offset !== 0 || this.look.limit !== Infinity
  }

  /** Runs a bulk change in the core for all entities that match and pass the filters. Returns what the core returns. */
  private change(call: (query: number, filterCount: number) => number): number {
    const { source, look } = this
    const { state } = source
    const plan = source.plan()
    const { bulkFilters: filters } = source
    filters.gather(plan, look.conditions, source.remembers ? source.seen : undefined)
    if (filters.impossible) return 0
    const result = call(plan.address, filters.write())
    state.heap.check()
    if (look.consumes && source.remembers && result >= 0) source.markSeen()
    return result
  }

  /**
   * What a bulk change with listeners needs: the matching entities, and the change in one call where that is
   * possible.
   */
  private matching(call: (query: number, filterCount: number) => number): Matching {
    return {
      entities: () => this.entities(),
      inOneCall: this.isWindow ? undefined : () => this.change(call),
    }
  }

  private bundleOf(ingredients: readonly unknown[], operation: string) {
    const { state } = this.source
    state.refuseDisposed()
    if (ingredients.length === 0) {
      throw new StrataTypeError('NOT_A_COMPONENT', `${operation} takes at least one component.`)
    }
    let node = state.bundles
    for (const ingredient of ingredients) {
      node =
        operation === 'query.add'
          ? node.follow(ingredient, operation)
          : node.with(ingredient as Definition, operation)
    }
    return node
  }
}

function hasValues(ingredient: Ingredient): boolean {
  return ingredient instanceof ComponentValue && ingredient.values !== undefined
}

function checkPlace(operation: string, what: string, value: number): void {
  if (Number.isInteger(value) && value >= 0) return
  throw new StrataTypeError(
    'INVALID_OPTION',
    `${operation}: ${what} must be a whole number from 0, not ${describe(value)}.`,
  )
}
