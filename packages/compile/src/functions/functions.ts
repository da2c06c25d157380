// Owns the functions of the kernel library in JavaScript, so that a system in TypeScript gives the same bits as its
// kernel: each operation is rounded to f32 where wasm's is, in the same order.
// Its results must never differ from those of assembly/kernel/approximate.ts and random.ts.

import { exponential, randomBits, randomFraction, rootReciprocal, sine, withLoopText } from './loopTexts'

const { fround, imul, sqrt } = Math

// Adding it to a number below 2^22 rounds that, and leaves it in the lowest bits of the f32: see the AssemblyScript.
const WHOLE = 12582912
const word = /* @__PURE__ */ new ArrayBuffer(4)
const bitsOf = /* @__PURE__ */ new Int32Array(word)
const floatOf = /* @__PURE__ */ new Float32Array(word)

const TWO_OVER_PI = fround(0.6366197723675814)
const HALF_PI_HIGH = 1.5703125
const HALF_PI_MIDDLE = 4.837512969970703125e-4
const HALF_PI_LOW = fround(7.549790126404332e-8)
const MOST_REST = fround(0.787)

const S1 = -0.16666650772094727
const S2 = 0.008331967517733574
const S3 = -0.00019494234584271908
const C1 = 0.04166664555668831
const C2 = -0.001388735487125814
const C3 = 0.000024436976673314348

const LOG2_E = fround(1.4426950408889634)
const LN2_HIGH = 0.693359375
const LN2_LOW = fround(-2.1219444170128554e-4)
const EXP_LEAST = -104
const EXP_MOST = 89

const E0 = 0.4999999403953552
const E1 = 0.1666652113199234
const E2 = 0.04166838899254799
const E3 = 0.00836874544620514
const E4 = 0.001381453825160861

/** The sum rounded to f32 of a product rounded to f32. */
const multiplyAdd = (a: number, b: number, c: number): number => fround(fround(a * b) + c)
/** The difference rounded to f32 of a number and a product rounded to f32. */
const subtractProduct = (a: number, b: number, c: number): number => fround(a - fround(b * c))

/** NaN stays NaN. */
const clamp = (x: number, least: number, most: number): number => (x < least ? least : most < x ? most : x)

/**
 * 1 / sqrt(x) as f32, with a relative error of at most 1.2e-7; bit-identical to the result in a kernel. Infinity for
 * 0, -Infinity for -0, 0 for Infinity, NaN below 0.
 *
 * @param x any number; it is rounded to f32 first
 */
export const rsqrt = /* @__PURE__ */ withLoopText(rootReciprocal, function rsqrt(x: number): number {
  return fround(1 / fround(sqrt(fround(x))))
})

/**
 * The sine as f32, bit-identical to the result in a kernel. The error is at most 1e-7 for |x| <= 12,800 (2,000
 * turns), 0.001 at 30,000 and 0.004 at 100,000; farther out the result is meaningless, but stays in [-1, 1]. NaN for
 * infinities and NaN.
 *
 * @param x radians; rounded to f32 first
 */
export const sin = /* @__PURE__ */ withLoopText(
  () => sine(0),
  function sin(x: number): number {
    return sineOf(fround(x), 0)
  },
)

/**
 * The cosine as f32, bit-identical to the result in a kernel. The error is at most 1e-7 for |x| <= 12,800 (2,000
 * turns), 0.001 at 30,000 and 0.004 at 100,000; farther out the result is meaningless, but stays in [-1, 1]. NaN for
 * infinities and NaN.
 *
 * @param x radians; rounded to f32 first
 */
export const cos = /* @__PURE__ */ withLoopText(
  () => sine(1),
  function cos(x: number): number {
    return sineOf(fround(x), 1)
  },
)

function sineOf(x: number, quarters: number): number {
  const shifted = fround(fround(x * TWO_OVER_PI) + WHOLE)
  const turns = fround(shifted - WHOLE)
  let r = subtractProduct(x, turns, HALF_PI_HIGH)
  r = subtractProduct(r, turns, HALF_PI_MIDDLE)
  r = subtractProduct(r, turns, HALF_PI_LOW)
  r = clamp(r, -MOST_REST, MOST_REST)
  const z = fround(r * r)
  floatOf[0] = shifted
  const quadrant = (bitsOf[0] as number) + quarters
  const value = (quadrant & 1) !== 0 ? cosineNear(z) : sineNear(r, z)
  return (quadrant & 2) !== 0 ? -value : value
}

function sineNear(r: number, z: number): number {
  const factor = multiplyAdd(multiplyAdd(S3, z, S2), z, S1)
  return multiplyAdd(fround(factor * z), r, r)
}

function cosineNear(z: number): number {
  const factor = multiplyAdd(multiplyAdd(C3, z, C2), z, C1)
  return fround(subtractProduct(fround(fround(factor * z) * z), 0.5, z) + 1)
}

/**
 * e to the power of x as f32, bit-identical to the result in a kernel. The relative error is at most 1e-7 for x from
 * -87.3 to 88.7. 0 from -104 down, Infinity from 88.8 up, 1 for 0, NaN for NaN.
 *
 * @param x any number; it is rounded to f32 first
 */
export const exp = /* @__PURE__ */ withLoopText(exponential, function exp(x: number): number {
  const bounded = clamp(fround(x), EXP_LEAST, EXP_MOST)
  const power = fround(fround(fround(bounded * LOG2_E) + WHOLE) - WHOLE)
  const r = subtractProduct(subtractProduct(bounded, power, LN2_HIGH), power, LN2_LOW)
  let value = multiplyAdd(E4, r, E3)
  value = multiplyAdd(value, r, E2)
  value = multiplyAdd(value, r, E1)
  value = multiplyAdd(value, r, E0)
  value = fround(multiplyAdd(fround(value * r), r, r) + 1)
  const half = power >> 1
  return fround(fround(value * 2 ** half) * 2 ** (power - half))
})

/**
 * 32 random bits computed from a key and a counter, without state. Equal arguments give equal numbers, here and in a
 * kernel; for one key, different counters give different numbers. Not cryptographically secure.
 *
 * @param key what the sequence belongs to: a seed, an entity, or `random(seed, entity)`; taken modulo 2^32
 * @param counter the place in the sequence, such as a tick or a row; taken modulo 2^32
 * @returns a whole number from 0 to 4,294,967,295
 * @example random(random(seed, entity), world.tick)
 */
export const random = /* @__PURE__ */ withLoopText(
  randomBits,
  function random(key: number, counter: number): number {
    let x = counter ^ imul(key, 0x9e3779b9)
    x = imul(x ^ (x >>> 16), 0x7feb352d)
    x = imul(x ^ (x >>> 15), 0x846ca68b)
    x = ((x ^ (x >>> 16)) + imul(key, 0x85ebca6b)) | 0
    x = imul(x ^ (x >>> 16), 0x21f0aaad)
    x = imul(x ^ (x >>> 15), 0xd35a2d97)
    return (x ^ (x >>> 15)) >>> 0
  },
)

/**
 * A random number from 0 to 1, 1 excluded: one of 2^24 equally spaced numbers, made of the upper bits of `random`;
 * bit-identical to the result in a kernel. Not cryptographically secure.
 *
 * @param key what the sequence belongs to: a seed, an entity, or `random(seed, entity)`; taken modulo 2^32
 * @param counter the place in the sequence, such as a tick or a row; taken modulo 2^32
 */
export const randomFloat = /* @__PURE__ */ withLoopText(
  randomFraction,
  function randomFloat(key: number, counter: number): number {
    return (random(key, counter) >>> 8) / 16777216
  },
)
