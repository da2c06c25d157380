// Owns the numbers of a query: sums, least and greatest values of a field, and the copy of a whole column, over the runs of a
// loop.

import { REDUCE_LEAST, REDUCE_MOST, REDUCE_SUM } from '../../build/layout'
import { arrayOf } from '../components/fieldMemory'
import type { Field } from '../components/fields'
import type { ColumnOf, Kind } from '../components/fieldKinds'
import type { ListedColumn } from '../components/valueLists'
import { orderOf } from '../memory/coreParts'
import type { EntityArray } from '../memory/entity'
import type { Plan } from '../queryPlan/plan'
import type { Registration } from '../state/registration'
import { writeListed } from '../values/bulkValues'
import type { RowRef } from '../cursors/rowRef'
import type { WorldState } from '../state/worldState'
import type { FieldKey, SortKey } from './sortQuery'

/** What is needed of a step of a loop. */
export interface EntityRun {
  readonly entities: EntityArray
  readonly start: number
  readonly end: number
}

type AnyColumn = ColumnOf<Kind>

/** What is asked of a field. */
export type ReductionCode = number
export { REDUCE_LEAST, REDUCE_MOST, REDUCE_SUM }

/** Calls back with the address of the first value and the number of values, for values that lie side by side. */
function visitValues(
  runs: Iterable<EntityRun>,
  plan: Plan,
  registration: Registration | undefined,
  { definition, place }: FieldKey,
  visit: (address: number, count: number, ref: RowRef) => void,
): void {
  const field = definition.fields[place] as Field
  const inRows = plan.group === 0 && plan.requiredColumn(definition) >= 0
  for (const { entities, start, end } of runs) {
    const rows = inRows ? end - start : 1
    for (let row = start; row < end; row += rows) {
      const ref = registration?.locate(entities[row] as number) as RowRef
      const column = ref.data + (ref.placement.offsets[place] as number)
      visit(column + ((ref.row * field.length) << field.shift), rows, ref)
    }
  }
}

/** Joins the values of a field over all rows. In wasm where they take four bytes or more; always in the same order. */
export function reduceRows(
  state: WorldState,
  runs: Iterable<EntityRun>,
  plan: Plan,
  registration: Registration | undefined,
  key: SortKey,
  operation: ReductionCode,
): number {
  const { heap } = state
  const core = orderOf(state)
  const { kind, shift } = key.field
  const join = (a: number, b: number) =>
    operation === REDUCE_SUM ? a + b : operation === REDUCE_LEAST ? Math.min(a, b) : Math.max(a, b)
  let joined = operation === REDUCE_SUM ? 0 : operation === REDUCE_LEAST ? Infinity : -Infinity
  visitValues(runs, plan, registration, key, (address, count) => {
    if (shift >= 2)
      joined = join(joined, core.valuesReduce(address, count, key.kind as number, shift === 3, operation))
    else {
      const first = address >> shift
      const values = arrayOf(heap, kind)
      for (let i = first; i < first + count; i++) joined = join(joined, values[i] as number)
    }
  })
  return joined
}

/** Copies the values of all rows, in the order of the loop. */
export function copyRows(
  { heap }: WorldState,
  runs: Iterable<EntityRun>,
  plan: Plan,
  registration: Registration | undefined,
  key: FieldKey,
  copy: AnyColumn,
): void {
  const { kind, length, shift } = key.definition.fields[key.place] as Field
  const values = arrayOf(heap, kind)
  let filled = 0
  visitValues(runs, plan, registration, key, (address, rows) => {
    const first = address >> shift
    copy.set(values.subarray(first, first + rows * length) as never, filled)
    filled += rows * length
  })
}

/** Writes values to all rows, in the order of the loop, and marks them changed. */
export function writeRows(
  runs: Iterable<EntityRun>,
  plan: Plan,
  registration: Registration,
  key: FieldKey,
  column: ListedColumn,
): void {
  const columns = [column]
  let written = 0
  visitValues(runs, plan, registration, key, (_, rows, ref) => {
    writeListed(ref, rows, columns, written)
    written += rows
  })
}
