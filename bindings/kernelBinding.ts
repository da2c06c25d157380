// Owns the binding of a kernel in one world: which column each parameter means.
// It must never walk rows or call the kernel: see kernelRun.ts.

import { type Definition, definitionOf } from './component'
import { StrataTypeError } from './errors'
import { type Field, SHIFT_OF, describe } from './fields'
import { type ColumnParameter, type KernelDescription, type KernelScalars, nameOf } from './kernel'
import { KernelRun } from './kernelRun'
import { Scalars } from './kernelScalars'
import type { KernelEntry } from './kernels'
import type { Plan } from './plan'
import type { WorldState } from './worldState'

/** A parameter with the column that it means. */
export interface BoundColumn {
  readonly parameter: ColumnParameter
  readonly definition: Definition
  /** Which of the component's fields. */
  readonly field: number
  /** Bytes from one row to the next. */
  readonly rowBytes: number
}

/** A kernel that is bound to columns of a world. Made by world.kernel; run by query.run. */
export class BoundKernel<ScalarTypes = KernelScalars, Result = void | number> {
  /** For inference only. */
  declare readonly scalarTypes?: ScalarTypes
  /** For inference only. */
  declare readonly resultType?: Result
  /** @internal */
  readonly scalars: Scalars
  /** What was found out about each query it ran over. A plan goes when the query is planned anew. */
  private readonly runs = new WeakMap<Plan, KernelRun>()

  /** @internal Use world.kernel. */
  constructor(
    /** @internal */
    readonly state: WorldState,
    /** @internal */
    readonly kernel: KernelDescription,
    /** @internal */
    readonly entry: KernelEntry,
    /** @internal By the place of the parameter; undefined for what is no column of a component. */
    readonly columns: readonly (BoundColumn | undefined)[],
  ) {
    this.scalars = new Scalars(kernel)
  }

  /**
   * @internal Its run over a query that is carried out in this way.
   *
   * @throws StrataTypeError NOT_A_COLUMN
   */
  over(plan: Plan): KernelRun {
    const known = this.runs.get(plan)
    if (known !== undefined) return known
    const made = new KernelRun(this, plan)
    this.runs.set(plan, made)
    return made
  }
}

/**
 * The column of each parameter, undefined for one that is no column of a component.
 *
 * @throws StrataTypeError INVALID_BINDING unless each has a fitting one, and no other name is given
 */
export function bindColumns(kernel: KernelDescription, given: unknown): (BoundColumn | undefined)[] {
  if (typeof given !== 'object' || given === null) {
    throw invalid(
      kernel,
      `takes an object of columns, such as { px: [Position, 'x'] }, not ${describe(given)}`,
    )
  }
  for (const name of Object.keys(given)) refuseUnknown(kernel, name)
  return kernel.parameters.map((parameter) => {
    if (parameter.role !== 'column') return undefined
    const { name } = parameter
    if (!Object.hasOwn(given, name)) {
      throw invalid(
        kernel,
        `needs a column for ${describeParameter(parameter)}: bind it, { ${name}: [Component, 'field'] }`,
      )
    }
    return bindColumn(kernel, parameter, (given as Record<string, unknown>)[name])
  })
}

function refuseUnknown(kernel: KernelDescription, name: string): void {
  const parameter = kernel.parameters.find((candidate) => candidate.name === name)
  if (parameter?.role === 'column') return
  if (parameter?.role === 'scalar') {
    throw invalid(kernel, `takes '${name}' as a number: give it to query.run(kernel, { ${name} }), not here`)
  }
  if (parameter?.role === 'entities') {
    throw invalid(kernel, `gets '${name}', the handles of the rows, by itself: leave it out`)
  }
  const names = kernel.parameters.filter(({ role }) => role === 'column').map((column) => column.name)
  const known = names.length === 0 ? 'it has none' : `its columns are ${names.join(', ')}`
  throw invalid(kernel, `has no column '${name}': ${known}`)
}

function bindColumn(kernel: KernelDescription, parameter: ColumnParameter, binding: unknown): BoundColumn {
  const wanted = `takes for ${describeParameter(parameter)}`
  if (!Array.isArray(binding) || binding.length !== 2) {
    throw invalid(
      kernel,
      `${wanted} a component and the name of a field, [Component, 'field'], not ${describe(binding)}`,
    )
  }
  const [component, name] = binding as unknown[]
  const definition = definitionOf(component)
  if (definition?.kind !== 'component') {
    const given =
      definition === undefined ? describe(component) : `the ${definition.kind} ${definition.componentName}`
    throw invalid(kernel, `${wanted} the field of a component, not of ${given}`)
  }
  const field = definition.fieldNumbers.get(name as string)
  if (field === undefined) {
    throw invalid(
      kernel,
      `${wanted} a field of ${definition.componentName}, which has no ${describe(name)}: its fields are ${definition.fieldNames.join(', ')}`,
    )
  }
  const { kind, length } = definition.fields[field] as Field
  if (kind !== parameter.kind || length !== parameter.length) {
    const given = `${definition.componentName}.${definition.fieldNames[field] as string}`
    throw invalid(
      kernel,
      `was compiled for ${describeParameter(parameter)}, and ${given} is ${describeKind(kind, length)}`,
    )
  }
  return { parameter, definition, field, rowBytes: length << SHIFT_OF[kind] }
}

function describeParameter({ name, kind, length }: ColumnParameter): string {
  return `'${name}', a column of ${describeKind(kind, length)}`
}

function describeKind(kind: string, length: number): string {
  return length === 1 ? kind : `vec(${kind}, ${length})`
}

function invalid(kernel: KernelDescription, sentence: string): StrataTypeError {
  return new StrataTypeError('INVALID_BINDING', `world.kernel: ${nameOf(kernel)} ${sentence}.`)
}
