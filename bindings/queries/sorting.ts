// Owns the bindings' part of sorting: the check of component and field, and the calls into the core.
// It must never move a row: that is one call into the core.

import {
  ENTITIES_BIRTHS,
  ENTITIES_NEXT_BIRTH,
  GROUP_SIZE,
  KEY_DESCENDING,
  KEY_FLOAT,
  KEY_SIGNED,
  KEY_UNSIGNED,
  POOL_GROUP,
  SCRATCH_ADDRESS,
  SCRATCH_ADDRESS_WORD,
  SCRATCH_WORDS,
  STATUS_OUT_OF_MEMORY,
  STORAGE_SPARSE,
  STORAGE_STABLE,
} from '../../build/layout'
import { type Definition, definitionOf } from '../components/definition'
import { type Field, isVec } from '../components/fields'
import type { Kind, KindIn } from '../components/kinds'
import { notAComponent } from '../components/notAComponent'
import { checkOptions, checkWhole } from '../memory/arguments'
import { describe } from '../memory/describe'
import { INDEX_MASK, type EntityArray, entityArray } from '../memory/entity'
import { StrataTypeError, limitError } from '../memory/errors'
import type { Registration } from '../rows/registration'
import type { RowRef } from '../rows/rowRef'
import { eachChunk } from '../rows/tableRows'
import type { WorldState } from '../rows/worldState'

/** Texts are kept as numbers that say nothing about their order. */
const KEY_KINDS: Partial<Record<Kind, number>> = {
  u8: KEY_UNSIGNED,
  u16: KEY_UNSIGNED,
  u32: KEY_UNSIGNED,
  bool: KEY_UNSIGNED,
  entity: KEY_UNSIGNED,
  i8: KEY_SIGNED,
  i16: KEY_SIGNED,
  i32: KEY_SIGNED,
  f32: KEY_FLOAT,
  f64: KEY_FLOAT,
} satisfies Record<Exclude<Kind, KindIn<'text'>>, number>

/** A field of a component. */
export interface FieldKey {
  readonly definition: Definition
  /** The field's place in the component. */
  readonly place: number
}

/** A field that rows can be ordered by. */
export interface SortKey extends FieldKey {
  readonly field: Field
  /** How the core reads it: KEY_UNSIGNED, KEY_SIGNED or KEY_FLOAT, and KEY_DESCENDING; undefined for a text. */
  readonly kind: number | undefined
  readonly descends: boolean
}

/** Which way an order goes. */
export type SortDirection = 'ascending' | 'descending'

/** Options of query.sorted. */
export interface SortedOptions {
  /** 'ascending' (default) or 'descending'; for several fields also a list with one for each. NaN comes last in both. */
  readonly order?: SortDirection | readonly SortDirection[] | undefined
  /** How many handles at most, from the first on: a whole number from 0. Default all. */
  readonly limit?: number | undefined
}

/** Options of world.sort. */
export interface SortOptions {
  /** 'ascending' (default) or 'descending'. NaN comes last in both. Not with a function, which says itself what comes first. */
  readonly order?: SortDirection | undefined
  /** How many come first, in order, from 0; the others follow in no particular order. Default all. */
  readonly limit?: number | undefined
}

/**
 * A field with one number to sort by, checked.
 *
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER
 */
export function sortKey(
  component: unknown,
  fieldName: unknown,
  operation: string,
  order?: unknown,
  takesTexts = false,
): SortKey {
  const { definition, place } = fieldKey(component, fieldName, operation)
  const field = definition.fields[place] as Field
  const known = KEY_KINDS[field.kind]
  if (isVec(field) || (known === undefined && !takesTexts)) {
    throw new StrataTypeError(
      'INVALID_ORDER',
      `${operation}: ${definition.componentName}.${String(fieldName)} has no order: name a field that is one number.`,
    )
  }
  if (order !== undefined && order !== 'ascending' && order !== 'descending') {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `${operation}: order must be 'ascending' or 'descending', not ${describe(order)}.`,
    )
  }
  const descends = order === 'descending'
  const kind = known === undefined ? undefined : known | (descends ? KEY_DESCENDING : 0)
  return { definition, place, field, kind, descends }
}

