// Owns what the compiler knows of the types of fields and of scalars: how a kernel's source writes them, and as what it computes
// with them.

import type { ColumnKind, ScalarKind } from '../../../bindings/kernels/kernel'
import type { ValueType } from './lanes/valueTypes'

interface KernelKind {
  /** What stands in the brackets of `Column<…>`: a type of AssemblyScript, or a name of 'strata-ecs/kernel'. */
  readonly written: string
  /** AssemblyScript's type of a value in a column. */
  readonly element: ValueType
}

export const KERNEL_KINDS: Record<ColumnKind, KernelKind> = {
  i8: { written: 'i8', element: 'i8' },
  u8: { written: 'u8', element: 'u8' },
  i16: { written: 'i16', element: 'i16' },
  u16: { written: 'u16', element: 'u16' },
  i32: { written: 'i32', element: 'i32' },
  u32: { written: 'u32', element: 'u32' },
  f32: { written: 'f32', element: 'f32' },
  f64: { written: 'f64', element: 'f64' },
  bool: { written: 'bool', element: 'bool' },
  entity: { written: 'Entity', element: 'u32' },
  text: { written: 'Text', element: 'u32' },
}

/** The types of scalars, and whether the results of several runs of rows can be joined. */
const IS_JOINED: Record<ScalarKind, boolean> = { f32: true, f64: true, i32: true, u32: true, bool: false }

export const SCALAR_KINDS = Object.keys(IS_JOINED) as readonly ScalarKind[]
export const RESULT_KINDS = SCALAR_KINDS.filter((kind) => IS_JOINED[kind])

const KINDS = Object.keys(KERNEL_KINDS) as readonly ColumnKind[]
/** What may stand in the brackets of a column or a resource. */
export const WRITTEN_KINDS = KINDS.map((kind) => KERNEL_KINDS[kind].written)
/** Those of it that a source imports. */
export const LIBRARY_KINDS = KINDS.filter((kind) => KERNEL_KINDS[kind].written !== kind).map(
  (kind) => KERNEL_KINDS[kind].written,
)

/** The type of fields that a source writes so; undefined for none. */
export function kindWritten(name: string | undefined): ColumnKind | undefined {
  return KINDS.find((kind) => KERNEL_KINDS[kind].written === name)
}
