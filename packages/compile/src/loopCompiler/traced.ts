// Owns the form of what a body does with each row, which trace.ts finds and the emitter writes as wasm.

import type { Graph, GraphValue } from './graph'
import type { Cell } from './paths'
import type { FieldShape } from './shapes'

/** A column of the rows: a field of a component, or the handles. */
export interface ColumnUse {
  /** Which parameter of the body. */
  readonly part: number
  /** Undefined for the handles. */
  readonly field: FieldShape | undefined
  isWritten: boolean
}

/** A field of a resource. */
export interface HeldUse {
  /** The name among the values. */
  readonly name: string
  readonly field: FieldShape
}

export interface TracedStore extends Cell {
  readonly value: GraphValue
}

export interface Traced {
  readonly graph: Graph
  /** What is read or written, in the order of the addresses in a block. */
  readonly columns: readonly ColumnUse[]
  /** In the order of their addresses, after the scalars. */
  readonly held: readonly HeldUse[]
  /** Names of all that comes with each run, in the order of the values. */
  readonly scalars: readonly string[]
  readonly stores: readonly TracedStore[]
  /** What a row adds to the result; undefined for a loop without a result. */
  readonly total: GraphValue | undefined
}
