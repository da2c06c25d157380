// Owns the binding of a kernel in one world: which column, and which field of a resource, each parameter means. kernelRun.ts
// walks the rows.

import { type Definition, definitionOf } from '../components/definition'
import type { Field } from '../components/fields'
import { ResourceDeclaration } from '../components/resourceDeclaration'
import type { Related } from '../queryPlan/filters'
import type { Plan } from '../queryPlan/plan'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { Shown } from '../memory/consoleText'
import { relatingOf } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import { EMPTY, callKernel, watch } from './kernelCall'
import { printTraces } from './kernelInstance'
import type { GuardedColumn } from './guardLink'
import type { ScalarArguments } from './kernelTypes'
import type { LoadedKernel } from './worldKernels'
import {
  type ColumnParameter,
  type KernelDescription,
  type KernelParameter,
  type KernelScalars,
  type ParentParameter,
  type ResourceParameter,
  nameOf,
  operationOf,
} from './kernel'
import type { BoundParent, ParentReading, KernelConsumer } from './parentParameters'
import { BoundResources } from './boundResources'
import { KernelRun } from './kernelRun'
import { BOUND } from './kernelFormat'
import { notBound } from './runtime'
import { Scalars } from './scalars'
import { type ColumnSlot, slotsOf } from './columnSlots'

/** A parameter with the column that it means. */
export interface BoundColumn {
  readonly parameter: ColumnParameter
  readonly definition: Definition
  /** Which of the component's fields. */
  readonly field: number
  /** Bytes from one row to the next. */
  readonly rowBytes: number
}

/** A parameter with the field of a resource that it means. */
export interface BoundResource {
  readonly parameter: ResourceParameter
  readonly declaration: ResourceDeclaration
  readonly definition: Definition
  /** Which of the resource's fields. */
  readonly field: number
  /** Bytes of the field. */
  readonly rowBytes: number
}

/** What each parameter of a kernel is bound to. */
export interface Bindings {
  /** By the place of the parameter; undefined for what is no column of a component. */
  readonly columns: readonly (BoundColumn | undefined)[]
  /** In the order of the parameters, like the resources. */
  readonly parents: readonly BoundParent[]
  readonly resources: readonly BoundResource[]
}

/**
 * A kernel that is bound to a world. Made by createKernel. Run it with query.run, or with its own `run` if it takes no rows.
 */
export class BoundKernel<
  ScalarTypes = KernelScalars,
  Result = void | number,
  Rows extends boolean = true,
