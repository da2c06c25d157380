// Owns the bindings' part of sorting: the check of component and field, and the calls into the core, which moves the rows.

import {
  KEY_DESCENDING,
  KEY_FLOAT,
  KEY_SIGNED,
  KEY_UNSIGNED,
  SCRATCH_ADDRESS,
  STATUS_OUT_OF_MEMORY,
} from '../../build/layout'
import { type Definition, definitionOf } from '../components/definition'
import { type Field, isVec } from '../components/fields'
import type { Kind, KindIn } from '../components/fieldKinds'
import { notAComponent } from '../components/notAComponent'
import type { Term } from '../components/terms'
import type { RequiredData, OrderedFields } from '../components/queryTypes'
import { checkOptions, checkWhole } from '../memory/arguments'
import { orderOf } from '../memory/coreParts'
import { describe } from '../memory/describe'
import { type EntityArray, entityArray } from '../memory/entity'
import { StrataTypeError, limitError } from '../memory/errors'
import { takeArray } from '../memory/givenLists'
import type { WorldState } from '../state/worldState'
import { type Query, queryGiven } from './query'
import type { SortOptions } from './sortRows'
import { type AnyQuery, requiredIn, isWindow, changeMatching } from './queryRows'
import { sortInJs } from './sortInJs'

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

/** Options of sorted. */
export interface SortedOptions {
  /** 'ascending' (default) or 'descending'; for several fields also a list with one for each. NaN comes last in both. */
  readonly order?: SortDirection | readonly SortDirection[] | undefined
  /** How many handles at most, from the first on: a whole number from 0. Default all. */
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

/** The fields that sorted is to sort by, and how many handles it gives. Throws as sortKey. */
export function sortedKeys(
  component: unknown,
  fieldNames: unknown,
  options: SortedOptions | undefined,
): { readonly keys: readonly [SortKey, ...SortKey[]]; readonly limit: number } {
  const limit = limitIn('sortedEntities', options)
  const listed = (of: string, given: unknown): readonly unknown[] | undefined =>
    Array.isArray(given) ? takeArray('sortedEntities', of, given as readonly unknown[]) : undefined
  const order: unknown = options?.order
  const orders = listed('orders', order)
  const names = listed('fields', fieldNames) ?? [fieldNames]
  const keyAt = (name: unknown, i: number) =>
    sortKey(component, name, 'sortedEntities', orders === undefined ? order : orders[i], true)
  return { keys: [keyAt(names[0], 0), ...names.slice(1).map((name, i) => keyAt(name, i + 1))], limit }
}

/** The limit among options, checked. */
export function limitIn(operation: string, options: SortOptions | SortedOptions | undefined): number {
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
  const { heap } = state
  const address = sort(key.place, key.kind as number)
  if (address === 0) return entityArray(0)
  if (address < 0) throw limitError(STATUS_OUT_OF_MEMORY, '')
  try {
    return heap.u32.slice(
      address >> 2,
      (address >> 2) + heap.word(SCRATCH_ADDRESS),
    ) as EntityArray<ArrayBuffer>
  } finally {
    orderOf(state).sortEnd()
  }
}

/** More rows than anything has. */
export const MOST_ROWS = 0x7fffffff

/**
 * A copy of the handles of all matching entities, sorted by a field, ascending unless the options say otherwise. NaN
 * comes last, -0 equals 0, and false comes before true; texts are compared by their UTF-16 units. Entities with equal
 * values are sorted by the next field, if several are named; then they keep the order in which they were created.
 * Cost: a radix sort, linear in the number of entities; with a limit one pass, and a sort of the few that it leaves. By a
 * text, by several fields, and inside a loop, where memory must not grow, a slower comparison sort in JavaScript.
 *
 * @param component one that the query requires
 * @param field any field that holds one value, or a list of such fields
 * @param options order and limit: see SortedOptions
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER, INVALID_OPTION; LimitError if there is no
 *   memory to sort in
 * @example for (const entity of sortedEntities(visible, Position, 'z')) draw(entity)
 * @example const best = sortedEntities(players, Score, ['points', 'name'], { order: ['descending', 'ascending'], limit: 10 })
 */
export function sortedEntities<T extends readonly Term[], C extends RequiredData<T>>(
  query: Query<T, boolean>,
  component: C,
  field: OrderedFields<C> | readonly [OrderedFields<C>, ...OrderedFields<C>[]],
  options?: SortedOptions,
): EntityArray<ArrayBuffer> {
  const given = queryGiven(query, 'sortedEntities')
  const { keys, limit } = sortedKeys(component, field, options)
  return sortedBy(given, keys, limit)
}

function sortedBy(
  query: AnyQuery,
  keys: readonly [SortKey, ...SortKey[]],
  limit: number,
): EntityArray<ArrayBuffer> {
  const [key] = keys
  const { source } = query
  const { state } = source
  const plan = source.plan()
  const registration = requiredIn(query, key.definition, 'sortedEntities')
  if (registration === undefined) return entityArray(0)
  if (state.locks !== 0 || isWindow(query) || plan.address === 0 || keys.length > 1 || key.kind === undefined)
    return sortInJs(state, query, registration, keys, limit)
  return sortInCore(state, key, (place, kind) =>
    changeMatching(query, (address, filters) =>
      orderOf(state).querySort(address, filters, registration.id, place, kind, Math.min(limit, MOST_ROWS)),
    ),
  )
}