/** The fields that query.sorted is to sort by, and how many handles it gives. Throws as sortKey. */
export function sortedKeys(
  component: unknown,
  fieldNames: unknown,
  options: SortedOptions | undefined,
): { readonly keys: readonly [SortKey, ...SortKey[]]; readonly limit: number } {
  const limit = limitIn('sorted', options)
  const order: unknown = options?.order
  const names: readonly unknown[] = Array.isArray(fieldNames) ? fieldNames : [fieldNames]
  const keyAt = (name: unknown, i: number) =>
    sortKey(component, name, 'sorted', Array.isArray(order) ? order[i] : order, true)
  return { keys: [keyAt(names[0], 0), ...names.slice(1).map((name, i) => keyAt(name, i + 1))], limit }
}

/** The limit among options, checked. */
function limitIn(operation: string, options: SortOptions | SortedOptions | undefined): number {
  checkOptions(operation, options, ['order', 'limit'])
  const limit = options?.limit
  if (limit !== undefined) checkWhole(operation, 'the limit', limit)
  return limit ?? Infinity
}

/** A field by its name, checked. */
export function fieldKey(component: unknown, fieldName: unknown, operation: string): FieldKey {
  const definition = definitionOf(component)
  if (definition === undefined) throw notAComponent(component, operation)
  const name = definition.componentName
  const place = definition.fieldNames.indexOf(fieldName as string)
  if (place < 0) {
    const known =
      definition.fields.length > 0 ? `its fields are ${definition.fieldNames.join(', ')}` : 'it has no fields'
    throw new StrataTypeError(
      'UNKNOWN_FIELD',
      `${operation}: ${name} has no field ${describe(fieldName)}: ${known}.`,
    )
  }
  return { definition, place }
}

/**
 * The handles that `sort` puts in order in the core. It is told the field's place and kind, and returns the address
 * of the handles, 0 when there are none, or a negative status.
 */
export function sortInCore(
  state: WorldState,
  key: SortKey,
  sort: (place: number, kind: number) => number,
): EntityArray<ArrayBuffer> {
  const { core, heap } = state
  const address = sort(key.place, key.kind as number)
  if (address === 0) return entityArray(0)
  if (address < 0) throw limitError(STATUS_OUT_OF_MEMORY, '')
  try {
    return heap.u32.slice(
      address >> 2,
      (address >> 2) + heap.word(SCRATCH_ADDRESS),
    ) as EntityArray<ArrayBuffer>
  } finally {
    core.sortEnd()
  }
}

/** How many entities were made since this one: the oldest has the greatest age. */
export function ageOf({ heap }: WorldState, entity: number | undefined): number {
  const index = (entity as number) & INDEX_MASK
  return (heap.word(ENTITIES_NEXT_BIRTH) - heap.word(heap.word(ENTITIES_BIRTHS) + index * 4)) >>> 0
}

/** Orders the rows of a sparse component by one of its fields; inside a loop, when the loop ends. */
function sortRows(
  state: WorldState,
  component: unknown,
  by: unknown,
  options: SortOptions | undefined,
): void {
  const limit = Math.min(limitIn('sort', options), MOST_ROWS)
  const key =
    typeof by === 'function' ? orderedBy(component, options) : sortKey(component, by, 'sort', options?.order)
  requireSparse(key.definition, 'sort', 'world.query(…).sorted gives its entities in order')
  if (state.locks !== 0) {
    state.commands.later(() => sortRows(state, component, by, options))
    return
  }
  const registration = state.known(key.definition)
  if (registration === undefined) return
  state.reporting?.subscribers.everything()
  if (typeof by === 'function') {
    sortRowsBy(state, registration, by as Comparison, limit)
    return
  }
  const { place, kind } = key as SortKey
  const status = state.core.poolSort(registration.id, place, kind as number, limit)
  state.heap.check()
  if (status < 0) throw limitError(status, '')
}

/** More rows than anything has. */
export const MOST_ROWS = 0x7fffffff

