// Owns the types derived from a query's terms: which components are columns, and what each passes to a callback.
// It must never hold anything that exists at run time.

import type {
  AnyComponent,
  AnyObject,
  Columns,
  ComponentLike,
  Component,
  ObjectComponent,
  OrderedTag,
  ReadonlyColumns,
  Schema,
  Storage,
  Tag,
  Value,
} from './component'
import type { Comparison } from './conditions'
import type { Entity, EntityArray } from './entity'
import type { Kind, ScalarField } from './fields'
import type { Added, AnyOf, Changed, Not, Optional, Term } from './terms'

/**
 * A reused object that stands on one row of a component; its fields can be read and written. Of an object component
 * it is the value.
 */
export type Cursor<C> =
  C extends ObjectComponent<infer V>
    ? V
    : C extends Component<infer S, infer _>
      ? { -readonly [K in keyof Value<S>]: Value<S>[K] }
      : never

type IsTable<T> =
  T extends Component<infer S, infer Where>
    ? [Where] extends ['table']
      ? [keyof S] extends [never]
        ? false
        : true
      : false
    : false
type IsPooled<T> = T extends OrderedTag ? true : IsPooledComponent<T>
type IsPooledComponent<T> =
  T extends Component<infer _, infer Where> ? ([Where] extends ['sparse' | 'stable'] ? true : false) : false

type RequiredOf<T extends readonly Term[]> = T[number] extends infer U
  ? U extends AnyComponent | Tag | AnyObject
    ? U
    : U extends Changed<infer Cs> | Added<infer Cs>
      ? Cs[number]
      : never
  : never
type OptionalOf<T extends readonly Term[]> = T[number] extends infer U
  ? U extends Optional<infer Cs>
    ? Cs[number]
    : U extends AnyOf<infer Cs>
      ? Exclude<Cs[number], Not>
      : never
  : never

type TablesIn<U> = U extends unknown ? (IsTable<U> extends true ? U : never) : never
type PooledIn<U> = U extends unknown ? (IsPooled<U> extends true ? U : never) : never
type DataIn<U> = U extends Component<infer S, infer _> ? ([keyof S] extends [never] ? never : U) : never

/** What each gives to its callback. */
type GivenIn<U> = U extends AnyObject ? U : DataIn<U>
type ObjectsIn<U> = U extends AnyObject ? U : never
type ValueIn<C> = C extends ObjectComponent<infer V> ? V : never

type IsUnion<U, All = U> = U extends unknown ? ([All] extends [U] ? false : true) : never

/** Required components that are columns: see "Columns and cursors" in docs/architecture.md. */
type RequiredColumns<T extends readonly Term[], Grouped extends boolean> = Grouped extends true
  ? RequiredOf<T>
  : UngroupedColumns<T>

type UngroupedColumns<T extends readonly Term[]> = [TablesIn<RequiredOf<T>>] extends [never]
  ? [PooledIn<RequiredOf<T>>] extends [never]
    ? never
    : IsUnion<PooledIn<RequiredOf<T>>> extends false
      ? DataIn<PooledIn<RequiredOf<T>>>
      : never
  : TablesIn<RequiredOf<T>>

/** Optional components that are columns where they are there. */
type OptionalColumns<T extends readonly Term[]> = [TablesIn<RequiredOf<T>>] extends [never]
  ? [PooledIn<RequiredOf<T>>] extends [never]
    ? TablesIn<OptionalOf<T>>
    : never
  : TablesIn<OptionalOf<T>>

/** Components of a query whose values can be asked for. */
export type ComponentsWithData<T extends readonly Term[]> = DataIn<RequiredOf<T> | OptionalOf<T>>
/** Fields that `where` compares: those with one value a row. */
export type ComparableFields<C> =
  C extends Component<infer S, infer _>
    ? { [K in keyof S]: S[K] extends ScalarField ? K : never }[keyof S] & string
    : never
/** How a field is compared: texts have no order. */
export type ComparisonOf<C, F> = [FieldValue<C, F>] extends [never]
  ? Comparison
  : FieldValue<C, F> extends string
    ? Extract<Comparison, '==' | '!='>
    : Comparison
/** What a field is compared with; a handle with any number. */
export type ConditionValue<C, F> = FieldValue<C, F> extends infer V ? (V extends number ? number : V) : never
type FieldValue<C, F> =
  C extends Component<infer S, infer _> ? (F extends keyof S ? Value<S>[F] : never) : never

/** Components with data that every matching entity has. */
export type RequiredData<T extends readonly Term[]> = DataIn<RequiredOf<T>>

/** A component whose rows lie in a pool of its own. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever its schema
export type PooledComponent<Where extends Storage = 'sparse' | 'stable'> = Component<any, Where>

/** Fields with one value that has an order: all but vec and text. */
export type SortableFields<C> =
  C extends Component<infer S, infer _>
    ? { [K in keyof S]: S[K] extends ScalarField<Exclude<Kind, 'text'>> ? K : never }[keyof S] & string
    : never

