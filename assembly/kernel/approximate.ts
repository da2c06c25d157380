// Owns the functions of f32 that wasm has no instruction for: rsqrt, sin, cos, exp; for one number, and for four lanes.
// It must never let the two forms differ: the same operations, in the same order, each rounded to f32.
// packages/compile/src/functions/library.ts has the same operations in JavaScript.
//
// The polynomials are least-maximum fits, made for this file, over the range that the reduction leaves; the errors
// given below are those that packages/compile/tests/functions/functions.test.ts measures.

// 1.5 times 2^23. From 2^23 to 2^24 the f32 are the whole numbers: adding this to a number below 2^22 rounds it, and leaves
// it in the lowest bits: one addition where nearest and trunc_sat are several instructions of x64.
const WHOLE: f32 = 12582912
const WHOLE_BITS: i32 = 0x4b400000

const TWO_OVER_PI: f32 = 0.6366197723675814
// Half of pi as a sum. The first two parts have 8 and 11 bits: times a quarter turn of up to 13 bits they are exact.
const HALF_PI_HIGH: f32 = 1.5703125
const HALF_PI_MIDDLE: f32 = 4.837512969970703125e-4
const HALF_PI_LOW: f32 = 7.549790126404332e-8
// A quarter of pi, and what rounding may leave beyond.
const MOST_REST: f32 = 0.787

// sin r = r + r z (S1 + z (S2 + z S3)), cos r = 1 - z / 2 + z z (C1 + z (C2 + z C3)), where z = r r.
const S1: f32 = -0.16666650772094727
const S2: f32 = 0.008331967517733574
const S3: f32 = -0.00019494234584271908
const C1: f32 = 0.04166664555668831
const C2: f32 = -0.001388735487125814
const C3: f32 = 0.000024436976673314348

const LOG2_E: f32 = 1.4426950408889634
// The logarithm of 2 as a sum; the first part has 9 bits.
const LN2_HIGH: f32 = 0.693359375
const LN2_LOW: f32 = -2.1219444170128554e-4
// Below, exp is 0; above, Infinity.
const EXP_LEAST: f32 = -104
const EXP_MOST: f32 = 89

// exp r = 1 + r + r r (E0 + r (E1 + r (E2 + r (E3 + r E4)))).
const E0: f32 = 0.4999999403953552
const E1: f32 = 0.1666652113199234
const E2: f32 = 0.04166838899254799
const E3: f32 = 0.00836874544620514
const E4: f32 = 0.001381453825160861

/**
 * 1 / sqrt(x), with a relative error of at most 1.2e-7: a root and a division, which take four lanes as fast as a guess
 * with two steps of Newton's would. Infinity for 0, -Infinity for -0, NaN below 0.
 */
@inline
export function rsqrt(x: f32): f32 {
  return <f32>1 / sqrt<f32>(x)
}

/** `rsqrt` of four f32. */
@inline
export function rsqrtLanes(x: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.sqrt(x))
}

/**
 * Sine of x radians, within 1e-7 for |x| <= 12,800 (2,000 turns). Beyond, the error is up to 0.001 at 30,000 and 0.004 at
 * 100,000, and farther out the result means nothing; it never leaves [-1, 1]. NaN for infinities and NaN.
 */
@inline
export function sin(x: f32): f32 {
  return sineOf(x, 0)
}

/** Cosine of x radians, with the errors of `sin`. */
@inline
export function cos(x: f32): f32 {
  return sineOf(x, 1)
}

/** The sine of x and `quarters` quarter turns. */
@inline
function sineOf(x: f32, quarters: u32): f32 {
  const shifted = x * TWO_OVER_PI + WHOLE
  const turns = shifted - WHOLE
  const rest = x - turns * HALF_PI_HIGH - turns * HALF_PI_MIDDLE - turns * HALF_PI_LOW
  const r = clamp(rest, -MOST_REST, MOST_REST)
  const z = r * r
  const sine = ((S3 * z + S2) * z + S1) * z * r + r
  const cosine = ((C3 * z + C2) * z + C1) * z * z - <f32>0.5 * z + <f32>1
  const quadrant = reinterpret<u32>(shifted) + quarters
  const value = (quadrant & 1) != 0 ? cosine : sine
  return reinterpret<f32>(reinterpret<u32>(value) ^ ((quadrant & 2) << 30))
}

/** NaN stays NaN. */
@inline
function clamp(x: f32, least: f32, most: f32): f32 {
  const raised = x < least ? least : x
  return most < raised ? most : raised
}

@inline
function clampLanes(x: v128, least: f32, most: f32): v128 {
  return f32x4.pmin(f32x4.pmax(x, f32x4.splat(least)), f32x4.splat(most))
}

