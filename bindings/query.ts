// Owns what a user does with a query: loop, each, count, single entities, bulk changes.
// It must never hold a match list: that is in linear memory, or in the plan of a loop that is still open.

import { GROUP_SIZE } from '../build/layout'
import type { EntityArrays } from './chunk'
import { ComponentValue, type Definition, type Ingredient, copyIngredient } from './component'
import type { Entity } from './entity'
import { StrataError, StrataTypeError, limitError } from './errors'
import { GroupIterator } from './groupLoop'
import { formGroup } from './groups'
import { QueryIterator } from './iteration'
import { Plan } from './plan'
import type { Registration } from './registration'
import { RowLoop } from './rowLoop'
import { sortHere, sortInCore, sortKey } from './sorting'
import type { ParsedTerm, Term } from './terms'
import type { Chunk, EachCallback, RequiredData, SortableFields } from './types'
import type { World } from './world'
import type { WorldState } from './worldState'

/** All entities with (and without) certain components. Made by world.query; kept and reused. */
export class Query<T extends readonly Term[] = readonly Term[], Grouped extends boolean = false> {
  private planned: Plan | undefined
  private readonly iterators: QueryIterator[] = []
  private readonly rowLoops: RowLoop[] = []
  private groupIterators: GroupIterator[] = []
  private keepsGroup = false
  private readonly entityArrays: EntityArrays

  /** @internal */
  constructor(
    private readonly state: WorldState,
    private readonly world: World,
    private readonly terms: readonly ParsedTerm[],
    entityArrays: EntityArrays,
  ) {
    this.entityArrays = entityArrays
    this.plan()
  }

  /** How this query is carried out now: made anew after a reset, and once memory may grow again. */
  private plan(): Plan {
    const known = this.planned
    if (
      known !== undefined &&
      known.generation === this.state.generation &&
      known.groupings === this.state.groupings &&
      (known.address !== 0 || (this.state.locks > 0 && known.loop === this.state.loop))
    ) {
      return known
    }
    this.state.refuseDisposed()
    // After a reset the group is gone, and this query still promises columns.
    if (this.keepsGroup)
      formGroup(
        this.state,
        this.terms.map(({ definition }) => definition),
      )
    this.planned = new Plan(this.state, this.terms)
    return this.planned
  }

  /** @internal Makes its components a group, now and after every reset. */
  grouped(): Query<T, true> {
    this.keepsGroup = true
    this.plan()
    return this as unknown as Query<T, true>
  }

  /**
   * Walks the matching rows, a run of a chunk at each step. The chunk object is reused. Structural changes
   * inside the loop are queued and applied when the outermost loop ends, by whatever way.
   * Cost: one step a chunk; nothing is allocated once the chunks are known.
   */
  [Symbol.iterator](): Iterator<Chunk<T, Grouped>> {
    return this.iterate() as unknown as Iterator<Chunk<T, Grouped>>
  }

  private iterate(): QueryIterator | GroupIterator {
    const plan = this.plan()
    if (plan.group !== 0) return this.iterateGroup(plan)
    return this.iteratePlan(plan)
  }

  private iterateGroup(plan: Plan): GroupIterator {
    let iterator = this.groupIterators.find(({ open }) => !open)
    if (iterator === undefined || iterator.plan !== plan) {
      this.groupIterators = this.groupIterators.filter(({ open }) => open)
      iterator = new GroupIterator(this.state, plan)
      this.groupIterators.push(iterator)
    }
    iterator.begin()
    return iterator
  }

  private iteratePlan(plan: Plan): QueryIterator {
    for (let i = 0; i < this.iterators.length; i++) {
      const iterator = this.iterators[i] as QueryIterator
      if (!iterator.open) {
        iterator.begin(plan)
        return iterator
      }
    }
    const iterator = new QueryIterator(this.state, plan, this.entityArrays)
    this.iterators.push(iterator)
    iterator.begin(plan)
    return iterator
  }

  /**
   * Calls back for every matching entity with one reused cursor for each component that has data, in the order
   * of the terms; undefined for an optional one that is not there. Do not keep the cursors.
   */
  each(callback: EachCallback<T>): void {
    const plan = this.plan()
    if (plan.group !== 0) {
      this.eachOfGroup(plan, callback as (entity: Entity, ...cursors: unknown[]) => void)
      return
    }
    const iterator = this.iteratePlan(plan)
    const loop = this.rowLoops.pop() ?? new RowLoop(this.state)
    try {
      loop.run(iterator, plan, callback as (entity: Entity, ...cursors: unknown[]) => void)
    } finally {
      this.rowLoops.push(loop)
      iterator.return()
    }
  }

  private eachOfGroup(plan: Plan, callback: (entity: Entity, ...cursors: unknown[]) => void): void {
    const iterator = this.iterateGroup(plan)
    try {
      iterator.each(callback)
    } finally {
      iterator.return()
    }
  }

  /** How many entities match. Counts archetypes; counts rows only where a sparse term must be asked. */
  get count(): number {
    const plan = this.plan()
    if (plan.impossible) return 0
    if (plan.group !== 0) return this.state.heap.word(plan.group + GROUP_SIZE)
    if (!plan.filtersRows) return plan.walksPool ? plan.rowsOf(plan.smallestPool()) : plan.archetypeRows()
    let count = 0
    for (const run of this.iterate()) count += run.end - run.start
    return count
  }

