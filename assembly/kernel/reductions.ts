// Owns what a kernel returns, and how the results of its runs become one.
//
// A kernel is called once for each run of rows. What it returns travels as f64, in which every f32, i32 and u32 is
// exact, and so do the results of several runs together.

/** The result is the sum of what the runs return; 0 when there are no rows. */
export type Sum<T> = T
/** The result is the least of what the runs return; Infinity when there are no rows. NaN when one is NaN. */
export type Min<T> = T
/** The result is the greatest of what the runs return; -Infinity when there are no rows. NaN when one is NaN. */
export type Max<T> = T
/** The result is the sum of what the runs return; 0 when there are no rows. */
export type Count = u32

/** The results of some runs, joined by that of one more. */
@inline
export function joinSum<T>(result: f64, run: T): f64 {
  return result + <f64>run
}

@inline
export function joinMin<T>(result: f64, run: T): f64 {
  return min<f64>(result, <f64>run)
}

@inline
export function joinMax<T>(result: f64, run: T): f64 {
  return max<f64>(result, <f64>run)
}

/** The four lanes as one number of type T (f32, i32, u32): (0 + 1) + (2 + 3), in this order. */
@inline
export function sumLanes<T>(x: v128): T {
  return (
    v128.extract_lane<T>(x, 0) + v128.extract_lane<T>(x, 1) + (v128.extract_lane<T>(x, 2) + v128.extract_lane<T>(x, 3))
  )
}

/** The least of the four lanes. */
@inline
export function minLanes<T>(x: v128): T {
  return min<T>(
    min<T>(v128.extract_lane<T>(x, 0), v128.extract_lane<T>(x, 1)),
    min<T>(v128.extract_lane<T>(x, 2), v128.extract_lane<T>(x, 3)),
  )
}

/** The greatest of the four lanes. */
@inline
export function maxLanes<T>(x: v128): T {
  return max<T>(
    max<T>(v128.extract_lane<T>(x, 0), v128.extract_lane<T>(x, 1)),
    max<T>(v128.extract_lane<T>(x, 2), v128.extract_lane<T>(x, 3)),
  )
}
