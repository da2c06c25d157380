// Owns what a compiled kernel is: the description that the compiler writes and the bindings read, its types, and the
// check that something is one. It must never hold code that compiles or runs one.

import { StrataTypeError } from './errors'
import { SHIFT_OF, describe } from './fields'

/** What a column of a kernel holds: the kinds of fields. */
export type ColumnKind =
  'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64' | 'bool' | 'entity' | 'text'
/** What a scalar of a kernel is. */
export type ScalarKind = 'i32' | 'u32' | 'f32' | 'f64' | 'bool'
/** How the results of a kernel for several runs of rows become one. */
export type Reduction = 'none' | 'sum' | 'min' | 'max' | 'count'

/** A parameter that is a column of a component. */
export interface ColumnParameter {
  readonly name: string
  readonly role: 'column'
  readonly kind: ColumnKind
  /** Numbers a row: 1, or the length of a vec. */
  readonly length: number
  /** Whether the kernel may write to it. */
  readonly writes: boolean
}

/** A parameter that is the column of the rows' handles. It is not bound: every chunk has one. */
export interface EntitiesParameter {
  readonly name: string
  readonly role: 'entities'
}

/** A parameter that is a field of a resource: one value, or a vec of any length. */
export interface ResourceParameter {
  readonly name: string
  readonly role: 'resource'
  readonly kind: ColumnKind
  /** Whether the kernel may write to it. */
  readonly writes: boolean
}

/** A parameter that is one number for a whole run of the query. */
export interface ScalarParameter {
  readonly name: string
  readonly role: 'scalar'
  readonly kind: ScalarKind
}

export type KernelParameter = ColumnParameter | EntitiesParameter | ResourceParameter | ScalarParameter

/** The wasm module that the kernels of one file share. */
export interface KernelCode {
  /** The source file, for messages. */
  readonly file: string
  /** The module, base64. */
  readonly bytes: string
}

/** One compiled kernel: plain data, so that the modules that the compiler writes need to import nothing. */
export interface KernelDescription {
  /** The name of the exported function. */
  readonly kernel: string
  /** Number of the calling convention: 2. */
  readonly format: number
  readonly code: KernelCode
  /** false for a kernel without rows, which takes resources and scalars alone. */
  readonly rows?: boolean
  /** In the order of the source, without the rows. */
  readonly parameters: readonly KernelParameter[]
  readonly result: Reduction
}

/** Columns of a kernel by parameter: the kind, or the kind and the length of a vec; and its resources. */
export type KernelColumns = Readonly<
  Record<string, ColumnKind | readonly [kind: ColumnKind, length: number] | KernelResource>
>
/** What a resource of a kernel holds. */
export interface KernelResource<Kind extends ColumnKind = ColumnKind> {
  readonly resource: Kind
}
/** Scalars of a kernel by parameter. */
export type KernelScalars = Readonly<Record<string, number | boolean>>

/**
 * A compiled kernel with what the compiler knows of its parameters, as generated declarations state it:
 * `Kernel<{ px: 'f32', m: ['f32', 16], cells: { resource: 'f32' } }, { dt: number }, void>`; a fourth argument, false,
 * says that it takes no rows.
 */
export interface Kernel<
  Columns extends KernelColumns = KernelColumns,
  Scalars extends KernelScalars = KernelScalars,
  Result extends void | number = void | number,
  Rows extends boolean = true,
> extends KernelDescription {
  /** These four are for inference only. */
  readonly columnKinds?: Columns
  readonly scalarTypes?: Scalars
  readonly resultType?: Result
  readonly takesRows?: Rows
}

/** A compiled kernel, whatever it takes. */
export type AnyKernel = Kernel<KernelColumns, KernelScalars, void | number, boolean>

/** What TypeScript sees of a kernel that is imported from its source: a function over rows, columns and so on. */
export type KernelFunction = (...parameters: never[]) => void | number | boolean

/** Number of the calling convention that this version speaks. */
const FORMAT = 2
/** Parameters of one kernel, beside the rows. */
const MAX_PARAMETERS = 127

const SCALAR_KINDS: readonly unknown[] = ['i32', 'u32', 'f32', 'f64', 'bool'] satisfies ScalarKind[]
const RESULTS: readonly unknown[] = ['none', 'sum', 'min', 'max', 'count'] satisfies Reduction[]

/** A kernel with its file, for sentences. */
export function nameOf({ kernel, code }: KernelDescription): string {
  return `the kernel ${kernel} (${code.file})`
}

/** What runs a kernel, for sentences. */
export function operationOf({ rows }: KernelDescription): string {
  return rows === false ? 'world.run' : 'query.run'
}

/** The description of a kernel that can be bound; throws for anything else. */
export function checkKernel(kernel: unknown): KernelDescription {
  if (typeof kernel === 'function') {
    throw invalidKernel(
      `world.kernel: ${kernel.name || 'the function'} is the source of a kernel, not compiled: use the plugin strata-ecs/rollup, or import what strata-kernels build writes.`,
    )
  }
  if (!isDescribed(kernel)) {
    throw invalidKernel(
      `world.kernel takes a kernel, as strata-ecs/rollup and strata-kernels build make them; got ${describe(kernel)}.`,
    )
  }
  if (kernel.format !== FORMAT) {
    throw invalidKernel(
      `world.kernel: ${nameOf(kernel)} is of format ${describe(kernel.format)}, and this version of strata-ecs runs format ${FORMAT}: compile it again with this version.`,
    )
  }
  const { parameters, rows = true } = kernel
  const byRows = ({ role }: KernelParameter) => role === 'column' || role === 'entities'
  if (
    !parameters.every(isParameter) ||
    typeof rows !== 'boolean' ||
    (!rows && parameters.some(byRows)) ||
    new Set(parameters.map(({ name }) => name)).size < parameters.length
  ) {
    throw invalidKernel(`world.kernel: ${nameOf(kernel)} describes its parameters wrongly: compile it again.`)
  }
  if (parameters.length > MAX_PARAMETERS) {
    throw invalidKernel(
      `world.kernel: ${nameOf(kernel)} has ${parameters.length} parameters: at most ${MAX_PARAMETERS} can be passed.`,
    )
  }
  return kernel
}

function invalidKernel(sentence: string): StrataTypeError {
  return new StrataTypeError('INVALID_KERNEL', sentence)
}

/** Whether it has what every format has, and lists its parameters. */
function isDescribed(value: unknown): value is KernelDescription {
  if (typeof value !== 'object' || value === null) return false
  const { kernel, format, code, parameters, result } = value as Partial<KernelDescription>
  return (
    typeof kernel === 'string' &&
    typeof format === 'number' &&
    typeof code === 'object' &&
    typeof code?.file === 'string' &&
    typeof code.bytes === 'string' &&
    Array.isArray(parameters) &&
    RESULTS.includes(result)
  )
}

function isParameter(value: unknown): value is KernelParameter {
  if (typeof value !== 'object' || value === null) return false
  const { name, role, kind, length, writes } = value as Partial<ColumnParameter>
  if (typeof name !== 'string') return false
  switch (role as KernelParameter['role']) {
    case 'entities':
      return true
    case 'scalar':
      return SCALAR_KINDS.includes(kind)
    case 'column':
      return isKind(kind) && Number.isInteger(length) && typeof writes === 'boolean'
    case 'resource':
      return isKind(kind) && typeof writes === 'boolean'
    default:
      return false
  }
}

function isKind(kind: unknown): boolean {
  return Object.hasOwn(SHIFT_OF, kind as ColumnKind)
}