  /** Whether no entity matches. */
  get isEmpty(): boolean {
    return this.first() === undefined
  }

  /** An entity that matches, or undefined. */
  first(): Entity | undefined {
    for (const run of this.iterate()) return run.entities[run.start] as Entity
    return undefined
  }

  /**
   * The one entity that matches.
   *
   * @throws StrataError NOT_SINGLE when none or several match
   */
  single(): Entity {
    const count = this.count
    if (count !== 1) {
      throw new StrataError(
        'NOT_SINGLE',
        `single: ${count} entities match ${this.plan().describe()}, not exactly one.`,
      )
    }
    return this.first() as Entity
  }

  /** The handles of all matching entities, as a copy. */
  entities(): Uint32Array {
    const handles = new Uint32Array(this.count)
    let filled = 0
    for (const run of this.iterate()) {
      handles.set(run.entities.subarray(run.start, run.end), filled)
      filled += run.end - run.start
    }
    return handles
  }

  /**
   * The handles of all matching entities, ascending by a field of a component that the query requires, as a
   * copy. NaN comes last, -0 equals 0, false comes before true. Entities with equal values are in the order in
   * which they were made. Inside a loop the same, more slowly, since memory must not grow then.
   * Cost: a radix sort, linear in the number of entities.
   *
   * @param field any field but a vec
   * @throws StrataTypeError UNKNOWN_FIELD, INVALID_ORDER; LimitError when there is no memory to sort in
   * @example for (const entity of visible.sorted(Position, 'z')) draw(entity)
   */
  sorted<C extends RequiredData<T>>(component: C, field: SortableFields<C>): Uint32Array {
    this.state.refuseDisposed()
    const key = sortKey(component, field, 'sorted')
    const plan = this.plan()
    if (!this.terms.some(({ definition, role }) => definition === key.definition && role === 'required')) {
      throw new StrataTypeError(
        'INVALID_ORDER',
        `sorted: ${key.definition.componentName} is not required by ${plan.describe()}: entities without it have no place in its order.`,
      )
    }
    if (plan.impossible) return new Uint32Array(0)
    const registration = this.state.known(key.definition) as Registration
    if (this.state.locks !== 0 || plan.address === 0)
      return sortHere(this.state, this.iterate(), registration, key)
    return sortInCore(this.state, plan.address, registration.id, key)
  }

  /**
   * Adds components to every matching entity in one call; what is there keeps its values unless values are
   * given. Tags copy no row. Inside a loop the change waits, and applies to what matches then.
   *
   * @returns how many entities matched
   */
  add(...ingredients: Ingredient[]): number {
    const bundle = this.bundleOf(ingredients, 'query.add')
    const matched = this.count
    if (this.state.locks !== 0) {
      const kept = ingredients.map(copyIngredient)
      this.state.commands.later(() => void this.add(...kept))
      return matched
    }
    if (
      ingredients.some(
        (ingredient) => ingredient instanceof ComponentValue && ingredient.values !== undefined,
      )
    ) {
      return this.addValues(ingredients)
    }
    const status = this.state.core.queryAdd(this.plan().address, bundle.addressIn(this.state))
    this.state.heap.check()
    if (status < 0) throw limitError(status, bundle.describeRows())
    return matched
  }

  /** Values are written entity by entity, after the components were added in bulk. */
  private addValues(ingredients: readonly Ingredient[]): number {
    const matching = this.entities()
    this.add(
      ...ingredients.map((ingredient) =>
        ingredient instanceof ComponentValue ? ingredient.component : ingredient,
      ),
    )
    for (let i = 0; i < matching.length; i++) this.world.add(matching[i] as Entity, ...ingredients)
    return matching.length
  }

  /**
   * Removes components from every matching entity in one call.
   *
   * @returns how many entities matched
   */
  remove(...components: Exclude<Ingredient, ComponentValue>[]): number {
    const bundle = this.bundleOf(components, 'query.remove')
    const matched = this.count
    if (this.state.locks !== 0) {
      this.state.commands.later(() => void this.remove(...components))
      return matched
    }
    const status = this.state.core.queryRemove(this.plan().address, bundle.addressIn(this.state))
    this.state.heap.check()
    if (status < 0) throw limitError(status, bundle.describeRows())
    return matched
  }

  /**
   * Destroys every matching entity in one call.
   *
   * @returns how many entities matched
   */
  destroy(): number {
    const plan = this.plan()
    if (this.state.locks !== 0) {
      this.state.commands.later(() => void this.destroy())
      return this.count
    }
    const destroyed = this.state.core.queryDestroy(plan.address)
    this.state.heap.check()
    return destroyed
  }

  private bundleOf(ingredients: readonly unknown[], operation: string) {
    this.state.refuseDisposed()
    if (ingredients.length === 0) {
      throw new StrataTypeError('NOT_A_COMPONENT', `${operation} takes at least one component.`)
    }
    let node = this.state.bundles
    for (const ingredient of ingredients) {
      const component = ingredient instanceof ComponentValue ? ingredient.component : ingredient
      node = node.with(component as Definition, operation)
    }
    return node
  }
}
