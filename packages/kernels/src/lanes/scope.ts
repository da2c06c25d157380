// Owns what a name means inside a kernel, and the mask under which statements run.

import type { ColumnParameter } from '../../../../bindings/kernels/kernel'
import type { ValueType } from './valueTypes'

/** One number for all rows. */
export interface Uniform {
  readonly is: 'uniform'
  readonly type: ValueType
  readonly text: string
}

/** A variable of the loop: a number for each lane. */
export interface LaneVariable {
  readonly is: 'lanes'
  readonly type: ValueType
  readonly text: string
  /** The mask under which it was declared: an assignment under the same one needs no blending. */
  readonly mask: string | undefined
}

/** How an accumulator's lanes become one number. */
export type Accumulation = 'sum' | 'min' | 'max'

/** A variable of the function into which a loop sums, or takes the least or greatest. */
export interface Accumulator {
  readonly is: 'accumulator'
  readonly type: ValueType
  /** The variable of the function. */
  readonly name: string
  /** The variable that holds its lanes. */
  readonly text: string
  /** Undefined until a statement accumulates. */
  by: Accumulation | undefined
}

/** A variable that holds what an earlier loop accumulated: a later one may go on with it, in the same way. */
export interface Accumulated {
  readonly is: 'accumulated'
  readonly type: ValueType
  readonly by: Accumulation | undefined
}

export interface Column {
  readonly is: 'column'
  readonly type: ValueType
  readonly parameter: ColumnParameter
}

export type Meaning =
  | Uniform
  | LaneVariable
  | Accumulator
  | Column
  | { readonly is: 'rows' }
  /** The row number of the loop. */
  | { readonly is: 'row' }
  | Accumulated
  /** A variable of which nothing is known but that it exists. */
  | { readonly is: 'unknown' }

/** The names of a block, and of those around it. */
export class Scope {
  private readonly names = new Map<string, Meaning>()
  readonly outer: Scope | undefined

  constructor(outer?: Scope) {
    this.outer = outer
  }

  declare(name: string, meaning: Meaning): void {
    this.names.set(name, meaning)
  }

  lookUp(name: string): Meaning | undefined {
    return this.names.get(name) ?? this.outer?.lookUp(name)
  }

  /** Gives a name another meaning, where it was declared. */
  change(name: string, meaning: Meaning): void {
    if (this.names.has(name)) this.names.set(name, meaning)
    else this.outer?.change(name, meaning)
  }
}
