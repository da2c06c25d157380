// Owns the types that a kernel leads to: what its columns can be bound to, what its run takes and returns.
// It must never hold anything that exists at run time.

import type { AnyComponent, Component } from './component'
import type { ScalarField, VecField } from './fields'
import type { ColumnKind, Kernel, KernelFunction, KernelScalars } from './kernel'

/** A column: a component, and the name of one of its fields. */
export type ColumnBinding = readonly [component: AnyComponent, field: string]

/** The components that the columns of a kernel may be of, by parameter. */
export type BoundComponents<K> = K extends KernelFunction
  ? Readonly<Record<string, AnyComponent>>
  : K extends Kernel<infer Columns, infer _, infer __>
    ? { readonly [P in keyof Columns]: AnyComponent }
    : never

/** What world.kernel takes for the columns of a kernel: for each the component, and one of its fields that would do. */
export type ColumnBindings<K, C> = {
  readonly [P in keyof C]: readonly [component: C[P], field: FieldsOfKind<C[P], KindOf<K, P>>]
}

/** The kind of a parameter; unknown where the source is all that is known of the kernel, never for no column of it. */
type KindOf<K, P> = K extends KernelFunction
  ? unknown
  : K extends Kernel<infer Columns, infer _, infer __>
    ? P extends keyof Columns
      ? Columns[P]
      : never
    : never

/** Names of a component's fields that are of a kind: 'f32', or ['f32', 16]. Lengths are compared at run time. */
type FieldsOfKind<C, K> =
  C extends Component<infer S, infer _>
    ? { [F in keyof S]: true extends IsOfKind<S[F], K> ? F : never }[keyof S] & string
    : never

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
  Item extends Exclude<ColumnKind, 'text'> ? ([F] extends [VecField<Item>] ? true : false) : false

type IsAny<T> = 0 extends 1 & T ? true : false

/** The scalars that query.run takes for a kernel. */
export type ScalarsOf<K> = IsAny<K> extends true ? KernelScalars : KnownScalars<K>

type KnownScalars<K> = K extends (rows: never, ...parameters: infer P) => unknown
  ? [Extract<P[number], number | boolean>] extends [never]
    ? Record<never, never>
    : KernelScalars
  : K extends Kernel<infer _, infer Scalars, infer __>
    ? Scalars
    : never

/** What query.run returns for a kernel. */
export type ResultOf<K> = K extends (rows: never, ...parameters: never[]) => infer R
  ? R
  : K extends Kernel<infer _, infer __, infer R>
    ? R
    : never

/** The arguments of query.run behind the kernel: the scalars, where there are some. */
export type ScalarArguments<Scalars> = [keyof Scalars] extends [never]
  ? [scalars?: Record<string, never>]
  : [scalars: Scalars]
