// Owns the slots of a kernel's blocks: to which column of a query each address belongs. kernelRun.ts looks the addresses up.

import type { Definition } from '../components/definition'
import type { Plan } from '../queryPlan/plan'
import { isOfOtherCopy } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import type { BoundColumn, BoundKernel } from './boundKernel'
import { type KernelDescription, nameOf } from './kernel'

/** A parameter that is a column: the component and the field, or the handles of the rows, or a list of parents' rows. */
export interface ColumnSlot {
  readonly column: BoundColumn | undefined
  /** Which of the query's components with data; the first one for handles, PARENTS for a list. */
  readonly component: number
}

/** The component of a slot that is a list of parents' rows. */
export const PARENTS = -1

/** The slots, one for each column in the order of the parameters; throws when one is bound to what is no column of every chunk of the query. */
export function slotsOf(
  { kernel, columns }: BoundKernel<unknown, unknown, boolean>,
  plan: Plan,
): ColumnSlot[] {
  const slots: ColumnSlot[] = []
  kernel.parameters.forEach(({ role, name }, k) => {
    if (role === 'entities') slots.push({ column: undefined, component: 0 })
    if (role === 'parent') slots.push({ column: undefined, component: PARENTS })
    if (role !== 'column') return
    const column = columns[k] as BoundColumn
    const { definition, parameter } = column
    slots.push({ column, component: slotOf(kernel, name, definition, parameter.isOptional === true, plan) })
  })
  return slots
}

/** Which of a query's components with data one is that a kernel has bound; throws when that is no column. */
export function slotOf(
  kernel: KernelDescription,
  name: string,
  definition: Definition,
  isOptional: boolean,
  plan: Plan,
): number {
  const component = isOptional ? plan.column(definition) : plan.requiredColumn(definition)
  if (component >= 0) return component
  const { componentName } = definition
  const instead =
    otherCopyIn(plan, definition) ??
    apartIn(plan, definition) ??
    (isOptional
      ? `add optional(${componentName}) to the query; it must have it in columns, as a loop's chunk.write needs it.`
      : `run it over a query that requires ${componentName} and has it in columns, as a loop's chunk.write needs it.`)
  throw new StrataTypeError(
    'NOT_A_COLUMN',
    `query.run: ${nameOf(kernel)} has '${name}' bound to ${componentName}, which is no column of every chunk of ${plan.describe()}: ${instead}`,
  )
}

/** What to do where the component, or the query, is of another copy of the library; undefined where both are of this one. */
function otherCopyIn({ definitions }: Plan, definition: Definition): string | undefined {
  if (![definition, ...definitions].some(isOfOtherCopy)) return undefined
  return 'one of them is of another copy of strata-ecs (dedupe it).'
}

/** What to do about a component that the query has, and that has no columns there; undefined for another one. */
function apartIn(plan: Plan, definition: Definition): string | undefined {
  if (!plan.definitions.includes(definition) || plan.column(definition) >= 0) return undefined
  const { componentName, storage } = definition
  const apart = storage === 'table' ? 'another component of the query is' : `${componentName} is`
  return `the query has it, but not in columns, because ${apart} sparse or stable: visit these rows with each, or keep both in tables.`
}
