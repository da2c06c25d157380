// Owns columns with one value a row. The value of row i is at `address + i * sizeof<T>()`: reading one is a single load, writing
// one a single store, at the width of T. Rows are not checked: the caller of a kernel ensures that they are within the chunk.

/** A column that is only read. There is no object: the address of the chunk's row 0 is the column. */
@unmanaged
export class ReadonlyColumn<T> {
  @inline
  @operator('[]')
  private get(row: i32): T {
    return load<T>(changetype<usize>(this) + (<usize>row << alignof<T>()))
  }
}

/** A column that is read and written. Numbers narrower than 32 bits are cut to their width, as `<u8>x` does. */
@unmanaged
export class Column<T> extends ReadonlyColumn<T> {
  // An operator of a base class is not found where a value is changed in place (`px[i] += 1`).
  @inline
  @operator('[]')
  private value(row: i32): T {
    return load<T>(changetype<usize>(this) + (<usize>row << alignof<T>()))
  }

  @inline
  @operator('[]=')
  private set(row: i32, value: T): void {
    const address = changetype<usize>(this) + (<usize>row << alignof<T>())
    // A number cast to bool keeps its bits, and a column of bools holds 0 and 1.
    if (isBoolean<T>()) store<bool>(address, value ? true : false)
    else store<T>(address, value)
  }
}
