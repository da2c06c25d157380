// Owns the types derived from a query's terms: which components are columns, and what each passes to a callback.

import type { Entity, EntityArray } from '../memory/entity'
import type { AnyObject, ComponentLike, Component, ObjectComponent, OrderedTag, Relation } from './component'
import type { ScalarField } from './fields'
import type { Kind } from './fieldKinds'
import type { Columns, PooledStorage, ReadonlyColumns, Schema, Storage, Value } from './schema'
import type { Pair } from './pair'
import type { Added, AllOf, AnyOf, Changed, Not, Optional, Ordering, Present, Term } from './terms'

/** What has fields and is stored in rows: a component, or a relation. */
export type Stored<S extends Schema = Schema, Where extends Storage = Storage> = {
  readonly schema: S
  readonly storage: Where
  readonly kind: 'component' | 'relation'
}

/** How `where` compares a field with a value. */
export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!='

/**
 * A reused object whose properties read and write the fields of one row of a component. For an object component, the
 * value itself. `{ ...cursor }` copies nothing: copy with world.get, or field by field.
 */
export type Cursor<C> =
  C extends ObjectComponent<infer V>
    ? V
    : C extends Stored<infer S, infer _>
      ? { -readonly [K in keyof Value<S>]: Value<S>[K] }
      : never

type IsTable<T> =
  T extends Stored<infer S, infer Where>
    ? [Where] extends ['table']
      ? [keyof S] extends [never]
        ? false
        : true
      : false
    : false
type IsPooled<T> = T extends OrderedTag ? true : IsPooledComponent<T>
type IsPooledComponent<T> =
  T extends Stored<infer _, infer Where> ? ([Where] extends [PooledStorage] ? true : false) : false

type RequiredOf<T extends readonly unknown[]> = T[number] extends infer U
  ? U extends ComponentLike
    ? U
    : U extends Changed<infer Cs> | Added<infer Cs> | Present<infer Cs>
      ? Cs[number]
      : U extends AllOf<infer _, infer __, infer Required>
        ? Required
        : U extends Pair<infer _, infer Shown>
          ? Relation<Shown>
          : never
  : never
type OptionalOf<T extends readonly unknown[]> = T[number] extends infer U
  ? U extends Optional<infer Cs>
    ? Cs[number]
    : U extends AnyOf<infer _, infer Named> | AllOf<infer __, infer Named>
      ? Named[number]
      : never
  : never

/** The components in alternatives, to any depth, except inside of a not, in the order in which they are written. */
export type NamedIn<Cs extends readonly unknown[]> = Cs extends readonly [infer X, ...infer Rest]
  ? X extends Not
    ? NamedIn<Rest>
    : X extends AnyOf<infer _, infer Named> | AllOf<infer __, infer Named>
      ? [...Named, ...NamedIn<Rest>]
      : X extends Present<infer Inner>
        ? [...Inner, ...NamedIn<Rest>]
        : X extends ComponentLike
          ? [X, ...NamedIn<Rest>]
          : NamedIn<Rest>
  : []
/** The components that the parts of an all() require. */
export type RequiredBy<Cs extends readonly unknown[]> = RequiredOf<Cs> & ComponentLike

type TablesIn<U> = U extends unknown ? (IsTable<U> extends true ? U : never) : never
type PooledIn<U> = U extends unknown ? (IsPooled<U> extends true ? U : never) : never
type DataIn<U> = U extends Stored<infer S, infer _> ? ([keyof S] extends [never] ? never : U) : never

/** What each gives to its callback. */
type GivenIn<U> = U extends AnyObject ? U : DataIn<U>
type ObjectsIn<U> = U extends AnyObject ? U : never
type ValueIn<C> = C extends ObjectComponent<infer V> ? V : never

type IsUnion<U, All = U> = U extends unknown ? ([All] extends [U] ? false : true) : never

/** Required components that are columns: see "Columns and cursors" in docs/queries.md. */
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

/** The components of a query that have values to compare. */
export type ComponentsWithData<T extends readonly Term[]> = DataIn<RequiredOf<T> | OptionalOf<T>>
/** Names of the fields that `where` can compare: those that hold one value. */
export type ComparableFields<C> =
  C extends Stored<infer S, infer _>
    ? { [K in keyof S]: S[K] extends ScalarField ? K : never }[keyof S] & string
    : never
