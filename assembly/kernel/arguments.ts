// Owns how a kernel gets its arguments: a block of memory that the bindings fill, format 1.
// It must never write to it.
//
// ```
// address  0        4        8                16               24
//          ├────────┼────────┼────────────────┼────────────────┼─ ─
//          │ rows   │ mask   │ slot 0         │ slot 1         │ ...
//          └────────┴────────┴────────────────┴────────────────┴─ ─
// rows     start | end << 16, the word of `Rows`
// mask     address of a row mask, or 0: then all rows from start to end are meant
// slot k   the k-th parameter behind the rows, at the slot's first bytes: the address of a column's row 0, or a number
//          (f64 8 bytes; f32, i32, u32 4 bytes; a bool is a u32 of 0 or 1)
// ```

/** The word of `Rows`. */
@inline
export function rowsOf(block: usize): u32 {
  return load<u32>(block, 0)
}

/** Address of the row mask; 0 when there is none. */
@inline
export function maskOf(block: usize): usize {
  return load<usize>(block, 4)
}

/** The number in slot k. */
@inline
export function scalarOf<T>(block: usize, k: i32): T {
  return load<T>(block + (<usize>k << 3), 8)
}

/** The column in slot k; `C` is `Column<f32>` or another class of columns. */
@inline
export function columnOf<C>(block: usize, k: i32): C {
  return changetype<C>(load<usize>(block + (<usize>k << 3), 8))
}