type SchemaOf<C> = C extends Component<infer S, infer _> ? S : Schema

/** Typed arrays over all of a world's memory. They are replaced when it grows: read them anew in each step of a loop. */
export interface HeapArrays {
  readonly i8: Int8Array
  readonly u8: Uint8Array
  readonly i16: Int16Array
  readonly u16: Uint16Array
  readonly i32: Int32Array
  readonly u32: Uint32Array
  readonly f32: Float32Array
  readonly f64: Float64Array
}

/** For the compiler's message alone: what to do about a component that is no column. No value is of this type. */
type NoColumnHere =
  'a column of this query: reach what is none by row, chunk.cursor(component).at(row), and objects by chunk.objects(component)'

/** One run of rows of a chunk, valid for one step of a loop. */
export interface Chunk<T extends readonly Term[], Grouped extends boolean = false> {
  /** First row of this run. Views are indexed from the chunk's row 0: loop from start to end. */
  readonly start: number
  /** The row behind the last one of this run. */
  readonly end: number
  /** Handles of the rows, same indices as the columns. */
  readonly entities: EntityArray
  /** Heap-wide arrays for the expert path; replaced when memory grows, never inside a loop. */
  readonly heap: HeapArrays
  /** Columns of a component for writing; marks them changed. */
  write<C extends RequiredColumns<T, Grouped>>(component: C): Columns<SchemaOf<C>>
  write<C extends OptionalColumns<T>>(component: C): Columns<SchemaOf<C>> | undefined
  write(component: NoColumnHere): never
  /** Columns of a component for looking; marks nothing. */
  read<C extends RequiredColumns<T, Grouped>>(component: C): ReadonlyColumns<SchemaOf<C>>
  read<C extends OptionalColumns<T>>(component: C): ReadonlyColumns<SchemaOf<C>> | undefined
  read(component: NoColumnHere): never
  /** Index of row 0 of a field's column in the array of its kind in `heap`; -1 where the chunk has none. */
  index<C extends RequiredColumns<T, Grouped> | OptionalColumns<T>>(
    component: C,
    field: keyof SchemaOf<C> & string,
  ): number
  /** Marks a component changed in one row, or in all rows of this run, after writing through `heap` or `read`. */
  touch(component: RequiredColumns<T, Grouped> | OptionalColumns<T>, row?: number): void
  /** Access by row, for components that are no columns here; works for columns too. */
  cursor<C extends DataIn<RequiredOf<T>>>(component: C): { at(row: number): Cursor<C> }
  cursor<C extends DataIn<OptionalOf<T>>>(component: C): { at(row: number): Cursor<C> | undefined }
  /** The values of an object component by row, from start to end. A reused array, filled at the call. */
  objects<C extends ObjectsIn<RequiredOf<T>>>(component: C): readonly ValueIn<C>[]
  objects<C extends ObjectsIn<OptionalOf<T>>>(component: C): readonly (ValueIn<C> | undefined)[] | undefined
}

/** One cursor for each component with data, in the order of the terms; anything where the terms are not known. */
export type Cursors<T extends readonly Term[]> = number extends T['length']
  ? unknown[]
  : CursorsOf<T, NamedAlone<T[number]>>

/** Components that are terms by themselves. */
type NamedAlone<X> = X extends ComponentLike ? X : never

/** What the terms give to a callback. `Known` are components whose cursor comes, or came, with another term. */
type CursorsOf<T extends readonly unknown[], Known> = T extends readonly [infer X, ...infer Rest]
  ? X extends Changed<infer Cs> | Added<infer Cs>
    ? [...Unknown<Cs, Known, never>, ...CursorsOf<Rest, Known | Cs[number]>]
    : X extends AnyOf<infer Cs>
      ? [...Unknown<Cs, Known, undefined>, ...CursorsOf<Rest, Known | Cs[number]>]
      : X extends Optional<infer Cs>
        ? [...Unknown<Cs, never, undefined>, ...CursorsOf<Rest, Known>]
        : X extends Not
          ? CursorsOf<Rest, Known>
          : [...Unknown<[X], never, never>, ...CursorsOf<Rest, Known>]
  : []

/** A cursor, or what is given where it lacks, for each component that has data and is not known. */
type Unknown<Cs, Known, Absent> = Cs extends readonly [infer C, ...infer Rest]
  ? [C] extends [Known]
    ? Unknown<Rest, Known, Absent>
    : [GivenIn<C>] extends [never]
      ? Unknown<Rest, Known, Absent>
      : [Cursor<C> | Absent, ...Unknown<Rest, Known, Absent>]
  : []

export type EachCallback<T extends readonly Term[]> = (entity: Entity, ...cursors: Cursors<T>) => void

/** What a callback may return: anything but a promise. */
export type NotAsync<R> = R extends PromiseLike<unknown> ? 'the callback must not be async' : unknown
