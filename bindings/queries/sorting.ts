// Owns the bindings' part of sorting: the check of component and field, and the sort of a query's handles in JavaScript
// while memory must not grow. It must never move a row: that is one call into the core.

import {
  ENTITIES_BIRTHS,
  ENTITIES_NEXT_BIRTH,
  KEY_FLOAT,
  KEY_SIGNED,
  KEY_UNSIGNED,
  SCRATCH_ADDRESS,
  STATUS_OUT_OF_MEMORY,
  STORAGE_SPARSE,
  STORAGE_STABLE,
} from '../../build/layout'
import { type Definition, definitionOf } from '../components/definition'
import { arrayOf } from '../components/fieldMemory'
import { type Field, type Kind, SHIFT_OF, isVec } from '../components/fields'
import { notAComponent } from '../components/notAComponent'
import { describe } from '../memory/describe'
import { INDEX_MASK, type Entity, type EntityArray, entityArray } from '../memory/entity'
import { StrataTypeError, limitError } from '../memory/errors'
import type { Registration } from '../rows/registration'
import type { RowRef } from '../rows/rowRef'
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
}

/** What is needed of a step of a loop. */
interface Run {
  readonly entities: EntityArray
  readonly start: number
  readonly end: number
}

/** A field that rows can be ordered by. */
export interface SortKey {
  readonly definition: Definition
  /** The field's place in the component. */
  readonly place: number
  readonly field: Field
  /** How the core reads it: KEY_UNSIGNED, KEY_SIGNED or KEY_FLOAT. */
  readonly kind: number
}

/**
 * The field to sort by, checked.
 *
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_ORDER
 */
export function sortKey(component: unknown, fieldName: unknown, operation: string): SortKey {
  const definition = definitionOf(component)
  if (definition === undefined) throw notAComponent(component, operation)
  const name = definition.componentName
  const place = definition.fieldNames.indexOf(fieldName as string)
  if (place < 0) {
    const known =
      definition.fields.length > 0
        ? `its fields are ${definition.fieldNames.join(', ')}`
        : 'it has no fields to sort by'
    throw new StrataTypeError(
      'UNKNOWN_FIELD',
      `${operation}: ${name} has no field ${describe(fieldName)}: ${known}.`,
    )
  }
  const field = definition.fields[place] as Field
  const kind = KEY_KINDS[field.kind]
  if (isVec(field) || kind === undefined) {
    throw new StrataTypeError(
      'INVALID_ORDER',
      `${operation}: ${name}.${String(fieldName)} has no order: sort by a field that is one number.`,
    )
  }
  return { definition, place, field, kind }
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
  const address = sort(key.place, key.kind)
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

/** The handles in order, sorted in JavaScript. For loops: memory must not grow while one is open. */
export function sortHere(
  state: WorldState,
  runs: Iterable<Run>,
  registration: Registration,
  key: SortKey,
): EntityArray<ArrayBuffer> {
  const handles: Entity[] = []
  const keys: number[] = []
  const { heap } = state
  const values = arrayOf(heap, key.field.kind)
  const shift = SHIFT_OF[key.field.kind]
  for (const { entities, start, end } of runs) {
    for (let row = start; row < end; row++) {
      const entity = entities[row] as Entity
      const ref = registration.locate(entity) as RowRef
      handles.push(entity)
      const offset = ref.placement.offsets[key.place] as number
      keys.push(values[((ref.data + offset) >> shift) + ref.row] as number)
    }
  }
  const places = handles.map((_, place) => place)
  places.sort((a, b) => {
    const difference = compareKeys(keys[a] as number, keys[b] as number)
    return difference !== 0 ? difference : ageOf(state, handles[b]) - ageOf(state, handles[a])
  })
  const sorted = entityArray(places.length)
  places.forEach((place, i) => (sorted[i] = handles[place] as Entity))
  return sorted
}

/** Ascending; NaN behind everything, and -0 equal to 0. */
function compareKeys(a: number, b: number): number {
  if (a < b) return -1
  if (a > b) return 1
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
}

/** How many entities were made since this one: the oldest has the greatest age. */
function ageOf({ heap }: WorldState, entity: number | undefined): number {
  const index = (entity as number) & INDEX_MASK
  return (heap.word(ENTITIES_NEXT_BIRTH) - heap.word(heap.word(ENTITIES_BIRTHS) + index * 4)) >>> 0
}

/** Orders the rows of a sparse component by one of its fields; inside a loop, when the loop ends. */
export function sortRows(state: WorldState, component: unknown, fieldName: unknown): void {
  const key = sortKey(component, fieldName, 'sort')
  requireSparse(key.definition, 'sort', 'world.query(…).sorted gives its entities in order')
  if (state.locks !== 0) {
    state.commands.later(() => sortRows(state, component, fieldName))
    return
  }
  const registration = state.known(key.definition)
  if (registration === undefined) return
  const status = state.core.poolSort(registration.id, key.place, key.kind)
  state.heap.check()
  if (status < 0) throw limitError(status, '')
}

/** Orders an ordered tag by a field of a component; inside a loop, when the loop ends. */
export function sortTag(state: WorldState, tag: Definition, component: unknown, fieldName: unknown): void {
  const key = sortKey(component, fieldName, 'sort')
  if (tag.order !== 'insertion') {
    throw new StrataTypeError(
      'INVALID_ORDER',
      `sort: ${tag.componentName} is always in the order of its entities. Declare it with order 'insertion'.`,
    )
  }
  if (state.locks !== 0) {
    state.commands.later(() => sortTag(state, tag, component, fieldName))
    return
  }
  const [tagged, keyed] = [state.known(tag), state.known(key.definition)]
  if (tagged === undefined || keyed === undefined) return
  const status = state.core.orderSort(tagged.id, keyed.id, key.place, key.kind)
  state.heap.check()
  if (status < 0) throw limitError(status, '')
}

/** Orders the rows of one sparse component like those of another; inside a loop, when the loop ends. */
export function sortRowsAs(state: WorldState, component: unknown, like: unknown): void {
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
      `sortAs: ${model.componentName} has no rows of its own whose order could be followed: name a component with storage 'sparse' or 'stable', or an ordered tag.`,
    )
  }
  if (state.locks !== 0) {
    state.commands.later(() => sortRowsAs(state, component, like))
    return
  }
  const [set, other] = [state.known(definition), state.known(model)]
  if (set === undefined || other === undefined || state.core.poolSortAs(set.id, other.id) > 0) return
  throw new StrataTypeError(
    'INVALID_ORDER',
    `sortAs: ${definition.componentName} belongs to a group, whose pools keep one order: sort the group with world.sort(${definition.componentName}, field).`,
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
