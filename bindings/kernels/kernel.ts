// Owns the description of a compiled kernel, which the compiler writes and the bindings read: its types, and the check of its
// shape.

import { type Kind, isKind } from '../components/fieldKinds'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { COMPILED, FORMAT, MAX_PARAMETERS, UNNAMED } from './kernelFormat'
import type { KernelRuntime } from './runtime'

/** The kind of value in a column or resource of a kernel: the kinds of fields. */
export type ColumnKind = Kind
/** The kind of a scalar parameter of a kernel. */
export type ScalarKind = Exclude<Kind, 'i8' | 'u8' | 'i16' | 'u16' | 'entity' | 'text'>
/** How the results of a kernel for several runs of rows are joined into one. */
export type Reduction = 'none' | 'sum' | 'min' | 'max' | 'count'

/** A parameter of a kernel that is a column of a component. */
export interface ColumnParameter {
  /** Name of the parameter in the source. */
  readonly name: string
  readonly role: 'column'
  /** Kind of its values. */
  readonly kind: ColumnKind
  /** Values per row: 1, or the length of a vec. */
  readonly length: number
  /** Whether the kernel may write to it. */
  readonly writes: boolean
  /** @internal Whether it may be optional in the query: the kernel is then run over chunks that have it alone. */
  readonly isOptional?: boolean
}

/** A parameter of a kernel that receives the handles of the rows. You do not bind it. */
export interface EntitiesParameter {
  /** Name of the parameter in the source. */
  readonly name: string
  readonly role: 'entities'
}

/** A parameter of a kernel that is a field of a resource: one value, or a vec of any length. */
export interface ResourceParameter {
  /** Name of the parameter in the source. */
  readonly name: string
  readonly role: 'resource'
  /** Kind of its values. */
  readonly kind: ColumnKind
  /** Whether the kernel may write to it. */
  readonly writes: boolean
}

/** A parameter of a kernel that is the column of a component in the rows of the entities' parents. */
export interface ParentParameter {
  /** Name of the parameter in the source. */
  readonly name: string
  readonly role: 'parent'
  /** Kind of its values: one value a row, or a vec of any length. */
  readonly kind: ColumnKind
}

/** A parameter of a kernel that is one number for a whole run. */
export interface ScalarParameter {
  /** Name of the parameter in the source. */
  readonly name: string
  readonly role: 'scalar'
  /** Kind of its value. */
  readonly kind: ScalarKind
}

/** A parameter of a kernel. */
export type KernelParameter =
  ColumnParameter | EntitiesParameter | ParentParameter | ResourceParameter | ScalarParameter

/** The wasm module that all kernels of one source file share. */
export interface KernelCode {
  /** Name of the source file, for error messages. */
  readonly file: string
  /** The wasm module, in base64. */
  readonly bytes: string
}

/** A compiled kernel as plain data. createKernel takes it once `runtime` is added: see Kernel. */
export interface KernelDescription {
  /** Name of the exported function. */
  readonly kernel: string
  /** Number of the calling convention. This version runs format 2. */
  readonly format: number
  /** The module that it is part of. */
  readonly code: KernelCode
  /** false for a kernel without rows, which takes only resources and scalars. Default true. */
  readonly rows?: boolean
  /** The parameters in the order of the source, without the rows. */
  readonly parameters: readonly KernelParameter[]
  /** How the results for several runs of rows are joined. */
  readonly result: Reduction
}

/** What a kernel's parameters are bound to: a kind, a kind and the length of a vec, a parent's column or a resource. */
export type KernelColumns = Readonly<
  Record<string, ColumnKind | readonly [kind: ColumnKind, length: number] | KernelParent | KernelResource>
>
/** A parameter that is the column of parents, with its kind. */
export interface KernelParent<K extends ColumnKind = ColumnKind> {
  readonly parent: K
}
/** A parameter that is a field of a resource, with its kind. */
export interface KernelResource<K extends ColumnKind = ColumnKind> {
  readonly resource: K
}
/** Values for the scalar parameters of a kernel, by name. */
export type KernelScalars = Readonly<Record<string, number | boolean>>

/**
 * A compiled kernel with the types of its parameters, as generated declarations write it:
 * `Kernel<{ px: 'f32', m: ['f32', 16], cells: { resource: 'f32' } }, { dt: number }, void>`. A fourth argument,
 * false, means that it takes no rows.
 */
export interface Kernel<
  Columns extends KernelColumns = KernelColumns,
  Scalars extends KernelScalars = KernelScalars,
  Result extends void | number = void | number,
  Rows extends boolean = true,
> extends KernelDescription {
  /** The code that runs it: kernelRuntime. */
  readonly runtime: KernelRuntime
  /** For type inference only, like the three properties below: none of them exists at run time. */
  readonly columnKinds?: Columns
  readonly scalarTypes?: Scalars
  readonly resultType?: Result
  readonly takesRows?: Rows
}

/** A compiled kernel, whatever its parameters. */
export type AnyKernel = Kernel<KernelColumns, KernelScalars, void | number, boolean>

/** A kernel imported from its source, as TypeScript sees it: a function over rows, columns, resources and scalars. */
export type KernelFunction = (...parameters: never[]) => void | number | boolean

const SCALARS: Record<ScalarKind, true> = { i32: true, u32: true, f32: true, f64: true, bool: true }
const RESULTS: readonly unknown[] = ['none', 'sum', 'min', 'max', 'count'] satisfies Reduction[]

/** A kernel with its file, or a compiled loop, for sentences. */
export function nameOf({ kernel, code }: KernelDescription): string {
  if (code.file !== COMPILED) return `the kernel ${kernel} (${code.file})`
  return kernel === UNNAMED ? 'the compiled loop' : `the compiled loop ${kernel}`
}

/** What runs a kernel, for sentences. */
export function operationOf({ rows }: KernelDescription): string {
  return rows === false ? 'kernel.run' : 'query.run'
}

/** The description of a kernel that can be bound; throws for anything else. */
export function checkKernel(kernel: unknown): KernelDescription {
  if (!isDescribed(kernel)) {
    throw invalidKernel(
      `createKernel takes a kernel, as strata-ecs/vite and strata-kernels build make them; got ${describe(kernel)}.`,
    )
  }
  if (kernel.format !== FORMAT) {
    throw invalidKernel(
      `createKernel: ${nameOf(kernel)} is of format ${describe(kernel.format)}, and this version of strata-ecs runs format ${FORMAT}: compile it again with this version.`,
    )
  }
  const { parameters, rows = true } = kernel
  const byRows = ({ role }: KernelParameter) => role === 'column' || role === 'entities' || role === 'parent'
  if (
    !parameters.every(isParameter) ||
    typeof rows !== 'boolean' ||
    (!rows && parameters.some(byRows)) ||
    new Set(parameters.map(({ name }) => name)).size < parameters.length
  ) {
    throw invalidKernel(`createKernel: ${nameOf(kernel)} describes its parameters wrongly: compile it again.`)
  }
  if (parameters.length > MAX_PARAMETERS) {
    throw invalidKernel(
      `createKernel: ${nameOf(kernel)} has ${parameters.length} parameters: at most ${MAX_PARAMETERS} can be passed.`,
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
      return Object.hasOwn(SCALARS, kind as ScalarKind)
    case 'column':
      return isKind(kind) && Number.isInteger(length) && typeof writes === 'boolean'
    case 'parent':
      return isKind(kind)
    case 'resource':
      return isKind(kind) && typeof writes === 'boolean'
    default:
      return false
  }
}
