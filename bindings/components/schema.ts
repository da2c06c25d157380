// Owns the types that follow from the fields of a component or resource: what is written, read, and seen in a chunk.

import type { ObjectComponent } from './component'
import type { Field } from './fields'

/** The fields of a component or resource by name. */
export type Schema = Readonly<Record<string, Field>>

/**
 * Where the rows of a component are stored: with the entity's other components ('table'), in a pool of its own
 * ('sparse'), or in a pool whose rows never move ('stable').
 */
export type Storage = 'table' | PooledStorage
/** The storages that give a component a pool of its own. */
export type PooledStorage = 'sparse' | 'stable'

type InputOf<F> = F extends { readonly defaultValue: infer In } ? In : never
type OutputOf<F> = F extends { readonly out?: infer Out } ? Exclude<Out, undefined> : never
type ArrayOf<F> = F extends { readonly column?: infer Column } ? Exclude<Column, undefined> : never

/** The same type without a name of its own: editors show the record, such as `{ x: number; y: number }`. */
// eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- that is what takes the name away
type Unnamed<T> = T & unknown
type ReadonlyOf<A> = A extends NumberList ? ReadonlyArrayOf<A> : never

/** Values to write: any of the fields by name. */
export type Input<S extends Schema> = { readonly [K in keyof S]?: InputOf<S[K]> }
/** A copy of one entity's values, by field. */
export type Value<S extends Schema> = Unnamed<{ -readonly [K in keyof S]: OutputOf<S[K]> }>
/**
 * The values of a component or a resource by field, as world.get and world.getResource return them, readonly; or the value of
 * an object component.
 *
 * @example type Row = ValueOf<typeof Position>
 */
export type ValueOf<C> = C extends { readonly schema: infer S extends Schema }
  ? Value<S>
  : C extends ObjectComponent<infer T>
    ? T
    : C extends { readonly kind: 'resource'; readonly holds?: (value: infer T) => unknown }
      ? T
      : never
/**
 * The columns of one chunk, one typed array per field. Index i is row i; for a vec of length n, row i begins at index
 * i * n.
 */
export type Columns<S extends Schema> = Unnamed<{ readonly [K in keyof S]: ArrayOf<S[K]> }>
/**
 * The columns of one chunk for reading only, one typed array per field. Index i is row i; for a vec of length n, row
 * i begins at index i * n.
 */
export type ReadonlyColumns<S extends Schema> = Unnamed<{
  readonly [K in keyof S]: ReadonlyOf<ArrayOf<S[K]>>
}>

/** What a typed array of numbers is known to be. */
type NumberList = { readonly [index: number]: number; readonly length: number }

/** A typed array without its writing methods. */
export type ReadonlyArrayOf<A extends NumberList> = Omit<
  A,
  'set' | 'fill' | 'copyWithin' | 'reverse' | 'sort' | number
> & { readonly [index: number]: A[number] }