> extends Shown {
  /** For type inference only: no such property exists at run time. */
  declare readonly scalarTypes?: ScalarTypes
  /** For type inference only: no such property exists at run time. */
  declare readonly resultType?: Result
  /** For type inference only: no such property exists at run time. */
  declare readonly takesRows?: Rows
  /** @internal */
  readonly columns: readonly (BoundColumn | undefined)[]
  /** @internal */
  readonly parents: readonly BoundParent[]
  /** @internal */
  readonly scalars: Scalars
  /** @internal */
  readonly resources: BoundResources
  /** @internal */
  readonly [BOUND] = true
  /** What is known about each query that it ran over. A plan is dropped when the query is planned again. */
  private readonly runs = new WeakMap<Plan, KernelRun>()
  /** With parents: what is known about each order that it ran in. */
  private readonly descents = new WeakMap<object, { readonly plan: Plan; readonly run: KernelConsumer }>()

  /** @internal Use createKernel. */
  constructor(
    /** @internal */
    readonly state: WorldState,
    /** @internal */
    readonly kernel: KernelDescription,
    /** @internal */
    readonly loaded: LoadedKernel,
    { columns, parents, resources }: Bindings,
  ) {
    super()
    this.columns = columns
    this.parents = parents
    this.scalars = new Scalars(kernel)
    this.resources = new BoundResources(state, kernel, resources, this.scalars.end)
  }

  /** @internal */
  line(): string {
    return `Kernel(${this.kernel.kernel} of ${this.kernel.code.file})`
  }

  /**
   * @internal Throws unless this world bound it, this operation runs it, and all is there that it is to be run with.
   *
   * @returns the values of the scalars
   * @throws StrataTypeError INVALID_BINDING; StrataError MISSING_RESOURCE
   */
  check(state: WorldState, operation: string, scalars: unknown): Float64Array {
    const { kernel } = this
    if (this.state !== state) throw notBound('one of another world', operation)
    if (operationOf(kernel) !== operation) {
      const instead =
        kernel.rows === false
          ? 'has no rows: call it once, with kernel.run'
          : 'takes rows: run it over those of a query, with query.run'
      throw new StrataTypeError('INVALID_BINDING', `${operation}: ${nameOf(kernel)} ${instead}.`)
    }
    const taken = this.scalars.take(scalars)
    this.resources.check()
    return taken
  }

  /**
   * @internal Its run over a query that is carried out in this way.
   *
   * @throws StrataTypeError NOT_A_COLUMN; INVALID_BINDING where it reads parents and the query does not follow them
   */
  over(plan: Plan, related: Related | undefined): KernelConsumer {
    if (this.parents.length > 0) return this.along(plan, related)
    const known = this.runs.get(plan)
    if (known !== undefined) return known
    const made = new KernelRun(this, plan)
    this.runs.set(plan, made)
    return made
  }

  private along(plan: Plan, related: Related | undefined): KernelConsumer {
    const descent = related?.descent as ParentReading | undefined
    for (const { parameter, relation } of this.parents) {
      if (relation === descent?.relation) continue
      const { componentName } = relation
      throw new StrataTypeError(
        'INVALID_BINDING',
        `query.run: ${nameOf(this.kernel)} has '${parameter.name}' bound to ${componentName}, and the query does not visit its targets first: run it over one with cascade(${componentName}) among its terms.`,
      )
    }
    const reading = descent as ParentReading
    reading.expectRun()
    const known = this.descents.get(reading)
    if (known?.plan === plan) return known.run
    const run = reading.runOver(this, plan)
    this.descents.set(reading, { plan, run })
    return run
  }

  /** @internal Calls it for so many blocks, or without any. See callKernel. */
  call(blocks: number, sofar: number): number | undefined {
    return callKernel(this, blocks, sofar)
  }

  /** @internal Has the guard, where there is one, look at what the next call gets. */
  watch(block: number, columns: readonly GuardedColumn[]): void {
    if (this.loaded.guard !== undefined) watch(this, { block, columns })
  }

  /** @internal What the addresses of its blocks mean over a query; throws NOT_A_COLUMN. */
  slotsOver(plan: Plan): ColumnSlot[] {
    return slotsOf(this, plan)
  }

  /** @internal The result of no call. */
  get empty(): number {
    return EMPTY[this.kernel.result]
  }

  /**
   * Calls a kernel that takes no rows, once. Allowed inside a loop. Cost: one call into its module, about 100 ns, in
   * addition to its own work.
   *
   * @param scalars a value for each scalar parameter; leave it out for a kernel without any
   * @returns what a kernel with a Sum, Min, Max or Count returns; otherwise undefined
   * @throws StrataTypeError INVALID_BINDING or StrataError MISSING_RESOURCE before it runs; StrataError KERNEL_FAILED
   *   if it traps or grows the memory: what it has written until then stays written
   * @example createKernel(world, blur, { cells: [Ground, 'cells'] }).run({ decay: 0.9 })
   */
  run(this: BoundKernel<ScalarTypes, Result, false>, ...scalars: ScalarArguments<ScalarTypes>): Result
  run(scalars?: unknown): unknown {
    this.state.refuseDisposed()
    const taken = this.check(this.state, 'kernel.run', scalars)
    const { state, resources, loaded, kernel } = this
    state.lock()
    try {
      this.scalars.write(state.heap, taken)
      resources.write()
      if (loaded.guard !== undefined) watch(this, { block: undefined, columns: [] })
      const result = callKernel(this, 0, EMPTY[kernel.result])
      printTraces()
      return result
    } finally {
      state.unlock()
    }
  }

  /**
   * @internal Ends a run: prints what the kernel traced.
   *
   * @param total its result, kept where a console runs the same kernel
   */
  end(total: Float64Array): void {
    const result = total[0] as number
    printTraces()
    total[0] = result
  }
}

