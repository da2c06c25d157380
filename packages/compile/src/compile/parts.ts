// Owns the types of what a compiled loop is declared with: its parts, its values, and what its body receives of them.

import type {
  AnyComponent,
  Cursor,
  Entity,
  Optional,
  Resource,
  ScalarField,
  Schema,
  Value,
} from '../../../../bindings/index'

/** The mark made by read(): a component whose fields the body only reads. */
export interface Read<C extends AnyComponent = AnyComponent> {
  readonly read: C
}

/** What a parameter of the body stands for: a component, read(C), optional(C), or `entity` for the entity's handle. */
export type Part = AnyComponent | Read | Optional<readonly [AnyComponent]> | ScalarField<'entity'>

/** A field type that stands for a number or a boolean that comes with each run. */
export type RunField =
  | ScalarField<'f32'>
  | ScalarField<'f64'>
  | ScalarField<'i32'>
  | ScalarField<'u32'>
  | ScalarField<'bool'>
  | ScalarField<'entity'>

/** The values that the body receives after its components, by name. */
export type LoopValues = Readonly<Record<string, LoopValue>>
/** A field type for what comes with each run, a constant, a resource with fields, or a function that the body calls. */
export type LoopValue =
  | RunField
  | number
  | boolean
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any resource with fields
  | Resource<any>
  | LoopFunction
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what it is given is compiled with the body
type LoopFunction = (...given: any[]) => unknown

/** What a program may give: ValuesOf says what is wrong with it, where TypeScript would compare properties. */
export type AnyValues = Readonly<
  Record<string, LoopValue | object | string | bigint | symbol | null | undefined>
>
type WantedValue =
  'a number, a boolean, f32, f64, i32, u32, bool or entity for what comes with each run, a resource with fields, or a function'
/** Values of which each is one that a loop takes; of any other the type is a sentence, which the error shows. */
export type ValuesOf<V> = {
  readonly [K in keyof V]: V[K] extends AnyComponent
    ? WantedValue
    : V[K] extends LoopValue
      ? V[K]
      : WantedValue | LoopFunction
}

type ReadonlyCursor<C> = { readonly [K in keyof Cursor<C>]: Cursor<C>[K] }

type ParameterOf<P> =
  P extends Read<infer C>
    ? ReadonlyCursor<C>
    : P extends Optional<readonly [infer C extends AnyComponent]>
      ? Cursor<C> | undefined
      : P extends AnyComponent
        ? Cursor<P>
        : Entity

/** What the body receives for its parts. */
export type ParametersOf<P extends readonly Part[]> = { [K in keyof P]: ParameterOf<P[K]> }

/** What the body receives as its last parameter. */
export type GivenOf<V> = { readonly [K in keyof V]: GivenFor<V[K]> }
type GivenFor<V> = V extends number
  ? number
  : V extends boolean
    ? boolean
    : V extends Resource<infer S extends Schema>
      ? { readonly [F in keyof Value<S>]: Value<S>[F] }
      : V extends (...given: never[]) => unknown
        ? V
        : RunValue<V>

/** What comes with a run for a field type. */
type RunValue<V> = V extends ScalarField<'bool'> ? boolean : V extends ScalarField<'entity'> ? Entity : number

/** What each run takes. */
export type RunValuesOf<V> = {
  readonly [K in keyof V as V[K] extends RunField ? K : never]: RunValue<V[K]>
}

/**
 * Marks a component whose fields the body of a compiled loop only reads: assigning to one is an error, in TypeScript and in
 * compile. Without the mark, too, a component that is never assigned to is not marked as changed.
 *
 * @example compile([Position, read(Velocity)], (position, velocity) => { … })
 */
export function read<C extends AnyComponent>(component: C): Read<C> {
  return { read: component }
}