/** `sin` of four f32. */
@inline
export function sinLanes(x: v128): v128 {
  return sineLanesOf(x, 0)
}

/** `cos` of four f32. */
@inline
export function cosLanes(x: v128): v128 {
  return sineLanesOf(x, 1)
}

@inline
function sineLanesOf(x: v128, quarters: i32): v128 {
  const shifted = f32x4.add(f32x4.mul(x, f32x4.splat(TWO_OVER_PI)), f32x4.splat(WHOLE))
  const turns = f32x4.sub(shifted, f32x4.splat(WHOLE))
  let r = f32x4.sub(x, f32x4.mul(turns, f32x4.splat(HALF_PI_HIGH)))
  r = f32x4.sub(r, f32x4.mul(turns, f32x4.splat(HALF_PI_MIDDLE)))
  r = f32x4.sub(r, f32x4.mul(turns, f32x4.splat(HALF_PI_LOW)))
  r = clampLanes(r, -MOST_REST, MOST_REST)
  const z = f32x4.mul(r, r)

  let sine = f32x4.add(f32x4.mul(f32x4.splat(S3), z), f32x4.splat(S2))
  sine = f32x4.add(f32x4.mul(sine, z), f32x4.splat(S1))
  sine = f32x4.add(f32x4.mul(f32x4.mul(sine, z), r), r)

  let cosine = f32x4.add(f32x4.mul(f32x4.splat(C3), z), f32x4.splat(C2))
  cosine = f32x4.add(f32x4.mul(cosine, z), f32x4.splat(C1))
  cosine = f32x4.sub(f32x4.mul(f32x4.mul(cosine, z), z), f32x4.mul(f32x4.splat(0.5), z))
  cosine = f32x4.add(cosine, f32x4.splat(1))

  const quadrant = i32x4.add(shifted, i32x4.splat(quarters))
  const odd = i32x4.ne(v128.and(quadrant, i32x4.splat(1)), i32x4.splat(0))
  const value = v128.bitselect(cosine, sine, odd)
  return v128.xor(value, i32x4.shl(v128.and(quadrant, i32x4.splat(2)), 30))
}

/**
 * e to the power of x, with a relative error of at most 1e-7 where the result is a normal number (x from -87.3 to
 * 88.7); 0 from -104 down, Infinity from 88.8 up, 1 for 0, NaN for NaN.
 */
@inline
export function exp(x: f32): f32 {
  const bounded = clamp(x, EXP_LEAST, EXP_MOST)
  const shifted = bounded * LOG2_E + WHOLE
  const power = shifted - WHOLE
  const r = bounded - power * LN2_HIGH - power * LN2_LOW
  const value = ((((E4 * r + E3) * r + E2) * r + E1) * r + E0) * r * r + r + <f32>1
  // In two steps, as the power may be beyond what one f32 holds.
  const whole = reinterpret<i32>(shifted) - WHOLE_BITS
  const half = whole >> 1
  return value * powerOfTwo(half) * powerOfTwo(whole - half)
}

/** 2 to the power of `exponent`, from -126 to 127. */
@inline
function powerOfTwo(exponent: i32): f32 {
  return reinterpret<f32>((exponent + 127) << 23)
}

/** `exp` of four f32. */
@inline
export function expLanes(x: v128): v128 {
  const bounded = clampLanes(x, EXP_LEAST, EXP_MOST)
  const shifted = f32x4.add(f32x4.mul(bounded, f32x4.splat(LOG2_E)), f32x4.splat(WHOLE))
  const power = f32x4.sub(shifted, f32x4.splat(WHOLE))
  let r = f32x4.sub(bounded, f32x4.mul(power, f32x4.splat(LN2_HIGH)))
  r = f32x4.sub(r, f32x4.mul(power, f32x4.splat(LN2_LOW)))

  let value = f32x4.add(f32x4.mul(f32x4.splat(E4), r), f32x4.splat(E3))
  value = f32x4.add(f32x4.mul(value, r), f32x4.splat(E2))
  value = f32x4.add(f32x4.mul(value, r), f32x4.splat(E1))
  value = f32x4.add(f32x4.mul(value, r), f32x4.splat(E0))
  value = f32x4.add(f32x4.mul(f32x4.mul(value, r), r), r)
  value = f32x4.add(value, f32x4.splat(1))

  const whole = i32x4.sub(shifted, i32x4.splat(WHOLE_BITS))
  const half = i32x4.shr_s(whole, 1)
  return f32x4.mul(f32x4.mul(value, powerOfTwoLanes(half)), powerOfTwoLanes(i32x4.sub(whole, half)))
}

@inline
function powerOfTwoLanes(exponent: v128): v128 {
  return i32x4.shl(i32x4.add(exponent, i32x4.splat(127)), 23)
}
