// Owns sums, least and greatest values of a run of rows in one column. TypeScript gives the column's address and how many values
// follow.

import { KEY_FLOAT, KEY_SIGNED } from './keys'

/** What is asked for. */
export const SUM: u32 = 0
export const LEAST: u32 = 1
export const MOST: u32 = 2

/** Two values as f64, the first in the low lane. */
@inline
function pairAt<T extends number>(at: usize): v128 {
  if (sizeof<T>() == 8) return v128.load(at)
  if (isFloat<T>()) return f64x2.promote_low_f32x4(v128.load_zero<u64>(at))
  return isSigned<T>()
    ? f64x2.convert_low_i32x4_s(v128.load_zero<u64>(at))
    : f64x2.convert_low_i32x4_u(v128.load_zero<u64>(at))
}

@inline
function join(operation: u32, a: v128, b: v128): v128 {
  if (operation == SUM) return f64x2.add(a, b)
  return operation == LEAST ? f64x2.min(a, b) : f64x2.max(a, b)
}

/** Joins `count` values with `start`, which is what joining none gives: two at a time, always in the same order. */
function reduce<T extends number>(from: usize, count: u32, operation: u32, start: f64): f64 {
  const end = from + <usize>count * sizeof<T>()
  let joined = f64x2.splat(start)
  for (; from + sizeof<T>() < end; from += 2 * sizeof<T>()) joined = join(operation, joined, pairAt<T>(from))
  joined = join(operation, joined, f64x2.splat(f64x2.extract_lane(joined, 1)))
  if (from < end) joined = join(operation, joined, f64x2.splat(<f64>load<T>(from)))
  return f64x2.extract_lane(joined, 0)
}

/**
 * The sum, least or greatest of `count` values from an address; 0, Infinity or -Infinity of none. `kind` is how keys are
 * read (see sort.ts); floats of 8 bytes are `wide`. Narrower integers are TypeScript's to join.
 */
export function reduceValues(from: usize, count: u32, kind: u32, wide: bool, operation: u32): f64 {
  const start: f64 = operation == SUM ? 0 : operation == LEAST ? Infinity : -Infinity
  if (wide) return reduce<f64>(from, count, operation, start)
  if (kind == KEY_FLOAT) return reduce<f32>(from, count, operation, start)
  if (kind == KEY_SIGNED) return reduce<i32>(from, count, operation, start)
  return reduce<u32>(from, count, operation, start)
}