/** The comparisons that a field allows. Texts have no order, only == and !=. */
export type ComparisonOf<C, F> = [FieldValue<C, F>] extends [never]
  ? Comparison
  : FieldValue<C, F> extends string
    ? Extract<Comparison, '==' | '!='>
    : Comparison
/** The value that a field is compared with. A handle is compared with any number. */
export type ConditionValue<C, F> = FieldValue<C, F> extends infer V ? (V extends number ? number : V) : never
type FieldValue<C, F> = C extends Stored<infer S, infer _> ? (F extends keyof S ? Value<S>[F] : never) : never

/** The components with data that every matching entity has. */
export type RequiredData<T extends readonly Term[]> = DataIn<RequiredOf<T>>

/** A component with storage 'sparse' or 'stable', whose rows are in a pool of their own. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever its schema
export type PooledComponent<Where extends Storage = PooledStorage> = Component<any, Where>

/** Names of the fields that can be sorted by: those that hold one value, except texts. */
export type SortableFields<C> =
  C extends Stored<infer S, infer _>
    ? { [K in keyof S]: S[K] extends ScalarField<Exclude<Kind, 'text'>> ? K : never }[keyof S] & string
    : never

/** Names of the fields that a component has. */
export type FieldsOf<C> = keyof SchemaOf<C> & string
/** A typed array of a field's values. */
export type ColumnIn<C, F> =
  C extends Stored<infer S, infer _> ? (F extends keyof S ? Columns<S>[F] : never) : never

/** Names of the fields that sorted takes: fields of one value, texts among them. */
export type OrderedFields<C> = ComparableFields<C>

type SchemaOf<C> = C extends Stored<infer S, infer _> ? S : Schema

/**
 * Typed arrays over all of a world's memory. They are replaced when the memory grows, so read them again in each step
 * of a loop.
 */
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

/** The hint that the compiler prints for a component that is not a column here. No value has this type. */
type NoColumnHere =
  'a column of this query: reach what is none by row, chunk.cursor(component).at(row), and objects by chunk.objects(component)'

/** One run of rows of a chunk, as a loop over a query gives it. Reused, and valid for one step of the loop. */
export interface Chunk<T extends readonly Term[], Grouped extends boolean = false> {
  /** The first row of this run. Arrays are indexed from row 0 of the chunk: loop from start to end. */
  readonly start: number
  /** The row after the last one of this run. */
  readonly end: number
  /** Handles of the rows, with the same indices as the columns. */
  readonly entities: EntityArray
  /**
   * Typed arrays over all of the world's memory, to use with `index`. Replaced when the memory grows, which never
   * happens inside a loop.
   */
  readonly heap: HeapArrays
  /**
   * The columns of a component for reading and writing, one typed array per field; undefined if it is optional and
   * the chunk does not have it. Marks the component as changed in all rows of this run.
   *
   * @throws StrataTypeError NOT_A_COLUMN
   * @example const { x, y } = chunk.write(Position)
   */
  write<C extends RequiredColumns<T, Grouped>>(component: C): Columns<SchemaOf<C>>
  write<C extends OptionalColumns<T>>(component: C): Columns<SchemaOf<C>> | undefined
  write(component: NoColumnHere): never
  /**
   * The columns of a component for reading, one typed array per field; undefined if it is optional and the chunk does
   * not have it. Does not mark the component as changed.
   *
   * @throws StrataTypeError NOT_A_COLUMN
   */
  read<C extends RequiredColumns<T, Grouped>>(component: C): ReadonlyColumns<SchemaOf<C>>
  read<C extends OptionalColumns<T>>(component: C): ReadonlyColumns<SchemaOf<C>> | undefined
  read(component: NoColumnHere): never
  /**
   * The index of row 0 of a field's column in the array of its kind in `heap`, or -1 if the chunk does not have the
   * column. Does not mark the component as changed: see markChanged.
   *
   * @throws StrataTypeError NOT_A_COLUMN, UNKNOWN_FIELD
   * @example const x = chunk.index(Position, 'x'); chunk.heap.f32[x + i] += 1
   */
  index<C extends RequiredColumns<T, Grouped> | OptionalColumns<T>>(
    component: C,
    field: keyof SchemaOf<C> & string,
  ): number
  /**
   * Marks a component as changed in one row, or in all rows of this run; for values written through `heap`.
   *
   * @param row a row from start to end - 1; leave it out for all rows of the run
   * @throws StrataTypeError NOT_A_COLUMN
   */
  markChanged(component: RequiredColumns<T, Grouped> | OptionalColumns<T>, row?: number): void
  /**
   * Access to a component by row, wherever it is stored: `chunk.cursor(Health).at(i).hp`. `at` moves one reused
   * cursor, and returns undefined if the component is optional and the entity does not have it. Writing through it
   * marks the component as changed. For columns, `read` and `write` are faster.
   *
   * @throws StrataTypeError NOT_A_COLUMN
   */
  cursor<C extends DataIn<RequiredOf<T>>>(component: C): { at(row: number): Cursor<C> }
  cursor<C extends DataIn<OptionalOf<T>>>(component: C): { at(row: number): Cursor<C> | undefined }
  /**
   * The values of an object component by row, from start to end. Fills and returns one reused array; undefined if the
   * component is optional and no row of the chunk has it.
   *
   * @throws StrataTypeError NOT_A_COLUMN, NOT_A_COMPONENT
   */
  objects<C extends ObjectsIn<RequiredOf<T>>>(component: C): readonly ValueIn<C>[]
  objects<C extends ObjectsIn<OptionalOf<T>>>(component: C): readonly (ValueIn<C> | undefined)[] | undefined
}

