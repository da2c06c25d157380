// Owns sortRows and sortRowsAs, which put the rows of a sparse component, or the entities of an ordered tag, in another order. The
// core moves them; only a comparison function is called from here.

import {
  POOL_GROUP,
  GROUP_SIZE,
  SCRATCH_WORDS,
  SCRATCH_ADDRESS_WORD,
  STORAGE_SPARSE,
  STORAGE_STABLE,
} from '../../build/layout'
import type { AnyComponent, OrderedTag } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import type { PooledComponent, SortableFields, Cursor } from '../components/queryTypes'
import { orderOf } from '../memory/coreParts'
import { limitError, StrataTypeError } from '../memory/errors'
import { ageOf } from '../memory/handles'
import type { Registration } from '../state/registration'
import type { RowRef } from '../cursors/rowRef'
import { type WorldState, stateOf } from '../state/worldState'
import { eachChunk } from '../memory/coreTables'
import type { World } from '../world/world'
import { type SortDirection, sortKey, type SortKey, limitIn, MOST_ROWS } from './sortQuery'

/** Options of sortRows. */
export interface SortOptions {
  /** 'ascending' (default) or 'descending'. NaN comes last in both. Not with a function, which says itself what comes first. */
  readonly order?: SortDirection | undefined
  /** How many come first, in order, from 0; the others follow in no particular order. Default all. */
  readonly limit?: number | undefined
}

/** Orders the rows of a sparse component by one of its fields; inside a loop, when the loop ends. */
function sortPool(
  state: WorldState,
  component: unknown,
  by: unknown,
  options: SortOptions | undefined,
): void {
  const limit = Math.min(limitIn('sortRows', options), MOST_ROWS)
  const key =
    typeof by === 'function'
      ? orderedBy(component, options)
      : sortKey(component, by, 'sortRows', options?.order)
  requireSparse(key.definition, 'sortRows', 'sortedEntities(query, …) gives its entities in order')
  if (state.locks !== 0) {
    state.commands.later(() => sortPool(state, component, by, options))
    return
  }
  const registration = state.known(key.definition)
  if (registration === undefined) return
  state.reporting?.subscribers.everything()
  if (typeof by === 'function') {
    sortRowsBy(state, registration, by as RowComparison, limit)
    return
  }
  const { place, kind } = key as SortKey
  const status = orderOf(state).poolSort(registration.id, place, kind as number, limit)
  state.heap.check()
  if (status < 0) throw limitError(status, '')
}

/** Says which of two rows comes first, by cursors on them. */
type RowComparison = (a: object, b: object) => number

/** The component whose rows a function compares. */
function orderedBy(
  component: unknown,
  options: SortOptions | undefined,
): { readonly definition: Definition } {
  const definition = definitionOf(component)
  if (definition === undefined) throw notAComponent(component, 'sortRows')
  if (options?.order === undefined) return { definition }
  throw new StrataTypeError(
    'INVALID_OPTION',
    'sortRows: the function says what comes first: leave order out.',
  )
}

/** Orders rows by a function of two cursors: in a group its rows, then the others. */
function sortRowsBy(
  state: WorldState,
  registration: Registration,
  compare: RowComparison,
  limit: number,
): void {
  const { heap } = state
  const handles: number[] = []
  eachChunk(heap, registration.pool, (data, _, rows) => {
    for (let row = 0; row < rows; row++) handles.push(heap.u32[(data >> 2) + row] as number)
  })
  const group = heap.word(registration.pool + POOL_GROUP)
  const grouped = group === 0 ? 0 : heap.word(group + GROUP_SIZE)
  const { cursors, definition } = registration
  const [a, b] = [cursors.take(definition, false), cursors.take(definition, false)]
  const byCursors = (x: number, y: number): number => {
    a.seat.stand(registration.locate(x) as RowRef)
    b.seat.stand(registration.locate(y) as RowRef)
    return compare(a.cursor, b.cursor) || ageOf(heap, y) - ageOf(heap, x)
  }
  // What the function changes waits: the rows that are compared must stay.
  state.lock()
  try {
    const sorted = [...handles.slice(0, grouped).sort(byCursors), ...handles.slice(grouped).sort(byCursors)]
    const count = Math.min(limit, sorted.length)
    for (let first = 0; first < count; first += SCRATCH_WORDS) {
      const part = sorted.slice(first, Math.min(count, first + SCRATCH_WORDS))
      heap.u32.set(part, SCRATCH_ADDRESS_WORD)
      orderOf(state).poolArrange(registration.id, first, part.length)
    }
  } finally {
    a.seat.park()
    b.seat.park()
    cursors.giveBack(a, false)
    cursors.giveBack(b, false)
    state.unlock()
  }
}

/**
 * Orders an ordered tag by a field of a component; inside a loop, when the loop ends. All of it: a limit would spare
 * nothing.
 */
function sortTag(
  state: WorldState,
  tag: Definition,
  component: unknown,
  fieldName: unknown,
  options: SortOptions | undefined,
): void {
  limitIn('sortRows', options)
  const key = sortKey(component, fieldName, 'sortRows', options?.order)
  if (state.locks !== 0) {
    state.commands.later(() => sortTag(state, tag, component, fieldName, options))
    return
  }
  const [tagged, keyed] = [state.known(tag), state.known(key.definition)]
  if (tagged === undefined || keyed === undefined) return
  state.reporting?.subscribers.everything()
  const status = orderOf(state).orderSort(tagged.id, keyed.id, key.place, key.kind as number)
  state.heap.check()
  if (status < 0) throw limitError(status, '')
}

