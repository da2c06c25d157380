// Owns the parents' rows as a kernel reads them: for each row the address of its parent's row, or 0 if no such row exists. A
// parent's row is one of those that the kernel is called for, before its children's.

import { ReadonlyColumn } from './columns'

/**
 * A column of the parents of the rows. `parent[i]` is the parent's row of row i, and `parent[i][k]` its value k: two loads.
 * There is no object: it is the address of row 0 in a list of addresses. Without a parent that address is 0, and what is
 * read there means nothing: ask `parent.has(i)` first.
 */
@unmanaged
export class ParentColumn<T> {
  @inline
  has(row: i32): bool {
    return this.addressOf(row) != 0
  }

  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(this.addressOf(row))
  }

  @inline
  private addressOf(row: i32): usize {
    return load<usize>(changetype<usize>(this) + (<usize>row << alignof<usize>()))
  }
}
