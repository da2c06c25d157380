// Owns the entry 'strata-ecs/kernel': what a kernel's source imports, as an editor sees it, and as JavaScript. The compiler never
// reads this file: for it the names are those of assembly/kernel, with the same meanings.
//
// Each name is a type and a value: a kernel's source cannot say `import type`, and with the values it also runs as plain
// TypeScript, over typed arrays: `move(new Rows(0, 100), px, py, vx, vy, dt)`.

export { cos, exp, random, randomFloat, rsqrt, sin } from './functions'

// What of AssemblyScript a kernel may use, and its portable types leave out.
declare global {
  /** A table of constants at the top level of a kernel's file: `const WAVE: StaticArray<f32> = [0, 0.5, 1]`. */
  interface StaticArray<T> {
    readonly length: number
    [index: number]: T
  }
  /** The bits of a number, read as a number of another type of the same width: `reinterpret<u32>(x)`. */
  function reinterpret<T>(value: number): T
}

/** The rows of one run, from `start` to `end - 1`, for a kernel that handles them one at a time in a plain loop. */
export class Rows {
  /**
   * Only for running a kernel's source as TypeScript. A compiled kernel receives its rows.
   *
   * @param start the first row
   * @param end the row after the last one
   */
  constructor(start: number, end: number) {
    this.start = start
    this.end = end
  }

  /** The first row (i32). */
  readonly start: number
  /** The row after the last one (i32). */
  readonly end: number
}

/**
 * The rows of one run, from `start` to `end - 1`, for a kernel whose loops the compiler turns into SIMD loops over
 * four rows at a time.
 */
export class Lanes extends Rows {}

/** A column of a component, read only: `vx[i]` is one load. The index is a row of the chunk and is not checked. */
export class ReadonlyColumn<T> {
  readonly [row: number]: T
}

/**
 * A column of a component, read and written: `px[i] += 1` is one load and one store. The index is a row of the chunk
 * and is not checked.
 */
export class Column<T> {
  [row: number]: T
}

/**
 * A field of a resource, read only: value k is `cells[k]`, one load; a field of one value is `time[0]`. The index is
 * not checked.
 */
export class ReadonlyResource<T> {
  readonly [k: number]: T
}

/**
 * A field of a resource, read and written: `cells[k] += 1` is one load and one store. Any row may use any k; it is
 * not checked.
 */
export class Resource<T> {
  [k: number]: T
}

/**
 * A column of a component, read in the row of each row's parent: value k of it is `parent[i][k]`, two loads; a field of one
 * value is `parent[i][0]`. Ask `parent.has(i)` before: for a row without a parent, the values mean nothing.
 */
export class ParentColumn<T> {
  /**
   * Only for running a kernel's source as TypeScript. A compiled kernel receives its parents.
   *
   * @param rows for each row the values of its parent, undefined for none
   */
  constructor(rows: readonly (ReadonlyColumn<T> | undefined)[]) {
    Object.assign(this, rows)
  }

  readonly [row: number]: ReadonlyColumn<T>

  /** Whether the entity of a row has a living parent, and this has the component. */
  has(row: number): boolean {
    return this[row] !== undefined
  }
}

/** The handles of the rows: `entities[i]`. You do not bind it; every chunk has one. */
export class Entities {
  readonly [row: number]: Entity
}

/**
 * A handle (u32): equal for equal entities, 4,294,967,295 for NULL_ENTITY. A plain number here, without the brand of
 * the type Entity in 'strata-ecs'.
 */
export type Entity = number
export const Entity = 'u32'

/** The id of a text (u32): equal for equal texts, 0 for the empty one. See `textId`. */
export type Text = number
export const Text = 'u32'

/** The kernel's result is the sum of what it returns for each run of rows; 0 if there are no rows. */
export type Sum<T> = T
export const Sum = 'sum'

/** The kernel's result is the least of what it returns for each run of rows; Infinity if there are no rows. */
export type Min<T> = T
export const Min = 'min'

/** The kernel's result is the greatest of what it returns for each run of rows; -Infinity if there are no rows. */
export type Max<T> = T
export const Max = 'max'

/** The kernel's result (u32) is the sum of the counts that it returns for each run of rows; 0 if there are no rows. */
export type Count = number
export const Count = 'count'

// Columns of vec(kind, length): value k of row i is p[i][k].

/** A column of `vec(kind, 2)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec2Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 2)`, read and written: value k of row i is `p[i][k]`. */
export class Vec2Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 3)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec3Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 3)`, read and written: value k of row i is `p[i][k]`. */
export class Vec3Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 4)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec4Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 4)`, read and written: value k of row i is `p[i][k]`. */
export class Vec4Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 5)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec5Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 5)`, read and written: value k of row i is `p[i][k]`. */
export class Vec5Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 6)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec6Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 6)`, read and written: value k of row i is `p[i][k]`. */
export class Vec6Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 7)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec7Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 7)`, read and written: value k of row i is `p[i][k]`. */
export class Vec7Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 8)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec8Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 8)`, read and written: value k of row i is `p[i][k]`. */
export class Vec8Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 9)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec9Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 9)`, read and written: value k of row i is `p[i][k]`. */
export class Vec9Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 10)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec10Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 10)`, read and written: value k of row i is `p[i][k]`. */
export class Vec10Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 11)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec11Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 11)`, read and written: value k of row i is `p[i][k]`. */
export class Vec11Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 12)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec12Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 12)`, read and written: value k of row i is `p[i][k]`. */
export class Vec12Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 13)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec13Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 13)`, read and written: value k of row i is `p[i][k]`. */
export class Vec13Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 14)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec14Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 14)`, read and written: value k of row i is `p[i][k]`. */
export class Vec14Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 15)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec15Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 15)`, read and written: value k of row i is `p[i][k]`. */
export class Vec15Column<T> {
  readonly [row: number]: Column<T>
}
/** A column of `vec(kind, 16)`, read only: value k of row i is `p[i][k]`. */
export class ReadonlyVec16Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
/** A column of `vec(kind, 16)`, read and written: value k of row i is `p[i][k]`. */
export class Vec16Column<T> {
  readonly [row: number]: Column<T>
}