/**
 * What `each` passes after the entity: one cursor for each component with data, in the order of the terms. unknown[]
 * if the terms are not known.
 */
export type Cursors<T extends readonly Term[]> = number extends T['length']
  ? unknown[]
  : CursorsOf<T, NamedAlone<T[number]>>

/** Components that are terms by themselves, or in all() and present(). */
type NamedAlone<X> = X extends ComponentLike
  ? X
  : X extends Present<infer Cs>
    ? Cs[number]
    : X extends AllOf<infer _, infer __, infer Required>
      ? Required
      : never

/** What the terms give to a callback. `Named` are components whose cursor comes, or came, with another term. */
type CursorsOf<T extends readonly unknown[], Named> = T extends readonly [infer X, ...infer Rest]
  ? X extends Changed<infer Cs> | Added<infer Cs>
    ? [...Unknown<Cs, Named, never>, ...CursorsOf<Rest, Named | Cs[number]>]
    : X extends AnyOf<infer _, infer Cs>
      ? [...Unknown<Cs, Named, undefined>, ...CursorsOf<Rest, Named | Cs[number]>]
      : X extends Optional<infer Cs>
        ? [...Unknown<Cs, never, undefined>, ...CursorsOf<Rest, Named>]
        : X extends Not | Ordering
          ? CursorsOf<Rest, Named>
          : X extends Present<infer Cs>
            ? [...Unknown<Cs, never, never>, ...CursorsOf<Rest, Named>]
            : X extends AllOf<infer Cs>
              ? CursorsOf<[...Cs, ...Rest], Named>
              : X extends Pair<infer _, infer Shown>
                ? [...Unknown<[Relation<Shown>], never, never>, ...CursorsOf<Rest, Named>]
                : [...Unknown<[X], never, never>, ...CursorsOf<Rest, Named>]
  : []

/** A cursor, or what is given where it lacks, for each component that has data and is not known. */
type Unknown<Cs, Named, Absent> = Cs extends readonly [infer C, ...infer Rest]
  ? [C] extends [Named]
    ? Unknown<Rest, Named, Absent>
    : [GivenIn<C>] extends [never]
      ? Unknown<Rest, Named, Absent>
      : [Cursor<C> | Absent, ...Unknown<Rest, Named | C, Absent>]
  : []

/** The callback of `each` for a query with these terms. */
export type EachCallback<T extends readonly Term[]> = (entity: Entity, ...cursors: Cursors<T>) => void

/** Lets a callback return anything except a promise. */
export type NotAsync<R> = R extends PromiseLike<unknown> ? 'the callback must not be async' : unknown
