// Owns fields of resources as a kernel indexes them: one value, or many in a row. Value k is at `address + k * sizeof<T>()`:
// reading one is a single load, writing one a single store, at the width of T. k is not checked: the caller of a kernel ensures
// only that the address is right.

/** A field of a resource that is only read. There is no object: the address of value 0 is the resource. */
@unmanaged
export class ReadonlyResource<T> {
  @inline
  @operator('[]')
  private get(k: i32): T {
    return load<T>(changetype<usize>(this) + (<usize>k << alignof<T>()))
  }
}

/** A field of a resource that is read and written. Numbers narrower than 32 bits are cut to their width. */
@unmanaged
export class Resource<T> extends ReadonlyResource<T> {
  // An operator of a base class is not found where a value is changed in place (`cells[k] += 1`).
  @inline
  @operator('[]')
  private value(k: i32): T {
    return load<T>(changetype<usize>(this) + (<usize>k << alignof<T>()))
  }

  @inline
  @operator('[]=')
  private set(k: i32, value: T): void {
    const address = changetype<usize>(this) + (<usize>k << alignof<T>())
    // A number cast to bool keeps its bits, and a field of bools holds 0 and 1.
    if (isBoolean<T>()) store<bool>(address, value ? true : false)
    else store<T>(address, value)
  }
}
