// Owns the layout of a kernel's arguments, format 2: numbers, then one block of memory for each run of rows. The bindings fill
// them.
//
// ```
// numbers  ├──────────┼──────────┼─ ─      8 bytes each, at their first bytes: f64 8; f32, i32, u32 4; a bool is a u32
//          │ number 0 │ number 1 │         of 0 or 1. The scalars, then for each resource the address of its value 0
// block    ├──────────┼──────────┼──────────┼──────────┼─ ─      the first one after the numbers, the others after it
//          │ rows     │ mask     │ column 0 │ column 1 │         4 bytes each
// ```
//
// rows      start | end << 16, the word of `Rows`
// mask      address of a row mask, or 0: then all rows from start to end are meant
// column k  the address of row 0; parameters that are columns or handles, in their order
//
// A kernel without rows has no blocks.

const NUMBER_BYTES: usize = 8
const HEAD_BYTES: usize = 8
const COLUMN_BYTES: usize = 4

/** The first block behind so many numbers. */
@inline
export function firstBlock(address: usize, numbers: i32): usize {
  return address + <usize>numbers * NUMBER_BYTES
}

/** Bytes of a block with so many columns. */
@inline
export function blockBytes(columns: i32): usize {
  return HEAD_BYTES + <usize>columns * COLUMN_BYTES
}

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

/** The k-th number. */
@inline
export function numberOf<T>(address: usize, k: i32): T {
  return load<T>(address + <usize>k * NUMBER_BYTES)
}

/** The k-th number, which is the address of a resource; `R` is `Resource<f32>` or another class of resources. */
@inline
export function resourceOf<R>(address: usize, k: i32): R {
  return changetype<R>(numberOf<usize>(address, k))
}

/** The k-th column; `C` is `Column<f32>` or another class of columns. */
@inline
export function columnOf<C>(block: usize, k: i32): C {
  return changetype<C>(load<usize>(block + HEAD_BYTES + <usize>k * COLUMN_BYTES))
}
