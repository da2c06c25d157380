// Owns the rows that a kernel works on: one run of a chunk, as a value of 32 bits.

/**
 * The rows of one run, from `start` up to but without `end`. There is no object: what would be its address is the
 * word itself, so that a getter costs a mask or a shift.
 *
 * ```
 *  31              16 15               0
 * ├──────────────────┼──────────────────┤
 * │       end        │      start       │   both below 65,536
 * └──────────────────┴──────────────────┘
 * ```
 */
@unmanaged
export class Rows {
  /** The first row, counted from the chunk's first. */
  @inline
  get start(): i32 {
    return <i32>(changetype<usize>(this) & 0xffff)
  }

  /** The row behind the last one. */
  @inline
  get end(): i32 {
    return <i32>(changetype<usize>(this) >> 16)
  }
}

/** The same rows, for a kernel whose loops the compiler turns into loops over four rows at a time. */
@unmanaged
export class Lanes {
  /** The first row, counted from the chunk's first. */
  @inline
  get start(): i32 {
    return <i32>(changetype<usize>(this) & 0xffff)
  }

  /** The row behind the last one. */
  @inline
  get end(): i32 {
    return <i32>(changetype<usize>(this) >> 16)
  }
}

/** Rows and Lanes of a packed word: `changetype<Rows>(packRows(3, 7))`. */
@inline
export function packRows(start: u32, end: u32): usize {
  return start | (end << 16)
}
