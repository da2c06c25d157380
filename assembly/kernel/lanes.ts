// Owns four rows at a time: columns to vectors of four lanes and back, masks, conversions. It is what the compiler writes for a
// kernel over `Lanes`.
//
// What a vector (v128) holds, by the kind of the value:
//   f32                          4 x f32
//   i8 i16 i32, u8 u16 u32       4 x 32 bits, widened as the sign says
//   bool                         4 x 32 bits, all set (true) or none: a mask, as comparisons give it
// Arithmetic is AssemblyScript's own: f32x4.add, i32x4.mul, v128.and and so on. f64 has no lanes here.

import { Column, ReadonlyColumn } from './columns'

/** Values of the rows from `row` to `row + 3`, all of which must exist. */
@inline
export function loadLanes<T>(column: ReadonlyColumn<T>, row: i32): v128 {
  const address = changetype<usize>(column) + (<usize>row << alignof<T>())
  if (sizeof<T>() == 4) return v128.load(address, 0, 4)
  if (isBoolean<T>()) return i32x4.ne(load4x8<u8>(address), i32x4.splat(0))
  if (sizeof<T>() == 1) return load4x8<T>(address)
  if (sizeof<T>() == 2) return isSigned<T>() ? v128.load_ext<i16>(address) : v128.load_ext<u16>(address)
  ERROR('f64 has no lanes')
  return i32x4.splat(0)
}

@inline
function load4x8<T>(address: usize): v128 {
  const bytes = v128.load_zero<u32>(address, 0, 1)
  return isSigned<T>()
    ? i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(bytes))
    : i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes))
}

/** Writes the rows from `row` to `row + 3`. Numbers narrower than 32 bits are cut to their width. */
@inline
export function storeLanes<T>(column: Column<T>, row: i32, value: v128): void {
  const address = changetype<usize>(column) + (<usize>row << alignof<T>())
  if (sizeof<T>() == 4) {
    v128.store(address, value, 0, 4)
  } else if (sizeof<T>() == 1) {
    const whole = isBoolean<T>() ? v128.and(value, i32x4.splat(1)) : value
    v128.store_lane<u32>(address, v128.shuffle<u8>(whole, whole, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12), 0, 0, 1)
  } else if (sizeof<T>() == 2) {
    v128.store_lane<u64>(address, v128.shuffle<u16>(value, value, 0, 2, 4, 6, 0, 2, 4, 6), 0, 0, 2)
  } else {
    ERROR('f64 has no lanes')
  }
}

/** Writes those of the four rows whose lane of the mask is set; the others keep their values. */
@inline
export function storeLanesWhere<T>(column: Column<T>, row: i32, mask: v128, value: v128): void {
  storeLanes<T>(column, row, v128.bitselect(value, loadLanes<T>(column, row), mask))
}

/**
 * Value k of four rows of a column with `length` values a row: `gatherLanes<f32>(p[i], 3, k)` is p[i][k], p[i + 1][k],
 * p[i + 2][k], p[i + 3][k].
 */
@inline
export function gatherLanes<T>(first: ReadonlyColumn<T>, length: i32, k: i32): v128 {
  const address = changetype<usize>(first) + (<usize>k << alignof<T>())
  const step = <usize>length << alignof<T>()
  if (sizeof<T>() == 4) {
    let lanes = v128.load_zero<u32>(address, 0, 4)
    lanes = v128.load_lane<u32>(address + step, lanes, 1, 0, 4)
    lanes = v128.load_lane<u32>(address + step * 2, lanes, 2, 0, 4)
    return v128.load_lane<u32>(address + step * 3, lanes, 3, 0, 4)
  }
  if (sizeof<T>() == 8) ERROR('f64 has no lanes')
  let lanes = i32x4.splat(<i32>load<T>(address))
  lanes = i32x4.replace_lane(lanes, 1, <i32>load<T>(address + step))
  lanes = i32x4.replace_lane(lanes, 2, <i32>load<T>(address + step * 2))
  lanes = i32x4.replace_lane(lanes, 3, <i32>load<T>(address + step * 3))
  return isBoolean<T>() ? i32x4.ne(lanes, i32x4.splat(0)) : lanes
}

