// Owns what a compiler must know of the parameters of a body: which fields there are, and of which kind. The plugin writes it
// from the source of a program, `compile` reads it from the declarations.

import type { Field } from '../../../../bindings/components/fields'
import type { Kind } from '../../../../bindings/components/fieldKinds'
import type { Reduction } from '../../../../bindings/kernels/kernel'
import type { Source } from './refusal'

/** The kinds that a body can compute with. */
export type NumberKind = Exclude<Kind, 'text'>

/** A field of a component or of a resource. */
export interface FieldShape {
  readonly name: string
  readonly kind: Kind
  /** Of a vec its length, 0 for a single value. */
  readonly vec: number
}

/** A parameter of the body. */
export type PartShape = ComponentShape | 'entity'

export interface ComponentShape {
  readonly name: string
  readonly fields: readonly FieldShape[]
  readonly isReadonly: boolean
  /** Whether it is undefined for entities without it. */
  readonly isOptional: boolean
}

/** One of the values that the body is given after the components. */
export type ValueShape = number | boolean | ScalarShape | ResourceShape | FunctionShape

/** What comes with each run. */
export interface ScalarShape {
  readonly scalar: 'i32' | 'u32' | 'f32' | 'f64' | 'bool'
}

export interface ResourceShape {
  readonly resource: string
  readonly fields: readonly FieldShape[]
}

/** A function that the body may call. */
export interface FunctionShape {
  readonly source: Source
}

/** A body with all that decides what it is compiled to. */
export interface LoopShape {
  readonly parts: readonly PartShape[]
  /** By name, in the order of the declaration; undefined where the body is given none. */
  readonly values: Readonly<Record<string, ValueShape>> | undefined
  readonly body: Source
  readonly result: Reduction
}

/** What the memory of a field holds: the array of a vec of bool is one of bytes, which take and give numbers. */
export function heldKind({ kind, vec }: FieldShape): NumberKind {
  return kind === 'bool' && vec > 0 ? 'u8' : (kind as NumberKind)
}

/** Of a vec its length, 0 for a single value. Only one of length 1 is told by its default, a list, which is made at each look. */
export function vecLength({ length, defaultValue }: Field): number {
  return length > 1 || Array.isArray(defaultValue) ? length : 0
}