/**
 * What each parameter is bound to.
 *
 * @throws StrataTypeError INVALID_BINDING unless each has a fitting column or resource, and no other name is given
 */
export function bindParameters(kernel: KernelDescription, given: unknown): Bindings {
  if (typeof given !== 'object' || given === null) {
    throw invalid(
      kernel,
      `takes an object of columns, such as { px: [Position, 'x'] }, not ${describe(given)}`,
    )
  }
  for (const name of Object.keys(given)) refuseUnknown(kernel, name)
  const columns: (BoundColumn | undefined)[] = []
  const parents: BoundParent[] = []
  const resources: BoundResource[] = []
  for (const parameter of kernel.parameters) {
    const { name, role } = parameter
    let column: BoundColumn | undefined
    if (role !== 'entities' && role !== 'scalar') {
      if (!Object.hasOwn(given, name)) {
        const [what, example] = BINDINGS[role]
        throw invalid(
          kernel,
          `needs a ${what} for ${describeParameter(parameter)}: bind it, { ${name}: ${example} }`,
        )
      }
      const binding = (given as Record<string, unknown>)[name]
      if (role === 'column') column = bindColumn(kernel, parameter, binding)
      else if (role === 'parent') parents.push(bindParent(kernel, parameter, binding))
      else resources.push(bindResource(kernel, parameter, binding))
    }
    columns.push(column)
  }
  return { columns, parents, resources }
}

/** What a parameter is bound to, and how that is written. */
const BINDINGS = {
  column: ['column', "[Component, 'field']"],
  parent: ['relation and a column', "[Relation, Component, 'field']"],
  resource: ['resource', "[Resource, 'field']"],
} as const

function refuseUnknown(kernel: KernelDescription, name: string): void {
  const isBound = ({ role }: KernelParameter) => role !== 'entities' && role !== 'scalar'
  const parameter = kernel.parameters.find((candidate) => candidate.name === name)
  if (parameter !== undefined && isBound(parameter)) return
  if (parameter?.role === 'scalar') {
    throw invalid(
      kernel,
      `takes '${name}' as a number: give it to ${kernel.rows === false ? 'kernel.run(' : 'query.run(kernel, '}{ ${name} }), not here`,
    )
  }
  if (parameter?.role === 'entities') {
    throw invalid(kernel, `gets '${name}', the handles of the rows, by itself: leave it out`)
  }
  const names = kernel.parameters.filter(isBound).map((each) => each.name)
  const hasResources = kernel.parameters.some(({ role }) => role === 'resource')
  const [one, all] = hasResources ? ['column or resource', 'columns and resources'] : ['column', 'columns']
  const known = names.length === 0 ? 'it has none' : `its ${all} are ${names.join(', ')}`
  throw invalid(kernel, `has no ${one} '${name}': ${known}`)
}

function bindColumn(kernel: KernelDescription, parameter: ColumnParameter, binding: unknown): BoundColumn {
  const [component, name] = pairOf(kernel, parameter, binding, 'component')
  const definition = definitionOf(component)
  if (definition?.kind !== 'component') {
    throw notOf(kernel, parameter, 'component', describe(component))
  }
  return { parameter, ...fieldOf(kernel, parameter, definition, name) }
}