/** Writes value k of four rows of a column with `length` values a row. */
@inline
export function scatterLanes<T>(first: Column<T>, length: i32, k: i32, value: v128): void {
  const address = changetype<usize>(first) + (<usize>k << alignof<T>())
  const step = <usize>length << alignof<T>()
  const whole = isBoolean<T>() ? v128.and(value, i32x4.splat(1)) : value
  if (sizeof<T>() == 4) {
    v128.store_lane<u32>(address, whole, 0, 0, 4)
    v128.store_lane<u32>(address + step, whole, 1, 0, 4)
    v128.store_lane<u32>(address + step * 2, whole, 2, 0, 4)
    v128.store_lane<u32>(address + step * 3, whole, 3, 0, 4)
  } else if (sizeof<T>() == 2) {
    v128.store_lane<u16>(address, whole, 0, 0, 2)
    v128.store_lane<u16>(address + step, whole, 2, 0, 2)
    v128.store_lane<u16>(address + step * 2, whole, 4, 0, 2)
    v128.store_lane<u16>(address + step * 3, whole, 6, 0, 2)
  } else if (sizeof<T>() == 1) {
    v128.store_lane<u8>(address, whole, 0)
    v128.store_lane<u8>(address + step, whole, 4)
    v128.store_lane<u8>(address + step * 2, whole, 8)
    v128.store_lane<u8>(address + step * 3, whole, 12)
  } else {
    ERROR('f64 has no lanes')
  }
}

/** Writes value k of those of the four rows whose lane of the mask is set. */
@inline
export function scatterLanesWhere<T>(first: Column<T>, length: i32, k: i32, mask: v128, value: v128): void {
  scatterLanes<T>(first, length, k, v128.bitselect(value, gatherLanes<T>(first, length, k), mask))
}

/** One value in all lanes. */
@inline
export function splatLanes<T>(value: T): v128 {
  if (isFloat<T>()) return f32x4.splat(<f32>value)
  return i32x4.splat(isBoolean<T>() ? -(<i32>value) : <i32>value)
}

/** The numbers `first`, `first + 1`, `first + 2`, `first + 3` (i32). */
@inline
export function rampLanes(first: i32): v128 {
  return i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3))
}

/** In each lane what `<To>x` gives for an x of type From, bit for bit. */
@inline
export function convertLanes<From, To>(x: v128): v128 {
  if (isBoolean<To>()) {
    if (isBoolean<From>()) return x
    // NaN is false, as in JavaScript.
    return isFloat<From>() ? f32x4.gt(f32x4.abs(x), f32x4.splat(0)) : i32x4.ne(x, i32x4.splat(0))
  }
  if (isFloat<To>()) {
    if (isFloat<From>()) return x
    if (isBoolean<From>()) return v128.and(x, f32x4.splat(1))
    return isSigned<From>() ? f32x4.convert_i32x4_s(x) : f32x4.convert_i32x4_u(x)
  }
  if (isBoolean<From>()) return v128.and(x, i32x4.splat(1))
  if (!isFloat<From>()) return cutLanes<To>(x)
  return cutLanes<To>(isSigned<To>() ? i32x4.trunc_sat_f32x4_s(x) : i32x4.trunc_sat_f32x4_u(x))
}

/** Integers of 32 bits cut to the width of T and widened again, as a variable of type T holds them. */
@inline
export function cutLanes<T>(x: v128): v128 {
  if (sizeof<T>() == 4) return x
  const shift: i32 = 32 - (<i32>sizeof<T>() << 3)
  return isSigned<T>() ? i32x4.shr_s(i32x4.shl(x, shift), shift) : v128.and(x, i32x4.splat((1 << (32 - shift)) - 1))
}

/** `x << n` in each lane (i32 or u32, n modulo 32). There is no instruction for it: lane by lane. */
@inline
export function shlLanes(x: v128, n: v128): v128 {
  return i32x4(
    i32x4.extract_lane(x, 0) << i32x4.extract_lane(n, 0),
    i32x4.extract_lane(x, 1) << i32x4.extract_lane(n, 1),
    i32x4.extract_lane(x, 2) << i32x4.extract_lane(n, 2),
    i32x4.extract_lane(x, 3) << i32x4.extract_lane(n, 3),
  )
}

/** `x >> n` in each lane of i32. */
@inline
export function shrSignedLanes(x: v128, n: v128): v128 {
  return i32x4(
    i32x4.extract_lane(x, 0) >> i32x4.extract_lane(n, 0),
    i32x4.extract_lane(x, 1) >> i32x4.extract_lane(n, 1),
    i32x4.extract_lane(x, 2) >> i32x4.extract_lane(n, 2),
    i32x4.extract_lane(x, 3) >> i32x4.extract_lane(n, 3),
  )
}

/** `x >>> n` in each lane, and `x >> n` of u32. */
@inline
export function shrUnsignedLanes(x: v128, n: v128): v128 {
  return i32x4(
    i32x4.extract_lane(x, 0) >>> i32x4.extract_lane(n, 0),
    i32x4.extract_lane(x, 1) >>> i32x4.extract_lane(n, 1),
    i32x4.extract_lane(x, 2) >>> i32x4.extract_lane(n, 2),
    i32x4.extract_lane(x, 3) >>> i32x4.extract_lane(n, 3),
  )
}
