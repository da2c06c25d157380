// Owns the entry 'strata-ecs/kernel': what a kernel's source imports, as an editor sees it, and as JavaScript.
// The compiler never reads this file: for it the names are those of assembly/kernel, with the same meanings.
// It must never know worlds.
//
// Each name is a type and a value: a kernel's source cannot say `import type`, and with the values it also runs as plain
// TypeScript, over typed arrays: `move(new Rows(0, 100), px, py, vx, vy, dt)`.

export { cos, exp, random, randomFloat, rsqrt, sin } from './kernelFunctions'

// What of AssemblyScript a kernel may use, and its portable types leave out.
declare global {
  /** A table of constants, at the top level of a kernel's file: `const WAVE: StaticArray<f32> = [0, 0.5, 1]`. */
  interface StaticArray<T> {
    readonly length: number
    [index: number]: T
  }
  /** The bits of a number as one of another type of the same width: `reinterpret<u32>(x)`. */
  function reinterpret<T>(value: number): T
}

/** The rows of one run, from `start` up to but without `end`, for a kernel that takes them one by one. */
export class Rows {
  /**
   * Only for running a kernel's source as TypeScript: a kernel is given its rows.
   *
   * @param start the first row
   * @param end the row behind the last one
   */
  constructor(start: number, end: number) {
    this.start = start
    this.end = end
  }

  /** The first row (i32). */
  readonly start: number
  /** The row behind the last one (i32). */
  readonly end: number
}

/** The rows of one run, for a kernel whose loops the compiler turns into loops over four rows at a time. */
export class Lanes extends Rows {}

/** A column that is only read: `vx[i]`, one load. */
export class ReadonlyColumn<T> {
  readonly [row: number]: T
}

/** A column that is read and written: `px[i] += 1`, one load and one store. */
export class Column<T> {
  [row: number]: T
}

/** A field of a resource that is only read: value k is `cells[k]`, one load; a field of one value is `time[0]`. */
export class ReadonlyResource<T> {
  readonly [k: number]: T
}

/** A field of a resource that is read and written: `cells[k] += 1`, one load and one store. Any row may write any k. */
export class Resource<T> {
  [k: number]: T
}

/** The handles of the rows: `entities[i]`. It is not bound: every chunk has one. */
export class Entities {
  readonly [row: number]: Entity
}

/** A handle (u32), 0 for NULL_ENTITY. Here a plain number; the brand of the main entry's type is not known. */
export type Entity = number
export const Entity = 'u32'

/** The id of a text (u32), equal for equal texts: see `world.textId`. */
export type Text = number
export const Text = 'u32'

/** The kernel's result is the sum of what it returns for the runs of rows; 0 when there are none. */
export type Sum<T> = T
export const Sum = 'sum'

/** The kernel's result is the least of what it returns for the runs of rows; Infinity when there are none. */
export type Min<T> = T
export const Min = 'min'

/** The kernel's result is the greatest of what it returns for the runs of rows; -Infinity when there are none. */
export type Max<T> = T
export const Max = 'max'

/** The kernel's result (u32) is the sum of what it returns for the runs of rows; 0 when there are none. */
export type Count = number
export const Count = 'count'

// Columns of vec(kind, length): value k of row i is p[i][k].

export class ReadonlyVec2Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec2Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec3Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec3Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec4Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec4Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec5Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec5Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec6Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec6Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec7Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec7Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec8Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec8Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec9Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec9Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec10Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec10Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec11Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec11Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec12Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec12Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec13Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec13Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec14Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec14Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec15Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec15Column<T> {
  readonly [row: number]: Column<T>
}
export class ReadonlyVec16Column<T> {
  readonly [row: number]: ReadonlyColumn<T>
}
export class Vec16Column<T> {
  readonly [row: number]: Column<T>
}