function bindParent(kernel: KernelDescription, parameter: ParentParameter, binding: unknown): BoundParent {
  if (!Array.isArray(binding) || binding.length !== 3) {
    throw invalid(
      kernel,
      `takes for ${describeParameter(parameter)}, a relation, a component and the name of a field, [Relation, Component, 'field'], not ${describe(binding)}`,
    )
  }
  const [related, component, name] = binding as unknown[]
  const relation = definitionOf(related)
  const relating = relatingOf(relation)
  if (relation === undefined || relating === undefined) {
    throw invalid(
      kernel,
      `takes for ${describeParameter(parameter)}, a relation first, not ${describe(related)}`,
    )
  }
  if (!relating.isExclusive) {
    const { componentName } = relation
    throw invalid(
      kernel,
      `takes for ${describeParameter(parameter)}, a relation with one target, and in ${componentName} an entity may have several: declare it with { exclusive: true }`,
    )
  }
  const definition = definitionOf(component)
  if (definition?.kind !== 'component') {
    throw notOf(kernel, parameter, 'component', describe(component))
  }
  return { parameter, relation, ...fieldOf(kernel, parameter, definition, name) }
}

function bindResource(
  kernel: KernelDescription,
  parameter: ResourceParameter,
  binding: unknown,
): BoundResource {
  const [declaration, name] = pairOf(kernel, parameter, binding, 'resource')
  if (!(declaration instanceof ResourceDeclaration)) {
    throw notOf(kernel, parameter, 'resource', describe(declaration))
  }
  const { definition } = declaration
  if (definition === undefined) {
    throw notOf(kernel, parameter, 'resource', `${describe(declaration)}, which is a JavaScript value`)
  }
  return { parameter, declaration, ...fieldOf(kernel, parameter, definition, name) }
}

type Bindable = ColumnParameter | ParentParameter | ResourceParameter

function pairOf(kernel: KernelDescription, parameter: Bindable, binding: unknown, what: string): unknown[] {
  if (Array.isArray(binding) && binding.length === 2) return binding
  const example = what === 'component' ? 'Component' : 'Resource'
  throw invalid(
    kernel,
    `takes for ${describeParameter(parameter)}, a ${what} and the name of a field, [${example}, 'field'], not ${describe(binding)}`,
  )
}

function notOf(kernel: KernelDescription, parameter: Bindable, what: string, given: string): StrataTypeError {
  return invalid(kernel, `takes for ${describeParameter(parameter)}, the field of a ${what}, not of ${given}`)
}

/** The field of this name; throws unless it is what the kernel was compiled for. */
function fieldOf(kernel: KernelDescription, parameter: Bindable, definition: Definition, name: unknown) {
  const { componentName, fieldNames, fields } = definition
  const field = fieldNames.indexOf(name as string)
  if (field < 0) {
    throw invalid(
      kernel,
      `takes for ${describeParameter(parameter)}, a field of ${componentName}, which has no ${describe(name)}: its fields are ${fieldNames.join(', ')}`,
    )
  }
  const { kind, length, shift } = fields[field] as Field
  if (kind !== parameter.kind || (parameter.role === 'column' && length !== parameter.length)) {
    throw invalid(
      kernel,
      `was compiled for ${describeParameter(parameter)}, and ${componentName}.${fieldNames[field] as string} is ${describeKind(kind, length)}`,
    )
  }
  return { definition, field, rowBytes: length << shift }
}

function describeParameter(parameter: Bindable): string {
  const { name, kind } = parameter
  if (parameter.role === 'parent') return `'${name}', a column of ${kind} of the parents`
  return parameter.role === 'resource'
    ? `'${name}', a resource of ${kind}`
    : `'${name}', a column of ${describeKind(kind, parameter.length)}`
}

function describeKind(kind: string, length: number): string {
  return length === 1 ? kind : `vec(${kind}, ${length})`
}

function invalid(kernel: KernelDescription, sentence: string): StrataTypeError {
  return new StrataTypeError('INVALID_BINDING', `createKernel: ${nameOf(kernel)} ${sentence}.`)
}
