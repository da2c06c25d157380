// Owns the form of what the checked core asks of cursors. What does the asking comes with strata-ecs/checked: a program that
// does not import that does not carry it. It must never know a cursor.

/** The row that a cursor was given for. */
export interface CheckedRow {
  /** Address of the chunk, and the row in it. */
  readonly data: number
  readonly row: number
  /** Words from Heap.chunks to the chunk's descriptor. */
  readonly chunkOffset: number
  /** The entity that had the row; noted by the checks. */
  entity: number
}

export interface CursorChecks {
  /** Notes whose row it is. */
  note(checked: CheckedRow, heap: { readonly u32: Uint32Array }): void
  /** Whether the row is another's by now, or nobody's. */
  hasLost(checked: CheckedRow, heap: { readonly u32: Uint32Array; readonly chunks: number }): boolean
  /** Throws STALE_CURSOR. */
  refuse(componentName: string): never
}
