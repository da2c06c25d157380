// Owns the types derived from a kernel: what its columns and resources can be bound to, what its run takes and returns.

import type { AnyComponent, AnyExclusiveRelation, Component } from '../components/component'
import type { ScalarField, VecField } from '../components/fields'
import type { Resource } from '../components/resourceDeclaration'
import type { Schema } from '../components/schema'
import type {
  ColumnKind,
  Kernel,
  KernelFunction,
  KernelParent,
  KernelResource,
  KernelScalars,
} from './kernel'

/** Options of createKernel. */
export interface KernelOptions {
  /**
   * true: throws INVALID_BINDING where the rows of this kernel can never be divided among workers, and says why. Whether a run
   * is divided depends on what it costs. Default false.
   */
  readonly divided?: boolean | undefined
}

/** What a parameter of a kernel is bound to: a component or resource, and the name of one of its fields. */
export type ColumnBinding =
  | readonly [source: AnyComponent | AnyFields, field: string]
  | readonly [relation: AnyExclusiveRelation, source: AnyComponent, field: string]

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any resource with fields
type AnyFields = Resource<any>

/** Which sources the parameters of a kernel can be bound to: components for columns, resources for resources. */
export type BoundSources<K> = K extends KernelFunction
  ? Readonly<Record<string, AnyComponent | AnyFields>>
  : K extends Kernel<infer Columns, infer _, infer __, infer ___>
    ? { readonly [P in keyof Columns]: SourceOf<Columns[P]> }
    : never

/** Either where nothing is known of the kernel. */
type SourceOf<K> = [K] extends [KernelResource]
  ? AnyFields
  : KernelResource extends K
    ? AnyComponent | AnyFields
    : AnyComponent

/** What createKernel takes: for each parameter its source, and the name of a field of a fitting kind. */
export type ColumnBindings<K, C> = {
  readonly [P in keyof C]: BindingOf<C[P], KindOf<K, P>>
}

/** A column of parents comes with the relation that leads to them. Of a kernel's source nothing is known: either. */
type BindingOf<Source, Kind> = [Kind] extends [KernelParent]
  ? ParentBinding<Source, Kind>
  : unknown extends Kind
    ? ParentBinding<Source, Kind> | SourceBinding<Source, Kind>
    : SourceBinding<Source, Kind>

type SourceBinding<Source, Kind> = readonly [source: Source, field: FieldsOfKind<Source, Kind>]
type ParentBinding<Source, Kind> = readonly [
  relation: AnyExclusiveRelation,
  source: Source,
  field: FieldsOfKind<Source, Kind>,
]

/** The kind of a parameter; unknown where the source is all that is known of the kernel, never for what is not bound. */
type KindOf<K, P> = K extends KernelFunction
  ? unknown
  : K extends Kernel<infer Columns, infer _, infer __, infer ___>
    ? P extends keyof Columns
      ? Columns[P]
      : never
    : never

/** Names of fields that are of a kind: 'f32', or ['f32', 16]. Lengths are compared at run time. */
type FieldsOfKind<C, K> =
  C extends Component<infer S, infer _>
    ? NamesOfKind<S, K extends KernelParent<infer Item> ? Item | readonly [Item, number] : K>
    : C extends Resource<infer S>
      ? NamesOfKind<S, K extends KernelResource<infer Item> ? Item : K>
      : never

type NamesOfKind<S extends Schema, K> = {
  [F in keyof S]: true extends IsOfKind<S[F], K> ? F : never
}[keyof S] &
  string

type IsOfKind<F, K> = unknown extends K
  ? true
  : K extends ColumnKind
    ? // Both ways: a field of handles would pass for one of numbers. A vec of length 1 lies like a single value.
      [F, ScalarField<K>] extends [ScalarField<K>, F]
      ? true
      : IsVecOf<F, K>
    : K extends readonly [infer Item, number]
      ? IsVecOf<F, Item>
      : false

type IsVecOf<F, Item> =
  Item extends Exclude<ColumnKind, 'text'>
    ? [F] extends [VecField<ScalarField<Item>>]
      ? true
      : false
    : false

type IsAny<T> = 0 extends 1 & T ? true : false

/** The scalars that a run of a kernel takes. */
export type ScalarsOf<K> = IsAny<K> extends true ? KernelScalars : KnownScalars<K>

type KnownScalars<K> = K extends (...parameters: infer P) => unknown
  ? [Extract<P[number], number | boolean>] extends [never]
    ? Record<never, never>
    : KernelScalars
  : K extends Kernel<infer _, infer Scalars, infer __, infer ___>
    ? Scalars
    : never

/** What a run of a kernel returns. */
export type ResultOf<K> = K extends (...parameters: never[]) => infer R
  ? R
  : K extends Kernel<infer _, infer __, infer R, infer ___>
    ? R
    : never

/** Whether a kernel takes rows; any if that is not known. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what is not known may be run either way
export type HasRows<K> = IsAny<K> extends true ? any : KnownRows<K>

type KnownRows<K> = K extends (...parameters: infer P) => unknown
  ? P extends readonly [{ readonly start: number; readonly end: number }, ...unknown[]]
    ? true
    : false
  : K extends Kernel<infer _, infer __, infer ___, infer Rows>
    ? boolean extends Rows
      ? // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
        any
      : Rows
    : never

/** The arguments of a run after the kernel: the scalars, if there are any. */
export type ScalarArguments<Scalars> = [keyof Scalars] extends [never]
  ? [scalars?: Record<string, never>]
  : [scalars: Scalars]
