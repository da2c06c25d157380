// Owns columns with several values a row, as `vec(f32, 3)` makes them: value k of row i is at `address + (i * length + k) *
// sizeof<T>()`. `p[i]` is the address of a row and costs one multiplication; `p[i][k]` with a constant k is one load or store, k
// being part of the instruction. Neither the row nor k is checked.

import { Column, ReadonlyColumn } from './columns'

@unmanaged
export class ReadonlyVec2Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (2 << alignof<T>()))
  }
}

@unmanaged
export class Vec2Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (2 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec3Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (3 << alignof<T>()))
  }
}

@unmanaged
export class Vec3Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (3 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec4Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (4 << alignof<T>()))
  }
}

@unmanaged
export class Vec4Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (4 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec5Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (5 << alignof<T>()))
  }
}

@unmanaged
export class Vec5Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (5 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec6Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (6 << alignof<T>()))
  }
}

@unmanaged
export class Vec6Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (6 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec7Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (7 << alignof<T>()))
  }
}

@unmanaged
export class Vec7Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (7 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec8Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (8 << alignof<T>()))
  }
}

@unmanaged
export class Vec8Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (8 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec9Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (9 << alignof<T>()))
  }
}

@unmanaged
export class Vec9Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (9 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec10Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (10 << alignof<T>()))
  }
}

@unmanaged
export class Vec10Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (10 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec11Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (11 << alignof<T>()))
  }
}

@unmanaged
export class Vec11Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (11 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec12Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (12 << alignof<T>()))
  }
}

@unmanaged
export class Vec12Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (12 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec13Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (13 << alignof<T>()))
  }
}

@unmanaged
export class Vec13Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (13 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec14Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (14 << alignof<T>()))
  }
}

@unmanaged
export class Vec14Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (14 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec15Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (15 << alignof<T>()))
  }
}

@unmanaged
export class Vec15Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (15 << alignof<T>()))
  }
}

@unmanaged
export class ReadonlyVec16Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(changetype<usize>(this) + <usize>row * (16 << alignof<T>()))
  }
}

@unmanaged
export class Vec16Column<T> {
  @inline
  @operator('[]')
  private get(row: i32): Column<T> {
    return changetype<Column<T>>(changetype<usize>(this) + <usize>row * (16 << alignof<T>()))
  }
}
