// Owns the calls on a world that make queries, and put rows in order.
// It must never walk a query.

import type { AnyComponent, ComponentLike, OrderedTag } from '../components/component'
import { definitionOf } from '../components/definition'
import { type Term, keyOf, parseTerms, relatedIn } from '../components/terms'
import type { Cursor, PooledComponent, SortableFields } from '../components/types'
import { groupComponents } from '../matching/groups'
import { Query } from '../queries/query'
import { type SortOptions, sortRows, sortRowsAs, sortTag } from '../queries/sorting'
import { QuerySource } from '../queries/source'
import type { Relating } from '../rows/relating'
import { WorldLists } from './lists'

/** The part of a world for queries: see world.ts. */
export abstract class WorldQueries extends WorldLists {
  /** @internal */
  protected queries = new Map<string, Query>()

  /**
   * The query with these terms; without terms, it matches all entities. Equal terms give the same query object. Only
   * with changed() or added() among them, every call makes a query with a memory of its own: keep and reuse those.
   *
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
   * @example const moving = world.query(Position, Velocity, not(Frozen), optional(Scale))
   */
  query<const T extends readonly Term[]>(...terms: T): Query<T> {
    this.state.refuseDisposed()
    for (const term of terms) {
      const related = relatedIn(term)
      if (related !== undefined)
        return (related as Relating).query(this.state, this, terms) as unknown as Query<T>
    }
    const parsed = parseTerms(terms)
    const make = () => Query.make(new QuerySource(this.state, parsed, this.entityArrays))
    if (parsed.some(({ changed, added }) => changed || added)) return make() as unknown as Query<T>
    const key = keyOf(parsed)
    let query = this.queries.get(key)
    // One from before a reset or a restore meets its components here, where a new one would.
    if (query !== undefined) query.source.plan()
    else this.queries.set(key, (query = make()))
    return query as unknown as Query<T>
  }

  /** @internal All entities with a component, also those that a tag keeps out of queries. */
  holdersOf(component: ComponentLike): Query {
    return Query.make(new QuerySource(this.state, parseTerms([component]), this.entityArrays, true))
  }

  /**
   * Sorts the rows of a component with storage 'sparse' by one of its fields. Queries that walk its pool
   * visit entities in that order until rows are added or removed. NaN comes last; equal values keep the order in
   * which their entities were created. If the component is in a group, the group's entities are sorted in all of its
   * pools, and the other rows follow after them. Inside a loop this waits until the loop ends.
   * Cost: a radix sort, linear in the number of rows, and one exchange per row.
   *
   * @param field any field that holds one number
   * @param options order and limit: see SortOptions
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER for tables and stable storage,
   *   INVALID_OPTION; LimitError. Nothing changes then.
   * @example world.sort(Depth, 'z', { limit: 100 }) // the first 100 are the least, in order
   */
  sort<C extends PooledComponent<'sparse'>>(
    component: C,
    field: SortableFields<C>,
    options?: SortOptions,
  ): void
  /**
   * Sorts the rows of a component with storage 'sparse' by a function of two cursors. Equal ones keep the order in which
   * their entities were created. Structural changes that the function makes wait until the rows are sorted. Cost: n log n
   * calls of the function, from JavaScript: several times slower than by a field.
   *
   * @param compare returns a number below 0 where the first row comes first, above 0 where the second one does
   * @param options limit: see SortOptions
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_ORDER for tables and stable storage, INVALID_OPTION; what the
   *   function throws. Nothing changes then.
   * @example world.sort(Health, (a, b) => a.hp / a.max - b.hp / b.max)
   */
  sort<C extends PooledComponent<'sparse'>>(
    component: C,
    compare: (a: Cursor<C>, b: Cursor<C>) => number,
    options?: SortOptions & { readonly order?: undefined },
  ): void
  /**
   * Sorts the entities of an ordered tag by a field of any component, ascending. Entities without the component come
   * last. Those and entities with equal values keep their present order. An entity that gets the tag later goes to
   * the end. Inside a loop this waits until the loop ends.
   *
   * @param tag declared with the order 'insertion'
   * @param field any field that holds one number
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER for the order 'entity'; LimitError. Nothing
   *   changes then.
   */
  sort<C extends AnyComponent>(
    tag: OrderedTag,
    component: C,
    field: SortableFields<C>,
    options?: SortOptions,
  ): void
  sort(subject: unknown, second: unknown, third?: unknown, fourth?: unknown): void {
    this.state.refuseDisposed()
    const tag = definitionOf(subject)
    if (tag?.order !== undefined) sortTag(this.state, tag, second, third, fourth as SortOptions)
    else sortRows(this.state, subject, second, third as SortOptions)
    this.state.settle()
  }

  /**
   * Groups sparse components: from now on, the entities that have all of them are kept at the front of each pool, in
   * the same order. A loop over the returned query then has all components as columns, as fast as an archetype.
   * `world.query` with exactly these components returns the same query.
   * Adding or removing one of the components exchanges one row per pool. The group survives clear; after a reset the
   * query rebuilds it. Inside a loop, only a group that exists already can be used.
   *
   * @param components two or more with storage 'sparse', each in no other group
   * @returns the query over exactly these components
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_GROUP; LimitError; StrataError
   *   WORLD_LOCKED. Nothing changes then.
   * @example for (const chunk of world.group(Position, Velocity)) { const p = chunk.write(Position) … }
   */
  group<
    const T extends readonly [
      PooledComponent<'sparse'>,
      PooledComponent<'sparse'>,
      ...PooledComponent<'sparse'>[],
    ],
  >(...components: T): Query<T, true> {
    this.state.refuseDisposed()
    groupComponents(components)
    const query = this.query<T>(...components)
    query.source.keepGroup()
    return query
  }

  /**
   * Puts the rows of `component` in the order of the rows of `like`: entities that have both come first, in the order
   * of `like`; the others follow in no particular order. Inside a loop this waits until the loop ends.
   * Cost: one lookup per row of `like`, and one exchange per row.
   *
   * @param component with storage 'sparse', in no group
   * @param like with storage 'sparse' or 'stable', or an ordered tag
   * @throws StrataTypeError NOT_A_COMPONENT, INVALID_ORDER. Nothing changes then.
   */
  sortAs(component: PooledComponent<'sparse'>, like: PooledComponent | OrderedTag): void {
    this.state.refuseDisposed()
    sortRowsAs(this.state, component, like)
    this.state.settle()
  }
}