/** Orders the rows of one sparse component like those of another; inside a loop, when the loop ends. */
function sortPoolAs(state: WorldState, component: unknown, like: unknown): void {
  const [definition, model] = [component, like].map((argument) => {
    const known = definitionOf(argument)
    if (known === undefined) throw notAComponent(argument, 'sortRowsAs')
    return known
  }) as [Definition, Definition]
  if (definition.order !== undefined) {
    const name = definition.componentName
    throw new StrataTypeError(
      'INVALID_ORDER',
      `sortRowsAs: ${name} is visited in an order of its own: sortRows(world, ${name}, component, field) gives it another.`,
    )
  }
  requireSparse(definition, 'sortRowsAs', 'only rows of a pool can follow another pool')
  if (model.storageCode < STORAGE_SPARSE) {
    throw new StrataTypeError(
      'INVALID_ORDER',
      `sortRowsAs: ${model.componentName} has no order of its own: name a component with storage sparse or stable, or an ordered tag.`,
    )
  }
  if (state.locks !== 0) {
    state.commands.later(() => sortPoolAs(state, component, like))
    return
  }
  const [set, other] = [state.known(definition), state.known(model)]
  state.reporting?.subscribers.everything()
  if (set === undefined || other === undefined || orderOf(state).poolSortAs(set.id, other.id) > 0) return
  throw new StrataTypeError(
    'INVALID_ORDER',
    `sortRowsAs: ${definition.componentName} belongs to a group: sort that with sortRows(world, ${definition.componentName}, field).`,
  )
}

/** Throws unless the component's rows may change places. */
function requireSparse({ componentName, storageCode }: Definition, operation: string, instead: string): void {
  if (storageCode === STORAGE_SPARSE) return
  const why =
    storageCode === STORAGE_STABLE
      ? 'has stable storage, whose rows never move'
      : "has no rows of its own: they lie with the entity's other components"
  throw new StrataTypeError(
    'INVALID_ORDER',
    `${operation}: ${componentName} ${why}. Declare it with storage sparse; ${instead}.`,
  )
}

/**
 * Sorts the rows of a component with storage sparse by one of its fields. Queries that walk its pool
 * visit entities in that order until rows are added or removed. NaN comes last; equal values keep the order in
 * which their entities were created. If the component is in a group, the group's entities are sorted in all of its
 * pools, and the other rows follow after them. Inside a loop this waits until the loop ends.
 * Cost: a radix sort, linear in the number of rows, and one exchange per row.
 *
 * @param field any field that holds one number
 * @param options order and limit: see SortOptions
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER for tables and stable storage,
 *   INVALID_OPTION; LimitError. Nothing changes then.
 * @example sortRows(world, Depth, 'z', { limit: 100 }) // the first 100 are the least, in order
 */
export function sortRows<C extends PooledComponent<'sparse'>>(
  world: World,
  component: C,
  field: SortableFields<C>,
  options?: SortOptions,
): void
/**
 * Sorts the rows of a component with storage sparse by a function of two cursors. Equal ones keep the order in which
 * their entities were created. Structural changes that the function makes wait until the rows are sorted. Cost: n log n
 * calls of the function, from JavaScript: several times slower than by a field.
 *
 * @param compare returns a number below 0 where the first row comes first, above 0 where the second one does
 * @param options limit: see SortOptions
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_ORDER for tables and stable storage, INVALID_OPTION; what the
 *   function throws. Nothing changes then.
 * @example sortRows(world, Health, (a, b) => a.hp / a.max - b.hp / b.max)
 */
export function sortRows<C extends PooledComponent<'sparse'>>(
  world: World,
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
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER for a field that is not one number; LimitError. Nothing
 *   changes then.
 */
export function sortRows<C extends AnyComponent>(
  world: World,
  tag: OrderedTag,
  component: C,
  field: SortableFields<C>,
  options?: SortOptions,
): void
export function sortRows(
  world: World,
  subject: unknown,
  second: unknown,
  third?: unknown,
  fourth?: unknown,
): void {
  const state = stateOf(world, 'sortRows')
  state.refuseDisposed()
  const tag = definitionOf(subject)
  if (tag?.order !== undefined) sortTag(state, tag, second, third, fourth as SortOptions)
  else sortPool(state, subject, second, third as SortOptions)
  state.settle()
}

/**
 * Puts the rows of `component` in the order of the rows of `like`: entities that have both come first, in the order
 * of `like`; the others follow in no particular order. Inside a loop this waits until the loop ends.
 * Cost: one lookup per row of `like`, and one exchange per row.
 *
 * @param component with storage sparse, in no group
 * @param like with storage sparse or stable, or an ordered tag
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_ORDER. Nothing changes then.
 */
export function sortRowsAs(
  world: World,
  component: PooledComponent<'sparse'>,
  like: PooledComponent | OrderedTag,
): void {
  const state = stateOf(world, 'sortRowsAs')
  state.refuseDisposed()
  sortPoolAs(state, component, like)
  state.settle()
}