/** Says which of two rows comes first, by cursors on them. */
type Comparison = (a: object, b: object) => number

/** The component whose rows a function compares. */
function orderedBy(
  component: unknown,
  options: SortOptions | undefined,
): { readonly definition: Definition } {
  const definition = definitionOf(component)
  if (definition === undefined) throw notAComponent(component, 'sort')
  if (options?.order === undefined) return { definition }
  throw new StrataTypeError('INVALID_OPTION', 'sort: the function says what comes first: leave order out.')
}

/** Orders rows by a function of two cursors: in a group its rows, then the others. */
function sortRowsBy(state: WorldState, registration: Registration, compare: Comparison, limit: number): void {
  const { heap, core } = state
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
    return compare(a.cursor, b.cursor) || ageOf(state, y) - ageOf(state, x)
  }
  // What the function changes waits: the rows that are compared must stay.
  state.lock()
  try {
    const sorted = [...handles.slice(0, grouped).sort(byCursors), ...handles.slice(grouped).sort(byCursors)]
    const count = Math.min(limit, sorted.length)
    for (let first = 0; first < count; first += SCRATCH_WORDS) {
      const part = sorted.slice(first, Math.min(count, first + SCRATCH_WORDS))
      heap.u32.set(part, SCRATCH_ADDRESS_WORD)
      core.poolArrange(registration.id, first, part.length)
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
  limitIn('sort', options)
  const key = sortKey(component, fieldName, 'sort', options?.order)
  if (state.locks !== 0) {
    state.commands.later(() => sortTag(state, tag, component, fieldName, options))
    return
  }
  const [tagged, keyed] = [state.known(tag), state.known(key.definition)]
  if (tagged === undefined || keyed === undefined) return
  state.reporting?.subscribers.everything()
  const status = state.core.orderSort(tagged.id, keyed.id, key.place, key.kind as number)
  state.heap.check()
  if (status < 0) throw limitError(status, '')
}

/** Orders the rows of one sparse component like those of another; inside a loop, when the loop ends. */
function sortRowsAs(state: WorldState, component: unknown, like: unknown): void {
  const [definition, model] = [component, like].map((argument) => {
    const known = definitionOf(argument)
    if (known === undefined) throw notAComponent(argument, 'sortAs')
    return known
  }) as [Definition, Definition]
  if (definition.order !== undefined) {
    const name = definition.componentName
    throw new StrataTypeError(
      'INVALID_ORDER',
      `sortAs: ${name} is visited in an order of its own: world.sort(${name}, component, field) gives it another.`,
    )
  }
  requireSparse(definition, 'sortAs', 'only rows of a pool can follow another pool')
  if (model.storageCode < STORAGE_SPARSE) {
    throw new StrataTypeError(
      'INVALID_ORDER',
      `sortAs: ${model.componentName} has no order of its own: name a component with storage 'sparse' or 'stable', or an ordered tag.`,
    )
  }
  if (state.locks !== 0) {
    state.commands.later(() => sortRowsAs(state, component, like))
    return
  }
  const [set, other] = [state.known(definition), state.known(model)]
  state.reporting?.subscribers.everything()
  if (set === undefined || other === undefined || state.core.poolSortAs(set.id, other.id) > 0) return
  throw new StrataTypeError(
    'INVALID_ORDER',
    `sortAs: ${definition.componentName} belongs to a group: sort that with world.sort(${definition.componentName}, field).`,
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
    `${operation}: ${componentName} ${why}. Declare it with storage 'sparse'; ${instead}.`,
  )
}

/** world.sort */
export function sort(
  state: WorldState,
  subject: unknown,
  second: unknown,
  third: unknown,
  fourth: unknown,
): void {
  state.refuseDisposed()
  const tag = definitionOf(subject)
  if (tag?.order !== undefined) sortTag(state, tag, second, third, fourth as SortOptions)
  else sortRows(state, subject, second, third as SortOptions)
  state.settle()
}

/** world.sortAs */
export function sortAs(state: WorldState, component: unknown, like: unknown): void {
  state.refuseDisposed()
  sortRowsAs(state, component, like)
  state.settle()
}
