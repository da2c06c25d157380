// Owns what a compiled kernel is: the description that the compiler writes and the bindings read, and its types.
// It must never hold code that compiles or runs one.

/** What a column of a kernel holds: the kinds of fields. */
export type ColumnKind =
  'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64' | 'bool' | 'entity' | 'text'
/** What a scalar of a kernel is. */
export type ScalarKind = 'i32' | 'u32' | 'f32' | 'f64' | 'bool'
/** How the results of a kernel for several runs of rows become one. */
export type Reduction = 'none' | 'sum' | 'min' | 'max' | 'count'

/** A parameter that is a column of a component. */
export interface ColumnParameter {
  readonly name: string
  readonly role: 'column'
  readonly kind: ColumnKind
  /** Numbers a row: 1, or the length of a vec. */
  readonly length: number
  /** Whether the kernel may write to it. */
  readonly writes: boolean
}

/** A parameter that is the column of the rows' handles. It is not bound: every chunk has one. */
export interface EntitiesParameter {
  readonly name: string
  readonly role: 'entities'
}

/** A parameter that is one number for a whole run of the query. */
export interface ScalarParameter {
  readonly name: string
  readonly role: 'scalar'
  readonly kind: ScalarKind
}

export type KernelParameter = ColumnParameter | EntitiesParameter | ScalarParameter

/** The wasm module that the kernels of one file share. */
export interface KernelCode {
  /** The source file, for messages. */
  readonly file: string
  /** The module, base64. */
  readonly bytes: string
}

/** One compiled kernel: plain data, so that the modules that the compiler writes need to import nothing. */
export interface KernelDescription {
  /** The name of the exported function. */
  readonly kernel: string
  /** Number of the calling convention: 1. */
  readonly format: number
  readonly code: KernelCode
  /** In the order of the source, without the first one, which is the rows. */
  readonly parameters: readonly KernelParameter[]
  readonly result: Reduction
}
